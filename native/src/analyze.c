/* T5 analysis: what is known of each variable and lambda.
 *
 * 1. One walk in order of evaluation makes the records (struct var, lam, ref) and
 *    rewrites: ((lambda ...) ...) to LET, call-with-values with a lambda as
 *    consumer to RECEIVE, sums of many to sums of two.
 * 2. letrec*: when closures are made, and which variables need a check.
 * 3. Contification: a lambda all of whose calls have the continuation of the
 *    form that binds it. A point names a continuation: the address of a lam for
 *    the end of its body, an odd number for any other place.
 * 4. Captures, by climbing from each reference to the variable's home.
 * Each is linear but for chains of contified lambdas. */
#include "compile.h"

#define HASH_FIRST 256u

struct capture_slot {
    const struct lam *frame;
    const struct var *var;
    size_t index;
};

struct visit {
    struct ir_node *node; /* NULL: letrec->current = index */
    struct lam *lam;
    uintptr_t point;
    struct letrec *letrec;
    size_t index;
};

struct walker {
    struct comp *c;
    struct visit *stack;
    size_t count, room;
};

void *comp_alloc(struct comp *c, size_t bytes)
{
    void *p = arena_alloc(c->arena, bytes);
    if (!p)
        c->failed = true;
    return p;
}

bool comp_grow(struct comp *c, void *array, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 16, bytes;
    void **slot = array;
    void *bigger = size_mul(more, size, &bytes) ? comp_alloc(c, bytes) : NULL;
    if (!bigger)
        return !(c->failed = true);
    if (count)
        memcpy(bigger, *slot, count * size);
    *slot = bigger;
    *room = more;
    return true;
}

const struct primitive *primitive_of(const struct ir_node *f)
{
    val v = FALSE;
    if (f->kind == IR_CONST)
        v = f->value;
    else if (f->kind == IR_GLOBAL && f->global->kind == GLOBAL_CONSTANT)
        v = f->global->value;
    return is_type(v, T_PRIMITIVE) ? &primitive_table[object_raw(v)[0]] : NULL;
}

/* -- records ------------------------------------------------------------------------------- */
static struct lam *new_lam(struct comp *c, struct ir_node *node, struct lam *parent)
{
    struct lam *l = COMP_NEW(c, struct lam);
    if (!l)
        return NULL;
    l->node = node;
    l->ir = node && node->kind == IR_LAMBDA ? node->lambda : NULL;
    l->parent = parent;
    l->code = l->closure = FALSE;
    l->id = c->lam_count++;
    if (l->ir)
        l->ir->scratch = l;
    if (c->last_lam)
        c->last_lam->next = l;
    else
        c->lams = l;
    c->last_lam = l;
    return l;
}

static struct var *new_var(struct comp *c, struct ir_var *ir, struct lam *home)
{
    struct var *v = COMP_NEW(c, struct var);
    if (!v)
        return NULL;
    v->ir = ir;
    v->home = home;
    v->assigned = ir->assigned;
    v->reg = NO_REGISTER;
    ir->scratch = v;
    return v;
}

static void push(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    if (!node || !lam || !comp_grow(w->c, &w->stack, sizeof *w->stack, w->count, &w->room))
        return;
    w->stack[w->count++] = (struct visit){node, lam, point, NULL, 0};
}

static void push_index(struct walker *w, struct letrec *letrec, size_t index)
{
    if (comp_grow(w->c, &w->stack, sizeof *w->stack, w->count, &w->room))
        w->stack[w->count++] = (struct visit){NULL, NULL, 0, letrec, index};
}

static uintptr_t new_point(struct comp *c)
{
    return c->next_point += 2;
}

static void add_edge(struct comp *c, struct letrec *l, size_t to)
{
    if (comp_grow(c, &l->edges, sizeof *l->edges, l->edge_count, &l->edge_room))
        l->edges[l->edge_count++] = (struct edge){(uint32_t)l->current, (uint32_t)to};
}

static void refer(struct comp *c, struct ir_var *ir, struct lam *lam, uintptr_t point,
                  const struct ir_node *call)
{
    struct var *v = var_of(ir);
    struct ref *r = v ? COMP_NEW(c, struct ref) : NULL;
    if (!r)
        return;
    *r = (struct ref){NULL, v->refs, v, lam, point, call != NULL};
    v->refs = r;
    if (c->last_ref)
        c->last_ref->next = r;
    else
        c->refs = r;
    c->last_ref = r;
    v->references++;
    if (call) {
        v->calls++;
        const struct ir_lambda *l = v->value ? v->value->ir : NULL;
        if (!l || l->rest || l->required != call->count)
            v->mismatch = true;
    }
    if (v->letrec && v->letrec->current < v->letrec->count)
        add_edge(c, v->letrec, v->index);
}

/* -- the walk ---------------------------------------------------------------------------------- */
static size_t lambda_vars(const struct ir_lambda *l)
{
    return l->required + (l->rest ? 1 : 0);
}

static struct lam *visit_lambda(struct walker *w, struct ir_node *node, struct lam *parent)
{
    struct lam *l = new_lam(w->c, node, parent);
    for (size_t i = 0; l && i < lambda_vars(l->ir); i++)
        if (!new_var(w->c, l->ir->vars[i], l))
            return NULL;
    if (l)
        push(w, l->ir->body, l, (uintptr_t)l);
    return l;
}

static struct lam *visit_case(struct walker *w, struct ir_node *node, struct lam *parent)
{
    struct lam *l = new_lam(w->c, node, parent);
    node->scratch = l;
    for (size_t i = node->count; l && i-- > 0;) {
        struct lam *clause = visit_lambda(w, node->items[i], l);
        if (clause)
            clause->clause = true;
    }
    return l;
}

static void visit_items(struct walker *w, const struct ir_node *node, struct lam *lam)
{
    for (size_t i = node->count; i-- > 0;)
        push(w, node->items[i], lam, new_point(w->c));
}

static bool is_candidate_init(const struct ir_node *init, const struct var *v)
{
    return init->kind == IR_LAMBDA && !v->assigned;
}

/* The init of `v` is a lambda: v means this lambda from now on. */
static void bind_lambda(struct walker *w, struct ir_node *init, struct var *v, struct lam *lam,
                        uintptr_t point)
{
    struct lam *l = visit_lambda(w, init, lam);
    if (!l)
        return;
    l->var = v;
    l->point = point;
    v->value = l;
}

static void visit_let(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    for (size_t i = 0; i < node->count; i++)
        if (!new_var(w->c, node->vars[i], lam))
            return;
    push(w, node->a, lam, point);
    for (size_t i = node->count; i-- > 0;) {
        struct var *v = var_of(node->vars[i]);
        if (is_candidate_init(node->items[i], v)) {
            bind_lambda(w, node->items[i], v, lam, point);
        } else if (node->items[i]->kind == IR_CONST && !v->assigned) {
            v->has_constant = true;
            v->constant = node->items[i]->value;
        } else {
            push(w, node->items[i], lam, new_point(w->c));
        }
    }
}

static void visit_letrec(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    struct letrec *l = COMP_NEW(w->c, struct letrec);
    size_t *flush = comp_alloc(w->c, (node->count + 1) * sizeof *flush);
    if (!l || !flush)
        return;
    if (!comp_grow(w->c, &w->c->letrecs, sizeof(struct ir_node *), w->c->letrec_count,
                   &w->c->letrec_room))
        return;
    w->c->letrecs[w->c->letrec_count++] = node;
    node->scratch = l;
    l->flush = flush;
    l->count = l->current = node->count;
    for (size_t i = 0; i < node->count; i++) {
        struct var *v = new_var(w->c, node->vars[i], lam);
        if (!v)
            return;
        v->letrec = l;
        v->index = i;
    }
    push(w, node->a, lam, point);
    push_index(w, l, node->count);
    for (size_t i = node->count; i-- > 0;) {
        struct var *v = var_of(node->vars[i]);
        if (is_candidate_init(node->items[i], v))
            bind_lambda(w, node->items[i], v, lam, point);
        else
            push(w, node->items[i], lam, new_point(w->c));
        push_index(w, l, i);
    }
}

static bool named(const struct primitive *p, const char *name)
{
    return p && strcmp(p->name, name) == 0;
}

/* (+ a b c ...) is (+ (+ a b) c) ... */
static void fold_left(struct comp *c, struct ir_node *node)
{
    while (node->count > 2) {
        struct ir_node *inner = COMP_NEW(c, struct ir_node);
        struct ir_node **items = comp_alloc(c, 2 * sizeof *items);
        if (!inner || !items)
            return;
        *inner = *node;
        inner->count--;
        items[0] = inner;
        items[1] = node->items[node->count - 1];
        node->items = items;
        node->count = 2;
        node = inner;
    }
}

/* (call-with-values producer (lambda vars body)). */
static bool to_receive(struct comp *c, struct ir_node *node)
{
    struct ir_node *consumer = node->items[1];
    if (consumer->kind != IR_LAMBDA || consumer->lambda->required > 1000)
        return false;
    struct ir_node *call = COMP_NEW(c, struct ir_node);
    if (!call)
        return false;
    call->kind = IR_CALL;
    call->at = node->at;
    call->a = node->items[0];
    node->kind = IR_RECEIVE;
    node->vars = consumer->lambda->vars;
    node->count = lambda_vars(consumer->lambda);
    node->tail_mark = consumer->lambda->rest;
    node->a = consumer->lambda->body;
    node->b = call;
    return true;
}

static void visit_receive(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    for (size_t i = 0; i < node->count; i++)
        if (!new_var(w->c, node->vars[i], lam))
            return;
    push(w, node->a, lam, point);
    push(w, node->b, lam, new_point(w->c));
}

/* Forms that are short for others. */
static void rewrite_call(struct comp *c, struct ir_node *node)
{
    struct ir_node *f = node->a;
    if (f->kind == IR_LAMBDA && !f->lambda->rest && f->lambda->required == node->count) {
        node->kind = IR_LET;
        node->vars = f->lambda->vars;
        node->a = f->lambda->body;
        return;
    }
    const struct primitive *p = primitive_of(f);
    if (node->count > 2 && (named(p, "+") || named(p, "-") || named(p, "*") || named(p, "/")))
        fold_left(c, node);
    else if (node->count == 2 && named(p, "call-with-values"))
        (void)to_receive(c, node);
}

static void visit_call(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    rewrite_call(w->c, node);
    if (node->kind == IR_LET) {
        visit_let(w, node, lam, point);
    } else if (node->kind == IR_RECEIVE) {
        visit_receive(w, node, lam, point);
    } else {
        visit_items(w, node, lam);
        if (node->a->kind == IR_LOCAL)
            refer(w->c, node->a->var, lam, point, node);
        else
            push(w, node->a, lam, new_point(w->c));
    }
}

static void visit_seq(struct walker *w, struct ir_node *node, struct lam *lam, uintptr_t point)
{
    for (size_t i = node->count; i-- > 0;)
        push(w, node->items[i], lam, i + 1 == node->count ? point : new_point(w->c));
}

static void mark_static(struct ir_global *g)
{
    struct lam *l = g->kind == GLOBAL_STATIC ? g->scratch : NULL;
    if (l)
        l->value_used = true;
}

static void visit(struct walker *w, const struct visit *t)
{
    struct ir_node *node = t->node;
    struct lam *lam = t->lam;
    w->c->work++;
    switch ((unsigned)node->kind) {
    case IR_LOCAL:
        refer(w->c, node->var, lam, t->point, NULL);
        break;
    case IR_SET_LOCAL:
        refer(w->c, node->var, lam, t->point, NULL);
        push(w, node->a, lam, new_point(w->c));
        break;
    case IR_GLOBAL:
        mark_static(node->global);
        break;
    case IR_SET_GLOBAL:
    case IR_DEFINE_GLOBAL:
        push(w, node->a, lam, new_point(w->c));
        break;
    case IR_IF:
        push(w, node->c, lam, t->point);
        push(w, node->b, lam, t->point);
        push(w, node->a, lam, new_point(w->c));
        break;
    case IR_LAMBDA: {
        struct lam *l = visit_lambda(w, node, lam);
        if (l)
            l->value_used = true;
        break;
    }
    case IR_CASE_LAMBDA: {
        struct lam *l = visit_case(w, node, lam);
        if (l)
            l->value_used = true;
        break;
    }
    case IR_CALL:
        visit_call(w, node, lam, t->point);
        break;
    case IR_SEQ:
        visit_seq(w, node, lam, t->point);
        break;
    case IR_LET:
        visit_let(w, node, lam, t->point);
        break;
    case IR_LETREC:
        visit_letrec(w, node, lam, t->point);
        break;
    case IR_RECEIVE:
        visit_receive(w, node, lam, t->point);
        break;
    default:
        break;
    }
}

static void walk(struct walker *w)
{
    while (w->count && !w->c->failed) {
        struct visit t = w->stack[--w->count];
        if (t.node)
            visit(w, &t);
        else
            t.letrec->current = t.index;
    }
}

/* set! found by the front end only; so `assigned` of it is complete. Statics first:
 * their lams exist when bodies refer to them. */
static void walk_unit(struct comp *c)
{
    struct walker w = {.c = c};
    for (size_t i = 0; i < c->unit->static_count; i++) {
        struct ir_global *g = c->unit->statics[i];
        struct ir_node *node = g->lambda;
        struct lam *l = node->kind == IR_CASE_LAMBDA ? visit_case(&w, node, NULL)
                                                     : visit_lambda(&w, node, NULL);
        g->scratch = l;
        if (!l)
            return;
        l->value_used = l->static_global = true;
    }
    c->root = new_lam(c, NULL, NULL);
    if (!c->root)
        return;
    c->root->node = c->unit->body;
    c->root->value_used = true;
    push(&w, c->unit->body, c->root, (uintptr_t)c->root);
    walk(&w);
}

/* -- letrec* ----------------------------------------------------------------------------- */
static bool is_lambda_init(const struct ir_node *node, size_t i)
{
    return var_of(node->vars[i])->value != NULL;
}

/* When each closure is made: as late as possible, together. */
static void plan_flushes(const struct ir_node *node, struct letrec *l)
{
    size_t e = 0, pending = 0;
    for (size_t m = 0; m < l->count; m++) {
        bool uses = false;
        for (; e < l->edge_count && l->edges[e].from <= m; e++)
            if (l->edges[e].from == m && l->edges[e].to < m && is_lambda_init(node, l->edges[e].to))
                uses = true;
        if (is_lambda_init(node, m) || !uses)
            continue;
        for (; pending < m; pending++)
            l->flush[pending] = m;
    }
    for (; pending < l->count; pending++)
        l->flush[pending] = l->count;
}

static void check_letrec(struct ir_node *node)
{
    struct letrec *l = node->scratch;
    plan_flushes(node, l);
    for (size_t e = 0; e < l->edge_count; e++) {
        size_t from = l->edges[e].from, to = l->edges[e].to;
        size_t time = is_lambda_init(node, from) ? l->flush[from] : from;
        struct var *v = var_of(node->vars[to]);
        if (v->value ? l->flush[to] > time : to >= time)
            v->checked = true;
    }
    for (size_t i = 0; i < l->count; i++) {
        struct var *v = var_of(node->vars[i]);
        if (!v->checked || !v->value)
            continue;
        v->value->var = NULL;
        v->value->value_used = true;
        v->value = NULL;
    }
}

/* -- contification ----------------------------------------------------------------------- */
static void fail(struct lam *first)
{
    struct lam *queue = first;
    if (first->failed)
        return;
    first->failed = true;
    struct dependent *d = queue->dependents;
    queue->dependents = NULL;
    while (d) { /* splice the dependents of each one that fails in front */
        struct lam *l = d->lam;
        d = d->next;
        if (l->failed)
            continue;
        l->failed = true;
        struct dependent *more = l->dependents, *last = more;
        l->dependents = NULL;
        while (last && last->next)
            last = last->next;
        if (last) {
            last->next = d;
            d = more;
        }
    }
}

/* The call at point p of f: does it continue where f's binding form does? */
static void climb_points(struct comp *c, struct lam *f, uintptr_t p)
{
    while (p != f->point) {
        struct lam *g = p & 1 ? NULL : (struct lam *)p;
        if (!g || !g->known || g->failed) {
            fail(f);
            return;
        }
        struct dependent *d = COMP_NEW(c, struct dependent);
        if (!d)
            return;
        *d = (struct dependent){g->dependents, f};
        g->dependents = d;
        p = g->point;
        c->work++;
    }
}

static void contify(struct comp *c)
{
    for (struct lam *l = c->lams; l; l = l->next) {
        struct var *v = l->var;
        l->known = v && v->references == v->calls && !v->mismatch;
        if (v && v->references > v->calls)
            l->value_used = true;
        if (v && v->mismatch)
            l->value_used = true;
    }
    for (struct ref *r = c->refs; r && !c->failed; r = r->next)
        if (r->call && r->var->value && r->var->value->known && !r->var->value->failed)
            climb_points(c, r->var->value, r->point);
    for (struct lam *l = c->lams; l; l = l->next) {
        l->contified = l->known && !l->failed;
        bool inner = l->contified || l->clause;
        l->frame = inner ? l->parent->frame : l;
    }
}

/* -- captures ---------------------------------------------------------------------------- */
static size_t hash_of(const struct lam *f, const struct var *v)
{
    uint64_t x = ((uintptr_t)f >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ ((uintptr_t)v >> 4)) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (size_t)(x ^ (x >> 29));
}

static struct capture_slot *find_slot(const struct comp *c, const struct lam *f,
                                      const struct var *v)
{
    size_t i = hash_of(f, v) & (c->table_room - 1);
    while (c->table[i].frame && (c->table[i].frame != f || c->table[i].var != v))
        i = (i + 1) & (c->table_room - 1);
    return &c->table[i];
}

int64_t capture_index(const struct comp *c, const struct lam *f, const struct var *v)
{
    const struct capture_slot *s = find_slot(c, f, v);
    return s->frame ? (int64_t)s->index : -1;
}

static bool table_grow(struct comp *c)
{
    struct capture_slot *old = c->table;
    size_t room = c->table_room;
    c->table_room = room ? room * 2 : HASH_FIRST;
    c->table = comp_alloc(c, c->table_room * sizeof *c->table);
    if (!c->table)
        return false;
    for (size_t i = 0; i < room; i++)
        if (old[i].frame)
            *find_slot(c, old[i].frame, old[i].var) = old[i];
    return true;
}

/* Frame f captures v. False: it did already, or no memory. */
static bool add_capture(struct comp *c, struct lam *f, struct var *v)
{
    if (c->table_count * 2 >= c->table_room && !table_grow(c))
        return false;
    struct capture_slot *s = find_slot(c, f, v);
    struct capture *k = s->frame ? NULL : COMP_NEW(c, struct capture);
    if (!k)
        return false;
    *s = (struct capture_slot){f, v, f->capture_count++};
    c->table_count++;
    k->var = v;
    if (f->last_capture)
        f->last_capture->next = k;
    else
        f->captures = k;
    f->last_capture = k;
    return true;
}

/* From a reference in frame f out to where v lives. New members of the queue:
 * frames that turn out to need a closure and are bound to a variable. */
static void climb_frames(struct comp *c, struct lam *f, struct var *v, struct lam **queue,
                         size_t *count)
{
    struct lam *home = v->home->frame;
    while (f && f != home && f != v->value && add_capture(c, f, v)) {
        if (f->var && f->var->value == f && !f->queued) {
            f->queued = true;
            queue[(*count)++] = f;
        }
        f = f->parent ? f->parent->frame : NULL;
        c->work++;
    }
}

static void find_captures(struct comp *c)
{
    struct lam **queue = comp_alloc(c, (c->lam_count + 1) * sizeof(struct lam *));
    size_t count = 0;
    if (!queue || !table_grow(c))
        return;
    for (struct ref *r = c->refs; r && !c->failed; r = r->next)
        if (!r->var->value && !r->var->has_constant)
            climb_frames(c, r->lam->frame, r->var, queue, &count);
    for (size_t i = 0; i < count && !c->failed; i++)
        for (struct ref *r = queue[i]->var->refs; r; r = r->next_of_var)
            climb_frames(c, r->lam->frame, r->var, queue, &count);
}

/* How often a register will be read: by references in the variable's own frame,
 * and once for each closure made there that captures it. */
static void count_uses(struct comp *c)
{
    for (struct ref *r = c->refs; r; r = r->next)
        if (r->lam->frame == r->var->home->frame)
            r->var->uses++;
    for (struct lam *l = c->lams; l; l = l->next)
        for (struct capture *k = l->captures; k; k = k->next)
            if (l->parent && l->parent->frame == k->var->home->frame)
                k->var->uses++;
}

bool analyze(struct comp *c)
{
    c->next_point = 1;
    walk_unit(c);
    for (size_t i = 0; i < c->letrec_count && !c->failed; i++)
        check_letrec(c->letrecs[i]);
    if (!c->failed)
        contify(c);
    if (!c->failed)
        find_captures(c);
    if (!c->failed)
        count_uses(c);
    return !c->failed;
}
