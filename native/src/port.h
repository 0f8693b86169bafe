/* T4 ports: string, bytevector and console ports; no I/O happens here.
 *
 * A textual input port reads characters of a string value at a position; a
 * binary one bytes of a bytevector. An output port appends UTF-8 (or bytes) to a
 * T_STORAGE in the heap that doubles; console ports append to heap->console.
 *
 * A host-backed input port (PORT_HOST) is an input port whose content is fed
 * block by block: an input function that runs dry before its item is complete
 * consumes nothing and answers DEFAULT_OBJECT; Scheme code then asks the host,
 * calls %port-feed! and tries again. Nothing is read ahead of what was asked. */
#ifndef CB_PORT_H
#define CB_PORT_H

#include "string.h"

/* fields of T_PORT */
enum {
    PORT_CONTENT, /* input: string or bytevector; output: STORAGE or #f; console: #f */
    PORT_NAME,    /* string or #f: file for positions                               */
    PORT_SOURCE,  /* host-backed: the host's object; else #f                        */
    PORT_EXTRA,   /* for the library                                                */
    PORT_SPARE1,
    PORT_SPARE2
};

/* raw words */
enum {
    PORT_FLAGS,    /* PORT_* bits below                                       */
    PORT_POSITION, /* input: next character or byte; output: bytes in storage */
    PORT_WHICH,    /* console: 0 output, 1 error                              */
    PORT_CHARS,    /* textual output: characters in storage                   */
    PORT_WIDEST,   /* textual output: largest code point so far               */
    PORT_RAW_SPARE
};

enum {
    PORT_INPUT = 1,
    PORT_OUTPUT = 2,
    PORT_TEXTUAL = 4,
    PORT_BINARY = 8,
    PORT_OPEN = 16,
    PORT_CONSOLE = 32,
    PORT_HOST = 64,      /* host-backed input                                 */
    PORT_END = 128,      /* host-backed: nothing more will come               */
    PORT_FOLD_CASE = 256 /* #!fold-case is in force for the reader            */
};

static inline bool is_port(val v)
{
    return is_type(v, T_PORT);
}

static inline uint64_t port_flags(val port)
{
    return object_raw(port)[PORT_FLAGS];
}

static inline bool port_has(val port, uint64_t flags)
{
    return (port_flags(port) & flags) == flags;
}

/* -- making: RETRY without room ------------------------------------------------ */
MUST_USE val port_open_input(struct heap *h, val content, uint64_t more_flags);
MUST_USE val port_open_output(struct heap *h, uint64_t textual_or_binary);
/* which: 0 output, 1 error, 2 input (always at its end unless fed). */
MUST_USE val port_console(struct heap *h, int which);

/* -- output ----------------------------------------------------------------------- */
/* Append to heap->console[which]: TRUE; LIMIT (LIMIT_OUTPUT) where output_limit
 * would be passed (what fits is kept); RETRY without room, nothing kept. */
MUST_USE val console_write(struct heap *h, int which, const char *text, size_t bytes);
/* Make sure that port_append of so many bytes does not answer RETRY. */
MUST_USE val port_reserve(struct heap *h, val port, size_t bytes);
/* Append valid UTF-8 (textual) or bytes (binary) to an open output port. */
MUST_USE val port_append(struct heap *h, val port, const char *text, size_t bytes);
/* Append the characters [start, end) of a string; RETRY before any are. */
MUST_USE val port_append_string(struct heap *h, val port, val s, size_t start, size_t end);
/* What an output string port or bytevector port has got, as a new value. */
MUST_USE val port_contents(struct heap *h, val port);

/* -- input ------------------------------------------------------------------------ */
/* How much is left of the content; 0 at its end. */
size_t port_left(val port);
/* What to answer at the end of the content: DEFAULT_OBJECT (feed me), EOF_OBJECT. */
val port_at_end(val port);
/* Add a block (a string or bytevector; #f: end) to a host-backed port. */
MUST_USE val port_feed(struct heap *h, val port, val block);

#endif
