/* T8 snapshots: one suspended run and its context, as bytes over the base image.
 *
 * A snapshot holds what differs from a fresh instance of the context's image, which
 * it names by its checksum: changed words, slots and roots, new objects, and the
 * run. It is made without a collection and changes nothing. Another process of the
 * same engine build makes an instance of the same image and loads it there. */
#ifndef CB_SNAPSHOT_H
#define CB_SNAPSHOT_H

#include "vm.h"

struct snapshot_run {
    struct run *run;
    uint64_t output_used; /* bytes of output, against the run's limit */
};

/* The ids of the objects of the host that may be in a snapshot: who loads it knows
 * them by the same ids. */
struct snapshot_foreign {
    const uint64_t *ids;
    size_t count;
};

/* To be released with alloc_free. NULL: `error` (of n bytes) says why; of what cannot
 * be saved, with its path, and for an object of the host with its id in `refused`. */
MUST_USE uint8_t *snapshot_make(struct vm *vm, const struct snapshot_run *run,
                                const struct snapshot_foreign *foreign, size_t *length,
                                uint64_t *refused, char *error, size_t n);
/* Into a context that is fresh from the image. Trusts nothing, as image_load does.
 * False: `error` says why, empty where memory was short; the context is good for
 * vm_free only. */
MUST_USE bool snapshot_load(struct vm *vm, const uint8_t *bytes, size_t length,
                            struct snapshot_run *out, char *error, size_t n);
/* The identity of the image it was made over; false: these bytes are no snapshot of
 * this engine build, `error` says why. */
MUST_USE bool snapshot_base(const uint8_t *bytes, size_t length, uint64_t *identity, char *error,
                            size_t n);

#endif
