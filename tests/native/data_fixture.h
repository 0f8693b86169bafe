/* What the tests of the data room share: a heap with roots, and a caller of
 * primitives that does what the VM does for RETRY and STEP. */
#ifndef CB_DATA_FIXTURE_H
#define CB_DATA_FIXTURE_H

#include "../../native/src/engine.h"
#include "../../native/src/heap.h"
#include "../../native/src/prim.h"
#include "../../native/src/string.h"
#include "../../native/src/symbol.h"
#include "../../native/src/vector.h"

#include <stdio.h>
#include <stdlib.h>

static size_t passed, failed;
#undef CHECK
#define CHECK(x)                                                                                   \
    ((x) ? (void)passed++ : (void)(failed++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

#define ROOTS 64

struct fixture {
    struct heap heap;
    struct engine *engine;
    val roots[ROOTS];
    size_t count;
    bool stress; /* collect before every call and step */
};

static void trace_roots(void *owner, root_visitor *visit, void *collector)
{
    struct fixture *f = owner;
    for (size_t i = 0; i < f->count; i++)
        visit(collector, &f->roots[i]);
}

static struct fixture *start(size_t limit)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->engine = engine_new();
    if (!heap_init(&f->heap, f->engine, limit) || !heap_owner_add(&f->heap, trace_roots, f))
        abort();
    f->heap.afford = UINT64_MAX;
    return f;
}

static void stop(struct fixture *f)
{
    heap_free_all(&f->heap);
    CHECK(f->heap.used == 0);
    engine_free(f->engine);
    free(f);
}

static bool collect(struct fixture *f, size_t wanted)
{
    static unsigned turn;
    return heap_collect_gc(&f->heap, ++turn % 8 ? COLLECT_MINOR : COLLECT_FULL, wanted);
}

/* Call with the last n roots as arguments; they are replaced by the answer (also
 * by a control word other than RETRY and STEP). */
static val call(struct fixture *f, primitive_function *function, size_t n)
{
    struct heap *h = &f->heap;
    h->step = FALSE;
    val v = FALSE;
    for (unsigned retries = 0; retries < 4; retries++) {
        if (f->stress && !collect(f, 0))
            break;
        v = function(h, f->roots + f->count - n, n);
        while (is_eq(v, STEP)) {
            retries = 0;
            if (f->stress && !collect(f, 0))
                break;
            v = function(h, f->roots + f->count - n, n);
        }
        if (!is_eq(v, RETRY))
            break;
        if (!heap_collect_gc(h, retries ? COLLECT_FULL : COLLECT_MINOR, h->wanted))
            break;
    }
    h->step = FALSE;
    f->count -= n;
    f->roots[f->count++] = v;
    return v;
}

static val push(struct fixture *f, val v)
{
    return f->roots[f->count++] = v;
}

static val top(struct fixture *f)
{
    return f->roots[f->count - 1];
}

static val pop(struct fixture *f)
{
    return f->roots[--f->count];
}

static inline val prim_test_string(struct heap *h, const char *text)
{
    return string_from_utf8(h, text, strlen(text));
}

/* Small things; the heaps of the tests have room for them after a collection. */
static inline val push_string(struct fixture *f, const char *text)
{
    val v = prim_test_string(&f->heap, text);
    if (is_eq(v, RETRY) && heap_collect_gc(&f->heap, COLLECT_FULL, 4096))
        v = prim_test_string(&f->heap, text);
    return push(f, v);
}

static inline val push_symbol(struct fixture *f, const char *text)
{
    val v = symbol_intern_ascii(&f->heap, text);
    if (is_eq(v, RETRY) && heap_collect_gc(&f->heap, COLLECT_FULL, 4096))
        v = symbol_intern_ascii(&f->heap, text);
    return push(f, v);
}

static inline bool has_kind(struct fixture *f, enum condition_kind kind)
{
    return is_type(f->heap.raised, T_CONDITION) &&
           is_eq(object_field(f->heap.raised, CONDITION_KIND), fixnum(kind));
}

static inline bool text_is(val s, const char *text)
{
    size_t n = strlen(text);
    if (!is_string(s) || string_utf8_length(s) != n)
        return false;
    char *bytes = malloc(n + 1);
    string_store_utf8(s, bytes);
    bool same = memcmp(bytes, text, n) == 0;
    free(bytes);
    return same;
}

static inline bool message_is(struct fixture *f, const char *text)
{
    return text_is(object_field(f->heap.raised, CONDITION_MESSAGE), text);
}

static inline int report(void)
{
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}

#endif
