/* What the number tests have in place of the heap, conditions and strings.
 *
 * One malloc for each object, so that ASan sees each overrun. The nursery is a
 * count: heap_reserve and heap_alloc answer RETRY beyond its capacity, and
 * collect() then makes room for exactly what was wanted (at least 8 KiB): an
 * operation that never gets through that way would hang the machine. */
#ifndef NUM_STUB_H
#define NUM_STUB_H

#include "../../native/src/num_args.h"
#include "../../native/src/string.h"
#include <stdio.h>
#include <stdlib.h>

static struct heap heap;
static void *objects[1 << 20];
static size_t object_count, permanent_count;
static size_t nursery_used, nursery_capacity = 8192, outside;
static const char *raised;

const struct type_layout type_layouts[TYPE_COUNT] = {
#define TYPE(name, fields, raw, body) {#name, fields, raw, BODY_##body},
#include "../../native/src/types.def"
#undef TYPE
};

val heap_alloc(struct heap *h, enum type type, size_t length, unsigned flags)
{
    size_t bytes = header_size(HEADER(type, flags, length));
    if (bytes >= LARGE_OBJECT) {
        if (bytes > h->limit) {
            h->wanted = bytes;
            return RETRY;
        }
    } else if (nursery_used + bytes > nursery_capacity) {
        h->wanted = bytes;
        return RETRY;
    } else {
        nursery_used += bytes;
    }
    uint64_t *words = malloc(bytes);
    if (!words || object_count == ARRAY_LENGTH(objects))
        abort();
    objects[object_count++] = words;
    words[0] = HEADER(type, flags, length);
    return object_from(words);
}

val heap_reserve(struct heap *h, size_t bytes)
{
    if (bytes > RESERVE_MAX)
        abort();
    if (nursery_used + bytes <= nursery_capacity)
        return TRUE;
    h->wanted = bytes;
    return RETRY;
}

val cons(struct heap *h, val a, val d)
{
    val v = TRY(heap_alloc(h, T_BOX, 0, 0));
    val *p = (val *)object_words(v);
    p[0] = a;
    p[1] = d;
    return VAL((uintptr_t)p + TAG_PAIR);
}

void *heap_malloc(struct heap *h, size_t bytes)
{
    if (bytes > h->limit || outside + bytes > h->limit) {
        h->wanted = bytes;
        return NULL;
    }
    outside += bytes;
    return malloc(bytes);
}

void heap_mfree(struct heap *h, void *p, size_t bytes)
{
    (void)h;
    if (p)
        outside -= bytes;
    free(p);
}

val raise_condition(struct heap *h, enum condition_kind kind, const char *message, val irritants)
{
    (void)h, (void)kind, (void)irritants;
    raised = message;
    return RAISE;
}

val raise_type(struct heap *h, size_t index, const char *expected, val got)
{
    (void)h, (void)index, (void)expected, (void)got;
    raised = "type";
    return RAISE;
}

val raise_range(struct heap *h, size_t index, val got, int64_t low, size_t high)
{
    (void)h, (void)index, (void)got, (void)low, (void)high;
    raised = "range";
    return RAISE;
}

val raise_divide(struct heap *h)
{
    (void)h;
    raised = "divide";
    return RAISE;
}

val string_from_utf8(struct heap *h, const char *text, size_t n)
{
    val v = TRY(heap_alloc(h, T_ISTRING, n, 0));
    memcpy(object_bytes(v), text, n);
    return v;
}

static inline void heap_open(void)
{
    heap.afford = UINT64_MAX;
    heap.limit = (size_t)1 << 30;
    heap.step = FALSE;
}

/* Forget everything made since the last keep(). */
static inline void heap_forget(void)
{
    while (object_count > permanent_count)
        free(objects[--object_count]);
    nursery_used = 0;
    nursery_capacity = 8192;
    heap.charge = 0;
    heap.step = FALSE;
    if (outside != 0) {
        printf("LEAK %zu\n", outside);
        exit(1);
    }
}

static inline void keep(void)
{
    permanent_count = object_count;
}

/* What the machine does with RETRY; false: it would give up. */
static inline bool collect(void)
{
    nursery_used = 0;
    nursery_capacity = heap.wanted > 8192 ? heap.wanted : 8192;
    return heap.wanted <= heap.limit;
}

/* Call as the machine does: again after RETRY and STEP. */
static inline val call(primitive_function *f, const val *args, size_t n)
{
    heap.step = FALSE;
    for (unsigned tries = 0; tries < 4;) {
        heap.charge = 0;
        val v = f(&heap, args, n);
        if (is_eq(v, STEP)) {
            tries = heap.charge > 0 ? 0 : tries;
        } else if (is_eq(v, RETRY)) {
            tries++;
            if (!collect())
                return LIMIT;
        } else {
            heap.step = FALSE;
            return v;
        }
    }
    printf("LIVELOCK\n");
    exit(1);
}

#endif
