/* Images: round trip, determinism, sharing, damage. */
#include "../../native/src/code.h"
#include "../../native/src/front.h"
#include "../../native/src/image_format.h"
#include "../../native/src/prim.h"
#include "../../native/src/shape.h"
#include "../../native/src/string.h"
#include "../../native/src/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t passed, failed;
#undef CHECK
#define CHECK(x)                                                                                   \
    ((x) ? (void)passed++ : (void)(failed++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

/* What other modules would bring. A stub of code has no cached words but the last
 * instruction, which stands for one: the address of the literals. */
const struct primitive primitive_table[] = {{"car", NULL, 1, 1, SHORT, "", ""}};
const size_t primitive_count = 1;

static bool has_cached(val code)
{
    return object_raw(code)[CODE_LENGTH] > 0 && object_length(code) >= 8;
}

void code_clear(val code)
{
    if (has_cached(code))
        code_instructions(code)[0] = 0;
}

void code_refresh(val code)
{
    if (has_cached(code))
        code_instructions(code)[0] = object_field(code, CODE_LITERALS).bits;
}

bool code_restore(val code)
{
    code_refresh(code);
    return true;
}

/* The objects here are not all whole. */
bool shape_is_good(val object, struct shape_base base)
{
    (void)base;
    return !is_type(object, T_PRIMITIVE) || object_raw(object)[0] < primitive_count;
}

bool shape_roots_are_good(const val *roots)
{
    return roots != NULL;
}

void table_forget_addresses(val t);
void table_forget_addresses(val t)
{
    (void)t;
}

static val vector(struct heap *h, size_t n)
{
    val v = heap_alloc(h, T_VECTOR, n, 0);
    for (size_t i = 0; i < n; i++)
        object_fields(v)[i] = FALSE;
    return v;
}

static val istring(struct heap *h, const char *text)
{
    val s = heap_alloc_constant(h, T_ISTRING, strlen(text), 0);
    memcpy(object_bytes(s), text, strlen(text));
    return s;
}

static val symbol(struct heap *h, const char *text)
{
    val name = istring(h, text);
    val s = heap_alloc_constant(h, T_SYMBOL, 0, 0);
    object_fields(s)[0] = name;
    object_raw(s)[0] = strlen(text);
    return s;
}

static val plain(struct heap *h, enum type type)
{
    val v = heap_alloc(h, type, 0, 0);
    for (size_t i = 1; i < header_size(object_header(v)) / 8; i++)
        object_words(v)[i] = FALSE.bits;
    return v;
}

static val code(struct heap *h, val literals)
{
    val c = heap_alloc_code(h, T_CODE, 24, 0);
    for (size_t i = 0; i < 6; i++)
        object_fields(c)[i] = FALSE;
    object_fields(c)[CODE_LITERALS] = literals;
    object_raw(c)[CODE_LENGTH] = 3;
    code_refresh(c);
    return c;
}

enum { SLOT_CLOSURE, SLOT_COUNTER, SLOT_BOX, SLOT_STRING, SLOT_BIG, SLOT_NUMBER, SLOT_KEPT };

/* A context with a frozen library, symbols, code, and state of a program. */
static void populate(struct heap *h, size_t noise)
{
    for (size_t i = 0; i < noise; i++)
        (void)!is_eq(heap_cons_constant(h, NIL, NIL), NIL);
    val ready = symbol(h, "ready");
    val name = symbol(h, "name");
    val symbols = vector(h, 10);
    object_fields(symbols)[2] = ready;
    object_fields(symbols)[5] = name;
    h->roots[ROOT_SYMBOLS] = symbols;
    val library = plain(h, T_LIBRARY);
    val environment = plain(h, T_ENVIRONMENT);
    val table = plain(h, T_TABLE);
    val entries = vector(h, 6);
    val literals = heap_alloc_constant(h, T_VECTOR, 2, 0);
    object_fields(literals)[0] = name;
    object_fields(literals)[1] = heap_cons_constant(h, fixnum(1), name);
    val closure = heap_alloc(h, T_CLOSURE, 1, 0);
    object_fields(closure)[0] = code(h, literals);
    object_fields(entries)[0] = name;
    object_fields(entries)[1] = cons(h, TRUE, closure);
    object_fields(table)[0] = entries;
    object_fields(environment)[ENVIRONMENT_TABLE] = table;
    object_fields(environment)[ENVIRONMENT_OWNER] = library;
    object_fields(library)[LIBRARY_STATE] = ready;
    object_fields(library)[LIBRARY_ENVIRONMENT] = environment;
    object_fields(library)[LIBRARY_NAME] = cons(h, name, NIL);
    h->roots[ROOT_LIBRARIES] = table_new(h, TABLE_STRING);
    CHECK(is_eq(
        table_put(h, h->roots[ROOT_LIBRARIES], string_constant_from_utf8(h, "(l)", 3), library),
        TRUE));
    for (size_t i = 0; i <= SLOT_KEPT; i++)
        (void)!is_eq(heap_new_slot(h), NIL);
    val box = plain(h, T_BOX);
    object_fields(box)[0] = fixnum(41);
    val counter = heap_alloc(h, T_CLOSURE, 2, 0);
    object_fields(counter)[0] = code(h, heap_cons_constant(h, box, NIL));
    object_fields(counter)[1] = box;
    val storage = heap_alloc(h, T_STORAGE, 32, 0);
    memset(object_bytes(storage), 0x5a + (int)(noise & 7), 32);
    memcpy(object_bytes(storage), "hello", 5);
    val string = heap_alloc(h, T_STRING, 5, 0);
    object_fields(string)[0] = storage;
    val big = heap_alloc(h, T_VECTOR, 1000, 0);
    for (size_t i = 0; i < 1000; i++)
        object_fields(big)[i] = i % 10 == 0 ? box : fixnum((int64_t)i);
    h->slots[SLOT_CLOSURE] = closure;
    h->slots[SLOT_COUNTER] = counter;
    h->slots[SLOT_BOX] = box;
    h->slots[SLOT_STRING] = string;
    h->slots[SLOT_BIG] = big;
    h->slots[SLOT_NUMBER] = fixnum(12345);
    val flonum = heap_alloc(h, T_FLONUM, 0, 0);
    object_raw(flonum)[0] = 0x7ff8000000000003u;
    h->slots[SLOT_KEPT] = cons(h, flonum, h->slots[SLOT_CLOSURE]);
}

static bool fill(struct heap *h, struct engine *engine, size_t noise)
{
    if (!heap_init(h, engine, (size_t)8 << 20))
        return false;
    populate(h, noise);
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_BOX]), fixnum(1)));
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_CLOSURE]), fixnum(2)));
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_KEPT]), fixnum(3)));
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_BIG]), fixnum(4)));
    return true;
}

static void check_state(struct heap *h)
{
    CHECK(h->slot_count == SLOT_KEPT + 1);
    val counter = h->slots[SLOT_COUNTER];
    val box = h->slots[SLOT_BOX];
    CHECK(is_type(counter, T_CLOSURE) && is_eq(object_field(counter, 1), box));
    CHECK(is_eq(car(object_field(object_field(counter, 0), CODE_LITERALS)), box));
    CHECK(code_instructions(object_field(counter, 0))[0] ==
          object_field(object_field(counter, 0), CODE_LITERALS).bits);
    CHECK(object_length(h->slots[SLOT_STRING]) == 5);
    CHECK(memcmp(object_bytes(object_field(h->slots[SLOT_STRING], 0)), "hello", 5) == 0);
    CHECK(is_eq(object_field(h->slots[SLOT_BIG], 990), box));
    CHECK(is_eq(object_field(h->slots[SLOT_BIG], 999), fixnum(999)));
    CHECK(is_eq(h->slots[SLOT_NUMBER], fixnum(12345)));
    CHECK(object_raw(car(h->slots[SLOT_KEPT]))[0] == 0x7ff8000000000003u);
    val closure = h->slots[SLOT_CLOSURE];
    val literals = object_field(object_field(closure, 0), CODE_LITERALS);
    CHECK(is_eq(cdr(h->slots[SLOT_KEPT]), closure));
    CHECK(is_eq(object_field(literals, 0), object_field(h->roots[ROOT_SYMBOLS], 5)));
    CHECK(code_instructions(object_field(closure, 0))[0] == literals.bits);
    CHECK(is_eq(heap_identity(h, box), fixnum(1)));
    CHECK(is_eq(heap_identity(h, closure), fixnum(2)));
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_KEPT]), fixnum(3)));
    CHECK(is_eq(heap_identity(h, h->slots[SLOT_BIG]), fixnum(4)));
    val key, library;
    size_t at = 0;
    CHECK(library_next(h, &at, &key, &library) && string_length(key) == 3);
    val entries = object_field(
        object_field(object_field(library, LIBRARY_ENVIRONMENT), ENVIRONMENT_TABLE), 0);
    CHECK(is_eq(cdr(object_field(entries, 1)), closure));
    CHECK(!heap_is_mutable(h, literals) && !heap_is_mutable(h, object_field(literals, 1)));
    CHECK(h->image == NULL || !heap_is_mutable(h, h->roots[ROOT_SYMBOLS]));
    CHECK(heap_is_mutable(h, box) && heap_is_mutable(h, h->slots[SLOT_KEPT]));
    CHECK(heap_is_mutable(h, h->slots[SLOT_BIG]));
}

static struct image *make(struct heap *h)
{
    struct image *image;
    char error[200] = "";
    if (image_make(h, &image, error, sizeof error))
        return image;
    printf("image_make: %s\n", error);
    failed++;
    return NULL;
}

static void round_trip(struct engine *engine)
{
    struct heap first, second, a, b;
    uint8_t *bytes[3];
    size_t length[3];
    CHECK(fill(&first, engine, 0));
    (void)!heap_collect_gc(&first, COLLECT_MINOR, 0);
    struct image *image = make(&first);
    check_state(&first); /* the context goes on */
    CHECK(fill(&second, engine, 333));
    struct image *other = make(&second);
    CHECK(image_bytes(image, &bytes[0], &length[0]) && image_bytes(other, &bytes[1], &length[1]));
    CHECK(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0);
    heap_free_all(&first);
    heap_free_all(&second);
    image_free(other);
    CHECK(heap_init(&a, engine, (size_t)1 << 20) && image_instantiate(&a, image));
    CHECK(heap_init(&b, engine, (size_t)1 << 20) && image_instantiate(&b, image));
    CHECK(a.image == image && a.serial == 5);
    check_state(&a);
    CHECK(is_eq(a.slots[SLOT_CLOSURE], b.slots[SLOT_CLOSURE])); /* shared */
    CHECK(!is_eq(a.slots[SLOT_BOX], b.slots[SLOT_BOX]));        /* private */
    CHECK(is_eq(a.roots[ROOT_SYMBOLS], image_symbols(image)));
    val box = a.slots[SLOT_BOX];
    heap_store(&a, box, object_fields(box), cons(&a, fixnum(9), NIL));
    (void)!heap_collect_gc(&a, COLLECT_MINOR, 0);
    (void)!heap_collect_gc(&a, COLLECT_FULL, 0);
    check_state(&a);
    CHECK(is_eq(car(object_field(box, 0)), fixnum(9)));
    check_state(&b);
    CHECK(is_eq(object_field(b.slots[SLOT_BOX], 0), fixnum(41)));
    struct image *again = make(&b);
    CHECK(image_bytes(again, &bytes[2], &length[2]));
    CHECK(length[0] == length[2] && memcmp(bytes[0], bytes[2], length[0]) == 0);
    for (size_t i = 0; i < 3; i++)
        alloc_free(bytes[i]);
    a.slots[SLOT_COUNTER] = a.slots[SLOT_BIG] = a.slots[SLOT_KEPT] = FALSE;
    (void)!heap_collect_gc(&a, COLLECT_FULL, 0);
    heap_free_all(&a);
    CHECK(a.used == 0);
    image_free(again);
    heap_free_all(&b);
    image_free(image);
}

/* Small limits: instantiate refuses, nothing leaks. */
static void no_room(struct engine *engine)
{
    struct heap h;
    CHECK(fill(&h, engine, 0));
    val big = heap_alloc(&h, T_VECTOR, 10000, 0);
    for (size_t i = 0; i < 10000; i++)
        object_fields(big)[i] = NIL;
    h.slots[SLOT_KEPT] = big;
    struct image *image = make(&h);
    heap_free_all(&h);
    CHECK(heap_init(&h, engine, (size_t)96 << 10) && !image_instantiate(&h, image));
    heap_free_all(&h);
    for (size_t i = 1; i < 8; i++) {
        CHECK(heap_init(&h, engine, (size_t)1 << 20));
        h.fail_after = i;
        bool ok = image_instantiate(&h, image);
        CHECK(ok == (h.fail_after != 0));
        heap_free_all(&h);
    }
    image_free(image);
}

static void refused(struct engine *engine)
{
    struct heap h;
    struct image *image;
    char error[100], tiny[5];
    CHECK(fill(&h, engine, 0));
    val foreign = heap_alloc(&h, T_FOREIGN, 0, 0);
    object_raw(foreign)[0] = 7;
    h.slots[SLOT_KEPT] = foreign;
    CHECK(!image_make(&h, &image, error, sizeof error) && image == NULL);
    CHECK(strcmp(error, "an object of the host cannot be saved") == 0);
    CHECK(!image_make(&h, &image, tiny, sizeof tiny) && strcmp(tiny, "an o") == 0);
    CHECK(!image_make(&h, &image, NULL, 0));
    h.slots[SLOT_KEPT] = FALSE;
    heap_free_all(&h);
}

/* Load, and if that works use what came out of it. */
static bool try_bytes(struct engine *engine, const uint8_t *bytes, size_t length, char *error)
{
    struct image *image;
    if (!image_load(engine, bytes, length, &image, error, 200))
        return false;
    struct heap h;
    if (heap_init(&h, engine, (size_t)1 << 20)) {
        if (image_instantiate(&h, image)) {
            (void)!heap_collect_gc(&h, COLLECT_MINOR, 0);
            (void)!heap_collect_gc(&h, COLLECT_FULL, 0);
        }
        heap_free_all(&h);
    }
    image_free(image);
    return true;
}

static void damage(struct engine *engine)
{
    struct heap h;
    uint8_t *bytes;
    size_t length, loaded = 0, survived = 0;
    char error[200];
    CHECK(fill(&h, engine, 0));
    h.slots[SLOT_BIG] = FALSE;
    struct image *image = make(&h);
    heap_free_all(&h);
    CHECK(image_bytes(image, &bytes, &length));
    image_free(image);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= (uint8_t)(1 + i % 255);
        loaded += try_bytes(engine, bytes, length, error);
        bytes[i] ^= (uint8_t)(1 + i % 255);
    }
    CHECK(loaded == 0);
    for (size_t i = 0; i < length; i += 1 + i % 7)
        loaded += try_bytes(engine, bytes, i, error);
    CHECK(loaded == 0);
    /* with the checksum made good: refused or harmless */
    for (size_t i = 0; i + 8 < length; i++) {
        uint8_t was = bytes[i];
        for (unsigned way = 0; way < 3; way++) {
            bytes[i] = (uint8_t)(way == 0 ? was ^ 1 : way == 1 ? was + 16 : 0xff);
            uint64_t sum = image_checksum(bytes, length - 8);
            memcpy(bytes + length - 8, &sum, 8);
            survived += try_bytes(engine, bytes, length, error);
        }
        bytes[i] = was;
    }
    printf("mutants that load: %zu of %zu\n", survived, 3 * (length - 8));
    uint64_t sum = image_checksum(bytes, length - 8);
    memcpy(bytes + length - 8, &sum, 8);
    CHECK(try_bytes(engine, bytes, length, error));
    bytes[16] ^= 1; /* fingerprint */
    sum = image_checksum(bytes, length - 8);
    memcpy(bytes + length - 8, &sum, 8);
    CHECK(!try_bytes(engine, bytes, length, error));
    CHECK(memcmp(error, "the image was made by another engine", 36) == 0);
    alloc_free(bytes);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void figures(struct engine *engine)
{
    struct heap h;
    CHECK(fill(&h, engine, 0));
    val list = NIL;
    for (size_t i = 0; i < 20000; i++)
        list = heap_cons_constant(&h, fixnum((int64_t)i), list);
    h.slots[SLOT_NUMBER] = list;
    list = NIL;
    for (size_t i = 0; i < 1500; i++) {
        val p = cons(&h, fixnum((int64_t)i), list);
        if (is_eq(p, RETRY)) {
            h.slots[SLOT_KEPT] = list;
            (void)!heap_collect_gc(&h, COLLECT_MINOR, 0);
            p = cons(&h, fixnum((int64_t)i), h.slots[SLOT_KEPT]);
        }
        list = p;
    }
    h.slots[SLOT_KEPT] = list;
    double t = now();
    struct image *image = make(&h);
    printf("image_make: %.1f ms\n", (now() - t) * 1e3);
    size_t shared, private_part;
    image_sizes(image, &shared, &private_part);
    heap_free_all(&h);
    t = now();
    for (size_t i = 0; i < 1000; i++) {
        if (heap_init(&h, engine, (size_t)8 << 20) && image_instantiate(&h, image))
            heap_free_all(&h);
    }
    printf("instantiate and free: %.2f us (shared %zu, private %zu bytes)\n", (now() - t) * 1e3,
           shared, private_part);
    image_free(image);
}

int main(int argc, char **argv)
{
    (void)argv;
    struct engine *engine = engine_new();
    round_trip(engine);
    no_room(engine);
    refused(engine);
    damage(engine);
    if (argc > 1)
        figures(engine);
    engine_free(engine);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
