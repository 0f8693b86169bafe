/* T7 primitives: characters. All SHORT but the comparisons, which take any
 * number of arguments. */
#include "../chars.h"
#include "../prim.h"
#include "../string.h"

enum order { LESS = 1, EQUAL = 2, GREATER = 4 };

static val compare_all(struct heap *h, const val *args, size_t n, unsigned wanted, bool ci)
{
    bool result = true;
    TRY(afford_bytes(h, n * 8));
    for (size_t i = 0; i < n; i++) {
        uint32_t b = char_code(TRY(arg_char(h, args, i)));
        if (i == 0 || !result)
            continue;
        uint32_t a = char_code(args[i - 1]);
        a = ci ? char_foldcase(a) : a;
        b = ci ? char_foldcase(b) : b;
        result = (wanted & (unsigned)(a < b ? LESS : a > b ? GREATER : EQUAL)) != 0;
    }
    return val_bool(result);
}

PRIM("char=?", prim_char_equal, 1, -1, PURE, "(char=? char1 char2 ...)",
     "Return #t if all the characters are the same.")
{
    return compare_all(h, args, n, EQUAL, false);
}

PRIM("char<?", prim_char_less, 1, -1, PURE, "(char<? char1 char2 ...)",
     "Return #t if the code points increase.")
{
    return compare_all(h, args, n, LESS, false);
}

PRIM("char>?", prim_char_greater, 1, -1, PURE, "(char>? char1 char2 ...)",
     "Return #t if the code points decrease.")
{
    return compare_all(h, args, n, GREATER, false);
}

PRIM("char<=?", prim_char_not_greater, 1, -1, PURE, "(char<=? char1 char2 ...)",
     "Return #t if the code points do not decrease.")
{
    return compare_all(h, args, n, LESS | EQUAL, false);
}

PRIM("char>=?", prim_char_not_less, 1, -1, PURE, "(char>=? char1 char2 ...)",
     "Return #t if the code points do not increase.")
{
    return compare_all(h, args, n, GREATER | EQUAL, false);
}

PRIM("char-ci=?", prim_char_ci_equal, 1, -1, PURE, "(char-ci=? char1 char2 ...)",
     "Like char=? after case folding.")
{
    return compare_all(h, args, n, EQUAL, true);
}

PRIM("char-ci<?", prim_char_ci_less, 1, -1, PURE, "(char-ci<? char1 char2 ...)",
     "Like char<? after case folding.")
{
    return compare_all(h, args, n, LESS, true);
}

PRIM("char-ci>?", prim_char_ci_greater, 1, -1, PURE, "(char-ci>? char1 char2 ...)",
     "Like char>? after case folding.")
{
    return compare_all(h, args, n, GREATER, true);
}

PRIM("char-ci<=?", prim_char_ci_not_greater, 1, -1, PURE, "(char-ci<=? char1 char2 ...)",
     "Like char<=? after case folding.")
{
    return compare_all(h, args, n, LESS | EQUAL, true);
}

PRIM("char-ci>=?", prim_char_ci_not_less, 1, -1, PURE, "(char-ci>=? char1 char2 ...)",
     "Like char>=? after case folding.")
{
    return compare_all(h, args, n, GREATER | EQUAL, true);
}

PRIM("char-alphabetic?", prim_char_alphabetic, 1, 1, SHORT, "(char-alphabetic? char)",
     "Return #t if CHAR has Unicode's property Alphabetic.")
{
    return val_bool(char_is_alphabetic(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-numeric?", prim_char_numeric, 1, 1, SHORT, "(char-numeric? char)",
     "Return #t if CHAR is a decimal digit of any script.")
{
    return val_bool(char_is_numeric(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-whitespace?", prim_char_whitespace, 1, 1, SHORT, "(char-whitespace? char)",
     "Return #t if CHAR has Unicode's property White_Space.")
{
    return val_bool(char_is_whitespace(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-upper-case?", prim_char_upper_case, 1, 1, SHORT, "(char-upper-case? char)",
     "Return #t if CHAR has Unicode's property Uppercase.")
{
    return val_bool(char_is_upper(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-lower-case?", prim_char_lower_case, 1, 1, SHORT, "(char-lower-case? char)",
     "Return #t if CHAR has Unicode's property Lowercase.")
{
    return val_bool(char_is_lower(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("digit-value", prim_digit_value, 1, 1, SHORT, "(digit-value char)",
     "Return the value 0 to 9 of the decimal digit CHAR, or #f.")
{
    int digit = char_digit(char_code(TRY(arg_char(h, args, 0))));
    return digit < 0 ? FALSE : fixnum(digit);
}

PRIM("char-upcase", prim_char_upcase, 1, 1, SHORT, "(char-upcase char)",
     "Return the upper case character of CHAR, or CHAR.")
{
    return char_value(char_upcase(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-downcase", prim_char_downcase, 1, 1, SHORT, "(char-downcase char)",
     "Return the lower case character of CHAR, or CHAR.")
{
    return char_value(char_downcase(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char-foldcase", prim_char_foldcase, 1, 1, SHORT, "(char-foldcase char)",
     "Return CHAR after simple case folding.")
{
    return char_value(char_foldcase(char_code(TRY(arg_char(h, args, 0)))));
}

PRIM("char->integer", prim_char_to_integer, 1, 1, SHORT, "(char->integer char)",
     "Return the code point of CHAR.")
{
    return fixnum(char_code(TRY(arg_char(h, args, 0))));
}

PRIM("integer->char", prim_integer_to_char, 1, 1, SHORT, "(integer->char n)",
     "Return the character with code point N.")
{
    val v = TRY(arg_index(h, args, 0, (size_t)CODE_POINT_MAX + 1));
    if (!is_scalar_value((uint32_t)fixnum_value(v)))
        return raise_format(h, CONDITION_RANGE, TRY(cons(h, v, NIL)),
                            "argument 1: a surrogate code point is no character");
    return char_value((uint32_t)fixnum_value(v));
}
