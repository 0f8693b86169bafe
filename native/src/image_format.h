/* T8, private to image.c and image_make.c: how an image looks as bytes.
 *
 *   struct image_header
 *   shared pages, private pages    blocks as in heap_space.h: a header (flags,
 *                                  pages, mark bits) and objects
 *   slots, roots                   value words
 *   serials                        pairs: reference, identity number
 *   addresses                      triples: word of the private part, code (0: static),
 *                                  instruction; in the frames of captured continuations,
 *                                  whose words are 0 there
 *   checksum                       over all before it, by words
 *
 * A reference is the offset of the object in its section, plus its tag, plus
 * IMAGE_PRIVATE for the private section. Nothing else has a pointer's tag. */
#ifndef CB_IMAGE_FORMAT_H
#define CB_IMAGE_FORMAT_H

#include "heap_space.h"
#include "image.h"

#define IMAGE_MAGIC UINT64_C(0x0A1A474D49424342) /* "BCBIMG" and two control bytes */
#define IMAGE_VERSION 2u
#define IMAGE_PRIVATE ((uint64_t)8) /* free in references and addresses: aligned to 16 */
#define IMAGE_REFERENCE_BITS ((uint64_t)15)
#define IMAGE_PAGES_MOST ((uint64_t)1 << 22)

struct image_header {
    uint64_t magic;
    uint64_t version;
    char fingerprint[64];
    uint64_t tables; /* hash of types and primitives */
    uint64_t length; /* of everything */
    uint64_t shared_pages, private_pages;
    uint64_t slot_count;
    uint64_t root_count;
    uint64_t serial_count;
    uint64_t serial; /* the next identity number */
    uint64_t address_count;
};

/* Where the parts begin; false where the numbers cannot be. */
struct image_layout {
    size_t shared, private_part, slots, roots, serials, addresses, checksum, end;
};
struct image_address {
    uint64_t word, code, pc;
};
MUST_USE bool image_layout(const struct image_header *header, struct image_layout *out);

uint64_t image_tables_hash(void);
uint64_t image_checksum(const uint8_t *bytes, size_t length);
/* What a snapshot is told apart from: the sections as they are mapped. In the words of
 * the private part and in the slots, a reference to something shared is its address;
 * one to something private is its offset and tag (in a slot with IMAGE_PRIVATE). A
 * block of a context that was copied from private page p has p + 1 in `spare`. */
struct image_view {
    const uint8_t *shared, *private_part;
    size_t shared_pages, private_pages;
    const uint8_t *starts; /* for each page, the shared ones first: a block begins */
    const val *slots;
    size_t slot_count;
    uint64_t identity; /* the checksum of the image's bytes */
};
void image_view(const struct image *image, struct image_view *out);
/* Size of the object that starts at `at`, at most `room` bytes; 0: no good object. */
size_t image_object_size(const uint8_t *at, size_t room);
/* Copies the reason; answers false. */
bool image_fail(char *error, size_t n, const char *reason, const char *detail);

#endif
