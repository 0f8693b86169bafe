/* T7 primitives of the front end: units, environments, libraries.
 *
 * front.h tells the protocol that boot/unit.scm follows with them. Here arguments
 * are checked and nothing else: the work is done in unit.c, library.c and
 * environment.c. They are for the Scheme side only; what a program may see of
 * them stands in (scheme eval) and (scheme repl). */
#include "../environment.h"
#include "../expand.h"
#include "../prim.h"
#include "../string.h"
#include "../symbol.h"
#include "../table.h"
#include "../unit.h"

static val arg_environment(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_ENVIRONMENT, "environment");
}

static val arg_unit(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_UNIT, "unit");
}

static val arg_library_name(struct heap *h, const val *args, size_t i)
{
    val key = TRY(library_key(h, args[i]));
    return is_true(key) ? key : raise_type(h, i, "library name", args[i]);
}

PRIM("%unit-open", prim_unit_open, 4, 4, PURE, "(%unit-open text file environment kind)",
     "Read TEXT as a unit; KIND is program, trusted or body.")
{
    TRY(arg_string(h, args, 0));
    if (is_true(args[1]))
        TRY(arg_string(h, args, 1));
    TRY(arg_environment(h, args, 2));
    TRY(arg_symbol(h, args, 3));
    enum unit_kind kind = symbol_is(args[3], "body")      ? UNIT_BODY
                          : symbol_is(args[3], "trusted") ? UNIT_TRUSTED
                                                          : UNIT_PROGRAM;
    return unit_open(h, args[0], args[1], args[2], kind);
}

PRIM("%unit-of-datum", prim_unit_of_datum, 2, 2, SHORT, "(%unit-of-datum datum environment)",
     "Return a unit with the one form DATUM.")
{
    TRY(arg_environment(h, args, 1));
    return unit_of_datum(h, args[0], args[1]);
}

PRIM("%unit-next", prim_unit_next, 2, 2, PURE, "(%unit-next unit index)",
     "Expand and compile a form: a procedure, #f at the end, or a vector: what is missing.")
{
    TRY(arg_unit(h, args, 0));
    val index = TRY(arg_index(h, args, 1, SIZE_MAX >> 8));
    return unit_next(h, args[0], (size_t)fixnum_value(index));
}

PRIM("%unit-last?", prim_unit_is_last, 2, 2, SHORT, "(%unit-last? unit index)",
     "Is the form at INDEX the last one?")
{
    TRY(arg_unit(h, args, 0));
    val index = TRY(arg_index(h, args, 1, SIZE_MAX >> 8));
    return val_bool((size_t)fixnum_value(index) + 1 >= unit_count(args[0]));
}

PRIM("%unit-supply!", prim_unit_supply, 3, 3, SHORT, "(%unit-supply! unit key value)",
     "Give UNIT the text of the file KEY or #f, or whether the library KEY can be had.")
{
    TRY(arg_unit(h, args, 0));
    return unit_supply(h, args[0], args[1], args[2]);
}

PRIM("%environment", prim_environment, 1, 1, PURE, "(%environment import-sets)",
     "Return an immutable environment, or #(library name) for what is not loaded.")
{
    return unit_environment(h, args[0], false);
}

PRIM("%library-loaded?", prim_library_is_loaded, 1, 1, SHORT, "(%library-loaded? name)",
     "Has the library NAME been loaded?")
{
    TRY(arg_library_name(h, args, 0));
    val library = TRY(library_find(h, args[0]));
    return val_bool(is_true(library));
}

PRIM("%library-ready!", prim_library_ready, 1, 1, SHORT, "(%library-ready! name)",
     "File the library NAME, whose body has run, under its name.")
{
    TRY(arg_library_name(h, args, 0));
    return library_ready(h, args[0]);
}

PRIM("%library-allowed?", prim_library_is_allowed, 1, 1, SHORT, "(%library-allowed? name)",
     "May a program import the library NAME?")
{
    TRY(arg_library_name(h, args, 0));
    return library_permitted(h, args[0]);
}

/* The symbols among the keys of a table, in order. */
static val table_symbols(struct heap *h, val table)
{
    size_t i = 0, n = 0;
    val key, value, list = NIL;
    TRY(heap_reserve(h, size_min(table_count(table) * 16, RESERVE_MAX)));
    val *last = &list;
    for (; table_next(table, &i, &key, &value); n++) {
        if (!is_symbol(key))
            continue;
        val p = TRY(cons(h, key, NIL));
        *last = p;
        last = &pair_words(p)[1];
    }
    heap_charge(h, n / 4);
    return list;
}

PRIM("%library-exports", prim_library_exports, 1, 1, PURE, "(%library-exports name)",
     "Return the list of names that the loaded library NAME exports, or #f.")
{
    TRY(arg_library_name(h, args, 0));
    val library = TRY(library_find(h, args[0]));
    return is_true(library) ? table_symbols(h, object_field(library, LIBRARY_EXPORTS)) : FALSE;
}

PRIM("%library-names", prim_library_names, 0, 0, PURE, "(%library-names)",
     "Return the list of names of all loaded libraries.")
{
    size_t i = 0, count = 0;
    val key, library, list = NIL;
    while (library_next(h, &i, &key, &library))
        count++;
    TRY(heap_reserve(h, size_min(count * 16, RESERVE_MAX)));
    for (i = 0; library_next(h, &i, &key, &library);) {
        if (string_length(key) > 0 && string_ref(key, 0) != '!')
            list = TRY(cons(h, object_field(library, LIBRARY_NAME), list));
    }
    heap_charge(h, count / 4);
    return list;
}

PRIM("%top-environment", prim_top_environment, 0, 0, SHORT, "(%top-environment)",
     "Return the environment of the program.")
{
    return h->roots[ROOT_TOP];
}

PRIM("%core-environment", prim_core_environment, 0, 0, SHORT, "(%core-environment)",
     "Return the environment of primitives, core syntax and boot definitions.")
{
    return h->roots[ROOT_CORE];
}

PRIM("%set-top-environment!", prim_set_top_environment, 1, 1, SHORT,
     "(%set-top-environment! environment)", "Make ENVIRONMENT that of the program.")
{
    TRY(arg_environment(h, args, 0));
    h->roots[ROOT_TOP] = args[0];
    return UNSPECIFIED;
}

PRIM("%make-environment", prim_make_environment, 1, 1, SHORT, "(%make-environment parent)",
     "Return an empty environment for a program; PARENT is an environment or #f.")
{
    if (is_true(args[0]))
        TRY(arg_environment(h, args, 0));
    return environment_new(h, args[0], FALSE);
}

PRIM("%environment-import!", prim_environment_import, 2, 2, PURE,
     "(%environment-import! environment from)",
     "Copy all bindings of the environment FROM into ENVIRONMENT.")
{
    size_t i = 0;
    val key, cell;
    TRY(arg_environment(h, args, 0));
    TRY(arg_environment(h, args, 1));
    val from = object_field(args[1], ENVIRONMENT_TABLE);
    val to = object_field(args[0], ENVIRONMENT_TABLE);
    TRY(table_reserve(h, to, table_count(to) + table_count(from)));
    while (table_next(from, &i, &key, &cell))
        TRY(table_put(h, to, key, cell));
    heap_charge(h, table_count(from) / 4);
    return UNSPECIFIED;
}

PRIM("%environment-bound-names", prim_environment_bound_names, 1, 1, PURE,
     "(%environment-bound-names environment)", "Return the symbols that ENVIRONMENT itself binds.")
{
    TRY(arg_environment(h, args, 0));
    return table_symbols(h, object_field(args[0], ENVIRONMENT_TABLE));
}

PRIM("%environment-ref", prim_environment_ref, 2, 3, SHORT,
     "(%environment-ref environment symbol default)",
     "Return the value of a variable, or DEFAULT (#f) where there is none.")
{
    val value;
    TRY(arg_environment(h, args, 0));
    TRY(arg_symbol(h, args, 1));
    val cell = TRY(environment_lookup(h, args[0], args[1]));
    if (binding_value(h, cell, &value))
        return value;
    return n > 2 ? args[2] : FALSE;
}

PRIM("%environment-define!", prim_environment_define, 3, 3, SHORT,
     "(%environment-define! environment symbol value)", "Define a variable of a program.")
{
    TRY(arg_environment(h, args, 0));
    TRY(arg_symbol(h, args, 1));
    if (environment_is_immutable(args[0]))
        return raise_constant(h, 0, args[0]);
    val slot = TRY(environment_define_slot(h, args[0], args[1]));
    heap_set_slot(h, (size_t)fixnum_value(slot), args[2]);
    return UNSPECIFIED;
}

PRIM("%environment-suggest", prim_environment_suggest, 2, 2, PURE,
     "(%environment-suggest environment symbol)",
     "Return a text like \"did you mean car?\", or #f.")
{
    TRY(arg_environment(h, args, 0));
    TRY(arg_symbol(h, args, 1));
    return environment_suggest(h, args[0], args[1]);
}

PRIM("%features", prim_features, 0, 0, SHORT, "(%features)",
     "Return the list of features that cond-expand knows.")
{
    return feature_list(h);
}
