/* T0 memory from the platform. See alloc.h.
 *
 * A slab is 1 MiB, aligned to 1 MiB, so a page finds its slab by a mask. Its
 * first page is the header with a bitmap (bit set: page free). A slab that is
 * wholly free goes back to the platform, unless it is the last spare one or a
 * reservation needs it. Pages never used yet stay untouched by us: the platform
 * maps them at first use. With AddressSanitizer free pages are poisoned. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "alloc.h"
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(WITH_ASAN)
#define WITH_ASAN 1
#endif

#ifdef WITH_ASAN
void __asan_poison_memory_region(void const volatile *p, size_t n);
void __asan_unpoison_memory_region(void const volatile *p, size_t n);
#define HIDE(p, n) __asan_poison_memory_region((p), (n))
#define SHOW(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define HIDE(p, n) ((void)0)
#define SHOW(p, n) ((void)0)
#endif

#define SLAB_BYTES ((size_t)1 << 20)
#define SLAB_PAGES (SLAB_BYTES / PAGE)
#define SLAB_WORDS (SLAB_PAGES / 64)

struct slab {
    struct slab *next, *previous;
    size_t free_pages;
    uint64_t free[SLAB_WORDS];
};

/* -- the platform ----------------------------------------------------------- */
void *alloc_new(size_t bytes)
{
    return malloc(bytes == 0 ? 1 : bytes);
}

void *alloc_resize(void *p, size_t bytes)
{
    return realloc(p, bytes == 0 ? 1 : bytes);
}

void alloc_free(void *p)
{
    free(p);
}

void *alloc_map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void alloc_unmap(void *p, size_t bytes)
{
    SHOW(p, bytes);
    if (p != NULL)
        (void)munmap(p, bytes);
}

bool alloc_protect(void *p, size_t bytes)
{
    return mprotect(p, bytes, PROT_READ) == 0;
}

/* -- slabs ------------------------------------------------------------------- */
static bool page_is_free(const struct slab *s, size_t i)
{
    return (s->free[i / 64] >> (i % 64)) & 1;
}

static void page_set(struct slab *s, size_t from, size_t pages, bool is_free)
{
    for (size_t i = from; i < from + pages; i++) {
        uint64_t bit = (uint64_t)1 << (i % 64);
        if (is_free)
            s->free[i / 64] |= bit;
        else
            s->free[i / 64] &= ~bit;
    }
}

/* The first page of a free run, or SLAB_PAGES. */
static size_t slab_find(const struct slab *s, size_t pages)
{
    size_t run = 0;
    for (size_t i = 0; i < SLAB_PAGES; i++) {
        if (run == 0 && s->free[i / 64] >> (i % 64) == 0) {
            i |= 63; /* nothing more in this word */
            continue;
        }
        run = page_is_free(s, i) ? run + 1 : 0;
        if (run == pages)
            return i + 1 - pages;
    }
    return SLAB_PAGES;
}

static struct slab *slab_map(void)
{
    char *p = alloc_map(2 * SLAB_BYTES);
    if (p == NULL)
        return NULL;
    size_t before = (size_t)(-(uintptr_t)p & (SLAB_BYTES - 1));
    if (before != 0)
        alloc_unmap(p, before);
    alloc_unmap(p + before + SLAB_BYTES, SLAB_BYTES - before);
    return (struct slab *)(void *)(p + before);
}

/* Under the lock. */
static struct slab *slab_new(struct page_pool *pool)
{
    struct slab *s = slab_map();
    if (s == NULL)
        return NULL;
    s->free_pages = SLAB_PAGES - 1;
    page_set(s, 1, SLAB_PAGES - 1, true);
    s->next = pool->slabs;
    if (s->next != NULL)
        s->next->previous = s;
    pool->slabs = s;
    pool->free_pages += s->free_pages;
    pool->bytes_mapped += SLAB_BYTES;
    HIDE((char *)s + PAGE, SLAB_BYTES - PAGE);
    return s;
}

static void slab_drop(struct page_pool *pool, struct slab *s)
{
    if (s->previous != NULL)
        s->previous->next = s->next;
    else
        pool->slabs = s->next;
    if (s->next != NULL)
        s->next->previous = s->previous;
    pool->free_pages -= s->free_pages;
    pool->bytes_mapped -= SLAB_BYTES;
    alloc_unmap(s, SLAB_BYTES);
}

/* -- the pool ------------------------------------------------------------------ */
void pool_init(struct page_pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
}

void pool_drop(struct page_pool *pool)
{
    CHECK(pool->pages_out == 0);
    while (pool->slabs != NULL)
        slab_drop(pool, pool->slabs);
    pthread_mutex_destroy(&pool->lock);
}

/* Under the lock; leaves `keep` free pages untouched unless it maps new ones. */
static void *take_run(struct page_pool *pool, size_t pages, size_t keep)
{
    struct slab *s = pool->slabs;
    size_t at = SLAB_PAGES;
    if (pool->free_pages < keep + pages)
        s = NULL;
    for (; s != NULL; s = s->next) {
        if (s->free_pages < pages)
            continue;
        at = slab_find(s, pages);
        if (at < SLAB_PAGES)
            break;
    }
    if (s == NULL) {
        s = slab_new(pool);
        if (s == NULL)
            return NULL;
        at = slab_find(s, pages);
    }
    page_set(s, at, pages, false);
    s->free_pages -= pages;
    pool->free_pages -= pages;
    pool->pages_out += pages;
    char *run = (char *)s + at * PAGE;
    SHOW(run, pages * PAGE);
    return run;
}

void *pool_take(struct page_pool *pool, size_t pages)
{
    void *run;
    pthread_mutex_lock(&pool->lock);
    if (pages <= POOL_RUN_MAX) {
        run = take_run(pool, pages, pool->reserved_pages);
    } else {
        run = alloc_map(pages * PAGE);
        pool->pages_out += run == NULL ? 0 : pages;
        pool->bytes_mapped += run == NULL ? 0 : pages * PAGE;
    }
    pthread_mutex_unlock(&pool->lock);
    return run;
}

void pool_give(struct page_pool *pool, void *run, size_t pages)
{
    if (run == NULL)
        return;
    if (pages <= POOL_RUN_MAX)
        memset(run, 0, pages * PAGE);
    pthread_mutex_lock(&pool->lock);
    pool->pages_out -= pages;
    if (pages > POOL_RUN_MAX) {
        pool->bytes_mapped -= pages * PAGE;
        alloc_unmap(run, pages * PAGE);
    } else {
        struct slab *s = (struct slab *)((uintptr_t)run & ~(SLAB_BYTES - 1));
        size_t at = (size_t)((char *)run - (char *)s) / PAGE;
        CHECK(!page_is_free(s, at));
        HIDE(run, pages * PAGE);
        page_set(s, at, pages, true);
        s->free_pages += pages;
        pool->free_pages += pages;
        if (s->free_pages == SLAB_PAGES - 1 &&
            pool->free_pages >= pool->reserved_pages + 2 * (SLAB_PAGES - 1))
            slab_drop(pool, s);
    }
    pthread_mutex_unlock(&pool->lock);
}

bool pool_reserve(struct page_pool *pool, size_t pages)
{
    bool ok = true;
    pthread_mutex_lock(&pool->lock);
    while (ok && pool->free_pages < pool->reserved_pages + pages)
        ok = slab_new(pool) != NULL;
    if (ok)
        pool->reserved_pages += pages;
    pthread_mutex_unlock(&pool->lock);
    return ok;
}

void pool_release(struct page_pool *pool, size_t pages)
{
    pthread_mutex_lock(&pool->lock);
    pool->reserved_pages -= pages;
    pthread_mutex_unlock(&pool->lock);
}

void *pool_take_reserved(struct page_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->reserved_pages -= 1;
    void *run = take_run(pool, 1, 0);
    pthread_mutex_unlock(&pool->lock);
    CHECK(run != NULL);
    return run;
}
