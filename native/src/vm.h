/* T6 the machine: contexts, runs, events. vm.c holds the loop only.
 *
 * struct heap is the first member of struct vm, so `(struct vm *)h` is legal in
 * this tier (and only here). A run is heap and counted memory; no Scheme state
 * is on the C stack outside run_advance. */
#ifndef CB_VM_H
#define CB_VM_H

#include "heap.h"

enum run_event {
    EVENT_DONE,      /* run->value: the value (a T_VALUES where not one)     */
    EVENT_RAISED,    /* run->value: the raised object                        */
    EVENT_EXIT,      /* run->value: the exit code object                     */
    EVENT_HOST_CALL, /* run->value: vector #(op arg ...)                     */
    EVENT_PAUSED,    /* the slice is used up                                 */
    EVENT_OUT_OF_FUEL,
    EVENT_OUT_OF_MEMORY,
    EVENT_OUT_OF_OUTPUT,
    EVENT_INTERRUPTED
};

struct vm;
struct run; /* frame.h */

MUST_USE struct vm *vm_new(struct engine *engine, size_t memory_limit);
void vm_free(struct vm *vm);

/* A run that will apply `procedure` to the `count` arguments. NULL: no room. */
MUST_USE struct run *run_new(struct vm *vm, val procedure, const val *args, size_t count);
void run_free(struct vm *vm, struct run *run);
/* fuel_limit UINT64_MAX: none. Set before the first advance. */
void run_set_fuel(struct run *run, uint64_t fuel_limit);
/* Go on until an event; at most about `slice` units (then EVENT_PAUSED). */
enum run_event run_advance(struct vm *vm, struct run *run, uint64_t slice);
/* Answer EVENT_HOST_CALL; then advance again. */
void run_answer(struct vm *vm, struct run *run, val value);
void run_answer_raise(struct vm *vm, struct run *run, val condition);
val run_value(const struct run *run);
uint64_t run_fuel_used(const struct run *run);
uint64_t run_serial(const struct run *run);
/* Legal from any thread: ask the run with this serial to stop. */
void vm_interrupt(struct vm *vm, uint64_t serial);
/* The Scheme backtrace of a suspended run, or RETRY: see frame_locals. */
MUST_USE val run_backtrace(struct vm *vm, struct run *run, size_t most);

#endif
