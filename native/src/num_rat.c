/* T4 numbers: exact rationals.
 *
 * A T_RATIO holds an integer and a denominator above one without a common
 * factor; every function here also takes integers. Sums and products divide by
 * common factors early (Knuth 4.5.1), so that the numbers stay short. */
#include "num_tower.h"

val rat_numerator(val a)
{
    return is_type(a, T_RATIO) ? object_field(a, 0) : a;
}

val rat_denominator(val a)
{
    return is_type(a, T_RATIO) ? object_field(a, 1) : fixnum(1);
}

val rat_new(struct heap *h, val n, val d)
{
    if (is_eq(d, fixnum(1)))
        return n;
    val v = TRY(heap_alloc(h, T_RATIO, 0, 0));
    object_fields(v)[0] = n;
    object_fields(v)[1] = d;
    return v;
}

static val reduce(struct heap *h, val n, val d)
{
    val g = TRY(int_gcd(h, n, d));
    if (!is_eq(g, fixnum(1))) {
        TRY(int_divide(h, n, g, &n, NULL));
        TRY(int_divide(h, d, g, &d, NULL));
    }
    return rat_new(h, n, d);
}

val rat_make(struct heap *h, val n, val d)
{
    TRY(num_reserve(h, n, d, 8));
    if (int_sign(d) < 0) {
        n = TRY(int_negate(h, n));
        d = TRY(int_negate(h, d));
    }
    return reduce(h, n, d);
}

val rat_sum_core(struct heap *h, val a, val b, bool subtract)
{
    val an = rat_numerator(a), ad = rat_denominator(a);
    val bn = rat_numerator(b), bd = rat_denominator(b);
    val g = TRY(int_gcd(h, ad, bd));
    val bq = bd, aq = ad; /* the denominators without their common factor */
    if (!is_eq(g, fixnum(1))) {
        TRY(int_divide(h, bd, g, &bq, NULL));
        TRY(int_divide(h, ad, g, &aq, NULL));
    }
    val left = TRY(int_mul(h, an, bq));
    val right = TRY(int_mul(h, bn, aq));
    val t = subtract ? TRY(int_sub(h, left, right)) : TRY(int_add(h, left, right));
    if (is_eq(g, fixnum(1)))
        return rat_new(h, t, TRY(int_mul(h, ad, bd)));
    val g2 = TRY(int_gcd(h, t, g));
    if (!is_eq(g2, fixnum(1))) {
        TRY(int_divide(h, t, g2, &t, NULL));
        TRY(int_divide(h, bd, g2, &bd, NULL));
    }
    return rat_new(h, t, TRY(int_mul(h, aq, bd)));
}

val rat_add(struct heap *h, val a, val b)
{
    TRY(num_reserve(h, a, b, 16));
    return rat_sum_core(h, a, b, false);
}

val rat_sub(struct heap *h, val a, val b)
{
    TRY(num_reserve(h, a, b, 16));
    return rat_sum_core(h, a, b, true);
}

/* (an / ad) (bn / bd), each factor in lowest terms, denominators positive. */
static val product(struct heap *h, val an, val ad, val bn, val bd)
{
    val g = TRY(int_gcd(h, an, bd));
    if (is_eq(g, fixnum(0)))
        return g;
    if (!is_eq(g, fixnum(1))) {
        TRY(int_divide(h, an, g, &an, NULL));
        TRY(int_divide(h, bd, g, &bd, NULL));
    }
    g = TRY(int_gcd(h, bn, ad));
    if (!is_eq(g, fixnum(1))) {
        TRY(int_divide(h, bn, g, &bn, NULL));
        TRY(int_divide(h, ad, g, &ad, NULL));
    }
    val n = TRY(int_mul(h, an, bn));
    return rat_new(h, n, TRY(int_mul(h, ad, bd)));
}

val rat_mul_core(struct heap *h, val a, val b)
{
    if (is_eq(a, fixnum(0)) || is_eq(b, fixnum(0)))
        return fixnum(0);
    return product(h, rat_numerator(a), rat_denominator(a), rat_numerator(b), rat_denominator(b));
}

val rat_mul(struct heap *h, val a, val b)
{
    TRY(num_reserve(h, a, b, 16));
    return rat_mul_core(h, a, b);
}

val rat_div_core(struct heap *h, val a, val b)
{
    val n = rat_numerator(b), d = rat_denominator(b);
    if (is_eq(n, fixnum(0)))
        return raise_divide(h);
    if (is_eq(a, fixnum(0)))
        return a;
    if (int_sign(n) < 0) {
        n = TRY(int_negate(h, n));
        d = TRY(int_negate(h, d));
    }
    return product(h, rat_numerator(a), rat_denominator(a), d, n);
}

val rat_div(struct heap *h, val a, val b)
{
    TRY(num_reserve(h, a, b, 20));
    return rat_div_core(h, a, b);
}

val rat_power(struct heap *h, val base, val e)
{
    if (is_eq(base, fixnum(1)) || is_eq(e, fixnum(0)))
        return fixnum(1);
    bool invert = int_sign(e) < 0;
    if (is_eq(base, fixnum(0)))
        return invert ? raise_divide(h) : base;
    if (is_eq(base, fixnum(-1)))
        return int_is_odd(e) ? base : fixnum(1);
    int64_t count;
    if (!num_to_int64(e, &count))
        return nat_fits(h, UINT64_MAX);
    if (!is_fixnum(base) || invert)
        TRY(num_room(h, 6 * LARGE_OBJECT));
    uint64_t times = invert ? -(uint64_t)count : (uint64_t)count;
    val n = TRY(int_power(h, rat_numerator(base), times));
    val d = TRY(int_power(h, rat_denominator(base), times));
    if (!invert)
        return rat_new(h, n, d);
    if (int_sign(n) < 0) {
        n = TRY(int_negate(h, n));
        d = TRY(int_negate(h, d));
    }
    return rat_new(h, d, n);
}

/* -- order and rounding --------------------------------------------------------------- */

static val compare_products(struct scratch *s, const struct integer *an, const struct integer *ad,
                            const struct integer *bn, const struct integer *bd, int *order)
{
    limb *left = scratch_take(s, an->n + bd->n);
    limb *right = scratch_take(s, bn->n + ad->n);
    if (!left || !right)
        return RETRY;
    TRY(nat_mul(s, left, an->limbs, an->n, bd->limbs, bd->n));
    TRY(nat_mul(s, right, bn->limbs, bn->n, ad->limbs, ad->n));
    *order =
        nat_compare(left, nat_trim(left, an->n + bd->n), right, nat_trim(right, bn->n + ad->n));
    return TRUE;
}

val rat_compare(struct heap *h, val a, val b, int *order)
{
    int sign = int_sign(rat_numerator(a)), other = int_sign(rat_numerator(b));
    if (sign != other || sign == 0) {
        *order = (sign > other) - (sign < other);
        return TRUE;
    }
    struct integer an, ad, bn, bd;
    integer_view(&an, rat_numerator(a));
    integer_view(&ad, rat_denominator(a));
    integer_view(&bn, rat_numerator(b));
    integer_view(&bd, rat_denominator(b));
    struct scratch s;
    scratch_open(&s, h);
    val done = compare_products(&s, &an, &ad, &bn, &bd, order);
    scratch_close(&s);
    if (sign < 0)
        *order = -*order;
    return done;
}

static val round_even(struct heap *h, val floor, val rest, val d)
{
    val twice = TRY(int_shift(h, rest, 1));
    int order = int_compare(twice, d);
    bool up = order > 0 || (order == 0 && int_is_odd(floor));
    return up ? int_add(h, floor, fixnum(1)) : floor;
}

val rat_round(struct heap *h, val a, enum rounding how)
{
    if (!is_type(a, T_RATIO))
        return a;
    TRY(num_reserve(h, a, a, 8));
    val n = object_field(a, 0), d = object_field(a, 1), floor, rest;
    TRY(int_floor_divide(h, n, d, &floor, &rest));
    switch (how) {
    case ROUND_FLOOR:
        return floor;
    case ROUND_CEILING:
        return int_add(h, floor, fixnum(1));
    case ROUND_TRUNCATE:
        return int_sign(n) < 0 ? int_add(h, floor, fixnum(1)) : floor;
    default:
        return round_even(h, floor, rest, d);
    }
}
