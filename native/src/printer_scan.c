/* T4 printer: which objects want a label.
 *
 * scan_graph walks the distinct objects depth first with a table keyed by
 * address, in one go (no safepoint inside, so addresses hold): for `write` an
 * object met again while it is open closes a cycle and gets a label; for
 * `write-shared` every object met again does. The labelled ones are kept in a
 * vector of the state, with an index (a STORAGE: uint32 slots by address, then
 * the numbers given) that is made anew where a collection came between.
 *
 * scan_tree finds out in steps, with memory for the nesting only, that an object
 * is a tree: then no label is wanted. It gives up after TREE_MOST nodes. */
#include "printer_inner.h"

#include "record.h"

#define TREE_MOST ((uint64_t)1 << 22)
#define TREE_STEP 16384u

bool has_parts(val v)
{
    if (is_pair(v))
        return true;
    if (!is_object(v))
        return false;
    switch (object_type(v)) {
    case T_VECTOR:
        return object_length(v) > 0;
    case T_RECORD:
    case T_CONDITION:
        return true;
    default:
        return false;
    }
}

bool part_of(val v, size_t i, val *part)
{
    if (is_pair(v)) {
        if (i > 1)
            return false;
        *part = pair_words(v)[i];
        return true;
    }
    switch (object_type(v)) {
    case T_VECTOR:
        if (i >= object_length(v))
            return false;
        *part = object_field(v, i);
        return true;
    case T_RECORD:
        if (i >= record_size(v))
            return false;
        *part = *record_slot(v, i);
        return true;
    default:
        if (i > 1)
            return false;
        *part = object_field(v, i == 0 ? CONDITION_MESSAGE : CONDITION_IRRITANTS);
        return true;
    }
}

/* -- the table of objects: address words with marks in the top byte ------------------- */

#define MARK_OPEN ((uint64_t)1 << 56)
#define MARK_LABEL ((uint64_t)2 << 56)
#define KEY_MASK (MARK_OPEN - 1)

struct entered {
    val object;
    size_t next; /* part to look at */
};

struct graph {
    struct heap *h;
    uint64_t *table;
    size_t size, count;
    struct entered *stack;
    size_t depth, room;
    size_t labels;
    bool shared;
};

static size_t address_hash(uint64_t bits)
{
    return (size_t)(bits * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

static uint64_t *find(uint64_t *table, size_t size, val v)
{
    size_t i = address_hash(v.bits) & (size - 1);
    while (table[i] != 0 && (table[i] & KEY_MASK) != v.bits)
        i = (i + 1) & (size - 1);
    return &table[i];
}

static bool table_grow(struct graph *g)
{
    size_t size = g->size == 0 ? 512 : g->size * 2;
    uint64_t *table = heap_malloc(g->h, size * sizeof *table);
    if (table == NULL)
        return false;
    memset(table, 0, size * sizeof *table);
    for (size_t i = 0; i < g->size; i++)
        if (g->table[i] != 0)
            *find(table, size, VAL(g->table[i] & KEY_MASK)) = g->table[i];
    heap_mfree(g->h, g->table, g->size * sizeof *table);
    g->table = table;
    g->size = size;
    return true;
}

static bool stack_grow(struct graph *g)
{
    size_t room = g->room == 0 ? 128 : g->room * 2;
    struct entered *more =
        heap_realloc(g->h, g->stack, g->room * sizeof *more, room * sizeof *more);
    if (more == NULL)
        return false;
    g->stack = more;
    g->room = room;
    return true;
}

/* Meet an object: enter it, or mark it where it was met before. */
static val meet(struct graph *g, val v)
{
    if (!has_parts(v))
        return TRUE;
    if (g->count * 4 >= g->size * 3 && !table_grow(g))
        return RETRY;
    uint64_t *entry = find(g->table, g->size, v);
    if (*entry != 0) {
        if ((g->shared || (*entry & MARK_OPEN)) && !(*entry & MARK_LABEL)) {
            *entry |= MARK_LABEL;
            g->labels++;
        }
        return TRUE;
    }
    if (g->depth == g->room && !stack_grow(g))
        return RETRY;
    *entry = v.bits | MARK_OPEN;
    g->count++;
    g->stack[g->depth++] = (struct entered){v, 0};
    return TRUE;
}

static val walk(struct graph *g, val object, size_t most)
{
    TRY(meet(g, object));
    for (size_t turns = 1; g->depth > 0; turns++) {
        struct entered *e = &g->stack[g->depth - 1];
        val part;
        if (part_of(e->object, e->next, &part)) {
            e->next++;
            TRY(meet(g, part));
        } else {
            *find(g->table, g->size, e->object) &= ~MARK_OPEN;
            g->depth--;
        }
        if (g->count > most)
            return FALSE;
        if ((turns & 1023) == 0) {
            heap_charge(g->h, 256);
            if (heap_poll(g->h))
                return LIMIT;
        }
    }
    return TRUE;
}

/* -- labels ------------------------------------------------------------------------------ */

static size_t index_size(size_t labels)
{
    size_t size = 8;
    while (size < labels * 2)
        size *= 2;
    return size;
}

static uint32_t *index_slots(val state)
{
    return (uint32_t *)(void *)object_bytes(print_slots(state)[PRINT_INDEX]);
}

static void index_fill(struct heap *h, val state)
{
    val labels = print_slots(state)[PRINT_LABELS];
    size_t n = object_length(labels), size = index_size(n);
    uint32_t *slots = index_slots(state);
    memset(slots, 0, size * sizeof *slots);
    for (size_t i = 0; i < n; i++) {
        size_t at = address_hash(object_field(labels, i).bits) & (size - 1);
        while (slots[at] != 0)
            at = (at + 1) & (size - 1);
        slots[at] = (uint32_t)i + 1;
    }
    object_raw(state)[PRINT_STAMP] = h->collections;
}

static val keep_labels(struct graph *g, val state)
{
    if (g->labels == 0)
        return TRUE;
    struct heap *h = g->h;
    size_t size = index_size(g->labels), bytes = (size + g->labels) * sizeof(uint32_t);
    val labels = TRY(heap_alloc(h, T_VECTOR, g->labels, 0));
    val index = TRY(heap_alloc(h, T_STORAGE, bytes, 0));
    size_t n = 0;
    for (size_t i = 0; i < g->size; i++)
        if (g->table[i] & MARK_LABEL)
            object_fields(labels)[n++] = VAL(g->table[i] & KEY_MASK);
    memset(object_bytes(index), 0, bytes);
    heap_store(h, state, &print_slots(state)[PRINT_LABELS], labels);
    heap_store(h, state, &print_slots(state)[PRINT_INDEX], index);
    index_fill(h, state);
    return TRUE;
}

val scan_graph(struct heap *h, val state, bool shared, size_t most)
{
    struct graph g = {.h = h, .shared = shared};
    val result = walk(&g, print_slots(state)[PRINT_OBJECT], most);
    if (is_eq(result, TRUE))
        result = keep_labels(&g, state);
    heap_charge(h, is_control(result) ? 0 : (g.count & 1023) / 4);
    heap_mfree(h, g.table, g.size * sizeof *g.table);
    heap_mfree(h, g.stack, g.room * sizeof *g.stack);
    return result;
}

bool label_of(struct printer *p, val v, size_t *number, bool *fresh)
{
    val labels = print_slots(p->state)[PRINT_LABELS];
    if (!is_vector(labels))
        return false;
    if (object_raw(p->state)[PRINT_STAMP] != p->h->collections)
        index_fill(p->h, p->state);
    size_t n = object_length(labels), size = index_size(n);
    uint32_t *slots = index_slots(p->state), *numbers = slots + size;
    for (size_t at = address_hash(v.bits) & (size - 1); slots[at] != 0;
         at = (at + 1) & (size - 1)) {
        size_t i = slots[at] - 1;
        if (!is_eq(object_field(labels, i), v))
            continue;
        if (fresh == NULL)
            return true;
        *fresh = numbers[i] == 0;
        if (*fresh)
            numbers[i] = (uint32_t)++object_raw(p->state)[PRINT_COUNT];
        *number = numbers[i] - 1;
        return true;
    }
    return false;
}

/* -- trees ----------------------------------------------------------------------------------- */

/* The top frame is (object, next part). The last part of a pair replaces it. */
static val tree_turn(struct printer *p)
{
    TRY(frames_room(p, 1));
    const val *frame = frames_of(p) + (p->depth - 1) * 2;
    val v = frame[0], part = FALSE;
    size_t next = (size_t)fixnum_value(frame[1]) >> 4;
    if (!has_parts(v) || !part_of(v, next, &part)) {
        p->depth--;
        return TRUE;
    }
    if (!has_parts(part)) {
        frame_set(p, FRAME_DATUM, v, next + 1);
        return TRUE;
    }
    object_raw(p->state)[PRINT_COUNT]++;
    if (is_pair(v) && next == 1) {
        frame_set(p, FRAME_DATUM, part, 0);
        return TRUE;
    }
    frame_set(p, FRAME_DATUM, v, next + 1);
    frame_push(p, FRAME_DATUM, part, 0);
    return TRUE;
}

val scan_tree(struct printer *p)
{
    uint64_t *raw = object_raw(p->state);
    for (size_t turns = 0; turns < TREE_STEP; turns++) {
        if (p->depth == 0)
            return TRUE;
        if (raw[PRINT_COUNT] > TREE_MOST)
            return FALSE;
        val ok = tree_turn(p);
        if (is_eq(ok, RETRY) && turns > 0)
            return STEP;
        TRY(ok);
        if ((++raw[PRINT_STAMP] & 3) == 0) /* counts turns in this phase */
            heap_charge(p->h, 1);
    }
    return STEP;
}
