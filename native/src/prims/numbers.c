/* T7 primitives: what numbers are, how they compare, arithmetic.
 *
 * The variadic operations are folds in steps: a long argument list of long
 * numbers leaves more garbage than the nursery holds, so the accumulator is kept
 * in a T_STATE (raw word 0: the next argument) when room runs out. Everything
 * else is one call of num.h after its arguments were checked. */
#include "../num_args.h"

#define FOLD_STEP 4096 /* arguments in one step */

static val fold_pause(struct heap *h, val state, val accumulator, size_t next)
{
    object_raw(state)[0] = next;
    *(val *)(void *)object_bytes(state) = accumulator;
    h->step = state;
    return STEP;
}

static val fold_state(struct heap *h, val accumulator)
{
    val state = TRY(heap_alloc(h, T_STATE, 1, 0));
    memset(object_raw(state), 0, 4 * sizeof(uint64_t));
    *(val *)(void *)object_bytes(state) = accumulator;
    return state;
}

val number_fold(struct heap *h, const val *args, size_t n, val initial, size_t first,
                number_operation *operation, number_check *check)
{
    val accumulator = initial, state = FALSE;
    size_t begin = first;
    if (is_type(h->step, T_STATE)) {
        begin = (size_t)object_raw(h->step)[0];
        accumulator = *(val *)(void *)object_bytes(h->step);
    }
    for (size_t i = begin; i < n; i++) {
        TRY(check(h, args, i));
        bool long_list =
            n > 2 && (is_pointer(accumulator) || is_pointer(args[i]) || i - begin == FOLD_STEP);
        if (long_list && is_eq(state, FALSE))
            state = TRY(fold_state(h, accumulator));
        if (i - begin == FOLD_STEP)
            return fold_pause(h, state, accumulator, i);
        uint64_t charge = h->charge;
        val result = operation(h, accumulator, args[i]);
        if (is_eq(result, RETRY) && i > begin && !is_eq(state, FALSE)) {
            h->charge = charge;
            return fold_pause(h, state, accumulator, i);
        }
        bool dear = is_pointer(accumulator) || is_pointer(args[i]);
        accumulator = TRY(result);
        /* each operation that may have met RETRY moves the fuel on: see run_retry */
        heap_charge(h, dear || is_pointer(accumulator) || i % 16 == 15);
    }
    return accumulator;
}

/* -- kinds -------------------------------------------------------------------------------- */

PRIM("number?", prim_is_number, 1, 1, SHORT, "(number? obj)", "Is OBJ a number?")
{
    return val_bool(is_number(args[0]));
}

PRIM("complex?", prim_is_complex, 1, 1, SHORT, "(complex? obj)",
     "Is OBJ a number? Every number is complex.")
{
    return val_bool(is_number(args[0]));
}

PRIM("real?", prim_is_real, 1, 1, SHORT, "(real? obj)",
     "Is OBJ a number without an imaginary part?")
{
    return val_bool(is_real(args[0]));
}

PRIM("rational?", prim_is_rational, 1, 1, SHORT, "(rational? obj)",
     "Is OBJ a real number that is neither infinite nor a NaN?")
{
    return val_bool(is_rational(args[0]));
}

PRIM("integer?", prim_is_integer, 1, 1, SHORT, "(integer? obj)",
     "Is OBJ an integer, exact or inexact?")
{
    return val_bool(is_integer(args[0]));
}

PRIM("exact-integer?", prim_is_exact_integer, 1, 1, SHORT, "(exact-integer? obj)",
     "Is OBJ an exact integer?")
{
    return val_bool(is_exact_integer(args[0]));
}

PRIM("exact-rational?", prim_is_exact_rational, 1, 1, SHORT, "(exact-rational? obj)",
     "Is OBJ an exact integer or an exact fraction?")
{
    return val_bool(is_exact_rational(args[0]));
}

PRIM("exact?", prim_is_exact, 1, 1, SHORT, "(exact? z)", "Is the number Z exact?")
{
    return val_bool(num_is_exact(TRY(arg_number(h, args, 0))));
}

PRIM("inexact?", prim_is_inexact, 1, 1, SHORT, "(inexact? z)", "Is the number Z inexact?")
{
    return val_bool(!num_is_exact(TRY(arg_number(h, args, 0))));
}

/* Does the test hold for a part of z? */
static bool any_part(val z, bool (*test)(double d))
{
    val re = num_real_part(z), im = num_imag_part(z);
    return (is_flonum(re) && test(flonum_value(re))) || (is_flonum(im) && test(flonum_value(im)));
}

static bool is_nan(double d)
{
    return !(d <= 0) && !(d >= 0);
}

static bool is_infinite(double d)
{
    return d > 1.7976931348623157e308 || d < -1.7976931348623157e308;
}

static bool is_not_finite(double d)
{
    return is_nan(d) || is_infinite(d);
}

PRIM("finite?", prim_is_finite, 1, 1, SHORT, "(finite? z)", "Is no part of Z infinite or a NaN?")
{
    return val_bool(!any_part(TRY(arg_number(h, args, 0)), is_not_finite));
}

PRIM("infinite?", prim_is_infinite, 1, 1, SHORT, "(infinite? z)", "Is a part of Z infinite?")
{
    return val_bool(any_part(TRY(arg_number(h, args, 0)), is_infinite));
}

PRIM("nan?", prim_is_nan, 1, 1, SHORT, "(nan? z)", "Is a part of Z a NaN?")
{
    return val_bool(any_part(TRY(arg_number(h, args, 0)), is_nan));
}

/* -- comparison -------------------------------------------------------------------------------- */

PRIM("=", prim_number_equal, 1, -1, PURE, "(= z1 z2 ...)", "Are all the numbers equal?")
{
    TRY(heap_afford(h, n / 16));
    heap_charge(h, n / 16);
    bool equal = true;
    TRY(arg_number(h, args, 0));
    for (size_t i = 1; i < n; i++) {
        TRY(arg_number(h, args, i));
        if (is_object(args[i]) || is_object(args[i - 1]))
            heap_work(h, num_weight(args[i - 1]) + num_weight(args[i]));
        equal = equal && num_equal(args[i - 1], args[i]);
    }
    return val_bool(equal);
}

/* Is each pair of neighbours ordered so that `low` <= order <= `high`? */
static val compare_all(struct heap *h, const val *args, size_t n, int low, int high)
{
    TRY(heap_afford(h, n / 16));
    heap_charge(h, n / 16);
    bool holds = true;
    TRY(arg_real(h, args, 0));
    for (size_t i = 1; i < n; i++) {
        TRY(arg_real(h, args, i));
        if (!holds)
            continue;
        int order = 0;
        val ordered = TRY(num_compare(h, args[i - 1], args[i], &order));
        holds = is_true(ordered) && order >= low && order <= high;
    }
    return val_bool(holds);
}

PRIM("<", prim_number_less, 1, -1, PURE, "(< x1 x2 ...)", "Do the numbers increase?")
{
    return compare_all(h, args, n, -1, -1);
}

PRIM(">", prim_number_greater, 1, -1, PURE, "(> x1 x2 ...)", "Do the numbers decrease?")
{
    return compare_all(h, args, n, 1, 1);
}

PRIM("<=", prim_number_less_equal, 1, -1, PURE, "(<= x1 x2 ...)",
     "Does none of the numbers exceed the next?")
{
    return compare_all(h, args, n, -1, 0);
}

PRIM(">=", prim_number_greater_equal, 1, -1, PURE, "(>= x1 x2 ...)",
     "Is none of the numbers below the next?")
{
    return compare_all(h, args, n, 0, 1);
}

PRIM("zero?", prim_is_zero, 1, 1, SHORT, "(zero? z)", "Is Z zero?")
{
    return val_bool(num_is_zero(TRY(arg_number(h, args, 0))));
}

PRIM("positive?", prim_is_positive, 1, 1, SHORT, "(positive? x)", "Is X above zero?")
{
    return val_bool(num_sign(TRY(arg_real(h, args, 0))) > 0);
}

PRIM("negative?", prim_is_negative, 1, 1, SHORT, "(negative? x)", "Is X below zero?")
{
    return val_bool(num_sign(TRY(arg_real(h, args, 0))) < 0);
}

PRIM("odd?", prim_is_odd, 1, 1, SHORT, "(odd? n)", "Is the integer N odd?")
{
    return val_bool(num_is_odd(TRY(arg_integer(h, args, 0))));
}

PRIM("even?", prim_is_even, 1, 1, SHORT, "(even? n)", "Is the integer N even?")
{
    return val_bool(!num_is_odd(TRY(arg_integer(h, args, 0))));
}

/* The greatest (sign 1) or least (sign -1); inexact if any argument is. */
static val extreme(struct heap *h, const val *args, size_t n, int sign)
{
    TRY(heap_afford(h, n / 16));
    heap_charge(h, n / 16);
    val best = TRY(arg_real(h, args, 0));
    bool inexact = is_flonum(best);
    bool unordered = any_part(best, is_nan);
    for (size_t i = 1; i < n; i++) {
        val x = TRY(arg_real(h, args, i));
        int order = 0;
        inexact = inexact || is_flonum(x);
        if (!is_true(TRY(num_compare(h, x, best, &order)))) {
            if (!unordered && any_part(x, is_nan))
                best = x;
            unordered = true;
        } else if (order == sign) {
            best = x;
        }
    }
    return inexact ? num_inexact(h, best) : best;
}

PRIM("max", prim_max, 1, -1, PURE, "(max x1 x2 ...)",
     "Return the greatest argument; inexact if any of them is.")
{
    return extreme(h, args, n, 1);
}

PRIM("min", prim_min, 1, -1, PURE, "(min x1 x2 ...)",
     "Return the least argument; inexact if any of them is.")
{
    return extreme(h, args, n, -1);
}

/* -- arithmetic
 * ------------------------------------------------------------------------------------- */

PRIM("+", prim_add, 0, -1, STEPPED, "(+ z ...)", "Return the sum of the arguments.")
{
    return number_fold(h, args, n, fixnum(0), 0, num_add, arg_number);
}

PRIM("*", prim_multiply, 0, -1, STEPPED, "(* z ...)",
     "Return the product of the arguments. Exact 0 times anything is 0.")
{
    return number_fold(h, args, n, fixnum(1), 0, num_mul, arg_number);
}

PRIM("-", prim_subtract, 1, -1, STEPPED, "(- z1 z2 ...)",
     "Return Z1 less the other arguments; of one argument, the negative.")
{
    val first = TRY(arg_number(h, args, 0));
    if (n == 1)
        return num_negate(h, first);
    return number_fold(h, args, n, first, 1, num_sub, arg_number);
}

PRIM("/", prim_divide, 1, -1, STEPPED, "(/ z1 z2 ...)",
     "Return Z1 divided by the other arguments; of one argument, the reciprocal.")
{
    val first = TRY(arg_number(h, args, 0));
    if (n == 1)
        return num_div(h, fixnum(1), first);
    return number_fold(h, args, n, first, 1, num_div, arg_number);
}

PRIM("abs", prim_abs, 1, 1, PURE, "(abs x)", "Return the absolute value of X.")
{
    return num_magnitude(h, TRY(arg_real(h, args, 0)));
}

PRIM("square", prim_square, 1, 1, PURE, "(square z)", "Return Z times Z.")
{
    val z = TRY(arg_number(h, args, 0));
    return num_mul(h, z, z);
}

PRIM("exact", prim_exact, 1, 1, PURE, "(exact z)",
     "Return the exact number equal to Z; an error for infinities and NaN.")
{
    return num_exact(h, TRY(arg_number(h, args, 0)));
}

PRIM("inexact", prim_inexact, 1, 1, PURE, "(inexact z)", "Return the inexact number nearest to Z.")
{
    return num_inexact(h, TRY(arg_number(h, args, 0)));
}
