/* What the fuzz targets share: an engine with the built-in image, contexts, runs
 * driven to their end.
 *
 * A target is one file that defines fuzz_one (and fuzz_tokens, if it likes). With
 * -fsanitize=fuzzer libFuzzer calls it; harness.c built with FUZZ_REPLAY has a
 * plain main() that runs the files and folders it is given. A target ends the
 * process (abort) where a promise is broken. */
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include "chibi_bridge.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void fuzz_one(const uint8_t *data, size_t size);

struct fuzz_limits {
    size_t memory;
    uint64_t fuel;
};

cb_engine *fuzz_engine(void);
/* The built-in image. */
cb_image *fuzz_image(void);
/* A fresh context of the built-in image. */
cb_context *fuzz_context(size_t memory);
/* The context used again and again; a new one after `reset` or many uses. */
cb_context *fuzz_shared(struct fuzz_limits limits, bool reset);

/* Evaluate, refusing what it asks of the host; the kind it ends with. The context
 * still works afterwards, or says that it does not: else abort. */
uint32_t fuzz_eval(cb_context *c, const char *text, size_t size, struct fuzz_limits limits);
/* Apply what `name` is bound to, to packed arguments. */
uint32_t fuzz_apply(cb_context *c, const char *name, const uint8_t *arguments, size_t size,
                    struct fuzz_limits limits);
const cb_event *fuzz_event(void);

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x))                                                                                  \
            fuzz_broken(__FILE__, __LINE__, #x);                                                   \
    } while (0)
_Noreturn void fuzz_broken(const char *file, int line, const char *what);

#endif
