/* T7 primitives: powers, elementary functions and complex numbers. */
#include "../num_args.h"

PRIM("sqrt", prim_sqrt, 1, 1, PURE, "(sqrt z)",
     "Return the principal square root of Z; exact where it is rational.")
{
    return num_sqrt(h, TRY(arg_number(h, args, 0)));
}

PRIM("expt", prim_expt, 2, 2, PURE, "(expt z1 z2)",
     "Return Z1 to the power Z2; exact where both are and the result is rational.")
{
    val z = TRY(arg_number(h, args, 0));
    return num_expt(h, z, TRY(arg_number(h, args, 1)));
}

PRIM("exp", prim_exp, 1, 1, PURE, "(exp z)", "Return e to the power Z.")
{
    return num_elementary(h, FN_EXP, TRY(arg_number(h, args, 0)));
}

PRIM("log", prim_log, 1, 2, PURE, "(log z [base])",
     "Return the natural logarithm of Z, or the one to BASE.")
{
    val z = TRY(arg_number(h, args, 0));
    if (n == 1)
        return num_elementary(h, FN_LOG, z);
    return num_log_base(h, z, TRY(arg_number(h, args, 1)));
}

PRIM("sin", prim_sin, 1, 1, PURE, "(sin z)", "Return the sine of Z.")
{
    return num_elementary(h, FN_SIN, TRY(arg_number(h, args, 0)));
}

PRIM("cos", prim_cos, 1, 1, PURE, "(cos z)", "Return the cosine of Z.")
{
    return num_elementary(h, FN_COS, TRY(arg_number(h, args, 0)));
}

PRIM("tan", prim_tan, 1, 1, PURE, "(tan z)", "Return the tangent of Z.")
{
    return num_elementary(h, FN_TAN, TRY(arg_number(h, args, 0)));
}

PRIM("asin", prim_asin, 1, 1, PURE, "(asin z)", "Return the arc sine of Z.")
{
    return num_elementary(h, FN_ASIN, TRY(arg_number(h, args, 0)));
}

PRIM("acos", prim_acos, 1, 1, PURE, "(acos z)", "Return the arc cosine of Z.")
{
    return num_elementary(h, FN_ACOS, TRY(arg_number(h, args, 0)));
}

PRIM("atan", prim_atan, 1, 2, PURE, "(atan z) or (atan y x)",
     "Return the arc tangent of Z, or the angle of X + Y i.")
{
    if (n == 1)
        return num_elementary(h, FN_ATAN, TRY(arg_number(h, args, 0)));
    val y = TRY(arg_real(h, args, 0));
    return num_atan2(h, y, TRY(arg_real(h, args, 1)));
}

PRIM("make-rectangular", prim_make_rectangular, 2, 2, PURE, "(make-rectangular x y)",
     "Return X + Y i.")
{
    val x = TRY(arg_real(h, args, 0));
    return num_rectangular(h, x, TRY(arg_real(h, args, 1)));
}

PRIM("make-polar", prim_make_polar, 2, 2, PURE, "(make-polar magnitude angle)",
     "Return the complex number of that MAGNITUDE and ANGLE.")
{
    val magnitude = TRY(arg_real(h, args, 0));
    return num_polar(h, magnitude, TRY(arg_real(h, args, 1)));
}

PRIM("real-part", prim_real_part, 1, 1, SHORT, "(real-part z)", "Return the real part of Z.")
{
    return num_real_part(TRY(arg_number(h, args, 0)));
}

PRIM("imag-part", prim_imag_part, 1, 1, SHORT, "(imag-part z)",
     "Return the imaginary part of Z; 0 for a real number.")
{
    return num_imag_part(TRY(arg_number(h, args, 0)));
}

PRIM("magnitude", prim_magnitude, 1, 1, PURE, "(magnitude z)", "Return the magnitude of Z.")
{
    return num_magnitude(h, TRY(arg_number(h, args, 0)));
}

PRIM("angle", prim_angle, 1, 1, PURE, "(angle z)", "Return the angle of Z in radians.")
{
    return num_angle(h, TRY(arg_number(h, args, 0)));
}

PRIM("%flonum-bits", prim_flonum_bits, 1, 1, SHORT, "(%flonum-bits x)",
     "Return the 64 bits of the flonum X as an exact integer.")
{
    if (!is_flonum(args[0]))
        return raise_type(h, 0, "flonum", args[0]);
    double d = flonum_value(args[0]);
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return num_from_uint64(h, bits);
}

PRIM("%bits-flonum", prim_bits_flonum, 1, 1, SHORT, "(%bits-flonum bits)",
     "Return the flonum with these 64 BITS; any NaN is the one NaN.")
{
    val v = TRY(arg_exact_integer(h, args, 0));
    if (num_is_negative(v) || bignum_magnitude_bytes(v) > 8)
        return raise_range(h, 0, v, 0, SIZE_MAX);
    uint8_t bytes[8];
    size_t count = bignum_magnitude_bytes(v);
    uint64_t bits = 0;
    bignum_store_magnitude(v, bytes);
    for (size_t i = 0; i < count; i++)
        bits = bits << 8 | bytes[i];
    double d;
    memcpy(&d, &bits, sizeof d);
    return flonum(h, d);
}
