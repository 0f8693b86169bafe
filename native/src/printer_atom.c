/* T4 printer: the text of atoms. Short ones go straight into the text; long
 * ones (strings, bytevectors, long numbers) become a frame that is printed in
 * pieces. Fuel: a unit for each piece. */
#include "chars.h"
#include "num.h"
#include "printer_inner.h"
#include "reader.h"
#include "record.h"
#include "symbol.h"
#include "table.h"

/* -- text ------------------------------------------------------------------------- */

void print_text(struct printer *p, const char *text)
{
    size_t n = size_min(strlen(text), OUT_ROOM - p->length);
    memcpy(p->text + p->length, text, n);
    p->length += n;
}

void print_code(struct printer *p, uint32_t c)
{
    if (p->length + UTF8_MAX <= OUT_ROOM)
        p->length += utf8_encode(c, p->text + p->length);
}

static void print_base(struct printer *p, uint64_t n, unsigned base)
{
    char digits[24];
    size_t i = sizeof digits - 1;
    digits[i] = 0;
    do {
        digits[--i] = "0123456789abcdef"[n % base];
        n /= base;
    } while (n != 0);
    print_text(p, digits + i);
}

void print_unsigned(struct printer *p, uint64_t n)
{
    print_base(p, n, 10);
}

static void pop(struct printer *p)
{
    p->depth--;
}

/* -- numbers ------------------------------------------------------------------------ */

static val print_number(struct printer *p, val v)
{
    if (is_fixnum(v)) {
        pop(p);
        if (fixnum_value(v) < 0)
            print_text(p, "-");
        print_unsigned(p, fixnum_value(v) < 0 ? (uint64_t)-fixnum_value(v)
                                              : (uint64_t)fixnum_value(v));
        return TRUE;
    }
    val text = num_to_text(p->h, v, 10);
    if (is_control(text) && p->brief) {
        pop(p);
        print_text(p, "#<number>");
        return TRUE;
    }
    TRY(text);
    frame_set(p, FRAME_TEXT, text, 0);
    return TRUE;
}

/* -- characters and strings ------------------------------------------------------------ */

static void print_char(struct printer *p, uint32_t c)
{
    pop(p);
    if (p->style == DISPLAY) {
        print_code(p, c);
        return;
    }
    print_text(p, "#\\");
    if (char_name(c) != NULL) {
        print_text(p, char_name(c));
    } else if (char_is_printable(c)) {
        print_code(p, c);
    } else {
        print_text(p, "x");
        print_base(p, c, 16);
    }
}

/* A character between `quote`s. */
static void print_escaped(struct printer *p, uint32_t c, char quote)
{
    static const char plain[] = "\a\b\t\n\r\\", letters[] = "abtnr\\";
    const char *found = ascii_find(plain, c);
    if (found != NULL) {
        print_text(p, "\\");
        print_code(p, (uint8_t)letters[found - plain]);
    } else if (c == (uint8_t)quote) {
        print_text(p, "\\");
        print_code(p, c);
    } else if (char_is_printable(c)) {
        print_code(p, c);
    } else {
        print_text(p, "\\x");
        print_base(p, c, 16);
        print_text(p, ";");
    }
}

static void print_string(struct printer *p, val v)
{
    if (p->style == DISPLAY) {
        frame_set(p, FRAME_TEXT, v, 0);
        return;
    }
    print_text(p, "\"");
    frame_set(p, FRAME_STRING, v, 0);
}

static void piece_of_bytes(struct printer *p, val v, size_t index)
{
    size_t n = object_length(v), end = size_min(n, index + PIECE_CHARS);
    for (size_t i = index; i < end; i++) {
        if (i != 0)
            print_text(p, " ");
        print_unsigned(p, object_bytes(v)[i]);
    }
    if (end < n) {
        frame_set(p, FRAME_BYTES, v, end);
        return;
    }
    pop(p);
    print_text(p, ")");
}

void print_piece(struct printer *p, enum frame_kind kind, val v, size_t index)
{
    if (kind == FRAME_BYTES) {
        piece_of_bytes(p, v, index);
        return;
    }
    char quote = kind == FRAME_STRING ? '"' : '|';
    size_t n = string_length(v), end = size_min(n, index + PIECE_CHARS);
    for (size_t i = index; i < end; i++) {
        if (kind == FRAME_TEXT)
            print_code(p, string_ref(v, i));
        else
            print_escaped(p, string_ref(v, i), quote);
    }
    if (end < n) {
        frame_set(p, kind, v, end);
        return;
    }
    pop(p);
    if (kind != FRAME_TEXT)
        print_text(p, quote == '"' ? "\"" : "|");
}

/* -- symbols ------------------------------------------------------------------------------ */

/* Would it be read as something else without bars? TRUE, FALSE, or a failure. */
static val is_number_like(struct heap *h, val name)
{
    char text[PIECE_CHARS];
    size_t n = string_length(name);
    if (ascii_find("0123456789+-.", string_ref(name, 0)) == NULL)
        return FALSE;
    if (n == 1 && string_ref(name, 0) == '.')
        return TRUE;
    if (n >= sizeof text)
        return TRUE;
    for (size_t i = 0; i < n; i++) {
        if (string_ref(name, i) > 0x7F)
            return FALSE;
        text[i] = (char)string_ref(name, i);
    }
    text[n] = 0;
    return val_bool(is_true(TRY(num_parse(h, text, n, 10))));
}

static val needs_bars(struct heap *h, val name)
{
    size_t n = string_length(name);
    if (n == 0 || string_ref(name, 0) == '#' || string_ref(name, 0) == 0xFEFF)
        return TRUE;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = string_ref(name, i);
        if (reader_is_delimiter(c) || c == '\\' || !char_is_printable(c))
            return TRUE;
    }
    return string_ref(name, 0) < 0x80 ? is_number_like(h, name) : FALSE;
}

static val print_symbol(struct printer *p, val v)
{
    val name = symbol_name(v);
    val bars = p->style == DISPLAY ? FALSE : needs_bars(p->h, name);
    if (is_control(bars) && p->brief)
        bars = FALSE;
    TRY(bars);
    if (is_true(bars))
        print_text(p, "|");
    frame_set(p, is_true(bars) ? FRAME_SYMBOL : FRAME_TEXT, name, 0);
    return TRUE;
}

/* -- opaque objects ------------------------------------------------------------------------- */

/* `opening`, then a name (a symbol or a string; anything else is left out), >. */
static void print_named(struct printer *p, const char *opening, val name)
{
    print_text(p, opening);
    if (is_symbol(name))
        name = symbol_name(name);
    frame_set(p, FRAME_ANGLE, FALSE, 0);
    if (!is_string(name))
        return;
    print_text(p, " ");
    frame_push(p, FRAME_TEXT, name, 0);
}

/* A code object's first field is its name (code.h, a higher tier). */
static val procedure_name(val v)
{
    if (object_type(v) != T_CLOSURE)
        return object_field(v, 0);
    val code = object_length(v) != 0 ? object_field(v, 0) : FALSE;
    return is_type(code, T_CODE) ? object_field(code, 0) : FALSE;
}

void print_type_name(struct printer *p, val type)
{
    val name = is_type(type, T_RECORD_TYPE) ? object_field(type, RECORD_TYPE_NAME) : FALSE;
    if (is_symbol(name))
        name = symbol_name(name);
    if (!is_string(name)) {
        print_text(p, "record");
        return;
    }
    size_t start = 0, end = string_length(name);
    if (end > 2 && string_ref(name, 0) == '<' && string_ref(name, end - 1) == '>') {
        start++;
        end--;
    }
    for (size_t i = start; i < end && i < start + PIECE_CHARS; i++)
        print_code(p, string_ref(name, i));
}

static void print_fixed(struct printer *p, const char *text)
{
    pop(p);
    print_text(p, text);
}

static void print_counted(struct printer *p, const char *opening, size_t n)
{
    print_fixed(p, opening);
    print_unsigned(p, n);
    print_text(p, ">");
}

static void print_record_type(struct printer *p, val v)
{
    print_fixed(p, "#<record-type ");
    print_type_name(p, v);
    print_text(p, ">");
}

static const char *opaque_text(enum type type)
{
    switch (type) {
    case T_CONTINUATION:
        return "#<continuation>";
    case T_PARAMETER:
        return "#<parameter>";
    case T_PROMISE:
        return "#<promise>";
    case T_ENVIRONMENT:
        return "#<environment>";
    case T_LIBRARY:
        return "#<library>";
    case T_PORT:
        return "#<port>";
    case T_FOREIGN:
        return "#<foreign>";
    case T_EPHEMERON:
        return "#<ephemeron>";
    case T_BOX:
        return "#<box>";
    case T_VALUES:
        return "#<values>";
    default:
        return "#<object>";
    }
}

static val print_object(struct printer *p, val v)
{
    switch (object_type(v)) {
    case T_STRING:
    case T_ISTRING:
        print_string(p, v);
        return TRUE;
    case T_SYMBOL:
        return print_symbol(p, v);
    case T_BYTEVECTOR:
        print_text(p, "#u8(");
        frame_set(p, FRAME_BYTES, v, 0);
        return TRUE;
    case T_VECTOR:
        print_fixed(p, "#()");
        return TRUE;
    case T_CLOSURE:
    case T_PRIMITIVE:
    case T_HOST_PROCEDURE:
        print_named(p, "#<procedure", procedure_name(v));
        return TRUE;
    case T_MACRO:
        print_named(p, "#<macro", object_field(v, 4));
        return TRUE;
    case T_IDENTIFIER:
        frame_set(p, FRAME_DATUM, object_field(v, 0), 0);
        return TRUE;
    case T_TABLE:
        print_counted(p, "#<hash-table ", table_count(v));
        return TRUE;
    case T_RECORD_TYPE:
        print_record_type(p, v);
        return TRUE;
    case T_FLONUM:
    case T_BIGNUM:
    case T_RATIO:
    case T_COMPLEX:
        return print_number(p, v);
    default:
        print_fixed(p, opaque_text(object_type(v)));
        return TRUE;
    }
}

/* Immediates that are neither numbers nor characters. */
static const char *immediate_text(val v)
{
    static const char *const texts[] = {
        "#f", "#t", "()", "#<unspecified>", "#<eof>", "#!default", "#<unbound>",
    };
    size_t payload = (size_t)(v.bits >> 8);
    if ((v.bits & 0xff) == NIL.bits % 256 && payload < ARRAY_LENGTH(texts))
        return texts[payload];
    return "#<syntax>";
}

val print_atom(struct printer *p, val v)
{
    if (is_object(v))
        return print_object(p, v);
    if (is_fixnum(v) || is_flonum_immediate(v))
        return print_number(p, v);
    if (is_char(v))
        print_char(p, char_code(v));
    else
        print_fixed(p, immediate_text(v));
    return TRUE;
}
