/* T4 printer, shared between printer.c, printer_atom.c and printer_scan.c only.
 *
 * The machine: a stack of frames (object, code), where a code says what to print
 * next of the object; text that is not committed yet. Small work uses the frames
 * in `local`, other work a vector in the state object. */
#ifndef CB_PRINTER_INNER_H
#define CB_PRINTER_INNER_H

#include "printer.h"

#define OUT_ROOM 4096u
#define OUT_MARGIN 1024u /* no piece makes more text than this */
#define PIECE_CHARS 64u  /* long atoms go in such pieces                  */
#define LOCAL_FRAMES 48u
#define LOCAL_NODES 192u

enum frame_kind {
    FRAME_DATUM,  /* print the object                                     */
    FRAME_TAIL,   /* the rest of a list, then )                           */
    FRAME_ITEMS,  /* the rest of a list, then >                           */
    FRAME_VECTOR, /* from element `index` on, then )                      */
    FRAME_RECORD, /* from field `index` on, then >                        */
    FRAME_CLOSE,  /* )                                                    */
    FRAME_ANGLE,  /* >                                                    */
    FRAME_STRING, /* characters from `index` on, escaped, then "          */
    FRAME_SYMBOL, /* the same with |                                      */
    FRAME_TEXT,   /* characters from `index` on as they are               */
    FRAME_BYTES   /* bytes from `index` on, then )                        */
};

/* values in the state object */
enum { PRINT_OBJECT, PRINT_STACK, PRINT_LABELS, PRINT_INDEX, PRINT_SLOTS };
/* its raw words */
enum { PRINT_PHASE, PRINT_DEPTH, PRINT_COUNT, PRINT_STAMP };

struct printer {
    struct heap *h;
    val state; /* FALSE: local */
    enum print_style style;
    size_t depth; /* frames */
    size_t nodes; /* containers begun */
    size_t seen_count;
    bool brief;    /* for a message: never fail */
    size_t length; /* of text */
    char text[OUT_ROOM];
    val local[LOCAL_FRAMES * 2];
    val seen[LOCAL_NODES]; /* containers, for local write-shared */
};

static inline val *print_slots(val state)
{
    return (val *)(void *)object_bytes(state);
}

static inline val *frames_of(struct printer *p)
{
    return is_object(p->state) ? object_fields(print_slots(p->state)[PRINT_STACK]) : p->local;
}

/* Room for n more frames: TRUE, RETRY, or HOLE (local ones are used up). */
MUST_USE val frames_room(struct printer *p, size_t n);
/* After frames_room. */
void frame_push(struct printer *p, enum frame_kind kind, val object, size_t index);
/* Replace the top frame. */
void frame_set(struct printer *p, enum frame_kind kind, val object, size_t index);

/* -- printer_atom.c ----------------------------------------------------------------- */
void print_text(struct printer *p, const char *text);
void print_code(struct printer *p, uint32_t c);
void print_unsigned(struct printer *p, uint64_t n);
/* An object without parts, whose DATUM frame is the top one; it is popped, and
 * what is long is pushed as a frame. TRUE, or RETRY, LIMIT before any change. */
MUST_USE val print_atom(struct printer *p, val v);
/* A piece of FRAME_STRING, FRAME_SYMBOL, FRAME_TEXT, FRAME_BYTES. */
void print_piece(struct printer *p, enum frame_kind kind, val v, size_t index);
/* Begin #<name ... : a record's type name without its <>. */
void print_type_name(struct printer *p, val type);

/* -- printer_scan.c ------------------------------------------------------------------- */
/* Objects that can hold themselves. */
bool has_parts(val v);
/* Part i of v; false: no such part. */
bool part_of(val v, size_t i, val *part);
/* Look for what wants a label, among at most `most` objects: TRUE (the state's
 * PRINT_LABELS and PRINT_INDEX are set), FALSE (there are more objects), RETRY,
 * LIMIT. */
MUST_USE val scan_graph(struct heap *h, val state, bool shared, size_t most);
/* One step of walking the object as a tree: TRUE (it is one), FALSE (too large
 * for one: has cycles or much sharing), STEP, RETRY. */
MUST_USE val scan_tree(struct printer *p);
/* The number of a labelled object; false: it has no label. *fresh: it is printed
 * for the first time. */
bool label_of(struct printer *p, val v, size_t *number, bool *fresh);

#endif
