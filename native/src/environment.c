/* T5 environments: names of the heap and what they are bound to.
 *
 * An ENVIRONMENT has an eq table of its own and perhaps a parent. A binding value
 * is a slot (fixnum), a macro, a core form, or a pair: (slot . library) and
 * (#t . value) are immutable. Knows nothing of syntax. The core environment
 * starts with every primitive as a constant and every core form. */
#include "environment.h"
#include "expand.h"
#include "prim.h"
#include "string.h"
#include "symbol.h"
#include "table.h"

enum { CORE_PAYLOAD = 64, ENVIRONMENT_IMMUTABLE = 1, SEAL_LEAST = 32 };

val environment_new(struct heap *h, val parent, val owner)
{
    val table = TRY(table_new(h, TABLE_EQ));
    val e = TRY(heap_alloc(h, T_ENVIRONMENT, 0, 0));
    val *f = object_fields(e);
    f[ENVIRONMENT_TABLE] = table;
    f[ENVIRONMENT_PARENT] = parent;
    f[ENVIRONMENT_OWNER] = owner;
    f[ENVIRONMENT_NAME] = FALSE;
    object_raw(e)[0] = 0;
    return e;
}

bool environment_is_immutable(val environment)
{
    return (object_raw(environment)[0] & ENVIRONMENT_IMMUTABLE) != 0;
}

void environment_set_immutable(val environment)
{
    object_raw(environment)[0] |= ENVIRONMENT_IMMUTABLE;
}

val environment_lookup(struct heap *h, val environment, val name)
{
    while (is_type(environment, T_ENVIRONMENT)) {
        val found = TRY(table_get(h, object_field(environment, ENVIRONMENT_TABLE), name, HOLE));
        if (!is_eq(found, HOLE))
            return found;
        environment = object_field(environment, ENVIRONMENT_PARENT);
    }
    return HOLE;
}

val environment_put(struct heap *h, val environment, val name, val binding)
{
    TRY(table_put(h, object_field(environment, ENVIRONMENT_TABLE), name, binding));
    return TRUE;
}

val environment_define_slot(struct heap *h, val environment, val name)
{
    val table = object_field(environment, ENVIRONMENT_TABLE);
    val old = TRY(table_get(h, table, name, HOLE));
    if (is_fixnum(old))
        return old;
    TRY(table_reserve(h, table, table_count(table) + 1));
    val slot = TRY(heap_new_slot(h));
    TRY(table_put(h, table, name, slot));
    return slot;
}

static bool slot_value(struct heap *h, val slot, val *out)
{
    if (!is_index(slot, h->slot_count))
        return false;
    *out = h->slots[fixnum_value(slot)];
    return !is_eq(*out, UNBOUND) && !is_eq(*out, UNTOUCHED);
}

bool binding_value(struct heap *h, val binding, val *out)
{
    if (is_fixnum(binding))
        return slot_value(h, binding, out);
    if (!is_pair(binding))
        return false;
    if (is_fixnum(car(binding)))
        return slot_value(h, car(binding), out);
    *out = cdr(binding);
    return true;
}

val binding_of_core(unsigned core)
{
    return IMM_VALUE(IMM_CONST, CORE_PAYLOAD + core);
}

bool binding_is_core(val binding, unsigned *core)
{
    uint64_t payload = binding.bits >> 8;
    if ((binding.bits & 0xff) != (FALSE.bits & 0xff) || payload < CORE_PAYLOAD ||
        payload >= CORE_PAYLOAD + CORE_COUNT)
        return false;
    *core = (unsigned)(payload - CORE_PAYLOAD);
    return true;
}

/* -- the core environment ------------------------------------------------------- */
static val install_primitive(struct heap *h, val environment, size_t i)
{
    val name = TRY(symbol_intern_ascii(h, primitive_table[i].name));
    val p = TRY(heap_alloc_constant(h, T_PRIMITIVE, 0, 0));
    object_fields(p)[0] = name;
    object_raw(p)[0] = i;
    val binding = TRY(heap_cons_constant(h, TRUE, p));
    return environment_put(h, environment, name, binding);
}

static val install_forms(struct heap *h, val environment)
{
    for (unsigned i = 0; i < CORE_COUNT; i++) {
        val name = TRY(symbol_intern_ascii(h, core_name(i)));
        TRY(environment_put(h, environment, name, binding_of_core(i)));
    }
    return TRUE;
}

/* The program's own environment sees the core forms, and no primitive: those come
 * with the libraries it imports. */
val front_install_core(struct heap *h)
{
    val e = TRY(environment_new(h, FALSE, FALSE));
    TRY(table_reserve(h, object_field(e, ENVIRONMENT_TABLE), primitive_count + CORE_COUNT));
    for (size_t i = 0; i < primitive_count; i++)
        TRY(install_primitive(h, e, i));
    TRY(install_forms(h, e));
    val forms = TRY(environment_new(h, FALSE, FALSE));
    TRY(install_forms(h, forms));
    environment_set_immutable(forms);
    val top = TRY(environment_new(h, forms, FALSE));
    val libraries = TRY(table_new(h, TABLE_STRING));
    h->roots[ROOT_LIBRARIES] = libraries;
    h->roots[ROOT_CORE] = e;
    h->roots[ROOT_TOP] = top;
    return e;
}

/* -- for images -------------------------------------------------------------------- */
/* Does it belong to no program: imported, or a core form? */
static bool is_imported(val top, val key, val binding)
{
    unsigned core;
    if (!is_symbol(key))
        return false;
    if (is_type(binding, T_MACRO))
        return !is_eq(object_field(binding, MACRO_ENVIRONMENT), top);
    return is_pair(binding) || binding_is_core(binding, &core);
}

/* What the program imported moves behind its environment, where the contexts of an
 * image share it; what it defined stays, for that may be defined anew. */
val environment_seal(struct heap *h)
{
    val top = h->roots[ROOT_TOP], key, binding;
    size_t count = 0;
    if (!is_type(top, T_ENVIRONMENT))
        return TRUE;
    val own = object_field(top, ENVIRONMENT_TABLE);
    for (size_t i = 0; table_next(own, &i, &key, &binding);)
        count += is_imported(top, key, binding);
    if (count < SEAL_LEAST)
        return TRUE;
    val behind = TRY(environment_new(h, object_field(top, ENVIRONMENT_PARENT), FALSE));
    val imported = object_field(behind, ENVIRONMENT_TABLE);
    val defined = TRY(table_new(h, TABLE_EQ));
    TRY(table_reserve(h, imported, count));
    TRY(table_reserve(h, defined, table_count(own) - count));
    for (size_t i = 0; table_next(own, &i, &key, &binding);)
        TRY(table_put(h, is_imported(top, key, binding) ? imported : defined, key, binding));
    environment_set_immutable(behind);
    heap_store(h, top, &object_fields(top)[ENVIRONMENT_TABLE], defined);
    heap_store(h, top, &object_fields(top)[ENVIRONMENT_PARENT], behind);
    return TRUE;
}

/* -- names that come near --------------------------------------------------------- */
#define NAME_MAX 40

/* One row of the usual table, with transposition left out. */
size_t name_distance(const char *a, const char *b, size_t most)
{
    size_t row[NAME_MAX + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX || m > NAME_MAX || (n > m ? n - m : m - n) > most)
        return most + 1;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = size_min(change, size_min(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

/* A symbol's text if it is short ASCII; else false. */
static bool short_name(val symbol, char out[NAME_MAX + 1])
{
    if (!is_symbol(symbol))
        return false;
    val s = symbol_name(symbol);
    size_t n = string_length(s);
    if (n > NAME_MAX || n == 0 || string_width(s) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = string_ref(s, i);
        if (c > 126)
            return false;
        out[i] = (char)c;
    }
    out[n] = 0;
    return true;
}

static void nearest_in(struct heap *h, val environment, const char *name, char best[NAME_MAX + 1],
                       size_t *distance)
{
    val table = object_field(environment, ENVIRONMENT_TABLE);
    size_t i = 0;
    val key, binding, ignored;
    unsigned core;
    char text[NAME_MAX + 1];
    while (table_next(table, &i, &key, &binding)) {
        if (!short_name(key, text) || text[0] == '%')
            continue;
        size_t d = name_distance(name, text, *distance - 1);
        bool bound = binding_value(h, binding, &ignored) || is_type(binding, T_MACRO) ||
                     binding_is_core(binding, &core);
        if (d >= *distance || !bound)
            continue;
        *distance = d;
        memcpy(best, text, sizeof text);
    }
    heap_charge(h, table_count(table));
}

/* What other dialects call it. */
static const struct foreign_name {
    const char *name, *hint;
} foreign_names[] = {
    {"nil", "in R7RS Scheme: '() for the empty list, #f for false"},
    {"null", "in R7RS Scheme: '() is the empty list, null? tests for it"},
    {"t", "in R7RS Scheme: #t is true"},
    {"true", "in R7RS Scheme: #t, or #true"},
    {"false", "in R7RS Scheme: #f, or #false"},
    {"None", "in R7RS Scheme: #f, or '() for the empty list"},
    {"1+", "in R7RS Scheme: (+ n 1)"},
    {"-1+", "in R7RS Scheme: (- n 1)"},
    {"1-", "in R7RS Scheme: (- n 1)"},
    {"mapcar", "in R7RS Scheme: (map procedure list ...)"},
    {"funcall", "in R7RS Scheme: (procedure argument ...)"},
    {"print", "in R7RS Scheme: (display x) (newline), or (write x)"},
    {"printf", "in R7RS Scheme: (display x), (write x), (newline)"},
    {"atom", "in R7RS Scheme: (not (pair? x))"},
    {"rest", "in R7RS Scheme: (cdr list)"},
    {"len", "in R7RS Scheme: length, string-length, vector-length"},
    {"throw", "in R7RS Scheme: (raise object) or (error message irritant ...)"},
};

/* A library that exports this very name: "(import (srfi 1)) brings it". */
static val suggest_library(struct heap *h, val name)
{
    val key, library;
    size_t i = 0;
    char hint[96];
    while (library_next(h, &i, &key, &library)) {
        size_t n = string_utf8_length(key);
        if (n == 0 || n > 60 || string_ref(key, 0) == '!' ||
            is_eq(TRY(table_get(h, object_field(library, LIBRARY_EXPORTS), name, HOLE)), HOLE) ||
            !library_allowed(h, object_field(library, LIBRARY_NAME)))
            continue;
        memcpy(hint, "(import ", 8);
        string_store_utf8(key, hint + 8);
        memcpy(hint + 8 + n, ") brings it", 12);
        return string_from_utf8(h, hint, 8 + n + 11);
    }
    return FALSE;
}

/* "did you mean ...?" */
static val suggest_near(struct heap *h, val environment, const char *text)
{
    char best[NAME_MAX + 1], hint[NAME_MAX + 32];
    size_t length = strlen(text);
    size_t distance = length < 3 ? 2 : length < 7 ? 3 : 4;
    best[0] = 0;
    while (is_type(environment, T_ENVIRONMENT)) {
        nearest_in(h, environment, text, best, &distance);
        environment = object_field(environment, ENVIRONMENT_PARENT);
    }
    if (best[0] == 0)
        return FALSE;
    size_t n = strlen(best);
    memcpy(hint, "did you mean ", 13);
    memcpy(hint + 13, best, n);
    hint[13 + n] = '?';
    hint[14 + n] = 0;
    return string_from_ascii(h, hint);
}

val environment_suggest(struct heap *h, val environment, val name)
{
    char text[NAME_MAX + 1];
    val library = TRY(suggest_library(h, name));
    if (is_true(library) || !short_name(name, text))
        return library;
    for (size_t i = 0; i < ARRAY_LENGTH(foreign_names); i++) {
        if (strcmp(text, foreign_names[i].name) == 0)
            return string_from_ascii(h, foreign_names[i].hint);
    }
    return suggest_near(h, environment, text);
}
