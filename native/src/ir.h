/* T5 IR: what the expander hands to the compiler. Arena memory, dropped whole.
 *
 * Variables are resolved: no names are looked up after this. All derived forms
 * are gone; what is left is below. Evaluation order of operands is left to
 * right as the expander emits them; SEQ, LET inits, LETREC inits are in order. */
#ifndef CB_IR_H
#define CB_IR_H

#include "syntax.h"

enum ir_kind {
    IR_CONST,         /* value                                                 */
    IR_LOCAL,         /* var                                                   */
    IR_SET_LOCAL,     /* var, a                                                */
    IR_GLOBAL,        /* global                                                */
    IR_SET_GLOBAL,    /* global, a                                             */
    IR_DEFINE_GLOBAL, /* global, a                                             */
    IR_IF,            /* a, b, c (c may be NULL: unspecified)                  */
    IR_LAMBDA,        /* lambda                                                */
    IR_CASE_LAMBDA,   /* items: IR_LAMBDA nodes                                */
    IR_CALL,          /* a: operator, items: operands                          */
    IR_SEQ,           /* items, at least one                                   */
    IR_LET,           /* vars, items: inits, a: body                           */
    IR_LETREC         /* vars, items: inits, a: body; letrec* semantics        */
};

struct ir_var {
    val name;      /* symbol, for debugging and errors */
    bool assigned; /* set! somewhere (not counting a LETREC init) */
    uint32_t references;
    uint32_t calls; /* references in operator position */
    const struct position *at;
    void *scratch; /* the compiler's */
};

enum ir_global_kind {
    GLOBAL_SLOT,     /* a program's variable or a library's computed one: heap->slots[slot] */
    GLOBAL_CONSTANT, /* imported, immutable: value is known                                  */
    GLOBAL_STATIC    /* of this unit: a lambda never assigned; `lambda` is its code, `value`
                        becomes the closure when the unit is compiled                        */
};

struct ir_global {
    uint8_t kind;
    bool assigned; /* set! outside its definition */
    bool defined;  /* surely defined before any code that sees it runs: no check needed */
    uint32_t slot;
    val name; /* symbol */
    val value;
    struct ir_node *lambda;
    const struct position *at;
    void *scratch;
};

struct ir_lambda {
    struct ir_var **vars; /* required, then the rest variable if any */
    size_t required;
    bool rest;
    struct ir_node *body;
    val name; /* symbol or #f */
    void *scratch;
};

struct ir_node {
    uint8_t kind;
    bool tail_mark; /* the compiler's */
    const struct position *at;
    union {
        val value;
        struct ir_var *var;
        struct ir_global *global;
        struct ir_lambda *lambda;
    };
    struct ir_node *a, *b, *c;
    struct ir_node **items;
    struct ir_var **vars;
    size_t count; /* of items and vars */
    void *scratch;
};

struct ir_unit {
    struct ir_node *body;
    struct ir_global **statics; /* GLOBAL_STATIC ones, in order of definition */
    size_t static_count;
    val file;   /* string or #f */
    val name;   /* symbol or #f: for backtraces ("top level", a library's name) */
    bool debug; /* keep the names of variables, for the host to look at suspended runs */
};

/* Compile. Answers a closure of no arguments that runs the body (constant,
 * born old), and fills in `value` of each static; or RAISE (compile-error),
 * RETRY, LIMIT. Charges by work done. compile.c */
MUST_USE val compile_unit(struct heap *h, struct arena *a, struct ir_unit *unit);

#endif
