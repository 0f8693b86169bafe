/* T4 numbers, private to num_*.c: what the levels of the tower know of each other.
 *
 * int_* take exact integers, rat_* exact rationals, complex_* any numbers with
 * at least one T_COMPLEX. Each answers a normalised number, RAISE, RETRY or
 * LIMIT. A function that makes several objects on its way begins with
 * num_reserve, so that RETRY makes progress. */
#ifndef CB_NUM_TOWER_H
#define CB_NUM_TOWER_H

#include "condition.h"
#include "num.h"
#include "num_nat.h"

/* An exact integer as sign and magnitude. Points into itself for a fixnum: not
 * to be copied. */
struct integer {
    const limb *limbs;
    size_t n;
    bool negative;
    limb small;
};

void integer_view(struct integer *v, val x);

/* heap_reserve for a part of a larger operation: where it refuses, it wants more
 * than it needs, so that what was made before this point fits as well. */
MUST_USE val num_room(struct heap *h, size_t bytes);
/* Room for `count` small objects, each about as long as a and b together. */
MUST_USE val num_reserve(struct heap *h, val a, val b, size_t count);

/* -- integers (num_int.c) --------------------------------------------------------- */
/* Normalises; limbs need not be trimmed. */
MUST_USE val int_from_limbs(struct heap *h, const limb *limbs, size_t n, bool negative);
MUST_USE val int_add(struct heap *h, val a, val b);
MUST_USE val int_sub(struct heap *h, val a, val b);
MUST_USE val int_mul(struct heap *h, val a, val b);
MUST_USE val int_negate(struct heap *h, val a);
/* Truncating; b is not zero; q or r may be NULL. */
MUST_USE val int_divide(struct heap *h, val a, val b, val *q, val *r);
/* Toward minus infinity. */
MUST_USE val int_floor_divide(struct heap *h, val a, val b, val *q, val *r);
MUST_USE val int_gcd(struct heap *h, val a, val b);
MUST_USE val int_shift(struct heap *h, val a, int64_t count);
MUST_USE val int_power(struct heap *h, val base, uint64_t e);
int int_compare(val a, val b);
int int_sign(val a);
bool int_is_odd(val a);

/* -- rationals (num_rat.c) ---------------------------------------------------------- */
val rat_numerator(val a);
val rat_denominator(val a);
/* n / d in lowest terms; d is not zero. */
MUST_USE val rat_make(struct heap *h, val n, val d);
/* The same where n and d > 0 are known to be in lowest terms. */
MUST_USE val rat_new(struct heap *h, val n, val d);
MUST_USE val rat_add(struct heap *h, val a, val b);
MUST_USE val rat_sub(struct heap *h, val a, val b);
MUST_USE val rat_mul(struct heap *h, val a, val b);
MUST_USE val rat_div(struct heap *h, val a, val b);
/* The same for callers that have reserved room themselves. */
MUST_USE val rat_sum_core(struct heap *h, val a, val b, bool subtract);
MUST_USE val rat_mul_core(struct heap *h, val a, val b);
MUST_USE val rat_div_core(struct heap *h, val a, val b);
MUST_USE val rat_power(struct heap *h, val base, val e); /* exact integer e */
MUST_USE val rat_compare(struct heap *h, val a, val b, int *order);
MUST_USE val rat_round(struct heap *h, val a, enum rounding how);

/* -- doubles (num_flo.c) -------------------------------------------------------------- */
/* (m + a little if sticky) * 2^exponent, rounded to the nearest, ties to even. */
double double_make(bool negative, uint64_t m, bool sticky, int64_t exponent);
/* n / d rounded; both trimmed and not zero. */
double double_from_ratio(const limb *n, size_t nn, const limb *d, size_t dn);
/* The order of an exact rational and a finite double or an infinity. */
int double_order(val exact, double d);
double double_from_nat(const limb *n, size_t nn);
/* |x| = m * 2^e with m odd, or m = 0; x finite. */
uint64_t double_split(double x, int *e);
bool double_is_nan(double d);
bool double_is_finite(double d);
bool double_is_integer(double d);
uint64_t double_bits(double d);

/* -- complex (num_cpx.c) ------------------------------------------------------------------ */
MUST_USE val complex_add(struct heap *h, val a, val b);
MUST_USE val complex_sub(struct heap *h, val a, val b);
MUST_USE val complex_mul(struct heap *h, val a, val b);
MUST_USE val complex_div(struct heap *h, val a, val b);
/* Exact complex base, e >= 1. */
MUST_USE val complex_power(struct heap *h, val base, uint64_t e);
/* From two doubles: always a T_COMPLEX. */
MUST_USE val complex_from_doubles(struct heap *h, double re, double im);

/* -- roots (num_math.c) -------------------------------------------------------------------- */
/* What the square root of a number of so many bytes reserves in the nursery. */
size_t sqrt_room(size_t weight);
/* The root of an exact rational >= 0 where it is rational, else FALSE. */
MUST_USE val rat_exact_sqrt(struct heap *h, val a);

#endif
