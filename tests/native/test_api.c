/* The public interface, on bare contexts: statuses, events, states, limits,
 * failures at every allocation, two threads. */
#include "chibi_bridge.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t passed, failed;
#undef CHECK
#define CHECK(x)                                                                                   \
    ((x) ? (void)passed++ : (void)(failed++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

static cb_engine *engine;
static const cb_budget budget = {sizeof budget, 0, 1000000, 1 << 20, UINT64_MAX};
static cb_event event = {.size = sizeof event};

static cb_status boot(cb_context *c, const char *text)
{
    return cb_boot_unit(c, text, strlen(text), "t.scm", 5, &event);
}

/* A bare context whose program sees the primitives. */
static cb_context *context_new(size_t memory)
{
    cb_limits limits = {.size = sizeof limits, .memory = memory};
    cb_context *c = NULL;
    CHECK(cb_context_new(engine, NULL, &limits, &c) == CB_OK && c);
    CHECK(boot(c, "(%set-top-environment! (%make-environment (%core-environment)))") == CB_OK);
    return c;
}

static cb_status apply(cb_context *c, const char *name, const char *args, size_t n,
                       const cb_budget *b)
{
    uint8_t target[40];
    size_t length = strlen(name);
    target[0] = 0xc7;
    target[1] = (uint8_t)length;
    target[2] = 1;
    memcpy(target + 3, name, length);
    return cb_run_apply(c, target, length + 3, (const uint8_t *)args, n, b, &event);
}

static bool data_is(const char *bytes, size_t n)
{
    return event.length == n && memcmp(event.data, bytes, n) == 0;
}

/* The kind of the packed condition: what stands behind the extension's head. */
static bool condition_is(const char *kind)
{
    size_t n = strlen(kind);
    return event.kind == CB_RAISED && event.length > 8 + n && event.data[5] == 13 &&
           memcmp(event.data + 8, kind, n) == 0;
}

static void test_arguments(void)
{
    cb_context *c = NULL;
    cb_image *image = NULL;
    char error[20];
    cb_limits limits = {.size = sizeof limits, .memory = 4 << 20};
    cb_limits small = {.size = sizeof limits, .memory = 100};
    cb_event tiny = {.size = 4};
    CHECK(cb_engine_new(NULL) == CB_BAD_ARGUMENT);
    CHECK(cb_context_new(NULL, NULL, &limits, &c) == CB_BAD_ARGUMENT && !c);
    CHECK(cb_context_new(engine, NULL, NULL, &c) == CB_BAD_ARGUMENT);
    CHECK(cb_context_new(engine, NULL, &small, &c) == CB_BAD_ARGUMENT);
    CHECK(cb_context_new(engine, NULL, &limits, NULL) == CB_BAD_ARGUMENT);
    CHECK(cb_image_load(engine, NULL, 0, &image, error, 20) == CB_BAD_ARGUMENT);
    CHECK(cb_image_load(engine, (const uint8_t *)"nonsense", 8, &image, error, 20) == CB_BAD_DATA);
    CHECK(!image && error[0]);
    CHECK(cb_image_bytes(NULL, NULL, NULL) == CB_BAD_ARGUMENT);
    CHECK(cb_run_source(NULL, "", 0, NULL, 0, &budget, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_interrupt(NULL, 1) == CB_BAD_ARGUMENT);
    CHECK(cb_output(NULL, 0, NULL, NULL) == CB_BAD_ARGUMENT);
    cb_context_free(NULL);
    cb_image_free(NULL);
    cb_engine_free(NULL);
    cb_bytes_free(NULL);
    c = context_new(4 << 20);
    CHECK(cb_run_source(c, NULL, 1, NULL, 0, &budget, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_run_source(c, "", 0, NULL, 0, NULL, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_run_source(c, "", 0, NULL, 0, &budget, &tiny) == CB_BAD_ARGUMENT);
    CHECK(cb_run_source(c, "1", 1, NULL, 0, &budget, &event) == CB_BAD_STATE);
    CHECK(cb_advance(c, NULL, 1, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_advance(c, (cb_run *)&tiny, 1, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_abandon(c, (cb_run *)&tiny) == CB_BAD_ARGUMENT);
    CHECK(cb_answer(c, (cb_run *)&tiny, (const uint8_t *)"\1", 1, 1, &event) == CB_BAD_ARGUMENT);
    CHECK(cb_output(c, 2, NULL, NULL) == CB_BAD_ARGUMENT);
    CHECK(cb_release(c, NULL, 1) == CB_BAD_ARGUMENT);
    CHECK(cb_release(c, (const uint64_t[]){1, UINT64_MAX}, 2) == CB_OK);
    cb_context_free(c);
}

static void test_runs(void)
{
    cb_context *c = context_new(8 << 20);
    CHECK(boot(c, "(cons 1 (cons 2 '()))") == CB_OK && event.kind == CB_DONE);
    CHECK(data_is("\x92\1\2", 3) && !event.run && event.usable == 1);
    CHECK(boot(c, "(car 5)") == CB_OK && condition_is("wrong-type"));
    CHECK(boot(c, "(car") == CB_OK && condition_is("read-error"));
    CHECK(boot(c, "(if)") == CB_OK && condition_is("compile-error"));
    CHECK(boot(c, "\xff") == CB_BAD_DATA || event.kind == CB_RAISED);
    CHECK(apply(c, "car", "\x91\x92\1\2", 4, &budget) == CB_OK && data_is("\1", 1));
    CHECK(event.fuel_used < 100);
    CHECK(apply(c, "nothing-of-that-name", "\x90", 1, &budget) == CB_NOT_FOUND);
    CHECK(apply(c, "if", "\x90", 1, &budget) == CB_NOT_FOUND);
    CHECK(apply(c, "car", "\x91\xc1", 2, &budget) == CB_BAD_DATA && event.length > 1);
    CHECK(apply(c, "car", "\1", 1, &budget) == CB_BAD_DATA);
    CHECK(apply(c, "car", "\x90", 1, &budget) == CB_OK && condition_is("wrong-arity"));
    /* a procedure that came out, applied by its handle */
    CHECK(cb_lookup(c, "cdr", 3, &event) == CB_OK && event.length > 15);
    uint8_t target[64];
    size_t n = event.length;
    memcpy(target, event.data, n);
    CHECK(cb_run_apply(c, target, n, (const uint8_t *)"\x91\x92\1\2", 4, &budget, &event) == CB_OK);
    CHECK(data_is("\x91\2", 2));
    uint64_t id = target[14];
    CHECK(cb_release(c, &id, 1) == CB_OK);
    CHECK(cb_run_apply(c, target, n, (const uint8_t *)"\x90", 1, &budget, &event) == CB_NOT_FOUND);
    CHECK(cb_lookup(c, "nothing", 7, &event) == CB_NOT_FOUND);
    CHECK(cb_define(c, "x", 1, (const uint8_t *)"\x93\1\2\3", 4) == CB_OK);
    CHECK(cb_lookup(c, "x", 1, &event) == CB_OK && data_is("\x93\1\2\3", 4));
    CHECK(cb_define(c, "x", 1, (const uint8_t *)"\xc1", 1) == CB_BAD_DATA);
    CHECK(cb_define(c, "\xff", 1, (const uint8_t *)"\1", 1) == CB_BAD_DATA);
    CHECK(cb_names(c, "x", 1, &event) == CB_OK && data_is("\x91\xa1x", 3));
    CHECK(cb_names(c, NULL, 0, &event) == CB_OK && event.length > 1000);
    CHECK(cb_set_libraries(c, NULL, 0) == CB_OK);
    CHECK(cb_set_libraries(c, (const uint8_t *)"\x91\xa5(a b)", 7) == CB_OK);
    CHECK(cb_set_libraries(c, (const uint8_t *)"\x91\1", 2) == CB_BAD_DATA);
    cb_stats stats = {.size = sizeof stats};
    CHECK(cb_stats_get(c, &stats) == CB_OK && stats.used > 0 && stats.used <= stats.limit);
    cb_context_free(c);
}

static void test_host_calls(void)
{
    cb_context *c = context_new(8 << 20);
    CHECK(boot(c, "(cons 7 (%host-call 'op \"a\" 2))") == CB_OK && event.kind == CB_HOST_CALL);
    CHECK(data_is("\x93\xc7\2\1op\xa1"
                  "a\2",
                  9));
    cb_run *run = event.run;
    CHECK(run != NULL);
    CHECK(cb_advance(c, run, 100, &event) == CB_BAD_STATE);
    CHECK(cb_answer(c, run, (const uint8_t *)"\xc1", 1, 100, &event) == CB_BAD_DATA);
    CHECK(cb_backtrace(c, run, &event) == CB_OK && event.length > 0);
    CHECK(cb_answer(c, run, (const uint8_t *)"\x91\3", 2, 0, &event) == CB_OK);
    CHECK(event.kind == CB_PAUSED && event.run == run);
    CHECK(cb_answer(c, run, (const uint8_t *)"\1", 1, 0, &event) == CB_BAD_STATE);
    CHECK(cb_advance(c, run, 100000, &event) == CB_OK && event.kind == CB_DONE);
    CHECK(data_is("\x92\7\3", 3));
    CHECK(cb_advance(c, run, 100, &event) == CB_BAD_ARGUMENT);
    CHECK(boot(c, "(%host-call 'op)") == CB_OK && event.kind == CB_HOST_CALL);
    CHECK(cb_answer_error(c, event.run, (const uint8_t *)"\x90", 1, 1, &event) == CB_BAD_DATA);
    static const char error[] = "\x94\xaahost-error\xa2no\x91\1\xc0";
    run = event.run;
    CHECK(run == NULL);
    cb_context_free(c);
    c = context_new(8 << 20);
    CHECK(boot(c, "(%host-call 'op)") == CB_OK && event.kind == CB_HOST_CALL);
    run = event.run;
    /* without boot there is no handler: the raise itself cannot go on, but ends */
    CHECK(cb_answer_error(c, run, (const uint8_t *)error, sizeof error - 1, 100000, &event) ==
          CB_OK);
    CHECK(event.run == NULL && event.kind != CB_DONE);
    CHECK(boot(c, "(%host-call 'op)") == CB_OK && event.kind == CB_HOST_CALL);
    CHECK(cb_abandon(c, event.run) == CB_OK);
    /* a cyclic argument goes as a handle */
    CHECK(boot(c, "((lambda (l) (set-cdr! l l) (%host-call 'op l 5)) (list 1))") == CB_OK);
    CHECK(event.kind == CB_HOST_CALL && event.data[event.length - 1] == 5);
    cb_context_free(c);
}

static void test_limits(void)
{
    cb_context *c = context_new(2 << 20);
    cb_budget little = budget;
    little.fuel = 2000;
    CHECK(
        boot(c,
             "(%set-root! 4 (lambda (text file written) "
             "(letrec ((loop (lambda (n) (if (eq? n 0) 'done (loop (- n 1)))))) (loop text))))") ==
        CB_OK);
    CHECK(event.kind == CB_DONE);
    CHECK(boot(c, "(letrec ((loop (lambda (l) (loop (cons (make-vector 1000) l))))) (loop '()))") ==
          CB_OK);
    CHECK(event.kind == CB_OUT_OF_MEMORY && event.usable && !event.run);
    CHECK(boot(c, "(letrec ((deep (lambda (n) (+ 1 (deep n))))) (deep 1))") == CB_OK);
    CHECK(event.kind == CB_OUT_OF_MEMORY && event.usable);
    CHECK(boot(c, "(cons 1 '())") == CB_OK && event.kind == CB_DONE);
    /* fuel and slices: a run_source whose eval procedure is a loop over its text */
    cb_status s = cb_run_source(c, "x", 1, NULL, 0, &little, &event);
    CHECK(s == CB_OK && event.kind == CB_RAISED);
    CHECK(boot(c, "(%set-root! 4 (lambda (text file written) "
                  "(letrec ((loop (lambda (n) (loop (+ n 1))))) (loop 0))))") == CB_OK);
    CHECK(cb_run_source(c, "x", 1, "f", 1, &little, &event) == CB_OK);
    CHECK(event.kind == CB_OUT_OF_FUEL && event.fuel_used == 2000 && !event.run);
    little.slice = 0;
    CHECK(cb_run_source(c, "x", 1, "f", 1, &little, &event) == CB_OK);
    CHECK(event.kind == CB_PAUSED && event.run && event.fuel_used == 0);
    cb_run *first = event.run;
    CHECK(cb_run_source(c, "x", 1, "f", 1, &little, &event) == CB_OK && event.run != first);
    cb_run *second = event.run;
    uint64_t serial = event.serial;
    size_t steps = 0;
    while (cb_advance(c, first, 100, &event) == CB_OK && event.kind == CB_PAUSED && steps < 1000)
        steps++;
    CHECK(event.kind == CB_OUT_OF_FUEL && steps >= 15 && steps <= 21);
    CHECK(cb_interrupt(c, serial + 7) == CB_OK);
    CHECK(cb_advance(c, second, 100, &event) == CB_OK && event.kind == CB_PAUSED);
    CHECK(cb_interrupt(c, serial) == CB_OK);
    CHECK(cb_advance(c, second, 100, &event) == CB_OK && event.kind == CB_INTERRUPTED);
    CHECK(cb_abandon(c, second) == CB_BAD_ARGUMENT);
    cb_context_free(c);
}

static void test_image(void)
{
    cb_context *c = context_new(8 << 20);
    cb_context *d = NULL;
    cb_image *image = NULL, *copy = NULL;
    uint8_t *bytes = NULL;
    size_t n;
    char error[200];
    cb_limits limits = {.size = sizeof limits, .memory = 8 << 20};
    CHECK(cb_define(c, "x", 1, (const uint8_t *)"\x92\1\2", 3) == CB_OK);
    CHECK(boot(c, "(%host-call 'op)") == CB_OK && event.kind == CB_HOST_CALL);
    CHECK(cb_image_make(c, &image, error, sizeof error) == CB_BAD_STATE && error[0]);
    CHECK(cb_abandon(c, event.run) == CB_OK);
    CHECK(cb_image_make(c, &image, error, sizeof error) == CB_OK);
    CHECK(cb_image_bytes(image, &bytes, &n) == CB_OK && n > 1000);
    CHECK(cb_image_load(engine, bytes, n, &copy, error, sizeof error) == CB_OK);
    cb_bytes_free(bytes);
    CHECK(cb_context_new(engine, copy, &limits, &d) == CB_OK);
    cb_image_free(image);
    cb_image_free(copy); /* the context holds it */
    cb_context_free(c);
    CHECK(cb_lookup(d, "x", 1, &event) == CB_OK && data_is("\x92\1\2", 3));
    CHECK(apply(d, "cdr", "\x91\x92\1\2", 4, &budget) == CB_OK && data_is("\x91\2", 2));
    cb_context_free(d);
}

static void test_failures(void)
{
    for (uint64_t n = 1; n < 400; n += n < 60 ? 1 : 13) {
        cb_context *c = context_new(4 << 20);
        for (uint32_t persist = 0; persist < 2; persist++) {
            cb_limits limits = {
                .size = sizeof limits, .memory = 4 << 20, .fail_after = n, .fail_persist = persist};
            CHECK(cb_set_limits(c, &limits) == CB_OK);
            cb_status s = boot(c, "(%host-call 'op (vector 1 2 \"abc\" car 3.5 (list 1 'x)))");
            CHECK(s == CB_OK || s == CB_NO_MEMORY);
            if (s == CB_OK && event.kind == CB_HOST_CALL)
                s = cb_answer(c, event.run, (const uint8_t *)"\x91\xa3xyz", 5, 100000, &event);
            s = apply(c, "list", "\x92\xa1x\xc7\1\1y", 7, &budget);
            CHECK(s == CB_OK || s == CB_NO_MEMORY);
            s = cb_define(c, "some-name", 9, (const uint8_t *)"\x91\1", 2);
            CHECK(s == CB_OK || s == CB_NO_MEMORY);
            limits.fail_after = limits.fail_persist = 0;
            CHECK(cb_set_limits(c, &limits) == CB_OK);
            if (event.usable)
                CHECK(apply(c, "car", "\x91\x92\1\2", 4, &budget) == CB_OK && data_is("\1", 1));
        }
        cb_context_free(c);
    }
}

static void test_stress(void)
{
    cb_context *c = context_new(8 << 20);
    cb_limits limits = {.size = sizeof limits, .memory = 8 << 20, .gc_stress = 1};
    CHECK(cb_set_limits(c, &limits) == CB_OK);
    for (int i = 0; i < 50; i++) {
        CHECK(apply(c, "list", "\x92\xa1x\x92\1\xc7\1\1y", 9, &budget) == CB_OK);
        CHECK(data_is("\x92\xa1x\x92\1\xc7\1\1y", 9));
    }
    cb_context_free(c);
}

static void *hammer(void *argument)
{
    cb_context *c = argument;
    size_t *busy = calloc(1, sizeof *busy);
    for (int i = 0; i < 20000; i++) {
        cb_event mine = {.size = sizeof mine};
        cb_status s = cb_run_apply(c, (const uint8_t *)"\xc7\3\1car", 6,
                                   (const uint8_t *)"\x91\x92\1\2", 4, &budget, &mine);
        *busy += s == CB_BUSY;
        if (s != CB_BUSY && (s != CB_OK || mine.kind != CB_DONE))
            *busy = SIZE_MAX / 2;
        cb_interrupt(c, 1);
    }
    return busy;
}

static void test_threads(void)
{
    cb_context *c = context_new(8 << 20);
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, hammer, c);
    for (size_t i = 0; i < 3; i++) {
        void *busy;
        pthread_join(threads[i], &busy);
        CHECK(*(size_t *)busy <= 20000);
        free(busy);
    }
    cb_context_free(c);
}

int main(void)
{
    CHECK(cb_engine_new(&engine) == CB_OK);
    CHECK(cb_version() > 0 && cb_abi() > 0 && cb_fingerprint()[0]);
    test_arguments();
    test_runs();
    test_host_calls();
    test_limits();
    test_image();
    test_failures();
    test_stress();
    test_threads();
    cb_engine_free(engine);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
