/* T5 compiler, private to analyze.c and compile*.c.
 *
 * The unit goes through: analysis (binding of lambdas to variables, which calls
 * are jumps, free variables), generation of each procedure's instructions into
 * the arena, and making of the heap objects. All passes are loops over explicit
 * stacks in the arena, so nesting costs no C stack. The IR is rewritten in place
 * where a form is short for another one; that may be done twice (a unit whose
 * jumps do not fit 16 bits is compiled again with long ones).
 *
 * A "frame" is a lambda that becomes a procedure of its own. A contified lambda
 * (all its calls have the same continuation as the form that binds it) belongs
 * to the frame around it: its calls are jumps. */
#ifndef CB_COMPILE_H
#define CB_COMPILE_H

#include "frame.h"
#include "ir.h"

#define IR_RECEIVE 64 /* internal: vars from the values of b, then a; tail_mark: a rest list */
#define NO_REGISTER UINT32_MAX
#define REGISTERS_MOST 65000u

struct lam;
struct letrec;

struct var {
    struct ir_var *ir;
    struct lam *home;      /* the lambda that binds it, or around the binding form */
    struct lam *value;     /* unassigned and bound to this lambda, else NULL       */
    struct letrec *letrec; /* that binds it; NULL: not a letrec                     */
    size_t index;          /* there                                                 */
    size_t references, calls;
    bool assigned, mismatch; /* mismatch: a call with a wrong number of arguments   */
    bool checked;            /* letrec: may be used before its definition             */
    bool has_constant;
    val constant;
    uint32_t reg;
    uint32_t uses;     /* reads of its register that are still to be emitted */
    uint32_t level;    /* contified bodies around its binding, within the frame */
    struct var *alias; /* whose register it shares, or NULL                  */
    struct ref *refs;
};

struct ref {
    struct ref *next, *next_of_var;
    struct var *var;
    struct lam *lam;
    uintptr_t point;
    bool call;
};

struct capture {
    struct capture *next;
    struct var *var;
};

struct dependent {
    struct dependent *next;
    struct lam *lam;
};

/* Which variable is in which register from where on: entries as code.c has them. */
struct name_table {
    uint8_t *events;
    size_t event_count, event_room;
    val *names;
    size_t count, room;
    size_t pc; /* of the last entry */
};

struct lam {
    struct lam *next;     /* all of the unit, outer ones first */
    struct ir_lambda *ir; /* NULL: the unit's body, or a case-lambda */
    struct ir_node *node; /* LAMBDA or CASE_LAMBDA; the unit's body  */
    struct lam *parent, *frame;
    struct var *var;
    uintptr_t point; /* continuation of the form that binds var  */
    bool known;      /* only called, with fitting arguments      */
    bool failed;     /* cannot be contified                      */
    bool contified, queued, clause, value_used, static_global;
    struct dependent *dependents;
    struct capture *captures, *last_capture;
    size_t capture_count;
    uint32_t id;
    /* generation */
    struct label *label;
    size_t *loops; /* instruction indexes of LOOPs to it */
    size_t loop_count, loop_room;
    size_t path; /* of its body, where contified */
    uint64_t *words;
    size_t word_count;
    struct literal *literals;
    size_t literal_count;
    uint8_t *positions;
    size_t position_bytes;
    struct name_table names;
    uint32_t registers;
    val code, closure;
};

struct edge {
    uint32_t from, to;
};

struct letrec {
    size_t current, count;
    struct edge *edges;
    size_t edge_count, edge_room;
    size_t *flush; /* per lambda init: before which init its closure is made */
};

struct literal {
    enum { LITERAL_VALUE, LITERAL_CODE, LITERAL_CLOSURE } kind;
    union {
        val value;
        struct lam *lam;
    };
};

/* One compilation. */
struct comp {
    struct heap *h;
    struct arena *arena;
    struct ir_unit *unit;
    struct lam *lams, *last_lam, *root;
    struct ref *refs, *last_ref;
    struct ir_node **letrecs;
    size_t letrec_count, letrec_room;
    struct capture_slot *table; /* (frame, var) -> index              */
    size_t table_room, table_count;
    uint32_t lam_count;
    uintptr_t next_point;
    size_t work;
    bool failed; /* no memory */
    bool long_jumps, need_long;
    const char *error; /* too large in some way */
    const struct position *error_at;
};

/* Growable arena array: makes room for one more; false without memory. */
MUST_USE bool comp_grow(struct comp *c, void *array, size_t size, size_t count, size_t *room);
void *comp_alloc(struct comp *c, size_t bytes);
#define COMP_NEW(c, type) ((type *)comp_alloc((c), sizeof(type)))

/* analyze.c: c->lams, variables (ir_var.scratch), captures. */
MUST_USE bool analyze(struct comp *c);
/* Index of `v` among the captures of frame f, or -1. */
int64_t capture_index(const struct comp *c, const struct lam *f, const struct var *v);

static inline struct var *var_of(const struct ir_var *v)
{
    return v->scratch;
}

/* Does a reference to this variable mean a constant: a lambda without captures? */
static inline bool is_lifted(const struct var *v)
{
    return v->value && v->value->capture_count == 0;
}

static inline bool is_boxed(const struct var *v)
{
    return v->assigned || v->checked;
}

/* The primitive behind an operator node, or NULL. */
const struct primitive *primitive_of(const struct ir_node *operator);

/* compile.c: instructions of one frame. */
MUST_USE bool generate(struct comp *c, struct lam *frame);

#endif
