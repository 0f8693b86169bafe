/* T7 numbers: argument checks and the fold shared by prims/numbers*.c. */
#ifndef CB_NUM_ARGS_H
#define CB_NUM_ARGS_H

#include "num.h"
#include "prim.h"

static inline MUST_USE val arg_number(struct heap *h, const val *args, size_t i)
{
    return is_number(args[i]) ? args[i] : raise_type(h, i, "number", args[i]);
}

static inline MUST_USE val arg_real(struct heap *h, const val *args, size_t i)
{
    return is_real(args[i]) ? args[i] : raise_type(h, i, "real number", args[i]);
}

static inline MUST_USE val arg_rational(struct heap *h, const val *args, size_t i)
{
    return is_rational(args[i]) ? args[i] : raise_type(h, i, "rational number", args[i]);
}

static inline MUST_USE val arg_integer(struct heap *h, const val *args, size_t i)
{
    return is_integer(args[i]) ? args[i] : raise_type(h, i, "integer", args[i]);
}

static inline MUST_USE val arg_exact_integer(struct heap *h, const val *args, size_t i)
{
    return is_exact_integer(args[i]) ? args[i] : raise_type(h, i, "exact integer", args[i]);
}

typedef val number_operation(struct heap *h, val a, val b);
typedef val number_check(struct heap *h, const val *args, size_t i);

/* operation(... operation(initial, args[first]) ...): the body of a STEPPED
 * primitive. Goes on in the next step where there is no room, so that any
 * number of long operands makes progress. */
MUST_USE val number_fold(struct heap *h, const val *args, size_t n, val initial, size_t first,
                         number_operation *operation, number_check *check);

#endif
