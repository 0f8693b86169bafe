/* T5 commits: what an attempt changes in environments, done at its end.
 *
 * Nothing an attempt defines or imports is seen outside it before its code is
 * compiled. commit_all makes the binding values, then puts them; it may answer
 * RETRY at any point, and the next attempt does all of it again.
 *
 * The table of a program unit's own names keeps, as its extra, a table of the
 * library names its forms refer to: symbol -> line * 2^20 + column. */
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

/* -- names used before a macro defines them ----------------------------------- */
void commit_use(struct expander *x, struct syntax *id, struct binding *b)
{
    if (b->used || b->pending || !is_pair(b->cell) || id->kind != SYN_SYMBOL ||
        !is_type(x->names, T_TABLE))
        return;
    struct use *u = TAKE(x, struct use);
    u->next = x->uses;
    u->id = id;
    x->uses = u;
    b->used = true;
}

static val use_table(struct expander *x)
{
    val table = object_field(x->names, TABLE_EXTRA);
    if (is_type(table, T_TABLE))
        return table;
    table = TRY(table_new(x->h, TABLE_EQ));
    heap_store(x->h, x->names, &object_fields(x->names)[TABLE_EXTRA], table);
    return table;
}

static val commit_uses(struct expander *x, size_t *n)
{
    if (!x->uses)
        return TRUE;
    val table = TRY(use_table(x));
    for (struct use *u = x->uses; u; u = u->next, ++*n) {
        val known = TRY(table_get(x->h, table, u->id->atom, HOLE));
        int64_t place = (int64_t)u->id->at.line << 20 | (u->id->at.column & 0xfffff);
        if (is_eq(known, HOLE))
            TRY(table_put(x->h, table, u->id->atom, fixnum(place)));
    }
    return TRUE;
}

val commit_check_define(struct expander *x, struct syntax *id)
{
    if (!is_type(x->names, T_TABLE) || id->kind != SYN_SYMBOL)
        return TRUE;
    val own = TRY(table_get(x->h, x->names, id->atom, HOLE));
    val table = object_field(x->names, TABLE_EXTRA);
    if (!is_eq(own, HOLE) || !is_type(table, T_TABLE))
        return TRUE;
    val place = TRY(table_get(x->h, table, id->atom, HOLE));
    if (!is_fixnum(place))
        return TRUE;
    return FAIL(x, id, "define the name before its first use, or use another one",
                "%s is defined here, but line %zu, column %zu took it for a library's",
                identifier_text(x, id), (size_t)(fixnum_value(place) >> 20),
                (size_t)(fixnum_value(place) & 0xfffff));
}

static val commit_names(struct expander *x, size_t *count)
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
    *count = n;
    return commit_uses(x, count);
}

/* What is done of it stays done where there is no memory for the rest; so the
 * charge is by the number of names, not by how tables grow. */
val commit_all(struct expander *x)
{
    size_t n = 0;
    uint64_t charge = x->h->charge;
    TRY(commit_names(x, &n));
    x->h->charge = charge + n / 4;
    return TRUE;
}
