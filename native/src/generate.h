/* T5 generation, private to generate*.c: the state of one frame's code.
 *
 * Work is a stack of tasks; a task is a step with its node and context. A node's
 * result goes where its context says. Registers are given out like a stack: `top`
 * is the first free one; a step that is pushed after others finds `top` as they
 * left it and sets it itself. A value asked for in register r may be computed
 * with r untouched until the end, temporaries are from `top` on, and r == top is
 * allowed. */
#ifndef CB_GENERATE_H
#define CB_GENERATE_H

#include "compile.h"

enum context_kind { CONTEXT_TAIL, CONTEXT_EFFECT, CONTEXT_REG, CONTEXT_TEST, CONTEXT_VALUES };

struct label {
    int64_t position; /* -1: not yet */
    struct fixup *fixups;
};

enum fix_kind { FIX_IMM, FIX_C, FIX_WORD };

struct fixup {
    struct fixup *next;
    size_t at;
    enum fix_kind kind;
};

struct context {
    uint8_t kind;
    bool rest;                     /* VALUES */
    uint32_t reg;                  /* REG, VALUES: first register */
    uint32_t required;             /* VALUES */
    struct label *yes, *no, *next; /* TEST; next: which of both comes next, or NULL */
};

struct gen;
struct task;
typedef void step(struct gen *g, const struct task *t);

struct task {
    step *run;
    struct ir_node *node;
    struct context ctx;
    size_t i;
    uint32_t top; /* registers in use when the node began */
    uint32_t regs[3];
    void *p, *q;
    size_t path;
};

struct gen {
    struct comp *c;
    struct lam *frame;
    struct task *tasks;
    size_t task_count, task_room;
    uint64_t *words;
    size_t count, room;
    struct literal *literals;
    size_t literal_count, literal_room;
    uint8_t *positions;
    size_t position_count, position_room;
    struct name_table names;
    size_t position_pc;
    int64_t position_line;
    const struct position *at, *noted;
    uint32_t top, most;
    struct var **scope; /* variables that own registers below top, ascending */
    size_t scope_count, scope_room;
    uint32_t level;      /* contified bodies around this place */
    size_t path;         /* primitive IR nodes since the last charge */
    bool dead;           /* what comes next cannot be reached        */
    struct label *entry; /* behind ENTER, for self tail calls       */
    struct lam *body;    /* the plain lambda this frame is, or NULL  */
    size_t *entry_loops, entry_loop_count, entry_loop_room;
};

/* generate_emit.c */
void emit(struct gen *g, uint64_t word);
void emit_raw(struct gen *g, uint64_t word);
size_t add_literal(struct gen *g, struct literal l);
size_t add_value(struct gen *g, val v);
struct label *new_label(struct gen *g);
void bind_label(struct gen *g, struct label *l);
void emit_jump(struct gen *g, struct label *l);
/* Jump forms with imm32 or c as offset. */
void emit_jump_imm(struct gen *g, unsigned op, uint32_t a, struct label *l);
void emit_case(struct gen *g, size_t required, bool rest, struct label *l);
/* Operation `op` holds: to ctx.yes, else to ctx.no. op + 1 is its negation. */
void emit_test(struct gen *g, unsigned op, bool imm, uint32_t a, uint32_t b,
               const struct context *ctx);
void emit_literal(struct gen *g, uint32_t reg, struct literal l);
void emit_constant(struct gen *g, uint32_t reg, val v);
void emit_move(struct gen *g, uint32_t to, uint32_t from);
/* Registers from `top` on are free again. */
void set_top(struct gen *g, uint32_t top);
/* v lives in register `reg` from here on (level: see struct var). */
void own_register(struct gen *g, struct var *v, uint32_t reg, uint32_t level);
/* A read of the register of v was emitted. */
void consume(struct var *v);
void consume_node(const struct ir_node *node);
uint64_t live_word(const struct gen *g, uint32_t k, bool ignore);
void need_registers(struct gen *g, uint32_t top);

/* generate.c */
struct task *push_task(struct gen *g, step *run, struct ir_node *node, struct context ctx);
void push_node(struct gen *g, struct ir_node *node, struct context ctx);
void deliver(struct gen *g, uint32_t reg, const struct context *ctx);
void deliver_constant(struct gen *g, val v, const struct context *ctx);
struct context in_register(uint32_t reg);
/* Register of a local that can be read in place, or NO_REGISTER. */
uint32_t direct_register(const struct gen *g, const struct ir_node *node);
/* Load variable v into reg. */
void load_variable(struct gen *g, const struct var *v, uint32_t reg);
void load_procedure(struct gen *g, struct lam *l, uint32_t reg);
void emit_closure(struct gen *g, struct lam *l, uint32_t reg, const struct letrec *group,
                  size_t time, const struct ir_node *letrec);

/* generate_call.c, generate_prim.c, generate_bind.c */
void gen_call(struct gen *g, struct ir_node *node, struct context ctx);
/* False: not a primitive that is inlined here. */
MUST_USE bool gen_primitive(struct gen *g, struct ir_node *node, const struct context *ctx);
/* Is this call one instruction that changes nothing? */
MUST_USE bool is_pure_instruction(const struct ir_node *node);
void gen_let(struct gen *g, struct ir_node *node, struct context ctx);
void gen_letrec(struct gen *g, struct ir_node *node, struct context ctx);
void gen_receive(struct gen *g, struct ir_node *node, struct context ctx);
/* Cost of a path in the field of a LOOP or ENTER. */
uint64_t path_cost(size_t path);
void box_variable(struct gen *g, const struct var *v);

#endif
