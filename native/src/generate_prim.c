/* T5 generation: calls of primitives.
 *
 * The rows say which instruction a primitive is and in what shape its operands
 * come; every other primitive that is not CONTROL becomes CALLPRIM. Predicates
 * exist as branches only; where their value is wanted, #t or #f is loaded. A
 * number of arguments that cannot be right is left to the general call, which
 * raises when it is executed. */
#include "generate.h"

enum shape {
    SHAPE_ONE,     /* a = op b                                        */
    SHAPE_TWO,     /* a = op b c                                      */
    SHAPE_ADD,     /* the same; op with an immediate follows (+4)     */
    SHAPE_REF,     /* the same; op + 1 has an immediate index         */
    SHAPE_STORE2,  /* op a b                                          */
    SHAPE_STORE3,  /* op a b c                                        */
    SHAPE_TEST,    /* jump on a                                       */
    SHAPE_TYPE,    /* jump if a has type                              */
    SHAPE_PAIR,    /* jump on a and b                                 */
    SHAPE_SAME,    /* eq?, and eqv?, equal? with a simple constant    */
    SHAPE_COMPARE, /* jump on a and b, which may be immediate        */
    SHAPE_NOT
};

struct row {
    const char *name;
    uint16_t op;
    uint8_t shape, type;
};

/* In the order of strcmp. */
static const struct row rows[] = {
    {"*", OP_MUL, SHAPE_TWO, 0},
    {"+", OP_ADD, SHAPE_ADD, 0},
    {"-", OP_SUB, SHAPE_ADD, 0},
    {"/", OP_DIV, SHAPE_TWO, 0},
    {"<", OP_JLT, SHAPE_COMPARE, 0},
    {"<=", OP_JLE, SHAPE_COMPARE, 0},
    {"=", OP_JNUMEQ, SHAPE_COMPARE, 0},
    {">", OP_JGT, SHAPE_COMPARE, 0},
    {">=", OP_JGE, SHAPE_COMPARE, 0},
    {"bytevector-length", OP_BYTEVECTOR_LENGTH, SHAPE_ONE, 0},
    {"bytevector-u8-ref", OP_BYTEVECTOR_REF, SHAPE_TWO, 0},
    {"bytevector-u8-set!", OP_BYTEVECTOR_SET, SHAPE_STORE3, 0},
    {"bytevector?", OP_JTYPE, SHAPE_TYPE, T_BYTEVECTOR},
    {"caar", OP_CAAR, SHAPE_ONE, 0},
    {"cadr", OP_CADR, SHAPE_ONE, 0},
    {"car", OP_CAR, SHAPE_ONE, 0},
    {"cdar", OP_CDAR, SHAPE_ONE, 0},
    {"cddr", OP_CDDR, SHAPE_ONE, 0},
    {"cdr", OP_CDR, SHAPE_ONE, 0},
    {"char->integer", OP_CHAR_INTEGER, SHAPE_ONE, 0},
    {"char<?", OP_JCHARLT, SHAPE_PAIR, 0},
    {"char=?", OP_JCHAREQ, SHAPE_PAIR, 0},
    {"char?", OP_JCHAR, SHAPE_TEST, 0},
    {"cons", OP_CONS, SHAPE_TWO, 0},
    {"eof-object?", OP_JEOF, SHAPE_TEST, 0},
    {"eq?", OP_JEQ, SHAPE_SAME, 0},
    {"equal?", OP_JEQ, SHAPE_SAME, 1},
    {"eqv?", OP_JEQ, SHAPE_SAME, 1},
    {"integer->char", OP_INTEGER_CHAR, SHAPE_ONE, 0},
    {"modulo", OP_MODULO, SHAPE_TWO, 0},
    {"not", 0, SHAPE_NOT, 0},
    {"null?", OP_JNULL, SHAPE_TEST, 0},
    {"pair?", OP_JPAIR, SHAPE_TEST, 0},
    {"promise?", OP_JTYPE, SHAPE_TYPE, T_PROMISE},
    {"quotient", OP_QUOTIENT, SHAPE_TWO, 0},
    {"remainder", OP_REMAINDER, SHAPE_TWO, 0},
    {"set-car!", OP_SET_CAR, SHAPE_STORE2, 0},
    {"set-cdr!", OP_SET_CDR, SHAPE_STORE2, 0},
    {"string-length", OP_STRING_LENGTH, SHAPE_ONE, 0},
    {"string-ref", OP_STRING_REF, SHAPE_TWO, 0},
    {"string?", OP_JSTRING, SHAPE_TEST, 0},
    {"symbol?", OP_JTYPE, SHAPE_TYPE, T_SYMBOL},
    {"vector-length", OP_VECTOR_LENGTH, SHAPE_ONE, 0},
    {"vector-ref", OP_VECTOR_REF, SHAPE_REF, 0},
    {"vector-set!", OP_VECTOR_SET, SHAPE_STORE3, 0},
    {"vector?", OP_JTYPE, SHAPE_TYPE, T_VECTOR},
    {"zero?", OP_JZERO, SHAPE_TEST, 0},
};

static const uint8_t shape_operands[] = {1, 2, 2, 2, 2, 3, 1, 1, 2, 2, 2, 1};

static const struct row *find_row(const char *name)
{
    size_t low = 0, high = ARRAY_LENGTH(rows);
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(rows[middle].name, name);
        if (order == 0)
            return &rows[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* -- constants as operands --------------------------------------------------------------- */
static bool constant_of(const struct ir_node *node, val *out)
{
    if (node->kind == IR_CONST)
        *out = node->value;
    else if (node->kind == IR_GLOBAL && node->global->kind == GLOBAL_CONSTANT)
        *out = node->global->value;
    else if (node->kind == IR_LOCAL && var_of(node->var)->has_constant)
        *out = var_of(node->var)->constant;
    else
        return false;
    return true;
}

static bool small_integer(const struct ir_node *node, int64_t *n)
{
    val v;
    if (!constant_of(node, &v) || !is_fixnum(v))
        return false;
    *n = fixnum_value(v);
    return *n == (int16_t)*n;
}

static bool small_immediate(const struct ir_node *node, int64_t *bits)
{
    val v;
    if (!constant_of(node, &v) || !(is_fixnum(v) || val_tag(v) == TAG_IMMEDIATE))
        return false;
    *bits = (int64_t)v.bits;
    return *bits == (int16_t)*bits;
}

/* Is eqv? (equal?) with this constant the same as eq?? */
static bool is_identity_constant(const struct ir_node *node)
{
    val v;
    return constant_of(node, &v) && (is_fixnum(v) || val_tag(v) == TAG_IMMEDIATE || is_symbol(v));
}

/* The last operand as an immediate, where the row allows it. */
static bool immediate_operand(const struct row *row, const struct ir_node *node, int64_t *n)
{
    const struct ir_node *last = node->items[node->count - 1];
    switch (row->shape) {
    case SHAPE_ADD:
    case SHAPE_COMPARE:
        return small_integer(last, n);
    case SHAPE_REF:
        return small_integer(last, n) && *n >= 0;
    case SHAPE_SAME:
        return small_immediate(last, n);
    default:
        return false;
    }
}

/* -- operands ---------------------------------------------------------------------------- */
static void finish_primitive(struct gen *g, const struct task *t);

static void step_operands(struct gen *g, const struct task *t)
{
    struct task now = *t;
    const struct row *row = t->p;
    struct ir_node *node = t->node;
    int64_t n;
    size_t loads = node->count - (immediate_operand(row, node, &n) ? 1 : 0);
    set_top(g, now.regs[2] == NO_REGISTER ? t->top : (uint32_t)t->path);
    while (now.i < loads) {
        uint32_t direct = direct_register(g, node->items[now.i]);
        if (direct == NO_REGISTER)
            break;
        ((uint32_t *)t->q)[now.i++] = direct;
    }
    if (now.i == loads) {
        finish_primitive(g, &now);
        return;
    }
    uint32_t reg = g->top;
    need_registers(g, reg + 1);
    ((uint32_t *)t->q)[now.i] = reg;
    set_top(g, t->top);
    struct task *more = push_task(g, step_operands, node, t->ctx);
    set_top(g, reg);
    if (!more)
        return;
    more->i = now.i + 1;
    more->p = t->p;
    more->q = t->q;
    more->path = reg + 1;
    push_node(g, node->items[now.i], in_register(reg));
}

/* -- values ------------------------------------------------------------------------------ */
static uint32_t result_register(struct gen *g, const struct context *ctx)
{
    uint32_t reg = ctx->kind == CONTEXT_REG ? ctx->reg : g->top;
    need_registers(g, reg + 1);
    return reg;
}

static void emit_value(struct gen *g, const struct row *row, const struct task *t)
{
    const uint32_t *r = t->q;
    int64_t n = 0;
    bool immediate = immediate_operand(row, t->node, &n);
    uint32_t to = result_register(g, &t->ctx);
    unsigned op = row->op;
    if (immediate)
        op = row->shape == SHAPE_ADD ? (op == OP_ADD ? OP_ADDI : OP_SUBI) : op + 1;
    uint32_t second = immediate ? (uint32_t)n : row->shape == SHAPE_ONE ? 0 : r[1];
    emit(g, WORD(op, to, r[0], second));
    deliver(g, to, &t->ctx);
}

static void emit_predicate(struct gen *g, const struct row *row, const struct task *t,
                           const struct context *ctx)
{
    const uint32_t *r = t->q;
    int64_t n = 0;
    bool immediate = immediate_operand(row, t->node, &n);
    switch (row->shape) {
    case SHAPE_TEST:
        emit_test(g, row->op, true, r[0], 0, ctx);
        break;
    case SHAPE_TYPE:
        emit_test(g, row->op, false, r[0], row->type, ctx);
        break;
    case SHAPE_COMPARE:
        if (immediate)
            emit_test(g, row->op + (OP_JLTI - OP_JLT), false, r[0], (uint32_t)n, ctx);
        else
            emit_test(g, row->op, false, r[0], r[1], ctx);
        break;
    case SHAPE_SAME:
        if (immediate)
            emit_test(g, OP_JEQI, false, r[0], (uint32_t)n, ctx);
        else
            emit_test(g, OP_JEQ, false, r[0], r[1], ctx);
        break;
    default:
        emit_test(g, row->op, false, r[0], r[1], ctx);
        break;
    }
}

/* The branch's outcome as #t or #f. */
static void materialize(struct gen *g, struct label *yes, struct label *no,
                        const struct context *ctx)
{
    struct label *end = new_label(g);
    bind_label(g, yes);
    deliver_constant(g, TRUE, ctx);
    if (ctx->kind != CONTEXT_TAIL)
        emit_jump(g, end);
    bind_label(g, no);
    deliver_constant(g, FALSE, ctx);
    bind_label(g, end);
}

static void finish_primitive(struct gen *g, const struct task *t)
{
    const struct row *row = t->p;
    const uint32_t *r = t->q;
    set_top(g, t->top);
    for (size_t i = 0; i < t->node->count; i++)
        if (direct_register(g, t->node->items[i]) != NO_REGISTER)
            consume_node(t->node->items[i]);
    g->at = t->node->at;
    switch (row->shape) {
    case SHAPE_ONE:
    case SHAPE_TWO:
    case SHAPE_ADD:
    case SHAPE_REF:
        emit_value(g, row, t);
        return;
    case SHAPE_STORE2:
        emit(g, WORD(row->op, r[0], r[1], 0));
        deliver_constant(g, UNSPECIFIED, &t->ctx);
        return;
    case SHAPE_STORE3:
        emit(g, WORD(row->op, r[0], r[1], r[2]));
        deliver_constant(g, UNSPECIFIED, &t->ctx);
        return;
    default:
        break;
    }
    if (t->ctx.kind == CONTEXT_TEST) {
        emit_predicate(g, row, t, &t->ctx);
        return;
    }
    struct context test = {.kind = CONTEXT_TEST, .yes = new_label(g), .no = new_label(g)};
    test.next = test.yes;
    emit_predicate(g, row, t, &test);
    if (t->ctx.kind == CONTEXT_EFFECT) {
        bind_label(g, test.yes);
        bind_label(g, test.no);
    } else {
        materialize(g, test.yes, test.no, &t->ctx);
    }
}

/* -- not --------------------------------------------------------------------------------- */
static void step_not(struct gen *g, const struct task *t)
{
    set_top(g, t->top);
    materialize(g, t->p, t->q, &t->ctx);
}

static void gen_not(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    struct context test = {.kind = CONTEXT_TEST};
    if (ctx->kind == CONTEXT_TEST) {
        test = (struct context){
            .kind = CONTEXT_TEST, .yes = ctx->no, .no = ctx->yes, .next = ctx->next};
    } else if (ctx->kind == CONTEXT_EFFECT) {
        test.kind = CONTEXT_EFFECT;
    } else {
        test.no = new_label(g);
        test.yes = new_label(g);
        test.next = test.no;
        struct task *t = push_task(g, step_not, node, *ctx);
        if (t) {
            t->p = test.no;
            t->q = test.yes;
        }
    }
    push_node(g, node->items[0], test);
}

/* -- values ------------------------------------------------------------------------------ */
/* i: next argument; all go to registers from top on (or nowhere, for effect). */
static void step_values(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    uint32_t reg = t->top + (uint32_t)t->i;
    bool effect = t->ctx.kind == CONTEXT_EFFECT;
    set_top(g, t->top);
    need_registers(g, reg + 1);
    if (t->i < node->count) {
        struct task *more = push_task(g, step_values, node, t->ctx);
        if (more)
            more->i = t->i + 1;
        set_top(g, effect ? t->top : reg);
        push_node(g, node->items[t->i], effect ? t->ctx : in_register(reg));
        return;
    }
    g->at = node->at;
    if (t->ctx.kind == CONTEXT_TAIL)
        emit(g, WORD(OP_RETURN_VALUES, t->top, node->count, 0));
    for (uint32_t i = 0; t->ctx.kind == CONTEXT_VALUES && i < node->count; i++)
        emit_move(g, t->ctx.reg + i, t->top + i);
}

static bool gen_values(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    if (node->count == 1) {
        push_node(g, node->items[0], *ctx);
        return true;
    }
    bool fits = ctx->kind == CONTEXT_VALUES && ctx->required == node->count && !ctx->rest;
    if (!fits && ctx->kind != CONTEXT_TAIL && ctx->kind != CONTEXT_EFFECT)
        return false;
    if (node->count > REGISTERS_MOST)
        return false;
    push_task(g, step_values, node, *ctx);
    return true;
}

/* -- other primitives -------------------------------------------------------------------- */
static void step_callprim(struct gen *g, const struct task *t)
{
    struct ir_node *node = t->node;
    size_t i = t->i;
    set_top(g, t->top);
    if (i < node->count) {
        struct task *more = push_task(g, step_callprim, node, t->ctx);
        if (more) {
            more->i = i + 1;
            more->p = t->p;
        }
        set_top(g, t->top + (uint32_t)i);
        need_registers(g, g->top + 1);
        push_node(g, node->items[i], in_register(g->top));
        return;
    }
    const struct primitive *p = t->p;
    g->at = node->at;
    uint32_t to = result_register(g, &t->ctx);
    emit(g, WORD(OP_CALLPRIM, to, t->top, node->count));
    emit_raw(g, (uint64_t)(p - primitive_table));
    deliver(g, to, &t->ctx);
}

static bool gen_callprim(struct gen *g, struct ir_node *node, const struct primitive *p,
                         const struct context *ctx)
{
    bool fits =
        node->count >= (size_t)p->minimum && (p->maximum < 0 || node->count <= (size_t)p->maximum);
    if (!fits || node->count > REGISTERS_MOST)
        return false;
    struct task *t = push_task(g, step_callprim, node, *ctx);
    if (t)
        t->p = (void *)(uintptr_t)p;
    return true;
}

bool is_pure_instruction(const struct ir_node *node)
{
    const struct primitive *p = primitive_of(node->a);
    const struct row *row = p && p->kind != CONTROL ? find_row(p->name) : NULL;
    return row && node->count == shape_operands[row->shape] && row->shape <= SHAPE_REF;
}

bool gen_primitive(struct gen *g, struct ir_node *node, const struct context *ctx)
{
    const struct primitive *p = primitive_of(node->a);
    if (!p)
        return false;
    if (p->kind == CONTROL)
        return strcmp(p->name, "values") == 0 && gen_values(g, node, ctx);
    const struct row *row = find_row(p->name);
    if (!row || node->count != shape_operands[row->shape])
        return gen_callprim(g, node, p, ctx);
    if (row->shape == SHAPE_NOT) {
        gen_not(g, node, ctx);
        return true;
    }
    if (row->shape == SHAPE_SAME && row->type && !is_identity_constant(node->items[0]) &&
        !is_identity_constant(node->items[1]))
        return gen_callprim(g, node, p, ctx);
    uint32_t *registers = comp_alloc(g->c, 3 * sizeof *registers);
    struct task *t = registers ? push_task(g, step_operands, node, *ctx) : NULL;
    if (!t)
        return registers != NULL;
    t->p = (void *)(uintptr_t)row;
    t->q = registers;
    t->regs[2] = NO_REGISTER;
    return true;
}
