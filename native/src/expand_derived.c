/* T5 derived forms: cond, case, and, or, when, do, let-values, parameterize,
 * delay, guard, cond-expand, include as expressions.
 *
 * They are made straight into IR: nothing is renamed, so nothing can be captured.
 * What needs the run-time system calls procedures of the core environment by
 * name (list in front.h). Chains (clauses, operands) are built in loops. */
#include "expand.h"
#include "symbol.h"

static struct ir_var *temporary(struct expander *x, const struct syntax *at)
{
    return variable_new(x, FALSE, &at->at);
}

/* (let ((v <init>)) <body>) with the init still to be filled. */
static val let_one(struct expander *x, struct ir_var *v, const struct syntax *at,
                   struct ir_node **out)
{
    *out = ir_new(x, IR_LET, at);
    TRY(ir_items(x, *out, 1, true));
    (*out)->vars[0] = v;
    return TRUE;
}

val core_when(struct expander *x, struct task *t)
{
    bool unless = (uintptr_t)t->data == CORE_UNLESS;
    TRY(check_form(x, t->form, 2, -1, "(when test expression ...), (unless test expression ...)"));
    struct ir_node *node = ir_new(x, IR_IF, t->form);
    *t->out = node;
    if (unless)
        node->b = ir_constant(x, UNSPECIFIED, t->form);
    push_expression(x, t, syntax_nth(t->form, 1), t->scope, &node->a);
    return sequence_push(x, t, t->form->pair.cdr->pair.cdr, t->scope, t->form,
                         unless ? &node->c : &node->b);
}

val core_and(struct expander *x, struct task *t)
{
    struct ir_node **out = t->out;
    struct syntax *p = t->form->pair.cdr;
    if (syntax_is_nil(p)) {
        *out = ir_constant(x, TRUE, t->form);
        return TRUE;
    }
    for (; syntax_is_pair(x, p->pair.cdr); p = p->pair.cdr) {
        struct ir_node *node = ir_new(x, IR_IF, p->pair.car);
        *out = node;
        push_expression(x, t, p->pair.car, t->scope, &node->a);
        node->c = ir_constant(x, FALSE, t->form);
        out = &node->b;
    }
    push_expression(x, t, p->pair.car, t->scope, out);
    return TRUE;
}

/* (let ((v test)) (if v v <rest>)); answers where the rest goes. */
static val or_step(struct expander *x, const struct task *t, struct syntax *test,
                   struct scope *scope, struct ir_node **out, struct ir_node ***rest)
{
    struct ir_var *v = temporary(x, test);
    TRY(let_one(x, v, test, out));
    struct ir_node *branch = ir_new(x, IR_IF, test);
    (*out)->a = branch;
    branch->a = ir_local(x, v, test);
    branch->b = ir_local(x, v, test);
    push_expression(x, t, test, scope, &(*out)->items[0]);
    *rest = &branch->c;
    return TRUE;
}

val core_or(struct expander *x, struct task *t)
{
    struct ir_node **out = t->out;
    struct syntax *p = t->form->pair.cdr;
    if (syntax_is_nil(p)) {
        *out = ir_constant(x, FALSE, t->form);
        return TRUE;
    }
    for (; syntax_is_pair(x, p->pair.cdr); p = p->pair.cdr)
        TRY(or_step(x, t, p->pair.car, t->scope, out, &out));
    push_expression(x, t, p->pair.car, t->scope, out);
    return TRUE;
}

/* -- cond and guard ------------------------------------------------------------- */
/* (<receiver> v), the receiver still to be expanded. */
static val arrow_call(struct expander *x, const struct task *t, struct syntax *receiver,
                      struct scope *scope, struct ir_var *v, struct ir_node **out)
{
    TRY(ir_call(x, NULL, 1, receiver, out));
    (*out)->items[0] = ir_local(x, v, receiver);
    push_expression(x, t, receiver, scope, &(*out)->a);
    return TRUE;
}

/* Is the list (=> receiver)? */
static val is_arrow(struct expander *x, struct syntax *rest, struct scope *scope,
                    const struct syntax *clause)
{
    if (!syntax_is_pair(x, rest) || !is_true(TRY(is_keyword(x, rest->pair.car, scope, CORE_ARROW))))
        return FALSE;
    if (syntax_length(x, rest) == 2)
        return TRUE;
    return FAIL(x, clause, "one procedure follows =>: (test => procedure)", "malformed clause: %s",
                syntax_text(x, (struct syntax *)(uintptr_t)clause));
}

static val arrow_clause(struct expander *x, const struct task *t, struct syntax *clause,
                        struct scope *scope, struct ir_node **out, struct ir_node ***rest)
{
    struct ir_var *v = temporary(x, clause);
    TRY(let_one(x, v, clause, out));
    struct ir_node *branch = ir_new(x, IR_IF, clause);
    (*out)->a = branch;
    branch->a = ir_local(x, v, clause);
    push_expression(x, t, clause->pair.car, scope, &(*out)->items[0]);
    *rest = &branch->c;
    return arrow_call(x, t, syntax_nth(clause, 2), scope, v, &branch->b);
}

static val cond_clause(struct expander *x, const struct task *t, struct syntax *clause,
                       struct scope *scope, struct ir_node **out, struct ir_node ***rest)
{
    struct syntax *body = clause->pair.cdr;
    if (syntax_is_nil(body))
        return or_step(x, t, clause->pair.car, scope, out, rest);
    if (is_true(TRY(is_arrow(x, body, scope, clause))))
        return arrow_clause(x, t, clause, scope, out, rest);
    struct ir_node *node = ir_new(x, IR_IF, clause);
    *out = node;
    push_expression(x, t, clause->pair.car, scope, &node->a);
    *rest = &node->c;
    return sequence_push(x, t, body, scope, clause, &node->b);
}

static val else_last(struct expander *x, struct syntax *clause, struct syntax *behind)
{
    if (!syntax_is_nil(behind))
        return FAIL(x, clause, "move the else clause to the end", "else is not the last clause");
    if (!syntax_is_pair(x, clause->pair.cdr))
        return FAIL(x, clause, "(else expression ...)", "an else clause without expressions");
    return TRUE;
}

val clauses_push(struct expander *x, const struct task *t, struct syntax *clauses,
                 struct scope *scope, struct ir_node *otherwise, struct ir_node **out)
{
    for (; syntax_is_pair(x, clauses); clauses = clauses->pair.cdr) {
        struct syntax *clause = clauses->pair.car;
        if (syntax_length(x, clause) < 1)
            return FAIL(x, clause, "a clause is (test expression ...)", "malformed clause: %s",
                        syntax_text(x, clause));
        if (is_true(TRY(is_keyword(x, clause->pair.car, scope, CORE_ELSE)))) {
            TRY(else_last(x, clause, clauses->pair.cdr));
            return sequence_push(x, t, clause->pair.cdr, scope, clause, out);
        }
        TRY(cond_clause(x, t, clause, scope, out, &out));
    }
    *out = otherwise;
    return TRUE;
}

val core_cond(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, -1, "(cond (test expression ...) ... (else expression ...))"));
    return clauses_push(x, t, t->form->pair.cdr, t->scope, NULL, t->out);
}

/* (%guard (lambda () body ...) (lambda (var reraise) clause ... (reraise))) */
val core_guard(struct expander *x, struct task *t)
{
    struct ir_node *call, *again;
    TRY(check_form(x, t->form, 2, -1, "(guard (name (test expression ...) ...) body ...)"));
    struct syntax *spec = syntax_nth(t->form, 1);
    if (syntax_length(x, spec) < 1 || !syntax_is_identifier(spec->pair.car))
        return FAIL(x, t->form, "(guard (name (test expression ...) ...) body ...)",
                    "malformed guard: %s", syntax_text(x, spec));
    TRY(ir_core_call(x, "%guard", 2, t->form, &call));
    *t->out = call;
    TRY(thunk_push(x, t, t->form->pair.cdr->pair.cdr, true, &call->items[0]));
    TRY(ir_lambda_node(x, 2, t->form, &call->items[1]));
    struct ir_lambda *handler = call->items[1]->lambda;
    struct scope *scope = scope_new(x, t->scope);
    TRY(scope_bind_variable(x, scope, spec->pair.car, &handler->vars[0]));
    handler->vars[1] = temporary(x, t->form);
    TRY(ir_call(x, ir_local(x, handler->vars[1], t->form), 0, t->form, &again));
    handler->vars[1]->calls++;
    return clauses_push(x, t, spec->pair.cdr, scope, again, &handler->body);
}

/* -- case --------------------------------------------------------------------------- */
/* (eqv? key 'datum) */
static val case_test_one(struct expander *x, struct ir_var *key, struct syntax *datum,
                         struct ir_node **out)
{
    TRY(ir_core_call(x, "eqv?", 2, datum, out));
    (*out)->items[0] = ir_local(x, key, datum);
    return literal(x, datum, &(*out)->items[1]);
}

static val case_test(struct expander *x, struct ir_var *key, struct syntax *data,
                     const struct syntax *clause, struct ir_node **out)
{
    if (syntax_is_nil(data)) {
        *out = ir_constant(x, FALSE, clause);
        return TRUE;
    }
    for (; syntax_is_pair(x, data->pair.cdr); data = data->pair.cdr) {
        struct ir_node *node = ir_new(x, IR_IF, clause);
        *out = node;
        TRY(case_test_one(x, key, data->pair.car, &node->a));
        node->b = ir_constant(x, TRUE, clause);
        out = &node->c;
    }
    return case_test_one(x, key, data->pair.car, out);
}

/* The expressions of a clause, or => procedure. */
static val case_body(struct expander *x, const struct task *t, struct syntax *clause,
                     struct ir_var *key, struct ir_node **out)
{
    struct syntax *body = clause->pair.cdr;
    if (is_true(TRY(is_arrow(x, body, t->scope, clause))))
        return arrow_call(x, t, syntax_nth(body, 1), t->scope, key, out);
    return sequence_push(x, t, body, t->scope, clause, out);
}

static val case_clause(struct expander *x, const struct task *t, struct syntax *clause,
                       struct ir_var *key, struct ir_node *node)
{
    if (syntax_length(x, clause) < 2 || syntax_length(x, clause->pair.car) < 0)
        return FAIL(x, clause, "a clause of case is ((datum ...) expression ...)",
                    "malformed clause: %s", syntax_text(x, clause));
    TRY(case_test(x, key, clause->pair.car, clause, &node->a));
    return case_body(x, t, clause, key, &node->b);
}

val core_case(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, -1,
                   "(case key ((datum ...) expression ...) ... (else expression ...))"));
    struct ir_var *key = temporary(x, t->form);
    TRY(let_one(x, key, t->form, t->out));
    struct ir_node *let = *t->out, **out = &let->a;
    push_expression(x, t, syntax_nth(t->form, 1), t->scope, &let->items[0]);
    struct syntax *p = t->form->pair.cdr->pair.cdr;
    *out = NULL;
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        struct syntax *clause = p->pair.car;
        if (syntax_is_pair(x, clause) &&
            is_true(TRY(is_keyword(x, clause->pair.car, t->scope, CORE_ELSE)))) {
            TRY(else_last(x, clause, p->pair.cdr));
            return case_body(x, t, clause, key, out);
        }
        struct ir_node *node = ir_new(x, IR_IF, clause);
        *out = node;
        TRY(case_clause(x, t, clause, key, node));
        out = &node->c;
    }
    if (!let->a)
        let->a = ir_constant(x, UNSPECIFIED, t->form);
    return TRUE;
}

/* -- do -------------------------------------------------------------------------------- */
static val do_shape(struct expander *x, struct task *t)
{
    const char *usage = "(do ((name init step) ...) (test result ...) command ...)";
    TRY(check_form(x, t->form, 2, -1, usage));
    struct syntax *specs = syntax_nth(t->form, 1);
    if (syntax_length(x, specs) < 0 || syntax_length(x, syntax_nth(t->form, 2)) < 1)
        return FAIL(x, t->form, usage, "malformed do: %s", syntax_text(x, t->form));
    for (; syntax_is_pair(x, specs); specs = specs->pair.cdr) {
        int64_t n = syntax_length(x, specs->pair.car);
        if ((n != 2 && n != 3) || !syntax_is_identifier(specs->pair.car->pair.car))
            return FAIL(x, specs->pair.car, usage, "malformed variable of do: %s",
                        syntax_text(x, specs->pair.car));
    }
    return TRUE;
}

/* The loop's body: (if test (begin result ...) (begin command ... (loop step ...))) */
static val do_body(struct expander *x, const struct task *t, struct scope *scope,
                   struct ir_node *again, struct ir_node **out)
{
    struct syntax *exit = syntax_nth(t->form, 2);
    struct syntax *commands = t->form->pair.cdr->pair.cdr->pair.cdr;
    struct ir_node *branch = ir_new(x, IR_IF, exit);
    struct ir_node *seq = ir_new(x, IR_SEQ, t->form);
    *out = branch;
    push_expression(x, t, exit->pair.car, scope, &branch->a);
    if (syntax_is_nil(exit->pair.cdr))
        branch->b = ir_constant(x, UNSPECIFIED, exit);
    else
        TRY(sequence_push(x, t, exit->pair.cdr, scope, exit, &branch->b));
    int64_t n = syntax_length(x, commands);
    TRY(ir_items(x, seq, (size_t)n + 1, false));
    for (size_t i = 0; i < (size_t)n; i++, commands = commands->pair.cdr)
        push_expression(x, t, commands->pair.car, scope, &seq->items[i]);
    seq->items[n] = again;
    branch->c = seq;
    return TRUE;
}

val core_do(struct expander *x, struct task *t)
{
    struct ir_node *first, *again;
    TRY(do_shape(x, t));
    struct syntax *specs = syntax_nth(t->form, 1);
    size_t n = (size_t)syntax_length(x, specs);
    struct ir_var *loop = variable_new(x, TRY(symbol_intern_ascii(x->h, "do")), &t->form->at);
    struct ir_node *node = ir_new(x, IR_LETREC, t->form);
    *t->out = node;
    TRY(ir_items(x, node, 1, true));
    node->vars[0] = loop;
    TRY(ir_lambda_node(x, n, t->form, &node->items[0]));
    TRY(ir_call(x, ir_local(x, loop, t->form), n, t->form, &first));
    TRY(ir_call(x, ir_local(x, loop, t->form), n, t->form, &again));
    loop->calls += 2;
    node->a = first;
    struct ir_lambda *l = node->items[0]->lambda;
    l->name = loop->name;
    struct scope *scope = scope_new(x, t->scope);
    for (size_t i = 0; i < n; i++, specs = specs->pair.cdr) {
        struct syntax *spec = specs->pair.car, *behind = spec->pair.cdr->pair.cdr;
        TRY(bind_once(x, scope, spec->pair.car, &l->vars[i]));
        push_expression(x, t, syntax_nth(spec, 1), t->scope, &first->items[i]);
        if (syntax_is_nil(behind))
            again->items[i] = ir_local(x, l->vars[i], spec);
        else
            push_expression(x, t, behind->pair.car, scope, &again->items[i]);
    }
    return do_body(x, t, scope, again, &l->body);
}

/* -- let-values ---------------------------------------------------------------------------- */
/* (call-with-values (lambda () init) (lambda formals <next>)) */
static val values_step(struct expander *x, const struct task *t, struct syntax *binding,
                       struct scope *init_scope, struct scope *scope, struct ir_node **out,
                       struct ir_node ***next)
{
    struct formals f;
    struct ir_node *call;
    if (syntax_length(x, binding) != 2)
        return FAIL(x, binding, "(let-values (((a b ...) expression) ...) body ...)",
                    "malformed binding: %s", syntax_text(x, binding));
    TRY(formals_bind(x, binding->pair.car, scope, &f));
    TRY(ir_core_call(x, "call-with-values", 2, binding, &call));
    *out = call;
    TRY(ir_lambda_node(x, 0, binding, &call->items[0]));
    TRY(ir_lambda_node(x, 0, binding, &call->items[1]));
    push_expression(x, t, syntax_nth(binding, 1), init_scope, &call->items[0]->lambda->body);
    struct ir_lambda *l = call->items[1]->lambda;
    l->vars = f.vars;
    l->required = f.required;
    l->rest = f.rest;
    *next = &l->body;
    return TRUE;
}

val core_let_values(struct expander *x, struct task *t)
{
    bool nested = (uintptr_t)t->data == CORE_LET_STAR_VALUES;
    TRY(check_form(x, t->form, 2, -1, "(let-values (((a b ...) expression) ...) body ...)"));
    struct syntax *p = syntax_nth(t->form, 1);
    if (syntax_length(x, p) < 0)
        return FAIL(x, t->form, "(let-values (((a b ...) expression) ...) body ...)",
                    "malformed bindings: %s", syntax_text(x, p));
    struct scope *scope = scope_new(x, t->scope), *outer = t->scope;
    struct ir_node **out = t->out;
    for (; syntax_is_pair(x, p); p = p->pair.cdr) {
        TRY(values_step(x, t, p->pair.car, outer, scope, out, &out));
        if (nested) {
            outer = scope;
            scope = scope_new(x, scope);
        }
    }
    return body_push(x, t, t->form->pair.cdr->pair.cdr, scope, t->form, out);
}

/* -- parameterize, delay ----------------------------------------------------------------- */
static val parameter_pair(struct expander *x, const struct task *t, struct syntax *binding,
                          struct ir_node **out)
{
    if (syntax_length(x, binding) != 2)
        return FAIL(x, binding, "(parameterize ((parameter value) ...) body ...)",
                    "malformed binding: %s", syntax_text(x, binding));
    TRY(ir_core_call(x, "cons", 2, binding, out));
    push_expression(x, t, binding->pair.car, t->scope, &(*out)->items[0]);
    push_expression(x, t, syntax_nth(binding, 1), t->scope, &(*out)->items[1]);
    return TRUE;
}

val core_parameterize(struct expander *x, struct task *t)
{
    struct ir_node *call, *list;
    const char *usage = "(parameterize ((parameter value) ...) body ...)";
    TRY(check_form(x, t->form, 2, -1, usage));
    struct syntax *p = syntax_nth(t->form, 1);
    int64_t n = syntax_length(x, p);
    if (n < 0)
        return FAIL(x, t->form, usage, "malformed bindings: %s", syntax_text(x, p));
    TRY(ir_core_call(x, "%parameterize", 2, t->form, &call));
    TRY(ir_core_call(x, "list", (size_t)n, t->form, &list));
    *t->out = call;
    call->items[0] = list;
    for (size_t i = 0; i < (size_t)n; i++, p = p->pair.cdr)
        TRY(parameter_pair(x, t, p->pair.car, &list->items[i]));
    return thunk_push(x, t, t->form->pair.cdr->pair.cdr, true, &call->items[1]);
}

val core_delay(struct expander *x, struct task *t)
{
    bool force = (uintptr_t)t->data == CORE_DELAY_FORCE;
    TRY(check_form(x, t->form, 1, 1, "(delay expression), (delay-force expression)"));
    TRY(ir_core_call(x, force ? "%delay-force" : "%delay", 1, t->form, t->out));
    return thunk_push(x, t, syntax_nth(t->form, 1), false, &(*t->out)->items[0]);
}

/* -- cond-expand, include ---------------------------------------------------------------- */
val core_cond_expand(struct expander *x, struct task *t)
{
    struct syntax *chosen;
    TRY(cond_expand_choose(x, t->form, &chosen));
    if (syntax_is_nil(chosen)) {
        *t->out = ir_constant(x, UNSPECIFIED, t->form);
        return TRUE;
    }
    return sequence_push(x, t, chosen, t->scope, t->form, t->out);
}

val core_include(struct expander *x, struct task *t)
{
    struct syntax *forms;
    TRY(include_forms(x, t->form, (uintptr_t)t->data == CORE_INCLUDE_CI, &forms));
    return sequence_push(x, t, forms, t->scope, t->form, t->out);
}
