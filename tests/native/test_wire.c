/* The packed form: exact bytes, round trips, damaged input, cycles, no memory. */
#include "data_fixture.h"

#include "../../native/src/equal.h"
#include "../../native/src/host.h"
#include "../../native/src/num.h"
#include "../../native/src/pair.h"
#include "../../native/src/record.h"
#include "../../native/src/refs.h"
#include "../../native/src/table.h"
#include "../../native/src/wire.h"

#define P(name) primitive_function name
P(prim_cons);
P(prim_list);
P(prim_make_list);
P(prim_set_cdr);
P(prim_set_car);
P(prim_is_equal);
P(prim_make_table);
P(prim_table_set);
P(prim_make_record_type);
P(prim_record);
P(prim_make_condition);
P(prim_vector);
P(prim_bytevector);
P(prim_box);

static uint64_t seed = 88172645463325252u;

static size_t below(size_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed >> 11) % n;
}

static bool bytes_are(const struct wire *w, const char *hex)
{
    size_t n = strlen(hex) / 2;
    bool same = w->length == n;
    for (size_t i = 0; same && i < n; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        same = w->data[i] == byte;
    }
    for (size_t i = 0; !same && i < w->length; i++)
        printf("%02x", w->data[i]);
    return same;
}

/* Pack the top root, compare, unpack and compare values. */
static void exact(struct fixture *f, struct wire *w, const char *hex, bool back)
{
    wire_reset(w);
    CHECK(wire_pack_gc(w, top(f)) == WIRE_OK);
    CHECK(bytes_are(w, hex));
    if (back) {
        CHECK(wire_unpack_gc(w, w->data, w->length) == WIRE_OK && w->count == 1);
        push(f, w->values[0]);
        CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
    }
    pop(f);
}

static void test_atoms(void)
{
    struct fixture *f = start(16 << 20);
    struct wire w;
    struct heap *h = &f->heap;
    CHECK(wire_init(&w, h));
    static const struct {
        int64_t n;
        const char *hex;
    } integers[] = {{0, "00"},
                    {127, "7f"},
                    {128, "cc80"},
                    {255, "ccff"},
                    {256, "cd0100"},
                    {65536, "ce00010000"},
                    {-1, "ff"},
                    {-32, "e0"},
                    {-33, "d0df"},
                    {-129, "d1ff7f"},
                    {-32769, "d2ffff7fff"},
                    {INT64_MAX, "cf7fffffffffffffff"},
                    {INT64_MIN, "d38000000000000000"},
                    {-2147483649, "d3ffffffff7fffffff"}};
    for (size_t i = 0; i < ARRAY_LENGTH(integers); i++) {
        push(f, num_from_int64(h, integers[i].n));
        exact(f, &w, integers[i].hex, true);
    }
    push(f, num_from_uint64(h, UINT64_MAX));
    exact(f, &w, "cfffffffffffffffff", true);
    push(f, num_add(h, num_from_uint64(h, UINT64_MAX), fixnum(1)));
    exact(f, &w, "c90000000a0300010000000000000000", true);
    push(f, num_sub(h, fixnum(0), num_from_uint64(h, UINT64_MAX)));
    exact(f, &w, "c9000000090301ffffffffffffffff", true);
    push(f, num_div(h, fixnum(1), fixnum(-3)));
    exact(f, &w, "c90000000204ff03", true);
    push(f, num_rectangular(h, fixnum(1), fixnum(2)));
    exact(f, &w, "c900000002050102", true);
    push(f, flonum(h, 1.5));
    exact(f, &w, "cb3ff8000000000000", true);
    push(f, flonum(h, 1e300));
    exact(f, &w, "cb7e37e43c8800759c", true);
    push(f, UNSPECIFIED);
    exact(f, &w, "c0", true);
    push(f, TRUE);
    exact(f, &w, "c3", true);
    push(f, FALSE);
    exact(f, &w, "c2", true);
    push(f, NIL);
    exact(f, &w, "90", true);
    push(f, EOF_OBJECT);
    exact(f, &w, "c7000b", true);
    push(f, char_value(0x3bb));
    exact(f, &w, "c70202cebb", true);
    push_string(f, "a\xce\xbb");
    exact(f, &w, "a361cebb", true);
    push_symbol(f, "abc");
    exact(f, &w, "c70301616263", true);
    push(f, fixnum(1));
    push(f, fixnum(2));
    call(f, prim_bytevector, 2);
    exact(f, &w, "c4020102", true);
    push(f, fixnum(1));
    push(f, fixnum(2));
    call(f, prim_cons, 2);
    exact(f, &w, "c900000002070102", true);
    push(f, fixnum(1));
    push(f, NIL);
    call(f, prim_vector, 2);
    exact(f, &w, "c900000002060190", true);
    push(f, fixnum(1));
    push(f, NIL);
    call(f, prim_list, 2);
    exact(f, &w, "920190", true);
    wire_free(&w);
    stop(f);
}

/* A random value on the roots; everything equal? can compare. */
static void random_value(struct fixture *f, int depth)
{
    char name[24];
    struct heap *h = &f->heap;
    size_t n = below(5);
    snprintf(name, sizeof name, "t\xce\xbb%zu", below(1000));
    switch (below(depth > 0 ? 15 : 9)) {
    case 0:
        push(f, fixnum((int64_t)below((size_t)1 << (below(60) + 1)) - 100));
        break;
    case 1:
        push(f, flonum(h, (double)below(1000) / 7));
        break;
    case 2:
        push_string(f, name);
        break;
    case 3:
        push(f, symbol_intern(h, string_from_ascii(h, "sym")));
        break;
    case 4:
        push(f, num_mul(h, fixnum(FIXNUM_MAX), fixnum((int64_t)below(100000) - 50000)));
        break;
    case 5:
        push(f, num_div(h, fixnum((int64_t)below(1000)), fixnum((int64_t)below(1000) + 1)));
        break;
    case 6:
        push(f, char_value((uint32_t)below(0xd000)));
        break;
    case 7:
        push(f, num_rectangular(h, flonum(h, 1.5), flonum(h, (double)below(10) + 0.1)));
        break;
    case 8:
        push(f, below(2) ? TRUE : below(2) ? UNSPECIFIED : EOF_OBJECT);
        break;
    case 9:
    case 10:
        for (size_t i = 0; i < n; i++)
            random_value(f, depth - 1);
        call(f, prim_list, n);
        break;
    case 11:
        for (size_t i = 0; i < n; i++)
            random_value(f, depth - 1);
        call(f, prim_vector, n);
        break;
    case 12:
        random_value(f, depth - 1);
        random_value(f, depth - 1);
        call(f, prim_cons, 2);
        break;
    case 13:
        for (size_t i = 0; i < n; i++)
            push(f, fixnum((int64_t)below(256)));
        call(f, prim_bytevector, n);
        break;
    default:
        random_value(f, depth - 1);
        push(f, NIL);
        call(f, prim_cons, 2);
    }
}

static void test_round_trips(void)
{
    struct fixture *f = start(32 << 20);
    struct wire w;
    CHECK(wire_init(&w, &f->heap));
    for (size_t i = 0; i < 3000; i++) {
        wire_reset(&w);
        f->count = 0;
        if (i % 100 == 0)
            CHECK(collect(f, 8192));
        random_value(f, 5);
        /* a failed allocation now and then: everything moves under it */
        f->heap.fail_after = i % 3 == 0 ? below(20) + 1 : 0;
        bool good = wire_pack_gc(&w, top(f)) == WIRE_OK;
        size_t n = w.length;
        uint8_t *copy = malloc(n + 1);
        memcpy(copy, w.data, n);
        good = good && wire_unpack_gc(&w, copy, n) == WIRE_OK;
        f->heap.fail_after = 0;
        CHECK(good && w.count == 1);
        if (good) {
            push(f, w.values[0]);
            CHECK(is_eq(is_equal(&f->heap, f->roots[0], f->roots[1]), TRUE));
            wire_reset(&w);
            CHECK(wire_pack_gc(&w, f->roots[1]) == WIRE_OK);
            CHECK(w.length == n && memcmp(w.data, copy, n) == 0);
        }
        for (size_t cut = 0; good && cut < n; cut += 1 + n / 50) {
            uint8_t *shorter = malloc(cut + 1);
            memcpy(shorter, copy, cut);
            w.count = 0;
            CHECK(wire_unpack_gc(&w, shorter, cut) == WIRE_BAD);
            free(shorter);
        }
        free(copy);
    }
    wire_free(&w);
    stop(f);
}

static void test_mutations(void)
{
    struct fixture *f = start(8 << 20);
    struct wire w;
    size_t accepted = 0;
    CHECK(wire_init(&w, &f->heap));
    for (size_t i = 0; i < 100000; i++) {
        wire_reset(&w);
        if (i % 64 == 0)
            CHECK(collect(f, 8192));
        f->count = 0;
        random_value(f, 4);
        if (is_control(top(f)) || wire_pack_gc(&w, top(f)) != WIRE_OK)
            continue;
        size_t n = w.length;
        uint8_t *copy = malloc(n);
        memcpy(copy, w.data, n);
        for (size_t k = below(4) + 1; k > 0; k--)
            copy[below(n)] = below(2) ? (uint8_t)below(256) : (uint8_t)(0xc0 + below(64));
        wire_reset(&w);
        size_t items;
        enum wire_status s =
            below(4) ? wire_unpack_gc(&w, copy, n) : wire_unpack_items_gc(&w, copy, n, &items);
        if (s == WIRE_OK && w.count > 0) {
            accepted++;
            (void)!wire_pack_gc(&w, w.values[0]);
        }
        w.count = 0;
        free(copy);
    }
    CHECK(accepted > 1000);
    /* noise */
    for (size_t i = 0; i < 50000; i++) {
        uint8_t noise[40];
        size_t n = below(sizeof noise);
        for (size_t k = 0; k < n; k++)
            noise[k] = below(3) ? (uint8_t)(0x80 + below(128)) : (uint8_t)below(16);
        wire_reset(&w);
        (void)!wire_unpack_gc(&w, noise, n);
        (void)!host_unpack_condition_gc(&w, noise, n);
    }
    wire_free(&w);
    stop(f);
}

static enum wire_status unpack_hex(struct wire *w, const char *hex)
{
    uint8_t bytes[128];
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }
    wire_reset(w);
    return wire_unpack_gc(w, bytes, n);
}

static void test_refused(void)
{
    static const char *const wrong[] = {"",
                                        "c1",
                                        "91",
                                        "9201",
                                        "0102",
                                        "a161ff",
                                        "a1ff",
                                        "a2c080",
                                        "a3eda080",
                                        "ddffffffff",
                                        "dfffffffff",
                                        "dbffffffff",
                                        "c6ffffffff",
                                        "c9ffffffff06",
                                        "c70063",
                                        "c7010362",
                                        "c7020301",
                                        "c7020302ff",
                                        "c7000b00",
                                        "c7010b00",
                                        "c70002",
                                        "c702026162",
                                        "c702040100",
                                        "c70204c3c3",
                                        "c7030401a130",
                                        "c702060192",
                                        "c7010607cc",
                                        "c70107ff",
                                        "c70109c0",
                                        "c708090000000000000001",
                                        "c70a09070000000000000001c0",
                                        "c70a09030000000000000001c0",
                                        "c7030cc0c0c0",
                                        "91c7020a0102",
                                        "c7010dc0",
                                        "c7020aff91",
                                        "c70308c0c0c0",
                                        "d40e00",
                                        "c70202ceff"};
    struct fixture *f = start(8 << 20);
    struct wire w;
    CHECK(wire_init(&w, &f->heap));
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        enum wire_status s = unpack_hex(&w, wrong[i]);
        if (s != WIRE_BAD)
            printf("%s: %d\n", wrong[i], (int)s);
        CHECK(s == WIRE_BAD && w.count == 0 && w.why[0] != 0);
    }
    CHECK(unpack_hex(&w, "c70a09010000000000000009c0") == WIRE_NO_HANDLE);
    CHECK(unpack_hex(&w, "c70a09020000000000000009c0") == WIRE_NO_HANDLE);
    CHECK(unpack_hex(&w, "c70a09000000000000000009c0") == WIRE_OK);
    CHECK(is_type(w.values[0], T_FOREIGN) && object_raw(w.values[0])[0] == 9);
    CHECK(wire_pack_gc(&w, w.values[0]) == WIRE_OK);
    CHECK(bytes_are(&w, "c90000000a09000000000000000009c0"));
    CHECK(unpack_hex(&w, "c70b09030000000000000009a166") == WIRE_OK);
    CHECK(is_type(w.values[0], T_HOST_PROCEDURE) && is_procedure(w.values[0]));
    CHECK(text_is(symbol_name(object_field(w.values[0], 0)), "f"));
    CHECK(unpack_hex(&w, "c7020a0102") == WIRE_OK && is_type(w.values[0], T_VALUES));
    CHECK(unpack_hex(&w, "82a16101a16202") == WIRE_OK);
    CHECK(is_pair(w.values[0]) && is_eq(cdr(car(w.values[0])), fixnum(1)));
    CHECK(is_eq(cdr(cdr(w.values[0])), NIL));
    CHECK(unpack_hex(&w, "c7040c01020304") == WIRE_OK && is_type(w.values[0], T_TABLE));
    CHECK(table_count(w.values[0]) == 2);
    CHECK(wire_pack_gc(&w, w.values[0]) == WIRE_OK && bytes_are(&w, "c9000000040c01020304"));
    wire_free(&w);
    stop(f);
}

static void test_large(void)
{
    struct fixture *f = start(64 << 20);
    struct wire w;
    CHECK(wire_init(&w, &f->heap));
    push(f, fixnum(1000000));
    push(f, fixnum(1));
    call(f, prim_make_list, 2);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK && w.length == 1000005);
    CHECK(wire_unpack_gc(&w, w.data, w.length) == WIRE_OK);
    push(f, w.values[0]);
    CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
    f->count = 0;
    wire_reset(&w);
    /* 200,000 deep: (((...))) and #(#(#(...))) */
    for (int vector = 0; vector < 2; vector++) {
        push(f, NIL);
        for (int i = 0; i < 200000; i++)
            call(f, vector ? prim_vector : prim_list, 1);
        CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK);
        CHECK(wire_unpack_gc(&w, w.data, w.length) == WIRE_OK);
        push(f, w.values[0]);
        CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
        f->count = 0;
        wire_reset(&w);
    }
    /* a value that doubles at each level does not fit */
    push(f, NIL);
    for (int i = 0; i < 60; i++) {
        push(f, top(f));
        call(f, prim_list, 2);
    }
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_TOO_BIG && w.length == 0);
    f->count = 0;
    wire_reset(&w);
    /* lists inside lists inside lists, all measured again and again */
    push(f, NIL);
    push(f, NIL);
    for (int i = 0; i < 100000; i++) {
        push(f, f->roots[1]);
        push(f, f->roots[1]);
        call(f, prim_cons, 2);
        f->roots[1] = pop(f);
    }
    CHECK(wire_pack_gc(&w, f->roots[1]) == WIRE_TOO_BIG);
    wire_free(&w);
    stop(f);
}

static bool is_opaque_handle(const struct wire *w, size_t at)
{
    return w->length > at + 6 && w->data[at] == 0xc9 && w->data[at + 5] == WIRE_HANDLE &&
           w->data[at + 6] == HANDLE_OPAQUE;
}

static void test_cycles(void)
{
    struct fixture *f = start(32 << 20);
    struct wire w;
    CHECK(wire_init(&w, &f->heap));
    for (int64_t n = 1; n < 60; n++) {
        f->count = 0;
        wire_reset(&w);
        /* a chain of boxes made of lists, vectors and pairs, n long, closed at its end */
        push(f, fixnum(1));
        push(f, NIL);
        call(f, prim_cons, 2);
        push(f, f->roots[0]);
        for (int64_t i = 0; i < n; i++) {
            push(f, fixnum(5));
            push(f, f->roots[1]);
            if (i % 3 == 0)
                push(f, NIL);
            call(f, i % 3 == 0 ? prim_list : i % 3 == 1 ? prim_vector : prim_cons, i % 3 ? 2 : 3);
            f->roots[1] = pop(f);
        }
        push(f, f->roots[0]);
        push(f, f->roots[1]);
        call(f, prim_set_car, 2);
        pop(f);
        CHECK(wire_pack_gc(&w, f->roots[1]) == WIRE_OK);
        CHECK(is_opaque_handle(&w, 0) && w.id_count == 1);
        CHECK(is_eq(ref_get(&f->heap, w.ids[0]), f->roots[1]));
        /* as one of several items: only that one becomes a handle */
        push(f, fixnum(1));
        push(f, f->roots[1]);
        push(f, fixnum(2));
        call(f, prim_vector, 3);
        wire_reset(&w);
        CHECK(wire_pack_items_gc(&w, top(f)) == WIRE_OK);
        CHECK(w.data[0] == 0x93 && w.data[1] == 1 && is_opaque_handle(&w, 2) &&
              w.data[w.length - 1] == 2);
        /* an irritant */
        f->count = 2;
        push_symbol(f, "error");
        push_string(f, "msg");
        push(f, f->roots[1]);
        push(f, fixnum(3));
        call(f, prim_list, 2);
        push(f, f->roots[1]);
        CHECK(is_type(call(f, prim_make_condition, 4), T_CONDITION));
        wire_reset(&w);
        CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK && w.id_count == 3);
        CHECK(w.data[5] == WIRE_CONDITION && w.data[6] == 0x99 && w.data[17] == 0x92);
        CHECK(is_opaque_handle(&w, 18));
        wire_reset(&w);
    }
    /* circular along its cdrs; a table in itself; a condition in itself */
    f->count = 0;
    push(f, fixnum(3));
    call(f, prim_make_list, 1);
    push(f, cdr(cdr(f->roots[0])));
    push(f, f->roots[0]);
    call(f, prim_set_cdr, 2);
    CHECK(wire_pack_gc(&w, f->roots[0]) == WIRE_OK && is_opaque_handle(&w, 0));
    push(f, fixnum(TABLE_EQ));
    call(f, prim_make_table, 1);
    push(f, top(f));
    push(f, fixnum(1));
    push(f, f->roots[2]);
    call(f, prim_table_set, 3);
    wire_reset(&w);
    CHECK(wire_pack_gc(&w, f->roots[2]) == WIRE_OK && is_opaque_handle(&w, 0));
    push_symbol(f, "error");
    push_string(f, "msg");
    push(f, NIL);
    call(f, prim_make_condition, 3);
    heap_store(&f->heap, top(f), &object_fields(top(f))[CONDITION_EXTRA], top(f));
    wire_reset(&w);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK && w.data[5] == WIRE_CONDITION);
    heap_store(&f->heap, top(f), &object_fields(top(f))[CONDITION_IRRITANTS], top(f));
    wire_reset(&w);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK && w.data[5] == WIRE_CONDITION);
    wire_free(&w);
    stop(f);
}

static void test_objects(void)
{
    struct fixture *f = start(8 << 20);
    struct wire w;
    CHECK(wire_init(&w, &f->heap));
    push_symbol(f, "point");
    push_symbol(f, "x");
    call(f, prim_list, 1);
    call(f, prim_make_record_type, 2);
    push(f, f->roots[0]);
    push(f, fixnum(7));
    call(f, prim_record, 2);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK);
    CHECK(bytes_are(&w, "c90000000b0801a5706f696e7491a17807"));
    CHECK(wire_unpack_gc(&w, w.data, w.length) == WIRE_OK && is_eq(w.values[0], top(f)));
    wire_reset(&w);
    push(f, fixnum(1));
    call(f, prim_box, 1);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK);
    CHECK(bytes_are(&w, "c90000000d09020000000000000002a3626f78"));
    CHECK(wire_unpack_gc(&w, w.data, w.length) == WIRE_OK && is_eq(w.values[0], top(f)));
    f->count = 0;
    CHECK(collect(f, 0));
    CHECK(is_type(ref_get(&f->heap, 1), T_RECORD) && is_type(ref_get(&f->heap, 2), T_BOX));
    /* a condition from the host, and back by its handle */
    static const uint8_t error[] = "\x94\xa7sandbox\xa2no\x91\x01\xc0";
    wire_reset(&w);
    CHECK(host_unpack_condition_gc(&w, error, sizeof error - 1) == WIRE_OK);
    push(f, w.values[0]);
    CHECK(is_eq(object_field(top(f), CONDITION_KIND), fixnum(CONDITION_SANDBOX)));
    wire_reset(&w);
    CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK);
    CHECK(wire_unpack_gc(&w, w.data, w.length) == WIRE_OK && is_eq(w.values[0], top(f)));
    /* failures at every allocation: nothing is lost, handles are given back */
    push(f, fixnum(TABLE_EQUAL));
    call(f, prim_make_table, 1);
    push(f, f->roots[1]);
    push_string(f, "key");
    push(f, f->roots[0]);
    call(f, prim_table_set, 3);
    f->roots[2] = f->roots[1];
    call(f, prim_list, 3);
    for (uint64_t n = 1; n < 200; n++) {
        wire_reset(&w);
        f->heap.fail_after = n;
        f->heap.fail_persist = true;
        enum wire_status s = wire_pack_gc(&w, top(f));
        f->heap.fail_after = 0;
        f->heap.fail_persist = false;
        CHECK(s == WIRE_OK || (s == WIRE_TOO_BIG && w.length == 0 && w.id_count == 0));
        for (size_t i = 0; i < w.id_count; i++)
            ref_drop(&f->heap, w.ids[i]);
        wire_reset(&w);
        CHECK(wire_pack_gc(&w, top(f)) == WIRE_OK);
        f->heap.fail_after = n;
        f->heap.fail_persist = true;
        s = wire_unpack_gc(&w, w.data, w.length);
        f->heap.fail_after = 0;
        f->heap.fail_persist = false;
        CHECK((s == WIRE_OK && w.count == 1) || (s == WIRE_NO_MEMORY && w.count == 0));
        w.count = 0;
        for (size_t i = 0; i < w.id_count; i++)
            ref_drop(&f->heap, w.ids[i]);
    }
    wire_free(&w);
    stop(f);
}

int main(void)
{
    test_atoms();
    test_objects();
    test_refused();
    test_round_trips();
    test_mutations();
    test_large();
    test_cycles();
    return report();
}
