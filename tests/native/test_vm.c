/* The compiler and the VM, on IR made by a tiny reader of core Scheme.
 *
 * Links with the engine's real modules, not with the front end: the reader below
 * knows quote, lambda (also with a rest variable), if, set!, define, begin, let,
 * named let, letrec, and calls; free names are primitives or global slots. */
#include "arena.h"
#include "compile.h"
#include "disasm.h"
#include "engine.h"
#include "num.h"
#include "string.h"
#include "symbol.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int passed, failed;

static void check(bool ok, const char *what, const char *got)
{
    if (ok)
        passed++;
    else
        printf("FAILED: %s\n   got %s\n", what, got), failed++;
}

/* -- a reader from text to IR --------------------------------------------------- */
struct scope {
    struct scope *next;
    char name[40];
    struct ir_var *var;
};

struct global {
    char name[40];
    struct ir_global *global;
};

struct maker {
    struct vm *vm;
    struct arena arena;
    struct position *at;
    const char *p;
};

static struct global globals[200];
static size_t global_count;

static void *need(void *p)
{
    if (!p)
        printf("no memory in test\n"), exit(1);
    return p;
}

static void blanks(struct maker *m)
{
    while (*m->p == ' ' || *m->p == '\n')
        m->p++;
}

static bool opens(struct maker *m, char c)
{
    blanks(m);
    if (*m->p != c)
        return false;
    m->p++;
    return true;
}

static void word(struct maker *m, char out[40])
{
    size_t n = 0;
    blanks(m);
    while (*m->p && !strchr(" \n()", *m->p) && n < 39)
        out[n++] = *m->p++;
    out[n] = 0;
}

static struct ir_node *node(struct maker *m, enum ir_kind kind)
{
    struct ir_node *n = need(ARENA_NEW(&m->arena, struct ir_node));
    n->kind = (uint8_t)kind;
    n->at = m->at;
    return n;
}

static struct ir_var *new_local(struct maker *m, const char *name)
{
    struct ir_var *v = need(ARENA_NEW(&m->arena, struct ir_var));
    v->name = symbol_intern_ascii(&m->vm->heap, name);
    return v;
}

static struct ir_node *expression(struct maker *m, struct scope *s);

static struct ir_node *sequence(struct maker *m, struct scope *s)
{
    size_t room = 20;
    struct ir_node **items = need(malloc(room * sizeof *items)), *n = node(m, IR_SEQ);
    while (!opens(m, ')')) {
        if (n->count == room)
            items = need(realloc(items, (room *= 2) * sizeof *items));
        items[n->count++] = expression(m, s);
    }
    n->items = need(ARENA_ARRAY(&m->arena, struct ir_node *, n->count));
    memcpy(n->items, items, n->count * sizeof *items);
    free(items);
    return n->count == 1 ? n->items[0] : n;
}

static struct scope *bind(struct maker *m, struct scope *s, const char *name, struct ir_var *v)
{
    struct scope *inner = need(ARENA_NEW(&m->arena, struct scope));
    inner->next = s;
    inner->var = v;
    strcpy(inner->name, name);
    return inner;
}

static struct ir_node *lambda_open(struct maker *m, struct scope *s, bool open)
{
    struct ir_var *vars[200];
    char name[40];
    struct ir_lambda *l = need(ARENA_NEW(&m->arena, struct ir_lambda));
    size_t n = 0;
    l->name = FALSE;
    blanks(m);
    if (!open && *m->p != '(') {
        word(m, name);
        vars[n] = new_local(m, name);
        s = bind(m, s, name, vars[n++]);
        l->rest = true;
    } else {
        m->p += open ? 0 : 1;
        while (!opens(m, ')')) {
            word(m, name);
            if (strcmp(name, ".") == 0) {
                l->rest = true;
                continue;
            }
            vars[n] = new_local(m, name);
            s = bind(m, s, name, vars[n++]);
        }
    }
    l->required = n - (l->rest ? 1 : 0);
    l->vars = need(ARENA_ARRAY(&m->arena, struct ir_var *, n + 1));
    memcpy(l->vars, vars, n * sizeof *vars);
    l->body = sequence(m, s);
    struct ir_node *out = node(m, IR_LAMBDA);
    out->lambda = l;
    return out;
}

static struct ir_node *lambda(struct maker *m, struct scope *s)
{
    return lambda_open(m, s, false);
}

/* let, letrec, named let */
static struct ir_node *let(struct maker *m, struct scope *s, bool rec)
{
    struct ir_var *vars[20];
    struct ir_node *inits[20];
    char name[40], loop[40] = "";
    size_t n = 0;
    blanks(m);
    if (*m->p != '(')
        word(m, loop);
    opens(m, '(');
    const char *start = m->p;
    struct scope *inner = s;
    struct ir_var *self = NULL;
    if (rec) { /* names first */
        size_t depth = 0;
        for (const char *p = start; !(depth == 0 && *p == ')'); p++) {
            if (*p == '(' && depth++ == 0) {
                const char *save = m->p;
                m->p = p + 1;
                word(m, name);
                m->p = save;
                vars[n] = new_local(m, name);
                inner = bind(m, inner, name, vars[n++]);
            } else if (*p == ')') {
                depth--;
            }
        }
        n = 0;
    }
    while (!opens(m, ')')) {
        opens(m, '(');
        word(m, name);
        if (!rec) {
            vars[n] = new_local(m, name);
            inner = bind(m, inner, name, vars[n]);
        }
        inits[n++] = expression(m, rec ? inner : s);
        opens(m, ')');
    }
    struct ir_node *out = node(m, rec ? IR_LETREC : IR_LET);
    out->count = n;
    out->vars = need(ARENA_ARRAY(&m->arena, struct ir_var *, n + 1));
    out->items = need(ARENA_ARRAY(&m->arena, struct ir_node *, n + 1));
    memcpy(out->vars, vars, n * sizeof *vars);
    memcpy(out->items, inits, n * sizeof *inits);
    if (!loop[0]) {
        out->a = sequence(m, inner);
        return out;
    }
    self = new_local(m, loop);
    for (struct scope *x = inner; x != s; x = x->next)
        if (x->next == s) {
            struct scope *between = bind(m, s, loop, self);
            x->next = between;
            break;
        }
    if (n == 0)
        inner = bind(m, s, loop, self);
    struct ir_lambda *l = need(ARENA_NEW(&m->arena, struct ir_lambda));
    l->name = self->name;
    l->vars = out->vars;
    l->required = n;
    l->body = sequence(m, inner);
    struct ir_node *fn = node(m, IR_LAMBDA), *call = node(m, IR_CALL),
                   *rec_node = node(m, IR_LETREC);
    fn->lambda = l;
    call->a = node(m, IR_LOCAL);
    call->a->var = self;
    call->items = out->items;
    call->count = n;
    rec_node->count = 1;
    rec_node->vars = need(ARENA_ARRAY(&m->arena, struct ir_var *, 1));
    rec_node->items = need(ARENA_ARRAY(&m->arena, struct ir_node *, 1));
    rec_node->vars[0] = self;
    rec_node->items[0] = fn;
    rec_node->a = call;
    return rec_node;
}

static struct ir_global *find_global(struct maker *m, const char *name)
{
    for (size_t i = 0; i < global_count; i++)
        if (strcmp(globals[i].name, name) == 0)
            return globals[i].global;
    struct ir_global *g = need(calloc(1, sizeof *g));
    g->name = symbol_intern_ascii(&m->vm->heap, name);
    g->kind = GLOBAL_SLOT;
    for (size_t i = 0; i < primitive_count; i++)
        if (strcmp(primitive_table[i].name, name) == 0) {
            val p = heap_alloc_constant(&m->vm->heap, T_PRIMITIVE, 0, 0);
            object_fields(p)[0] = g->name;
            object_raw(p)[0] = i;
            g->kind = GLOBAL_CONSTANT;
            g->value = p;
        }
    if (g->kind == GLOBAL_SLOT)
        g->slot = (uint32_t)fixnum_value(heap_new_slot(&m->vm->heap));
    strcpy(globals[global_count].name, name);
    globals[global_count++].global = g;
    return g;
}

static struct ir_node *global(struct maker *m, enum ir_kind kind, const char *name)
{
    struct ir_node *n = node(m, kind);
    n->global = find_global(m, name);
    return n;
}

static struct ir_node *constant(struct maker *m, val v)
{
    struct ir_node *n = node(m, IR_CONST);
    n->value = v;
    return n;
}

static struct ir_node *assignment(struct maker *m, struct scope *s)
{
    char name[40];
    word(m, name);
    struct ir_node *n = NULL;
    for (struct scope *x = s; x && !n; x = x->next)
        if (strcmp(x->name, name) == 0) {
            n = node(m, IR_SET_LOCAL);
            n->var = x->var;
            x->var->assigned = true;
        }
    if (!n)
        n = global(m, IR_SET_GLOBAL, name);
    n->a = expression(m, s);
    opens(m, ')');
    return n;
}

static struct ir_node *definition(struct maker *m, struct scope *s)
{
    char name[40];
    bool function = opens(m, '(');
    word(m, name);
    struct ir_node *n = global(m, IR_DEFINE_GLOBAL, name);
    if (function) {
        n->a = lambda_open(m, s, true);
        n->a->lambda->name = n->global->name;
        return n;
    }
    n->a = expression(m, s);
    opens(m, ')');
    return n;
}

static struct ir_node *conditional(struct maker *m, struct scope *s)
{
    struct ir_node *n = node(m, IR_IF);
    n->a = expression(m, s);
    n->b = expression(m, s);
    if (!opens(m, ')')) {
        n->c = expression(m, s);
        opens(m, ')');
    }
    return n;
}

static struct ir_node *call(struct maker *m, struct scope *s)
{
    size_t room = 20;
    struct ir_node **items = need(malloc(room * sizeof *items)), *n = node(m, IR_CALL);
    n->a = expression(m, s);
    while (!opens(m, ')')) {
        if (n->count == room)
            items = need(realloc(items, (room *= 2) * sizeof *items));
        items[n->count++] = expression(m, s);
    }
    n->items = need(ARENA_ARRAY(&m->arena, struct ir_node *, n->count + 1));
    memcpy(n->items, items, n->count * sizeof *items);
    free(items);
    return n;
}

static val datum(struct maker *m)
{
    char name[40];
    if (opens(m, '(')) {
        val items[100];
        size_t n = 0;
        while (!opens(m, ')'))
            items[n++] = datum(m);
        val list = NIL;
        while (n > 0)
            list = heap_cons_constant(&m->vm->heap, items[--n], list);
        return list;
    }
    word(m, name);
    char *end;
    double d = strtod(name, &end);
    if (*name && !*end && strchr("0123456789-+.", name[0]) && strcmp(name, "+") &&
        strcmp(name, "-"))
        return strchr(name, '.') ? flonum_encode(d) : fixnum((int64_t)strtoll(name, NULL, 10));
    return symbol_intern_ascii(&m->vm->heap, name);
}

static struct ir_node *form(struct maker *m, struct scope *s)
{
    const char *start = m->p;
    char name[40];
    blanks(m);
    if (*m->p == '(')
        return call(m, s);
    word(m, name);
    if (strcmp(name, "lambda") == 0)
        return lambda(m, s);
    if (strcmp(name, "if") == 0)
        return conditional(m, s);
    if (strcmp(name, "let") == 0)
        return let(m, s, false);
    if (strcmp(name, "letrec") == 0)
        return let(m, s, true);
    if (strcmp(name, "begin") == 0)
        return sequence(m, s);
    if (strcmp(name, "set!") == 0)
        return assignment(m, s);
    if (strcmp(name, "define") == 0)
        return definition(m, s);
    if (strcmp(name, "case-lambda") == 0) {
        struct ir_node *items[20], *n = node(m, IR_CASE_LAMBDA);
        while (!opens(m, ')')) {
            opens(m, '(');
            items[n->count++] = lambda(m, s);
        }
        n->items = need(ARENA_ARRAY(&m->arena, struct ir_node *, n->count + 1));
        memcpy(n->items, items, n->count * sizeof *items);
        return n;
    }
    if (strcmp(name, "quote") == 0) {
        val v = datum(m);
        opens(m, ')');
        return constant(m, v);
    }
    m->p = start;
    return call(m, s);
}

static struct ir_node *expression(struct maker *m, struct scope *s)
{
    char name[40];
    blanks(m);
    if (opens(m, '('))
        return form(m, s);
    word(m, name);
    if (strchr("0123456789", name[0]) || (name[0] == '-' && name[1])) {
        if (strchr(name, '.'))
            return constant(m, flonum_encode(strtod(name, NULL)));
        return constant(m, fixnum((int64_t)strtoll(name, NULL, 10)));
    }
    if (strcmp(name, "#t") == 0 || strcmp(name, "#f") == 0)
        return constant(m, val_bool(name[1] == 't'));
    for (struct scope *x = s; x; x = x->next)
        if (strcmp(x->name, name) == 0) {
            struct ir_node *n = node(m, IR_LOCAL);
            n->var = x->var;
            return n;
        }
    return global(m, IR_GLOBAL, name);
}

/* -- running -------------------------------------------------------------------------- */
static void show(val v, char *out, size_t room)
{
    if (is_fixnum(v))
        snprintf(out, room, "%lld", (long long)fixnum_value(v));
    else if (is_flonum(v))
        snprintf(out, room, "%g", flonum_value(v));
    else if (is_eq(v, TRUE) || is_eq(v, FALSE))
        snprintf(out, room, is_true(v) ? "#t" : "#f");
    else if (is_eq(v, NIL))
        snprintf(out, room, "()");
    else if (is_eq(v, UNSPECIFIED))
        snprintf(out, room, "unspecified");
    else if (is_symbol(v))
        snprintf(out, room, "%.*s", (int)object_length(object_field(v, 0)),
                 (const char *)string_data(object_field(v, 0)));
    else if (is_pair(v)) {
        size_t n = (size_t)snprintf(out, room, "(");
        for (; is_pair(v) && n < room - 30; v = cdr(v)) {
            show(car(v), out + n, room - n);
            n += strlen(out + n);
            n += (size_t)snprintf(out + n, room - n, is_pair(cdr(v)) ? " " : "");
        }
        snprintf(out + n, room - n, ")");
    } else if (is_type(v, T_CONDITION))
        snprintf(out, room, "condition %d: %.*s", (int)fixnum_value(object_field(v, 0)),
                 (int)object_length(object_field(v, 1)),
                 (const char *)string_data(object_field(v, 1)));
    else if (is_type(v, T_VALUES))
        snprintf(out, room, "%zu values", object_length(v));
    else
        snprintf(out, room, "<%s>", is_object(v) ? type_layouts[object_type(v)].name : "?");
}

static val compile_text(struct vm *vm, const char *text)
{
    struct position at = {FALSE, 1, 1, NULL};
    struct maker m = {.vm = vm, .p = text, .at = &at};
    struct ir_unit unit = {.file = FALSE, .name = FALSE};
    arena_init(&m.arena, &vm->heap);
    struct ir_node *items[100], *body = node(&m, IR_SEQ);
    while (blanks(&m), *m.p)
        items[body->count++] = expression(&m, NULL);
    body->items = items;
    unit.body = body;
    val v = compile_unit(&vm->heap, &m.arena, &unit);
    arena_drop(&m.arena);
    return v;
}

struct outcome {
    enum run_event event;
    uint64_t fuel;
    char text[2000];
};

static struct outcome run_text(const char *text, uint64_t slice, uint64_t stress, uint64_t fuel)
{
    struct outcome o = {.event = EVENT_DONE};
    struct engine *e = engine_new();
    struct vm *vm = vm_new(e, 64u << 20);
    global_count = 0;
    val v = compile_text(vm, text);
    if (is_control(v)) {
        show(is_eq(v, RAISE) ? vm->heap.raised : v, o.text, sizeof o.text);
        o.event = EVENT_RAISED;
    } else {
        vm->heap.gc_stress = stress;
        struct run *run = run_new(vm, v, NULL, 0);
        run_set_fuel(run, fuel);
        do
            o.event = run_advance(vm, run, slice);
        while (o.event == EVENT_PAUSED);
        o.fuel = run_fuel_used(run);
        show(run_value(run), o.text, sizeof o.text);
        run_free(vm, run);
    }
    for (size_t i = 0; i < global_count; i++)
        free(globals[i].global);
    vm_free(vm);
    engine_free(e);
    return o;
}

static const uint64_t slices[] = {UINT64_MAX, 1, 7};
static const uint64_t stresses[] = {0, 1, 3};

/* The same answer and the same fuel under every slicing and stress. */
static void test(const char *text, const char *expected)
{
    uint64_t fuel = 0;
    for (size_t i = 0; i < 3; i++) {
        struct outcome o = run_text(text, slices[i], stresses[i], UINT64_MAX);
        check(strcmp(o.text, expected) == 0, text, o.text);
        if (i == 0)
            fuel = o.fuel;
        else if (fuel != o.fuel)
            printf("  fuel %llu, then %llu\n", (unsigned long long)fuel,
                   (unsigned long long)o.fuel);
        check(fuel == o.fuel, text, "another fuel");
    }
}

static void bench(const char *name, const char *text)
{
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    struct outcome o = run_text(text, UINT64_MAX, 0, UINT64_MAX);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%-12s %-20.20s %.3f s, %llu units\n", name, o.text,
           (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9,
           (unsigned long long)o.fuel);
}

static void print_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

/* before, n times what is between (%d: the number), after */
static char *repeat(const char *before, const char *between, size_t n, const char *middle,
                    const char *after_each, const char *after)
{
    char *text = need(malloc(n * (strlen(between) + strlen(after_each) + 40) + strlen(before) +
                             strlen(middle) + strlen(after) + 100)),
         *p = text;
    p += sprintf(p, "%s", before);
    for (size_t i = 0; i < n; i++)
        for (const char *c = between; *c; c++)
            p += *c == '%' ? sprintf(p, "%zu", i) : sprintf(p, "%c", *c);
    p += sprintf(p, "%s", middle);
    for (size_t i = 0; i < n; i++)
        p += sprintf(p, "%s", after_each);
    sprintf(p, "%s", after);
    return text;
}

static void test_big(const char *name, char *text, const char *expected)
{
    struct outcome o = run_text(text, UINT64_MAX, 0, UINT64_MAX);
    check(strcmp(o.text, expected) == 0, name, o.text);
    free(text);
}

#include "test_vm_cases.inc"

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "-d") == 0) {
        struct engine *e = engine_new();
        struct vm *vm = vm_new(e, 64u << 20);
        val v = compile_text(vm, argv[2]);
        disassemble(object_field(v, 0), print_line, NULL);
        vm_free(vm);
        engine_free(e);
        return 0;
    }
    if (argc > 2) {
        bench("text", argv[2]);
        return 0;
    }
    if (argc > 1) {
        benches();
        return 0;
    }
    cases();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
