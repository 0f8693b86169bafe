/* The number primitives by name, on lines of text: shared by num_driver.c and
 * test_num.c. */
#ifndef NUM_LINES_H
#define NUM_LINES_H

#include "num_stub.h"

/* clang-format off */
#define PRIMS(P)                                                                        \
    P("+", prim_add) P("-", prim_subtract) P("*", prim_multiply) P("/", prim_divide)    \
    P("quotient", prim_quotient) P("remainder", prim_remainder) P("modulo", prim_modulo) \
    P("floor-quotient", prim_floor_quotient) P("gcd", prim_gcd) P("lcm", prim_lcm)      \
    P("=", prim_number_equal) P("<", prim_number_less) P("<=", prim_number_less_equal)  \
    P("max", prim_max) P("min", prim_min) P("exact", prim_exact)                        \
    P("inexact", prim_inexact) P("floor", prim_floor) P("ceiling", prim_ceiling)        \
    P("truncate", prim_truncate) P("round", prim_round) P("expt", prim_expt)            \
    P("sqrt", prim_sqrt) P("isqrt", prim_exact_integer_sqrt)                            \
    P("bitwise-and", prim_bitwise_and) P("bitwise-ior", prim_bitwise_ior)               \
    P("bitwise-xor", prim_bitwise_xor) P("bitwise-not", prim_bitwise_not)               \
    P("arithmetic-shift", prim_arithmetic_shift) P("bit-count", prim_bit_count)         \
    P("integer-length", prim_integer_length) P("bit-set?", prim_is_bit_set)             \
    P("number->string", prim_number_to_string) P("rationalize", prim_rationalize)       \
    P("numerator", prim_numerator) P("denominator", prim_denominator)                   \
    P("exp", prim_exp) P("log", prim_log) P("sin", prim_sin) P("cos", prim_cos)         \
    P("tan", prim_tan) P("asin", prim_asin) P("acos", prim_acos) P("atan", prim_atan)   \
    P("magnitude", prim_magnitude) P("angle", prim_angle) P("abs", prim_abs)            \
    P("make-polar", prim_make_polar) P("make-rectangular", prim_make_rectangular)       \
    P("even?", prim_is_even) P("integer?", prim_is_integer) P("exact?", prim_is_exact)  \
    P("rational?", prim_is_rational) P("odd?", prim_is_odd) P("zero?", prim_is_zero)        \
    P("square", prim_square) P("nan?", prim_is_nan) P("finite?", prim_is_finite)        \
    P("%flonum-bits", prim_flonum_bits) P("%bits-flonum", prim_bits_flonum)
/* clang-format on */

#define P(name, function) primitive_function function;
PRIMS(P)
#undef P

static const struct {
    const char *name;
    primitive_function *function;
} table[] = {
#define P(name, function) {name, function},
    PRIMS(P)
#undef P
};

static val text_of(struct heap *h, const val *args, size_t n)
{
    (void)n;
    return num_to_text(h, args[0], 10);
}

static const char *parse_text;
static size_t parse_length;
static unsigned parse_radix;

static val parse(struct heap *h, const val *args, size_t n)
{
    (void)args, (void)n;
    return num_parse(h, parse_text, parse_length, parse_radix);
}

static val parsed(const char *text, unsigned radix)
{
    parse_text = text;
    parse_length = strlen(text);
    parse_radix = radix;
    return call(parse, NULL, 0);
}

static void print(FILE *to, val v)
{
    if (is_control(v)) {
        fprintf(to, "%s", is_eq(v, RAISE) ? raised : is_eq(v, LIMIT) ? "LIMIT" : "RETRY");
    } else if (is_number(v)) {
        val t = call(text_of, &v, 1);
        if (is_control(t))
            fprintf(to, "LIMIT");
        else
            fwrite(string_data(t), 1, string_length(t), to);
    } else if (is_string(v)) {
        fwrite(string_data(v), 1, string_length(v), to);
    } else if (is_pair(v)) {
        print(to, car(v));
        fputc(' ', to);
        print(to, cdr(v));
    } else {
        fprintf(to, "%s", is_eq(v, TRUE) ? "#t" : is_eq(v, FALSE) ? "#f" : "?");
    }
}

static val run(char *line)
{
    val args[64];
    size_t n = 0;
    char *word = strtok(line, " ");
    const char *name = word;
    if (strcmp(name, "string->number") == 0) {
        unsigned radix = (unsigned)atoi(strtok(NULL, " "));
        char *text = strtok(NULL, " ");
        return parsed(text ? text : "", radix);
    }
    while ((word = strtok(NULL, " ")) && n < ARRAY_LENGTH(args)) {
        args[n] = parsed(word, 10);
        if (is_eq(args[n], FALSE) || is_control(args[n])) {
            printf("unreadable ");
            return FALSE;
        }
        n++;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
        if (strcmp(table[i].name, name) == 0)
            return call(table[i].function, args, n);
    }
    printf("unknown ");
    return FALSE;
}

#endif
