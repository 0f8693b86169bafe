/* T1 digests: SHA-256, SHA-512 and BLAKE3 of bytes that come in pieces.
 *
 * Knows nothing of values: plain structs, which may be moved in memory between
 * calls. Written from FIPS 180-4 and the BLAKE3 paper (hash mode only). */
#ifndef CB_DIGEST_H
#define CB_DIGEST_H

#include "base.h"

enum digest_kind { DIGEST_SHA256, DIGEST_SHA512, DIGEST_BLAKE3 };

#define DIGEST_MOST 64u    /* bytes of the longest result              */
#define BLAKE3_CHUNK 1024u /* bytes                                    */
#define BLAKE3_LEVELS 54u  /* of chunks: enough for 2^64 bytes         */

struct digest {
    enum digest_kind kind;
    uint32_t waiting; /* bytes in `block`                                          */
    uint64_t length;  /* bytes so far                                              */
    uint64_t state[8];
    uint8_t block[128];
    uint32_t tree[BLAKE3_LEVELS][8]; /* BLAKE3: values of whole subtrees           */
    uint32_t levels;
};

void digest_begin(struct digest *d, enum digest_kind kind);
void digest_add(struct digest *d, const uint8_t *bytes, size_t n);
/* The result's length; the digest is used up. */
size_t digest_end(struct digest *d, uint8_t out[DIGEST_MOST]);

#endif
