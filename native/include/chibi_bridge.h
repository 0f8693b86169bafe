/* chibi_bridge: an embeddable, sandboxed R7RS Scheme engine. Public interface.
 *
 * Everything is opaque; every function is total: it answers a cb_status and
 * never aborts, exits, longjmps or calls back. The engine reaches nothing
 * outside its memory: what a program wants of the world is an event that the
 * host answers.
 *
 * Threads: an engine and an image may be shared. A context is advanced by one
 * thread at a time; a second one gets CB_BUSY. cb_interrupt is the one call that
 * is legal from any thread at any time.
 *
 * Values cross packed as MessagePack: nil unspecified, booleans, integers within
 * 64 bits, float64, str string, bin bytevector, array proper list; extension
 * types 1 symbol (its name in UTF-8), 2 char (in UTF-8), 3 integer beyond 64 bits (sign byte 0/1,
 * magnitude big-endian),
 * 4 ratio (two packed integers), 5 complex (two packed reals), 6 vector (packed items
 * one after another), 7 improper list (packed items, the last is the tail), 8 record
 * (packed: handle id, type name str, array of field names, fields ...), 9 handle
 * (kind byte, id u64 big-endian, then a packed name or nil), 10 multiple values,
 * 11 eof, 12 hash table (packed key, value, key, value ...), 13 condition (packed
 * array, see cb_event). In maps become alists. Several packed items in one
 * extension stand directly one after another.
 *
 * Handle kinds: 0 foreign object of the host (id chosen by the host), 1 procedure,
 * 2 other opaque value (port, promise, environment, cyclic structure ...),
 * 3 host procedure (only towards the engine: packed name; id chosen by the host).
 * Ids of kinds 1 and 2 are given by the context and live until cb_release.
 *
 * A condition towards the host is ext 13 of one packed array:
 *   [kind str, message str, irritants array, who str|nil,
 *    position nil|[file str|nil, line, column],
 *    trace array of [name str|nil, file str|nil, line, column],
 *    hint str|nil, extra any packed value, handle of the object itself (ext 9)]
 * Any other raised object is the extra of a condition of kind "uncaught". Towards
 * the engine (cb_answer_error): array [kind str, message str, irritants array, extra]. */
#ifndef CHIBI_BRIDGE_H
#define CHIBI_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CB_API __attribute__((visibility("default")))
#else
#define CB_API
#endif

/* cdef begin */
typedef struct cb_engine cb_engine;
typedef struct cb_image cb_image;
typedef struct cb_context cb_context;
typedef struct cb_run cb_run;

typedef enum {
    CB_OK = 0,
    CB_BUSY = 1,         /* another thread is inside this context          */
    CB_NO_MEMORY = 2,    /* the host's memory, or the context's limit      */
    CB_BAD_ARGUMENT = 3, /* null, wrong size, not a run of this context    */
    CB_BAD_DATA = 4,     /* packed value or image bytes damaged; see error */
    CB_BAD_STATE = 5,    /* answer without a question, advance of an ended run */
    CB_NOT_FOUND = 6     /* no such name, handle or library                */
} cb_status;

typedef enum {
    CB_DONE = 0,      /* data: the packed value                          */
    CB_RAISED = 1,    /* data: the packed raised object                  */
    CB_EXIT = 2,      /* data: the packed exit code object               */
    CB_HOST_CALL = 3, /* data: packed array [op, argument ...]           */
    CB_PAUSED = 4,
    CB_OUT_OF_FUEL = 5,
    CB_OUT_OF_MEMORY = 6, /* usable tells whether the context can go on      */
    CB_OUT_OF_OUTPUT = 7,
    CB_INTERRUPTED = 8,
    CB_UNPACKABLE = 9 /* ended, but the result cannot cross; data: str why */
} cb_event_kind;

typedef struct {
    uint32_t size;       /* set by the caller: sizeof(cb_event)             */
    uint32_t kind;       /* cb_event_kind                                   */
    cb_run *run;         /* the run, while it has not ended; else NULL      */
    const uint8_t *data; /* packed; valid until the next call on the context;
                            after CB_BAD_DATA, CB_NOT_FOUND: str why (or none) */
    size_t length;
    uint64_t fuel_used;
    uint64_t serial;         /* of the run, for cb_interrupt                    */
    const uint64_t *dropped; /* host ids (handle kind 0, 3) found dead       */
    size_t dropped_count;
    size_t output_bytes, error_bytes; /* waiting in cb_output                */
    uint32_t usable;
    uint32_t long_work; /* with CB_PAUSED: the next advance begins with a piece of work that
                           the slice does not bound; cb_interrupt stops it              */
} cb_event;

typedef struct {
    uint32_t size;         /* sizeof(cb_limits)                              */
    uint32_t depth_max;    /* nesting of source text; 0: 10,000              */
    size_t memory;         /* bytes, whole context                           */
    uint64_t gc_stress;    /* collect at every Nth safepoint; 0: off         */
    uint64_t fail_after;   /* fail the Nth allocation from now; 0: off       */
    uint32_t fail_persist; /* and all after it                               */
} cb_limits;

typedef struct {
    uint32_t size;    /* sizeof(cb_budget)                              */
    uint32_t written; /* answer the written form (str) in place of the value */
    uint64_t fuel;    /* of the whole run; UINT64_MAX: no limit         */
    uint64_t output;  /* bytes; UINT64_MAX: no limit                    */
    uint64_t slice;   /* units of this first advance; 0: only make the run */
} cb_budget;

typedef struct {
    uint32_t size;
    size_t used, peak, limit;
    uint64_t collections, full_collections, live_handles;
    uint64_t fail_after; /* what is left of cb_limits.fail_after             */
} cb_stats;

uint32_t cb_version(void); /* major << 16 | minor << 8 | patch */
uint32_t cb_abi(void);
const char *cb_fingerprint(void); /* engine build: what an image must match */

cb_status cb_engine_new(cb_engine **out);
void cb_engine_free(cb_engine *engine);

/* The bytes are copied. error: NUL-terminated reason, at most error_size. */
cb_status cb_image_load(cb_engine *engine, const uint8_t *bytes, size_t length, cb_image **out,
                        char *error, size_t error_size);
/* Freeze a context without living runs. */
cb_status cb_image_make(cb_context *context, cb_image **out, char *error, size_t error_size);
/* A malloc'd copy of the image's bytes, released with cb_bytes_free. */
cb_status cb_image_bytes(cb_image *image, uint8_t **out, size_t *length);
void cb_bytes_free(uint8_t *bytes);
void cb_image_free(cb_image *image);

/* image NULL: a bare context with primitives and core syntax only (boot). */
cb_status cb_context_new(cb_engine *engine, cb_image *image, const cb_limits *limits,
                         cb_context **out);
void cb_context_free(cb_context *context);
cb_status cb_set_limits(cb_context *context, const cb_limits *limits);
cb_status cb_stats_get(cb_context *context, cb_stats *out);

/* Make a run and advance it once (budget->slice). source, filename: UTF-8. */
cb_status cb_run_source(cb_context *context, const char *source, size_t length,
                        const char *filename, size_t filename_length, const cb_budget *budget,
                        cb_event *event);
/* target: packed symbol (a global's name) or packed handle; arguments: one packed array. */
cb_status cb_run_apply(cb_context *context, const uint8_t *target, size_t target_length,
                       const uint8_t *arguments, size_t length, const cb_budget *budget,
                       cb_event *event);
/* Go on. slice 0: tell where the run stands, a waiting one its request again. */
cb_status cb_advance(cb_context *context, cb_run *run, uint64_t slice, cb_event *event);
/* Answer a CB_HOST_CALL with one packed value, and advance. */
cb_status cb_answer(cb_context *context, cb_run *run, const uint8_t *value, size_t length,
                    uint64_t slice, cb_event *event);
cb_status cb_answer_error(cb_context *context, cb_run *run, const uint8_t *condition, size_t length,
                          uint64_t slice, cb_event *event);
/* Drop a run without running after-thunks. */
cb_status cb_abandon(cb_context *context, cb_run *run);
cb_status cb_interrupt(cb_context *context, uint64_t serial);

/* A run that waits or paused, with its context, as bytes over the image that the context
 * was made of; released with cb_bytes_free. foreign: the host ids of objects (kind 0) that
 * may be in it. CB_BAD_STATE: error says what cannot be saved; refused: its host id, or 0. */
cb_status cb_snapshot(cb_context *context, cb_run *run, const uint64_t *foreign,
                      size_t foreign_count, uint8_t **out, size_t *length, uint64_t *refused,
                      char *error, size_t error_size);
/* The number of the image that a snapshot was made over, and that of an image (0: none). */
cb_status cb_snapshot_base(const uint8_t *bytes, size_t length, uint64_t *identity, char *error,
                           size_t error_size);
cb_status cb_image_identity(cb_image *image, uint64_t *identity);
/* A context with that run in it, which waits (ask with cb_advance for what) or paused. Of
 * the budget, the slice does not count. */
cb_status cb_restore(cb_engine *engine, cb_image *image, const cb_limits *limits,
                     const cb_budget *budget, const uint8_t *bytes, size_t length, cb_context **out,
                     cb_event *event, char *error, size_t error_size);

/* What the console ports wrote since last taken; which 0 output, 1 error. Valid until the next
 * call. */
cb_status cb_output(cb_context *context, uint32_t which, const char **data, size_t *length);

/* Top-level variables of the context's program. */
cb_status cb_define(cb_context *context, const char *name, size_t name_length, const uint8_t *value,
                    size_t length);
cb_status cb_lookup(cb_context *context, const char *name, size_t name_length, cb_event *event);
/* Names bound at top level with this prefix: packed array of str in event->data. */
cb_status cb_names(cb_context *context, const char *prefix, size_t length, cb_event *event);
cb_status cb_release(cb_context *context, const uint64_t *handles, size_t count);
/* Pack the Scheme backtrace of a suspended run: array of [name str|nil, file str|nil, line,
 * column, array of names and written values of variables]. */
cb_status cb_backtrace(cb_context *context, cb_run *run, cb_event *event);
/* Which libraries may be imported: NULL: all; else packed array of written names. */
cb_status cb_set_libraries(cb_context *context, const uint8_t *names, size_t length);
/* cdef end */

/* For the tool that makes the boot image: run a text as a body unit of the core
 * environment, as cb_run_source runs a program, without limits. Go on with
 * cb_advance and cb_answer while the event's run is not NULL. */
CB_API cb_status cb_boot_unit(cb_context *context, const char *text, size_t length,
                              const char *file, size_t file_length, cb_event *event);

#endif
