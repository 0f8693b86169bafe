/* T5 syntax-rules: patterns and templates compiled, and their errors found.
 *
 * Both compilers are loops over a stack of work items in the arena. A variable's
 * number is given in the order of the pattern, so those below one ellipsis are
 * a range. A variable of depth d in a template steps at the outermost d of the
 * ellipses around it (SRFI 149: further ones repeat it). */
#include "rules.h"

struct variable {
    size_t index, depth;
};

struct work {
    struct work *next;
    struct syntax *syntax;
    struct pattern **pattern;
    struct pattern *closing; /* an ellipsis whose sub-pattern is done */
    struct shape **shape;
    struct shape *outer, *check;
    size_t depth;
    bool flag; /* pattern: an ellipsis was seen in this list; template: escaped */
};

struct compile {
    struct expander *x;
    struct macro *macro;
    struct work *work;
    struct map variables; /* identifier -> struct variable */
    struct map names;     /* identifier -> index + 1 */
    size_t count, name_count;
};

static struct work *add(struct compile *c, struct syntax *s, size_t depth, bool flag)
{
    struct work *w = TAKE(c->x, struct work);
    w->next = c->work;
    w->syntax = s;
    w->depth = depth;
    w->flag = flag;
    c->work = w;
    return w;
}

static bool same_identifier(const struct syntax *a, const struct syntax *b)
{
    return syntax_is_identifier(a) && syntax_is_identifier(b) &&
           identifier_key(a) == identifier_key(b);
}

static bool is_literal(struct compile *c, struct syntax *id)
{
    struct syntax *p = c->macro->literals;
    for (; syntax_is_pair(c->x, p); p = p->pair.cdr) {
        if (same_identifier(p->pair.car, id))
            return true;
    }
    return false;
}

/* The default ellipsis goes by its name, so that it works through aliases. */
static bool is_ellipsis(struct compile *c, struct syntax *s)
{
    struct syntax *ellipsis = c->macro->ellipsis;
    if (!syntax_is_identifier(s))
        return false;
    bool same = ellipsis ? same_identifier(s, ellipsis) : symbol_is(identifier_symbol(s), "...");
    return same && !is_literal(c, s);
}

/* -- patterns ------------------------------------------------------------------- */
static val pattern_identifier(struct compile *c, struct work *w, struct pattern *p)
{
    struct expander *x = c->x;
    struct syntax *id = w->syntax;
    p->syntax = id;
    p->kind = PATTERN_LITERAL;
    if (is_literal(c, id))
        return TRUE;
    if (is_ellipsis(c, id))
        return FAIL(x, id, "an ellipsis stands behind a pattern, once in a list",
                    "misplaced ellipsis in a pattern");
    p->kind = PATTERN_ANY;
    if (symbol_is(identifier_symbol(id), "_"))
        return TRUE;
    if (map_get(&c->variables, identifier_key(id)))
        return FAIL(x, id, "each pattern variable stands once in a pattern",
                    "the pattern variable %s is repeated", identifier_text(x, id));
    struct variable *v = TAKE(x, struct variable);
    v->index = c->count++;
    v->depth = w->depth;
    p->kind = PATTERN_VARIABLE;
    p->index = v->index;
    return map_put(x->a, &c->variables, identifier_key(id), v);
}

static size_t count_pairs(struct expander *x, struct syntax *s)
{
    size_t n = 0;
    for (; syntax_is_pair(x, s); s = s->pair.cdr)
        n++;
    return n;
}

static val pattern_pair(struct compile *c, struct work *w, struct pattern *p)
{
    struct syntax *s = w->syntax, *behind = s->pair.cdr;
    if (!syntax_is_pair(c->x, behind) || !is_ellipsis(c, behind->pair.car)) {
        p->kind = PATTERN_PAIR;
        add(c, behind, w->depth, w->flag)->pattern = &p->b;
        add(c, s->pair.car, w->depth, false)->pattern = &p->a;
        return TRUE;
    }
    if (w->flag)
        return FAIL(c->x, behind->pair.car, "an ellipsis stands once in a list",
                    "two ellipses in one list of a pattern");
    p->kind = PATTERN_ELLIPSIS;
    p->first = c->count;
    p->tail = count_pairs(c->x, behind->pair.cdr);
    add(c, behind->pair.cdr, w->depth, true)->pattern = &p->b;
    add(c, s, w->depth, false)->closing = p;
    add(c, s->pair.car, w->depth + 1, false)->pattern = &p->a;
    return TRUE;
}

static val pattern_step(struct compile *c, struct work *w)
{
    if (w->closing) {
        w->closing->last = c->count;
        return TRUE;
    }
    struct pattern *p = TAKE(c->x, struct pattern);
    struct syntax *s = w->syntax;
    *w->pattern = p;
    syntax_open(c->x, s);
    switch (s->kind) {
    case SYN_SYMBOL:
    case SYN_ALIAS:
        return pattern_identifier(c, w, p);
    case SYN_PAIR:
        return pattern_pair(c, w, p);
    case SYN_VECTOR:
        p->kind = PATTERN_VECTOR;
        add(c, syntax_vector_list(c->x, s), w->depth, false)->pattern = &p->a;
        return TRUE;
    default:
        p->kind = s->kind == SYN_NIL ? PATTERN_NIL : PATTERN_DATUM;
        p->syntax = s;
        return TRUE;
    }
}

/* -- templates ---------------------------------------------------------------------- */
static val add_driver(struct compile *c, struct shape *e, size_t index)
{
    for (size_t i = 0; i < e->driver_count; i++) {
        if (e->drivers[i] == index)
            return TRUE;
    }
    if (e->driver_count == e->driver_capacity) {
        size_t capacity = size_max(4, e->driver_capacity * 2);
        size_t *more = ARENA_ARRAY(c->x->a, size_t, capacity);
        if (!more)
            return RETRY;
        if (e->driver_count > 0)
            memcpy(more, e->drivers, e->driver_count * sizeof *more);
        e->drivers = more;
        e->driver_capacity = capacity;
    }
    e->drivers[e->driver_count++] = index;
    return TRUE;
}

static val shape_variable(struct compile *c, struct work *w, struct shape *s,
                          const struct variable *v)
{
    s->kind = SHAPE_VARIABLE;
    s->index = v->index;
    if (w->depth < v->depth)
        return FAIL(c->x, w->syntax, "in the template it needs as many ellipses as in the pattern",
                    "the pattern variable %s stands without its ellipsis",
                    identifier_text(c->x, w->syntax));
    for (struct shape *e = w->outer; e; e = e->outer) {
        if (e->level < v->depth)
            TRY(add_driver(c, e, v->index));
    }
    return TRUE;
}

static val shape_identifier(struct compile *c, struct work *w, struct shape *s)
{
    struct syntax *id = w->syntax;
    struct variable *v = map_get(&c->variables, identifier_key(id));
    if (v)
        return shape_variable(c, w, s, v);
    if (!w->flag && is_ellipsis(c, id))
        return FAIL(c->x, id, "an ellipsis follows a template; write (... ...) for a plain one",
                    "misplaced ellipsis in a template");
    uintptr_t known = (uintptr_t)map_get(&c->names, identifier_key(id));
    s->kind = SHAPE_NAME;
    s->syntax = id;
    s->index = known ? known - 1 : c->name_count++;
    return known ? TRUE : map_put(c->x->a, &c->names, identifier_key(id), (void *)(s->index + 1));
}

/* s stands before `depth` ellipses: nested shapes, the inner ones splice. */
static void shape_ellipsis(struct compile *c, struct work *w, struct shape *s, size_t ellipses,
                           struct syntax *tail)
{
    struct shape *outer = w->outer;
    struct syntax *sub = w->syntax->pair.car;
    add(c, tail, w->depth, false)->shape = &s->b;
    c->work->outer = w->outer;
    for (size_t i = 0; i < ellipses && !c->x->a->failed; i++) {
        if (i > 0) {
            outer->a = TAKE(c->x, struct shape);
            s = outer->a;
        }
        s->kind = SHAPE_ELLIPSIS;
        s->level = w->depth + i;
        s->outer = outer;
        outer = s;
        add(c, w->syntax, 0, false)->check = s;
    }
    add(c, sub, w->depth + ellipses, false)->shape = &s->a;
    c->work->outer = s;
}

static val shape_pair(struct compile *c, struct work *w, struct shape *s)
{
    struct expander *x = c->x;
    struct syntax *first = w->syntax->pair.car, *tail = w->syntax->pair.cdr;
    if (!w->flag && is_ellipsis(c, first) && syntax_length(x, tail) == 1) {
        struct work *inner = add(c, tail->pair.car, w->depth, true);
        inner->shape = w->shape;
        inner->outer = w->outer;
        return TRUE;
    }
    size_t ellipses = 0;
    for (; !w->flag && syntax_is_pair(x, tail) && is_ellipsis(c, tail->pair.car);
         tail = tail->pair.cdr)
        ellipses++;
    if (ellipses > 0) {
        shape_ellipsis(c, w, s, ellipses, tail);
        return TRUE;
    }
    s->kind = SHAPE_PAIR;
    struct work *rest = add(c, tail, w->depth, w->flag);
    rest->shape = &s->b;
    rest->outer = w->outer;
    struct work *head = add(c, first, w->depth, w->flag);
    head->shape = &s->a;
    head->outer = w->outer;
    return TRUE;
}

static val shape_step(struct compile *c, struct work *w)
{
    if (w->check) {
        if (w->check->driver_count > 0)
            return TRUE;
        return FAIL(c->x, w->syntax,
                    "a template before ... holds a variable that has ... in the pattern",
                    "nothing to repeat before an ellipsis: %s", syntax_text(c->x, w->syntax));
    }
    struct shape *s = TAKE(c->x, struct shape);
    *w->shape = s;
    syntax_open(c->x, w->syntax);
    switch (w->syntax->kind) {
    case SYN_SYMBOL:
    case SYN_ALIAS:
        return shape_identifier(c, w, s);
    case SYN_PAIR:
        return shape_pair(c, w, s);
    case SYN_VECTOR:
        s->kind = SHAPE_VECTOR;
        add(c, syntax_vector_list(c->x, w->syntax), w->depth, w->flag)->shape = &s->a;
        c->work->outer = w->outer;
        return TRUE;
    default:
        s->kind = SHAPE_CONSTANT;
        s->syntax = w->syntax;
        return TRUE;
    }
}

/* -- both --------------------------------------------------------------------------------- */
static val drain(struct compile *c)
{
    while (c->work) {
        struct work w = *c->work;
        c->work = w.next;
        TRY(w.pattern || w.closing ? pattern_step(c, &w) : shape_step(c, &w));
        heap_charge(c->x->h, 1);
        if (c->x->a->failed)
            return RETRY;
        if (heap_poll(c->x->h))
            return LIMIT;
    }
    return TRUE;
}

val rule_compile(struct expander *x, struct macro *m, struct rule *r)
{
    struct compile c = {.x = x, .macro = m};
    if (!syntax_is_pair(x, r->pattern))
        return FAIL(x, r->pattern, "a rule is ((_ pattern ...) template)", "malformed pattern: %s",
                    syntax_text(x, r->pattern));
    add(&c, r->pattern->pair.cdr, 0, false)->pattern = &r->matcher;
    TRY(drain(&c));
    add(&c, r->template, 0, false)->shape = &r->builder;
    TRY(drain(&c));
    r->variables = c.count;
    r->names = c.name_count;
    return TRUE;
}
