/* T3 pairs: walking lists that may be improper, circular or very long.
 *
 * A walk charges one unit for four elements and polls every 4,096. Cycles are
 * found with Brent's method: one compare an element. */
#ifndef CB_PAIR_H
#define CB_PAIR_H

#include "heap.h"

#define PAIR_BYTES ((size_t)16)
/* Pairs that one heap_reserve can promise. */
#define PAIRS_MAX (RESERVE_MAX / PAIR_BYTES)

enum list_shape { LIST_PROPER, LIST_DOTTED, LIST_CIRCULAR, LIST_STOPPED /* return LIMIT */ };

struct list_walk {
    val at;       /* what is left; read the element with car(w.at)            */
    size_t count; /* elements passed                                          */
    val anchor;
    size_t next_anchor;
};

static inline struct list_walk list_walk_from(val list)
{
    return (struct list_walk){list, 0, HOLE, 1};
}

/* Slow path of list_step; every 4,096 elements. False: stop with LIMIT. */
bool list_poll(struct heap *h);

/* Pass one element (w->at is a pair). LIST_PROPER: go on while w->at is a pair.
 * Call list_charge once when done. */
static inline MUST_USE enum list_shape list_step(struct heap *h, struct list_walk *w)
{
    w->at = cdr(w->at);
    if (UNLIKELY(is_eq(w->at, w->anchor)))
        return LIST_CIRCULAR;
    if (UNLIKELY(++w->count == w->next_anchor)) {
        w->anchor = is_pair(w->at) ? w->at : HOLE;
        w->next_anchor *= 2;
    }
    if (UNLIKELY((w->count & 4095) == 0) && !list_poll(h))
        return LIST_STOPPED;
    return LIST_PROPER;
}

/* For the elements since the last multiple of 4,096. */
static inline void list_charge(struct heap *h, const struct list_walk *w)
{
    heap_charge(h, (w->count & 4095) / 4);
}

/* Number of pairs (for LIST_CIRCULAR: some number). *tail (may be NULL): what
 * stands behind the last pair. */
MUST_USE enum list_shape list_measure(struct heap *h, val list, size_t *count, val *tail);

/* Argument i as a proper list of *count elements; else RAISE or LIMIT. */
MUST_USE val list_argument(struct heap *h, const val *args, size_t i, size_t *count);
/* What to answer for a shape that is not LIST_PROPER: RAISE, or LIMIT. */
MUST_USE val list_refuse(struct heap *h, enum list_shape shape, size_t i, val list);

#endif
