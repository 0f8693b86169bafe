/* T7 primitives: records, under %names; define-record-type expands to them. */
#include "../record.h"
#include "../pair.h"
#include "../prim.h"
#include "../string.h"
#include "../symbol.h"
#include "../vector.h"

static MUST_USE val arg_record_type(struct heap *h, const val *args, size_t i)
{
    return arg_type(h, args, i, T_RECORD_TYPE, "record type");
}

/* Argument 0 is not an instance of the type: says which type was wanted, and
 * names the accessor where its definition gave the name. */
static NOINLINE MUST_USE val raise_not_of(struct heap *h, val got, val type, val who)
{
    char expected[200];
    size_t n = 0;
    val name = object_field(type, RECORD_TYPE_NAME);
    if (is_symbol(name))
        name = symbol_name(name);
    if (is_string(name)) {
        size_t count = size_min(string_length(name), 40);
        n = string_utf8_length_of(name, 0, count);
        string_store_utf8_of(name, 0, count, expected);
    }
    expected[n] = 0;
    val raised = raise_type(h, 0, n > 0 ? expected : "record", got);
    if (is_eq(raised, RAISE))
        object_fields(h->raised)[CONDITION_WHO] = who;
    return raised;
}

static val fields_vector(struct heap *h, const val *args, size_t i)
{
    if (is_vector(args[i]))
        return args[i];
    size_t count;
    val at = TRY(list_argument(h, args, i, &count));
    val v = TRY(heap_alloc(h, T_VECTOR, count, 0));
    for (size_t k = 0; k < count; k++, at = cdr(at))
        vector_items(v)[k] = car(at);
    return v;
}

PRIM("%make-record-type", prim_make_record_type, 2, 4, PURE,
     "(%make-record-type name fields [parent [constant?]])",
     "Return a new record type; FIELDS is a list or vector of symbols. Where CONSTANT?, no record "
     "of "
     "exactly this type is ever changed: those of libraries are shared by all contexts.")
{
    val parent = n > 2 ? args[2] : FALSE;
    if (n > 2 && is_true(parent))
        TRY(arg_record_type(h, args, 2));
    TRY(heap_reserve(h, 2 * LARGE_OBJECT));
    val type = TRY(record_type_new(h, args[0], TRY(fields_vector(h, args, 1)), parent));
    if (n > 3 && is_true(args[3]))
        object_words(type)[0] |= RECORD_TYPE_CONSTANT;
    return type;
}

PRIM("%record", prim_record, 1, -1, SHORT, "(%record type field ...)",
     "Return a new record of TYPE with these fields, the parent's first.")
{
    val type = TRY(arg_record_type(h, args, 0));
    size_t count = record_type_size(type);
    if (n - 1 != count)
        return raise_format(h, CONDITION_ARITY, NIL,
                            "a record of this type has %zu fields, not %zu", count, n - 1);
    val r = TRY(heap_alloc(h, T_RECORD, count, 0));
    object_fields(r)[0] = type;
    if (count > 0)
        memcpy(record_slot(r, 0), args + 1, count * sizeof(val));
    heap_charge(h, count / 8);
    return r;
}

PRIM("%record?", prim_is_record, 1, 2, SHORT, "(%record? obj [type])",
     "Is OBJ a record (of TYPE or a type derived from it)?")
{
    if (n == 1)
        return val_bool(is_record(args[0]));
    return val_bool(is_record_of(args[0], TRY(arg_record_type(h, args, 1))));
}

PRIM("%record-ref", prim_record_ref, 3, 4, SHORT, "(%record-ref obj type k [who])",
     "Return field K of OBJ, which must be a record of TYPE.")
{
    val type = TRY(arg_record_type(h, args, 1));
    if (UNLIKELY(!is_record_of(args[0], type)))
        return raise_not_of(h, args[0], type, n > 3 ? args[3] : FALSE);
    val k = TRY(arg_index(h, args, 2, record_size(args[0])));
    return *record_slot(args[0], (size_t)fixnum_value(k));
}

PRIM("%record-set!", prim_record_set, 4, 5, SHORT, "(%record-set! obj type k value [who])",
     "Store VALUE in field K of OBJ, which must be a record of TYPE.")
{
    val type = TRY(arg_record_type(h, args, 1));
    if (UNLIKELY(!is_record_of(args[0], type)))
        return raise_not_of(h, args[0], type, n > 4 ? args[4] : FALSE);
    val k = TRY(arg_index(h, args, 2, record_size(args[0])));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, args[0], record_slot(args[0], (size_t)fixnum_value(k)), args[3]);
    return UNSPECIFIED;
}

PRIM("%record-type", prim_record_type, 1, 1, SHORT, "(%record-type record)",
     "Return the type of RECORD.")
{
    return record_type(TRY(arg_type(h, args, 0, T_RECORD, "record")));
}

PRIM("%record-type?", prim_is_record_type, 1, 1, SHORT, "(%record-type? obj)",
     "Is OBJ a record type?")
{
    return val_bool(is_type(args[0], T_RECORD_TYPE));
}

PRIM("%record-type-name", prim_record_type_name, 1, 1, SHORT, "(%record-type-name type)",
     "Return the name of TYPE.")
{
    return object_field(TRY(arg_record_type(h, args, 0)), RECORD_TYPE_NAME);
}

PRIM("%record-type-fields", prim_record_type_fields, 1, 1, SHORT, "(%record-type-fields type)",
     "Return the vector of the names of all fields of TYPE, the parent's first.")
{
    return object_field(TRY(arg_record_type(h, args, 0)), RECORD_TYPE_FIELDS);
}

PRIM("%record-type-parent", prim_record_type_parent, 1, 1, SHORT, "(%record-type-parent type)",
     "Return the type that TYPE is derived from, or #f.")
{
    return object_field(TRY(arg_record_type(h, args, 0)), RECORD_TYPE_PARENT);
}

PRIM("%record-type-uid", prim_record_type_uid, 1, 1, SHORT, "(%record-type-uid type)",
     "Return what a library keeps with TYPE, at first #f.")
{
    return object_field(TRY(arg_record_type(h, args, 0)), RECORD_TYPE_UID);
}

PRIM("%set-record-type-uid!", prim_set_record_type_uid, 2, 2, SHORT,
     "(%set-record-type-uid! type obj)", "Keep OBJ with TYPE.")
{
    val type = TRY(arg_record_type(h, args, 0));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, type, &object_fields(type)[RECORD_TYPE_UID], args[1]);
    return UNSPECIFIED;
}
