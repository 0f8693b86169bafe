/* T8, private to the makers of snapshots: the numbering of objects that are met, and
 * the way to one of them in words.
 *
 * Objects are numbered in the order they come. Each remembers the first that led to
 * it, so a refusal can say where the refused thing is. */
#ifndef CB_SNAPSHOT_PATH_H
#define CB_SNAPSHOT_PATH_H

#include "frame.h"

#define GRAPH_NONE SIZE_MAX

/* Where something was met: in a field of the object with this number, or ... */
struct origin {
    uint32_t from;
    uint32_t field;
};

enum {
    FROM_MOST = UINT32_MAX - 16,
    FROM_IMAGE, /* in an object of the image */
    FROM_SLOT,  /* in a top-level variable; field: its slot */
    FROM_ROOT,  /* in a value of the context */
    FROM_RUN,   /* in a value of the run */
    FROM_STACK  /* in a frame; field: the word of the stack */
};

struct graph {
    struct graph_node {
        val object;
        struct origin origin;
    } * nodes;
    size_t count, capacity;
    uint32_t *index; /* open addressing: number + 1 */
    size_t index_capacity;
};

/* The number of an object, or GRAPH_NONE. */
size_t graph_find(const struct graph *g, val v);
/* Give the next number to one that has none. False: no memory. */
MUST_USE bool graph_add(struct graph *g, val v, struct origin origin);
void graph_drop(struct graph *g);
/* `why`, and where v was met. */
void graph_explain(const struct graph *g, struct vm *vm, const struct run *run, const char *why,
                   val v, char *out, size_t n);

#endif
