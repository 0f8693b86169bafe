/* T4 numbers: roots, powers and the elementary functions.
 *
 * Exact in, exact out wherever the result is rational (roots of perfect powers,
 * integer powers, exp 0, ...); else through doubles and the C library's real
 * and complex functions. Arguments beyond the range of doubles are scaled
 * first, so that logarithms and square roots of huge numbers are right. */
#include "num_tower.h"
#include <complex.h>
#include <math.h>

/* -- square roots ---------------------------------------------------------------------- */

size_t sqrt_room(size_t weight)
{
    return 14 * size_min(2 * weight + 48, LARGE_OBJECT) + 2048;
}

static int64_t isqrt_small(int64_t n)
{
    int64_t r = (int64_t)sqrt((double)n);
    while (r * r > n)
        r--;
    while ((r + 1) * (r + 1) <= n)
        r++;
    return r;
}

/* Newton's method on a growing prefix of n: each step doubles the good bits. */
val num_exact_integer_sqrt(struct heap *h, val n)
{
    if (is_fixnum(n))
        return fixnum(isqrt_small(fixnum_value(n)));
    size_t weight = num_weight(n);
    TRY(heap_afford(h, nat_mul_cost(weight / 32, weight / 32)));
    TRY(num_room(h, sqrt_room(weight)));
    int64_t c = (int64_t)(num_integer_length(n) - 1) / 2, d = 0;
    val a = fixnum(1);
    for (int s = 63 - __builtin_clzll((uint64_t)c); s >= 0; s--) {
        int64_t e = d;
        d = c >> s;
        val prefix = TRY(int_shift(h, n, -(2 * c - e - d + 1)));
        val q;
        TRY(int_divide(h, prefix, a, &q, NULL));
        val shifted = TRY(int_shift(h, a, d - e - 1));
        a = TRY(int_add(h, shifted, q));
    }
    val square = TRY(int_mul(h, a, a));
    return int_compare(square, n) > 0 ? int_sub(h, a, fixnum(1)) : a;
}

/* The root of an exact integer >= 0 that is a square, else FALSE. */
static val square_root(struct heap *h, val n)
{
    struct integer x;
    integer_view(&x, n);
    if (x.n > 0 && ((x.limbs[0] & 7) > 1) && (x.limbs[0] & 7) != 4)
        return FALSE; /* no square ends in these bits */
    val r = TRY(num_exact_integer_sqrt(h, n));
    val square = TRY(int_mul(h, r, r));
    return int_compare(square, n) == 0 ? r : FALSE;
}

val rat_exact_sqrt(struct heap *h, val a)
{
    TRY(num_room(h, 2 * sqrt_room(num_weight(a))));
    val n = TRY(square_root(h, rat_numerator(a)));
    if (is_eq(n, FALSE) || !is_type(a, T_RATIO))
        return n;
    val d = TRY(square_root(h, object_field(a, 1)));
    return is_eq(d, FALSE) ? d : rat_new(h, n, d);
}

/* The square root of an exact rational > 0 as a double. */
static val rough_sqrt(struct heap *h, val a)
{
    double x = num_to_double(a);
    heap_work(h, num_weight(a));
    if (x > 1e-290 && x < 1e290)
        return flonum(h, sqrt(x));
    val n = rat_numerator(a), d = rat_denominator(a);
    int64_t excess = (int64_t)num_integer_length(n) - (int64_t)num_integer_length(d);
    int64_t shift = 128 - (excess & ~(int64_t)1); /* even */
    TRY(num_reserve(h, a, a, 8));
    if (shift > 0)
        n = TRY(int_shift(h, n, shift));
    else
        d = TRY(int_shift(h, d, -shift));
    val q;
    TRY(int_divide(h, n, d, &q, NULL));
    int64_t scale = -shift / 2;
    int by = scale > 5000 ? 5000 : scale < -5000 ? -5000 : (int)scale;
    return flonum(h, ldexp(sqrt(num_to_double(q)), by));
}

static val sqrt_rational(struct heap *h, val a)
{
    if (is_eq(a, fixnum(0)))
        return a;
    bool negative = num_sign(a) < 0;
    if (negative) {
        TRY(num_reserve(h, a, a, 4));
        a = TRY(num_negate(h, a));
    }
    val r = TRY(rat_exact_sqrt(h, a));
    if (is_eq(r, FALSE))
        r = TRY(rough_sqrt(h, a));
    return negative ? num_rectangular(h, fixnum(0), r) : r;
}

/* Of an exact complex number whose root has rational parts, else FALSE. */
static val sqrt_gaussian(struct heap *h, val a)
{
    val m = TRY(num_magnitude(h, a));
    if (is_flonum(m))
        return FALSE;
    val re = object_field(a, 0), im = object_field(a, 1);
    val sum = TRY(rat_sum_core(h, m, re, false));
    val difference = TRY(rat_sum_core(h, m, re, true));
    sum = TRY(rat_div_core(h, sum, fixnum(2)));
    difference = TRY(rat_div_core(h, difference, fixnum(2)));
    val x = TRY(rat_exact_sqrt(h, sum));
    val y = TRY(rat_exact_sqrt(h, difference));
    if (is_eq(x, FALSE) || is_eq(y, FALSE))
        return FALSE;
    if (num_sign(im) < 0)
        y = TRY(num_negate(h, y));
    return num_rectangular(h, x, y);
}

/* As CMPLX of C11, which not every compiler has: keeps the sign of zeros. */
static double complex complex_of(double re, double im)
{
    double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

static double complex to_complex(val v)
{
    if (!is_type(v, T_COMPLEX))
        return complex_of(num_to_double(v), 0.0);
    return complex_of(num_to_double(object_field(v, 0)), num_to_double(object_field(v, 1)));
}

static val from_complex(struct heap *h, double complex z)
{
    return complex_from_doubles(h, creal(z), cimag(z));
}

val num_sqrt(struct heap *h, val a)
{
    if (is_flonum(a)) {
        double d = flonum_value(a);
        return d < 0 ? complex_from_doubles(h, 0.0, sqrt(-d)) : flonum(h, sqrt(d));
    }
    if (!is_type(a, T_COMPLEX))
        return sqrt_rational(h, a);
    if (!is_flonum(object_field(a, 0))) {
        TRY(num_room(h, size_min(RESERVE_MAX, 3 * sqrt_room(8 * num_weight(a)))));
        val r = TRY(sqrt_gaussian(h, a));
        if (!is_eq(r, FALSE))
            return r;
    }
    return from_complex(h, csqrt(to_complex(a)));
}

/* -- logarithms ------------------------------------------------------------------------------ */

/* Of an exact integer > 0 of any size. */
static double log_integer(val n)
{
    double x = num_to_double(n);
    if (double_is_finite(x))
        return log(x);
    struct integer v;
    integer_view(&v, n);
    double lead = (double)v.limbs[v.n - 1] + (double)v.limbs[v.n - 2] * 0x1p-64;
    return log(lead) + (double)((v.n - 1) * LIMB_BITS) * M_LN2;
}

static double log_positive(val a)
{
    if (is_flonum(a))
        return log(flonum_value(a));
    if (!is_type(a, T_RATIO))
        return log_integer(a);
    double x = num_to_double(a);
    if (x > 1e-300 && double_is_finite(x))
        return log(x);
    return log_integer(object_field(a, 0)) - log_integer(object_field(a, 1));
}

static val log_real(struct heap *h, val a)
{
    if (is_eq(a, fixnum(1)))
        return fixnum(0);
    if (num_is_zero(a))
        return flonum(h, -HUGE_VAL);
    heap_work(h, num_weight(a));
    if (num_sign(a) >= 0)
        return flonum(h, log_positive(a));
    TRY(num_reserve(h, a, a, 8));
    val positive = TRY(num_negate(h, a));
    return complex_from_doubles(h, log_positive(positive), M_PI);
}

val num_log_base(struct heap *h, val a, val base)
{
    if (is_real(a) && num_sign(a) > 0 && is_fixnum(base)) {
        double x = num_to_double(a);
        if (x > 1e-300 && double_is_finite(x)) {
            if (is_eq(base, fixnum(2)))
                return flonum(h, log2(x));
            if (is_eq(base, fixnum(10)))
                return flonum(h, log10(x));
        }
    }
    TRY(num_room(h, 1024));
    val x = TRY(num_elementary(h, FN_LOG, a));
    val y = TRY(num_elementary(h, FN_LOG, base));
    return num_div(h, x, y);
}

/* -- elementary functions ------------------------------------------------------------------------
 */

static double complex apply_complex(enum elementary function, double complex z)
{
    switch (function) {
    case FN_EXP:
        return cexp(z);
    case FN_LOG:
        return clog(z);
    case FN_SIN:
        return csin(z);
    case FN_COS:
        return ccos(z);
    case FN_TAN:
        return ctan(z);
    case FN_ASIN:
        return casin(z);
    case FN_ACOS:
        return cacos(z);
    default:
        return catan(z);
    }
}

static double apply_real(enum elementary function, double x)
{
    switch (function) {
    case FN_EXP:
        return exp(x);
    case FN_SIN:
        return sin(x);
    case FN_COS:
        return cos(x);
    case FN_TAN:
        return tan(x);
    case FN_ASIN:
        return asin(x);
    case FN_ACOS:
        return acos(x);
    default:
        return atan(x);
    }
}

/* The exact value for an exact argument, where there is one; else FALSE. */
static val exact_elementary(enum elementary function, val a)
{
    if (is_eq(a, fixnum(0))) {
        switch (function) {
        case FN_EXP:
        case FN_COS:
            return fixnum(1);
        case FN_SIN:
        case FN_TAN:
        case FN_ASIN:
        case FN_ATAN:
            return fixnum(0);
        default:
            return FALSE;
        }
    }
    return is_eq(a, fixnum(1)) && function == FN_ACOS ? fixnum(0) : FALSE;
}

val num_elementary(struct heap *h, enum elementary function, val a)
{
    if (is_type(a, T_COMPLEX))
        return from_complex(h, apply_complex(function, to_complex(a)));
    if (function == FN_LOG)
        return log_real(h, a);
    val exact = exact_elementary(function, a);
    if (!is_eq(exact, FALSE))
        return exact;
    heap_work(h, num_weight(a));
    double x = num_to_double(a);
    if ((function == FN_ASIN || function == FN_ACOS) && (x > 1 || x < -1)) {
        /* on the cut: the side that R7RS's formulas give */
        double complex z = complex_of(x, x > 1 ? -0.0 : 0.0);
        return from_complex(h, apply_complex(function, z));
    }
    return flonum(h, apply_real(function, x));
}

val num_atan2(struct heap *h, val y, val x)
{
    if (is_eq(y, fixnum(0)) && !is_flonum(x) && num_sign(x) > 0)
        return y;
    heap_work(h, num_weight(x) + num_weight(y));
    return flonum(h, atan2(num_to_double(y), num_to_double(x)));
}

/* -- roots of any degree
 * ------------------------------------------------------------------------------ */

static double log2_integer(val n)
{
    return log_integer(n) * M_LOG2E;
}

/* Newton's method from above; k >= 2. */
static val root_from(struct heap *h, val n, int64_t k, val x)
{
    for (;;) {
        val power = TRY(int_power(h, x, (uint64_t)k - 1));
        val q;
        TRY(int_divide(h, n, power, &q, NULL));
        val weighted = TRY(int_mul(h, x, fixnum(k - 1)));
        val next = TRY(int_add(h, weighted, q));
        TRY(int_divide(h, next, fixnum(k), &next, NULL));
        if (int_compare(next, x) >= 0)
            return x;
        x = next;
        if (heap_poll(h))
            return LIMIT;
    }
}

/* The k-th root of an exact integer >= 0 that has one, else FALSE. */
static val perfect_root(struct heap *h, val n, val k_value)
{
    if (is_eq(n, fixnum(0)) || is_eq(n, fixnum(1)))
        return n;
    int64_t bits = (int64_t)num_integer_length(n);
    if (!is_fixnum(k_value) || fixnum_value(k_value) >= bits)
        return FALSE;
    int64_t k = fixnum_value(k_value);
    TRY(num_reserve(h, n, n, 64));
    double log2_root = log2_integer(n) / (double)k;
    val root;
    if (log2_root < 45) {
        root = fixnum((int64_t)nearbyint(exp2(log2_root)));
    } else {
        int64_t shift = (int64_t)log2_root - 40;
        int64_t lead = (int64_t)exp2(log2_root - (double)shift) + 2 + (int64_t)(log2_root / 1024);
        root = TRY(int_shift(h, fixnum(lead), shift));
        root = TRY(root_from(h, n, k, root));
    }
    val power = TRY(int_power(h, root, (uint64_t)k));
    return int_compare(power, n) == 0 ? root : FALSE;
}

/* An exact rational >= 0 to a ratio, where the result is rational; else FALSE. */
static val exact_root_power(struct heap *h, val base, val e)
{
    val k = object_field(e, 1);
    val n = TRY(perfect_root(h, rat_numerator(base), k));
    if (is_eq(n, FALSE))
        return n;
    val d = TRY(perfect_root(h, rat_denominator(base), k));
    if (is_eq(d, FALSE))
        return d;
    val root = TRY(rat_new(h, n, d));
    return rat_power(h, root, object_field(e, 0));
}

/* -- powers
 * --------------------------------------------------------------------------------------------- */

static val power_of_double(struct heap *h, double x, val e)
{
    double r = pow(fabs(x), num_to_double(e));
    return flonum(h, signbit(x) && int_is_odd(e) ? -r : r);
}

/* z^e for a small e by squaring. */
static double complex power_small(double complex z, uint64_t e)
{
    double re = 1, im = 0, zr = creal(z), zi = cimag(z);
    for (; e > 0; e >>= 1) {
        if (e & 1) {
            double t = re * zr - im * zi;
            im = re * zi + im * zr;
            re = t;
        }
        double t = zr * zr - zi * zi;
        zi = 2 * zr * zi;
        zr = t;
    }
    return complex_of(re, im);
}

/* exp(w log z) for z given by the logarithm of its magnitude and its angle. */
static val power_polar(struct heap *h, double log_magnitude, double angle, double complex w)
{
    double re = creal(w) * log_magnitude - cimag(w) * angle;
    double im = cimag(w) * log_magnitude + creal(w) * angle;
    double m = exp(re);
    return complex_from_doubles(h, m * cos(im), m * sin(im));
}

static val power_of_complex(struct heap *h, val base, double complex w)
{
    double complex z = to_complex(base);
    return power_polar(h, log(cabs(z)), carg(z), w);
}

static val expt_complex_integer(struct heap *h, val base, val e)
{
    int64_t count;
    bool small = num_to_int64(e, &count);
    bool unit =
        is_eq(object_field(base, 0), fixnum(0)) &&
        (is_eq(object_field(base, 1), fixnum(1)) || is_eq(object_field(base, 1), fixnum(-1)));
    if (unit) { /* i and -i: the period is four */
        struct integer x;
        integer_view(&x, e);
        count = (int64_t)(x.limbs[0] & 3);
        count = x.negative ? (4 - count) & 3 : count;
        return count == 0 ? fixnum(1) : complex_power(h, base, (uint64_t)count);
    }
    if (!is_flonum(object_field(base, 0))) {
        if (!small)
            return nat_fits(h, UINT64_MAX);
        if (count > 0)
            return complex_power(h, base, (uint64_t)count);
        val power = TRY(complex_power(h, base, -(uint64_t)count));
        return num_div(h, fixnum(1), power);
    }
    if (!small || count > 1024 || count < -1024)
        return power_of_complex(h, base, complex_of(num_to_double(e), 0.0));
    double complex r = power_small(to_complex(base), (uint64_t)(count < 0 ? -count : count));
    if (count > 0)
        return from_complex(h, r);
    TRY(num_room(h, 256));
    return num_div(h, fixnum(1), TRY(from_complex(h, r)));
}

static val expt_integer(struct heap *h, val base, val e)
{
    if (is_eq(e, fixnum(0)))
        return fixnum(1);
    if (is_eq(e, fixnum(1)))
        return base;
    if (is_flonum(base))
        return power_of_double(h, flonum_value(base), e);
    if (is_type(base, T_COMPLEX))
        return expt_complex_integer(h, base, e);
    return rat_power(h, base, e);
}

/* base is zero, e no exact integer. */
static val expt_zero(struct heap *h, val base, val e)
{
    int sign = num_sign(num_real_part(e));
    if (!is_flonum(base) && !is_type(base, T_COMPLEX) && num_is_exact(e))
        return sign > 0 ? base : raise_divide(h);
    if (is_real(e))
        return flonum(h, pow(0.0, num_to_double(e)));
    return sign > 0 ? flonum(h, 0.0) : raise_divide(h);
}

static val expt_reals(struct heap *h, val base, val e)
{
    double x = num_to_double(base), y = num_to_double(e);
    bool beyond = !is_flonum(base) && (!double_is_finite(x) || fabs(x) < 1e-300);
    if (!beyond && (!(x < 0) || double_is_integer(y) || !double_is_finite(y)))
        return flonum(h, pow(x, y));
    if (!(num_sign(base) < 0))
        return flonum(h, exp(y * log_positive(base)));
    TRY(num_reserve(h, base, base, 8));
    val positive = TRY(num_negate(h, base));
    return power_polar(h, log_positive(positive), M_PI, complex_of(y, 0.0));
}

val num_expt(struct heap *h, val base, val e)
{
    if (is_exact_integer(e))
        return expt_integer(h, base, e);
    if (num_is_zero(base))
        return expt_zero(h, base, e);
    if (is_type(e, T_RATIO) && is_exact_rational(base)) {
        if (is_eq(object_field(e, 0), fixnum(1)) && is_eq(object_field(e, 1), fixnum(2)))
            return num_sqrt(h, base);
        if (num_sign(base) > 0) {
            val exact = TRY(exact_root_power(h, base, e));
            if (!is_eq(exact, FALSE))
                return exact;
        }
    }
    if (is_real(base) && is_real(e))
        return expt_reals(h, base, e);
    if (is_real(base)) {
        bool negative = num_sign(base) < 0;
        TRY(num_reserve(h, base, base, 8));
        val positive = negative ? TRY(num_negate(h, base)) : base;
        return power_polar(h, log_positive(positive), negative ? M_PI : 0.0, to_complex(e));
    }
    return power_of_complex(h, base, to_complex(e));
}
