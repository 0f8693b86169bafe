/* T3 vectors and bytevectors: constructors. See vector.h. */
#include "vector.h"

val vector_new(struct heap *h, size_t length, val fill)
{
    val v = TRY(heap_alloc(h, T_VECTOR, length, 0));
    val *items = vector_items(v);
    for (size_t i = 0; i < length; i++)
        items[i] = fill;
    return v;
}

val bytevector_new(struct heap *h, const uint8_t *bytes, size_t length)
{
    val v = TRY(heap_alloc(h, T_BYTEVECTOR, length, 0));
    if (length > 0 && bytes)
        memcpy(object_bytes(v), bytes, length);
    else if (length > 0)
        memset(object_bytes(v), 0, length);
    return v;
}
