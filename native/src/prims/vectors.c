/* T7 primitives: vectors.
 *
 * Everything is one block move: PURE, paid before it is done. The conversion to
 * lists stands with the pairs (it works in steps). Lists given here are measured
 * first, then read again; nothing can change them in between. */
#include "../pair.h"
#include "../prim.h"
#include "../vector.h"

/* Pay for n items before touching them. */
static MUST_USE val pay(struct heap *h, size_t n)
{
    TRY(heap_afford(h, n / 8));
    heap_work(h, n * sizeof(val));
    return TRUE;
}

static val fresh(struct heap *h, const val *items, size_t n)
{
    TRY(pay(h, n));
    val v = TRY(heap_alloc(h, T_VECTOR, n, 0));
    if (n > 0)
        memcpy(vector_items(v), items, n * sizeof(val));
    return v;
}

PRIM("make-vector", prim_make_vector, 1, 2, PURE, "(make-vector k [fill])",
     "Return a new vector of K elements, each FILL.")
{
    size_t k = (size_t)fixnum_value(TRY(arg_index(h, args, 0, VECTOR_MAX)));
    TRY(pay(h, k));
    return vector_new(h, k, n > 1 ? args[1] : UNSPECIFIED);
}

PRIM("vector", prim_vector, 0, -1, PURE, "(vector obj ...)",
     "Return a new vector of the arguments.")
{
    return fresh(h, args, n);
}

PRIM("vector-length", prim_vector_length, 1, 1, SHORT, "(vector-length vector)",
     "Return the number of elements of VECTOR.")
{
    return fixnum((int64_t)vector_length(TRY(arg_vector(h, args, 0))));
}

PRIM("vector-ref", prim_vector_ref, 2, 2, SHORT, "(vector-ref vector k)",
     "Return element K of VECTOR, counted from 0.")
{
    val v = TRY(arg_vector(h, args, 0));
    val k = TRY(arg_index(h, args, 1, vector_length(v)));
    return vector_items(v)[fixnum_value(k)];
}

PRIM("vector-set!", prim_vector_set, 3, 3, SHORT, "(vector-set! vector k obj)",
     "Store OBJ in element K of VECTOR.")
{
    val v = TRY(arg_vector(h, args, 0));
    val k = TRY(arg_index(h, args, 1, vector_length(v)));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, v, &vector_items(v)[fixnum_value(k)], args[2]);
    return UNSPECIFIED;
}

PRIM("list->vector", prim_list_to_vector, 1, 1, PURE, "(list->vector list)",
     "Return a new vector of the elements of LIST.")
{
    size_t count;
    val at = TRY(list_argument(h, args, 0, &count));
    TRY(pay(h, count));
    val v = TRY(heap_alloc(h, T_VECTOR, count, 0));
    for (size_t i = 0; i < count; i++, at = cdr(at))
        vector_items(v)[i] = car(at);
    return v;
}

PRIM("vector-fill!", prim_vector_fill, 2, 4, PURE, "(vector-fill! vector fill [start [end]])",
     "Store FILL in the elements of VECTOR from START to END.")
{
    size_t start, end;
    val v = TRY(arg_vector(h, args, 0));
    TRY(arg_span(h, args, n, 2, vector_length(v), &start, &end));
    TRY(arg_mutable(h, args, 0));
    TRY(pay(h, end - start));
    for (size_t i = start; i < end; i++)
        heap_store(h, v, &vector_items(v)[i], args[1]);
    return UNSPECIFIED;
}

PRIM("vector-copy", prim_vector_copy, 1, 3, PURE, "(vector-copy vector [start [end]])",
     "Return a new vector of the elements of VECTOR from START to END.")
{
    size_t start, end;
    val v = TRY(arg_vector(h, args, 0));
    TRY(arg_span(h, args, n, 1, vector_length(v), &start, &end));
    return fresh(h, vector_items(v) + start, end - start);
}

PRIM("vector-copy!", prim_vector_copy_to, 3, 5, PURE, "(vector-copy! to at from [start [end]])",
     "Copy the elements of FROM from START to END into TO from AT on.")
{
    size_t start, end;
    val to = TRY(arg_vector(h, args, 0));
    size_t at = (size_t)fixnum_value(TRY(arg_index(h, args, 1, vector_length(to) + 1)));
    val from = TRY(arg_vector(h, args, 2));
    TRY(arg_span(h, args, n, 3, vector_length(from), &start, &end));
    size_t count = end - start;
    if (count > vector_length(to) - at)
        return raise_range(h, 1, args[1], 0,
                           count > vector_length(to) ? 0 : vector_length(to) - count + 1);
    TRY(arg_mutable(h, args, 0));
    TRY(pay(h, count));
    val *target = vector_items(to) + at;
    const val *source = vector_items(from) + start;
    if (target <= source) {
        for (size_t i = 0; i < count; i++)
            heap_store(h, to, &target[i], source[i]);
    } else {
        for (size_t i = count; i-- > 0;)
            heap_store(h, to, &target[i], source[i]);
    }
    return UNSPECIFIED;
}

PRIM("vector-append", prim_vector_append, 0, -1, PURE, "(vector-append vector ...)",
     "Return a new vector of the elements of all VECTORs in order.")
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        val v = TRY(arg_vector(h, args, i));
        if (!size_add(total, vector_length(v), &total) || total >= VECTOR_MAX)
            return raise_range(h, i, fixnum((int64_t)vector_length(v)), 0, VECTOR_MAX);
    }
    TRY(pay(h, total + n));
    val out = TRY(heap_alloc(h, T_VECTOR, total, 0));
    val *at = vector_items(out);
    for (size_t i = 0; i < n; i++) {
        size_t length = vector_length(args[i]);
        if (length > 0)
            memcpy(at, vector_items(args[i]), length * sizeof(val));
        at += length;
    }
    return out;
}
