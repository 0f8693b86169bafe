/* T0 memory from the platform: the only door to malloc, mmap and mprotect.
 *
 * A page pool hands out runs of 4 KiB pages, aligned to 4 KiB and zeroed; it is
 * shared by all contexts of an engine and safe for threads. Runs of at most
 * POOL_RUN_MAX pages come from slabs of 1 MiB, longer ones straight from the
 * platform. Pages are wiped when they are given back, so one context never sees
 * what another wrote. Knows nothing of limits: heap.c counts. */
#ifndef CB_ALLOC_H
#define CB_ALLOC_H

#include "base.h"
#include <pthread.h>

#define PAGE ((size_t)4096)
#define POOL_RUN_MAX 64u

struct slab;

struct page_pool {
    pthread_mutex_t lock;
    struct slab *slabs;    /* every slab                                    */
    size_t free_pages;     /* in all slabs                                  */
    size_t reserved_pages; /* of these, promised to collections             */
    size_t pages_out;      /* handed out now, direct runs included          */
    size_t bytes_mapped;   /* from the platform now                         */
};

void pool_init(struct page_pool *pool);
/* Unmaps everything; no page may be out. */
void pool_drop(struct page_pool *pool);
/* A run of `pages` zeroed pages; NULL without memory. */
MUST_USE void *pool_take(struct page_pool *pool, size_t pages);
void pool_give(struct page_pool *pool, void *run, size_t pages);
/* Promise `pages` single pages: pool_take_reserved then cannot fail that often.
 * The caller releases what it did not take. */
MUST_USE bool pool_reserve(struct page_pool *pool, size_t pages);
void pool_release(struct page_pool *pool, size_t pages);
MUST_USE void *pool_take_reserved(struct page_pool *pool);

/* Plain blocks: malloc, realloc, free. */
MUST_USE void *alloc_new(size_t bytes);
MUST_USE void *alloc_resize(void *p, size_t bytes);
void alloc_free(void *p);

/* Pages straight from the platform, zeroed, for images. */
MUST_USE void *alloc_map(size_t bytes);
void alloc_unmap(void *p, size_t bytes);
/* From now on a store there is a fault. */
MUST_USE bool alloc_protect(void *p, size_t bytes);

#endif
