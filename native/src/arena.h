/* T0 arena: memory of one compilation or conversion, dropped whole.
 *
 * Chunks come from heap_malloc and are counted against the context. `failed`
 * stays set after a refusal, so a phase may check once at its end: arena_alloc
 * then returns NULL, which every caller checks. Nothing in an arena is rooted:
 * values kept there are constants (born old, never moving) or are used before
 * the next safepoint. */
#ifndef CB_ARENA_H
#define CB_ARENA_H

#include "base.h"

struct heap;
struct arena_chunk;

struct arena {
    struct heap *heap;
    struct arena_chunk *chunks;
    char *free;
    char *end;
    size_t used;  /* bytes of the chunks */
    size_t given; /* bytes handed out */
    bool failed;
};

void arena_init(struct arena *a, struct heap *h);
void arena_drop(struct arena *a);
/* Zeroed, 16-byte aligned; NULL without room. */
MUST_USE void *arena_alloc(struct arena *a, size_t bytes);
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc_array((a), sizeof(type), (n)))
/* Once `failed` is set: a little more, uncounted, for code that checks only at the
 * end of a step (a chunk or so). Zeroed; NULL where the platform has none. */
MUST_USE void *arena_overdraft(struct arena *a, size_t bytes);
MUST_USE void *arena_alloc_array(struct arena *a, size_t size, size_t n);

#endif
