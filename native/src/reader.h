/* T4 reader: text to data. One scanner (reader.c and one file per family of
 * tokens), two builders: reader_syntax.c makes syntax trees in an arena for
 * program text, reader_datum.c makes data in the heap for (read port).
 *
 * The scanner works on one string value, which stands still during a call. A
 * token is complete in itself: reader_token either answers a whole token and has
 * moved behind it, or failed. No recursion, nothing read ahead. */
#ifndef CB_READER_H
#define CB_READER_H

#include "port.h"

enum token_kind {
    TOKEN_END,    /* of the text                                           */
    TOKEN_OPEN,   /* (                                                     */
    TOKEN_CLOSE,  /* )                                                     */
    TOKEN_VECTOR, /* #(                                                    */
    TOKEN_BYTES,  /* #u8(                                                  */
    TOKEN_PREFIX, /* ' ` , ,@  value: the symbol                           */
    TOKEN_DOT,    /*                                                       */
    TOKEN_ATOM,   /* value                                                 */
    TOKEN_LABEL,  /* #n=                                                   */
    TOKEN_REFER,  /* #n#                                                   */
    TOKEN_COMMENT /* #; before a datum                                     */
};

struct token {
    enum token_kind kind;
    bool first; /* the first on its line                                 */
    uint32_t label;
    size_t start; /* offset in the text                                    */
    uint32_t line, column;
    val value;
};

#define READER_INLINE 128

struct reader {
    struct heap *h;
    val text, file;
    const uint8_t *data;
    unsigned width;
    size_t at, end;
    size_t line, line_start; /* line_start: offset of its first character   */
    size_t blank_line;       /* the last line on which a token began        */
    bool fold;               /* #!fold-case                                 */
    bool constant;           /* atoms are made as constants                 */
    uint32_t *codes;         /* the token's characters                      */
    size_t count, room;
    uint32_t small[READER_INLINE];
};

/* Start reading `text`, a string, at character `at`. */
void reader_begin(struct reader *r, struct heap *h, val text, val file, size_t at);
/* Give back what the reader holds. Call it on every way out. */
void reader_end(struct reader *r);
/* TRUE and *t, or RAISE, RETRY, LIMIT. */
MUST_USE val reader_token(struct reader *r, struct token *t);

/* Where a character stands, counted from the begin of the text (for errors). */
size_t reader_line(struct reader *r, size_t offset);
size_t reader_column(struct reader *r, size_t offset);

/* A read-error at `offset`; the rest is a message as for raise_text. */
#define READ_ERROR(r, offset, hint, ...)                                                           \
    raise_text((r)->h, CONDITION_READ, (r)->file, reader_line((r), (offset)),                      \
               reader_column((r), (offset)), (hint), __VA_ARGS__)

/* -- between the files of the reader ------------------------------------------- */
/* Look at and take characters; READER_END behind the last. */
#define READER_END UINT32_C(0xFFFFFFFF)
uint32_t reader_peek(const struct reader *r, size_t ahead);
uint32_t reader_take(struct reader *r);
/* Add a character to codes; RETRY without room. */
MUST_USE val reader_add(struct reader *r, uint32_t c);
/* Does a token end before c? */
bool reader_is_delimiter(uint32_t c);
/* Collect what is left up to a delimiter into codes. */
MUST_USE val reader_word(struct reader *r);
/* The collected word as ASCII in `out`, NUL-terminated: false if it does not fit
 * or is not ASCII. */
bool reader_ascii(const struct reader *r, char *out, size_t room);
/* Is the collected word this one? */
bool reader_is_word(const struct reader *r, const char *word);
/* Each is called behind the characters that told it apart. */
MUST_USE val reader_string(struct reader *r, struct token *t);                /* behind "   */
MUST_USE val reader_bar_symbol(struct reader *r, struct token *t);            /* behind |   */
MUST_USE val reader_character(struct reader *r, struct token *t);             /* behind #\  */
MUST_USE val reader_plain(struct reader *r, struct token *t);                 /* a word     */
MUST_USE val reader_number(struct reader *r, struct token *t);                /* #x... word */
MUST_USE val reader_hash(struct reader *r, struct token *t);                  /* behind #   */
MUST_USE val reader_block_comment(struct reader *r, size_t start);            /* behind #|  */
MUST_USE val reader_directive(struct reader *r, struct token *t, bool *atom); /* behind #! */

/* A number as a constant, born old (num_parse makes garbage in the nursery). */
MUST_USE val reader_constant_number(struct heap *h, val number);

/* -- the datum builder ------------------------------------------------------------ */
/* Core of the STEPPED %read: one datum from a textual input port, EOF_OBJECT,
 * DEFAULT_OBJECT (host-backed and dry), RAISE, RETRY, LIMIT, STEP. */
MUST_USE val reader_read(struct heap *h, val port);

#endif
