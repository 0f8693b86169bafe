/* Between cffi and the engine: what saves Python a look at each field of an event.
 *
 * Part of the extension module only; knows the public header and no Python. */
#include "chibi_bridge.h"

#include <stdbool.h>
#include <string.h>

/* glue begin */
typedef struct {
    cb_context *context;
    cb_budget budget; /* of every plain run */
    cb_event event;
    uint32_t asked;  /* the event is a call of a host procedure: 1 + its arguments; else 0 */
    uint32_t size;   /* bytes of the packed arguments, one directly after another          */
    uint64_t callee; /* the host procedure's id                                            */
    const uint8_t *arguments;
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
 * the event wants a closer look (`asked` tells of calls of host procedures), and
 * -2 - status where the engine refused.
 * bridge_apply takes the packed target (an extension) and behind it the packed
 * array of arguments; bridge_apply_integer one integer as the only argument. */
static int64_t bridge_apply(bridge_call *call, const uint8_t *packed, size_t length);
static int64_t bridge_apply_integer(bridge_call *call, const uint8_t *target, size_t length,
                                    int64_t argument);
static int64_t bridge_source(bridge_call *call, const char *source, size_t length,
                             const char *filename, size_t filename_length);
static int64_t bridge_answer(bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice);
/* Look at the event for `asked` only, after a call of the public interface. */
static uint32_t bridge_ask(bridge_call *call);
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

/* An unsigned packed integer at *p, which is moved behind it; false: something else. */
static bool bridge_unsigned(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
    uint8_t tag = *(*p)++;
    if (tag < 0x80) {
        *out = tag;
        return true;
    }
    size_t width = (size_t)1 << (tag & 3);
    if (tag < 0xcc || tag > 0xcf || (size_t)(end - *p) < width)
        return false;
    for (*out = 0; width > 0; width--)
        *out = *out << 8 | *(*p)++;
    return true;
}

/* Is the event ["call", id, argument ...], with at most 14 of those? */
static void bridge_asked(bridge_call *call)
{
    static const uint8_t name[] = {0xa4, 'c', 'a', 'l', 'l'};
    const cb_event *event = &call->event;
    const uint8_t *p = event->data, *end = p + event->length;
    call->asked = 0;
    if (event->kind != CB_HOST_CALL || event->dropped_count || event->length < 7 ||
        p[0] < 0x92 || p[0] > 0x9f || memcmp(p + 1, name, sizeof name) != 0)
        return;
    uint32_t count = p[0] - 0x92u;
    p += 1 + sizeof name;
    if (!bridge_unsigned(&p, end, &call->callee))
        return;
    call->asked = 1 + count;
    call->arguments = p;
    call->size = (uint32_t)(end - p);
}

static uint32_t bridge_ask(bridge_call *call)
{
    bridge_asked(call);
    return call->asked;
}

static int64_t bridge_look(cb_status status, bridge_call *call)
{
    const cb_event *event = &call->event;
    if (status != CB_OK)
        return -2 - (int64_t)status;
    bridge_asked(call);
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
                       call);
}

static int64_t bridge_apply_integer(bridge_call *call, const uint8_t *target, size_t length,
                                    int64_t argument)
{
    uint8_t packed[10] = {0x91, 0xd3};
    for (int i = 0; i < 8; i++)
        packed[2 + i] = (uint8_t)((uint64_t)argument >> (56 - 8 * i));
    return bridge_look(cb_run_apply(call->context, target, length, packed, sizeof packed,
                                    &call->budget, &call->event),
                       call);
}

static int64_t bridge_answer(bridge_call *call, cb_run *run, const uint8_t *value,
                             size_t length, uint64_t slice)
{
    return bridge_look(cb_answer(call->context, run, value, length, slice, &call->event), call);
}

static int64_t bridge_source(bridge_call *call, const char *source, size_t length,
                             const char *filename, size_t filename_length)
{
    return bridge_look(cb_run_source(call->context, source, length, filename, filename_length,
                                     &call->budget, &call->event),
                       call);
}
