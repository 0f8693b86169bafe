/* T3 equality: eqv? and equal?.
 *
 * is_equal walks with an explicit stack and ends on cyclic and shared data in
 * nearly linear time (Adams and Dybvig 2008: a plain walk, interleaved with
 * short stretches that record what was found equal in a union-find forest). The
 * random choice of stretches comes from a fixed seed, so charges are the same
 * everywhere. Its memory is heap_malloc'd and gone when it returns. */
#ifndef CB_EQUAL_H
#define CB_EQUAL_H

#include "heap.h"

/* Slow half of is_eqv: both are objects. */
bool objects_eqv(val a, val b);

static inline bool is_eqv(val a, val b)
{
    return is_eq(a, b) || (is_object(a) && is_object(b) && objects_eqv(a, b));
}

/* As is_eqv, and charges for numbers that are long. */
bool eqv_paid(struct heap *h, val a, val b);

/* TRUE, FALSE, RETRY (no memory for its stack) or LIMIT. Charges one unit for
 * four nodes, polls. */
MUST_USE val is_equal(struct heap *h, val a, val b);

/* The name other modules know; never answers STEP. */
static inline MUST_USE val equal_step(struct heap *h, val a, val b)
{
    return is_equal(h, a, b);
}

#endif
