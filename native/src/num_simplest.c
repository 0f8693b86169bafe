/* T4 numbers: the simplest rational in an interval (rationalize).
 *
 * The common terms of the continued fractions of both ends, one at a time; for
 * doubles of very different size there may be a thousand, each making numbers,
 * so that the work is done in steps. The state between them is a T_STATE whose
 * values are the two ends a/b <= c/d, and the last two convergents. */
#include "num_tower.h"
#include <math.h>

enum { LOW_N, LOW_D, HIGH_N, HIGH_D, OLD_N, OLD_D, NEW_N, NEW_D, SLOTS };

enum { NEGATIVE = 1, INEXACT = 2 };

static val *slots_of(val state)
{
    return (val *)(void *)object_bytes(state);
}

static val save(struct heap *h, const val *slots, uint64_t flags)
{
    val state = TRY(heap_alloc(h, T_STATE, SLOTS, 0));
    memset(object_raw(state), 0, 4 * sizeof(uint64_t));
    object_raw(state)[0] = flags;
    memcpy(slots_of(state), slots, SLOTS * sizeof(val));
    h->step = state;
    return STEP;
}

/* The next convergent with this term. */
static val append(struct heap *h, val *s, val term)
{
    val n = TRY(int_mul(h, term, s[NEW_N]));
    val d = TRY(int_mul(h, term, s[NEW_D]));
    n = TRY(int_add(h, n, s[OLD_N]));
    d = TRY(int_add(h, d, s[OLD_D]));
    s[OLD_N] = s[NEW_N];
    s[OLD_D] = s[NEW_D];
    s[NEW_N] = n;
    s[NEW_D] = d;
    return TRUE;
}

static val finish(struct heap *h, val *s, val term, uint64_t flags)
{
    TRY(append(h, s, term));
    val n = flags & NEGATIVE ? TRY(int_negate(h, s[NEW_N])) : s[NEW_N];
    val r = TRY(rat_new(h, n, s[NEW_D]));
    return flags & INEXACT ? num_inexact(h, r) : r;
}

static val next_term(struct heap *h, val state)
{
    val s[SLOTS], low, low_rest, high, high_rest;
    uint64_t flags = object_raw(state)[0];
    memcpy(s, slots_of(state), sizeof s);
    size_t weight = 0;
    for (size_t i = 0; i < SLOTS; i++)
        weight += num_weight(s[i]);
    heap_work(h, weight);
    TRY(num_room(h, 24 * size_min(weight + 48, LARGE_OBJECT)));
    TRY(int_divide(h, s[LOW_N], s[LOW_D], &low, &low_rest));
    if (is_eq(low_rest, fixnum(0)))
        return finish(h, s, low, flags);
    TRY(int_divide(h, s[HIGH_N], s[HIGH_D], &high, &high_rest));
    if (int_compare(low, high) < 0) {
        val term = TRY(int_add(h, low, fixnum(1)));
        return finish(h, s, term, flags);
    }
    TRY(append(h, s, low));
    val low_d = s[LOW_D];
    s[LOW_N] = s[HIGH_D];
    s[LOW_D] = high_rest;
    s[HIGH_N] = low_d;
    s[HIGH_D] = low_rest;
    return save(h, s, flags);
}

static val start(struct heap *h, val x, val y, bool inexact)
{
    size_t weight = num_weight(x) + num_weight(y);
    TRY(num_room(h, 80 * size_min(weight + 48, LARGE_OBJECT)));
    if (num_sign(y) < 0)
        y = TRY(num_negate(h, y));
    val low = TRY(rat_sum_core(h, x, y, true));
    val high = TRY(rat_sum_core(h, x, y, false));
    uint64_t flags = inexact ? INEXACT : 0;
    if (num_sign(low) <= 0 && num_sign(high) >= 0)
        return inexact ? flonum(h, 0.0) : fixnum(0);
    if (num_sign(high) < 0) {
        val swap = TRY(num_negate(h, low));
        low = TRY(num_negate(h, high));
        high = swap;
        flags |= NEGATIVE;
    }
    val s[SLOTS] = {rat_numerator(low),  rat_denominator(low),
                    rat_numerator(high), rat_denominator(high),
                    fixnum(0),           fixnum(1),
                    fixnum(1),           fixnum(0)};
    return save(h, s, flags);
}

val num_rationalize(struct heap *h, val x, val y)
{
    if (is_type(h->step, T_STATE))
        return next_term(h, h->step);
    bool inexact = is_flonum(x) || is_flonum(y);
    if (!is_rational(x) || !is_rational(y)) {
        double a = num_to_double(x), b = num_to_double(y);
        if (double_is_nan(a) || double_is_nan(b) || (!is_rational(x) && !is_rational(y)))
            return flonum(h, (double)NAN);
        return flonum(h, is_rational(x) ? 0.0 : a);
    }
    TRY(num_room(h, 2048));
    x = TRY(num_exact(h, x));
    y = TRY(num_exact(h, y));
    return start(h, x, y, inexact);
}
