/* T5 expander, inside: what expand*.c, rules.c, syntax.c, library.c and unit.c
 * share. Nobody else includes it; front.h is the door.
 *
 * Expansion is a machine: a stack of tasks in the arena. A task expands one
 * syntax node into one IR slot and pushes tasks for what is inside, so nesting
 * never reaches the C stack. A step function gets a copy of its task and answers
 * TRUE or a control word. NEED (the word STEP) means that x->need holds what is
 * missing; the whole attempt is then dropped.
 *
 * An identifier is a SYN_SYMBOL or a SYN_ALIAS. Looking one up: by its own
 * identity through the scopes; where nothing binds it and it is an alias, its
 * inner name is looked up from the scope of the macro that made it.
 *
 * Values in the arena: constants, or, for a unit made of a datum, unsplit data
 * in SYN_ATOM, split one level at a time by syntax_open. Everything is of one
 * attempt, within one primitive call, so nothing moves. */
#ifndef CB_EXPAND_H
#define CB_EXPAND_H

#include "condition.h"
#include "environment.h"
#include "front.h"
#include "heap.h"

#define NEED STEP

/* -- core forms: CORE(NAME, "name", function); order is part of images -------- */
#define CORE_FORMS(CORE)                                                                           \
    CORE(QUOTE, "quote", core_quote)                                                               \
    CORE(QUASIQUOTE, "quasiquote", core_quasiquote)                                                \
    CORE(UNQUOTE, "unquote", NULL)                                                                 \
    CORE(UNQUOTE_SPLICING, "unquote-splicing", NULL)                                               \
    CORE(LAMBDA, "lambda", core_lambda)                                                            \
    CORE(NAMED_LAMBDA, "%named-lambda", core_named_lambda)                                         \
    CORE(IF, "if", core_if)                                                                        \
    CORE(SET, "set!", core_set)                                                                    \
    CORE(BEGIN, "begin", core_begin)                                                               \
    CORE(LET, "let", core_let)                                                                     \
    CORE(LET_STAR, "let*", core_let_star)                                                          \
    CORE(LETREC, "letrec", core_letrec)                                                            \
    CORE(LETREC_STAR, "letrec*", core_letrec)                                                      \
    CORE(DO, "do", core_do)                                                                        \
    CORE(COND, "cond", core_cond)                                                                  \
    CORE(CASE, "case", core_case)                                                                  \
    CORE(WHEN, "when", core_when)                                                                  \
    CORE(UNLESS, "unless", core_when)                                                              \
    CORE(AND, "and", core_and)                                                                     \
    CORE(OR, "or", core_or)                                                                        \
    CORE(CASE_LAMBDA, "case-lambda", core_case_lambda)                                             \
    CORE(LET_VALUES, "let-values", core_let_values)                                                \
    CORE(LET_STAR_VALUES, "let*-values", core_let_values)                                          \
    CORE(PARAMETERIZE, "parameterize", core_parameterize)                                          \
    CORE(DELAY, "delay", core_delay)                                                               \
    CORE(DELAY_FORCE, "delay-force", core_delay)                                                   \
    CORE(GUARD, "guard", core_guard)                                                               \
    CORE(LET_SYNTAX, "let-syntax", core_let_syntax)                                                \
    CORE(LETREC_SYNTAX, "letrec-syntax", core_let_syntax)                                          \
    CORE(SYNTAX_PARAMETERIZE, "%syntax-parameterize", core_syntax_parameterize)                    \
    CORE(SYNTAX_RULES, "syntax-rules", NULL)                                                       \
    CORE(SYNTAX_ERROR, "syntax-error", core_syntax_error)                                          \
    CORE(COND_EXPAND, "cond-expand", core_cond_expand)                                             \
    CORE(JOIN_IDENTIFIERS, "%join-identifiers", core_join_identifiers)                             \
    CORE(FRESH_NAMES, "%with-fresh-names", core_fresh_names)                                       \
    CORE(INCLUDE, "include", core_include)                                                         \
    CORE(INCLUDE_CI, "include-ci", core_include)                                                   \
    CORE(DEFINE, "define", NULL)                                                                   \
    CORE(DEFINE_VALUES, "define-values", NULL)                                                     \
    CORE(DEFINE_RECORD_TYPE, "define-record-type", NULL)                                           \
    CORE(DEFINE_SYNTAX, "define-syntax", NULL)                                                     \
    CORE(IMPORT, "import", NULL)                                                                   \
    CORE(DEFINE_LIBRARY, "define-library", NULL)                                                   \
    CORE(ELSE, "else", NULL)                                                                       \
    CORE(ARROW, "=>", NULL)                                                                        \
    CORE(ELLIPSIS, "...", NULL)                                                                    \
    CORE(UNDERSCORE, "_", NULL)

enum core_form {
#define CORE(name, text, function) CORE_##name,
    CORE_FORMS(CORE)
#undef CORE
        CORE_COUNT
};

/* -- structures ------------------------------------------------------------------ */
/* An arena hash table from words to pointers. */
struct map {
    uint64_t *keys; /* 0: free */
    void **values;
    size_t count, capacity;
};

struct binding;

/* A contour. The outermost is a root: it stands for a heap environment. */
struct scope {
    struct scope *parent;
    struct map names;           /* identifier key -> struct binding */
    struct override *overrides; /* of syntax-parameterize           */
    val environment;            /* root only                        */
};

/* An identifier that a macro step made, or a T_IDENTIFIER of the heap. */
struct alias {
    struct syntax *inner; /* SYN_SYMBOL or SYN_ALIAS */
    struct scope *scope;  /* of the macro's definition */
    val identifier;       /* its T_IDENTIFIER, or #f so far */
};

struct override;

enum binding_kind { BIND_LOCAL, BIND_MACRO, BIND_CORE, BIND_GLOBAL };

struct binding {
    uint8_t kind;
    uint8_t core; /* BIND_CORE */
    bool pending; /* BIND_GLOBAL: the unit's own, defined or to be defined */
    bool used;    /* a library's name that the code of this attempt refers to */
    union {
        struct ir_var *var;
        struct macro *macro;
        struct ir_global *global;
    };
    val cell; /* root scopes: the heap's binding value, HOLE for a pending one */
    const struct position *at;
};

/* In this contour and inside it, uses of a macro go by another binding. */
struct override {
    struct override *next;
    const struct macro *of;
    struct binding by;
};

/* What an identifier means. binding NULL: nothing; then name is what it comes
 * down to in `root`. */
struct resolved {
    struct binding *binding;
    struct syntax *base; /* the SYN_SYMBOL at the bottom */
    struct scope *root;
};

struct rule {
    struct syntax *pattern, *template; /* as written; NULL before it is opened */
    struct pattern *matcher;           /* NULL: not compiled yet (rules.h) */
    struct shape *builder;
    size_t variables, names;
};

struct macro {
    struct syntax *literals; /* list */
    struct syntax *ellipsis; /* identifier */
    struct rule *rules;
    size_t count;
    struct scope *scope;
    val name;   /* symbol */
    val object; /* its T_MACRO, or #f */
    struct position at;
    bool keeps_names; /* of the template's names none is made anew */
};

struct expander;
struct task;
typedef val task_step(struct expander *x, struct task *t);

struct task {
    struct task *next;
    task_step *step;
    struct syntax *form;
    struct scope *scope;
    struct ir_node **out;
    void *data; /* core forms: enum core_form */
    val name;   /* symbol: what a lambda here is called; or #f */
    uint32_t depth;
};

/* How names defined by a body are bound. */
enum body_mode {
    BODY_LOCAL,   /* inside lambda, let ...                                   */
    BODY_PROGRAM, /* one form of a program: slots of the environment          */
    BODY_UNIT     /* a whole library or boot file: statics, slots, constants  */
};

struct expander {
    struct heap *h;
    struct arena *a;
    val unit;           /* T_UNIT */
    struct scope *root; /* of the unit's environment */
    struct task *tasks, *spare;
    struct map roots;   /* environment -> struct scope */
    struct map aliases; /* T_IDENTIFIER -> SYN_ALIAS node */
    struct map macros;  /* T_MACRO -> struct macro */
    struct map slots;   /* 8 * slot + 1 -> struct ir_global */
    struct scope *core; /* root of ROOT_CORE */
    val need;
    struct commit *commits, **commits_end; /* what enters the heap when the attempt succeeds */
    val names;           /* TABLE of the unit's own names, or #f; its extra: see commit.c */
    struct use *uses;    /* library names referred to */
    enum body_mode mode; /* of the top level */
    bool trusted;
    bool overrides;     /* does any scope have some? */
    uint64_t scrap[64]; /* where small structs land when the platform has no memory */
};

struct use {
    struct use *next;
    struct syntax *id;
};

/* A change of an environment that waits for the end of the attempt. */
struct commit {
    struct commit *next;
    val environment;
    val key;
    struct binding *binding; /* MACRO, GLOBAL, or NULL: `cell` is put as it is */
    val cell;
};

/* An error in the user's text at a form. */
#define FAIL(x, form, hint, ...)                                                                   \
    raise_text((x)->h, CONDITION_COMPILE, (form)->at.file, (form)->at.line, (form)->at.column,     \
               (hint), __VA_ARGS__)

/* -- syntax.c ------------------------------------------------------------------------ */
/* Arena memory for a small struct (at most 512 bytes); never NULL: without room
 * an overdraft, and the machine stops at the end of the step; all structs stay
 * apart, so that pointers between them are good. */
void *take(struct expander *x, size_t bytes);
#define TAKE(x, type) ((type *)take((x), sizeof(type)))
void *map_get(const struct map *m, uint64_t key);
/* TRUE or RETRY. */
MUST_USE val map_put(struct arena *a, struct map *m, uint64_t key, void *value);

/* Split an unsplit datum one level, in place. Idempotent. A circular list stays
 * unsplit: to all who ask it is an atom. */
void syntax_open(struct expander *x, struct syntax *s);
bool syntax_is_pair(struct expander *x, struct syntax *s);
bool syntax_is_nil(const struct syntax *s);
bool syntax_is_identifier(const struct syntax *s);
static inline uint64_t identifier_key(const struct syntax *s)
{
    return s->kind == SYN_SYMBOL ? s->atom.bits : (uint64_t)(uintptr_t)s->alias;
}
/* Length of a proper list, or -1. Charges. */
int64_t syntax_length(struct expander *x, struct syntax *s);
struct syntax *syntax_car(const struct syntax *s);
struct syntax *syntax_cdr(const struct syntax *s);
struct syntax *syntax_new(struct expander *x, enum syntax_kind kind, const struct syntax *at);
struct syntax *syntax_atom(struct expander *x, val v, const struct syntax *at);
struct syntax *syntax_cons(struct expander *x, struct syntax *a, struct syntax *d);
/* The items of a vector as a list. */
struct syntax *syntax_vector_list(struct expander *x, struct syntax *v);
/* One node for a datum: symbols and T_IDENTIFIERs become identifiers, all else
 * stays unsplit. */
struct syntax *syntax_of_datum(struct expander *x, val datum, const struct position *at);
struct syntax *identifier_base(struct syntax *id);
val identifier_symbol(struct syntax *id);
/* The T_IDENTIFIER (or symbol) that stands for an identifier in the heap. */
MUST_USE val identifier_object(struct expander *x, struct syntax *id);
/* The datum as a constant; names of aliases come down to their symbols unless
 * keep_identifiers. */
MUST_USE val syntax_datum(struct expander *x, struct syntax *s, bool keep_identifiers);
/* For messages, in the arena: a string's text; a symbol's text; a form's text, shortened. */
const char *string_text(struct expander *x, val string);
const char *symbol_text(struct expander *x, val symbol);
const char *identifier_text(struct expander *x, struct syntax *id);
const char *syntax_text(struct expander *x, struct syntax *s);
bool symbol_is(val symbol, const char *name);

/* -- expand.c ------------------------------------------------------------------------------ */
MUST_USE val expander_init(struct expander *x, struct heap *h, struct arena *a, val unit);
/* Run all tasks; TRUE, NEED, RAISE, RETRY, LIMIT. */
MUST_USE val expander_run(struct expander *x);
void push(struct expander *x, const struct task *parent, task_step *step, struct syntax *form,
          struct scope *scope, struct ir_node **out, void *data);
/* Expand `form` as an expression into *out. */
void push_expression(struct expander *x, const struct task *parent, struct syntax *form,
                     struct scope *scope, struct ir_node **out);
/* The same; a lambda there gets this name. */
void push_named(struct expander *x, const struct task *parent, struct syntax *form,
                struct scope *scope, struct ir_node **out, val name);
struct scope *scope_new(struct expander *x, struct scope *parent);
MUST_USE val scope_root(struct expander *x, val environment, struct scope **out);
MUST_USE val scope_bind(struct expander *x, struct scope *scope, struct syntax *id,
                        struct binding *b);
/* A fresh local variable bound in scope; *out may be NULL. */
MUST_USE val scope_bind_variable(struct expander *x, struct scope *scope, struct syntax *id,
                                 struct ir_var **out);
struct ir_var *variable_new(struct expander *x, val name, const struct position *at);
MUST_USE val resolve(struct expander *x, struct syntax *id, struct scope *scope,
                     struct resolved *out);
/* Is it an identifier that means this core form (bound to it, or unbound with its name)? */
MUST_USE val is_keyword(struct expander *x, struct syntax *id, struct scope *scope,
                        enum core_form core);
/* TRUE where both identifiers mean the same. */
MUST_USE val same_meaning(struct expander *x, struct syntax *a, struct scope *in_a,
                          struct syntax *b, struct scope *in_b);
/* Replace *form while it is a macro use; then *core says which core form it is,
 * CORE_COUNT for none of them. */
MUST_USE val expand_head(struct expander *x, struct syntax **form, struct scope *scope,
                         unsigned *core);
const char *core_name(unsigned core);

/* -- IR ---------------------------------------------------------------------------------------- */
struct ir_node *ir_new(struct expander *x, enum ir_kind kind, const struct syntax *at);
struct ir_node *ir_constant(struct expander *x, val v, const struct syntax *at);
struct ir_node *ir_local(struct expander *x, struct ir_var *v, const struct syntax *at);
/* A call with room for n operands; a lambda with n variables, all required. */
MUST_USE val ir_call(struct expander *x, struct ir_node *f, size_t n, const struct syntax *at,
                     struct ir_node **out);
MUST_USE val ir_lambda_node(struct expander *x, size_t n, const struct syntax *at,
                            struct ir_node **out);
/* A call of the procedure `name` of the core environment with n operands. */
MUST_USE val ir_core_call(struct expander *x, const char *name, size_t n, const struct syntax *at,
                          struct ir_node **out);
/* Allocate items (and vars) of a node; TRUE or RETRY. */
MUST_USE val ir_items(struct expander *x, struct ir_node *n, size_t count, bool vars);
MUST_USE val global_for(struct expander *x, struct scope *root, val name, val cell,
                        struct binding **out);
/* A name that is bound nowhere: its slot to be in a program, else an error. */
MUST_USE val unbound_global(struct expander *x, struct syntax *id, const struct resolved *r,
                            struct binding **out);
MUST_USE val reference(struct expander *x, struct syntax *id, struct scope *scope, bool operator,
                       struct ir_node ** out);
MUST_USE val literal(struct expander *x, struct syntax *s, struct ir_node **out);

/* -- the core forms and bodies ----------------------------------------------------------- */
extern const struct core_row {
    const char *name;
    task_step *expand;
} core_table[CORE_COUNT];

task_step core_quote, core_quasiquote, core_lambda, core_named_lambda, core_if, core_set,
    core_begin, core_let, core_let_star, core_letrec, core_do, core_cond, core_case, core_when,
    core_and, core_or, core_case_lambda, core_let_values, core_parameterize, core_delay, core_guard,
    core_let_syntax, core_syntax_parameterize, core_syntax_error, core_cond_expand,
    core_join_identifiers, core_fresh_names, core_include;

/* A list of formals. */
struct formals {
    struct ir_var **vars;
    size_t required;
    bool rest;
};
MUST_USE val formals_bind(struct expander *x, struct syntax *formals, struct scope *scope,
                          struct formals *out);
/* IR_LAMBDA for (formals body...), its body pushed. name: symbol or #f. */
MUST_USE val lambda_push(struct expander *x, const struct task *t, struct syntax *formals,
                         struct syntax *body, const struct syntax *whole, val name,
                         struct ir_node **out);
/* A thunk around a body or an expression. */
MUST_USE val thunk_push(struct expander *x, const struct task *t, struct syntax *body, bool is_body,
                        struct ir_node **out);
/* Bind a new variable; an error where the scope has the name. */
MUST_USE val bind_once(struct expander *x, struct scope *scope, struct syntax *id,
                       struct ir_var **out);
/* A list of at least `low`, at most `high` (-1: any) forms behind the keyword, or
 * an error that shows how the form is written. Answers the count as fixnum. */
MUST_USE val check_form(struct expander *x, struct syntax *form, int64_t low, int64_t high,
                        const char *usage);
static inline struct syntax *syntax_nth(struct syntax *s, size_t i)
{
    while (i-- > 0)
        s = s->pair.cdr;
    return s->pair.car;
}
/* Expand a body (list of forms, definitions first or mixed) into *out. */
MUST_USE val body_push(struct expander *x, const struct task *t, struct syntax *forms,
                       struct scope *scope, const struct syntax *whole, struct ir_node **out);
/* Expand a sequence of expressions (at least one) into *out. */
MUST_USE val sequence_push(struct expander *x, const struct task *t, struct syntax *forms,
                           struct scope *scope, const struct syntax *whole, struct ir_node **out);
/* Clauses of cond (or guard): `otherwise` is what stands behind the last one. */
MUST_USE val clauses_push(struct expander *x, const struct task *t, struct syntax *clauses,
                          struct scope *scope, struct ir_node *otherwise, struct ir_node **out);

/* The top level of a unit: scan and push everything; *statics etc. into unit. */
struct toplevel;
MUST_USE val toplevel_begin(struct expander *x, struct syntax **forms, size_t count,
                            enum body_mode mode, struct toplevel **out);
/* After expander_run: build the ir_unit. */
MUST_USE val toplevel_finish(struct expander *x, struct toplevel *top, struct ir_unit *unit);

/* -- rules.c ----------------------------------------------------------------------------- */

/* Make b (BIND_MACRO) the macro of a transformer spec: (syntax-rules ...), or a keyword. */
MUST_USE val macro_from_spec(struct expander *x, struct syntax *spec, struct scope *scope, val name,
                             struct binding *b);
MUST_USE val macro_from_object(struct expander *x, val object, struct macro **out);
/* The T_MACRO; made once. */
MUST_USE val macro_object(struct expander *x, struct macro *m);
/* One step: the use replaced by the first rule's template that matches. */
MUST_USE val macro_expand(struct expander *x, struct macro *m, struct syntax *form,
                          struct scope *scope, struct syntax **out);

/* -- library.c ------------------------------------------------------------------- */
/* The written form of a library name, an ISTRING; FALSE unless a proper one. */
MUST_USE val library_key(struct heap *h, val name);
/* May it be imported? TRUE, FALSE, RETRY. */
MUST_USE val library_permitted(struct heap *h, val name);
/* The LIBRARY that is ready, or #f. `name`: list. */
MUST_USE val library_find(struct heap *h, val name);
/* The library that a body has run for becomes the one of its name. */
MUST_USE val library_ready(struct heap *h, val name);
/* Import a list of import sets: into the environment at once, or as commits. */
MUST_USE val import_into(struct expander *x, struct syntax *sets, val environment, bool at_once);
/* define-library: x->root is made; afterwards library_finish. The body's forms
 * are pushed; *out is the T_LIBRARY, not yet known to anybody. */
struct library_form;
MUST_USE val library_begin(struct expander *x, struct syntax *form, struct library_form **out);
MUST_USE val library_finish(struct expander *x, struct library_form *l, struct ir_unit *unit);
/* After commit_all: fill its exports and file it under its name, not ready yet. */
MUST_USE val library_register(struct expander *x, struct library_form *l);

/* -- feature.c: cond-expand and include ------------------------------------------------ */
/* Is the requirement met? TRUE, FALSE, NEED, RAISE. */
MUST_USE val feature_met(struct expander *x, struct syntax *requirement, size_t depth);
MUST_USE val feature_list(struct heap *h);
MUST_USE val join_identifiers(struct expander *x, struct syntax *form, struct syntax **out);
/* The forms of (%with-fresh-names (name ...) form ...), with new names. */
MUST_USE val fresh_names(struct expander *x, struct syntax *form, struct scope *scope,
                         struct syntax **out);
/* The body of the first cond-expand clause that applies; a NIL node where none does. */
MUST_USE val cond_expand_choose(struct expander *x, struct syntax *form, struct syntax **out);
/* The forms of the files that (include "file" ...) names, as one list; NEED. */
MUST_USE val include_forms(struct expander *x, struct syntax *form, bool fold, struct syntax **out);
/* What %unit-supply! gave for a path (string) or library name (list); HOLE: nothing. */
val unit_supplied(struct expander *x, val key);

/* Answer NEED for a library that is not loaded. */
MUST_USE val need_library(struct expander *x, struct syntax *form, val name);

/* -- commit.c ----------------------------------------------------------------------------- */
/* `environment`: an ENVIRONMENT, or a TABLE of a unit's own names. */
MUST_USE val commit_add(struct expander *x, val environment, val key, struct binding *b, val cell);
MUST_USE val commit_all(struct expander *x);
/* Note that code refers to a name of a library, for commit_check_define. */
void commit_use(struct expander *x, struct syntax *id, struct binding *b);
/* An error where an earlier form of the unit took the name for a library's. */
MUST_USE val commit_check_define(struct expander *x, struct syntax *id);

#endif
