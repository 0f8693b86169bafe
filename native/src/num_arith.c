/* T4 numbers: kinds, and the operations that choose a level of the tower.
 *
 * Each operation looks at its operands' kinds once: integers, rationals,
 * flonums, complex, in the order of how often they come. Exact zero times
 * anything is exact zero; exact zero as a divisor raises. */
#include "num_tower.h"
#include <math.h>

enum number_kind number_kind(val v)
{
    if (is_fixnum(v))
        return NUMBER_FIXNUM;
    if (is_flonum_immediate(v))
        return NUMBER_FLONUM;
    if (!is_object(v))
        return NUMBER_NOT;
    switch (object_type(v)) {
    case T_FLONUM:
        return NUMBER_FLONUM;
    case T_BIGNUM:
        return NUMBER_BIGNUM;
    case T_RATIO:
        return NUMBER_RATIO;
    case T_COMPLEX:
        return NUMBER_COMPLEX;
    default:
        return NUMBER_NOT;
    }
}

bool is_number(val v)
{
    return number_kind(v) != NUMBER_NOT;
}

bool is_real(val v)
{
    return number_kind(v) < NUMBER_COMPLEX;
}

bool is_integer(val v)
{
    enum number_kind kind = number_kind(v);
    return kind <= NUMBER_BIGNUM || (kind == NUMBER_FLONUM && double_is_integer(flonum_value(v)));
}

bool is_exact_rational(val v)
{
    return number_kind(v) <= NUMBER_RATIO;
}

bool is_rational(val v)
{
    enum number_kind kind = number_kind(v);
    return kind <= NUMBER_RATIO || (kind == NUMBER_FLONUM && double_is_finite(flonum_value(v)));
}

bool num_is_exact(val v)
{
    enum number_kind kind = number_kind(v);
    return kind <= NUMBER_RATIO || (kind == NUMBER_COMPLEX && !is_flonum(object_field(v, 0)));
}

int num_sign(val v)
{
    if (is_flonum(v)) {
        double d = flonum_value(v);
        return (d > 0) - (d < 0);
    }
    return int_sign(rat_numerator(v));
}

bool num_is_negative(val v)
{
    return num_sign(v) < 0;
}

bool num_is_zero(val v)
{
    if (is_type(v, T_COMPLEX))
        return num_is_zero(object_field(v, 0)) && num_is_zero(object_field(v, 1));
    if (!is_flonum(v))
        return is_eq(v, fixnum(0));
    return (double_bits(flonum_value(v)) << 1) == 0;
}

bool num_is_odd(val v)
{
    if (!is_flonum(v))
        return int_is_odd(v);
    double half = flonum_value(v) / 2;
    return floor(half) < half;
}

/* The level that both operands must be lifted to. */
enum level { LEVEL_INTEGER, LEVEL_RATIONAL, LEVEL_DOUBLE, LEVEL_COMPLEX };

static enum level level_of(val v)
{
    switch (number_kind(v)) {
    case NUMBER_FIXNUM:
    case NUMBER_BIGNUM:
        return LEVEL_INTEGER;
    case NUMBER_RATIO:
        return LEVEL_RATIONAL;
    case NUMBER_FLONUM:
        return LEVEL_DOUBLE;
    default:
        return LEVEL_COMPLEX;
    }
}

static enum level common_level(val a, val b)
{
    enum level x = level_of(a), y = level_of(b);
    return x > y ? x : y;
}

/* As a double, charged. */
static double lift(struct heap *h, val v)
{
    if (is_flonum_immediate(v))
        return flonum_immediate_value(v);
    if (is_fixnum(v))
        return (double)fixnum_value(v);
    heap_work(h, num_weight(v));
    return num_to_double(v);
}

val num_add(struct heap *h, val a, val b)
{
    switch (common_level(a, b)) {
    case LEVEL_INTEGER:
        return int_add(h, a, b);
    case LEVEL_RATIONAL:
        return rat_add(h, a, b);
    case LEVEL_DOUBLE:
        if (is_eq(a, fixnum(0)) || is_eq(b, fixnum(0)))
            return is_flonum(a) ? a : b; /* keeps -0.0 */
        return flonum(h, lift(h, a) + lift(h, b));
    default:
        return complex_add(h, a, b);
    }
}

val num_sub(struct heap *h, val a, val b)
{
    switch (common_level(a, b)) {
    case LEVEL_INTEGER:
        return int_sub(h, a, b);
    case LEVEL_RATIONAL:
        return rat_sub(h, a, b);
    case LEVEL_DOUBLE:
        return flonum(h, lift(h, a) - lift(h, b));
    default:
        return complex_sub(h, a, b);
    }
}

val num_mul(struct heap *h, val a, val b)
{
    switch (common_level(a, b)) {
    case LEVEL_INTEGER:
        return int_mul(h, a, b);
    case LEVEL_RATIONAL:
        return rat_mul(h, a, b);
    case LEVEL_DOUBLE:
        if (is_eq(a, fixnum(0)) || is_eq(b, fixnum(0)))
            return fixnum(0);
        return flonum(h, lift(h, a) * lift(h, b));
    default:
        return complex_mul(h, a, b);
    }
}

val num_div(struct heap *h, val a, val b)
{
    switch (common_level(a, b)) {
    case LEVEL_INTEGER:
        if (is_eq(b, fixnum(0)))
            return raise_divide(h);
        return rat_make(h, a, b);
    case LEVEL_RATIONAL:
        return rat_div(h, a, b);
    case LEVEL_DOUBLE:
        if (is_eq(b, fixnum(0)))
            return raise_divide(h);
        return flonum(h, lift(h, a) / lift(h, b));
    default:
        return complex_div(h, a, b);
    }
}

val num_negate(struct heap *h, val a)
{
    switch (number_kind(a)) {
    case NUMBER_FIXNUM:
    case NUMBER_BIGNUM:
        return int_negate(h, a);
    case NUMBER_RATIO:
        TRY(num_reserve(h, a, a, 2));
        return rat_new(h, TRY(int_negate(h, object_field(a, 0))), object_field(a, 1));
    case NUMBER_FLONUM:
        return flonum(h, -flonum_value(a));
    default:
        if (is_flonum(object_field(a, 0)))
            return complex_from_doubles(h, -flonum_value(object_field(a, 0)),
                                        -flonum_value(object_field(a, 1)));
        return complex_sub(h, fixnum(0), a);
    }
}

/* -- integer division ------------------------------------------------------------------- */

enum division { DIVIDE_QUOTIENT, DIVIDE_REMAINDER, DIVIDE_MODULO, DIVIDE_FLOOR };

static val divide_exact(struct heap *h, enum division how, val a, val b)
{
    val r;
    switch (how) {
    case DIVIDE_QUOTIENT:
        TRY(int_divide(h, a, b, &r, NULL));
        break;
    case DIVIDE_REMAINDER:
        TRY(int_divide(h, a, b, NULL, &r));
        break;
    case DIVIDE_MODULO:
        TRY(int_floor_divide(h, a, b, NULL, &r));
        break;
    default:
        TRY(int_floor_divide(h, a, b, &r, NULL));
        break;
    }
    return r;
}

#define EXACT_DOUBLE 9007199254740992.0 /* 2^53 */

static double divide_doubles(enum division how, double x, double y)
{
    double r;
    switch (how) {
    case DIVIDE_QUOTIENT:
        return trunc(x / y);
    case DIVIDE_FLOOR:
        return floor(x / y);
    case DIVIDE_REMAINDER:
        return fmod(x, y);
    default:
        r = fmod(x, y);
        return (r < 0 && y > 0) || (r > 0 && y < 0) ? r + y : r;
    }
}

static val divide_inexact(struct heap *h, enum division how, val a, val b)
{
    double x = num_to_double(a), y = num_to_double(b);
    if (fabs(x) < EXACT_DOUBLE && fabs(y) < EXACT_DOUBLE)
        return flonum(h, divide_doubles(how, x, y));
    TRY(num_reserve(h, a, b, 4));
    TRY(num_room(h, 4096));
    a = TRY(num_exact(h, a));
    b = TRY(num_exact(h, b));
    return num_inexact(h, TRY(divide_exact(h, how, a, b)));
}

static val divide_integers(struct heap *h, enum division how, val a, val b)
{
    if (num_is_zero(b))
        return raise_divide(h);
    if (is_flonum(a) || is_flonum(b))
        return divide_inexact(h, how, a, b);
    return divide_exact(h, how, a, b);
}

val num_quotient(struct heap *h, val a, val b)
{
    return divide_integers(h, DIVIDE_QUOTIENT, a, b);
}

val num_remainder(struct heap *h, val a, val b)
{
    return divide_integers(h, DIVIDE_REMAINDER, a, b);
}

val num_modulo(struct heap *h, val a, val b)
{
    return divide_integers(h, DIVIDE_MODULO, a, b);
}

val num_floor_quotient(struct heap *h, val a, val b)
{
    return divide_integers(h, DIVIDE_FLOOR, a, b);
}

val num_gcd(struct heap *h, val a, val b)
{
    if (!is_flonum(a) && !is_flonum(b))
        return int_gcd(h, a, b);
    TRY(num_room(h, 4096));
    a = TRY(num_exact(h, a));
    b = TRY(num_exact(h, b));
    return num_inexact(h, TRY(int_gcd(h, a, b)));
}

static val lcm_exact(struct heap *h, val a, val b)
{
    if (is_eq(a, fixnum(0)) || is_eq(b, fixnum(0)))
        return fixnum(0);
    TRY(num_reserve(h, a, b, 6));
    val g = TRY(int_gcd(h, a, b)), q;
    TRY(int_divide(h, a, g, &q, NULL));
    val r = TRY(int_mul(h, q, b));
    return int_sign(r) < 0 ? int_negate(h, r) : r;
}

val num_lcm(struct heap *h, val a, val b)
{
    if (!is_flonum(a) && !is_flonum(b))
        return lcm_exact(h, a, b);
    TRY(num_room(h, 8192));
    a = TRY(num_exact(h, a));
    b = TRY(num_exact(h, b));
    return num_inexact(h, TRY(lcm_exact(h, a, b)));
}

/* -- parts of reals ------------------------------------------------------------------------- */

val num_round(struct heap *h, val a, enum rounding how)
{
    if (!is_flonum(a))
        return rat_round(h, a, how);
    double d = flonum_value(a);
    switch (how) {
    case ROUND_FLOOR:
        return flonum(h, floor(d));
    case ROUND_CEILING:
        return flonum(h, ceil(d));
    case ROUND_TRUNCATE:
        return flonum(h, trunc(d));
    default:
        return flonum(h, nearbyint(d));
    }
}

val num_numerator(struct heap *h, val a)
{
    if (!is_flonum(a))
        return rat_numerator(a);
    TRY(num_room(h, 2048));
    return num_inexact(h, rat_numerator(TRY(num_exact(h, a))));
}

val num_denominator(struct heap *h, val a)
{
    if (!is_flonum(a))
        return rat_denominator(a);
    TRY(num_room(h, 2048));
    return num_inexact(h, rat_denominator(TRY(num_exact(h, a))));
}
