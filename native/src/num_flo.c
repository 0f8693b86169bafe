/* T4 numbers: doubles, and where they meet exact numbers.
 *
 * A flonum is immediate for the common exponents and boxed for the rest; there
 * is one NaN. Conversions from exact numbers are correctly rounded, comparisons
 * with them exact, and neither needs memory: the quotient of two long numbers
 * is estimated from their leading bits and settled by comparing products limb
 * by limb as they arise. */
#include "num_tower.h"
#include <math.h>

#define EXPONENT_MAX 1023
#define EXPONENT_MIN (-1022)
#define FRACTION_BITS 52

uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

bool double_is_nan(double d)
{
    return !(d <= 0) && !(d >= 0);
}

bool double_is_finite(double d)
{
    return ((double_bits(d) >> FRACTION_BITS) & 0x7ff) != 0x7ff;
}

bool double_is_integer(double d)
{
    return double_is_finite(d) && trunc(d) >= d && trunc(d) <= d;
}

val flonum_boxed(struct heap *h, double d)
{
    val v = TRY(heap_alloc(h, T_FLONUM, 0, 0));
    object_raw(v)[0] = double_is_nan(d) ? UINT64_C(0x7ff8000000000000) : double_bits(d);
    return v;
}

double flonum_value(val v)
{
    return is_flonum_immediate(v) ? flonum_immediate_value(v) : double_of_bits(object_raw(v)[0]);
}

/* -- making doubles ------------------------------------------------------------------ */

double double_make(bool negative, uint64_t m, bool sticky, int64_t exponent)
{
    uint64_t sign = (uint64_t)negative << 63;
    if (m == 0)
        return double_of_bits(sign);
    int lead = __builtin_clzll(m);
    m <<= lead;
    int64_t e = exponent - lead + 63; /* of the top bit */
    if (e > EXPONENT_MAX)
        return double_of_bits(sign | UINT64_C(0x7ff0000000000000));
    if (e < EXPONENT_MIN - FRACTION_BITS - 1)
        return double_of_bits(sign);
    unsigned drop = 64 - (FRACTION_BITS + 1);
    if (e < EXPONENT_MIN)
        drop += (unsigned)(EXPONENT_MIN - e);
    uint64_t kept = drop >= 64 ? 0 : m >> drop;
    uint64_t rest = drop >= 64 ? m : m << (64 - drop);
    uint64_t half = UINT64_C(1) << 63;
    if (rest > half || (rest == half && (sticky || (kept & 1))))
        kept++;
    if (e >= EXPONENT_MIN) /* the hidden bit of `kept` adds one to the exponent */
        kept += (uint64_t)(e - EXPONENT_MIN) << FRACTION_BITS;
    return double_of_bits(sign | kept);
}

/* floor(a * 2^(count - bits of a)), count <= 128: the leading bits. */
static limb2 leading_bits(const limb *a, size_t n, size_t bits, unsigned count)
{
    limb2 x = 0;
    size_t top = n;
    for (unsigned i = 0; i < 3 && top > 0; i++) {
        limb w = a[--top];
        size_t place = top * LIMB_BITS; /* of w's lowest bit */
        int64_t shift = (int64_t)place + count - (int64_t)bits;
        if (shift >= 0)
            x |= (limb2)w << shift;
        else if (shift > -(int64_t)LIMB_BITS)
            x |= w >> -shift;
    }
    return x;
}

double double_from_nat(const limb *n, size_t nn)
{
    nn = nat_trim(n, nn);
    if (nn <= 1)
        return nn == 0 ? 0.0 : double_make(false, n[0], false, 0);
    size_t bits = nat_bits(n, nn);
    limb m = (limb)leading_bits(n, nn, bits, 64);
    return double_make(false, m, nat_trailing_zeros(n, nn) < bits - 64, (int64_t)bits - 64);
}

static limb shifted_limb(const limb *a, size_t n, size_t shift, size_t i)
{
    size_t low = shift / LIMB_BITS;
    unsigned bits = (unsigned)(shift % LIMB_BITS);
    if (i < low)
        return 0;
    size_t j = i - low;
    limb x = j < n ? a[j] << bits : 0;
    if (bits && j > 0 && j - 1 < n)
        x |= a[j - 1] >> (LIMB_BITS - bits);
    return x;
}

/* The order of n * 2^s and d * q. */
static int compare_scaled(const limb *n, size_t nn, int64_t s, const limb *d, size_t dn, limb q)
{
    size_t left = s > 0 ? (size_t)s : 0, right = s < 0 ? (size_t)-s : 0;
    size_t limbs = size_max(nn + left / LIMB_BITS, dn + right / LIMB_BITS) + 2;
    limb carry = 0;
    int order = 0;
    for (size_t i = 0; i < limbs; i++) {
        limb2 t = (limb2)shifted_limb(d, dn, right, i) * q + carry;
        limb y = (limb)t, x = shifted_limb(n, nn, left, i);
        carry = (limb)(t >> LIMB_BITS);
        if (x != y)
            order = x < y ? -1 : 1;
    }
    return order;
}

double double_from_ratio(const limb *n, size_t nn, const limb *d, size_t dn)
{
    size_t n_bits = nat_bits(n, nn), d_bits = nat_bits(d, dn);
    limb q = (limb)(leading_bits(n, nn, n_bits, 120) / (limb)leading_bits(d, dn, d_bits, 64));
    int64_t s = 56 - (int64_t)n_bits + (int64_t)d_bits; /* q is about n 2^s / d */
    int order = compare_scaled(n, nn, s, d, dn, q);
    if (order < 0) {
        while (order < 0)
            order = compare_scaled(n, nn, s, d, dn, --q);
    } else {
        int next;
        while ((next = compare_scaled(n, nn, s, d, dn, q + 1)) >= 0) {
            q++;
            order = next;
        }
    }
    return double_make(false, q, order != 0, -s);
}

double num_to_double(val v)
{
    if (is_fixnum(v))
        return (double)fixnum_value(v);
    if (is_flonum(v))
        return flonum_value(v);
    struct integer n, d;
    integer_view(&n, rat_numerator(v));
    double r;
    if (object_type(v) == T_RATIO) {
        integer_view(&d, object_field(v, 1));
        r = double_from_ratio(n.limbs, n.n, d.limbs, d.n);
    } else {
        r = double_from_nat(n.limbs, n.n);
    }
    return n.negative ? -r : r;
}

/* -- taking doubles apart ----------------------------------------------------------------- */

uint64_t double_split(double x, int *e)
{
    uint64_t bits = double_bits(x);
    int biased = (int)((bits >> FRACTION_BITS) & 0x7ff);
    uint64_t m = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    if (biased > 0)
        m |= UINT64_C(1) << FRACTION_BITS;
    else
        biased = 1;
    *e = biased - EXPONENT_MAX - FRACTION_BITS;
    if (m == 0)
        return 0;
    int zeros = __builtin_ctzll(m);
    *e += zeros;
    return m >> zeros;
}

static val exact_double(struct heap *h, val v)
{
    double d = flonum_value(v);
    if (!double_is_finite(d))
        return raise_type(h, 0, "finite number", v);
    int e;
    int64_t m = (int64_t)double_split(d, &e);
    if (m == 0)
        return fixnum(0);
    TRY(num_room(h, 1024));
    val n = fixnum(d < 0 ? -m : m);
    if (e >= 0)
        return int_shift(h, n, e);
    return rat_new(h, n, TRY(int_shift(h, fixnum(1), -e)));
}

val num_exact(struct heap *h, val v)
{
    if (is_flonum(v))
        return exact_double(h, v);
    if (!is_type(v, T_COMPLEX) || !is_flonum(object_field(v, 0)))
        return v;
    TRY(num_room(h, 2048));
    val re = TRY(exact_double(h, object_field(v, 0)));
    val im = TRY(exact_double(h, object_field(v, 1)));
    return num_rectangular(h, re, im);
}

val num_inexact(struct heap *h, val v)
{
    if (is_flonum(v))
        return v;
    heap_work(h, num_weight(v));
    if (!is_type(v, T_COMPLEX))
        return flonum(h, num_to_double(v));
    if (is_flonum(object_field(v, 0)))
        return v;
    return complex_from_doubles(h, num_to_double(object_field(v, 0)),
                                num_to_double(object_field(v, 1)));
}

/* -- order ------------------------------------------------------------------------------------- */

int double_order(val exact, double d)
{
    int sign = int_sign(rat_numerator(exact));
    int other = (d > 0) - (d < 0);
    if (sign != other || sign == 0)
        return (sign > other) - (sign < other);
    if (!double_is_finite(d))
        return -other;
    int e;
    uint64_t m = double_split(d, &e);
    struct integer n, den;
    integer_view(&n, rat_numerator(exact));
    integer_view(&den, rat_denominator(exact));
    int order = compare_scaled(n.limbs, n.n, -e, den.limbs, den.n, m);
    return sign < 0 ? -order : order;
}

static val compare_flonums(double x, double y, int *order)
{
    if (double_is_nan(x) || double_is_nan(y))
        return FALSE;
    *order = (x > y) - (x < y);
    return TRUE;
}

val num_compare(struct heap *h, val a, val b, int *order)
{
    if (is_exact_integer(a) && is_exact_integer(b)) {
        if (is_object(a) && is_object(b))
            heap_work(h, num_weight(a));
        *order = int_compare(a, b);
        return TRUE;
    }
    bool a_flonum = is_flonum(a), b_flonum = is_flonum(b);
    if (a_flonum && b_flonum)
        return compare_flonums(flonum_value(a), flonum_value(b), order);
    if (!a_flonum && !b_flonum)
        return rat_compare(h, a, b, order);
    double d = flonum_value(a_flonum ? a : b);
    val exact = a_flonum ? b : a;
    if (double_is_nan(d))
        return FALSE;
    heap_work(h, num_weight(exact));
    int o = double_order(exact, d);
    *order = a_flonum ? -o : o;
    return TRUE;
}

static bool exact_equal(val a, val b)
{
    if (is_eq(a, b))
        return true;
    if (!is_object(a) || !is_object(b) || object_type(a) != object_type(b))
        return false;
    if (object_type(a) == T_BIGNUM)
        return int_compare(a, b) == 0;
    return int_compare(object_field(a, 0), object_field(b, 0)) == 0 &&
           int_compare(object_field(a, 1), object_field(b, 1)) == 0;
}

static bool real_equal(val a, val b)
{
    bool a_flonum = is_flonum(a), b_flonum = is_flonum(b);
    if (!a_flonum && !b_flonum)
        return exact_equal(a, b);
    double x = 0;
    if (a_flonum && b_flonum) {
        x = flonum_value(a);
        double y = flonum_value(b);
        return x <= y && x >= y;
    }
    x = flonum_value(a_flonum ? a : b);
    return !double_is_nan(x) && double_order(a_flonum ? b : a, x) == 0;
}

bool num_equal(val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b))
        return is_eq(a, b);
    if (!is_type(a, T_COMPLEX) && !is_type(b, T_COMPLEX))
        return real_equal(a, b);
    return real_equal(num_real_part(a), num_real_part(b)) &&
           real_equal(num_imag_part(a), num_imag_part(b));
}

bool num_eqv(val a, val b)
{
    if (is_eq(a, b))
        return true;
    enum number_kind kind = number_kind(a);
    if (kind != number_kind(b))
        return false;
    switch (kind) {
    case NUMBER_BIGNUM:
    case NUMBER_RATIO:
        return exact_equal(a, b);
    case NUMBER_FLONUM:
        return double_bits(flonum_value(a)) == double_bits(flonum_value(b));
    case NUMBER_COMPLEX: {
        val ar = object_field(a, 0), br = object_field(b, 0);
        val ai = object_field(a, 1), bi = object_field(b, 1);
        if (is_flonum(ar) != is_flonum(br))
            return false;
        if (!is_flonum(ar))
            return exact_equal(ar, br) && exact_equal(ai, bi);
        return double_bits(flonum_value(ar)) == double_bits(flonum_value(br)) &&
               double_bits(flonum_value(ai)) == double_bits(flonum_value(bi));
    }
    default:
        return false;
    }
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t hash_real(uint64_t hash, val v)
{
    if (is_flonum(v))
        return mix(mix(hash, 1), double_bits(flonum_value(v)));
    struct integer x;
    integer_view(&x, rat_numerator(v));
    hash = mix(hash, x.negative ? 2 : 3);
    for (size_t i = 0; i < x.n; i++)
        hash = mix(hash, x.limbs[i]);
    if (!is_type(v, T_RATIO))
        return hash;
    integer_view(&x, object_field(v, 1));
    for (size_t i = 0; i < x.n; i++)
        hash = mix(hash, x.limbs[i]);
    return hash;
}

uint64_t num_hash(val v)
{
    if (!is_type(v, T_COMPLEX))
        return hash_real(0, v);
    return hash_real(hash_real(4, object_field(v, 0)), object_field(v, 1));
}
