/* Data: lists, vectors, bytevectors, tables, records, equality, conditions. */
#include "data_fixture.h"

#include "../../native/src/equal.h"
#include "../../native/src/num.h"
#include "../../native/src/pair.h"
#include "../../native/src/record.h"
#include "../../native/src/table.h"

#define P(name) primitive_function name
P(prim_cons);
P(prim_set_cdr);
P(prim_set_car);
P(prim_length);
P(prim_is_list);
P(prim_list_tail);
P(prim_list_ref);
P(prim_list_set);
P(prim_memq);
P(prim_memv);
P(prim_member);
P(prim_assq);
P(prim_assoc);
P(prim_append2);
P(prim_list_copy);
P(prim_reverse);
P(prim_list);
P(prim_make_list);
P(prim_vector_to_list);
P(prim_list_to_vector);
P(prim_make_vector);
P(prim_vector_copy);
P(prim_vector_copy_to);
P(prim_vector_append);
P(prim_vector_fill);
P(prim_vector_ref);
P(prim_vector_set);
P(prim_bytevector);
P(prim_bytevector_append);
P(prim_bytevector_copy_to);
P(prim_utf8_to_string);
P(prim_string_to_utf8);
P(prim_is_equal);
P(prim_make_table);
P(prim_table_ref);
P(prim_table_set);
P(prim_table_delete);
P(prim_table_copy);
P(prim_table_keys);
P(prim_table_cursor);
P(prim_table_key_at);
P(prim_table_clear);
P(prim_make_record_type);
P(prim_record);
P(prim_is_record);
P(prim_record_ref);
P(prim_record_set);
P(prim_make_condition);
P(prim_condition_kind);
P(prim_caddr);
P(prim_cddddr);
P(prim_boolean_equal);
P(prim_is_eqv);
P(prim_car);
P(prim_cadr);

static val number_list(struct fixture *f, int64_t n)
{
    push(f, fixnum(n));
    push(f, fixnum(7));
    return call(f, prim_make_list, 2);
}

static void test_pairs(void)
{
    struct fixture *f = start(64 << 20);
    for (int i = 1; i <= 5; i++)
        push(f, fixnum(i));
    val l = call(f, prim_list, 5);
    CHECK(is_eq(car(l), fixnum(1)));
    push(f, top(f));
    CHECK(is_eq(call(f, prim_length, 1), fixnum(5)));
    pop(f);
    push(f, top(f));
    CHECK(is_eq(call(f, prim_caddr, 1), fixnum(3)));
    pop(f);
    push(f, top(f));
    CHECK(is_eq(car(call(f, prim_cddddr, 1)), fixnum(5)));
    pop(f);
    push(f, top(f));
    push(f, fixnum(5));
    CHECK(is_eq(call(f, prim_list_tail, 2), NIL));
    pop(f);
    push(f, top(f));
    push(f, fixnum(6));
    CHECK(is_eq(call(f, prim_list_tail, 2), RAISE) && has_kind(f, CONDITION_RANGE));
    CHECK(message_is(f, "argument 2: out of range, expected 0 to 5"));
    pop(f);
    push(f, top(f));
    push(f, fixnum(4));
    CHECK(is_eq(call(f, prim_list_ref, 2), fixnum(5)));
    pop(f);
    push(f, fixnum(3));
    push(f, f->roots[0]);
    CHECK(is_eq(car(cdr(call(f, prim_memv, 2))), fixnum(4)));
    pop(f);
    push(f, fixnum(3));
    CHECK(is_eq(call(f, prim_car, 1), RAISE) && has_kind(f, CONDITION_TYPE));
    CHECK(message_is(f, "argument 1: expected pair"));
    pop(f);
    push(f, fixnum(3));
    push(f, fixnum(3));
    call(f, prim_cons, 2);
    push(f, f->roots[1]);
    CHECK(is_eq(call(f, prim_length, 1), RAISE));
    CHECK(message_is(f, "argument 1: expected proper list, not a dotted one"));
    pop(f);
    CHECK(is_eq(call(f, prim_cadr, 1), RAISE));
    stop(f);
}

static void test_circular(void)
{
    struct fixture *f = start(16 << 20);
    for (int64_t n = 1; n < 5000; n = n * 3 + 1) {
        f->count = 0;
        number_list(f, n);
        val last = f->roots[0];
        while (is_pair(cdr(last)))
            last = cdr(last);
        push(f, last);
        for (int64_t back = 0; back < n; back += n / 3 + 1) {
            push(f, f->roots[1]);
            val to = f->roots[0];
            for (int64_t i = 0; i < back; i++)
                to = cdr(to);
            push(f, to);
            call(f, prim_set_cdr, 2);
            pop(f);
            push(f, f->roots[0]);
            CHECK(is_eq(call(f, prim_is_list, 1), FALSE));
            pop(f);
            push(f, f->roots[0]);
            CHECK(is_eq(call(f, prim_length, 1), RAISE));
            CHECK(message_is(f, "argument 1: expected proper list, not a circular list"));
            pop(f);
            push(f, fixnum(1));
            push(f, f->roots[0]);
            CHECK(is_eq(call(f, prim_memq, 2), RAISE));
            pop(f);
            push(f, f->roots[0]);
            CHECK(is_eq(call(f, prim_list_copy, 1), RAISE));
            pop(f);
        }
    }
    f->heap.afford = 1000;
    f->heap.charge = 0;
    push(f, f->roots[0]);
    push(f, fixnum(1000000));
    CHECK(is_eq(call(f, prim_list_tail, 2), LIMIT));
    stop(f);
}

static bool is_list_of(val l, int64_t n, val tail)
{
    int64_t count = 0;
    while (is_pair(l)) {
        if (!is_eq(car(l), fixnum(7)))
            return false;
        count++;
        l = cdr(l);
    }
    return count == n && is_eq(l, tail);
}

static void build_with(size_t limit, bool stress, int64_t n)
{
    struct fixture *f = start(limit);
    f->stress = stress;
    CHECK(is_list_of(number_list(f, n), n, NIL));
    push(f, top(f));
    push(f, fixnum(9));
    CHECK(is_list_of(call(f, prim_append2, 2), n, fixnum(9)));
    CHECK(is_list_of(call(f, prim_list_copy, 1), n, fixnum(9)));
    pop(f);
    push(f, top(f));
    CHECK(is_list_of(call(f, prim_reverse, 1), n, NIL));
    CHECK(is_vector(call(f, prim_list_to_vector, 1)) && vector_length(top(f)) == (size_t)n);
    CHECK(is_list_of(call(f, prim_vector_to_list, 1), n, NIL));
    push(f, fixnum(5));
    push(f, top(f));
    pop(f);
    pop(f);
    push(f, f->roots[0]);
    call(f, prim_is_equal, 2);
    CHECK(is_eq(top(f), TRUE));
    stop(f);
}

static void test_long_lists(void)
{
    build_with(64 << 20, false, 300000);
    build_with(64 << 20, true, 100000);
    build_with(64 << 20, true, 0);
    build_with(64 << 20, true, 3);
    build_with(64 << 20, false, PAIRS_MAX);
    build_with(64 << 20, false, PAIRS_MAX - 8);
    build_with(64 << 20, false, PAIRS_MAX - 7);
}

static void test_vectors(void)
{
    struct fixture *f = start(32 << 20);
    for (int i = 0; i < 6; i++)
        push(f, fixnum(i));
    f->roots[10] = FALSE;
    push(f, fixnum(6));
    push(f, fixnum(1));
    CHECK(is_vector(call(f, prim_make_vector, 2)));
    val v = top(f);
    CHECK(vector_length(v) == 6 && is_eq(vector_items(v)[5], fixnum(1)));
    f->roots[0] = v;
    f->count = 1;
    push(f, v);
    push(f, fixnum(6));
    CHECK(is_eq(call(f, prim_vector_ref, 2), RAISE) && has_kind(f, CONDITION_RANGE));
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(4));
    push(f, f->roots[0]);
    push(f, fixnum(0));
    push(f, fixnum(3));
    CHECK(is_eq(call(f, prim_vector_copy_to, 5), RAISE) && has_kind(f, CONDITION_RANGE));
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(9));
    push(f, fixnum(2));
    call(f, prim_vector_fill, 3);
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(1));
    push(f, f->roots[0]);
    push(f, fixnum(0));
    push(f, fixnum(3));
    CHECK(is_eq(call(f, prim_vector_copy_to, 5), UNSPECIFIED));
    v = f->roots[0];
    CHECK(is_eq(vector_items(v)[1], fixnum(1)) && is_eq(vector_items(v)[2], fixnum(1)) &&
          is_eq(vector_items(v)[3], fixnum(9)));
    pop(f);
    push(f, f->roots[0]);
    push(f, f->roots[0]);
    CHECK(vector_length(call(f, prim_vector_append, 2)) == 12);
    pop(f);
    push(f, fixnum((int64_t)1 << 38));
    CHECK(is_eq(call(f, prim_make_vector, 1), RETRY));
    pop(f);
    push(f, fixnum(-1));
    CHECK(is_eq(call(f, prim_make_vector, 1), RAISE));
    pop(f);
    f->heap.charge = 0;
    f->heap.afford = 100;
    push(f, fixnum(100000));
    CHECK(is_eq(call(f, prim_make_vector, 1), LIMIT));
    stop(f);
}

static void test_bytes(void)
{
    struct fixture *f = start(32 << 20);
    push(f, fixnum(0xce));
    push(f, fixnum(0xbb));
    val b = call(f, prim_bytevector, 2);
    CHECK(is_bytevector(b) && object_length(b) == 2);
    push(f, b);
    CHECK(text_is(call(f, prim_utf8_to_string, 1), "\xce\xbb"));
    CHECK(object_length(call(f, prim_string_to_utf8, 1)) == 2);
    push(f, f->roots[0]);
    call(f, prim_bytevector_append, 2);
    CHECK(object_length(top(f)) == 4);
    push(f, f->roots[0]);
    push(f, f->roots[1]);
    CHECK(is_eq(call(f, prim_is_equal, 2), FALSE));
    pop(f);
    push(f, fixnum(256));
    CHECK(is_eq(call(f, prim_bytevector, 1), RAISE));
    stop(f);
}

/* (dag n): two vectors or pairs of the same, n deep. */
static val dag(struct fixture *f, int depth, bool vector)
{
    push(f, NIL);
    for (int i = 0; i < depth; i++) {
        push(f, top(f));
        if (vector) {
            val v = heap_alloc(&f->heap, T_VECTOR, 2, 0);
            vector_items(v)[0] = f->roots[f->count - 1];
            vector_items(v)[1] = f->roots[f->count - 2];
            f->count -= 2;
            push(f, v);
        } else {
            call(f, prim_cons, 2);
        }
    }
    return top(f);
}

static void test_equal(void)
{
    struct fixture *f = start(64 << 20);
    for (int vector = 0; vector < 2; vector++) {
        f->count = 0;
        dag(f, 60, vector);
        dag(f, 60, vector);
        uint64_t before = f->heap.charge;
        CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
        CHECK(f->heap.charge - before < 20000);
    }
    /* cycles of lengths 2 and 3 look the same; a different car does not */
    for (int other = 0; other < 2; other++) {
        f->count = 0;
        number_list(f, 2);
        number_list(f, 3);
        for (int i = 0; i < 2; i++) {
            val last = f->roots[i];
            while (is_pair(cdr(last)))
                last = cdr(last);
            push(f, last);
            push(f, f->roots[i]);
            call(f, prim_set_cdr, 2);
            pop(f);
        }
        if (other) {
            push(f, cdr(f->roots[1]));
            push(f, fixnum(8));
            call(f, prim_set_car, 2);
            pop(f);
        }
        CHECK(is_eq(call(f, prim_is_equal, 2), val_bool(!other)));
    }
    /* a million deep on the car side */
    f->count = 0;
    for (int k = 0; k < 2; k++) {
        push(f, NIL);
        for (int i = 0; i < 300000; i++) {
            push(f, NIL);
            call(f, prim_cons, 2);
        }
    }
    CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
    f->count = 0;
    push_string(f, "abc\xce\xbb");
    push_string(f, "abc\xce\xbb");
    CHECK(is_eq(call(f, prim_is_equal, 2), TRUE));
    pop(f);
    push(f, flonum_boxed(&f->heap, 1e300));
    push(f, flonum_boxed(&f->heap, 1e300));
    CHECK(is_eq(call(f, prim_is_eqv, 2), TRUE));
    f->heap.afford = 100;
    f->heap.charge = 0;
    f->count = 0;
    f->heap.afford = UINT64_MAX;
    number_list(f, 100000);
    number_list(f, 100000);
    f->heap.charge = 0;
    f->heap.afford = 100;
    CHECK(is_eq(call(f, prim_is_equal, 2), LIMIT));
    size_t used = f->heap.used;
    (void)used;
    stop(f);
}

static uint64_t seed = 88172645463325252u;

static size_t below(size_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed >> 11) % n;
}

#define KEYS 40

/* Random changes compared with a plain array; keys of all sorts in roots 1.. */
static void table_random(enum table_kind kind, bool stress, size_t rounds)
{
    struct fixture *f = start(16 << 20);
    f->stress = stress;
    int64_t shadow[KEYS];
    size_t live = 0;
    push(f, fixnum(kind));
    call(f, prim_make_table, 1);
    for (size_t i = 0; i < KEYS; i++) {
        char name[20];
        snprintf(name, sizeof name, "key-%zu", i);
        shadow[i] = -1;
        if (kind == TABLE_STRING || i % 5 == 0)
            push_string(f, name);
        else if (i % 5 == 1)
            push_symbol(f, name);
        else if (i % 5 == 2)
            number_list(f, (int64_t)i);
        else if (i % 5 == 3)
            push(f, fixnum((int64_t)i << 40));
        else
            push(f, flonum_boxed(&f->heap, 1e300 * (double)i));
        if (kind == TABLE_EQUAL && i % 5 == 2) {
            push(f, top(f));
            push(f, NIL);
            call(f, prim_append2, 2); /* looked up by a copy below */
            pop(f);
        }
    }
    for (size_t i = 0; i < rounds; i++) {
        size_t k = below(KEYS);
        push(f, f->roots[0]);
        push(f, f->roots[1 + k]);
        switch (below(4)) {
        case 0:
            CHECK(is_eq(call(f, prim_table_delete, 2), val_bool(shadow[k] >= 0)));
            live -= shadow[k] >= 0;
            shadow[k] = -1;
            break;
        case 1:
            if (kind == TABLE_EQUAL && is_pair(top(f))) {
                push(f, NIL);
                call(f, prim_append2, 2);
            }
            push(f, fixnum(-1));
            CHECK(is_eq(call(f, prim_table_ref, 3), fixnum(shadow[k])));
            break;
        default:
            push(f, fixnum((int64_t)i));
            CHECK(is_eq(call(f, prim_table_set, 3), val_bool(shadow[k] < 0)));
            live += shadow[k] < 0;
            shadow[k] = (int64_t)i;
        }
        pop(f);
        CHECK(table_count(f->roots[0]) == live);
        if (below(50) == 0)
            CHECK(collect(f, 0));
        if (below(200) == 0) {
            push(f, f->roots[0]);
            f->roots[0] = call(f, prim_table_copy, 1);
            pop(f);
        }
        if (below(200) == 0)
            table_forget_addresses(f->roots[0]);
    }
    stop(f);
}

static void test_tables(void)
{
    for (int kind = TABLE_EQ; kind <= TABLE_STRING; kind++) {
        table_random((enum table_kind)kind, false, 20000);
        table_random((enum table_kind)kind, true, 400);
    }
    struct fixture *f = start(64 << 20);
    push(f, fixnum(TABLE_EQV));
    call(f, prim_make_table, 1);
    for (int64_t i = 0; i < 100000; i++) {
        push(f, f->roots[0]);
        push(f, fixnum(i * 1024));
        push(f, fixnum(i));
        call(f, prim_table_set, 3);
        pop(f);
    }
    CHECK(table_count(f->roots[0]) == 100000);
    push(f, f->roots[0]);
    val keys = call(f, prim_table_keys, 1);
    bool ordered = vector_length(keys) == 100000;
    for (int64_t i = 0; ordered && i < 100000; i++)
        ordered = is_eq(vector_items(keys)[i], fixnum(i * 1024));
    CHECK(ordered);
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(100000));
    CHECK(is_eq(call(f, prim_table_cursor, 2), FALSE));
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(99999));
    CHECK(is_eq(call(f, prim_table_key_at, 2), fixnum(99999 * 1024)));
    pop(f);
    push(f, f->roots[0]);
    call(f, prim_table_clear, 1);
    CHECK(table_count(f->roots[0]) == 0);
    stop(f);
}

static void test_records(void)
{
    struct fixture *f = start(16 << 20);
    push_symbol(f, "point");
    push_symbol(f, "x");
    push_symbol(f, "y");
    call(f, prim_list, 2);
    call(f, prim_make_record_type, 2); /* 0 */
    push_symbol(f, "point3");
    push_symbol(f, "z");
    call(f, prim_list, 1);
    push(f, f->roots[0]);
    call(f, prim_make_record_type, 3); /* 1 */
    CHECK(record_type_size(f->roots[1]) == 3);
    push(f, f->roots[1]);
    for (int i = 1; i <= 3; i++)
        push(f, fixnum(i));
    call(f, prim_record, 4); /* 2 */
    push(f, f->roots[0]);
    push(f, fixnum(1));
    push(f, fixnum(2));
    call(f, prim_record, 3); /* 3 */
    for (int i = 0; i < 4; i++) {
        push(f, f->roots[2 + i / 2]);
        push(f, f->roots[i % 2]);
        CHECK(is_eq(call(f, prim_is_record, 2), val_bool(i != 3)));
        pop(f);
    }
    push(f, f->roots[3]);
    push(f, f->roots[1]);
    push(f, fixnum(0));
    CHECK(is_eq(call(f, prim_record_ref, 3), RAISE));
    CHECK(message_is(f, "argument 1: expected point3"));
    pop(f);
    push(f, f->roots[2]);
    push(f, f->roots[0]);
    push(f, fixnum(1));
    CHECK(is_eq(call(f, prim_record_ref, 3), fixnum(2)));
    pop(f);
    push(f, f->roots[2]);
    push(f, f->roots[1]);
    push(f, fixnum(3));
    CHECK(is_eq(call(f, prim_record_ref, 3), RAISE));
    pop(f);
    push(f, f->roots[0]);
    push(f, fixnum(1));
    CHECK(is_eq(call(f, prim_record, 2), RAISE) && has_kind(f, CONDITION_ARITY));
    CHECK(message_is(f, "a record of this type has 2 fields, not 1"));
    stop(f);
}

static val raise_everything(struct heap *h, const val *args, size_t n)
{
    (void)n;
    switch (fixnum_value(args[0])) {
    case 0:
        return raise_format(h, CONDITION_ERROR, NIL, "%s-%zu-%d-%c-%%", "a", (size_t)12, -34, 'z');
    case 1:
        return raise_range(h, 1, args[0], 0, 0);
    case 2:
        return raise_divide(h);
    case 3:
        return raise_constant(h, 0, args[0]);
    case 4:
        return raise_text(h, CONDITION_READ, FALSE, 3, 4, "try %s", "%s", "\xce\xbb");
    default:
        return raise_format(h, CONDITION_ERROR, NIL, "%s", "\xff\xfe bad");
    }
}

static void test_conditions(void)
{
    struct fixture *f = start(1 << 20);
    static const char *const messages[] = {
        "a-12--34-z-%",     "argument 2: out of range, there is nothing to choose from",
        "division by zero", "argument 1: a constant cannot be changed",
        "\xce\xbb",         "?? bad"};
    for (int i = 0; i < 6; i++) {
        for (f->stress = false;; f->stress = true) {
            push(f, fixnum(i));
            CHECK(is_eq(call(f, raise_everything, 1), RAISE));
            CHECK(message_is(f, messages[i]));
            pop(f);
            if (f->stress)
                break;
        }
    }
    push_symbol(f, "file-error");
    push_string(f, "no file");
    push(f, NIL);
    val c = call(f, prim_make_condition, 3);
    CHECK(is_type(c, T_CONDITION));
    CHECK(text_is(symbol_name(call(f, prim_condition_kind, 1)), "file-error"));
    stop(f);
}

int main(void)
{
    test_pairs();
    test_circular();
    test_long_lists();
    test_vectors();
    test_bytes();
    test_equal();
    test_tables();
    test_records();
    test_conditions();
    return report();
}
