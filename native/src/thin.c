/* T2 thinning: when memory is short, sparse blocks are emptied into others.
 *
 * Only where a context would else be out of memory though its blocks are full of
 * holes. Otherwise old objects do not move, and some C code relies on that: what
 * it knows by address pins its block (pair keys of tables, literals of code), and
 * while a stepped primitive is under way (T_STATE) nothing moves. Everything else
 * refers to objects by values, which are updated in one pass over the heap. */
#include "code.h"
#include "heap_space.h"

#define SPARSE_BYTES ((size_t)(CHUNK * 3 / 4))

struct thinner {
    struct heap *h;
    bool blocked;
    size_t bytes; /* live in the block in work */
};

/* -- pins ------------------------------------------------------------------------- */
static void pin(val v)
{
    if (is_pointer(v) && !(block_of(v)->flags & BLOCK_IMAGE))
        block_of(v)->flags |= BLOCK_PINNED;
}

static void pin_items(val items, bool keys_only)
{
    if (!is_vector(items))
        return;
    for (size_t i = 0; i < object_length(items); i += keys_only ? 2 : 1) {
        if (!keys_only || is_pair(object_field(items, i)))
            pin(object_field(items, i));
    }
}

static void pin_visited(void *context, val object)
{
    struct thinner *t = context;
    if (is_pair(object))
        return;
    enum type type = object_type(object);
    if (type == T_TABLE)
        pin_items(object_field(object, 0), true);
    else if (type == T_CODE)
        pin_items(object_field(object, CODE_LITERALS), false);
    else if (type == T_STATE)
        t->blocked = true;
}

/* -- walking everything -------------------------------------------------------------- */
static void walk_list(struct block *b, object_visitor *visit, void *context)
{
    for (; b != NULL; b = b->next)
        block_walk(b, visit, context);
}

static void walk_all(struct heap *h, object_visitor *visit, void *context)
{
    for (size_t i = 0; i < SPACE_COUNT; i++)
        walk_list(h->space->old[i].blocks, visit, context);
    walk_list(h->space->large, visit, context);
}

static void update_slot(void *context, val *slot)
{
    (void)context;
    *slot = thinned(*slot);
}

static void update_visited(void *context, val object)
{
    trace_fields(object, update_slot, context);
}

/* -- moving ---------------------------------------------------------------------------- */
static void measure_visited(void *context, val object)
{
    struct thinner *t = context;
    t->bytes += val_size(object);
}

static void move_visited(void *context, val object)
{
    struct thinner *t = context;
    uint64_t *from = (uint64_t *)val_address(object);
    size_t bytes = val_size(object);
    uint64_t *to = old_alloc(t->h, SPACE_PLAIN, bytes);
    CHECK(to != NULL);
    memcpy(to, from, bytes);
    from[0] = (uint64_t)(uintptr_t)to | FORWARD_MARK;
}

/* Unlink sparse blocks whose contents surely fit into `pages` fresh ones. */
static struct block *choose(struct thinner *t, size_t pages)
{
    struct block *leaving = NULL;
    size_t all = 0;
    for (struct block **link = &t->h->space->old[SPACE_PLAIN].blocks; *link != NULL;) {
        struct block *b = *link;
        t->bytes = 0;
        if (!(b->flags & BLOCK_PINNED))
            block_walk(b, measure_visited, t);
        if ((b->flags & BLOCK_PINNED) || t->bytes > SPARSE_BYTES ||
            promotion_reserve(all + t->bytes) > pages * CHUNK) {
            link = &b->next;
            continue;
        }
        all += t->bytes;
        *link = b->next;
        b->next = leaving;
        b->flags |= BLOCK_LEAVING;
        leaving = b;
    }
    return leaving;
}

static void unpin(struct heap *h)
{
    for (size_t i = 0; i < SPACE_COUNT; i++) {
        for (struct block *b = h->space->old[i].blocks; b != NULL; b = b->next)
            b->flags &= ~(uint32_t)BLOCK_PINNED;
    }
    for (struct block *b = h->space->large; b != NULL; b = b->next)
        b->flags &= ~(uint32_t)BLOCK_PINNED;
}

static void give_back(struct heap *h, struct block *b)
{
    while (b != NULL) {
        struct block *next = b->next;
        pool_give(h->space->pool, b, 1);
        heap_uncount(h, CHUNK);
        b = next;
    }
}

bool thin(struct heap *h)
{
    struct heap_space *space = h->space;
    struct thinner t = {.h = h};
    size_t used = h->used;
    size_t pages = used < h->limit ? (h->limit - used) / CHUNK : 0;
    if (pages == 0 || !pool_reserve(space->pool, pages))
        return false;
    walk_all(h, pin_visited, &t);
    struct block *leaving = t.blocked ? NULL : choose(&t, pages);
    space->collecting = true;
    old_rewind(&space->old[SPACE_PLAIN]);
    for (struct block *b = leaving; b != NULL; b = b->next)
        block_walk(b, move_visited, &t);
    space->collecting = false;
    pool_release(space->pool, pages - (h->used - used) / CHUNK);
    if (leaving != NULL) {
        gc_visit_roots(h, update_slot, NULL, true);
        walk_all(h, update_visited, NULL);
        serials_after_thin(h);
        hosts_after_thin(h);
        give_back(h, leaving);
        h->collections++;
    }
    unpin(h);
    old_rewind(&space->old[SPACE_PLAIN]);
    return h->used < used;
}
