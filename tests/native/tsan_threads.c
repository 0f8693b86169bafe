/* Contexts on many threads under ThreadSanitizer: `bash tests/jobs.sh tsan`.
 *
 * What threads may share is an engine and its images; what each advances is its
 * own. So: contexts made, run and freed side by side; contexts freed by another
 * thread than the one that made them; interrupts from outside while a run goes on
 * and when none does; images made from contexts while others are instantiated; one
 * context that several threads want at once, of which all but one get CB_BUSY. */
#include "chibi_bridge.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 60, SLICE = 1 << 16 };

static atomic_size_t passed, failed;
#define CHECK(x)                                                                                   \
    ((x) ? (void)atomic_fetch_add(&passed, 1)                                                      \
         : (void)(atomic_fetch_add(&failed, 1), printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

static cb_engine *engine;
static cb_image *boot;

static const char *const programs[] = {
    "(import (scheme base) (srfi 1)) (fold + 0 (map (lambda (x) (* x x)) (iota 200)))",
    "(import (scheme base) (srfi 69)) (define t (make-hash-table))"
    "(let loop ((i 0)) (when (< i 300) (hash-table-set! t i (list i)) (loop (+ i 1))))",
    "(import (scheme base)) (map (lambda (i) (string->symbol (number->string i))) '(1 2 3 4 5))",
    "(import (scheme base)) (guard (e (#t 'caught)) (vector-ref (vector 1 2) 7))",
    "(import (scheme base) (scheme write)) (call/cc (lambda (k) (write 'out) (k (expt 3 400))))",
    "(import (scheme base)) (define-record-type p (make-p a) p? (a p-a)) (p-a (make-p \"text\"))",
};

static cb_image *read_boot(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t n = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(n);
    cb_image *image = NULL;
    char error[200];
    if (bytes && fread(bytes, 1, n, file) == n &&
        cb_image_load(engine, bytes, n, &image, error, sizeof error) != CB_OK)
        printf("%s: %s\n", path, error);
    free(bytes);
    fclose(file);
    return image;
}

static cb_context *context_of(cb_image *image)
{
    cb_limits limits = {.size = sizeof limits, .memory = 8 << 20};
    cb_context *c = NULL;
    CHECK(cb_context_new(engine, image, &limits, &c) == CB_OK);
    return c;
}

/* Run a text to its end; the kind it ends with. */
static uint32_t run(cb_context *c, const char *text, uint64_t fuel)
{
    cb_budget budget = {.size = sizeof budget, .fuel = fuel, .output = 4096, .slice = SLICE};
    cb_event event = {.size = sizeof event};
    cb_status status = cb_run_source(c, text, strlen(text), "t", 1, &budget, &event);
    while (status == CB_OK && event.run && event.kind == CB_PAUSED)
        status = cb_advance(c, event.run, SLICE, &event);
    return status == CB_OK ? event.kind : UINT32_MAX;
}

static void *run_programs(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < ROUNDS; i++) {
        cb_context *c = context_of(boot);
        CHECK(run(c, programs[i % (sizeof programs / sizeof *programs)], UINT64_MAX) == CB_DONE);
        cb_context_free(c);
    }
    return NULL;
}

/* Contexts handed from the thread that makes them to the one that frees them. */
static _Atomic(cb_context *) handed;

static void *hand_over(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < ROUNDS; i++) {
        cb_context *c = context_of(boot);
        CHECK(run(c, programs[0], UINT64_MAX) == CB_DONE);
        cb_context_free(atomic_exchange(&handed, c));
    }
    return NULL;
}

struct target {
    cb_context *context;
    atomic_bool over;
};

static void *interrupt_often(void *argument)
{
    struct target *t = argument;
    for (uint64_t serial = 1; !atomic_load(&t->over); serial = serial % 200 + 1)
        CHECK(cb_interrupt(t->context, serial) == CB_OK);
    return NULL;
}

static void test_interrupts(void)
{
    struct target target = {.context = context_of(boot)};
    pthread_t thread;
    CHECK(run(target.context, "(import (scheme base))", UINT64_MAX) == CB_DONE);
    pthread_create(&thread, NULL, interrupt_often, &target);
    size_t interrupted = 0;
    for (size_t i = 0; i < ROUNDS; i++)
        interrupted += run(target.context, "(let loop () (loop))", 1 << 24) == CB_INTERRUPTED;
    atomic_store(&target.over, true);
    pthread_join(thread, NULL);
    CHECK(interrupted > 0);
    CHECK(run(target.context, "(+ 1 2)", UINT64_MAX) == CB_DONE);
    cb_context_free(target.context);
}

static void *want_one(void *argument)
{
    struct target *t = argument;
    for (size_t i = 0; i < ROUNDS * 10; i++) {
        uint32_t kind = run(t->context, "(+ 1 2)", UINT64_MAX);
        CHECK(kind == CB_DONE || kind == UINT32_MAX);
    }
    return NULL;
}

/* A frozen context, instantiated by all while its own thread frees and makes images. */
static void *freeze_often(void *unused)
{
    (void)unused;
    char error[200];
    for (size_t i = 0; i < ROUNDS / 6; i++) {
        cb_context *c = context_of(boot);
        CHECK(run(c, "(import (scheme base)) (define (f x) (list x x))", UINT64_MAX) == CB_DONE);
        cb_image *image = NULL;
        CHECK(cb_image_make(c, &image, error, sizeof error) == CB_OK);
        cb_context_free(c);
        cb_context *again = context_of(image);
        cb_image_free(image);
        CHECK(run(again, "(f 1)", UINT64_MAX) == CB_DONE);
        cb_context_free(again);
    }
    return NULL;
}

static void in_parallel(void *(*work)(void *), void *argument)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, argument);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    CHECK(cb_engine_new(&engine) == CB_OK);
    boot = read_boot(argc > 1 ? argv[1] : "chibi_bridge/_native/boot.img");
    if (!boot)
        return 2;
    in_parallel(run_programs, NULL);
    in_parallel(hand_over, NULL);
    cb_context_free(atomic_exchange(&handed, NULL));
    in_parallel(freeze_often, NULL);
    struct target wanted = {.context = context_of(boot)};
    CHECK(run(wanted.context, "(import (scheme base))", UINT64_MAX) == CB_DONE);
    in_parallel(want_one, &wanted);
    cb_context_free(wanted.context);
    test_interrupts();
    cb_image_free(boot);
    cb_engine_free(engine);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
