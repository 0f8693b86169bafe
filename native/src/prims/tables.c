/* T7 primitives: hash tables, under %names; the libraries build theirs on them.
 *
 * A cursor is the number of an entry. Deleting and replacing do not move entries,
 * an insertion may: so libraries that let the program change a table while they
 * visit it take its keys first. */
#include "../table.h"
#include "../prim.h"
#include "../symbol.h"
#include "../vector.h"

static MUST_USE val arg_table(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_TABLE, "hash table");
}

static MUST_USE val arg_table_to_change(struct heap *h, const val *args)
{
    TRY(arg_table(h, args, 0));
    return arg_mutable(h, args, 0);
}

/* A kind as its number or as one of the symbols eq, eqv, equal, string. */
static MUST_USE val arg_kind(struct heap *h, const val *args, size_t i)
{
    static const char *const names[] = {"eq", "eqv", "equal", "string"};
    if (is_index(args[i], ARRAY_LENGTH(names)))
        return args[i];
    for (size_t k = 0; k < ARRAY_LENGTH(names); k++)
        if (is_symbol(args[i]) && is_eq(symbol_find_utf8(h, names[k], strlen(names[k])), args[i]))
            return fixnum((int64_t)k);
    return raise_type(h, i, "kind of table (eq, eqv, equal or string)", args[i]);
}

PRIM("%make-table", prim_make_table, 1, 2, SHORT, "(%make-table kind [extra])",
     "Return a new table; KIND is eq, eqv, equal or string.")
{
    val kind = TRY(arg_kind(h, args, 0));
    val t = TRY(table_new(h, (enum table_kind)fixnum_value(kind)));
    if (n > 1)
        object_fields(t)[TABLE_EXTRA] = args[1];
    return t;
}

PRIM("%table?", prim_is_table, 1, 1, SHORT, "(%table? obj)", "Is OBJ a table?")
{
    return val_bool(is_type(args[0], T_TABLE));
}

PRIM("%table-ref", prim_table_ref, 3, 3, PURE, "(%table-ref table key default)",
     "Return the value of KEY in TABLE, or DEFAULT.")
{
    return table_get(h, TRY(arg_table(h, args, 0)), args[1], args[2]);
}

PRIM("%table-set!", prim_table_set, 3, 3, PURE, "(%table-set! table key value)",
     "Make VALUE the value of KEY in TABLE; return whether KEY is new there.")
{
    return table_put(h, TRY(arg_table_to_change(h, args)), args[1], args[2]);
}

PRIM("%table-delete!", prim_table_delete, 2, 2, PURE, "(%table-delete! table key)",
     "Delete KEY from TABLE; return whether it was there.")
{
    return table_delete(h, TRY(arg_table_to_change(h, args)), args[1]);
}

PRIM("%table-count", prim_table_count, 1, 1, SHORT, "(%table-count table)",
     "Return the number of keys in TABLE.")
{
    return fixnum((int64_t)table_count(TRY(arg_table(h, args, 0))));
}

PRIM("%table-clear!", prim_table_clear, 1, 1, SHORT, "(%table-clear! table)",
     "Delete all keys from TABLE.")
{
    table_clear(h, TRY(arg_table_to_change(h, args)));
    return UNSPECIFIED;
}

PRIM("%table-copy", prim_table_copy, 1, 1, PURE, "(%table-copy table)",
     "Return a new table with the same keys and values.")
{
    val t = TRY(arg_table(h, args, 0));
    TRY(heap_afford(h, table_count(t)));
    return table_copy(h, t);
}

PRIM("%table-reserve!", prim_table_reserve, 2, 2, PURE, "(%table-reserve! table k)",
     "Make room for K keys in TABLE.")
{
    val t = TRY(arg_table_to_change(h, args));
    size_t k = (size_t)fixnum_value(TRY(arg_index(h, args, 1, (size_t)1 << 30)));
    TRY(heap_afford(h, k / 2));
    TRY(table_reserve(h, t, k));
    return UNSPECIFIED;
}

PRIM("%table-kind", prim_table_kind, 1, 1, SHORT, "(%table-kind table)",
     "Return the number of TABLE's kind: 0 eq, 1 eqv, 2 equal, 3 string.")
{
    return fixnum(table_kind_of(TRY(arg_table(h, args, 0))));
}

PRIM("%table-extra", prim_table_extra, 1, 1, SHORT, "(%table-extra table)",
     "Return what a library keeps with TABLE.")
{
    return object_field(TRY(arg_table(h, args, 0)), TABLE_EXTRA);
}

PRIM("%set-table-extra!", prim_set_table_extra, 2, 2, SHORT, "(%set-table-extra! table obj)",
     "Keep OBJ with TABLE.")
{
    val t = TRY(arg_table_to_change(h, args));
    heap_store(h, t, &object_fields(t)[TABLE_EXTRA], args[1]);
    return UNSPECIFIED;
}

PRIM("%table-mutable?", prim_is_table_mutable, 1, 1, SHORT, "(%table-mutable? table)",
     "May TABLE be changed?")
{
    return val_bool(heap_is_mutable(h, TRY(arg_table(h, args, 0))));
}

PRIM("%table-hash", prim_table_hash, 2, 2, PURE, "(%table-hash kind obj)",
     "Return the hash of OBJ in tables of KIND, an exact integer below 2^32.")
{
    val kind = TRY(arg_kind(h, args, 0));
    return table_hash(h, (enum table_kind)fixnum_value(kind), args[1]);
}

/* -- visiting ------------------------------------------------------------------ */

/* The entry at a cursor: key and value; a range condition where there is none. */
static val entry_at(struct heap *h, const val *args, val *key, val *value)
{
    val t = TRY(arg_table(h, args, 0));
    size_t i = (size_t)fixnum_value(TRY(arg_index(h, args, 1, SIZE_MAX >> 4)));
    size_t at = i;
    if (!table_next(t, &at, key, value) || at != i + 1)
        return raise_range(h, 1, args[1], 0, 0);
    return TRUE;
}

PRIM("%table-cursor", prim_table_cursor, 2, 2, PURE, "(%table-cursor table k)",
     "Return the number of the first entry of TABLE from number K on, or #f.")
{
    val key, value;
    val t = TRY(arg_table(h, args, 0));
    size_t i = (size_t)fixnum_value(TRY(arg_index(h, args, 1, SIZE_MAX >> 4)));
    size_t from = size_max(i, table_first(t));
    bool found = table_next(t, &i, &key, &value);
    heap_charge(h, i > from ? (i - from) / 8 : 0);
    return found ? fixnum((int64_t)i - 1) : FALSE;
}

PRIM("%table-key-at", prim_table_key_at, 2, 2, SHORT, "(%table-key-at table cursor)",
     "Return the key of the entry at CURSOR.")
{
    val key = FALSE, value = FALSE;
    TRY(entry_at(h, args, &key, &value));
    return key;
}

PRIM("%table-value-at", prim_table_value_at, 2, 2, SHORT, "(%table-value-at table cursor)",
     "Return the value of the entry at CURSOR.")
{
    val key = FALSE, value = FALSE;
    TRY(entry_at(h, args, &key, &value));
    return value;
}

static val column(struct heap *h, const val *args, bool values)
{
    val t = TRY(arg_table(h, args, 0));
    size_t count = table_count(t);
    TRY(heap_afford(h, count / 4));
    heap_charge(h, count / 4);
    val v = TRY(heap_alloc(h, T_VECTOR, count, 0));
    size_t cursor = 0;
    val key, value;
    for (size_t i = 0; i < count && table_next(t, &cursor, &key, &value); i++)
        vector_items(v)[i] = values ? value : key;
    return v;
}

PRIM("%table-keys", prim_table_keys, 1, 1, PURE, "(%table-keys table)",
     "Return a vector of the keys of TABLE, in order of insertion.")
{
    return column(h, args, false);
}

PRIM("%table-values", prim_table_values, 1, 1, PURE, "(%table-values table)",
     "Return a vector of the values of TABLE, in the order of %table-keys.")
{
    return column(h, args, true);
}
