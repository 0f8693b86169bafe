/* T8 shapes: is an object that came from bytes what C code takes it for?
 *
 * For damage: the fields that C code follows without a look at them have the types,
 * and the counts the bounds, that it relies on. Linear; looks at the object and at
 * the headers of what its fields name. Where words are not addresses yet, those
 * below `bytes` are offsets from `base`. */
#ifndef CB_SHAPE_H
#define CB_SHAPE_H

#include "heap.h"

struct shape_base {
    uintptr_t base;
    size_t bytes;
};

MUST_USE bool shape_is_good(val object, struct shape_base base);

/* The same for the values that C code looks up by number: addresses all of them. */
MUST_USE bool shape_roots_are_good(const val *roots);

#endif
