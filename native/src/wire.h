/* T8 the packed form: values as MessagePack, exactly as chibi_bridge.h says.
 *
 * A struct wire belongs to a context and is used between the steps of a run, when
 * no C frame of the engine holds a value: so its functions ending in _gc may
 * collect. All values they have in hand stand in the struct, which is an owner of
 * roots. Everything walks with explicit stacks in counted memory.
 *
 * Packing is by value and stops where the context has no memory left for more
 * (WIRE_TOO_BIG). Within a result, an argument of a host call, one of several
 * values or an irritant, a cycle turns that whole item into a handle of kind 2.
 * It is found without memory: packing a container depends on nothing but the
 * container, so an endless descent meets the container at some power-of-two depth
 * again (Brent). */
#ifndef CB_WIRE_H
#define CB_WIRE_H

#include "heap.h"

enum wire_status {
    WIRE_OK,
    WIRE_BAD,       /* unpack: `why` says what is wrong         */
    WIRE_NO_MEMORY, /* unpack: the context's limit is reached   */
    WIRE_NO_HANDLE, /* unpack: no value has this handle         */
    WIRE_TOO_BIG    /* pack: `why` says what is wrong           */
};

enum wire_extension {
    WIRE_SYMBOL = 1,
    WIRE_CHAR,
    WIRE_INTEGER,
    WIRE_RATIO,
    WIRE_COMPLEX,
    WIRE_VECTOR,
    WIRE_IMPROPER,
    WIRE_RECORD,
    WIRE_HANDLE,
    WIRE_VALUES,
    WIRE_EOF,
    WIRE_TABLE,
    WIRE_CONDITION
};

enum wire_handle { HANDLE_FOREIGN, HANDLE_PROCEDURE, HANDLE_OPAQUE, HANDLE_HOST_PROCEDURE };

/* A container that is being packed or unpacked. */
struct wire_frame {
    val v;        /* pack: the container                                   */
    val at;       /* pack: what is left of a list; a table's pending value  */
    size_t index; /* pack: next item; unpack: items still to come          */
    size_t start; /* pack: where it began in the buffer; unpack: first of its values */
    size_t end;   /* pack: id_count when it began; unpack: where its bytes end */
    uint8_t kind;
    uint8_t type; /* extension type */
};

struct wire {
    struct heap *heap;
    const char *why;
    /* packed bytes */
    uint8_t *data;
    size_t length, capacity;
    /* containers open now, innermost last */
    struct wire_frame *frames;
    size_t depth, frame_capacity;
    size_t base; /* pack: the first so many let each item stand for itself */
    /* unpacked values waiting for their container, or for whoever asked */
    val *values;
    size_t count, value_capacity;
    /* handles made by this packing */
    uint64_t *ids;
    size_t id_count, id_capacity;
    uint64_t work; /* pairs that may still be measured */
    size_t most;   /* pack: where the buffer is longer, an item turns into a handle */
    val item;      /* pack: what is packed next         */
    val subject;   /* pack: the condition in hand       */
};

/* False: no memory. wire_free before the heap goes. */
MUST_USE bool wire_init(struct wire *w, struct heap *h);
void wire_free(struct wire *w);
/* Forget what is packed and unpacked; gives large buffers back. */
void wire_reset(struct wire *w);

/* Append one value. On failure the buffer is as before and handles made are
 * dropped. A T_VALUES becomes extension 10. */
MUST_USE enum wire_status wire_pack_gc(struct wire *w, val v);
/* Append a raised object, which shall cross whatever it holds: what makes it long
 * turns into handles of kind 2, a long message is cut. */
MUST_USE enum wire_status wire_pack_raised_gc(struct wire *w, val v);
/* Append a vector as an array of independent items. */
MUST_USE enum wire_status wire_pack_items_gc(struct wire *w, val vector);
/* The frames in values[at], as frame_locals made them: [name, file, line, column,
 * [name, text, ...]] of each. */
MUST_USE enum wire_status wire_pack_frames_gc(struct wire *w, size_t at);
/* Append the head of an array; so many values are to follow. */
MUST_USE enum wire_status wire_pack_array_gc(struct wire *w, size_t items);
/* Append ASCII text as str. */
MUST_USE enum wire_status wire_pack_text_gc(struct wire *w, const char *text);

/* Read one value that takes all n bytes; it is pushed on w->values. */
MUST_USE enum wire_status wire_unpack_gc(struct wire *w, const uint8_t *bytes, size_t n);
/* Read an array; each of its items is pushed. *items: how many. */
MUST_USE enum wire_status wire_unpack_items_gc(struct wire *w, const uint8_t *bytes, size_t n,
                                               size_t *items);

/* -- shared by the two halves ------------------------------------------------- */
/* Room in the buffer, for frames, for values: false without memory. */
MUST_USE bool wire_room_gc(struct wire *w, size_t bytes);
MUST_USE bool wire_push_frame_gc(struct wire *w);
MUST_USE bool wire_room_values_gc(struct wire *w, size_t n);
/* Call again? `v` is what was answered; collects where it is RETRY. */
MUST_USE bool wire_again_gc(struct wire *w, unsigned *tries, val v);

#endif
