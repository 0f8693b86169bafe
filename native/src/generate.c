/* T5 generation: one frame's instructions from its IR; the simple node kinds.
 *
 * generate() runs the task loop for one frame. See generate.h for registers and
 * contexts. Fuel: each node counts one on its path, the branches of an IF by the
 * longer one; the sum of a path is charged where it begins (ENTER, LOOP). */
#include "generate.h"

#define NODES_PER_UNIT 16u

/* -- tasks ------------------------------------------------------------------------------------ */
struct task *push_task(struct gen *g, step *run, struct ir_node *node, struct context ctx)
{
    if (!comp_grow(g->c, &g->tasks, sizeof *g->tasks, g->task_count, &g->task_room))
        return NULL;
    struct task *t = &g->tasks[g->task_count++];
    memset(t, 0, sizeof *t);
    t->run = run;
    t->node = node;
    t->ctx = ctx;
    t->top = g->top;
    return t;
}

static void step_node(struct gen *g, const struct task *t);

void push_node(struct gen *g, struct ir_node *node, struct context ctx)
{
    push_task(g, step_node, node, ctx);
}

struct context in_register(uint32_t reg)
{
    return (struct context){.kind = CONTEXT_REG, .reg = reg};
}

/* -- results ----------------------------------------------------------------------------- */
static void deliver_values(struct gen *g, uint32_t reg, const struct context *ctx)
{
    need_registers(g, ctx->reg + 2);
    emit_move(g, ctx->reg, reg);
    if (ctx->required != 1 || ctx->rest)
        emit(g, WORD(OP_RECEIVE, ctx->reg, ctx->required, ctx->rest));
}

void deliver(struct gen *g, uint32_t reg, const struct context *ctx)
{
    switch (ctx->kind) {
    case CONTEXT_TAIL:
        emit(g, WORD(OP_RETURN, reg, 0, 0));
        break;
    case CONTEXT_REG:
        emit_move(g, ctx->reg, reg);
        break;
    case CONTEXT_TEST:
        emit_test(g, OP_JT, true, reg, 0, ctx);
        break;
    case CONTEXT_VALUES:
        deliver_values(g, reg, ctx);
        break;
    default:
        break;
    }
}

void deliver_constant(struct gen *g, val v, const struct context *ctx)
{
    if (ctx->kind == CONTEXT_EFFECT)
        return;
    if (ctx->kind == CONTEXT_TEST) {
        struct label *to = is_true(v) ? ctx->yes : ctx->no;
        if (to != ctx->next)
            emit_jump(g, to);
        return;
    }
    uint32_t reg = ctx->kind == CONTEXT_TAIL ? g->top : ctx->reg;
    need_registers(g, reg + 1);
    emit_constant(g, reg, v);
    deliver(g, reg, ctx);
}

/* Where a value is computed before it is delivered. */
static uint32_t work_register(struct gen *g, const struct context *ctx)
{
    bool given = ctx->kind == CONTEXT_REG || ctx->kind == CONTEXT_VALUES;
    uint32_t reg = given ? ctx->reg : g->top;
    need_registers(g, reg + 1);
    return reg;
}

/* -- variables --------------------------------------------------------------------------- */
static bool in_frame(const struct gen *g, const struct var *v)
{
    return v->reg != NO_REGISTER && v->home->frame == g->frame;
}

uint32_t direct_register(const struct gen *g, const struct ir_node *node)
{
    if (node->kind != IR_LOCAL)
        return NO_REGISTER;
    const struct var *v = var_of(node->var);
    if (is_boxed(v) || v->has_constant || is_lifted(v) || !in_frame(g, v))
        return NO_REGISTER;
    return v->reg;
}

void load_procedure(struct gen *g, struct lam *l, uint32_t reg)
{
    struct literal k = {.kind = LITERAL_CLOSURE};
    k.lam = l;
    emit_literal(g, reg, k);
}

/* The content of v's place, its box where it is boxed. */
static void load_place(struct gen *g, const struct var *v, uint32_t reg)
{
    if (in_frame(g, v)) {
        emit_move(g, reg, v->reg);
        return;
    }
    if (v->value && v->value == g->frame) {
        emit(g, WORD(OP_SELF, reg, 0, 0));
        return;
    }
    int64_t i = capture_index(g->c, g->frame, v);
    CHECK(i >= 0);
    emit(g, WORD_IMM(OP_CAPTURED, reg, i));
}

void load_variable(struct gen *g, const struct var *v, uint32_t reg)
{
    if (v->has_constant) {
        emit_constant(g, reg, v->constant);
    } else if (is_lifted(v)) {
        load_procedure(g, v->value, reg);
    } else if (!is_boxed(v)) {
        load_place(g, v, reg);
    } else {
        uint32_t box = in_frame(g, v) ? v->reg : reg;
        if (box == reg)
            load_place(g, v, reg);
        emit(g, WORD(OP_UNBOX, reg, box, 0));
        if (v->checked)
            emit(g, WORD_IMM(OP_CHECK_DEFINED, reg, add_value(g, v->ir->name)));
    }
}

static void gen_local(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    const struct var *v = var_of(node->var);
    uint32_t direct = direct_register(g, node);
    if (v->has_constant) {
        deliver_constant(g, v->constant, ctx);
    } else if (ctx->kind == CONTEXT_EFFECT && !v->checked) {
        consume_node(node);
    } else if (direct != NO_REGISTER) {
        consume_node(node);
        deliver(g, direct, ctx);
    } else {
        uint32_t reg = work_register(g, ctx);
        load_variable(g, v, reg);
        consume_node(node);
        deliver(g, reg, ctx);
    }
}

static void step_set_local(struct gen *g, const struct task *t)
{
    struct var *v = var_of(t->node->var);
    uint32_t value = t->regs[0], box = v->reg;
    consume(v);
    set_top(g, t->top);
    if (!in_frame(g, v)) {
        box = value + 1;
        need_registers(g, box + 1);
        load_place(g, v, box);
    }
    emit(g, WORD(OP_SETBOX, box, value, 0));
    deliver_constant(g, UNSPECIFIED, &t->ctx);
}

/* -- globals ----------------------------------------------------------------------------- */
static void gen_global(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    const struct ir_global *v = node->global;
    if (v->kind == GLOBAL_CONSTANT) {
        deliver_constant(g, v->value, ctx);
        return;
    }
    uint32_t reg = work_register(g, ctx);
    if (v->kind == GLOBAL_STATIC) {
        load_procedure(g, v->scratch, reg);
    } else {
        emit(g, WORD_IMM(OP_GLOBAL, reg, v->slot));
        emit_raw(g, add_value(g, v->name));
    }
    deliver(g, reg, ctx);
}

static void step_set_global(struct gen *g, const struct task *t)
{
    const struct ir_global *v = t->node->global;
    set_top(g, t->top);
    if (t->i)
        consume_node(t->node->a);
    g->at = t->node->at;
    if (t->node->kind == IR_DEFINE_GLOBAL) {
        emit(g, WORD_IMM(OP_DEFINE_GLOBAL, t->regs[0], v->slot));
    } else {
        emit(g, WORD_IMM(OP_SET_GLOBAL, t->regs[0], v->slot));
        emit_raw(g, add_value(g, v->name));
    }
    deliver_constant(g, UNSPECIFIED, &t->ctx);
}

static void gen_set(struct gen *g, struct ir_node *node, struct context ctx)
{
    uint32_t direct = direct_register(g, node->a);
    step *then = node->kind == IR_SET_LOCAL ? step_set_local : step_set_global;
    struct task *t = push_task(g, then, node, ctx);
    if (!t)
        return;
    t->regs[0] = g->top;
    need_registers(g, g->top + 1);
    if (direct != NO_REGISTER && node->kind != IR_SET_LOCAL) {
        t->regs[0] = direct;
        t->i = 1; /* read in place */
    } else
        push_node(g, node->a, in_register(g->top));
}

/* -- closures ---------------------------------------------------------------------------- */
/* Is v a closure of the same group that is made after l? */
static bool made_later(const struct var *v, const struct lam *l, const struct letrec *group,
                       size_t time)
{
    return group && v->letrec == group && v->value && group->flush[v->index] == time &&
           (!l->var || l->var->letrec != group || v->index > l->var->index);
}

static uint32_t capture_operand(const struct gen *g, const struct var *v)
{
    if (in_frame(g, v))
        return v->reg;
    int64_t i = capture_index(g->c, g->frame, v);
    return UINT32_C(0x80000000) | (uint32_t)i;
}

/* A capture that is the running closure itself is first put in a register. */
static uint32_t self_register(struct gen *g, const struct lam *l)
{
    for (const struct capture *k = l->captures; k; k = k->next)
        if (!in_frame(g, k->var) && k->var->value && k->var->value == g->frame) {
            need_registers(g, g->top + 2);
            emit(g, WORD(OP_SELF, g->top + 1, 0, 0));
            return g->top + 1;
        }
    return NO_REGISTER;
}

void emit_closure(struct gen *g, struct lam *l, uint32_t reg, const struct letrec *group,
                  size_t time, const struct ir_node *letrec)
{
    (void)letrec;
    if (g->dead)
        return;
    uint32_t self = self_register(g, l);
    struct literal k = {.kind = LITERAL_CODE};
    k.lam = l;
    emit(g, WORD(OP_CLOSURE, reg, l->capture_count, 0));
    emit_raw(g, 0);
    emit_raw(g, add_literal(g, k));
    uint64_t word = 0;
    size_t i = 0;
    for (const struct capture *c = l->captures; c; c = c->next, i++) {
        consume(c->var);
        bool is_self = !in_frame(g, c->var) && c->var->value && c->var->value == g->frame;
        uint64_t operand = is_self ? self : capture_operand(g, c->var);
        if (made_later(c->var, l, group, time))
            operand = reg; /* patched when it is there */
        word |= operand << (i % 2 * 32);
        if (i % 2 == 1 || i + 1 == l->capture_count) {
            emit_raw(g, word);
            word = 0;
        }
    }
}

static void gen_lambda(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    struct lam *l = node->kind == IR_CASE_LAMBDA ? node->scratch : node->lambda->scratch;
    if (ctx->kind == CONTEXT_EFFECT)
        return;
    uint32_t reg = work_register(g, ctx);
    if (l->capture_count == 0)
        load_procedure(g, l, reg);
    else
        emit_closure(g, l, reg, NULL, 0, NULL);
    deliver(g, reg, ctx);
}

/* -- IF and SEQ -------------------------------------------------------------------------- */
struct branches {
    struct label *yes, *no, *end;
    size_t path;      /* before the branches */
    size_t then_path; /* after the first     */
    bool then_dead;
};

static void step_if_end(struct gen *g, const struct task *t)
{
    struct branches *b = t->p;
    set_top(g, t->top);
    if (g->path < b->then_path)
        g->path = b->then_path;
    bind_label(g, b->end);
}

static void step_else(struct gen *g, const struct task *t)
{
    struct branches *b = t->p;
    b->then_path = g->path;
    g->path = b->path;
    set_top(g, t->top);
    if (b->end)
        emit_jump(g, b->end);
    bind_label(g, b->no);
    if (g->dead)
        return;
    if (t->node->c)
        push_node(g, t->node->c, t->ctx);
    else
        deliver_constant(g, UNSPECIFIED, &t->ctx);
}

static void step_then(struct gen *g, const struct task *t)
{
    struct branches *b = t->p;
    set_top(g, t->top);
    b->path = g->path;
    bind_label(g, b->yes);
    struct context ctx = t->ctx;
    ctx.next = NULL;
    if (!g->dead)
        push_node(g, t->node->b, ctx);
}

static void gen_if(struct gen *g, struct ir_node *node, struct context ctx)
{
    struct branches *b = COMP_NEW(g->c, struct branches);
    if (!b)
        return;
    b->yes = new_label(g);
    b->no = new_label(g);
    if (ctx.kind != CONTEXT_TAIL && ctx.kind != CONTEXT_TEST)
        b->end = new_label(g);
    struct context test = {.kind = CONTEXT_TEST, .yes = b->yes, .no = b->no, .next = b->yes};
    struct task *t = push_task(g, step_if_end, node, ctx);
    if (t)
        t->p = b;
    t = push_task(g, step_else, node, ctx);
    if (t)
        t->p = b;
    t = push_task(g, step_then, node, ctx);
    if (t)
        t->p = b;
    push_node(g, node->a, test);
}

static void step_seq(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    set_top(g, t->top);
    if (g->dead)
        return;
    if (t->i + 1 == node->count) {
        push_node(g, node->items[t->i], t->ctx);
        return;
    }
    struct task *more = push_task(g, step_seq, node, t->ctx);
    if (more)
        more->i = t->i + 1;
    push_node(g, node->items[t->i], (struct context){.kind = CONTEXT_EFFECT});
}

/* -- nodes ------------------------------------------------------------------------------- */
static void step_node(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    struct context ctx = t->ctx;
    if (g->dead)
        return;
    g->path++;
    g->c->work++;
    if (node->at)
        g->at = node->at;
    switch ((unsigned)node->kind) {
    case IR_CONST:
        deliver_constant(g, node->value, &ctx);
        break;
    case IR_LOCAL:
        gen_local(g, node, &ctx);
        break;
    case IR_GLOBAL:
        gen_global(g, node, &ctx);
        break;
    case IR_SET_LOCAL:
    case IR_SET_GLOBAL:
    case IR_DEFINE_GLOBAL:
        gen_set(g, node, ctx);
        break;
    case IR_IF:
        gen_if(g, node, ctx);
        break;
    case IR_LAMBDA:
    case IR_CASE_LAMBDA:
        gen_lambda(g, node, &ctx);
        break;
    case IR_CALL:
        gen_call(g, node, ctx);
        break;
    case IR_SEQ:
        push_task(g, step_seq, node, ctx);
        break;
    case IR_LET:
        gen_let(g, node, ctx);
        break;
    case IR_LETREC:
        gen_letrec(g, node, ctx);
        break;
    case IR_RECEIVE:
        gen_receive(g, node, ctx);
        break;
    default:
        UNREACHABLE();
        break;
    }
}

static void run_tasks(struct gen *g)
{
    while (g->task_count && !g->c->failed && !g->c->error) {
        struct task t = g->tasks[--g->task_count];
        t.run(g, &t);
    }
}

/* -- frames ------------------------------------------------------------------------------ */
static uint64_t units(size_t path)
{
    return path < NODES_PER_UNIT ? 1 : (path + NODES_PER_UNIT - 1) / NODES_PER_UNIT;
}

uint64_t path_cost(size_t path)
{
    uint64_t cost = units(path);
    return cost < 65535 ? cost : 65535;
}

void box_variable(struct gen *g, const struct var *v)
{
    if (is_boxed(v))
        emit(g, WORD(OP_BOX, v->reg, v->reg, 0));
}

static void gen_entry(struct gen *g, const struct ir_lambda *l)
{
    size_t n = l ? l->required + (l->rest ? 1 : 0) : 0;
    g->scope_count = 0;
    for (size_t i = 0; i < n; i++)
        own_register(g, var_of(l->vars[i]), (uint32_t)i, 0);
    need_registers(g, (uint32_t)size_min(n, REGISTERS_MOST + 1));
    if (n > REGISTERS_MOST)
        return;
    set_top(g, (uint32_t)n);
    emit(g, WORD(l && l->rest ? OP_ENTER_REST : OP_ENTER, l ? l->required : 0, 0, 0));
}

/* One plain body: entry, code, then the costs of the entry and its loops. */
static void gen_body(struct gen *g, const struct ir_lambda *l, struct ir_node *body)
{
    size_t enter = g->count;
    g->path = 0;
    g->entry_loop_count = 0;
    gen_entry(g, l);
    g->entry = new_label(g);
    bind_label(g, g->entry);
    size_t n = l ? l->required + (l->rest ? 1 : 0) : 0;
    for (size_t i = 0; i < n; i++)
        box_variable(g, var_of(l->vars[i]));
    push_node(g, body, (struct context){.kind = CONTEXT_TAIL});
    run_tasks(g);
    if (g->c->failed || g->c->error)
        return;
    uint64_t cost = path_cost(g->path);
    g->words[enter] |= cost << 48;
    for (size_t i = 0; i < g->entry_loop_count; i++)
        g->words[g->entry_loops[i]] |= cost << 16;
}

/* The frame size is known at the end only. */
static void set_frames(struct gen *g)
{
    for (size_t i = 0; i < g->count; i += instruction_words(&g->words[i])) {
        unsigned op = word_op(g->words[i]);
        if (op == OP_ENTER || op == OP_ENTER_REST)
            g->words[i] |= (uint64_t)(uint16_t)g->most << 32;
    }
}

static void gen_clauses(struct gen *g, struct ir_node *node)
{
    struct label **labels = comp_alloc(g->c, (node->count + 1) * sizeof *labels);
    if (!labels)
        return;
    for (size_t i = 0; i < node->count; i++) {
        const struct ir_lambda *l = node->items[i]->lambda;
        labels[i] = new_label(g);
        if (l->required > REGISTERS_MOST)
            need_registers(g, REGISTERS_MOST + 1);
        emit_case(g, l->required, l->rest, labels[i]);
    }
    emit(g, WORD(OP_CASE_FAIL, 0, 0, 0));
    for (size_t i = 0; i < node->count && !g->c->failed && !g->c->error; i++) {
        bind_label(g, labels[i]);
        g->body = node->items[i]->lambda->scratch;
        gen_body(g, node->items[i]->lambda, node->items[i]->lambda->body);
    }
}

static void finish(struct gen *g)
{
    struct lam *f = g->frame;
    g->most++;
    set_frames(g);
    g->dead = false;
    uint32_t k = g->most + 1;
    uint64_t live = k >= LIVE_MOST ? (UINT64_C(1) << LIVE_MOST) - 1 : (UINT64_C(1) << k) - 1;
    emit_raw(g, WORD(OP_TRAILER, 0, 0, 0));
    emit_raw(g, k | live << LIVE_SHIFT);
    emit_raw(g, WORD(OP_RAISE_RETURN, 0, 0, 0));
    if (g->c->failed)
        return;
    f->words = g->words;
    f->word_count = g->count;
    f->literals = g->literals;
    f->literal_count = g->literal_count;
    f->positions = g->positions;
    f->position_bytes = g->position_count;
    f->names = g->names;
    f->registers = g->most;
}

bool generate(struct comp *c, struct lam *frame)
{
    struct gen *g = COMP_NEW(c, struct gen);
    if (!g)
        return false;
    g->c = c;
    g->frame = frame;
    if (frame->node->kind == IR_CASE_LAMBDA && frame != c->root) {
        gen_clauses(g, frame->node);
    } else {
        g->body = frame;
        gen_body(g, frame->ir, frame->ir ? frame->ir->body : frame->node);
    }
    if (!c->failed && !c->error)
        finish(g);
    return !c->failed && !c->error;
}
