/* T7: typed port arguments, shared by prims/ports.c and prims/io.c. */
#ifndef CB_PORT_ARGS_H
#define CB_PORT_ARGS_H

#include "../port.h"
#include "../prim.h"

/* Argument i as an open port with all of `flags`; RAISE says what was expected. */
static inline MUST_USE val arg_port(struct heap *h, const val *args, size_t i, uint64_t flags,
                                    const char *expected)
{
    if (!is_port(args[i]) || !port_has(args[i], flags))
        return raise_type(h, i, expected, args[i]);
    if (!port_has(args[i], PORT_OPEN))
        return raise_format(h, CONDITION_TYPE, TRY(cons(h, args[i], NIL)),
                            "argument %zu: the port is closed", i + 1);
    if (!port_has(args[i], PORT_CONSOLE) && !heap_is_mutable(h, args[i]))
        return raise_constant(h, i, args[i]);
    return args[i];
}

static inline MUST_USE val arg_text_output(struct heap *h, const val *args, size_t i)
{
    return arg_port(h, args, i, PORT_OUTPUT | PORT_TEXTUAL, "textual output port");
}

static inline MUST_USE val arg_text_input(struct heap *h, const val *args, size_t i)
{
    return arg_port(h, args, i, PORT_INPUT | PORT_TEXTUAL, "textual input port");
}

static inline MUST_USE val arg_binary_output(struct heap *h, const val *args, size_t i)
{
    return arg_port(h, args, i, PORT_OUTPUT | PORT_BINARY, "binary output port");
}

static inline MUST_USE val arg_binary_input(struct heap *h, const val *args, size_t i)
{
    return arg_port(h, args, i, PORT_INPUT | PORT_BINARY, "binary input port");
}

#endif
