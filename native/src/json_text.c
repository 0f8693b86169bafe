/* T4 JSON: strings, numbers and words. See json.h, json_inner.h.
 *
 * Each function moves t->at behind what it has read, also where it answers
 * anything but a value: then the caller puts it back, or the message needs it. */
#include "json_inner.h"

#include "num.h"
#include "symbol.h"

#define NUMBER_INLINE 128u
#define POLL_CHARS ((size_t)1 << 16)

/* -- messages ---------------------------------------------------------------------- */

val json_fail(struct json_text *t, const char *reason)
{
    if (t->dry && t->at >= t->end)
        return DEFAULT_OBJECT;
    size_t line = 1, first = 0, at = size_min(t->at, t->end);
    for (size_t i = 0; i < at; i++) {
        if (code_at(t->data, t->width, i) == '\n') {
            line++;
            first = i + 1;
        }
    }
    heap_work(t->h, at);
    return raise_format(t->h, CONDITION_ERROR, NIL, "%s: %s at line %zu column %zu (offset %zu)",
                        t->who, reason, line, at - first + 1, at);
}

/* -- strings ------------------------------------------------------------------------- */

static int hex_digit(uint32_t c)
{
    if (c >= '0' && c <= '9')
        return (int)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (int)(c - 'a') + 10 : -1;
}

/* Four hexadecimal digits at t->at; false: they are not there, t->at is the place. */
static bool take_hex(struct json_text *t, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, t->at++) {
        int digit = hex_digit(json_peek(t));
        if (digit < 0)
            return false;
        *out = *out * 16 + (uint32_t)digit;
    }
    return true;
}

/* The low half that has to follow a high one. */
static bool take_low_half(struct json_text *t, uint32_t *low)
{
    if (json_peek(t) != '\\')
        return false;
    t->at++;
    if (json_peek(t) != 'u')
        return false;
    t->at++;
    return take_hex(t, low) && *low >= 0xDC00 && *low <= 0xDFFF;
}

/* The character that an escape behind the backslash means; NULL, or what is wrong. */
static const char *take_escape(struct json_text *t, uint32_t *c)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint32_t letter = json_peek(t);
    const char *found = ascii_find(letters, letter);
    if (found != NULL && letter != 0) {
        t->at++;
        *c = (uint8_t)meanings[found - letters];
        return NULL;
    }
    if (letter != 'u')
        return letter == JSON_END ? "unexpected end of a string" : "unknown escape in a string";
    t->at++;
    if (!take_hex(t, c))
        return "expected four hexadecimal digits";
    if (*c < 0xD800 || *c > 0xDFFF)
        return NULL;
    uint32_t low = 0;
    if (*c > 0xDBFF || !take_low_half(t, &low))
        return "half of a surrogate pair in a string";
    *c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
    return NULL;
}

/* Does one of eight bytes end a run of plain characters: below space, " or \ ? */
static bool ends_run(uint64_t bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t quote = bytes ^ (ones * '"'), slash = bytes ^ (ones * '\\');
    uint64_t low = (bytes - ones * ' ') & ~bytes;
    return ((low | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & highs) != 0;
}

/* Pass plain characters. */
static void skip_plain(struct json_text *t, size_t stop)
{
    if (t->width == 0) {
        for (; stop - t->at >= 8; t->at += 8) {
            uint64_t bytes;
            memcpy(&bytes, t->data + t->at, sizeof bytes);
            if (ends_run(bytes))
                break;
        }
    }
    for (; t->at < stop; t->at++) {
        uint32_t c = code_at(t->data, t->width, t->at);
        if (c < ' ' || c == '"' || c == '\\')
            return;
    }
}

struct extent {
    size_t length; /* characters of the result  */
    uint32_t widest;
    bool escapes;
};

/* Look through a string up to its closing quote, at which t->at stands then. */
static val measure(struct json_text *t, struct extent *e)
{
    *e = (struct extent){0, 0, false};
    for (;;) {
        size_t start = t->at;
        skip_plain(t, start + size_min(t->end - start, POLL_CHARS));
        e->length += t->at - start;
        uint32_t c = json_peek(t);
        if (c == '"')
            return TRUE;
        if (c == '\\') {
            t->at++;
            const char *wrong = take_escape(t, &c);
            if (wrong != NULL)
                return json_fail(t, wrong);
            e->escapes = true;
            e->widest = c > e->widest ? c : e->widest;
            e->length++;
        } else if (c == JSON_END) {
            return json_fail(t, "unexpected end of a string");
        } else if (c < ' ') {
            return json_fail(t, "a control character in a string (write an escape such as \\n)");
        } else if (heap_poll(t->h)) {
            return LIMIT;
        }
    }
}

static void fill(struct json_text *t, val out, size_t stop)
{
    uint8_t *to = string_storage(out);
    unsigned width = string_width(out);
    for (size_t n = 0; t->at < stop;) {
        size_t start = t->at;
        skip_plain(t, stop);
        codes_copy(to, width, n, t->data, t->width, start, t->at - start);
        n += t->at - start;
        if (t->at < stop) {
            uint32_t c = 0;
            t->at++;
            if (take_escape(t, &c) != NULL)
                return;
            code_put(to, width, n++, c);
        }
    }
}

/* A new string of n narrow characters. */
static val narrow_string(struct heap *h, const uint8_t *text, size_t n)
{
    val storage = TRY(heap_alloc(h, T_STORAGE, n, 0));
    val s = TRY(heap_alloc(h, T_STRING, n, 0));
    memcpy(object_bytes(storage), text, n);
    object_fields(s)[0] = storage;
    return s;
}

/* The string between `start` and the closing quote at `stop`. */
static val make_string(struct json_text *t, const struct extent *e, size_t start, size_t stop)
{
    TRY(heap_afford(t->h, (stop - start) / 16));
    val out;
    if (e->escapes) {
        uint32_t plain = t->width == 0 ? 0xFF : codes_widest(t->data, t->width, start, stop);
        uint32_t widest = e->widest > plain ? e->widest : plain;
        out = TRY(string_new(t->h, e->length, width_for(widest)));
        t->at = start;
        fill(t, out, stop);
    } else if (t->width == 0) {
        out = TRY(narrow_string(t->h, t->data + start, stop - start));
    } else {
        out = TRY(substring(t->h, t->string, start, stop));
    }
    t->at = stop + 1;
    return out;
}

val json_string(struct json_text *t)
{
    struct extent e;
    size_t start = ++t->at;
    val ok = measure(t, &e);
    return is_eq(ok, TRUE) ? make_string(t, &e, start, t->at) : ok;
}

static bool is_text(val v, const uint8_t *text, size_t n)
{
    return is_string(v) && string_width(v) == 0 && string_length(v) == n &&
           memcmp(string_data(v), text, n) == 0;
}

val json_key(struct json_text *t, val owner, val *seen)
{
    struct extent e;
    size_t start = ++t->at;
    val ok = measure(t, &e);
    if (!is_eq(ok, TRUE))
        return ok;
    size_t n = t->at - start;
    if (e.escapes || t->width != 0 || n == 0 || n > JSON_SHORT_KEY)
        return make_string(t, &e, start, t->at);
    const uint8_t *text = t->data + start;
    val *slot = &seen[(n + 3u * text[0] + 5u * text[n / 2] + 7u * text[n - 1]) % JSON_SEEN];
    val key = *slot;
    if (!is_text(key, text, n))
        key = TRY(make_string(t, &e, start, t->at));
    else if (object_type(key) != T_ISTRING)
        key = TRY(string_to_constant(t->h, key));
    if (!is_eq(key, *slot))
        heap_store(t->h, owner, slot, key);
    t->at = start + n + 1;
    return key;
}

/* -- numbers --------------------------------------------------------------------------- */

struct number {
    uint64_t digits; /* of integer part and fraction; right unless `many`  */
    int64_t exponent;
    bool negative, many, inexact;
};

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

/* Pass digits, at least one; false: there is none. */
static bool take_digits(struct json_text *t, struct number *n)
{
    if (!is_digit(json_peek(t)))
        return false;
    for (uint32_t c; is_digit(c = json_peek(t)); t->at++) {
        if (n->digits > (UINT64_MAX - 9) / 10)
            n->many = true;
        else
            n->digits = n->digits * 10 + (c - '0');
    }
    return true;
}

static const char *take_fraction(struct json_text *t, struct number *n)
{
    if (json_peek(t) != '.')
        return NULL;
    size_t start = ++t->at;
    n->inexact = true;
    if (!take_digits(t, n))
        return "expected a digit behind the point";
    n->exponent -= (int64_t)(t->at - start);
    return NULL;
}

static const char *take_exponent(struct json_text *t, struct number *n)
{
    struct number e = {0, 0, false, false, false};
    uint32_t c = json_peek(t);
    if (c != 'e' && c != 'E')
        return NULL;
    t->at++;
    c = json_peek(t);
    if (c == '+' || c == '-')
        t->at++;
    n->inexact = true;
    if (!take_digits(t, &e))
        return "expected a digit in the exponent";
    n->many = n->many || e.many || e.digits > 100000;
    if (!n->many)
        n->exponent += c == '-' ? -(int64_t)e.digits : (int64_t)e.digits;
    return NULL;
}

static const char *take_number(struct json_text *t, struct number *n)
{
    *n = (struct number){0, 0, false, false, false};
    if (json_peek(t) == '-') {
        n->negative = true;
        t->at++;
    }
    if (json_peek(t) == '0') {
        t->at++;
        if (is_digit(json_peek(t)))
            return "a number with a leading zero";
    } else if (!take_digits(t, n)) {
        return "expected a digit";
    }
    const char *wrong = take_fraction(t, n);
    return wrong != NULL ? wrong : take_exponent(t, n);
}

/* What does not fit the short way: the whole reader of numbers. */
static val parse_long(struct json_text *t, size_t start, size_t stop)
{
    size_t n = stop - start;
    char small[NUMBER_INLINE], *ascii = small;
    if (t->width == 0)
        return num_parse(t->h, (const char *)t->data + start, n, 10);
    if (n > sizeof small && (ascii = heap_malloc(t->h, n)) == NULL)
        return RETRY;
    for (size_t i = 0; i < n; i++)
        ascii[i] = (char)code_at(t->data, t->width, start + i);
    val v = num_parse(t->h, ascii, n, 10);
    if (ascii != small)
        heap_mfree(t->h, ascii, n);
    return v;
}

static bool is_finite(double d)
{
    return d - d == 0.0;
}

val json_number(struct json_text *t, val minus_zero)
{
    struct number n;
    size_t start = t->at;
    const char *wrong = take_number(t, &n);
    if (wrong != NULL)
        return json_fail(t, wrong);
    if (t->dry && t->at >= t->end)
        return DEFAULT_OBJECT;
    if (!n.inexact && !n.many && n.digits <= (uint64_t)FIXNUM_MAX)
        return n.negative && n.digits == 0
                   ? minus_zero
                   : fixnum(n.negative ? -(int64_t)n.digits : (int64_t)n.digits);
    double d;
    if (n.inexact && !n.many && double_from_decimal(n.digits, n.exponent, &d) && is_finite(d))
        return flonum(t->h, n.negative ? -d : d);
    val v = TRY(parse_long(t, start, t->at));
    if (!n.inexact || !is_number(v))
        return v;
    v = TRY(num_inexact(t->h, v));
    if (is_finite(flonum_value(v)))
        return v;
    t->at = start;
    return json_fail(t, "a number out of range");
}

/* -- words ------------------------------------------------------------------------------- */

static bool take_word(struct json_text *t, const char *word)
{
    size_t start = t->at;
    for (; *word != 0; word++, t->at++) {
        if (json_peek(t) != (uint8_t)*word) {
            if (json_peek(t) != JSON_END || !t->dry)
                t->at = start;
            return false;
        }
    }
    return true;
}

/* What somebody means who begins a value so. */
static const char *advice(uint32_t c)
{
    switch (c) {
    case JSON_END:
        return "unexpected end of the text";
    case '\'':
        return "expected a value (strings stand in double quotes)";
    case '/':
    case '#':
        return "expected a value (JSON has no comments)";
    case 'T':
    case 'F':
    case 'N':
    case 'I':
    case '+':
        return "expected a value (write true, false or null; there is no NaN, no Infinity)";
    case ']':
    case '}':
    case ',':
        return "expected a value (a comma stands between two values only)";
    default:
        return "expected a value";
    }
}

val json_word(struct json_text *t)
{
    uint32_t c = json_peek(t);
    if (c == 't' && take_word(t, "true"))
        return TRUE;
    if (c == 'f' && take_word(t, "false"))
        return FALSE;
    if (c == 'n' && take_word(t, "null"))
        return symbol_intern_ascii(t->h, "null");
    return json_fail(t, advice(c));
}
