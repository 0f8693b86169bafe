/* T7 primitives: integer division, rounding, fractions, bits, text of numbers.
 *
 * (floor/ a b), (truncate/ a b) and (exact-integer-sqrt n) give two values: they
 * are written in Scheme over the primitives here. */
#include "../num_args.h"
#include "../string.h"

/* Two integers, then the operation. */
static val integers(struct heap *h, const val *args, number_operation *operation)
{
    val a = TRY(arg_integer(h, args, 0));
    val b = TRY(arg_integer(h, args, 1));
    return operation(h, a, b);
}

PRIM("quotient", prim_quotient, 2, 2, PURE, "(quotient n m)",
     "Return N divided by M, rounded toward zero.")
{
    return integers(h, args, num_quotient);
}

PRIM("truncate-quotient", prim_truncate_quotient, 2, 2, PURE, "(truncate-quotient n m)",
     "Return N divided by M, rounded toward zero.")
{
    return integers(h, args, num_quotient);
}

PRIM("remainder", prim_remainder, 2, 2, PURE, "(remainder n m)",
     "Return what (quotient N M) leaves; it has the sign of N.")
{
    return integers(h, args, num_remainder);
}

PRIM("truncate-remainder", prim_truncate_remainder, 2, 2, PURE, "(truncate-remainder n m)",
     "Return what (truncate-quotient N M) leaves; it has the sign of N.")
{
    return integers(h, args, num_remainder);
}

PRIM("modulo", prim_modulo, 2, 2, PURE, "(modulo n m)",
     "Return what (floor-quotient N M) leaves; it has the sign of M.")
{
    return integers(h, args, num_modulo);
}

PRIM("floor-remainder", prim_floor_remainder, 2, 2, PURE, "(floor-remainder n m)",
     "Return what (floor-quotient N M) leaves; it has the sign of M.")
{
    return integers(h, args, num_modulo);
}

PRIM("floor-quotient", prim_floor_quotient, 2, 2, PURE, "(floor-quotient n m)",
     "Return N divided by M, rounded toward minus infinity.")
{
    return integers(h, args, num_floor_quotient);
}

PRIM("gcd", prim_gcd, 0, -1, STEPPED, "(gcd n ...)",
     "Return the greatest common divisor of the arguments.")
{
    return number_fold(h, args, n, fixnum(0), 0, num_gcd, arg_integer);
}

PRIM("lcm", prim_lcm, 0, -1, STEPPED, "(lcm n ...)",
     "Return the least common multiple of the arguments.")
{
    return number_fold(h, args, n, fixnum(1), 0, num_lcm, arg_integer);
}

PRIM("%exact-integer-sqrt", prim_exact_integer_sqrt, 1, 1, PURE, "(%exact-integer-sqrt n)",
     "Return the pair of the root of N, rounded down, and what its square leaves.")
{
    val k = TRY(arg_exact_integer(h, args, 0));
    if (num_is_negative(k))
        return raise_type(h, 0, "exact integer that is not negative", k);
    val root = TRY(num_exact_integer_sqrt(h, k));
    val square = TRY(num_mul(h, root, root));
    val rest = TRY(num_sub(h, k, square));
    return cons(h, root, rest);
}

/* -- rounding and fractions ----------------------------------------------------------------- */

PRIM("floor", prim_floor, 1, 1, PURE, "(floor x)", "Return the greatest integer not above X.")
{
    return num_round(h, TRY(arg_real(h, args, 0)), ROUND_FLOOR);
}

PRIM("ceiling", prim_ceiling, 1, 1, PURE, "(ceiling x)", "Return the least integer not below X.")
{
    return num_round(h, TRY(arg_real(h, args, 0)), ROUND_CEILING);
}

PRIM("truncate", prim_truncate, 1, 1, PURE, "(truncate x)",
     "Return the integer next to X on the side of zero.")
{
    return num_round(h, TRY(arg_real(h, args, 0)), ROUND_TRUNCATE);
}

PRIM("round", prim_round, 1, 1, PURE, "(round x)",
     "Return the integer nearest to X; of two, the even one.")
{
    return num_round(h, TRY(arg_real(h, args, 0)), ROUND_EVEN);
}

PRIM("numerator", prim_numerator, 1, 1, PURE, "(numerator q)",
     "Return the numerator of Q in lowest terms.")
{
    return num_numerator(h, TRY(arg_rational(h, args, 0)));
}

PRIM("denominator", prim_denominator, 1, 1, PURE, "(denominator q)",
     "Return the denominator of Q in lowest terms.")
{
    return num_denominator(h, TRY(arg_rational(h, args, 0)));
}

PRIM("rationalize", prim_rationalize, 2, 2, STEPPED, "(rationalize x y)",
     "Return the simplest rational that differs from X by no more than Y.")
{
    val x = TRY(arg_real(h, args, 0));
    return num_rationalize(h, x, TRY(arg_real(h, args, 1)));
}

/* -- bits -------------------------------------------------------------------------------------- */

static val bits_and(struct heap *h, val a, val b)
{
    return num_bitwise(h, BITWISE_AND, a, b);
}

static val bits_ior(struct heap *h, val a, val b)
{
    return num_bitwise(h, BITWISE_IOR, a, b);
}

static val bits_xor(struct heap *h, val a, val b)
{
    return num_bitwise(h, BITWISE_XOR, a, b);
}

PRIM("bitwise-and", prim_bitwise_and, 0, -1, STEPPED, "(bitwise-and i ...)",
     "Return the bits that are set in all the exact integers.")
{
    return number_fold(h, args, n, fixnum(-1), 0, bits_and, arg_exact_integer);
}

PRIM("bitwise-ior", prim_bitwise_ior, 0, -1, STEPPED, "(bitwise-ior i ...)",
     "Return the bits that are set in any of the exact integers.")
{
    return number_fold(h, args, n, fixnum(0), 0, bits_ior, arg_exact_integer);
}

PRIM("bitwise-xor", prim_bitwise_xor, 0, -1, STEPPED, "(bitwise-xor i ...)",
     "Return the bits that are set in an odd number of the exact integers.")
{
    return number_fold(h, args, n, fixnum(0), 0, bits_xor, arg_exact_integer);
}

PRIM("bitwise-not", prim_bitwise_not, 1, 1, PURE, "(bitwise-not i)",
     "Return the complement of the exact integer I: -1 - I.")
{
    return num_sub(h, fixnum(-1), TRY(arg_exact_integer(h, args, 0)));
}

PRIM("arithmetic-shift", prim_arithmetic_shift, 2, 2, PURE, "(arithmetic-shift i count)",
     "Return I shifted left by COUNT bits; right for a negative COUNT.")
{
    val i = TRY(arg_exact_integer(h, args, 0));
    return num_shift(h, i, TRY(arg_exact_integer(h, args, 1)));
}

PRIM("integer-length", prim_integer_length, 1, 1, PURE, "(integer-length i)",
     "Return the number of bits that I needs without its sign.")
{
    return fixnum((int64_t)num_integer_length(TRY(arg_exact_integer(h, args, 0))));
}

PRIM("bit-count", prim_bit_count, 1, 1, PURE, "(bit-count i)",
     "Return how many bits of I differ from its sign.")
{
    val i = TRY(arg_exact_integer(h, args, 0));
    heap_work(h, bignum_magnitude_bytes(i));
    return fixnum((int64_t)num_bit_count(i));
}

PRIM("bit-set?", prim_is_bit_set, 2, 2, SHORT, "(bit-set? index i)",
     "Is bit INDEX of the exact integer I set?")
{
    val index = TRY(arg_exact_integer(h, args, 0));
    val i = TRY(arg_exact_integer(h, args, 1));
    if (num_is_negative(index))
        return raise_range(h, 0, index, 0, SIZE_MAX);
    size_t at = is_fixnum(index) ? (size_t)fixnum_value(index) : SIZE_MAX;
    return val_bool(num_bit_set(i, at));
}

/* -- text
 * ------------------------------------------------------------------------------------------ */

/* The optional radix at args[1]. */
static val radix_argument(struct heap *h, const val *args, size_t n, unsigned *radix)
{
    *radix = 10;
    if (n < 2)
        return TRUE;
    val r = TRY(arg_fixnum(h, args, 1));
    if (fixnum_value(r) < RADIX_MIN || fixnum_value(r) > RADIX_MAX)
        return raise_range(h, 1, r, RADIX_MIN, RADIX_MAX + 1);
    *radix = (unsigned)fixnum_value(r);
    return TRUE;
}

PRIM("number->string", prim_number_to_string, 1, 2, PURE, "(number->string z [radix])",
     "Return the text of Z in RADIX (10), 2 to 36.")
{
    unsigned radix;
    val z = TRY(arg_number(h, args, 0));
    TRY(radix_argument(h, args, n, &radix));
    return num_to_text(h, z, radix);
}

static val parse_wide(struct heap *h, val s, char *buffer, size_t length, unsigned radix)
{
    for (size_t i = 0; i < length; i++) {
        uint32_t c = string_ref(s, i);
        if (c > 127)
            return FALSE;
        buffer[i] = (char)c;
    }
    return num_parse(h, buffer, length, radix);
}

PRIM("string->number", prim_string_to_number, 1, 2, PURE, "(string->number string [radix])",
     "Return the number written in STRING, or #f where it is none.")
{
    unsigned radix;
    val s = TRY(arg_string(h, args, 0));
    TRY(radix_argument(h, args, n, &radix));
    size_t length = string_length(s);
    TRY(heap_afford(h, length / 64));
    heap_work(h, length);
    if (string_width(s) == 0)
        return num_parse(h, (const char *)string_data(s), length, radix);
    char *buffer = heap_malloc(h, length + 1);
    if (!buffer)
        return RETRY;
    val v = parse_wide(h, s, buffer, length, radix);
    heap_mfree(h, buffer, length + 1);
    return v;
}
