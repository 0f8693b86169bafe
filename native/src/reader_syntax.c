/* T4 reader: program text to syntax trees in an arena.
 *
 * A stack of open things in counted memory: the whole text (at the bottom),
 * lists, vectors, and what waits for one datum: prefixes, labels, #; comments.
 * Elements are chained as SYN_PAIR nodes; vectors are made from the chain at
 * their end. Atoms are constants. Only this builder guesses from the indentation
 * where a parenthesis is missing: a token that begins a line at or left of the
 * column of an enclosing list, which itself began a line, should not be inside
 * that list. */
#include "reader.h"
#include "syntax.h"

#define DEPTH_DEFAULT 10000u

enum frame_kind {
    FRAME_TEXT,
    FRAME_LIST,
    FRAME_VECTOR,
    FRAME_BYTES,
    FRAME_PREFIX,
    FRAME_LABEL,
    FRAME_COMMENT
};
enum dot { DOT_NONE, DOT_SEEN, DOT_DONE };

struct frame {
    uint8_t kind, dot;
    struct token open;
    struct syntax *first, *last; /* chain of pairs */
    size_t count;
};

struct suspect {
    bool set;
    struct token open;
    size_t missing, line; /* so many closers, at the end of this line */
};

struct builder {
    struct reader r;
    struct arena *arena;
    struct frame *stack;
    size_t depth, room;
    struct suspect suspect;
    uint32_t *labels;               /* + 1; defined in the current top-level form; a hash table */
    size_t label_count, label_room; /* room: a power of two */
    size_t last_line;               /* of the token before */
    struct token form;              /* the last whole top-level form: its begin ... */
    size_t form_end;                /* ... and the line it ended on */
};

/* -- nodes ------------------------------------------------------------------------ */

static struct syntax *node_at(struct builder *b, enum syntax_kind kind, const struct token *t)
{
    struct syntax *s = ARENA_NEW(b->arena, struct syntax);
    if (s == NULL)
        return NULL;
    s->kind = (uint8_t)kind;
    s->at.file = b->r.file;
    s->at.line = t->line;
    s->at.column = t->column;
    return s;
}

static struct syntax *pair_of(struct builder *b, struct syntax *first, struct syntax *rest,
                              const struct position *at)
{
    struct syntax *s = ARENA_NEW(b->arena, struct syntax);
    if (s == NULL)
        return NULL;
    s->kind = SYN_PAIR;
    s->at = *at;
    s->pair.car = first;
    s->pair.cdr = rest;
    return s;
}

/* An error where a node stands. */
static val node_error(struct builder *b, const struct syntax *s, const char *message)
{
    return raise_text(b->r.h, CONDITION_READ, b->r.file, s->at.line, s->at.column, NULL, "%s",
                      message);
}

/* -- the stack ---------------------------------------------------------------------- */

static struct frame *top(struct builder *b)
{
    return &b->stack[b->depth - 1];
}

static val push(struct builder *b, enum frame_kind kind, const struct token *t)
{
    struct heap *h = b->r.h;
    size_t most = h->depth_max != 0 ? h->depth_max : DEPTH_DEFAULT;
    if (b->depth > most)
        return READ_ERROR(&b->r, t->start, NULL, "the text is nested more than %zu levels deep",
                          most);
    if (b->depth == b->room) {
        size_t room = b->room * 2 + 16;
        struct frame *more = heap_realloc(h, b->stack, b->room * sizeof *more, room * sizeof *more);
        if (more == NULL)
            return RETRY;
        b->stack = more;
        b->room = room;
    }
    b->stack[b->depth++] = (struct frame){.kind = (uint8_t)kind, .open = *t};
    return TRUE;
}

/* -- labels ------------------------------------------------------------------------- */

/* Where n stands or could stand. */
static uint32_t *label_place(uint32_t *labels, size_t room, uint32_t n)
{
    size_t i = (n * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (room - 1);
    while (labels[i] != 0 && labels[i] != n + 1)
        i = (i + 1) & (room - 1);
    return &labels[i];
}

static bool label_is_known(struct builder *b, uint32_t n)
{
    return b->label_count > 0 && *label_place(b->labels, b->label_room, n) != 0;
}

static void labels_forget(struct builder *b)
{
    if (b->label_count == 0)
        return;
    heap_mfree(b->r.h, b->labels, b->label_room * sizeof *b->labels);
    b->labels = NULL;
    b->label_count = b->label_room = 0;
}

/* Room for one more; false without memory. */
static bool labels_grow(struct builder *b)
{
    size_t room = size_max(16, b->label_room * 2);
    if (b->label_count < b->label_room / 2)
        return true;
    uint32_t *more = heap_malloc(b->r.h, room * sizeof *more);
    if (more == NULL)
        return false;
    memset(more, 0, room * sizeof *more);
    for (size_t i = 0; i < b->label_room; i++)
        if (b->labels[i] != 0)
            *label_place(more, room, b->labels[i] - 1) = b->labels[i];
    heap_charge(b->r.h, room / 8);
    heap_mfree(b->r.h, b->labels, b->label_room * sizeof *more);
    b->labels = more;
    b->label_room = room;
    return true;
}

static val label_define(struct builder *b, const struct token *t)
{
    if (label_is_known(b, t->label))
        return READ_ERROR(&b->r, t->start, NULL, "datum label #%zu= is defined twice",
                          (size_t)t->label);
    if (!labels_grow(b))
        return RETRY;
    *label_place(b->labels, b->label_room, t->label) = t->label + 1;
    b->label_count++;
    return push(b, FRAME_LABEL, t);
}

/* -- a datum is complete -------------------------------------------------------------- */

static val append(struct builder *b, struct frame *f, struct syntax *s)
{
    if (f->kind == FRAME_LIST && f->dot == DOT_SEEN) {
        f->last->pair.cdr = s;
        f->dot = DOT_DONE;
        return TRUE;
    }
    if (f->dot == DOT_DONE)
        return node_error(b, s, "more than one datum behind the dot of a list");
    const struct position at = {.file = b->r.file, .line = f->open.line, .column = f->open.column};
    struct syntax *p = pair_of(b, s, NULL, f->count == 0 && f->kind == FRAME_LIST ? &at : &s->at);
    if (p == NULL)
        return RETRY;
    if (f->count++ == 0)
        f->first = p;
    else
        f->last->pair.cdr = p;
    f->last = p;
    return TRUE;
}

static struct syntax *prefixed(struct builder *b, const struct frame *f, struct syntax *s)
{
    struct syntax *name = node_at(b, SYN_SYMBOL, &f->open);
    struct syntax *nil = node_at(b, SYN_NIL, &f->open);
    if (name == NULL || nil == NULL)
        return NULL;
    name->atom = f->open.value;
    struct syntax *rest = pair_of(b, s, nil, &s->at);
    return rest == NULL ? NULL : pair_of(b, name, rest, &name->at);
}

static val labelled(struct builder *b, const struct frame *f, struct syntax *s)
{
    if (s->label != 0)
        return node_error(b, s,
                          s->kind == SYN_LABEL ? "a datum label stands for itself"
                                               : "two datum labels before one datum");
    s->label = f->open.label + 1;
    return TRUE;
}

/* Hand a finished datum to what waits for it. */
static val deliver(struct builder *b, struct syntax *s)
{
    for (;;) {
        if (s == NULL)
            return RETRY;
        struct frame *f = top(b);
        switch (f->kind) {
        case FRAME_COMMENT:
            b->depth--;
            return TRUE;
        case FRAME_PREFIX:
            s = prefixed(b, f, s);
            b->depth--;
            break;
        case FRAME_LABEL:
            TRY(labelled(b, f, s));
            b->depth--;
            break;
        case FRAME_TEXT:
            labels_forget(b);
            b->suspect.set = false;
            b->form.line = s->at.line;
            b->form_end = b->r.line;
            return append(b, f, s);
        default:
            return append(b, f, s);
        }
    }
}

/* -- closing -------------------------------------------------------------------------- */

static struct syntax **items_of(struct builder *b, const struct frame *f)
{
    struct syntax **items = ARENA_ARRAY(b->arena, struct syntax *, f->count + 1);
    if (items == NULL)
        return NULL;
    const struct syntax *p = f->first;
    for (size_t i = 0; i < f->count; i++, p = p->pair.cdr)
        items[i] = p->pair.car;
    return items;
}

static val close_vector(struct builder *b, const struct frame *f, struct syntax **out)
{
    struct syntax *s = node_at(b, SYN_VECTOR, &f->open);
    struct syntax **items = items_of(b, f);
    if (s == NULL || items == NULL)
        return RETRY;
    s->vector.items = items;
    s->vector.length = f->count;
    *out = s;
    return TRUE;
}

static val close_bytes(struct builder *b, const struct frame *f, struct syntax **out)
{
    struct syntax *s = node_at(b, SYN_ATOM, &f->open);
    if (s == NULL)
        return RETRY;
    val bytes = TRY(heap_alloc_constant(b->r.h, T_BYTEVECTOR, f->count, FLAG_CONSTANT));
    const struct syntax *p = f->first;
    for (size_t i = 0; i < f->count; i++, p = p->pair.cdr) {
        const struct syntax *item = p->pair.car;
        if (item->kind != SYN_ATOM || !is_index(item->atom, 256))
            return node_error(b, item, "a bytevector has exact integers from 0 to 255 only");
        object_bytes(bytes)[i] = (uint8_t)fixnum_value(item->atom);
    }
    s->atom = bytes;
    *out = s;
    return TRUE;
}

static val close_list(struct builder *b, struct frame *f, const struct token *t,
                      struct syntax **out)
{
    if (f->dot == DOT_SEEN)
        return READ_ERROR(&b->r, t->start, NULL, "no datum behind the dot of a list");
    struct syntax *nil = NULL;
    if (f->dot == DOT_NONE) {
        nil = node_at(b, SYN_NIL, f->count == 0 ? &f->open : t);
        if (nil == NULL)
            return RETRY;
        if (f->count != 0)
            f->last->pair.cdr = nil;
    }
    *out = f->count == 0 ? nil : f->first;
    return TRUE;
}

/* A small buffer for hints with numbers in them. */
struct hint {
    char text[200];
    size_t length;
};

static void hint_text(struct hint *hint, const char *text)
{
    size_t n = size_min(strlen(text), sizeof hint->text - 1 - hint->length);
    memcpy(hint->text + hint->length, text, n);
    hint->length += n;
    hint->text[hint->length] = 0;
}

static void hint_number(struct hint *hint, size_t n)
{
    char digits[24];
    size_t i = sizeof digits - 1;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    hint_text(hint, digits + i);
}

static val extra_closer(struct builder *b, const struct token *t)
{
    struct hint hint = {.length = 0};
    if (b->form.line != 0) {
        hint_text(&hint, "the form that began on line ");
        hint_number(&hint, b->form.line);
        hint_text(&hint, " was complete on line ");
        hint_number(&hint, b->form_end);
        hint_text(&hint, "; one ) too many there or here");
    }
    return READ_ERROR(&b->r, t->start, hint.length != 0 ? hint.text : NULL,
                      "closing parenthesis without an opening one");
}

static val close_token(struct builder *b, const struct token *t)
{
    struct frame *f = top(b);
    struct syntax *s = NULL;
    switch (f->kind) {
    case FRAME_LIST:
        TRY(close_list(b, f, t, &s));
        break;
    case FRAME_VECTOR:
        TRY(close_vector(b, f, &s));
        break;
    case FRAME_BYTES:
        TRY(close_bytes(b, f, &s));
        break;
    case FRAME_TEXT:
        return extra_closer(b, t);
    case FRAME_COMMENT:
        return READ_ERROR(&b->r, f->open.start, "#; leaves out the datum behind it",
                          "no datum behind #;");
    default:
        return READ_ERROR(&b->r, f->open.start, NULL,
                          "no datum between this and the closing parenthesis");
    }
    b->depth--;
    return deliver(b, s);
}

/* -- the end of the text ---------------------------------------------------------------- */

static void hint_closers(struct hint *hint, size_t n)
{
    for (size_t i = 0; i < n && i < 40; i++)
        hint_text(hint, ")");
    if (n > 40)
        hint_text(hint, "...");
}

static val unclosed(struct builder *b)
{
    struct hint hint = {.length = 0};
    size_t open = 0;
    const struct token *first = NULL;
    for (size_t i = 1; i < b->depth; i++) {
        if (b->stack[i].kind > FRAME_BYTES)
            continue;
        first = first == NULL ? &b->stack[i].open : first;
        open++;
    }
    if (b->suspect.set) {
        hint_text(&hint, "by the indentation, ");
        hint_closers(&hint, b->suspect.missing);
        hint_text(&hint, " is missing at the end of line ");
        hint_number(&hint, b->suspect.line);
        first = &b->suspect.open;
    } else {
        hint_text(&hint, "add ");
        hint_closers(&hint, open);
        hint_text(&hint, " at the end of the text");
    }
    return READ_ERROR(
        &b->r, first->start, hint.text,
        "the parenthesis opened here is never closed (%zu open at the end of the text)", open);
}

static val end_token(struct builder *b)
{
    struct frame *f = top(b);
    if (f->kind == FRAME_TEXT)
        return TRUE;
    if (f->kind == FRAME_COMMENT)
        return READ_ERROR(&b->r, f->open.start, "#; leaves out the datum behind it",
                          "no datum behind #;");
    if (f->kind > FRAME_BYTES)
        return READ_ERROR(&b->r, f->open.start, NULL, "the text ends where a datum was to follow");
    return unclosed(b);
}

/* -- tokens ------------------------------------------------------------------------------- */

static void look_at_indentation(struct builder *b, const struct token *t)
{
    if (!t->first || b->suspect.set || t->kind == TOKEN_CLOSE || t->kind == TOKEN_END)
        return;
    for (size_t i = 1; i < b->depth; i++) {
        const struct frame *f = &b->stack[i];
        if (f->kind > FRAME_BYTES || !f->open.first || f->open.column < t->column)
            continue;
        b->suspect = (struct suspect){.set = true, .open = f->open, .line = b->last_line};
        for (size_t j = i; j < b->depth; j++)
            b->suspect.missing += b->stack[j].kind <= FRAME_BYTES;
        return;
    }
}

static val dot_token(struct builder *b, const struct token *t)
{
    struct frame *f = top(b);
    if (f->kind != FRAME_LIST)
        return READ_ERROR(&b->r, t->start, NULL, "a dot outside a list");
    if (f->count == 0)
        return READ_ERROR(&b->r, t->start, NULL, "no datum before the dot of a list");
    if (f->dot != DOT_NONE)
        return READ_ERROR(&b->r, t->start, NULL, "a second dot in a list");
    f->dot = DOT_SEEN;
    return TRUE;
}

static val atom_token(struct builder *b, const struct token *t)
{
    bool symbol = is_symbol(t->value);
    struct syntax *s = node_at(b, symbol ? SYN_SYMBOL : SYN_ATOM, t);
    if (s != NULL)
        s->atom = t->value;
    return deliver(b, s);
}

static val refer_token(struct builder *b, const struct token *t)
{
    if (!label_is_known(b, t->label))
        return READ_ERROR(&b->r, t->start, NULL, "datum label #%zu# is not defined",
                          (size_t)t->label);
    struct syntax *s = node_at(b, SYN_LABEL, t);
    if (s != NULL)
        s->label = t->label + 1;
    return deliver(b, s);
}

static val take_token(struct builder *b, const struct token *t)
{
    switch (t->kind) {
    case TOKEN_OPEN:
        return push(b, FRAME_LIST, t);
    case TOKEN_VECTOR:
        return push(b, FRAME_VECTOR, t);
    case TOKEN_BYTES:
        return push(b, FRAME_BYTES, t);
    case TOKEN_PREFIX:
        return push(b, FRAME_PREFIX, t);
    case TOKEN_COMMENT:
        return push(b, FRAME_COMMENT, t);
    case TOKEN_LABEL:
        return label_define(b, t);
    case TOKEN_REFER:
        return refer_token(b, t);
    case TOKEN_DOT:
        return dot_token(b, t);
    case TOKEN_CLOSE:
        return close_token(b, t);
    case TOKEN_ATOM:
        return atom_token(b, t);
    case TOKEN_END:
        return end_token(b);
    }
    return TRUE;
}

static val read_all(struct builder *b)
{
    struct token t = {.kind = TOKEN_OPEN, .value = FALSE};
    TRY(push(b, FRAME_TEXT, &t));
    do {
        size_t before = b->r.at;
        TRY(reader_token(&b->r, &t));
        heap_charge(b->r.h, b->r.at / 16 - before / 16);
        look_at_indentation(b, &t);
        TRY(take_token(b, &t));
        b->last_line = b->r.line;
        if (heap_poll(b->r.h))
            return LIMIT;
    } while (t.kind != TOKEN_END);
    return TRUE;
}

val syntax_read(struct heap *h, struct arena *a, val text, val file, struct syntax ***forms,
                size_t *count)
{
    struct builder b;
    memset(&b, 0, sizeof b);
    b.arena = a;
    reader_begin(&b.r, h, text, file, 0);
    b.r.constant = true;
    val result = read_all(&b);
    if (is_eq(result, TRUE)) {
        *forms = items_of(&b, &b.stack[0]);
        *count = b.stack[0].count;
        if (*forms == NULL)
            result = RETRY;
    }
    reader_end(&b.r);
    heap_mfree(h, b.stack, b.room * sizeof *b.stack);
    heap_mfree(h, b.labels, b.label_room * sizeof *b.labels);
    return result;
}
