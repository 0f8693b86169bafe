/* Snapshots with damage that the checksum does not show: the input is a list of
 * patches (offset of three bytes, new byte) to the snapshot of a small run, whose
 * checksum is made right again, and a cut. Loading must be safe, and so must asking
 * what the run waits for and where it stands, and saving it again; running is out of
 * scope. */
#include "harness.h"
#include "snapshot_format.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *whole;
static size_t whole_length;
static cb_event event = {.size = sizeof event};

static cb_status save(cb_context *c, cb_run *run, uint8_t **out, size_t *length)
{
    static const uint64_t foreign[] = {77};
    uint64_t refused;
    char error[512];
    return cb_snapshot(c, run, foreign, 1, out, length, &refused, error, sizeof error);
}

/* {kind byte 3 or 0, id} as a packed handle. */
static const uint8_t host[] = {0xc7, 13, 9, 3, 0, 0, 0, 0, 0, 0, 0, 9, 0xa3, 'a', 's', 'k'};
static const uint8_t object[] = {0xc7, 10, 9, 0, 0, 0, 0, 0, 0, 0, 0, 77, 0xc0};

static const char program[] =
    "(import (scheme base) (scheme lazy) (scheme write) (srfi 69))"
    "(define k #f) (define t (make-hash-table)) (define p (list 1 2.5 1/2 \"abc\" #\\x))"
    "(hash-table-set! t p 'value) (hash-table-set! t \"key\" (expt 7 70))"
    "(define-record-type point (make-point x y) point? (x x-of) (y y-of)) (define r (make-point t "
    "'sym))"
    "(define o (open-output-string)) (write p o) (define i (open-input-string \"(1 2)\"))"
    "(define (f n) (if (= n 0) (begin (call/cc (lambda (c) (set! k c))) (ask n p r o thing)) (+ 1 "
    "(f (- n 1)))))"
    "(define (g x y) (let ((z (vector x y k))) (display z) (cons (f 30) z)))"
    "(guard (e (#t e)) (dynamic-wind (lambda () 1) (lambda () (g p (delay (f 1)))) (lambda () 2)))"
    "(define later (f 2))";

static void make_whole(void)
{
    cb_context *c = fuzz_context(32 << 20);
    cb_budget budget = {
        .size = sizeof budget, .fuel = UINT64_MAX, .output = 1 << 20, .slice = 1 << 24};
    MUST(cb_run_source(c, "(import (scheme base))", 22, "t", 1, &budget, &event) == CB_OK);
    MUST(cb_define(c, "ask", 3, host, sizeof host) == CB_OK);
    MUST(cb_define(c, "thing", 5, object, sizeof object) == CB_OK);
    MUST(cb_run_source(c, program, sizeof program - 1, "t", 1, &budget, &event) == CB_OK);
    MUST(event.kind == CB_HOST_CALL);
    MUST(save(c, event.run, &whole, &whole_length) == CB_OK);
    cb_context_free(c);
}

static void reseal(uint8_t *bytes, size_t length)
{
    struct snapshot_header header;
    if (length < sizeof header + 8)
        return;
    memcpy(&header, bytes, sizeof header);
    header.length = length;
    memcpy(bytes, &header, sizeof header);
    uint64_t sum = image_checksum(bytes, length - 8);
    memcpy(bytes + length - 8, &sum, 8);
}

static void use(cb_context *c, cb_run *run)
{
    uint8_t *again;
    size_t length;
    (void)cb_advance(c, run, 0, &event);
    (void)cb_backtrace(c, run, &event);
    (void)cb_set_libraries(c, NULL, 0);
    if (save(c, run, &again, &length) == CB_OK)
        cb_bytes_free(again);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    char error[256];
    cb_limits limits = {.size = sizeof limits, .memory = 32 << 20};
    cb_budget budget = {.size = sizeof budget, .fuel = UINT64_MAX, .output = 1 << 20};
    cb_context *c = NULL;
    if (!whole)
        make_whole();
    uint8_t *bytes = malloc(whole_length);
    if (!bytes || size < 2) {
        free(bytes);
        return;
    }
    memcpy(bytes, whole, whole_length);
    size_t length = whole_length;
    if (data[0] == 0xff)
        length = whole_length - size_min(whole_length, (size_t)data[1] * 8);
    for (size_t i = 2; i + 4 <= size; i += 4) {
        size_t at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % whole_length;
        bytes[at] = data[i + 3];
    }
    reseal(bytes, length);
    if (cb_restore(fuzz_engine(), fuzz_image(), &limits, &budget, bytes, length, &c, &event, error,
                   sizeof error) == CB_OK) {
        use(c, event.run);
        cb_context_free(c);
    }
    free(bytes);
}
