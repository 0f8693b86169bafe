/* T5 bodies, inside: what expand_body.c (scanning, assembling) and
 * expand_define.c (the definition forms) share. */
#ifndef CB_BODY_H
#define CB_BODY_H

#include "expand.h"

enum item_kind {
    ITEM_EXPRESSION, /* form                                                 */
    ITEM_DEFINE,     /* id := form                                           */
    ITEM_LAMBDA,     /* id := (lambda formals . form)                        */
    ITEM_READY,      /* id := node, nothing left to expand                   */
    ITEM_VALUES,     /* id (local) := vector of the values of form           */
    ITEM_VALUES_TOP  /* the values of form into targets                      */
};

/* What a definition binds: a local variable, or a global by its binding. */
struct target {
    struct ir_var *var;
    struct binding *binding;
    struct syntax *id;
};

struct item {
    struct item *next;
    uint8_t kind;
    struct target target;
    struct syntax *whole, *form, *formals;
    struct ir_node *node;
    struct ir_var **vars; /* ITEM_VALUES*: parameters of the receiver */
    struct target *targets;
    size_t required, count;
    bool rest;
};

/* Forms still to be scanned: the rest of a list, or of an array. */
struct splice {
    struct splice *next;
    struct syntax *list;
    struct syntax **forms;
    size_t count;
};

struct scan {
    enum body_mode mode;
    struct scope *scope; /* BODY_LOCAL: made at the first definition */
    bool own_scope;
    struct splice *splices;
    struct item *items, **end;
    size_t count;   /* items */
    size_t defined; /* items up to and with the last definition */
    const struct syntax *whole;
};

struct toplevel {
    struct scan body;
    struct ir_unit *unit;
};

struct item *item_add(struct expander *x, struct scan *b, enum item_kind kind,
                      struct syntax *whole);
void splice_add(struct expander *x, struct scan *b, struct syntax *list);

/* expand_define.c: each takes a definition form apart and adds its items. */
MUST_USE val define_form(struct expander *x, struct scan *b, struct syntax *form, unsigned core);
/* A reference to what a definition binds. */
struct ir_node *target_reference(struct expander *x, const struct target *t,
                                 const struct syntax *at);

#endif
