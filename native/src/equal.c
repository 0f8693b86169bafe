/* T3 equality: the interleaved walk of is_equal. See equal.h.
 *
 * The walk keeps a stack of what is still to be compared. While `budget` is
 * positive it just walks. From 0 down to SLOW_END it also joins each two
 * containers in a union-find forest and skips those that are joined already;
 * skipping something starts the slow stretch again. Then follows a fast stretch
 * of a length drawn from a generator with a fixed seed. Addresses are used as
 * keys: nothing moves while a C function runs (I3). */
#include "equal.h"
#include "num.h"
#include "string.h"
#include "vector.h"

enum { FIRST_BUDGET = 1024, FAST_SPAN = 800, SLOW_END = -40, POLL_UNITS = 1024, LOCAL = 64 };

/* Compare items[at ..] of two vectors, or (at is PAIR_ITEM) the two values. */
struct item {
    val a, b;
    size_t at;
};

#define PAIR_ITEM SIZE_MAX

struct forest {
    uint64_t *keys;   /* 0: free */
    uint32_t *parent; /* index into keys; a root has rank | ROOT */
    size_t count, capacity;
};

#define ROOT UINT32_C(0x80000000)

struct walk {
    struct heap *h;
    struct item *items;
    size_t count, capacity;
    int64_t budget;
    uint64_t random;
    uint64_t nodes;
    uint64_t poll_at; /* h->charge at which to poll, should long strings lie about */
    struct forest forest;
    struct item local[LOCAL];
};

bool objects_eqv(val a, val b)
{
    enum type type = object_type(a);
    if (type != object_type(b))
        return false;
    switch (type) {
    case T_FLONUM:
    case T_BIGNUM:
    case T_RATIO:
    case T_COMPLEX:
        return num_eqv(a, b);
    case T_FOREIGN:
        return object_raw(a)[0] == object_raw(b)[0];
    default:
        return false;
    }
}

bool eqv_paid(struct heap *h, val a, val b)
{
    if (is_eq(a, b))
        return true;
    if (!is_object(a) || !is_object(b))
        return false;
    if (is_number(a))
        heap_work(h, num_weight(a));
    return objects_eqv(a, b);
}

static bool forest_grow(struct heap *h, struct forest *f)
{
    size_t capacity = f->capacity ? f->capacity * 2 : 256;
    if (capacity >= ROOT)
        return false;
    uint64_t *keys = heap_malloc(h, capacity * sizeof *keys);
    uint32_t *parent = heap_malloc(h, capacity * sizeof *parent);
    uint32_t *moved = f->capacity ? heap_malloc(h, f->capacity * sizeof *moved) : NULL;
    bool good = keys && parent && (moved || !f->capacity);
    if (good) {
        memset(keys, 0, capacity * sizeof *keys);
        for (size_t i = 0; i < f->capacity; i++) {
            if (!f->keys[i])
                continue;
            size_t j = (f->keys[i] * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (capacity - 1);
            while (keys[j])
                j = (j + 1) & (capacity - 1);
            keys[j] = f->keys[i];
            moved[i] = (uint32_t)j;
        }
        for (size_t i = 0; i < f->capacity; i++)
            if (f->keys[i])
                parent[moved[i]] = f->parent[i] & ROOT ? f->parent[i] : moved[f->parent[i]];
    }
    if (moved)
        heap_mfree(h, moved, f->capacity * sizeof *moved);
    if (!good) {
        if (keys)
            heap_mfree(h, keys, capacity * sizeof *keys);
        if (parent)
            heap_mfree(h, parent, capacity * sizeof *parent);
        return false;
    }
    if (f->keys) {
        heap_mfree(h, f->keys, f->capacity * sizeof *f->keys);
        heap_mfree(h, f->parent, f->capacity * sizeof *f->parent);
    }
    *f = (struct forest){keys, parent, f->count, capacity};
    return true;
}

static uint32_t forest_find(struct forest *f, uint64_t key)
{
    size_t i = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (f->capacity - 1);
    while (f->keys[i] && f->keys[i] != key)
        i = (i + 1) & (f->capacity - 1);
    if (!f->keys[i]) {
        f->keys[i] = key;
        f->parent[i] = ROOT;
        f->count++;
        return (uint32_t)i;
    }
    uint32_t at = (uint32_t)i;
    while (!(f->parent[at] & ROOT)) {
        uint32_t up = f->parent[at];
        if (!(f->parent[up] & ROOT))
            f->parent[at] = f->parent[up];
        at = up;
    }
    return at;
}

/* TRUE: a and b were joined already; FALSE: they are now; RETRY. */
static val forest_join(struct heap *h, struct forest *f, val a, val b)
{
    if ((f->count + 2) * 4 > f->capacity * 3 && !forest_grow(h, f))
        return RETRY;
    uint32_t x = forest_find(f, a.bits);
    uint32_t y = forest_find(f, b.bits);
    if (x == y)
        return TRUE;
    if (f->parent[x] < f->parent[y]) {
        f->parent[x] = y;
    } else {
        if (f->parent[x] == f->parent[y])
            f->parent[x]++;
        f->parent[y] = x;
    }
    return FALSE;
}

static bool walk_push(struct walk *w, val a, val b, size_t at)
{
    if (UNLIKELY(w->count == w->capacity)) {
        size_t bytes = w->capacity * sizeof *w->items;
        struct item *bigger = heap_malloc(w->h, bytes * 2);
        if (!bigger)
            return false;
        memcpy(bigger, w->items, bytes);
        if (w->items != w->local)
            heap_mfree(w->h, w->items, bytes);
        w->items = bigger;
        w->capacity *= 2;
    }
    w->items[w->count++] = (struct item){a, b, at};
    return true;
}

static bool bytes_equal(struct heap *h, val a, val b)
{
    heap_work(h, object_length(a));
    return object_length(a) == object_length(b) &&
           memcmp(object_bytes(a), object_bytes(b), object_length(a)) == 0;
}

static bool strings_equal(struct heap *h, val a, val b)
{
    if (string_length(a) != string_length(b))
        return false;
    heap_work(h, string_length(a));
    return string_equal(a, b);
}

/* Leaves: TRUE or FALSE. Containers: UNSPECIFIED, to be walked into. */
static val compare_shallow(struct heap *h, val a, val b)
{
    if (is_eq(a, b))
        return TRUE;
    if (is_pair(a))
        return is_pair(b) ? UNSPECIFIED : FALSE;
    if (!is_object(a) || !is_object(b))
        return FALSE;
    if (is_string(a))
        return val_bool(is_string(b) && strings_equal(h, a, b));
    if (is_vector(a))
        return is_vector(b) && vector_length(a) == vector_length(b) ? UNSPECIFIED : FALSE;
    if (is_bytevector(a))
        return val_bool(is_bytevector(b) && bytes_equal(h, a, b));
    return val_bool(eqv_paid(h, a, b));
}

/* Charges and chooses the stretch. TRUE: go into a and b; FALSE: they need no
 * look; RETRY, LIMIT. */
static val walk_enter(struct walk *w, val a, val b)
{
    if (UNLIKELY((++w->nodes & 3) == 0 && ++w->h->charge >= w->poll_at)) {
        w->poll_at = w->h->charge + POLL_UNITS;
        if (heap_poll(w->h))
            return LIMIT;
    }
    if (LIKELY(--w->budget > 0))
        return TRUE;
    if (w->budget <= SLOW_END) {
        w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        w->budget = (int64_t)((w->random >> 33) % FAST_SPAN) + 1;
        return TRUE;
    }
    val joined = TRY(forest_join(w->h, &w->forest, a, b));
    if (!is_true(joined))
        return TRUE;
    w->budget = 0;
    return FALSE;
}

/* Compare a and b as far as it goes without a stack: down the cdrs. What is
 * left over is pushed. TRUE: equal so far. */
static val walk_down(struct walk *w, val a, val b)
{
    for (;;) {
        val shallow = compare_shallow(w->h, a, b);
        if (!is_eq(shallow, UNSPECIFIED))
            return shallow;
        if (!is_true(TRY(walk_enter(w, a, b))))
            return TRUE;
        if (is_vector(a))
            return walk_push(w, a, b, 0) ? TRUE : RETRY;
        val first = compare_shallow(w->h, car(a), car(b));
        if (is_eq(first, FALSE))
            return FALSE;
        if (is_eq(first, UNSPECIFIED)) {
            if (!walk_push(w, cdr(a), cdr(b), PAIR_ITEM))
                return RETRY;
            a = car(a);
            b = car(b);
        } else {
            a = cdr(a);
            b = cdr(b);
        }
    }
}

static val walk_run(struct walk *w, val a, val b)
{
    val result = walk_down(w, a, b);
    while (is_eq(result, TRUE) && w->count > 0) {
        struct item *top = &w->items[w->count - 1];
        a = top->a;
        b = top->b;
        if (top->at == PAIR_ITEM) {
            w->count--;
            result = walk_down(w, a, b);
        } else if (top->at < vector_length(a)) {
            size_t i = top->at++;
            if (UNLIKELY((i & 4095) == 4095)) {
                heap_charge(w->h, 4096 / 4);
                if (heap_poll(w->h))
                    return LIMIT;
            }
            result = walk_down(w, vector_items(a)[i], vector_items(b)[i]);
        } else {
            heap_charge(w->h, (vector_length(a) & 4095) / 4);
            w->count--;
        }
    }
    return result;
}

static NOINLINE val equal_walk(struct heap *h, val a, val b)
{
    struct walk w;
    w.h = h;
    w.items = w.local;
    w.count = 0;
    w.capacity = LOCAL;
    w.budget = FIRST_BUDGET;
    w.random = 1;
    w.nodes = 0;
    w.poll_at = h->charge + POLL_UNITS;
    w.forest = (struct forest){NULL, NULL, 0, 0};
    val result = walk_run(&w, a, b);
    if (w.items != w.local)
        heap_mfree(h, w.items, w.capacity * sizeof *w.items);
    if (w.forest.keys) {
        heap_mfree(h, w.forest.keys, w.forest.capacity * sizeof *w.forest.keys);
        heap_mfree(h, w.forest.parent, w.forest.capacity * sizeof *w.forest.parent);
    }
    return result;
}

val is_equal(struct heap *h, val a, val b)
{
    val shallow = compare_shallow(h, a, b);
    return is_eq(shallow, UNSPECIFIED) ? equal_walk(h, a, b) : shallow;
}
