/* T4 numbers: complex numbers in rectangular form.
 *
 * Exact ones are pairs of rationals, never with a zero imaginary part; inexact
 * ones are pairs of flonums and stay complex even where the imaginary part is
 * 0.0. Mixed operands are done in doubles. */
#include "num_tower.h"
#include <math.h>

struct doubles {
    double re, im;
};

static struct doubles to_doubles(val v)
{
    if (!is_type(v, T_COMPLEX))
        return (struct doubles){num_to_double(v), 0.0};
    return (struct doubles){num_to_double(object_field(v, 0)), num_to_double(object_field(v, 1))};
}

static val complex_new(struct heap *h, val re, val im)
{
    val v = TRY(heap_alloc(h, T_COMPLEX, 0, 0));
    object_fields(v)[0] = re;
    object_fields(v)[1] = im;
    return v;
}

val complex_from_doubles(struct heap *h, double re, double im)
{
    TRY(num_room(h, 64));
    val r = TRY(flonum(h, re));
    val i = TRY(flonum(h, im));
    return complex_new(h, r, i);
}

val num_rectangular(struct heap *h, val re, val im)
{
    if (is_eq(im, fixnum(0)))
        return re;
    if (is_flonum(re) || is_flonum(im))
        return complex_from_doubles(h, num_to_double(re), num_to_double(im));
    return complex_new(h, re, im);
}

val num_real_part(val a)
{
    return is_type(a, T_COMPLEX) ? object_field(a, 0) : a;
}

val num_imag_part(val a)
{
    return is_type(a, T_COMPLEX) ? object_field(a, 1) : fixnum(0);
}

static bool is_exact(val a)
{
    return !is_flonum(num_real_part(a));
}

/* -- sums ----------------------------------------------------------------------------- */

static val complex_sum(struct heap *h, val a, val b, bool subtract)
{
    if (is_exact(a) && is_exact(b)) {
        TRY(num_reserve(h, a, b, 28));
        val re = TRY(rat_sum_core(h, num_real_part(a), num_real_part(b), subtract));
        val im = TRY(rat_sum_core(h, num_imag_part(a), num_imag_part(b), subtract));
        return num_rectangular(h, re, im);
    }
    struct doubles x = to_doubles(a), y = to_doubles(b);
    if (subtract)
        return complex_from_doubles(h, x.re - y.re, is_type(b, T_COMPLEX) ? x.im - y.im : x.im);
    if (!is_type(a, T_COMPLEX))
        return complex_from_doubles(h, x.re + y.re, y.im);
    return complex_from_doubles(h, x.re + y.re, is_type(b, T_COMPLEX) ? x.im + y.im : x.im);
}

val complex_add(struct heap *h, val a, val b)
{
    return complex_sum(h, a, b, false);
}

val complex_sub(struct heap *h, val a, val b)
{
    return complex_sum(h, a, b, true);
}

/* -- products ------------------------------------------------------------------------------ */

struct parts {
    val re, im;
};

static val exact_product(struct heap *h, struct parts a, struct parts b, struct parts *r)
{
    val rr = TRY(rat_mul_core(h, a.re, b.re));
    val ii = TRY(rat_mul_core(h, a.im, b.im));
    val ri = TRY(rat_mul_core(h, a.re, b.im));
    val ir = TRY(rat_mul_core(h, a.im, b.re));
    r->re = TRY(rat_sum_core(h, rr, ii, true));
    r->im = TRY(rat_sum_core(h, ri, ir, false));
    return TRUE;
}

static struct parts parts_of(val a)
{
    return (struct parts){num_real_part(a), num_imag_part(a)};
}

val complex_mul(struct heap *h, val a, val b)
{
    if (is_exact(a) && is_exact(b)) {
        struct parts r;
        TRY(num_reserve(h, a, b, 90));
        TRY(exact_product(h, parts_of(a), parts_of(b), &r));
        return num_rectangular(h, r.re, r.im);
    }
    if (is_eq(a, fixnum(0)) || is_eq(b, fixnum(0)))
        return fixnum(0);
    struct doubles x = to_doubles(a), y = to_doubles(b);
    if (!is_type(a, T_COMPLEX))
        return complex_from_doubles(h, x.re * y.re, x.re * y.im);
    if (!is_type(b, T_COMPLEX))
        return complex_from_doubles(h, x.re * y.re, x.im * y.re);
    return complex_from_doubles(h, x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

static val exact_quotient(struct heap *h, val a, val b)
{
    struct parts x = parts_of(a), y = parts_of(b), r;
    TRY(num_reserve(h, a, b, 120));
    val re = TRY(rat_mul_core(h, y.re, y.re));
    val im = TRY(rat_mul_core(h, y.im, y.im));
    val norm = TRY(rat_sum_core(h, re, im, false));
    if (is_eq(norm, fixnum(0)))
        return raise_divide(h);
    y.im = TRY(rat_sum_core(h, fixnum(0), y.im, true));
    TRY(exact_product(h, x, y, &r));
    r.re = TRY(rat_div_core(h, r.re, norm));
    r.im = TRY(rat_div_core(h, r.im, norm));
    return num_rectangular(h, r.re, r.im);
}

val complex_div(struct heap *h, val a, val b)
{
    if (is_eq(b, fixnum(0)))
        return raise_divide(h);
    if (is_exact(a) && is_exact(b))
        return exact_quotient(h, a, b);
    struct doubles x = to_doubles(a), y = to_doubles(b);
    if (!is_type(b, T_COMPLEX))
        return complex_from_doubles(h, x.re / y.re, x.im / y.re);
    if (fabs(y.re) >= fabs(y.im)) { /* Smith: divide by the larger part first */
        double q = y.im / y.re, d = y.re + y.im * q;
        return complex_from_doubles(h, (x.re + x.im * q) / d, (x.im - x.re * q) / d);
    }
    double q = y.re / y.im, d = y.re * q + y.im;
    return complex_from_doubles(h, (x.re * q + x.im) / d, (x.im * q - x.re) / d);
}

/* (re + im i)^e for integers, by squaring from the top bit. */
static val gaussian_power(struct heap *h, struct parts base, uint64_t e, struct parts *out)
{
    struct parts x = base;
    for (int bit = 62 - __builtin_clzll(e); bit >= 0; bit--) {
        TRY(exact_product(h, x, x, &x));
        if ((e >> bit) & 1)
            TRY(exact_product(h, x, base, &x));
        if (heap_poll(h))
            return LIMIT;
    }
    *out = x;
    return TRUE;
}

val complex_power(struct heap *h, val base, uint64_t e)
{
    size_t each = num_weight(base), total;
    if (!size_mul(each, (size_t)e, &total) || total > LARGE_OBJECT)
        total = LARGE_OBJECT; /* longer ones are not in the nursery */
    TRY(num_room(h, 40 * (total + 48)));
    struct parts x = parts_of(base), r;
    val rd = rat_denominator(x.re), id = rat_denominator(x.im);
    val common = TRY(int_gcd(h, rd, id));
    TRY(int_divide(h, id, common, &common, NULL));
    common = TRY(int_mul(h, rd, common));
    x.re = TRY(rat_mul_core(h, x.re, common));
    x.im = TRY(rat_mul_core(h, x.im, common));
    TRY(gaussian_power(h, x, e, &r));
    val scale = TRY(int_power(h, common, e));
    r.re = TRY(rat_div_core(h, r.re, scale));
    r.im = TRY(rat_div_core(h, r.im, scale));
    return num_rectangular(h, r.re, r.im);
}

/* -- polar form -------------------------------------------------------------------------------- */

val num_polar(struct heap *h, val magnitude, val angle)
{
    if (is_eq(angle, fixnum(0)))
        return magnitude;
    if (is_eq(magnitude, fixnum(0)))
        return magnitude;
    double m = num_to_double(magnitude), a = num_to_double(angle);
    return complex_from_doubles(h, m * cos(a), m * sin(a));
}

val num_magnitude(struct heap *h, val a)
{
    if (is_flonum(a))
        return flonum(h, fabs(flonum_value(a)));
    if (!is_type(a, T_COMPLEX))
        return num_sign(a) < 0 ? num_negate(h, a) : a;
    if (!is_exact(a)) {
        struct doubles x = to_doubles(a);
        return flonum(h, hypot(x.re, x.im));
    }
    struct parts x = parts_of(a);
    TRY(num_room(h, 20 * size_min(2 * num_weight(a) + 48, LARGE_OBJECT) +
                        sqrt_room(4 * num_weight(a))));
    val re = TRY(rat_mul_core(h, x.re, x.re));
    val im = TRY(rat_mul_core(h, x.im, x.im));
    return num_sqrt(h, TRY(rat_sum_core(h, re, im, false)));
}

val num_angle(struct heap *h, val a)
{
    if (is_type(a, T_COMPLEX)) {
        struct doubles x = to_doubles(a);
        return flonum(h, atan2(x.im, x.re));
    }
    if (is_flonum(a))
        return flonum(h, atan2(0.0, flonum_value(a)));
    return num_sign(a) < 0 ? flonum(h, M_PI) : fixnum(0);
}
