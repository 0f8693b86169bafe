/* T5 units: opening a text, one attempt at a form, what is kept between them.
 *
 * unit_next makes one attempt: expand, compile, commit. Everything of the attempt
 * lies in an arena that is dropped at its end, whatever came of it. The parsed
 * forms of units in progress are cached in front_state, which hangs on the heap
 * as a root owner (it has no roots: UNIT_RETAIN holds the constants). */
#include "unit.h"
#include "expand.h"
#include "string.h"
#include "symbol.h"
#include "table.h"

struct cached_unit {
    uint64_t id; /* 0: free */
    uint64_t used;
    bool expected; /* it was there before a restore: nothing is read yet */
    struct arena arena;
    struct syntax **forms;
    size_t count;
};

struct front_state {
    struct cached_unit units[CACHED_UNITS];
    uint64_t clock;
};

/* -- the cache --------------------------------------------------------------------- */
static void front_trace(void *owner, root_visitor *visit, void *collector)
{
    (void)owner;
    (void)visit;
    (void)collector;
}

static struct front_state *find_state(const struct heap *h)
{
    for (size_t i = 0; i < h->owner_count; i++) {
        if (h->owners[i].trace == front_trace)
            return h->owners[i].owner;
    }
    return NULL;
}

static struct front_state *state_of(struct heap *h)
{
    struct front_state *s = find_state(h);
    if (s)
        return s;
    s = heap_malloc(h, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    if (heap_owner_add(h, front_trace, s))
        return s;
    heap_mfree(h, s, sizeof *s);
    return NULL;
}

static void forget(struct cached_unit *c)
{
    if (c->id != 0 && !c->expected)
        arena_drop(&c->arena);
    memset(c, 0, sizeof *c);
}

void front_dispose(struct heap *h)
{
    struct front_state *s = find_state(h);
    if (!s)
        return;
    for (size_t i = 0; i < CACHED_UNITS; i++)
        forget(&s->units[i]);
    for (size_t i = 0; i < h->owner_count; i++) {
        if (h->owners[i].trace == front_trace)
            h->owners[i] = h->owners[--h->owner_count];
    }
    heap_mfree(h, s, sizeof *s);
}

static struct cached_unit *cache_find(struct front_state *s, uint64_t id)
{
    for (size_t i = 0; i < CACHED_UNITS; i++) {
        if (s->units[i].id == id) {
            s->units[i].used = ++s->clock;
            return &s->units[i];
        }
    }
    return NULL;
}

static struct cached_unit *cache_oldest(struct front_state *s)
{
    struct cached_unit *oldest = &s->units[0];
    for (size_t i = 1; i < CACHED_UNITS; i++) {
        if (s->units[i].used < oldest->used)
            oldest = &s->units[i];
    }
    return oldest;
}

void units_cached(const struct heap *h, uint64_t ids[CACHED_UNITS])
{
    struct front_state *s = find_state(h);
    memset(ids, 0, CACHED_UNITS * sizeof *ids);
    uint64_t after = 0; /* moments are distinct but for the free places' 0 */
    for (size_t i = 0; s && i < CACHED_UNITS; i++) {
        size_t next = CACHED_UNITS;
        for (size_t j = 0; j < CACHED_UNITS; j++) {
            uint64_t used = s->units[j].used;
            if (used > after && (next == CACHED_UNITS || used < s->units[next].used))
                next = j;
        }
        if (next == CACHED_UNITS)
            return;
        after = s->units[next].used;
        memmove(ids, ids + 1, (CACHED_UNITS - 1) * sizeof *ids);
        ids[CACHED_UNITS - 1] = s->units[next].id;
    }
}

bool units_expect(struct heap *h, const uint64_t ids[CACHED_UNITS])
{
    struct front_state *s = NULL;
    for (size_t i = 0; i < CACHED_UNITS; i++) {
        if (ids[i] == 0)
            continue;
        s = s ? s : state_of(h);
        if (!s)
            return false;
        struct cached_unit *c = cache_oldest(s);
        forget(c);
        *c = (struct cached_unit){.id = ids[i], .used = ++s->clock, .expected = true};
    }
    return true;
}

static uint64_t unit_id(val unit)
{
    return object_raw(unit)[UNIT_ID];
}

static enum unit_kind unit_kind(val unit)
{
    return (enum unit_kind)(object_raw(unit)[UNIT_STATE] & 255);
}

size_t unit_count(val unit)
{
    size_t n = (size_t)(object_raw(unit)[UNIT_STATE] >> 8);
    return unit_kind(unit) == UNIT_BODY ? 1 : n;
}

/* -- constants of the forms -------------------------------------------------------- */
struct walk {
    struct walk *next;
    struct syntax *syntax;
};

static val remember_constant(struct arena *a, struct map *seen, val v)
{
    if (!is_pointer(v) || map_get(seen, v.bits))
        return TRUE;
    return map_put(a, seen, v.bits, a);
}

static struct walk *walk_push(struct arena *a, struct walk *stack, struct walk **spare,
                              struct syntax *s)
{
    struct walk *w = *spare;
    if (w)
        *spare = w->next;
    else
        w = ARENA_NEW(a, struct walk);
    if (!w)
        return stack;
    w->next = stack;
    w->syntax = s;
    return w;
}

static val collect_constants(struct arena *a, struct syntax *root, struct map *seen)
{
    struct walk *spare = NULL, *stack = walk_push(a, NULL, &spare, root);
    while (stack && !a->failed) {
        struct walk *top = stack;
        struct syntax *s = top->syntax;
        stack = top->next;
        top->next = spare;
        spare = top;
        if (s->kind == SYN_PAIR) {
            stack = walk_push(a, stack, &spare, s->pair.cdr);
            stack = walk_push(a, stack, &spare, s->pair.car);
        } else if (s->kind == SYN_VECTOR) {
            for (size_t i = 0; i < s->vector.length; i++)
                stack = walk_push(a, stack, &spare, s->vector.items[i]);
        } else if (s->kind == SYN_ATOM || s->kind == SYN_SYMBOL) {
            TRY(remember_constant(a, seen, s->atom));
        }
    }
    return a->failed ? RETRY : TRUE;
}

/* A vector of all constants that the forms refer to. */
static val retained(struct heap *h, struct syntax **forms, size_t count)
{
    struct arena a;
    struct map seen = {.count = 0};
    arena_init(&a, h);
    val v = TRUE;
    for (size_t i = 0; i < count && !is_control(v); i++)
        v = collect_constants(&a, forms[i], &seen);
    if (!is_control(v))
        v = heap_alloc_constant(h, T_VECTOR, seen.count, 0);
    size_t n = 0;
    for (size_t i = 0; i < seen.capacity && !is_control(v); i++) {
        if (seen.keys[i] != 0)
            object_fields(v)[n++] = VAL(seen.keys[i]);
    }
    arena_drop(&a);
    return v;
}

/* Parse the text of a unit into its place. */
static val unit_parse(struct heap *h, val unit, struct cached_unit *c)
{
    arena_init(&c->arena, h);
    val v = syntax_read(h, &c->arena, object_field(unit, UNIT_TEXT), object_field(unit, UNIT_FILE),
                        &c->forms, &c->count);
    if (!is_control(v))
        v = retained(h, c->forms, c->count);
    if (is_control(v))
        arena_drop(&c->arena);
    return v;
}

/* The same after a restore: it is paid already. */
static val unit_parse_again(struct heap *h, val unit, struct cached_unit *c)
{
    uint64_t charge = h->charge, afford = h->afford;
    h->charge = 0;
    h->afford = UINT64_MAX;
    val v = unit_parse(h, unit, c);
    h->charge = charge;
    h->afford = afford;
    c->expected = is_control(v);
    return v;
}

/* Read the unit's text into a place of the cache. */
static val unit_read(struct heap *h, val unit, struct cached_unit **out)
{
    struct front_state *s = state_of(h);
    if (!s)
        return RETRY;
    *out = cache_find(s, unit_id(unit));
    if (*out && !(*out)->expected)
        return TRUE;
    struct cached_unit *c = *out ? *out : cache_oldest(s);
    val v;
    if (c->expected && *out) {
        v = TRY(unit_parse_again(h, unit, c));
    } else {
        forget(c);
        v = TRY(unit_parse(h, unit, c));
        c->id = unit_id(unit);
    }
    heap_store(h, unit, &object_fields(unit)[UNIT_RETAIN], v);
    c->used = ++s->clock;
    *out = c;
    return TRUE;
}

static void unit_done(struct heap *h, val unit)
{
    struct front_state *s = find_state(h);
    struct cached_unit *c = s ? cache_find(s, unit_id(unit)) : NULL;
    if (c)
        forget(c);
    object_fields(unit)[UNIT_RETAIN] = FALSE;
}

/* -- what a program's top level defines ------------------------------------------------ */
struct names {
    struct heap *h;
    struct arena *a;
    val environment, table;
    struct walk *work, *spare;
};

static val core_of_head(struct names *n, struct syntax *form, unsigned *core)
{
    *core = CORE_COUNT;
    if (form->kind != SYN_PAIR || form->pair.car->kind != SYN_SYMBOL)
        return FALSE;
    val name = form->pair.car->atom;
    val cell = TRY(environment_lookup(n->h, n->environment, name));
    if (is_eq(cell, HOLE))
        cell = TRY(environment_lookup(n->h, n->h->roots[ROOT_CORE], name));
    return val_bool(binding_is_core(cell, core));
}

static val own_name(struct names *n, struct syntax *id)
{
    if (id->kind != SYN_SYMBOL)
        return TRUE;
    val known = TRY(table_get(n->h, n->table, id->atom, HOLE));
    if (!is_eq(known, HOLE))
        return TRUE;
    val own = object_field(n->environment, ENVIRONMENT_TABLE);
    val slot = TRY(table_get(n->h, own, id->atom, HOLE));
    if (!is_fixnum(slot))
        slot = TRY(heap_new_slot(n->h));
    TRY(table_put(n->h, n->table, id->atom, slot));
    return TRUE;
}

/* The names in a list, from the `skip`th on; nested lists: their items behind the first. */
static val own_fields(struct names *n, struct syntax *list)
{
    for (; list->kind == SYN_PAIR; list = list->pair.cdr) {
        struct syntax *p = list->pair.car;
        if (p->kind != SYN_PAIR)
            continue;
        for (p = p->pair.cdr; p->kind == SYN_PAIR; p = p->pair.cdr)
            TRY(own_name(n, p->pair.car));
    }
    return TRUE;
}

static val own_record(struct names *n, struct syntax *p)
{
    for (size_t i = 0; i < 3 && p->kind == SYN_PAIR; i++, p = p->pair.cdr) {
        struct syntax *s = p->pair.car;
        TRY(own_name(n, s->kind == SYN_PAIR ? s->pair.car : s));
    }
    return own_fields(n, p);
}

static val own_definition(struct names *n, unsigned core, struct syntax *p)
{
    if (core == CORE_DEFINE_RECORD_TYPE)
        return own_record(n, p);
    if (p->kind != SYN_PAIR)
        return TRUE;
    struct syntax *what = p->pair.car;
    if (core == CORE_DEFINE)
        return own_name(n, what->kind == SYN_PAIR ? what->pair.car : what);
    for (; what->kind == SYN_PAIR; what = what->pair.cdr)
        TRY(own_name(n, what->pair.car));
    return own_name(n, what);
}

static val own_form(struct names *n, struct syntax *form)
{
    unsigned core;
    TRY(core_of_head(n, form, &core));
    switch (core) {
    case CORE_DEFINE:
    case CORE_DEFINE_VALUES:
    case CORE_DEFINE_RECORD_TYPE:
        return own_definition(n, core, form->pair.cdr);
    case CORE_BEGIN:
        n->work = walk_push(n->a, n->work, &n->spare, form->pair.cdr);
        return TRUE;
    default:
        return TRUE;
    }
}

static val own_names(struct names *n, struct syntax **forms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        TRY(own_form(n, forms[i]));
        while (n->work && !n->a->failed) {
            struct walk *w = n->work;
            struct syntax *rest = w->syntax;
            if (rest->kind != SYN_PAIR) {
                n->work = w->next;
                continue;
            }
            w->syntax = rest->pair.cdr;
            TRY(own_form(n, rest->pair.car));
        }
    }
    return n->a->failed ? RETRY : TRUE;
}

static val find_names(struct heap *h, val unit, const struct cached_unit *c)
{
    struct arena a;
    struct names n = {.h = h, .a = &a, .environment = object_field(unit, UNIT_ENVIRONMENT)};
    n.table = TRY(table_new(h, TABLE_EQ));
    arena_init(&a, h);
    val done = own_names(&n, c->forms, c->count);
    arena_drop(&a);
    TRY(done);
    heap_store(h, unit, &object_fields(unit)[UNIT_NAMES], n.table);
    return TRUE;
}

/* -- opening -------------------------------------------------------------------------------- */
static val unit_new(struct heap *h, val text, val file, val environment, enum unit_kind kind)
{
    val unit = TRY(heap_alloc(h, T_UNIT, 0, 0));
    val *f = object_fields(unit);
    f[UNIT_TEXT] = text;
    f[UNIT_FILE] = file;
    f[UNIT_ENVIRONMENT] = environment;
    f[UNIT_NAMES] = f[UNIT_RETAIN] = FALSE;
    f[UNIT_SUPPLIED] = NIL;
    object_raw(unit)[UNIT_ID] = ++h->serial;
    object_raw(unit)[UNIT_STATE] = (uint64_t)kind;
    return unit;
}

static void set_count(val unit, size_t count)
{
    object_raw(unit)[UNIT_STATE] = (uint64_t)unit_kind(unit) | (uint64_t)count << 8;
}

val unit_open(struct heap *h, val text, val file, val environment, enum unit_kind kind)
{
    struct cached_unit *c;
    text = TRY(string_to_constant(h, text));
    if (is_string(file))
        file = TRY(string_to_constant(h, file));
    val unit = TRY(unit_new(h, text, file, environment, kind));
    TRY(unit_read(h, unit, &c));
    set_count(unit, c->count);
    if (kind != UNIT_BODY)
        TRY(find_names(h, unit, c));
    return unit;
}

val unit_of_datum(struct heap *h, val datum, val environment)
{
    val unit = TRY(unit_new(h, datum, FALSE, environment, UNIT_DATUM));
    set_count(unit, 1);
    return unit;
}

val unit_supply(struct heap *h, val unit, val key, val value)
{
    TRY(heap_reserve(h, 64));
    val entry = TRY(cons(h, key, value));
    val list = TRY(cons(h, entry, object_field(unit, UNIT_SUPPLIED)));
    heap_store(h, unit, &object_fields(unit)[UNIT_SUPPLIED], list);
    return TRUE;
}

/* -- an attempt ------------------------------------------------------------------------------- */
struct attempt {
    struct expander x;
    struct ir_unit unit;
    struct library_form *library;
    struct toplevel *top;
};

static val attempt_begin(struct attempt *t, struct heap *h, struct arena *a, val unit)
{
    enum unit_kind kind = unit_kind(unit);
    memset(&t->unit, 0, sizeof t->unit);
    t->library = NULL;
    TRY(expander_init(&t->x, h, a, unit));
    TRY(scope_root(&t->x, object_field(unit, UNIT_ENVIRONMENT), &t->x.root));
    t->x.mode = kind == UNIT_BODY ? BODY_UNIT : BODY_PROGRAM;
    t->x.trusted = kind == UNIT_TRUSTED;
    t->x.names = object_field(unit, UNIT_NAMES);
    t->unit.file = object_field(unit, UNIT_FILE);
    t->unit.name = FALSE;
    t->unit.debug = kind == UNIT_PROGRAM || kind == UNIT_DATUM;
    return TRUE;
}

/* A define-library form makes an expander of its own. */
static val attempt_library(struct attempt *t, struct syntax *form)
{
    struct expander *x = &t->x;
    bool trusted = x->trusted;
    TRY(expander_init(x, x->h, x->a, x->unit));
    x->trusted = trusted;
    TRY(library_begin(x, form, &t->library));
    TRY(expander_run(x));
    val name = TRY(syntax_datum(x, form->pair.cdr->pair.car, false));
    val key = TRY(library_key(x->h, name));
    t->unit.name = TRY(symbol_intern(x->h, key));
    return library_finish(x, t->library, &t->unit);
}

static val is_library_form(struct expander *x, struct syntax *form)
{
    if (x->mode != BODY_PROGRAM || !syntax_is_pair(x, form))
        return FALSE;
    return is_keyword(x, form->pair.car, x->root, CORE_DEFINE_LIBRARY);
}

static val attempt_expand(struct attempt *t, struct syntax **forms, size_t count)
{
    struct expander *x = &t->x;
    if (count == 1 && is_true(TRY(is_library_form(x, forms[0]))))
        return attempt_library(t, forms[0]);
    TRY(toplevel_begin(x, forms, count, x->mode, &t->top));
    TRY(expander_run(x));
    return toplevel_finish(x, t->top, &t->unit);
}

static val attempt_forms(struct attempt *t, struct syntax **forms, size_t count)
{
    struct expander *x = &t->x;
    TRY(attempt_expand(t, forms, count));
    if (x->a->failed)
        return RETRY;
    val procedure = TRY(compile_unit(x->h, x->a, &t->unit));
    TRY(commit_all(x));
    if (t->library)
        TRY(library_register(x, t->library));
    return procedure;
}

static val attempt_unit(struct attempt *t, val unit, size_t index)
{
    static const struct position nowhere = {.file = {TAG_IMMEDIATE}};
    struct cached_unit *c;
    if (unit_kind(unit) == UNIT_DATUM) {
        struct syntax *form = syntax_of_datum(&t->x, object_field(unit, UNIT_TEXT), &nowhere);
        return attempt_forms(t, &form, 1);
    }
    TRY(unit_read(t->x.h, unit, &c));
    if (unit_kind(unit) == UNIT_BODY)
        return attempt_forms(t, c->forms, c->count);
    return attempt_forms(t, c->forms + index, 1);
}

/* Where the arena was full or the fuel at its end, forms looked malformed: what
 * was raised then means nothing. */
static val honest(struct heap *h, const struct arena *a, val answer)
{
    if (!is_eq(answer, RAISE))
        return answer;
    if (a->failed)
        return RETRY;
    return heap_poll(h) ? LIMIT : RAISE;
}

val unit_next(struct heap *h, val unit, size_t index)
{
    struct arena a;
    struct attempt t;
    uint64_t charge = h->charge;
    if (index >= unit_count(unit)) {
        unit_done(h, unit);
        return FALSE;
    }
    arena_init(&a, h);
    val answer = attempt_begin(&t, h, &a, unit);
    if (!is_control(answer))
        answer = attempt_unit(&t, unit, index);
    answer = honest(h, &a, answer);
    heap_work(h, a.given);
    arena_drop(&a);
    if (is_eq(answer, NEED)) {
        h->charge = charge;
        return t.x.need;
    }
    if (!is_control(answer) && index + 1 == unit_count(unit))
        unit_done(h, unit);
    return answer;
}

/* -- (environment import-set ...) -------------------------------------------------------- */
val unit_environment(struct heap *h, val import_sets, bool trusted)
{
    static const struct position nowhere = {.file = {TAG_IMMEDIATE}};
    struct arena a;
    struct expander x;
    val environment = TRY(environment_new(h, FALSE, FALSE));
    arena_init(&a, h);
    val done = expander_init(&x, h, &a, FALSE);
    if (!is_control(done))
        done = scope_root(&x, environment, &x.root);
    x.trusted = trusted;
    if (!is_control(done)) {
        struct syntax *sets = syntax_of_datum(&x, import_sets, &nowhere);
        done = import_into(&x, sets, environment, true);
    }
    if (!is_control(done) && a.failed)
        done = RETRY;
    done = honest(h, &a, done);
    arena_drop(&a);
    if (is_eq(done, NEED))
        return x.need;
    TRY(done);
    environment_set_immutable(environment);
    return environment;
}
