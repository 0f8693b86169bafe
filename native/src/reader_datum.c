/* T4 reader: one datum from a textual input port, in steps.
 *
 * The state is a heap object: the text, a linked stack of frames (vectors), the
 * datum labels, and a finished datum that waits to be put where it belongs. One
 * ACT takes one token or puts that datum one level up; it allocates first and
 * changes the state after, so that a failed act can be tried again: with acts
 * done before it in this call the answer is STEP, else RETRY.
 *
 * A label that is referred to before its datum is complete is a box; the boxes'
 * values list the pairs and vectors that hold it, which are corrected when the
 * datum is there. Boxes occur nowhere else in what is read. */
#include "reader.h"
#include "table.h"

#define ACTS_MOST 4096u
#define CHARS_MOST ((size_t)1 << 16)

enum { READ_TEXT, READ_STACK, READ_LABELS, READ_PENDING, READ_SLOTS };
enum { READ_AT, READ_FOLD }; /* raw words of the state */

/* a frame */
enum {
    FRAME_PARENT,
    FRAME_KIND,
    FRAME_DOT,
    FRAME_START,
    FRAME_FIRST,
    FRAME_LAST,
    FRAME_COUNT,
    FRAME_VALUE,
    FRAME_SLOTS
};
enum { LIST, VECTOR, BYTES, PREFIX, LABEL, COMMENT };
enum { DOT_NONE, DOT_SEEN, DOT_DONE };

struct datum {
    struct reader r;
    val port, state;
    bool host; /* more text may come */
};

static val *slots_of(val state)
{
    return (val *)(void *)object_bytes(state);
}

static val slot(const struct datum *d, size_t i)
{
    return slots_of(d->state)[i];
}

static void set_slot(struct datum *d, size_t i, val v)
{
    heap_store(d->r.h, d->state, &slots_of(d->state)[i], v);
}

static int64_t frame_int(val frame, size_t i)
{
    return fixnum_value(object_field(frame, i));
}

static void set_frame(struct datum *d, val frame, size_t i, val v)
{
    heap_store(d->r.h, frame, &object_fields(frame)[i], v);
}

static val push(struct datum *d, int kind, const struct token *t, val value)
{
    val f = TRY(heap_alloc(d->r.h, T_VECTOR, FRAME_SLOTS, 0));
    val *s = object_fields(f);
    s[FRAME_PARENT] = slot(d, READ_STACK);
    s[FRAME_KIND] = fixnum(kind);
    s[FRAME_DOT] = fixnum(DOT_NONE);
    s[FRAME_START] = fixnum((int64_t)t->start);
    s[FRAME_FIRST] = s[FRAME_LAST] = NIL;
    s[FRAME_COUNT] = fixnum(0);
    s[FRAME_VALUE] = value;
    set_slot(d, READ_STACK, f);
    return TRUE;
}

static void pop(struct datum *d)
{
    set_slot(d, READ_STACK, object_field(slot(d, READ_STACK), FRAME_PARENT));
}

static bool is_unresolved(val v)
{
    return is_type(v, T_BOX);
}

/* -- labels --------------------------------------------------------------------------- */

/* The entry (number . datum or box), or FALSE. */
static val label_entry(struct datum *d, uint32_t n)
{
    val labels = slot(d, READ_LABELS);
    return is_true(labels) ? table_get(d->r.h, labels, fixnum(n), FALSE) : FALSE;
}

/* Room for one more label; TRUE or RETRY. */
static val labels_grow(struct datum *d)
{
    struct heap *h = d->r.h;
    if (!is_true(slot(d, READ_LABELS)))
        set_slot(d, READ_LABELS, TRY(table_new(h, TABLE_EQ)));
    val labels = slot(d, READ_LABELS);
    return table_reserve(h, labels, table_count(labels) + 1);
}

static val label_token(struct datum *d, const struct token *t)
{
    struct heap *h = d->r.h;
    if (is_true(label_entry(d, t->label)))
        return READ_ERROR(&d->r, t->start, NULL, "datum label #%zu= is defined twice",
                          (size_t)t->label);
    val box = TRY(heap_alloc(h, T_BOX, 0, 0));
    object_fields(box)[0] = NIL;
    val entry = TRY(cons(h, fixnum(t->label), box));
    TRY(labels_grow(d));
    TRY(push(d, LABEL, t, entry));
    return is_control(table_put(h, slot(d, READ_LABELS), fixnum(t->label), entry)) ? RETRY : TRUE;
}

static val refer_token(struct datum *d, const struct token *t)
{
    val entry = label_entry(d, t->label);
    if (!is_true(entry))
        return READ_ERROR(&d->r, t->start, NULL, "datum label #%zu# is not defined",
                          (size_t)t->label);
    set_slot(d, READ_PENDING, cdr(entry));
    return TRUE;
}

/* Note that `holder` holds the box; a cell for the note was allocated before. */
static void note_holder(struct datum *d, val box, val holder, val cell)
{
    pair_words(cell)[0] = holder;
    pair_words(cell)[1] = object_field(box, 0);
    heap_store(d->r.h, box, object_fields(box), cell);
}

/* A cell for note_holder, where v is a box; else FALSE. */
static val cell_for(struct datum *d, val v)
{
    return is_unresolved(v) ? cons(d->r.h, FALSE, NIL) : FALSE;
}

static void replace(struct datum *d, val holder, val *at, size_t n, val box, val datum)
{
    for (size_t i = 0; i < n; i++)
        if (is_eq(at[i], box))
            heap_store(d->r.h, holder, &at[i], datum);
    heap_charge(d->r.h, n / 8);
}

/* The datum of a LABEL frame is there: correct all who hold the box. */
static val resolve(struct datum *d, val frame, val datum)
{
    val entry = object_field(frame, FRAME_VALUE), box = cdr(entry);
    if (is_eq(box, datum))
        return READ_ERROR(&d->r, (size_t)frame_int(frame, FRAME_START), NULL,
                          "a datum label stands for itself");
    for (val l = object_field(box, 0); is_pair(l); l = cdr(l)) {
        val holder = car(l);
        if (is_pair(holder))
            replace(d, holder, pair_words(holder), 2, box, datum);
        else
            replace(d, holder, object_fields(holder), object_length(holder), box, datum);
    }
    heap_store(d->r.h, entry, &pair_words(entry)[1], datum);
    pop(d);
    return TRUE;
}

/* -- a datum goes one level up ---------------------------------------------------------- */

static val put_prefix(struct datum *d, val frame, val datum)
{
    struct heap *h = d->r.h;
    val inner = TRY(cons(h, datum, NIL));
    val cell = TRY(cell_for(d, datum));
    val whole = TRY(cons(h, object_field(frame, FRAME_VALUE), inner));
    if (is_pair(cell))
        note_holder(d, datum, inner, cell);
    pop(d);
    set_slot(d, READ_PENDING, whole);
    return TRUE;
}

static val put_tail(struct datum *d, val frame, val datum)
{
    val cell = TRY(cell_for(d, datum));
    val last = object_field(frame, FRAME_LAST);
    heap_store(d->r.h, last, &pair_words(last)[1], datum);
    if (is_pair(cell))
        note_holder(d, datum, last, cell);
    set_frame(d, frame, FRAME_DOT, fixnum(DOT_DONE));
    set_slot(d, READ_PENDING, HOLE);
    return TRUE;
}

static val put_element(struct datum *d, val frame, val datum)
{
    val p = TRY(cons(d->r.h, datum, NIL));
    val cell = TRY(cell_for(d, datum));
    val last = object_field(frame, FRAME_LAST);
    if (is_pair(cell))
        note_holder(d, datum, p, cell);
    if (is_pair(last))
        heap_store(d->r.h, last, &pair_words(last)[1], p);
    else
        set_frame(d, frame, FRAME_FIRST, p);
    set_frame(d, frame, FRAME_LAST, p);
    set_frame(d, frame, FRAME_COUNT, fixnum(frame_int(frame, FRAME_COUNT) + 1));
    set_slot(d, READ_PENDING, HOLE);
    return TRUE;
}

static val put(struct datum *d)
{
    val frame = slot(d, READ_STACK), datum = slot(d, READ_PENDING);
    switch (frame_int(frame, FRAME_KIND)) {
    case COMMENT:
        pop(d);
        set_slot(d, READ_PENDING, HOLE);
        return TRUE;
    case LABEL:
        return resolve(d, frame, datum);
    case PREFIX:
        return put_prefix(d, frame, datum);
    default:
        break;
    }
    if (frame_int(frame, FRAME_DOT) == DOT_SEEN)
        return put_tail(d, frame, datum);
    if (frame_int(frame, FRAME_DOT) == DOT_DONE)
        return READ_ERROR(&d->r, (size_t)frame_int(frame, FRAME_START), NULL,
                          "more than one datum behind the dot of this list");
    return put_element(d, frame, datum);
}

/* -- closing ------------------------------------------------------------------------------- */

/* Elements that are boxes get the vector as a holder: once each, since notes for
 * this vector come one after another. */
static val note_vector(struct datum *d, val vector)
{
    size_t n = object_length(vector);
    for (size_t i = 0; i < n; i++) {
        val box = object_field(vector, i);
        if (!is_unresolved(box))
            continue;
        val notes = object_field(box, 0);
        if (is_pair(notes) && is_eq(car(notes), vector))
            continue;
        note_holder(d, box, vector, TRY(cons(d->r.h, FALSE, NIL)));
    }
    return TRUE;
}

static val close_vector(struct datum *d, val frame)
{
    size_t n = (size_t)frame_int(frame, FRAME_COUNT);
    val vector = TRY(heap_alloc(d->r.h, T_VECTOR, n, 0));
    val l = object_field(frame, FRAME_FIRST);
    for (size_t i = 0; i < n; i++, l = cdr(l))
        object_fields(vector)[i] = car(l);
    TRY(note_vector(d, vector));
    heap_work(d->r.h, n * 8);
    pop(d);
    set_slot(d, READ_PENDING, vector);
    return TRUE;
}

static val close_bytes(struct datum *d, val frame)
{
    size_t n = (size_t)frame_int(frame, FRAME_COUNT);
    val bytes = TRY(heap_alloc(d->r.h, T_BYTEVECTOR, n, 0));
    val l = object_field(frame, FRAME_FIRST);
    for (size_t i = 0; i < n; i++, l = cdr(l)) {
        if (!is_index(car(l), 256))
            return READ_ERROR(&d->r, (size_t)frame_int(frame, FRAME_START), NULL,
                              "a bytevector has exact integers from 0 to 255 only");
        object_bytes(bytes)[i] = (uint8_t)fixnum_value(car(l));
    }
    pop(d);
    set_slot(d, READ_PENDING, bytes);
    return TRUE;
}

static val close_list(struct datum *d, val frame, const struct token *t)
{
    if (frame_int(frame, FRAME_DOT) == DOT_SEEN)
        return READ_ERROR(&d->r, t->start, NULL, "no datum behind the dot of a list");
    pop(d);
    set_slot(d, READ_PENDING, object_field(frame, FRAME_FIRST));
    return TRUE;
}

static val close_token(struct datum *d, const struct token *t)
{
    val frame = slot(d, READ_STACK);
    if (!is_vector(frame))
        return READ_ERROR(&d->r, t->start, NULL, "closing parenthesis without an opening one");
    switch (frame_int(frame, FRAME_KIND)) {
    case LIST:
        return close_list(d, frame, t);
    case VECTOR:
        return close_vector(d, frame);
    case BYTES:
        return close_bytes(d, frame);
    case COMMENT:
        return READ_ERROR(&d->r, (size_t)frame_int(frame, FRAME_START),
                          "#; leaves out the datum behind it", "no datum behind #;");
    default:
        return READ_ERROR(&d->r, (size_t)frame_int(frame, FRAME_START), NULL,
                          "no datum between this and the closing parenthesis");
    }
}

/* -- tokens ---------------------------------------------------------------------------------- */

static val dot_token(struct datum *d, const struct token *t)
{
    val frame = slot(d, READ_STACK);
    if (!is_vector(frame) || frame_int(frame, FRAME_KIND) != LIST)
        return READ_ERROR(&d->r, t->start, NULL, "a dot outside a list");
    if (frame_int(frame, FRAME_COUNT) == 0)
        return READ_ERROR(&d->r, t->start, NULL, "no datum before the dot of a list");
    if (frame_int(frame, FRAME_DOT) != DOT_NONE)
        return READ_ERROR(&d->r, t->start, NULL, "a second dot in a list");
    set_frame(d, frame, FRAME_DOT, fixnum(DOT_SEEN));
    return TRUE;
}

/* The outermost list or vector that is open, else the innermost frame. */
static val blamed(struct datum *d)
{
    val found = slot(d, READ_STACK);
    if (frame_int(found, FRAME_KIND) > BYTES)
        return found;
    for (val f = found; is_vector(f); f = object_field(f, FRAME_PARENT))
        if (frame_int(f, FRAME_KIND) <= BYTES)
            found = f;
    return found;
}

static val end_token(struct datum *d)
{
    if (!is_vector(slot(d, READ_STACK))) {
        set_slot(d, READ_PENDING, EOF_OBJECT);
        return TRUE;
    }
    val frame = blamed(d);
    size_t start = (size_t)frame_int(frame, FRAME_START);
    if (frame_int(frame, FRAME_KIND) == COMMENT)
        return READ_ERROR(&d->r, start, "#; leaves out the datum behind it", "no datum behind #;");
    if (frame_int(frame, FRAME_KIND) > BYTES)
        return READ_ERROR(&d->r, start, NULL, "the text ends where a datum was to follow");
    return READ_ERROR(&d->r, start, NULL, "the text ends inside the parenthesis opened here");
}

static val take_token(struct datum *d, const struct token *t)
{
    switch (t->kind) {
    case TOKEN_OPEN:
        return push(d, LIST, t, FALSE);
    case TOKEN_VECTOR:
        return push(d, VECTOR, t, FALSE);
    case TOKEN_BYTES:
        return push(d, BYTES, t, FALSE);
    case TOKEN_PREFIX:
        return push(d, PREFIX, t, t->value);
    case TOKEN_COMMENT:
        return push(d, COMMENT, t, FALSE);
    case TOKEN_LABEL:
        return label_token(d, t);
    case TOKEN_REFER:
        return refer_token(d, t);
    case TOKEN_DOT:
        return dot_token(d, t);
    case TOKEN_CLOSE:
        return close_token(d, t);
    case TOKEN_ATOM:
        set_slot(d, READ_PENDING, t->value);
        return TRUE;
    case TOKEN_END:
        return end_token(d);
    }
    return TRUE;
}

/* Could more text change this token? Strings and |symbols| end with a mark. */
static bool is_cut(const struct datum *d, const struct token *t)
{
    if (!d->host || d->r.at < d->r.end)
        return false;
    if (t->kind == TOKEN_ATOM) {
        uint32_t c = code_at(d->r.data, d->r.width, t->start);
        return c != '"' && c != '|';
    }
    return t->kind == TOKEN_END || t->kind == TOKEN_PREFIX || t->kind == TOKEN_DOT;
}

/* -- the steps ----------------------------------------------------------------------------------
 */

static val state_make(struct datum *d)
{
    val s = TRY(heap_alloc(d->r.h, T_STATE, READ_SLOTS, 0));
    memset(object_raw(s), 0, 4 * sizeof(uint64_t));
    val *slots = slots_of(s);
    slots[READ_TEXT] = d->r.text;
    slots[READ_STACK] = FALSE;
    slots[READ_LABELS] = FALSE;
    slots[READ_PENDING] = HOLE;
    object_raw(s)[READ_AT] = d->r.at;
    object_raw(s)[READ_FOLD] = d->r.fold;
    d->state = s;
    return s;
}

static void settle(struct datum *d)
{
    uint64_t *raw = object_raw(d->port);
    raw[PORT_POSITION] = d->r.at;
    raw[PORT_FLAGS] &= ~(uint64_t)PORT_FOLD_CASE;
    raw[PORT_FLAGS] |= d->r.fold ? (uint64_t)PORT_FOLD_CASE : 0;
}

/* One act; *done: READ_PENDING is the datum asked for. */
static val act(struct datum *d, bool *done)
{
    if (!is_eq(slot(d, READ_PENDING), HOLE)) {
        TRY(put(d));
    } else {
        struct token t;
        size_t before = d->r.at;
        bool fold = d->r.fold;
        val ok = reader_token(&d->r, &t);
        if (is_eq(ok, TRUE) ? is_cut(d, &t) : is_eq(ok, RAISE) && d->host && d->r.at >= d->r.end)
            return DEFAULT_OBJECT;
        if (is_eq(ok, TRUE))
            ok = take_token(d, &t);
        if (!is_eq(ok, TRUE)) {
            d->r.at = is_eq(ok, RAISE) ? d->r.at : before;
            d->r.fold = fold;
            return ok;
        }
        heap_charge(d->r.h, d->r.at / 16 - before / 16);
        object_raw(d->state)[READ_AT] = d->r.at;
        object_raw(d->state)[READ_FOLD] = d->r.fold;
    }
    *done = !is_eq(slot(d, READ_PENDING), HOLE) && !is_vector(slot(d, READ_STACK));
    return TRUE;
}

static val step(struct datum *d)
{
    struct heap *h = d->r.h;
    size_t start = d->r.at;
    h->step = d->state;
    for (size_t acts = 0; acts < ACTS_MOST && d->r.at - start < CHARS_MOST; acts++) {
        bool done = false;
        uint64_t charged = h->charge;
        val ok = act(d, &done);
        if ((is_eq(ok, RETRY) || is_eq(ok, LIMIT)) && acts > 0) {
            h->charge = charged; /* the act is done, and paid, in the next step */
            return STEP;
        }
        if (is_eq(ok, RAISE))
            settle(d);
        if (!is_eq(ok, TRUE))
            return ok;
        if (done) {
            settle(d);
            return slot(d, READ_PENDING);
        }
        if (h->charge > h->afford)
            return STEP;
    }
    return STEP;
}

/* The usual small case: an atom or the end, no state needed. HOLE: neither. */
static val read_atom(struct datum *d)
{
    struct token t;
    size_t before = d->r.at;
    val ok = reader_token(&d->r, &t);
    if (is_eq(ok, TRUE) && !is_cut(d, &t) && (t.kind == TOKEN_ATOM || t.kind == TOKEN_END)) {
        heap_charge(d->r.h, d->r.at / 16 - before / 16);
        settle(d);
        return t.kind == TOKEN_END ? EOF_OBJECT : t.value;
    }
    return is_eq(ok, RETRY) || is_eq(ok, LIMIT) ? ok : HOLE;
}

static val first_step(struct datum *d)
{
    size_t at = d->r.at;
    bool fold = d->r.fold;
    val atom = TRY(read_atom(d));
    if (!is_eq(atom, HOLE))
        return atom;
    d->r.at = at;
    d->r.fold = fold;
    TRY(state_make(d));
    return step(d);
}

val reader_read(struct heap *h, val port)
{
    struct datum d;
    bool first = !is_type(h->step, T_STATE);
    d.port = port;
    d.host = is_eq(port_at_end(port), DEFAULT_OBJECT);
    d.state = h->step;
    val text = first ? object_field(port, PORT_CONTENT) : slots_of(d.state)[READ_TEXT];
    size_t at =
        first ? (size_t)object_raw(port)[PORT_POSITION] : (size_t)object_raw(d.state)[READ_AT];
    reader_begin(&d.r, h, text, object_field(port, PORT_NAME), at);
    d.r.fold = first ? port_has(port, PORT_FOLD_CASE) : object_raw(d.state)[READ_FOLD] != 0;
    val result = first ? first_step(&d) : step(&d);
    reader_end(&d.r);
    return result;
}
