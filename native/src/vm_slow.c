/* T6 slow paths: what an instruction does when the common case does not hold.
 *
 * Each function finds the instruction at run->pc and the frame at run->fp, and
 * either carries it out and sets pc behind it, or leaves everything so that it
 * can be executed again (after a collection), or raises, or ends the step. A
 * failure inside a frame calls ROOT_RAISE from above that frame, with the
 * RAISE_RETURN at the end of its code as return address; a failing call is
 * replaced by the call of ROOT_RAISE. The messages of inlined primitives come
 * from the primitives themselves. */
#include "frame.h"
#include "condition.h"
#include "printer.h"
#include "num.h"
#include "string.h"
#include "symbol.h"

#define REST_PIECE 1024u   /* pairs, a multiple of 16 */
#define VALUES_MOST 32768u /* in a list of the rest: what surely fits the nursery */

static val *registers(const struct run *run)
{
    return run->fp;
}

static uint64_t word_at(const struct run *run)
{
    return *run->pc;
}

void vm_begin_charge(struct vm *vm, const struct run *run)
{
    vm->heap.charge = 0;
    vm->heap.limit_reason = LIMIT_FUEL;
    vm->heap.afford = size_min(run->fuel_limit - size_min(run->fuel, run->fuel_limit), run->most);
}

static void commit_charge(struct vm *vm, struct run *run)
{
    if (__builtin_add_overflow(run->fuel, vm->heap.charge, &run->fuel))
        run->fuel = UINT64_MAX;
    vm->heap.charge = 0;
}

static val literal_of(const struct run *run, size_t i)
{
    val literals = object_field(code_of(run->fp[-1]), CODE_LITERALS);
    return object_field(literals, i);
}

/* -- outcomes ------------------------------------------------------------------------------ */
bool vm_control_word(struct vm *vm, struct run *run, val v, bool in_place)
{
    struct heap *h = &vm->heap;
    if (is_eq(v, RETRY))
        return run_retry(vm, run, h->wanted);
    if (is_eq(v, LIMIT))
        return run_limit(vm, run);
    commit_charge(vm, run);
    if (is_eq(v, STEP))
        return fuel_check(vm, run);
    h->step = FALSE;
    return in_place ? vm_raise_in_place(vm, run) : vm_raise_here(vm, run);
}

bool vm_finish(struct vm *vm, struct run *run, val v, unsigned a, size_t words)
{
    if (is_control(v))
        return vm_control_word(vm, run, v, false);
    commit_charge(vm, run);
    vm->heap.step = FALSE;
    run->fp[a] = v;
    run->pc += words;
    return true;
}

bool vm_finish_return(struct vm *vm, struct run *run, val v)
{
    if (is_control(v))
        return vm_control_word(vm, run, v, true);
    commit_charge(vm, run);
    vm->heap.step = FALSE;
    run->pc = return_address(run->fp);
    size_t k = run->pc[-1] & 0xffff;
    run->fp -= 2 + k;
    run->fp[k] = v;
    run->nargs = 0;
    return true;
}

/* -- raising -------------------------------------------------------------------------------- */
/* The name of the primitive that raised, or FALSE; RETRY. */
static val find_who(struct vm *vm, const struct run *run, bool in_place)
{
    if (in_place)
        return is_type(run->fp[-1], T_PRIMITIVE) ? object_field(run->fp[-1], 0) : FALSE;
    unsigned op = word_op(word_at(run));
    const char *name = op == OP_CALLPRIM ? primitive_table[run->pc[1]].name : opcode_rows[op].who;
    return name ? symbol_intern_ascii(&vm->heap, name) : FALSE;
}

/* Fill in `who` (but of what `error` made: its message says all) and the trace of
 * heap.raised: TRUE or RETRY. */
static val complete(struct vm *vm, const struct run *run, bool in_place)
{
    val c = vm->heap.raised;
    if (!is_type(c, T_CONDITION))
        return TRUE;
    val *fields = object_fields(c);
    bool named = is_eq(fields[CONDITION_KIND], fixnum(CONDITION_ERROR));
    if (!named && !is_true(fields[CONDITION_WHO])) {
        val who = TRY(find_who(vm, run, in_place));
        heap_store(&vm->heap, c, fields + CONDITION_WHO, who);
    }
    if (!is_true(fields[CONDITION_TRACE])) {
        val trace = TRY(frame_trace(vm, run, in_place, TRACE_MOST));
        heap_store(&vm->heap, c, fields + CONDITION_TRACE, trace);
    }
    return TRUE;
}

static bool call_raise(struct vm *vm, struct run *run)
{
    val hook = vm->heap.roots[ROOT_RAISE], c = vm->heap.raised;
    vm->heap.raised = FALSE;
    if (!is_type(hook, T_CLOSURE))
        return run_end(run, EVENT_RAISED, c);
    run->fp[-1] = hook;
    run->fp[0] = c;
    run->nargs = 1;
    run->pc = code_start(object_field(hook, 0));
    return true;
}

/* Keeps the condition in fp[0], at AT_RAISE, until it is complete. */
bool vm_raise_in_place(struct vm *vm, struct run *run)
{
    val c = vm->heap.raised;
    val done = complete(vm, run, true);
    if (is_control(done)) {
        run->fp[0] = c;
        run->nargs = 1;
        run->pc = AT_RAISE;
        return run_retry(vm, run, vm->heap.wanted);
    }
    return call_raise(vm, run);
}

bool slow_raise_frame(struct vm *vm, struct run *run)
{
    vm->heap.raised = run->fp[0];
    return vm_raise_in_place(vm, run);
}

bool vm_raise_here(struct vm *vm, struct run *run)
{
    val done = complete(vm, run, false);
    size_t frame = frame_size(run->fp[-1]);
    if (!is_control(done))
        done = stack_room(vm, run, frame + 8);
    if (is_control(done))
        return run_retry(vm, run, vm->heap.wanted);
    val code = code_of(run->fp[-1]);
    const uint64_t *trailer =
        is_type(code, T_CODE) ? code_start(code) + code_raw(code, CODE_LENGTH) - 1 : AT_UNDERFLOW;
    run->fp[frame] = address_word(run->pc);
    run->fp += frame + 3;
    run->fp[-2] = address_word(trailer);
    return call_raise(vm, run);
}

static bool is_comparison(unsigned op)
{
    return op == OP_JZERO || op == OP_JNZERO || (op >= OP_JLT && op <= OP_JNCHARLT);
}

/* Go where the comparison at pc leads when its relation holds, or does not. */
static void take_branch(struct run *run, bool holds)
{
    uint64_t w = word_at(run);
    unsigned op = word_op(w);
    bool negative = opcode_rows[op].name[1] == 'N' && op != OP_JNUMEQ && op != OP_JNUMEQI;
    bool unary = op == OP_JZERO || op == OP_JNZERO;
    int64_t offset = unary ? word_imm(w) : (int16_t)word_c(w);
    run->pc += holds != negative ? offset : 1;
}

/* The handler came back: its value goes where the result would have gone. */
bool slow_raise_return(struct vm *vm, struct run *run)
{
    (void)vm;
    size_t k = run->pc[-1] & 0xffff;
    val v = run->fp[k];
    run->pc = (const uint64_t *)(uintptr_t)run->fp[k - 1].bits;
    uint64_t w = word_at(run);
    if (is_comparison(word_op(w))) {
        take_branch(run, is_true(v));
        return true;
    }
    if (opcode_rows[word_op(w)].format[0] == 'w' || word_op(w) == OP_CALLPRIM)
        run->fp[word_a(w)] = v;
    run->pc += instruction_words(run->pc);
    return true;
}

/* -- entering -------------------------------------------------------------------------------- */
static val list_of(struct heap *h, const val *items, size_t n)
{
    val list = NIL;
    while (n > 0)
        list = TRY(cons(h, items[--n], list));
    return list;
}

#define NAME_MOST 80

/* The name of a procedure for a message. */
static void procedure_name(struct heap *h, val procedure, char *out)
{
    val name = is_type(procedure, T_PRIMITIVE) || is_type(procedure, T_HOST_PROCEDURE)
                   ? object_field(procedure, 0)
                   : FALSE;
    if (is_type(procedure, T_CLOSURE))
        name = object_field(code_of(procedure), CODE_NAME);
    if (is_symbol(name))
        out[printer_brief(h, name, out, NAME_MOST - 1)] = 0;
    else
        memcpy(out, "the procedure", sizeof "the procedure");
}

/* How many arguments a procedure takes, in words. */
static val raise_counts(struct heap *h, val irritants, const char *name, size_t low, int64_t high,
                        size_t n)
{
    const char *plural = (high < 0 ? low : (size_t)high) == 1 ? "" : "s";
    if (high < 0)
        return raise_format(h, CONDITION_ARITY, irritants,
                            "%s takes at least %zu argument%s, got %zu", name, low, plural, n);
    if ((size_t)high != low)
        return raise_format(h, CONDITION_ARITY, irritants,
                            "%s takes %zu to %zu argument%s, got %zu", name, low, (size_t)high,
                            plural, n);
    return raise_format(h, CONDITION_ARITY, irritants, "%s takes %zu argument%s, got %zu", name,
                        low, plural, n);
}

/* As the irritants: #(procedure min max) is the extra, what is known of both. */
static val raise_arity(struct vm *vm, const struct run *run, size_t low, int64_t high)
{
    struct heap *h = &vm->heap;
    size_t n = (size_t)(run->nargs & ~NARGS_SPREAD);
    val procedure = run->fp[-1];
    val extra = TRY(heap_alloc(h, T_VECTOR, 3, 0));
    object_fields(extra)[0] = procedure;
    object_fields(extra)[1] = fixnum((int64_t)low);
    object_fields(extra)[2] = high < 0 ? FALSE : fixnum(high);
    size_t shown = run->nargs & NARGS_SPREAD ? 0 : size_min(n, 8);
    val args = TRY(list_of(h, run->fp, shown));
    val count = TRY(cons(h, fixnum((int64_t)n), NIL));
    val irritants = TRY(cons(h, args, count));
    char name[NAME_MOST];
    procedure_name(h, procedure, name);
    val word = raise_counts(h, irritants, name, low, high, n);
    if (is_eq(word, RAISE))
        heap_store(h, h->raised, object_fields(h->raised) + CONDITION_EXTRA, extra);
    return word;
}

static bool arity_error(struct vm *vm, struct run *run)
{
    val code = code_of(run->fp[-1]);
    uint64_t arity = code_raw(code, CODE_ARITY);
    size_t low = arity & 0xffffffff;
    val v = raise_arity(vm, run, low, arity >> 32 ? -1 : (int64_t)low);
    return vm_control_word(vm, run, v, true);
}

bool slow_enter(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    if (run->nargs != word_a(w))
        return arity_error(vm, run);
    val v = stack_enter(vm, run, word_b(w));
    return is_control(v) ? vm_control_word(vm, run, v, true) : true;
}

bool slow_case_fail(struct vm *vm, struct run *run)
{
    return arity_error(vm, run);
}

static bool go_if_fuel(struct vm *vm, struct run *run)
{
    return run->fuel < atomic_load_explicit(&vm->trip, memory_order_relaxed) || fuel_check(vm, run);
}

/* Up to `most` elements of `from` in a fresh list. What is left; RETRY. */
static val copy_piece(struct heap *h, val from, size_t most, val *first, val *last)
{
    *first = *last = NIL;
    for (size_t i = 0; i < most && is_pair(from); i++, from = cdr(from)) {
        val p = TRY(cons(h, car(from), NIL));
        if (is_pair(*last))
            pair_words(*last)[1] = p;
        else
            *first = p;
        *last = p;
    }
    return from;
}

/* The rest list that apply gave is copied, REST_PIECE pairs at a time; between two
 * pieces #(what is left, its length, first and last pair so far) stands in its
 * place. TRUE: done; FALSE: call again; RETRY. */
static val copy_rest(struct heap *h, val *place, size_t n)
{
    val from = *place, state = is_vector(from) ? from : FALSE, first, last;
    if (is_true(state)) {
        from = object_field(state, 0);
        n = (size_t)fixnum_value(object_field(state, 1));
    }
    size_t piece = size_min(n, REST_PIECE);
    TRY(heap_reserve(h, piece * 16 + 64));
    val left = TRY(copy_piece(h, from, piece, &first, &last));
    bool done = piece == n || !is_pair(left);
    val *fields = is_true(state) ? object_fields(state) : NULL;
    if (!done && !fields) {
        state = TRY(heap_alloc(h, T_VECTOR, 4, 0));
        fields = object_fields(state);
        fields[0] = fields[1] = fields[3] = NIL;
        fields[2] = first;
        *place = state;
    } else if (fields && is_pair(first)) {
        heap_store(h, fields[3], pair_words(fields[3]) + 1, first);
    }
    if (done) {
        *place = fields ? fields[2] : first;
        return TRUE;
    }
    heap_store(h, state, fields, left);
    fields[1] = fixnum((int64_t)(n - piece));
    heap_store(h, state, fields + 3, last);
    return FALSE;
}

/* ENTER_REST where the list is made already. */
static bool enter_spread(struct vm *vm, struct run *run, uint64_t w, size_t n)
{
    val *place = run->fp + word_a(w);
    size_t before = is_vector(*place) ? (size_t)fixnum_value(object_field(*place, 1)) : n;
    val done = copy_rest(&vm->heap, place, n);
    if (is_control(done))
        return run_retry(vm, run, vm->heap.wanted);
    run->fuel += size_min(before, REST_PIECE) / 16;
    if (is_true(done)) {
        run->nargs = 0;
        run->fuel += word_c(w);
        run->pc++;
    }
    return go_if_fuel(vm, run);
}

bool slow_enter_rest(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    size_t required = word_a(w), n = (size_t)(run->nargs & ~NARGS_SPREAD);
    bool made = run->nargs & NARGS_SPREAD;
    if (n < required)
        return arity_error(vm, run);
    val v = stack_enter(vm, run, made ? word_b(w) : size_max(n, word_b(w)));
    if (!is_control(v) && made)
        return enter_spread(vm, run, w, n - required);
    if (!is_control(v)) {
        vm->heap.wanted = (n - required) * 16;
        v = list_of(&vm->heap, run->fp + required, n - required);
    }
    if (is_control(v))
        return run_retry(vm, run, size_max(vm->heap.wanted, (n - required) * 16));
    run->fp[required] = v;
    run->nargs = 0;
    run->fuel += word_c(w) + (n - required) / 16;
    run->pc++;
    return go_if_fuel(vm, run);
}

/* -- several values ---------------------------------------------------------------------------- */
static bool values_error(struct vm *vm, struct run *run, size_t n, size_t wanted)
{
    struct heap *h = &vm->heap;
    val v = cons(h, fixnum((int64_t)n), NIL);
    if (!is_control(v))
        v = raise_format(h, CONDITION_VALUES, v, "%zu values where %zu %s wanted", n, wanted,
                         wanted == 1 ? "is" : "are");
    return vm_control_word(vm, run, v, true);
}

static bool deliver(struct vm *vm, struct run *run, const uint64_t *ret, size_t first, size_t n)
{
    size_t k = word_a(*ret), required = word_b(*ret);
    bool rest = word_c(*ret) != 0;
    bool fits = n == required || (rest && n > required && n - required <= VALUES_MOST);
    if (!fits)
        return values_error(vm, run, n, required);
    val list = NIL;
    if (rest) {
        list = list_of(&vm->heap, run->fp + first + required, n - required);
        if (is_control(list))
            return run_retry(vm, run, size_max(vm->heap.wanted, (n - required) * 16));
    }
    val *from = run->fp + first, *to = run->fp - 2;
    memmove(to, from, required * sizeof(val));
    if (rest)
        to[required] = list;
    run->fp = to - k;
    run->pc = ret + 1;
    run->nargs = 0;
    return true;
}

static bool values_done(struct vm *vm, struct run *run, size_t first, size_t n)
{
    val packed = heap_alloc(&vm->heap, T_VALUES, n, 0);
    if (is_control(packed))
        return vm_control_word(vm, run, packed, true);
    memcpy(object_fields(packed), run->fp + first, n * sizeof(val));
    return run_end(run, EVENT_DONE, packed);
}

bool vm_return_values(struct vm *vm, struct run *run, size_t first, size_t n)
{
    const uint64_t *ret = return_address(run->fp);
    if (n == 1)
        return vm_finish_return(vm, run, run->fp[first]);
    if (ret == AT_UNDERFLOW) {
        if (!is_true(run->segment))
            return values_done(vm, run, first, n);
        size_t words = size_max(first + n, frame_size(run->fp[-1]));
        val v = stack_reinstate(vm, run, words);
        return is_control(v) ? vm_control_word(vm, run, v, true) : true;
    }
    if (ret[-1] & LIVE_IGNORE)
        return vm_finish_return(vm, run, UNSPECIFIED);
    if (word_op(*ret) == OP_RECEIVE)
        return deliver(vm, run, ret, first, n);
    return values_error(vm, run, n, 1);
}

bool slow_return_values(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    return vm_return_values(vm, run, word_a(w), word_b(w));
}

bool slow_values_frame(struct vm *vm, struct run *run)
{
    return vm_return_values(vm, run, 0, (size_t)run->nargs);
}

/* One value arrived where RECEIVE wants another number, or a list. */
bool slow_receive(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    val *k = registers(run) + word_a(w);
    struct heap *h = &vm->heap;
    if (word_b(w) == 1) {
        k[1] = NIL;
        run->pc++;
        return true;
    }
    val v = cons(h, word_b(w) == 0 && word_c(w) ? *k : fixnum(1), NIL);
    if (!is_control(v) && word_b(w) == 0 && word_c(w)) {
        *k = v;
        run->pc++;
        return true;
    }
    if (!is_control(v))
        v = raise_format(h, CONDITION_VALUES, v, "1 value where %zu are wanted", (size_t)word_b(w));
    return vm_control_word(vm, run, v, false);
}

bool vm_underflow(struct vm *vm, struct run *run)
{
    val v = *run->fp;
    if (!is_true(run->segment))
        return run_end(run, EVENT_DONE, v);
    run->fp += 2;
    run->fp[-2] = address_word(AT_UNDERFLOW);
    val outcome = stack_reinstate(vm, run, 0);
    if (is_control(outcome)) {
        run->fp -= 2;
        *run->fp = v;
        return run_retry(vm, run, vm->heap.wanted);
    }
    return vm_finish_return(vm, run, v);
}

/* -- applying ---------------------------------------------------------------------------- */
static val dynamic_parameter(struct run *run, val parameter)
{
    val ds = run->dynamic_state;
    val list = is_type(ds, T_DYNAMIC_STATE) ? object_field(ds, 2) : NIL;
    size_t passed = 0;
    val found = FALSE;
    for (; is_pair(list) && !is_pair(found); list = cdr(list), passed++)
        if (is_pair(car(list)) && is_eq(car(car(list)), parameter))
            found = car(list);
    run->fuel += passed / 16;
    if (!is_pair(found))
        return object_field(parameter, 0);
    val v = cdr(found);
    return is_type(v, T_BOX) ? object_field(v, 0) : v;
}

static bool apply_parameter(struct vm *vm, struct run *run)
{
    if (run->nargs != 0)
        return vm_control_word(vm, run, raise_arity(vm, run, 0, 0), true);
    return vm_finish_return(vm, run, dynamic_parameter(run, run->fp[-1]));
}

static bool apply_host(struct vm *vm, struct run *run)
{
    struct heap *h = &vm->heap;
    size_t n = (size_t)run->nargs;
    val name = symbol_intern_ascii(h, "call");
    val request = is_control(name) ? name : heap_alloc(h, T_VECTOR, n + 2, 0);
    if (is_control(request))
        return vm_control_word(vm, run, request, true);
    val *out = object_fields(request);
    out[0] = symbol_name(name); /* a str on the wire: the host need not make a symbol */
    out[1] = fixnum((int64_t)object_raw(run->fp[-1])[0]);
    memcpy(out + 2, run->fp, n * sizeof(val));
    run->value = request;
    run->state = RUN_WAITING;
    run->event = EVENT_HOST_CALL;
    return false;
}

static bool apply_continuation(struct vm *vm, struct run *run)
{
    struct heap *h = &vm->heap;
    val k = run->fp[-1], mine = run->dynamic_state, theirs = object_field(k, 1);
    bool same = is_eq(mine, theirs) ||
                (is_type(mine, T_DYNAMIC_STATE) && is_type(theirs, T_DYNAMIC_STATE) &&
                 is_eq(object_field(mine, 0), object_field(theirs, 0)));
    val hook = h->roots[ROOT_REWIND];
    if (same || !is_type(hook, T_CLOSURE))
        return control_throw(vm, run, k, (size_t)run->nargs);
    val list = list_of(h, run->fp, (size_t)run->nargs);
    if (is_control(list))
        return vm_control_word(vm, run, list, true);
    run->fp[-1] = hook;
    run->fp[0] = k;
    run->fp[1] = list;
    run->nargs = 2;
    run->pc = code_start(object_field(hook, 0));
    return true;
}

static bool apply_primitive(struct vm *vm, struct run *run, const val *args, size_t n)
{
    size_t index = (size_t)object_raw(run->fp[-1])[0];
    const struct primitive *p = &primitive_table[index];
    if (n < (size_t)p->minimum || (p->maximum >= 0 && n > (size_t)p->maximum)) {
        val v = raise_arity(vm, run, (size_t)p->minimum, p->maximum);
        return vm_control_word(vm, run, v, true);
    }
    if (p->kind == CONTROL)
        return control_run(vm, run, index, n);
    vm_begin_charge(vm, run);
    return vm_finish_return(vm, run, p->function(&vm->heap, args, n));
}

bool vm_apply(struct vm *vm, struct run *run)
{
    run->pc = AT_APPLY;
    val f = run->fp[-1];
    val v = stack_room(vm, run, (size_t)run->nargs + STATIC_FRAME);
    if (is_control(v))
        return vm_control_word(vm, run, v, true);
    switch (is_object(f) ? object_type(f) : TYPE_COUNT) {
    case T_CLOSURE:
    case T_CODE:
        run->pc = code_start(code_of(f));
        return true;
    case T_PRIMITIVE:
        return apply_primitive(vm, run, run->fp, (size_t)run->nargs);
    case T_CONTINUATION:
        return apply_continuation(vm, run);
    case T_PARAMETER:
        return apply_parameter(vm, run);
    case T_HOST_PROCEDURE:
        return apply_host(vm, run);
    default:
        break;
    }
    val irritants = cons(&vm->heap, f, NIL);
    if (!is_control(irritants))
        irritants = raise_condition(&vm->heap, CONDITION_APPLY, "not a procedure", irritants);
    return vm_control_word(vm, run, irritants, true);
}

int64_t vm_list_count(val list)
{
    int64_t n = 0;
    val slow = list;
    while (is_pair(list)) {
        list = cdr(list);
        if (++n % 2 == 0)
            slow = cdr(slow);
        if (is_eq(list, slow) && is_pair(list))
            return -1 - n;
    }
    return is_eq(list, NIL) ? n : -1 - n;
}

static bool apply_spread(struct vm *vm, struct run *run, val f, val list, size_t n)
{
    val room = stack_room(vm, run, n + STATIC_FRAME);
    if (is_control(room))
        return vm_control_word(vm, run, room, true);
    run->fuel += n / 16;
    run->fp[-1] = f;
    for (size_t i = 0; i < n; i++, list = cdr(list))
        run->fp[i] = car(list);
    run->nargs = n;
    run->pc = AT_APPLY;
    return true;
}

/* Required arguments of the clause of `code` that n arguments select, if that
 * one takes a rest list; else -1. */
static int64_t rest_after(val code, size_t n)
{
    val clauses = object_field(code, CODE_CLAUSES);
    uint64_t arity = code_raw(code, CODE_ARITY);
    if (!is_vector(clauses))
        return arity >> 32 && n >= (arity & 0xffffffff) ? (int64_t)(arity & 0xffffffff) : -1;
    for (size_t i = 0; i < object_length(clauses); i++) {
        arity = (uint64_t)fixnum_value(object_field(clauses, i));
        size_t required = arity & 0xffffffff;
        if (n == required || (arity >> 32 && n > required))
            return arity >> 32 ? (int64_t)required : -1;
    }
    return -1;
}

static bool apply_closure(struct vm *vm, struct run *run, val f, val list, size_t n)
{
    val code = object_field(f, 0);
    int64_t required = rest_after(code, n);
    if (required < 0) {
        if (n < 65536)
            return apply_spread(vm, run, f, list, n);
        run->fuel += n / 16;
        run->fp[-1] = f; /* no procedure takes that many without a rest list */
        run->nargs = NARGS_SPREAD | n;
        run->pc = code_start(code);
        return arity_error(vm, run);
    }
    val room = stack_room(vm, run, (size_t)required + STATIC_FRAME);
    if (is_control(room))
        return vm_control_word(vm, run, room, true);
    run->fuel += n / 16;
    run->fp[-1] = f;
    for (int64_t i = 0; i < required; i++, list = cdr(list))
        run->fp[i] = car(list);
    run->fp[required] = list;
    run->nargs = NARGS_SPREAD | n;
    run->pc = code_start(code);
    return true;
}

/* In the frame at fp, whose call it replaces; f and list are held by the frame,
 * so that a collection can come in between. */
bool vm_apply_list(struct vm *vm, struct run *run, val f, val list)
{
    struct heap *h = &vm->heap;
    int64_t n = vm_list_count(list);
    if (n < 0) {
        vm_begin_charge(vm, run);
        heap_charge(h, (uint64_t)(-1 - n) / 16);
        val v = raise_type(h, run->nargs ? run->nargs - 1 : 1, "list", list);
        return vm_control_word(vm, run, v, true);
    }
    if (is_type(f, T_CLOSURE))
        return apply_closure(vm, run, f, list, (size_t)n);
    if (n <= 64 || !is_type(f, T_PRIMITIVE))
        return apply_spread(vm, run, f, list, (size_t)n);
    val vector = heap_alloc(h, T_VECTOR, (size_t)n, 0);
    if (is_control(vector))
        return vm_control_word(vm, run, vector, true);
    run->fuel += (uint64_t)n / 16;
    for (int64_t i = 0; i < n; i++, list = cdr(list))
        object_fields(vector)[i] = car(list);
    run->fp[-1] = f;
    run->fp[0] = vector;
    run->nargs = 1;
    run->pc = AT_VECTOR;
    return true;
}

bool slow_apply_list(struct vm *vm, struct run *run)
{
    run->nargs = 0;
    return vm_apply_list(vm, run, run->fp[1], run->fp[2]);
}

bool vm_apply_vector(struct vm *vm, struct run *run)
{
    val vector = run->fp[0];
    size_t index = (size_t)object_raw(run->fp[-1])[0], n = object_length(vector);
    const struct primitive *p = &primitive_table[index];
    if (p->kind == CONTROL || (p->maximum >= 0 && n > (size_t)p->maximum)) {
        val room = stack_room(vm, run, n + STATIC_FRAME);
        if (is_control(room))
            return vm_control_word(vm, run, room, true);
        memcpy(run->fp, object_fields(vector), n * sizeof(val));
        run->nargs = n;
        run->pc = AT_APPLY;
        return true;
    }
    return apply_primitive(vm, run, object_fields(vector), n);
}

/* -- instructions ------------------------------------------------------------------------ */
static val number_operation(struct heap *h, unsigned op, val a, val b)
{
    switch (op) {
    case OP_ADD:
    case OP_ADDI:
        return num_add(h, a, b);
    case OP_SUB:
    case OP_SUBI:
        return num_sub(h, a, b);
    case OP_MUL:
        return num_mul(h, a, b);
    default:
        return num_div(h, a, b);
    }
}

/* The primitive behind an inlined operation, for its checks and messages. */
static val call_generic(struct vm *vm, unsigned op, const val *args, size_t n)
{
    unsigned row = opcode_primitives[op];
    return NEVER(row == NO_PRIMITIVE) ? UNSPECIFIED
                                      : primitive_table[row].function(&vm->heap, args, n);
}

bool slow_arithmetic(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    unsigned op = word_op(w);
    bool small = op == OP_ADDI || op == OP_SUBI;
    val args[2] = {run->fp[word_b(w)], FALSE};
    args[1] = small ? fixnum((int16_t)word_c(w)) : run->fp[word_c(w)];
    vm_begin_charge(vm, run);
    val v;
    bool direct = op <= OP_SUBI && is_number(args[0]) && is_number(args[1]);
    if (direct)
        v = number_operation(&vm->heap, op, args[0], args[1]);
    else
        v = call_generic(vm, op, args, 2);
    return vm_finish(vm, run, v, word_a(w), 1);
}

static bool is_unary_compare(unsigned op)
{
    return op == OP_JZERO || op == OP_JNZERO;
}

/* A comparison of what is not two fixnums or two immediate flonums. */
bool slow_compare(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    unsigned op = word_op(w);
    bool immediate = op >= OP_JLTI && op <= OP_JNNUMEQI, unary = is_unary_compare(op);
    val args[2] = {run->fp[word_a(w)], FALSE};
    if (!unary)
        args[1] = immediate ? fixnum((int16_t)word_b(w)) : run->fp[word_b(w)];
    vm_begin_charge(vm, run);
    val v = call_generic(vm, op, args, unary ? 1 : 2);
    if (is_control(v))
        return vm_control_word(vm, run, v, false);
    commit_charge(vm, run);
    vm->heap.step = FALSE;
    take_branch(run, is_true(v));
    return true;
}

/* Any other inlined primitive. Those that store have no result register. */
bool slow_primitive(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    unsigned op = word_op(w);
    const char *format = opcode_rows[op].format;
    unsigned operands[3] = {word_a(w), word_b(w), word_c(w)};
    val args[3];
    size_t n = 0;
    for (size_t i = 0; i < 3; i++)
        if (format[i] == 'r')
            args[n++] = run->fp[operands[i]];
        else if (format[i] == 'i')
            args[n++] = fixnum((int64_t)operands[i]);
    vm_begin_charge(vm, run);
    val v = call_generic(vm, op, args, n);
    if (is_control(v) || format[0] == 'w')
        return vm_finish(vm, run, v, word_a(w), 1);
    commit_charge(vm, run);
    vm->heap.step = FALSE;
    run->pc++;
    return true;
}

/* run->value is what the primitive answered. */
bool slow_callprim(struct vm *vm, struct run *run)
{
    val v = run->value;
    run->value = UNSPECIFIED;
    return vm_finish(vm, run, v, word_a(word_at(run)), 2);
}

static bool unbound(struct vm *vm, struct run *run, val name)
{
    val v = cons(&vm->heap, name, NIL);
    if (!is_control(v))
        v = raise_condition(&vm->heap, CONDITION_UNBOUND, "unbound variable", v);
    return vm_control_word(vm, run, v, false);
}

bool slow_global(struct vm *vm, struct run *run)
{
    return unbound(vm, run, literal_of(run, (size_t)run->pc[1]));
}

bool slow_set_global(struct vm *vm, struct run *run)
{
    return unbound(vm, run, literal_of(run, (size_t)run->pc[1]));
}

bool slow_call_global(struct vm *vm, struct run *run)
{
    return unbound(vm, run, literal_of(run, (size_t)(run->pc[1] >> 32)));
}

bool slow_undefined(struct vm *vm, struct run *run)
{
    val name = literal_of(run, (size_t)word_imm(word_at(run)));
    val v = cons(&vm->heap, name, NIL);
    if (!is_control(v))
        v = raise_condition(&vm->heap, CONDITION_UNBOUND, "variable is used before its definition",
                            v);
    return vm_control_word(vm, run, v, false);
}

/* The nursery is full. */
bool slow_allocate(struct vm *vm, struct run *run)
{
    return run_retry(vm, run, 16);
}

bool slow_closure(struct vm *vm, struct run *run)
{
    uint64_t w = word_at(run);
    size_t n = word_b(w);
    val closure = heap_alloc(&vm->heap, T_CLOSURE, n + 1, 0);
    if (is_control(closure))
        return vm_control_word(vm, run, closure, false);
    val *to = object_fields(closure);
    to[0] = VAL(run->pc[1]);
    const uint32_t *from = (const uint32_t *)(const void *)(run->pc + 3);
    for (size_t i = 0; i < n; i++)
        to[1 + i] = from[i] >> 31 ? object_field(run->fp[-1], 1 + (from[i] & 0x7fffffff))
                                  : run->fp[from[i]];
    return vm_finish(vm, run, closure, word_a(w), 3 + (n + 1) / 2);
}
