/* T5 libraries: names, the registry, import sets, define-library.
 *
 * ROOT_LIBRARIES maps the written form of a name to its LIBRARY. A library whose
 * body has not run to its end stands there with a mark before its name, so a
 * failing body leaves no trace that anybody looks at. Loading the files of
 * libraries, and cycles, are the business of the Scheme side (boot/unit.scm). */
#include "expand.h"
#include "num.h"
#include "string.h"
#include "symbol.h"
#include "table.h"

#define NAME_BYTES 1024
#define PENDING '!'

/* -- names ------------------------------------------------------------------------ */
struct name_text {
    size_t length;
    char bytes[NAME_BYTES];
};

static bool name_put(struct name_text *t, const char *s, size_t n)
{
    if (n > NAME_BYTES - t->length)
        return false;
    memcpy(t->bytes + t->length, s, n);
    t->length += n;
    return true;
}

/* Symbols that would be read as something else are written between bars. */
static bool name_symbol(struct name_text *t, val symbol)
{
    val s = symbol_name(symbol);
    size_t n = string_utf8_length(s), start = t->length;
    bool plain = n > 0;
    if (string_length(s) > NAME_BYTES || n > NAME_BYTES - t->length)
        return false;
    string_store_utf8(s, t->bytes + start);
    for (size_t i = 0; i < n; i++) {
        char c = t->bytes[start + i];
        if (c == '|' || c == '\\')
            return false;
        plain = plain && (unsigned char)c > ' ' && !strchr("();\"'`,#", c);
    }
    plain = plain && !(t->bytes[start] >= '0' && t->bytes[start] <= '9');
    if (plain) {
        t->length += n;
        return true;
    }
    if (n + 2 > NAME_BYTES - start)
        return false;
    memmove(t->bytes + start + 1, t->bytes + start, n);
    t->bytes[start] = t->bytes[start + n + 1] = '|';
    t->length += n + 2;
    return true;
}

static bool name_part(struct name_text *t, val part)
{
    if (is_symbol(part))
        return name_symbol(t, part);
    if (!is_fixnum(part) || fixnum_value(part) < 0)
        return false;
    char digits[24];
    size_t i = sizeof digits;
    int64_t n = fixnum_value(part);
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    return name_put(t, digits + i, sizeof digits - i);
}

static bool name_write(struct name_text *t, val name, bool pending)
{
    t->length = 0;
    if (pending)
        t->bytes[t->length++] = PENDING;
    bool first = true;
    if (!is_pair(name) || !name_put(t, "(", 1))
        return false;
    for (; is_pair(name); name = cdr(name), first = false) {
        if ((!first && !name_put(t, " ", 1)) || !name_part(t, car(name)))
            return false;
    }
    return is_eq(name, NIL) && name_put(t, ")", 1);
}

static val key_of(struct heap *h, val name, bool pending)
{
    struct name_text t;
    if (!name_write(&t, name, pending))
        return FALSE;
    return string_constant_from_utf8(h, t.bytes, t.length);
}

val library_key(struct heap *h, val name)
{
    return key_of(h, name, false);
}

/* -- the registry --------------------------------------------------------------------
 *
 * ROOT_LIBRARIES has what the context loaded; what came with its image stands in a
 * frozen table behind it, its TABLE_EXTRA, which all contexts share. */
val library_base(struct heap *h)
{
    val own = h->roots[ROOT_LIBRARIES];
    return is_type(own, T_TABLE) ? object_field(own, TABLE_EXTRA) : FALSE;
}

val library_find(struct heap *h, val name)
{
    val key = TRY(library_key(h, name));
    if (!is_true(key))
        return FALSE;
    val found = TRY(table_get(h, h->roots[ROOT_LIBRARIES], key, FALSE));
    val base = library_base(h);
    return is_true(found) || !is_type(base, T_TABLE) ? found : table_get(h, base, key, FALSE);
}

bool library_next(struct heap *h, size_t *i, val *key, val *library)
{
    val own = h->roots[ROOT_LIBRARIES], base = library_base(h);
    size_t in_base = *i & LIBRARY_IN_BASE, at = *i & ~LIBRARY_IN_BASE;
    bool more = !in_base && is_type(own, T_TABLE) && table_next(own, &at, key, library);
    if (!more && is_type(base, T_TABLE)) {
        at = in_base ? at : 0;
        in_base = LIBRARY_IN_BASE;
        more = table_next(base, &at, key, library);
    }
    *i = at | in_base;
    return more;
}

/* The registry of the context and the one behind it become one, for an image. */
val library_seal(struct heap *h)
{
    val own = h->roots[ROOT_LIBRARIES], base = library_base(h), key, library;
    if (!is_type(own, T_TABLE) || table_count(own) == 0)
        return TRUE;
    val both = TRY(table_new(h, TABLE_STRING));
    size_t in_base = is_type(base, T_TABLE) ? table_count(base) : 0;
    TRY(table_reserve(h, both, table_count(own) + in_base));
    for (size_t i = 0; in_base > 0 && table_next(base, &i, &key, &library);)
        TRY(table_put(h, both, key, library));
    for (size_t i = 0; table_next(own, &i, &key, &library);)
        TRY(table_put(h, both, key, library));
    val fresh = TRY(table_new(h, TABLE_STRING));
    heap_store(h, fresh, &object_fields(fresh)[TABLE_EXTRA], both);
    h->roots[ROOT_LIBRARIES] = fresh;
    return TRUE;
}

val library_ready(struct heap *h, val name)
{
    val table = h->roots[ROOT_LIBRARIES];
    val key = TRY(library_key(h, name));
    val pending = TRY(key_of(h, name, true));
    val ready = TRY(symbol_intern_ascii(h, "ready"));
    if (!is_true(key))
        return FALSE;
    val library = TRY(table_get(h, table, pending, FALSE));
    if (!is_true(library))
        return FALSE;
    val allowed = h->roots[ROOT_LITERAL];
    if (is_type(allowed, T_TABLE) && heap_is_mutable(h, allowed))
        TRY(table_put(h, allowed, key, TRUE)); /* whoever could make it may import it */
    TRY(table_put(h, table, key, library));
    TRY(table_delete(h, table, pending));
    heap_store(h, library, &object_fields(library)[LIBRARY_STATE], ready);
    environment_set_immutable(object_field(library, LIBRARY_ENVIRONMENT));
    return TRUE;
}

val library_permitted(struct heap *h, val name)
{
    val allowed = h->roots[ROOT_LITERAL];
    if (!is_type(allowed, T_TABLE))
        return TRUE;
    val key = TRY(library_key(h, name));
    val found = is_true(key) ? TRY(table_get(h, allowed, key, FALSE)) : FALSE;
    return val_bool(is_true(found));
}

bool library_allowed(struct heap *h, val name)
{
    return is_eq(library_permitted(h, name), TRUE);
}

val library_set_allowed(struct heap *h, val names)
{
    if (is_eq(names, FALSE)) {
        h->roots[ROOT_LITERAL] = FALSE;
        return TRUE;
    }
    val table = TRY(table_new(h, TABLE_STRING));
    for (; is_pair(names); names = cdr(names)) {
        val key = TRY(string_to_constant(h, car(names)));
        TRY(table_put(h, table, key, TRUE));
    }
    h->roots[ROOT_LITERAL] = table;
    return TRUE;
}

/* -- import sets --------------------------------------------------------------------------- */
struct entry {
    val name, cell;
};

struct import {
    struct expander *x;
    struct syntax *set; /* the whole one, for messages */
    struct syntax *library;
    struct entry *entries;
    size_t count;
    struct map places; /* symbol -> index + 1; valid while `indexed` */
    bool indexed;
};

struct modifier {
    struct modifier *outer;
    struct syntax *form;
};

static val index_entries(struct import *m)
{
    if (m->indexed)
        return TRUE;
    m->places = (struct map){.count = 0};
    for (size_t i = 0; i < m->count; i++)
        TRY(map_put(m->x->a, &m->places, m->entries[i].name.bits, (void *)(i + 1)));
    m->indexed = true;
    return TRUE;
}

static val unknown_name(struct import *m, struct syntax *id)
{
    const char *name = identifier_text(m->x, id), *best = NULL;
    size_t distance = 4;
    for (size_t i = 0; i < m->count; i++) {
        const char *other = symbol_text(m->x, m->entries[i].name);
        size_t d = name_distance(name, other, distance - 1);
        if (d < distance) {
            distance = d;
            best = other;
        }
    }
    char *hint = best ? arena_alloc(m->x->a, 64) : NULL;
    if (hint) {
        memcpy(hint, "the nearest export is ", 22);
        memcpy(hint + 22, best, size_min(strlen(best), 40));
    }
    return FAIL(m->x, id, hint, "the library %s does not export %s", syntax_text(m->x, m->library),
                name);
}

/* The entry an identifier names. */
static val entry_at(struct import *m, struct syntax *id, struct entry **out)
{
    if (!syntax_is_identifier(id))
        return FAIL(m->x, m->set, NULL, "%s in an import set is not a name", syntax_text(m->x, id));
    TRY(index_entries(m));
    uintptr_t place = (uintptr_t)map_get(&m->places, identifier_symbol(id).bits);
    if (place == 0)
        return unknown_name(m, id);
    *out = &m->entries[place - 1];
    return TRUE;
}

static val import_only(struct import *m, struct syntax *names)
{
    struct entry *e;
    int64_t n = syntax_length(m->x, names);
    struct entry *kept = ARENA_ARRAY(m->x->a, struct entry, (size_t)n + 1);
    if (!kept)
        return RETRY;
    for (size_t i = 0; i < (size_t)n; i++, names = names->pair.cdr) {
        TRY(entry_at(m, names->pair.car, &e));
        kept[i] = *e;
    }
    m->entries = kept;
    m->count = (size_t)n;
    m->indexed = false;
    return TRUE;
}

static val import_except(struct import *m, struct syntax *names)
{
    struct entry *e;
    for (; syntax_is_pair(m->x, names); names = names->pair.cdr) {
        TRY(entry_at(m, names->pair.car, &e));
        e->cell = HOLE;
    }
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (!is_eq(m->entries[i].cell, HOLE))
            m->entries[n++] = m->entries[i];
    }
    m->count = n;
    m->indexed = false;
    return TRUE;
}

static val import_rename(struct import *m, struct syntax *pairs)
{
    struct entry *e;
    TRY(index_entries(m));
    for (; syntax_is_pair(m->x, pairs); pairs = pairs->pair.cdr) {
        struct syntax *p = pairs->pair.car;
        if (syntax_length(m->x, p) != 2 || !syntax_is_identifier(syntax_nth(p, 1)))
            return FAIL(m->x, m->set, "(rename set (old new) ...)", "malformed import set: %s",
                        syntax_text(m->x, m->set));
        TRY(entry_at(m, p->pair.car, &e));
        e->name = identifier_symbol(syntax_nth(p, 1));
    }
    m->indexed = false;
    return TRUE;
}

static val import_prefix(struct import *m, struct syntax *rest)
{
    struct heap *h = m->x->h;
    if (syntax_length(m->x, rest) != 1 || !syntax_is_identifier(rest->pair.car))
        return FAIL(m->x, m->set, "(prefix set name)", "malformed import set: %s",
                    syntax_text(m->x, m->set));
    const char *prefix = identifier_text(m->x, rest->pair.car);
    size_t n = strlen(prefix);
    for (size_t i = 0; i < m->count; i++) {
        const char *name = symbol_text(m->x, m->entries[i].name);
        size_t k = strlen(name);
        char *joined = arena_alloc(m->x->a, n + k + 1);
        if (!joined)
            return RETRY;
        memcpy(joined, prefix, n);
        memcpy(joined + n, name, k);
        m->entries[i].name = TRY(symbol_intern_utf8(h, joined, n + k));
    }
    m->indexed = false;
    return TRUE;
}

static val apply_modifier(struct import *m, struct syntax *form)
{
    val head = identifier_symbol(form->pair.car);
    struct syntax *rest = form->pair.cdr->pair.cdr;
    if (symbol_is(head, "only"))
        return import_only(m, rest);
    if (symbol_is(head, "except"))
        return import_except(m, rest);
    if (symbol_is(head, "rename"))
        return import_rename(m, rest);
    return import_prefix(m, rest);
}

static bool is_modifier(struct expander *x, struct syntax *s)
{
    if (syntax_length(x, s) < 2 || !syntax_is_identifier(s->pair.car) ||
        !syntax_is_pair(x, s->pair.cdr->pair.car))
        return false;
    val head = identifier_symbol(s->pair.car);
    return symbol_is(head, "only") || symbol_is(head, "except") || symbol_is(head, "rename") ||
           symbol_is(head, "prefix");
}

static val table_entries(struct import *m, val table)
{
    size_t i = 0;
    val key, cell;
    m->entries = ARENA_ARRAY(m->x->a, struct entry, table_count(table) + 1);
    if (!m->entries)
        return RETRY;
    while (table_next(table, &i, &key, &cell)) {
        if (is_symbol(key))
            m->entries[m->count++] = (struct entry){key, cell};
    }
    heap_charge(m->x->h, m->count / 4);
    return TRUE;
}

static bool is_core_name(val name)
{
    return is_pair(name) && symbol_is(car(name), "%core") && is_eq(cdr(name), NIL);
}

/* The exports of the library that the set is about. */
static val library_entries(struct import *m, struct syntax *s)
{
    struct expander *x = m->x;
    val name = TRY(syntax_datum(x, s, false));
    val key = TRY(library_key(x->h, name));
    if (!is_true(key))
        return FAIL(x, s, "a library name is a list: (import (scheme base) (srfi 1))",
                    "not an import set: %s", syntax_text(x, s));
    if (is_core_name(name) && (x->trusted || !x->h->image))
        return table_entries(m, object_field(x->h->roots[ROOT_CORE], ENVIRONMENT_TABLE));
    if (!x->trusted && !is_true(TRY(library_permitted(x->h, name))))
        return raise_text(x->h, CONDITION_SANDBOX, s->at.file, s->at.line, s->at.column,
                          "the libraries a program may import are chosen by whoever runs it",
                          "the library %s is excluded by the policy", syntax_text(x, s));
    val library = TRY(library_find(x->h, name));
    if (!is_true(library))
        return need_library(x, s, name);
    return table_entries(m, object_field(library, LIBRARY_EXPORTS));
}

static val import_one(struct import *m)
{
    struct modifier *stack = NULL;
    struct syntax *s = m->set;
    for (; is_modifier(m->x, s) && !m->x->a->failed; s = s->pair.cdr->pair.car) {
        struct modifier *outer = stack;
        stack = TAKE(m->x, struct modifier);
        stack->outer = outer;
        stack->form = s;
    }
    m->library = s;
    TRY(library_entries(m, s));
    for (; stack && !m->x->a->failed; stack = stack->outer)
        TRY(apply_modifier(m, stack->form));
    return m->x->a->failed ? RETRY : TRUE;
}

/* Make an entry visible, unless the unit defines the name itself. */
static val import_entry(struct expander *x, const struct entry *e, val environment, bool at_once)
{
    if (at_once)
        return environment_put(x->h, environment, e->name, e->cell);
    if (is_type(x->names, T_TABLE)) {
        val own = TRY(table_get(x->h, x->names, e->name, HOLE));
        if (!is_eq(own, HOLE))
            return TRUE;
    }
    struct binding *b;
    TRY(global_for(x, x->root, e->name, e->cell, &b));
    TRY(map_put(x->a, &x->root->names, e->name.bits, b));
    return commit_add(x, environment, e->name, NULL, e->cell);
}

val import_into(struct expander *x, struct syntax *sets, val environment, bool at_once)
{
    if (syntax_length(x, sets) < 0)
        return FAIL(x, sets, "(import (scheme base) (srfi 1))", "malformed import");
    for (; syntax_is_pair(x, sets); sets = sets->pair.cdr) {
        struct import m = {.x = x, .set = sets->pair.car};
        TRY(import_one(&m));
        val table = object_field(environment, ENVIRONMENT_TABLE);
        if (at_once)
            TRY(table_reserve(x->h, table, table_count(table) + m.count));
        for (size_t i = 0; i < m.count; i++)
            TRY(import_entry(x, &m.entries[i], environment, at_once));
        if (heap_poll(x->h))
            return LIMIT;
    }
    return TRUE;
}

/* -- define-library ---------------------------------------------------------------------------- */
struct export
{
    struct export *next;
    struct syntax *internal, *external;
};

struct pending_form {
    struct pending_form *next;
    struct syntax *form;
};

struct declarations {
    struct declarations *next;
    struct syntax *rest;
};

struct library_form {
    struct syntax *form;
    val name, library, environment;
    struct export *exports;
    struct declarations *work;
    struct pending_form *body, **body_end;
    size_t body_count;
    struct toplevel *top;
};

static val add_exports(struct expander *x, struct library_form *l, struct syntax *p)
{
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        struct export *e = TAKE(x, struct export);
        struct syntax *s = p->pair.car;
        e->next = l->exports;
        l->exports = e;
        e->internal = e->external = s;
        if (syntax_is_identifier(s))
            continue;
        if (syntax_length(x, s) != 3 || !syntax_is_identifier(s->pair.car) ||
            !symbol_is(identifier_symbol(s->pair.car), "rename") ||
            !syntax_is_identifier(syntax_nth(s, 1)) || !syntax_is_identifier(syntax_nth(s, 2)))
            return FAIL(x, s, "(export name (rename internal external) ...)",
                        "malformed export: %s", syntax_text(x, s));
        e->internal = syntax_nth(s, 1);
        e->external = syntax_nth(s, 2);
    }
    return TRUE;
}

static void add_body(struct expander *x, struct library_form *l, struct syntax *p)
{
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        struct pending_form *f = TAKE(x, struct pending_form);
        f->form = p->pair.car;
        *l->body_end = f;
        l->body_end = &f->next;
        l->body_count++;
    }
}

static void add_work(struct expander *x, struct library_form *l, struct syntax *rest)
{
    struct declarations *d = TAKE(x, struct declarations);
    d->next = l->work;
    d->rest = rest;
    l->work = d;
}

static val declaration(struct expander *x, struct library_form *l, struct syntax *d)
{
    struct syntax *more;
    if (syntax_length(x, d) < 1 || !syntax_is_identifier(d->pair.car))
        return FAIL(x, d, "export, import, begin, include ... ; code stands in (begin ...)",
                    "malformed library declaration: %s", syntax_text(x, d));
    val head = identifier_symbol(d->pair.car);
    if (symbol_is(head, "export"))
        return add_exports(x, l, d->pair.cdr);
    if (symbol_is(head, "import"))
        return import_into(x, d->pair.cdr, l->environment, true);
    if (symbol_is(head, "begin")) {
        add_body(x, l, d->pair.cdr);
        return TRUE;
    }
    bool fold = symbol_is(head, "include-ci");
    if (fold || symbol_is(head, "include")) {
        TRY(include_forms(x, d, fold, &more));
        add_body(x, l, more);
        return TRUE;
    }
    if (symbol_is(head, "include-library-declarations"))
        TRY(include_forms(x, d, false, &more));
    else if (symbol_is(head, "cond-expand"))
        TRY(cond_expand_choose(x, d, &more));
    else
        return FAIL(x, d, "code stands in (begin ...) inside define-library",
                    "unknown library declaration %s", identifier_text(x, d->pair.car));
    add_work(x, l, more);
    return TRUE;
}

static val declarations(struct expander *x, struct library_form *l)
{
    while (l->work && !x->a->failed) {
        struct declarations *d = l->work;
        if (!syntax_is_pair(x, d->rest)) {
            l->work = d->next;
            continue;
        }
        struct syntax *form = d->rest->pair.car;
        d->rest = d->rest->pair.cdr;
        TRY(declaration(x, l, form));
    }
    return x->a->failed ? RETRY : TRUE;
}

static val library_new(struct expander *x, struct library_form *l)
{
    val exports = TRY(table_new(x->h, TABLE_EQ));
    val state = TRY(symbol_intern_ascii(x->h, "running"));
    val library = TRY(heap_alloc(x->h, T_LIBRARY, 0, 0));
    val *f = object_fields(library);
    f[LIBRARY_NAME] = l->name;
    f[LIBRARY_EXPORTS] = exports;
    f[LIBRARY_ENVIRONMENT] = FALSE;
    f[LIBRARY_STATE] = state;
    f[LIBRARY_DOC] = FALSE;
    val environment = TRY(environment_new(x->h, FALSE, library));
    f[LIBRARY_ENVIRONMENT] = environment;
    l->library = library;
    l->environment = environment;
    return TRUE;
}

val library_begin(struct expander *x, struct syntax *form, struct library_form **out)
{
    struct library_form *l = TAKE(x, struct library_form);
    *out = l;
    l->form = form;
    l->body_end = &l->body;
    if (syntax_length(x, form) < 2)
        return FAIL(x, form, "(define-library (name ...) declaration ...)",
                    "malformed define-library");
    l->name = TRY(syntax_datum(x, syntax_nth(form, 1), false));
    val key = TRY(library_key(x->h, l->name));
    if (!is_true(key) || is_core_name(l->name))
        return FAIL(x, form, "a name is a list of symbols and numbers: (my library)",
                    "not a library name: %s", syntax_text(x, syntax_nth(form, 1)));
    TRY(library_new(x, l));
    TRY(scope_root(x, l->environment, &x->root));
    x->mode = BODY_UNIT;
    add_work(x, l, form->pair.cdr->pair.cdr);
    TRY(declarations(x, l));
    struct syntax **forms = ARENA_ARRAY(x->a, struct syntax *, l->body_count + 1);
    if (!forms)
        return RETRY;
    size_t n = 0;
    for (struct pending_form *p = l->body; p; p = p->next)
        forms[n++] = p->form;
    return toplevel_begin(x, forms, n, BODY_UNIT, &l->top);
}

static val check_export(struct expander *x, struct library_form *l, const struct export *e)
{
    struct resolved r;
    TRY(resolve(x, e->internal, x->root, &r));
    if (r.binding)
        return TRUE;
    val hint = TRY(environment_suggest(x->h, l->environment, r.base->atom));
    return FAIL(x, e->internal, is_true(hint) ? string_text(x, hint) : NULL,
                "the library exports %s but does not define it", identifier_text(x, e->internal));
}

val library_finish(struct expander *x, struct library_form *l, struct ir_unit *unit)
{
    struct ir_node *call;
    for (struct export *e = l->exports; e; e = e->next)
        TRY(check_export(x, l, e));
    TRY(toplevel_finish(x, l->top, unit));
    struct ir_node *seq = ir_new(x, IR_SEQ, l->form);
    TRY(ir_items(x, seq, 2, false));
    TRY(ir_core_call(x, "%library-ready!", 1, l->form, &call));
    call->items[0] = ir_constant(x, l->name, l->form);
    seq->items[0] = unit->body;
    seq->items[1] = call;
    unit->body = seq;
    return TRUE;
}

static val export_one(struct expander *x, struct library_form *l, const struct export *e)
{
    val name = identifier_symbol(e->internal);
    val cell = TRY(environment_lookup(x->h, l->environment, name));
    if (NEVER(is_eq(cell, HOLE)))
        return TRUE;
    TRY(table_put(x->h, object_field(l->library, LIBRARY_EXPORTS), identifier_symbol(e->external),
                  cell));
    return TRUE;
}

val library_register(struct expander *x, struct library_form *l)
{
    size_t n = 0;
    for (struct export *e = l->exports; e; e = e->next)
        n++;
    TRY(table_reserve(x->h, object_field(l->library, LIBRARY_EXPORTS), n));
    for (struct export *e = l->exports; e; e = e->next)
        TRY(export_one(x, l, e));
    val key = TRY(key_of(x->h, l->name, true));
    TRY(table_put(x->h, x->h->roots[ROOT_LIBRARIES], key, l->library));
    return TRUE;
}
