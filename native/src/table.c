/* T3 tables. See table.h for the layout.
 *
 * raw 0 counts live entries (low half) and used ones (high half). raw 1 is the
 * address stamp: 0 where no key is a young pair; else the number of collections
 * + 1 at which the index was right, or STALE. The length of the header holds the
 * kind and HAS_PAIRS. An entry of the index is 1 + the number of an entry, 0 is
 * free. A deleted entry keeps its place in the index, so probing goes on over
 * it. Growing allocates everything first; nothing changes before. */
#include "table.h"
#include "equal.h"
#include "num.h"
#include "string.h"
#include "vector.h"

enum { FIRST_CAPACITY = 4, LINEAR_MAX = 8, KIND_MASK = 7, HAS_PAIRS = 8 };
enum { HASH_NODES = 64, HASH_STACK = 16 };

#define STALE UINT64_MAX
#define CAPACITY_MAX ((size_t)1 << 30)

static uint32_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(x >> 32);
}

static size_t live_count(val t)
{
    return (uint32_t)object_raw(t)[0];
}

static size_t used_count(val t)
{
    return (size_t)(object_raw(t)[0] >> 32);
}

static void set_counts(val t, size_t live, size_t used)
{
    object_raw(t)[0] = (uint64_t)used << 32 | live;
}

static size_t capacity_of(val t)
{
    val entries = object_field(t, TABLE_ENTRIES);
    return is_object(entries) ? vector_length(entries) / 2 : 0;
}

static uint32_t *hashes_of(val t)
{
    return (uint32_t *)(void *)object_bytes(object_field(t, TABLE_HASHES));
}

static size_t index_size(size_t capacity)
{
    return capacity > LINEAR_MAX ? capacity * 2 : 0;
}

static uint32_t *index_of(val t)
{
    return hashes_of(t) + capacity_of(t);
}

static void set_flag(val t, uint64_t flag)
{
    *object_words(t) |= flag << 16;
}

static bool has_flag(val t, uint64_t flag)
{
    return (object_length(t) & flag) != 0;
}

enum table_kind table_kind_of(val t)
{
    return (enum table_kind)(object_length(t) & KIND_MASK);
}

size_t table_count(val t)
{
    return live_count(t);
}

/* -- hashing ----------------------------------------------------------------- */

static uint32_t hash_string(struct heap *h, val s)
{
    heap_work(h, string_length(s));
    return mix(string_hash(s));
}

static uint32_t hash_bytes(struct heap *h, val v)
{
    size_t n = object_length(v);
    const uint8_t *bytes = object_bytes(v);
    uint64_t x = n;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size_min(8, n - i));
        x = (x ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        x ^= x >> 29;
    }
    heap_work(h, n);
    return mix(x);
}

/* Objects that hash by content whatever the kind; false: not one of them. */
static bool hash_atom(struct heap *h, val key, uint32_t *hash)
{
    if (!is_object(key)) {
        *hash = mix(key.bits);
        return !is_pair(key);
    }
    switch (object_type(key)) {
    case T_SYMBOL:
        *hash = mix(object_raw(key)[0]);
        return true;
    case T_ISTRING:
        *hash = hash_string(h, key);
        return true;
    case T_FLONUM:
    case T_BIGNUM:
    case T_RATIO:
    case T_COMPLEX:
        heap_work(h, num_weight(key));
        *hash = mix(num_hash(key));
        return true;
    case T_IDENTIFIER:
    case T_FOREIGN:
        *hash = mix(object_raw(key)[0] + (uint64_t)object_type(key));
        return true;
    default:
        return false;
    }
}

/* One node of a structure under EQUAL; containers are taken apart by the caller. */
static uint32_t hash_node(struct heap *h, val v)
{
    uint32_t hash;
    if (is_pair(v))
        return 0x70616972;
    if (hash_atom(h, v, &hash))
        return hash;
    if (is_string(v))
        return hash_string(h, v);
    if (is_bytevector(v))
        return hash_bytes(h, v);
    return mix((uint64_t)object_type(v) << 32 | (is_vector(v) ? vector_length(v) : 0));
}

/* The first HASH_NODES nodes, left to right; what does not fit the stack is left out. */
static uint32_t hash_structure(struct heap *h, val v)
{
    val stack[HASH_STACK];
    size_t depth = 0;
    uint64_t hash = 0;
    stack[depth++] = v;
    for (size_t nodes = 0; nodes < HASH_NODES && depth > 0; nodes++) {
        val at = stack[--depth];
        hash = (hash ^ hash_node(h, at)) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 31;
        if (is_pair(at)) {
            if (depth + 2 > HASH_STACK)
                continue;
            stack[depth++] = cdr(at);
            stack[depth++] = car(at);
        } else if (is_vector(at)) {
            size_t n = size_min(vector_length(at), HASH_STACK - depth);
            for (size_t i = n; i-- > 0;)
                stack[depth++] = vector_items(at)[i];
        }
    }
    heap_charge(h, 1);
    return mix(hash);
}

static val hash_key(struct heap *h, enum table_kind kind, val key, uint32_t *hash)
{
    if (hash_atom(h, key, hash))
        return TRUE;
    if (kind >= TABLE_EQUAL) {
        if (is_string(key)) {
            *hash = hash_string(h, key);
            return TRUE;
        }
        if (is_pair(key) || is_vector(key) || is_bytevector(key)) {
            *hash = is_bytevector(key) ? hash_bytes(h, key) : hash_structure(h, key);
            return TRUE;
        }
    } else if (is_pair(key)) {
        *hash = mix(key.bits);
        return TRUE;
    }
    *hash = mix((uint64_t)fixnum_value(TRY(heap_identity(h, key))) + 0x5bd1e995);
    return TRUE;
}

val table_hash(struct heap *h, enum table_kind kind, val key)
{
    uint32_t hash;
    if (is_pair(key) && kind < TABLE_EQUAL)
        hash = mix((uint64_t)fixnum_value(TRY(heap_identity(h, key))));
    else
        TRY(hash_key(h, kind, key, &hash));
    return fixnum(hash);
}

/* -- the index --------------------------------------------------------------- */

static void index_add(uint32_t *index, size_t size, uint32_t hash, size_t entry)
{
    size_t i = hash & (size - 1);
    while (index[i])
        i = (i + 1) & (size - 1);
    index[i] = (uint32_t)entry + 1;
}

/* Put the live entries to the front and make the index anew. No allocation. */
static void repack(struct heap *h, val t)
{
    size_t capacity = capacity_of(t);
    if (capacity == 0)
        return;
    val entries = object_field(t, TABLE_ENTRIES);
    val *e = vector_items(entries);
    uint32_t *hashes = hashes_of(t);
    uint32_t *index = index_of(t);
    size_t size = index_size(capacity);
    size_t used = used_count(t);
    size_t n = 0;
    memset(index, 0, size * sizeof *index);
    for (size_t i = 0; i < used; i++) {
        if (is_eq(e[2 * i], HOLE))
            continue;
        if (n != i) {
            heap_store(h, entries, &e[2 * n], e[2 * i]);
            heap_store(h, entries, &e[2 * n + 1], e[2 * i + 1]);
            hashes[n] = hashes[i];
        }
        if (size > 0)
            index_add(index, size, hashes[n], n);
        n++;
    }
    for (size_t i = n; i < used; i++) {
        heap_store(h, entries, &e[2 * i], HOLE);
        heap_store(h, entries, &e[2 * i + 1], FALSE);
    }
    set_counts(t, n, n);
    heap_store(h, t, &object_fields(t)[TABLE_FIRST], FALSE);
}

/* Pairs may have moved: hash them anew. Keeps the places of all entries, so a
 * visit that is under way does not notice. */
static void rehash_pairs(struct heap *h, val t)
{
    size_t size = index_size(capacity_of(t));
    size_t used = used_count(t);
    const val *e = used > 0 ? vector_items(object_field(t, TABLE_ENTRIES)) : NULL;
    bool young = false;
    for (size_t i = 0; i < used; i++) {
        if (!is_pair(e[2 * i]))
            continue;
        hashes_of(t)[i] = mix(e[2 * i].bits);
        young = young || heap_is_young(h, e[2 * i]);
    }
    if (size > 0) {
        uint32_t *index = index_of(t);
        memset(index, 0, size * sizeof *index);
        for (size_t i = 0; i < used; i++)
            index_add(index, size, hashes_of(t)[i], i);
    }
    object_raw(t)[1] = young ? h->collections + 1 : 0;
}

/* False: the hashes of pairs are wrong and cannot be mended, the table being a
 * constant of an image. */
static bool addresses_good(struct heap *h, val t)
{
    uint64_t stamp = object_raw(t)[1];
    if (LIKELY(stamp == 0 || stamp == h->collections + 1))
        return true;
    if (!heap_is_mutable(h, t))
        return false;
    rehash_pairs(h, t);
    return true;
}

void table_forget_addresses(val t)
{
    if (!has_flag(t, HAS_PAIRS))
        return;
    size_t used = used_count(t);
    const val *e = used > 0 ? vector_items(object_field(t, TABLE_ENTRIES)) : NULL;
    for (size_t i = 0; i < used; i++)
        if (is_pair(e[2 * i]))
            hashes_of(t)[i] = 0;
    if (capacity_of(t) > 0)
        memset(index_of(t), 0, index_size(capacity_of(t)) * sizeof(uint32_t));
    object_raw(t)[1] = STALE;
}

uint64_t table_saved_stamp(val t)
{
    return has_flag(t, HAS_PAIRS) ? STALE : object_raw(t)[1];
}

/* -- finding ----------------------------------------------------------------- */

/* TRUE, FALSE; RETRY or LIMIT under EQUAL. */
static val same_key(struct heap *h, enum table_kind kind, val a, val b)
{
    if (is_eq(a, b))
        return TRUE;
    switch (kind) {
    case TABLE_EQ:
        return FALSE;
    case TABLE_EQV:
        return val_bool(eqv_paid(h, a, b));
    case TABLE_EQUAL:
        return is_equal(h, a, b);
    default:
        return val_bool(is_string(a) && is_string(b) && string_length(a) == string_length(b) &&
                        string_equal(a, b));
    }
}

struct search {
    uint32_t hash;
    size_t entry; /* of the key; SIZE_MAX: not there */
};

/* Look at all entries; `blind`: hashes say nothing. */
static val find_linear(struct heap *h, val t, val key, struct search *s, bool blind)
{
    size_t used = used_count(t);
    const val *e = used > 0 ? vector_items(object_field(t, TABLE_ENTRIES)) : NULL;
    for (size_t i = 0; i < used; i++) {
        if ((!blind && hashes_of(t)[i] != s->hash) || is_eq(e[2 * i], HOLE))
            continue;
        if (is_true(TRY(same_key(h, table_kind_of(t), e[2 * i], key)))) {
            s->entry = i;
            break;
        }
    }
    return TRUE;
}

static val find_indexed(struct heap *h, val t, val key, struct search *s)
{
    const val *e = vector_items(object_field(t, TABLE_ENTRIES));
    const uint32_t *hashes = hashes_of(t);
    const uint32_t *index = index_of(t);
    size_t size = index_size(capacity_of(t));
    size_t probes = 0;
    enum table_kind kind = table_kind_of(t);
    for (size_t i = s->hash & (size - 1); index[i]; i = (i + 1) & (size - 1)) {
        size_t entry = index[i] - 1;
        probes++;
        if (hashes[entry] != s->hash || is_eq(e[2 * entry], HOLE))
            continue;
        if (is_true(TRY(same_key(h, kind, e[2 * entry], key)))) {
            s->entry = entry;
            break;
        }
    }
    if (!has_flag(t, HAS_PAIRS))
        heap_charge(h, probes / 8);
    return TRUE;
}

/* TRUE with *s filled in; RETRY, LIMIT. */
static val find(struct heap *h, val t, val key, struct search *s)
{
    s->entry = SIZE_MAX;
    TRY(hash_key(h, table_kind_of(t), key, &s->hash));
    if (capacity_of(t) == 0)
        return TRUE;
    if (!addresses_good(h, t))
        return find_linear(h, t, key, s, true);
    if (capacity_of(t) <= LINEAR_MAX)
        return find_linear(h, t, key, s, false);
    return find_indexed(h, t, key, s);
}

/* -- changing ---------------------------------------------------------------- */

val table_new(struct heap *h, enum table_kind kind)
{
    val t = TRY(heap_alloc(h, T_TABLE, (size_t)kind, 0));
    for (size_t i = TABLE_ENTRIES; i <= TABLE_SPARE_2; i++)
        object_fields(t)[i] = FALSE;
    object_raw(t)[0] = 0;
    object_raw(t)[1] = 0;
    return t;
}

static size_t hashes_bytes(size_t capacity)
{
    return (capacity + index_size(capacity)) * sizeof(uint32_t);
}

/* New, empty storage of a capacity; TRUE. */
static val storage_new(struct heap *h, size_t capacity, val *entries, val *hashes)
{
    size_t small = 0;
    if (capacity * 2 * sizeof(val) < LARGE_OBJECT)
        small += capacity * 2 * sizeof(val) + 32;
    if (hashes_bytes(capacity) < LARGE_OBJECT)
        small += hashes_bytes(capacity) + 32;
    TRY(heap_reserve(h, small));
    *entries = TRY(vector_new(h, capacity * 2, HOLE));
    *hashes = TRY(heap_alloc(h, T_STORAGE, hashes_bytes(capacity), 0));
    memset(object_bytes(*hashes), 0, hashes_bytes(capacity));
    heap_work(h, capacity * 2 * sizeof(val) + hashes_bytes(capacity));
    return TRUE;
}

static val set_capacity(struct heap *h, val t, size_t capacity)
{
    val entries, hashes;
    if (capacity > CAPACITY_MAX) {
        h->limit_reason = LIMIT_MEMORY;
        return LIMIT;
    }
    TRY(storage_new(h, capacity, &entries, &hashes));
    size_t used = used_count(t);
    if (used > 0) {
        val old = object_field(t, TABLE_ENTRIES);
        memcpy(vector_items(entries), vector_items(old), used * 2 * sizeof(val));
        memcpy(object_bytes(hashes), hashes_of(t), used * sizeof(uint32_t));
    }
    heap_store(h, t, &object_fields(t)[TABLE_ENTRIES], entries);
    heap_store(h, t, &object_fields(t)[TABLE_HASHES], hashes);
    repack(h, t);
    return TRUE;
}

val table_reserve(struct heap *h, val t, size_t count)
{
    size_t capacity = size_max(capacity_of(t), FIRST_CAPACITY);
    if (count <= capacity_of(t) - (used_count(t) - live_count(t)))
        return TRUE;
    while (capacity < count + (used_count(t) - live_count(t)) && capacity <= CAPACITY_MAX)
        capacity *= 2;
    return set_capacity(h, t, capacity);
}

/* Room for one more entry. */
static val make_room(struct heap *h, val t)
{
    size_t capacity = capacity_of(t);
    if (used_count(t) < capacity)
        return TRUE;
    if (live_count(t) <= capacity / 4 * 3 && live_count(t) < capacity) {
        heap_work(h, capacity * 2 * sizeof(val));
        repack(h, t);
        return TRUE;
    }
    return set_capacity(h, t, capacity ? capacity * 2 : FIRST_CAPACITY);
}

static void note_pair(struct heap *h, val t, val key)
{
    if (!is_pair(key) || table_kind_of(t) >= TABLE_EQUAL)
        return;
    set_flag(t, HAS_PAIRS);
    if (heap_is_young(h, key))
        object_raw(t)[1] = h->collections + 1;
}

val table_put(struct heap *h, val t, val key, val value)
{
    struct search s;
    TRY(find(h, t, key, &s));
    if (s.entry != SIZE_MAX) {
        val entries = object_field(t, TABLE_ENTRIES);
        heap_store(h, entries, &vector_items(entries)[2 * s.entry + 1], value);
        return FALSE;
    }
    TRY(make_room(h, t));
    val entries = object_field(t, TABLE_ENTRIES);
    size_t at = used_count(t);
    heap_store(h, entries, &vector_items(entries)[2 * at], key);
    heap_store(h, entries, &vector_items(entries)[2 * at + 1], value);
    hashes_of(t)[at] = s.hash;
    if (index_size(capacity_of(t)) > 0)
        index_add(index_of(t), index_size(capacity_of(t)), s.hash, at);
    set_counts(t, live_count(t) + 1, at + 1);
    note_pair(h, t, key);
    return TRUE;
}

val table_get(struct heap *h, val t, val key, val missing)
{
    struct search s;
    if (live_count(t) == 0)
        return missing;
    TRY(find(h, t, key, &s));
    if (s.entry == SIZE_MAX)
        return missing;
    return vector_items(object_field(t, TABLE_ENTRIES))[2 * s.entry + 1];
}

size_t table_first(val t)
{
    val first = object_field(t, TABLE_FIRST);
    return is_fixnum(first) ? (size_t)fixnum_value(first) : 0;
}

/* Entry i is deleted now: one after the other, those in front are passed over
 * once, so that taking the first entry again and again takes linear time. */
static void pass_deleted(struct heap *h, val t, size_t i)
{
    size_t first = table_first(t), used = used_count(t);
    if (i != first)
        return;
    const val *e = vector_items(object_field(t, TABLE_ENTRIES));
    while (first < used && is_eq(e[2 * first], HOLE))
        first++;
    heap_store(h, t, &object_fields(t)[TABLE_FIRST], fixnum((int64_t)first));
}

val table_delete(struct heap *h, val t, val key)
{
    struct search s;
    if (live_count(t) == 0)
        return FALSE;
    TRY(find(h, t, key, &s));
    if (s.entry == SIZE_MAX)
        return FALSE;
    val entries = object_field(t, TABLE_ENTRIES);
    heap_store(h, entries, &vector_items(entries)[2 * s.entry], HOLE);
    heap_store(h, entries, &vector_items(entries)[2 * s.entry + 1], FALSE);
    set_counts(t, live_count(t) - 1, used_count(t));
    pass_deleted(h, t, s.entry);
    return TRUE;
}

void table_clear(struct heap *h, val t)
{
    heap_store(h, t, &object_fields(t)[TABLE_ENTRIES], FALSE);
    heap_store(h, t, &object_fields(t)[TABLE_HASHES], FALSE);
    set_counts(t, 0, 0);
    heap_store(h, t, &object_fields(t)[TABLE_FIRST], FALSE);
    object_raw(t)[1] = 0;
}

/* A copy has no deleted entries, and is mutable. */
val table_copy(struct heap *h, val t)
{
    size_t capacity = FIRST_CAPACITY;
    size_t live = live_count(t);
    val entries, hashes;
    while (capacity < live)
        capacity *= 2;
    bool good = addresses_good(h, t);
    TRY(heap_reserve(h, 2 * LARGE_OBJECT + 128));
    TRY(storage_new(h, capacity, &entries, &hashes));
    val copy = TRY(table_new(h, table_kind_of(t)));
    object_fields(copy)[TABLE_ENTRIES] = entries;
    object_fields(copy)[TABLE_HASHES] = hashes;
    object_fields(copy)[TABLE_EXTRA] = object_field(t, TABLE_EXTRA);
    size_t n = 0, used = used_count(t);
    for (size_t i = 0; i < used; i++) {
        const val *e = &vector_items(object_field(t, TABLE_ENTRIES))[2 * i];
        if (is_eq(e[0], HOLE))
            continue;
        vector_items(entries)[2 * n] = e[0];
        vector_items(entries)[2 * n + 1] = e[1];
        hashes_of(copy)[n++] = hashes_of(t)[i];
    }
    set_counts(copy, live, live);
    if (has_flag(t, HAS_PAIRS))
        set_flag(copy, HAS_PAIRS);
    object_raw(copy)[1] = good ? object_raw(t)[1] : STALE;
    if (good)
        repack(h, copy);
    return copy;
}

bool table_next(val t, size_t *i, val *key, val *value)
{
    size_t used = used_count(t);
    *i = size_max(*i, table_first(t));
    for (; *i < used; (*i)++) {
        const val *e = &vector_items(object_field(t, TABLE_ENTRIES))[2 * *i];
        if (is_eq(e[0], HOLE))
            continue;
        *key = e[0];
        *value = e[1];
        (*i)++;
        return true;
    }
    return false;
}
