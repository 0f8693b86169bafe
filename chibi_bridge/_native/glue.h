/* Between cffi and the engine: what saves Python a look at each field of an event.
 *
 * Part of the extension module only; knows the public header and no Python. */
#include "chibi_bridge.h"

/* glue begin */
typedef struct {
    cb_context *context;
    cb_budget budget; /* of every plain run */
    cb_event event;
} bridge_call;

/* A context, and all that belongs to it on this side. */
static cb_status bridge_open(bridge_call *call, cb_engine *engine, cb_image *image, size_t memory,
                             uint64_t fuel, uint64_t output, uint64_t slice);

/* The same with a run in it, out of a snapshot. */
static cb_status bridge_restore(bridge_call *call, cb_engine *engine, cb_image *image,
                                size_t memory, uint64_t fuel, uint64_t output, uint64_t slice,
                                const uint8_t *bytes, size_t length, char *error,
                                size_t error_size);

/* Call and look at the event. Where the run is plainly done (no output, nothing
 * dropped): the length of the packed value << 8 | its first byte. Else -1 where
 * the event wants a closer look, and -2 - status where the engine refused.
 * bridge_answer: the length << 8 | the kind of any event without dropped objects.
 * bridge_apply takes the packed target (an extension) and behind it the packed
 * array of arguments; bridge_apply_integer one integer as the only argument. */
static int64_t bridge_apply(bridge_call *call, const uint8_t *packed, size_t length);
static int64_t bridge_apply_integer(bridge_call *call, const uint8_t *target, size_t length,
                                    int64_t argument);
static int64_t bridge_source(bridge_call *call, const char *source, size_t length,
                             const char *filename, size_t filename_length);
static int64_t bridge_answer(bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice);
/* glue end */

static void bridge_prepare(bridge_call *call, uint64_t fuel, uint64_t output, uint64_t slice)
{
    call->budget = (cb_budget){
        .size = sizeof call->budget, .fuel = fuel, .output = output, .slice = slice};
    call->event.size = sizeof call->event;
}

static cb_status bridge_open(bridge_call *call, cb_engine *engine, cb_image *image, size_t memory,
                             uint64_t fuel, uint64_t output, uint64_t slice)
{
    cb_limits limits = {.size = sizeof limits, .memory = memory};
    bridge_prepare(call, fuel, output, slice);
    return cb_context_new(engine, image, &limits, &call->context);
}

static cb_status bridge_restore(bridge_call *call, cb_engine *engine, cb_image *image,
                                size_t memory, uint64_t fuel, uint64_t output, uint64_t slice,
                                const uint8_t *bytes, size_t length, char *error,
                                size_t error_size)
{
    cb_limits limits = {.size = sizeof limits, .memory = memory};
    bridge_prepare(call, fuel, output, slice);
    return cb_restore(engine, image, &limits, &call->budget, bytes, length, &call->context,
                      &call->event, error, error_size);
}

static int64_t bridge_look(cb_status status, const cb_event *event)
{
    if (status != CB_OK)
        return -2 - (int64_t)status;
    if (event->kind != CB_DONE || event->dropped_count || event->output_bytes ||
        event->error_bytes || event->length == 0)
        return -1;
    return (int64_t)event->length << 8 | event->data[0];
}

/* Bytes of the packed extension at p, at most n. */
static size_t bridge_extension(const uint8_t *p, size_t n)
{
    size_t size = n;
    if (n > 2 && p[0] >= 0xd4 && p[0] <= 0xd8)
        size = 2 + ((size_t)1 << (p[0] - 0xd4));
    else if (n > 3 && p[0] == 0xc7)
        size = 3 + (size_t)p[1];
    else if (n > 4 && p[0] == 0xc8)
        size = 4 + ((size_t)p[1] << 8 | p[2]);
    else if (n > 6 && p[0] == 0xc9)
        size = 6 + ((size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4]);
    return size < n ? size : n;
}

static int64_t bridge_apply(bridge_call *call, const uint8_t *packed, size_t length)
{
    size_t target = bridge_extension(packed, length);
    return bridge_look(cb_run_apply(call->context, packed, target, packed + target,
                                    length - target, &call->budget, &call->event),
                       &call->event);
}

static int64_t bridge_apply_integer(bridge_call *call, const uint8_t *target, size_t length,
                                    int64_t argument)
{
    uint8_t packed[10] = {0x91, 0xd3};
    for (int i = 0; i < 8; i++)
        packed[2 + i] = (uint8_t)((uint64_t)argument >> (56 - 8 * i));
    return bridge_look(cb_run_apply(call->context, target, length, packed, sizeof packed,
                                    &call->budget, &call->event),
                       &call->event);
}

static int64_t bridge_answer(bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice)
{
    cb_status status = cb_answer(call->context, run, value, length, slice, &call->event);
    if (status != CB_OK)
        return -2 - (int64_t)status;
    return call->event.dropped_count ? -1 : (int64_t)call->event.length << 8 | call->event.kind;
}

static int64_t bridge_source(bridge_call *call, const char *source, size_t length,
                             const char *filename, size_t filename_length)
{
    return bridge_look(cb_run_source(call->context, source, length, filename, filename_length,
                                     &call->budget, &call->event),
                       &call->event);
}
