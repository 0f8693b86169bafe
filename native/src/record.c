/* T3 records: making types. See record.h. */
#include "record.h"
#include "vector.h"

/* head's items, then tail's, then `last` unless it is HOLE. */
static val joined(struct heap *h, val head, val tail, val last)
{
    size_t a = is_vector(head) ? vector_length(head) : 0;
    size_t b = is_vector(tail) ? vector_length(tail) : 0;
    size_t c = is_eq(last, HOLE) ? 0 : 1;
    val v = TRY(heap_alloc(h, T_VECTOR, a + b + c, 0));
    if (a > 0)
        memcpy(vector_items(v), vector_items(head), a * sizeof(val));
    if (b > 0)
        memcpy(vector_items(v) + a, vector_items(tail), b * sizeof(val));
    if (c > 0)
        vector_items(v)[a + b] = last;
    return v;
}

val record_type_new(struct heap *h, val name, val fields, val parent)
{
    val above = is_object(parent) ? object_field(parent, RECORD_TYPE_FIELDS) : FALSE;
    val ancestors = is_object(parent) ? object_field(parent, RECORD_TYPE_EXTRA) : FALSE;
    size_t n = vector_length(fields) + (is_vector(above) ? vector_length(above) : 0);
    size_t depth = 1 + (is_vector(ancestors) ? vector_length(ancestors) : 0);
    size_t small = 64;
    if (n * 8 < LARGE_OBJECT)
        small += n * 8 + 32;
    if (depth * 8 < LARGE_OBJECT)
        small += depth * 8 + 32;
    TRY(heap_reserve(h, small));
    val type = TRY(heap_alloc(h, T_RECORD_TYPE, 0, 0));
    val *f = object_fields(type);
    for (size_t i = RECORD_TYPE_NAME; i <= RECORD_TYPE_EXTRA; i++)
        f[i] = FALSE;
    f[RECORD_TYPE_NAME] = name;
    f[RECORD_TYPE_PARENT] = parent;
    f[RECORD_TYPE_FIELDS] = TRY(joined(h, above, fields, HOLE));
    f[RECORD_TYPE_EXTRA] = TRY(joined(h, ancestors, FALSE, type));
    heap_work(h, (n + depth) * 8);
    return type;
}

bool record_type_descends(val type, val ancestor)
{
    val own = object_field(type, RECORD_TYPE_EXTRA);
    val other = object_field(ancestor, RECORD_TYPE_EXTRA);
    size_t at = vector_length(other);
    return at < vector_length(own) && is_eq(vector_items(own)[at - 1], ancestor);
}
