/* Between cffi and the engine: what saves Python a look at each field of an event.
 *
 * Part of the extension module only; knows the public header and no Python. */
#include "chibi_bridge.h"

/* glue begin */
typedef struct {
    cb_context *context;
    const cb_budget *budget;
    cb_event *event;
} bridge_call;

/* Call and look at the event. Where the run is plainly done (no output, nothing
 * dropped): the length of the packed value << 8 | its first byte. Else -1 where
 * the event wants a closer look, and -2 - status where the engine refused. */
static int64_t bridge_apply(const bridge_call *call, const uint8_t *target, size_t target_length,
                            const uint8_t *arguments, size_t length);
static int64_t bridge_answer(const bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice);
/* glue end */

static int64_t bridge_look(cb_status status, const cb_event *event)
{
    if (status != CB_OK)
        return -2 - (int64_t)status;
    if (event->kind != CB_DONE || event->dropped_count || event->output_bytes ||
        event->error_bytes || event->length == 0)
        return -1;
    return (int64_t)event->length << 8 | event->data[0];
}

static int64_t bridge_apply(const bridge_call *call, const uint8_t *target, size_t target_length,
                            const uint8_t *arguments, size_t length)
{
    return bridge_look(cb_run_apply(call->context, target, target_length, arguments, length,
                                    call->budget, call->event),
                       call->event);
}

static int64_t bridge_answer(const bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice)
{
    return bridge_look(cb_answer(call->context, run, value, length, slice, call->event),
                       call->event);
}
