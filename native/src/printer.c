/* T4 printer: the machine that prints containers, and its steps. See printer.h,
 * printer_inner.h. Each turn of the machine (`piece`) makes sure of room for
 * frames first and changes the stack after; so it can fail and be tried again. */
#include "printer_inner.h"

#include "record.h"

#define PIECES_MOST 4096u
#define SCAN_SMALL 4096u

enum phase { PHASE_TREE, PHASE_GRAPH, PHASE_PRINT };

/* -- frames ------------------------------------------------------------------------ */

val frames_room(struct printer *p, size_t n)
{
    if (!is_object(p->state))
        return p->depth + n <= LOCAL_FRAMES ? TRUE : HOLE;
    val old = print_slots(p->state)[PRINT_STACK];
    size_t length = object_length(old);
    if ((p->depth + n) * 2 <= length)
        return TRUE;
    val stack = TRY(heap_alloc(p->h, T_VECTOR, length * 2, 0));
    memcpy(object_fields(stack), object_fields(old), p->depth * 2 * sizeof(val));
    for (size_t i = p->depth * 2; i < length * 2; i++)
        object_fields(stack)[i] = FALSE;
    heap_store(p->h, p->state, &print_slots(p->state)[PRINT_STACK], stack);
    return TRUE;
}

void frame_set(struct printer *p, enum frame_kind kind, val object, size_t index)
{
    val *frame = frames_of(p) + (p->depth - 1) * 2;
    val code = fixnum((int64_t)(index << 4 | (size_t)kind));
    if (is_object(p->state))
        heap_store(p->h, print_slots(p->state)[PRINT_STACK], &frame[0], object);
    else
        frame[0] = object;
    frame[1] = code;
}

void frame_push(struct printer *p, enum frame_kind kind, val object, size_t index)
{
    p->depth++;
    frame_set(p, kind, object, index);
}

/* -- containers ----------------------------------------------------------------------- */

/* For write-shared without a table: was it met before? Notes it if not. */
static bool met_before(struct printer *p, val v)
{
    for (size_t i = 0; i < p->seen_count; i++)
        if (is_eq(p->seen[i], v))
            return true;
    if (p->seen_count == LOCAL_NODES)
        return true;
    p->seen[p->seen_count++] = v;
    return false;
}

static void begin_condition(struct printer *p, val v)
{
    static const char *const kinds[] = {
#define KIND(name, text) text,
        CONDITION_KINDS(KIND)
#undef KIND
    };
    val kind = object_field(v, CONDITION_KIND), message = object_field(v, CONDITION_MESSAGE);
    print_text(p, "#<condition ");
    print_text(p, is_index(kind, CONDITION_KIND_COUNT) ? kinds[fixnum_value(kind)] : "?");
    print_text(p, ": ");
    frame_set(p, FRAME_ITEMS, object_field(v, CONDITION_IRRITANTS), 0);
    frame_push(p, is_string(message) ? FRAME_TEXT : FRAME_DATUM, message, 0);
}

/* The top frame is this container's DATUM frame. */
static void begin_container(struct printer *p, val v)
{
    if (is_pair(v)) {
        print_text(p, "(");
        val rest = cdr(v);
        frame_set(p, FRAME_TAIL, rest, 0);
        frame_push(p, FRAME_DATUM, car(v), 0);
    } else if (is_vector(v)) {
        print_text(p, "#(");
        frame_set(p, FRAME_VECTOR, v, 0);
    } else if (is_record(v)) {
        print_text(p, "#<");
        print_type_name(p, record_type(v));
        frame_set(p, FRAME_RECORD, v, 0);
    } else {
        begin_condition(p, v);
    }
}

static val datum(struct printer *p, val v)
{
    if (!has_parts(v))
        return print_atom(p, v);
    p->nodes++;
    heap_charge(p->h, 1);
    size_t number = 0;
    bool fresh = true;
    if (is_object(p->state)) {
        if (label_of(p, v, &number, &fresh)) {
            print_text(p, "#");
            print_unsigned(p, number);
            print_text(p, fresh ? "=" : "#");
        }
    } else if (p->nodes > LOCAL_NODES || (p->style == WRITE_SHARED && met_before(p, v))) {
        return HOLE;
    }
    if (fresh)
        begin_container(p, v);
    else
        p->depth--;
    return TRUE;
}

/* The rest of a list in parentheses or of what stands before a >. */
static val tail(struct printer *p, enum frame_kind kind, val v)
{
    const char *closer = kind == FRAME_TAIL ? ")" : ">";
    if (is_eq(v, NIL)) {
        p->depth--;
        print_text(p, closer);
        return TRUE;
    }
    bool labelled = false;
    if (is_object(p->state)) {
        size_t number = 0;
        labelled = is_pair(v) && label_of(p, v, &number, NULL);
    } else if (is_pair(v)) {
        if (++p->nodes > LOCAL_NODES || (p->style == WRITE_SHARED && met_before(p, v)))
            return HOLE;
    }
    heap_charge(p->h, 1);
    if (is_pair(v) && !labelled) {
        print_text(p, " ");
        val first = car(v);
        frame_set(p, kind, cdr(v), 0);
        frame_push(p, FRAME_DATUM, first, 0);
        return TRUE;
    }
    print_text(p, " . ");
    frame_set(p, kind == FRAME_TAIL ? FRAME_CLOSE : FRAME_ANGLE, FALSE, 0);
    frame_push(p, FRAME_DATUM, v, 0);
    return TRUE;
}

static void next_item(struct printer *p, enum frame_kind kind, val v, size_t index)
{
    bool vector = kind == FRAME_VECTOR;
    size_t n = vector ? object_length(v) : record_size(v);
    if (index >= n) {
        p->depth--;
        print_text(p, vector ? ")" : ">");
        return;
    }
    if (index != 0 || !vector)
        print_text(p, " ");
    heap_charge(p->h, 1);
    val item = vector ? object_field(v, index) : *record_slot(v, index);
    frame_set(p, kind, v, index + 1);
    frame_push(p, FRAME_DATUM, item, 0);
}

/* One turn. TRUE, or HOLE (too much for the local machine), RETRY, LIMIT; then
 * nothing has changed. */
static val piece(struct printer *p)
{
    val room = frames_room(p, 2);
    if (!is_eq(room, TRUE))
        return room;
    const val *frame = frames_of(p) + (p->depth - 1) * 2;
    val v = frame[0];
    uint64_t code = (uint64_t)fixnum_value(frame[1]);
    enum frame_kind kind = (enum frame_kind)(code & 15);
    switch (kind) {
    case FRAME_DATUM:
        return datum(p, v);
    case FRAME_TAIL:
    case FRAME_ITEMS:
        return tail(p, kind, v);
    case FRAME_VECTOR:
    case FRAME_RECORD:
        next_item(p, kind, v, (size_t)(code >> 4));
        return TRUE;
    case FRAME_CLOSE:
        p->depth--;
        print_text(p, ")");
        return TRUE;
    case FRAME_ANGLE:
        p->depth--;
        print_text(p, ">");
        return TRUE;
    case FRAME_STRING:
    case FRAME_SYMBOL:
    case FRAME_TEXT:
    case FRAME_BYTES:
        heap_charge(p->h, kind == FRAME_BYTES ? 8 : 4); /* some sixty characters */
        print_piece(p, kind, v, (size_t)(code >> 4));
        return TRUE;
    }
    return TRUE;
}

/* -- small objects ------------------------------------------------------------------------ */

static void machine_begin(struct printer *p, struct heap *h, val state, enum print_style style)
{
    p->h = h;
    p->state = state;
    p->style = style;
    p->depth = p->nodes = p->seen_count = p->length = 0;
    p->brief = false;
}

/* TRUE: the text is complete; HOLE: too much. */
static val print_local(struct printer *p, val object)
{
    frame_push(p, FRAME_DATUM, object, 0);
    while (p->depth > 0) {
        if (p->length > OUT_ROOM - OUT_MARGIN)
            return HOLE;
        val ok = piece(p);
        if (!is_eq(ok, TRUE))
            return ok;
    }
    return TRUE;
}

static val commit(struct printer *p, val port)
{
    TRY(port_reserve(p->h, port, p->length));
    TRY(port_append(p->h, port, p->text, p->length));
    return UNSPECIFIED;
}

static val write_small(struct heap *h, val object, val port, enum print_style style)
{
    struct printer p;
    uint64_t charged = h->charge;
    machine_begin(&p, h, FALSE, style);
    val ok = print_local(&p, object);
    if (is_eq(ok, TRUE))
        return commit(&p, port);
    if (is_eq(ok, HOLE))
        h->charge = charged + LOCAL_NODES;
    return ok;
}

size_t printer_brief(struct heap *h, val object, char *out, size_t room)
{
    struct printer p;
    uint64_t charged = h->charge;
    machine_begin(&p, h, FALSE, WRITE);
    p.brief = true;
    val ok = print_local(&p, object);
    h->charge = charged;
    size_t n = p.length;
    if (is_eq(ok, TRUE) && n <= room) {
        memcpy(out, p.text, n);
        return n;
    }
    n = size_min(n, room > 3 ? room - 3 : 0);
    while (n > 0 && n < p.length && ((uint8_t)p.text[n] & 0xC0) == 0x80)
        n--;
    memcpy(out, p.text, n);
    for (size_t i = 0; i < 3 && n < room; i++)
        out[n++] = '.';
    return n;
}

/* -- large ones -------------------------------------------------------------------------------- */

static val state_make(struct heap *h, val object, enum print_style style)
{
    val stack = TRY(heap_alloc(h, T_VECTOR, 64, 0));
    for (size_t i = 0; i < 64; i++)
        object_fields(stack)[i] = FALSE;
    val state = TRY(heap_alloc(h, T_STATE, PRINT_SLOTS, 0));
    val *slots = print_slots(state);
    slots[PRINT_OBJECT] = object;
    slots[PRINT_STACK] = stack;
    slots[PRINT_LABELS] = slots[PRINT_INDEX] = FALSE;
    uint64_t *raw = object_raw(state);
    raw[PRINT_PHASE] = style == WRITE_SIMPLE   ? PHASE_PRINT
                       : style == WRITE_SHARED ? PHASE_GRAPH
                                               : PHASE_TREE;
    raw[PRINT_DEPTH] = raw[PRINT_COUNT] = raw[PRINT_STAMP] = 0;
    object_fields(stack)[0] = object;
    object_fields(stack)[1] = fixnum(FRAME_DATUM);
    raw[PRINT_DEPTH] = 1;
    return state;
}

static void begin_printing(struct printer *p)
{
    uint64_t *raw = object_raw(p->state);
    p->depth = 0;
    frame_push(p, FRAME_DATUM, print_slots(p->state)[PRINT_OBJECT], 0);
    raw[PRINT_PHASE] = PHASE_PRINT;
    raw[PRINT_COUNT] = 0;
}

/* Print until the text is full or enough is done; then commit it. */
static val print_step(struct printer *p, val port)
{
    struct heap *h = p->h;
    TRY(port_reserve(h, port, OUT_ROOM));
    val ok = TRUE;
    size_t pieces = 0;
    while (p->depth > 0 && p->length <= OUT_ROOM - OUT_MARGIN && pieces < PIECES_MOST) {
        uint64_t charged = h->charge;
        ok = piece(p);
        if (!is_eq(ok, TRUE)) {
            h->charge = is_eq(ok, RETRY) && pieces > 0 ? charged : h->charge;
            break;
        }
        pieces++;
    }
    if (pieces == 0 && !is_eq(ok, TRUE))
        return ok;
    TRY(port_append(h, port, p->text, p->length));
    object_raw(p->state)[PRINT_DEPTH] = p->depth;
    if (is_eq(ok, LIMIT))
        return LIMIT;
    return p->depth == 0 ? UNSPECIFIED : STEP;
}

/* Graph first, if it is small: exact and cheap. Then the walk as a tree, which
 * needs no memory for what is one; only what is none pays for a large table. */
static val first_scan(struct printer *p)
{
    uint64_t *raw = object_raw(p->state);
    if (raw[PRINT_PHASE] == PHASE_PRINT)
        return STEP;
    val small = TRY(scan_graph(p->h, p->state, p->style == WRITE_SHARED, SCAN_SMALL));
    if (is_true(small))
        begin_printing(p);
    return STEP;
}

static val next_step(struct printer *p, val port)
{
    uint64_t *raw = object_raw(p->state);
    if (raw[PRINT_PHASE] == PHASE_PRINT)
        return print_step(p, port);
    if (raw[PRINT_PHASE] == PHASE_TREE) {
        val tree = scan_tree(p);
        raw[PRINT_DEPTH] = p->depth;
        TRY(tree);
        if (is_true(tree))
            begin_printing(p);
        else
            raw[PRINT_PHASE] = PHASE_GRAPH;
    } else {
        TRY(scan_graph(p->h, p->state, p->style == WRITE_SHARED, SIZE_MAX));
        begin_printing(p);
    }
    raw[PRINT_DEPTH] = p->depth;
    return STEP;
}

static val write_large(struct heap *h, val object, val port, enum print_style style)
{
    struct printer p;
    if (is_type(h->step, T_STATE)) {
        machine_begin(&p, h, h->step, style);
        p.depth = (size_t)object_raw(p.state)[PRINT_DEPTH];
        return next_step(&p, port);
    }
    val state = TRY(state_make(h, object, style));
    machine_begin(&p, h, state, style);
    p.depth = 1;
    val ok = first_scan(&p);
    object_raw(state)[PRINT_DEPTH] = p.depth;
    if (is_eq(ok, STEP))
        h->step = state;
    return ok;
}

val printer_write(struct heap *h, val object, val port, enum print_style style)
{
    if (is_eq(h->step, FALSE)) {
        val small = write_small(h, object, port, style);
        if (!is_eq(small, HOLE))
            return small;
    }
    return write_large(h, object, port, style);
}
