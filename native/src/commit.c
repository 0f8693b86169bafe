/* T5 commits: what an attempt changes in environments, done at its end.
 *
 * Nothing an attempt defines or imports is seen outside it before its code is
 * compiled. commit_all makes the binding values, then puts them; it may answer
 * RETRY at any point, and the next attempt does all of it again. */
#include "expand.h"
#include "table.h"

val commit_add(struct expander *x, val environment, val key, struct binding *b, val cell)
{
    struct commit *c = TAKE(x, struct commit);
    c->environment = environment;
    c->key = key;
    c->binding = b;
    c->cell = cell;
    *x->commits_end = c;
    x->commits_end = &c->next;
    return x->a->failed ? RETRY : TRUE;
}

/* A constant pair whose second half may be young. */
static val immutable_cell(struct expander *x, val a, val d)
{
    val p = TRY(heap_cons_constant(x->h, a, FALSE));
    heap_store(x->h, p, &pair_words(p)[1], d);
    return p;
}

static val global_cell(struct expander *x, const struct ir_global *g)
{
    if (g->kind != GLOBAL_SLOT)
        return immutable_cell(x, TRUE, g->value);
    val slot = fixnum(g->slot);
    if (x->mode != BODY_UNIT)
        return slot;
    return immutable_cell(x, slot, object_field(x->root->environment, ENVIRONMENT_OWNER));
}

static val commit_cell(struct expander *x, struct commit *c)
{
    struct binding *b = c->binding;
    if (!b)
        return c->cell;
    if (b->kind == BIND_CORE)
        return binding_of_core(b->core);
    if (b->kind == BIND_MACRO)
        return macro_object(x, b->macro);
    if (is_eq(b->cell, HOLE))
        b->cell = TRY(global_cell(x, b->global));
    return b->cell;
}

static val commit_table(const struct commit *c)
{
    return is_type(c->environment, T_TABLE) ? c->environment
                                            : object_field(c->environment, ENVIRONMENT_TABLE);
}

/* A program may have referred to the name before it was imported: let that
 * reference see the value. */
static val fill_reserved(struct expander *x, const struct commit *c)
{
    val v;
    val old = TRY(table_get(x->h, commit_table(c), c->key, HOLE));
    if (!c->binding && is_index(old, x->h->slot_count) &&
        is_eq(x->h->slots[fixnum_value(old)], UNBOUND) && binding_value(x->h, c->cell, &v))
        heap_set_slot(x->h, (size_t)fixnum_value(old), v);
    return TRUE;
}

val commit_all(struct expander *x)
{
    size_t n = 0;
    for (struct commit *c = x->commits; c; c = c->next, n++)
        c->cell = TRY(commit_cell(x, c));
    for (struct commit *c = x->commits; c; c = c->next) {
        val table = commit_table(c);
        if (c == x->commits)
            TRY(table_reserve(x->h, table, table_count(table) + n));
        TRY(fill_reserved(x, c));
        TRY(table_put(x->h, table, c->key, c->cell));
    }
    return TRUE;
}
