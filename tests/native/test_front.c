/* Front end: what forms expand to, hygiene, errors, units, libraries.
 *
 * compile_unit is a stub that prints the IR; the rest is the real engine. Each
 * test gives program text and the IR of its forms, one after the other. */
#include "engine.h"
#include "environment.h"
#include "expand.h"
#include "num.h"
#include "prim.h"
#include "string.h"
#include "symbol.h"
#include "table.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct heap *h;
static int passed, failed;
static char out[1 << 16];
static size_t length;
static bool quiet;

static void put(const char *s)
{
    size_t n = strlen(s);
    if (quiet || length + n + 1 > sizeof out)
        return;
    memcpy(out + length, s, n + 1);
    length += n;
}

static void put_symbol(val v)
{
    char text[200];
    val s = symbol_name(v);
    size_t n = string_utf8_length(s);
    if (n > 190)
        return;
    string_store_utf8(s, text);
    text[n] = 0;
    put(text);
}

static void put_value(val v)
{
    char text[64];
    if (is_symbol(v)) {
        put_symbol(v);
    } else if (is_fixnum(v)) {
        snprintf(text, sizeof text, "%ld", (long)fixnum_value(v));
        put(text);
    } else if (is_string(v)) {
        put("\"");
        char b[200] = {0};
        if (string_utf8_length(v) < 190)
            string_store_utf8(v, b);
        put(b);
        put("\"");
    } else if (is_pair(v)) {
        put("(");
        for (int i = 0; is_pair(v) && i < 12; v = cdr(v), i++) {
            put_value(car(v));
            if (is_pair(cdr(v)))
                put(" ");
        }
        if (is_pair(v)) {
            put("...");
        } else if (!is_eq(v, NIL)) {
            put(" . ");
            put_value(v);
        }
        put(")");
    } else if (is_vector(v)) {
        put("#(");
        for (size_t i = 0; i < object_length(v); i++) {
            put(i ? " " : "");
            put_value(object_field(v, i));
        }
        put(")");
    } else if (is_type(v, T_PRIMITIVE)) {
        put_symbol(object_field(v, 0));
    } else {
        put(is_eq(v, TRUE)          ? "#t"
            : is_eq(v, FALSE)       ? "#f"
            : is_eq(v, NIL)         ? "()"
            : is_eq(v, UNSPECIFIED) ? "?"
                                    : "#<obj>");
    }
}

/* Locals print as name.number, the number by order of first sight. */
static struct ir_var *seen[512];
static size_t seen_count;

static void put_var(struct ir_var *v)
{
    size_t i = 0;
    char text[32];
    while (i < seen_count && seen[i] != v)
        i++;
    if (i == seen_count)
        seen[seen_count++] = v;
    if (is_symbol(v->name))
        put_symbol(v->name);
    snprintf(text, sizeof text, ".%zu%s", i, v->assigned ? "!" : "");
    put(text);
}

static void put_ir(struct ir_node *n);

static void put_items(struct ir_node *n)
{
    for (size_t i = 0; i < n->count; i++) {
        put(" ");
        put_ir(n->items[i]);
    }
}

static void put_lambda(struct ir_lambda *l)
{
    put("(lambda (");
    for (size_t i = 0; i < l->required + l->rest; i++) {
        put(i ? " " : "");
        put(i == l->required ? ". " : "");
        put_var(l->vars[i]);
    }
    put(") ");
    put_ir(l->body);
    put(")");
}

static void put_bindings(struct ir_node *n, const char *word)
{
    put("(");
    put(word);
    put(" (");
    for (size_t i = 0; i < n->count; i++) {
        put(i ? " (" : "(");
        put_var(n->vars[i]);
        put(" ");
        put_ir(n->items[i]);
        put(")");
    }
    put(") ");
    put_ir(n->a);
    put(")");
}

/* A second slot of the same name prints with a mark. */
static struct {
    val name;
    uint32_t slot;
} slots[256];
static size_t slots_count, slots_before;

static void put_global(struct ir_global *g)
{
    put(g->kind == GLOBAL_CONSTANT ? "" : g->kind == GLOBAL_STATIC ? "&" : "$");
    put_symbol(g->name);
    if (g->kind != GLOBAL_SLOT)
        return;
    size_t i = 0;
    while (i < slots_count && !is_eq(slots[i].name, g->name))
        i++;
    if (i < slots_count && slots[i].slot != g->slot) {
        put("'");
    } else if (i == slots_count && i < ARRAY_LENGTH(slots)) {
        slots[slots_count].name = g->name;
        slots[slots_count++].slot = g->slot;
    }
}

static void put_set(const char *word, struct ir_node *n)
{
    put("(");
    put(word);
    put(" ");
    if (n->kind == IR_SET_LOCAL)
        put_var(n->var);
    else
        put_global(n->global);
    put(" ");
    put_ir(n->a);
    put(")");
}

static void put_ir(struct ir_node *n)
{
    if (!n) {
        put("-");
        return;
    }
    switch (n->kind) {
    case IR_CONST:
        put(is_symbol(n->value) || is_pair(n->value) || is_eq(n->value, NIL) ? "'" : "");
        put_value(n->value);
        break;
    case IR_LOCAL:
        put_var(n->var);
        break;
    case IR_GLOBAL:
        put_global(n->global);
        break;
    case IR_SET_LOCAL:
    case IR_SET_GLOBAL:
        put_set("set!", n);
        break;
    case IR_DEFINE_GLOBAL:
        put_set("define", n);
        break;
    case IR_IF:
        put("(if ");
        put_ir(n->a);
        put(" ");
        put_ir(n->b);
        put(" ");
        put_ir(n->c);
        put(")");
        break;
    case IR_LAMBDA:
        put_lambda(n->lambda);
        break;
    case IR_CASE_LAMBDA:
        put("(case-lambda");
        put_items(n);
        put(")");
        break;
    case IR_CALL:
        put("(");
        put_ir(n->a);
        put_items(n);
        put(")");
        break;
    case IR_SEQ:
        put("(seq");
        put_items(n);
        put(")");
        break;
    case IR_LET:
        put_bindings(n, "let");
        break;
    default:
        put_bindings(n, "letrec");
    }
}

static val stub_closure;

val compile_unit(struct heap *heap, struct arena *a, struct ir_unit *unit)
{
    (void)heap;
    (void)a;
    seen_count = 0;
    if (quiet) {
        for (size_t i = 0; i < unit->static_count; i++)
            unit->statics[i]->value = unit->statics[i]->name;
        return stub_closure;
    }
    for (size_t i = 0; i < unit->static_count; i++) {
        put("(static ");
        put_global(unit->statics[i]);
        put(" ");
        put_ir(unit->statics[i]->lambda);
        put(") ");
        unit->statics[i]->value = unit->statics[i]->name;
    }
    put_ir(unit->body);
    return stub_closure;
}

/* Call until it is no RETRY, collecting between. */
#define SETTLE(v, expr)                                                                            \
    for (int tries_ = 0;; tries_++) {                                                              \
        (v) = (expr);                                                                              \
        if (!is_eq((v), RETRY) || tries_ > 50)                                                     \
            break;                                                                                 \
        length = mark;                                                                             \
        slots_count = slots_before;                                                                \
        out[length] = 0;                                                                           \
        if (!heap_collect_gc(h, tries_ > 20 ? COLLECT_FULL : COLLECT_MINOR, h->wanted))            \
            break;                                                                                 \
    }

static bool string_is(val s, const char *text)
{
    size_t n = strlen(text);
    if (string_length(s) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (string_ref(s, i) != (unsigned char)text[i])
            return false;
    }
    return true;
}

static void put_raised(void)
{
    val c = h->raised;
    put("ERROR ");
    put_value(object_field(c, CONDITION_MESSAGE));
    val p = object_field(c, CONDITION_POSITION);
    if (is_vector(p)) {
        put(" at ");
        put_value(object_field(p, 1));
        put(":");
        put_value(object_field(p, 2));
    }
}

/* Run all forms of a unit in roots[ROOT_HOOKS]; files: path, text, path, text... */
static void run_unit(const char *const *files)
{
    for (size_t i = 0;; i++) {
        val v;
        size_t before = length, mark;
        slots_before = slots_count;
        if (i > 0)
            put(" | ");
        mark = length;
        SETTLE(v, unit_next(h, h->roots[ROOT_HOOKS], i));
        if (is_eq(v, FALSE)) {
            length = before;
            out[length] = 0;
            return;
        }
        if (is_eq(v, RAISE)) {
            put_raised();
            return;
        }
        if (is_control(v)) {
            put(is_eq(v, LIMIT) ? "LIMIT" : "RETRY");
            return;
        }
        if (is_vector(v)) {
            val kind = object_field(v, 0), what = object_field(v, 1), text = FALSE, done;
            h->roots[ROOT_OUTPUT_PORT] = v;
            for (const char *const *f = files; f && *f && is_string(what); f += 2) {
                what = object_field(h->roots[ROOT_OUTPUT_PORT], 1);
                if (string_is(what, f[0]))
                    SETTLE(text, string_from_ascii(h, f[1]));
            }
            kind = object_field(h->roots[ROOT_OUTPUT_PORT], 0);
            put("<");
            put_value(kind);
            put(" ");
            what = object_field(h->roots[ROOT_OUTPUT_PORT], 1);
            put_value(what);
            put("> ");
            if (symbol_is(object_field(h->roots[ROOT_OUTPUT_PORT], 0), "library"))
                return;
            h->roots[ROOT_ERROR_PORT] = text;
            mark = length;
            SETTLE(done,
                   unit_supply(h, h->roots[ROOT_HOOKS], object_field(h->roots[ROOT_OUTPUT_PORT], 1),
                               h->roots[ROOT_ERROR_PORT]));
            if (is_control(done))
                abort();
            i--;
        }
    }
}

static const char *expand_in(const char *text, val environment, enum unit_kind kind,
                             const char *const *files)
{
    val unit, s;
    size_t mark = 0;
    length = 0;
    out[0] = 0;
    h->roots[ROOT_INPUT_PORT] = environment;
    SETTLE(s, string_constant_from_utf8(h, text, strlen(text)));
    h->roots[ROOT_HOOKS] = s;
    SETTLE(unit, unit_open(h, h->roots[ROOT_HOOKS], FALSE, h->roots[ROOT_INPUT_PORT], kind));
    if (is_eq(unit, RAISE)) {
        put_raised();
        return out;
    }
    if (is_control(unit))
        return "RETRY at open";
    h->roots[ROOT_HOOKS] = unit;
    run_unit(files);
    return out;
}

static const char *expand(const char *text)
{
    return expand_in(text, h->roots[ROOT_TOP], UNIT_PROGRAM, NULL);
}

static void check(const char *text, const char *got, const char *want)
{
    if (strcmp(got, want) == 0) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED %s\n   got %s\n  want %s\n", text, got, want);
}

/* A fresh program environment on top of the core. */
static void fresh(void)
{
    val e;
    size_t mark = 0;
    slots_count = slots_before = 0;
    SETTLE(e, environment_new(h, h->roots[ROOT_CORE], FALSE));
    h->roots[ROOT_TOP] = e;
}

static void define_stub(const char *name)
{
    val v, s;
    size_t mark = 0;
    SETTLE(s, symbol_intern_ascii(h, name));
    SETTLE(v, environment_lookup(h, h->roots[ROOT_CORE], s));
    if (!is_eq(v, HOLE))
        return;
    SETTLE(v, heap_cons_constant(h, TRUE, s));
    val cell = v;
    SETTLE(v, environment_put(h, h->roots[ROOT_CORE], s, cell));
}

#include "test_front_cases.inc"

/* -- the same texts under bad conditions --------------------------------------------- */
static unsigned seed = 12345;

static unsigned chance(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static bool is_break(char c)
{
    return c == '(' || c == ')' || c == ' ' || c == 0;
}

/* Copy `from`, dropping, doubling or swapping a few tokens. */
static void mutate(const char *from, char *to, size_t room)
{
    static const char *const spare[] = {"...",   "x",  "()",       "1",      "_",         "'",
                                        "else",  "=>", "#(a ...)", "define", "(... ...)", ". r",
                                        "\"s\"", "if", "`",        ",@x"};
    size_t n = 0;
    while (*from && n + 40 < room) {
        size_t k = 1;
        if (!is_break(*from))
            while (!is_break(from[k]))
                k++;
        unsigned what = chance(40);
        if (what == 1 || what > 3)
            memcpy(to + n, from, k), n += k;
        if (what == 1 || what == 2) {
            const char *word = spare[chance(ARRAY_LENGTH(spare))];
            to[n++] = ' ';
            memcpy(to + n, word, strlen(word));
            n += strlen(word);
            to[n++] = ' ';
        }
        from += k;
    }
    to[n] = 0;
}

static void run_mutants(size_t rounds)
{
    char text[4096];
    quiet = true;
    for (size_t i = 0; i < rounds * ARRAY_LENGTH(cases); i++) {
        mutate(cases[i % ARRAY_LENGTH(cases)].text, text, sizeof text);
        fresh();
        expand_in(text, h->roots[ROOT_TOP], chance(4) ? UNIT_PROGRAM : UNIT_BODY, files);
        passed++;
    }
    quiet = false;
}

/* The Nth allocation fails once: the answer must be the same. */
static void run_failures(void)
{
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        for (uint64_t n = 1; n < 400; n += 1 + n / 8) {
            fresh();
            h->fail_after = n;
            const char *got = expand_in(cases[i].text, h->roots[ROOT_TOP],
                                        cases[i].body ? UNIT_BODY : UNIT_PROGRAM, files);
            bool reached = h->fail_after == 0;
            h->fail_after = 0;
            check(cases[i].text, got, cases[i].want);
            if (!reached)
                break;
        }
    }
}

/* Nested text: `open` n times, `middle`, `close` n times. */
static char *nested(const char *open, const char *middle, const char *close, size_t n)
{
    size_t a = strlen(open), b = strlen(close), m = strlen(middle);
    char *text = malloc(n * (a + b) + m + 1), *p = text;
    for (size_t i = 0; i < n; i++, p += a)
        memcpy(p, open, a);
    memcpy(p, middle, m + 1);
    p += m;
    for (size_t i = 0; i < n; i++, p += b)
        memcpy(p, close, b + 1);
    return text;
}

static void *run_deep(void *unused)
{
    static const char *const shapes[][3] = {
        {"(f ", "1", ")"},
        {"(let ((x 1)) ", "x", ")"},
        {"'(", "1", ")"},
        {"`(1 ", ",x", ")"},
        {"(lambda () (define y 1) ", "y", ")"},
        {"(cond (1 ", "2", "))"},
        {"(define-syntax m (syntax-rules () ((_ (", "a", ")) 1)))"},
        {"`#(", "1", ")"},
        {"(begin ", "1", ")"},
        {"(let* ((x ", "1", ")) x)"},
        {"(guard (e (#t 1)) ", "2", ")"},
        {"`", "1", ""},
        {"(and 1 ", "2", ")"},
        {"#(", "1", ")"},
        {"(case 1 ((1) ", "2", "))"},
        {"(when 1 ", "2", ")"}};
    quiet = true;
    for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++) {
        for (size_t n = 4000; n <= 400000; n *= 10) {
            char *text = nested(shapes[i][0], shapes[i][1], shapes[i][2], n);
            fresh();
            expand(text);
            passed++;
            free(text);
        }
    }
    quiet = false;
    return unused;
}

/* On a small C stack, as the contract says; not with a sanitizer's big frames. */
static void run_on_small_stack(void)
{
#ifdef __SANITIZE_ADDRESS__
    run_deep(NULL);
#else
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)64 << 10);
    if (pthread_create(&thread, &attributes, run_deep, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
#endif
}

/* Endless macros end with the fuel. */
static void run_limits(void)
{
    static const char *const endless[] = {
        "(define-syntax loop (syntax-rules () ((_) (loop)))) (loop)",
        "(define-syntax grow (syntax-rules () ((_ x ...) (grow x ... x ...)))) (grow 1)",
        "(define-syntax b (syntax-rules () ((_) (begin (b) (b))))) (b)"};
    for (size_t i = 0; i < ARRAY_LENGTH(endless); i++) {
        fresh();
        h->afford = h->charge + 20000;
        check(endless[i], expand(endless[i]), "? | LIMIT");
        h->afford = UINT64_MAX;
    }
}

/* For trying by hand: test_front [-b] TEXT or @FILE ... */
static const char *read_whole(const char *path)
{
    static char text[4 << 20];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    struct engine *engine = engine_new();
    h = calloc(1, sizeof *h);
    if (!engine || !heap_init(h, engine, (size_t)64 << 20))
        return 1;
    h->afford = UINT64_MAX;
    h->depth_max = 10000;
    val v;
    size_t mark = 0;
    SETTLE(v, front_install_core(h));
    stub_closure = TRUE;
    static const char *const stubs[] = {"%guard",
                                        "%parameterize",
                                        "%delay",
                                        "%delay-force",
                                        "%make-record-type",
                                        "%record",
                                        "%record?",
                                        "%record-ref",
                                        "%record-set!",
                                        "append",
                                        "list->vector",
                                        "call-with-values",
                                        "vector",
                                        "vector-ref",
                                        "eqv?",
                                        "cons",
                                        "list",
                                        "car",
                                        "f",
                                        "g"};
    for (size_t i = 0; i < ARRAY_LENGTH(stubs); i++)
        define_stub(stubs[i]);
    if (argc > 1) {
        bool body = strcmp(argv[1], "-b") == 0;
        for (int i = 1 + body; i < argc; i++) {
            fresh();
            const char *text = argv[i][0] == '@' ? read_whole(argv[i] + 1) : argv[i];
            quiet = argv[i][0] == '@';
            printf("%s\n",
                   expand_in(text, h->roots[ROOT_TOP], body ? UNIT_BODY : UNIT_PROGRAM, files));
        }
    } else {
        run_cases();
        run_limits();
        run_failures();
        run_mutants(argc > 0 && getenv("ROUNDS") ? (size_t)atoi(getenv("ROUNDS")) : 20);
        run_on_small_stack();
        printf("%d passed, %d failed\n", passed, failed);
    }
    front_dispose(h);
    heap_free_all(h);
    free(h);
    engine_free(engine);
    return failed != 0;
}
