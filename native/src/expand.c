/* T5 the expander's machine: tasks, scopes, what an identifier means, calls.
 *
 * The loop is expander_run. expand_expression decides what a node is; the core
 * forms live in expand_core.c, expand_derived.c, expand_quasi.c, expand_body.c,
 * macros in rules.c. See expand.h for the model. */
#include "expand.h"
#include "symbol.h"
#include "table.h"

const struct core_row core_table[CORE_COUNT] = {
#define CORE(name, text, function) {text, function},
    CORE_FORMS(CORE)
#undef CORE
};

const char *core_name(unsigned core)
{
    return core_table[core].name;
}

/* -- tasks --------------------------------------------------------------------- */
void push(struct expander *x, const struct task *parent, task_step *step, struct syntax *form,
          struct scope *scope, struct ir_node **out, void *data)
{
    struct task *t = x->spare;
    if (t)
        x->spare = t->next;
    else
        t = TAKE(x, struct task);
    *t = (struct task){x->tasks, step, form,  scope,
                       out,      data, FALSE, parent ? parent->depth + 1 : 0};
    x->tasks = t;
}

static val too_deep(struct expander *x, const struct task *t)
{
    const struct position *p = &t->form->at;
    return raise_text(x->h, CONDITION_DEPTH, p->file, p->line, p->column,
                      "split the form, or build the data when the program runs",
                      "forms nested more than %zu deep", (size_t)x->h->depth_max);
}

val expander_run(struct expander *x)
{
    size_t steps = 0;
    while (x->tasks) {
        struct task t = *x->tasks;
        x->tasks->next = x->spare;
        x->spare = x->tasks;
        x->tasks = t.next;
        if (t.depth > x->h->depth_max)
            return too_deep(x, &t);
        TRY(t.step(x, &t));
        if (x->a->failed)
            return RETRY;
        if ((++steps & 15) == 0)
            heap_charge(x->h, 1);
        if (heap_poll(x->h))
            return LIMIT;
    }
    return x->a->failed ? RETRY : TRUE;
}

/* -- scopes ----------------------------------------------------------------------- */
struct scope *scope_new(struct expander *x, struct scope *parent)
{
    struct scope *s = TAKE(x, struct scope);
    s->parent = parent;
    s->environment = FALSE;
    return s;
}

val scope_root(struct expander *x, val environment, struct scope **out)
{
    *out = map_get(&x->roots, environment.bits);
    if (*out)
        return TRUE;
    *out = scope_new(x, NULL);
    (*out)->environment = environment;
    return map_put(x->a, &x->roots, environment.bits, *out);
}

val scope_bind(struct expander *x, struct scope *scope, struct syntax *id, struct binding *b)
{
    return map_put(x->a, &scope->names, identifier_key(id), b);
}

struct ir_var *variable_new(struct expander *x, val name, const struct position *at)
{
    struct ir_var *v = TAKE(x, struct ir_var);
    v->name = name;
    v->at = at;
    return v;
}

val scope_bind_variable(struct expander *x, struct scope *scope, struct syntax *id,
                        struct ir_var **out)
{
    struct binding *b = TAKE(x, struct binding);
    b->kind = BIND_LOCAL;
    b->var = variable_new(x, identifier_symbol(id), &id->at);
    b->at = &id->at;
    b->cell = HOLE;
    if (out)
        *out = b->var;
    return scope_bind(x, scope, id, b);
}

val expander_init(struct expander *x, struct heap *h, struct arena *a, val unit)
{
    memset(x, 0, sizeof *x);
    x->h = h;
    x->a = a;
    x->unit = unit;
    x->need = FALSE;
    x->names = FALSE;
    x->commits_end = &x->commits;
    return scope_root(x, h->roots[ROOT_CORE], &x->core);
}

/* -- what identifiers mean ------------------------------------------------------------ */
static bool slot_is_bound(struct expander *x, size_t slot)
{
    val v = slot < x->h->slot_count ? x->h->slots[slot] : UNBOUND;
    return !is_eq(v, UNBOUND);
}

static val slot_global(struct expander *x, size_t slot, val name, struct ir_global **out)
{
    uint64_t key = ((uint64_t)slot << 3) + 8;
    *out = map_get(&x->slots, key);
    if (*out)
        return TRUE;
    struct ir_global *g = TAKE(x, struct ir_global);
    g->kind = GLOBAL_SLOT;
    g->slot = (uint32_t)slot;
    g->name = name;
    g->value = FALSE;
    g->defined = slot_is_bound(x, slot);
    *out = g;
    return map_put(x->a, &x->slots, key, g);
}

static struct ir_global *constant_global(struct expander *x, val value, val name)
{
    struct ir_global *g = TAKE(x, struct ir_global);
    g->kind = GLOBAL_CONSTANT;
    g->name = name;
    g->value = value;
    g->defined = true;
    return g;
}

/* The arena's form of what the heap says about a name. */
val global_for(struct expander *x, struct scope *root, val name, val cell, struct binding **out)
{
    (void)root;
    struct binding *b = TAKE(x, struct binding);
    unsigned core;
    *out = b;
    b->cell = cell;
    b->kind = BIND_GLOBAL;
    if (is_fixnum(cell) || (is_pair(cell) && is_fixnum(car(cell)))) {
        val slot = is_fixnum(cell) ? cell : car(cell);
        return slot_global(x, (size_t)fixnum_value(slot), name, &b->global);
    }
    if (is_pair(cell)) {
        b->global = constant_global(x, cdr(cell), name);
        return TRUE;
    }
    if (binding_is_core(cell, &core)) {
        b->kind = BIND_CORE;
        b->core = (uint8_t)core;
        return TRUE;
    }
    CHECK(is_type(cell, T_MACRO));
    b->kind = BIND_MACRO;
    return macro_from_object(x, cell, &b->macro);
}

/* What the heap knows of an identifier at this root: HOLE for nothing. */
static val heap_cell(struct expander *x, struct scope *root, val key, bool *own)
{
    *own = false;
    if (root == x->root && is_type(x->names, T_TABLE)) {
        val cell = TRY(table_get(x->h, x->names, key, HOLE));
        *own = !is_eq(cell, HOLE);
        if (*own)
            return cell;
    }
    return environment_lookup(x->h, root->environment, key);
}

static val root_lookup(struct expander *x, struct scope *root, struct syntax *id,
                       struct binding **out)
{
    *out = map_get(&root->names, identifier_key(id));
    if (*out || (id->kind == SYN_ALIAS && !is_pointer(id->alias->identifier)))
        return TRUE;
    bool own;
    val key = id->kind == SYN_SYMBOL ? id->atom : id->alias->identifier;
    val cell = TRY(heap_cell(x, root, key, &own));
    if (is_eq(cell, HOLE))
        return TRUE;
    TRY(global_for(x, root, identifier_symbol(id), cell, out));
    (*out)->pending = own;
    return map_put(x->a, &root->names, identifier_key(id), *out);
}

val resolve(struct expander *x, struct syntax *id, struct scope *scope, struct resolved *out)
{
    size_t steps = 0;
    for (;;) {
        struct scope *s = scope;
        uint64_t key = identifier_key(id);
        for (; s->parent; s = s->parent, steps++) {
            out->binding = map_get(&s->names, key);
            if (out->binding)
                break;
        }
        out->root = s;
        if (!s->parent)
            TRY(root_lookup(x, s, id, &out->binding));
        if (out->binding || id->kind == SYN_SYMBOL)
            break;
        scope = id->alias->scope;
        id = id->alias->inner;
        if (!scope || x->a->failed)
            return RETRY;
    }
    out->base = identifier_base(id);
    heap_charge(x->h, steps / 64);
    return TRUE;
}

/* Bound to nothing, or to a slot that is only reserved. */
static bool is_unbound(struct expander *x, const struct resolved *r)
{
    struct binding *b = r->binding;
    if (!b)
        return true;
    return b->kind == BIND_GLOBAL && is_fixnum(b->cell) && !b->pending &&
           !slot_is_bound(x, (size_t)fixnum_value(b->cell));
}

static bool same_cell(const struct binding *a, const struct binding *b)
{
    if (a->kind != b->kind || a->kind == BIND_LOCAL)
        return false;
    if (a->kind == BIND_CORE)
        return a->core == b->core;
    if (a->kind == BIND_MACRO && a->macro == b->macro)
        return true;
    if (is_eq(a->cell, HOLE) || is_eq(b->cell, HOLE))
        return false;
    if (is_eq(a->cell, b->cell))
        return true;
    return is_pair(a->cell) && is_pair(b->cell) && is_eq(car(a->cell), car(b->cell)) &&
           is_eq(cdr(a->cell), cdr(b->cell));
}

val same_meaning(struct expander *x, struct syntax *a, struct scope *in_a, struct syntax *b,
                 struct scope *in_b)
{
    struct resolved ra, rb;
    TRY(resolve(x, a, in_a, &ra));
    TRY(resolve(x, b, in_b, &rb));
    if (ra.binding && ra.binding == rb.binding)
        return TRUE;
    bool none_a = is_unbound(x, &ra), none_b = is_unbound(x, &rb);
    if (none_a || none_b)
        return val_bool(none_a && none_b && is_eq(ra.base->atom, rb.base->atom));
    return val_bool(same_cell(ra.binding, rb.binding));
}

val is_keyword(struct expander *x, struct syntax *id, struct scope *scope, enum core_form core)
{
    struct resolved r;
    if (!syntax_is_identifier(id))
        return FALSE;
    TRY(resolve(x, id, scope, &r));
    if (r.binding && r.binding->kind == BIND_CORE)
        return val_bool(r.binding->core == core);
    return val_bool(is_unbound(x, &r) && symbol_is(r.base->atom, core_name(core)));
}

/* -- unbound names ------------------------------------------------------------------------ */
static val raise_unbound(struct expander *x, struct syntax *id, const struct resolved *r)
{
    val hint = TRY(environment_suggest(x->h, r->root->environment, r->base->atom));
    const char *text = is_true(hint) ? string_text(x, hint) : NULL;
    val irritants = TRY(cons(x->h, r->base->atom, NIL));
    val word = raise_text(x->h, CONDITION_UNBOUND, id->at.file, id->at.line, id->at.column, text,
                          "unbound variable: %s", identifier_text(x, id));
    if (is_eq(word, RAISE))
        heap_store(x->h, x->h->raised, &object_fields(x->h->raised)[CONDITION_IRRITANTS],
                   irritants);
    return word;
}

static bool is_program_root(struct expander *x, const struct scope *root)
{
    val e = root->environment;
    if (root == x->root && x->mode == BODY_UNIT)
        return false;
    return !environment_is_immutable(e) && !is_eq(e, x->h->roots[ROOT_CORE]) &&
           !is_true(object_field(e, ENVIRONMENT_OWNER));
}

val unbound_global(struct expander *x, struct syntax *id, const struct resolved *r,
                   struct binding **out)
{
    if (!is_program_root(x, r->root))
        return raise_unbound(x, id, r);
    val name = r->base->atom;
    val slot = TRY(environment_define_slot(x->h, r->root->environment, name));
    TRY(global_for(x, r->root, name, slot, out));
    return map_put(x->a, &r->root->names, name.bits, *out);
}

/* What other dialects say at the head of a form, and what R7RS has instead. */
#define RECORD                                                                                     \
    "in R7RS Scheme: (define-record-type point (make-point x y) point? (x point-x) (y point-y))"

static const struct foreign_word {
    const char *word, *hint;
} foreign_words[] = {
    {"defun", "in R7RS Scheme: (define (name argument ...) body ...)"},
    {"defn", "in R7RS Scheme: (define (name argument ...) body ...)"},
    {"defvar", "in R7RS Scheme: (define name value)"},
    {"defparameter", "in R7RS Scheme: (define name value), or make-parameter"},
    {"defmacro", "R7RS Scheme has define-syntax with syntax-rules"},
    {"define-macro", "R7RS Scheme has define-syntax with syntax-rules"},
    {"setq", "in R7RS Scheme: (set! name value)"},
    {"setf", "in R7RS Scheme: (set! name value), (vector-set! v i x) and the like"},
    {"progn", "in R7RS Scheme: (begin form ...)"},
    {"define*", "in R7RS Scheme: (define (name argument . rest) ...), or case-lambda"},
    {"lambda*", "in R7RS Scheme: (lambda (argument . rest) ...), or case-lambda"},
    {"define/contract", "in R7RS Scheme: (define (name argument ...) body ...)"},
    {"define-struct", RECORD},
    {"defstruct", RECORD},
    {"struct", RECORD},
    {"require", "in R7RS Scheme: (import (scheme base))"},
    {"use-modules", "in R7RS Scheme: (import (scheme base))"},
    {"define-module", "leave it out: a file begins with (import ...)"},
    {"provide", "leave it out: a program exports nothing; a library has (export name ...)"},
    {"with-handlers", "in R7RS Scheme: (guard (e (#t handler ...)) body ...)"},
    {"handler-case", "in R7RS Scheme: (guard (e (#t handler ...)) body ...)"},
    {"unwind-protect", "in R7RS Scheme: (dynamic-wind before thunk after)"},
    {"for/list", "in R7RS Scheme: (map (lambda (x) ...) list)"},
    {"for/fold", "(fold (lambda (x acc) ...) init list) of (srfi 1)"},
    {"for/sum", "in R7RS Scheme: (apply + (map (lambda (x) ...) list))"},
    {"dolist", "in R7RS Scheme: (for-each (lambda (x) ...) list)"},
    {"dotimes", "in R7RS Scheme: (do ((i 0 (+ i 1))) ((= i n)) body ...)"},
    {"flet", "in R7RS Scheme: (let ((name (lambda (argument ...) body ...))) ...)"},
    {"labels", "in R7RS Scheme: (letrec ((name (lambda (argument ...) body ...))) ...)"},
    {"let/ec", "in R7RS Scheme: (call/cc (lambda (return) ...))"},
};

static val refuse_foreign_word(struct expander *x, struct syntax *id, const struct resolved *r)
{
    for (size_t i = 0; i < ARRAY_LENGTH(foreign_words); i++) {
        if (symbol_is(r->base->atom, foreign_words[i].word))
            return FAIL(x, id, foreign_words[i].hint, "%s is not a form of R7RS Scheme",
                        foreign_words[i].word);
    }
    return TRUE;
}

/* -- IR ---------------------------------------------------------------------------------------- */
struct ir_node *ir_new(struct expander *x, enum ir_kind kind, const struct syntax *at)
{
    struct ir_node *n = TAKE(x, struct ir_node);
    n->kind = (uint8_t)kind;
    n->at = &at->at;
    return n;
}

struct ir_node *ir_constant(struct expander *x, val v, const struct syntax *at)
{
    struct ir_node *n = ir_new(x, IR_CONST, at);
    n->value = v;
    return n;
}

struct ir_node *ir_local(struct expander *x, struct ir_var *v, const struct syntax *at)
{
    struct ir_node *n = ir_new(x, IR_LOCAL, at);
    n->var = v;
    v->references++;
    return n;
}

val ir_items(struct expander *x, struct ir_node *n, size_t count, bool vars)
{
    n->count = count;
    n->items = ARENA_ARRAY(x->a, struct ir_node *, size_max(count, 1));
    if (vars)
        n->vars = ARENA_ARRAY(x->a, struct ir_var *, size_max(count, 1));
    return x->a->failed ? RETRY : TRUE;
}

val ir_call(struct expander *x, struct ir_node *f, size_t n, const struct syntax *at,
            struct ir_node **out)
{
    *out = ir_new(x, IR_CALL, at);
    (*out)->a = f;
    return ir_items(x, *out, n, false);
}

val ir_lambda_node(struct expander *x, size_t n, const struct syntax *at, struct ir_node **out)
{
    struct ir_lambda *l = TAKE(x, struct ir_lambda);
    l->name = FALSE;
    l->required = n;
    l->vars = ARENA_ARRAY(x->a, struct ir_var *, size_max(n, 1));
    *out = ir_new(x, IR_LAMBDA, at);
    (*out)->lambda = l;
    return x->a->failed ? RETRY : TRUE;
}

val ir_core_call(struct expander *x, const char *name, size_t n, const struct syntax *at,
                 struct ir_node **out)
{
    struct binding *b;
    struct syntax *id = syntax_new(x, SYN_SYMBOL, at);
    id->atom = TRY(symbol_intern_ascii(x->h, name));
    TRY(root_lookup(x, x->core, id, &b));
    if (!b || b->kind != BIND_GLOBAL)
        return FAIL(x, at, NULL, "the core procedure %s is missing", name);
    struct ir_node *f = ir_new(x, IR_GLOBAL, at);
    f->global = b->global;
    return ir_call(x, f, n, at, out);
}

/* -- references, literals, calls --------------------------------------------------------- */
static val keyword_as_variable(struct expander *x, struct syntax *id)
{
    const char *hint = "a keyword of syntax is not a value; wrap it in a lambda if you need one";
    if (symbol_is(identifier_symbol(id), "else"))
        hint = "else stands last in cond, case or guard: (else expression ...)";
    return FAIL(x, id, hint, "%s is syntax, it cannot stand here", identifier_text(x, id));
}

val reference(struct expander *x, struct syntax *id, struct scope *scope, bool operator,
              struct ir_node ** out)
{
    struct resolved r;
    TRY(resolve(x, id, scope, &r));
    if (operator&& is_unbound(x, &r))
        TRY(refuse_foreign_word(x, id, &r));
    if (!r.binding)
        TRY(unbound_global(x, id, &r, &r.binding));
    switch (r.binding->kind) {
    case BIND_LOCAL:
        *out = ir_local(x, r.binding->var, id);
        r.binding->var->calls += operator;
        return TRUE;
    case BIND_GLOBAL:
        commit_use(x, id, r.binding);
        *out = ir_new(x, IR_GLOBAL, id);
        (*out)->global = r.binding->global;
        return TRUE;
    default:
        return keyword_as_variable(x, id);
    }
}

/* A datum that the program made (eval): reached through a constant pair, since
 * code refers to constants only. */
static val held_literal(struct expander *x, struct syntax *s, struct ir_node **out)
{
    val holder = TRY(heap_cons_constant(x->h, FALSE, NIL));
    heap_store(x->h, holder, &pair_words(holder)[0], s->atom);
    TRY(ir_core_call(x, "car", 1, s, out));
    (*out)->items[0] = ir_constant(x, holder, s);
    return TRUE;
}

val literal(struct expander *x, struct syntax *s, struct ir_node **out)
{
    if (s->kind == SYN_ATOM && is_pointer(s->atom) && heap_is_mutable(x->h, s->atom))
        return held_literal(x, s, out);
    *out = ir_constant(x, TRY(syntax_datum(x, s, false)), s);
    return TRUE;
}

static task_step expand_expression;

void push_expression(struct expander *x, const struct task *parent, struct syntax *form,
                     struct scope *scope, struct ir_node **out)
{
    push(x, parent, expand_expression, form, scope, out, NULL);
}

void push_named(struct expander *x, const struct task *parent, struct syntax *form,
                struct scope *scope, struct ir_node **out, val name)
{
    push(x, parent, expand_expression, form, scope, out, NULL);
    x->tasks->name = name;
}

static val expand_call(struct expander *x, struct task *t)
{
    struct syntax *form = t->form;
    int64_t n = syntax_length(x, form);
    if (n < 0)
        return FAIL(x, form, "a call is a proper list: (procedure argument ...)",
                    "a dot in a call: %s", syntax_text(x, form));
    TRY(ir_call(x, NULL, (size_t)n - 1, form, t->out));
    struct ir_node *call = *t->out;
    struct syntax *rest = form->pair.cdr;
    for (size_t i = 0; i < call->count; i++, rest = rest->pair.cdr)
        push_expression(x, t, rest->pair.car, t->scope, &call->items[i]);
    if (syntax_is_identifier(form->pair.car))
        return reference(x, form->pair.car, t->scope, true, &call->a);
    push_expression(x, t, form->pair.car, t->scope, &call->a);
    return TRUE;
}

/* What a use of macro `b` goes by in this scope. */
static struct binding *in_force(struct expander *x, struct scope *scope, struct binding *b)
{
    size_t steps = 0;
    for (struct scope *s = x->overrides ? scope : NULL; s; s = s->parent, steps++) {
        for (struct override *o = s->overrides; o; o = o->next, steps++) {
            if (o->of == b->macro)
                return &o->by;
        }
    }
    heap_charge(x->h, steps / 64);
    return b;
}

val expand_head(struct expander *x, struct syntax **form, struct scope *scope, unsigned *core)
{
    struct resolved r;
    *core = CORE_COUNT;
    while (syntax_is_pair(x, *form) && syntax_is_identifier((*form)->pair.car)) {
        TRY(resolve(x, (*form)->pair.car, scope, &r));
        if (r.binding && r.binding->kind == BIND_MACRO)
            r.binding = in_force(x, scope, r.binding);
        if (r.binding && r.binding->kind == BIND_CORE)
            *core = r.binding->core;
        if (!r.binding || r.binding->kind != BIND_MACRO)
            break;
        size_t before = x->a->given;
        TRY(macro_expand(x, r.binding->macro, *form, scope, form));
        if (x->a->failed)
            return RETRY;
        heap_work(x->h, x->a->given - before);
        if (heap_poll(x->h))
            return LIMIT;
    }
    return TRUE;
}

/* Core forms that are no expressions. */
static val misplaced(struct expander *x, struct syntax *form, unsigned core)
{
    const char *hint = NULL;
    switch (core) {
    case CORE_DEFINE:
    case CORE_DEFINE_VALUES:
    case CORE_DEFINE_RECORD_TYPE:
    case CORE_DEFINE_SYNTAX:
        hint = "definitions stand at the top level or in a body; wrap the branch in "
               "(let () (define ...) ...), or use set! to change a variable";
        return FAIL(x, form, hint, "%s where an expression is expected", core_name(core));
    case CORE_ELSE:
        hint = "else stands last in cond, case or guard: (else expression ...)";
        break;
    case CORE_ARROW:
        hint = "=> stands in a clause of cond, case or guard: (test => procedure)";
        break;
    case CORE_UNQUOTE:
    case CORE_UNQUOTE_SPLICING:
        hint = "a comma belongs inside a quasiquotation: `(a ,b)";
        break;
    case CORE_IMPORT:
    case CORE_DEFINE_LIBRARY:
        hint = "it stands at the top level of a program only";
        break;
    case CORE_SYNTAX_RULES:
        hint = "syntax-rules is written in define-syntax, let-syntax or letrec-syntax";
        break;
    default:
        break;
    }
    return FAIL(x, form, hint, "%s cannot stand here", core_name(core));
}

static val expand_expression(struct expander *x, struct task *t)
{
    unsigned core;
    TRY(expand_head(x, &t->form, t->scope, &core));
    struct syntax *form = t->form;
    if (core < CORE_COUNT) {
        if (!core_table[core].expand)
            return misplaced(x, form, core);
        if (syntax_length(x, form) < 0)
            return FAIL(x, form, NULL, "a dot in a form: %s", syntax_text(x, form));
        t->data = (void *)(uintptr_t)core;
        return core_table[core].expand(x, t);
    }
    switch (form->kind) {
    case SYN_SYMBOL:
    case SYN_ALIAS:
        return reference(x, form, t->scope, false, t->out);
    case SYN_PAIR:
        return expand_call(x, t);
    case SYN_NIL:
        return FAIL(x, form, "the empty list as a value is written '()", "() is not an expression");
    case SYN_LABEL:
        return FAIL(x, form, "datum labels are for quoted data", "a datum label in program text");
    default:
        if (form->kind == SYN_ATOM && is_pair(form->atom))
            return FAIL(x, form, "quote it if it is meant as data", "a circular list as a program");
        return literal(x, form, t->out);
    }
}
