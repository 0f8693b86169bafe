/* T4 numbers: exact integers as values.
 *
 * Fixnums where they fit, else T_BIGNUM: sign in FLAG_A, magnitude in trimmed
 * limbs. Fixnum pairs are done in machine words; everything else through views
 * on limbs, scratch memory and one allocation of the result's exact size. */
#include "num_tower.h"

void integer_view(struct integer *v, val x)
{
    if (is_fixnum(x)) {
        int64_t n = fixnum_value(x);
        v->negative = n < 0;
        v->small = n < 0 ? (limb)-n : (limb)n;
        v->limbs = &v->small;
        v->n = n != 0;
        return;
    }
    v->negative = object_flag(x, FLAG_A);
    v->limbs = (const limb *)(const void *)object_bytes(x);
    v->n = object_length(x) / sizeof(limb);
}

size_t num_weight(val v)
{
    if (!is_object(v))
        return 8;
    switch (object_type(v)) {
    case T_BIGNUM:
        return object_length(v);
    case T_RATIO:
    case T_COMPLEX:
        return num_weight(object_field(v, 0)) + num_weight(object_field(v, 1));
    default:
        return 8;
    }
}

val num_room(struct heap *h, size_t bytes)
{
    bytes = size_min(bytes, RESERVE_MAX);
    val v = heap_reserve(h, bytes);
    if (is_eq(v, RETRY))
        h->wanted = size_min(2 * bytes + 8192, RESERVE_MAX);
    return v;
}

val num_reserve(struct heap *h, val a, val b, size_t count)
{
    size_t each = size_min(num_weight(a) + num_weight(b) + 48, LARGE_OBJECT);
    return num_room(h, each * count);
}

static val bignum_new(struct heap *h, size_t n, bool negative, limb **limbs)
{
    TRY(nat_fits(h, (uint64_t)n * sizeof(limb)));
    val v = TRY(heap_alloc(h, T_BIGNUM, n * sizeof(limb), negative ? FLAG_A : 0));
    *limbs = (limb *)(void *)object_bytes(v);
    return v;
}

val int_from_limbs(struct heap *h, const limb *limbs, size_t n, bool negative)
{
    n = nat_trim(limbs, n);
    if (n == 0)
        return fixnum(0);
    if (n == 1 && limbs[0] <= (limb)FIXNUM_MAX + negative)
        return fixnum(negative ? -(int64_t)limbs[0] : (int64_t)limbs[0]);
    limb *to;
    val v = TRY(bignum_new(h, n, negative, &to));
    memcpy(to, limbs, n * sizeof(limb));
    return v;
}

val num_from_uint64(struct heap *h, uint64_t n)
{
    return int_from_limbs(h, &n, 1, false);
}

val num_from_int64(struct heap *h, int64_t n)
{
    if (fixnum_fits(n))
        return fixnum(n);
    limb magnitude = n < 0 ? -(limb)n : (limb)n;
    return int_from_limbs(h, &magnitude, 1, n < 0);
}

bool num_to_int64(val v, int64_t *out)
{
    if (is_fixnum(v)) {
        *out = fixnum_value(v);
        return true;
    }
    if (!is_type(v, T_BIGNUM))
        return false;
    struct integer x;
    integer_view(&x, v);
    if (x.n > 1 || x.limbs[0] > (limb)INT64_MAX + x.negative)
        return false;
    *out = x.negative ? (int64_t)-x.limbs[0] : (int64_t)x.limbs[0];
    return true;
}

/* -- order ------------------------------------------------------------------------------ */

int int_sign(val a)
{
    if (is_fixnum(a))
        return (fixnum_value(a) > 0) - (fixnum_value(a) < 0);
    return object_flag(a, FLAG_A) ? -1 : 1;
}

bool int_is_odd(val a)
{
    struct integer x;
    integer_view(&x, a);
    return x.n > 0 && (x.limbs[0] & 1);
}

int int_compare(val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b))
        return (fixnum_value(a) > fixnum_value(b)) - (fixnum_value(a) < fixnum_value(b));
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    if (x.negative != y.negative)
        return x.negative ? -1 : 1;
    int order = nat_compare(x.limbs, x.n, y.limbs, y.n);
    return x.negative ? -order : order;
}

/* -- sums ---------------------------------------------------------------------------------- */

static val sum_by_scratch(struct scratch *s, const struct integer *x, const struct integer *y,
                          bool subtract, bool negative)
{
    limb *r = scratch_take(s, x->n + 1);
    if (!r)
        return RETRY;
    if (subtract)
        r[x->n] = nat_sub(r, x->limbs, x->n, y->limbs, y->n);
    else
        r[x->n] = nat_add(r, x->limbs, x->n, y->limbs, y->n);
    return int_from_limbs(s->heap, r, x->n + 1, negative);
}

/* Is the result's top limb sure to be that of x, neither carried into nor lost? */
static bool keeps_length(const struct integer *x, const struct integer *y, bool subtract)
{
    limb top = x->limbs[x->n - 1];
    limb other = x->n == y->n ? y->limbs[y->n - 1] : 0;
    if (x->n < 2)
        return false;
    return subtract ? top - other >= 2 : other < ~(limb)0 && top < ~other;
}

/* |x| >= |y|: x's magnitude plus or minus y's. */
static val sum_magnitudes(struct heap *h, const struct integer *x, const struct integer *y,
                          bool subtract, bool negative)
{
    TRY(nat_pay(h, x->n / 8));
    if (keeps_length(x, y, subtract)) {
        limb *r;
        val v = TRY(bignum_new(h, x->n, negative, &r));
        if (subtract)
            nat_sub(r, x->limbs, x->n, y->limbs, y->n);
        else
            nat_add(r, x->limbs, x->n, y->limbs, y->n);
        return v;
    }
    struct scratch s;
    scratch_open(&s, h);
    val v = sum_by_scratch(&s, x, y, subtract, negative);
    scratch_close(&s);
    return v;
}

static val sum(struct heap *h, val a, val b, bool subtract)
{
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    bool y_negative = y.negative != subtract;
    if (y.n == 0)
        return a;
    bool differ = x.negative != y_negative;
    if (nat_compare(x.limbs, x.n, y.limbs, y.n) >= 0)
        return sum_magnitudes(h, &x, &y, differ, x.negative);
    return sum_magnitudes(h, &y, &x, differ, y_negative);
}

val int_add(struct heap *h, val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b))
        return num_from_int64(h, fixnum_value(a) + fixnum_value(b));
    return sum(h, a, b, false);
}

val int_sub(struct heap *h, val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b))
        return num_from_int64(h, fixnum_value(a) - fixnum_value(b));
    return sum(h, a, b, true);
}

val int_negate(struct heap *h, val a)
{
    if (is_fixnum(a))
        return num_from_int64(h, -fixnum_value(a));
    struct integer x;
    integer_view(&x, a);
    TRY(nat_pay(h, x.n / 8));
    return int_from_limbs(h, x.limbs, x.n, !x.negative);
}

/* -- products --------------------------------------------------------------------------------- */

static val product_by_scratch(struct scratch *s, const struct integer *x, const struct integer *y)
{
    TRY(nat_fits(s->heap, ((uint64_t)x->n + y->n) * sizeof(limb)));
    limb *r = scratch_take(s, x->n + y->n);
    if (!r)
        return RETRY;
    TRY(nat_mul(s, r, x->limbs, x->n, y->limbs, y->n));
    return int_from_limbs(s->heap, r, x->n + y->n, x->negative != y->negative);
}

val int_mul(struct heap *h, val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b)) {
        int64_t product;
        if (!__builtin_mul_overflow(fixnum_value(a), fixnum_value(b), &product))
            return num_from_int64(h, product);
    }
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    if (x.n == 0 || y.n == 0)
        return fixnum(0);
    if (is_eq(a, fixnum(1)))
        return b;
    if (is_eq(b, fixnum(1)))
        return a;
    struct scratch s;
    scratch_open(&s, h);
    val v = product_by_scratch(&s, &x, &y);
    scratch_close(&s);
    return v;
}

static val power_by_scratch(struct scratch *s, const struct integer *x, uint64_t e)
{
    /* the odd part alone is raised; the twos are a shift */
    size_t twos = nat_trailing_zeros(x->limbs, x->n);
    size_t n = x->n - twos / LIMB_BITS;
    limb *odd = scratch_take(s, n);
    if (!odd)
        return RETRY;
    nat_shift_right(odd, x->limbs + twos / LIMB_BITS, n, (unsigned)(twos % LIMB_BITS));
    n = nat_trim(odd, n);
    uint64_t shift;
    size_t room = n == 1 && odd[0] == 1 ? 1 : nat_power_limbs(odd, n, e);
    if (__builtin_mul_overflow((uint64_t)twos, e, &shift) || shift > UINT64_MAX >> 4 ||
        room > SIZE_MAX >> 4)
        return nat_fits(s->heap, UINT64_MAX);
    uint64_t total = (uint64_t)room + shift / LIMB_BITS + 2;
    TRY(heap_afford(s->heap, nat_mul_cost(room / 4, room / 4)));
    TRY(nat_fits(s->heap, total * sizeof(limb)));
    TRY(nat_pay(s->heap, total / 8));
    limb *r = scratch_take(s, (size_t)total);
    if (!r)
        return RETRY;
    size_t low = (size_t)(shift / LIMB_BITS), rn = 1;
    memset(r, 0, low * sizeof(limb));
    if (room == 1)
        r[low] = 1;
    else
        TRY(nat_power(s, r + low, &rn, odd, n, e));
    r[low + rn] = nat_shift_left(r + low, r + low, rn, (unsigned)(shift % LIMB_BITS));
    return int_from_limbs(s->heap, r, low + rn + 1, x->negative && (e & 1));
}

val int_power(struct heap *h, val base, uint64_t e)
{
    struct integer x;
    integer_view(&x, base);
    if (e == 0)
        return fixnum(1);
    if (x.n == 0 || e == 1)
        return base;
    if (x.n == 1 && x.limbs[0] == 1)
        return e & 1 ? base : fixnum(1);
    struct scratch s;
    scratch_open(&s, h);
    val v = power_by_scratch(&s, &x, e);
    scratch_close(&s);
    return v;
}

/* -- quotients ----------------------------------------------------------------------------------
 */

static val divide_by_scratch(struct scratch *s, const struct integer *x, const struct integer *y,
                             val *q, val *r)
{
    size_t qn = x->n - y->n + 1;
    limb *quotient = scratch_take(s, qn);
    limb *rest = scratch_take(s, y->n);
    if (!quotient || !rest)
        return RETRY;
    TRY(nat_divide(s, quotient, rest, x->limbs, x->n, y->limbs, y->n));
    if (q)
        *q = TRY(int_from_limbs(s->heap, quotient, qn, x->negative != y->negative));
    if (r)
        *r = TRY(int_from_limbs(s->heap, rest, y->n, x->negative));
    return TRUE;
}

val int_divide(struct heap *h, val a, val b, val *q, val *r)
{
    if (is_fixnum(a) && is_fixnum(b)) {
        if (q)
            *q = TRY(num_from_int64(h, fixnum_value(a) / fixnum_value(b)));
        if (r)
            *r = fixnum(fixnum_value(a) % fixnum_value(b));
        return TRUE;
    }
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    if (nat_compare(x.limbs, x.n, y.limbs, y.n) < 0) {
        if (q)
            *q = fixnum(0);
        if (r)
            *r = a;
        return TRUE;
    }
    TRY(num_reserve(h, a, b, 2));
    struct scratch s;
    scratch_open(&s, h);
    val done = divide_by_scratch(&s, &x, &y, q, r);
    scratch_close(&s);
    return done;
}

val int_floor_divide(struct heap *h, val a, val b, val *q, val *r)
{
    if (!is_fixnum(a) || !is_fixnum(b))
        TRY(num_reserve(h, a, b, 5));
    val quotient, rest;
    TRY(int_divide(h, a, b, &quotient, &rest));
    bool down = int_sign(rest) != 0 && int_sign(rest) != int_sign(b);
    if (r)
        *r = down ? TRY(int_add(h, rest, b)) : rest;
    if (q)
        *q = down ? TRY(int_sub(h, quotient, fixnum(1))) : quotient;
    return TRUE;
}

static val gcd_by_scratch(struct scratch *s, const struct integer *x, const struct integer *y)
{
    limb *g = scratch_take(s, size_min(x->n, y->n));
    size_t gn;
    if (!g)
        return RETRY;
    TRY(nat_gcd(s, g, &gn, x->limbs, x->n, y->limbs, y->n));
    return int_from_limbs(s->heap, g, gn, false);
}

val int_gcd(struct heap *h, val a, val b)
{
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    if (x.n == 0)
        return y.negative ? int_negate(h, b) : b;
    if (y.n == 0)
        return x.negative ? int_negate(h, a) : a;
    if (x.n == 1 && y.n == 1)
        return num_from_uint64(h, nat_gcd1(x.limbs[0], y.limbs[0]));
    struct scratch s;
    scratch_open(&s, h);
    val v = gcd_by_scratch(&s, &x, &y);
    scratch_close(&s);
    return v;
}

/* -- the border
 * -------------------------------------------------------------------------------------- */

val bignum_from_magnitude(struct heap *h, const uint8_t *big_endian, size_t n, bool negative)
{
    while (n > 0 && *big_endian == 0) {
        big_endian++;
        n--;
    }
    limb one = 0;
    limb *to = &one;
    size_t limbs = (n + 7) / 8;
    val v = fixnum(0);
    if (limbs > 1)
        v = TRY(bignum_new(h, limbs, negative, &to));
    if (limbs > 0)
        to[limbs - 1] = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned shift = (unsigned)(i % 8) * 8;
        limb byte = (limb)big_endian[n - 1 - i] << shift;
        to[i / 8] = shift ? to[i / 8] | byte : byte;
    }
    heap_work(h, n);
    return limbs > 1 ? v : int_from_limbs(h, &one, 1, negative);
}

size_t bignum_magnitude_bytes(val v)
{
    struct integer x;
    integer_view(&x, v);
    return (nat_bits(x.limbs, x.n) + 7) / 8;
}

void bignum_store_magnitude(val v, uint8_t *big_endian)
{
    struct integer x;
    integer_view(&x, v);
    size_t n = (nat_bits(x.limbs, x.n) + 7) / 8;
    for (size_t i = 0; i < n; i++)
        big_endian[n - 1 - i] = (uint8_t)(x.limbs[i / 8] >> (i % 8 * 8));
}
