/* T8 the packed form: buffers, stacks and roots that packing and unpacking
 * share. See wire.h. Every _gc function may collect: no value may be kept in a C
 * variable over a call of it. */
#include "wire.h"

enum { KEEP_BYTES = 64 << 10, FIRST_BYTES = 512, FIRST_ITEMS = 32, TRIES = 4 };

static void trace(void *owner, root_visitor *visit, void *collector)
{
    struct wire *w = owner;
    for (size_t i = 0; i < w->count; i++)
        visit(collector, &w->values[i]);
    for (size_t i = 0; i < w->depth; i++) {
        visit(collector, &w->frames[i].v);
        visit(collector, &w->frames[i].at);
    }
    visit(collector, &w->item);
    visit(collector, &w->subject);
}

bool wire_init(struct wire *w, struct heap *h)
{
    memset(w, 0, sizeof *w);
    w->heap = h;
    w->most = SIZE_MAX;
    w->item = w->subject = FALSE;
    return heap_owner_add(h, trace, w);
}

static void drop(struct heap *h, void *p, size_t bytes)
{
    if (p)
        heap_mfree(h, p, bytes);
}

void wire_free(struct wire *w)
{
    struct heap *h = w->heap;
    drop(h, w->data, w->capacity);
    drop(h, w->frames, w->frame_capacity * sizeof *w->frames);
    drop(h, w->values, w->value_capacity * sizeof *w->values);
    drop(h, w->ids, w->id_capacity * sizeof *w->ids);
    w->data = NULL;
    w->frames = NULL;
    w->values = NULL;
    w->ids = NULL;
    w->length = w->capacity = w->depth = w->frame_capacity = 0;
    w->count = w->value_capacity = w->id_count = w->id_capacity = 0;
}

void wire_reset(struct wire *w)
{
    if (UNLIKELY(w->capacity + w->frame_capacity * sizeof *w->frames +
                     w->value_capacity * sizeof *w->values + w->id_capacity * sizeof *w->ids >
                 KEEP_BYTES))
        wire_free(w);
    w->length = 0;
    w->depth = w->base = 0;
    w->count = 0;
    w->id_count = 0;
    w->item = w->subject = FALSE;
    w->most = SIZE_MAX;
    w->why = "";
}

bool wire_again_gc(struct wire *w, unsigned *tries, val v)
{
    if (LIKELY(!is_eq(v, RETRY)) || *tries >= TRIES)
        return false;
    enum collect how = *tries == 0 ? COLLECT_MINOR : COLLECT_FULL;
    ++*tries;
    return heap_collect_gc(w->heap, how, w->heap->wanted);
}

/* Double *items until `need` fit. False: no memory, even after a collection. */
static bool grow_gc(struct wire *w, void **items, size_t *capacity, size_t need, size_t size,
                    size_t first)
{
    size_t wanted = *capacity ? *capacity : first;
    size_t bytes;
    while (wanted < need)
        if (!size_mul(wanted, 2, &wanted))
            return false;
    for (unsigned tries = 0;; tries++) {
        if (!size_mul(wanted, size, &bytes))
            return false;
        void *p = *items ? heap_realloc(w->heap, *items, *capacity * size, bytes)
                         : heap_malloc(w->heap, bytes);
        if (p) {
            *items = p;
            *capacity = wanted;
            return true;
        }
        if (tries == 1)
            wanted = need;
        if (tries == 2 || !heap_collect_gc(w->heap, COLLECT_FULL, 0))
            return false;
    }
}

bool wire_room_gc(struct wire *w, size_t bytes)
{
    size_t need;
    if (LIKELY(w->capacity - w->length >= bytes))
        return true;
    if (!size_add(w->length, bytes, &need))
        return false;
    void *p = w->data;
    bool good = grow_gc(w, &p, &w->capacity, need, 1, FIRST_BYTES);
    w->data = p;
    return good;
}

bool wire_push_frame_gc(struct wire *w)
{
    if (UNLIKELY(w->depth == w->frame_capacity)) {
        void *p = w->frames;
        bool good =
            grow_gc(w, &p, &w->frame_capacity, w->depth + 1, sizeof *w->frames, FIRST_ITEMS);
        w->frames = p;
        if (!good)
            return false;
    }
    w->frames[w->depth] = (struct wire_frame){.v = FALSE, .at = FALSE};
    w->depth++;
    return true;
}

bool wire_room_values_gc(struct wire *w, size_t n)
{
    if (LIKELY(w->value_capacity - w->count >= n))
        return true;
    void *p = w->values;
    bool good = grow_gc(w, &p, &w->value_capacity, w->count + n, sizeof *w->values, FIRST_ITEMS);
    w->values = p;
    return good;
}
