/* T7 primitives: looking at procedures, bindings and libraries. For (tein
 * introspect), (tein foreign) and the like; nothing here tells more than a program
 * could import and call itself, but for the libraries that its policy excludes:
 * those the Scheme side leaves out with %library-allowed?. */
#include "../code.h"
#include "../environment.h"
#include "../expand.h"
#include "../num.h"
#include "../prim.h"
#include "../symbol.h"
#include "../table.h"

static val arity(struct heap *h, uint64_t least, bool rest, uint64_t most)
{
    return cons(h, fixnum((int64_t)least), rest ? FALSE : fixnum((int64_t)most));
}

static bool has_rest(uint64_t word)
{
    return (word >> 32) != 0;
}

/* Over all clauses of a case-lambda; its first word else. */
static val closure_arity(struct heap *h, val code)
{
    uint64_t word = object_raw(code)[CODE_ARITY];
    uint64_t least = word & UINT32_MAX, most = least;
    bool rest = has_rest(word);
    val clauses = object_field(code, CODE_CLAUSES);
    if (!is_vector(clauses) || object_length(clauses) == 0)
        return arity(h, least, rest, most);
    least = UINT32_MAX;
    most = 0;
    rest = false;
    for (size_t i = 0; i < object_length(clauses); i++) {
        uint64_t clause = (uint64_t)fixnum_value(object_field(clauses, i));
        uint64_t required = clause & UINT32_MAX;
        rest = rest || has_rest(clause);
        least = required < least ? required : least;
        most = required > most ? required : most;
    }
    return arity(h, least, rest, most);
}

static const struct primitive *primitive_of(val v)
{
    return is_type(v, T_PRIMITIVE) ? &primitive_table[object_raw(v)[0]] : NULL;
}

PRIM("%procedure-arity", prim_procedure_arity, 1, 1, SHORT, "(%procedure-arity obj)",
     "Return (least . most), most #f for any number; #f where OBJ is no procedure.")
{
    const struct primitive *p = primitive_of(args[0]);
    if (!is_procedure(args[0]))
        return FALSE;
    if (p != NULL)
        return arity(h, (uint64_t)p->minimum, p->maximum < 0, (uint64_t)p->maximum);
    if (is_type(args[0], T_CLOSURE))
        return closure_arity(h, object_fields(args[0])[0]);
    return arity(h, 0, true, 0);
}

PRIM("%primitive-doc", prim_primitive_doc, 1, 1, SHORT, "(%primitive-doc obj)",
     "Return the pair (usage . text) on a primitive, else #f.")
{
    const struct primitive *p = primitive_of(args[0]);
    if (p == NULL)
        return FALSE;
    val usage = TRY(string_from_ascii(h, p->usage));
    return cons(h, usage, TRY(string_from_utf8(h, p->doc, strlen(p->doc))));
}

/* -- bindings ------------------------------------------------------------------------- */

static val lookup(struct heap *h, const val *args, size_t environment, size_t name)
{
    TRY(arg_type(h, args, environment, T_ENVIRONMENT, "environment"));
    TRY(arg_symbol(h, args, name));
    return environment_lookup(h, args[environment], args[name]);
}

PRIM("%binding-kind", prim_binding_kind, 2, 2, SHORT, "(%binding-kind environment symbol)",
     "Return procedure, variable, syntax, or #f where SYMBOL is not bound.")
{
    val value, binding = TRY(lookup(h, args, 0, 1));
    if (is_eq(binding, HOLE))
        return FALSE;
    if (!is_fixnum(binding) && !is_pair(binding))
        return symbol_intern_ascii(h, "syntax");
    if (binding_value(h, binding, &value) && is_procedure(value))
        return symbol_intern_ascii(h, "procedure");
    return symbol_intern_ascii(h, "variable");
}

PRIM("%environment-parent", prim_environment_parent, 1, 1, SHORT,
     "(%environment-parent environment)", "Return where names are looked up next, or #f.")
{
    TRY(arg_type(h, args, 0, T_ENVIRONMENT, "environment"));
    return object_field(args[0], ENVIRONMENT_PARENT);
}

/* -- libraries --------------------------------------------------------------------------- */

PRIM("%library-homes", prim_library_homes, 2, 2, PURE, "(%library-homes environment symbol)",
     "Return the names of the loaded libraries that export what SYMBOL is bound to.")
{
    size_t i = 0, count = 0;
    val key, library, list = NIL;
    val binding = TRY(lookup(h, args, 0, 1));
    if (is_eq(binding, HOLE))
        return NIL;
    while (library_next(h, &i, &key, &library)) {
        val exported = TRY(table_get(h, object_field(library, LIBRARY_EXPORTS), args[1], HOLE));
        count++;
        if (is_eq(exported, binding))
            list = TRY(cons(h, object_field(library, LIBRARY_NAME), list));
    }
    heap_charge(h, count);
    return list;
}

/* Does the environment bind every name that the library exports to what it exports? */
static val shows_all(struct heap *h, val environment, val library)
{
    size_t i = 0;
    val name, binding;
    val exports = object_field(library, LIBRARY_EXPORTS);
    while (table_next(exports, &i, &name, &binding)) {
        heap_charge(h, 1);
        val here = TRY(environment_lookup(h, environment, name));
        if (!is_eq(here, binding))
            return FALSE;
    }
    return val_bool(table_count(exports) > 0);
}

PRIM("%libraries-in-scope", prim_libraries_in_scope, 1, 1, PURE,
     "(%libraries-in-scope environment)",
     "Return the names of the loaded libraries all of whose exports ENVIRONMENT binds.")
{
    size_t i = 0;
    val key, library, list = NIL;
    TRY(arg_type(h, args, 0, T_ENVIRONMENT, "environment"));
    while (library_next(h, &i, &key, &library)) {
        if (is_true(TRY(shows_all(h, args[0], library))))
            list = TRY(cons(h, object_field(library, LIBRARY_NAME), list));
    }
    return list;
}

/* -- objects of the host ---------------------------------------------------------------------- */

PRIM("%foreign-id", prim_foreign_id, 1, 1, SHORT, "(%foreign-id foreign)",
     "Return a positive integer that tells this object of the host from others.")
{
    TRY(arg_type(h, args, 0, T_FOREIGN, "foreign object"));
    uint64_t mixed = (object_raw(args[0])[0] + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= mixed >> 29;
    return num_from_uint64(h, (mixed >> 5) | 1);
}
