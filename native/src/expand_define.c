/* T5 definition forms: define, define-values, define-syntax, define-record-type.
 *
 * They bind names in the body's scope, or at top level in the root scope with a
 * commit that waits for the end of the attempt, and add items for what is to be
 * evaluated. A macro-made name of the top level is keyed by its T_IDENTIFIER, so
 * it is a variable of its own. */
#include "body.h"
#include "table.h"

/* -- binding a name ------------------------------------------------------------ */
static val bind_local(struct expander *x, struct scan *b, struct syntax *id, struct binding *bound)
{
    if (!b->own_scope) {
        b->scope = scope_new(x, b->scope);
        b->own_scope = true;
    }
    if (map_get(&b->scope->names, identifier_key(id)))
        return FAIL(x, id, "each name can be defined once in a body; use set! to change it",
                    "%s is defined twice in this body", identifier_text(x, id));
    return scope_bind(x, b->scope, id, bound);
}

/* The slot of a program's variable: the unit's own, the environment's own, or new. */
static val program_slot(struct expander *x, val key)
{
    val env = x->root->environment;
    if (is_type(x->names, T_TABLE)) {
        val own = TRY(table_get(x->h, x->names, key, HOLE));
        if (is_fixnum(own))
            return own;
    }
    val old = TRY(table_get(x->h, object_field(env, ENVIRONMENT_TABLE), key, HOLE));
    return is_fixnum(old) ? old : heap_new_slot(x->h);
}

static val check_environment(struct expander *x, struct syntax *id)
{
    if (!environment_is_immutable(x->root->environment))
        return TRUE;
    return FAIL(x, id, "(interaction-environment) can be extended",
                "%s cannot be defined: the environment is immutable", identifier_text(x, id));
}

static val bind_top(struct expander *x, struct scan *b, struct syntax *id, struct binding *bound)
{
    TRY(check_environment(x, id));
    TRY(commit_check_define(x, id));
    struct binding *old = map_get(&x->root->names, identifier_key(id));
    if (b->mode == BODY_UNIT && old && old->pending)
        return FAIL(x, id, "each name can be defined once in a library", "%s is defined twice",
                    identifier_text(x, id));
    bound->pending = true;
    val key = TRY(identifier_object(x, id));
    TRY(scope_bind(x, x->root, id, bound));
    TRY(commit_add(x, x->root->environment, key, bound, HOLE));
    if (!is_type(x->names, T_TABLE))
        return TRUE;
    return commit_add(x, x->names, key, bound, HOLE);
}

static val global_binding(struct expander *x, struct scan *b, struct syntax *id,
                          struct binding **out)
{
    val name = identifier_symbol(id);
    if (b->mode == BODY_PROGRAM) {
        TRY(check_environment(x, id));
        val key = TRY(identifier_object(x, id));
        val slot = TRY(program_slot(x, key));
        TRY(global_for(x, x->root, name, slot, out));
    } else {
        *out = TAKE(x, struct binding);
        (*out)->kind = BIND_GLOBAL;
        (*out)->cell = HOLE;
        (*out)->global = TAKE(x, struct ir_global);
        (*out)->global->name = name;
        (*out)->global->value = FALSE;
    }
    (*out)->global->at = &id->at;
    (*out)->at = &id->at;
    return TRUE;
}

static val bind_target(struct expander *x, struct scan *b, struct syntax *id, struct target *out)
{
    if (!syntax_is_identifier(id))
        return FAIL(x, id, "a variable is a symbol", "%s is not a variable name",
                    syntax_text(x, id));
    out->id = id;
    if (b->mode != BODY_LOCAL) {
        TRY(global_binding(x, b, id, &out->binding));
        return bind_top(x, b, id, out->binding);
    }
    struct binding *bound = TAKE(x, struct binding);
    bound->kind = BIND_LOCAL;
    bound->cell = HOLE;
    bound->at = &id->at;
    bound->var = variable_new(x, identifier_symbol(id), &id->at);
    out->var = bound->var;
    return bind_local(x, b, id, bound);
}

struct ir_node *target_reference(struct expander *x, const struct target *t,
                                 const struct syntax *at)
{
    if (t->var)
        return ir_local(x, t->var, at);
    struct ir_node *n = ir_new(x, IR_GLOBAL, at);
    n->global = t->binding->global;
    return n;
}

/* -- define ---------------------------------------------------------------------- */
static val define_variable(struct expander *x, struct scan *b, struct syntax *form)
{
    const char *usage = "(define name value), or (define (name argument ...) body ...)";
    TRY(check_form(x, form, 2, -1, usage));
    struct syntax *head = syntax_nth(form, 1);
    if (syntax_is_pair(x, head)) {
        struct item *i = item_add(x, b, ITEM_LAMBDA, form);
        i->formals = head->pair.cdr;
        i->form = form->pair.cdr->pair.cdr;
        return bind_target(x, b, head->pair.car, &i->target);
    }
    TRY(check_form(x, form, 2, 2, usage));
    struct item *i = item_add(x, b, ITEM_DEFINE, form);
    i->form = syntax_nth(form, 2);
    return bind_target(x, b, head, &i->target);
}

static val define_syntax(struct expander *x, struct scan *b, struct syntax *form)
{
    const char *usage = "(define-syntax name (syntax-rules (literal ...) rule ...))";
    TRY(check_form(x, form, 2, 2, usage));
    struct syntax *id = syntax_nth(form, 1);
    if (!syntax_is_identifier(id))
        return FAIL(x, form, usage, "%s is not a name", syntax_text(x, id));
    struct binding *bound = TAKE(x, struct binding);
    bound->kind = BIND_MACRO;
    bound->cell = HOLE;
    bound->at = &id->at;
    if (b->mode == BODY_LOCAL) {
        TRY(bind_local(x, b, id, bound));
        return macro_from_spec(x, syntax_nth(form, 2), b->scope, identifier_symbol(id), bound);
    }
    struct binding made = *bound;
    TRY(macro_from_spec(x, syntax_nth(form, 2), x->root, identifier_symbol(id), &made));
    *bound = made;
    return bind_top(x, b, id, bound);
}

/* -- define-values -------------------------------------------------------------------- */
/* Identifiers of a formals list; the rest one, if any, last. */
static val values_names(struct expander *x, struct syntax *formals, struct item *i,
                        struct syntax ***ids)
{
    size_t n = 0;
    struct syntax *p = formals;
    for (; syntax_is_pair(x, p); p = p->pair.cdr)
        n++;
    i->rest = !syntax_is_nil(p);
    i->required = n;
    i->count = n + i->rest;
    *ids = ARENA_ARRAY(x->a, struct syntax *, n + 1);
    i->vars = ARENA_ARRAY(x->a, struct ir_var *, n + 1);
    i->targets = ARENA_ARRAY(x->a, struct target, n + 1);
    if (!*ids || !i->vars || !i->targets)
        return RETRY;
    p = formals;
    for (size_t k = 0; k < n; k++, p = p->pair.cdr)
        (*ids)[k] = p->pair.car;
    (*ids)[n] = p;
    return TRUE;
}

static val define_values(struct expander *x, struct scan *b, struct syntax *form)
{
    struct syntax **ids;
    struct ir_node *ref;
    TRY(check_form(x, form, 2, 2, "(define-values (name ...) expression)"));
    bool local = b->mode == BODY_LOCAL;
    struct item *i = item_add(x, b, local ? ITEM_VALUES : ITEM_VALUES_TOP, form);
    i->form = syntax_nth(form, 2);
    TRY(values_names(x, syntax_nth(form, 1), i, &ids));
    if (local)
        i->target.var = variable_new(x, FALSE, &form->at);
    for (size_t k = 0; k < i->count; k++) {
        TRY(bind_target(x, b, ids[k], &i->targets[k]));
        i->vars[k] = variable_new(x, identifier_symbol(ids[k]), &ids[k]->at);
        if (!local)
            continue;
        struct item *part = item_add(x, b, ITEM_READY, form);
        part->target = i->targets[k];
        TRY(ir_core_call(x, "vector-ref", 2, form, &ref));
        ref->items[0] = ir_local(x, i->target.var, form);
        ref->items[1] = ir_constant(x, fixnum((int64_t)k), form);
        part->node = ref;
    }
    return TRUE;
}

/* -- define-record-type ------------------------------------------------------------------ */
struct record_form {
    struct syntax *form, *constructor, *predicate;
    struct syntax **fields; /* names */
    struct syntax **specs;
    size_t count;
    struct target type;
};

static const char record_usage[] =
    "(define-record-type point (make-point x y) point? (x point-x set-point-x!) ...)";

static val record_fields(struct expander *x, struct record_form *r, struct syntax *specs)
{
    int64_t n = syntax_length(x, specs);
    r->count = (size_t)n;
    r->fields = ARENA_ARRAY(x->a, struct syntax *, r->count + 1);
    r->specs = ARENA_ARRAY(x->a, struct syntax *, r->count + 1);
    if (!r->fields || !r->specs)
        return RETRY;
    struct map seen = {.count = 0};
    for (size_t i = 0; i < r->count; i++, specs = specs->pair.cdr) {
        struct syntax *s = specs->pair.car;
        bool plain = syntax_is_identifier(s);
        int64_t length = plain ? 1 : syntax_length(x, s);
        r->fields[i] = plain ? s : length > 0 ? s->pair.car : NULL;
        r->specs[i] = plain ? NULL : s;
        if (length < 1 || length > 3 || !syntax_is_identifier(r->fields[i]))
            return FAIL(x, s, record_usage, "malformed field: %s", syntax_text(x, s));
        if (map_get(&seen, identifier_key(r->fields[i])))
            return FAIL(x, s, record_usage, "the field %s stands twice",
                        identifier_text(x, r->fields[i]));
        TRY(map_put(x->a, &seen, identifier_key(r->fields[i]), s));
    }
    return TRUE;
}

/* A program may define the type's name anew; its procedures keep to their own type,
 * which has a variable without a name. */
static val record_type_target(struct expander *x, struct scan *b, struct record_form *r,
                              struct syntax *id, struct item *i)
{
    if (b->mode != BODY_PROGRAM) {
        TRY(bind_target(x, b, id, &i->target));
        r->type = i->target;
        return TRUE;
    }
    if (!syntax_is_identifier(id))
        return FAIL(x, id, record_usage, "%s is not a type name", syntax_text(x, id));
    val slot = TRY(heap_new_slot(x->h));
    TRY(global_for(x, x->root, identifier_symbol(id), slot, &r->type.binding));
    r->type.id = id;
    r->type.binding->at = r->type.binding->global->at = &id->at;
    i->target = r->type;
    struct item *named = item_add(x, b, ITEM_READY, r->form);
    TRY(bind_target(x, b, id, &named->target));
    named->node = target_reference(x, &r->type, r->form);
    return TRUE;
}

static bool has_modifier(struct expander *x, const struct record_form *r)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->specs[i] && syntax_length(x, r->specs[i]) > 2)
            return true;
    }
    return false;
}

static val record_type_item(struct expander *x, struct scan *b, struct record_form *r,
                            struct syntax *id)
{
    struct ir_node *call;
    struct item *i = item_add(x, b, ITEM_READY, r->form);
    TRY(record_type_target(x, b, r, id, i));
    val names = TRY(heap_alloc_constant(x->h, T_VECTOR, r->count, 0));
    for (size_t k = 0; k < r->count; k++)
        object_fields(names)[k] = identifier_symbol(r->fields[k]);
    bool constant = !has_modifier(x, r);
    TRY(ir_core_call(x, "%make-record-type", constant ? 4 : 2, r->form, &call));
    call->items[0] = ir_constant(x, identifier_symbol(id), r->form);
    call->items[1] = ir_constant(x, names, r->form);
    if (constant) {
        call->items[2] = ir_constant(x, FALSE, r->form);
        call->items[3] = ir_constant(x, TRUE, r->form);
    }
    i->node = call;
    return TRUE;
}

/* A procedure of the record type: an item with a lambda of n parameters. */
static val record_lambda(struct expander *x, struct scan *b, struct record_form *r,
                         struct syntax *id, size_t n, struct ir_lambda **out)
{
    struct item *i = item_add(x, b, ITEM_READY, r->form);
    TRY(bind_target(x, b, id, &i->target));
    TRY(ir_lambda_node(x, n, id, &i->node));
    *out = i->node->lambda;
    (*out)->name = identifier_symbol(id);
    return TRUE;
}

/* Index of a field by the identity of its name, else by its symbol. */
static size_t field_index(const struct record_form *r, struct syntax *id)
{
    for (size_t i = 0; i < r->count; i++) {
        if (identifier_key(r->fields[i]) == identifier_key(id))
            return i;
    }
    for (size_t i = 0; i < r->count; i++) {
        if (is_eq(identifier_symbol(r->fields[i]), identifier_symbol(id)))
            return i;
    }
    return r->count;
}

/* (lambda (f ...) (%record type f-or-#f ...)) */
static val record_constructor(struct expander *x, struct scan *b, struct record_form *r,
                              struct syntax *id, struct syntax **names, size_t n)
{
    struct ir_lambda *l;
    struct ir_node *call;
    TRY(record_lambda(x, b, r, id, n, &l));
    TRY(ir_core_call(x, "%record", r->count + 1, r->form, &call));
    l->body = call;
    call->items[0] = target_reference(x, &r->type, r->form);
    for (size_t i = 0; i < n; i++) {
        size_t k = syntax_is_identifier(names[i]) ? field_index(r, names[i]) : r->count;
        if (k == r->count)
            return FAIL(x, r->form, record_usage, "%s in the constructor is not a field",
                        syntax_text(x, names[i]));
        if (call->items[k + 1])
            return FAIL(x, r->form, record_usage, "%s stands twice in the constructor",
                        identifier_text(x, names[i]));
        l->vars[i] = variable_new(x, identifier_symbol(names[i]), &names[i]->at);
        call->items[k + 1] = ir_local(x, l->vars[i], r->form);
    }
    for (size_t k = 1; k <= r->count; k++) {
        if (!call->items[k])
            call->items[k] = ir_constant(x, FALSE, r->form);
    }
    return TRUE;
}

static val record_constructor_form(struct expander *x, struct scan *b, struct record_form *r)
{
    struct syntax *c = r->constructor;
    if (c->kind == SYN_ATOM && is_eq(c->atom, FALSE))
        return TRUE;
    if (syntax_is_identifier(c))
        return record_constructor(x, b, r, c, r->fields, r->count);
    int64_t n = syntax_length(x, c);
    if (n < 1 || !syntax_is_identifier(c->pair.car))
        return FAIL(x, c, record_usage, "malformed constructor: %s", syntax_text(x, c));
    struct syntax **names = ARENA_ARRAY(x->a, struct syntax *, (size_t)n);
    if (!names)
        return RETRY;
    struct syntax *p = c->pair.cdr;
    for (size_t i = 0; i + 1 < (size_t)n; i++, p = p->pair.cdr)
        names[i] = p->pair.car;
    return record_constructor(x, b, r, c->pair.car, names, (size_t)n - 1);
}

static val record_predicate(struct expander *x, struct scan *b, struct record_form *r)
{
    struct ir_lambda *l;
    struct ir_node *call;
    if (r->predicate->kind == SYN_ATOM && is_eq(r->predicate->atom, FALSE))
        return TRUE;
    TRY(record_lambda(x, b, r, r->predicate, 1, &l));
    TRY(ir_core_call(x, "%record?", 2, r->form, &call));
    l->vars[0] = variable_new(x, FALSE, &r->form->at);
    l->body = call;
    call->items[0] = ir_local(x, l->vars[0], r->form);
    call->items[1] = target_reference(x, &r->type, r->form);
    return TRUE;
}

/* (lambda (r) (%record-ref r type index 'who)), or with a value for the modifier. */
static val record_access(struct expander *x, struct scan *b, struct record_form *r, size_t field,
                         struct syntax *id, bool modify)
{
    struct ir_lambda *l;
    struct ir_node *call;
    size_t n = 0;
    TRY(record_lambda(x, b, r, id, modify ? 2 : 1, &l));
    TRY(ir_core_call(x, modify ? "%record-set!" : "%record-ref", modify ? 5 : 4, r->form, &call));
    l->body = call;
    l->vars[0] = variable_new(x, FALSE, &r->form->at);
    call->items[n++] = ir_local(x, l->vars[0], r->form);
    call->items[n++] = target_reference(x, &r->type, r->form);
    call->items[n++] = ir_constant(x, fixnum((int64_t)field), r->form);
    if (modify) {
        l->vars[1] = variable_new(x, identifier_symbol(r->fields[field]), &r->form->at);
        call->items[n++] = ir_local(x, l->vars[1], r->form);
    }
    call->items[n] = ir_constant(x, identifier_symbol(id), r->form);
    return TRUE;
}

static val define_record_type(struct expander *x, struct scan *b, struct syntax *form)
{
    struct record_form r = {.form = form};
    TRY(check_form(x, form, 3, -1, record_usage));
    struct syntax *name = syntax_nth(form, 1);
    if (syntax_is_pair(x, name))
        name = name->pair.car;
    r.constructor = syntax_nth(form, 2);
    r.predicate = syntax_nth(form, 3);
    TRY(record_fields(x, &r, form->pair.cdr->pair.cdr->pair.cdr->pair.cdr));
    TRY(record_type_item(x, b, &r, name));
    TRY(record_constructor_form(x, b, &r));
    TRY(record_predicate(x, b, &r));
    for (size_t i = 0; i < r.count; i++) {
        int64_t n = r.specs[i] ? syntax_length(x, r.specs[i]) : 1;
        if (n > 1)
            TRY(record_access(x, b, &r, i, syntax_nth(r.specs[i], 1), false));
        if (n > 2)
            TRY(record_access(x, b, &r, i, syntax_nth(r.specs[i], 2), true));
    }
    return TRUE;
}

val define_form(struct expander *x, struct scan *b, struct syntax *form, unsigned core)
{
    switch (core) {
    case CORE_DEFINE:
        return define_variable(x, b, form);
    case CORE_DEFINE_VALUES:
        return define_values(x, b, form);
    case CORE_DEFINE_SYNTAX:
        return define_syntax(x, b, form);
    default:
        return define_record_type(x, b, form);
    }
}
