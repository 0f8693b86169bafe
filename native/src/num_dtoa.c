/* T4 numbers: doubles to decimal text and back.
 *
 * Printing finds the shortest decimal in the rounding interval, and of those
 * the closest, with three products by a 128-bit power of ten rounded to odd
 * (Giulietti, "The Schubfach way to render doubles"). Reading multiplies up to
 * 19 digits by the same table and tells whether the product's bits settle the
 * rounding (Lemire, "Number parsing at a gigabyte per second"); if not, the
 * caller falls back on exact arithmetic. Knows no values and no heap. */
#include "num_tower.h"

struct power {
    uint64_t high, low;
};

#include "num_powers.inc"

/* floor(log2(10^e)), floor(log10(2^e)), floor(log10(3/4 2^e)) for |e| < 1200 */
static int log2_of_power(int e)
{
    return (e * 1741647) >> 19;
}

static int log10_of_binary(int e)
{
    return (e * 1262611) >> 22;
}

static int log10_of_shorter(int e)
{
    return (e * 1262611 - 524031) >> 22;
}

/* -- shortest decimal ------------------------------------------------------------------ */

struct decimal {
    uint64_t digits;
    int exponent;
};

/* floor(g * c / 2^128), the last bit set where bits were lost. */
static uint64_t round_to_odd(struct power g, uint64_t c)
{
    limb2 x = (limb2)g.low * c;
    limb2 y = (limb2)g.high * c + (uint64_t)(x >> 64);
    return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

static struct decimal closest(uint64_t lower, uint64_t v, uint64_t upper, int k)
{
    uint64_t s = v / 4;
    if (s >= 10) {
        uint64_t t = s / 10;
        bool below = lower <= 40 * t, above = 40 * t + 40 <= upper;
        if (below != above)
            return (struct decimal){t + above, k + 1};
    }
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above)
        return (struct decimal){s + above, k};
    uint64_t middle = 4 * s + 2;
    bool up = v > middle || (v == middle && (s & 1));
    return (struct decimal){s + up, k};
}

/* bits: of a finite double above zero. */
static struct decimal shortest(uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52);
    uint64_t c = fraction;
    int q = 1 - 1075;
    if (biased > 0) {
        c |= UINT64_C(1) << 52;
        q = biased - 1075;
        if (q <= 0 && q > -53 && (c & ((UINT64_C(1) << -q) - 1)) == 0)
            return (struct decimal){c >> -q, 0};
    }
    bool closer = fraction == 0 && biased > 1; /* the lower neighbour is nearer */
    int k = closer ? log10_of_shorter(q) : log10_of_binary(q);
    int h = q + log2_of_power(-k) + 1;
    struct power g = powers[-k - POWER_LOW];
    bool odd = c & 1;
    uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << h);
    uint64_t v = round_to_odd(g, (4 * c) << h);
    uint64_t upper = round_to_odd(g, (4 * c + 2) << h);
    return closest(lower + odd, v, upper - odd, k);
}

static unsigned write_digits(char *out, uint64_t x)
{
    char buffer[20];
    unsigned n = 0;
    do {
        buffer[sizeof buffer - ++n] = (char)('0' + x % 10);
        x /= 10;
    } while (x > 0);
    memcpy(out, buffer + sizeof buffer - n, n);
    return n;
}

/* 0.ddd * 10^point: with a point, no exponent. */
static size_t write_plain(char *out, const char *digits, int n, int point)
{
    size_t at = 0;
    if (point <= 0) {
        out[at++] = '0';
        out[at++] = '.';
        memset(out + at, '0', (size_t)-point);
        at += (size_t)-point;
        memcpy(out + at, digits, (size_t)n);
        return at + (size_t)n;
    }
    for (int i = 0; i < point; i++)
        out[at++] = i < n ? digits[i] : '0';
    out[at++] = '.';
    if (n <= point)
        out[at++] = '0';
    for (int i = point; i < n; i++)
        out[at++] = digits[i];
    return at;
}

static size_t write_exponent(char *out, const char *digits, int n, int exponent)
{
    size_t at = 0;
    out[at++] = digits[0];
    if (n > 1)
        out[at++] = '.';
    memcpy(out + at, digits + 1, (size_t)(n - 1));
    at += (size_t)(n - 1);
    out[at++] = 'e';
    if (exponent < 0) {
        out[at++] = '-';
        exponent = -exponent;
    }
    return at + write_digits(out + at, (uint64_t)exponent);
}

static size_t write_special(char *out, double d)
{
    memcpy(out, double_is_nan(d) ? "+nan.0" : d > 0 ? "+inf.0" : "-inf.0", 6);
    return 6;
}

size_t double_to_text(char *out, double d)
{
    if (!double_is_finite(d))
        return write_special(out, d);
    uint64_t bits = double_bits(d);
    size_t at = 0;
    if (bits >> 63)
        out[at++] = '-';
    bits &= UINT64_MAX >> 1;
    if (bits == 0) {
        memcpy(out + at, "0.0", 3);
        return at + 3;
    }
    struct decimal decimal = shortest(bits);
    char digits[20];
    int n = (int)write_digits(digits, decimal.digits);
    int point = n + decimal.exponent;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (point > -6 && point <= 21)
        return at + write_plain(out + at, digits, n, point);
    return at + write_exponent(out + at, digits, n, point - 1);
}

/* -- reading ------------------------------------------------------------------------------ */

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The 128 leading bits of w * 10^e, w with its top bit set; false: uncertain. */
static bool multiply(uint64_t w, int e, uint64_t *high, uint64_t *low)
{
    bool exact = e >= 0 && e <= 55;
    struct power g = powers[e - POWER_LOW];
    if (!exact) { /* rounded down */
        g.high -= g.low == 0;
        g.low--;
    }
    limb2 product = (limb2)w * g.high;
    *high = (uint64_t)(product >> 64);
    *low = (uint64_t)product;
    if ((*high & 0x1ff) == 0x1ff) {
        uint64_t more = (uint64_t)((limb2)w * g.low >> 64);
        *low += more;
        *high += *low < more;
    }
    return exact || *low != UINT64_MAX;
}

static double assemble(uint64_t mantissa, int exponent)
{
    uint64_t bits = (mantissa & ((UINT64_C(1) << 52) - 1)) | (uint64_t)exponent << 52;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static bool from_table(uint64_t digits, int e, double *out)
{
    int lead = __builtin_clzll(digits);
    uint64_t high, low;
    if (!multiply(digits << lead, e, &high, &low))
        return false;
    int top = (int)(high >> 63);
    int shift = top + 64 - 52 - 3;
    uint64_t m = high >> shift; /* 54 bits: the last one rounds */
    int exponent = log2_of_power(e) + 63 + top - lead + 1023;
    if (exponent <= 0) {
        if (1 - exponent >= 64) {
            *out = 0.0;
            return true;
        }
        m >>= 1 - exponent;
        m = (m + (m & 1)) >> 1;
        *out = assemble(m, m >> 52 ? 1 : 0);
        return true;
    }
    if (low <= 1 && e >= -4 && e <= 23 && (m & 3) == 1 && m << shift == high)
        m &= ~UINT64_C(1); /* exactly half way: to even */
    m = (m + (m & 1)) >> 1;
    if (m >> 53) {
        m >>= 1;
        exponent++;
    }
    *out = exponent >= 0x7ff ? __builtin_inf() : assemble(m, exponent);
    return true;
}

bool double_from_decimal(uint64_t digits, int64_t exponent, double *out)
{
    if (digits == 0 || exponent < POWER_LOW) {
        *out = 0.0;
        return true;
    }
    if (exponent > 308) {
        *out = __builtin_inf();
        return true;
    }
    if (digits < UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22) {
        double d = (double)digits;
        *out = exponent < 0 ? d / exact_powers[-exponent] : d * exact_powers[exponent];
        return true;
    }
    return from_table(digits, (int)exponent, out);
}
