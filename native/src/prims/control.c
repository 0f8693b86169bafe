/* T7/T6 control primitives: those the VM carries out itself.
 *
 * The one file of prims/ that knows the machine. A row has no C function; behind
 * each stands what control_run calls for it, in the same order as the rows (the
 * order of the primitive table). Such a function finds its n arguments at fp, in
 * the frame of the call it replaces; it answers through vm_finish_return, or
 * rewrites the frame and goes on with another procedure. RETRY: nothing was
 * changed, the same frame is applied again. */
#include "frame.h"
#include "symbol.h"

#define CONTROL_PRIM(name, minimum, maximum, usage, doc)
#define CONTROL_FUNCTION(function) static bool function(struct vm *vm, struct run *run, size_t n)

static struct heap *heap_of(struct vm *vm)
{
    return &vm->heap;
}

/* Go on with procedure f and the n arguments that stand at fp. */
static bool go_on(struct vm *vm, struct run *run, val f, size_t n)
{
    run->fp[-1] = f;
    run->nargs = n;
    run->pc = AT_APPLY;
    (void)vm;
    return true;
}

static bool wrong_type(struct vm *vm, struct run *run, size_t i, const char *expected)
{
    return vm_finish_return(vm, run, raise_type(heap_of(vm), i, expected, run->fp[i]));
}

/* -- calls and values ------------------------------------------------------------------- */
CONTROL_PRIM("apply", 2, -1, "(apply procedure arg ... list)",
             "Call PROCEDURE with the ARGs and then the elements of LIST as arguments.")
CONTROL_FUNCTION(control_apply)
{
    struct heap *h = heap_of(vm);
    val list = run->fp[n - 1];
    for (size_t i = n - 2; i > 0; i--) {
        list = cons(h, run->fp[i], list);
        if (is_control(list))
            return vm_finish_return(vm, run, list);
    }
    return vm_apply_list(vm, run, run->fp[0], list);
}

CONTROL_PRIM("values", 0, -1, "(values obj ...)", "Deliver all OBJs to the continuation.")
CONTROL_FUNCTION(control_values)
{
    return vm_return_values(vm, run, 0, n);
}

CONTROL_PRIM("call-with-values", 2, 2, "(call-with-values producer consumer)",
             "Call PRODUCER without arguments, and CONSUMER with the values it delivers.")
CONTROL_FUNCTION(control_call_with_values)
{
    (void)n;
    val producer = run->fp[0];
    run->fp += 4;
    run->fp[-2] = address_word(AT_RECEIVED);
    return go_on(vm, run, producer, 0);
}

/* -- dynamic state ---------------------------------------------------------------------------- */
static val state_new(struct heap *h, const val *fields)
{
    val ds = TRY(heap_alloc(h, T_DYNAMIC_STATE, 0, 0));
    memcpy(object_fields(ds), fields, 4 * sizeof(val));
    return ds;
}

/* The run's dynamic state; an empty one is made when first asked for. */
static val state_current(struct heap *h, struct run *run)
{
    if (!is_type(run->dynamic_state, T_DYNAMIC_STATE))
        run->dynamic_state = TRY(state_new(h, (const val[4]){NIL, NIL, NIL, FALSE}));
    return run->dynamic_state;
}

CONTROL_PRIM("%dynamic-state", 0, 0, "(%dynamic-state)", "Return the current dynamic state.")
CONTROL_FUNCTION(control_dynamic_state)
{
    (void)n;
    return vm_finish_return(vm, run, state_current(heap_of(vm), run));
}

/* -- continuations ------------------------------------------------------------------------- */
CONTROL_PRIM("%call/cc", 1, 1, "(%call/cc procedure)",
             "Call PROCEDURE with the current continuation, without looking at winders.")
CONTROL_FUNCTION(control_call_cc)
{
    (void)n;
    struct heap *h = heap_of(vm);
    val k = heap_alloc(h, T_CONTINUATION, 0, 0);
    val state = is_control(k) ? k : state_current(h, run);
    val captured = is_control(state) ? state : stack_capture(vm, run, false);
    if (is_control(captured))
        return vm_finish_return(vm, run, captured);
    val *fields = object_fields(k);
    fields[0] = run->segment;
    fields[1] = state;
    fields[2] = fixnum((int64_t)run->serial);
    object_raw(k)[0] = run->segment_top;
    val f = run->fp[0];
    run->fp[0] = k;
    return go_on(vm, run, f, 1);
}

bool control_throw(struct vm *vm, struct run *run, val k, size_t n)
{
    const val *from = run->fp;
    run->dynamic_state = object_field(k, 1);
    stack_reset(run, object_field(k, 0), (size_t)object_raw(k)[0]);
    memmove(run->fp, from, n * sizeof(val));
    run->nargs = n;
    run->pc = AT_VALUES;
    run->fuel += 1 + n / 16; /* a loop may consist of throws alone */
    return run->fuel < atomic_load_explicit(&vm->trip, memory_order_relaxed) || fuel_check(vm, run);
}

CONTROL_PRIM("%throw", 2, 2, "(%throw continuation list)",
             "Continue CONTINUATION with the values in LIST, without looking at winders.")
CONTROL_FUNCTION(control_throw_list)
{
    (void)n;
    val k = run->fp[0], list = run->fp[1];
    if (!is_type(k, T_CONTINUATION))
        return wrong_type(vm, run, 0, "continuation");
    int64_t count = vm_list_count(list);
    if (count < 0)
        return wrong_type(vm, run, 1, "list");
    val room = stack_room(vm, run, (size_t)count + STATIC_FRAME);
    if (is_control(room))
        return vm_finish_return(vm, run, room);
    for (val *to = run->fp; is_pair(list); list = cdr(list))
        *to++ = car(list);
    return control_throw(vm, run, k, (size_t)count);
}

CONTROL_PRIM("%continuation-dynamic-state", 1, 1, "(%continuation-dynamic-state k)",
             "Return the dynamic state that continuation K was captured in.")
CONTROL_FUNCTION(control_continuation_state)
{
    (void)n;
    val k = run->fp[0];
    if (!is_type(k, T_CONTINUATION))
        return wrong_type(vm, run, 0, "continuation");
    return vm_finish_return(vm, run, object_field(k, 1));
}

CONTROL_PRIM("%set-dynamic-state!", 1, 1, "(%set-dynamic-state! ds)",
             "Make DS the current dynamic state.")
CONTROL_FUNCTION(control_set_dynamic_state)
{
    (void)n;
    if (!is_type(run->fp[0], T_DYNAMIC_STATE))
        return wrong_type(vm, run, 0, "dynamic state");
    run->dynamic_state = run->fp[0];
    return vm_finish_return(vm, run, UNSPECIFIED);
}

CONTROL_PRIM("%make-dynamic-state", 4, 4, "(%make-dynamic-state winders handlers parameters marks)",
             "Return a new dynamic state.")
CONTROL_FUNCTION(control_make_dynamic_state)
{
    (void)n;
    return vm_finish_return(vm, run, state_new(heap_of(vm), run->fp));
}

CONTROL_PRIM("%dynamic-state-ref", 2, 2, "(%dynamic-state-ref ds i)",
             "Return field I of DS: winders, handlers, parameters, marks.")
CONTROL_FUNCTION(control_dynamic_state_ref)
{
    (void)n;
    if (!is_type(run->fp[0], T_DYNAMIC_STATE))
        return wrong_type(vm, run, 0, "dynamic state");
    if (!is_index(run->fp[1], 4))
        return wrong_type(vm, run, 1, "index below 4");
    return vm_finish_return(vm, run, object_field(run->fp[0], (size_t)fixnum_value(run->fp[1])));
}

/* -- the outside ------------------------------------------------------------------------------- */
CONTROL_PRIM("%host-call", 1, -1, "(%host-call op arg ...)",
             "Ask the host; the value is its answer.")
CONTROL_FUNCTION(control_host_call)
{
    val request = heap_alloc(heap_of(vm), T_VECTOR, n, 0);
    if (is_control(request))
        return vm_finish_return(vm, run, request);
    memcpy(object_fields(request), run->fp, n * sizeof(val));
    run->value = request;
    run->state = RUN_WAITING;
    run->event = EVENT_HOST_CALL;
    return false;
}

CONTROL_PRIM("%end-run", 2, 2, "(%end-run kind value)",
             "End the run as KIND, the symbol raised or exit, with VALUE.")
CONTROL_FUNCTION(control_end_run)
{
    (void)n;
    val raised = symbol_intern_ascii(heap_of(vm), "raised");
    if (is_control(raised))
        return vm_finish_return(vm, run, raised);
    enum run_event event = is_eq(run->fp[0], raised) ? EVENT_RAISED : EVENT_EXIT;
    return run_end(run, event, run->fp[1]);
}

CONTROL_PRIM("%set-root!", 2, 2, "(%set-root! index value)",
             "Set value number INDEX of those that C looks up by number.")
CONTROL_FUNCTION(control_set_root)
{
    (void)n;
    if (!is_index(run->fp[0], ROOT_COUNT))
        return wrong_type(vm, run, 0, "index of a root");
    vm->heap.roots[fixnum_value(run->fp[0])] = run->fp[1];
    return vm_finish_return(vm, run, UNSPECIFIED);
}

CONTROL_PRIM("%current-trace", 0, 0, "(%current-trace)",
             "Return a vector of the codes and instruction indexes of the calls in progress.")
CONTROL_FUNCTION(control_current_trace)
{
    (void)n;
    return vm_finish_return(vm, run, frame_trace(vm, run, true, TRACE_MOST));
}

/* -- ticks --------------------------------------------------------------------------- */
CONTROL_PRIM("%set-tick!", 1, 1, "(%set-tick! units)",
             "Call the procedure of root 14 once after UNITS more of fuel, #f: not at all. It gets "
             "the frame it interrupts, for %resume-frame.")
CONTROL_FUNCTION(control_set_tick)
{
    (void)n;
    val units = run->fp[0];
    if (is_true(units) && !(is_fixnum(units) && fixnum_value(units) >= 0))
        return wrong_type(vm, run, 0, "nonnegative fixnum or #f");
    fuel_set_tick(vm, run, is_true(units) ? (uint64_t)fixnum_value(units) : UINT64_MAX);
    return vm_finish_return(vm, run, UNSPECIFIED);
}

CONTROL_PRIM("%resume-frame", 1, 1, "(%resume-frame frame)",
             "Go on with a frame that a tick interrupted.")
CONTROL_FUNCTION(control_resume_frame)
{
    (void)n;
    if (!is_vector(run->fp[0]))
        return wrong_type(vm, run, 0, "frame");
    val done = frame_restore(vm, run, run->fp[0]);
    return is_control(done) ? vm_finish_return(vm, run, done) : true;
}

CONTROL_PRIM("%run-serial", 0, 0, "(%run-serial)", "Return the number of this run in its context.")
CONTROL_FUNCTION(control_run_serial)
{
    (void)n;
    return vm_finish_return(vm, run, fixnum((int64_t)run->serial));
}

/* -- dispatch ---------------------------------------------------------------------------- */
typedef bool control_function(struct vm *vm, struct run *run, size_t n);

/* In the order of the rows above: control_run checks it. */
static const struct {
    const char *name;
    control_function *function;
} functions[] = {
    {"apply", control_apply},
    {"values", control_values},
    {"call-with-values", control_call_with_values},
    {"%dynamic-state", control_dynamic_state},
    {"%call/cc", control_call_cc},
    {"%throw", control_throw_list},
    {"%continuation-dynamic-state", control_continuation_state},
    {"%set-dynamic-state!", control_set_dynamic_state},
    {"%make-dynamic-state", control_make_dynamic_state},
    {"%dynamic-state-ref", control_dynamic_state_ref},
    {"%host-call", control_host_call},
    {"%end-run", control_end_run},
    {"%set-root!", control_set_root},
    {"%current-trace", control_current_trace},
    {"%set-tick!", control_set_tick},
    {"%resume-frame", control_resume_frame},
    {"%run-serial", control_run_serial},
};

size_t control_first(void)
{
    size_t i = 0;
    while (i < primitive_count && primitive_table[i].kind != CONTROL)
        i++;
    return i;
}

bool control_run(struct vm *vm, struct run *run, size_t index, size_t n)
{
    size_t i = index - vm->control_base;
    CHECK(i < ARRAY_LENGTH(functions));
    CHECK(strcmp(functions[i].name, primitive_table[index].name) == 0);
    return functions[i].function(vm, run, n);
}
