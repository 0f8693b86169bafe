/* Heap and collector: allocation, promotion, marking, limits, failures.
 *
 * The main test keeps a random object graph in the heap and a plain copy of it
 * (the shadow) outside, changes both, collects at random and compares. */
#include "../../native/src/engine.h"
#include "../../native/src/heap.h"
#include "../../native/src/arena.h"
#include "../../native/src/heap_space.h"
#include "../../native/src/refs.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t passed, failed;
#undef CHECK
#define CHECK(x)                                                                                   \
    ((x) ? (void)passed++ : (void)(failed++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

static uint64_t seed = 88172645463325252u;

static size_t below(size_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed >> 11) % n;
}

/* A context for tests: one array of roots. */
struct fixture {
    struct heap heap;
    struct engine *engine;
    val roots[256];
    bool alive;
};

static void trace_roots(void *owner, root_visitor *visit, void *collector)
{
    struct fixture *f = owner;
    for (size_t i = 0; i < ARRAY_LENGTH(f->roots); i++)
        visit(collector, &f->roots[i]);
}

static struct fixture *start(size_t limit)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->engine = engine_new();
    f->alive = heap_init(&f->heap, f->engine, limit);
    for (size_t i = 0; i < ARRAY_LENGTH(f->roots); i++)
        f->roots[i] = NIL;
    if (f->alive)
        heap_owner_add(&f->heap, trace_roots, f);
    return f;
}

static void stop(struct fixture *f)
{
    heap_free_all(&f->heap);
    CHECK(f->heap.used == 0);
    engine_free(f->engine);
    free(f);
}

/* Allocate as the VM does: on RETRY collect, once more. HOLE: out of memory. */
#define RETRYING(h, expr)                                                                          \
    __extension__({                                                                                \
        val r_ = (expr);                                                                           \
        if (is_eq(r_, RETRY)) {                                                                    \
            bool ok_ = heap_collect_gc((h), COLLECT_MINOR, (h)->wanted);                           \
            r_ = ok_ ? (expr) : HOLE;                                                              \
            if (is_eq(r_, RETRY))                                                                  \
                r_ = HOLE;                                                                         \
        }                                                                                          \
        r_;                                                                                        \
    })

static void collect(struct heap *h, enum collect how)
{
    CHECK(heap_collect_gc(h, how, 0));
}

/* -- the shadow ----------------------------------------------------------------- */
#define NODES 400
#define WIDTH 6

struct node {
    bool used;
    bool old_born;
    size_t count; /* fields; 0: bytes */
    size_t bytes;
    int field[WIDTH]; /* node index, or -1 - number */
    size_t large;     /* extra untouched fields of a large vector */
    uint64_t serial;
};

static struct node shadow[NODES];

static bool matches(val v, int expected, val *queue, int *names, size_t *n, bool *seen)
{
    if (expected < 0)
        return is_eq(v, fixnum(-1 - expected));
    if (!is_pointer(v))
        return false;
    if (!seen[expected]) {
        seen[expected] = true;
        queue[*n] = v;
        names[(*n)++] = expected;
        return true;
    }
    for (size_t i = 0; i < *n; i++) {
        if (names[i] == expected)
            return is_eq(queue[i], v);
    }
    return false;
}

static val *node_slots(val v)
{
    return is_pair(v) ? pair_words(v) : object_fields(v);
}

static bool node_matches(val v, const struct node *s, val *queue, int *names, size_t *n, bool *seen)
{
    if (s->count == 0) {
        if (!is_bytevector(v) || object_length(v) != s->bytes)
            return false;
        for (size_t k = 0; k < s->bytes; k++) {
            if (object_bytes(v)[k] != (uint8_t)(s->bytes + k))
                return false;
        }
        return true;
    }
    if (s->large != 0 && !is_eq(node_slots(v)[s->large - 1], fixnum(77)))
        return false;
    for (size_t k = 0; k < s->count; k++) {
        if (!matches(node_slots(v)[k], s->field[k], queue, names, n, seen))
            return false;
    }
    return true;
}

/* Walk the heap from root 0..7, which are nodes 0..7, beside the shadow. */
static bool graph_matches(struct fixture *f, const int *root_names)
{
    static val queue[NODES];
    static int names[NODES];
    bool seen[NODES] = {false};
    size_t n = 0;
    for (size_t i = 0; i < 8; i++) {
        if (!matches(f->roots[i], root_names[i], queue, names, &n, seen))
            return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!node_matches(queue[i], &shadow[names[i]], queue, names, &n, seen))
            return false;
        uint64_t serial;
        if (shadow[names[i]].serial != 0 &&
            (!serial_find(&f->heap, queue[i], &serial) || serial != shadow[names[i]].serial))
            return false;
    }
    return true;
}

static void mark_reachable(const int *root_names, bool *reach)
{
    int stack[NODES];
    size_t n = 0;
    for (size_t i = 0; i < 8; i++) {
        if (root_names[i] >= 0 && !reach[root_names[i]]) {
            reach[root_names[i]] = true;
            stack[n++] = root_names[i];
        }
    }
    while (n > 0) {
        const struct node *s = &shadow[stack[--n]];
        for (size_t k = 0; k < s->count; k++) {
            int to = s->field[k];
            if (to >= 0 && !reach[to]) {
                reach[to] = true;
                stack[n++] = to;
            }
        }
    }
}

/* A random node reachable from a root, and its value. */
static int pick(struct fixture *f, const int *root_names, val *v)
{
    size_t i = below(8);
    int at = root_names[i];
    *v = f->roots[i];
    for (size_t steps = below(12); at >= 0 && steps > 0; steps--) {
        const struct node *s = &shadow[at];
        if (s->count == 0)
            break;
        size_t k = below(s->count);
        if (s->field[k] < 0)
            break;
        *v = node_slots(*v)[k];
        at = s->field[k];
    }
    return at;
}

static val make_node(struct heap *h, struct node *s)
{
    size_t kind = below(20);
    val v;
    s->large = s->count = s->bytes = 0;
    s->serial = 0;
    if (kind < 10) {
        s->count = 2;
        s->field[0] = s->field[1] = -6;
        return RETRYING(h, cons(h, fixnum(5), fixnum(5)));
    }
    if (kind < 13) {
        s->bytes = below(kind == 12 ? 9000 : 300);
        v = RETRYING(h, heap_alloc(h, T_BYTEVECTOR, s->bytes, 0));
        for (size_t k = 0; !is_eq(v, HOLE) && k < s->bytes; k++)
            object_bytes(v)[k] = (uint8_t)(s->bytes + k);
        return v;
    }
    s->count = 1 + below(WIDTH);
    size_t length = s->count;
    if (kind == 13)
        length = s->large = 200 + below(1500);
    v = kind == 14 ? RETRYING(h, heap_alloc_code(h, T_VECTOR, length, 0))
                   : RETRYING(h, heap_alloc(h, T_VECTOR, length, 0));
    for (size_t k = 0; !is_eq(v, HOLE) && k < length; k++)
        object_fields(v)[k] = k < s->count ? fixnum(5) : fixnum(77);
    for (size_t k = 0; k < s->count; k++)
        s->field[k] = -6;
    return v;
}

static int free_node(const int *root_names)
{
    for (int i = 0; i < NODES; i++) {
        if (!shadow[i].used)
            return i;
    }
    bool reach[NODES] = {false};
    mark_reachable(root_names, reach);
    int found = -1;
    for (int i = 0; i < NODES; i++) {
        shadow[i].used = reach[i];
        if (!reach[i])
            found = i;
    }
    return found;
}

/* One random change to heap and shadow; roots[8] holds a value across collections. */
static void change(struct fixture *f, int *root_names)
{
    struct heap *h = &f->heap;
    val object;
    size_t what = below(100);
    int at = pick(f, root_names, &object);
    if (what < 45) {
        int to = free_node(root_names);
        if (to < 0) {
            root_names[below(8)] = -6;
            for (size_t i = 0; i < 8; i++)
                f->roots[i] = root_names[i] < 0 ? fixnum(5) : f->roots[i];
            return;
        }
        f->roots[8] = at >= 0 ? object : NIL;
        val made = make_node(h, &shadow[to]);
        object = f->roots[8];
        f->roots[8] = NIL;
        if (is_eq(made, HOLE))
            return;
        shadow[to].used = true;
        if (at >= 0 && shadow[at].count > 0 && below(4) != 0) {
            size_t k = below(shadow[at].count);
            shadow[at].field[k] = to;
            heap_store(h, object, &node_slots(object)[k], made);
        } else {
            size_t i = below(8);
            root_names[i] = to;
            f->roots[i] = made;
        }
    } else if (what < 85 && at >= 0 && shadow[at].count > 0) {
        val other;
        int to = pick(f, root_names, &other);
        size_t k = below(shadow[at].count);
        if (below(4) == 0) {
            to = -6;
            other = fixnum(5);
        }
        shadow[at].field[k] = to;
        heap_store(h, object, &node_slots(object)[k], to < 0 ? fixnum(-1 - to) : other);
    } else if (what < 90 && at >= 0) {
        val serial = heap_identity(h, object);
        if (is_fixnum(serial)) {
            uint64_t id = (uint64_t)fixnum_value(serial);
            CHECK(shadow[at].serial == 0 || shadow[at].serial == id);
            shadow[at].serial = id;
        }
    } else if (what < 91) {
        size_t i = below(8);
        root_names[i] = -6;
        f->roots[i] = fixnum(5);
    }
}

static void random_graph(size_t limit, size_t steps, size_t minor_every, size_t full_every)
{
    struct fixture *f = start(limit);
    int root_names[8];
    memset(shadow, 0, sizeof shadow);
    for (size_t i = 0; i < 8; i++) {
        root_names[i] = -6;
        f->roots[i] = fixnum(5);
    }
    size_t bad = 0;
    for (size_t i = 0; i < steps; i++) {
        change(f, root_names);
        if (below(minor_every) == 0)
            bad += !heap_collect_gc(&f->heap, COLLECT_MINOR, 0);
        if (below(full_every) == 0) {
            bad += !heap_collect_gc(&f->heap, COLLECT_FULL, 0);
            if (below(2) == 0)
                (void)!thin(&f->heap);
        }
        if (i % 16 == 0)
            bad += !graph_matches(f, root_names);
        bad += f->heap.used > f->heap.limit;
    }
    CHECK(bad == 0);
    stop(f);
}

/* -- single points ---------------------------------------------------------------- */
static void deep_structures(void)
{
    struct fixture *f = start((size_t)64 << 20);
    struct heap *h = &f->heap;
    for (size_t i = 0; i < 100000; i++) {
        val p = RETRYING(h, cons(h, fixnum((int64_t)i), f->roots[0]));
        f->roots[0] = p;
        p = RETRYING(h, cons(h, f->roots[1], NIL));
        f->roots[1] = p;
        /* a list of leaf pairs, and a left-deep tree with leaf pairs to the right */
        p = RETRYING(h, cons(h, NIL, NIL));
        f->roots[5] = p;
        p = RETRYING(h, cons(h, f->roots[5], f->roots[2]));
        f->roots[2] = p;
        p = RETRYING(h, cons(h, NIL, NIL));
        f->roots[5] = p;
        p = RETRYING(h, cons(h, f->roots[3], f->roots[5]));
        f->roots[3] = p;
    }
    collect(h, COLLECT_FULL);
    CHECK(heap_collect_gc(h, COLLECT_FULL, 0));
    size_t n = 0;
    for (val p = f->roots[0]; is_pair(p); p = cdr(p))
        n += is_eq(car(p), fixnum((int64_t)(99999 - n)));
    CHECK(n == 100000);
    n = 0;
    for (val p = f->roots[1]; is_pair(p); p = car(p))
        n++;
    CHECK(n == 100000);
    n = 0;
    for (val p = f->roots[2]; is_pair(p); p = cdr(p))
        n += is_pair(car(p));
    CHECK(n == 100000);
    n = 0;
    for (val p = f->roots[3]; is_pair(p); p = car(p))
        n += is_pair(cdr(p));
    CHECK(n == 100000);
    size_t used = h->used;
    f->roots[0] = f->roots[1] = f->roots[2] = f->roots[3] = NIL;
    collect(h, COLLECT_FULL);
    CHECK(h->used < used / 4);
    stop(f);
}

/* A deep structure marked with the smallest nursery: the block queue works. */
static void narrow_mark_stack(void)
{
    struct fixture *f = start((size_t)8 << 20);
    struct heap *h = &f->heap;
    for (size_t i = 0; i < 20000; i++) {
        val v = RETRYING(h, heap_alloc(h, T_VECTOR, 3, 0));
        object_fields(v)[0] = f->roots[0];
        object_fields(v)[1] = NIL;
        object_fields(v)[2] = NIL;
        f->roots[0] = v;
        val leaf = RETRYING(h, cons(h, fixnum((int64_t)i), NIL));
        heap_store(h, f->roots[0], &object_fields(f->roots[0])[2], leaf);
        leaf = RETRYING(h, cons(h, fixnum(7), NIL));
        heap_store(h, f->roots[0], &object_fields(f->roots[0])[1], leaf);
        f->roots[0] = f->roots[0];
    }
    heap_idle_gc(h);
    CHECK(h->nursery_size == NURSERY_FIRST);
    collect(h, COLLECT_FULL);
    size_t n = 0;
    for (val p = f->roots[0]; is_vector(p); p = object_field(p, 0))
        n += is_eq(car(object_field(p, 2)), fixnum((int64_t)(19999 - n)));
    CHECK(n == 20000);
    stop(f);
}

static void large_objects(void)
{
    struct fixture *f = start((size_t)16 << 20);
    struct heap *h = &f->heap;
    f->roots[0] = RETRYING(h, heap_alloc(h, T_VECTOR, 100000, 0));
    for (size_t i = 0; i < 100000; i++)
        object_fields(f->roots[0])[i] = NIL;
    for (size_t i = 0; i < 100000; i += 7) {
        val p = RETRYING(h, cons(h, fixnum((int64_t)i), NIL));
        heap_store(h, f->roots[0], &object_fields(f->roots[0])[i], p);
    }
    val big = f->roots[0];
    collect(h, COLLECT_FULL);
    CHECK(is_eq(big, f->roots[0]));
    size_t good = 0;
    for (size_t i = 0; i < 100000; i += 7)
        good += is_eq(car(object_field(big, i)), fixnum((int64_t)i));
    CHECK(good == (100000 + 6) / 7);
    /* more stores between two collections than are remembered one by one */
    val young = RETRYING(h, cons(h, fixnum(1), NIL));
    for (size_t i = 0; i < 100000; i++)
        heap_store(h, f->roots[0], &object_fields(f->roots[0])[i], young);
    collect(h, COLLECT_MINOR);
    good = 0;
    for (size_t i = 0; i < 100000; i++)
        good += is_eq(car(object_field(f->roots[0], i)), fixnum(1));
    CHECK(good == 100000);
    /* beyond the limit: refused at once, and the heap is as before */
    CHECK(is_eq(heap_alloc(h, T_VECTOR, (size_t)1 << 30, 0), RETRY));
    CHECK(!heap_collect_gc(h, COLLECT_MINOR, h->wanted));
    CHECK(is_eq(heap_alloc(h, T_VECTOR, (size_t)1 << 45, 0), RETRY));
    CHECK(!heap_collect_gc(h, COLLECT_MINOR, h->wanted));
    f->roots[0] = NIL;
    collect(h, COLLECT_FULL);
    CHECK(h->used - h->nursery_size < (size_t)200 << 10);
    stop(f);
}

/* Fill a context until it is out of memory: never beyond the limit, and nearly
 * all of it is to be had; afterwards it is good again. */
static void limits(void)
{
    for (size_t limit = (size_t)128 << 10; limit <= (size_t)32 << 20; limit *= 4) {
        struct fixture *f = start(limit);
        struct heap *h = &f->heap;
        size_t pairs = 0;
        for (;;) {
            val p = RETRYING(h, cons(h, fixnum(1), f->roots[0]));
            if (is_eq(p, HOLE))
                break;
            f->roots[0] = p;
            pairs++;
        }
        CHECK(h->peak <= limit);
        CHECK(pairs * 16 + limit / 16 + ((size_t)56 << 10) > limit * 15 / 16);
        f->roots[0] = NIL;
        CHECK(heap_collect_gc(h, COLLECT_FULL, 0));
        CHECK(limit - h->used > limit / 8);
        void *p = heap_malloc(h, limit / 4);
        CHECK(p != NULL);
        CHECK(heap_malloc(h, limit) == NULL);
        p = heap_realloc(h, p, limit / 4, limit / 2);
        CHECK(p != NULL && h->used >= limit / 2);
        heap_mfree(h, p, limit / 2);
        CHECK(h->peak <= limit);
        stop(f);
    }
}

static void reservations(void)
{
    struct fixture *f = start((size_t)4 << 20);
    struct heap *h = &f->heap;
    CHECK(is_eq(heap_reserve(h, RESERVE_MAX), RETRY));
    CHECK(heap_collect_gc(h, COLLECT_MINOR, h->wanted));
    CHECK(is_eq(heap_reserve(h, RESERVE_MAX), TRUE));
    h->fail_after = 1;
    h->fail_persist = true;
    size_t got = 0;
    for (size_t i = 0; i < RESERVE_MAX / 16; i++)
        got += is_pair(cons(h, NIL, NIL));
    CHECK(got == RESERVE_MAX / 16);
    CHECK(is_eq(cons(h, NIL, NIL), RETRY));
    CHECK(is_eq(heap_alloc_constant(h, T_VECTOR, 2, 0), RETRY));
    CHECK(is_eq(heap_cons_constant(h, NIL, NIL), RETRY));
    CHECK(heap_malloc(h, 10) == NULL);
    CHECK(is_eq(heap_new_slot(h), RETRY));
    h->fail_after = 3;
    h->fail_persist = false;
    CHECK(heap_collect_gc(h, COLLECT_MINOR, 0));
    CHECK(is_pair(cons(h, NIL, NIL)));
    CHECK(is_pair(cons(h, NIL, NIL)));
    CHECK(is_eq(cons(h, NIL, NIL), RETRY));
    CHECK(is_pair(cons(h, NIL, NIL)));
    stop(f);
}

static void constants(void)
{
    struct fixture *f = start((size_t)1 << 20);
    struct heap *h = &f->heap;
    val young = cons(h, fixnum(3), NIL);
    val constant = heap_cons_constant(h, young, NIL);
    val vector = heap_alloc_constant(h, T_VECTOR, 400, 0);
    val code = heap_alloc_code(h, T_VECTOR, 1, 0);
    for (size_t i = 0; i < 400; i++)
        object_fields(vector)[i] = young;
    object_fields(code)[0] = young;
    CHECK(heap_is_mutable(h, young) && !heap_is_mutable(h, constant));
    CHECK(!heap_is_mutable(h, vector) && heap_is_mutable(h, code));
    CHECK(!heap_is_mutable(h, fixnum(3)));
    f->roots[0] = constant;
    f->roots[1] = vector;
    f->roots[2] = code;
    for (size_t i = 0; i < 3; i++) {
        collect(h, i == 1 ? COLLECT_FULL : COLLECT_MINOR);
        CHECK(is_eq(f->roots[0], constant) && is_eq(f->roots[2], code));
        CHECK(is_eq(f->roots[1], vector));
        CHECK(is_eq(car(car(constant)), fixnum(3)));
        CHECK(is_eq(object_field(vector, 399), car(constant)));
        CHECK(is_eq(object_field(code, 0), car(constant)));
    }
    CHECK(heap_is_mutable(h, car(constant)));
    stop(f);
}

static void ephemerons(void)
{
    struct fixture *f = start((size_t)1 << 20);
    struct heap *h = &f->heap;
    /* a chain: the datum of each is the key of the next; last key first in line */
    for (size_t i = 0; i < 100; i++) {
        val key = RETRYING(h, cons(h, fixnum((int64_t)i), NIL));
        f->roots[100 + i] = key;
    }
    for (size_t i = 0; i < 99; i++) {
        val e = RETRYING(h, heap_alloc(h, T_EPHEMERON, 0, 0));
        object_fields(e)[0] = f->roots[100 + i];
        object_fields(e)[1] = f->roots[101 + i];
        f->roots[i] = e;
    }
    for (size_t i = 1; i < 100; i++)
        f->roots[100 + i] = NIL;
    collect(h, COLLECT_MINOR);
    collect(h, COLLECT_FULL);
    size_t good = 0;
    for (size_t i = 0; i < 99; i++)
        good += is_eq(car(object_field(f->roots[i], 1)), fixnum((int64_t)i + 1));
    CHECK(good == 99);
    f->roots[100] = NIL;
    collect(h, COLLECT_FULL);
    good = 0;
    for (size_t i = 0; i < 99; i++)
        good += object_flag(f->roots[i], FLAG_A) && is_eq(object_field(f->roots[i], 1), FALSE);
    CHECK(good == 99);
    stop(f);
}

static void handles_and_host_ids(void)
{
    struct fixture *f = start((size_t)1 << 20);
    struct heap *h = &f->heap;
    uint64_t ids[500];
    for (size_t i = 0; i < 500; i++) {
        val p = RETRYING(h, cons(h, fixnum((int64_t)i), NIL));
        f->roots[0] = p;
        val id = RETRYING(h, ref_new(h, f->roots[0]));
        ids[i] = (uint64_t)fixnum_value(id);
    }
    for (size_t i = 0; i < 500; i += 2)
        ref_drop(h, ids[i]);
    ref_drop(h, ids[0]);
    ref_drop(h, 0);
    ref_drop(h, 1u << 30);
    collect(h, COLLECT_FULL);
    size_t good = 0;
    for (size_t i = 0; i < 500; i++)
        good += i % 2 == 0 ? is_eq(ref_get(h, ids[i]), HOLE)
                           : is_eq(car(ref_get(h, ids[i])), fixnum((int64_t)i));
    CHECK(good == 500);
    for (size_t i = 0; i < 60; i++) {
        val v = RETRYING(h, heap_alloc(h, i & 1 ? T_FOREIGN : T_HOST_PROCEDURE, 0, 0));
        for (size_t k = 0; k < type_layouts[object_type(v)].fields; k++)
            object_fields(v)[k] = FALSE;
        object_raw(v)[0] = 1000 + i / 4; /* four objects an id */
        f->roots[i] = v;
        if (i % 20 == 0)
            collect(h, COLLECT_MINOR);
    }
    uint64_t out[60];
    for (size_t i = 0; i < 60; i++)
        f->roots[i] = i % 4 == 1 && i < 20 ? f->roots[i] : NIL;
    collect(h, COLLECT_MINOR);
    CHECK(refs_take_dropped(h, out, 60) == 0);
    collect(h, COLLECT_FULL);
    CHECK(refs_take_dropped(h, out, 3) == 3 && out[0] == 1005 && out[2] == 1007);
    CHECK(refs_take_dropped(h, out, 60) == 7 && out[6] == 1014);
    for (size_t i = 0; i < 60; i++)
        f->roots[i] = NIL;
    collect(h, COLLECT_FULL);
    CHECK(refs_take_dropped(h, out, 60) == 5 && out[0] == 1000);
    stop(f);
}

/* Half of the objects die everywhere: holes are filled again. */
static void fragmentation(void)
{
    struct fixture *f = start((size_t)4 << 20);
    struct heap *h = &f->heap;
    size_t bad = 0;
    for (size_t round = 0; round < 30; round++) {
        for (size_t i = 0; i < 40000; i++) {
            val p = RETRYING(h, cons(h, fixnum((int64_t)i), f->roots[0]));
            bad += is_eq(p, HOLE);
            f->roots[0] = is_eq(p, HOLE) ? f->roots[0] : p;
        }
        for (val p = f->roots[0]; is_pair(p) && is_pair(cdr(p)); p = cdr(p))
            heap_store(h, p, &pair_words(p)[1], cdr(cdr(p)));
    }
    CHECK(bad == 0);
    stop(f);
}

/* Sparse blocks of long-lived pairs: objects that fit between them go there. */
static void sparse(void)
{
    struct fixture *f = start((size_t)2 << 20);
    struct heap *h = &f->heap;
    size_t bad = 0;
    for (size_t i = 0; i < 60000; i++) {
        val p = RETRYING(h, cons(h, fixnum((int64_t)i), f->roots[i % 40 == 0]));
        bad += is_eq(p, HOLE);
        f->roots[i % 40 == 0] = p;
    }
    collect(h, COLLECT_MINOR);
    f->roots[0] = NIL;
    for (size_t i = 0; i < 2600; i++) {
        val v = RETRYING(h, heap_alloc(h, T_BYTEVECTOR, 500, 0));
        bad += is_eq(v, HOLE);
        if (is_eq(v, HOLE))
            break;
        f->roots[2] = v;
        v = RETRYING(h, cons(h, f->roots[2], f->roots[0]));
        bad += is_eq(v, HOLE);
        f->roots[0] = v;
    }
    CHECK(bad == 0);
    size_t n = 0;
    for (val p = f->roots[1]; is_pair(p); p = cdr(p))
        n++;
    CHECK(n == 1500);
    stop(f);
}

/* Under pressure sparse blocks are emptied: live data of a third of the limit, all
 * over the place, leave room for objects that fit no hole. Roots and numbers move
 * along; literals of code stay. */
static void thinning(void)
{
    struct fixture *f = start((size_t)2 << 20);
    struct heap *h = &f->heap;
    size_t bad = 0;
    for (size_t i = 0; i < 80000; i++) {
        val p = RETRYING(h, cons(h, fixnum((int64_t)i), f->roots[i % 20 == 0]));
        bad += is_eq(p, HOLE);
        f->roots[i % 20 == 0] = p;
    }
    collect(h, COLLECT_MINOR);
    val pinned = f->roots[1];
    for (size_t i = 0; i < 2000; i++)
        pinned = cdr(pinned);
    val code = heap_alloc_code(h, T_CODE, 0, 0);
    for (size_t i = 0; i < 6; i++)
        object_fields(code)[i] = FALSE;
    val literals = heap_alloc_constant(h, T_VECTOR, 1, 0);
    object_fields(literals)[0] = pinned;
    object_fields(code)[1] = literals;
    f->roots[3] = code;
    val first = f->roots[1];
    val serial = heap_identity(h, first);
    f->roots[0] = NIL;
    for (size_t i = 0; i < 1300; i++) {
        val v = RETRYING(h, heap_alloc(h, T_BYTEVECTOR, 1000, 0));
        bad += is_eq(v, HOLE);
        f->roots[2] = is_eq(v, HOLE) ? NIL : v;
        v = RETRYING(h, cons(h, f->roots[2], f->roots[0]));
        bad += is_eq(v, HOLE);
        f->roots[0] = is_eq(v, HOLE) ? f->roots[0] : v;
    }
    CHECK(bad == 0 && h->peak <= h->limit);
    CHECK(is_eq(heap_identity(h, f->roots[1]), serial));
    CHECK(is_eq(object_field(literals, 0), pinned));
    size_t n = 0, seen = 0;
    for (val p = f->roots[1]; is_pair(p); p = cdr(p)) {
        n += is_eq(car(p), fixnum((int64_t)(80000 - 20 * (n + 1))));
        seen += is_eq(p, pinned);
    }
    CHECK(n == 4000 && seen == 1);
    stop(f);
}

/* A weak table in ROOT_SYMBOLS: the callback drops what is dead. */
static void prune(struct heap *h, bool (*alive)(void *context, val v), void *context)
{
    val table = h->roots[ROOT_SYMBOLS];
    for (size_t i = 0; i < object_length(table); i++) {
        if (!alive(context, object_field(table, i)))
            object_fields(table)[i] = HOLE;
    }
}

static void weak_symbols(void)
{
    struct fixture *f = start((size_t)1 << 20);
    struct heap *h = &f->heap;
    heap_on_full(h, prune);
    val table = heap_alloc(h, T_VECTOR, 100, 0);
    for (size_t i = 0; i < 100; i++)
        object_fields(table)[i] = heap_cons_constant(h, fixnum((int64_t)i), NIL);
    h->roots[ROOT_SYMBOLS] = table;
    f->roots[0] = object_field(table, 42);
    collect(h, COLLECT_MINOR);
    CHECK(is_eq(car(object_field(h->roots[ROOT_SYMBOLS], 7)), fixnum(7)));
    collect(h, COLLECT_FULL);
    size_t dead = 0;
    for (size_t i = 0; i < 100; i++)
        dead += is_eq(object_field(h->roots[ROOT_SYMBOLS], i), HOLE);
    CHECK(dead == 99 && is_eq(object_field(h->roots[ROOT_SYMBOLS], 42), f->roots[0]));
    CHECK(is_eq(heap_request_full(h), RETRY));
    collect(h, COLLECT_MINOR);
    CHECK(is_eq(heap_request_full(h), TRUE));
    stop(f);
}

static void arenas(void)
{
    struct fixture *f = start((size_t)1 << 20);
    struct arena a;
    size_t used = f->heap.used;
    arena_init(&a, &f->heap);
    for (size_t i = 0; i < 1000; i++) {
        char *p = arena_alloc(&a, i);
        CHECK(p != NULL && (uintptr_t)p % 16 == 0 && (i == 0 || p[i - 1] == 0));
        memset(p, 1, i);
    }
    CHECK(arena_alloc_array(&a, SIZE_MAX / 2, 3) == NULL && a.failed);
    CHECK(arena_alloc(&a, 1) == NULL);
    arena_drop(&a);
    CHECK(f->heap.used == used && !a.failed);
    CHECK(arena_alloc(&a, (size_t)2 << 20) == NULL && a.failed);
    arena_drop(&a);
    stop(f);
}

static void pools(void)
{
    struct page_pool pool;
    pool_init(&pool);
    CHECK(pool_reserve(&pool, 1000));
    size_t free_pages = pool.free_pages;
    CHECK(free_pages >= 1000);
    void *many[600];
    for (size_t i = 0; i < 600; i++) {
        many[i] = pool_take(&pool, 1 + i % 70);
        memset(many[i], 0xff, (1 + i % 70) * PAGE);
    }
    CHECK(pool.free_pages >= 1000);
    for (size_t i = 0; i < 600; i++)
        pool_give(&pool, many[i], 1 + i % 70);
    char *page = pool_take_reserved(&pool);
    size_t sum = 0;
    for (size_t i = 0; i < PAGE; i++)
        sum += (size_t)page[i];
    CHECK(sum == 0);
    pool_give(&pool, page, 1);
    pool_release(&pool, 999);
    CHECK(pool.reserved_pages == 0 && pool.pages_out == 0);
    pool_drop(&pool);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void figures(void)
{
    struct fixture *f = start((size_t)256 << 20);
    struct heap *h = &f->heap;
    double t = now();
    for (size_t i = 0; i < 4000000; i++) {
        val p = RETRYING(h, cons(h, NIL, f->roots[0]));
        f->roots[0] = i % 1000000 == 0 ? NIL : p;
    }
    printf("4M conses, all survive a while: %.1f ms\n", (now() - t) * 1e3);
    t = now();
    collect(h, COLLECT_FULL);
    printf("full collection of 1M pairs: %.1f ms\n", (now() - t) * 1e3);
    f->roots[0] = NIL;
    collect(h, COLLECT_FULL);
    t = now();
    uint64_t before = h->collections;
    for (size_t i = 0; i < 20000000; i++)
        f->roots[0] = RETRYING(h, cons(h, NIL, NIL));
    printf("20M conses, all die: %.1f ms, %u collections\n", (now() - t) * 1e3,
           (unsigned)(h->collections - before));
    t = now();
    for (size_t i = 0; i < 10000; i++)
        (void)!heap_collect_gc(h, COLLECT_MINOR, 0);
    printf("empty minor collection: %.2f us\n", (now() - t) * 1e2);
    t = now();
    for (size_t i = 0; i < 1000; i++) {
        struct heap other;
        if (heap_init(&other, f->engine, (size_t)1 << 20))
            heap_free_all(&other);
    }
    printf("heap_init + heap_free_all: %.2f us\n", (now() - t) * 1e3);
    stop(f);
}

int main(int argc, char **argv)
{
    (void)argv;
    arenas();
    pools();
    constants();
    reservations();
    large_objects();
    limits();
    ephemerons();
    handles_and_host_ids();
    deep_structures();
    narrow_mark_stack();
    fragmentation();
    sparse();
    thinning();
    weak_symbols();
    for (size_t i = 0; i < 20; i++) {
        random_graph((size_t)16 << 20, 4000, 2, 50);
        random_graph((size_t)4 << 20, 4000, 50, 300);
        random_graph((size_t)1 << 20, 6000, 10, 500);
    }
    if (argc > 1)
        figures();
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
