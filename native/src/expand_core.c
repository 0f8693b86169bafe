/* T5 core forms: quote, lambda, if, set!, begin, the let family, local syntax.
 *
 * Each core_ function gets a task whose form is a proper list headed by its
 * keyword, checks the shape, fills *t->out and pushes tasks for what is inside.
 * Shape errors show the usage; hints aim at what beginners and other dialects
 * write. */
#include "expand.h"

val check_form(struct expander *x, struct syntax *form, int64_t low, int64_t high,
               const char *usage)
{
    int64_t n = syntax_length(x, form) - 1;
    if (n >= low && (high < 0 || n <= high))
        return fixnum(n);
    return FAIL(x, form, usage, "malformed form: %s", syntax_text(x, form));
}

val core_quote(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, 1, "(quote datum), or 'datum"));
    return literal(x, syntax_nth(t->form, 1), t->out);
}

val core_if(struct expander *x, struct task *t)
{
    val n = TRY(check_form(x, t->form, 2, 3,
                           "(if test consequent alternative); for several forms in a branch "
                           "use begin, when, unless or cond"));
    struct ir_node *node = ir_new(x, IR_IF, t->form);
    *t->out = node;
    push_expression(x, t, syntax_nth(t->form, 1), t->scope, &node->a);
    push_expression(x, t, syntax_nth(t->form, 2), t->scope, &node->b);
    if (fixnum_value(n) == 3)
        push_expression(x, t, syntax_nth(t->form, 3), t->scope, &node->c);
    return TRUE;
}

val sequence_push(struct expander *x, const struct task *t, struct syntax *forms,
                  struct scope *scope, const struct syntax *whole, struct ir_node **out)
{
    int64_t n = syntax_length(x, forms);
    if (n < 1)
        return FAIL(x, whole, "at least one expression is needed", "nothing to evaluate in a form");
    if (n == 1) {
        push_expression(x, t, forms->pair.car, scope, out);
        return TRUE;
    }
    struct ir_node *node = ir_new(x, IR_SEQ, whole);
    *out = node;
    TRY(ir_items(x, node, (size_t)n, false));
    for (size_t i = 0; i < node->count; i++, forms = forms->pair.cdr)
        push_expression(x, t, forms->pair.car, scope, &node->items[i]);
    return TRUE;
}

val core_begin(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, -1, "(begin expression ...) with at least one expression"));
    return sequence_push(x, t, t->form->pair.cdr, t->scope, t->form, t->out);
}

/* -- lambda -------------------------------------------------------------------- */
val bind_once(struct expander *x, struct scope *scope, struct syntax *id, struct ir_var **out)
{
    if (!syntax_is_identifier(id))
        return FAIL(x, id, "a variable is a symbol", "%s is not a variable name",
                    syntax_text(x, id));
    if (map_get(&scope->names, identifier_key(id)))
        return FAIL(x, id, "each variable can stand once in the list", "%s is bound twice",
                    identifier_text(x, id));
    return scope_bind_variable(x, scope, id, out);
}

val formals_bind(struct expander *x, struct syntax *formals, struct scope *scope,
                 struct formals *out)
{
    size_t n = 0;
    struct syntax *p = formals;
    for (; syntax_is_pair(x, p); p = p->pair.cdr)
        n++;
    out->rest = !syntax_is_nil(p);
    out->required = n;
    out->vars = ARENA_ARRAY(x->a, struct ir_var *, n + 1);
    if (!out->vars)
        return RETRY;
    heap_work(x->h, n * 64);
    p = formals;
    for (size_t i = 0; i < n; i++, p = p->pair.cdr)
        TRY(bind_once(x, scope, p->pair.car, &out->vars[i]));
    if (out->rest)
        TRY(bind_once(x, scope, p, &out->vars[n]));
    return TRUE;
}

val lambda_push(struct expander *x, const struct task *t, struct syntax *formals,
                struct syntax *body, const struct syntax *whole, val name, struct ir_node **out)
{
    struct formals f;
    struct scope *scope = scope_new(x, t->scope);
    TRY(formals_bind(x, formals, scope, &f));
    TRY(ir_lambda_node(x, 0, whole, out));
    struct ir_lambda *l = (*out)->lambda;
    l->vars = f.vars;
    l->required = f.required;
    l->rest = f.rest;
    l->name = name;
    return body_push(x, t, body, scope, whole, &l->body);
}

val core_lambda(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 2, -1, "(lambda (name ...) body ...)"));
    return lambda_push(x, t, syntax_nth(t->form, 1), t->form->pair.cdr->pair.cdr, t->form, t->name,
                       t->out);
}

val core_named_lambda(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 3, -1, "(%named-lambda name (name ...) body ...)"));
    struct syntax *name = syntax_nth(t->form, 1);
    val symbol = syntax_is_identifier(name) ? identifier_symbol(name) : FALSE;
    return lambda_push(x, t, syntax_nth(t->form, 2), t->form->pair.cdr->pair.cdr->pair.cdr, t->form,
                       symbol, t->out);
}

val thunk_push(struct expander *x, const struct task *t, struct syntax *body, bool is_body,
               struct ir_node **out)
{
    TRY(ir_lambda_node(x, 0, t->form, out));
    struct ir_lambda *l = (*out)->lambda;
    if (is_body)
        return body_push(x, t, body, t->scope, t->form, &l->body);
    push_expression(x, t, body, t->scope, &l->body);
    return TRUE;
}

val core_case_lambda(struct expander *x, struct task *t)
{
    struct syntax *clauses = t->form->pair.cdr;
    int64_t n = syntax_length(x, clauses);
    struct ir_node *node = ir_new(x, IR_CASE_LAMBDA, t->form);
    *t->out = node;
    if (n < 1)
        return FAIL(x, t->form, "(case-lambda (formals body ...) ...)",
                    "case-lambda without clauses");
    TRY(ir_items(x, node, (size_t)n, false));
    for (size_t i = 0; i < node->count; i++, clauses = clauses->pair.cdr) {
        struct syntax *clause = clauses->pair.car;
        if (syntax_length(x, clause) < 2)
            return FAIL(x, clause, "(case-lambda (formals body ...) ...)", "malformed clause: %s",
                        syntax_text(x, clause));
        TRY(lambda_push(x, t, clause->pair.car, clause->pair.cdr, clause, t->name,
                        &node->items[i]));
    }
    return TRUE;
}

/* -- set! ------------------------------------------------------------------------ */
static val set_global(struct expander *x, struct task *t, struct syntax *id, struct binding *b,
                      struct ir_node *node)
{
    if (is_pair(b->cell))
        return FAIL(x, t->form,
                    "bindings of a library cannot be assigned; (define ...) a variable of your own",
                    "%s belongs to a library, set! cannot change it", identifier_text(x, id));
    b->global->assigned = true;
    node->kind = IR_SET_GLOBAL;
    node->global = b->global;
    return TRUE;
}

val core_set(struct expander *x, struct task *t)
{
    struct resolved r;
    TRY(check_form(x, t->form, 2, 2, "(set! name expression)"));
    struct syntax *id = syntax_nth(t->form, 1);
    if (!syntax_is_identifier(id))
        return FAIL(x, t->form,
                    "(set! name expression); for parts of data use set-car!, "
                    "vector-set!, string-set! ...",
                    "set! of %s, which is not a name", syntax_text(x, id));
    TRY(resolve(x, id, t->scope, &r));
    if (!r.binding)
        TRY(unbound_global(x, id, &r, &r.binding));
    struct ir_node *node = ir_new(x, IR_SET_LOCAL, t->form);
    *t->out = node;
    if (r.binding->kind == BIND_GLOBAL) {
        TRY(set_global(x, t, id, r.binding, node));
    } else if (r.binding->kind == BIND_LOCAL) {
        node->var = r.binding->var;
        node->var->assigned = true;
    } else {
        return FAIL(x, t->form, "a keyword of syntax is no variable", "set! of %s, which is syntax",
                    identifier_text(x, id));
    }
    push_named(x, t, syntax_nth(t->form, 2), t->scope, &node->a, identifier_symbol(id));
    return TRUE;
}

/* -- let and its kin ---------------------------------------------------------------- */
struct let_parts {
    struct syntax **ids, **inits;
    size_t count;
};

static val binding_shape(struct expander *x, struct syntax *b)
{
    if (syntax_length(x, b) == 2 && syntax_is_identifier(b->pair.car))
        return TRUE;
    return FAIL(x, b, "each binding is (name expression): (let ((x 1) (y 2)) body)",
                "malformed binding: %s", syntax_text(x, b));
}

static val let_parts(struct expander *x, struct syntax *bindings, const struct syntax *whole,
                     struct let_parts *out)
{
    int64_t n = syntax_length(x, bindings);
    if (n < 0)
        return FAIL(x, whole, "bindings stand in a list: (let ((x 1) (y 2)) body)",
                    "malformed bindings: %s", syntax_text(x, bindings));
    out->count = (size_t)n;
    out->ids = ARENA_ARRAY(x->a, struct syntax *, out->count + 1);
    out->inits = ARENA_ARRAY(x->a, struct syntax *, out->count + 1);
    if (!out->ids || !out->inits)
        return RETRY;
    for (size_t i = 0; i < out->count; i++, bindings = bindings->pair.cdr) {
        struct syntax *b = bindings->pair.car;
        TRY(binding_shape(x, b));
        out->ids[i] = b->pair.car;
        out->inits[i] = syntax_nth(b, 1);
    }
    return TRUE;
}

/* (let name bindings body ...): a letrec of one loop procedure, called at once;
 * the inits stand outside its scope. */
static val named_let(struct expander *x, struct task *t)
{
    struct let_parts p;
    struct ir_var *loop;
    struct ir_node *call;
    TRY(check_form(x, t->form, 3, -1, "(let name ((variable init) ...) body ...)"));
    struct syntax *name = syntax_nth(t->form, 1);
    TRY(let_parts(x, syntax_nth(t->form, 2), t->form, &p));
    struct scope *outer = scope_new(x, t->scope), *inner = scope_new(x, outer);
    TRY(scope_bind_variable(x, outer, name, &loop));
    struct ir_node *node = ir_new(x, IR_LETREC, t->form);
    TRY(ir_items(x, node, 1, true));
    node->vars[0] = loop;
    TRY(ir_lambda_node(x, p.count, t->form, &node->items[0]));
    struct ir_lambda *l = node->items[0]->lambda;
    l->name = identifier_symbol(name);
    TRY(ir_call(x, ir_local(x, loop, t->form), p.count, t->form, &call));
    loop->calls++;
    node->a = call;
    *t->out = node;
    for (size_t i = 0; i < p.count; i++) {
        TRY(bind_once(x, inner, p.ids[i], &l->vars[i]));
        push_expression(x, t, p.inits[i], t->scope, &call->items[i]);
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr->pair.cdr, inner, t->form, &l->body);
}

val core_let(struct expander *x, struct task *t)
{
    struct let_parts p;
    TRY(check_form(x, t->form, 2, -1, "(let ((name expression) ...) body ...)"));
    if (syntax_is_identifier(syntax_nth(t->form, 1)))
        return named_let(x, t);
    TRY(let_parts(x, syntax_nth(t->form, 1), t->form, &p));
    struct scope *scope = scope_new(x, t->scope);
    struct ir_node *node = ir_new(x, IR_LET, t->form);
    TRY(ir_items(x, node, p.count, true));
    *t->out = node;
    for (size_t i = 0; i < p.count; i++) {
        TRY(bind_once(x, scope, p.ids[i], &node->vars[i]));
        push_named(x, t, p.inits[i], t->scope, &node->items[i], node->vars[i]->name);
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, &node->a);
}

val core_let_star(struct expander *x, struct task *t)
{
    struct let_parts p;
    TRY(check_form(x, t->form, 2, -1, "(let* ((name expression) ...) body ...)"));
    TRY(let_parts(x, syntax_nth(t->form, 1), t->form, &p));
    struct scope *scope = t->scope;
    struct ir_node **out = t->out;
    for (size_t i = 0; i < p.count; i++) {
        struct ir_node *node = ir_new(x, IR_LET, t->form);
        TRY(ir_items(x, node, 1, true));
        *out = node;
        out = &node->a;
        push_named(x, t, p.inits[i], scope, &node->items[0], identifier_symbol(p.ids[i]));
        scope = scope_new(x, scope);
        TRY(scope_bind_variable(x, scope, p.ids[i], &node->vars[0]));
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, out);
}

val core_letrec(struct expander *x, struct task *t)
{
    struct let_parts p;
    TRY(check_form(x, t->form, 2, -1, "(letrec ((name expression) ...) body ...)"));
    TRY(let_parts(x, syntax_nth(t->form, 1), t->form, &p));
    struct scope *scope = scope_new(x, t->scope);
    struct ir_node *node = ir_new(x, IR_LETREC, t->form);
    TRY(ir_items(x, node, p.count, true));
    *t->out = node;
    for (size_t i = 0; i < p.count; i++) {
        TRY(bind_once(x, scope, p.ids[i], &node->vars[i]));
        push_named(x, t, p.inits[i], scope, &node->items[i], node->vars[i]->name);
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, &node->a);
}

/* -- local syntax -------------------------------------------------------------------- */
val core_let_syntax(struct expander *x, struct task *t)
{
    struct let_parts p;
    bool recursive = (uintptr_t)t->data == CORE_LETREC_SYNTAX;
    TRY(check_form(x, t->form, 2, -1, "(let-syntax ((keyword (syntax-rules ...)) ...) body ...)"));
    TRY(let_parts(x, syntax_nth(t->form, 1), t->form, &p));
    struct scope *scope = scope_new(x, t->scope);
    for (size_t i = 0; i < p.count; i++) {
        struct binding *b = TAKE(x, struct binding);
        b->kind = BIND_MACRO;
        b->cell = HOLE;
        b->at = &p.ids[i]->at;
        if (map_get(&scope->names, identifier_key(p.ids[i])))
            return FAIL(x, t->form, NULL, "%s is bound twice", identifier_text(x, p.ids[i]));
        TRY(scope_bind(x, scope, p.ids[i], b));
        TRY(macro_from_spec(x, p.inits[i], recursive ? scope : t->scope,
                            identifier_symbol(p.ids[i]), b));
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, t->out);
}

/* (%syntax-parameterize ((keyword transformer) ...) body ...): SRFI 139. */
val core_syntax_parameterize(struct expander *x, struct task *t)
{
    struct let_parts p;
    const char *usage = "(syntax-parameterize ((keyword (syntax-rules ...)) ...) body ...)";
    TRY(check_form(x, t->form, 2, -1, usage));
    TRY(let_parts(x, syntax_nth(t->form, 1), t->form, &p));
    struct scope *scope = scope_new(x, t->scope);
    for (size_t i = 0; i < p.count; i++) {
        struct resolved r;
        TRY(resolve(x, p.ids[i], t->scope, &r));
        if (!r.binding || r.binding->kind != BIND_MACRO)
            return FAIL(x, p.ids[i], "define it with define-syntax-parameter",
                        "%s is no syntax parameter", identifier_text(x, p.ids[i]));
        struct override *o = TAKE(x, struct override);
        o->of = r.binding->macro;
        o->by.at = &p.ids[i]->at;
        TRY(macro_from_spec(x, p.inits[i], t->scope, identifier_symbol(p.ids[i]), &o->by));
        o->next = scope->overrides;
        scope->overrides = o;
        x->overrides = true;
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, t->out);
}

val core_syntax_error(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, -1, "(syntax-error \"message\" form ...)"));
    struct syntax *message = syntax_nth(t->form, 1);
    if (message->kind != SYN_ATOM || !is_string(message->atom))
        return FAIL(x, t->form, "(syntax-error \"message\" form ...)",
                    "syntax-error without a message");
    val irritants = TRY(syntax_datum(x, t->form->pair.cdr->pair.cdr, false));
    val word = FAIL(x, t->form, NULL, "%s", string_text(x, message->atom));
    if (is_eq(word, RAISE))
        heap_store(x->h, x->h->raised, &object_fields(x->h->raised)[CONDITION_IRRITANTS],
                   irritants);
    return word;
}
