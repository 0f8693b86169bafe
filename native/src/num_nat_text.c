/* T4 naturals: digits in any radix, both ways.
 *
 * Powers of two by bits. Other radices in pieces of as many digits as fit in a
 * limb (19 in radix 10); beyond LEAF_LIMBS by divide and conquer over the
 * squares of that piece's base, so that the cost is that of a few products.
 * Recursion depth is log2 of the length. Knows no values. */
#include "num_nat.h"

#define LEAF_LIMBS 30u
#define LEVELS 56u

unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

static const char digit_letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* The largest power of the radix that fits in a limb. */
static limb piece_base(unsigned radix, unsigned *digits)
{
    limb base = radix;
    unsigned n = 1;
    while (base <= UINT64_MAX / radix) {
        base *= radix;
        n++;
    }
    *digits = n;
    return base;
}

static bool is_power_of_two(unsigned radix)
{
    return (radix & (radix - 1)) == 0;
}

/* floor(log2 radix) */
static unsigned radix_bits(unsigned radix)
{
    return 31u - (unsigned)__builtin_clz(radix);
}

size_t nat_text_room(size_t limbs, unsigned radix)
{
    if (limbs > SIZE_MAX / 512)
        return SIZE_MAX / 8;
    unsigned digits;
    piece_base(radix, &digits);
    if (is_power_of_two(radix))
        return limbs * LIMB_BITS / radix_bits(radix) + 2;
    /* twice, since the conversion starts from a whole power */
    return (limbs + limbs / 16 + 2) * (digits + 1) * 2 + 64;
}

size_t nat_limbs_room(size_t digits, unsigned radix)
{
    unsigned bits = radix_bits(radix) + !is_power_of_two(radix);
    return digits / LIMB_BITS * bits + digits % LIMB_BITS * bits / LIMB_BITS + 2;
}

/* -- powers ------------------------------------------------------------------------------ */

struct power {
    limb *limbs;
    size_t n;
};

struct powers {
    struct power at[LEVELS]; /* base^(2^i) */
    unsigned count;
    unsigned radix;
    unsigned piece; /* digits of the base */
    limb base;
};

static val powers_start(struct scratch *s, struct powers *p, unsigned radix)
{
    p->radix = radix;
    p->base = piece_base(radix, &p->piece);
    p->at[0].limbs = scratch_take(s, 1);
    p->at[0].n = 1;
    p->count = 1;
    if (!p->at[0].limbs)
        return RETRY;
    p->at[0].limbs[0] = p->base;
    return TRUE;
}

static val powers_more(struct scratch *s, struct powers *p)
{
    CHECK(p->count < LEVELS);
    struct power *last = &p->at[p->count - 1];
    limb *square = scratch_take(s, 2 * last->n);
    if (!square)
        return RETRY;
    TRY(nat_mul(s, square, last->limbs, last->n, last->limbs, last->n));
    p->at[p->count].limbs = square;
    p->at[p->count].n = nat_trim(square, 2 * last->n);
    p->count++;
    return TRUE;
}

/* -- to text ------------------------------------------------------------------------------- */

static size_t text_by_bits(char *out, const limb *a, size_t n, unsigned bits)
{
    size_t total = nat_bits(a, n);
    size_t digits = (total + bits - 1) / bits;
    for (size_t i = 0; i < digits; i++) {
        size_t at = i * bits;
        size_t j = at / LIMB_BITS;
        unsigned shift = (unsigned)(at % LIMB_BITS);
        limb x = a[j] >> shift;
        if (shift + bits > LIMB_BITS && j + 1 < n)
            x |= a[j + 1] << (LIMB_BITS - shift);
        out[digits - 1 - i] = digit_letters[x & ((1u << bits) - 1)];
    }
    return digits;
}

static void write_piece(char *out, limb x, unsigned digits, unsigned radix)
{
    if (radix == 10) {
        while (digits-- > 0) {
            out[digits] = (char)('0' + x % 10);
            x /= 10;
        }
        return;
    }
    while (digits-- > 0) {
        out[digits] = digit_letters[x % radix];
        x /= radix;
    }
}

/* Exactly `pieces` pieces of a < base^pieces; a is spoilt. */
static void text_leaf(const struct powers *p, char *out, limb *a, size_t n, size_t pieces)
{
    while (pieces-- > 0) {
        limb rest = nat_divide1(a, a, n, p->base);
        n = nat_trim(a, n);
        write_piece(out + pieces * p->piece, rest, p->piece, p->radix);
    }
}

/* The 2^level pieces of a < base^(2^level); a is spoilt. */
static val text_split(struct scratch *s, const struct powers *p, char *out, limb *a, size_t n,
                      unsigned level)
{
    n = nat_trim(a, n);
    if (n == 0) {
        memset(out, '0', p->piece << level);
        return TRUE;
    }
    if (level == 0 || p->at[level - 1].n <= LEAF_LIMBS / 2) {
        TRY(nat_pay(s->heap, ((uint64_t)n << level) / 8 + 1));
        text_leaf(p, out, a, n, (size_t)1 << level);
        return TRUE;
    }
    const struct power *half = &p->at[level - 1];
    size_t half_digits = (size_t)p->piece << (level - 1);
    if (nat_compare(a, n, half->limbs, half->n) < 0) {
        memset(out, '0', half_digits);
        return text_split(s, p, out + half_digits, a, n, level - 1);
    }
    struct scratch_mark mark = scratch_mark(s);
    size_t qn = n - half->n + 1;
    limb *q = scratch_take(s, qn);
    limb *r = scratch_take(s, half->n);
    if (!q || !r)
        return RETRY;
    TRY(nat_divide(s, q, r, a, n, half->limbs, half->n));
    TRY(text_split(s, p, out, q, qn, level - 1));
    TRY(text_split(s, p, out + half_digits, r, half->n, level - 1));
    scratch_release(s, mark);
    return TRUE;
}

static val text_any(struct scratch *s, char *out, size_t *length, const limb *a, size_t n,
                    unsigned radix)
{
    struct powers p;
    if (n >= LEAF_LIMBS)
        TRY(heap_afford(s->heap, nat_mul_cost(n / 4, n / 4)));
    limb *copy = scratch_take(s, n);
    if (!copy)
        return RETRY;
    memcpy(copy, a, n * sizeof(limb));
    TRY(powers_start(s, &p, radix));
    unsigned level = 0;
    while (nat_compare(a, n, p.at[level].limbs, p.at[level].n) >= 0) {
        level++;
        if (p.at[level - 1].n > n / 2 + 1)
            break; /* its square is beyond a: not needed itself */
        TRY(powers_more(s, &p));
    }
    TRY(text_split(s, &p, out, copy, n, level));
    size_t total = (size_t)p.piece << level;
    size_t skip = 0;
    while (out[skip] == '0')
        skip++;
    memmove(out, out + skip, total - skip);
    *length = total - skip;
    return TRUE;
}

val nat_to_text(struct scratch *s, char *out, size_t *length, const limb *a, size_t n,
                unsigned radix)
{
    if (n == 0) {
        out[0] = '0';
        *length = 1;
        return TRUE;
    }
    if (is_power_of_two(radix)) {
        TRY(nat_pay(s->heap, n));
        *length = text_by_bits(out, a, n, radix_bits(radix));
        return TRUE;
    }
    if (n == 1) {
        char digits[64];
        unsigned at = sizeof digits;
        for (limb x = a[0]; x > 0; x /= radix)
            digits[--at] = digit_letters[x % radix];
        *length = sizeof digits - at;
        memcpy(out, digits + at, *length);
        return TRUE;
    }
    struct scratch_mark mark = scratch_mark(s);
    TRY(text_any(s, out, length, a, n, radix));
    scratch_release(s, mark);
    return TRUE;
}

/* -- from text -------------------------------------------------------------------------------- */

static size_t limbs_by_bits(limb *r, const char *digits, size_t n, unsigned bits)
{
    size_t limbs = n / LIMB_BITS * bits + n % LIMB_BITS * bits / LIMB_BITS + 1;
    memset(r, 0, limbs * sizeof(limb));
    for (size_t i = 0; i < n; i++) {
        limb x = digit_value(digits[n - 1 - i]);
        size_t j = i / LIMB_BITS * bits + i % LIMB_BITS * bits / LIMB_BITS;
        unsigned shift = (unsigned)(i % LIMB_BITS * bits % LIMB_BITS);
        r[j] |= x << shift;
        if (shift + bits > LIMB_BITS && j + 1 < limbs)
            r[j + 1] |= x >> (LIMB_BITS - shift);
    }
    return nat_trim(r, limbs);
}

static size_t limbs_leaf(limb *r, const char *digits, size_t n, const struct powers *p)
{
    size_t rn = 0;
    while (n > 0) {
        size_t k = n % p->piece ? n % p->piece : p->piece;
        limb x = 0, base = 1;
        for (size_t i = 0; i < k; i++) {
            x = x * p->radix + digit_value(digits[i]);
            base *= p->radix;
        }
        limb carry = nat_mul1(r, r, rn, base, x);
        if (carry)
            r[rn++] = carry;
        digits += k;
        n -= k;
    }
    return rn;
}

/* r[nat_limbs_room(n)], by halves at the largest power of the table below n digits. */
static val limbs_split(struct scratch *s, limb *r, size_t *rn, const char *digits, size_t n,
                       const struct powers *p)
{
    if (n <= (size_t)LEAF_LIMBS * p->piece) {
        TRY(nat_pay(s->heap, n * n / (16u * p->piece * p->piece) + n / 8 + 1));
        *rn = limbs_leaf(r, digits, n, p);
        return TRUE;
    }
    unsigned level = 0;
    while (level + 1 < p->count && ((size_t)p->piece << (level + 1)) < n)
        level++;
    size_t low_digits = (size_t)p->piece << level;
    struct scratch_mark mark = scratch_mark(s);
    size_t high_n, low_n;
    limb *high = scratch_take(s, nat_limbs_room(n - low_digits, p->radix));
    limb *low = scratch_take(s, nat_limbs_room(low_digits, p->radix));
    const struct power *power = &p->at[level];
    limb *product = scratch_take(s, nat_limbs_room(n, p->radix) + power->n + 2);
    if (!high || !low || !product)
        return RETRY;
    TRY(limbs_split(s, high, &high_n, digits, n - low_digits, p));
    TRY(limbs_split(s, low, &low_n, digits + (n - low_digits), low_digits, p));
    if (high_n == 0) {
        memcpy(r, low, low_n * sizeof(limb));
        *rn = low_n;
    } else {
        TRY(nat_mul(s, product, high, high_n, power->limbs, power->n));
        size_t product_n = high_n + power->n;
        nat_add(product, product, product_n, low, low_n);
        *rn = nat_trim(product, product_n);
        memcpy(r, product, *rn * sizeof(limb));
    }
    scratch_release(s, mark);
    return TRUE;
}

static val limbs_any(struct scratch *s, limb *r, size_t *rn, const char *digits, size_t n,
                     unsigned radix)
{
    struct powers p;
    size_t limbs = nat_limbs_room(n, radix);
    if (limbs >= 2 * LEAF_LIMBS)
        TRY(heap_afford(s->heap, nat_mul_cost(limbs / 4, limbs / 4)));
    TRY(powers_start(s, &p, radix));
    if (n > (size_t)LEAF_LIMBS * p.piece) {
        while (((size_t)p.piece << p.count) < n)
            TRY(powers_more(s, &p));
    }
    return limbs_split(s, r, rn, digits, n, &p);
}

val nat_from_text(struct scratch *s, limb *r, size_t *rn, const char *digits, size_t n,
                  unsigned radix)
{
    while (n > 0 && *digits == '0') {
        digits++;
        n--;
    }
    if (is_power_of_two(radix)) {
        TRY(nat_pay(s->heap, n / 8));
        *rn = limbs_by_bits(r, digits, n, radix_bits(radix));
        return TRUE;
    }
    struct scratch_mark mark = scratch_mark(s);
    TRY(limbs_any(s, r, rn, digits, n, radix));
    scratch_release(s, mark);
    return TRUE;
}
