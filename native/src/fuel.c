/* T6 fuel: the one countdown for fuel, slices, interrupts and stress.
 *
 * run->fuel counts up; the VM looks at it where it meets or passes vm->trip.
 * Other threads only set a reason bit and then store 0 to trip; here the trip is
 * armed first and the reasons are read afterwards, so none is lost. Under
 * gc_stress the trip is always 0 and safepoints are counted; nothing of that
 * shows in run->fuel. Also here: how runs end, and life of runs and contexts. */
#include "frame.h"
#include "engine.h"

void fuel_arm(struct vm *vm, struct run *run)
{
    uint64_t trip = run->fuel_limit < run->slice_end ? run->fuel_limit : run->slice_end;
    if (run->tick < trip)
        trip = run->tick;
    if (vm->heap.gc_stress)
        trip = 0;
    atomic_store_explicit(&vm->trip, trip, memory_order_seq_cst);
    if (atomic_load_explicit(&vm->reasons, memory_order_seq_cst))
        atomic_store_explicit(&vm->trip, 0, memory_order_relaxed);
}

/* Was this very run asked to stop? Forgets requests for others. */
static bool interrupted(struct vm *vm, const struct run *run)
{
    atomic_store_explicit(&vm->heap.interrupt, false, memory_order_seq_cst);
    if (!atomic_exchange_explicit(&vm->reasons, 0, memory_order_seq_cst))
        return false;
    return atomic_load_explicit(&vm->interrupt_serial, memory_order_relaxed) == run->serial;
}

static bool stress(struct vm *vm, struct run *run)
{
    uint64_t n = vm->heap.gc_stress;
    if (!n || ++vm->stress_count % n)
        return true;
    bool full = vm->stress_count / n % 16 == 0;
    frame_settle(run);
    return heap_collect_gc(&vm->heap, full ? COLLECT_FULL : COLLECT_MINOR, 0);
}

void fuel_set_tick(struct vm *vm, struct run *run, uint64_t units)
{
    run->tick = units < UINT64_MAX - run->fuel ? run->fuel + units : UINT64_MAX;
    fuel_arm(vm, run);
}

/* In place of the frame at fp, the procedure of ROOT_TICK is called with what
 * %resume-frame goes on with. Where the frame is not the program's, a later
 * safepoint does it. Not between slices: the fuel alone decides. */
static bool tick(struct vm *vm, struct run *run)
{
    struct heap *h = &vm->heap;
    val saved = FALSE;
    if (is_object(h->roots[ROOT_TICK]) && !is_true(run->step) && !is_true(h->step))
        saved = frame_save(vm, run);
    if (is_eq(saved, RETRY)) {
        frame_settle(run);
        if (!heap_collect_gc(h, COLLECT_MINOR, h->wanted))
            return run_out_of_memory(vm, run);
        saved = frame_save(vm, run);
        if (is_eq(saved, RETRY))
            return run_out_of_memory(vm, run);
    }
    if (is_true(saved)) {
        run->tick = UINT64_MAX;
        run->fp[-1] = h->roots[ROOT_TICK];
        run->fp[0] = saved;
        run->nargs = 1;
        run->pc = AT_APPLY;
    }
    return true;
}

bool fuel_check(struct vm *vm, struct run *run)
{
    if (interrupted(vm, run))
        return run_end(run, EVENT_INTERRUPTED, UNSPECIFIED);
    if (run->fuel >= run->fuel_limit)
        return run_end(run, EVENT_OUT_OF_FUEL, UNSPECIFIED);
    if (!stress(vm, run))
        return run_out_of_memory(vm, run);
    if (run->fuel >= run->tick && !tick(vm, run))
        return false;
    if (run->fuel >= run->slice_end) {
        run->event = EVENT_PAUSED;
        return false;
    }
    fuel_arm(vm, run);
    return true;
}

/* -- ends --------------------------------------------------------------------------------- */
bool run_end(struct run *run, enum run_event event, val value)
{
    run->state = RUN_ENDED;
    run->event = (uint8_t)event;
    run->value = value;
    run->step = FALSE;
    return false;
}

/* The run and its stack go; the context stays usable where that helped. */
bool run_out_of_memory(struct vm *vm, struct run *run)
{
    struct heap *h = &vm->heap;
    stack_drop(vm, run);
    run->dynamic_state = FALSE;
    h->raised = h->step = FALSE;
    bool end = run_end(run, EVENT_OUT_OF_MEMORY, UNSPECIFIED);
    bool room = heap_collect_gc(h, COLLECT_FULL, 0);
    vm->usable = room && h->limit - size_min(h->used, h->limit) >= h->limit / 8;
    return end;
}

/* A primitive gave up, having changed nothing: an interrupt was seen (one for
 * another run: go on), a limit is reached, or the work is longer than LONG_WORK.
 * The host looks at clock and signals between slices only; so the run pauses once
 * in front of such work, and the next slice does it in one go. */
bool run_limit(struct vm *vm, struct run *run)
{
    struct heap *h = &vm->heap;
    if (h->limit_reason == LIMIT_OUTPUT)
        return run_end(run, EVENT_OUT_OF_OUTPUT, UNSPECIFIED);
    if (h->limit_reason == LIMIT_MEMORY)
        return run_out_of_memory(vm, run);
    h->charge = 0;
    if (atomic_load_explicit(&h->interrupt, memory_order_relaxed)) {
        if (interrupted(vm, run))
            return run_end(run, EVENT_INTERRUPTED, UNSPECIFIED);
        return true;
    }
    if (run->fuel < run->fuel_limit && run->most < run->fuel_limit - run->fuel) {
        run->long_next = true;
        run->event = EVENT_PAUSED;
        return false;
    }
    run->fuel = run->fuel_limit;
    return run_end(run, EVENT_OUT_OF_FUEL, UNSPECIFIED);
}

/* Collect, for the instruction at run->pc to be executed again. */
bool run_retry(struct vm *vm, struct run *run, size_t wanted)
{
    uint64_t return_to = run->fp > run->stack + STACK_BASE ? run->fp[-2].bits : 0;
    bool again = run->retries && run->retry_pc == run->pc && run->retry_fuel == run->fuel &&
                 run->retry_return == return_to;
    run->retries = again ? run->retries + 1 : 1;
    run->retry_pc = run->pc;
    run->retry_fuel = run->fuel;
    run->retry_return = return_to;
    if (run->retries > 3)
        return run_out_of_memory(vm, run);
    frame_settle(run);
    vm->heap.charge = 0;
    if (!heap_collect_gc(&vm->heap, again ? COLLECT_FULL : COLLECT_MINOR, wanted))
        return run_out_of_memory(vm, run);
    return true;
}

/* -- contexts and runs ----------------------------------------------------------------------- */
struct vm *vm_new(struct engine *engine, size_t memory_limit)
{
    struct heap boot;
    memset(&boot, 0, sizeof boot);
    if (!heap_init(&boot, engine, memory_limit))
        return NULL;
    struct vm *vm = heap_malloc(&boot, sizeof *vm);
    if (!vm) {
        heap_free_all(&boot);
        return NULL;
    }
    memset(vm, 0, sizeof *vm);
    vm->heap = boot;
    vm->usable = true;
    vm->next_serial = 1;
    vm->control_base = control_first();
    if (!heap_owner_add(&vm->heap, runs_trace, vm)) {
        vm_free(vm);
        return NULL;
    }
    return vm;
}

void vm_free(struct vm *vm)
{
    while (vm->runs)
        run_free(vm, vm->runs);
    if (vm->spare) {
        stack_drop(vm, vm->spare);
        heap_mfree(&vm->heap, vm->spare, sizeof *vm->spare);
    }
    struct heap last = vm->heap;
    heap_mfree(&last, vm, sizeof *vm);
    heap_free_all(&last);
}

static bool run_start(struct vm *vm, struct run *run, val procedure, const val *args, size_t count)
{
    if (!stack_init(vm, run) || is_control(stack_room(vm, run, count + STATIC_FRAME)))
        return false;
    run->fp[-1] = procedure;
    for (size_t i = 0; i < count; i++)
        run->fp[i] = args[i];
    run->nargs = count;
    run->pc = AT_APPLY;
    return true;
}

/* The memory of an ended run, with its stack, or new memory. */
static struct run *take_spare(struct vm *vm)
{
    struct run *run = vm->spare;
    vm->spare = NULL;
    if (!run)
        run = heap_malloc(&vm->heap, sizeof *run);
    else if (run->stack) {
        val *stack = run->stack;
        size_t capacity = run->capacity;
        memset(run, 0, sizeof *run);
        run->stack = stack;
        run->capacity = capacity;
        return run;
    }
    if (run)
        memset(run, 0, sizeof *run);
    return run;
}

struct run *run_new(struct vm *vm, val procedure, const val *args, size_t count)
{
    struct run *run = take_spare(vm);
    if (!run)
        return NULL;
    run->segment = run->value = run->step = run->dynamic_state = FALSE;
    run->fuel_limit = run->slice_end = run->tick = UINT64_MAX;
    run->serial = vm->next_serial++;
    run->next = vm->runs;
    vm->runs = run;
    if (!run_start(vm, run, procedure, args, count)) {
        run_free(vm, run);
        return NULL;
    }
    frame_settle(run);
    return run;
}

void run_free(struct vm *vm, struct run *run)
{
    struct run **link = &vm->runs;
    while (*link && *link != run)
        link = &(*link)->next;
    if (*link)
        *link = run->next;
    if (run->capacity != STACK_FIRST)
        stack_drop(vm, run);
    if (!vm->spare) {
        vm->spare = run;
        return;
    }
    stack_drop(vm, run);
    heap_mfree(&vm->heap, run, sizeof *run);
}

void run_set_fuel(struct run *run, uint64_t fuel_limit)
{
    run->fuel_limit = fuel_limit;
}

val run_value(const struct run *run)
{
    return run->value;
}

uint64_t run_fuel_used(const struct run *run)
{
    return run->fuel < run->fuel_limit ? run->fuel : run->fuel_limit;
}

uint64_t run_serial(const struct run *run)
{
    return run->serial;
}

/* The flag for long C loops comes after the reason: interrupted() may then find it
 * standing without one, which is harmless, but never a reason without it. One that
 * waits for the run going on is not replaced by one for another run. */
void vm_interrupt(struct vm *vm, uint64_t serial)
{
    uint64_t running = atomic_load_explicit(&vm->running, memory_order_seq_cst);
    if (running != serial && atomic_load_explicit(&vm->reasons, memory_order_seq_cst) &&
        atomic_load_explicit(&vm->interrupt_serial, memory_order_relaxed) == running)
        return;
    atomic_store_explicit(&vm->interrupt_serial, serial, memory_order_relaxed);
    atomic_fetch_or_explicit(&vm->reasons, REASON_INTERRUPT, memory_order_seq_cst);
    atomic_store_explicit(&vm->heap.interrupt, true, memory_order_seq_cst);
    atomic_store_explicit(&vm->trip, 0, memory_order_seq_cst);
}

void run_answer(struct vm *vm, struct run *run, val value)
{
    if (run->state != RUN_WAITING)
        return;
    run->state = RUN_READY;
    run->value = UNSPECIFIED;
    bool go = vm_finish_return(vm, run, value);
    CHECK(go);
    (void)go;
    frame_settle(run);
}

void run_answer_raise(struct vm *vm, struct run *run, val condition)
{
    if (run->state != RUN_WAITING)
        return;
    run->state = RUN_READY;
    run->value = UNSPECIFIED;
    run->fp[-1] = FALSE;
    run->fp[0] = condition;
    run->nargs = 1;
    run->pc = AT_RAISE;
    (void)vm;
    frame_settle(run);
}

val run_backtrace(struct vm *vm, struct run *run, size_t most)
{
    return frame_locals(vm, run, most);
}
