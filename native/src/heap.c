/* T2 memory: allocation, accounting, remembering, slots. See heap.h, heap_space.h.
 *
 * May not know what is collected when (gc.c) nor what the objects mean.
 * Invariant outside a collection: used <= limit, and what the promotion of the
 * nursery could need is still free (or the nursery is closed: free == end). */
#include "heap_space.h"

/* As many slots as this are remembered one by one; more: the next minor
 * collection scans the old generation. */
#define REMEMBERED_CHUNKS_MOST 64u
#define MEDIUM_OBJECT 128u
/* Objects above this do not look for holes: they would pass by too many. */
#define MEDIUM_MOST 1024u

/* -- accounting -------------------------------------------------------------- */
void heap_count(struct heap *h, size_t bytes)
{
    h->used += bytes;
    h->peak = size_max(h->peak, h->used);
}

void heap_uncount(struct heap *h, size_t bytes)
{
    CHECK(bytes <= h->used);
    h->used -= bytes;
}

size_t heap_room(const struct heap *h)
{
    size_t taken = h->used + promotion_reserve((size_t)(h->end - h->nursery_base));
    return taken < h->limit ? h->limit - taken : 0;
}

/* Tests ask for the Nth allocation to fail. */
static bool injected(struct heap *h)
{
    if (LIKELY(h->fail_after == 0))
        return false;
    if (--h->fail_after != 0)
        return false;
    if (h->fail_persist)
        h->fail_after = 1;
    return true;
}

/* Is there room for memory outside the nursery? Notes the wish if not. */
static bool afford_outside(struct heap *h, size_t bytes)
{
    if (bytes <= heap_room(h))
        return true;
    h->wanted = bytes;
    h->space->outside_wanted = bytes;
    return false;
}

/* -- memory outside the heap --------------------------------------------------- */
void *heap_malloc(struct heap *h, size_t bytes)
{
    size_t counted = bytes > SIZE_MAX / 4 ? SIZE_MAX / 4 : size_round_up(bytes, 16);
    if (injected(h) || !afford_outside(h, counted))
        return NULL;
    void *p = alloc_new(counted);
    if (p != NULL)
        heap_count(h, counted);
    return p;
}

void *heap_realloc(struct heap *h, void *p, size_t old_bytes, size_t bytes)
{
    if (p == NULL)
        return heap_malloc(h, bytes);
    size_t before = size_round_up(old_bytes, 16);
    size_t counted = bytes > SIZE_MAX / 4 ? SIZE_MAX / 4 : size_round_up(bytes, 16);
    if (injected(h) || (counted > before && !afford_outside(h, counted - before)))
        return NULL;
    void *moved = alloc_resize(p, counted);
    if (moved == NULL)
        return NULL;
    heap_uncount(h, before);
    heap_count(h, counted);
    return moved;
}

void heap_mfree(struct heap *h, void *p, size_t bytes)
{
    if (p == NULL)
        return;
    heap_uncount(h, size_round_up(bytes, 16));
    alloc_free(p);
}

/* -- blocks -------------------------------------------------------------------- */
void block_queue(struct block **list, struct block *b)
{
    if (b->flags & BLOCK_QUEUED)
        return;
    b->flags |= BLOCK_QUEUED;
    b->queue = *list;
    *list = b;
}

struct block *block_unqueue(struct block **list)
{
    struct block *b = *list;
    if (b != NULL) {
        *list = b->queue;
        b->queue = NULL;
        b->flags &= ~(uint32_t)BLOCK_QUEUED;
    }
    return b;
}

void block_walk(struct block *b, object_visitor *visit, void *context)
{
    for (unsigned w = 0; w < 4; w++) {
        uint64_t bits = b->marks[w];
        while (bits != 0) {
            unsigned g = w * 64 + (unsigned)__builtin_ctzll(bits);
            bits &= bits - 1;
            visit(context, val_at((uintptr_t)b + (uintptr_t)g * GRANULE));
        }
    }
}

static struct block *block_new(struct heap *h, struct old_space *space)
{
    struct block *b;
    if (h->space->collecting)
        b = pool_take_reserved(h->space->pool);
    else
        b = afford_outside(h, CHUNK) ? pool_take(h->space->pool, 1) : NULL;
    if (b == NULL)
        return NULL;
    heap_count(h, CHUNK);
    b->flags = space->flags;
    b->pages = 1;
    b->next = space->blocks;
    space->blocks = b;
    return b;
}

/* First granule from `g` on whose mark bit is set, or BLOCK_GRANULES. */
static unsigned next_marked(const struct block *b, unsigned g)
{
    while (g < BLOCK_GRANULES) {
        uint64_t bits = b->marks[g / 64] >> (g % 64);
        if (bits != 0)
            return g + (unsigned)__builtin_ctzll(bits);
        g = (g | 63) + 1;
    }
    return BLOCK_GRANULES;
}

struct hole {
    uintptr_t start, end;
};

/* The next hole of at least `bytes` from *block, *cursor on, which move on to its
 * end; start 0: there is none. */
static struct hole find_hole(struct block **block, unsigned *cursor, size_t bytes)
{
    while (*block != NULL) {
        uintptr_t base = (uintptr_t)*block;
        unsigned g = *cursor;
        while (g < BLOCK_GRANULES) {
            if (block_marked(*block, g)) {
                g += (unsigned)(val_size(val_at(base + (uintptr_t)g * GRANULE)) / GRANULE);
                continue;
            }
            unsigned to = next_marked(*block, g);
            struct hole hole = {base + (uintptr_t)g * GRANULE, base + (uintptr_t)to * GRANULE};
            g = *cursor = to;
            if (hole.end - hole.start >= bytes)
                return hole;
        }
        *block = (*block)->next;
        *cursor = BLOCK_FIRST;
    }
    return (struct hole){0, 0};
}

/* Take the next hole for bump allocation; false: there is none. */
static bool next_hole(struct old_space *space, size_t bytes)
{
    struct hole hole = find_hole(&space->hunting, &space->cursor, bytes);
    space->free = hole.start;
    space->end = hole.end;
    return hole.start != 0;
}

void old_rewind(struct old_space *space)
{
    space->hunting = space->blocks;
    space->medium = space->blocks;
    space->cursor = space->medium_cursor = BLOCK_FIRST;
    space->free = space->end = space->fresh = space->fresh_end = 0;
}

static uint64_t *old_take(uintptr_t *free, size_t bytes)
{
    val at = VAL(*free);
    block_mark(block_of(at), granule_of(at));
    *free += bytes;
    return (uint64_t *)(uintptr_t)at.bits;
}

/* Room for one medium object at the start of a hole that nobody has in use, or 0.
 * Others find the rest of the hole as they pass. */
static uintptr_t medium_hole(struct old_space *space, size_t bytes)
{
    for (;;) {
        struct hole hole = find_hole(&space->medium, &space->medium_cursor, bytes);
        if (hole.start == 0)
            return 0;
        if (hole.end == space->end || hole.end == space->fresh_end)
            continue;
        space->medium_cursor = (unsigned)((hole.start % CHUNK + bytes) / GRANULE);
        return hole.start;
    }
}

/* A medium object that does not fit the hole goes to another one or to a fresh
 * block beside it: the hole is left for small ones. */
uint64_t *old_alloc(struct heap *h, enum space_kind kind, size_t bytes)
{
    struct old_space *space = &h->space->old[kind];
    if (LIKELY(bytes <= space->end - space->free))
        return old_take(&space->free, bytes);
    bool medium = bytes > MEDIUM_OBJECT;
    if (medium && bytes <= space->fresh_end - space->fresh)
        return old_take(&space->fresh, bytes);
    if (!medium && next_hole(space, bytes))
        return old_take(&space->free, bytes);
    uintptr_t single =
        bytes > MEDIUM_OBJECT && bytes <= MEDIUM_MOST ? medium_hole(space, bytes) : 0;
    if (single != 0)
        return old_take(&single, bytes);
    struct block *b = block_new(h, space);
    if (b == NULL)
        return NULL;
    uintptr_t *free = medium ? &space->fresh : &space->free;
    uintptr_t *end = medium ? &space->fresh_end : &space->end;
    *free = (uintptr_t)b + (uintptr_t)BLOCK_FIRST * GRANULE;
    *end = (uintptr_t)b + CHUNK;
    return old_take(free, bytes);
}

struct block *large_alloc(struct heap *h, size_t bytes, uint32_t flags)
{
    size_t run = size_round_up(bytes + sizeof(struct block), CHUNK);
    if (!afford_outside(h, run))
        return NULL;
    struct block *b = pool_take(h->space->pool, run / CHUNK);
    if (b == NULL)
        return NULL;
    heap_count(h, run);
    b->flags = flags | BLOCK_LARGE;
    b->pages = (uint32_t)(run / CHUNK);
    b->next = h->space->large_new;
    h->space->large_new = b;
    block_mark(b, BLOCK_FIRST);
    return b;
}

/* -- allocation ------------------------------------------------------------------ */
static NOINLINE val refuse(struct heap *h, size_t bytes)
{
    h->wanted = bytes;
    return RETRY;
}

/* Size of an object-to-be; false where it cannot exist. */
static bool object_size(enum type type, size_t length, size_t *bytes)
{
    if (length >= (size_t)1 << 40)
        return false;
    *bytes = header_size(HEADER(type, 0, length));
    return true;
}

static val large_object(struct heap *h, uint64_t header, size_t bytes, uint32_t flags)
{
    struct block *b = large_alloc(h, bytes, flags);
    if (b == NULL)
        return RETRY;
    uint64_t *words = (uint64_t *)(b + 1);
    words[0] = header;
    return object_from(words);
}

static bool is_of_host(enum type type)
{
    return type == T_FOREIGN || type == T_HOST_PROCEDURE;
}

/* A failure is injected only where no heap_reserve promised success. */
static bool young_injected(struct heap *h, size_t bytes)
{
    return UNLIKELY(h->fail_after != 0) && h->free + bytes > h->space->reserved_end && injected(h);
}

val heap_alloc(struct heap *h, enum type type, size_t length, unsigned flags)
{
    size_t bytes;
    if (UNLIKELY(!object_size(type, length, &bytes))) {
        h->space->outside_wanted = SIZE_MAX / 4;
        return refuse(h, SIZE_MAX / 4);
    }
    if (UNLIKELY(young_injected(h, bytes)))
        return refuse(h, bytes);
    if (UNLIKELY(bytes >= LARGE_OBJECT))
        return large_object(h, HEADER(type, flags, length), bytes, 0);
    if (UNLIKELY(bytes > h->end - h->free))
        return refuse(h, bytes);
    if (UNLIKELY(is_of_host(type)) && !hosts_make_room(h))
        return RETRY;
    uint64_t *words = (uint64_t *)h->free;
    h->free += bytes;
    words[bytes / 8 - 1] = 0; /* padding, where there is any, is zero */
    words[0] = HEADER(type, flags, length);
    val object = object_from(words);
    if (UNLIKELY(is_of_host(type)))
        hosts_add(h, object);
    return object;
}

val heap_reserve(struct heap *h, size_t bytes)
{
    CHECK(bytes <= RESERVE_MAX);
    if (UNLIKELY(injected(h)) || bytes > h->end - h->free)
        return refuse(h, bytes);
    h->space->reserved_end = h->free + bytes;
    return TRUE;
}

val cons(struct heap *h, val a, val d)
{
    if (UNLIKELY(h->end - h->free < 16) || UNLIKELY(young_injected(h, 16)))
        return refuse(h, 16);
    val *words = (val *)h->free;
    h->free += 16;
    words[0] = a;
    words[1] = d;
    return VAL((uintptr_t)words + TAG_PAIR);
}

/* Born old: scanned whole at the next minor collection. */
static uint64_t *born_old(struct heap *h, enum space_kind kind, size_t bytes)
{
    if (UNLIKELY(injected(h)))
        return NULL;
    uint64_t *words = old_alloc(h, kind, bytes);
    if (words == NULL)
        return NULL;
    block_queue(&h->space->dirty, block_of(VAL((uintptr_t)words)));
    words[bytes / 8 - 1] = 0;
    return words;
}

static val alloc_old(struct heap *h, enum space_kind kind, uint64_t header)
{
    size_t bytes = header_size(header);
    if (bytes >= LARGE_OBJECT)
        return injected(h) ? refuse(h, bytes)
                           : large_object(h, header, bytes, h->space->old[kind].flags);
    uint64_t *words = born_old(h, kind, bytes);
    if (words == NULL)
        return refuse(h, CHUNK);
    /* value words are valid from the first moment: the block may be scanned */
    for (size_t i = 1; i < bytes / 8; i++)
        words[i] = 0;
    words[0] = header;
    return object_from(words);
}

val heap_alloc_constant(struct heap *h, enum type type, size_t length, unsigned flags)
{
    size_t bytes;
    if (!object_size(type, length, &bytes))
        return refuse(h, SIZE_MAX / 4);
    return alloc_old(h, SPACE_CONSTANT, HEADER(type, flags | FLAG_CONSTANT, length));
}

val heap_alloc_code(struct heap *h, enum type type, size_t length, unsigned flags)
{
    size_t bytes;
    if (!object_size(type, length, &bytes))
        return refuse(h, SIZE_MAX / 4);
    return alloc_old(h, SPACE_CODE, HEADER(type, flags, length));
}

val heap_cons_constant(struct heap *h, val a, val d)
{
    uint64_t *words = born_old(h, SPACE_CONSTANT, 16);
    if (words == NULL)
        return refuse(h, CHUNK);
    words[0] = a.bits;
    words[1] = d.bits;
    return VAL((uintptr_t)words + TAG_PAIR);
}

/* -- stores ---------------------------------------------------------------------- */
void heap_remember(struct heap *h, val *slot)
{
    struct heap_space *space = h->space;
    struct slot_chunk *chunk = space->remembered;
    if (chunk == NULL || chunk->count == ARRAY_LENGTH(chunk->slots)) {
        if (space->scan_old)
            return;
        chunk = NULL;
        if (space->remembered_chunks < REMEMBERED_CHUNKS_MOST && heap_room(h) >= CHUNK)
            chunk = pool_take(space->pool, 1);
        if (chunk == NULL) {
            space->scan_old = true;
            return;
        }
        heap_count(h, CHUNK);
        space->remembered_chunks++;
        chunk->next = space->remembered;
        chunk->count = 0;
        space->remembered = chunk;
    }
    chunk->slots[chunk->count++] = slot;
}

/* -- slots ------------------------------------------------------------------------- */
val heap_new_slot(struct heap *h)
{
    if (h->slot_count == h->slot_capacity) {
        size_t capacity = size_max(64, h->slot_capacity * 2);
        val *slots =
            heap_realloc(h, h->slots, h->slot_capacity * sizeof(val), capacity * sizeof(val));
        if (slots == NULL)
            return RETRY;
        h->slots = slots;
        h->slot_capacity = capacity;
    }
    h->slots[h->slot_count] = UNBOUND;
    return fixnum((int64_t)h->slot_count++);
}

/* -- life ---------------------------------------------------------------------------- */
static void nursery_set(struct heap *h, uintptr_t base, size_t bytes)
{
    h->nursery_base = h->free = base;
    h->nursery_size = bytes;
    h->end = base + bytes;
    h->space->reserved_end = 0;
}

bool nursery_resize(struct heap *h, size_t bytes)
{
    CHECK(h->free == h->nursery_base);
    struct heap_space *space = h->space;
    if (bytes == h->nursery_size) {
        nursery_set(h, h->nursery_base, bytes);
        return true;
    }
    void *base = pool_take(space->pool, bytes / CHUNK);
    if (base == NULL)
        return false;
    pool_give(space->pool, (void *)h->nursery_base, h->nursery_size / CHUNK);
    pool_give(space->pool, (void *)space->other_nursery, h->nursery_size / CHUNK);
    space->other_nursery = 0;
    heap_uncount(h, h->nursery_size);
    heap_count(h, bytes);
    nursery_set(h, (uintptr_t)base, bytes);
    return true;
}

bool heap_init(struct heap *h, struct engine *engine, size_t limit)
{
    memset(h, 0, sizeof *h);
    h->engine = engine;
    h->limit = limit;
    h->depth_max = 10000;
    h->output_limit = h->afford = UINT64_MAX;
    h->raised = h->step = FALSE;
    h->serial = 1;
    for (size_t i = 0; i < ROOT_COUNT; i++)
        h->roots[i] = FALSE;
    if (limit < HEAP_LIMIT_LEAST || limit > SIZE_MAX / 8)
        return false;
    _Static_assert(sizeof(struct heap_space) <= CHUNK, "the space is one chunk");
    h->space = pool_take(&engine->pool, 1);
    if (h->space == NULL)
        return false;
    heap_count(h, CHUNK);
    h->space->pool = &engine->pool;
    h->space->old[SPACE_CONSTANT].flags = BLOCK_CONSTANT;
    h->space->old[SPACE_CODE].flags = BLOCK_CODE;
#ifndef NDEBUG
    h->space->poison = true;
#endif
    if (nursery_resize(h, NURSERY_FIRST))
        return true;
    pool_give(&engine->pool, h->space, 1);
    h->space = NULL;
    h->used = 0;
    return false;
}

static void give_blocks(struct heap *h, struct block *b)
{
    while (b != NULL) {
        struct block *next = b->next;
        size_t pages = b->pages;
        pool_give(h->space->pool, b, pages);
        heap_uncount(h, pages * CHUNK);
        b = next;
    }
}

void heap_free_all(struct heap *h)
{
    struct heap_space *space = h->space;
    if (space == NULL)
        return;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        give_blocks(h, space->old[i].blocks);
    give_blocks(h, space->large);
    give_blocks(h, space->large_new);
    while (space->remembered != NULL) {
        struct slot_chunk *next = space->remembered->next;
        pool_give(space->pool, space->remembered, 1);
        heap_uncount(h, CHUNK);
        space->remembered = next;
    }
    pool_give(space->pool, (void *)h->nursery_base, h->nursery_size / CHUNK);
    pool_give(space->pool, (void *)space->other_nursery, h->nursery_size / CHUNK);
    heap_uncount(h, h->nursery_size);
    serials_drop(h);
    hosts_drop(h);
    heap_mfree(h, h->slots, h->slot_capacity * sizeof(val));
    for (size_t i = 0; i < ARRAY_LENGTH(h->console); i++)
        heap_mfree(h, h->console[i].data, h->console[i].capacity);
    pool_give(space->pool, space, 1);
    heap_uncount(h, CHUNK);
    h->space = NULL;
}

bool heap_owner_add(struct heap *h, root_tracer *trace, void *owner)
{
    if (h->owner_count == ARRAY_LENGTH(h->owners))
        return false;
    h->owners[h->owner_count++] = (struct root_owner){trace, owner};
    return true;
}

void heap_on_full(struct heap *h, heap_full_callback *callback)
{
    h->space->on_full = callback;
}

val heap_request_full(struct heap *h)
{
    if (h->space->full_answered) {
        h->space->full_answered = false;
        return TRUE;
    }
    h->space->full_requested = true;
    return refuse(h, 0);
}
