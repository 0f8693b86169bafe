/* T4 naturals: arithmetic on plain arrays of 64-bit limbs, least first.
 *
 * Private to num_*.c. Knows no values; takes the heap (inside a scratch) only
 * for counted temporary memory, fuel and interruption. Functions that return
 * `val` answer TRUE, RETRY (no room) or LIMIT (not affordable, interrupted) and
 * pay their whole fuel before they work. "Trimmed" means that the top limb is
 * not zero; zero is no limbs at all. */
#ifndef CB_NUM_NAT_H
#define CB_NUM_NAT_H

#include "heap.h"

typedef uint64_t limb;
typedef unsigned __int128 limb2;
typedef __int128 slimb2;

#define LIMB_BITS 64u
#define KARATSUBA_LIMBS 32u /* from here on products are split */
#define DIVIDE_LIMBS 48u    /* from here on divisions are     */

/* -- temporary memory: a stack of limbs, some of them on the C stack ------------- */
#define SCRATCH_FIRST 160u

struct scratch_chunk;
struct scratch {
    struct heap *heap;
    struct scratch_chunk *chunk;
    limb *free, *end;
    limb first[SCRATCH_FIRST];
};
struct scratch_mark {
    struct scratch_chunk *chunk;
    limb *free, *end;
};

void scratch_open(struct scratch *s, struct heap *h);
void scratch_close(struct scratch *s);
/* Uninitialised limbs until the mark is released; NULL: no room (answer RETRY). */
MUST_USE limb *scratch_take(struct scratch *s, size_t limbs);
/* The same in bytes. */
MUST_USE char *scratch_bytes(struct scratch *s, size_t bytes);
struct scratch_mark scratch_mark(const struct scratch *s);
void scratch_release(struct scratch *s, struct scratch_mark mark);

/* -- fuel -------------------------------------------------------------------------- */
/* Pay `units` now, or LIMIT. */
MUST_USE val nat_pay(struct heap *h, uint64_t units);
/* RETRY (and `wanted`) where an object of so many bytes is beyond the limit. */
MUST_USE val nat_fits(struct heap *h, uint64_t bytes);
uint64_t nat_mul_cost(size_t an, size_t bn);
uint64_t nat_div_cost(size_t an, size_t bn);

/* -- linear work: the caller pays ------------------------------------------------------ */
size_t nat_trim(const limb *a, size_t n);
size_t nat_bits(const limb *a, size_t n); /* trimmed or not */
/* Index of the lowest set bit of a number that is not zero. */
size_t nat_trailing_zeros(const limb *a, size_t n);
/* Both trimmed. */
int nat_compare(const limb *a, size_t an, const limb *b, size_t bn);
/* r = a + b, an >= bn; the carry out. r may be a or b. */
limb nat_add(limb *r, const limb *a, size_t an, const limb *b, size_t bn);
/* r = a - b, an >= bn; the borrow out. */
limb nat_sub(limb *r, const limb *a, size_t an, const limb *b, size_t bn);
limb nat_add1(limb *r, size_t n, limb b); /* r += b in place */
limb nat_sub1(limb *r, size_t n, limb b);
limb nat_mul1(limb *r, const limb *a, size_t n, limb m, limb carry); /* r = a * m + carry */
limb nat_addmul1(limb *r, const limb *a, size_t n, limb m);
limb nat_submul1(limb *r, const limb *a, size_t n, limb m);
/* Shift by 0..63 bits; the bits that fall out. r may be a. */
limb nat_shift_left(limb *r, const limb *a, size_t n, unsigned bits);
limb nat_shift_right(limb *r, const limb *a, size_t n, unsigned bits);
/* q = a / d (q may be a), the remainder; d != 0. */
limb nat_divide1(limb *q, const limb *a, size_t n, limb d);

/* -- dear work ----------------------------------------------------------------------------- */
/* r[an + bn] = a * b; r apart from both. an, bn >= 1. a == b squares. */
MUST_USE val nat_mul(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b,
                     size_t bn);
/* The same, paid for by the caller. */
MUST_USE val nat_mul_paid(struct scratch *s, limb *r, const limb *a, size_t an, const limb *b,
                          size_t bn);
/* q[an - bn + 1], r[bn] with a = q b + r; an >= bn >= 1, b trimmed; q, r apart
 * from a and b; q may be NULL. */
MUST_USE val nat_divide(struct scratch *s, limb *q, limb *r, const limb *a, size_t an,
                        const limb *b, size_t bn);
/* g[min(an, bn)] = gcd, *gn trimmed; a and b trimmed, not zero. */
MUST_USE val nat_gcd(struct scratch *s, limb *g, size_t *gn, const limb *a, size_t an,
                     const limb *b, size_t bn);
/* An upper bound for the limbs of a^e; SIZE_MAX where beyond reason. */
size_t nat_power_limbs(const limb *a, size_t an, uint64_t e);
/* r[nat_power_limbs] = a^e, *rn trimmed; a trimmed, not zero; e >= 1. */
MUST_USE val nat_power(struct scratch *s, limb *r, size_t *rn, const limb *a, size_t an,
                       uint64_t e);
limb nat_gcd1(limb a, limb b);

/* -- text (num_nat_text.c) ------------------------------------------------------------------- */
/* Room in characters for a number of so many limbs; room in limbs for digits. */
size_t nat_text_room(size_t limbs, unsigned radix);
size_t nat_limbs_room(size_t digits, unsigned radix);
/* The digits of a (trimmed) into out[nat_text_room]; "0" for zero. */
MUST_USE val nat_to_text(struct scratch *s, char *out, size_t *length, const limb *a, size_t n,
                         unsigned radix);
/* r[nat_limbs_room]; all characters are digits of the radix. */
MUST_USE val nat_from_text(struct scratch *s, limb *r, size_t *rn, const char *digits, size_t n,
                           unsigned radix);
/* 0..35, or 99. */
unsigned digit_value(char c);

#endif
