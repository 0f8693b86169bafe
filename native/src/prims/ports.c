/* T7 primitives: making, asking about and closing ports. The primitives that
 * read and write stand in io.c. */
#include "port_args.h"

/* -- making ---------------------------------------------------------------------- */

PRIM("open-input-string", prim_open_input_string, 1, 1, SHORT, "(open-input-string string)",
     "Return a textual input port that reads from STRING.")
{
    return port_open_input(h, TRY(arg_string(h, args, 0)), 0);
}

PRIM("open-input-bytevector", prim_open_input_bytevector, 1, 1, SHORT,
     "(open-input-bytevector bytevector)", "Return a binary input port that reads from BYTEVECTOR.")
{
    return port_open_input(h, TRY(arg_bytevector(h, args, 0)), 0);
}

PRIM("open-output-string", prim_open_output_string, 0, 0, SHORT, "(open-output-string)",
     "Return a textual output port that collects text for get-output-string.")
{
    return port_open_output(h, PORT_TEXTUAL);
}

PRIM("open-output-bytevector", prim_open_output_bytevector, 0, 0, SHORT, "(open-output-bytevector)",
     "Return a binary output port that collects bytes for get-output-bytevector.")
{
    return port_open_output(h, PORT_BINARY);
}

/* Argument 0 as an output port that collects; it may be closed. */
static val arg_collector(struct heap *h, const val *args, uint64_t kind, const char *expected)
{
    uint64_t flags = PORT_OUTPUT | kind;
    if (!is_port(args[0]) || !port_has(args[0], flags) || port_has(args[0], PORT_CONSOLE))
        return raise_type(h, 0, expected, args[0]);
    return args[0];
}

PRIM("get-output-string", prim_get_output_string, 1, 1, PURE, "(get-output-string port)",
     "Return a new string of what was written to PORT so far.")
{
    val port = TRY(arg_collector(h, args, PORT_TEXTUAL, "output string port"));
    TRY(afford_bytes(h, (size_t)object_raw(port)[PORT_POSITION]));
    return port_contents(h, port);
}

PRIM("get-output-bytevector", prim_get_output_bytevector, 1, 1, PURE,
     "(get-output-bytevector port)", "Return a new bytevector of what was written to PORT so far.")
{
    val port = TRY(arg_collector(h, args, PORT_BINARY, "output bytevector port"));
    TRY(afford_bytes(h, (size_t)object_raw(port)[PORT_POSITION]));
    return port_contents(h, port);
}

PRIM("%port-take!", prim_port_take, 1, 1, PURE, "(%port-take! port)",
     "Return what was written to PORT, a string or bytevector, and empty PORT.")
{
    val port = TRY(arg_collector(h, args, 0, "output port that collects"));
    TRY(afford_bytes(h, (size_t)object_raw(port)[PORT_POSITION]));
    val contents = TRY(port_contents(h, port));
    object_raw(port)[PORT_POSITION] = 0;
    object_raw(port)[PORT_CHARS] = 0;
    object_raw(port)[PORT_WIDEST] = 0;
    return contents;
}

/* -- host-backed ports -------------------------------------------------------------- */

PRIM("%make-host-input-port", prim_make_host_input_port, 3, 3, SHORT,
     "(%make-host-input-port binary? name source)",
     "Return an input port that %port-feed! gives its content; NAME is a string or #f.")
{
    val name = is_true(args[1]) ? TRY(arg_string(h, args, 1)) : FALSE;
    bool binary = is_true(args[0]);
    val content = TRY(binary ? heap_alloc(h, T_BYTEVECTOR, 0, 0) : string_new(h, 0, 0));
    val port = TRY(port_open_input(h, content, PORT_HOST));
    object_fields(port)[PORT_NAME] = name;
    object_fields(port)[PORT_SOURCE] = args[2];
    return port;
}

PRIM("%port-feed!", prim_port_feed, 2, 2, PURE, "(%port-feed! port block)",
     "Add BLOCK (a string, a bytevector, or #f for the end) to a host-backed input PORT.")
{
    val port = TRY(arg_port(h, args, 0, PORT_INPUT | PORT_HOST, "host-backed input port"));
    if (is_true(args[1]))
        TRY(port_has(port, PORT_TEXTUAL) ? arg_string(h, args, 1) : arg_bytevector(h, args, 1));
    return is_eq(TRY(port_feed(h, port, args[1])), TRUE) ? UNSPECIFIED : FALSE;
}

PRIM("%port-source", prim_port_source, 1, 1, SHORT, "(%port-source port)",
     "Return the host's object of a host-backed PORT, or #f.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PORT, "port")), PORT_SOURCE);
}

PRIM("%port-name", prim_port_name, 1, 1, SHORT, "(%port-name port)",
     "Return the name (of a file) of PORT, or #f.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PORT, "port")), PORT_NAME);
}

PRIM("%set-port-name!", prim_set_port_name, 2, 2, SHORT, "(%set-port-name! port name)",
     "Name PORT for the positions of read errors; NAME is a string or #f.")
{
    val port = TRY(arg_type(h, args, 0, T_PORT, "port"));
    val name = is_true(args[1]) ? TRY(arg_string(h, args, 1)) : FALSE;
    TRY(arg_mutable(h, args, 0));
    heap_store(h, port, &object_fields(port)[PORT_NAME], name);
    return UNSPECIFIED;
}

PRIM("%port-extra", prim_port_extra, 1, 1, SHORT, "(%port-extra port)",
     "Return what the library keeps with PORT, or #f.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PORT, "port")), PORT_EXTRA);
}

PRIM("%set-port-extra!", prim_set_port_extra, 2, 2, SHORT, "(%set-port-extra! port object)",
     "Keep OBJECT with PORT.")
{
    val port = TRY(arg_type(h, args, 0, T_PORT, "port"));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, port, &object_fields(port)[PORT_EXTRA], args[1]);
    return UNSPECIFIED;
}

PRIM("%console-port", prim_console_port, 1, 1, SHORT, "(%console-port which)",
     "Return the context's console port: 0 output, 1 error, 2 input.")
{
    static const enum root roots[] = {ROOT_OUTPUT_PORT, ROOT_ERROR_PORT, ROOT_INPUT_PORT};
    int64_t which = fixnum_value(TRY(arg_index(h, args, 0, ARRAY_LENGTH(roots))));
    val *root = &h->roots[roots[which]];
    if (!is_port(*root))
        *root = TRY(port_console(h, (int)which));
    return *root;
}

/* -- asking ---------------------------------------------------------------------------- */

PRIM("port?", prim_is_port, 1, 1, SHORT, "(port? object)", "Return #t if OBJECT is a port.")
{
    return val_bool(is_port(args[0]));
}

PRIM("input-port?", prim_is_input_port, 1, 1, SHORT, "(input-port? object)",
     "Return #t if OBJECT is an input port.")
{
    return val_bool(is_port(args[0]) && port_has(args[0], PORT_INPUT));
}

PRIM("output-port?", prim_is_output_port, 1, 1, SHORT, "(output-port? object)",
     "Return #t if OBJECT is an output port.")
{
    return val_bool(is_port(args[0]) && port_has(args[0], PORT_OUTPUT));
}

PRIM("textual-port?", prim_is_textual_port, 1, 1, SHORT, "(textual-port? object)",
     "Return #t if OBJECT is a textual port.")
{
    return val_bool(is_port(args[0]) && port_has(args[0], PORT_TEXTUAL));
}

PRIM("binary-port?", prim_is_binary_port, 1, 1, SHORT, "(binary-port? object)",
     "Return #t if OBJECT is a binary port.")
{
    return val_bool(is_port(args[0]) && port_has(args[0], PORT_BINARY));
}

static val is_open(struct heap *h, const val *args, uint64_t direction, const char *expected)
{
    if (!is_port(args[0]) || !port_has(args[0], direction))
        return raise_type(h, 0, expected, args[0]);
    return val_bool(port_has(args[0], PORT_OPEN));
}

PRIM("input-port-open?", prim_input_port_is_open, 1, 1, SHORT, "(input-port-open? port)",
     "Return #t if input can still be read from PORT.")
{
    return is_open(h, args, PORT_INPUT, "input port");
}

PRIM("output-port-open?", prim_output_port_is_open, 1, 1, SHORT, "(output-port-open? port)",
     "Return #t if output can still be written to PORT.")
{
    return is_open(h, args, PORT_OUTPUT, "output port");
}

/* -- closing ------------------------------------------------------------------------------ */

/* Closing twice does nothing, nor does closing a console. What an input port
 * still had is let go; what an output port collected can still be taken. */
static val close_port(struct heap *h, const val *args, uint64_t direction, const char *expected)
{
    val port = args[0];
    if (!is_port(port) || !port_has(port, direction))
        return raise_type(h, 0, expected, port);
    if (port_has(port, PORT_CONSOLE) || !port_has(port, PORT_OPEN))
        return UNSPECIFIED;
    TRY(arg_mutable(h, args, 0));
    object_raw(port)[PORT_FLAGS] &= ~(uint64_t)PORT_OPEN;
    if (port_has(port, PORT_INPUT))
        heap_store(h, port, &object_fields(port)[PORT_CONTENT], FALSE);
    return UNSPECIFIED;
}

PRIM("close-port", prim_close_port, 1, 1, SHORT, "(close-port port)", "Close PORT.")
{
    return close_port(h, args, 0, "port");
}

PRIM("close-input-port", prim_close_input_port, 1, 1, SHORT, "(close-input-port port)",
     "Close the input port PORT.")
{
    return close_port(h, args, PORT_INPUT, "input port");
}

PRIM("close-output-port", prim_close_output_port, 1, 1, SHORT, "(close-output-port port)",
     "Close the output port PORT.")
{
    return close_port(h, args, PORT_OUTPUT, "output port");
}
