/* T0 base: asserts, must-use, checked arithmetic, the few macros of the house.
 *
 * Knows nothing of values. Everything above includes it. The only place (with
 * alloc.c) where the platform is asked about. A macro that returns, jumps or
 * declares is one of five: TRY (value.h), PRIM (prim.h), LOCALS, CHECK,
 * UNREACHABLE. */
#ifndef CB_BASE_H
#define CB_BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "chibi_bridge: 64-bit little-endian targets only"
#endif

#define MUST_USE __attribute__((warn_unused_result))
#define NOINLINE __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* For the function with the instruction loop: each instruction jumps for itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define DISPATCH_LOOP __attribute__((optimize("no-gcse", "no-crossjumping", "no-tree-vectorize")))
#else
#define DISPATCH_LOOP
#endif

/* An invariant of ours; on in every test build (NDEBUG is never set there). */
#define CHECK(x) assert(x)
/* Believed always true / never true; kept as a defence. */
#define ALWAYS(x) (LIKELY(x) ? true : (assert(false && "ALWAYS"), false))
#define NEVER(x) (UNLIKELY(x) ? (assert(false && "NEVER"), true) : false)
#ifdef NDEBUG
#define UNREACHABLE() __builtin_unreachable()
#else
#define UNREACHABLE() assert(false && "unreachable")
#endif

/* Size arithmetic: false on overflow, *out then undefined. */
static inline MUST_USE bool size_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline MUST_USE bool size_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline size_t size_round_up(size_t n, size_t to)
{
    return (n + to - 1) & ~(to - 1);
}

#endif
