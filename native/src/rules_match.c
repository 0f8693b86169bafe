/* T5 syntax-rules: matching a use against a compiled pattern, and building the
 * instance of a template.
 *
 * Loops over explicit stacks, charged by nodes. Matching needs no backtracking:
 * an ellipsis takes all pairs that the patterns behind it leave over, and each
 * variable has its cell before what it matches is looked at. Building steps the
 * variables below an ellipsis through their sequences, one row at a time. */
#include "num.h"
#include "rules.h"
#include "string.h"

/* -- matching ------------------------------------------------------------------- */
struct match_work {
    struct match_work *next;
    struct pattern *pattern;
    struct syntax *syntax;
    struct match *base; /* of variable `first` */
    size_t first;
};

struct matcher {
    struct expander *x;
    struct macro *macro;
    struct scope *scope;
    struct match_work *work, *spare;
    size_t steps;
};

static void match_push(struct matcher *m, struct pattern *p, struct syntax *s, struct match *base,
                       size_t first)
{
    struct match_work *w = m->spare;
    if (w)
        m->spare = w->next;
    else
        w = TAKE(m->x, struct match_work);
    *w = (struct match_work){m->work, p, s, base, first};
    m->work = w;
}

static bool same_datum(val a, val b)
{
    if (is_eq(a, b))
        return true;
    if (is_number(a) && is_number(b))
        return num_eqv(a, b);
    if (is_string(a) && is_string(b))
        return string_equal(a, b);
    if (is_bytevector(a) && is_bytevector(b))
        return object_length(a) == object_length(b) &&
               memcmp(object_bytes(a), object_bytes(b), object_length(a)) == 0;
    return false;
}

static val match_ellipsis(struct matcher *m, const struct match_work *w)
{
    const struct pattern *p = w->pattern;
    struct syntax *s = w->syntax;
    size_t n = 0;
    for (; syntax_is_pair(m->x, s); s = s->pair.cdr)
        n++;
    m->steps += n;
    if (n < p->tail)
        return FALSE;
    struct sequence *q = TAKE(m->x, struct sequence);
    q->count = n - p->tail;
    q->first = p->first;
    q->width = p->last - p->first;
    size_t cells;
    if (!size_mul(q->count, q->width, &cells))
        return RETRY;
    q->rows = ARENA_ARRAY(m->x->a, struct match, cells + 1);
    if (!q->rows)
        return RETRY;
    for (size_t i = p->first; i < p->last; i++)
        w->base[i - w->first].sequence = q;
    s = w->syntax;
    for (size_t i = 0; i < q->count; i++, s = s->pair.cdr)
        match_push(m, p->a, s->pair.car, q->rows + i * q->width, p->first);
    match_push(m, p->b, s, w->base, w->first);
    return TRUE;
}

/* TRUE: matches so far; FALSE: no match. */
static val match_step(struct matcher *m, const struct match_work *w)
{
    struct pattern *p = w->pattern;
    struct syntax *s = w->syntax;
    switch (p->kind) {
    case PATTERN_ANY:
        return TRUE;
    case PATTERN_VARIABLE:
        w->base[p->index - w->first].syntax = s;
        return TRUE;
    case PATTERN_LITERAL:
        if (!syntax_is_identifier(s))
            return FALSE;
        return same_meaning(m->x, p->syntax, m->macro->scope, s, m->scope);
    case PATTERN_NIL:
        return val_bool(syntax_is_nil(s));
    case PATTERN_DATUM:
        return val_bool(s->kind == SYN_ATOM && same_datum(p->syntax->atom, s->atom));
    case PATTERN_PAIR:
        if (!syntax_is_pair(m->x, s))
            return FALSE;
        match_push(m, p->b, s->pair.cdr, w->base, w->first);
        match_push(m, p->a, s->pair.car, w->base, w->first);
        return TRUE;
    case PATTERN_ELLIPSIS:
        return match_ellipsis(m, w);
    default:
        syntax_open(m->x, s);
        if (s->kind != SYN_VECTOR)
            return FALSE;
        match_push(m, p->a, syntax_vector_list(m->x, s), w->base, w->first);
        return TRUE;
    }
}

val rule_match(struct expander *x, struct macro *macro, struct rule *r, struct syntax *form,
               struct scope *scope, struct match *out)
{
    struct matcher m = {.x = x, .macro = macro, .scope = scope};
    match_push(&m, r->matcher, form->pair.cdr, out, 0);
    while (m.work) {
        struct match_work w = *m.work;
        m.work->next = m.spare;
        m.spare = m.work;
        m.work = w.next;
        val matched = TRY(match_step(&m, &w));
        if (x->a->failed)
            return RETRY;
        if (!is_true(matched))
            break;
        if ((++m.steps & 255) == 0 && heap_poll(x->h))
            return LIMIT;
        if (!m.work) {
            heap_charge(x->h, m.steps / 16);
            return TRUE;
        }
    }
    heap_charge(x->h, m.steps / 16);
    return FALSE;
}

/* -- building --------------------------------------------------------------------- */
/* The end of a list under construction, shared by ellipses that splice. */
struct tail {
    struct syntax **out;
};

struct build_work {
    struct build_work *next;
    struct shape *shape;
    struct syntax **out;
    struct match *matches;
    struct tail *tail;     /* an ellipsis between two steps; else NULL */
    struct match *stepped; /* the variables as the next step sees them */
    size_t index, count;
};

struct builder {
    struct expander *x;
    struct macro *macro;
    struct syntax *use;
    struct build_work *work, *spare;
    struct syntax **names;
    size_t variables, nodes;
};

static struct build_work *build_push(struct builder *b, struct shape *shape, struct syntax **out,
                                     struct match *matches)
{
    struct build_work *w = b->spare;
    if (w)
        b->spare = w->next;
    else
        w = TAKE(b->x, struct build_work);
    *w = (struct build_work){.next = b->work, .shape = shape, .out = out, .matches = matches};
    b->work = w;
    return w;
}

static struct syntax *renamed(struct builder *b, const struct shape *s)
{
    if (!b->names[s->index]) {
        struct alias *alias = TAKE(b->x, struct alias);
        alias->inner = s->syntax;
        alias->scope = b->macro->scope;
        alias->identifier = FALSE;
        struct syntax *id = syntax_new(b->x, SYN_ALIAS, b->use);
        id->alias = alias;
        b->names[s->index] = id;
    }
    return b->names[s->index];
}

/* Number of steps: all variables that step here must have as many. */
static val step_count(struct builder *b, const struct shape *s, const struct match *matches,
                      size_t *out)
{
    *out = matches[s->drivers[0]].sequence->count;
    for (size_t i = 1; i < s->driver_count; i++) {
        if (matches[s->drivers[i]].sequence->count != *out)
            return FAIL(b->x, b->use, NULL,
                        "variables of %s that stand before one ellipsis matched different lengths",
                        symbol_text(b->x, b->macro->name));
    }
    return TRUE;
}

static val begin_ellipsis(struct builder *b, struct shape *s, struct tail *tail,
                          struct match *matches)
{
    struct build_work *w = build_push(b, s, NULL, matches);
    w->tail = tail;
    TRY(step_count(b, s, matches, &w->count));
    w->stepped = ARENA_ARRAY(b->x->a, struct match, b->variables + 1);
    if (!w->stepped)
        return RETRY;
    memcpy(w->stepped, matches, b->variables * sizeof *matches);
    return TRUE;
}

static val next_step(struct builder *b, struct build_work w)
{
    struct shape *s = w.shape;
    if (w.index == w.count) {
        if (s->b)
            build_push(b, s->b, w.tail->out, w.matches);
        return TRUE;
    }
    for (size_t i = 0; i < s->driver_count; i++) {
        size_t v = s->drivers[i];
        struct sequence *q = w.matches[v].sequence;
        w.stepped[v] = q->rows[w.index * q->width + (v - q->first)];
    }
    struct build_work *again = build_push(b, s, NULL, w.matches);
    again->tail = w.tail;
    again->stepped = w.stepped;
    again->index = w.index + 1;
    again->count = w.count;
    if (s->a->kind == SHAPE_ELLIPSIS && !s->a->b)
        return begin_ellipsis(b, s->a, w.tail, w.stepped);
    struct syntax *pair = syntax_new(b->x, SYN_PAIR, b->use);
    *w.tail->out = pair;
    w.tail->out = &pair->pair.cdr;
    build_push(b, s->a, &pair->pair.car, w.stepped);
    return TRUE;
}

/* A vector's list of items is complete. */
static val finish_vector(struct builder *b, struct syntax **out)
{
    struct syntax *list = *out, *v = syntax_new(b->x, SYN_VECTOR, b->use);
    int64_t n = syntax_length(b->x, list);
    if (n < 0)
        return RETRY;
    v->vector.items = ARENA_ARRAY(b->x->a, struct syntax *, (size_t)n + 1);
    if (!v->vector.items)
        return RETRY;
    v->vector.length = (size_t)n;
    for (size_t i = 0; i < (size_t)n; i++, list = list->pair.cdr)
        v->vector.items[i] = list->pair.car;
    *out = v;
    return TRUE;
}

static val build_pair(struct builder *b, const struct build_work *w)
{
    struct syntax *pair = syntax_new(b->x, SYN_PAIR, b->use);
    *w->out = pair;
    build_push(b, w->shape->b, &pair->pair.cdr, w->matches);
    build_push(b, w->shape->a, &pair->pair.car, w->matches);
    return TRUE;
}

static val build_step(struct builder *b, const struct build_work *w)
{
    struct shape *s = w->shape;
    if (!s)
        return finish_vector(b, w->out);
    if (w->tail)
        return next_step(b, *w);
    switch (s->kind) {
    case SHAPE_CONSTANT:
        *w->out = s->syntax;
        return TRUE;
    case SHAPE_VARIABLE:
        *w->out = w->matches[s->index].syntax;
        return TRUE;
    case SHAPE_NAME:
        *w->out = b->macro->keeps_names ? s->syntax : renamed(b, s);
        return TRUE;
    case SHAPE_PAIR:
        return build_pair(b, w);
    case SHAPE_ELLIPSIS: {
        struct tail *tail = TAKE(b->x, struct tail);
        tail->out = w->out;
        return begin_ellipsis(b, s, tail, w->matches);
    }
    default:
        build_push(b, NULL, w->out, w->matches);
        build_push(b, s->a, w->out, w->matches);
        return TRUE;
    }
}

val rule_build(struct expander *x, struct macro *m, struct rule *r, struct syntax *use,
               struct match *matches, struct syntax **out)
{
    struct builder b = {.x = x, .macro = m, .use = use, .variables = r->variables};
    b.names = ARENA_ARRAY(x->a, struct syntax *, r->names + 1);
    if (!b.names)
        return RETRY;
    build_push(&b, r->builder, out, matches);
    while (b.work) {
        struct build_work w = *b.work;
        b.work->next = b.spare;
        b.spare = b.work;
        b.work = w.next;
        TRY(build_step(&b, &w));
        if (x->a->failed)
            return RETRY;
        if ((++b.nodes & 7) == 0) {
            heap_charge(x->h, 1);
            if (heap_poll(x->h))
                return LIMIT;
        }
    }
    heap_charge(x->h, 1);
    return TRUE;
}
