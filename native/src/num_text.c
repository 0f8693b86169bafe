/* T4 numbers: the text of numbers, both ways (R7RS 7.1.1 <number>).
 *
 * Reading looks at each character once, then makes the value: integers by
 * num_nat_text, decimals by num_dtoa or, where their digits do not settle the
 * rounding, by exact arithmetic on at most DIGITS_MAX digits (any further ones
 * only say that there is more). An exact decimal pays for its power of ten
 * before it is made. Writing fills counted scratch, then makes the string. */
#include "num_tower.h"
#include "string.h"
#include <math.h>

#define DIGITS_MAX 800
#define EXPONENT_LIMIT 100000000000000000 /* beyond it all exponents are alike */

struct text {
    struct scratch *scratch;
    const char *at, *end;
    unsigned radix;
    char exactness; /* 'e', 'i' or 0 */
};

/* One unsigned decimal as it was found: digits without their point. */
struct decimal {
    const char *start; /* first digit or point          */
    size_t length;     /* characters of digits and point */
    size_t digits;     /* how many are digits            */
    size_t fraction;   /* digits after the point         */
    int64_t exponent;
    bool point, has_exponent;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool at_end(const struct text *t)
{
    return t->at == t->end;
}

static bool looking_at(const struct text *t, char c)
{
    return !at_end(t) && lower(*t->at) == c;
}

static bool take(struct text *t, char c)
{
    if (!looking_at(t, c))
        return false;
    t->at++;
    return true;
}

/* +1, -1, or 0 where there is no sign. */
static int take_sign(struct text *t)
{
    if (take(t, '+'))
        return 1;
    return take(t, '-') ? -1 : 0;
}

static size_t take_digits(struct text *t)
{
    const char *start = t->at;
    while (!at_end(t) && digit_value(*t->at) < t->radix)
        t->at++;
    return (size_t)(t->at - start);
}

static bool take_word(struct text *t, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(t->end - t->at) < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (lower(t->at[i]) != word[i])
            return false;
    }
    t->at += n;
    return true;
}

/* -- values from digits ------------------------------------------------------------------- */

static val integer_by_scratch(struct scratch *s, const char *digits, size_t n, unsigned radix)
{
    struct scratch_mark mark = scratch_mark(s);
    size_t room = nat_limbs_room(n, radix), rn;
    TRY(nat_fits(s->heap, (uint64_t)room * sizeof(limb)));
    limb *r = scratch_take(s, room);
    if (!r)
        return RETRY;
    TRY(nat_from_text(s, r, &rn, digits, n, radix));
    val v = TRY(int_from_limbs(s->heap, r, rn, false));
    scratch_release(s, mark);
    return v;
}

static val integer_of(struct text *t, const char *digits, size_t n)
{
    if (n > 17 || t->radix > 10)
        return integer_by_scratch(t->scratch, digits, n, t->radix);
    int64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x = x * (int64_t)t->radix + (digits[i] - '0');
    return fixnum(x);
}

/* The digits of a decimal without its point. */
static val plain_digits(struct text *t, const struct decimal *d, char **out)
{
    char *p = scratch_bytes(t->scratch, d->length + 1);
    if (!p)
        return RETRY;
    *out = p;
    for (size_t i = 0; i < d->length; i++) {
        if (d->start[i] != '.')
            *p++ = d->start[i];
    }
    return TRUE;
}

static val exact_decimal(struct text *t, const struct decimal *d)
{
    struct heap *h = t->scratch->heap;
    char *digits;
    TRY(plain_digits(t, d, &digits));
    int64_t e = d->exponent - (int64_t)d->fraction;
    TRY(num_room(h, 8192 + 16 * size_min(d->length, LARGE_OBJECT)));
    val n = TRY(integer_of(t, digits, d->digits));
    if (e == 0 || is_eq(n, fixnum(0)))
        return n;
    val scale = TRY(int_power(h, fixnum(t->radix), (uint64_t)(e < 0 ? -e : e)));
    return e > 0 ? int_mul(h, n, scale) : rat_make(h, n, scale);
}

/* Up to 19 leading digits as an integer; what came after them. */
struct leading {
    uint64_t digits;
    int64_t exponent; /* of the last digit taken */
    bool dropped;     /* digits that are not zero came after */
    bool any;
};

static struct leading leading_digits(const struct decimal *d)
{
    struct leading r = {.exponent = d->exponent};
    unsigned taken = 0;
    bool after_point = false;
    for (size_t i = 0; i < d->length; i++) {
        char c = d->start[i];
        if (c == '.') {
            after_point = true;
            continue;
        }
        if (taken < 19) {
            r.digits = r.digits * 10 + (uint64_t)(c - '0');
            taken += r.digits != 0;
            r.exponent -= after_point;
        } else {
            r.dropped |= c != '0';
            r.exponent += !after_point;
        }
    }
    r.any = r.digits != 0;
    return r;
}

/* digits * 10^e exactly, rounded; 1e-345 < it < 1e311. */
static val exact_double(struct scratch *s, const char *digits, size_t n, int64_t e, double *out)
{
    size_t room = nat_limbs_room(n, 10), rn, pn = 1;
    limb *r = scratch_take(s, room);
    limb ten = 10;
    uint64_t by = (uint64_t)(e < 0 ? -e : e);
    limb *power = scratch_take(s, nat_power_limbs(&ten, 1, by) + 1);
    if (!r || !power)
        return RETRY;
    TRY(nat_from_text(s, r, &rn, digits, n, 10));
    power[0] = 1;
    if (by > 0)
        TRY(nat_power(s, power, &pn, &ten, 1, by));
    if (e < 0) {
        *out = double_from_ratio(r, rn, power, pn);
        return TRUE;
    }
    limb *product = scratch_take(s, rn + pn);
    if (!product)
        return RETRY;
    TRY(nat_mul(s, product, r, rn, power, pn));
    *out = double_from_nat(product, rn + pn);
    return TRUE;
}

/* The slow way: at most DIGITS_MAX significant digits, and a 1 if more follow. */
static val slow_double(struct text *t, const struct decimal *d, double *out)
{
    char digits[DIGITS_MAX + 2];
    size_t n = 0;
    bool more = false, after_point = false;
    int64_t e = d->exponent;
    for (size_t i = 0; i < d->length; i++) {
        char c = d->start[i];
        if (c == '.') {
            after_point = true;
        } else if (n < DIGITS_MAX) {
            if (n > 0 || c != '0')
                digits[n++] = c;
            e -= after_point;
        } else {
            more |= c != '0';
            e += !after_point;
        }
    }
    if (more) {
        digits[n++] = '1';
        e--;
    }
    int64_t top = e + (int64_t)n;
    if (top > 311 || top < -344) {
        *out = top > 0 ? HUGE_VAL : 0.0;
        return TRUE;
    }
    struct scratch_mark mark = scratch_mark(t->scratch);
    TRY(exact_double(t->scratch, digits, n, e, out));
    scratch_release(t->scratch, mark);
    return TRUE;
}

static val double_of(struct text *t, const struct decimal *d, double *out)
{
    struct leading lead = leading_digits(d);
    if (!lead.any) {
        *out = 0.0;
        return TRUE;
    }
    double next;
    if (double_from_decimal(lead.digits, lead.exponent, out)) {
        if (!lead.dropped)
            return TRUE;
        if (double_from_decimal(lead.digits + 1, lead.exponent, &next) &&
            double_bits(*out) == double_bits(next))
            return TRUE;
    }
    return slow_double(t, d, out);
}

/* -- real numbers ------------------------------------------------------------------------------ */

/* "e", a sign, digits: only where all of that is there. */
static void take_exponent(struct text *t, struct decimal *d)
{
    struct text start = *t;
    if (t->radix != 10 || !take(t, 'e'))
        return;
    int sign = take_sign(t);
    const char *digits = t->at;
    size_t n = take_digits(t);
    if (n == 0) {
        *t = start;
        return;
    }
    int64_t e = 0;
    for (size_t i = 0; i < n && e < EXPONENT_LIMIT; i++)
        e = e * 10 + (digits[i] - '0');
    d->exponent = sign < 0 ? -e : e;
    d->has_exponent = true;
}

static val signed_double(struct heap *h, double d, bool negative)
{
    return flonum(h, negative ? -d : d);
}

static val decimal_value(struct text *t, const struct decimal *d, bool negative)
{
    struct heap *h = t->scratch->heap;
    bool inexact = t->exactness == 'i' || (t->exactness == 0 && (d->point || d->has_exponent));
    heap_work(h, d->length);
    if (inexact && t->radix == 10) {
        double x;
        TRY(double_of(t, d, &x));
        return signed_double(h, x, negative);
    }
    val v = TRY(exact_decimal(t, d));
    if (inexact)
        return signed_double(h, num_to_double(v), negative);
    return negative ? num_negate(h, v) : v;
}

static val ratio_value(struct text *t, const char *n, size_t n_length, const char *d,
                       size_t d_length, bool negative)
{
    struct heap *h = t->scratch->heap;
    heap_work(h, n_length + d_length);
    TRY(num_room(h, 8192 + 16 * size_min(n_length + d_length, LARGE_OBJECT)));
    val numerator = TRY(integer_of(t, n, n_length));
    val denominator = TRY(integer_of(t, d, d_length));
    if (is_eq(denominator, fixnum(0)))
        return FALSE;
    val v = TRY(rat_make(h, numerator, denominator));
    if (t->exactness == 'i')
        return signed_double(h, num_to_double(v), negative);
    return negative ? num_negate(h, v) : v;
}

/* inf.0 or nan.0 after a sign; FALSE where there is none. */
static val take_special(struct text *t, bool negative)
{
    if (t->radix > 18 || t->exactness == 'e')
        return FALSE;
    if (take_word(t, "inf.0"))
        return signed_double(t->scratch->heap, HUGE_VAL, negative);
    if (take_word(t, "nan.0"))
        return flonum(t->scratch->heap, (double)NAN);
    return FALSE;
}

static val take_real(struct text *t, int sign)
{
    const char *start = t->at;
    bool negative = sign < 0;
    if (sign != 0) {
        val special = TRY(take_special(t, negative));
        if (!is_eq(special, FALSE))
            return special;
    }
    size_t whole = take_digits(t);
    if (whole > 0 && take(t, '/')) {
        const char *denominator = t->at;
        size_t n = take_digits(t);
        return n == 0 ? FALSE : ratio_value(t, start, whole, denominator, n, negative);
    }
    struct decimal d = {.start = start, .digits = whole};
    if (take(t, '.')) {
        d.point = true;
        d.fraction = take_digits(t);
        d.digits += d.fraction;
    }
    if (d.digits == 0)
        return FALSE;
    d.length = (size_t)(t->at - start);
    take_exponent(t, &d);
    return decimal_value(t, &d, negative);
}

/* -- complex numbers ------------------------------------------------------------------------------
 */

static val exact_one(const struct text *t, struct heap *h, int sign)
{
    return t->exactness == 'i' ? flonum(h, sign) : fixnum(sign);
}

/* The end of the text is "i": it is the imaginary unit. */
static bool take_last_i(struct text *t)
{
    if (t->radix > 18 || t->end - t->at != 1)
        return false;
    return take(t, 'i');
}

static val take_imaginary(struct text *t, val re)
{
    struct heap *h = t->scratch->heap;
    int sign = take_sign(t);
    if (take_last_i(t))
        return num_rectangular(h, re, TRY(exact_one(t, h, sign)));
    val im = TRY(take_real(t, sign));
    if (is_eq(im, FALSE) || !take_last_i(t))
        return FALSE;
    return num_rectangular(h, re, im);
}

static val take_angle(struct text *t, val magnitude)
{
    struct heap *h = t->scratch->heap;
    val angle = TRY(take_real(t, take_sign(t)));
    if (is_eq(angle, FALSE) || !at_end(t))
        return FALSE;
    val v = TRY(num_polar(h, magnitude, angle));
    return t->exactness == 'e' ? num_exact(h, v) : v;
}

static val take_complex(struct text *t)
{
    struct heap *h = t->scratch->heap;
    int sign = take_sign(t);
    if (sign != 0 && take_last_i(t))
        return num_rectangular(h, fixnum(0), TRY(exact_one(t, h, sign)));
    val re = TRY(take_real(t, sign));
    if (is_eq(re, FALSE) || at_end(t))
        return re;
    if (sign != 0 && take_last_i(t))
        return num_rectangular(h, fixnum(0), re);
    if (take(t, '@'))
        return take_angle(t, re);
    if (looking_at(t, '+') || looking_at(t, '-'))
        return take_imaginary(t, re);
    return FALSE;
}

static bool take_prefixes(struct text *t)
{
    bool radix_given = false;
    while (take(t, '#')) {
        if (at_end(t))
            return false;
        char c = lower(*t->at++);
        if (c == 'e' || c == 'i') {
            if (t->exactness)
                return false;
            t->exactness = c;
            continue;
        }
        if (radix_given)
            return false;
        radix_given = true;
        if (c == 'x')
            t->radix = 16;
        else if (c == 'd')
            t->radix = 10;
        else if (c == 'o')
            t->radix = 8;
        else if (c == 'b')
            t->radix = 2;
        else
            return false;
    }
    return true;
}

/* What may be tens of thousands of words in a program: a short decimal integer. */
static bool short_integer(const char *p, size_t n, val *out)
{
    bool negative = n > 0 && *p == '-';
    size_t i = negative || (n > 0 && *p == '+');
    if (n == i || n > 17)
        return false;
    int64_t x = 0;
    for (; i < n; i++) {
        if (p[i] < '0' || p[i] > '9')
            return false;
        x = x * 10 + (p[i] - '0');
    }
    *out = fixnum(negative ? -x : x);
    return true;
}

val num_parse(struct heap *h, const char *ascii, size_t n, unsigned radix)
{
    val v;
    if (radix == 10 && short_integer(ascii, n, &v))
        return v;
    struct scratch s;
    scratch_open(&s, h);
    struct text t = {&s, ascii, ascii + n, radix, 0};
    v = take_prefixes(&t) ? take_complex(&t) : FALSE;
    scratch_close(&s);
    return v;
}

/* -- writing
 * ------------------------------------------------------------------------------------------ */

struct sink {
    struct scratch *scratch;
    char *out;
    size_t n;
    unsigned radix;
};

#define BINARY_TEXT_ROOM 2400 /* digits of a double in radix 2 */

static size_t text_room(val v, unsigned radix)
{
    switch (number_kind(v)) {
    case NUMBER_FLONUM:
        return radix == 10 ? DOUBLE_TEXT_ROOM : BINARY_TEXT_ROOM;
    case NUMBER_RATIO:
    case NUMBER_COMPLEX:
        return text_room(object_field(v, 0), radix) + text_room(object_field(v, 1), radix) + 4;
    default:
        return nat_text_room(num_weight(v) / sizeof(limb), radix) + 1;
    }
}

static val write_integer(struct sink *s, val v)
{
    struct integer x;
    size_t n;
    integer_view(&x, v);
    if (x.negative)
        s->out[s->n++] = '-';
    TRY(nat_to_text(s->scratch, s->out + s->n, &n, x.limbs, x.n, s->radix));
    s->n += n;
    return TRUE;
}

#define DOUBLE_LIMBS 18

/* The digits after the point of m / 2^bits, which is below one. */
static void write_fraction(struct sink *s, const limb *m, size_t bits)
{
    limb r[DOUBLE_LIMBS];
    size_t n = bits / LIMB_BITS + 1;
    unsigned top = (unsigned)(bits % LIMB_BITS);
    memcpy(r, m, n * sizeof(limb));
    do {
        limb carry = nat_mul1(r, r, n, s->radix, 0);
        limb digit = r[n - 1] >> top;
        if (top && n > 0)
            digit |= carry << (LIMB_BITS - top);
        r[n - 1] &= ((limb)1 << top) - 1;
        s->out[s->n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[digit];
    } while (nat_trim(r, n) > 0);
}

/* Exactly, in a radix that two divides. */
static val write_binary(struct sink *s, double d)
{
    limb m[DOUBLE_LIMBS] = {0}, whole[DOUBLE_LIMBS] = {0};
    int e;
    size_t n;
    m[0] = double_split(d, &e);
    if (signbit(d))
        s->out[s->n++] = '-';
    if (e >= 0) {
        size_t low = (size_t)e / LIMB_BITS;
        whole[low + 1] = nat_shift_left(whole + low, m, 1, (unsigned)e % LIMB_BITS);
        m[0] = 0;
        e = 0;
    } else if (e > -(int)LIMB_BITS) {
        whole[0] = m[0] >> -e;
        m[0] &= ((limb)1 << -e) - 1;
    }
    TRY(nat_to_text(s->scratch, s->out + s->n, &n, whole, nat_trim(whole, DOUBLE_LIMBS), s->radix));
    s->n += n;
    s->out[s->n++] = '.';
    write_fraction(s, m, (size_t)-e);
    return TRUE;
}

static val write_flonum(struct sink *s, val v)
{
    double d = flonum_value(v);
    if (s->radix == 10 || !double_is_finite(d)) {
        s->n += double_to_text(s->out + s->n, d);
        return TRUE;
    }
    if (s->radix % 2 != 0)
        return raise_condition(s->scratch->heap, CONDITION_RANGE,
                               "an inexact number can be written in an even radix only", NIL);
    heap_work(s->scratch->heap, 20000);
    return write_binary(s, d);
}

static val write_real(struct sink *s, val v)
{
    if (is_flonum(v))
        return write_flonum(s, v);
    if (!is_type(v, T_RATIO))
        return write_integer(s, v);
    TRY(write_integer(s, object_field(v, 0)));
    s->out[s->n++] = '/';
    return write_integer(s, object_field(v, 1));
}

static val write_complex(struct sink *s, val v)
{
    val re = object_field(v, 0), im = object_field(v, 1);
    if (!is_eq(re, fixnum(0)))
        TRY(write_real(s, re));
    size_t at = s->n++; /* room for a plus */
    TRY(write_real(s, im));
    if (s->out[at + 1] == '+' || s->out[at + 1] == '-') {
        memmove(s->out + at, s->out + at + 1, s->n - at - 1);
        s->n--;
    } else {
        s->out[at] = '+';
    }
    if (is_eq(im, fixnum(1)) || is_eq(im, fixnum(-1)))
        s->n--; /* +i, -i */
    s->out[s->n++] = 'i';
    return TRUE;
}

static val text_by_scratch(struct scratch *s, val v, unsigned radix)
{
    size_t room = text_room(v, radix);
    TRY(nat_fits(s->heap, room / 2));
    struct sink sink = {s, scratch_bytes(s, room), 0, radix};
    if (!sink.out)
        return RETRY;
    if (is_type(v, T_COMPLEX))
        TRY(write_complex(&sink, v));
    else
        TRY(write_real(&sink, v));
    heap_work(s->heap, sink.n);
    return string_from_utf8(s->heap, sink.out, sink.n);
}

val num_to_text(struct heap *h, val v, unsigned radix)
{
    struct scratch s;
    scratch_open(&s, h);
    val text = text_by_scratch(&s, v, radix);
    scratch_close(&s);
    return text;
}
