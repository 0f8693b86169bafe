/* T3 strings: mutable ones with a storage of 1, 2 or 4 bytes a character, and
 * immutable inline ones.
 *
 * T_STRING: header length = characters, field 0 = T_STORAGE of exactly length <<
 * width bytes. T_ISTRING: header length = bytes, always constant. Widening
 * replaces the storage and keeps the string's identity. Equality, order and hash
 * do not depend on width. A pointer from string_data is good until the next
 * safepoint, or the next string_set on that string.
 *
 * This header shares its name with one of the C library, and with -I the
 * compiler finds it in place of that one. So it passes on to the library's
 * first (clang would warn of that), and is nothing else while base.h is read. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Winclude-next-absolute-path"
#include_next <string.h>
#pragma GCC diagnostic pop

#if !defined(CB_STRING_H) && !(defined(CB_BASE_H) && !defined(MUST_USE))
#define CB_STRING_H

#include "condition.h"
#include "heap.h"
#include "utf8.h"

/* More characters than this no string has (a range error, not an overflow). */
#define STRING_MAX ((size_t)1 << 44)

static inline unsigned string_width(val s)
{
    return (unsigned)(object_header(s) & FLAG_WIDTH_MASK) >> FLAG_WIDTH_SHIFT;
}

static inline size_t string_length(val s)
{
    return object_length(s) >> (object_type(s) == T_ISTRING ? string_width(s) : 0);
}

/* The characters, string_width(s) wide, for reading. */
static inline const uint8_t *string_data(val s)
{
    val body = object_type(s) == T_ISTRING ? s : object_field(s, 0);
    return (const uint8_t *)(object_words(body) + 1);
}

static inline uint32_t code_at(const uint8_t *data, unsigned width, size_t i)
{
    if (width == 0)
        return data[i];
    return width == 1 ? ((const uint16_t *)(const void *)data)[i]
                      : ((const uint32_t *)(const void *)data)[i];
}

static inline void code_put(uint8_t *data, unsigned width, size_t i, uint32_t c)
{
    if (width == 0)
        data[i] = (uint8_t)c;
    else if (width == 1)
        ((uint16_t *)(void *)data)[i] = (uint16_t)c;
    else
        ((uint32_t *)(void *)data)[i] = c;
}

/* Narrowest width for code points up to `widest`. */
static inline unsigned width_for(uint32_t widest)
{
    return widest < 0x100 ? 0 : widest < 0x10000 ? 1 : 2;
}

/* Index below string_length. */
static inline uint32_t string_ref(val s, size_t i)
{
    return code_at(string_data(s), string_width(s), i);
}

/* Copy n characters between any widths; `to` is wide enough. Not overlapping
 * unless the widths are equal (then as memmove). */
void codes_copy(uint8_t *to, unsigned to_width, size_t at, const uint8_t *from, unsigned from_width,
                size_t start, size_t n);
/* The largest code point among [start, end); 0 where there is none. */
uint32_t codes_widest(const uint8_t *data, unsigned width, size_t start, size_t end);

/* -- making: RETRY without room ----------------------------------------------- */
/* A mutable string of NULs. length <= STRING_MAX. */
MUST_USE val string_new(struct heap *h, size_t length, unsigned width);
/* For filling a string just made with string_new. */
uint8_t *string_storage(val s);
/* Mutable, narrowest. RAISE (conversion, with the offset) on invalid UTF-8. */
MUST_USE val string_from_utf8(struct heap *h, const char *text, size_t bytes);
MUST_USE val string_from_ascii(struct heap *h, const char *text);
MUST_USE val string_from_codes(struct heap *h, const uint32_t *codes, size_t n);
/* ISTRING, constant. */
MUST_USE val string_constant_from_utf8(struct heap *h, const char *text, size_t bytes);
MUST_USE val string_constant_from_codes(struct heap *h, const uint32_t *codes, size_t n);
/* The same text as a constant ISTRING (itself if it is one). */
MUST_USE val string_to_constant(struct heap *h, val s);
/* A new mutable string of [start, end). */
MUST_USE val substring(struct heap *h, val s, size_t start, size_t end);

/* Store character i of mutable string s; TRUE, or RETRY before anything changed. */
MUST_USE val string_set(struct heap *h, val s, size_t i, uint32_t c);
/* Make mutable string s at least `width` wide; TRUE, or RETRY. */
MUST_USE val string_widen(struct heap *h, val s, unsigned width);

/* -- UTF-8 ---------------------------------------------------------------------- */
size_t string_utf8_length(val s);
void string_store_utf8(val s, char *out);
/* Of the characters [start, end). */
size_t string_utf8_length_of(val s, size_t start, size_t end);
void string_store_utf8_of(val s, size_t start, size_t end, char *out);

/* -- comparing ------------------------------------------------------------------- */
bool string_equal(val a, val b);
/* By code points: negative, 0, positive. */
int string_compare(val a, val b);
/* After full case folding. */
int string_compare_ci(val a, val b);
uint64_t string_hash(val s);
uint64_t codes_hash(const uint8_t *data, unsigned width, size_t n);

/* -- fuel ------------------------------------------------------------------------- */
/* For a PURE primitive: charge for `bytes`, or LIMIT; RETRY at once where so many
 * bytes can never be had. */
MUST_USE val afford_bytes(struct heap *h, size_t bytes);

#endif
