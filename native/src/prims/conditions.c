/* T7 primitives: conditions (see condition.h), under %names, and the R7RS view of
 * them. Every condition is an error object; the message of one that Scheme made
 * may be any object. */
#include "../prim.h"
#include "../string.h"
#include "../symbol.h"

static const char *const kind_names[] = {
#define KIND(name, text) text,
    CONDITION_KINDS(KIND)
#undef KIND
};

static MUST_USE val arg_condition(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_CONDITION, "error object");
}

/* A kind by its symbol; fixnum. */
static MUST_USE val arg_condition_kind(struct heap *h, const val *args, size_t i)
{
    for (size_t k = 0; is_symbol(args[i]) && k < CONDITION_KIND_COUNT; k++) {
        val symbol = symbol_find_utf8(h, kind_names[k], strlen(kind_names[k]));
        if (is_eq(symbol, args[i]))
            return fixnum((int64_t)k);
    }
    return raise_type(h, i, "kind of condition", args[i]);
}

static bool has_kind(val v, enum condition_kind kind)
{
    return is_type(v, T_CONDITION) && is_eq(object_field(v, CONDITION_KIND), fixnum(kind));
}

PRIM("%make-condition", prim_make_condition, 3, 4, SHORT,
     "(%make-condition kind message irritants [extra])",
     "Return a new condition; KIND is a symbol such as error or file-error.")
{
    val kind = TRY(arg_condition_kind(h, args, 0));
    val c = TRY(heap_alloc(h, T_CONDITION, 0, 0));
    for (size_t i = CONDITION_WHO; i <= CONDITION_EXTRA; i++)
        object_fields(c)[i] = FALSE;
    object_fields(c)[CONDITION_KIND] = kind;
    object_fields(c)[CONDITION_MESSAGE] = args[1];
    object_fields(c)[CONDITION_IRRITANTS] = args[2];
    if (n > 3)
        object_fields(c)[CONDITION_EXTRA] = args[3];
    return c;
}

/* As a primitive, so that the VM records the place of the call, which a tail call
 * of a procedure would have left. */
PRIM("error", prim_error, 1, -1, SHORT, "(error message obj ...)",
     "Raise a new error object with MESSAGE and the irritants OBJ ... (R7RS 6.11).")
{
    val c = TRY(heap_alloc(h, T_CONDITION, 0, 0));
    val irritants = NIL;
    for (size_t i = n; i-- > 1;)
        irritants = TRY(cons(h, args[i], irritants));
    for (size_t i = CONDITION_WHO; i <= CONDITION_EXTRA; i++)
        object_fields(c)[i] = FALSE;
    object_fields(c)[CONDITION_KIND] = fixnum(CONDITION_ERROR);
    object_fields(c)[CONDITION_MESSAGE] = args[0];
    object_fields(c)[CONDITION_IRRITANTS] = irritants;
    heap_work(h, n * 2 * sizeof(val));
    h->raised = c;
    return RAISE;
}

PRIM("raise", prim_raise, 1, 1, SHORT, "(raise obj)",
     "Call the current exception handler on OBJ; it may not return (R7RS 6.11).")
{
    h->raised = args[0];
    return RAISE;
}

PRIM("%condition?", prim_is_condition, 1, 1, SHORT, "(%condition? obj)", "Is OBJ a condition?")
{
    return val_bool(is_type(args[0], T_CONDITION));
}

PRIM("error-object?", prim_is_error_object, 1, 1, SHORT, "(error-object? obj)",
     "Is OBJ an error object?")
{
    return val_bool(is_type(args[0], T_CONDITION));
}

PRIM("read-error?", prim_is_read_error, 1, 1, SHORT, "(read-error? obj)", "Was OBJ raised by read?")
{
    return val_bool(has_kind(args[0], CONDITION_READ));
}

PRIM("file-error?", prim_is_file_error, 1, 1, SHORT, "(file-error? obj)",
     "Was OBJ raised because a file could not be opened?")
{
    return val_bool(has_kind(args[0], CONDITION_FILE));
}

PRIM("%condition-kind", prim_condition_kind, 1, 1, SHORT, "(%condition-kind condition)",
     "Return the kind of CONDITION as a symbol.")
{
    val c = TRY(arg_condition(h, args, 0));
    int64_t kind = fixnum_value(object_field(c, CONDITION_KIND));
    return symbol_intern_ascii(h, kind_names[kind]);
}

PRIM("%condition-kind?", prim_condition_has_kind, 2, 2, SHORT, "(%condition-kind? obj kind)",
     "Is OBJ a condition of KIND?")
{
    val kind = TRY(arg_condition_kind(h, args, 1));
    return val_bool(has_kind(args[0], (enum condition_kind)fixnum_value(kind)));
}

PRIM("%condition-message", prim_condition_message, 1, 1, SHORT, "(%condition-message condition)",
     "Return the message of CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_MESSAGE);
}

PRIM("%condition-irritants", prim_condition_irritants, 1, 1, SHORT,
     "(%condition-irritants condition)", "Return the list of irritants of CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_IRRITANTS);
}

PRIM("%condition-who", prim_condition_who, 1, 1, SHORT, "(%condition-who condition)",
     "Return the symbol of the procedure that raised CONDITION, or #f.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_WHO);
}

PRIM("%condition-trace", prim_condition_trace, 1, 1, SHORT, "(%condition-trace condition)",
     "Return the vector code, pc, code, pc ... of CONDITION, or #f.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_TRACE);
}

PRIM("%condition-position", prim_condition_position, 1, 1, SHORT, "(%condition-position condition)",
     "Return #(file line column) of the text at fault, or #f.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_POSITION);
}

PRIM("%condition-hint", prim_condition_hint, 1, 1, SHORT, "(%condition-hint condition)",
     "Return the hint of CONDITION, a string or #f.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_HINT);
}

PRIM("%condition-extra", prim_condition_extra, 1, 1, SHORT, "(%condition-extra condition)",
     "Return what belongs to the kind of CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_EXTRA);
}

PRIM("%condition-payload", prim_condition_payload, 1, 1, SHORT, "(%condition-payload condition)",
     "Return what belongs to the kind of CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_EXTRA);
}

PRIM("error-object-message", prim_error_object_message, 1, 1, SHORT,
     "(error-object-message condition)", "Return the message of the error object CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_MESSAGE);
}

PRIM("error-object-irritants", prim_error_object_irritants, 1, 1, SHORT,
     "(error-object-irritants condition)",
     "Return the list of irritants of the error object CONDITION.")
{
    return object_field(TRY(arg_condition(h, args, 0)), CONDITION_IRRITANTS);
}

static val set_field(struct heap *h, const val *args, size_t field)
{
    val c = TRY(arg_condition(h, args, 0));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, c, &object_fields(c)[field], args[1]);
    return UNSPECIFIED;
}

PRIM("%set-condition-message!", prim_set_condition_message, 2, 2, SHORT,
     "(%set-condition-message! condition obj)", "Make OBJ the message of CONDITION.")
{
    return set_field(h, args, CONDITION_MESSAGE);
}

PRIM("%set-condition-irritants!", prim_set_condition_irritants, 2, 2, SHORT,
     "(%set-condition-irritants! condition obj)", "Make OBJ the irritants of CONDITION.")
{
    return set_field(h, args, CONDITION_IRRITANTS);
}

PRIM("%set-condition-who!", prim_set_condition_who, 2, 2, SHORT,
     "(%set-condition-who! condition obj)", "Make OBJ the procedure's name of CONDITION.")
{
    if (is_true(args[1]) && !is_symbol(args[1]))
        return raise_type(h, 1, "symbol or #f", args[1]);
    return set_field(h, args, CONDITION_WHO);
}

PRIM("%set-condition-trace!", prim_set_condition_trace, 2, 2, SHORT,
     "(%set-condition-trace! condition obj)", "Make OBJ the trace of CONDITION.")
{
    if (is_true(args[1]) && !is_vector(args[1]))
        return raise_type(h, 1, "vector or #f", args[1]);
    return set_field(h, args, CONDITION_TRACE);
}

PRIM("%set-condition-position!", prim_set_condition_position, 2, 2, SHORT,
     "(%set-condition-position! condition obj)", "Make OBJ the position of CONDITION.")
{
    if (is_true(args[1]) && !is_vector(args[1]))
        return raise_type(h, 1, "vector or #f", args[1]);
    return set_field(h, args, CONDITION_POSITION);
}

PRIM("%set-condition-hint!", prim_set_condition_hint, 2, 2, SHORT,
     "(%set-condition-hint! condition obj)", "Make OBJ the hint of CONDITION.")
{
    if (is_true(args[1]) && !is_string(args[1]))
        return raise_type(h, 1, "string or #f", args[1]);
    return set_field(h, args, CONDITION_HINT);
}

PRIM("%set-condition-extra!", prim_set_condition_extra, 2, 2, SHORT,
     "(%set-condition-extra! condition obj)", "Make OBJ the extra object of CONDITION.")
{
    return set_field(h, args, CONDITION_EXTRA);
}
