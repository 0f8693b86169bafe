/* T4 reader: the scanner's core: characters, blanks, comments, which token. The
 * tokens themselves stand in reader_atom.c and reader_hash.c.
 *
 * Lines and columns are kept while going; for a message they are counted again
 * from the begin of the text, since a port's reader does not start there. Fuel:
 * one unit for 64 characters passed, by position, so that it does not depend on
 * how the work was cut; the builders charge it (token end - token start). */
#include "reader.h"

#include "chars.h"
#include "symbol.h"

void reader_begin(struct reader *r, struct heap *h, val text, val file, size_t at)
{
    r->h = h;
    r->text = text;
    r->file = file;
    r->data = string_data(text);
    r->width = string_width(text);
    r->end = string_length(text);
    r->at = size_min(at, r->end);
    r->line = 1;
    r->line_start = r->at;
    r->blank_line = 0;
    r->fold = false;
    r->constant = false;
    r->codes = r->small;
    r->count = 0;
    r->room = READER_INLINE;
}

void reader_end(struct reader *r)
{
    if (r->codes != r->small)
        heap_mfree(r->h, r->codes, r->room * sizeof *r->codes);
    r->codes = r->small;
    r->room = READER_INLINE;
}

/* -- characters ------------------------------------------------------------------ */

uint32_t reader_peek(const struct reader *r, size_t ahead)
{
    return ahead < r->end - r->at ? code_at(r->data, r->width, r->at + ahead) : READER_END;
}

uint32_t reader_take(struct reader *r)
{
    if (r->at >= r->end)
        return READER_END;
    uint32_t c = code_at(r->data, r->width, r->at++);
    if (c == '\n') {
        r->line++;
        r->line_start = r->at;
    }
    return c;
}

size_t reader_line(struct reader *r, size_t offset)
{
    size_t line = 1;
    heap_work(r->h, offset);
    for (size_t i = 0; i < offset && i < r->end; i++)
        line += code_at(r->data, r->width, i) == '\n';
    return line;
}

size_t reader_column(struct reader *r, size_t offset)
{
    size_t i = size_min(offset, r->end);
    while (i > 0 && code_at(r->data, r->width, i - 1) != '\n')
        i--;
    return offset - i + 1;
}

val reader_add(struct reader *r, uint32_t c)
{
    if (r->count == r->room) {
        size_t old = r->room * sizeof *r->codes;
        uint32_t *more = r->codes == r->small ? heap_malloc(r->h, old * 2)
                                              : heap_realloc(r->h, r->codes, old, old * 2);
        if (more == NULL)
            return RETRY;
        if (r->codes == r->small)
            memcpy(more, r->small, old);
        r->codes = more;
        r->room *= 2;
    }
    r->codes[r->count++] = c;
    return TRUE;
}

/* -- words ------------------------------------------------------------------------- */

/* One bit for each ASCII character: controls, blank, ( ) [ ] { } " ; ' ` , | */
static const uint64_t delimiters[2] = {UINT64_C(0x08001385FFFFFFFF), UINT64_C(0x3800000128000000)};

bool reader_is_delimiter(uint32_t c)
{
    if (c > 0x7F)
        return c == READER_END || char_is_whitespace(c);
    return (delimiters[c / 64] >> (c % 64)) & 1;
}

/* The ASCII characters of a word in a narrow text; no line end is among them. */
static void narrow_word(struct reader *r)
{
    size_t most = size_min(r->end - r->at, r->room - r->count);
    const uint8_t *p = r->data + r->at;
    size_t n = 0;
    while (n < most && p[n] < 0x80 && !((delimiters[p[n] / 64] >> (p[n] % 64)) & 1)) {
        r->codes[r->count + n] = p[n];
        n++;
    }
    r->count += n;
    r->at += n;
}

val reader_word(struct reader *r)
{
    if (r->width == 0)
        narrow_word(r);
    while (!reader_is_delimiter(reader_peek(r, 0)))
        TRY(reader_add(r, reader_take(r)));
    return TRUE;
}

bool reader_ascii(const struct reader *r, char *out, size_t room)
{
    if (r->count >= room)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        if (r->codes[i] > 0x7F)
            return false;
        out[i] = (char)r->codes[i];
    }
    out[r->count] = 0;
    return true;
}

bool reader_is_word(const struct reader *r, const char *word)
{
    for (size_t i = 0; i < r->count; i++)
        if (word[i] == 0 || r->codes[i] != (uint8_t)word[i])
            return false;
    return word[r->count] == 0;
}

/* -- blanks and comments --------------------------------------------------------------- */

static void skip_line(struct reader *r)
{
    for (;;) {
        uint32_t c = reader_peek(r, 0);
        if (c == '\n' || c == '\r' || c == READER_END)
            return;
        reader_take(r);
    }
}

val reader_block_comment(struct reader *r, size_t start)
{
    size_t depth = 1;
    while (depth > 0) {
        uint32_t c = reader_take(r);
        if (c == READER_END)
            return READ_ERROR(r, start, "close it with |# (block comments nest)",
                              "block comment that begins here is not closed");
        if (c == '|' && reader_peek(r, 0) == '#') {
            reader_take(r);
            depth--;
        } else if (c == '#' && reader_peek(r, 0) == '|') {
            reader_take(r);
            depth++;
        }
        if ((r->at & 4095) == 0 && heap_poll(r->h))
            return LIMIT;
    }
    return TRUE;
}

/* Skip blanks, line and block comments, directives. */
static val skip_blanks(struct reader *r, struct token *t, bool *atom)
{
    if (r->at == 0 && reader_peek(r, 0) == 0xFEFF)
        reader_take(r);
    if (r->at == 0 && reader_peek(r, 0) == '#' && reader_peek(r, 1) == '!' &&
        (reader_peek(r, 2) == '/' || reader_peek(r, 2) == ' '))
        skip_line(r);
    for (;;) {
        uint32_t c = reader_peek(r, 0);
        if (c == ';') {
            skip_line(r);
        } else if (c == '#' && reader_peek(r, 1) == '|') {
            size_t start = r->at;
            r->at += 2;
            TRY(reader_block_comment(r, start));
        } else if (c == '#' && reader_peek(r, 1) == '!') {
            TRY(reader_directive(r, t, atom));
            if (*atom)
                return TRUE;
        } else if (c != READER_END && char_is_whitespace(c)) {
            reader_take(r);
            if ((r->at & 4095) == 0 && heap_poll(r->h))
                return LIMIT;
        } else {
            return TRUE;
        }
    }
}

/* -- tokens ------------------------------------------------------------------------------- */

static val wrong_bracket(struct reader *r, size_t start, uint32_t c)
{
    if (c == '[' || c == ']')
        return READ_ERROR(r, start,
                          "R7RS has round parentheses only: write ( and ), as in (let ((x 1)) x)",
                          "`%c` is not used in R7RS Scheme", (int)c);
    return READ_ERROR(r, start,
                      "R7RS has no braces: write lists with ( and ), vectors with #( and )",
                      "`%c` is not used in R7RS Scheme", (int)c);
}

static val prefix(struct reader *r, struct token *t, const char *name)
{
    t->kind = TOKEN_PREFIX;
    t->value = TRY(symbol_intern_ascii(r->h, name));
    return TRUE;
}

static val comma(struct reader *r, struct token *t)
{
    if (reader_peek(r, 0) != '@')
        return prefix(r, t, "unquote");
    reader_take(r);
    return prefix(r, t, "unquote-splicing");
}

static val simple(struct token *t, enum token_kind kind)
{
    t->kind = kind;
    return TRUE;
}

/* A token that begins with c, which is taken already. */
static val dispatch(struct reader *r, struct token *t, uint32_t c)
{
    switch (c) {
    case '(':
        return simple(t, TOKEN_OPEN);
    case ')':
        return simple(t, TOKEN_CLOSE);
    case '\'':
        return prefix(r, t, "quote");
    case '`':
        return prefix(r, t, "quasiquote");
    case ',':
        return comma(r, t);
    case '"':
        return reader_string(r, t);
    case '|':
        return reader_bar_symbol(r, t);
    case '#':
        return reader_hash(r, t);
    case '[':
    case ']':
    case '{':
    case '}':
        return wrong_bracket(r, t->start, c);
    default:
        break;
    }
    if (c < ' ' || c == 0x7F)
        return READ_ERROR(r, t->start, NULL, "control character %zu in the text", (size_t)c);
    TRY(reader_add(r, c));
    return reader_plain(r, t);
}

static void place(struct reader *r, struct token *t)
{
    t->start = r->at;
    t->line = (uint32_t)r->line;
    t->column = (uint32_t)(r->at - r->line_start + 1);
    t->first = r->line != r->blank_line;
    r->blank_line = r->line;
}

val reader_token(struct reader *r, struct token *t)
{
    bool atom = false;
    r->count = 0;
    TRY(skip_blanks(r, t, &atom));
    if (atom)
        return TRUE;
    place(r, t);
    t->value = FALSE;
    t->label = 0;
    r->count = 0;
    uint32_t c = reader_take(r);
    if (c == READER_END)
        return simple(t, TOKEN_END);
    return dispatch(r, t, c);
}
