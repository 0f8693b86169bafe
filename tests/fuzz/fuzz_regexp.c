/* The first line as a pattern, the rest as the text to search: a match's groups lie
 * in the text and hold what stands there, matches do not overlap, and the pieces of
 * a split and what stands between them are the text. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char setup[] =
    "(import (tein safe-regexp))"
    "(define (sound? group text)"
    "  (or (not group)"
    "      (let ((start (vector-ref group 1)) (end (vector-ref group 2)))"
    "        (and (<= 0 start end (string-length text))"
    "             (string=? (vector-ref group 0) (substring text start end))))))"
    "(define (check pattern text)"
    "  (guard (e ((error-object? e) 'refused))"
    "    (let ((rx (regexp pattern)))"
    "      (let loop ((at 0) (matches (regexp-extract rx text)))"
    "        (cond ((null? matches)"
    "               (if (<= (length (regexp-split rx text)) (+ 2 (string-length text)))"
    "                   'sound 'broken))"
    "              ((not (sound-match? (car matches) text)) 'broken)"
    "              ((< (vector-ref (vector-ref (car matches) 0) 1) at) 'broken)"
    "              (else (loop (vector-ref (vector-ref (car matches) 0) 2)"
    "                          (cdr matches))))))))"
    "(define (sound-match? match text)"
    "  (let loop ((groups (vector->list match)))"
    "    (or (null? groups) (and (sound? (car groups) text) (loop (cdr groups))))))";

static const struct fuzz_limits limits = {8 << 20, 300000};

static uint8_t *put_string(uint8_t *at, const uint8_t *data, size_t size)
{
    *at++ = 0xdb;
    for (unsigned i = 0; i < 4; i++)
        *at++ = (uint8_t)(size >> (24 - 8 * i));
    if (size)
        memcpy(at, data, size);
    return at + size;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static cb_context *ready;
    static bool usable = true;
    cb_context *c = fuzz_shared(limits, !usable);
    if (c != ready || !usable) {
        MUST(fuzz_eval(c, setup, sizeof setup - 1, limits) == CB_DONE);
        ready = c;
    }
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    size_t pattern = line ? (size_t)(line - data) : size;
    size_t rest = line ? size - pattern - 1 : 0;
    uint8_t *arguments = malloc(size + 16);
    if (!arguments)
        return;
    arguments[0] = 0x92;
    uint8_t *at = put_string(arguments + 1, data, pattern);
    at = put_string(at, line ? line + 1 : data, rest);
    uint32_t kind = fuzz_apply(c, "check", arguments, (size_t)(at - arguments), limits);
    free(arguments);
    usable = kind != CB_OUT_OF_MEMORY;
    const cb_event *e = fuzz_event();
    MUST(kind != CB_DONE || e->length != 9 ||
         memcmp(e->data,
                "\xc7\x06\x01"
                "broken",
                9) != 0);
}
