/* T4 reader: what begins with # : booleans, vectors, labels, directives, and
 * the forms of other dialects, which get a hint. */
#include "reader.h"

static val constant_token(struct token *t, val v)
{
    t->kind = TOKEN_ATOM;
    t->value = v;
    return TRUE;
}

static val unknown(struct reader *r, struct token *t, const char *hint)
{
    char word[32];
    if (!reader_ascii(r, word, sizeof word))
        word[0] = 0;
    return READ_ERROR(r, t->start, hint, "unknown syntax #%s", word);
}

static void lower_word(struct reader *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->codes[i] >= 'A' && r->codes[i] <= 'Z')
            r->codes[i] += 32;
}

static val boolean(struct reader *r, struct token *t)
{
    TRY(reader_word(r));
    lower_word(r);
    if (reader_is_word(r, "t") || reader_is_word(r, "true"))
        return constant_token(t, TRUE);
    if (reader_is_word(r, "f") || reader_is_word(r, "false"))
        return constant_token(t, FALSE);
    return unknown(r, t,
                   "#t, #true, #f and #false are the booleans; R7RS-small has no uniform vectors "
                   "but #u8(...)");
}

static val bytes(struct reader *r, struct token *t)
{
    TRY(reader_word(r));
    lower_word(r);
    if (!reader_is_word(r, "u8") || reader_peek(r, 0) != '(')
        return unknown(r, t, "a bytevector is written #u8(1 2 3)");
    reader_take(r);
    t->kind = TOKEN_BYTES;
    return TRUE;
}

static val label(struct reader *r, struct token *t)
{
    uint64_t n = 0;
    while (reader_peek(r, 0) >= '0' && reader_peek(r, 0) <= '9') {
        n = n * 10 + (reader_take(r) - '0');
        if (n >= UINT32_MAX)
            return READ_ERROR(r, t->start, NULL, "the number of this datum label is too large");
    }
    t->label = (uint32_t)n;
    uint32_t c = reader_peek(r, 0);
    if (c != '=' && c != '#')
        return READ_ERROR(r, t->start, "vectors are written #(1 2 3), labels #0= and #0#",
                          "unknown syntax #%zu", (size_t)n);
    reader_take(r);
    t->kind = c == '=' ? TOKEN_LABEL : TOKEN_REFER;
    return TRUE;
}

/* Behind #! : the name; the characters are looked at only, so that an unknown
 * directive's error stands at its begin. */
val reader_directive(struct reader *r, struct token *t, bool *atom)
{
    size_t start = r->at;
    t->start = start;
    t->line = (uint32_t)r->line;
    t->column = (uint32_t)(start - r->line_start + 1);
    t->first = false;
    t->label = 0;
    r->at += 2;
    r->count = 0;
    TRY(reader_word(r));
    if (reader_is_word(r, "fold-case")) {
        r->fold = true;
    } else if (reader_is_word(r, "no-fold-case")) {
        r->fold = false;
    } else if (reader_is_word(r, "eof")) {
        *atom = true;
        return constant_token(t, EOF_OBJECT);
    } else {
        char word[32];
        if (!reader_ascii(r, word, sizeof word))
            word[0] = 0;
        return READ_ERROR(r, start, "R7RS knows #!fold-case and #!no-fold-case",
                          "unknown directive #!%s", word);
    }
    r->count = 0;
    return TRUE;
}

/* A word behind # that is nothing of R7RS. */
static val foreign(struct reader *r, struct token *t)
{
    uint32_t c = reader_peek(r, 0);
    if (c == '<')
        return READ_ERROR(r, t->start, "objects printed as #<...> have no written form",
                          "#<...> cannot be read");
    if (c == ':')
        return READ_ERROR(r, t->start,
                          "R7RS has no keywords: pass arguments by position, or quote a symbol",
                          "#: is not used in R7RS Scheme");
    if (c == '\'' || c == '`' || c == ',')
        return READ_ERROR(r, t->start,
                          "R7RS macros are syntax-rules; there are no syntax templates #' #` #,",
                          "#%c is not used in R7RS Scheme", (int)c);
    if (c == '[' || c == '{')
        return READ_ERROR(r, t->start, "a vector is written #(1 2 3)",
                          "#%c is not used in R7RS Scheme", (int)c);
    TRY(reader_word(r));
    if (reader_is_word(r, "lang"))
        return READ_ERROR(
            r, t->start,
            "leave the #lang line out; a program may begin with (import (scheme base))",
            "#lang belongs to Racket");
    return unknown(r, t, NULL);
}

static val number(struct reader *r, struct token *t)
{
    TRY(reader_add(r, '#'));
    TRY(reader_word(r));
    return reader_number(r, t);
}

val reader_hash(struct reader *r, struct token *t)
{
    uint32_t c = reader_peek(r, 0);
    if (c >= '0' && c <= '9')
        return label(r, t);
    switch (c) {
    case '(':
        reader_take(r);
        t->kind = TOKEN_VECTOR;
        return TRUE;
    case ';':
        reader_take(r);
        t->kind = TOKEN_COMMENT;
        return TRUE;
    case '\\':
        reader_take(r);
        return reader_character(r, t);
    case 't':
    case 'T':
    case 'f':
    case 'F':
        return boolean(r, t);
    case 'u':
    case 'U':
        return bytes(r, t);
    default:
        break;
    }
    if (ascii_find("xXoObBdDeEiI", c) != NULL)
        return number(r, t);
    if (c == READER_END)
        return READ_ERROR(r, t->start, NULL, "the text ends behind #");
    return foreign(r, t);
}
