/* Any bytes as the text of a number in radix 2, 8, 10 or 16 (the first byte): what
 * is read is written and read again, and is the same number. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char setup[] =
    "(define (check s radix)"
    "  (let ((n (string->number s radix)))"
    "    (cond ((not n) 'none)"
    "          ((eqv? n (string->number (number->string n radix) radix)) 'same)"
    "          ((and (inexact? n) (not (= radix 10))) 'inexact)"
    "          (else 'broken))))";

static const struct fuzz_limits limits = {8 << 20, 100000};

void fuzz_one(const uint8_t *data, size_t size)
{
    static const uint8_t radixes[4] = {10, 2, 8, 16};
    static cb_context *ready;
    static bool usable = true;
    if (size == 0)
        return;
    uint8_t radix = radixes[data[0] & 3];
    cb_context *c = fuzz_shared(limits, !usable);
    if (c != ready || !usable) {
        MUST(fuzz_eval(c, setup, sizeof setup - 1, limits) == CB_DONE);
        ready = c;
    }
    uint8_t *arguments = malloc(size + 6);
    if (!arguments)
        return;
    memcpy(arguments, "\x92\xdb", 2);
    for (unsigned i = 0; i < 4; i++)
        arguments[2 + i] = (uint8_t)((size - 1) >> (24 - 8 * i));
    memcpy(arguments + 6, data + 1, size - 1);
    arguments[size + 5] = radix;
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
