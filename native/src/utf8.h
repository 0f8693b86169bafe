/* T1 utf8: code points to UTF-8 bytes and back.
 *
 * Strict: no overlong forms, no surrogates, nothing above U+10FFFF. Knows
 * nothing of values. All functions are total on any bytes. */
#ifndef CB_UTF8_H
#define CB_UTF8_H

#include "base.h"

#define UTF8_MAX 4u
#define CODE_POINT_MAX UINT32_C(0x10FFFF)

static inline bool is_scalar_value(uint32_t c)
{
    return c < 0xD800 || (c > 0xDFFF && c <= CODE_POINT_MAX);
}

/* Bytes that `c`, a scalar value, takes. */
static inline size_t utf8_size(uint32_t c)
{
    return 1 + (size_t)(c > 0x7F) + (size_t)(c > 0x7FF) + (size_t)(c > 0xFFFF);
}

/* Where the ASCII character `c` stands in `set`; NULL for others. */
static inline const char *ascii_find(const char *set, uint32_t c)
{
    return c < 0x80 ? memchr(set, (int)c, strlen(set)) : NULL;
}

/* Store `c`, a scalar value; answers the number of bytes. */
size_t utf8_encode(uint32_t c, char *out);

/* Decode one character of [p, p + n); answers its bytes, 0 where it is none. */
size_t utf8_decode(const uint8_t *p, size_t n, uint32_t *c);

/* Look through n bytes. True: valid; *chars and *widest (the largest code point,
 * 0 for an empty text) are set. False: *bad is the offset of the first fault. */
MUST_USE bool utf8_scan(const uint8_t *p, size_t n, size_t *chars, uint32_t *widest, size_t *bad);

#endif
