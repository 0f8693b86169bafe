/* T3 symbols: see symbol.h. Tables are at most 3/4 full, so a search always ends
 * at a free entry. Growing allocates the new vector first, and the name and the
 * symbol are made before anything is entered; so RETRY leaves all as it was. */
#include "symbol.h"

#define FIRST_CAPACITY 64u

/* A key: characters of any width and their hash. */
struct key {
    const uint8_t *data;
    unsigned width;
    size_t length;
    uint64_t hash;
};

static struct key key_of(const uint8_t *data, unsigned width, size_t length)
{
    return (struct key){data, width, length, codes_hash(data, width, length)};
}

static size_t capacity(val table)
{
    return object_length(table) - SYMBOLS_FIRST;
}

static bool matches(val symbol, const struct key *key)
{
    val name = symbol_name(symbol);
    if (symbol_hash(symbol) != key->hash || string_length(name) != key->length)
        return false;
    const uint8_t *data = string_data(name);
    unsigned width = string_width(name);
    for (size_t i = 0; i < key->length; i++)
        if (code_at(data, width, i) != code_at(key->data, key->width, i))
            return false;
    return true;
}

/* The symbol in this one table, or HOLE. */
static val find_in(val table, const struct key *key)
{
    size_t mask = capacity(table) - 1;
    for (size_t i = (size_t)(key->hash >> 20) & mask;; i = (i + 1) & mask) {
        val entry = object_field(table, SYMBOLS_FIRST + i);
        if (is_eq(entry, FALSE))
            return HOLE;
        if (!is_eq(entry, HOLE) && matches(entry, key))
            return entry;
    }
}

static val find(const struct heap *h, const struct key *key)
{
    for (val t = h->roots[ROOT_SYMBOLS]; is_vector(t); t = object_field(t, SYMBOLS_BASE)) {
        val found = find_in(t, key);
        if (!is_eq(found, HOLE))
            return found;
    }
    return HOLE;
}

/* Enter a symbol that is in no table; there is room. */
static void enter(struct heap *h, val table, val symbol)
{
    size_t mask = capacity(table) - 1;
    size_t i = (size_t)(symbol_hash(symbol) >> 20) & mask;
    while (!is_eq(object_field(table, SYMBOLS_FIRST + i), FALSE))
        i = (i + 1) & mask;
    heap_store(h, table, &object_fields(table)[SYMBOLS_FIRST + i], symbol);
    int64_t count = fixnum_value(object_field(table, SYMBOLS_COUNT));
    object_fields(table)[SYMBOLS_COUNT] = fixnum(count + 1);
}

static val table_make(struct heap *h, val base, size_t size)
{
    val table = TRY(heap_alloc(h, T_VECTOR, SYMBOLS_FIRST + size, 0));
    val *fields = object_fields(table);
    fields[SYMBOLS_BASE] = base;
    fields[SYMBOLS_COUNT] = fixnum(0);
    for (size_t i = 0; i < size; i++)
        fields[SYMBOLS_FIRST + i] = FALSE;
    return table;
}

static size_t live_entries(val table)
{
    size_t n = 0;
    for (size_t i = 0; i < capacity(table); i++)
        n += is_symbol(object_field(table, SYMBOLS_FIRST + i));
    return n;
}

/* A table with room for one more: the own one, a larger one, or a first one. */
static val table_with_room(struct heap *h)
{
    val old = h->roots[ROOT_SYMBOLS];
    if (!is_vector(old))
        return table_make(h, FALSE, FIRST_CAPACITY);
    if (!heap_is_mutable(h, old))
        return table_make(h, old, FIRST_CAPACITY);
    size_t size = capacity(old);
    size_t count = (size_t)fixnum_value(object_field(old, SYMBOLS_COUNT));
    if ((count + 1) * 4 <= size * 3)
        return old;
    size_t live = live_entries(old);
    val table =
        TRY(table_make(h, object_field(old, SYMBOLS_BASE), live * 2 > size ? size * 2 : size));
    heap_work(h, size * 8);
    for (size_t i = 0; i < size; i++)
        if (is_symbol(object_field(old, SYMBOLS_FIRST + i)))
            enter(h, table, object_field(old, SYMBOLS_FIRST + i));
    return table;
}

static val symbol_make(struct heap *h, val name, uint64_t hash, unsigned flags)
{
    val symbol = TRY(heap_alloc_constant(h, T_SYMBOL, 0, FLAG_CONSTANT | flags));
    object_fields(symbol)[0] = name;
    object_raw(symbol)[0] = hash;
    return symbol;
}

static val add(struct heap *h, val name, uint64_t hash)
{
    val table = TRY(table_with_room(h));
    val symbol = TRY(symbol_make(h, name, hash, 0));
    enter(h, table, symbol);
    h->roots[ROOT_SYMBOLS] = table;
    return symbol;
}

val symbol_intern(struct heap *h, val string)
{
    struct key key = key_of(string_data(string), string_width(string), string_length(string));
    heap_work(h, key.length);
    val found = find(h, &key);
    if (!is_eq(found, HOLE))
        return found;
    return add(h, TRY(string_to_constant(h, string)), key.hash);
}

val symbol_intern_codes(struct heap *h, const uint32_t *codes, size_t n)
{
    struct key key = key_of((const uint8_t *)codes, 2, n);
    val found = find(h, &key);
    if (!is_eq(found, HOLE))
        return found;
    return add(h, TRY(string_constant_from_codes(h, codes, n)), key.hash);
}

val symbol_intern_ascii(struct heap *h, const char *text)
{
    return symbol_intern_utf8(h, text, strlen(text));
}

static bool is_ascii(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((uint8_t)text[i] >= 0x80)
            return false;
    return true;
}

val symbol_intern_utf8(struct heap *h, const char *text, size_t bytes)
{
    if (is_ascii(text, bytes)) {
        struct key key = key_of((const uint8_t *)text, 0, bytes);
        val found = find(h, &key);
        if (!is_eq(found, HOLE))
            return found;
        return add(h, TRY(string_constant_from_utf8(h, text, bytes)), key.hash);
    }
    return symbol_intern(h, TRY(string_from_utf8(h, text, bytes)));
}

/* The same hash and comparison as above, straight from UTF-8. */
static bool utf8_matches(val symbol, const char *text, size_t bytes)
{
    val name = symbol_name(symbol);
    const uint8_t *p = (const uint8_t *)text;
    size_t n = string_length(name);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = 0;
        size_t size = utf8_decode(p, bytes, &c);
        if (size == 0 || c != string_ref(name, i))
            return false;
        p += size;
        bytes -= size;
    }
    return bytes == 0;
}

val symbol_find_utf8(struct heap *h, const char *text, size_t bytes)
{
    for (val t = h->roots[ROOT_SYMBOLS]; is_vector(t); t = object_field(t, SYMBOLS_BASE)) {
        if (is_ascii(text, bytes)) {
            struct key key = key_of((const uint8_t *)text, 0, bytes);
            val found = find_in(t, &key);
            if (!is_eq(found, HOLE))
                return found;
            continue;
        }
        for (size_t i = 0; i < capacity(t); i++) {
            val entry = object_field(t, SYMBOLS_FIRST + i);
            if (is_symbol(entry) && utf8_matches(entry, text, bytes))
                return entry;
        }
    }
    return HOLE;
}

val symbol_uninterned(struct heap *h, val string)
{
    val name = TRY(string_to_constant(h, string));
    val symbol = TRY(symbol_make(h, name, 0, FLAG_A));
    object_raw(symbol)[0] = string_hash(name) + ++h->serial * UINT64_C(0x9E3779B97F4A7C15);
    return symbol;
}

void symbols_prune(struct heap *h, bool (*alive)(void *context, val symbol), void *context)
{
    val table = h->roots[ROOT_SYMBOLS];
    if (!is_vector(table) || !heap_is_mutable(h, table))
        return;
    for (size_t i = 0; i < capacity(table); i++) {
        val *slot = &object_fields(table)[SYMBOLS_FIRST + i];
        if (is_symbol(*slot) && !alive(context, *slot))
            *slot = HOLE;
    }
}
