/* Any bytes as text: read from a port until the end, and what was read is written
 * and read again; the second text is the first one. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char setup[] =
    "(import (scheme read))"
    "(define (text x) (let ((p (open-output-string))) (write x p) (get-output-string p)))"
    "(define (again s) (read (open-input-string s)))"
    "(define (check s)"
    "  (let ((p (open-input-string s)))"
    "    (let loop ((n 0))"
    "      (let ((x (read p)))"
    "        (if (eof-object? x) n"
    "            (let* ((one (text x)) (two (text (again one))))"
    "              (if (string=? one two) (loop (+ n 1)) (list 'broken one two))))))))";

static const struct fuzz_limits limits = {8 << 20, 300000};

/* data as packed array of one str; NULL without memory. */
static uint8_t *packed(const uint8_t *data, size_t size, size_t *length)
{
    uint8_t *p = malloc(size + 6);
    if (!p)
        return NULL;
    p[0] = 0x91;
    p[1] = 0xdb;
    for (unsigned i = 0; i < 4; i++)
        p[2 + i] = (uint8_t)(size >> (24 - 8 * i));
    if (size)
        memcpy(p + 6, data, size);
    *length = size + 6;
    return p;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static cb_context *ready;
    static bool usable = true;
    size_t length;
    cb_context *c = fuzz_shared(limits, !usable);
    if (c != ready || !usable) {
        MUST(fuzz_eval(c, setup, sizeof setup - 1, limits) == CB_DONE);
        ready = c;
    }
    uint8_t *arguments = packed(data, size, &length);
    uint32_t kind = fuzz_apply(c, "check", arguments, length, limits);
    free(arguments);
    usable = kind != CB_OUT_OF_MEMORY;
    const cb_event *e = fuzz_event();
    MUST(kind != CB_DONE || e->length < 8 ||
         memcmp(e->data + 1,
                "\xc7\x06\x01"
                "broken",
                9) != 0);
}
