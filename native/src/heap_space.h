/* T2, private to heap.c, gc.c, serial.c, refs.c and image.c: how memory looks.
 *
 * The old generation is made of blocks: one 4 KiB page with a header and objects
 * of less than LARGE_OBJECT bytes, or a run of pages with one large object. The
 * header of an object's block is found by masking its address, as every object
 * starts in the first page of its block. A mark bit is set for the start of each
 * object that is allocated or survived the last full collection; so a block can
 * be walked, and what no bit covers is free.
 *
 * Accounting: used = nursery + blocks + side memory. The mutator may use memory
 * only while `heap_room` stays >= 0, which keeps enough back for the promotion of
 * a whole nursery; so a minor collection cannot fail once it has begun. */
#ifndef CB_HEAP_SPACE_H
#define CB_HEAP_SPACE_H

#include "engine.h"
#include "heap.h"

#define GRANULE 16u
#define BLOCK_GRANULES (CHUNK / GRANULE)
#define BLOCK_FIRST 4u /* granules of the header */
#define NURSERY_FIRST ((size_t)8 << 10)
#define NURSERY_MOST ((size_t)1 << 20)
#define HEAP_LIMIT_LEAST ((size_t)64 << 10)
#define POISON UINT64_C(0xF7F7F7F7F7F7F7F7)

enum {
    BLOCK_CONSTANT = 1,
    BLOCK_IMAGE = 2, /* belongs to an image: never marked, traced or freed here */
    BLOCK_CODE = 4,
    BLOCK_LARGE = 8,
    BLOCK_QUEUED = 16, /* on the pending or dirty list                             */
    BLOCK_PINNED = 32, /* thin.c: somebody knows an object in it by its address     */
    BLOCK_LEAVING = 64 /* thin.c: its objects have moved out                        */
};

struct block {
    struct block *next;
    struct block *queue;
    uint32_t flags;
    uint32_t pages;
    uint64_t spare; /* 1 + the image's private page it was copied from, or 0 */
    uint64_t marks[4];
};
_Static_assert(sizeof(struct block) == (size_t)BLOCK_FIRST * GRANULE, "header of a block");
_Static_assert(offsetof(struct block, flags) == BLOCK_FLAGS_WORD * sizeof(uint64_t) &&
                   BLOCK_FROZEN == (BLOCK_CONSTANT | BLOCK_IMAGE),
               "heap_block_is_frozen reads the low half of that word");

enum space_kind { SPACE_PLAIN, SPACE_CONSTANT, SPACE_CODE, SPACE_COUNT };

/* Blocks of one kind and where the next object goes. */
struct old_space {
    uint32_t flags;
    unsigned cursor; /* granule of `hunting` to look from               */
    struct block *blocks;
    struct block *hunting;      /* where to look for the next hole; NULL: nowhere  */
    uintptr_t free, end;        /* the hole in use                                 */
    uintptr_t fresh, fresh_end; /* for objects that did not fit the hole        */
    struct block *medium;       /* where to look for a hole for one medium object  */
    unsigned medium_cursor;
};

struct slot_chunk {
    struct slot_chunk *next;
    size_t count;
    val *slots[(CHUNK - 16) / sizeof(val *)];
};

/* Serial numbers by address, open addressing; counted memory. */
struct serial_map {
    struct serial_entry {
        uint64_t key; /* bits of the value; 0: free */
        uint64_t serial;
    } * entries;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* An object that stands for something of the host. */
struct host_entry {
    uint64_t object; /* bits; 0: dead, `id` says who it was */
    uint64_t id;
};

struct heap_space {
    struct page_pool *pool;
    struct old_space old[SPACE_COUNT];
    struct block *large;     /* survived a minor collection, or has no young fields */
    struct block *large_new; /* allocated since; scanned whole at the next one      */
    struct block *dirty;     /* constant and code blocks that got objects since     */
    struct slot_chunk *remembered;
    size_t remembered_chunks;
    bool scan_old; /* remembering failed: scan everything                 */
    bool collecting;
    bool full_requested, full_answered; /* heap_request_full                   */
    bool poison;
    uintptr_t other_nursery; /* poisoned spare region of the same size, or 0        */
    uintptr_t reserved_end;  /* heap_reserve promised up to here                    */
    size_t outside_wanted;   /* what a refused chunk or heap_malloc asked for       */
    size_t live_after_full;  /* used without nursery after the last full collection */
    struct serial_map young_serials, old_serials;
    const struct serial_entry *shared_serials; /* of the image, by key */
    size_t shared_serial_count;
    struct host_entry *hosts;
    size_t host_count, host_capacity;
    uint64_t *dropped;
    size_t dropped_count, dropped_capacity;
    heap_full_callback *on_full;
};

static inline struct block *block_of(val v)
{
    return (struct block *)(v.bits & ~(uint64_t)(CHUNK - 1));
}

static inline unsigned granule_of(val v)
{
    return (unsigned)(v.bits & (CHUNK - 1)) / GRANULE;
}

static inline bool block_marked(const struct block *b, unsigned granule)
{
    return (b->marks[granule / 64] >> (granule % 64)) & 1;
}

static inline void block_mark(struct block *b, unsigned granule)
{
    b->marks[granule / 64] |= (uint64_t)1 << (granule % 64);
}

/* Size of a pair or object. */
static inline size_t val_size(val v)
{
    return is_pair(v) ? 16 : header_size(object_header(v));
}

/* The value for what starts at an address in a block. */
static inline val val_at(uintptr_t address)
{
    uint64_t first = *(const uint64_t *)address;
    return VAL(address + ((first & TAG_MASK) == TAG_HEADER ? TAG_OBJECT : TAG_PAIR));
}

/* Forwarding word: tag 7 and the top bit, which no header has. */
#define FORWARD_MARK (((uint64_t)1 << 63) | TAG_HEADER)

static inline bool is_forward(uint64_t first)
{
    return (first & FORWARD_MARK) == FORWARD_MARK;
}

static inline uintptr_t forward_address(uint64_t first)
{
    return (uintptr_t)(first & ~FORWARD_MARK);
}

/* Where a value is now, while blocks are LEAVING. */
static inline val thinned(val v)
{
    if (!is_pointer(v) || !(block_of(v)->flags & BLOCK_LEAVING))
        return v;
    return VAL(forward_address(*(const uint64_t *)val_address(v)) + val_tag(v));
}

/* What the promotion of a nursery of `bytes` may take at worst: two neighbouring
 * fresh blocks hold more than one block's payload together. */
static inline size_t promotion_reserve(size_t bytes)
{
    return 2 * bytes + bytes / 16 + 4 * CHUNK;
}

/* heap.c, for the collector and the image loader */
void heap_count(struct heap *h, size_t bytes);
void heap_uncount(struct heap *h, size_t bytes);
size_t heap_room(const struct heap *h);
/* Old memory for an object; NULL without room (never while collecting). */
MUST_USE uint64_t *old_alloc(struct heap *h, enum space_kind kind, size_t bytes);
/* Forget all holes; look again from the first block. */
void old_rewind(struct old_space *space);
struct block *large_alloc(struct heap *h, size_t bytes, uint32_t flags);
void block_queue(struct block **list, struct block *b);
struct block *block_unqueue(struct block **list);
/* Calls `visit` for everything allocated in the blocks of the heap. */
typedef void object_visitor(void *context, val object);
void block_walk(struct block *b, object_visitor *visit, void *context);
/* A nursery of `bytes`, replacing an empty one. False: no memory. */
MUST_USE bool nursery_resize(struct heap *h, size_t bytes);

/* gc.c */
MUST_USE bool gc_is_alive(val v);
void gc_visit_roots(struct heap *h, root_visitor *visit, void *collector, bool symbols);

/* thin.c: right after a full collection, move objects out of sparse blocks; true:
 * that freed chunks, and doing it again may free more. */
MUST_USE bool thin(struct heap *h);

/* serial.c */
void serials_after_minor(struct heap *h);
void serials_after_full(struct heap *h);
void serials_after_thin(struct heap *h);
void serials_drop(struct heap *h);
bool serial_find(const struct heap *h, val object, uint64_t *serial);
MUST_USE bool serial_put(struct heap *h, val object, uint64_t serial);

/* refs.c */
MUST_USE bool hosts_make_room(struct heap *h);
void hosts_add(struct heap *h, val object);
void hosts_after_minor(struct heap *h);
void hosts_after_full(struct heap *h);
void hosts_after_thin(struct heap *h);
void hosts_drop(struct heap *h);

#endif
