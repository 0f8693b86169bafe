/* T1 values: the one-word value, its tags and immediates.
 *
 * A value is one 64-bit word in a struct, so that an int is never taken for
 * one. The low three bits are the tag:
 *
 *   0  fixnum, 61 bits                 4, 5, 1  flonum, self-tagged
 *   2  pair (two words, no header)     6  immediate (kind in bits 3..7)
 *   3  object with a header word       7  header word, or a forwarding word
 *
 * Flonums (arXiv 2411.16544): the bits of the double rotated left by four put
 * the top three exponent bits into the tag; adding one makes the common classes
 * (000: zero and tiny, 011: 2^-255..2, 100: 2..2^257) the tags 1, 4, 5. Other
 * doubles live boxed in T_FLONUM. Tag 7 never stands in a field of an object;
 * so a block of mixed pairs and objects can be walked from its start. */
#ifndef CB_VALUE_H
#define CB_VALUE_H

#include "base.h"

typedef struct {
    uint64_t bits;
} val;

enum {
    TAG_FIXNUM = 0,
    TAG_PAIR = 2,
    TAG_OBJECT = 3,
    TAG_IMMEDIATE = 6,
    TAG_HEADER = 7,
    TAG_MASK = 7
};

/* kinds of immediates */
enum { IMM_CONST = 0, IMM_CHAR = 1 };

#define VAL(b) ((val){(uint64_t)(b)})
#define IMM_VALUE(kind, payload)                                                                   \
    ((val){((uint64_t)(payload) << 8) | ((uint64_t)(kind) << 3) | TAG_IMMEDIATE})

#define FALSE IMM_VALUE(IMM_CONST, 0)
#define TRUE IMM_VALUE(IMM_CONST, 1)
#define NIL IMM_VALUE(IMM_CONST, 2)
#define UNSPECIFIED IMM_VALUE(IMM_CONST, 3)
#define EOF_OBJECT IMM_VALUE(IMM_CONST, 4)
#define DEFAULT_OBJECT IMM_VALUE(IMM_CONST, 5) /* an optional argument not given */
#define UNBOUND IMM_VALUE(IMM_CONST, 6)        /* slot without a definition yet  */
#define UNTOUCHED IMM_VALUE(IMM_CONST, 7)      /* image slot not yet copied      */
#define HOLE IMM_VALUE(IMM_CONST, 8)           /* deleted table entry            */

/* Control words: what a primitive may return instead of a value. They never
 * reach the heap, a register or Scheme code. */
#define RAISE IMM_VALUE(IMM_CONST, 16) /* condition waits in heap->raised        */
#define RETRY IMM_VALUE(IMM_CONST, 17) /* no memory; nothing changed; call again */
#define STEP IMM_VALUE(IMM_CONST, 18)  /* one step done; state in heap->step     */
#define LIMIT IMM_VALUE(IMM_CONST, 19) /* not affordable: the run is out of fuel */

static inline bool is_eq(val a, val b)
{
    return a.bits == b.bits;
}

static inline bool is_control(val v)
{
    return UNLIKELY((v.bits & ~(uint64_t)(7 << 8)) == RAISE.bits);
}

/* Pass RAISE, RETRY, STEP and LIMIT upward. */
#define TRY(expr)                                                                                  \
    __extension__({                                                                                \
        val try_value_ = (expr);                                                                   \
        if (is_control(try_value_))                                                                \
            return try_value_;                                                                     \
        try_value_;                                                                                \
    })

static inline unsigned val_tag(val v)
{
    return (unsigned)(v.bits & TAG_MASK);
}

static inline val val_bool(bool b)
{
    return b ? TRUE : FALSE;
}

static inline bool is_true(val v)
{
    return v.bits != FALSE.bits;
}

/* fixnums: -2^60 .. 2^60-1 */
#define FIXNUM_MAX ((int64_t)(((uint64_t)1 << 60) - 1))
#define FIXNUM_MIN (-FIXNUM_MAX - 1)

static inline bool is_fixnum(val v)
{
    return val_tag(v) == TAG_FIXNUM;
}

static inline bool fixnum_fits(int64_t n)
{
    return n >= FIXNUM_MIN && n <= FIXNUM_MAX;
}

static inline val fixnum(int64_t n)
{
    return VAL((uint64_t)n << 3);
}

static inline int64_t fixnum_value(val v)
{
    return (int64_t)v.bits >> 3;
}

/* A fixnum index in 0 .. limit-1. */
static inline bool is_index(val v, size_t limit)
{
    return is_fixnum(v) && (v.bits >> 3) < limit;
}

/* flonums that need no box */
#define FLONUM_TAGS UINT32_C(0x32323232) /* bits 1, 4, 5 of each byte */

static inline bool is_flonum_immediate(val v)
{
    return (FLONUM_TAGS >> (v.bits & 31)) & 1;
}

static inline double flonum_immediate_value(val v)
{
    uint64_t w = v.bits - 1;
    uint64_t bits = (w >> 4) | (w << 60);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Encode without looking; only meaningful where is_flonum_immediate(result). */
static inline val flonum_encode(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return VAL(((bits << 4) | (bits >> 60)) + 1);
}

/* characters: Unicode scalar values */
static inline bool is_char(val v)
{
    return (v.bits & 0xff) == ((IMM_CHAR << 3) | TAG_IMMEDIATE);
}

static inline val char_value(uint32_t code_point)
{
    return IMM_VALUE(IMM_CHAR, code_point);
}

static inline uint32_t char_code(val v)
{
    return (uint32_t)(v.bits >> 8);
}

/* pointers */
static inline bool is_pair(val v)
{
    return val_tag(v) == TAG_PAIR;
}

static inline bool is_object(val v)
{
    return val_tag(v) == TAG_OBJECT;
}

static inline bool is_pointer(val v)
{
    return (v.bits & 6) == 2;
}

static inline uintptr_t val_address(val v)
{
    return (uintptr_t)(v.bits & ~(uint64_t)TAG_MASK);
}

#endif
