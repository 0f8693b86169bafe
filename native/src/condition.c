/* T3 conditions: building what is raised. See condition.h.
 *
 * Messages are put together in a fixed buffer on the C stack by a formatter that
 * knows %s %zu %c %d; what does not fit is cut. Everything a condition needs is
 * reserved before the first object is made, so RETRY leaves nothing behind.
 * h->raised is set last. Knows nothing of procedures and positions in code. */
#include "condition.h"
#include "string.h"

#include <stdarg.h>

#define MESSAGE_MAX 480

struct text {
    size_t length;
    char bytes[MESSAGE_MAX];
};

static void put(struct text *t, const char *s)
{
    size_t n = size_min(strlen(s), MESSAGE_MAX - t->length);
    memcpy(t->bytes + t->length, s, n);
    t->length += n;
}

static void put_number(struct text *t, uint64_t n)
{
    char digits[21];
    size_t i = sizeof digits - 1;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    put(t, digits + i);
}

static void put_signed(struct text *t, int64_t n)
{
    if (n < 0)
        put(t, "-");
    put_number(t, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void put_char(struct text *t, char c)
{
    char s[2] = {c, 0};
    put(t, s);
}

/* One directive at `p` (behind the percent sign); answers what follows it. */
static const char *put_directive(struct text *t, const char *p, va_list *arguments)
{
    switch (*p) {
    case 's':
        put(t, va_arg(*arguments, const char *));
        return p + 1;
    case 'd':
        put_signed(t, va_arg(*arguments, int));
        return p + 1;
    case 'c':
        put_char(t, (char)va_arg(*arguments, int));
        return p + 1;
    case 'z':
        put_number(t, va_arg(*arguments, size_t));
        return p[1] ? p + 2 : p + 1;
    case 0:
        return p;
    default:
        put_char(t, *p);
        return p + 1;
    }
}

static void put_format(struct text *t, const char *format, va_list *arguments)
{
    while (*format) {
        if (*format == '%')
            format = put_directive(t, format + 1, arguments);
        else
            put_char(t, *format++);
    }
}

/* An immutable string. The bytes are UTF-8, perhaps cut within a character;
 * nearly always ASCII. */
static val text_string(struct heap *h, const char *bytes, size_t n)
{
    size_t chars, bad;
    uint32_t widest;
    bool valid = utf8_scan((const uint8_t *)bytes, n, &chars, &widest, &bad);
    if (!valid && bad + UTF8_MAX > n) {
        n = bad;
        valid = utf8_scan((const uint8_t *)bytes, n, &chars, &widest, &bad);
    }
    if (valid && widest > 127)
        return string_from_utf8(h, bytes, n);
    val s = TRY(heap_alloc(h, T_ISTRING, n, FLAG_CONSTANT));
    uint8_t *to = object_bytes(s);
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)bytes[i] < 128 ? (uint8_t)bytes[i] : '?';
    return s;
}

static val small_vector(struct heap *h, const val *items, size_t n)
{
    val v = TRY(heap_alloc(h, T_VECTOR, n, 0));
    memcpy(object_fields(v), items, n * sizeof(val));
    return v;
}

/* Room for the condition itself, a message (also in its widest form), a hint, a
 * short list and a small vector. */
static val reserve_condition(struct heap *h)
{
    return heap_reserve(h, 2560);
}

/* After reserve_condition. The rest of the fields is #f. */
static val make(struct heap *h, enum condition_kind kind, const struct text *t, val irritants)
{
    val message = TRY(text_string(h, t->bytes, t->length));
    val c = TRY(heap_alloc(h, T_CONDITION, 0, 0));
    val *f = object_fields(c);
    f[CONDITION_KIND] = fixnum(kind);
    f[CONDITION_MESSAGE] = message;
    f[CONDITION_IRRITANTS] = irritants;
    for (size_t i = CONDITION_WHO; i <= CONDITION_EXTRA; i++)
        f[i] = FALSE;
    return c;
}

static val leave(struct heap *h, val condition)
{
    h->raised = condition;
    return RAISE;
}

val raise_condition(struct heap *h, enum condition_kind kind, const char *message, val irritants)
{
    struct text t = {.length = 0};
    put(&t, message);
    TRY(reserve_condition(h));
    return leave(h, TRY(make(h, kind, &t, irritants)));
}

val raise_format(struct heap *h, enum condition_kind kind, val irritants, const char *format, ...)
{
    struct text t = {.length = 0};
    va_list arguments;
    va_start(arguments, format);
    put_format(&t, format, &arguments);
    va_end(arguments);
    TRY(reserve_condition(h));
    return leave(h, TRY(make(h, kind, &t, irritants)));
}

val raise_type(struct heap *h, size_t index, const char *expected, val got)
{
    struct text t = {.length = 0};
    put(&t, "argument ");
    put_number(&t, index + 1);
    put(&t, ": expected ");
    put(&t, expected);
    TRY(reserve_condition(h));
    val irritants = TRY(cons(h, got, NIL));
    val extra[2] = {fixnum((int64_t)index), FALSE};
    extra[1] = TRY(text_string(h, expected, size_min(strlen(expected), 200)));
    val c = TRY(make(h, CONDITION_TYPE, &t, irritants));
    object_fields(c)[CONDITION_EXTRA] = TRY(small_vector(h, extra, 2));
    return leave(h, c);
}

val raise_range(struct heap *h, size_t index, val got, int64_t low, size_t high)
{
    int64_t top = high > (size_t)FIXNUM_MAX ? FIXNUM_MAX : (int64_t)high;
    struct text t = {.length = 0};
    put(&t, "argument ");
    put_number(&t, index + 1);
    put(&t, ": out of range, ");
    if (top <= low) {
        put(&t, "there is nothing to choose from");
    } else {
        put(&t, "expected ");
        put_signed(&t, low);
        put(&t, top - low == 1 ? " only" : " to ");
        if (top - low > 1)
            put_signed(&t, top - 1);
    }
    TRY(reserve_condition(h));
    val irritants = TRY(cons(h, fixnum(top), NIL));
    irritants = TRY(cons(h, fixnum(low), irritants));
    irritants = TRY(cons(h, got, irritants));
    val extra[2] = {fixnum((int64_t)index), FALSE};
    val c = TRY(make(h, CONDITION_RANGE, &t, irritants));
    object_fields(c)[CONDITION_EXTRA] = TRY(small_vector(h, extra, 2));
    return leave(h, c);
}

val raise_divide(struct heap *h)
{
    return raise_condition(h, CONDITION_DIVIDE, "division by zero", NIL);
}

static const char *constant_hint(val got)
{
    if (is_pair(got))
        return "a literal cannot be changed; make a new list with list or list-copy";
    if (is_string(got))
        return "a literal cannot be changed; use string-copy";
    if (is_vector(got))
        return "a literal cannot be changed; use vector-copy";
    if (is_bytevector(got))
        return "a literal cannot be changed; use bytevector-copy";
    return "it belongs to a library; make one of your own";
}

val raise_constant(struct heap *h, size_t index, val got)
{
    struct text t = {.length = 0};
    put(&t, "argument ");
    put_number(&t, index + 1);
    put(&t, ": a constant cannot be changed");
    const char *hint = constant_hint(got);
    TRY(reserve_condition(h));
    val irritants = TRY(cons(h, got, NIL));
    val c = TRY(make(h, CONDITION_CONSTANT, &t, irritants));
    object_fields(c)[CONDITION_HINT] = TRY(text_string(h, hint, strlen(hint)));
    return leave(h, c);
}

val raise_text(struct heap *h, enum condition_kind kind, val file, size_t line, size_t column,
               const char *hint, const char *format, ...)
{
    struct text t = {.length = 0};
    va_list arguments;
    va_start(arguments, format);
    put_format(&t, format, &arguments);
    va_end(arguments);
    TRY(reserve_condition(h));
    val c = TRY(make(h, kind, &t, NIL));
    val position[3] = {file, fixnum((int64_t)line), fixnum((int64_t)column)};
    val *f = object_fields(c);
    f[CONDITION_POSITION] = TRY(small_vector(h, position, 3));
    if (hint)
        f[CONDITION_HINT] = TRY(text_string(h, hint, size_min(strlen(hint), MESSAGE_MAX)));
    return leave(h, c);
}
