/* T7 primitives: digests of bytevectors, in steps: the digest so far stands in the
 * bytes of a storage object. */
#include "../digest.h"
#include "../prim.h"

#define STEP_BYTES ((size_t)1 << 15)

enum { DIGEST_STATE, DIGEST_SLOTS };
enum { DIGEST_AT }; /* raw word of the state */

static val state_make(struct heap *h, enum digest_kind kind)
{
    struct digest d;
    digest_begin(&d, kind);
    val bytes = TRY(heap_alloc(h, T_STORAGE, sizeof d, 0));
    val state = TRY(heap_alloc(h, T_STATE, DIGEST_SLOTS, 0));
    memcpy(object_bytes(bytes), &d, sizeof d);
    memset(object_raw(state), 0, 4 * sizeof(uint64_t));
    ((val *)(void *)object_bytes(state))[DIGEST_STATE] = bytes;
    return state;
}

static val result(struct heap *h, struct digest *d)
{
    uint8_t out[DIGEST_MOST];
    size_t n = digest_end(d, out);
    val v = TRY(heap_alloc(h, T_BYTEVECTOR, n, 0));
    memcpy(object_bytes(v), out, n);
    return v;
}

static val digest(struct heap *h, const val *args, enum digest_kind kind)
{
    struct digest d;
    val bytes = TRY(arg_bytevector(h, args, 0));
    if (!is_type(h->step, T_STATE))
        h->step = TRY(state_make(h, kind));
    val kept = ((val *)(void *)object_bytes(h->step))[DIGEST_STATE];
    size_t at = (size_t)object_raw(h->step)[DIGEST_AT];
    size_t n = size_min(object_length(bytes) - at, STEP_BYTES);
    memcpy(&d, object_bytes(kept), sizeof d);
    digest_add(&d, object_bytes(bytes) + at, n);
    bool last = at + n == object_length(bytes);
    val v = last ? TRY(result(h, &d)) : STEP;
    heap_charge(h, 64 + n / 2);
    memcpy(object_bytes(kept), &d, sizeof d);
    object_raw(h->step)[DIGEST_AT] = at + n;
    return v;
}

PRIM("%sha256", prim_sha256, 1, 1, STEPPED, "(%sha256 bytevector)",
     "Return the SHA-256 digest of BYTEVECTOR, 32 bytes.")
{
    return digest(h, args, DIGEST_SHA256);
}

PRIM("%sha512", prim_sha512, 1, 1, STEPPED, "(%sha512 bytevector)",
     "Return the SHA-512 digest of BYTEVECTOR, 64 bytes.")
{
    return digest(h, args, DIGEST_SHA512);
}

PRIM("%blake3", prim_blake3, 1, 1, STEPPED, "(%blake3 bytevector)",
     "Return the BLAKE3 digest of BYTEVECTOR, 32 bytes.")
{
    return digest(h, args, DIGEST_BLAKE3);
}
