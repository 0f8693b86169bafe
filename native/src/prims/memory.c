/* T7 memory seen from Scheme: ephemerons (SRFI 124), identity numbers, figures.
 *
 * An ephemeron's key and datum are kept by the key being alive; a full collection
 * breaks it when the key is not. */
#include "../num.h"
#include "../prim.h"

PRIM("make-ephemeron", prim_make_ephemeron, 2, 2, SHORT, "(make-ephemeron key datum)",
     "Return an ephemeron that keeps DATUM as long as KEY is reachable otherwise.")
{
    val e = TRY(heap_alloc(h, T_EPHEMERON, 0, 0));
    object_fields(e)[0] = args[0];
    object_fields(e)[1] = args[1];
    return e;
}

PRIM("ephemeron?", prim_is_ephemeron, 1, 1, SHORT, "(ephemeron? obj)",
     "Return #t if OBJ is an ephemeron.")
{
    return val_bool(is_type(args[0], T_EPHEMERON));
}

PRIM("ephemeron-broken?", prim_ephemeron_is_broken, 1, 1, SHORT, "(ephemeron-broken? ephemeron)",
     "Return #t if the key of EPHEMERON was found unreachable.")
{
    val e = TRY(arg_type(h, args, 0, T_EPHEMERON, "ephemeron"));
    return val_bool(object_flag(e, FLAG_A));
}

PRIM("ephemeron-key", prim_ephemeron_key, 1, 1, SHORT, "(ephemeron-key ephemeron)",
     "Return the key of EPHEMERON, or #f if it is broken.")
{
    val e = TRY(arg_type(h, args, 0, T_EPHEMERON, "ephemeron"));
    return object_field(e, 0);
}

PRIM("ephemeron-datum", prim_ephemeron_datum, 1, 1, SHORT, "(ephemeron-datum ephemeron)",
     "Return the datum of EPHEMERON, or #f if it is broken.")
{
    val e = TRY(arg_type(h, args, 0, T_EPHEMERON, "ephemeron"));
    return object_field(e, 1);
}

PRIM("%identity", prim_identity, 1, 1, SHORT, "(%identity obj)",
     "Return an exact integer that belongs to the pair or object OBJ for its life; #f for others.")
{
    return is_pointer(args[0]) ? heap_identity(h, args[0]) : FALSE;
}

PRIM("%heap-used", prim_heap_used, 0, 0, SHORT, "(%heap-used)",
     "Return the bytes of memory that count against the context's limit now.")
{
    return num_from_uint64(h, h->used);
}

PRIM("%heap-limit", prim_heap_limit, 0, 0, SHORT, "(%heap-limit)",
     "Return the context's memory limit in bytes.")
{
    return num_from_uint64(h, h->limit);
}

PRIM("%collect", prim_collect, 0, 0, SHORT, "(%collect)", "Make a full collection now.")
{
    TRY(heap_request_full(h));
    return UNSPECIFIED;
}
