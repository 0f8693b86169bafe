/* T5 bodies: scanning for definitions, and putting the result together.
 *
 * One scanner serves internal bodies (-> IR_LETREC), the forms of a program
 * (-> IR_DEFINE_GLOBAL in a sequence) and whole libraries or boot files
 * (-> statics, constants, slots). It expands macro uses only as far as the head
 * of a form, splices begin, include and cond-expand, and pushes the right sides
 * when all definitions are known. */
#include "body.h"

struct item *item_add(struct expander *x, struct scan *b, enum item_kind kind, struct syntax *whole)
{
    struct item *i = TAKE(x, struct item);
    i->kind = (uint8_t)kind;
    i->whole = whole;
    *b->end = i;
    b->end = &i->next;
    b->count++;
    if (kind != ITEM_EXPRESSION)
        b->defined = b->count;
    return i;
}

void splice_add(struct expander *x, struct scan *b, struct syntax *list)
{
    struct splice *s = TAKE(x, struct splice);
    s->next = b->splices;
    s->list = list;
    b->splices = s;
}

/* The next form, or NULL when all are scanned. */
static struct syntax *next_form(struct expander *x, struct scan *b)
{
    for (; b->splices && !x->a->failed; b->splices = b->splices->next) {
        struct splice *s = b->splices;
        if (s->count > 0) {
            s->count--;
            return *s->forms++;
        }
        if (s->list && syntax_is_pair(x, s->list)) {
            struct syntax *form = s->list->pair.car;
            s->list = s->list->pair.cdr;
            return form;
        }
    }
    return NULL;
}

static val import_form(struct expander *x, struct scan *b, struct syntax *form)
{
    if (b->mode != BODY_PROGRAM)
        return FAIL(x, form, "imports stand at the top level of a program, or in define-library",
                    "import inside a body");
    if (environment_is_immutable(x->root->environment))
        return FAIL(x, form, NULL, "this environment cannot be changed");
    return import_into(x, form->pair.cdr, x->root->environment, false);
}

static val scan_form(struct expander *x, struct scan *b, struct syntax *form)
{
    unsigned core;
    struct syntax *more;
    TRY(expand_head(x, &form, b->scope, &core));
    if (core < CORE_COUNT && syntax_length(x, form) < 0)
        return FAIL(x, form, NULL, "a dot in a form: %s", syntax_text(x, form));
    switch (core) {
    case CORE_BEGIN:
        splice_add(x, b, form->pair.cdr);
        return TRUE;
    case CORE_DEFINE:
    case CORE_DEFINE_VALUES:
    case CORE_DEFINE_RECORD_TYPE:
    case CORE_DEFINE_SYNTAX:
        return define_form(x, b, form, core);
    case CORE_INCLUDE:
    case CORE_INCLUDE_CI:
        TRY(include_forms(x, form, core == CORE_INCLUDE_CI, &more));
        splice_add(x, b, more);
        return TRUE;
    case CORE_COND_EXPAND:
        TRY(cond_expand_choose(x, form, &more));
        splice_add(x, b, more);
        return TRUE;
    case CORE_JOIN_IDENTIFIERS:
        TRY(join_identifiers(x, form, &more));
        splice_add(x, b, syntax_cons(x, more, syntax_new(x, SYN_NIL, form)));
        return TRUE;
    case CORE_FRESH_NAMES:
        TRY(fresh_names(x, form, b->scope, &more));
        splice_add(x, b, more);
        return TRUE;
    case CORE_IMPORT:
        return import_form(x, b, form);
    default:
        break;
    }
    if (core == CORE_COUNT && b->mode == BODY_PROGRAM && syntax_is_pair(x, form) &&
        is_true(TRY(is_keyword(x, form->pair.car, b->scope, CORE_IMPORT))))
        return import_form(x, b, form);
    item_add(x, b, ITEM_EXPRESSION, form)->form = form;
    return TRUE;
}

static val scan_all(struct expander *x, struct scan *b)
{
    struct syntax *form;
    while ((form = next_form(x, b)) != NULL) {
        TRY(scan_form(x, b, form));
        heap_charge(x->h, 1);
        if (x->a->failed)
            return RETRY;
        if (heap_poll(x->h))
            return LIMIT;
    }
    return x->a->failed ? RETRY : TRUE;
}

/* -- pushing what is left to expand ------------------------------------------------ */
/* (call-with-values (lambda () form) (lambda vars <body>)); answers the body's place. */
static val push_values(struct expander *x, const struct task *t, struct item *i,
                       struct ir_node **out, struct ir_node ***body)
{
    struct ir_node *call;
    TRY(ir_core_call(x, "call-with-values", 2, i->whole, &call));
    *out = call;
    TRY(ir_lambda_node(x, 0, i->whole, &call->items[0]));
    TRY(ir_lambda_node(x, 0, i->whole, &call->items[1]));
    push_expression(x, t, i->form, t->scope, &call->items[0]->lambda->body);
    struct ir_lambda *l = call->items[1]->lambda;
    l->vars = i->vars;
    l->required = i->required;
    l->rest = i->rest;
    *body = &l->body;
    return TRUE;
}

static val push_local_values(struct expander *x, const struct task *t, struct item *i,
                             struct ir_node **out)
{
    struct ir_node **body, *pack;
    TRY(push_values(x, t, i, out, &body));
    TRY(ir_core_call(x, "vector", i->count, i->whole, &pack));
    for (size_t k = 0; k < i->count; k++)
        pack->items[k] = ir_local(x, i->vars[k], i->whole);
    *body = pack;
    return TRUE;
}

static val push_top_values(struct expander *x, const struct task *t, struct item *i,
                           struct ir_node **out)
{
    struct ir_node **body, *seq = ir_new(x, IR_SEQ, i->whole);
    TRY(push_values(x, t, i, out, &body));
    TRY(ir_items(x, seq, i->count + 1, false));
    for (size_t k = 0; k < i->count; k++) {
        struct ir_node *define = ir_new(x, IR_DEFINE_GLOBAL, i->whole);
        define->global = i->targets[k].binding->global;
        define->a = ir_local(x, i->vars[k], i->whole);
        seq->items[k] = define;
    }
    seq->items[i->count] = ir_constant(x, UNSPECIFIED, i->whole);
    *body = seq;
    return TRUE;
}

static val push_item(struct expander *x, const struct task *t, struct item *i, struct ir_node **out)
{
    switch (i->kind) {
    case ITEM_EXPRESSION:
        push_expression(x, t, i->form, t->scope, out);
        return TRUE;
    case ITEM_DEFINE:
        push_named(x, t, i->form, t->scope, out, identifier_symbol(i->target.id));
        return TRUE;
    case ITEM_LAMBDA:
        return lambda_push(x, t, i->formals, i->form, i->whole, identifier_symbol(i->target.id),
                           out);
    case ITEM_VALUES:
        return push_local_values(x, t, i, out);
    case ITEM_VALUES_TOP:
        return push_top_values(x, t, i, out);
    default:
        *out = i->node;
        return TRUE;
    }
}

/* -- internal bodies -------------------------------------------------------------------- */
/* A command between definitions: evaluated for its effect, bound to nothing. */
static val push_command(struct expander *x, const struct task *t, struct item *i,
                        struct ir_node **out)
{
    struct ir_node *seq = ir_new(x, IR_SEQ, i->whole);
    TRY(ir_items(x, seq, 2, false));
    *out = seq;
    seq->items[1] = ir_constant(x, UNSPECIFIED, i->whole);
    return push_item(x, t, i, &seq->items[0]);
}

static val push_rest(struct expander *x, const struct task *t, struct item *i, size_t n,
                     const struct syntax *whole, struct ir_node **out)
{
    if (n == 1)
        return push_item(x, t, i, out);
    struct ir_node *seq = ir_new(x, IR_SEQ, whole);
    TRY(ir_items(x, seq, n, false));
    *out = seq;
    for (size_t k = 0; k < n; k++, i = i->next)
        TRY(push_item(x, t, i, &seq->items[k]));
    return TRUE;
}

static val assemble_local(struct expander *x, const struct task *t, struct scan *b,
                          struct ir_node **out)
{
    size_t rest = b->count - b->defined;
    if (rest == 0)
        return FAIL(x, b->whole, "the value of a body is that of its last expression",
                    b->count == 0 ? "a body without expressions"
                                  : "a body that ends with a definition");
    struct item *i = b->items;
    if (b->defined > 0) {
        struct ir_node *node = ir_new(x, IR_LETREC, b->whole);
        TRY(ir_items(x, node, b->defined, true));
        *out = node;
        for (size_t k = 0; k < b->defined; k++, i = i->next) {
            node->vars[k] = i->target.var;
            if (i->target.var) {
                TRY(push_item(x, t, i, &node->items[k]));
            } else {
                node->vars[k] = variable_new(x, FALSE, &i->whole->at);
                TRY(push_command(x, t, i, &node->items[k]));
            }
        }
        out = &node->a;
    }
    return push_rest(x, t, i, rest, b->whole, out);
}

/* A task of its own, so that it may wait for nothing and nests by tasks only. */
static val body_step(struct expander *x, struct task *t)
{
    struct scan b = {.mode = BODY_LOCAL, .scope = t->scope, .whole = t->data};
    b.end = &b.items;
    splice_add(x, &b, t->form);
    TRY(scan_all(x, &b));
    struct task inner = *t;
    inner.scope = b.scope;
    return assemble_local(x, &inner, &b, t->out);
}

val body_push(struct expander *x, const struct task *t, struct syntax *forms, struct scope *scope,
              const struct syntax *whole, struct ir_node **out)
{
    if (syntax_length(x, forms) < 1)
        return FAIL(x, whole, "a body needs at least one expression", "a body without expressions");
    push(x, t, body_step, forms, scope, out, (void *)(uintptr_t)whole);
    x->tasks->depth = t->depth;
    return TRUE;
}

/* -- top level ----------------------------------------------------------------------------- */
val toplevel_begin(struct expander *x, struct syntax **forms, size_t count, enum body_mode mode,
                   struct toplevel **out)
{
    static const struct syntax nowhere = {.kind = SYN_NIL, .at = {.file = {TAG_IMMEDIATE}}};
    struct toplevel *top = TAKE(x, struct toplevel);
    struct splice *s = TAKE(x, struct splice);
    *out = top;
    struct scan *b = &top->body;
    b->mode = mode;
    b->scope = x->root;
    b->whole = count > 0 ? forms[0] : &nowhere;
    b->end = &b->items;
    s->forms = forms;
    s->count = count;
    b->splices = s;
    TRY(scan_all(x, b));
    struct task t = {.scope = x->root, .form = count > 0 ? forms[0] : NULL};
    for (struct item *i = b->items; i; i = i->next)
        TRY(push_item(x, &t, i, &i->node));
    return TRUE;
}

/* A definition of a library or boot file that is never assigned and needs no code. */
static bool is_settled(struct item *i)
{
    struct ir_global *g = i->target.binding->global;
    if (g->assigned)
        return false;
    if (i->node->kind == IR_CONST)
        g->value = i->node->value;
    else if (i->node->kind == IR_GLOBAL && i->node->global->kind == GLOBAL_CONSTANT)
        g->value = i->node->global->value;
    else
        return false;
    g->kind = GLOBAL_CONSTANT;
    g->defined = true;
    return true;
}

static val place_in_slot(struct expander *x, struct ir_global *g)
{
    g->kind = GLOBAL_SLOT;
    g->slot = (uint32_t)fixnum_value(TRY(heap_new_slot(x->h)));
    return TRUE;
}

/* TRUE: the item needs code in the unit's body. */
static val place_unit_item(struct expander *x, struct item *i, struct ir_unit *unit)
{
    if (i->kind == ITEM_EXPRESSION)
        return TRUE;
    if (i->kind == ITEM_VALUES_TOP) {
        for (size_t k = 0; k < i->count; k++)
            TRY(place_in_slot(x, i->targets[k].binding->global));
        return TRUE;
    }
    struct ir_global *g = i->target.binding->global;
    if (!g->assigned && i->node->kind == IR_LAMBDA) {
        g->kind = GLOBAL_STATIC;
        g->lambda = i->node;
        g->defined = true;
        unit->statics[unit->static_count++] = g;
        return FALSE;
    }
    if (is_settled(i))
        return FALSE;
    return place_in_slot(x, g);
}

static struct ir_node *item_code(struct expander *x, struct item *i)
{
    if (i->kind == ITEM_EXPRESSION || i->kind == ITEM_VALUES_TOP)
        return i->node;
    struct ir_node *define = ir_new(x, IR_DEFINE_GLOBAL, i->whole);
    define->global = i->target.binding->global;
    define->a = i->node;
    return define;
}

val toplevel_finish(struct expander *x, struct toplevel *top, struct ir_unit *unit)
{
    struct scan *b = &top->body;
    struct ir_node *seq = ir_new(x, IR_SEQ, b->whole);
    TRY(ir_items(x, seq, b->count + 1, false));
    unit->statics = ARENA_ARRAY(x->a, struct ir_global *, b->count + 1);
    if (!unit->statics)
        return RETRY;
    seq->count = 0;
    for (struct item *i = b->items; i; i = i->next) {
        val code = TRUE;
        if (b->mode == BODY_UNIT)
            code = TRY(place_unit_item(x, i, unit));
        if (is_true(code))
            seq->items[seq->count++] = item_code(x, i);
    }
    if (seq->count == 0)
        seq->items[seq->count++] = ir_constant(x, UNSPECIFIED, b->whole);
    unit->body = seq->count == 1 ? seq->items[0] : seq;
    return x->a->failed ? RETRY : TRUE;
}
