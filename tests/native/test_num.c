/* The numeric tower on fixed cases: what R7RS says, the edges, errors, limits. */
#include "num_lines.h"
#include "../../native/src/num_tower.h"

static unsigned passed, failed;

static void check(const char *line, const char *wanted)
{
    char copy[4096], got[8192];
    snprintf(copy, sizeof copy, "%s", line);
    FILE *to = fmemopen(got, sizeof got, "w");
    if (!to)
        abort();
    print(to, run(copy));
    fclose(to);
    heap_forget();
    if (strcmp(got, wanted) == 0) {
        passed++;
    } else {
        failed++;
        printf("%s\n  wanted %s\n  got    %s\n", line, wanted, got);
    }
}

static void check_true(const char *what, bool holds)
{
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("%s: false\n", what);
    }
}

struct row {
    const char *line, *wanted;
};

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(rows[i].line, rows[i].wanted);
}

static const struct row arithmetic[] = {
    {"+", "0"},
    {"*", "1"},
    {"+ 1 2 3 4 5 6", "21"},
    {"- 5", "-5"},
    {"- 0.0", "-0.0"},
    {"- -1152921504606846976", "1152921504606846976"},
    {"+ 1152921504606846975 1", "1152921504606846976"},
    {"- 1152921504606846976 1", "1152921504606846975"},
    {"* -1152921504606846976 -1", "1152921504606846976"},
    {"quotient -1152921504606846976 -1", "1152921504606846976"},
    {"/ 3", "1/3"},
    {"/ 1 0", "divide"},
    {"/ 1.0 0", "divide"},
    {"/ 1.0 0.0", "+inf.0"},
    {"/ 0 0.0", "+nan.0"},
    {"/ 0", "divide"},
    {"* 0 1.5", "0"},
    {"* 0 +inf.0", "0"},
    {"+ 0 -0.0", "-0.0"},
    {"max 1 2.0", "2.0"},
    {"max 3 2.0", "3.0"},
    {"min 1 2 +nan.0", "+nan.0"},
    {"max +nan.0 1", "+nan.0"},
    {"quotient 5 0", "divide"},
    {"modulo 13 -4", "-3"},
    {"modulo -13 4.0", "3.0"},
    {"remainder -13 4", "-1"},
    {"remainder 5.5 2", "type"},
    {"quotient 1e300 3", "3.3333333333333335e299"},
    {"gcd", "0"},
    {"lcm", "1"},
    {"gcd 32 -36", "4"},
    {"lcm 32.0 -36", "288.0"},
    {"square 1/2", "1/4"},
    {"round 7/2", "4"},
    {"round -2.5", "-2.0"},
    {"round 0.4", "0.0"},
    {"floor -4.3", "-5.0"},
    {"truncate -7/2", "-3"},
    {"ceiling -7/2", "-3"},
    {"numerator 0.75", "3.0"},
    {"denominator 6/4", "2"},
    {"rationalize 0.3 1/10", "0.3333333333333333"},
    {"rationalize 3/10 1/10", "1/3"},
    {"rationalize +inf.0 3", "+inf.0"},
    {"rationalize 3 +inf.0", "0.0"},
    {"exact 2.5", "5/2"},
    {"exact +inf.0", "type"},
    {"exact 1.0+2.5i", "1+5/2i"},
    {"inexact 1+1/2i", "1.0+0.5i"},
};

static const struct row kinds[] = {
    {"integer? 5.0", "#t"},
    {"integer? 5.5", "#f"},
    {"integer? 3+4i", "#f"},
    {"rational? +inf.0", "#f"},
    {"rational? 6/10", "#t"},
    {"exact? 1+2i", "#t"},
    {"exact? 1.0", "#f"},
    {"nan? +nan.0", "#t"},
    {"nan? 1+2i", "#f"},
    {"finite? -inf.0", "#f"},
    {"even? 4.0", "#t"},
    {"odd? -3", "#t"},
    {"odd? 36893488147419103233", "#t"},
    {"zero? -0.0", "#t"},
    {"= 1 1.0 1.0+0.0i", "#t"},
    {"= 1/3 0.3333333333333333", "#f"},
    {"= 0.5 1/2", "#t"},
    {"< 1 2 3", "#t"},
    {"< 1 3 2", "#f"},
    {"< 9007199254740992.0 9007199254740993", "#t"},
    {"< 1 +nan.0", "#f"},
    {"= 9007199254740992.0 9007199254740993", "#f"},
    {"< -inf.0 -1e308", "#t"},
    {"< 1 2+i", "type"},
    {"<= 1e400 1e500", "#t"},
};

static const struct row functions[] = {
    {"expt 0 0", "1"},
    {"expt 0 -1", "divide"},
    {"expt 0.0 0", "1"},
    {"expt 2.0 3", "8.0"},
    {"expt 1/2 2", "1/4"},
    {"expt 2 -2", "1/4"},
    {"expt -2/3 -3", "-27/8"},
    {"expt 2 0.5", "1.4142135623730951"},
    {"expt 8 1/3", "2"},
    {"expt 27/8 2/3", "9/4"},
    {"expt 1+i 10", "+32i"},
    {"expt +i 1000000000000000000000000001", "+i"},
    {"expt -1 1000000000000000000000000001", "-1"},
    {"expt 1/2+i -2", "-12/25-16/25i"},
    {"expt -8 1/3", "1.0+1.732050807568877i"},
    {"sqrt 16", "4"},
    {"sqrt 9/4", "3/2"},
    {"sqrt -1", "+i"},
    {"sqrt -4/9", "+2/3i"},
    {"sqrt -2", "0.0+1.4142135623730951i"},
    {"sqrt -1.0", "0.0+1.0i"},
    {"sqrt -0.0", "-0.0"},
    {"sqrt -3+4i", "1+2i"},
    {"sqrt -3-4i", "1-2i"},
    {"sqrt 2", "1.4142135623730951"},
    {"isqrt 17", "4 1"},
    {"isqrt 0", "0 0"},
    {"isqrt -1", "type"},
    {"exp 0", "1"},
    {"exp 1", "2.718281828459045"},
    {"log 1", "0"},
    {"log 8 2", "3.0"},
    {"log 1000 10", "3.0"},
    {"log -1", "0.0+3.141592653589793i"},
    {"log 0", "-inf.0"},
    {"sin 0", "0"},
    {"cos 0", "1"},
    {"acos 1", "0"},
    {"atan 1 0", "1.5707963267948966"},
    {"atan -1 0", "-1.5707963267948966"},
    {"atan 0.0 -1", "3.141592653589793"},
    {"atan -0.0 -1", "-3.141592653589793"},
    {"atan 0 1", "0"},
    {"magnitude 3+4i", "5"},
    {"magnitude -5", "5"},
    {"angle -1", "3.141592653589793"},
    {"angle 1", "0"},
    {"make-polar 2 0", "2"},
    {"make-rectangular 1 2.5", "1.0+2.5i"},
    {"make-rectangular 1.5 0", "1.5"},
    {"* 1+2i 3-4i", "11+2i"},
    {"/ 1+2i 3-4i", "-1/5+2/5i"},
    {"* +i +i", "-1"},
    {"/ 1+2i 0", "divide"},
    {"/ 1.0+2.0i 0.0+1.0i", "2.0-1.0i"},
    {"- 1+2i +2i", "1"},
    {"%flonum-bits 1.0", "4607182418800017408"},
    {"%bits-flonum 4607182418800017408", "1.0"},
};

static const struct row texts[] = {
    {"string->number 10 1e21", "1e21"},
    {"string->number 10 100000000000000000000.0", "100000000000000000000.0"},
    {"string->number 10 1e-7", "1e-7"},
    {"string->number 10 .000001", "0.000001"},
    {"string->number 10 -0.0", "-0.0"},
    {"string->number 10 1.", "1.0"},
    {"string->number 10 -.5e1", "-5.0"},
    {"string->number 10 1E2", "100.0"},
    {"string->number 10 1e400", "+inf.0"},
    {"string->number 10 1e-400", "0.0"},
    {"string->number 10 0e99999999999999999999", "0.0"},
    {"string->number 10 1e99999999999999999999", "+inf.0"},
    {"string->number 10 2.4703282292062328e-324", "5e-324"},
    {"string->number 10 2.4703282292062327e-324", "0.0"},
    {"string->number 10 1.7976931348623159e308", "+inf.0"},
    {"string->number 10 +inf.0", "+inf.0"},
    {"string->number 10 -INF.0", "-inf.0"},
    {"string->number 10 +nan.0", "+nan.0"},
    {"string->number 10 +i", "+i"},
    {"string->number 10 -I", "-i"},
    {"string->number 10 1+i", "1+i"},
    {"string->number 10 1-2.5i", "1.0-2.5i"},
    {"string->number 10 1/2+3/4i", "1/2+3/4i"},
    {"string->number 10 +inf.0i", "0.0+inf.0i"},
    {"string->number 10 1+inf.0i", "1.0+inf.0i"},
    {"string->number 10 -2.5+0i", "-2.5"},
    {"string->number 10 -2.5+0.0i", "-2.5+0.0i"},
    {"string->number 10 1@0", "1"},
    {"string->number 10 1@2", "-0.4161468365471424+0.9092974268256817i"},
    {"string->number 10 #e1.5", "3/2"},
    {"string->number 10 #i1/3", "0.3333333333333333"},
    {"string->number 10 #i+i", "0.0+1.0i"},
    {"string->number 10 #x#e1F", "31"},
    {"string->number 10 #e#xfF", "255"},
    {"string->number 10 #b-101", "-5"},
    {"string->number 10 #o17/7", "15/7"},
    {"string->number 10 #e1e3", "1000"},
    {"string->number 10 #e1e-3", "1/1000"},
    {"string->number 16 1e2", "482"},
    {"string->number 36 zz", "1295"},
    {"string->number 2 1.1", "1.5"},
    {"number->string -12.625 2", "-1100.101"},
    {"number->string 0.1 16", "0.1999999999999a"},
    {"number->string 1.5 3", "an inexact number can be written in an even radix only"},
    {"number->string 10 37", "range"},
    {"number->string -1+2i 2", "-1+10i"},
};

static const char *const not_numbers[] = {
    "-",     "+",       ".",     "...",   "1e",       "--1",   "1_000", "#xg",     "#",
    "#x",    "#e",      "#x#x1", "#e#i1", "1/0",      "1/",    "/2",    "1/2/3",   "1.2.3",
    "1e2e3", "i",       "1i",    "1+",    "+1+",      "1+2",   "1+2i3", "1@",      "1@2i",
    "e1",    ".e1",     "+-1",   "1/2e3", "#e+inf.0", "inf.0", "+inf",  "+inf.00", "1+i+i",
    "2",     "+nan.0x", "0x10",  "1e+",   "#i1/0",    "#q1",   "1@2@3",
};

static void test_reading(void)
{
    check("string->number 10", "#f");
    for (size_t i = 0; i < ARRAY_LENGTH(not_numbers); i++) {
        char line[100];
        bool binary = strcmp(not_numbers[i], "2") == 0;
        snprintf(line, sizeof line, "string->number %d %s", binary ? 2 : 10, not_numbers[i]);
        check(line, "#f");
    }
}

static void test_limits(void)
{
    heap.afford = 10000000;
    check("expt 7 10000000", "LIMIT");
    check("string->number 10 #e1e100000000", "LIMIT");
    check("string->number 10 #e1e-100000000", "LIMIT");
    check("string->number 10 #e1e99999999999999999999", "LIMIT");
    check("expt 3/7 100000000000", "LIMIT");
    check("expt 2+i 100000000", "LIMIT");
    heap.afford = UINT64_MAX;
    heap.limit = 1 << 20;
    check("expt 7 100000000", "LIMIT");
    check("expt 2 100000000", "LIMIT");
    check("expt 7 100000000000000000000", "LIMIT");
    check("arithmetic-shift 1 100000000", "LIMIT");
    check("arithmetic-shift 1 1000000000000000000000", "LIMIT");
    check("arithmetic-shift -5 -1000000000000000000000", "-1");
    check("string->number 10 #e1e100000000", "LIMIT");
    check("string->number 10 #e1e99999999999999999999", "LIMIT");
    check("string->number 10 #e0e99999999999999999999", "0");
    heap.limit = (size_t)1 << 30;
    heap.interrupt = true;
    check("expt 7 2000000", "LIMIT");
    heap.interrupt = false;
}

static val parse_now(const char *text)
{
    val v = parsed(text, 10);
    return v;
}

static void test_eqv(void)
{
    val big = parse_now("123456789012345678901234567890");
    val same = parse_now("123456789012345678901234567890");
    val nan = parse_now("+nan.0");
    check_true("equal bignums are eqv", num_eqv(big, same) && num_hash(big) == num_hash(same));
    check_true("1 and 1.0 are not eqv", !num_eqv(fixnum(1), parse_now("1.0")));
    check_true("0.0 and -0.0 are not eqv", !num_eqv(parse_now("0.0"), parse_now("-0.0")));
    check_true("NaN is eqv to itself", num_eqv(nan, parse_now("+nan.0")));
    check_true("complex eqv", num_eqv(parse_now("1+2i"), parse_now("1+2i")));
    check_true("complex not eqv", !num_eqv(parse_now("1+2i"), parse_now("1.0+2i")));
    check_true("ratio eqv", num_eqv(parse_now("1/3"), parse_now("2/6")));
    check_true("infinities", num_eqv(parse_now("+inf.0"), parse_now("+inf.0")));
    heap_forget();
}

static void test_border(void)
{
    const uint8_t bytes[] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    uint8_t back[16];
    val v = bignum_from_magnitude(&heap, bytes, sizeof bytes, true);
    check_true("magnitude length", bignum_magnitude_bytes(v) == 9 && num_is_negative(v));
    bignum_store_magnitude(v, back);
    check_true("magnitude bytes", memcmp(back, bytes + 2, 9) == 0);
    v = bignum_from_magnitude(&heap, bytes, 4, true);
    check_true("small magnitude is a fixnum", is_eq(v, fixnum(-258)));
    check_true("empty magnitude", is_eq(bignum_from_magnitude(&heap, bytes, 0, true), fixnum(0)));
    int64_t n;
    check_true("int64 minimum",
               num_to_int64(num_from_int64(&heap, INT64_MIN), &n) && n == INT64_MIN);
    check_true("int64 maximum",
               num_to_int64(num_from_int64(&heap, INT64_MAX), &n) && n == INT64_MAX);
    check_true("uint64 is beyond", !num_to_int64(num_from_uint64(&heap, UINT64_MAX), &n));
    heap_forget();
}

int main(void)
{
    heap_open();
    check_rows(arithmetic, ARRAY_LENGTH(arithmetic));
    check_rows(kinds, ARRAY_LENGTH(kinds));
    check_rows(functions, ARRAY_LENGTH(functions));
    check_rows(texts, ARRAY_LENGTH(texts));
    test_reading();
    test_limits();
    test_eqv();
    test_border();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
