/* T5 generation: calls, and jumps that stand for calls.
 *
 * A call at register k: return address and procedure go to k, k+1 by the
 * instruction, the arguments are computed from k+2 on. A jump computes each
 * argument right into its parameter where no later argument reads that register,
 * else into a temporary that is moved at the end. */
#include "generate.h"

#define WALK_MOST 256u
#define WALK_DEEP 48u
#define PARALLEL_MOST 64u
#define ORDERED_MOST 16u
#define IN_PLACE (NO_REGISTER - 1) /* the argument is the parameter itself */

/* -- jumps ------------------------------------------------------------------------------------ */
struct jump {
    struct lam *lam; /* NULL: self tail call */
    const struct ir_lambda *to;
    uint32_t *target;
    uint32_t *source; /* NO_REGISTER: is in its place */
    uint32_t *order;  /* of evaluation */
};

static bool variable_in(const struct gen *g, const struct var *v, uint32_t reg)
{
    return v && v->home->frame == g->frame && v->reg == reg;
}

static bool captures_register(const struct gen *g, const struct lam *l, uint32_t reg)
{
    for (const struct capture *c = l ? l->captures : NULL; c; c = c->next)
        if (variable_in(g, c->var, reg))
            return true;
    return false;
}

/* May evaluating `node` read register `reg`? A bounded look: true if unsure. */
static bool reads_register(const struct gen *g, const struct ir_node *node, uint32_t reg)
{
    const struct ir_node *stack[WALK_DEEP];
    size_t count = 0, seen = 0;
    stack[count++] = node;
    while (count > 0) {
        const struct ir_node *n = stack[--count];
        if (!n)
            continue;
        if (++seen > WALK_MOST || count + 3 + n->count > WALK_DEEP)
            return true;
        if ((n->kind == IR_LOCAL || n->kind == IR_SET_LOCAL) && variable_in(g, var_of(n->var), reg))
            return true;
        if (n->kind == IR_LAMBDA || n->kind == IR_CASE_LAMBDA) {
            const struct lam *l = n->kind == IR_LAMBDA ? n->lambda->scratch : n->scratch;
            if (l->contified || captures_register(g, l, reg))
                return true;
            continue;
        }
        stack[count++] = n->a;
        stack[count++] = n->b;
        stack[count++] = n->c;
        for (size_t i = 0; i < n->count && n->items; i++)
            stack[count++] = n->items[i];
    }
    return false;
}

/* Does an argument that comes after the i-th read `reg`? */
static bool later_reads(const struct gen *g, const struct jump *j, const struct ir_node *node,
                        size_t i, uint32_t reg)
{
    if (node->count > PARALLEL_MOST)
        return true;
    for (size_t k = i + 1; k < node->count; k++)
        if (reads_register(g, node->items[j->order[k]], reg))
            return true;
    return false;
}

/* Nothing but variables, constants and inlined primitives of them: no call that
 * could be seen to come earlier or later than another. A bounded look. */
static bool is_simple(const struct ir_node *node)
{
    const struct ir_node *stack[WALK_DEEP];
    size_t count = 0, seen = 0;
    stack[count++] = node;
    while (count > 0) {
        const struct ir_node *n = stack[--count];
        bool call = n->kind == IR_CALL && is_pure_instruction(n);
        if (++seen > WALK_MOST || count + n->count > WALK_DEEP)
            return false;
        if (!call && n->kind != IR_LOCAL && n->kind != IR_CONST)
            return false;
        for (size_t i = 0; call && i < n->count; i++)
            stack[count++] = n->items[i];
    }
    return true;
}

/* Order the arguments so that each can go right into its parameter, as far as that
 * is possible: first those whose parameters no other argument still reads. */
static void order_arguments(const struct gen *g, struct jump *j, const struct ir_node *node)
{
    size_t n = node->count;
    for (size_t i = 0; i < n; i++)
        j->order[i] = (uint32_t)i;
    if (n < 2 || n > ORDERED_MOST)
        return;
    for (size_t i = 0; i < n; i++)
        if (!is_simple(node->items[i]))
            return;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t k = i;
        while (k < n && later_reads(g, j, node, i, j->target[j->order[i]]) && ++k < n) {
            uint32_t first = j->order[i];
            j->order[i] = j->order[k];
            j->order[k] = first;
        }
    }
}

static void note_loop(struct gen *g, const struct jump *j)
{
    size_t at = g->count - 1;
    if (!j->lam) {
        if (comp_grow(g->c, &g->entry_loops, sizeof(size_t), g->entry_loop_count,
                      &g->entry_loop_room))
            g->entry_loops[g->entry_loop_count++] = at;
    } else if (comp_grow(g->c, &j->lam->loops, sizeof(size_t), j->lam->loop_count,
                         &j->lam->loop_room)) {
        j->lam->loops[j->lam->loop_count++] = at;
    }
}

static void step_jump_end(struct gen *g, const struct task *t)
{
    const struct jump *j = t->p;
    for (size_t i = 0; i < t->node->count; i++) {
        if (j->source[i] == IN_PLACE)
            consume_node(t->node->items[i]);
        else if (j->source[i] != NO_REGISTER)
            emit_move(g, j->target[i], j->source[i]);
        else
            consume(var_of(j->to->vars[i]));
    }
    g->at = t->node->at;
    struct label *to = j->lam ? j->lam->label : g->entry;
    if (g->dead || !to)
        return;
    if (to->position < 0) {
        emit_jump(g, to);
        return;
    }
    emit_jump_imm(g, OP_LOOP, 0, to);
    note_loop(g, j);
}

/* The next argument; temporaries grow from top. An argument that waits in its parameter
 * counts as a use of it until the jump: a call in a later one must keep it alive. */
static void step_jump(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    struct jump *j = t->p;
    if (t->i > 0 && j->source[j->order[t->i - 1]] == NO_REGISTER)
        var_of(j->to->vars[j->order[t->i - 1]])->uses++;
    if (t->i == node->count) {
        step_jump_end(g, t);
        return;
    }
    struct task *more = push_task(g, step_jump, node, t->ctx);
    if (!more)
        return;
    size_t i = j->order[t->i];
    more->i = t->i + 1;
    more->p = j;
    uint32_t reg = j->target[i];
    j->source[i] = NO_REGISTER;
    set_top(g, t->regs[0]);
    more->regs[0] = g->top;
    if (direct_register(g, node->items[i]) == reg) {
        j->source[i] = IN_PLACE;
        return;
    }
    if (later_reads(g, j, node, t->i, reg)) {
        reg = g->top;
        need_registers(g, reg + 1);
        j->source[i] = reg;
        more->regs[0] = reg + 1;
    }
    push_node(g, node->items[i], in_register(reg));
}

static void gen_jump(struct gen *g, struct ir_node *node, const struct ir_lambda *to,
                     struct lam *lam, struct context ctx)
{
    struct jump *j = COMP_NEW(g->c, struct jump);
    uint32_t *registers = comp_alloc(g->c, (3 * node->count + 1) * sizeof(uint32_t));
    if (!j || !registers)
        return;
    *j = (struct jump){lam, to, registers, registers + node->count, registers + 2 * node->count};
    for (size_t i = 0; i < node->count; i++)
        registers[i] = var_of(to->vars[i])->reg;
    order_arguments(g, j, node);
    struct task *t = push_task(g, step_jump, node, ctx);
    if (t) {
        t->p = j;
        t->regs[0] = g->top;
    }
}

/* -- calls ------------------------------------------------------------------------------- */
/* The lambda that the operator surely is, or NULL. */
static struct lam *known_lambda(const struct ir_node *f)
{
    if (f->kind == IR_LOCAL)
        return var_of(f->var)->value;
    if (f->kind == IR_GLOBAL && f->global->kind == GLOBAL_STATIC)
        return f->global->scratch;
    return NULL;
}

static bool is_closure_constant(const struct ir_node *f)
{
    val v = f->kind == IR_CONST                                          ? f->value
            : f->kind == IR_GLOBAL && f->global->kind == GLOBAL_CONSTANT ? f->global->value
                                                                         : FALSE;
    return is_type(v, T_CLOSURE);
}

static void emit_live(struct gen *g, uint32_t k, const struct context *ctx)
{
    if (ctx->kind != CONTEXT_TAIL)
        emit_raw(g, live_word(g, k, ctx->kind == CONTEXT_EFFECT));
}

static void leave(struct gen *g, const struct context *ctx)
{
    if (ctx->kind == CONTEXT_TAIL)
        g->dead = true;
}

static void call_code(struct gen *g, struct lam *l, uint32_t k, size_t n, const struct context *ctx)
{
    bool tail = ctx->kind == CONTEXT_TAIL;
    if (g->dead)
        return;
    struct literal literal = {.kind = LITERAL_CODE};
    literal.lam = l;
    emit(g, WORD(tail ? OP_TAILCALL_CODE : OP_CALL_CODE, k, n, 0));
    emit_raw(g, 0);
    emit_raw(g, add_literal(g, literal));
    emit_live(g, k, ctx);
    leave(g, ctx);
}

static void call_global(struct gen *g, const struct ir_global *v, uint32_t k, size_t n,
                        const struct context *ctx)
{
    bool tail = ctx->kind == CONTEXT_TAIL;
    if (g->dead)
        return;
    emit(g, WORD(tail ? OP_TAILCALL_GLOBAL : OP_CALL_GLOBAL, k, n, 0));
    emit_raw(g, v->slot | (uint64_t)add_value(g, v->name) << 32);
    emit_live(g, k, ctx);
    leave(g, ctx);
}

static void call_register(struct gen *g, uint32_t f, bool closure, uint32_t k, size_t n,
                          const struct context *ctx)
{
    bool tail = ctx->kind == CONTEXT_TAIL;
    unsigned op = tail ? OP_TAILCALL : OP_CALL;
    if (closure)
        op = tail ? OP_TAILCALL_CLOSURE : OP_CALL_CLOSURE;
    emit(g, WORD(op, k, n, f));
    emit_live(g, k, ctx);
}

/* Several values: from where they were received to where they are wanted. */
static void deliver_call(struct gen *g, uint32_t k, const struct context *ctx)
{
    if (ctx->kind != CONTEXT_VALUES) {
        if (ctx->kind != CONTEXT_TAIL)
            deliver(g, k, ctx);
        return;
    }
    uint32_t n = ctx->required + (ctx->rest ? 1 : 0);
    need_registers(g, k + n + 2);
    emit(g, WORD(OP_RECEIVE, k, ctx->required, ctx->rest));
    for (uint32_t i = 0; i < n; i++)
        emit_move(g, ctx->reg + i, k + i);
}

static void step_call_end(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node, *f = node->a;
    uint32_t k = t->top;
    struct lam *l = known_lambda(f);
    g->at = node->at;
    set_top(g, k);
    need_registers(g, k + 2 + (uint32_t)node->count);
    if (l && l->capture_count == 0) {
        call_code(g, l, k, node->count, &t->ctx);
    } else if (f->kind == IR_GLOBAL && f->global->kind == GLOBAL_SLOT) {
        call_global(g, f->global, k, node->count, &t->ctx);
    } else {
        uint32_t direct = direct_register(g, f);
        bool sure = l || is_closure_constant(f);
        consume_node(f);
        if (direct == NO_REGISTER && f->kind == IR_LOCAL)
            load_variable(g, var_of(f->var), k + 1);
        call_register(g, direct == NO_REGISTER ? k + 1 : direct, sure, k, node->count, &t->ctx);
    }
    deliver_call(g, k, &t->ctx);
}

/* Argument i goes to its place above the call's register. */
static void step_arguments(struct gen *g, const struct task *t)
{
    size_t i = t->i;
    if (i == t->node->count) {
        step_call_end(g, t);
        return;
    }
    set_top(g, t->top + 2 + (uint32_t)i);
    need_registers(g, g->top + 1);
    uint32_t reg = g->top;
    set_top(g, t->top); /* what push_task notes */
    struct task *more = push_task(g, step_arguments, t->node, t->ctx);
    set_top(g, reg);
    if (!more)
        return;
    more->i = i + 1;
    push_node(g, t->node->items[i], in_register(reg));
}

static bool is_late_operator(const struct ir_node *f)
{
    return f->kind == IR_LOCAL || (f->kind == IR_GLOBAL && f->global->kind != GLOBAL_CONSTANT);
}

void gen_call(struct gen *g, struct ir_node *node, struct context ctx)
{
    struct ir_node *f = node->a;
    struct lam *l = known_lambda(f);
    if (l && l->contified) {
        gen_jump(g, node, l->ir, l, ctx);
        return;
    }
    bool self = l && l == g->body && ctx.kind == CONTEXT_TAIL && l->ir && !l->ir->rest &&
                l->ir->required == node->count && l->frame == g->frame;
    if (self) {
        gen_jump(g, node, l->ir, NULL, ctx);
        return;
    }
    if (gen_primitive(g, node, &ctx))
        return;
    if (node->count > REGISTERS_MOST) {
        need_registers(g, REGISTERS_MOST + 1);
        return;
    }
    push_task(g, step_arguments, node, ctx);
    if (is_late_operator(f))
        return;
    uint32_t k = g->top;
    need_registers(g, k + 2);
    set_top(g, k + 1);
    push_node(g, f, in_register(k + 1));
    set_top(g, k + 1);
}
