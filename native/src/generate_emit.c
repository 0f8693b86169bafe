/* T5 generation: words, literals, labels, positions of one frame's code.
 *
 * Nothing is emitted while g->dead (behind a jump or return, until a label is
 * bound). A jump whose offset does not fit 16 bits sets comp.need_long: the unit
 * is then compiled again with long jumps. */
#include "generate.h"

/* -- bytes -----------------------------------------------------------------------------------
 */
struct byte_buffer {
    uint8_t **bytes;
    size_t *count, *room;
};

static void add_varint(struct gen *g, struct byte_buffer b, uint64_t n)
{
    do {
        if (comp_grow(g->c, b.bytes, 1, *b.count, b.room))
            (*b.bytes)[(*b.count)++] = (uint8_t)(n >= 0x80 ? n | 0x80 : n);
        n >>= 7;
    } while (n > 0);
}

/* -- positions ----------------------------------------------------------------------------- */
static void position_varint(struct gen *g, uint64_t n)
{
    add_varint(g, (struct byte_buffer){&g->positions, &g->position_count, &g->position_room}, n);
}

/* The form the user wrote: the outermost macro use. */
static const struct position *written(const struct position *at)
{
    while (at && at->use)
        at = at->use;
    return at;
}

static void note_position(struct gen *g)
{
    const struct position *at = g->at;
    if (at == g->noted || !at)
        return;
    g->noted = at;
    at = written(at);
    int64_t delta = (int64_t)at->line - g->position_line;
    bool other = is_true(at->file) && !is_eq(at->file, g->c->unit->file);
    size_t file = other ? 1 + add_value(g, at->file) : 0;
    position_varint(g, g->count - g->position_pc);
    position_varint(g, ((uint64_t)delta << 1) ^ (uint64_t)(delta >> 63));
    position_varint(g, at->column);
    position_varint(g, file);
    g->position_pc = g->count;
    g->position_line = at->line;
}

/* -- words ------------------------------------------------------------------------------------ */
void emit_raw(struct gen *g, uint64_t word)
{
    if (g->dead)
        return;
    if (comp_grow(g->c, &g->words, sizeof *g->words, g->count, &g->room))
        g->words[g->count++] = word;
}

void emit(struct gen *g, uint64_t word)
{
    if (g->dead)
        return;
    note_position(g);
    emit_raw(g, word);
    switch (word_op(word)) {
    case OP_RETURN:
    case OP_RETURN_VALUES:
    case OP_TAILCALL:
    case OP_TAILCALL_CLOSURE:
    case OP_CASE_FAIL:
        g->dead = true;
        break;
    default:
        break;
    }
}

size_t add_literal(struct gen *g, struct literal l)
{
    size_t from = g->literal_count > 24 ? g->literal_count - 24 : 0;
    for (size_t i = from; i < g->literal_count; i++)
        if (g->literals[i].kind == l.kind && g->literals[i].value.bits == l.value.bits)
            return i;
    if (comp_grow(g->c, &g->literals, sizeof *g->literals, g->literal_count, &g->literal_room))
        g->literals[g->literal_count++] = l;
    return g->literal_count - 1;
}

size_t add_value(struct gen *g, val v)
{
    struct literal l = {.kind = LITERAL_VALUE};
    l.value = v;
    return add_literal(g, l);
}

void emit_literal(struct gen *g, uint32_t reg, struct literal l)
{
    if (g->dead)
        return;
    emit(g, WORD_IMM(OP_LOADK, reg, add_literal(g, l)));
    emit_raw(g, 0);
}

void emit_constant(struct gen *g, uint32_t reg, val v)
{
    int64_t bits = (int64_t)v.bits;
    bool immediate = is_fixnum(v) || val_tag(v) == TAG_IMMEDIATE;
    if (immediate && bits == (int32_t)bits) {
        emit(g, WORD_IMM(OP_LOADI, reg, bits));
        return;
    }
    struct literal l = {.kind = LITERAL_VALUE};
    l.value = v;
    emit_literal(g, reg, l);
}

void emit_move(struct gen *g, uint32_t to, uint32_t from)
{
    if (to != from)
        emit(g, WORD(OP_MOVE, to, from, 0));
}

void need_registers(struct gen *g, uint32_t top)
{
    if (top > g->most)
        g->most = top;
    if (top > REGISTERS_MOST && !g->c->error) {
        g->c->error = "procedure too large: too many variables or arguments";
        g->c->error_at = g->at;
    }
}

/* -- names of variables ------------------------------------------------------------------ */
static size_t name_number(struct gen *g, val name)
{
    struct name_table *t = &g->names;
    for (size_t i = t->count > 16 ? t->count - 16 : 0; i < t->count; i++)
        if (is_eq(t->names[i], name))
            return i;
    if (comp_grow(g->c, &t->names, sizeof *t->names, t->count, &t->room))
        t->names[t->count++] = name;
    return t->count - 1;
}

static void name_event(struct gen *g, uint64_t what)
{
    struct name_table *t = &g->names;
    struct byte_buffer b = {&t->events, &t->event_count, &t->event_room};
    size_t pc = g->count > t->pc ? g->count : t->pc;
    add_varint(g, b, pc - t->pc);
    add_varint(g, b, what);
    t->pc = pc;
}

static void note_name(struct gen *g, val name, uint32_t reg)
{
    struct name_table *t = &g->names;
    if (!g->c->unit->debug || !is_symbol(name))
        return;
    name_event(g, (uint64_t)reg << 1);
    add_varint(g, (struct byte_buffer){&t->events, &t->event_count, &t->event_room},
               name_number(g, name));
}

static void note_free(struct gen *g, uint32_t top)
{
    if (g->c->unit->debug && g->names.count > 0)
        name_event(g, (uint64_t)top << 1 | 1);
}

/* -- registers and who owns them -------------------------------------------------------- */
void set_top(struct gen *g, uint32_t top)
{
    size_t before = g->scope_count;
    while (g->scope_count && g->scope[g->scope_count - 1]->reg >= top)
        g->scope_count--;
    if (g->scope_count < before)
        note_free(g, top);
    g->top = top;
}

void own_register(struct gen *g, struct var *v, uint32_t reg, uint32_t level)
{
    v->reg = reg;
    v->level = level;
    v->alias = NULL;
    note_name(g, v->ir->name, reg);
    if (comp_grow(g->c, &g->scope, sizeof *g->scope, g->scope_count, &g->scope_room))
        g->scope[g->scope_count++] = v;
}

void consume(struct var *v)
{
    while (v->alias)
        v = v->alias;
    if (v->uses)
        v->uses--;
}

void consume_node(const struct ir_node *node)
{
    if (node->kind == IR_LOCAL)
        consume(var_of(node->var));
}

/* A variable is dead where no read of it is to be emitted any more, and no loop
 * that began after its binding can come back to an earlier one. */
uint64_t live_word(const struct gen *g, uint32_t k, bool ignore)
{
    uint64_t live = k >= LIVE_MOST ? (UINT64_C(1) << LIVE_MOST) - 1 : (UINT64_C(1) << k) - 1;
    for (size_t i = 0; i < g->scope_count && g->scope[i]->reg < LIVE_MOST; i++)
        if (g->scope[i]->uses == 0 && g->scope[i]->level >= g->level)
            live &= ~(UINT64_C(1) << g->scope[i]->reg);
    return k | (ignore ? LIVE_IGNORE : 0) | live << LIVE_SHIFT;
}

/* -- labels ------------------------------------------------------------------------------------ */
struct label *new_label(struct gen *g)
{
    struct label *l = COMP_NEW(g->c, struct label);
    if (l)
        l->position = -1;
    return l;
}

static void fix(struct gen *g, const struct fixup *f, int64_t target)
{
    int64_t offset = target - (int64_t)f->at;
    uint64_t *w = &g->words[f->at];
    if (f->kind == FIX_WORD) {
        w[1] = (uint64_t)offset;
    } else if (f->kind == FIX_IMM) {
        *w = (*w & 0xffffffff) | (uint64_t)(uint32_t)(int32_t)offset << 32;
    } else {
        if (offset != (int16_t)offset)
            g->c->need_long = true;
        *w = (*w & 0xffffffffffff) | (uint64_t)(uint16_t)offset << 48;
    }
}

/* The instruction just emitted at `at` jumps to l. */
static void refer_label(struct gen *g, struct label *l, size_t at, enum fix_kind kind)
{
    struct fixup f = {NULL, at, kind}, *kept;
    if (!l || g->c->failed)
        return;
    if (l->position >= 0) {
        fix(g, &f, l->position);
        return;
    }
    kept = COMP_NEW(g->c, struct fixup);
    if (!kept)
        return;
    *kept = f;
    kept->next = l->fixups;
    l->fixups = kept;
}

/* A jump to the very next instruction is taken back. */
static void drop_last_jump(struct gen *g, struct label *l)
{
    struct fixup *f = l->fixups;
    if (!g->dead || !f || f->kind != FIX_IMM || f->at + 1 != g->count)
        return;
    if (word_op(g->words[f->at]) != OP_JUMP)
        return;
    l->fixups = f->next;
    g->count--;
}

void bind_label(struct gen *g, struct label *l)
{
    if (!l || g->c->failed)
        return;
    if (g->dead && !l->fixups && l->position < 0)
        return; /* nobody comes here */
    drop_last_jump(g, l);
    g->dead = false;
    l->position = (int64_t)g->count;
    for (const struct fixup *f = l->fixups; f; f = f->next)
        fix(g, f, l->position);
    l->fixups = NULL;
}

void emit_jump(struct gen *g, struct label *l)
{
    emit_jump_imm(g, OP_JUMP, 0, l);
}

void emit_jump_imm(struct gen *g, unsigned op, uint32_t a, struct label *l)
{
    if (g->dead)
        return;
    emit(g, WORD_IMM(op, a, 0));
    refer_label(g, l, g->count - 1, FIX_IMM);
    if (op == OP_JUMP || op == OP_LOOP)
        g->dead = true;
}

void emit_case(struct gen *g, size_t required, bool rest, struct label *l)
{
    emit(g, WORD(OP_CASE, required, rest, 0));
    emit_raw(g, 0);
    refer_label(g, l, g->count - 2, FIX_WORD);
}

static void emit_branch(struct gen *g, unsigned op, bool imm, uint32_t a, uint32_t b,
                        struct label *l)
{
    if (g->dead)
        return;
    if (imm) {
        emit_jump_imm(g, op, a, l);
    } else if (g->c->long_jumps) {
        unsigned base = OP_JTYPE, other = ((op - base) ^ 1) + base;
        emit(g, WORD(other, a, b, 2));
        emit_jump_imm(g, OP_JUMP, 0, l);
        g->dead = false;
    } else {
        emit(g, WORD(op, a, b, 0));
        refer_label(g, l, g->count - 1, FIX_C);
    }
}

void emit_test(struct gen *g, unsigned op, bool imm, uint32_t a, uint32_t b,
               const struct context *ctx)
{
    unsigned negation = op == OP_JT ? (unsigned)OP_JF : op + 1;
    if (ctx->next == ctx->yes) {
        emit_branch(g, negation, imm, a, b, ctx->no);
        return;
    }
    emit_branch(g, op, imm, a, b, ctx->yes);
    if (ctx->next != ctx->no)
        emit_jump(g, ctx->no);
}
