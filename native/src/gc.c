/* T2 the collector: minor collections copy, full ones mark and sweep.
 *
 * Runs only when the VM calls at a safepoint; so no C frame holds a value, and
 * all roots are the heap's own (roots, slots, raised, step) and the owners'.
 *
 * Minor: every survivor of the nursery becomes old (no ageing). A copied object
 * leaves a forwarding word in its first word and a link in its second: the list
 * of copies still to scan needs no memory. Afterwards no old object refers to a
 * young one; heap_store's test relies on that.
 * Full: after a minor one, so the empty nursery serves as mark stack. What does
 * not fit there makes its block pending: the block's marked objects are scanned
 * again later. So marking needs no memory and no C recursion. */
#include "heap_space.h"

struct collector {
    struct heap *h;
    uint64_t list;  /* minor: copied objects to scan, by old value            */
    uintptr_t base; /* minor: the nursery that is evacuated                   */
    size_t size;
    val *stack; /* full: marked objects to scan                           */
    size_t depth, most;
    struct block *pending;
    uint64_t ephemerons; /* full: marked ephemerons with a key not known alive    */
};

#define FULL_LEAST ((size_t)256 << 10)

/* -- minor ------------------------------------------------------------------------ */
static bool in_nursery(const struct collector *c, val v)
{
    return is_pointer(v) && (uintptr_t)v.bits - c->base < c->size;
}

static NOINLINE val evacuate(struct collector *c, val v)
{
    uint64_t *from = (uint64_t *)val_address(v);
    uint64_t first = from[0];
    uint64_t tag = val_tag(v);
    if (is_forward(first))
        return VAL(forward_address(first) + tag);
    size_t bytes = tag == TAG_PAIR ? 16 : header_size(first);
    uint64_t *to = old_alloc(c->h, SPACE_PLAIN, bytes);
    CHECK(to != NULL);
    to[0] = first;
    to[1] = from[1];
    if (bytes > 16)
        memcpy(to + 2, from + 2, bytes - 16);
    from[0] = (uint64_t)(uintptr_t)to | FORWARD_MARK;
    from[1] = c->list;
    c->list = v.bits;
    return VAL((uintptr_t)to + tag);
}

static inline void update(struct collector *c, val *slot)
{
    if (in_nursery(c, *slot))
        *slot = evacuate(c, *slot);
}

static void update_root(void *collector, val *slot)
{
    update(collector, slot);
}

/* The value words of an object: `*first` and `*second` spans around raw words. */
struct spans {
    val *fields, *body;
    size_t field_count, body_count;
};

static inline struct spans object_spans(val object)
{
    struct spans s = {pair_words(object), NULL, 2, 0};
    if (is_pair(object))
        return s;
    uint64_t header = object_header(object);
    const struct type_layout *layout = &type_layouts[header_type(header)];
    s.fields = object_fields(object);
    s.field_count = layout->fields;
    if (layout->body == BODY_VALS || layout->body == BODY_FRAMES) {
        s.body = s.fields + layout->fields + layout->raw;
        s.body_count = header_length(header);
    }
    return s;
}

static void update_object(struct collector *c, val object)
{
    struct spans s = object_spans(object);
    for (size_t i = 0; i < s.field_count; i++)
        update(c, &s.fields[i]);
    for (size_t i = 0; i < s.body_count; i++)
        update(c, &s.body[i]);
}

static void update_visited(void *context, val object)
{
    update_object(context, object);
}

static void evacuate_all(struct collector *c)
{
    while (c->list != 0) {
        val v = VAL(c->list);
        const uint64_t *from = (const uint64_t *)val_address(v);
        c->list = from[1];
        update_object(c, VAL(forward_address(from[0]) + val_tag(v)));
    }
}

void gc_visit_roots(struct heap *h, root_visitor *visit, void *collector, bool symbols)
{
    for (size_t i = 0; i < ROOT_COUNT; i++) {
        if (i != ROOT_SYMBOLS || symbols)
            visit(collector, &h->roots[i]);
    }
    for (size_t i = 0; i < h->slot_count; i++)
        visit(collector, &h->slots[i]);
    visit(collector, &h->raised);
    visit(collector, &h->step);
    for (size_t i = 0; i < h->owner_count; i++)
        h->owners[i].trace(h->owners[i].owner, visit, collector);
}

static void update_remembered(struct collector *c)
{
    struct heap_space *space = c->h->space;
    while (space->remembered != NULL) {
        struct slot_chunk *chunk = space->remembered;
        for (size_t i = 0; i < chunk->count; i++)
            update(c, chunk->slots[i]);
        space->remembered = chunk->next;
        space->remembered_chunks--;
        pool_give(space->pool, chunk, 1);
        heap_uncount(c->h, CHUNK);
    }
}

/* Old objects that may refer to young ones without a remembered slot. */
static void update_unremembered(struct collector *c)
{
    struct heap_space *space = c->h->space;
    if (space->scan_old) {
        for (size_t i = 0; i < SPACE_COUNT; i++) {
            for (struct block *b = space->old[i].blocks; b != NULL; b = b->next)
                block_walk(b, update_visited, c);
        }
        for (struct block *b = space->large; b != NULL; b = b->next)
            block_walk(b, update_visited, c);
        space->scan_old = false;
    }
    struct block *b;
    while ((b = block_unqueue(&space->dirty)) != NULL)
        block_walk(b, update_visited, c);
    while ((b = space->large_new) != NULL) {
        space->large_new = b->next;
        b->next = space->large;
        space->large = b;
        block_walk(b, update_visited, c);
    }
}

static void poison(uintptr_t base, size_t bytes)
{
    uint64_t *words = (uint64_t *)base;
    for (size_t i = 0; i < bytes / 8; i++)
        words[i] = POISON;
}

/* The nursery is empty again; in stress it is another region than before, and
 * the old one is poison until the next time. */
static void nursery_reset(struct heap *h)
{
    struct heap_space *space = h->space;
    if (space->poison || h->gc_stress != 0) {
        poison(h->nursery_base, h->free - h->nursery_base);
        if (space->other_nursery == 0)
            space->other_nursery = (uintptr_t)pool_take(space->pool, h->nursery_size / CHUNK);
        if (space->other_nursery != 0) {
            uintptr_t base = space->other_nursery;
            space->other_nursery = h->nursery_base;
            h->nursery_base = base;
        }
    }
    h->free = h->nursery_base;
    h->end = h->nursery_base + h->nursery_size;
    space->reserved_end = 0;
}

static bool minor(struct heap *h)
{
    struct heap_space *space = h->space;
    size_t pages = promotion_reserve(h->free - h->nursery_base) / CHUNK + 1;
    if (!pool_reserve(space->pool, pages))
        return false;
    size_t used = h->used;
    struct collector c = {.h = h, .base = h->nursery_base, .size = h->nursery_size};
    space->collecting = true;
    gc_visit_roots(h, update_root, &c, true);
    evacuate_all(&c);
    update_unremembered(&c);
    used -= space->remembered_chunks * CHUNK;
    update_remembered(&c);
    evacuate_all(&c);
    serials_after_minor(h);
    hosts_after_minor(h);
    space->collecting = false;
    size_t taken = (h->used - used) / CHUNK;
    CHECK(taken <= pages && h->used <= h->limit);
    pool_release(space->pool, pages - taken);
    nursery_reset(h);
    h->collections++;
    return true;
}

/* -- full: mark --------------------------------------------------------------------- */
/* Pairs and objects with a value word; others need no scan. */
static bool has_fields(val v)
{
    if (is_pair(v))
        return true;
    const struct type_layout *layout = &type_layouts[object_type(v)];
    return layout->fields != 0 || layout->body == BODY_VALS || layout->body == BODY_FRAMES;
}

/* Link of the list of ephemerons: the padding word behind key and datum. */
static uint64_t *ephemeron_link(val e)
{
    _Static_assert(TAG_OBJECT == 3, "an ephemeron has four words, three in use");
    return object_words(e) + 3;
}

static void mark(struct collector *c, val v)
{
    if (!is_pointer(v))
        return;
    struct block *b = block_of(v);
    unsigned g = granule_of(v);
    if ((b->flags & BLOCK_IMAGE) || block_marked(b, g))
        return;
    block_mark(b, g);
    if (is_object(v) && object_type(v) == T_EPHEMERON) {
        *ephemeron_link(v) = c->ephemerons;
        c->ephemerons = v.bits;
    } else if (has_fields(v)) {
        if (LIKELY(c->depth < c->most))
            c->stack[c->depth++] = v;
        else
            block_queue(&c->pending, b);
    }
}

static void mark_root(void *collector, val *slot)
{
    mark(collector, *slot);
}

static void mark_fields(struct collector *c, val object)
{
    if (is_pair(object)) {
        mark(c, cdr(object)); /* the car is scanned first: lists of leaves stay shallow */
        mark(c, car(object));
        return;
    }
    struct spans s = object_spans(object);
    for (size_t i = s.body_count; i-- > 0;)
        mark(c, s.body[i]);
    for (size_t i = s.field_count; i-- > 0;)
        mark(c, s.fields[i]);
}

static void mark_visited(void *context, val object)
{
    if (is_object(object) && object_type(object) == T_EPHEMERON)
        return;
    mark_fields(context, object);
}

static void drain(struct collector *c)
{
    for (;;) {
        while (c->depth > 0)
            mark_fields(c, c->stack[--c->depth]);
        struct block *b = block_unqueue(&c->pending);
        if (b == NULL)
            return;
        block_walk(b, mark_visited, c);
    }
}

bool gc_is_alive(val v)
{
    return !is_pointer(v) || (block_of(v)->flags & BLOCK_IMAGE) ||
           block_marked(block_of(v), granule_of(v));
}

static bool alive_callback(void *context, val v)
{
    (void)context;
    return gc_is_alive(v);
}

/* Data of ephemerons whose keys are alive, until that makes no more keys alive;
 * then the others are broken. */
static void mark_ephemerons(struct collector *c)
{
    bool progress = true;
    while (progress) {
        uint64_t list = c->ephemerons;
        c->ephemerons = 0;
        progress = false;
        while (list != 0) {
            val e = VAL(list);
            list = *ephemeron_link(e);
            if (gc_is_alive(object_field(e, 0))) {
                mark(c, object_field(e, 1));
                drain(c);
                progress = true;
            } else {
                *ephemeron_link(e) = c->ephemerons;
                c->ephemerons = e.bits;
            }
        }
    }
    while (c->ephemerons != 0) {
        val e = VAL(c->ephemerons);
        c->ephemerons = *ephemeron_link(e);
        object_fields(e)[0] = FALSE;
        object_fields(e)[1] = FALSE;
        object_words(e)[0] |= FLAG_A;
    }
}

/* -- full: sweep ---------------------------------------------------------------------- */
static void clear_marks(struct block *b)
{
    for (; b != NULL; b = b->next)
        memset(b->marks, 0, sizeof b->marks);
}

/* What no object covers must not look like one. */
static void poison_holes(struct block *b)
{
    uintptr_t at = (uintptr_t)b + (uintptr_t)BLOCK_FIRST * GRANULE;
    while (at < (uintptr_t)b + CHUNK) {
        val object = val_at(at);
        if (block_marked(b, granule_of(object))) {
            at += val_size(object);
        } else {
            poison(at, GRANULE);
            at += GRANULE;
        }
    }
}

static bool block_is_empty(const struct block *b)
{
    return (b->marks[0] | b->marks[1] | b->marks[2] | b->marks[3]) == 0;
}

static void sweep_list(struct heap *h, struct block **link)
{
    while (*link != NULL) {
        struct block *b = *link;
        if (block_is_empty(b)) {
            size_t pages = b->pages;
            *link = b->next;
            pool_give(h->space->pool, b, pages);
            heap_uncount(h, pages * CHUNK);
            continue;
        }
        if (h->space->poison && !(b->flags & BLOCK_LARGE))
            poison_holes(b);
        link = &b->next;
    }
}

/* The nursery is empty. */
static void full(struct heap *h)
{
    struct heap_space *space = h->space;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        clear_marks(space->old[i].blocks);
    clear_marks(space->large);
    struct collector c = {
        .h = h, .stack = (val *)h->nursery_base, .most = h->nursery_size / sizeof(val)};
    gc_visit_roots(h, mark_root, &c, space->on_full == NULL);
    drain(&c);
    mark_ephemerons(&c);
    if (space->on_full != NULL) {
        space->on_full(h, alive_callback, NULL);
        mark(&c, h->roots[ROOT_SYMBOLS]);
        drain(&c);
        mark_ephemerons(&c);
    }
    serials_after_full(h);
    hosts_after_full(h);
    for (size_t i = 0; i < SPACE_COUNT; i++) {
        sweep_list(h, &space->old[i].blocks);
        old_rewind(&space->old[i]);
    }
    sweep_list(h, &space->large);
    space->live_after_full = h->used - h->nursery_size;
}

/* -- policy ---------------------------------------------------------------------------- */
/* Would a nursery for `wanted` and its promotion fit, beside `outside` more bytes? */
static bool is_enough(const struct heap *h, size_t wanted, size_t outside)
{
    size_t least = size_max(NURSERY_FIRST, size_round_up(wanted, CHUNK));
    size_t others = h->used - h->nursery_size + outside;
    return others + least + promotion_reserve(least) <= h->limit;
}

/* Choose the next nursery: twice as large as long as the run fills it, within
 * 1/8 of the limit and of what is free, and at least what is wanted. */
static bool nursery_choose(struct heap *h, size_t wanted, bool filled)
{
    size_t now = h->nursery_size;
    size_t room = h->limit - size_min(h->limit, h->used - now);
    size_t target = filled ? size_min(now * 2, NURSERY_MOST) : now;
    target = size_min(target, size_min(h->limit / 8, room / 8));
    target = size_max(target & ~(size_t)(CHUNK - 1), NURSERY_FIRST);
    target = size_max(target, size_round_up(wanted, CHUNK));
    size_t least = size_max(NURSERY_FIRST, size_round_up(wanted, CHUNK));
    if (!is_enough(h, target, 0))
        target = least;
    if (!is_enough(h, target, 0)) {
        h->end = h->free; /* closed: nothing can be promoted, nothing is born */
        return false;
    }
    return nursery_resize(h, target) || wanted <= h->nursery_size;
}

/* Has the old generation grown enough since the last full collection? By its own
 * size; above half of the limit by 1/8 of that, to fill holes while there is room. */
static bool has_grown(const struct heap *h)
{
    size_t others = h->used - h->nursery_size;
    size_t live = h->space->live_after_full;
    size_t growth = size_max(FULL_LEAST, live);
    if (others > h->limit / 2)
        growth = size_min(growth, h->limit / 8);
    return others > live && others - live > growth;
}

bool heap_collect_gc(struct heap *h, enum collect how, size_t wanted)
{
    struct heap_space *space = h->space;
    size_t outside = space->outside_wanted;
    bool filled = h->free - h->nursery_base > h->nursery_size / 2;
    space->outside_wanted = 0;
    h->wanted = 0;
    if (outside != 0 || wanted > RESERVE_MAX)
        wanted = 0;
    if (outside > h->limit || !minor(h))
        return false;
    bool did_full = how == COLLECT_FULL || has_grown(h) || space->full_requested ||
                    !is_enough(h, wanted, outside);
    if (did_full)
        full(h);
    while (did_full && !is_enough(h, wanted, outside) && thin(h))
        space->live_after_full = h->used - h->nursery_size;
    space->full_answered = space->full_requested;
    space->full_requested = false;
    if (!nursery_choose(h, wanted, filled))
        return false;
    if (outside != 0 && heap_room(h) < outside)
        return false;
    if (!did_full)
        return true;
    return h->limit - size_min(h->limit, h->used - h->nursery_size) >= h->limit / 32;
}

void heap_idle_gc(struct heap *h)
{
    if (h->nursery_size > NURSERY_FIRST && minor(h)) {
        if (!is_enough(h, 0, 0) || !nursery_resize(h, NURSERY_FIRST))
            h->end = h->free;
    }
}
