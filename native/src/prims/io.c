/* T7 primitives: reading from and writing to ports. The port is always given;
 * the library puts (current-output-port) and (current-input-port) in front.
 *
 * An input primitive that finds a host-backed port dry consumes nothing and
 * returns the default object: feed the port (%port-feed!) and call it again. */
#include "../printer.h"
#include "../reader.h"
#include "port_args.h"

/* -- writing data ---------------------------------------------------------------------- */

static val write_datum(struct heap *h, const val *args, enum print_style style)
{
    val port = TRY(arg_text_output(h, args, 1));
    return printer_write(h, args[0], port, style);
}

PRIM("%write", prim_write, 2, 2, STEPPED, "(%write object port)",
     "Write OBJECT so that it can be read back, with labels where it is circular.")
{
    return write_datum(h, args, WRITE);
}

PRIM("%write-shared", prim_write_shared, 2, 2, STEPPED, "(%write-shared object port)",
     "Write OBJECT with labels for all that is shared.")
{
    return write_datum(h, args, WRITE_SHARED);
}

PRIM("%write-simple", prim_write_simple, 2, 2, STEPPED, "(%write-simple object port)",
     "Write OBJECT without labels.")
{
    return write_datum(h, args, WRITE_SIMPLE);
}

static val write_text(struct heap *h, val port, val s, size_t start, size_t end)
{
    TRY(afford_bytes(h, end - start));
    TRY(port_append_string(h, port, s, start, end));
    return UNSPECIFIED;
}

PRIM("%display", prim_display, 2, 2, STEPPED, "(%display object port)",
     "Write OBJECT for people: strings and characters as they are.")
{
    if (!is_string(args[0]))
        return write_datum(h, args, DISPLAY);
    val port = TRY(arg_text_output(h, args, 1));
    return write_text(h, port, args[0], 0, string_length(args[0]));
}

/* -- writing text and bytes --------------------------------------------------------------- */

PRIM("%newline", prim_newline, 1, 1, SHORT, "(%newline port)", "Write a line end.")
{
    val port = TRY(arg_text_output(h, args, 0));
    TRY(port_append(h, port, "\n", 1));
    return UNSPECIFIED;
}

PRIM("%write-char", prim_write_char, 2, 2, SHORT, "(%write-char char port)", "Write CHAR as it is.")
{
    char text[UTF8_MAX];
    val c = TRY(arg_char(h, args, 0));
    val port = TRY(arg_text_output(h, args, 1));
    TRY(port_append(h, port, text, utf8_encode(char_code(c), text)));
    return UNSPECIFIED;
}

PRIM("%write-string", prim_write_string, 2, 4, PURE, "(%write-string string port [start [end]])",
     "Write the characters of STRING from START up to END.")
{
    val s = TRY(arg_string(h, args, 0));
    val port = TRY(arg_text_output(h, args, 1));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 2, string_length(s), &start, &end));
    return write_text(h, port, s, start, end);
}

PRIM("%write-u8", prim_write_u8, 2, 2, SHORT, "(%write-u8 byte port)", "Write BYTE.")
{
    char byte = (char)fixnum_value(TRY(arg_index(h, args, 0, 256)));
    val port = TRY(arg_binary_output(h, args, 1));
    TRY(port_append(h, port, &byte, 1));
    return UNSPECIFIED;
}

PRIM("%write-bytevector", prim_write_bytevector, 2, 4, PURE,
     "(%write-bytevector bytevector port [start [end]])",
     "Write the bytes of BYTEVECTOR from START up to END.")
{
    val bytes = TRY(arg_bytevector(h, args, 0));
    val port = TRY(arg_binary_output(h, args, 1));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 2, object_length(bytes), &start, &end));
    TRY(afford_bytes(h, end - start));
    TRY(port_append(h, port, (const char *)object_bytes(bytes) + start, end - start));
    return UNSPECIFIED;
}

PRIM("%flush", prim_flush, 1, 1, SHORT, "(%flush port)", "Do nothing: output is never held back.")
{
    TRY(arg_port(h, args, 0, PORT_OUTPUT, "output port"));
    return UNSPECIFIED;
}

/* -- reading text --------------------------------------------------------------------------- */

PRIM("%read", prim_read, 1, 1, STEPPED, "(%read port)", "Read one datum; eof where there is none.")
{
    return reader_read(h, TRY(arg_text_input(h, args, 0)));
}

static val content_of(val port)
{
    return object_field(port, PORT_CONTENT);
}

static size_t position_of(val port)
{
    return (size_t)object_raw(port)[PORT_POSITION];
}

static val next_char(struct heap *h, const val *args, size_t advance)
{
    val port = TRY(arg_text_input(h, args, 0));
    if (port_left(port) == 0)
        return port_at_end(port);
    uint32_t c = string_ref(content_of(port), position_of(port));
    object_raw(port)[PORT_POSITION] += advance;
    return char_value(c);
}

PRIM("%read-char", prim_read_char, 1, 1, SHORT, "(%read-char port)", "Read a character, or eof.")
{
    return next_char(h, args, 1);
}

PRIM("%peek-char", prim_peek_char, 1, 1, SHORT, "(%peek-char port)",
     "Return the next character, or eof, and leave it there.")
{
    return next_char(h, args, 0);
}

PRIM("%char-ready?", prim_char_ready, 1, 1, SHORT, "(%char-ready? port)",
     "Return #t if %read-char would answer at once.")
{
    val port = TRY(arg_text_input(h, args, 0));
    return val_bool(port_left(port) != 0 || is_eq(port_at_end(port), EOF_OBJECT));
}

/* The end of the line that begins at the port's position; *next: what follows. */
static size_t line_end(val port, size_t *next)
{
    val s = content_of(port);
    const uint8_t *data = string_data(s);
    unsigned width = string_width(s);
    size_t n = string_length(s), i = position_of(port);
    uint32_t c = 0;
    for (; i < n; i++) {
        c = code_at(data, width, i);
        if (c == '\n' || c == '\r')
            break;
    }
    *next = i + (i < n);
    if (i + 1 < n && c == '\r' && code_at(data, width, i + 1) == '\n')
        *next = i + 2;
    return i;
}

PRIM("%read-line", prim_read_line, 1, 1, PURE, "(%read-line port)",
     "Read up to a line end, which is left out; eof at the end.")
{
    val port = TRY(arg_text_input(h, args, 0));
    if (port_left(port) == 0)
        return port_at_end(port);
    val s = content_of(port);
    size_t start = position_of(port), length = string_length(s), next = 0;
    size_t end = line_end(port, &next);
    bool dry = is_eq(port_at_end(port), DEFAULT_OBJECT);
    bool cut = end == length || (next == length && string_ref(s, end) == '\r');
    if (dry && cut)
        return DEFAULT_OBJECT;
    TRY(afford_bytes(h, (end - start) << string_width(s)));
    val line = TRY(substring(h, s, start, end));
    object_raw(port)[PORT_POSITION] = next;
    return line;
}

/* How many of the k items asked for are to be taken: 0 where *answer is the
 * result already (nothing asked, the end, dry). */
static size_t take_count(val port, size_t k, val *answer)
{
    size_t left = port_left(port);
    if (left < k && is_eq(port_at_end(port), DEFAULT_OBJECT)) {
        *answer = DEFAULT_OBJECT;
        return 0;
    }
    *answer = k != 0 && left == 0 ? EOF_OBJECT : HOLE;
    return size_min(k, left);
}

PRIM("%read-string", prim_read_string, 2, 2, PURE, "(%read-string k port)",
     "Read K characters, or as many as there are; eof at the end.")
{
    size_t k = (size_t)fixnum_value(TRY(arg_index(h, args, 0, (size_t)FIXNUM_MAX)));
    val port = TRY(arg_text_input(h, args, 1)), answer = HOLE;
    size_t count = take_count(port, k, &answer);
    if (!is_eq(answer, HOLE))
        return answer;
    val s = content_of(port);
    size_t start = position_of(port);
    TRY(afford_bytes(h, count << string_width(s)));
    val out = TRY(substring(h, s, start, start + count));
    object_raw(port)[PORT_POSITION] = start + count;
    return out;
}

/* -- reading bytes ----------------------------------------------------------------------------- */

static val next_byte(struct heap *h, const val *args, size_t advance)
{
    val port = TRY(arg_binary_input(h, args, 0));
    if (port_left(port) == 0)
        return port_at_end(port);
    uint8_t byte = object_bytes(content_of(port))[position_of(port)];
    object_raw(port)[PORT_POSITION] += advance;
    return fixnum(byte);
}

PRIM("%read-u8", prim_read_u8, 1, 1, SHORT, "(%read-u8 port)", "Read a byte, or eof.")
{
    return next_byte(h, args, 1);
}

PRIM("%peek-u8", prim_peek_u8, 1, 1, SHORT, "(%peek-u8 port)",
     "Return the next byte, or eof, and leave it there.")
{
    return next_byte(h, args, 0);
}

PRIM("%u8-ready?", prim_u8_ready, 1, 1, SHORT, "(%u8-ready? port)",
     "Return #t if %read-u8 would answer at once.")
{
    val port = TRY(arg_binary_input(h, args, 0));
    return val_bool(port_left(port) != 0 || is_eq(port_at_end(port), EOF_OBJECT));
}

PRIM("%read-bytevector", prim_read_bytevector, 2, 2, PURE, "(%read-bytevector k port)",
     "Read K bytes, or as many as there are; eof at the end.")
{
    size_t k = (size_t)fixnum_value(TRY(arg_index(h, args, 0, (size_t)FIXNUM_MAX)));
    val port = TRY(arg_binary_input(h, args, 1)), answer = HOLE;
    size_t count = take_count(port, k, &answer);
    if (!is_eq(answer, HOLE))
        return answer;
    size_t start = position_of(port);
    TRY(afford_bytes(h, count));
    val out = TRY(heap_alloc(h, T_BYTEVECTOR, count, 0));
    if (count != 0)
        memcpy(object_bytes(out), object_bytes(content_of(port)) + start, count);
    object_raw(port)[PORT_POSITION] = start + count;
    return out;
}

PRIM("%read-bytevector!", prim_read_bytevector_into, 2, 4, PURE,
     "(%read-bytevector! bytevector port [start [end]])",
     "Read bytes into BYTEVECTOR from START up to END; return how many, or eof.")
{
    val bytes = TRY(arg_bytevector(h, args, 0));
    val port = TRY(arg_binary_input(h, args, 1)), answer = HOLE;
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 2, object_length(bytes), &start, &end));
    TRY(arg_mutable(h, args, 0));
    size_t count = take_count(port, end - start, &answer);
    if (!is_eq(answer, HOLE))
        return answer;
    TRY(afford_bytes(h, count));
    if (count != 0)
        memmove(object_bytes(bytes) + start, object_bytes(content_of(port)) + position_of(port),
                count);
    object_raw(port)[PORT_POSITION] += count;
    return fixnum((int64_t)count);
}
