/* T1 digests: see digest.h. The constants of SHA-2 are the leading bits of the
 * fractional parts of roots of primes; SHA-256's are the upper halves of
 * SHA-512's, so one table does for both. */
#include "digest.h"

/* Cube roots of the first 80 primes. */
static const uint64_t sha_rounds[80] = {
    UINT64_C(0x428a2f98d728ae22), UINT64_C(0x7137449123ef65cd), UINT64_C(0xb5c0fbcfec4d3b2f),
    UINT64_C(0xe9b5dba58189dbbc), UINT64_C(0x3956c25bf348b538), UINT64_C(0x59f111f1b605d019),
    UINT64_C(0x923f82a4af194f9b), UINT64_C(0xab1c5ed5da6d8118), UINT64_C(0xd807aa98a3030242),
    UINT64_C(0x12835b0145706fbe), UINT64_C(0x243185be4ee4b28c), UINT64_C(0x550c7dc3d5ffb4e2),
    UINT64_C(0x72be5d74f27b896f), UINT64_C(0x80deb1fe3b1696b1), UINT64_C(0x9bdc06a725c71235),
    UINT64_C(0xc19bf174cf692694), UINT64_C(0xe49b69c19ef14ad2), UINT64_C(0xefbe4786384f25e3),
    UINT64_C(0x0fc19dc68b8cd5b5), UINT64_C(0x240ca1cc77ac9c65), UINT64_C(0x2de92c6f592b0275),
    UINT64_C(0x4a7484aa6ea6e483), UINT64_C(0x5cb0a9dcbd41fbd4), UINT64_C(0x76f988da831153b5),
    UINT64_C(0x983e5152ee66dfab), UINT64_C(0xa831c66d2db43210), UINT64_C(0xb00327c898fb213f),
    UINT64_C(0xbf597fc7beef0ee4), UINT64_C(0xc6e00bf33da88fc2), UINT64_C(0xd5a79147930aa725),
    UINT64_C(0x06ca6351e003826f), UINT64_C(0x142929670a0e6e70), UINT64_C(0x27b70a8546d22ffc),
    UINT64_C(0x2e1b21385c26c926), UINT64_C(0x4d2c6dfc5ac42aed), UINT64_C(0x53380d139d95b3df),
    UINT64_C(0x650a73548baf63de), UINT64_C(0x766a0abb3c77b2a8), UINT64_C(0x81c2c92e47edaee6),
    UINT64_C(0x92722c851482353b), UINT64_C(0xa2bfe8a14cf10364), UINT64_C(0xa81a664bbc423001),
    UINT64_C(0xc24b8b70d0f89791), UINT64_C(0xc76c51a30654be30), UINT64_C(0xd192e819d6ef5218),
    UINT64_C(0xd69906245565a910), UINT64_C(0xf40e35855771202a), UINT64_C(0x106aa07032bbd1b8),
    UINT64_C(0x19a4c116b8d2d0c8), UINT64_C(0x1e376c085141ab53), UINT64_C(0x2748774cdf8eeb99),
    UINT64_C(0x34b0bcb5e19b48a8), UINT64_C(0x391c0cb3c5c95a63), UINT64_C(0x4ed8aa4ae3418acb),
    UINT64_C(0x5b9cca4f7763e373), UINT64_C(0x682e6ff3d6b2b8a3), UINT64_C(0x748f82ee5defb2fc),
    UINT64_C(0x78a5636f43172f60), UINT64_C(0x84c87814a1f0ab72), UINT64_C(0x8cc702081a6439ec),
    UINT64_C(0x90befffa23631e28), UINT64_C(0xa4506cebde82bde9), UINT64_C(0xbef9a3f7b2c67915),
    UINT64_C(0xc67178f2e372532b), UINT64_C(0xca273eceea26619c), UINT64_C(0xd186b8c721c0c207),
    UINT64_C(0xeada7dd6cde0eb1e), UINT64_C(0xf57d4f7fee6ed178), UINT64_C(0x06f067aa72176fba),
    UINT64_C(0x0a637dc5a2c898a6), UINT64_C(0x113f9804bef90dae), UINT64_C(0x1b710b35131c471b),
    UINT64_C(0x28db77f523047d84), UINT64_C(0x32caab7b40c72493), UINT64_C(0x3c9ebe0a15c9bebc),
    UINT64_C(0x431d67c49c100d4c), UINT64_C(0x4cc5d4becb3e42b6), UINT64_C(0x597f299cfc657e2a),
    UINT64_C(0x5fcb6fab3ad6faec), UINT64_C(0x6c44198c4a475817),
};

/* Square roots of the first 8 primes; the upper halves start SHA-256 and BLAKE3. */
static const uint64_t sha_start[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

static uint32_t turn32(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint64_t turn64(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

static uint32_t load_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* -- SHA-256 --------------------------------------------------------------------------- */

static void sha256_block(struct digest *d, const uint8_t *p)
{
    uint32_t w[64], s[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = load_big(p + 4 * i);
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        uint32_t x = turn32(a, 7) ^ turn32(a, 18) ^ a >> 3;
        uint32_t y = turn32(b, 17) ^ turn32(b, 19) ^ b >> 10;
        w[i] = w[i - 16] + x + w[i - 7] + y;
    }
    for (size_t i = 0; i < 8; i++)
        s[i] = (uint32_t)d->state[i];
    for (size_t i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t x = s[7] + (turn32(e, 6) ^ turn32(e, 11) ^ turn32(e, 25)) +
                     ((e & s[5]) ^ (~e & s[6])) + (uint32_t)(sha_rounds[i] >> 32) + w[i];
        uint32_t y = (turn32(a, 2) ^ turn32(a, 13) ^ turn32(a, 22)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += x;
        s[0] = x + y;
    }
    for (size_t i = 0; i < 8; i++)
        d->state[i] = (uint32_t)d->state[i] + s[i];
}

/* -- SHA-512 --------------------------------------------------------------------------- */

static void sha512_block(struct digest *d, const uint8_t *p)
{
    uint64_t w[80], s[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint64_t)load_big(p + 8 * i) << 32 | load_big(p + 8 * i + 4);
    for (size_t i = 16; i < 80; i++) {
        uint64_t a = w[i - 15], b = w[i - 2];
        uint64_t x = turn64(a, 1) ^ turn64(a, 8) ^ a >> 7;
        uint64_t y = turn64(b, 19) ^ turn64(b, 61) ^ b >> 6;
        w[i] = w[i - 16] + x + w[i - 7] + y;
    }
    memcpy(s, d->state, sizeof s);
    for (size_t i = 0; i < 80; i++) {
        uint64_t e = s[4], a = s[0];
        uint64_t x = s[7] + (turn64(e, 14) ^ turn64(e, 18) ^ turn64(e, 41)) +
                     ((e & s[5]) ^ (~e & s[6])) + sha_rounds[i] + w[i];
        uint64_t y = (turn64(a, 28) ^ turn64(a, 34) ^ turn64(a, 39)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += x;
        s[0] = x + y;
    }
    for (size_t i = 0; i < 8; i++)
        d->state[i] += s[i];
}

static void sha_end(struct digest *d)
{
    size_t block = d->kind == DIGEST_SHA256 ? 64 : 128, tail = block / 8;
    uint64_t bits = d->length * 8;
    uint8_t last[17 + 128] = {0x80};
    size_t pad = block - (d->waiting + 1 + tail) % block;
    pad = pad == block ? 0 : pad;
    for (size_t i = 0; i < 8; i++)
        last[pad + tail - i] = (uint8_t)(bits >> (8 * i));
    digest_add(d, last, 1 + pad + tail);
}

/* -- BLAKE3 ------------------------------------------------------------------------------ */

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

static void mix(uint32_t *v, unsigned i, unsigned j, unsigned k, unsigned l, uint32_t x, uint32_t y)
{
    v[i] += v[j] + x;
    v[l] = turn32(v[l] ^ v[i], 16);
    v[k] += v[l];
    v[j] = turn32(v[j] ^ v[k], 12);
    v[i] += v[j] + y;
    v[l] = turn32(v[l] ^ v[i], 8);
    v[k] += v[l];
    v[j] = turn32(v[j] ^ v[k], 7);
}

static void one_round(uint32_t *v, const uint32_t *m)
{
    for (unsigned i = 0; i < 4; i++)
        mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
    for (unsigned i = 0; i < 4; i++)
        mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
}

static void compress(uint32_t chain[8], const uint32_t words[16], uint64_t counter, uint32_t length,
                     uint32_t flags)
{
    static const uint8_t order[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    uint32_t v[16], m[16], next[16];
    memcpy(m, words, sizeof m);
    memcpy(v, chain, 8 * sizeof *v);
    for (size_t i = 0; i < 4; i++)
        v[8 + i] = (uint32_t)(sha_start[i] >> 32);
    v[12] = (uint32_t)counter;
    v[13] = (uint32_t)(counter >> 32);
    v[14] = length;
    v[15] = flags;
    for (unsigned round = 0; round < 7; round++) {
        one_round(v, m);
        for (size_t i = 0; i < 16; i++)
            next[i] = m[order[i]];
        memcpy(m, next, sizeof m);
    }
    for (size_t i = 0; i < 8; i++)
        chain[i] = v[i] ^ v[8 + i];
}

static void blake3_start(uint32_t chain[8])
{
    for (size_t i = 0; i < 8; i++)
        chain[i] = (uint32_t)(sha_start[i] >> 32);
}

static void blake3_parent(uint32_t chain[8], const uint32_t left[8], const uint32_t right[8],
                          uint32_t flags)
{
    uint32_t words[16];
    memcpy(words, left, 32);
    memcpy(words + 8, right, 32);
    blake3_start(chain);
    compress(chain, words, 0, 64, PARENT | flags);
}

/* The block that waits, as part of its chunk. */
static void blake3_block(struct digest *d, uint32_t flags)
{
    uint32_t words[16], chain[8];
    uint64_t before = d->length - d->waiting;
    memset(d->block + d->waiting, 0, 64 - d->waiting);
    memcpy(words, d->block, sizeof words);
    for (size_t i = 0; i < 8; i++)
        chain[i] = (uint32_t)d->state[i];
    flags |= before % BLAKE3_CHUNK == 0 ? (uint32_t)CHUNK_START : 0;
    compress(chain, words, before / BLAKE3_CHUNK, d->waiting, flags);
    for (size_t i = 0; i < 8; i++)
        d->state[i] = chain[i];
    d->waiting = 0;
}

static void blake3_restart(struct digest *d)
{
    for (size_t i = 0; i < 8; i++)
        d->state[i] = sha_start[i] >> 32;
}

/* A full block waits and more bytes follow: it ends a chunk, or not. */
static void blake3_go_on(struct digest *d)
{
    uint32_t value[8], left[8];
    if (d->length % BLAKE3_CHUNK != 0) {
        blake3_block(d, 0);
        return;
    }
    blake3_block(d, CHUNK_END);
    for (size_t i = 0; i < 8; i++)
        value[i] = (uint32_t)d->state[i];
    for (uint64_t chunks = d->length / BLAKE3_CHUNK; chunks % 2 == 0; chunks /= 2) {
        memcpy(left, d->tree[--d->levels], sizeof left);
        memcpy(d->tree[d->levels], value, sizeof value);
        blake3_parent(value, left, d->tree[d->levels], 0);
    }
    memcpy(d->tree[d->levels++], value, sizeof value);
    blake3_restart(d);
}

static void blake3_end(struct digest *d)
{
    uint32_t value[8], right[8];
    blake3_block(d, CHUNK_END | (d->levels == 0 ? (uint32_t)ROOT : 0));
    for (size_t i = 0; i < 8; i++)
        value[i] = (uint32_t)d->state[i];
    while (d->levels > 0) {
        memcpy(right, value, sizeof right);
        d->levels--;
        blake3_parent(value, d->tree[d->levels], right, d->levels == 0 ? (uint32_t)ROOT : 0);
    }
    for (size_t i = 0; i < 8; i++)
        d->state[i] = value[i];
}

/* -- all three ------------------------------------------------------------------------------ */

void digest_begin(struct digest *d, enum digest_kind kind)
{
    memset(d, 0, sizeof *d);
    d->kind = kind;
    for (size_t i = 0; i < 8; i++)
        d->state[i] = kind == DIGEST_SHA512 ? sha_start[i] : sha_start[i] >> 32;
}

static void full_block(struct digest *d)
{
    if (d->kind == DIGEST_SHA256)
        sha256_block(d, d->block);
    else
        sha512_block(d, d->block);
    d->waiting = 0;
}

void digest_add(struct digest *d, const uint8_t *bytes, size_t n)
{
    uint32_t size = d->kind == DIGEST_SHA512 ? 128 : 64;
    while (n > 0) {
        if (d->kind == DIGEST_BLAKE3 && d->waiting == size)
            blake3_go_on(d);
        size_t piece = size_min(n, size - d->waiting);
        memcpy(d->block + d->waiting, bytes, piece);
        d->waiting += (uint32_t)piece;
        d->length += piece;
        bytes += piece;
        n -= piece;
        if (d->kind != DIGEST_BLAKE3 && d->waiting == size)
            full_block(d);
    }
}

size_t digest_end(struct digest *d, uint8_t out[DIGEST_MOST])
{
    size_t width = d->kind == DIGEST_SHA512 ? 8 : 4;
    bool big = d->kind != DIGEST_BLAKE3;
    if (big)
        sha_end(d);
    else
        blake3_end(d);
    for (size_t i = 0; i < 8 * width; i++) {
        size_t byte = i % width;
        out[i] = (uint8_t)(d->state[i / width] >> (8 * (big ? width - 1 - byte : byte)));
    }
    return 8 * width;
}
