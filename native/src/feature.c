/* T5 cond-expand and include: what depends on the world outside the text.
 *
 * What a form lacks (a file, whether a library can be had) is asked for with
 * NEED; the answers come back through the unit (%unit-supply!). */
#include "expand.h"
#include "string.h"
#include "symbol.h"
#include "unit.h"

#define REQUIREMENT_DEPTH ((size_t)24)
#define SRFI_DIGITS ((size_t)6)

static const char *const features[] = {
    "r7rs",   "exact-closed", "exact-complex", "ieee-float",       "full-unicode",
    "ratios", "chibi-bridge", "chibi_bridge",  "chibi-bridge-1.0",
};

val feature_list(struct heap *h)
{
    val list = NIL;
    for (size_t i = ARRAY_LENGTH(features); i-- > 0;) {
        val name = TRY(symbol_intern_ascii(h, features[i]));
        list = TRY(cons(h, name, list));
    }
    heap_charge(h, ARRAY_LENGTH(features) / 4);
    return list;
}

static bool has_feature(val name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(features); i++) {
        if (symbol_is(name, features[i]))
            return true;
    }
    return false;
}

/* -- what a unit was supplied with ------------------------------------------------ */
static bool same_key(val a, val b)
{
    while (is_pair(a) && is_pair(b)) {
        if (!is_eq(car(a), car(b)))
            return false;
        a = cdr(a);
        b = cdr(b);
    }
    return is_string(a) && is_string(b) ? string_equal(a, b) : is_eq(a, b);
}

val unit_supplied(struct expander *x, val key)
{
    if (!is_type(x->unit, T_UNIT))
        return HOLE;
    val p = object_field(x->unit, UNIT_SUPPLIED);
    for (; is_pair(p); p = cdr(p)) {
        if (same_key(car(car(p)), key))
            return cdr(car(p));
    }
    return HOLE;
}

static val need(struct expander *x, const char *kind, size_t n, const val *parts)
{
    val name = TRY(symbol_intern_ascii(x->h, kind));
    val v = TRY(heap_alloc(x->h, T_VECTOR, n + 1, 0));
    object_fields(v)[0] = name;
    memcpy(object_fields(v) + 1, parts, n * sizeof *parts);
    x->need = v;
    return NEED;
}

val need_library(struct expander *x, struct syntax *form, val name)
{
    if (is_eq(unit_supplied(x, name), FALSE))
        return FAIL(x, form, NULL, "no library %s", syntax_text(x, form));
    return need(x, "library", 1, &name);
}

/* -- cond-expand ---------------------------------------------------------------------- */
static val available(struct expander *x, val name)
{
    if (!x->trusted && !is_true(TRY(library_permitted(x->h, name))))
        return FALSE;
    val found = TRY(library_find(x->h, name));
    if (is_true(found))
        return TRUE;
    val supplied = unit_supplied(x, name);
    return is_eq(supplied, HOLE) ? need(x, "available", 1, &name) : val_bool(is_true(supplied));
}

static val library_available(struct expander *x, struct syntax *form)
{
    if (syntax_length(x, form) != 2)
        return FAIL(x, form, "(library (scheme base))", "malformed requirement: %s",
                    syntax_text(x, form));
    val name = TRY(syntax_datum(x, form->pair.cdr->pair.car, false));
    val key = TRY(library_key(x->h, name));
    if (!is_true(key))
        return FAIL(x, form, "(library (scheme base))", "not a library name: %s",
                    syntax_text(x, form));
    return available(x, name);
}

/* The N of a feature srfi-N, in decimal without leading zeros; -1 for others. */
static intptr_t srfi_number(val feature)
{
    static const char prefix[] = "srfi-";
    size_t m = sizeof prefix - 1;
    val text = symbol_name(feature);
    size_t n = string_length(text);
    if (n <= m || n > m + SRFI_DIGITS || (n > m + 1 && string_ref(text, m) == '0'))
        return -1;
    intptr_t number = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = string_ref(text, i);
        if (i < m ? c != (unsigned char)prefix[i] : c < '0' || c > '9')
            return -1;
        if (i >= m)
            number = number * 10 + (intptr_t)(c - '0');
    }
    return number;
}

/* SRFI 0: srfi-N is a feature where (srfi N) is a library. */
static val feature_present(struct expander *x, val feature)
{
    if (symbol_is(feature, "else") || has_feature(feature))
        return TRUE;
    intptr_t number = srfi_number(feature);
    if (number < 0)
        return FALSE;
    val srfi = TRY(symbol_intern_ascii(x->h, "srfi"));
    val name = TRY(cons(x->h, fixnum(number), NIL));
    return available(x, TRY(cons(x->h, srfi, name)));
}

static val feature_all(struct expander *x, struct syntax *list, size_t depth, bool all)
{
    for (; syntax_is_pair(x, list); list = list->pair.cdr) {
        val met = TRY(feature_met(x, list->pair.car, depth + 1));
        if (is_true(met) != all)
            return val_bool(!all);
    }
    return val_bool(all);
}

val feature_met(struct expander *x, struct syntax *r, size_t depth)
{
    if (depth > REQUIREMENT_DEPTH)
        return FAIL(x, r, NULL, "cond-expand requirements nested too deep");
    if (syntax_is_identifier(r))
        return feature_present(x, identifier_symbol(r));
    if (syntax_length(x, r) < 1 || !syntax_is_identifier(r->pair.car))
        return FAIL(x, r, "feature, (and ...), (or ...), (not r), (library name) or else",
                    "malformed requirement: %s", syntax_text(x, r));
    val head = identifier_symbol(r->pair.car);
    if (symbol_is(head, "and"))
        return feature_all(x, r->pair.cdr, depth, true);
    if (symbol_is(head, "or"))
        return feature_all(x, r->pair.cdr, depth, false);
    if (symbol_is(head, "library"))
        return library_available(x, r);
    if (!symbol_is(head, "not") || syntax_length(x, r) != 2)
        return FAIL(x, r, "feature, (and ...), (or ...), (not r), (library name) or else",
                    "unknown requirement: %s", syntax_text(x, r));
    val met = TRY(feature_met(x, r->pair.cdr->pair.car, depth + 1));
    return val_bool(!is_true(met));
}

val cond_expand_choose(struct expander *x, struct syntax *form, struct syntax **out)
{
    struct syntax *p = form->pair.cdr;
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        struct syntax *clause = p->pair.car;
        if (syntax_length(x, clause) < 1)
            return FAIL(x, clause, "(cond-expand (feature form ...) ... (else form ...))",
                        "malformed clause: %s", syntax_text(x, clause));
        if (is_true(TRY(feature_met(x, clause->pair.car, 0)))) {
            *out = clause->pair.cdr;
            return TRUE;
        }
    }
    *out = syntax_new(x, SYN_NIL, form);
    return TRUE;
}

/* -- include ------------------------------------------------------------------------------ */
/* The text is read as if it began with #!fold-case. */
static val folded_text(struct expander *x, val text)
{
    static const char mark[] = "#!fold-case ";
    size_t n = string_length(text), m = sizeof mark - 1;
    val s = TRY(string_new(x->h, n + m, string_width(text)));
    for (size_t i = 0; i < m; i++)
        TRY(string_set(x->h, s, i, (unsigned char)mark[i]));
    codes_copy(string_storage(s), string_width(text), m, string_data(text), string_width(text), 0,
               n);
    return s;
}

/* The name that positions have for an included file: beside that of its includer. */
static val included_name(struct expander *x, val path, val includer)
{
    size_t n = string_length(path), m = is_string(includer) ? string_length(includer) : 0;
    while (m > 0 && string_ref(includer, m - 1) != '/')
        m--;
    if (m == 0 || (n > 0 && string_ref(path, 0) == '/'))
        return string_to_constant(x->h, path);
    unsigned width = string_width(path), other = string_width(includer);
    width = width > other ? width : other;
    val s = TRY(string_new(x->h, m + n, width));
    codes_copy(string_storage(s), width, 0, string_data(includer), other, 0, m);
    codes_copy(string_storage(s), width, m, string_data(path), string_width(path), 0, n);
    return string_to_constant(x->h, s);
}

/* Put the forms of one file in front of `rest`. */
static val include_file(struct expander *x, struct syntax *name, bool fold, struct syntax ***end)
{
    struct syntax **forms;
    size_t count;
    val path = name->atom;
    val text = unit_supplied(x, path);
    if (is_eq(text, HOLE))
        return need(x, "include", 3, (val[]){path, val_bool(fold), name->at.file});
    if (!is_string(text))
        return FAIL(x, name, NULL, "cannot include %s: there is no such file, or it is not allowed",
                    string_text(x, path));
    val file = TRY(included_name(x, path, name->at.file));
    if (fold)
        text = TRY(folded_text(x, text));
    TRY(syntax_read(x->h, x->a, text, file, &forms, &count));
    for (size_t i = 0; i < count && !x->a->failed; i++) {
        **end = syntax_cons(x, forms[i], syntax_new(x, SYN_NIL, name));
        *end = &(**end)->pair.cdr;
    }
    return TRUE;
}

val include_forms(struct expander *x, struct syntax *form, bool fold, struct syntax **out)
{
    struct syntax **end = out, *p = form->pair.cdr;
    *out = syntax_new(x, SYN_NIL, form);
    if (!syntax_is_pair(x, p))
        return FAIL(x, form, "(include \"file\" ...)", "include without a file name");
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        struct syntax *name = p->pair.car;
        if (name->kind != SYN_ATOM || !is_string(name->atom))
            return FAIL(x, form, "(include \"file\" ...)", "malformed form: %s",
                        syntax_text(x, form));
        TRY(include_file(x, name, fold, &end));
    }
    return TRUE;
}
