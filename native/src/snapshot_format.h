/* T8, private to snapshot_make.c and snapshot_load.c: how a snapshot looks as bytes.
 *
 *   struct snapshot_header
 *   kinds       a byte for each new object: the space it lives in; padded to words
 *   objects     the new objects one after another, multiples of 16 bytes
 *   stack       the words of the run's stack, from its bottom
 *   patches     pairs: word of the image's private part, what it holds now
 *   slots       pairs: number, value
 *   addresses   triples: place, code (0: static), instruction
 *   serials     pairs: object, identity number
 *   output      what the two console ports hold, each padded to words
 *   checksum    over all before it, by words
 *
 * A reference is an offset in a section of the image or the number of a new object
 * times 16, plus its tag, plus IN_PRIVATE or IS_NEW. A place is a word of a new
 * object (its number above PLACE_SHIFT), or of the stack (PLACE_STACK). Return
 * addresses stand as 0; `addresses` says what belongs there. */
#ifndef CB_SNAPSHOT_FORMAT_H
#define CB_SNAPSHOT_FORMAT_H

#include "frame.h"
#include "image_format.h"
#include "snapshot.h"
#include "unit.h"

#define SNAPSHOT_MAGIC UINT64_C(0x0A1A504E53424342) /* "BCBSNP" and two control bytes */
#define SNAPSHOT_VERSION UINT64_C(1)
#define SNAPSHOT_COUNT_MOST ((uint64_t)1 << 31)
#define IN_PRIVATE ((uint64_t)1 << 62)
#define IS_NEW ((uint64_t)1 << 63)
#define PLACE_SHIFT 32u
#define PLACE_STACK ((uint64_t)UINT32_MAX)
#define PC_STATIC (~(uint64_t)0)

struct snapshot_header {
    uint64_t magic, version;
    char fingerprint[64];
    uint64_t tables; /* hash of types and primitives */
    uint64_t length; /* of everything */
    uint64_t base;   /* identity of the image */
    /* how many of each */
    uint64_t objects, object_bytes, stack_words, patches, slots, addresses, serials;
    uint64_t output[2];
    /* the context */
    uint64_t slot_count, serial, collections;
    uint64_t roots[ROOT_COUNT];
    uint64_t unit_ids[CACHED_UNITS]; /* units that were kept in parsed form, oldest first */
    /* the run */
    uint64_t fp; /* word of the stack */
    uint64_t pc_code, pc;
    uint64_t nargs, segment, segment_top, dynamic_state, value, step;
    uint64_t fuel, tick, output_used;
    uint64_t state, event, long_next;
};

struct snapshot_layout {
    size_t kinds, objects, stack, patches, slots, addresses, serials, output[2], checksum, end;
};

struct snapshot_pair {
    uint64_t place, value;
};

struct snapshot_address {
    uint64_t place, code, pc;
};

/* Where the parts begin; false where the numbers cannot be. */
MUST_USE bool snapshot_layout(const struct snapshot_header *header, struct snapshot_layout *out);

/* The blocks of the heap that were copied from the image, by private page; NULL where
 * there is none. `pages` has room for all private pages. */
void snapshot_pages(const struct heap *h, struct block **pages, size_t count);

#endif
