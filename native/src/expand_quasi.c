/* T5 quasiquotation, straight to cons, append and list->vector.
 *
 * A template that holds no unquote of level 0 is one constant. quasi_push works
 * on one node and pushes tasks for the parts; whether a part is constant is not
 * known then, so a node is first built as a call, and folded afterwards by a
 * task that lies below those of its parts. */
#include "expand.h"
#include "symbol.h"

/* Where a node stands: level of nesting, 0 means code. */
static struct task *quasi_task(struct expander *x, const struct task *t, struct syntax *form,
                               uintptr_t level, struct ir_node **out);

static bool is_constant(const struct ir_node *n)
{
    return n->kind == IR_CONST;
}

/* (cons 'a 'b) of two constants is a constant. */
static val fold_cons(struct expander *x, struct task *t)
{
    struct ir_node *call = *t->out;
    if (!is_constant(call->items[0]) || !is_constant(call->items[1]))
        return TRUE;
    val p = TRY(heap_cons_constant(x->h, call->items[0]->value, call->items[1]->value));
    *t->out = ir_constant(x, p, t->form);
    return TRUE;
}

static val list_to_vector(struct expander *x, struct task *t, val list, size_t n)
{
    val v = TRY(heap_alloc_constant(x->h, T_VECTOR, n, 0));
    for (size_t i = 0; i < n; i++, list = cdr(list))
        object_fields(v)[i] = car(list);
    *t->out = ir_constant(x, v, t->form);
    return TRUE;
}

static val fold_vector(struct expander *x, struct task *t)
{
    struct ir_node *call = *t->out;
    if (!is_constant(call->items[0]))
        return TRUE;
    size_t n = 0;
    for (val p = call->items[0]->value; is_pair(p); p = cdr(p))
        n++;
    return list_to_vector(x, t, call->items[0]->value, n);
}

/* Is the form (keyword x)? */
static val is_tagged(struct expander *x, struct syntax *form, struct scope *scope,
                     enum core_form core)
{
    if (!syntax_is_pair(x, form) || !syntax_is_identifier(form->pair.car) ||
        !syntax_is_pair(x, form->pair.cdr) || !syntax_is_nil(form->pair.cdr->pair.cdr))
        return FALSE;
    return is_keyword(x, form->pair.car, scope, core);
}

/* (keyword <x at another level>): a list of the symbol and the inner template. */
static val quasi_list2(struct expander *x, struct task *t, uintptr_t level)
{
    struct ir_node *outer, *inner;
    TRY(ir_core_call(x, "cons", 2, t->form, &outer));
    TRY(ir_core_call(x, "cons", 2, t->form, &inner));
    outer->items[0] = ir_constant(x, identifier_symbol(t->form->pair.car), t->form);
    outer->items[1] = inner;
    inner->items[1] = ir_constant(x, NIL, t->form);
    *t->out = outer;
    push(x, t, fold_cons, t->form, t->scope, t->out, NULL);
    push(x, t, fold_cons, t->form, t->scope, &outer->items[1], NULL);
    quasi_task(x, t, syntax_nth(t->form, 1), level, &inner->items[0]);
    return TRUE;
}

/* (,@a . rest) at level 1: (append a rest), or a alone at the end of a list. */
static val quasi_splice(struct expander *x, struct task *t, struct syntax *spliced)
{
    struct ir_node *call;
    struct syntax *rest = t->form->pair.cdr;
    if (syntax_is_nil(rest)) {
        push_expression(x, t, syntax_nth(spliced, 1), t->scope, t->out);
        return TRUE;
    }
    TRY(ir_core_call(x, "append", 2, t->form, &call));
    *t->out = call;
    push_expression(x, t, syntax_nth(spliced, 1), t->scope, &call->items[0]);
    quasi_task(x, t, rest, 1, &call->items[1])->depth = t->depth;
    return TRUE;
}

static val quasi_pair(struct expander *x, struct task *t, uintptr_t level)
{
    struct ir_node *call;
    struct syntax *form = t->form;
    if (is_true(TRY(is_tagged(x, form, t->scope, CORE_UNQUOTE)))) {
        if (level == 1)
            push_expression(x, t, syntax_nth(form, 1), t->scope, t->out);
        else
            return quasi_list2(x, t, level - 1);
        return TRUE;
    }
    if (is_true(TRY(is_tagged(x, form, t->scope, CORE_QUASIQUOTE))))
        return quasi_list2(x, t, level + 1);
    if (is_true(TRY(is_tagged(x, form, t->scope, CORE_UNQUOTE_SPLICING)))) {
        if (level == 1)
            return FAIL(x, form, "write `(... ,@list ...)", ",@ outside a list");
        return quasi_list2(x, t, level - 1);
    }
    if (level == 1 && is_true(TRY(is_tagged(x, form->pair.car, t->scope, CORE_UNQUOTE_SPLICING))))
        return quasi_splice(x, t, form->pair.car);
    TRY(ir_core_call(x, "cons", 2, form, &call));
    *t->out = call;
    push(x, t, fold_cons, form, t->scope, t->out, NULL);
    quasi_task(x, t, form->pair.car, level, &call->items[0]);
    quasi_task(x, t, form->pair.cdr, level, &call->items[1])->depth = t->depth;
    return TRUE;
}

static val quasi_step(struct expander *x, struct task *t)
{
    struct ir_node *call;
    uintptr_t level = (uintptr_t)t->data;
    syntax_open(x, t->form);
    if (t->form->kind == SYN_PAIR)
        return quasi_pair(x, t, level);
    if (t->form->kind != SYN_VECTOR)
        return literal(x, t->form, t->out);
    TRY(ir_core_call(x, "list->vector", 1, t->form, &call));
    *t->out = call;
    push(x, t, fold_vector, t->form, t->scope, t->out, NULL);
    quasi_task(x, t, syntax_vector_list(x, t->form), level, &call->items[0]);
    return TRUE;
}

static struct task *quasi_task(struct expander *x, const struct task *t, struct syntax *form,
                               uintptr_t level, struct ir_node **out)
{
    push(x, t, quasi_step, form, t->scope, out, (void *)level);
    return x->tasks;
}

val core_quasiquote(struct expander *x, struct task *t)
{
    TRY(check_form(x, t->form, 1, 1, "(quasiquote template), or `template"));
    quasi_task(x, t, syntax_nth(t->form, 1), 1, t->out);
    return TRUE;
}
