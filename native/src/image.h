/* T8 images: the state of a context as bytes, and contexts made of them.
 *
 * The shared part is mapped once and write-protected; contexts refer to it
 * directly. The private part (what can change, and what refers to that) is
 * copied into each new context. An image is immutable and may be shared by
 * threads; it must outlive the contexts made of it. The bytes depend on the
 * state only, not on addresses. An image of a context that came from an image
 * contains everything (no base is named). */
#ifndef CB_IMAGE_H
#define CB_IMAGE_H

#include "heap.h"

struct image;

/* Freeze the context, between runs; makes a full collection. What cannot be
 * saved: objects of the host. On failure `error` (of n
 * bytes) says why; the context goes on as before. */
MUST_USE bool image_make(struct heap *h, struct image **out, char *error, size_t n);
/* Check and map. The bytes are not kept. */
MUST_USE bool image_load(struct engine *engine, const uint8_t *bytes, size_t length,
                         struct image **out, char *error, size_t n);
/* A copy of the bytes, to be released with alloc_free. False: no memory. */
MUST_USE bool image_bytes(struct image *image, uint8_t **out, size_t *length);
void image_free(struct image *image);
/* Fill a heap fresh from heap_init: slots, roots, private objects, identity
 * numbers; sets h->image. False: no memory (the heap is good for heap_free_all
 * only). */
MUST_USE bool image_instantiate(struct heap *h, struct image *image);
/* The frozen symbol table: what ROOT_SYMBOLS was. FALSE where there was none. */
val image_symbols(const struct image *image);
/* What a snapshot names it by: the checksum of its bytes. */
uint64_t image_identity(const struct image *image);
/* Bytes of the two parts, for figures. */
void image_sizes(const struct image *image, size_t *shared, size_t *private_part);

#endif
