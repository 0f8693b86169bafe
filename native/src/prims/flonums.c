/* T7 primitives: functions of flonums of the C library, for SRFI 144. The names
 * are C's; the arguments real numbers, the values flonums. */
#include "../num_args.h"
#include <math.h>

static MUST_USE val arg_double(struct heap *h, const val *args, size_t i, double *out)
{
    *out = num_to_double(TRY(arg_real(h, args, i)));
    return TRUE;
}

static MUST_USE val unary(struct heap *h, const val *args, double (*f)(double))
{
    double x = 0;
    TRY(arg_double(h, args, 0, &x));
    return flonum(h, f(x));
}

static MUST_USE val binary(struct heap *h, const val *args, double (*f)(double, double))
{
    double x = 0, y = 0;
    TRY(arg_double(h, args, 0, &x));
    TRY(arg_double(h, args, 1, &y));
    return flonum(h, f(x, y));
}

PRIM("%expm1", prim_c_expm1, 1, 1, SHORT, "(%expm1 x)", "Return e to the power X, less 1.")
{
    return unary(h, args, expm1);
}

PRIM("%log1p", prim_c_log1p, 1, 1, SHORT, "(%log1p x)", "Return the natural logarithm of 1 + X.")
{
    return unary(h, args, log1p);
}

PRIM("%exp2", prim_c_exp2, 1, 1, SHORT, "(%exp2 x)", "Return 2 to the power X.")
{
    return unary(h, args, exp2);
}

PRIM("%cbrt", prim_c_cbrt, 1, 1, SHORT, "(%cbrt x)", "Return the cube root of X.")
{
    return unary(h, args, cbrt);
}

PRIM("%sinh", prim_c_sinh, 1, 1, SHORT, "(%sinh x)", "Return the hyperbolic sine of X.")
{
    return unary(h, args, sinh);
}

PRIM("%cosh", prim_c_cosh, 1, 1, SHORT, "(%cosh x)", "Return the hyperbolic cosine of X.")
{
    return unary(h, args, cosh);
}

PRIM("%tanh", prim_c_tanh, 1, 1, SHORT, "(%tanh x)", "Return the hyperbolic tangent of X.")
{
    return unary(h, args, tanh);
}

PRIM("%asinh", prim_c_asinh, 1, 1, SHORT, "(%asinh x)", "Return the inverse hyperbolic sine of X.")
{
    return unary(h, args, asinh);
}

PRIM("%acosh", prim_c_acosh, 1, 1, SHORT, "(%acosh x)",
     "Return the inverse hyperbolic cosine of X.")
{
    return unary(h, args, acosh);
}

PRIM("%atanh", prim_c_atanh, 1, 1, SHORT, "(%atanh x)",
     "Return the inverse hyperbolic tangent of X.")
{
    return unary(h, args, atanh);
}

PRIM("%log2", prim_c_log2, 1, 1, SHORT, "(%log2 x)", "Return the logarithm of X to base 2.")
{
    return unary(h, args, log2);
}

PRIM("%log10", prim_c_log10, 1, 1, SHORT, "(%log10 x)", "Return the logarithm of X to base 10.")
{
    return unary(h, args, log10);
}

PRIM("%tgamma", prim_c_tgamma, 1, 1, SHORT, "(%tgamma x)", "Return the gamma function of X.")
{
    return unary(h, args, tgamma);
}

PRIM("%erf", prim_c_erf, 1, 1, SHORT, "(%erf x)", "Return the error function of X.")
{
    return unary(h, args, erf);
}

PRIM("%erfc", prim_c_erfc, 1, 1, SHORT, "(%erfc x)", "Return 1 less the error function of X.")
{
    return unary(h, args, erfc);
}

PRIM("%hypot", prim_c_hypot, 2, 2, SHORT, "(%hypot x y)",
     "Return the root of the sum of the squares of X and Y.")
{
    return binary(h, args, hypot);
}

PRIM("%nextafter", prim_c_nextafter, 2, 2, SHORT, "(%nextafter x y)",
     "Return the flonum next to X towards Y.")
{
    return binary(h, args, nextafter);
}

PRIM("%fma", prim_c_fma, 3, 3, SHORT, "(%fma x y z)", "Return X times Y plus Z, rounded once.")
{
    double x = 0, y = 0, z = 0;
    TRY(arg_double(h, args, 0, &x));
    TRY(arg_double(h, args, 1, &y));
    TRY(arg_double(h, args, 2, &z));
    return flonum(h, fma(x, y, z));
}

PRIM("%lgamma", prim_c_lgamma, 1, 1, SHORT, "(%lgamma x)",
     "Return the logarithm of the absolute value of the gamma function of X.")
{
    double x = 0;
    int sign = 0;
    TRY(arg_double(h, args, 0, &x));
    return flonum(h, lgamma_r(x, &sign));
}

/* The order of a Bessel function; C takes time in proportion to it. */
static MUST_USE val arg_order(struct heap *h, const val *args, int *out)
{
    *out = (int)fixnum_value(TRY(arg_index(h, args, 0, 1u << 16)));
    return heap_afford(h, (uint64_t)*out);
}

PRIM("%jn", prim_c_jn, 2, 2, PURE, "(%jn n x)",
     "Return the Bessel function of the first kind of order N at X.")
{
    int order = 0;
    double x = 0;
    TRY(arg_order(h, args, &order));
    TRY(arg_double(h, args, 1, &x));
    return flonum(h, jn(order, x));
}

PRIM("%yn", prim_c_yn, 2, 2, PURE, "(%yn n x)",
     "Return the Bessel function of the second kind of order N at X.")
{
    int order = 0;
    double x = 0;
    TRY(arg_order(h, args, &order));
    TRY(arg_double(h, args, 1, &x));
    return flonum(h, yn(order, x));
}
