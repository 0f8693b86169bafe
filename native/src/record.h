/* T3 records: types with single inheritance and their instances.
 *
 * A RECORD holds its type, then all fields, the parent's first. A type knows its
 * own field names and, in RECORD_TYPE_EXTRA, the vector of all its ancestors
 * from the root down to itself: so `is it one of these` is one load and one
 * compare whatever the depth. */
#ifndef CB_RECORD_H
#define CB_RECORD_H

#include "heap.h"

enum {
    RECORD_TYPE_NAME,   /* symbol                                             */
    RECORD_TYPE_FIELDS, /* vector of all field names (symbols), parent's first */
    RECORD_TYPE_PARENT, /* RECORD_TYPE or #f                                  */
    RECORD_TYPE_UID,    /* #f, or whatever Scheme keeps with it               */
    RECORD_TYPE_EXTRA   /* vector: ancestors, root first, itself last         */
};

/* Of a type: none of its own records is changed, so those of an image are shared. */
#define RECORD_TYPE_CONSTANT FLAG_A

/* `fields`: vector of the names of the own fields. parent: RECORD_TYPE or #f. */
MUST_USE val record_type_new(struct heap *h, val name, val fields, val parent);

static inline bool is_record(val v)
{
    return is_type(v, T_RECORD);
}

static inline val record_type(val record)
{
    return object_field(record, 0);
}

/* Number of fields of a record; its i-th field. */
static inline size_t record_size(val record)
{
    return object_length(record);
}

static inline val *record_slot(val record, size_t i)
{
    return object_fields(record) + 1 + i;
}

/* Slow half: is `type` a proper descendant of `ancestor`? */
bool record_type_descends(val type, val ancestor);

static inline bool is_record_of(val v, val type)
{
    return is_record(v) &&
           (is_eq(record_type(v), type) || record_type_descends(record_type(v), type));
}

static inline size_t record_type_size(val type)
{
    return object_length(object_field(type, RECORD_TYPE_FIELDS));
}

#endif
