/* T2 memory: what everybody above may know of the heap.
 *
 * Allocation never collects (I3). heap_alloc and cons answer RETRY where there
 * is no room; the caller passes it up (TRY), having changed nothing anybody can
 * see, and the VM collects and calls again. So a function allocates everything
 * it needs first and acts afterwards, and may keep plain `val`s in plain
 * variables until it returns. A function that makes many small objects calls
 * heap_reserve with their total first; that is what guarantees progress.
 *
 * New objects are born in the nursery (or, from LARGE_OBJECT bytes on, in a
 * chunk run of their own); survivors of a minor collection are old and stay where
 * they are, but that thin.c may move them before a context would be out of memory.
 * Code is born old (heap_alloc_code) and literal constants are born old and
 * constant (heap_alloc_constant): these, and what a code's literals name, never
 * move.
 *
 * Everything a context owns is counted against heap->limit, in chunks.
 * Only heap.c and gc.c know how blocks look. */
#ifndef CB_HEAP_H
#define CB_HEAP_H

#include "object.h"
#include <stdatomic.h>

#define CHUNK 4096u
#define LARGE_OBJECT 2048u

struct engine; /* page pool and images, shared by contexts (engine.h) */
struct block;
struct image;

enum limit_reason { LIMIT_FUEL, LIMIT_OUTPUT, LIMIT_MEMORY };

/* Values that live as long as the context and that C looks up by number. */
enum root {
    ROOT_SYMBOLS,      /* symbol table storage (symbol.c)                        */
    ROOT_LIBRARIES,    /* TABLE: library name (written form, string) -> LIBRARY  */
    ROOT_CORE,         /* ENVIRONMENT of all primitives, core syntax and boot    */
    ROOT_TOP,          /* ENVIRONMENT of the context's program                   */
    ROOT_EVAL_UNIT,    /* boot procedures, by the names of boot/hooks.scm:       */
    ROOT_RAISE,        /*   (condition) a primitive or the VM raised             */
    ROOT_REWIND,       /*   (continuation values-list) dynamic-wind's slow path  */
    ROOT_APPLY_RECORD, /*   reserved                                             */
    ROOT_OUTPUT_PORT,  /* the three console ports                                */
    ROOT_ERROR_PORT,
    ROOT_INPUT_PORT,
    ROOT_HOOKS,   /* VECTOR of further boot hooks                           */
    ROOT_HANDLES, /* refs.c: values the host holds                          */
    ROOT_LITERAL, /* scratch for the front end                              */
    ROOT_TICK,    /* procedure (frame) that is called when a run's tick is due */
    ROOT_COUNT = 24
};

/* Called by the collector for whoever owns values outside the heap (the VM's
 * stacks, the front end's tables). `visit` updates the slot in place. */
typedef void root_visitor(void *collector, val *slot);
typedef void root_tracer(void *owner, root_visitor *visit, void *collector);

struct heap {
    /* nursery: [base, end), bump at `free`; the VM inlines this */
    uintptr_t nursery_base;
    uintptr_t nursery_size;
    uintptr_t free;
    uintptr_t end;

    /* the top-level variables: slots[0 .. slot_count) (see slots.h) */
    val *slots;
    size_t slot_count;
    size_t slot_capacity;

    val roots[ROOT_COUNT];

    /* the outcome of the primitive that is running */
    val raised;           /* with RAISE: the condition                             */
    val step;             /* with STEP: the primitive's state; FALSE at first call */
    uint64_t charge;      /* units to add to fuel when the result is committed     */
    uint64_t afford;      /* what the run may still spend (VM keeps it current)    */
    uint8_t limit_reason; /* with LIMIT: enum limit_reason                      */
    size_t wanted;        /* with RETRY: bytes that would have helped              */

    /* what the console ports wrote in this run, until the host takes it (port.c) */
    struct console_buffer {
        char *data; /* UTF-8, heap_malloc */
        size_t length, capacity;
    } console[2];                       /* 0 output, 1 error */
    uint64_t output_used, output_limit; /* bytes of both, a run */
    uint32_t depth_max;                 /* nesting of source text and expansion */

    /* accounting */
    size_t used; /* bytes counted now                                     */
    size_t limit;
    size_t peak;
    uint64_t collections;
    uint64_t serial;     /* next identity-hash serial, identifier serial ...      */
    uint64_t gc_stress;  /* collect at every Nth safepoint, 0 off                */
    uint64_t fail_after; /* fail the Nth allocation from now, 0 off (tests)     */
    bool fail_persist;
    _Atomic bool
        interrupt; /* another thread wants this context stopped: long C loops poll heap_poll */

    /* owned by heap.c and gc.c */
    struct heap_space *space;
    struct engine *engine;
    const struct image *image; /* base image, or NULL while the first one is made */

    /* owners of further roots, set by vm.c and front.c */
    struct root_owner {
        root_tracer *trace;
        void *owner;
    } owners[4];
    size_t owner_count;
};

/* -- life ------------------------------------------------------------------ */
/* False: no memory (nothing is left allocated then). */
MUST_USE bool heap_init(struct heap *h, struct engine *engine, size_t limit);
void heap_free_all(struct heap *h);

/* -- allocation ------------------------------------------------------------- */
/* A new object; fields, raw words and body are NOT initialised: the caller
 * fills all value words before it returns. RETRY without room. */
MUST_USE val heap_alloc(struct heap *h, enum type type, size_t length, unsigned flags);
/* Make sure that `bytes` of small objects fit in the nursery; else RETRY. At
 * most RESERVE_MAX: what needs more goes in steps or is written in Scheme. */
#define RESERVE_MAX ((size_t)256 << 10)
MUST_USE val heap_reserve(struct heap *h, size_t bytes);
MUST_USE val cons(struct heap *h, val a, val d);
/* Constant, old, never moving. For literals, code, symbol names. RETRY only
 * when the limit is reached. */
MUST_USE val heap_alloc_constant(struct heap *h, enum type type, size_t length, unsigned flags);
MUST_USE val heap_cons_constant(struct heap *h, val a, val d);
MUST_USE val heap_alloc_code(struct heap *h, enum type type, size_t length, unsigned flags);

/* Memory outside the heap (arenas, buffers, stacks), counted. NULL: no room. */
MUST_USE void *heap_malloc(struct heap *h, size_t bytes);
MUST_USE void *heap_realloc(struct heap *h, void *p, size_t old_bytes, size_t bytes);
void heap_mfree(struct heap *h, void *p, size_t bytes);

/* -- stores ------------------------------------------------------------------ */
static inline bool heap_is_young(const struct heap *h, val v)
{
    return is_pointer(v) && (uintptr_t)v.bits - h->nursery_base < h->nursery_size;
}

/* Slow half of heap_store: remembers the slot. Never fails. */
void heap_remember(struct heap *h, val *slot);

/* Store into a field of `object` (a pair or an object). Every store into the
 * heap after initialisation goes through here. */
static inline void heap_store(struct heap *h, val object, val *slot, val v)
{
    if (heap_is_young(h, v) && !heap_is_young(h, object) && !heap_is_young(h, *slot))
        heap_remember(h, slot);
    *slot = v;
}

/* What the mutators in the VM need of a block: its flags stand in this word of the
 * object's chunk, and these bits mean that nothing in it may change. */
#define BLOCK_FLAGS_WORD 2u
#define BLOCK_FROZEN UINT64_C(3)

static inline bool heap_block_is_frozen(val v)
{
    const uint64_t *block = (const uint64_t *)(uintptr_t)(v.bits & ~(uint64_t)(CHUNK - 1));
    return (block[BLOCK_FLAGS_WORD] & BLOCK_FROZEN) != 0;
}

/* May this pair or object be changed? False: a literal, or the shared image.
 * The mutators raise with raise_constant (condition.h). */
static inline MUST_USE bool heap_is_mutable(const struct heap *h, val object)
{
    if (!is_pointer(object) || (is_object(object) && object_flag(object, FLAG_CONSTANT)))
        return false;
    return heap_is_young(h, object) || !heap_block_is_frozen(object);
}

/* heap_store into an object that is known to be mutable and not young. */
static inline void heap_store_old(struct heap *h, val *slot, val v)
{
    if (heap_is_young(h, v) && !heap_is_young(h, *slot))
        heap_remember(h, slot);
    *slot = v;
}

/* -- fuel and interruption seen from C ------------------------------------------- */
static inline void heap_charge(struct heap *h, uint64_t units)
{
    h->charge += units;
}

/* Charge for `bytes` read, written or allocated. */
static inline void heap_work(struct heap *h, size_t bytes)
{
    h->charge += bytes / 64;
}

/* LIMIT where the run cannot pay `units` beyond what is charged already. */
static inline MUST_USE val heap_afford(struct heap *h, uint64_t units)
{
    return h->charge + units < units || h->charge + units > h->afford ? LIMIT : TRUE;
}

/* True where a long loop in C must give up at once (interrupt, or charge above
 * afford): return LIMIT then; the VM finds out which. */
static inline MUST_USE bool heap_poll(struct heap *h)
{
    return h->charge > h->afford || atomic_load_explicit(&h->interrupt, memory_order_relaxed);
}

/* -- identity ------------------------------------------------------------------ */
/* A number for an object, the same for its life and in every image of it,
 * independent of addresses. Pairs included. RETRY possible. */
MUST_USE val heap_identity(struct heap *h, val object); /* fixnum */

/* -- slots: top-level variables --------------------------------------------------- */
/* A fresh slot holding UNBOUND; its index as fixnum, or RETRY. */
MUST_USE val heap_new_slot(struct heap *h);
/* The collector scans all of slots[]; so a plain store is enough. */
static inline void heap_set_slot(struct heap *h, size_t i, val v)
{
    h->slots[i] = v;
}

/* -- collection: called by the VM at safepoints only ---------------------------------- */
enum collect { COLLECT_MINOR, COLLECT_FULL };
/* After this, `wanted` bytes of small objects fit if the limit allows. False:
 * out of memory (ENGINE.md 6: less than 1/32 of the limit free after a full one). */
MUST_USE bool heap_collect_gc(struct heap *h, enum collect how, size_t wanted);
bool heap_owner_add(struct heap *h, root_tracer *trace, void *owner);
/* Called at each full collection between marking and sweeping, to drop dead
 * entries of the symbol table (symbols_prune). It allocates nothing. While one is
 * registered, ROOT_SYMBOLS keeps nothing alive but what the callback leaves. */
typedef void heap_full_callback(struct heap *h, bool (*alive)(void *context, val v), void *context);
void heap_on_full(struct heap *h, heap_full_callback *callback);
/* For the primitive that asks for a full collection: RETRY the first time, TRUE
 * when it is called again after heap_collect_gc. */
MUST_USE val heap_request_full(struct heap *h);
/* The context is idle: give the nursery back but for its first size. At a safepoint. */
void heap_idle_gc(struct heap *h);

/* -- walking (image.c, debug) ------------------------------------------------------ */
/* Calls `visit` for each value word of a pair or object, in layout order. */
typedef void field_visitor(void *context, val *slot);
void trace_fields(val object, field_visitor *visit, void *context);

#endif
