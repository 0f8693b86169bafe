/* T5 compiler: compile_unit, and the making of heap objects.
 *
 * When all frames are generated, the T_CODE objects of the unit are allocated
 * (so that codes can refer to each other in any order), then filled: literals,
 * instructions with their cached words, positions. Closures without captures are
 * constants. Everything made here is constant and old; it is reachable from the
 * answer only, and nothing is collected before that is returned. */
#include "compile.h"

#define NODES_PER_CHARGE 16u

/* -- objects ------------------------------------------------------------------------------- */
static val bytes_constant(struct heap *h, const uint8_t *bytes, size_t n)
{
    val v = TRY(heap_alloc_constant(h, T_BYTEVECTOR, n, 0));
    if (n)
        memcpy(object_bytes(v), bytes, n);
    return v;
}

static val name_of(const struct comp *c, const struct lam *l)
{
    if (l == c->root)
        return c->unit->name;
    if (l->ir)
        return l->ir->name;
    return l->node->count ? l->node->items[0]->lambda->name : FALSE;
}

static val clauses_of(struct comp *c, const struct lam *l)
{
    if (l == c->root || l->node->kind != IR_CASE_LAMBDA)
        return FALSE;
    val v = TRY(heap_alloc_constant(c->h, T_VECTOR, l->node->count, 0));
    for (size_t i = 0; i < l->node->count; i++) {
        const struct ir_lambda *clause = l->node->items[i]->lambda;
        int64_t arity = (int64_t)clause->required | (int64_t)(clause->rest ? 1 : 0) << 32;
        object_fields(v)[i] = fixnum(arity);
    }
    return v;
}

static uint64_t arity_of(const struct lam *l)
{
    if (l->ir)
        return l->ir->required | (uint64_t)(l->ir->rest ? 1 : 0) << 32;
    uint64_t least = UINT32_MAX, rest = 0;
    for (size_t i = 0; l->node->kind == IR_CASE_LAMBDA && i < l->node->count; i++) {
        const struct ir_lambda *clause = l->node->items[i]->lambda;
        least = clause->required < least ? clause->required : least;
        rest = 1;
    }
    return rest ? least | rest << 32 : 0;
}

/* The names of its variables, or #f where there are none. */
static val names_of(struct comp *c, const struct lam *l)
{
    const struct name_table *t = &l->names;
    size_t captures = 0;
    for (const struct capture *p = l->captures; p; p = p->next)
        captures++;
    if (!c->unit->debug || t->count + captures == 0)
        return FALSE;
    val names = TRY(heap_alloc_constant(c->h, T_VECTOR, 2 + captures + t->count, 0));
    val *fields = object_fields(names);
    fields[0] = TRY(bytes_constant(c->h, t->events, t->event_count));
    fields[1] = fixnum((int64_t)captures);
    size_t at = 2;
    for (const struct capture *p = l->captures; p; p = p->next)
        fields[at++] = p->var->ir && is_symbol(p->var->ir->name) ? p->var->ir->name : FALSE;
    if (t->count != 0)
        memcpy(fields + at, t->names, t->count * sizeof(val));
    return names;
}

/* The code object, its instructions not yet filled in. */
static val make_code(struct comp *c, struct lam *l)
{
    struct heap *h = c->h;
    val code = TRY(heap_alloc_code(h, T_CODE, l->word_count * 8, 0));
    val literals = TRY(heap_alloc_constant(h, T_VECTOR, l->literal_count, 0));
    for (size_t i = 0; i < l->literal_count; i++)
        object_fields(literals)[i] = FALSE;
    val positions = TRY(bytes_constant(h, l->positions, l->position_bytes));
    val clauses = TRY(clauses_of(c, l));
    val names = TRY(names_of(c, l));
    val *fields = object_fields(code);
    uint64_t *raw = object_raw(code);
    fields[CODE_NAME] = name_of(c, l);
    fields[CODE_LITERALS] = literals;
    fields[CODE_POSITIONS] = positions;
    fields[CODE_FILE] = c->unit->file;
    fields[CODE_NAMES] = names;
    fields[CODE_CLAUSES] = clauses;
    raw[CODE_ARITY] = l == c->root ? 0 : arity_of(l);
    raw[CODE_FRAME] = l->registers;
    raw[CODE_FLAGS] = 0;
    raw[CODE_LENGTH] = l->word_count;
    memcpy(code_instructions(code), l->words, l->word_count * 8);
    l->code = code;
    heap_work(h, l->word_count * 8);
    return TRUE;
}

static val make_closure(struct comp *c, struct lam *l)
{
    val closure = TRY(heap_alloc_constant(c->h, T_CLOSURE, 1, 0));
    object_fields(closure)[0] = l->code;
    l->closure = closure;
    return TRUE;
}

static val literal_value(struct comp *c, struct literal *l)
{
    if (l->kind == LITERAL_VALUE)
        return l->value;
    if (l->kind == LITERAL_CODE)
        return l->lam->code;
    if (!is_true(l->lam->closure))
        TRY(make_closure(c, l->lam));
    return l->lam->closure;
}

static val fill(struct comp *c, struct lam *l)
{
    val literals = object_field(l->code, CODE_LITERALS);
    for (size_t i = 0; i < l->literal_count; i++)
        object_fields(literals)[i] = TRY(literal_value(c, &l->literals[i]));
    code_refresh(l->code);
    return TRUE;
}

static bool is_frame(const struct lam *l)
{
    return l->frame == l && l->words;
}

static val make_objects(struct comp *c)
{
    for (struct lam *l = c->lams; l; l = l->next)
        if (is_frame(l))
            TRY(make_code(c, l));
    for (struct lam *l = c->lams; l; l = l->next)
        if (is_frame(l))
            TRY(fill(c, l));
    for (size_t i = 0; i < c->unit->static_count; i++) {
        struct lam *l = c->unit->statics[i]->scratch;
        if (!is_true(l->closure))
            TRY(make_closure(c, l));
        c->unit->statics[i]->value = l->closure;
    }
    if (!is_true(c->root->closure))
        TRY(make_closure(c, c->root));
    return c->root->closure;
}

/* -- the unit ---------------------------------------------------------------------------- */
static bool is_dead(const struct lam *l)
{
    return l->known && l->var && l->var->references == 0;
}

static bool generate_all(struct comp *c)
{
    for (struct lam *l = c->lams; l; l = l->next)
        if (l->frame == l && !is_dead(l) && !generate(c, l))
            return false;
    return true;
}

static val too_large(struct comp *c)
{
    const struct position *at = c->error_at;
    return raise_text(c->h, CONDITION_COMPILE, at ? at->file : c->unit->file, at ? at->line : 1,
                      at ? at->column : 1, NULL, "%s", c->error);
}

val compile_unit(struct heap *h, struct arena *a, struct ir_unit *unit)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        struct comp c = {.h = h, .arena = a, .unit = unit, .long_jumps = attempt > 0};
        bool done = analyze(&c) && generate_all(&c);
        heap_charge(h, c.work / NODES_PER_CHARGE);
        if (c.error)
            return too_large(&c);
        if (c.failed || a->failed) {
            h->wanted = a->used;
            return RETRY;
        }
        if (heap_poll(h))
            return LIMIT;
        if (done && !c.need_long)
            return make_objects(&c);
    }
    return RETRY;
}
