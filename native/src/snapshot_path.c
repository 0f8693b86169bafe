/* T8 paths: see snapshot_path.h. Text goes into the caller's buffer and is cut there. */
#include "snapshot_path.h"
#include "alloc.h"
#include "environment.h"
#include "printer.h"
#include "record.h"
#include "table.h"

#include <stdarg.h>

/* -- numbering ------------------------------------------------------------------------ */
static size_t home(const struct graph *g, val v)
{
    uint64_t mixed = (val_address(v) >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (g->index_capacity - 1);
}

static void enter(struct graph *g, uint32_t number)
{
    size_t i = home(g, g->nodes[number].object);
    while (g->index[i] != 0)
        i = (i + 1) & (g->index_capacity - 1);
    g->index[i] = number + 1;
}

size_t graph_find(const struct graph *g, val v)
{
    if (g->index_capacity == 0)
        return GRAPH_NONE;
    for (size_t i = home(g, v); g->index[i] != 0; i = (i + 1) & (g->index_capacity - 1)) {
        if (is_eq(g->nodes[g->index[i] - 1].object, v))
            return g->index[i] - 1;
    }
    return GRAPH_NONE;
}

static bool make_room(struct graph *g)
{
    if (g->count < g->capacity)
        return true;
    size_t capacity = size_max(256, g->capacity * 2);
    if (capacity >= FROM_MOST)
        return false;
    struct graph_node *nodes = alloc_resize(g->nodes, capacity * sizeof *nodes);
    if (nodes == NULL)
        return false;
    g->nodes = nodes;
    uint32_t *index = alloc_new(capacity * 2 * sizeof *index);
    if (index == NULL)
        return false;
    memset(index, 0, capacity * 2 * sizeof *index);
    alloc_free(g->index);
    g->index = index;
    g->index_capacity = capacity * 2;
    g->capacity = capacity;
    for (size_t i = 0; i < g->count; i++)
        enter(g, (uint32_t)i);
    return true;
}

bool graph_add(struct graph *g, val v, struct origin origin)
{
    if (!make_room(g))
        return false;
    g->nodes[g->count] = (struct graph_node){v, origin};
    enter(g, (uint32_t)g->count++);
    return true;
}

void graph_drop(struct graph *g)
{
    alloc_free(g->nodes);
    alloc_free(g->index);
}

/* -- text ------------------------------------------------------------------------------- */
struct text {
    char *out;
    size_t length, room;
};

static void add_text(struct text *t, const char *s)
{
    for (; *s != 0 && t->length + 1 < t->room; s++)
        t->out[t->length++] = *s;
    if (t->room > 0)
        t->out[t->length] = 0;
}

static void add_number(struct text *t, size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    add_text(t, digits + at);
}

static void add_value(struct text *t, struct heap *h, val v)
{
    char name[48];
    name[printer_brief(h, v, name, sizeof name - 1)] = 0;
    add_text(t, name);
}

/* -- the way ------------------------------------------------------------------------------- */
static val slot_name(struct heap *h, size_t slot)
{
    val e = h->roots[ROOT_TOP];
    for (unsigned level = 0; level < 16 && is_type(e, T_ENVIRONMENT); level++) {
        val key, binding;
        size_t i = 0;
        while (table_next(object_field(e, ENVIRONMENT_TABLE), &i, &key, &binding)) {
            val s = is_pair(binding) ? car(binding) : binding;
            if (is_eq(s, fixnum((int64_t)slot)) && is_symbol(key))
                return key;
        }
        e = object_field(e, ENVIRONMENT_PARENT);
    }
    return FALSE;
}

static val name_of(val procedure)
{
    val code = code_of(procedure);
    return is_type(code, T_CODE) ? object_field(code, CODE_NAME) : FALSE;
}

/* The name of the procedure in whose frame a word of the stack lies. */
static val frame_name(const struct run *run, size_t word)
{
    const val *base = run->stack + STACK_BASE, *fp = run->fp;
    while (fp > base + word && fp[-2].bits != (uintptr_t)AT_UNDERFLOW)
        fp -= 2 + (return_address(fp)[-1] & 0xffff);
    return name_of(fp[-1]);
}

static void add_start(struct text *t, struct vm *vm, const struct run *run, struct origin o)
{
    static const char asked[] = "what the run asks with";
    val name = FALSE;
    switch (o.from) {
    case FROM_SLOT:
        name = slot_name(&vm->heap, o.field);
        add_text(t, is_true(name) ? "the variable " : "a variable of a library");
        break;
    case FROM_STACK:
        if (run->state == RUN_WAITING && run->stack + STACK_BASE + o.field >= run->fp) {
            add_text(t, asked);
            return;
        }
        name = frame_name(run, o.field);
        add_text(t, is_true(name) ? "a local of " : "a local of the program");
        break;
    case FROM_RUN:
        add_text(t, o.field == 0 ? asked : "the state of the run");
        break;
    default:
        add_text(t, o.from == FROM_IMAGE ? "something in a library" : "the context");
        break;
    }
    if (is_true(name))
        add_value(t, &vm->heap, name);
}

static void add_item(struct text *t, size_t number, const char *what)
{
    add_text(t, ", item ");
    add_number(t, number);
    add_text(t, what);
}

/* One step of the way: from the parent through its field. */
static void add_step(struct text *t, struct heap *h, val parent, size_t field, size_t *rest)
{
    if (is_pair(parent)) {
        if (field == 0)
            add_item(t, *rest, " of a list");
        *rest = field == 0 ? 0 : *rest + 1;
        return;
    }
    *rest = 0;
    switch (object_type(parent)) {
    case T_VECTOR:
        add_item(t, field, " of a vector");
        break;
    case T_RECORD:
        add_text(t, ", in a record ");
        add_value(t, h, object_field(object_field(parent, 0), RECORD_TYPE_NAME));
        break;
    case T_TABLE:
        add_text(t, ", in a hash table");
        break;
    case T_CLOSURE:
        add_text(t,
                 is_true(name_of(parent)) ? ", caught by the procedure " : ", caught by a lambda");
        if (is_true(name_of(parent)))
            add_value(t, h, name_of(parent));
        break;
    case T_CONDITION:
        add_text(t, ", in a condition");
        break;
    case T_SEGMENT:
        add_text(t, ", in a continuation");
        break;
    case T_PROMISE:
        add_text(t, ", in a promise");
        break;
    case T_PARAMETER:
        add_text(t, ", in a parameter");
        break;
    default: /* boxes and the like: nothing that a reader knows */
        break;
    }
}

enum { STEPS_MOST = 64 };

/* The entries of a table stand in a vector of its own: that is not told. */
static bool is_told(const struct graph *g, uint32_t from)
{
    struct origin o = g->nodes[from].origin;
    return o.from >= g->count || !is_type(g->nodes[o.from].object, T_TABLE);
}

void graph_explain(const struct graph *g, struct vm *vm, const struct run *run, const char *why,
                   val v, char *out, size_t n)
{
    struct text t = {out, 0, n};
    struct origin steps[STEPS_MOST];
    size_t count = 0, rest = 0, number = is_pointer(v) ? graph_find(g, v) : GRAPH_NONE;
    add_text(&t, why);
    if (number == GRAPH_NONE)
        return;
    struct origin o = g->nodes[number].origin;
    for (; o.from < g->count; o = g->nodes[o.from].origin)
        steps[count++ % STEPS_MOST] = o;
    add_text(&t, ": ");
    add_start(&t, vm, run, o);
    if (count > STEPS_MOST)
        add_text(&t, ", ...");
    for (size_t i = size_min(count, STEPS_MOST); i-- > 0;) {
        struct origin s = steps[(count > STEPS_MOST ? count + i : i) % STEPS_MOST];
        if (is_told(g, s.from))
            add_step(&t, &vm->heap, g->nodes[s.from].object, s.field, &rest);
    }
}
