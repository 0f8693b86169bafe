/* T1 objects: the header word and typed access to objects and pairs.
 *
 * Header: bits 0..2 TAG_HEADER, 3..7 flags, 8..15 type, 16..63 length. What the
 * length counts stands in types.def. Objects are aligned to 16 bytes and sized
 * to a multiple of 16; pairs are two words without a header.
 *
 * Plain stores through object_fields() are for initialising a NEW object only
 * (before the next safepoint); every later store goes through heap_store. */
#ifndef CB_OBJECT_H
#define CB_OBJECT_H

#include "value.h"

enum type {
#define TYPE(name, fields, raw, body) T_##name,
#include "types.def"
#undef TYPE
    TYPE_COUNT
};

enum body { BODY_NONE, BODY_VALS, BODY_BYTES, BODY_FRAMES };

struct type_layout {
    const char *name;
    uint8_t fields;
    uint8_t raw;
    uint8_t body;
};

/* Indexed by enum type; defined in trace.c. */
extern const struct type_layout type_layouts[TYPE_COUNT];

/* Flags (bits 3..7 of the header). FLAG_A is the type's own. A string's width
 * (0, 1, 2 = log2 of the bytes a character) stands in the WIDTH bits. */
enum {
    FLAG_CONSTANT = 1 << 3, /* a store is refused: literal, symbol name, shared image */
    FLAG_A = 1 << 4,
    FLAG_WIDTH_SHIFT = 5, /* two bits */
    FLAG_WIDTH_MASK = 3 << 5,
    FLAG_SERIAL = 1 << 7 /* identity hash given: found in the heap's serial table */
};

#define HEADER(type, flags, length)                                                                \
    (((uint64_t)(length) << 16) | ((uint64_t)(type) << 8) | (uint64_t)(flags) | TAG_HEADER)

static inline uint64_t *object_words(val v)
{
    return (uint64_t *)(v.bits - TAG_OBJECT);
}

static inline uint64_t object_header(val v)
{
    return *object_words(v);
}

static inline enum type header_type(uint64_t header)
{
    return (enum type)((header >> 8) & 0xff);
}

static inline size_t header_length(uint64_t header)
{
    return (size_t)(header >> 16);
}

static inline enum type object_type(val v)
{
    return header_type(object_header(v));
}

static inline size_t object_length(val v)
{
    return header_length(object_header(v));
}

static inline bool object_flag(val v, unsigned flag)
{
    return (object_header(v) & flag) != 0;
}

static inline bool is_type(val v, enum type type)
{
    return is_object(v) && object_type(v) == type;
}

static inline val *object_fields(val v)
{
    return (val *)(object_words(v) + 1);
}

static inline val object_field(val v, size_t i)
{
    return object_fields(v)[i];
}

/* The untraced words after the fields (types with NONE or BYTES bodies). */
static inline uint64_t *object_raw(val v)
{
    return object_words(v) + 1 + type_layouts[object_type(v)].fields;
}

/* The bytes of a BYTES body; the values of a VALS body. */
static inline uint8_t *object_bytes(val v)
{
    const struct type_layout *layout = &type_layouts[object_type(v)];
    return (uint8_t *)(object_words(v) + 1 + layout->fields + layout->raw);
}

static inline val object_from(uint64_t *words)
{
    return VAL((uintptr_t)words + TAG_OBJECT);
}

/* pairs */
static inline val *pair_words(val p)
{
    return (val *)(p.bits - TAG_PAIR);
}

static inline val car(val p)
{
    return pair_words(p)[0];
}

static inline val cdr(val p)
{
    return pair_words(p)[1];
}

/* Size in bytes of an object with this header, a multiple of 16. */
static inline size_t header_size(uint64_t header)
{
    const struct type_layout *layout = &type_layouts[header_type(header)];
    size_t words = 1 + (size_t)layout->fields + layout->raw;
    size_t length = header_length(header);
    size_t bytes = words * 8;
    if (layout->body == BODY_BYTES)
        bytes += length;
    else if (layout->body != BODY_NONE)
        bytes += length * 8;
    return size_round_up(bytes, 16);
}

static inline bool is_vector(val v)
{
    return is_type(v, T_VECTOR);
}

static inline bool is_bytevector(val v)
{
    return is_type(v, T_BYTEVECTOR);
}

static inline bool is_symbol(val v)
{
    return is_type(v, T_SYMBOL);
}

static inline bool is_string(val v)
{
    return is_object(v) && (object_type(v) | 1) == T_ISTRING;
}

/* Anything the VM can apply. */
static inline bool is_procedure(val v)
{
    if (!is_object(v))
        return false;
    switch (object_type(v)) {
    case T_CLOSURE:
    case T_PRIMITIVE:
    case T_CONTINUATION:
    case T_HOST_PROCEDURE:
    case T_PARAMETER:
        return true;
    default:
        return false;
    }
}

#endif
