/* T4 naturals: scratch memory, linear limb work and multiplication.
 *
 * Products: schoolbook below KARATSUBA_LIMBS, then Karatsuba in its subtractive
 * form (recursion depth log2 n, temporaries taken once before it starts), on
 * slices of the longer factor where the two differ in length. Polls for an
 * interruption every few ten thousand limb products. Knows no values. */
#include "num_nat.h"

/* -- scratch ------------------------------------------------------------------------- */

struct scratch_chunk {
    struct scratch_chunk *previous;
    size_t bytes;
    limb limbs[];
};

void scratch_open(struct scratch *s, struct heap *h)
{
    s->heap = h;
    s->chunk = NULL;
    s->free = s->first;
    s->end = s->first + SCRATCH_FIRST;
}

static void drop_chunk(struct scratch *s)
{
    struct scratch_chunk *chunk = s->chunk;
    s->chunk = chunk->previous;
    heap_mfree(s->heap, chunk, chunk->bytes);
}

void scratch_close(struct scratch *s)
{
    while (s->chunk)
        drop_chunk(s);
}

struct scratch_mark scratch_mark(const struct scratch *s)
{
    return (struct scratch_mark){s->chunk, s->free, s->end};
}

void scratch_release(struct scratch *s, struct scratch_mark mark)
{
    while (s->chunk != mark.chunk)
        drop_chunk(s);
    s->free = mark.free;
    s->end = mark.end;
}

limb *scratch_take(struct scratch *s, size_t limbs)
{
    if ((size_t)(s->end - s->free) < limbs) {
        size_t room = size_max(limbs, 1000);
        size_t bytes;
        if (!size_mul(room, sizeof(limb), &bytes) ||
            !size_add(bytes, sizeof(struct scratch_chunk), &bytes))
            bytes = SIZE_MAX;
        struct scratch_chunk *chunk = heap_malloc(s->heap, bytes);
        if (!chunk)
            return NULL;
        chunk->previous = s->chunk;
        chunk->bytes = bytes;
        s->chunk = chunk;
        s->free = chunk->limbs;
        s->end = chunk->limbs + room;
    }
    limb *p = s->free;
    s->free += limbs;
    return p;
}

char *scratch_bytes(struct scratch *s, size_t bytes)
{
    return (char *)scratch_take(s, bytes / sizeof(limb) + 1);
}

/* -- fuel ------------------------------------------------------------------------------ */

val nat_pay(struct heap *h, uint64_t units)
{
    TRY(heap_afford(h, units));
    heap_charge(h, units);
    return TRUE;
}

val nat_fits(struct heap *h, uint64_t bytes)
{
    if (bytes <= h->limit)
        return TRUE;
    heap_mfree(h, heap_malloc(h, (size_t)bytes), 0); /* refused: notes what was wanted */
    return RETRY;
}

#define COST_MAX ((uint64_t)1 << 60)

/* The product of two numbers of n limbs; a unit buys four limb products. */
static uint64_t square_cost(size_t n)
{
    uint64_t factor = 1;
    while (n >= KARATSUBA_LIMBS) {
        n = (n + 1) / 2;
        factor *= 3;
    }
    return factor * (n * n / 4 + 1);
}

uint64_t nat_mul_cost(size_t an, size_t bn)
{
    size_t more = size_max(an, bn), less = size_min(an, bn);
    if (less == 0)
        return 0;
    if (less < KARATSUBA_LIMBS) {
        uint64_t products;
        return __builtin_mul_overflow(more, less, &products) ? COST_MAX : products / 4;
    }
    uint64_t slices = more / less + (more % less != 0);
    uint64_t cost;
    if (less > (size_t)1 << 36 || __builtin_mul_overflow(square_cost(less), slices, &cost))
        return COST_MAX;
    return cost < COST_MAX ? cost : COST_MAX;
}

uint64_t nat_div_cost(size_t an, size_t bn)
{
    size_t qn = an >= bn ? an - bn + 1 : 1;
    uint64_t product = nat_mul_cost(qn, bn);
    if (size_min(qn, bn) < DIVIDE_LIMBS)
        return product + an / 8;
    return product > COST_MAX / 4 ? COST_MAX : product * 2 + an / 8;
}

/* -- linear work --------------------------------------------------------------------------- */

size_t nat_trim(const limb *a, size_t n)
{
    while (n > 0 && a[n - 1] == 0)
        n--;
    return n;
}

size_t nat_bits(const limb *a, size_t n)
{
    n = nat_trim(a, n);
    return n == 0 ? 0 : n * LIMB_BITS - (size_t)__builtin_clzll(a[n - 1]);
}

size_t nat_trailing_zeros(const limb *a, size_t n)
{
    size_t i = 0;
    while (i + 1 < n && a[i] == 0)
        i++;
    return i * LIMB_BITS + (size_t)__builtin_ctzll(a[i]);
}

int nat_compare(const limb *a, size_t an, const limb *b, size_t bn)
{
    if (an != bn)
        return an < bn ? -1 : 1;
    while (an-- > 0) {
        if (a[an] != b[an])
            return a[an] < b[an] ? -1 : 1;
    }
    return 0;
}

limb nat_add(limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    limb carry = 0;
    size_t i = 0;
    for (; i < bn; i++) {
        limb2 t = (limb2)a[i] + b[i] + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB_BITS);
    }
    for (; i < an && carry; i++) {
        r[i] = a[i] + 1;
        carry = r[i] == 0;
    }
    if (r != a && i < an)
        memcpy(r + i, a + i, (an - i) * sizeof(limb));
    return carry;
}

limb nat_sub(limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    limb borrow = 0;
    size_t i = 0;
    for (; i < bn; i++) {
        limb2 t = (limb2)a[i] - b[i] - borrow;
        r[i] = (limb)t;
        borrow = (limb)(t >> LIMB_BITS) & 1;
    }
    for (; i < an && borrow; i++) {
        borrow = a[i] == 0;
        r[i] = a[i] - 1;
    }
    if (r != a && i < an)
        memcpy(r + i, a + i, (an - i) * sizeof(limb));
    return borrow;
}

limb nat_add1(limb *r, size_t n, limb b)
{
    for (size_t i = 0; i < n && b; i++) {
        r[i] += b;
        b = r[i] < b;
    }
    return b;
}

limb nat_sub1(limb *r, size_t n, limb b)
{
    for (size_t i = 0; i < n && b; i++) {
        limb old = r[i];
        r[i] = old - b;
        b = old < b;
    }
    return b;
}

limb nat_mul1(limb *r, const limb *a, size_t n, limb m, limb carry)
{
    for (size_t i = 0; i < n; i++) {
        limb2 t = (limb2)a[i] * m + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB_BITS);
    }
    return carry;
}

limb nat_addmul1(limb *r, const limb *a, size_t n, limb m)
{
    limb carry = 0;
    for (size_t i = 0; i < n; i++) {
        limb2 t = (limb2)a[i] * m + r[i] + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB_BITS);
    }
    return carry;
}

limb nat_submul1(limb *r, const limb *a, size_t n, limb m)
{
    limb carry = 0;
    for (size_t i = 0; i < n; i++) {
        limb2 t = (limb2)a[i] * m + carry;
        limb low = (limb)t;
        carry = (limb)(t >> LIMB_BITS) + (r[i] < low);
        r[i] -= low;
    }
    return carry;
}

limb nat_shift_left(limb *r, const limb *a, size_t n, unsigned bits)
{
    if (bits == 0) {
        memmove(r, a, n * sizeof(limb));
        return 0;
    }
    limb out = 0;
    for (size_t i = n; i-- > 0;) {
        limb x = a[i];
        if (i + 1 == n)
            out = x >> (LIMB_BITS - bits);
        r[i] = (x << bits) | (i > 0 ? a[i - 1] >> (LIMB_BITS - bits) : 0);
    }
    return out;
}

limb nat_shift_right(limb *r, const limb *a, size_t n, unsigned bits)
{
    if (bits == 0) {
        memmove(r, a, n * sizeof(limb));
        return 0;
    }
    limb out = n > 0 ? a[0] << (LIMB_BITS - bits) : 0;
    for (size_t i = 0; i < n; i++)
        r[i] = (a[i] >> bits) | (i + 1 < n ? a[i + 1] << (LIMB_BITS - bits) : 0);
    return out;
}

/* -- multiplication -------------------------------------------------------------------------- */

static void mul_school(limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    r[an] = nat_mul1(r, a, an, b[0], 0);
    for (size_t i = 1; i < bn; i++)
        r[an + i] = nat_addmul1(r + i, a, an, b[i]);
}

/* Each product of two different limbs once, doubled, then the squares. */
static void square_school(limb *r, const limb *a, size_t n)
{
    r[0] = 0;
    if (n > 1) {
        r[n] = nat_mul1(r + 1, a + 1, n - 1, a[0], 0);
        for (size_t i = 1; i + 1 < n; i++)
            r[n + i] = nat_addmul1(r + 2 * i + 1, a + i + 1, n - i - 1, a[i]);
    }
    r[2 * n - 1] = nat_shift_left(r, r, 2 * n - 1, 1);
    limb carry = 0;
    for (size_t i = 0; i < n; i++) {
        limb2 square = (limb2)a[i] * a[i];
        limb2 t = (limb2)r[2 * i] + (limb)square + carry;
        r[2 * i] = (limb)t;
        t = (limb2)r[2 * i + 1] + (limb)(square >> LIMB_BITS) + (limb)(t >> LIMB_BITS);
        r[2 * i + 1] = (limb)t;
        carry = (limb)(t >> LIMB_BITS);
    }
}

/* r[m] = |x[m] - y[k]|, m - k is 0 or 1; true where negative. */
static bool difference(limb *r, const limb *x, size_t m, const limb *y, size_t k)
{
    size_t xn = nat_trim(x, m), yn = nat_trim(y, k);
    bool negative = nat_compare(x, xn, y, yn) < 0;
    if (negative) {
        size_t swap_n = xn;
        const limb *swap = x;
        x = y;
        xn = yn;
        y = swap;
        yn = swap_n;
    }
    nat_sub(r, x, xn, y, yn);
    memset(r + xn, 0, (m - xn) * sizeof(limb));
    return negative;
}

static size_t karatsuba_room(size_t n)
{
    return 4 * n + 2 * LIMB_BITS + 4 * KARATSUBA_LIMBS;
}

/* r[2n] = a * b; t[karatsuba_room(n)]. False: interrupted. */
static bool mul_balanced(struct heap *h, limb *r, const limb *a, const limb *b, size_t n, limb *t)
{
    if (n < KARATSUBA_LIMBS) {
        if (a == b)
            square_school(r, a, n);
        else
            mul_school(r, a, n, b, n);
        return true;
    }
    if (n >= 256 && heap_poll(h))
        return false;
    size_t m = (n + 1) / 2, k = n - m;
    bool negative = difference(r, a, m, a + m, k);
    const limb *db = r;
    if (a != b) {
        negative ^= difference(r + m, b, m, b + m, k);
        db = r + m;
    } else {
        negative = false;
    }
    if (!mul_balanced(h, t, r, db, m, t + 2 * m) || !mul_balanced(h, r, a, b, m, t + 2 * m) ||
        !mul_balanced(h, r + 2 * m, a + m, b + m, k, t + 2 * m))
        return false;
    limb *middle = t + 2 * m; /* a0 b0 + a1 b1 -+ |a0 - a1| |b0 - b1| */
    middle[2 * m] = nat_add(middle, r, 2 * m, r + 2 * m, 2 * k);
    if (negative)
        nat_add(middle, middle, 2 * m + 1, t, 2 * m);
    else
        nat_sub(middle, middle, 2 * m + 1, t, 2 * m);
    size_t middle_n = nat_trim(middle, 2 * m + 1);
    nat_add(r + m, r + m, 2 * n - m, middle, middle_n);
    return true;
}

static val mul_any(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b, size_t bn);

/* an >= bn >= KARATSUBA_LIMBS: the longer one in slices of bn limbs. */
static val mul_slices(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b,
                      size_t bn)
{
    struct scratch_mark mark = scratch_mark(s);
    limb *t = scratch_take(s, karatsuba_room(bn));
    limb *product = scratch_take(s, 2 * bn);
    if (!t || !product)
        return RETRY;
    if (!mul_balanced(s->heap, r, a, b, bn, t))
        return LIMIT;
    size_t done = bn;
    for (; an - done >= bn; done += bn) {
        if (!mul_balanced(s->heap, product, a + done, b, bn, t))
            return LIMIT;
        memset(r + done + bn, 0, bn * sizeof(limb));
        nat_add(r + done, r + done, 2 * bn, product, 2 * bn);
    }
    size_t rest = an - done;
    if (rest > 0) {
        TRY(mul_any(s, product, b, bn, a + done, rest));
        memset(r + done + bn, 0, rest * sizeof(limb));
        nat_add(r + done, r + done, bn + rest, product, bn + rest);
    }
    scratch_release(s, mark);
    return TRUE;
}

static val mul_any(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    if (an < bn)
        return mul_any(s, r, b, bn, a, an);
    if (bn >= KARATSUBA_LIMBS)
        return mul_slices(s, r, a, an, b, bn);
    if (a == b && an == bn) {
        square_school(r, a, an);
        return TRUE;
    }
    if (an < 4096) {
        mul_school(r, a, an, b, bn);
        return TRUE;
    }
    r[an] = nat_mul1(r, a, an, b[0], 0);
    for (size_t i = 1; i < bn; i++) {
        if (heap_poll(s->heap))
            return LIMIT;
        r[an + i] = nat_addmul1(r + i, a, an, b[i]);
    }
    return TRUE;
}

val nat_mul_paid(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    return mul_any(s, r, a, an, b, bn);
}

val nat_mul(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b, size_t bn)
{
    TRY(nat_pay(s->heap, nat_mul_cost(an, bn)));
    return mul_any(s, r, a, an, b, bn);
}

/* -- powers ------------------------------------------------------------------------------------ */

size_t nat_power_limbs(const limb *a, size_t an, uint64_t e)
{
    uint64_t bits;
    if (__builtin_mul_overflow((uint64_t)nat_bits(a, an), e, &bits) || bits > UINT64_MAX >> 4)
        return SIZE_MAX;
    return (size_t)(bits / LIMB_BITS + 2);
}

/* Square and multiply from the top bit of e, between r and a spare buffer. */
static val power_loop(struct scratch *s, limb *r, size_t *rn, limb *spare, const limb *a, size_t an,
                      uint64_t e)
{
    limb *x = r, *y = spare;
    size_t xn = an;
    memcpy(x, a, an * sizeof(limb));
    for (int bit = 62 - __builtin_clzll(e); bit >= 0; bit--) {
        TRY(nat_mul(s, y, x, xn, x, xn));
        size_t yn = nat_trim(y, 2 * xn);
        if ((e >> bit) & 1) {
            TRY(nat_mul(s, x, y, yn, a, an));
            xn = nat_trim(x, yn + an);
        } else {
            limb *swap = x;
            x = y;
            y = swap;
            xn = yn;
        }
    }
    if (x != r)
        memcpy(r, x, xn * sizeof(limb));
    *rn = xn;
    return TRUE;
}

val nat_power(struct scratch *s, limb *r, size_t *rn, const limb *a, size_t an, uint64_t e)
{
    size_t room = nat_power_limbs(a, an, e) + 1;
    if (an > 1 || a[0] > 1)
        TRY(heap_afford(s->heap, nat_mul_cost(room / 4, room / 4)));
    struct scratch_mark mark = scratch_mark(s);
    limb *spare = scratch_take(s, room);
    if (!spare)
        return RETRY;
    TRY(power_loop(s, r, rn, spare, a, an, e));
    scratch_release(s, mark);
    return TRUE;
}
