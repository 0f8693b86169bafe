/* T0 arenas. See arena.h.
 *
 * A chunk is a heap_malloc block that starts with its own size, so dropping
 * gives back exactly what was counted. Chunks grow from 4 KiB to 64 KiB; a
 * larger request gets a chunk to its measure. */
#include "arena.h"
#include "alloc.h"
#include "heap.h"

#define CHUNK_FIRST ((size_t)4096)
#define CHUNK_MOST ((size_t)64 << 10)

struct arena_chunk {
    struct arena_chunk *next;
    size_t bytes;
};

_Static_assert(sizeof(struct arena_chunk) == 16, "what follows a chunk's header is aligned");

void arena_init(struct arena *a, struct heap *h)
{
    memset(a, 0, sizeof *a);
    a->heap = h;
}

void arena_drop(struct arena *a)
{
    struct arena_chunk *chunk = a->chunks;
    while (chunk != NULL) {
        struct arena_chunk *next = chunk->next;
        heap_mfree(a->heap, chunk, chunk->bytes);
        chunk = next;
    }
    arena_init(a, a->heap);
}

static bool grow(struct arena *a, size_t bytes)
{
    size_t most = size_min(size_max(a->used, CHUNK_FIRST), CHUNK_MOST);
    size_t size = size_max(most, bytes + sizeof(struct arena_chunk));
    struct arena_chunk *chunk = heap_malloc(a->heap, size);
    if (chunk == NULL)
        return false;
    chunk->next = a->chunks;
    chunk->bytes = size;
    a->chunks = chunk;
    a->used += size;
    a->free = (char *)(chunk + 1);
    a->end = (char *)chunk + size;
    return true;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 4 || a->failed) {
        a->failed = true;
        return NULL;
    }
    bytes = size_round_up(size_max(bytes, 1), 16);
    if ((size_t)(a->end - a->free) < bytes && !grow(a, bytes)) {
        a->failed = true;
        return NULL;
    }
    void *p = a->free;
    a->free += bytes;
    a->given += bytes;
    return memset(p, 0, bytes);
}

void *arena_overdraft(struct arena *a, size_t bytes)
{
    bytes = size_round_up(size_max(bytes, 1), 16);
    if ((size_t)(a->end - a->free) < bytes) {
        size_t size = size_max(CHUNK_FIRST, bytes + sizeof(struct arena_chunk));
        struct arena_chunk *chunk = alloc_new(size);
        if (chunk == NULL)
            return NULL;
        chunk->next = a->chunks;
        chunk->bytes = 0; /* not counted */
        a->chunks = chunk;
        a->free = (char *)(chunk + 1);
        a->end = (char *)chunk + size;
    }
    void *p = a->free;
    a->free += bytes;
    return memset(p, 0, bytes);
}

void *arena_alloc_array(struct arena *a, size_t size, size_t n)
{
    size_t bytes;
    if (!size_mul(size, n, &bytes)) {
        a->failed = true;
        return NULL;
    }
    return arena_alloc(a, bytes);
}
