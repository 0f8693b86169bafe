/* T1 utf8: see utf8.h. The decoder checks the second byte against bounds that
 * depend on the first (Unicode, table 3-7); so overlong forms, surrogates and
 * too large code points fail at their second byte. */
#include "utf8.h"

size_t utf8_encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | (c >> 6));
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | (c >> 12));
        out[1] = (char)(0x80 | ((c >> 6) & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (c >> 18));
    out[1] = (char)(0x80 | ((c >> 12) & 0x3F));
    out[2] = (char)(0x80 | ((c >> 6) & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Length by the first byte and the bounds of the second; 0: no first byte. */
static size_t lead(uint8_t b, uint8_t *low, uint8_t *high)
{
    *low = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
    *high = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
    if (b < 0xC2 || b > 0xF4)
        return 0;
    return b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
}

size_t utf8_decode(const uint8_t *p, size_t n, uint32_t *c)
{
    if (n == 0)
        return 0;
    if (p[0] < 0x80) {
        *c = p[0];
        return 1;
    }
    uint8_t low, high;
    size_t size = lead(p[0], &low, &high);
    if (size == 0 || size > n || p[1] < low || p[1] > high)
        return 0;
    uint32_t code = p[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        code = (code << 6) | (p[i] & 0x3Fu);
    }
    *c = code;
    return size;
}

bool utf8_scan(const uint8_t *p, size_t n, size_t *chars, uint32_t *widest, size_t *bad)
{
    size_t count = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < n; count++) {
        uint32_t c = 0;
        size_t size = utf8_decode(p + i, n - i, &c);
        if (size == 0) {
            *bad = i;
            return false;
        }
        most = c > most ? c : most;
        i += size;
    }
    *chars = count;
    *widest = most;
    return true;
}
