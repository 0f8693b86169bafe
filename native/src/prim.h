/* T7 primitives: the inner API, the only door for prims/<topic>.c.
 *
 * A primitive is a plain C function on the heap and its arguments; it never
 * calls the VM, never keeps a `val` beyond the call, changes nothing before its
 * last allocation, and says how dear it is:
 *
 *   SHORT    at most 4,096 units
 *   PURE     changes nothing before its end; calls heap_afford with its full
 *            cost before it starts (at most 2^20 units)
 *   STEPPED  works in steps of at most 2^14 units; keeps its state in h->step
 *            (a heap object, FALSE at the first call) and returns STEP until done
 *
 * Rows are collected by native/tools/gen_tables.py from the PRIM lines into
 * prim_table.inc, in file and line order:
 *
 *   PRIM("car", prim_car, 1, 1, SHORT, "(car pair)", "Return the first field of PAIR.")
 *   {
 *       val p = TRY(arg_pair(h, args, 0));
 *       return car(p);
 *   }
 *
 * maximum -1: any number. Optional arguments are absent when n is smaller. */
#ifndef CB_PRIM_H
#define CB_PRIM_H

#include "condition.h"
#include "heap.h"

typedef val primitive_function(struct heap *h, const val *args, size_t n);

/* CONTROL: carried out by the VM itself (prims/control.c); function is NULL. */
enum primitive_kind { SHORT, PURE, STEPPED, CONTROL };

struct primitive {
    const char *name;
    primitive_function *function;
    int16_t minimum, maximum;
    uint8_t kind;
    const char *usage;
    const char *doc;
};

extern const struct primitive primitive_table[];
extern const size_t primitive_count;
/* Row of the primitive that an instruction does inline, by opcode (code.h). */
#define NO_PRIMITIVE UINT16_MAX
extern const uint16_t opcode_primitives[];

#define PRIM(name, function, minimum, maximum, kind, usage, doc)                                   \
    val function(struct heap *h, const val *args, size_t n);                                       \
    val function(__attribute__((unused)) struct heap *h, __attribute__((unused)) const val *args,  \
                 __attribute__((unused)) size_t n)

/* Typed arguments: the value, or RAISE with a wrong-type condition that names
 * the argument's position (the VM adds the primitive's name). */
static inline MUST_USE val arg_pair(struct heap *h, const val *args, size_t i)
{
    return is_pair(args[i]) ? args[i] : raise_type(h, i, "pair", args[i]);
}

static inline MUST_USE val arg_type(struct heap *h, const val *args, size_t i, enum type type,
                                    const char *expected)
{
    return is_type(args[i], type) ? args[i] : raise_type(h, i, expected, args[i]);
}

static inline MUST_USE val arg_string(struct heap *h, const val *args, size_t i)
{
    return is_string(args[i]) ? args[i] : raise_type(h, i, "string", args[i]);
}

static inline MUST_USE val arg_symbol(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_SYMBOL, "symbol");
}

static inline MUST_USE val arg_char(struct heap *h, const val *args, size_t i)
{
    return is_char(args[i]) ? args[i] : raise_type(h, i, "char", args[i]);
}

static inline MUST_USE val arg_vector(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_VECTOR, "vector");
}

static inline MUST_USE val arg_bytevector(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_BYTEVECTOR, "bytevector");
}

static inline MUST_USE val arg_fixnum(struct heap *h, const val *args, size_t i)
{
    return is_fixnum(args[i]) ? args[i] : raise_type(h, i, "exact integer", args[i]);
}

/* An exact integer in 0 .. limit-1 (fixnum); a range condition else. */
static inline MUST_USE val arg_index(struct heap *h, const val *args, size_t i, size_t limit)
{
    if (is_index(args[i], limit))
        return args[i];
    return is_fixnum(args[i]) ? raise_range(h, i, args[i], 0, limit)
                              : raise_type(h, i, "exact integer", args[i]);
}

/* Optional [start, end) at args[i], args[i+1] for a sequence of `length`. */
static inline MUST_USE val arg_span(struct heap *h, const val *args, size_t n, size_t i,
                                    size_t length, size_t *start, size_t *end)
{
    *start = 0;
    *end = length;
    if (n > i + 1)
        *end = (size_t)fixnum_value(TRY(arg_index(h, args, i + 1, length + 1)));
    if (n > i)
        *start = (size_t)fixnum_value(TRY(arg_index(h, args, i, *end + 1)));
    return TRUE;
}

/* The object may be changed, or RAISE ("a literal constant; use ..-copy"). */
static inline MUST_USE val arg_mutable(struct heap *h, const val *args, size_t i)
{
    return heap_is_mutable(h, args[i]) ? args[i] : raise_constant(h, i, args[i]);
}

#endif
