/* T4 numbers: the whole numeric tower, as seen by the other rooms.
 *
 * Fixnum, T_BIGNUM, T_RATIO, flonum (immediate or T_FLONUM), T_COMPLEX. Values
 * are always normalised: an integer that fits is a fixnum, a ratio is in lowest
 * terms with a denominator above 1, a double that needs no box has none, and
 * all NaNs are one. The parts of a T_COMPLEX are real, both exact or both
 * inexact; an exact one never has a zero imaginary part.
 *
 * Exact zero times any number is exact zero. Comparisons between exact and
 * inexact numbers are exact, hence transitive.
 *
 * Whatever can be dear takes the heap, pays its fuel before it starts, and
 * answers LIMIT where that is not affordable or the run was interrupted, RETRY
 * without room. Arguments must be numbers (integers where it says so): the
 * callers check. Temporaries are counted memory, given back before return. */
#ifndef CB_NUM_H
#define CB_NUM_H

#include "heap.h"

enum number_kind {
    NUMBER_FIXNUM,
    NUMBER_BIGNUM,
    NUMBER_RATIO,
    NUMBER_FLONUM,
    NUMBER_COMPLEX,
    NUMBER_NOT
};

/* What kind of number `v` is, NUMBER_NOT for everything else. */
enum number_kind number_kind(val v);

static inline bool is_flonum(val v)
{
    return is_flonum_immediate(v) || is_type(v, T_FLONUM);
}

static inline bool is_exact_integer(val v)
{
    return is_fixnum(v) || is_type(v, T_BIGNUM);
}

bool is_number(val v);
/* Everything but T_COMPLEX. */
bool is_real(val v);
/* In the sense of `integer?`, `rational?`: an integral flonum is an integer. */
bool is_integer(val v);
bool is_rational(val v);
/* Exact integer or ratio. */
bool is_exact_rational(val v);
bool num_is_exact(val v);
/* Bytes of the number's magnitudes: what linear work on it costs (heap_work). */
size_t num_weight(val v);

/* -- flonums ------------------------------------------------------------------ */
double flonum_value(val v);
/* Boxes where needed: RETRY. */
MUST_USE val flonum_boxed(struct heap *h, double d);

static inline MUST_USE val flonum(struct heap *h, double d)
{
    val v = flonum_encode(d);
    return LIKELY(is_flonum_immediate(v)) ? v : flonum_boxed(h, d);
}

/* -- conversion ----------------------------------------------------------------- */
MUST_USE val num_from_int64(struct heap *h, int64_t n);
MUST_USE val num_from_uint64(struct heap *h, uint64_t n);
/* False where `v` is no exact integer of that range. */
bool num_to_int64(val v, int64_t *out);
/* The nearest double of a real number (ties to even). */
double num_to_double(val v);
MUST_USE val num_exact(struct heap *h, val v); /* RAISE: infinity or NaN */
MUST_USE val num_inexact(struct heap *h, val v);

/* -- arithmetic ------------------------------------------------------------------- */
MUST_USE val num_add(struct heap *h, val a, val b);
MUST_USE val num_sub(struct heap *h, val a, val b);
MUST_USE val num_mul(struct heap *h, val a, val b);
MUST_USE val num_div(struct heap *h, val a, val b); /* RAISE DIVIDE for exact zero */
MUST_USE val num_negate(struct heap *h, val a);
/* On integers, exact or inexact; RAISE DIVIDE for any zero. */
MUST_USE val num_quotient(struct heap *h, val a, val b);
MUST_USE val num_remainder(struct heap *h, val a, val b);
MUST_USE val num_modulo(struct heap *h, val a, val b);
MUST_USE val num_floor_quotient(struct heap *h, val a, val b);
MUST_USE val num_gcd(struct heap *h, val a, val b);
MUST_USE val num_lcm(struct heap *h, val a, val b);

enum rounding { ROUND_FLOOR, ROUND_CEILING, ROUND_TRUNCATE, ROUND_EVEN };
/* A real to an integer of the same exactness. */
MUST_USE val num_round(struct heap *h, val a, enum rounding how);
/* Of a rational, exact or inexact. */
MUST_USE val num_numerator(struct heap *h, val a);
MUST_USE val num_denominator(struct heap *h, val a);

/* The simplest rational within y of x. For a STEPPED primitive: answers STEP
 * with its state in h->step until it is done. */
MUST_USE val num_rationalize(struct heap *h, val x, val y);

/* -- comparison --------------------------------------------------------------------- */
/* The numbers are =. */
bool num_equal(val a, val b);
/* Reals: TRUE with *order -1, 0, 1; FALSE where one is NaN; RETRY, LIMIT. */
MUST_USE val num_compare(struct heap *h, val a, val b, int *order);
/* eqv? on two numbers: same type, same value; flonums by bits, NaN is itself. */
bool num_eqv(val a, val b);
/* By content; equal for eqv numbers; depends on no address. */
uint64_t num_hash(val v);
/* -1, 0, 1 for a real; 0 for NaN. */
int num_sign(val v);
/* The real is below zero (-0.0 and NaN are not). */
bool num_is_negative(val v);
bool num_is_zero(val v);
/* An integer (exact or inexact) is odd. */
bool num_is_odd(val v);

/* -- powers and elementary functions (num_math.c) -------------------------------------- */
MUST_USE val num_expt(struct heap *h, val base, val exponent);
MUST_USE val num_sqrt(struct heap *h, val a);
/* Floor of the root of an exact integer >= 0. */
MUST_USE val num_exact_integer_sqrt(struct heap *h, val n);

enum elementary { FN_EXP, FN_LOG, FN_SIN, FN_COS, FN_TAN, FN_ASIN, FN_ACOS, FN_ATAN };
MUST_USE val num_elementary(struct heap *h, enum elementary function, val a);
MUST_USE val num_log_base(struct heap *h, val a, val base);
MUST_USE val num_atan2(struct heap *h, val y, val x); /* reals */

/* -- complex ------------------------------------------------------------------------------ */
MUST_USE val num_rectangular(struct heap *h, val re, val im); /* reals */
MUST_USE val num_polar(struct heap *h, val magnitude, val angle);
val num_real_part(val a);
val num_imag_part(val a); /* exact 0 for a real */
MUST_USE val num_magnitude(struct heap *h, val a);
MUST_USE val num_angle(struct heap *h, val a);

/* -- bits of exact integers, two's complement of unbounded width ---------------------------- */
enum bitwise { BITWISE_AND, BITWISE_IOR, BITWISE_XOR };
MUST_USE val num_bitwise(struct heap *h, enum bitwise op, val a, val b);
MUST_USE val num_shift(struct heap *h, val a, val count); /* exact integers; > 0 is left */
size_t num_integer_length(val a);
size_t num_bit_count(val a);
bool num_bit_set(val a, size_t index);

/* -- text (num_text.c) ------------------------------------------------------------------------- */
#define RADIX_MIN 2
#define RADIX_MAX 36
/* A <number> of R7RS 7.1.1 in radix 2..36 unless a prefix says otherwise; a
 * point without an exponent is read in any radix. FALSE: not a number. */
MUST_USE val num_parse(struct heap *h, const char *ascii, size_t n, unsigned radix);
/* A new string. Flonums in radix 10 are the shortest text that reads back. */
MUST_USE val num_to_text(struct heap *h, val v, unsigned radix);

/* -- text of doubles (num_dtoa.c) -------------------------------------------------------------- */
#define DOUBLE_TEXT_ROOM 32
/* The shortest text that reads back, in the form the printer uses: its length. */
size_t double_to_text(char *out, double d);
/* digits * 10^exponent for at most 19 digits, when that can be told for certain. */
bool double_from_decimal(uint64_t digits, int64_t exponent, double *out);

/* -- the border
 * ------------------------------------------------------------------------------------ */
MUST_USE val bignum_from_magnitude(struct heap *h, const uint8_t *big_endian, size_t n,
                                   bool negative);
/* Of an exact integer (fixnum or bignum); 0 for zero. */
size_t bignum_magnitude_bytes(val v);
void bignum_store_magnitude(val v, uint8_t *big_endian);

#endif
