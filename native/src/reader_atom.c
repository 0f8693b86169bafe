/* T4 reader: strings, symbols, numbers and characters.
 *
 * Each function collects the characters of its token in r->codes and makes the
 * value last; so a failure leaves nothing behind. With r->constant values are
 * born old and constant (program text), else they are ordinary ones. */
#include "chars.h"
#include "num.h"
#include "reader.h"
#include "symbol.h"

/* -- escapes in strings and |symbols| --------------------------------------------- */

static int hex_value(uint32_t c)
{
    if (c >= '0' && c <= '9')
        return (int)(c - '0');
    if ((c | 32) >= 'a' && (c | 32) <= 'f' && c < 0x80)
        return (int)((c | 32) - 'a' + 10);
    return -1;
}

/* Behind \x: digits and a semicolon. */
static val hex_escape(struct reader *r, size_t start)
{
    uint32_t code = 0;
    size_t digits = 0;
    while (hex_value(reader_peek(r, 0)) >= 0) {
        uint32_t digit = (uint32_t)hex_value(reader_take(r));
        code = code > CODE_POINT_MAX ? code : code * 16 + digit;
        digits++;
    }
    if (digits == 0 || reader_peek(r, 0) != ';')
        return READ_ERROR(r, start,
                          "write it as \\x41; with a semicolon behind the hexadecimal digits",
                          "bad \\x escape");
    reader_take(r);
    if (!is_scalar_value(code))
        return READ_ERROR(r, start, NULL, "the \\x escape is no Unicode character");
    return reader_add(r, code);
}

/* A backslash, blanks, a line end, blanks: all left out. */
static val line_continuation(struct reader *r, size_t start)
{
    while (reader_peek(r, 0) == ' ' || reader_peek(r, 0) == '\t')
        reader_take(r);
    if (reader_peek(r, 0) == '\r')
        reader_take(r);
    else if (reader_peek(r, 0) != '\n')
        return READ_ERROR(r, start, "write \\\\ for a backslash",
                          "a blank behind a backslash in a string");
    if (reader_peek(r, 0) == '\n')
        reader_take(r);
    while (reader_peek(r, 0) == ' ' || reader_peek(r, 0) == '\t')
        reader_take(r);
    return TRUE;
}

/* Behind a backslash; `quote` is what ends the token. */
static val escape(struct reader *r, uint32_t quote)
{
    static const char names[] = "abtnr\"\\|", values[] = "\a\b\t\n\r\"\\|";
    size_t start = r->at - 1;
    uint32_t c = reader_peek(r, 0);
    if (quote == '"' && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
        return line_continuation(r, start);
    if (c == READER_END)
        return TRUE;
    reader_take(r);
    if (c == 'x' || c == 'X')
        return hex_escape(r, start);
    const char *found = ascii_find(names, c);
    if (found != NULL)
        return reader_add(r, (uint8_t)values[found - names]);
    return READ_ERROR(
        r, start,
        "write \\\\ for a backslash; escapes are \\a \\b \\t \\n \\r \\\" \\\\ \\| and \\x41;",
        "unknown escape \\%c", c < 0x80 ? (int)c : '?');
}

/* Collect up to `quote`, which is taken. */
static val quoted(struct reader *r, size_t start, uint32_t quote)
{
    for (;;) {
        uint32_t c = reader_take(r);
        if (c == quote)
            return TRUE;
        if (c == READER_END) {
            if (quote == '"')
                return READ_ERROR(
                    r, start, "close it with a double quote; inside a string write \\\" for one",
                    "string that begins here is not closed");
            return READ_ERROR(r, start, "close it with |",
                              "symbol that begins here with | is not closed");
        }
        if (c == '\r' && quote == '"') {
            if (reader_peek(r, 0) == '\n')
                reader_take(r);
            c = '\n';
        }
        TRY(c == '\\' ? escape(r, quote) : reader_add(r, c));
        if ((r->count & 4095) == 4095 && heap_poll(r->h))
            return LIMIT;
    }
}

val reader_string(struct reader *r, struct token *t)
{
    TRY(quoted(r, t->start, '"'));
    t->kind = TOKEN_ATOM;
    t->value = TRY(r->constant ? string_constant_from_codes(r->h, r->codes, r->count)
                               : string_from_codes(r->h, r->codes, r->count));
    return TRUE;
}

/* -- symbols --------------------------------------------------------------------------- */

static val symbol_token(struct reader *r, struct token *t)
{
    t->kind = TOKEN_ATOM;
    t->value = TRY(symbol_intern_codes(r->h, r->codes, r->count));
    return TRUE;
}

val reader_bar_symbol(struct reader *r, struct token *t)
{
    TRY(quoted(r, t->start, '|'));
    return symbol_token(r, t);
}

/* Fold the collected word; it may grow. */
static val fold_word(struct reader *r)
{
    size_t n = r->count;
    for (size_t i = 0; i < n; i++) {
        uint32_t folded[CHAR_EXPANSION];
        size_t k = char_full_foldcase(r->codes[i], folded);
        for (size_t j = 0; j < k; j++)
            TRY(reader_add(r, folded[j]));
    }
    memmove(r->codes, r->codes + n, (r->count - n) * sizeof *r->codes);
    r->count -= n;
    return TRUE;
}

/* -- numbers ----------------------------------------------------------------------------- */

static val constant_leaf(struct heap *h, val v)
{
    if (is_fixnum(v) || is_flonum_immediate(v))
        return v;
    enum type type = object_type(v);
    unsigned flags = (unsigned)(object_header(v) & FLAG_A) | FLAG_CONSTANT;
    val out = TRY(heap_alloc_constant(h, type, object_length(v), flags));
    memcpy(object_words(out) + 1, object_words(v) + 1, header_size(object_header(v)) - 8);
    return out;
}

static val constant_parts(struct heap *h, val v, val first, val second)
{
    val out = TRY(heap_alloc_constant(h, object_type(v), 0, FLAG_CONSTANT));
    object_fields(out)[0] = first;
    object_fields(out)[1] = second;
    return out;
}

static val constant_real(struct heap *h, val v)
{
    if (!is_type(v, T_RATIO))
        return constant_leaf(h, v);
    val numerator = TRY(constant_leaf(h, object_field(v, 0)));
    val denominator = TRY(constant_leaf(h, object_field(v, 1)));
    return constant_parts(h, v, numerator, denominator);
}

val reader_constant_number(struct heap *h, val number)
{
    if (!is_type(number, T_COMPLEX))
        return constant_real(h, number);
    val real = TRY(constant_real(h, object_field(number, 0)));
    val imaginary = TRY(constant_real(h, object_field(number, 1)));
    return constant_parts(h, number, real, imaginary);
}

/* The collected word as a number: FALSE where it is none. A constant is copied
 * out of the nursery, and what the conversion took there is given back at once:
 * nobody else knows of it, and a text full of numbers would fill the nursery. */
static val word_number(struct reader *r, val *out)
{
    struct heap *h = r->h;
    char small[256], *text = small;
    size_t room = sizeof small;
    if (r->count >= room) {
        room = r->count + 1;
        text = heap_malloc(h, room);
        if (text == NULL)
            return RETRY;
    }
    uintptr_t free_before = h->free, base = h->nursery_base;
    val n = reader_ascii(r, text, room) ? num_parse(h, text, r->count, 10) : FALSE;
    if (text != small)
        heap_mfree(h, text, room);
    TRY(n);
    if (r->constant && is_true(n)) {
        bool young = is_pointer(n);
        n = TRY(reader_constant_number(h, n));
        if (young && h->nursery_base == base && h->free > free_before)
            h->free = free_before;
    }
    *out = n;
    return TRUE;
}

val reader_number(struct reader *r, struct token *t)
{
    t->kind = TOKEN_ATOM;
    TRY(word_number(r, &t->value));
    if (is_true(t->value))
        return TRUE;
    char text[48];
    if (!reader_ascii(r, text, sizeof text))
        return READ_ERROR(r, t->start, NULL, "bad number");
    return READ_ERROR(r, t->start, NULL, "bad number %s", text);
}

/* -- words --------------------------------------------------------------------------------- */

static bool may_be_number(const struct reader *r)
{
    uint32_t c = r->codes[0];
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

val reader_plain(struct reader *r, struct token *t)
{
    TRY(reader_word(r));
    if (r->count == 1 && r->codes[0] == '.') {
        t->kind = TOKEN_DOT;
        return TRUE;
    }
    if (may_be_number(r)) {
        TRY(word_number(r, &t->value));
        t->kind = TOKEN_ATOM;
        if (is_true(t->value))
            return TRUE;
    }
    if (r->fold)
        TRY(fold_word(r));
    return symbol_token(r, t);
}

/* -- characters ------------------------------------------------------------------------------ */

static val bad_character(struct reader *r, struct token *t, const char *word)
{
    return READ_ERROR(r, t->start,
                      "a character is #\\ and one character, a name (space newline tab return null "
                      "alarm backspace delete escape), or x and hexadecimal digits",
                      "bad character #\\%s", word);
}

/* The word behind #\ (two characters or more) as a code point, or -1. */
static int64_t character_code(const char *word)
{
    int64_t code = 0;
    if ((word[0] != 'x' && word[0] != 'X') || hex_value((uint8_t)word[1]) < 0)
        return char_by_name(word);
    for (size_t i = 1; word[i] != 0; i++) {
        int digit = hex_value((uint8_t)word[i]);
        if (digit < 0)
            return -1;
        code = code > CODE_POINT_MAX ? code : code * 16 + digit;
    }
    return code;
}

val reader_character(struct reader *r, struct token *t)
{
    uint32_t c = reader_take(r);
    if (c == READER_END)
        return READ_ERROR(r, t->start, NULL, "the text ends in the middle of a character");
    TRY(reader_add(r, c));
    TRY(reader_word(r));
    t->kind = TOKEN_ATOM;
    t->value = char_value(c);
    if (r->count == 1)
        return TRUE;
    if (r->fold)
        TRY(fold_word(r));
    char word[32];
    if (!reader_ascii(r, word, sizeof word))
        return bad_character(r, t, "...");
    int64_t code = character_code(word);
    if (code < 0)
        return bad_character(r, t, word);
    if (!is_scalar_value((uint32_t)size_min((size_t)code, UINT32_MAX)))
        return READ_ERROR(r, t->start, NULL, "#\\%s is no Unicode character", word);
    t->value = char_value((uint32_t)code);
    return TRUE;
}
