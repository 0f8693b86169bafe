/* T5 syntax trees: making, opening, turning into data and into text.
 *
 * Nothing here knows scopes or core forms. Every walk has an explicit stack or
 * is a loop, and charges. A tree may hold unsplit data (SYN_ATOM with a pair or
 * vector): always ask through syntax_is_pair, which splits one level. */
#include "expand.h"
#include "num.h"
#include "string.h"
#include "symbol.h"

#define LIST_MAX ((int64_t)1 << 26)

void *take(struct expander *x, size_t bytes)
{
    CHECK(bytes <= sizeof x->scrap);
    void *p = arena_alloc(x->a, bytes);
    if (!p)
        p = arena_overdraft(x->a, bytes);
    return p ? p : memset(x->scrap, 0, sizeof x->scrap);
}

/* -- maps -------------------------------------------------------------------- */
static size_t map_place(const struct map *m, uint64_t key)
{
    uint64_t hash = (key >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 32) & (m->capacity - 1);
    while (m->keys[i] != 0 && m->keys[i] != key)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

void *map_get(const struct map *m, uint64_t key)
{
    if (m->count == 0)
        return NULL;
    size_t i = map_place(m, key);
    return m->keys[i] == key ? m->values[i] : NULL;
}

static val map_grow(struct arena *a, struct map *m)
{
    struct map next = {.capacity = size_max(4, m->capacity * 2)};
    next.keys = ARENA_ARRAY(a, uint64_t, next.capacity);
    next.values = ARENA_ARRAY(a, void *, next.capacity);
    if (!next.keys || !next.values)
        return RETRY;
    next.count = m->count;
    for (size_t i = 0; i < m->capacity; i++) {
        if (m->keys[i] == 0)
            continue;
        size_t j = map_place(&next, m->keys[i]);
        next.keys[j] = m->keys[i];
        next.values[j] = m->values[i];
    }
    *m = next;
    return TRUE;
}

val map_put(struct arena *a, struct map *m, uint64_t key, void *value)
{
    if (m->count * 4 >= m->capacity * 3)
        TRY(map_grow(a, m));
    size_t i = map_place(m, key);
    m->count += m->keys[i] == 0;
    m->keys[i] = key;
    m->values[i] = value;
    return TRUE;
}

/* -- nodes --------------------------------------------------------------------- */
struct syntax *syntax_new(struct expander *x, enum syntax_kind kind, const struct syntax *at)
{
    struct syntax *s = TAKE(x, struct syntax);
    s->kind = (uint8_t)kind;
    s->at = at->at;
    return s;
}

struct syntax *syntax_atom(struct expander *x, val v, const struct syntax *at)
{
    struct syntax *s = syntax_new(x, is_symbol(v) ? SYN_SYMBOL : SYN_ATOM, at);
    s->atom = v;
    return s;
}

struct syntax *syntax_cons(struct expander *x, struct syntax *a, struct syntax *d)
{
    struct syntax *s = syntax_new(x, SYN_PAIR, a);
    s->pair.car = a;
    s->pair.cdr = d;
    return s;
}

struct syntax *syntax_vector_list(struct expander *x, struct syntax *v)
{
    struct syntax *list = syntax_new(x, SYN_NIL, v);
    for (size_t i = v->vector.length; i-- > 0 && !x->a->failed;)
        list = syntax_cons(x, v->vector.items[i], list);
    return list;
}

/* The scope of an identifier of the heap, or NULL without room. */
static struct scope *root_or_null(struct expander *x, val environment)
{
    struct scope *scope;
    return is_eq(scope_root(x, environment, &scope), TRUE) ? scope : NULL;
}

static struct syntax *node_of_datum(struct expander *x, val d, const struct position *at)
{
    struct syntax *s = TAKE(x, struct syntax);
    s->at = *at;
    s->kind = SYN_ATOM;
    s->atom = d;
    if (is_symbol(d))
        s->kind = SYN_SYMBOL;
    else if (is_eq(d, NIL))
        s->kind = SYN_NIL;
    return s;
}

/* A T_IDENTIFIER may stand on another one: the chain is built from below. */
static struct syntax *alias_of_object(struct expander *x, val object, const struct position *at)
{
    struct syntax *inner = NULL;
    for (;;) {
        struct syntax *known = map_get(&x->aliases, object.bits);
        if (known)
            return known;
        val o = object;
        while (is_type(object_field(o, 0), T_IDENTIFIER) &&
               !map_get(&x->aliases, object_field(o, 0).bits))
            o = object_field(o, 0);
        val name = object_field(o, 0);
        inner = is_symbol(name) ? node_of_datum(x, name, at) : map_get(&x->aliases, name.bits);
        struct syntax *s = node_of_datum(x, FALSE, at);
        struct alias *alias = TAKE(x, struct alias);
        alias->inner = inner;
        alias->scope = root_or_null(x, object_field(o, 1));
        alias->identifier = o;
        s->kind = SYN_ALIAS;
        s->alias = alias;
        if (x->a->failed || !is_eq(map_put(x->a, &x->aliases, o.bits, s), TRUE))
            return s;
    }
}

struct syntax *syntax_of_datum(struct expander *x, val datum, const struct position *at)
{
    if (!is_type(datum, T_IDENTIFIER))
        return node_of_datum(x, datum, at);
    struct syntax *shared = alias_of_object(x, datum, at);
    struct syntax *s = TAKE(x, struct syntax);
    *s = *shared;
    s->at = *at;
    return s;
}

static void open_vector(struct expander *x, struct syntax *s)
{
    val v = s->atom;
    size_t n = object_length(v);
    struct syntax **items = ARENA_ARRAY(x->a, struct syntax *, n);
    if (!items)
        return;
    for (size_t i = 0; i < n; i++)
        items[i] = syntax_of_datum(x, object_fields(v)[i], &s->at);
    s->vector.items = items;
    s->vector.length = n;
    s->kind = SYN_VECTOR;
}

/* Does following the cdrs never end? */
static bool is_circular(struct expander *x, val slow)
{
    val fast = slow;
    size_t n = 0;
    while (is_pair(fast) && is_pair(cdr(fast))) {
        fast = cdr(cdr(fast));
        slow = cdr(slow);
        n++;
        if (is_eq(fast, slow))
            break;
    }
    heap_work(x->h, n * 32);
    return is_pair(fast) && is_pair(cdr(fast));
}

/* An unsplit pair whose spine is known to end carries this label. */
#define SPINE_ENDS UINT32_MAX

void syntax_open(struct expander *x, struct syntax *s)
{
    if (s->kind != SYN_ATOM || !is_pointer(s->atom))
        return;
    val v = s->atom;
    if (is_pair(v)) {
        if (s->label != SPINE_ENDS && is_circular(x, v))
            return;
        struct syntax *a = syntax_of_datum(x, car(v), &s->at);
        struct syntax *d = syntax_of_datum(x, cdr(v), &s->at);
        if (d->kind == SYN_ATOM)
            d->label = SPINE_ENDS;
        s->kind = SYN_PAIR;
        s->label = 0;
        s->pair.car = a;
        s->pair.cdr = d;
    } else if (is_vector(v)) {
        open_vector(x, s);
    }
}

bool syntax_is_pair(struct expander *x, struct syntax *s)
{
    if (s->kind == SYN_ATOM)
        syntax_open(x, s);
    return s->kind == SYN_PAIR && !x->a->failed;
}

bool syntax_is_nil(const struct syntax *s)
{
    return s->kind == SYN_NIL;
}

bool syntax_is_identifier(const struct syntax *s)
{
    return s->kind == SYN_SYMBOL || s->kind == SYN_ALIAS;
}

struct syntax *syntax_car(const struct syntax *s)
{
    return s->pair.car;
}

struct syntax *syntax_cdr(const struct syntax *s)
{
    return s->pair.cdr;
}

int64_t syntax_length(struct expander *x, struct syntax *s)
{
    int64_t n = 0;
    for (; syntax_is_pair(x, s); s = s->pair.cdr) {
        if (++n > LIST_MAX || ((n & 1023) == 0 && heap_poll(x->h)))
            return -1;
    }
    heap_work(x->h, (size_t)n * 16);
    return syntax_is_nil(s) && !x->a->failed ? n : -1;
}

/* -- identifiers -------------------------------------------------------------------- */
struct syntax *identifier_base(struct syntax *id)
{
    while (id->kind == SYN_ALIAS)
        id = id->alias->inner;
    return id;
}

val identifier_symbol(struct syntax *id)
{
    return identifier_base(id)->atom;
}

static val root_environment(struct expander *x, const struct scope *scope)
{
    if (!scope)
        return x->root->environment;
    while (scope->parent)
        scope = scope->parent;
    return scope->environment;
}

static val make_identifier(struct expander *x, struct alias *alias)
{
    struct syntax *inner = alias->inner;
    val o = TRY(heap_alloc_constant(x->h, T_IDENTIFIER, 0, 0));
    val *f = object_fields(o);
    f[0] = inner->kind == SYN_SYMBOL ? inner->atom : inner->alias->identifier;
    f[1] = FALSE;
    object_raw(o)[0] = x->h->serial++;
    heap_store(x->h, o, &f[1], root_environment(x, alias->scope));
    alias->identifier = o;
    return o;
}

val identifier_object(struct expander *x, struct syntax *id)
{
    if (id->kind == SYN_SYMBOL)
        return id->atom;
    while (!is_pointer(id->alias->identifier)) {
        struct syntax *s = id;
        while (s->alias->inner->kind == SYN_ALIAS &&
               !is_pointer(s->alias->inner->alias->identifier))
            s = s->alias->inner;
        val o = TRY(make_identifier(x, s->alias));
        TRY(map_put(x->a, &x->aliases, o.bits, s));
    }
    return id->alias->identifier;
}

/* -- syntax to constant datum ----------------------------------------------------------- */
struct datum_work {
    struct datum_work *next;
    struct syntax *syntax;
    val object; /* that holds the slot */
    val *slot;
};

struct datum_build {
    struct expander *x;
    struct datum_work *work, *spare;
    struct map labels; /* label -> val bits + 1 as pointer-sized word */
    bool keep;
    size_t nodes;
};

static void datum_push(struct datum_build *b, struct syntax *s, val object, val *slot)
{
    struct datum_work *w = b->spare;
    if (w)
        b->spare = w->next;
    else
        w = TAKE(b->x, struct datum_work);
    *w = (struct datum_work){b->work, s, object, slot};
    b->work = w;
}

static val datum_pair(struct datum_build *b, struct syntax *s)
{
    val p = TRY(heap_cons_constant(b->x->h, NIL, NIL));
    datum_push(b, s->pair.cdr, p, &pair_words(p)[1]);
    datum_push(b, s->pair.car, p, &pair_words(p)[0]);
    return p;
}

static val datum_vector(struct datum_build *b, struct syntax *s)
{
    size_t n = s->vector.length;
    val v = TRY(heap_alloc_constant(b->x->h, T_VECTOR, n, 0));
    for (size_t i = 0; i < n; i++)
        object_fields(v)[i] = FALSE;
    for (size_t i = n; i-- > 0;)
        datum_push(b, s->vector.items[i], v, &object_fields(v)[i]);
    return v;
}

static val datum_label(struct datum_build *b, struct syntax *s)
{
    val *known = map_get(&b->labels, (uint64_t)s->label << 3);
    if (known)
        return *known;
    return FAIL(b->x, s, NULL, "#%zu# stands for nothing here", (size_t)s->label - 1);
}

/* The datum for one node; its children are pushed. */
static val datum_node(struct datum_build *b, struct syntax *s)
{
    switch (s->kind) {
    case SYN_NIL:
        return NIL;
    case SYN_PAIR:
        return datum_pair(b, s);
    case SYN_VECTOR:
        return datum_vector(b, s);
    case SYN_LABEL:
        return datum_label(b, s);
    case SYN_ALIAS:
        return b->keep ? identifier_object(b->x, s) : identifier_symbol(s);
    default:
        return s->atom;
    }
}

static val datum_remember(struct datum_build *b, struct syntax *s, val v)
{
    if (s->label == 0 || (s->kind != SYN_PAIR && s->kind != SYN_VECTOR))
        return TRUE;
    val *cell = TAKE(b->x, val);
    *cell = v;
    return map_put(b->x->a, &b->labels, (uint64_t)s->label << 3, cell);
}

static val datum_step(struct datum_build *b)
{
    struct datum_work w = *b->work;
    struct datum_work *done = b->work;
    b->work = done->next;
    done->next = b->spare;
    b->spare = done;
    val v = TRY(datum_node(b, w.syntax));
    TRY(datum_remember(b, w.syntax, v));
    heap_store(b->x->h, w.object, w.slot, v);
    return TRUE;
}

val syntax_datum(struct expander *x, struct syntax *s, bool keep_identifiers)
{
    struct datum_build b = {.x = x, .keep = keep_identifiers};
    val root = TRY(datum_node(&b, s));
    TRY(datum_remember(&b, s, root));
    while (b.work) {
        TRY(datum_step(&b));
        if (x->a->failed)
            return RETRY;
        if ((++b.nodes & 1023) == 0 && heap_poll(x->h))
            return LIMIT;
    }
    heap_work(x->h, b.nodes * 16);
    return root;
}

/* -- text for messages ---------------------------------------------------------------------- */
#define TEXT_MAX 72

struct text_out {
    struct expander *x;
    char *bytes;
    size_t length;
};

static void out_bytes(struct text_out *o, const char *s, size_t n)
{
    n = size_min(n, TEXT_MAX - o->length);
    memcpy(o->bytes + o->length, s, n);
    o->length += n;
}

static void out_text(struct text_out *o, const char *s)
{
    out_bytes(o, s, strlen(s));
}

const char *string_text(struct expander *x, val s)
{
    if (string_length(s) > 4096)
        return "a long string";
    size_t n = string_utf8_length(s);
    char *p = arena_alloc(x->a, n + 1);
    if (!p)
        return "?";
    string_store_utf8(s, p);
    p[n] = 0;
    return p;
}

const char *symbol_text(struct expander *x, val symbol)
{
    return is_symbol(symbol) ? string_text(x, symbol_name(symbol)) : "?";
}

const char *identifier_text(struct expander *x, struct syntax *id)
{
    return symbol_text(x, identifier_symbol(id));
}

bool symbol_is(val symbol, const char *name)
{
    if (!is_symbol(symbol))
        return false;
    val s = symbol_name(symbol);
    size_t n = strlen(name);
    if (string_length(s) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (string_ref(s, i) != (unsigned char)name[i])
            return false;
    }
    return true;
}

static void out_fixnum(struct text_out *o, int64_t n)
{
    char digits[24];
    size_t i = sizeof digits - 1;
    uint64_t m = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + m % 10);
        m /= 10;
    } while (m > 0);
    if (n < 0)
        digits[--i] = '-';
    out_text(o, digits + i);
}

static void out_atom(struct text_out *o, val v)
{
    if (is_fixnum(v)) {
        out_fixnum(o, fixnum_value(v));
    } else if (is_symbol(v)) {
        out_text(o, symbol_text(o->x, v));
    } else if (is_string(v)) {
        out_text(o, "\"");
        out_text(o, string_text(o->x, v));
        out_text(o, "\"");
    } else if (is_number(v)) {
        val s = num_to_text(o->x->h, v, 10);
        out_text(o, is_control(s) ? "?" : string_text(o->x, s));
    } else if (is_eq(v, TRUE) || is_eq(v, FALSE)) {
        out_text(o, is_eq(v, TRUE) ? "#t" : "#f");
    } else if (is_char(v)) {
        char c[4] = {'#', '\\', (char)char_code(v), 0};
        out_text(o, char_code(v) > 32 && char_code(v) < 127 ? c : "#\\?");
    } else {
        out_text(o, "#<datum>");
    }
}

/* Where the writer stands in a form: the rest of a list, or of a vector. */
struct out_level {
    struct syntax *rest;
    size_t index;
};

static void out_open(struct text_out *o, struct syntax *s, struct out_level *level)
{
    *level = (struct out_level){s, 0};
    out_text(o, s->kind == SYN_VECTOR ? "#(" : "(");
}

/* The next element of the level, or NULL at its end (closed then). */
static struct syntax *out_next(struct text_out *o, struct out_level *l)
{
    struct syntax *s = l->rest;
    if (s->kind == SYN_VECTOR && l->index < s->vector.length) {
        if (l->index > 0)
            out_text(o, " ");
        return s->vector.items[l->index++];
    }
    if (s->kind == SYN_VECTOR || !syntax_is_pair(o->x, s)) {
        if (s->kind != SYN_VECTOR && s->kind != SYN_NIL) {
            out_text(o, " . ");
            out_atom(o, syntax_is_identifier(s) ? identifier_symbol(s) : s->atom);
        }
        out_text(o, ")");
        return NULL;
    }
    if (l->index++ > 0)
        out_text(o, " ");
    l->rest = s->pair.cdr;
    return s->pair.car;
}

static bool out_leaf(struct text_out *o, struct syntax *s)
{
    if (syntax_is_pair(o->x, s) || s->kind == SYN_VECTOR)
        return false;
    if (s->kind == SYN_NIL)
        out_text(o, "()");
    else if (s->kind == SYN_LABEL)
        out_text(o, "#n#");
    else
        out_atom(o, syntax_is_identifier(s) ? identifier_symbol(s) : s->atom);
    return true;
}

const char *syntax_text(struct expander *x, struct syntax *s)
{
    struct text_out o = {.x = x, .bytes = arena_alloc(x->a, TEXT_MAX + 4)};
    struct out_level levels[TEXT_MAX];
    size_t depth = 0;
    if (!o.bytes)
        return "?";
    if (!out_leaf(&o, s))
        out_open(&o, s, &levels[depth++]);
    while (depth > 0 && o.length < TEXT_MAX) {
        struct syntax *item = out_next(&o, &levels[depth - 1]);
        if (!item)
            depth--;
        else if (!out_leaf(&o, item) && depth < TEXT_MAX)
            out_open(&o, item, &levels[depth++]);
    }
    if (o.length >= TEXT_MAX)
        memcpy(o.bytes + TEXT_MAX, "...", 3);
    return o.bytes;
}
