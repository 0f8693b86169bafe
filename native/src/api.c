/* T9 the public interface: the only file that defines cb_ functions.
 *
 * Every argument is checked, every internal failure becomes a cb_status. One
 * thread at a time is inside a context: enter() takes the flag, leave() gives it
 * back; cb_interrupt alone goes past it. Between enter and leave no C variable
 * holds a value over a call that ends in _gc: values stand in context->wire.values,
 * which is a root.
 *
 * A cb_run stands for one run and is reused after it, so that a call allocates
 * nothing here. A boot run goes through the forms of a unit one after another. */
#include "chibi_bridge.h"

#include "alloc.h"
#include "condition.h"
#include "engine.h"
#include "environment.h"
#include "frame.h"
#include "host.h"
#include "image.h"
#include "prim.h"
#include "refs.h"
#include "snapshot.h"
#include "string.h"
#include "symbol.h"
#include "vm.h"

#include <stdatomic.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum { VERSION = 0 << 16 | 1 << 8 | 0, ABI = 1 };
enum {
    DROPPED_MOST = 64,
    TRACE_FRAMES = 32,
    DEPTH_DEFAULT = 10000,
    CONSOLE_KEEP = 64 << 10,
    NURSERY_KEEP = 64 << 10
};

#define MEMORY_LEAST ((size_t)64 << 10)

struct cb_engine {
    struct engine *engine;
    _Atomic size_t users; /* the host, images, contexts */
};

struct cb_image {
    struct image *image;
    cb_engine *engine;
    _Atomic size_t users; /* the host, contexts */
};

struct cb_run {
    struct run *run; /* NULL: not in use */
    cb_run *next;
    uint64_t output_used, output_limit;
    bool waiting;       /* for an answer */
    uint64_t boot;      /* handle of the unit, 0: no boot run */
    uint64_t boot_next; /* number of its next form */
};

struct cb_context {
    struct vm *vm;
    struct heap *heap;
    cb_engine *engine;
    cb_image *image;
    _Atomic bool busy;
    cb_run *runs;     /* all, in use or not */
    size_t living;    /* in use */
    unsigned taken;   /* console buffers given out: to be emptied */
    uint64_t handles; /* given out */
    struct wire wire;
    uint64_t dropped[DROPPED_MOST];
};

/* -- versions ------------------------------------------------------------------ */

uint32_t cb_version(void)
{
    return VERSION;
}

uint32_t cb_abi(void)
{
    return ABI;
}

const char *cb_fingerprint(void)
{
    return engine_fingerprint();
}

/* -- engines ------------------------------------------------------------------- */

cb_status cb_engine_new(cb_engine **out)
{
    if (!out)
        return CB_BAD_ARGUMENT;
    *out = NULL;
    cb_engine *e = alloc_new(sizeof *e);
    if (!e)
        return CB_NO_MEMORY;
    e->engine = engine_new();
    if (!e->engine) {
        alloc_free(e);
        return CB_NO_MEMORY;
    }
    atomic_init(&e->users, 1);
    *out = e;
    return CB_OK;
}

/* Kept until its last image and context are gone. */
void cb_engine_free(cb_engine *engine)
{
    if (!engine || atomic_fetch_sub(&engine->users, 1) != 1)
        return;
    engine_free(engine->engine);
    alloc_free(engine);
}

/* -- images -------------------------------------------------------------------- */

static cb_image *image_wrap(cb_engine *engine, struct image *image)
{
    cb_image *i = alloc_new(sizeof *i);
    if (!i) {
        image_free(image);
        return NULL;
    }
    i->image = image;
    i->engine = engine;
    atomic_init(&i->users, 1);
    atomic_fetch_add(&engine->users, 1);
    return i;
}

static void say(char *error, size_t size, const char *text)
{
    if (!error || size == 0)
        return;
    size_t n = size_min(strlen(text), size - 1);
    memcpy(error, text, n);
    error[n] = 0;
}

cb_status cb_image_load(cb_engine *engine, const uint8_t *bytes, size_t length, cb_image **out,
                        char *error, size_t error_size)
{
    char why[256] = "";
    struct image *image = NULL;
    say(error, error_size, "");
    if (!engine || !bytes || !out)
        return CB_BAD_ARGUMENT;
    *out = NULL;
    if (!image_load(engine->engine, bytes, length, &image, why, sizeof why)) {
        say(error, error_size, why);
        return CB_BAD_DATA;
    }
    *out = image_wrap(engine, image);
    return *out ? CB_OK : CB_NO_MEMORY;
}

cb_status cb_image_bytes(cb_image *image, uint8_t **out, size_t *length)
{
    if (!image || !out || !length)
        return CB_BAD_ARGUMENT;
    *out = NULL;
    *length = 0;
    return image_bytes(image->image, out, length) ? CB_OK : CB_NO_MEMORY;
}

void cb_bytes_free(uint8_t *bytes)
{
    alloc_free(bytes);
}

cb_status cb_image_identity(cb_image *image, uint64_t *identity)
{
    if (!image || !identity)
        return CB_BAD_ARGUMENT;
    *identity = image_identity(image->image);
    return CB_OK;
}

/* Kept until its last context is gone. */
void cb_image_free(cb_image *image)
{
    if (!image || atomic_fetch_sub(&image->users, 1) != 1)
        return;
    image_free(image->image);
    cb_engine_free(image->engine);
    alloc_free(image);
}

/* -- contexts ------------------------------------------------------------------ */

/* What the host did not take of the last call's results goes. */
static void begin(cb_context *c)
{
    struct heap *h = c->heap;
    c->handles += c->wire.id_count;
    wire_reset(&c->wire);
    for (unsigned i = 0; c->taken && i < 2; i++) {
        struct console_buffer *b = &h->console[i];
        if (!(c->taken >> i & 1))
            continue;
        if (b->capacity > CONSOLE_KEEP) {
            heap_mfree(h, b->data, b->capacity);
            *b = (struct console_buffer){NULL, 0, 0};
        }
        b->length = 0;
    }
    c->taken = 0;
}

/* Inside alone: CB_OK, or what to answer at once. */
static cb_status enter(cb_context *c)
{
    bool free = false;
    if (!c)
        return CB_BAD_ARGUMENT;
    if (!atomic_compare_exchange_strong_explicit(&c->busy, &free, true, memory_order_acquire,
                                                 memory_order_relaxed))
        return CB_BUSY;
    begin(c);
    return CB_OK;
}

static cb_status leave(cb_context *c, cb_status status)
{
    atomic_store_explicit(&c->busy, false, memory_order_release);
    return status;
}

static bool good_limits(const cb_limits *limits)
{
    return limits && limits->size >= sizeof *limits && limits->memory >= MEMORY_LEAST;
}

static void apply_limits(struct heap *h, const cb_limits *limits)
{
    h->limit = limits->memory;
    h->depth_max = limits->depth_max ? limits->depth_max : DEPTH_DEFAULT;
    h->gc_stress = limits->gc_stress;
    h->fail_after = limits->fail_after;
    h->fail_persist = limits->fail_persist != 0;
}

/* The values of a fresh context: from the image, or the bare core. */
static bool furnish_gc(cb_context *c)
{
    unsigned tries = 0;
    val v;
    struct heap *h = c->heap;
    h->afford = UINT64_MAX;
    heap_on_full(h, symbols_prune);
    if (c->image)
        return image_instantiate(h, c->image->image);
    do
        v = front_install_core(h);
    while (wire_again_gc(&c->wire, &tries, v));
    h->charge = 0;
    return !is_control(v);
}

static void dispose(cb_context *c)
{
    if (c->vm) {
        wire_free(&c->wire);
        front_dispose(c->heap);
        vm_free(c->vm);
    }
    while (c->runs) {
        cb_run *next = c->runs->next;
        alloc_free(c->runs);
        c->runs = next;
    }
    cb_image_free(c->image);
    cb_engine_free(c->engine);
    alloc_free(c);
}

cb_status cb_context_new(cb_engine *engine, cb_image *image, const cb_limits *limits,
                         cb_context **out)
{
    if (out)
        *out = NULL;
    if (!engine || !out || !good_limits(limits) || (image && image->engine != engine))
        return CB_BAD_ARGUMENT;
    cb_context *c = alloc_new(sizeof *c);
    if (!c)
        return CB_NO_MEMORY;
    memset(c, 0, sizeof *c);
    atomic_init(&c->busy, false);
    c->engine = engine;
    atomic_fetch_add(&engine->users, 1);
    c->image = image;
    if (image)
        atomic_fetch_add(&image->users, 1);
    c->vm = vm_new(engine->engine, limits->memory);
    if (c->vm) {
        c->heap = (struct heap *)c->vm;
        c->heap->depth_max = limits->depth_max ? limits->depth_max : DEPTH_DEFAULT;
        c->heap->output_limit = UINT64_MAX;
    }
    if (!c->vm || !wire_init(&c->wire, c->heap) || !furnish_gc(c)) {
        dispose(c);
        return CB_NO_MEMORY;
    }
    apply_limits(c->heap, limits);
    *out = c;
    return CB_OK;
}

void cb_context_free(cb_context *context)
{
    if (enter(context) == CB_OK)
        dispose(context);
}

cb_status cb_set_limits(cb_context *context, const cb_limits *limits)
{
    if (!good_limits(limits))
        return CB_BAD_ARGUMENT;
    cb_status s = enter(context);
    if (s != CB_OK)
        return s;
    apply_limits(context->heap, limits);
    return leave(context, CB_OK);
}

cb_status cb_stats_get(cb_context *context, cb_stats *out)
{
    if (!out || out->size < sizeof *out)
        return CB_BAD_ARGUMENT;
    cb_status s = enter(context);
    if (s != CB_OK)
        return s;
    const struct heap *h = context->heap;
    out->used = h->used;
    out->peak = h->peak;
    out->limit = h->limit;
    out->collections = h->collections;
    out->full_collections = 0;
    out->live_handles = context->handles;
    out->fail_after = h->fail_after;
    return leave(context, CB_OK);
}

cb_status cb_image_make(cb_context *context, cb_image **out, char *error, size_t error_size)
{
    char why[256] = "";
    struct image *image = NULL;
    say(error, error_size, "");
    if (!out)
        return CB_BAD_ARGUMENT;
    *out = NULL;
    cb_status s = enter(context);
    if (s != CB_OK)
        return s;
    if (context->living > 0) {
        say(error, error_size, "the context has runs that did not end");
        return leave(context, CB_BAD_STATE);
    }
    if (!image_make(context->heap, &image, why, sizeof why)) {
        say(error, error_size, why);
        return leave(context, CB_BAD_STATE);
    }
    *out = image_wrap(context->engine, image);
    return leave(context, *out ? CB_OK : CB_NO_MEMORY);
}

/* -- runs ---------------------------------------------------------------------- */

static bool good_event(const cb_event *event)
{
    return event && event->size >= sizeof *event;
}

static bool good_budget(const cb_budget *budget)
{
    return budget && budget->size >= sizeof *budget;
}

static void clear_event(cb_event *event)
{
    uint32_t size = event->size;
    memset(event, 0, sizeof *event);
    event->size = size;
    event->kind = CB_DONE;
}

static void point_to_data(const cb_context *c, cb_event *event)
{
    event->data = c->wire.data;
    event->length = c->wire.length;
}

/* The status for a conversion that failed; the event tells why. */
static cb_status conversion_status_gc(cb_context *c, enum wire_status s, cb_event *event)
{
    switch (s) {
    case WIRE_OK:
        return CB_OK;
    case WIRE_NO_MEMORY:
        return CB_NO_MEMORY;
    default:
        break;
    }
    if (event && wire_pack_text_gc(&c->wire, c->wire.why) == WIRE_OK)
        point_to_data(c, event);
    if (s == WIRE_TOO_BIG)
        return CB_NO_MEMORY;
    return s == WIRE_NO_HANDLE ? CB_NOT_FOUND : CB_BAD_DATA;
}

/* The run in use that the host means, or NULL. Compares addresses only. */
static cb_run *find_run(cb_context *c, const cb_run *run)
{
    for (cb_run *r = c->runs; run && r; r = r->next)
        if (r == run)
            return r->run ? r : NULL;
    return NULL;
}

static cb_run *take_run(cb_context *c)
{
    cb_run *r = c->runs;
    while (r && r->run)
        r = r->next;
    if (!r) {
        r = alloc_new(sizeof *r);
        if (!r)
            return NULL;
        r->next = c->runs;
        c->runs = r;
    }
    r->run = NULL;
    r->output_used = 0;
    r->output_limit = UINT64_MAX;
    r->waiting = false;
    r->boot = 0;
    r->boot_next = 0;
    return r;
}

static void end_run(cb_context *c, cb_run *r)
{
    run_free(c->vm, r->run);
    r->run = NULL;
    r->waiting = false;
    c->living--;
    if (r->boot)
        ref_drop(c->heap, r->boot);
    r->boot = 0;
}

/* values[first] applied to what stands behind it. NULL: no memory. */
static struct run *apply_values_gc(cb_context *c, size_t first)
{
    for (unsigned tries = 0;; tries++) {
        const val *v = c->wire.values + first;
        struct run *run = run_new(c->vm, v[0], v + 1, c->wire.count - first - 1);
        if (run || tries == 1 || !heap_collect_gc(c->heap, COLLECT_FULL, 0))
            return run;
    }
}

static const uint8_t event_kinds[] = {
    [EVENT_DONE] = CB_DONE,
    [EVENT_RAISED] = CB_RAISED,
    [EVENT_EXIT] = CB_EXIT,
    [EVENT_HOST_CALL] = CB_HOST_CALL,
    [EVENT_PAUSED] = CB_PAUSED,
    [EVENT_OUT_OF_FUEL] = CB_OUT_OF_FUEL,
    [EVENT_OUT_OF_MEMORY] = CB_OUT_OF_MEMORY,
    [EVENT_OUT_OF_OUTPUT] = CB_OUT_OF_OUTPUT,
    [EVENT_INTERRUPTED] = CB_INTERRUPTED,
};

static void fill_event_gc(cb_context *c, cb_run *r, enum run_event e, cb_event *event)
{
    struct heap *h = c->heap;
    event->kind = event_kinds[e];
    event->run = r;
    event->fuel_used = run_fuel_used(r->run);
    event->serial = run_serial(r->run);
    event->output_bytes = h->console[0].length;
    event->error_bytes = h->console[1].length;
    event->usable = c->vm->usable;
    event->dropped_count = refs_take_dropped(h, c->dropped, DROPPED_MOST);
    event->dropped = event->dropped_count ? c->dropped : NULL;
    event->long_work = e == EVENT_PAUSED && r->run->long_next;
    if (e == EVENT_HOST_CALL || e == EVENT_PAUSED)
        return;
    event->run = NULL;
    end_run(c, r);
    if (h->nursery_size > NURSERY_KEEP)
        heap_idle_gc(h);
}

/* Pack what goes with an event. False: it cannot cross, wire.why says why. */
static bool pack_event_gc(cb_context *c, cb_run *r, enum run_event e)
{
    switch (e) {
    case EVENT_RAISED:
        return wire_pack_raised_gc(&c->wire, run_value(r->run)) == WIRE_OK;
    case EVENT_DONE:
    case EVENT_EXIT:
        return wire_pack_gc(&c->wire, run_value(r->run)) == WIRE_OK;
    case EVENT_HOST_CALL:
        return wire_pack_items_gc(&c->wire, run_value(r->run)) == WIRE_OK;
    default:
        return true;
    }
}

/* A host call whose arguments cannot cross raises in the program. */
static bool refuse_call_gc(cb_context *c, cb_run *r)
{
    struct wire *w = &c->wire;
    if (host_push_conversion_gc(w, w->why) != WIRE_OK)
        return false;
    run_answer_raise(c->vm, r->run, w->values[--w->count]);
    return true;
}

enum boot_step { BOOT_GO, BOOT_DONE, BOOT_FAILED };

static enum boot_step next_boot_form_gc(cb_context *c, cb_run *r);
static cb_status boot_failed_gc(cb_context *c, enum wire_status s, cb_event *event);

static enum run_event step(cb_context *c, cb_run *r, uint64_t slice)
{
    struct heap *h = c->heap;
    h->output_used = r->output_used;
    h->output_limit = r->output_limit;
    enum run_event e = run_advance(c->vm, r->run, slice);
    r->output_used = h->output_used;
    return e;
}

/* Go on with a run until there is something to tell. */
static cb_status advance_gc(cb_context *c, cb_run *r, uint64_t slice, cb_event *event)
{
    struct wire *w = &c->wire;
    for (;;) {
        enum run_event e = step(c, r, slice);
        enum boot_step boot = e == EVENT_DONE && r->boot ? next_boot_form_gc(c, r) : BOOT_DONE;
        if (boot == BOOT_GO)
            continue;
        if (boot == BOOT_FAILED) {
            end_run(c, r);
            return boot_failed_gc(c, WIRE_BAD, event);
        }
        wire_reset(w);
        r->waiting = e == EVENT_HOST_CALL;
        if (pack_event_gc(c, r, e)) {
            fill_event_gc(c, r, e, event);
        } else if (e == EVENT_HOST_CALL && refuse_call_gc(c, r)) {
            continue;
        } else {
            const char *why = w->why;
            fill_event_gc(c, r, e == EVENT_HOST_CALL ? EVENT_OUT_OF_MEMORY : e, event);
            event->kind = CB_UNPACKABLE;
            (void)conversion_status_gc(c, wire_pack_text_gc(w, why), NULL);
        }
        point_to_data(c, event);
        return CB_OK;
    }
}

/* Make a run of the values from 0 on and advance it once. */
static cb_status start_gc(cb_context *c, const cb_budget *budget, cb_event *event)
{
    if (!c->vm->usable)
        return CB_NO_MEMORY;
    cb_run *r = take_run(c);
    struct run *run = r ? apply_values_gc(c, 0) : NULL;
    if (!run)
        return CB_NO_MEMORY;
    c->wire.count = 0;
    c->living++;
    r->run = run;
    r->output_limit = budget->output;
    run_set_fuel(run, budget->fuel);
    if (budget->slice > 0)
        return advance_gc(c, r, budget->slice, event);
    fill_event_gc(c, r, EVENT_PAUSED, event);
    return CB_OK;
}

/* Push a root as the procedure to apply; CB_BAD_STATE: it is none. */
static cb_status push_procedure_gc(cb_context *c, enum root root)
{
    struct wire *w = &c->wire;
    if (!is_procedure(c->heap->roots[root]))
        return CB_BAD_STATE;
    if (!wire_room_values_gc(w, 4))
        return CB_NO_MEMORY;
    w->values[w->count++] = c->heap->roots[root];
    return CB_OK;
}

cb_status cb_run_source(cb_context *context, const char *source, size_t length,
                        const char *filename, size_t filename_length, const cb_budget *budget,
                        cb_event *event)
{
    if ((!source && length) || (!filename && filename_length) || !good_budget(budget) ||
        !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    struct wire *w = &context->wire;
    clear_event(event);
    status = push_procedure_gc(context, ROOT_EVAL_UNIT);
    if (status != CB_OK)
        return leave(context, status);
    enum wire_status s = host_push_text_gc(w, source ? source : "", length, false);
    if (s == WIRE_OK && filename)
        s = host_push_text_gc(w, filename, filename_length, false);
    if (s == WIRE_OK && !wire_room_values_gc(w, 2))
        s = WIRE_NO_MEMORY;
    if (s != WIRE_OK)
        return leave(context, conversion_status_gc(context, s, event));
    if (!filename)
        w->values[w->count++] = FALSE;
    w->values[w->count++] = val_bool(budget->written != 0);
    return leave(context, start_gc(context, budget, event));
}

/* values[at], a symbol, becomes what the top level binds to it. */
static cb_status look_up(cb_context *c, size_t at)
{
    struct heap *h = c->heap;
    val v;
    val binding = environment_lookup(h, h->roots[ROOT_TOP], c->wire.values[at]);
    if (is_control(binding))
        return CB_NO_MEMORY;
    if (is_eq(binding, HOLE) || !binding_value(h, binding, &v))
        return CB_NOT_FOUND;
    c->wire.values[at] = v;
    return CB_OK;
}

cb_status cb_run_apply(cb_context *context, const uint8_t *target, size_t target_length,
                       const uint8_t *arguments, size_t length, const cb_budget *budget,
                       cb_event *event)
{
    if (!target || !arguments || !good_budget(budget) || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    struct wire *w = &context->wire;
    size_t count;
    clear_event(event);
    enum wire_status s = wire_unpack_gc(w, target, target_length);
    if (s == WIRE_OK && is_symbol(w->values[0])) {
        status = look_up(context, 0);
        if (status != CB_OK)
            return leave(context, status);
    }
    if (s == WIRE_OK)
        s = wire_unpack_items_gc(w, arguments, length, &count);
    if (s != WIRE_OK)
        return leave(context, conversion_status_gc(context, s, event));
    return leave(context, start_gc(context, budget, event));
}

/* What a waiting run has asked. */
static cb_status tell_again_gc(cb_context *c, cb_run *r, cb_event *event)
{
    if (!pack_event_gc(c, r, EVENT_HOST_CALL))
        return CB_NO_MEMORY;
    fill_event_gc(c, r, EVENT_HOST_CALL, event);
    point_to_data(c, event);
    return CB_OK;
}

cb_status cb_advance(cb_context *context, cb_run *run, uint64_t slice, cb_event *event)
{
    if (!run || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    cb_run *r = find_run(context, run);
    if (!r)
        return leave(context, CB_BAD_ARGUMENT);
    clear_event(event);
    if (r->waiting && slice == 0)
        return leave(context, tell_again_gc(context, r, event));
    if (r->waiting)
        return leave(context, CB_BAD_STATE);
    if (slice > 0)
        return leave(context, advance_gc(context, r, slice, event));
    fill_event_gc(context, r, EVENT_PAUSED, event);
    return leave(context, CB_OK);
}

/* Answer with a value or (raise) a condition, and go on. */
static cb_status answer(cb_context *c, cb_run *run, const uint8_t *bytes, size_t length,
                        uint64_t slice, cb_event *event, bool raise)
{
    if (!run || !bytes || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(c);
    if (status != CB_OK)
        return status;
    struct wire *w = &c->wire;
    cb_run *r = find_run(c, run);
    if (!r || !r->waiting)
        return leave(c, r ? CB_BAD_STATE : CB_BAD_ARGUMENT);
    clear_event(event);
    enum wire_status s =
        raise ? host_unpack_condition_gc(w, bytes, length) : wire_unpack_gc(w, bytes, length);
    if (s != WIRE_OK)
        return leave(c, conversion_status_gc(c, s, event));
    val v = w->values[--w->count];
    r->waiting = false;
    if (raise)
        run_answer_raise(c->vm, r->run, v);
    else
        run_answer(c->vm, r->run, v);
    if (slice > 0)
        return leave(c, advance_gc(c, r, slice, event));
    fill_event_gc(c, r, EVENT_PAUSED, event);
    return leave(c, CB_OK);
}

cb_status cb_answer(cb_context *context, cb_run *run, const uint8_t *value, size_t length,
                    uint64_t slice, cb_event *event)
{
    return answer(context, run, value, length, slice, event, false);
}

cb_status cb_answer_error(cb_context *context, cb_run *run, const uint8_t *condition, size_t length,
                          uint64_t slice, cb_event *event)
{
    return answer(context, run, condition, length, slice, event, true);
}

cb_status cb_abandon(cb_context *context, cb_run *run)
{
    if (!run)
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    cb_run *r = find_run(context, run);
    if (!r)
        return leave(context, CB_BAD_ARGUMENT);
    end_run(context, r);
    return leave(context, CB_OK);
}

/* -- snapshots ----------------------------------------------------------------------- */

cb_status cb_snapshot(cb_context *context, cb_run *run, const uint64_t *foreign,
                      size_t foreign_count, uint8_t **out, size_t *length, uint64_t *refused,
                      char *error, size_t error_size)
{
    char why[512] = "";
    say(error, error_size, "");
    if (!run || (!foreign && foreign_count) || !out || !length || !refused)
        return CB_BAD_ARGUMENT;
    *out = NULL;
    *refused = 0;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    cb_run *r = find_run(context, run);
    if (!r || r->boot || !context->vm->usable)
        return leave(context, r ? CB_BAD_STATE : CB_BAD_ARGUMENT);
    struct snapshot_run saved = {r->run, r->output_used};
    const struct snapshot_foreign allowed = {foreign, foreign_count};
    *out = snapshot_make(context->vm, &saved, &allowed, length, refused, why, sizeof why);
    say(error, error_size, why);
    return leave(context, *out ? CB_OK : CB_BAD_STATE);
}

cb_status cb_snapshot_base(const uint8_t *bytes, size_t length, uint64_t *identity, char *error,
                           size_t error_size)
{
    char why[256] = "";
    say(error, error_size, "");
    if (!bytes || !identity)
        return CB_BAD_ARGUMENT;
    bool good = snapshot_base(bytes, length, identity, why, sizeof why);
    say(error, error_size, why);
    return good ? CB_OK : CB_BAD_DATA;
}

/* The run of a snapshot becomes one of this context. */
static cb_status adopt_run_gc(cb_context *c, const struct snapshot_run *loaded,
                              const cb_budget *budget, cb_event *event)
{
    cb_run *r = take_run(c);
    if (!r)
        return CB_NO_MEMORY;
    r->run = loaded->run;
    r->output_used = loaded->output_used;
    r->output_limit = budget->output;
    r->waiting = loaded->run->state == RUN_WAITING;
    c->living++;
    run_set_fuel(r->run, budget->fuel);
    fill_event_gc(c, r, r->waiting ? EVENT_HOST_CALL : EVENT_PAUSED, event);
    return CB_OK;
}

cb_status cb_restore(cb_engine *engine, cb_image *image, const cb_limits *limits,
                     const cb_budget *budget, const uint8_t *bytes, size_t length, cb_context **out,
                     cb_event *event, char *error, size_t error_size)
{
    char why[256] = "";
    struct snapshot_run loaded;
    say(error, error_size, "");
    if (!bytes || !good_budget(budget) || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = cb_context_new(engine, image, limits, out);
    if (status != CB_OK)
        return status;
    cb_context *c = *out;
    clear_event(event);
    status = CB_NO_MEMORY;
    if (snapshot_load(c->vm, bytes, length, &loaded, why, sizeof why))
        status = adopt_run_gc(c, &loaded, budget, event);
    else if (why[0] != 0)
        status = CB_BAD_DATA;
    say(error, error_size, why);
    if (status != CB_OK) {
        dispose(c);
        *out = NULL;
    }
    return status;
}

cb_status cb_interrupt(cb_context *context, uint64_t serial)
{
    if (!context)
        return CB_BAD_ARGUMENT;
    vm_interrupt(context->vm, serial);
    return CB_OK;
}

cb_status cb_output(cb_context *context, uint32_t which, const char **data, size_t *length)
{
    if (which > 1 || !data || !length)
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    *data = context->heap->console[which].data;
    *length = context->heap->console[which].length;
    context->taken |= 1u << which;
    return leave(context, CB_OK);
}

/* -- the top level ----------------------------------------------------------------- */

cb_status cb_define(cb_context *context, const char *name, size_t name_length, const uint8_t *value,
                    size_t length)
{
    if (!name || name_length == 0 || !value)
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    struct wire *w = &context->wire;
    struct heap *h = context->heap;
    if (!is_type(h->roots[ROOT_TOP], T_ENVIRONMENT))
        return leave(context, CB_BAD_STATE);
    enum wire_status s = host_push_text_gc(w, name, name_length, true);
    if (s == WIRE_OK)
        s = wire_unpack_gc(w, value, length);
    if (s == WIRE_OK && is_type(w->values[1], T_VALUES))
        s = WIRE_BAD;
    if (s != WIRE_OK)
        return leave(context, conversion_status_gc(context, s, NULL));
    unsigned tries = 0;
    val slot;
    do
        slot = environment_define_slot(h, h->roots[ROOT_TOP], w->values[0]);
    while (wire_again_gc(w, &tries, slot));
    if (!is_fixnum(slot))
        return leave(context, CB_NO_MEMORY);
    heap_set_slot(h, (size_t)fixnum_value(slot), w->values[1]);
    return leave(context, CB_OK);
}

cb_status cb_lookup(cb_context *context, const char *name, size_t name_length, cb_event *event)
{
    if (!name || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    struct wire *w = &context->wire;
    clear_event(event);
    val symbol = symbol_find_utf8(context->heap, name, name_length);
    if (is_eq(symbol, HOLE))
        return leave(context, CB_NOT_FOUND);
    if (!wire_room_values_gc(w, 1))
        return leave(context, CB_NO_MEMORY);
    w->values[w->count++] = symbol;
    status = look_up(context, 0);
    if (status != CB_OK)
        return leave(context, status);
    if (wire_pack_gc(w, w->values[0]) != WIRE_OK) {
        event->kind = CB_UNPACKABLE;
        (void)conversion_status_gc(context, WIRE_TOO_BIG, event);
        return leave(context, CB_OK);
    }
    point_to_data(context, event);
    return leave(context, CB_OK);
}

cb_status cb_names(cb_context *context, const char *prefix, size_t length, cb_event *event)
{
    if ((!prefix && length) || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    clear_event(event);
    enum wire_status s = host_pack_names_gc(&context->wire, &context->heap->roots[ROOT_TOP],
                                            prefix ? prefix : "", length);
    if (s == WIRE_OK)
        point_to_data(context, event);
    return leave(context, conversion_status_gc(context, s, NULL));
}

cb_status cb_release(cb_context *context, const uint64_t *handles, size_t count)
{
    if (!handles && count)
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (is_eq(ref_get(context->heap, handles[i]), HOLE))
            continue;
        ref_drop(context->heap, handles[i]);
        context->handles -= context->handles > 0;
    }
    return leave(context, CB_OK);
}

cb_status cb_backtrace(cb_context *context, cb_run *run, cb_event *event)
{
    if (!run || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    cb_run *r = find_run(context, run);
    if (!r)
        return leave(context, CB_BAD_ARGUMENT);
    struct wire *w = &context->wire;
    unsigned tries = 0;
    val trace;
    clear_event(event);
    if (!wire_room_values_gc(w, 1))
        return leave(context, CB_NO_MEMORY);
    do
        trace = run_backtrace(context->vm, r->run, TRACE_FRAMES);
    while (wire_again_gc(&context->wire, &tries, trace));
    if (is_control(trace))
        return leave(context, CB_NO_MEMORY);
    w->values[w->count++] = trace;
    enum wire_status s = wire_pack_frames_gc(w, w->count - 1);
    if (s == WIRE_OK)
        point_to_data(context, event);
    return leave(context, conversion_status_gc(context, s, NULL));
}

static bool is_list_of_strings(val v)
{
    for (; is_pair(v); v = cdr(v))
        if (!is_string(car(v)))
            return false;
    return is_eq(v, NIL);
}

cb_status cb_set_libraries(cb_context *context, const uint8_t *names, size_t length)
{
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    struct wire *w = &context->wire;
    enum wire_status s = WIRE_OK;
    if (names)
        s = wire_unpack_gc(w, names, length);
    else if (!wire_room_values_gc(w, 1))
        s = WIRE_NO_MEMORY;
    else
        w->values[w->count++] = FALSE;
    if (s == WIRE_OK && names && !is_list_of_strings(w->values[0]))
        s = WIRE_BAD;
    if (s != WIRE_OK)
        return leave(context, conversion_status_gc(context, s, NULL));
    unsigned tries = 0;
    val v;
    do
        v = library_set_allowed(context->heap, w->values[0]);
    while (wire_again_gc(w, &tries, v));
    return leave(context, is_control(v) ? CB_NO_MEMORY : CB_OK);
}

/* -- booting ----------------------------------------------------------------------- */

static primitive_function *find_primitive(const char *name)
{
    for (size_t i = 0; i < primitive_count; i++)
        if (strcmp(primitive_table[i].name, name) == 0)
            return primitive_table[i].function;
    return NULL;
}

/* Call a primitive, to its end, with the last n values; its value replaces them. */
static enum wire_status call_primitive_gc(cb_context *c, const char *name, size_t n)
{
    struct wire *w = &c->wire;
    struct heap *h = c->heap;
    primitive_function *function = find_primitive(name);
    unsigned tries = 0;
    val v = RAISE;
    if (!function)
        return WIRE_BAD;
    h->step = FALSE;
    do {
        h->charge = 0;
        h->afford = UINT64_MAX;
        v = function(h, w->values + w->count - n, n);
        if (is_eq(v, STEP))
            tries = 0;
    } while (is_eq(v, STEP) || wire_again_gc(w, &tries, v));
    h->step = FALSE;
    h->charge = 0;
    if (is_eq(v, RETRY))
        return WIRE_NO_MEMORY;
    w->count -= n;
    w->values[w->count++] = is_control(v) ? h->raised : v;
    h->raised = FALSE;
    return is_control(v) ? WIRE_BAD : WIRE_OK;
}

/* What %unit-open or %unit-next raised is the end of the boot run. */
static cb_status boot_failed_gc(cb_context *c, enum wire_status s, cb_event *event)
{
    struct wire *w = &c->wire;
    if (s == WIRE_NO_MEMORY || w->count == 0)
        return s == WIRE_NO_MEMORY ? CB_NO_MEMORY : CB_BAD_DATA;
    event->kind = wire_pack_gc(w, w->values[w->count - 1]) == WIRE_OK ? CB_RAISED : CB_UNPACKABLE;
    point_to_data(c, event);
    return CB_OK;
}

/* values[last]: the unit. Replaced by the thunk of form `index`, or FALSE. */
static enum wire_status unit_form_gc(cb_context *c, uint64_t index)
{
    struct wire *w = &c->wire;
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    w->values[w->count++] = fixnum((int64_t)index);
    return call_primitive_gc(c, "%unit-next", 2);
}

/* The run of a form has ended: put that of the next in its place. BOOT_FAILED:
 * the condition is the last of wire.values, or there was no memory for one. */
static enum boot_step next_boot_form_gc(cb_context *c, cb_run *r)
{
    struct wire *w = &c->wire;
    w->count = 0;
    if (!wire_room_values_gc(w, 4))
        return BOOT_FAILED;
    w->values[w->count++] = ref_get(c->heap, r->boot);
    if (unit_form_gc(c, r->boot_next) != WIRE_OK)
        return BOOT_FAILED;
    if (!is_procedure(w->values[0]))
        return is_true(w->values[0]) ? BOOT_FAILED : BOOT_DONE;
    struct run *run = apply_values_gc(c, 0);
    w->count = 0;
    if (!run)
        return BOOT_FAILED;
    run_free(c->vm, r->run);
    r->run = run;
    r->boot_next++;
    return BOOT_GO;
}

static enum wire_status open_boot_unit_gc(cb_context *c, const char *text, size_t length,
                                          const char *file, size_t file_length)
{
    struct wire *w = &c->wire;
    enum wire_status s = host_push_text_gc(w, text, length, false);
    if (s == WIRE_OK)
        s = host_push_text_gc(w, file, file_length, false);
    if (s != WIRE_OK) {
        w->count = 0;
        return s;
    }
    if (!wire_room_values_gc(w, 4))
        return WIRE_NO_MEMORY;
    w->values[w->count++] = c->heap->roots[ROOT_CORE];
    s = host_push_text_gc(w, "body", 4, true);
    return s == WIRE_OK ? call_primitive_gc(c, "%unit-open", 4) : s;
}

/* values[0]: the unit. A run that goes through its forms. */
static cb_status start_boot_gc(cb_context *c, cb_event *event)
{
    struct wire *w = &c->wire;
    static const cb_budget unlimited = {sizeof unlimited, 0, UINT64_MAX, UINT64_MAX, 0};
    unsigned tries = 0;
    val id;
    do
        id = ref_new(c->heap, w->values[0]);
    while (wire_again_gc(w, &tries, id));
    if (!is_fixnum(id))
        return CB_NO_MEMORY;
    enum wire_status s = unit_form_gc(c, 0);
    if (s != WIRE_OK || !is_procedure(w->values[0])) {
        ref_drop(c->heap, (uint64_t)fixnum_value(id));
        if (s == WIRE_OK && is_eq(w->values[0], FALSE))
            return CB_OK;
        return boot_failed_gc(c, s, event);
    }
    cb_status status = start_gc(c, &unlimited, event);
    if (status != CB_OK)
        return status;
    cb_run *r = find_run(c, event->run);
    r->boot = (uint64_t)fixnum_value(id);
    r->boot_next = 1;
    clear_event(event);
    return advance_gc(c, r, UINT64_MAX, event);
}

cb_status cb_boot_unit(cb_context *context, const char *text, size_t length, const char *file,
                       size_t file_length, cb_event *event)
{
    if (!text || !file || !good_event(event))
        return CB_BAD_ARGUMENT;
    cb_status status = enter(context);
    if (status != CB_OK)
        return status;
    clear_event(event);
    enum wire_status s = open_boot_unit_gc(context, text, length, file, file_length);
    status = s == WIRE_OK ? start_boot_gc(context, event) : boot_failed_gc(context, s, event);
    return leave(context, status);
}

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
