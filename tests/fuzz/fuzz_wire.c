/* Any bytes as packed arguments, as an answer, as a condition, as a value to
 * define, as a target. */
#include "harness.h"

#include <string.h>

static const char setup[] = "(define (back . x) x) (define x 0)";
static const struct fuzz_limits limits = {4 << 20, 100000};

void fuzz_one(const uint8_t *data, size_t size)
{
    static cb_context *ready;
    static bool usable = true;
    cb_event event = {.size = sizeof event};
    cb_budget budget = {.size = sizeof budget, .fuel = limits.fuel, .output = 100, .slice = 10000};
    cb_context *c = fuzz_shared(limits, !usable);
    if (c != ready || !usable) {
        MUST(fuzz_eval(c, setup, sizeof setup - 1, limits) == CB_DONE);
        ready = c;
    }
    usable = fuzz_apply(c, "back", data, size, limits) != CB_OUT_OF_MEMORY;
    (void)cb_define(c, "x", 1, data, size);
    (void)cb_lookup(c, "x", 1, &event);
    if (cb_run_apply(c, data, size, (const uint8_t *)"\x90", 1, &budget, &event) == CB_OK &&
        event.run)
        MUST(cb_abandon(c, event.run) == CB_OK);
    (void)cb_set_libraries(c, data, size);
    MUST(cb_set_libraries(c, NULL, 0) == CB_OK);
    static const char ask[] = "(import (scheme file)) (guard (e (#t (list 'caught e)))"
                              " (open-input-file \"f\"))";
    for (int error = 0; error < 2; error++) {
        cb_status s = cb_run_source(c, ask, sizeof ask - 1, NULL, 0, &budget, &event);
        if (s != CB_OK || event.kind != CB_HOST_CALL)
            continue;
        cb_run *run = event.run;
        s = error ? cb_answer_error(c, run, data, size, 10000, &event)
                  : cb_answer(c, run, data, size, 10000, &event);
        if (s != CB_OK || event.run)
            MUST(cb_abandon(c, run) == CB_OK);
        usable = usable && event.kind != CB_OUT_OF_MEMORY;
    }
}
