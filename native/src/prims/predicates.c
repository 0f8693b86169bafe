/* T7 primitives: equivalence, plain type predicates, boxes, promises, parameters,
 * ephemerons and the odd constants. (null? and pair? stand with the pairs.) */
#include "../code.h"
#include "../equal.h"
#include "../prim.h"

PRIM("eq?", prim_is_eq, 2, 2, SHORT, "(eq? a b)", "Are A and B the same object?")
{
    return val_bool(is_eq(args[0], args[1]));
}

PRIM("eqv?", prim_is_eqv, 2, 2, SHORT, "(eqv? a b)",
     "Are A and B the same object, or the same number?")
{
    return val_bool(eqv_paid(h, args[0], args[1]));
}

PRIM("equal?", prim_is_equal, 2, 2, PURE, "(equal? a b)",
     "Do A and B look the same? Ends on circular data too.")
{
    return is_equal(h, args[0], args[1]);
}

PRIM("not", prim_not, 1, 1, SHORT, "(not obj)", "Is OBJ #f?")
{
    return val_bool(!is_true(args[0]));
}

static bool is_boolean(val v)
{
    return is_eq(v, TRUE) || is_eq(v, FALSE);
}

PRIM("boolean=?", prim_boolean_equal, 2, -1, SHORT, "(boolean=? a b ...)",
     "Are all these booleans the same?")
{
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        if (!is_boolean(args[i]))
            return raise_type(h, i, "boolean", args[i]);
        same = same && is_eq(args[i], args[0]);
    }
    return val_bool(same);
}

PRIM("boolean?", prim_is_boolean, 1, 1, SHORT, "(boolean? obj)", "Is OBJ a boolean?")
{
    return val_bool(is_boolean(args[0]));
}

PRIM("char?", prim_is_char, 1, 1, SHORT, "(char? obj)", "Is OBJ a character?")
{
    return val_bool(is_char(args[0]));
}

PRIM("string?", prim_is_string, 1, 1, SHORT, "(string? obj)", "Is OBJ a string?")
{
    return val_bool(is_string(args[0]));
}

PRIM("symbol?", prim_is_symbol, 1, 1, SHORT, "(symbol? obj)", "Is OBJ a symbol?")
{
    return val_bool(is_symbol(args[0]));
}

PRIM("vector?", prim_is_vector, 1, 1, SHORT, "(vector? obj)", "Is OBJ a vector?")
{
    return val_bool(is_vector(args[0]));
}

PRIM("bytevector?", prim_is_bytevector, 1, 1, SHORT, "(bytevector? obj)", "Is OBJ a bytevector?")
{
    return val_bool(is_bytevector(args[0]));
}

PRIM("procedure?", prim_is_procedure, 1, 1, SHORT, "(procedure? obj)", "Is OBJ a procedure?")
{
    return val_bool(is_procedure(args[0]));
}

PRIM("eof-object?", prim_is_eof, 1, 1, SHORT, "(eof-object? obj)", "Is OBJ the end-of-file object?")
{
    return val_bool(is_eq(args[0], EOF_OBJECT));
}

PRIM("default-object?", prim_is_default, 1, 1, SHORT, "(default-object? obj)",
     "Is OBJ what stands for an optional argument not given?")
{
    return val_bool(is_eq(args[0], DEFAULT_OBJECT));
}

PRIM("%unspecified?", prim_is_unspecified, 1, 1, SHORT, "(%unspecified? obj)",
     "Is OBJ the unspecified value?")
{
    return val_bool(is_eq(args[0], UNSPECIFIED));
}

PRIM("promise?", prim_is_promise, 1, 1, SHORT, "(promise? obj)", "Is OBJ a promise?")
{
    return val_bool(is_type(args[0], T_PROMISE));
}

PRIM("parameter?", prim_is_parameter, 1, 1, SHORT, "(parameter? obj)", "Is OBJ a parameter object?")
{
    return val_bool(is_type(args[0], T_PARAMETER));
}

PRIM("%box?", prim_is_box, 1, 1, SHORT, "(%box? obj)", "Is OBJ a box?")
{
    return val_bool(is_type(args[0], T_BOX));
}

PRIM("%environment?", prim_is_environment, 1, 1, SHORT, "(%environment? obj)",
     "Is OBJ an environment?")
{
    return val_bool(is_type(args[0], T_ENVIRONMENT));
}

PRIM("%continuation?", prim_is_continuation, 1, 1, SHORT, "(%continuation? obj)",
     "Is OBJ a continuation?")
{
    return val_bool(is_type(args[0], T_CONTINUATION));
}

PRIM("%foreign?", prim_is_foreign, 1, 1, SHORT, "(%foreign? obj)", "Is OBJ an object of the host?")
{
    return val_bool(is_type(args[0], T_FOREIGN));
}

PRIM("%host-procedure?", prim_is_host_procedure, 1, 1, SHORT, "(%host-procedure? obj)",
     "Is OBJ a procedure of the host?")
{
    return val_bool(is_type(args[0], T_HOST_PROCEDURE));
}

PRIM("%primitive?", prim_is_primitive, 1, 1, SHORT, "(%primitive? obj)",
     "Is OBJ a primitive procedure?")
{
    return val_bool(is_type(args[0], T_PRIMITIVE));
}

PRIM("eof-object", prim_eof_object, 0, 0, SHORT, "(eof-object)", "Return the end-of-file object.")
{
    return EOF_OBJECT;
}

PRIM("%unspecified", prim_unspecified, 0, 0, SHORT, "(%unspecified)",
     "Return the unspecified value.")
{
    return UNSPECIFIED;
}

PRIM("%default-object", prim_default_object, 0, 0, SHORT, "(%default-object)",
     "Return what stands for an optional argument not given.")
{
    return DEFAULT_OBJECT;
}

PRIM("%mutable?", prim_is_mutable, 1, 1, SHORT, "(%mutable? obj)",
     "May the pair or object OBJ be changed?")
{
    return val_bool(is_pointer(args[0]) && heap_is_mutable(h, args[0]));
}

PRIM("%identity-hash", prim_identity_hash, 1, 1, SHORT, "(%identity-hash obj)",
     "Return a number for OBJ, the same for its life.")
{
    if (!is_pointer(args[0]))
        return fixnum((int64_t)(args[0].bits >> 8));
    return heap_identity(h, args[0]);
}

PRIM("%procedure-name", prim_procedure_name, 1, 1, SHORT, "(%procedure-name procedure)",
     "Return the name of PROCEDURE as a symbol, or #f.")
{
    if (!is_procedure(args[0]))
        return raise_type(h, 0, "procedure", args[0]);
    switch (object_type(args[0])) {
    case T_CLOSURE:
        return object_field(object_field(args[0], 0), CODE_NAME);
    case T_PRIMITIVE:
    case T_HOST_PROCEDURE:
        return object_field(args[0], 0);
    default:
        return FALSE;
    }
}

/* -- boxes ------------------------------------------------------------------- */

PRIM("%box", prim_box, 1, 1, SHORT, "(%box obj)", "Return a new box that holds OBJ.")
{
    val box = TRY(heap_alloc(h, T_BOX, 0, 0));
    object_fields(box)[0] = args[0];
    return box;
}

PRIM("%unbox", prim_unbox, 1, 1, SHORT, "(%unbox box)", "Return what BOX holds.")
{
    return object_field(TRY(arg_type(h, args, 0, T_BOX, "box")), 0);
}

PRIM("%set-box!", prim_set_box, 2, 2, SHORT, "(%set-box! box obj)", "Put OBJ into BOX.")
{
    val box = TRY(arg_type(h, args, 0, T_BOX, "box"));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, box, &object_fields(box)[0], args[1]);
    return UNSPECIFIED;
}

/* -- promises: a promise holds a pair (done? . value or thunk); chains of
 * delay-force share it -------------------------------------------------------- */

PRIM("%make-promise", prim_make_promise, 2, 2, SHORT, "(%make-promise done? obj)",
     "Return a new promise: of the value OBJ, or of what the procedure OBJ returns.")
{
    TRY(heap_reserve(h, 64));
    val state = TRY(cons(h, val_bool(is_true(args[0])), args[1]));
    val promise = TRY(heap_alloc(h, T_PROMISE, 0, 0));
    object_fields(promise)[0] = state;
    return promise;
}

PRIM("%promise-ref", prim_promise_ref, 1, 1, SHORT, "(%promise-ref promise)",
     "Return the pair (done? . value or thunk) of PROMISE.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PROMISE, "promise")), 0);
}

PRIM("%promise-set!", prim_promise_set, 2, 2, SHORT, "(%promise-set! promise pair)",
     "Make PAIR the state of PROMISE.")
{
    val promise = TRY(arg_type(h, args, 0, T_PROMISE, "promise"));
    TRY(arg_pair(h, args, 1));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, promise, &object_fields(promise)[0], args[1]);
    return UNSPECIFIED;
}

PRIM("%promise-settle!", prim_promise_settle, 3, 3, SHORT, "(%promise-settle! promise done? obj)",
     "Change the shared state of PROMISE.")
{
    val promise = TRY(arg_type(h, args, 0, T_PROMISE, "promise"));
    val state = object_field(promise, 0);
    if (!heap_is_mutable(h, state))
        return raise_constant(h, 0, promise);
    heap_store(h, state, &pair_words(state)[0], val_bool(is_true(args[1])));
    heap_store(h, state, &pair_words(state)[1], args[2]);
    return UNSPECIFIED;
}

/* -- parameters ----------------------------------------------------------------- */

PRIM("%make-parameter", prim_make_parameter, 1, 2, SHORT, "(%make-parameter value [converter])",
     "Return a new parameter object; VALUE is converted already.")
{
    val p = TRY(heap_alloc(h, T_PARAMETER, 0, 0));
    object_fields(p)[0] = args[0];
    object_fields(p)[1] = n > 1 ? args[1] : FALSE;
    return p;
}

PRIM("%parameter-value", prim_parameter_value, 1, 1, SHORT, "(%parameter-value parameter)",
     "Return the global value of PARAMETER.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PARAMETER, "parameter")), 0);
}

PRIM("%set-parameter-value!", prim_set_parameter_value, 2, 2, SHORT,
     "(%set-parameter-value! parameter obj)", "Make OBJ the global value of PARAMETER.")
{
    val p = TRY(arg_type(h, args, 0, T_PARAMETER, "parameter"));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, p, &object_fields(p)[0], args[1]);
    return UNSPECIFIED;
}

PRIM("%parameter-converter", prim_parameter_converter, 1, 1, SHORT,
     "(%parameter-converter parameter)", "Return the converter of PARAMETER, or #f.")
{
    return object_field(TRY(arg_type(h, args, 0, T_PARAMETER, "parameter")), 1);
}

/* -- ephemerons -------------------------------------------------------------------- */
