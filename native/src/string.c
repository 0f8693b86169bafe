/* T3 strings: see string.h. The loops here work on (data, width) pairs; only the
 * makers know how objects look. The bytes of a storage are not traced, so they
 * are stored to directly; a new storage goes in through heap_store. */
#include "string.h"

#include "chars.h"

val afford_bytes(struct heap *h, size_t bytes)
{
    if (bytes > h->limit) {
        h->wanted = bytes;
        return RETRY;
    }
    if (is_control(heap_afford(h, bytes / 64))) {
        h->limit_reason = LIMIT_FUEL;
        return LIMIT;
    }
    heap_work(h, bytes);
    return TRUE;
}

void codes_copy(uint8_t *to, unsigned to_width, size_t at, const uint8_t *from, unsigned from_width,
                size_t start, size_t n)
{
    if (to_width == from_width) {
        if (n != 0)
            memmove(to + (at << to_width), from + (start << from_width), n << to_width);
        return;
    }
    for (size_t i = 0; i < n; i++)
        code_put(to, to_width, at + i, code_at(from, from_width, start + i));
}

uint32_t codes_widest(const uint8_t *data, unsigned width, size_t start, size_t end)
{
    uint32_t most = 0;
    for (size_t i = start; i < end; i++) {
        uint32_t c = code_at(data, width, i);
        most = c > most ? c : most;
    }
    return most;
}

/* -- making ------------------------------------------------------------------- */

uint8_t *string_storage(val s)
{
    return (uint8_t *)(object_words(object_field(s, 0)) + 1);
}

val string_new(struct heap *h, size_t length, unsigned width)
{
    size_t bytes = length << width;
    val storage = TRY(heap_alloc(h, T_STORAGE, bytes, 0));
    val s = TRY(heap_alloc(h, T_STRING, length, width << FLAG_WIDTH_SHIFT));
    memset(object_words(storage) + 1, 0, bytes);
    object_fields(s)[0] = storage;
    return s;
}

static val constant_new(struct heap *h, size_t length, unsigned width)
{
    return heap_alloc_constant(h, T_ISTRING, length << width,
                               FLAG_CONSTANT | width << FLAG_WIDTH_SHIFT);
}

/* Fill a string's characters from UTF-8 known to be valid. */
static void fill_utf8(uint8_t *out, unsigned width, const char *text, size_t bytes)
{
    if (width == 0 && bytes != 0 && utf8_size((uint8_t)text[0]) == 1)
        while (bytes != 0 && (uint8_t)*text < 0x80) {
            *out++ = (uint8_t)*text++;
            bytes--;
        }
    const uint8_t *p = (const uint8_t *)text;
    for (size_t i = 0; bytes != 0; i++) {
        uint32_t c = 0;
        size_t size = utf8_decode(p, bytes, &c);
        code_put(out, width, i, c);
        p += size;
        bytes -= size;
    }
}

static val raise_utf8(struct heap *h, size_t offset)
{
    return raise_format(h, CONDITION_CONVERSION, NIL, "invalid UTF-8 at byte %zu", offset);
}

val string_from_utf8(struct heap *h, const char *text, size_t bytes)
{
    size_t length = 0, bad = 0;
    uint32_t widest = 0;
    if (!utf8_scan((const uint8_t *)text, bytes, &length, &widest, &bad))
        return raise_utf8(h, bad);
    unsigned width = width_for(widest);
    val s = TRY(string_new(h, length, width));
    fill_utf8(string_storage(s), width, text, bytes);
    return s;
}

val string_from_ascii(struct heap *h, const char *text)
{
    size_t n = strlen(text);
    val s = TRY(string_new(h, n, 0));
    memcpy(string_storage(s), text, n);
    return s;
}

static uint32_t widest_of(const uint32_t *codes, size_t n)
{
    return codes_widest((const uint8_t *)codes, 2, 0, n);
}

val string_from_codes(struct heap *h, const uint32_t *codes, size_t n)
{
    unsigned width = width_for(widest_of(codes, n));
    val s = TRY(string_new(h, n, width));
    codes_copy(string_storage(s), width, 0, (const uint8_t *)codes, 2, 0, n);
    return s;
}

val string_constant_from_utf8(struct heap *h, const char *text, size_t bytes)
{
    size_t length = 0, bad = 0;
    uint32_t widest = 0;
    if (!utf8_scan((const uint8_t *)text, bytes, &length, &widest, &bad))
        return raise_utf8(h, bad);
    unsigned width = width_for(widest);
    val s = TRY(constant_new(h, length, width));
    fill_utf8(object_bytes(s), width, text, bytes);
    return s;
}

val string_constant_from_codes(struct heap *h, const uint32_t *codes, size_t n)
{
    unsigned width = width_for(widest_of(codes, n));
    val s = TRY(constant_new(h, n, width));
    codes_copy(object_bytes(s), width, 0, (const uint8_t *)codes, 2, 0, n);
    return s;
}

val string_to_constant(struct heap *h, val s)
{
    if (object_type(s) == T_ISTRING && object_flag(s, FLAG_CONSTANT))
        return s;
    size_t n = string_length(s);
    unsigned from = string_width(s);
    unsigned width = width_for(codes_widest(string_data(s), from, 0, n));
    val out = TRY(constant_new(h, n, width));
    codes_copy(object_bytes(out), width, 0, string_data(s), from, 0, n);
    return out;
}

val substring(struct heap *h, val s, size_t start, size_t end)
{
    unsigned from = string_width(s), width = 0;
    if (from != 0)
        width = width_for(codes_widest(string_data(s), from, start, end));
    val out = TRY(string_new(h, end - start, width));
    codes_copy(string_storage(out), width, 0, string_data(s), from, start, end - start);
    return out;
}

val string_widen(struct heap *h, val s, unsigned width)
{
    unsigned old = string_width(s);
    if (old >= width)
        return TRUE;
    size_t n = string_length(s);
    val storage = TRY(heap_alloc(h, T_STORAGE, n << width, 0));
    codes_copy((uint8_t *)(object_words(storage) + 1), width, 0, string_data(s), old, 0, n);
    heap_store(h, s, object_fields(s), storage);
    uint64_t header = object_header(s) & ~(uint64_t)FLAG_WIDTH_MASK;
    *object_words(s) = header | (uint64_t)width << FLAG_WIDTH_SHIFT;
    return TRUE;
}

val string_set(struct heap *h, val s, size_t i, uint32_t c)
{
    unsigned width = width_for(c);
    if (width > string_width(s)) {
        heap_work(h, string_length(s) << width);
        TRY(string_widen(h, s, width));
    }
    code_put(string_storage(s), string_width(s), i, c);
    return TRUE;
}

/* -- UTF-8 ---------------------------------------------------------------------- */

size_t string_utf8_length_of(val s, size_t start, size_t end)
{
    const uint8_t *data = string_data(s);
    unsigned width = string_width(s);
    size_t bytes = 0;
    for (size_t i = start; i < end; i++)
        bytes += utf8_size(code_at(data, width, i));
    return bytes;
}

void string_store_utf8_of(val s, size_t start, size_t end, char *out)
{
    const uint8_t *data = string_data(s);
    unsigned width = string_width(s);
    for (size_t i = start; i < end; i++)
        out += utf8_encode(code_at(data, width, i), out);
}

size_t string_utf8_length(val s)
{
    return string_utf8_length_of(s, 0, string_length(s));
}

void string_store_utf8(val s, char *out)
{
    string_store_utf8_of(s, 0, string_length(s), out);
}

/* -- comparing -------------------------------------------------------------------- */

bool string_equal(val a, val b)
{
    size_t n = string_length(a);
    if (n != string_length(b))
        return false;
    if (string_width(a) == string_width(b))
        return memcmp(string_data(a), string_data(b), n << string_width(a)) == 0;
    return string_compare(a, b) == 0;
}

int string_compare(val a, val b)
{
    size_t n = string_length(a), m = string_length(b);
    const uint8_t *x = string_data(a), *y = string_data(b);
    unsigned v = string_width(a), w = string_width(b);
    for (size_t i = 0; i < n && i < m; i++) {
        uint32_t c = code_at(x, v, i), d = code_at(y, w, i);
        if (c != d)
            return c < d ? -1 : 1;
    }
    return (n > m) - (n < m);
}

/* The folded characters of a string one after another. */
struct folded {
    const uint8_t *data;
    unsigned width;
    size_t at, end;
    uint32_t codes[CHAR_EXPANSION];
    size_t count, next;
};

static struct folded folded_begin(val s)
{
    return (struct folded){
        .data = string_data(s), .width = string_width(s), .end = string_length(s)};
}

/* The next folded character plus one; 0 at the end. */
static uint32_t folded_next(struct folded *f)
{
    if (f->next == f->count) {
        if (f->at == f->end)
            return 0;
        f->count = char_full_foldcase(code_at(f->data, f->width, f->at++), f->codes);
        f->next = 0;
    }
    return f->codes[f->next++] + 1;
}

int string_compare_ci(val a, val b)
{
    struct folded x = folded_begin(a), y = folded_begin(b);
    for (;;) {
        uint32_t c = folded_next(&x), d = folded_next(&y);
        if (c != d)
            return c < d ? -1 : 1;
        if (c == 0)
            return 0;
    }
}

/* Multiply and mix per character; the end mixes the high bits down. */
uint64_t codes_hash(const uint8_t *data, unsigned width, size_t n)
{
    uint64_t x = UINT64_C(0x9E3779B97F4A7C15) ^ n;
    for (size_t i = 0; i < n; i++) {
        x = (x ^ code_at(data, width, i)) * UINT64_C(0xD6E8FEB86659FD93);
        x ^= x >> 32;
    }
    return x * UINT64_C(0x9E3779B97F4A7C15);
}

uint64_t string_hash(val s)
{
    return codes_hash(string_data(s), string_width(s), string_length(s));
}
