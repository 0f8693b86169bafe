/* T5 syntax-rules, inside: compiled patterns and templates, shared by rules.c
 * (making macros, one step of expansion), rules_compile.c and rules_match.c. */
#ifndef CB_RULES_H
#define CB_RULES_H

#include "expand.h"

enum pattern_kind {
    PATTERN_ANY,      /* _                                                   */
    PATTERN_VARIABLE, /* index                                               */
    PATTERN_LITERAL,  /* syntax: an identifier                               */
    PATTERN_NIL,
    PATTERN_DATUM,    /* syntax: an atom                                     */
    PATTERN_PAIR,     /* a, b                                                */
    PATTERN_ELLIPSIS, /* a ..., then b, which needs `tail` pairs at least;
                         a holds the variables first .. last-1               */
    PATTERN_VECTOR    /* a: pattern of the list of its items                 */
};

struct pattern {
    uint8_t kind;
    size_t index, first, last, tail;
    struct syntax *syntax;
    struct pattern *a, *b;
};

enum shape_kind {
    SHAPE_CONSTANT, /* syntax                                                */
    SHAPE_VARIABLE, /* index                                                 */
    SHAPE_NAME,     /* syntax: identifier to rename; index among the names   */
    SHAPE_PAIR,     /* a, b                                                  */
    SHAPE_ELLIPSIS, /* a repeated, then b; b NULL: inner of a ... ...        */
    SHAPE_VECTOR    /* a: shape of the list of items                         */
};

struct shape {
    uint8_t kind;
    size_t index, level;
    struct syntax *syntax;
    struct shape *a, *b;
    struct shape *outer; /* SHAPE_ELLIPSIS: the one around it */
    size_t *drivers;     /* variables that step here */
    size_t driver_count, driver_capacity;
};

/* What a variable matched: a form, or under an ellipsis a sequence. */
struct match {
    union {
        struct syntax *syntax;
        struct sequence *sequence;
    };
};

/* count rows of `width` matches, for the variables first .. first+width-1. */
struct sequence {
    size_t count, width, first;
    struct match *rows;
};

/* rules_compile.c: fill matcher, builder, variables, names of a rule. */
MUST_USE val rule_compile(struct expander *x, struct macro *m, struct rule *r);

/* rules_match.c: TRUE with `out` filled (r->variables entries), or FALSE. */
MUST_USE val rule_match(struct expander *x, struct macro *m, struct rule *r, struct syntax *form,
                        struct scope *scope, struct match *out);
MUST_USE val rule_build(struct expander *x, struct macro *m, struct rule *r, struct syntax *use,
                        struct match *matches, struct syntax **out);

#endif
