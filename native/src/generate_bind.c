/* T5 generation: LET, LETREC, RECEIVE, and the bodies of contified lambdas.
 *
 * The body of the binding form comes first; behind it those of its contified
 * lambdas, each at its label, all in the context of the form. Closures of a letrec
 * are made in groups (letrec.flush); what one captures before it exists is patched
 * in. Variables that might be used before their definition live in boxes that
 * hold UNBOUND at first. */
#include "generate.h"

/* -- bodies --------------------------------------------------------------------------------- */
struct form {
    struct label *end; /* NULL where every path leaves */
    size_t path, longest;
};

static bool is_jumped_to(const struct ir_var *var)
{
    const struct var *v = var_of(var);
    return v->value && v->value->contified && v->references > 0;
}

static bool has_jumps(const struct ir_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (is_jumped_to(node->vars[i]))
            return true;
    return false;
}

static void place_parameters(struct gen *g, const struct lam *l)
{
    for (size_t i = 0; i < l->ir->required; i++)
        own_register(g, var_of(l->ir->vars[i]), g->top++, g->level + 1);
    need_registers(g, g->top);
}

static void step_form_end(struct gen *g, const struct task *t)
{
    struct form *f = t->p;
    if (f->longest > g->path)
        g->path = f->longest;
    set_top(g, t->top);
    for (size_t i = 0; i < t->node->count; i++) {
        if (!is_jumped_to(t->node->vars[i]))
            continue;
        const struct lam *l = var_of(t->node->vars[i])->value;
        for (size_t k = 0; k < l->loop_count; k++)
            g->words[l->loops[k]] |= path_cost(l->path) << 16;
    }
    bind_label(g, f->end);
}

static void step_lambda_end(struct gen *g, const struct task *t)
{
    struct form *f = t->p;
    struct lam *l = t->q;
    g->level--;
    l->path = g->path - f->path;
    if (g->path > f->longest)
        f->longest = g->path;
}

static void step_lambda(struct gen *g, const struct task *t)
{
    struct form *f = t->p;
    struct lam *l = t->q;
    set_top(g, t->top);
    if (f->end)
        emit_jump(g, f->end);
    if (g->path > f->longest)
        f->longest = g->path;
    g->path = f->path;
    bind_label(g, l->label);
    if (g->dead)
        return;
    g->level++;
    for (size_t i = 0; i < l->ir->required; i++)
        box_variable(g, var_of(l->ir->vars[i]));
    struct task *end = push_task(g, step_lambda_end, l->ir->body, t->ctx);
    if (end) {
        end->p = f;
        end->q = l;
    }
    push_node(g, l->ir->body, t->ctx);
}

/* Fork where the form's own body ends: its path so far is where the lambdas' begin. */
static void step_body_end(struct gen *g, const struct task *t)
{
    struct form *f = t->p;
    f->path = f->longest = g->path;
    set_top(g, t->top);
}

static void push_bodies(struct gen *g, struct ir_node *node, struct context ctx)
{
    struct form *f = COMP_NEW(g->c, struct form);
    if (!f)
        return;
    if (ctx.kind != CONTEXT_TAIL && ctx.kind != CONTEXT_TEST)
        f->end = new_label(g);
    ctx.next = NULL;
    for (size_t i = 0; i < node->count; i++)
        if (is_jumped_to(node->vars[i])) {
            struct lam *l = var_of(node->vars[i])->value;
            l->label = new_label(g);
            place_parameters(g, l);
        }
    struct task *t = push_task(g, step_form_end, node, ctx);
    if (t)
        t->p = f;
    for (size_t i = node->count; i-- > 0;) {
        if (!is_jumped_to(node->vars[i]))
            continue;
        t = push_task(g, step_lambda, node, ctx);
        if (t) {
            t->p = f;
            t->q = var_of(node->vars[i])->value;
        }
    }
    t = push_task(g, step_body_end, node, ctx);
    if (t)
        t->p = f;
    push_node(g, node->a, ctx);
}

/* All is bound: the body, then the registers are free again (whoever pushed the
 * form resets top). */
static void gen_bodies(struct gen *g, struct ir_node *node, struct context ctx)
{
    if (has_jumps(node))
        push_bodies(g, node, ctx);
    else
        push_node(g, node->a, ctx);
}

/* -- LET --------------------------------------------------------------------------------- */
/* Does `v` need a register of its own, filled by its init? */
static bool has_place(const struct var *v)
{
    if (v->has_constant || is_lifted(v))
        return false;
    return !v->value || !v->value->contified;
}

static void step_let(struct gen *g, const struct task *t);

static void step_let_bound(struct gen *g, const struct task *t)
{
    struct var *v = var_of(t->node->vars[t->i]);
    set_top(g, t->regs[0]);
    own_register(g, v, g->top++, g->level);
    box_variable(g, v);
}

/* v is another name for the variable that `init` is. */
static void share_register(struct var *v, const struct ir_node *init)
{
    struct var *other = var_of(init->var);
    consume(other);
    v->reg = other->reg;
    while (other->alias)
        other = other->alias;
    v->alias = other;
    other->uses += v->uses;
}

static void let_init(struct gen *g, const struct task *t)
{
    struct ir_node *init = t->node->items[t->i];
    struct var *v = var_of(t->node->vars[t->i]);
    uint32_t direct = direct_register(g, init);
    if (v->value) {
        need_registers(g, g->top + 1);
        emit_closure(g, v->value, g->top, NULL, 0, NULL);
        own_register(g, v, g->top++, g->level);
    } else if (direct != NO_REGISTER && !is_boxed(v)) {
        share_register(v, init);
    } else {
        need_registers(g, g->top + 1);
        struct task *bound = push_task(g, step_let_bound, t->node, t->ctx);
        if (bound) {
            bound->i = t->i;
            bound->regs[0] = g->top;
        }
        push_node(g, init, in_register(g->top));
    }
}

static void step_let(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    size_t i = t->i;
    while (i < node->count && !has_place(var_of(node->vars[i])))
        i++;
    if (i == node->count) {
        gen_bodies(g, node, t->ctx);
        return;
    }
    struct task *more = push_task(g, step_let, node, t->ctx);
    if (!more)
        return;
    more->i = i + 1;
    struct task now = *t;
    now.i = i;
    let_init(g, &now);
}

static bool is_variable(const struct ir_node *node, const struct ir_var *v)
{
    return node && node->kind == IR_LOCAL && node->var == v;
}

/* (or a b) as a test: (let ((t a)) (if t t b)) without t. */
static struct ir_node *as_or(struct gen *g, const struct ir_node *node)
{
    struct ir_node *body = node->a;
    if (node->count != 1 || body->kind != IR_IF || !is_variable(body->a, node->vars[0]) ||
        !is_variable(body->b, node->vars[0]) || !body->c ||
        var_of(node->vars[0])->references != 2 || var_of(node->vars[0])->value ||
        var_of(node->vars[0])->has_constant)
        return NULL;
    struct ir_node *either = COMP_NEW(g->c, struct ir_node), *yes = COMP_NEW(g->c, struct ir_node);
    if (!either || !yes)
        return NULL;
    *either = *body;
    *yes = (struct ir_node){.kind = IR_CONST, .value = TRUE};
    either->a = node->items[0];
    either->b = yes;
    return either;
}

void gen_let(struct gen *g, struct ir_node *node, struct context ctx)
{
    struct ir_node *either = ctx.kind == CONTEXT_TEST ? as_or(g, node) : NULL;
    if (either)
        push_node(g, either, ctx);
    else
        push_task(g, step_let, node, ctx);
}

/* -- LETREC ------------------------------------------------------------------------------ */
static bool is_group_lambda(const struct ir_node *node, size_t i)
{
    return node->items[i]->kind == IR_LAMBDA && !var_of(node->vars[i])->assigned;
}

static void patch_closure(struct gen *g, const struct lam *l, uint32_t reg,
                          const struct letrec *group, size_t time)
{
    size_t i = 0;
    for (const struct capture *c = l->captures; c; c = c->next, i++) {
        const struct var *v = c->var;
        bool later = v->letrec == group && v->value && group->flush[v->index] == time &&
                     v->index > l->var->index && v->reg != NO_REGISTER;
        if (later)
            emit(g, WORD(OP_PATCH, reg, i, v->reg));
    }
}

/* That a box is still to be filled is a use of its register: see gen_letrec. */
static void fill_box(struct gen *g, struct var *v, uint32_t from)
{
    consume(v);
    emit(g, WORD(OP_SETBOX, v->reg, from, 0));
}

static void flush_checked(struct gen *g, struct ir_node *node, size_t i)
{
    struct var *v = var_of(node->vars[i]);
    struct lam *l = node->items[i]->lambda->scratch;
    need_registers(g, g->top + 3);
    if (l->capture_count == 0)
        load_procedure(g, l, g->top);
    else
        emit_closure(g, l, g->top, NULL, 0, NULL);
    fill_box(g, v, g->top);
}

/* Make the closures that are due before init `time`, from number `from` on; answers
 * the number of the first that is not due yet. */
static size_t flush_group(struct gen *g, struct ir_node *node, size_t from, size_t time)
{
    const struct letrec *l = node->scratch;
    size_t end = from;
    while (end < node->count && l->flush[end] == time && end < time)
        end++;
    for (size_t i = from; i < end; i++) {
        struct var *v = var_of(node->vars[i]);
        if (v->value && has_place(v))
            emit_closure(g, v->value, v->reg, l, time, node);
    }
    for (size_t i = from; i < end; i++) {
        struct var *v = var_of(node->vars[i]);
        if (v->value && has_place(v))
            patch_closure(g, v->value, v->reg, l, time);
    }
    for (size_t i = from; i < end; i++)
        if (is_group_lambda(node, i) && !var_of(node->vars[i])->value)
            flush_checked(g, node, i);
    return end;
}

static void step_letrec_bound(struct gen *g, const struct task *t)
{
    struct var *v = var_of(t->node->vars[t->i]);
    set_top(g, t->top);
    if (v->checked)
        fill_box(g, v, t->regs[0]);
    else
        box_variable(g, v);
}

/* i: next init; regs[0]: first closure that is not made yet. */
static void step_letrec(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    size_t i = t->i, from = t->regs[0];
    set_top(g, t->top);
    while (i < node->count && is_group_lambda(node, i))
        i++;
    from = flush_group(g, node, from, i);
    if (i == node->count) {
        gen_bodies(g, node, t->ctx);
        return;
    }
    struct task *more = push_task(g, step_letrec, node, t->ctx);
    struct task *bound = push_task(g, step_letrec_bound, node, t->ctx);
    if (!more || !bound)
        return;
    more = bound - 1;
    more->i = i + 1;
    more->regs[0] = (uint32_t)from;
    const struct var *v = var_of(node->vars[i]);
    bound->i = i;
    bound->regs[0] = v->checked ? g->top : v->reg;
    need_registers(g, g->top + 1);
    push_node(g, node->items[i], in_register(bound->regs[0]));
}

void gen_letrec(struct gen *g, struct ir_node *node, struct context ctx)
{
    for (size_t i = 0; i < node->count; i++) {
        struct var *v = var_of(node->vars[i]);
        if (!has_place(v))
            continue;
        own_register(g, v, g->top++, g->level);
        need_registers(g, g->top);
        if (!v->checked)
            continue;
        emit_constant(g, v->reg, UNBOUND);
        emit(g, WORD(OP_BOX, v->reg, v->reg, 0));
        v->uses++;
    }
    push_task(g, step_letrec, node, ctx);
}

/* -- RECEIVE ----------------------------------------------------------------------------- */
static void step_received(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    set_top(g, t->top);
    for (size_t i = 0; i < node->count; i++) {
        struct var *v = var_of(node->vars[i]);
        own_register(g, v, g->top++, g->level);
        box_variable(g, v);
    }
    need_registers(g, g->top);
    if (!g->dead)
        push_node(g, node->a, t->ctx);
}

void gen_receive(struct gen *g, struct ir_node *node, struct context ctx)
{
    bool rest = node->tail_mark;
    struct context values = {.kind = CONTEXT_VALUES, .reg = g->top, .rest = rest};
    values.required = (uint32_t)(node->count - (rest ? 1 : 0));
    need_registers(g, g->top + (uint32_t)node->count + 2);
    push_task(g, step_received, node, ctx);
    push_node(g, node->b, values);
}
