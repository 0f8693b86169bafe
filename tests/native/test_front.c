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
        put(is_eq(v, TRUE) ? "#t" : is_eq(v, FALSE) ? "#f" : is_eq(v, NIL) ? "()"
            : is_eq(v, UNSPECIFIED) ? "?" : "#<obj>");
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
static struct { val name; uint32_t slot; } slots[256];
static size_t slots_count;

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
#define SETTLE(v, expr)                                                         \
    for (int tries_ = 0;; tries_++) {                                           \
        (v) = (expr);                                                           \
        if (!is_eq((v), RETRY) || tries_ > 50)                                  \
            break;                                                              \
        length = mark;                                                          \
        out[length] = 0;                                                        \
        if (!heap_collect_gc(h, tries_ > 20 ? COLLECT_FULL : COLLECT_MINOR, h->wanted)) \
            break;                                                              \
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
        size_t mark = length;
        if (i > 0)
            put(" | ");
        mark = length;
        SETTLE(v, unit_next(h, h->roots[ROOT_HOOKS], i));
        if (is_eq(v, FALSE)) {
            length = mark - (i > 0 ? 3 : 0);
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
            for (; files && *files && is_string(what); files += 2) {
                val name = string_from_ascii(h, files[0]);
                if (string_equal(what, name)) {
                    text = string_from_ascii(h, files[1]);
                    break;
                }
            }
            put("<");
            put_value(kind);
            put(" ");
            put_value(what);
            put("> ");
            if (symbol_is(kind, "library"))
                return;
            done = unit_supply(h, h->roots[ROOT_HOOKS], what, text);
            if (is_control(done))
                abort();
            i--;
            length -= 0;
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
    SETTLE(unit, unit_open(h, s, FALSE, h->roots[ROOT_INPUT_PORT], kind));
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

static void check_prefix(const char *text, const char *got, const char *want)
{
    if (strncmp(got, want, strlen(want)) == 0) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED %s\n   got %s\n  want %s...\n", text, got, want);
}

/* A fresh program environment on top of the core. */
static void fresh(void)
{
    val e;
    size_t mark = 0;
    slots_count = 0;
    SETTLE(e, environment_new(h, h->roots[ROOT_CORE], FALSE));
    h->roots[ROOT_TOP] = e;
}

#define EXPAND(text, want) (fresh(), check((text), expand(text), (want)))
#define FAILS(text, want) (fresh(), check_prefix((text), expand(text), "ERROR \"" want))

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
    static const char *const stubs[] = {
        "%guard", "%parameterize", "%delay", "%delay-force", "%make-record-type", "%make-record",
        "%record?", "%record-ref", "%record-set!", "append", "list->vector", "call-with-values",
        "vector", "vector-ref", "eqv?", "cons", "list", "car", "f", "g"};
    for (size_t i = 0; i < ARRAY_LENGTH(stubs); i++)
        define_stub(stubs[i]);
    if (argc > 1) {
        bool body = strcmp(argv[1], "-b") == 0;
        for (int i = 1 + body; i < argc; i++) {
            fresh();
            printf("%s\n", expand_in(argv[i], h->roots[ROOT_TOP], body ? UNIT_BODY : UNIT_PROGRAM, files));
        }
    } else {
        run_cases();
        printf("%d passed, %d failed\n", passed, failed);
    }
    front_dispose(h);
    heap_free_all(h);
    free(h);
    engine_free(engine);
    return failed != 0;
}
