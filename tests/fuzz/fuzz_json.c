/* Any bytes as a JSON text, in both mappings: what is read is written and read
 * again, and the second text is the first one. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char setup[] =
    "(import (tein json) (chibi json))"
    "(define (again text read write)"
    "  (let* ((one (write (read text))) (two (write (read one))))"
    "    (if (string=? one two) 'same 'broken)))"
    "(define (try text read write)"
    "  (guard (e ((error-object? e) 'refused)) (again text read write)))"
    "(define (check text)"
    "  (let ((a (try text json-parse json-stringify))"
    "        (b (try text string->json json->string)))"
    "    (if (or (eq? a 'broken) (eq? b 'broken) (not (eq? a b))) 'broken a)))";

static const struct fuzz_limits limits = {8 << 20, 300000};

void fuzz_one(const uint8_t *data, size_t size)
{
    static cb_context *ready;
    static bool usable = true;
    cb_context *c = fuzz_shared(limits, !usable);
    if (c != ready || !usable) {
        MUST(fuzz_eval(c, setup, sizeof setup - 1, limits) == CB_DONE);
        ready = c;
    }
    uint8_t *arguments = malloc(size + 6);
    if (!arguments)
        return;
    memcpy(arguments, "\x91\xdb", 2);
    for (unsigned i = 0; i < 4; i++)
        arguments[2 + i] = (uint8_t)(size >> (24 - 8 * i));
    if (size)
        memcpy(arguments + 6, data, size);
    uint32_t kind = fuzz_apply(c, "check", arguments, size + 6, limits);
    free(arguments);
    usable = kind != CB_OUT_OF_MEMORY;
    const cb_event *e = fuzz_event();
    MUST(kind != CB_DONE || e->length != 9 ||
         memcmp(e->data,
                "\xc7\x06\x01"
                "broken",
                9) != 0);
}
