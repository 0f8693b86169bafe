/* T4 numbers: exact integers as bits, in two's complement of unbounded width.
 *
 * Magnitudes are turned into two's complement limb by limb on the way in and
 * back on the way out; shifts to the right round toward minus infinity. */
#include "num_tower.h"

/* The limbs of an integer in two's complement, one after the other. */
struct bit_stream {
    const struct integer *of;
    limb carry;
};

static limb stream_next(struct bit_stream *s, size_t i)
{
    limb x = i < s->of->n ? s->of->limbs[i] : 0;
    if (!s->of->negative)
        return x;
    x = ~x + s->carry;
    s->carry = s->carry && x == 0;
    return x;
}

static limb apply(enum bitwise op, limb x, limb y)
{
    switch (op) {
    case BITWISE_AND:
        return x & y;
    case BITWISE_IOR:
        return x | y;
    default:
        return x ^ y;
    }
}

static val bitwise_by_scratch(struct scratch *s, enum bitwise op, const struct integer *x,
                              const struct integer *y)
{
    size_t n = size_max(x->n, y->n) + 1;
    TRY(nat_pay(s->heap, n / 4));
    limb *r = scratch_take(s, n);
    if (!r)
        return RETRY;
    struct bit_stream xs = {x, 1}, ys = {y, 1};
    for (size_t i = 0; i < n; i++) {
        limb xi = stream_next(&xs, i), yi = stream_next(&ys, i);
        r[i] = apply(op, xi, yi);
    }
    bool negative = r[n - 1] >> (LIMB_BITS - 1);
    if (negative) {
        limb carry = 1;
        for (size_t i = 0; i < n; i++) {
            r[i] = ~r[i] + carry;
            carry = carry && r[i] == 0;
        }
    }
    return int_from_limbs(s->heap, r, n, negative);
}

val num_bitwise(struct heap *h, enum bitwise op, val a, val b)
{
    if (is_fixnum(a) && is_fixnum(b)) {
        int64_t x = fixnum_value(a), y = fixnum_value(b);
        return fixnum((int64_t)apply(op, (limb)x, (limb)y));
    }
    struct integer x, y;
    integer_view(&x, a);
    integer_view(&y, b);
    struct scratch s;
    scratch_open(&s, h);
    val v = bitwise_by_scratch(&s, op, &x, &y);
    scratch_close(&s);
    return v;
}

/* -- shifts ---------------------------------------------------------------------------- */

static val shift_left(struct scratch *s, const struct integer *x, uint64_t count)
{
    uint64_t limbs = count / LIMB_BITS + x->n + 1;
    TRY(nat_fits(s->heap, limbs * sizeof(limb)));
    TRY(nat_pay(s->heap, limbs / 8));
    limb *r = scratch_take(s, (size_t)limbs);
    if (!r)
        return RETRY;
    size_t low = (size_t)(count / LIMB_BITS);
    memset(r, 0, low * sizeof(limb));
    r[low + x->n] = nat_shift_left(r + low, x->limbs, x->n, (unsigned)(count % LIMB_BITS));
    return int_from_limbs(s->heap, r, (size_t)limbs, x->negative);
}

static val shift_right(struct scratch *s, const struct integer *x, uint64_t count)
{
    if (count / LIMB_BITS >= x->n)
        return fixnum(x->negative ? -1 : 0);
    size_t low = (size_t)(count / LIMB_BITS), n = x->n - low;
    TRY(nat_pay(s->heap, n / 8));
    limb *r = scratch_take(s, n + 1);
    if (!r)
        return RETRY;
    bool lost = nat_shift_right(r, x->limbs + low, n, (unsigned)(count % LIMB_BITS)) != 0;
    lost = lost || nat_trim(x->limbs, low) > 0;
    r[n] = x->negative && lost ? nat_add1(r, n, 1) : 0;
    return int_from_limbs(s->heap, r, n + 1, x->negative);
}

static val shift_small(struct heap *h, int64_t x, int64_t count, bool *done)
{
    *done = true;
    if (count <= 0)
        return fixnum(count < -62 ? x >> 63 : x >> -count);
    if (count < 60) {
        int64_t r = (int64_t)((uint64_t)x << count);
        if (r >> count == x)
            return num_from_int64(h, r);
    }
    *done = x == 0;
    return fixnum(0);
}

val int_shift(struct heap *h, val a, int64_t count)
{
    if (is_fixnum(a)) {
        bool done;
        val v = shift_small(h, fixnum_value(a), count, &done);
        if (done)
            return v;
    }
    struct integer x;
    integer_view(&x, a);
    struct scratch s;
    scratch_open(&s, h);
    val v =
        count >= 0 ? shift_left(&s, &x, (uint64_t)count) : shift_right(&s, &x, (uint64_t)-count);
    scratch_close(&s);
    return v;
}

val num_shift(struct heap *h, val a, val count)
{
    if (is_fixnum(count))
        return int_shift(h, a, fixnum_value(count));
    if (int_sign(count) < 0)
        return fixnum(int_sign(a) < 0 ? -1 : 0);
    return is_eq(a, fixnum(0)) ? a : nat_fits(h, UINT64_MAX);
}

/* -- counts ------------------------------------------------------------------------------ */

static bool is_power_of_two(const struct integer *x)
{
    return x->n > 0 && (x->limbs[x->n - 1] & (x->limbs[x->n - 1] - 1)) == 0 &&
           nat_trim(x->limbs, x->n - 1) == 0;
}

size_t num_integer_length(val a)
{
    struct integer x;
    integer_view(&x, a);
    size_t bits = nat_bits(x.limbs, x.n);
    return x.negative && is_power_of_two(&x) ? bits - 1 : bits;
}

size_t num_bit_count(val a)
{
    struct integer x;
    integer_view(&x, a);
    size_t count = 0;
    struct bit_stream s = {&x, 1};
    for (size_t i = 0; i < x.n; i++) {
        limb w = stream_next(&s, i);
        count += (size_t)__builtin_popcountll(x.negative ? ~w : w);
    }
    return count;
}

bool num_bit_set(val a, size_t index)
{
    struct integer x;
    integer_view(&x, a);
    size_t i = index / LIMB_BITS;
    if (i >= x.n)
        return x.negative;
    limb w = x.limbs[i];
    if (x.negative)
        w = ~w + (nat_trim(x.limbs, i) == 0);
    return (w >> (index % LIMB_BITS)) & 1;
}
