/* T4 naturals: division and greatest common divisors.
 *
 * Division: by one limb with a precomputed reciprocal; schoolbook with a
 * three-by-two reciprocal (Moeller and Granlund); from DIVIDE_LIMBS on by the
 * recursion of Burnikel and Ziegler, so that it costs a few products. Greatest
 * common divisors: Lehmer, and binary on single limbs. Knows no values. */
#include "num_nat.h"

/* -- one limb ------------------------------------------------------------------------- */

/* floor((B^2 - 1) / d) - B for a d with its top bit set. */
static limb reciprocal1(limb d)
{
    return (limb)((((limb2)~d << LIMB_BITS) | ~(limb)0) / d);
}

/* (u1 B + u0) / d with u1 < d. */
static inline limb divide21(limb *rem, limb u1, limb u0, limb d, limb v)
{
    limb2 q = (limb2)v * u1 + (((limb2)u1 << LIMB_BITS) | u0);
    limb q1 = (limb)(q >> LIMB_BITS) + 1, q0 = (limb)q;
    limb r = u0 - q1 * d;
    if (r > q0) {
        q1--;
        r += d;
    }
    if (UNLIKELY(r >= d)) {
        q1++;
        r -= d;
    }
    *rem = r;
    return q1;
}

limb nat_divide1(limb *q, const limb *a, size_t n, limb d)
{
    if (n == 0)
        return 0;
    if (n == 1) {
        limb x = a[0];
        q[0] = x / d;
        return x % d;
    }
    unsigned shift = (unsigned)__builtin_clzll(d);
    limb top = d << shift, v = reciprocal1(top);
    limb rem = shift ? a[n - 1] >> (LIMB_BITS - shift) : 0;
    for (size_t i = n; i-- > 0;) {
        limb x = a[i] << shift;
        if (shift && i > 0)
            x |= a[i - 1] >> (LIMB_BITS - shift);
        q[i] = divide21(&rem, rem, x, top, v);
    }
    return rem >> shift;
}

/* -- schoolbook ----------------------------------------------------------------------------- */

struct divisor {
    const limb *d; /* top bit set */
    size_t n;      /* at least 2  */
    limb v;        /* reciprocal of the top two limbs */
};

static limb reciprocal2(limb d1, limb d0)
{
    limb v = reciprocal1(d1);
    limb p = d1 * v + d0;
    if (p < d0) {
        v--;
        if (p >= d1) {
            v--;
            p -= d1;
        }
        p -= d1;
    }
    limb2 t = (limb2)v * d0;
    limb t1 = (limb)(t >> LIMB_BITS), t0 = (limb)t;
    p += t1;
    if (p < t1) {
        v--;
        if (p > d1 || (p == d1 && t0 >= d0))
            v--;
    }
    return v;
}

/* The quotient limb of (u2 u1 u0) / (d1 d0), for (u2 u1) < (d1 d0). */
static inline limb divide32(limb u2, limb u1, limb u0, limb d1, limb d0, limb v)
{
    limb2 q = (limb2)v * u2 + (((limb2)u2 << LIMB_BITS) | u1);
    limb q1 = (limb)(q >> LIMB_BITS), q0 = (limb)q;
    limb2 d = ((limb2)d1 << LIMB_BITS) | d0;
    limb r1 = u1 - q1 * d1;
    limb2 r = (((limb2)r1 << LIMB_BITS) | u0) - (limb2)d0 * q1 - d;
    q1++;
    if ((limb)(r >> LIMB_BITS) >= q0) {
        q1--;
        r += d;
    }
    if (UNLIKELY(r >= d))
        q1++;
    return q1;
}

/* a[an] / d: q[an - n] and the top quotient bit; the remainder stays in a[n]. */
static limb divide_school(limb *q, limb *a, size_t an, const struct divisor *d)
{
    size_t n = d->n;
    limb *top = a + (an - n);
    limb high = nat_compare(top, n, d->d, n) >= 0;
    if (high)
        nat_sub(top, top, n, d->d, n);
    limb d1 = d->d[n - 1], d0 = d->d[n - 2];
    for (size_t i = an - n; i-- > 0;) {
        limb *u = a + i;
        limb qhat;
        if (UNLIKELY(u[n] == d1 && u[n - 1] == d0))
            qhat = ~(limb)0;
        else
            qhat = divide32(u[n], u[n - 1], u[n - 2], d1, d0, d->v);
        limb borrow = nat_submul1(u, d->d, n, qhat);
        limb rest = u[n] - borrow;
        while (UNLIKELY(rest != 0)) {
            qhat--;
            rest += nat_add(u, u, n, d->d, n);
        }
        u[n] = 0;
        q[i] = qhat;
    }
    return high;
}

/* -- recursion -------------------------------------------------------------------------------- */

/* a -= q * d_low (starting at a), high * d_low B^qn too; corrects q and a[n + ...]. */
static val subtract_product(struct scratch *s, limb *q, size_t qn, limb *high, limb *a,
                            const limb *d, size_t n, size_t low)
{
    struct scratch_mark mark = scratch_mark(s);
    limb *t = scratch_take(s, qn + low);
    if (!t)
        return RETRY;
    TRY(nat_mul_paid(s, t, q, qn, d, low));
    limb borrow = nat_sub(a, a, n, t, qn + low);
    if (*high)
        borrow += nat_sub(a + qn, a + qn, n - qn, d, low);
    while (borrow) {
        *high -= nat_sub1(q, qn, 1);
        borrow -= nat_add(a, a, n, d, n);
    }
    scratch_release(s, mark);
    return TRUE;
}

/* a[2n] / d[n]: q[n], *high; the remainder in a[n]. */
static val divide_balanced(struct scratch *s, limb *q, limb *high, limb *a, const limb *d, size_t n,
                           limb v)
{
    if (n < DIVIDE_LIMBS) {
        struct divisor divisor = {d, n, v};
        *high = divide_school(q, a, 2 * n, &divisor);
        return TRUE;
    }
    if (n >= 128 && heap_poll(s->heap))
        return LIMIT;
    size_t lo = n / 2, hi = n - lo;
    limb low_high = 0;
    TRY(divide_balanced(s, q + lo, high, a + 2 * lo, d + lo, hi, v));
    TRY(subtract_product(s, q + lo, hi, high, a + lo, d, n, lo));
    TRY(divide_balanced(s, q, &low_high, a + hi, d + hi, lo, v));
    TRY(subtract_product(s, q, lo, &low_high, a, d, n, hi));
    CHECK(low_high == 0);
    return TRUE;
}

/* a[n + k] / d[n] for k < n: q[k], *high; the remainder in a[n]. */
static val divide_short(struct scratch *s, limb *q, limb *high, limb *a, size_t k, const limb *d,
                        size_t n, limb v)
{
    if (k < DIVIDE_LIMBS) {
        struct divisor divisor = {d, n, v};
        *high = divide_school(q, a, n + k, &divisor);
        return TRUE;
    }
    TRY(divide_balanced(s, q, high, a + (n - k), d + (n - k), k, v));
    return subtract_product(s, q, k, high, a, d, n, n - k);
}

/* The general case: a in blocks of n limbs, from the top. */
static val divide_blocks(struct scratch *s, limb *q, limb *a, size_t an, const limb *d, size_t n)
{
    limb v = reciprocal2(d[n - 1], d[n - 2]);
    size_t m = an - n;
    size_t k = m % n;
    limb high = 0;
    size_t at = m - k;
    if (k > 0) {
        TRY(divide_short(s, q + at, &high, a + at, k, d, n, v));
        CHECK(high == 0);
    }
    while (at > 0) {
        at -= n;
        TRY(divide_balanced(s, q + at, &high, a + at, d, n, v));
        CHECK(high == 0);
    }
    return TRUE;
}

/* School division of a long number by a short one, polling now and then. */
static val divide_long(struct scratch *s, limb *q, limb *a, size_t an, const limb *d, size_t n)
{
    struct divisor divisor = {d, n, reciprocal2(d[n - 1], d[n - 2])};
    size_t block = 32768 / n + 1;
    size_t left = an - n;
    while (left > block) {
        left -= block;
        divide_school(q + left, a + left, n + block, &divisor);
        if (heap_poll(s->heap))
            return LIMIT;
    }
    divide_school(q, a, n + left, &divisor);
    return TRUE;
}

static val divide_taken(struct scratch *s, limb *q, limb *r, const limb *a, size_t an,
                        const limb *b, size_t bn)
{
    size_t qn = an - bn + 1;
    unsigned shift = (unsigned)__builtin_clzll(b[bn - 1]);
    limb *u = scratch_take(s, an + 1);
    limb *d = scratch_take(s, bn);
    limb *quotient = q ? q : scratch_take(s, qn);
    if (!u || !d || !quotient)
        return RETRY;
    nat_shift_left(d, b, bn, shift);
    u[an] = nat_shift_left(u, a, an, shift);
    /* u has an + 1 limbs and its top limb is below d's: no quotient bit beyond qn */
    if (size_min(qn, bn) < DIVIDE_LIMBS)
        TRY(divide_long(s, quotient, u, an + 1, d, bn));
    else
        TRY(divide_blocks(s, quotient, u, an + 1, d, bn));
    nat_shift_right(r, u, bn, shift);
    return TRUE;
}

val nat_divide(struct scratch *s, limb *q, limb *r, const limb *a, size_t an, const limb *b,
               size_t bn)
{
    TRY(nat_pay(s->heap, nat_div_cost(an, bn)));
    struct scratch_mark mark = scratch_mark(s);
    if (bn == 1) {
        limb *quotient = q ? q : scratch_take(s, an);
        if (!quotient)
            return RETRY;
        r[0] = nat_divide1(quotient, a, an, b[0]);
    } else {
        TRY(divide_taken(s, q, r, a, an, b, bn));
    }
    scratch_release(s, mark);
    return TRUE;
}

/* -- greatest common divisor ----------------------------------------------------------------------
 */

limb nat_gcd1(limb a, limb b)
{
    if (a == 0 || b == 0)
        return a | b;
    unsigned shift = (unsigned)__builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    do {
        b >>= __builtin_ctzll(b);
        if (a > b) {
            limb swap = a;
            a = b;
            b = swap;
        }
        b -= a;
    } while (b);
    return a << shift;
}

/* The leading 62 bits of a number of top_bits bits; of a shorter one, those in the same place. */
static limb window(const limb *a, size_t an, size_t top_bits)
{
    size_t low = top_bits - 62;
    size_t i = low / LIMB_BITS;
    unsigned shift = (unsigned)(low % LIMB_BITS);
    limb x = i < an ? a[i] >> shift : 0;
    if (shift && i + 1 < an)
        x |= a[i + 1] << (LIMB_BITS - shift);
    return x & (~(limb)0 >> 2);
}

struct cofactors {
    int64_t a, b, c, d; /* (a x + b y, c x + d y) */
};

/* Euclid on the leading bits, as far as the quotients are certain (Collins). */
static bool lehmer_step(limb x, limb y, struct cofactors *out)
{
    int64_t a = 1, b = 0, c = 0, d = 1;
    int64_t u = (int64_t)x, v = (int64_t)y;
    while (v + c != 0 && v + d != 0) {
        int64_t q = (u + a) / (v + c);
        if (q != (u + b) / (v + d) || q > INT32_MAX)
            break;
        int64_t na = a - q * c, nb = b - q * d;
        if (na > INT32_MAX || na < -INT32_MAX || nb > INT32_MAX || nb < -INT32_MAX)
            break;
        a = c;
        c = na;
        b = d;
        d = nb;
        int64_t t = u - q * v;
        u = v;
        v = t;
    }
    *out = (struct cofactors){a, b, c, d};
    return b != 0;
}

/* r[n] = p x + q y, known to be in 0 .. B^n - 1. */
static void combine(limb *r, const limb *x, const limb *y, size_t n, int64_t p, int64_t q)
{
    slimb2 carry = 0;
    for (size_t i = 0; i < n; i++) {
        slimb2 t = (slimb2)((limb2)x[i] * (limb2)(limb)(p < 0 ? -p : p));
        slimb2 w = (slimb2)((limb2)y[i] * (limb2)(limb)(q < 0 ? -q : q));
        carry += (p < 0 ? -t : t) + (q < 0 ? -w : w);
        r[i] = (limb)carry;
        carry >>= LIMB_BITS;
    }
}

struct gcd_pair {
    limb *x, *y, *u, *v; /* x >= y; u and v are spare; all of the same room */
    size_t xn, yn;
};

static void swap_limbs(limb **a, limb **b)
{
    limb *t = *a;
    *a = *b;
    *b = t;
}

static val gcd_reduce(struct scratch *s, struct gcd_pair *g)
{
    struct cofactors f;
    size_t bits = nat_bits(g->x, g->xn);
    if (g->xn - g->yn < 2 &&
        lehmer_step(window(g->x, g->xn, bits), window(g->y, g->yn, bits), &f)) {
        size_t n = g->xn;
        memset(g->y + g->yn, 0, (n - g->yn) * sizeof(limb));
        combine(g->u, g->x, g->y, n, f.a, f.b);
        combine(g->v, g->x, g->y, n, f.c, f.d);
        swap_limbs(&g->x, &g->u);
        swap_limbs(&g->y, &g->v);
        g->xn = nat_trim(g->x, n);
        g->yn = nat_trim(g->y, n);
        return TRUE;
    }
    TRY(nat_divide(s, NULL, g->u, g->x, g->xn, g->y, g->yn));
    size_t rest = nat_trim(g->u, g->yn);
    swap_limbs(&g->x, &g->u);
    swap_limbs(&g->x, &g->y);
    g->xn = g->yn;
    g->yn = rest;
    return TRUE;
}

static val gcd_loop(struct scratch *s, struct gcd_pair *g)
{
    size_t work = 0;
    while (g->yn > 1) {
        work += 4 * g->xn;
        if (work > 50000) {
            work = 0;
            if (heap_poll(s->heap))
                return LIMIT;
        }
        TRY(gcd_reduce(s, g));
    }
    if (g->yn == 1) {
        limb y = g->y[0];
        limb r = nat_divide1(g->u, g->x, g->xn, y);
        g->x[0] = nat_gcd1(r, y);
        g->xn = 1;
    }
    return TRUE;
}

val nat_gcd(struct scratch *s, limb *out, size_t *gn, const limb *a, size_t an, const limb *b,
            size_t bn)
{
    if (nat_compare(a, an, b, bn) < 0)
        return nat_gcd(s, out, gn, b, bn, a, an);
    uint64_t square;
    if (__builtin_mul_overflow((uint64_t)bn, (uint64_t)bn, &square))
        square = UINT64_MAX >> 4;
    TRY(nat_pay(s->heap, square + an / 8));
    struct scratch_mark mark = scratch_mark(s);
    size_t room = an + 1;
    struct gcd_pair g = {.xn = an, .yn = bn};
    limb *all = scratch_take(s, 4 * room);
    if (!all)
        return RETRY;
    g.x = all;
    g.y = all + room;
    g.u = all + 2 * room;
    g.v = all + 3 * room;
    memcpy(g.x, a, an * sizeof(limb));
    memcpy(g.y, b, bn * sizeof(limb));
    TRY(gcd_loop(s, &g));
    memcpy(out, g.x, g.xn * sizeof(limb));
    *gn = g.xn;
    scratch_release(s, mark);
    return TRUE;
}
