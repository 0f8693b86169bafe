/* T2 references across the border.
 *
 * Handles: values the host holds, by number; they are roots until dropped.
 * Dropped host ids: when the last T_FOREIGN or T_HOST_PROCEDURE with an id is
 * found dead by a full collection, the id waits here for the host. */
#ifndef CB_REFS_H
#define CB_REFS_H

#include "heap.h"

/* A handle's id as fixnum (never 0), or RETRY. Each call gives a new one. */
MUST_USE val ref_new(struct heap *h, val v);
/* The value, or HOLE where `id` is no handle. */
MUST_USE val ref_get(const struct heap *h, uint64_t id);
void ref_drop(struct heap *h, uint64_t id);
/* Moves at most `most` dropped ids to `out`, oldest first; how many. */
size_t refs_take_dropped(struct heap *h, uint64_t *out, size_t most);

#endif
