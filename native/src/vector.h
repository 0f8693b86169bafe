/* T3 vectors and bytevectors: constructors and what their primitives share. */
#ifndef CB_VECTOR_H
#define CB_VECTOR_H

#include "heap.h"

static inline val *vector_items(val v)
{
    return object_fields(v);
}

static inline size_t vector_length(val v)
{
    return object_length(v);
}

/* The most elements a vector (bytes a bytevector) can have. */
#define VECTOR_MAX ((size_t)1 << 40)

/* A vector of `length` times `fill`. RETRY without room. */
MUST_USE val vector_new(struct heap *h, size_t length, val fill);
/* A bytevector with these bytes; bytes NULL: zeros. */
MUST_USE val bytevector_new(struct heap *h, const uint8_t *bytes, size_t length);

#endif
