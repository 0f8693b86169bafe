/* T8 the host: conditions that the host answers with, texts, and names. See host.h. */
#include "host.h"
#include "condition.h"
#include "front.h"
#include "string.h"
#include "symbol.h"
#include "table.h"

static const char *const kind_names[] = {
#define KIND(name, text) text,
    CONDITION_KINDS(KIND)
#undef KIND
};

enum { PARTS = 4 };

enum wire_status host_push_text_gc(struct wire *w, const char *text, size_t n, bool symbol)
{
    unsigned tries = 0;
    val v;
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    do
        v = symbol ? symbol_intern_utf8(w->heap, text, n) : string_from_utf8(w->heap, text, n);
    while (wire_again_gc(w, &tries, v));
    if (is_eq(v, RETRY))
        return WIRE_NO_MEMORY;
    w->heap->raised = FALSE;
    w->why = "invalid UTF-8";
    if (is_control(v))
        return WIRE_BAD;
    w->values[w->count++] = v;
    return WIRE_OK;
}

static enum condition_kind kind_of(val name)
{
    char text[32];
    size_t n = string_utf8_length(name);
    if (n >= sizeof text)
        return CONDITION_HOST;
    string_store_utf8(name, text);
    text[n] = 0;
    for (size_t k = 0; k < CONDITION_KIND_COUNT; k++)
        if (strcmp(text, kind_names[k]) == 0)
            return (enum condition_kind)k;
    return CONDITION_HOST;
}

static bool is_list(val v)
{
    while (is_pair(v))
        v = cdr(v);
    return is_eq(v, NIL);
}

/* values[start .. start+4) become a condition. */
static enum wire_status fold_condition_gc(struct wire *w, size_t start)
{
    unsigned tries = 0;
    val c;
    do
        c = heap_alloc(w->heap, T_CONDITION, 0, 0);
    while (wire_again_gc(w, &tries, c));
    if (is_control(c))
        return WIRE_NO_MEMORY;
    const val *part = w->values + start;
    val *f = object_fields(c);
    for (size_t i = CONDITION_WHO; i <= CONDITION_EXTRA; i++)
        f[i] = FALSE;
    f[CONDITION_KIND] = fixnum(kind_of(part[0]));
    f[CONDITION_MESSAGE] = part[1];
    f[CONDITION_IRRITANTS] = part[2];
    f[CONDITION_EXTRA] = part[3];
    w->values[start] = c;
    w->count = start + 1;
    return WIRE_OK;
}

enum wire_status host_unpack_condition_gc(struct wire *w, const uint8_t *bytes, size_t n)
{
    size_t start = w->count;
    size_t items;
    enum wire_status s = wire_unpack_items_gc(w, bytes, n, &items);
    if (s != WIRE_OK)
        return s;
    if (items != PARTS || !is_string(w->values[start]) || !is_string(w->values[start + 1]) ||
        !is_list(w->values[start + 2])) {
        w->count = start;
        w->why = "a condition is an array of kind, message, irritants and extra";
        return WIRE_BAD;
    }
    return fold_condition_gc(w, start);
}

enum wire_status host_push_conversion_gc(struct wire *w, const char *why)
{
    unsigned tries = 0;
    val v;
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    do
        v = raise_condition(w->heap, CONDITION_CONVERSION, why, NIL);
    while (wire_again_gc(w, &tries, v));
    if (is_eq(v, RETRY))
        return WIRE_NO_MEMORY;
    w->values[w->count++] = w->heap->raised;
    w->heap->raised = FALSE;
    return WIRE_OK;
}

/* -- names ------------------------------------------------------------------- */

static bool begins_with(val name, const char *prefix, size_t n)
{
    size_t at = 0;
    size_t length = string_length(name);
    for (size_t i = 0; at < n; i++) {
        char utf8[UTF8_MAX];
        if (i == length)
            return false;
        size_t bytes = utf8_encode(string_ref(name, i), utf8);
        if (memcmp(prefix + at, utf8, size_min(bytes, n - at)) != 0)
            return false;
        at += bytes;
    }
    return true;
}

struct names {
    size_t level; /* how many parents up */
    size_t cursor;
};

static val environment_at(val environment, size_t level)
{
    while (level-- > 0 && is_type(environment, T_ENVIRONMENT))
        environment = object_field(environment, ENVIRONMENT_PARENT);
    return environment;
}

/* Is the symbol bound below this level too? Symbols do not move. */
static bool is_shadowed(struct heap *h, val environment, size_t level, val symbol)
{
    for (size_t i = 0; i < level; i++) {
        val table = object_field(environment_at(environment, i), ENVIRONMENT_TABLE);
        val found = table_get(h, table, symbol, HOLE);
        if (!is_control(found) && !is_eq(found, HOLE))
            return true;
    }
    return false;
}

/* The next name that begins so, as symbol, or FALSE. */
static val next_name(struct heap *h, val environment, struct names *at, const char *prefix,
                     size_t n)
{
    for (;; at->level++, at->cursor = 0) {
        val e = environment_at(environment, at->level);
        val key, value;
        if (!is_type(e, T_ENVIRONMENT))
            return FALSE;
        while (table_next(object_field(e, ENVIRONMENT_TABLE), &at->cursor, &key, &value))
            if (is_symbol(key) && begins_with(symbol_name(key), prefix, n) &&
                !is_shadowed(h, environment, at->level, key))
                return key;
    }
}

enum wire_status host_pack_names_gc(struct wire *w, const val *environment, const char *prefix,
                                    size_t n)
{
    struct names at = {0, 0};
    size_t count = 0;
    while (is_true(next_name(w->heap, *environment, &at, prefix, n)))
        count++;
    enum wire_status s = wire_pack_array_gc(w, count);
    at = (struct names){0, 0};
    for (size_t i = 0; s == WIRE_OK && i < count; i++) {
        val name = next_name(w->heap, *environment, &at, prefix, n);
        s = wire_pack_gc(w, symbol_name(name));
    }
    return s;
}
