/* T6 frames: the stack, segments, walking.
 *
 * Invariants: stack[0] and stack[1] are fixnum 0; stack[STACK_BASE] is the
 * return address UNDERFLOW of the bottom frame (or, while the UNDERFLOW
 * instruction runs, the value that is being returned). Every word below
 * capacity is a value. A frame's registers, including the area for outgoing
 * calls, end below run->limit once its ENTER was executed. Nothing here knows
 * what instructions do, but where their LIVE word is. */
#include "frame.h"

const uint64_t static_code[STATIC_LENGTH] = {
    0, /* LIVE word of UNDERFLOW: k = 0 */
    WORD(OP_UNDERFLOW, 0, 0, 0),
    WORD(OP_APPLY_FRAME, 0, 0, 0),
    WORD(OP_APPLY_VECTOR, 0, 0, 0),
    WORD(OP_RAISE_FRAME, 0, 0, 0),
    WORD(OP_VALUES_FRAME, 0, 0, 0),
    2 | (UINT64_C(2) << LIVE_SHIFT), /* call-with-values: consumer in register 1 */
    WORD(OP_RECEIVE, 2, 0, 1),
    WORD(OP_APPLY_LIST, 1, 2, 0),
};

size_t frame_size(val procedure)
{
    val code = code_of(procedure);
    return is_type(code, T_CODE) ? (size_t)code_raw(code, CODE_FRAME) : STATIC_FRAME;
}

/* -- the stack ---------------------------------------------------------------------- */
static void set_limit(struct run *run, size_t words)
{
    run->limit = run->stack + size_min(words, run->capacity - STACK_SLACK);
}

bool stack_init(struct vm *vm, struct run *run)
{
    if (!run->stack) {
        run->stack = heap_malloc(&vm->heap, STACK_FIRST * sizeof(val));
        if (!run->stack)
            return false;
        run->capacity = STACK_FIRST;
        memset(run->stack, 0, STACK_FIRST * sizeof(val));
    }
    CHECK(run->capacity == STACK_FIRST);
    stack_reset(run, FALSE, 0);
    set_limit(run, run->capacity);
    return true;
}

void stack_drop(struct vm *vm, struct run *run)
{
    if (run->stack)
        heap_mfree(&vm->heap, run->stack, run->capacity * sizeof(val));
    run->stack = NULL;
    run->fp = run->limit = NULL;
    run->capacity = 0;
    run->segment = FALSE;
    run->segment_top = 0;
}

void stack_reset(struct run *run, val segment, size_t top)
{
    run->segment = segment;
    run->segment_top = top;
    run->fp = run->stack + STACK_BASE + 2;
    run->fp[-2] = address_word(AT_UNDERFLOW);
    run->fp[-1] = fixnum(0);
}

static val stack_grow(struct vm *vm, struct run *run, size_t capacity)
{
    size_t at = (size_t)(run->fp - run->stack);
    val *bigger =
        heap_realloc(&vm->heap, run->stack, run->capacity * sizeof(val), capacity * sizeof(val));
    if (!bigger) {
        vm->heap.wanted = capacity * sizeof(val);
        return RETRY;
    }
    memset(bigger + run->capacity, 0, (capacity - run->capacity) * sizeof(val));
    run->stack = bigger;
    run->fp = bigger + at;
    run->capacity = capacity;
    set_limit(run, capacity);
    return TRUE;
}

val stack_room(struct vm *vm, struct run *run, size_t words)
{
    size_t need = (size_t)(run->fp - run->stack) + words;
    if (need > run->capacity - STACK_SLACK) {
        size_t capacity = run->capacity * 2;
        while (capacity - STACK_SLACK < need)
            capacity *= 2;
        return stack_grow(vm, run, capacity);
    }
    if (run->stack + need > run->limit)
        set_limit(run, size_max(need, 2 * (size_t)(run->limit - run->stack)));
    return TRUE;
}

val stack_enter(struct vm *vm, struct run *run, size_t words)
{
    size_t need = (size_t)(run->fp - run->stack) + words;
    bool deep = (size_t)(run->fp - run->stack) > STACK_MOST / 2;
    if (need > STACK_MOST - STACK_SLACK && deep)
        TRY(stack_capture(vm, run, true));
    return stack_room(vm, run, words);
}

/* -- segments ------------------------------------------------------------------------ */
static val *segment_words(val segment)
{
    return (val *)object_words(segment) + 3;
}

static bool is_underflow(val word)
{
    return word.bits == (uintptr_t)AT_UNDERFLOW;
}

/* Zero the registers of a waiting frame that its call does not name as live. */
static void kill_dead(val *fp, uint64_t live)
{
    size_t k = live & 0xffff;
    if (k > LIVE_MOST)
        return;
    live >>= LIVE_SHIFT;
    for (size_t i = 0; i < k; i++)
        if (!((live >> i) & 1))
            fp[i] = fixnum(0);
}

static void kill_waiting(val *fp)
{
    while (!is_underflow(fp[-2])) {
        uint64_t live = return_address(fp)[-1];
        fp -= 2 + (live & 0xffff);
        kill_dead(fp, live);
    }
}

/* The frame at fp moves to the bottom of the stack. */
static void move_to_bottom(struct run *run, size_t words)
{
    val *bottom = run->stack + STACK_BASE;
    memmove(bottom + 1, run->fp - 1, (words + 1) * sizeof(val));
    *bottom = address_word(AT_UNDERFLOW);
    run->fp = bottom + 2;
}

val stack_capture(struct vm *vm, struct run *run, bool overflow)
{
    if (is_underflow(run->fp[-2]))
        return TRUE;
    val *bottom = run->stack + STACK_BASE;
    size_t words = (size_t)(run->fp - 1 - bottom);
    val segment = TRY(heap_alloc(&vm->heap, T_SEGMENT, words, overflow ? FLAG_A : 0));
    kill_waiting(run->fp);
    object_fields(segment)[0] = run->segment;
    object_raw(segment)[0] = run->segment_top;
    memcpy(segment_words(segment), bottom, words * sizeof(val));
    size_t n = (size_t)(run->nargs & ~NARGS_SPREAD);
    size_t keep = size_max(n, frame_size(run->fp[-1]));
    move_to_bottom(run, size_min(keep, (size_t)(run->limit + STACK_SLACK - run->fp)));
    run->segment = segment;
    run->segment_top = words;
    return TRUE;
}

/* How far down to go: one frame, or several where the stack had overflowed. */
static size_t batch_start(val segment, size_t top)
{
    const val *words = segment_words(segment);
    size_t start = top, least = object_flag(segment, FLAG_A) && top > 1024 ? top - 1024 : top - 1;
    do {
        uint64_t live = ((const uint64_t *)(uintptr_t)words[start - 1].bits)[-1];
        start = start - 1 - (live & 0xffff) - 1;
    } while (start - 1 > 0 && start > least);
    return start;
}

val stack_reinstate(struct vm *vm, struct run *run, size_t top_words)
{
    val segment = run->segment;
    size_t top = run->segment_top;
    size_t start = batch_start(segment, top); /* index of the lowest frame's procedure */
    size_t words = top - start;               /* with the return address at its end */
    val *from = segment_words(segment);
    uint64_t live = ((const uint64_t *)(uintptr_t)from[top - 1].bits)[-1];
    size_t frame = frame_size(from[top - 2 - (live & 0xffff)]);
    TRY(stack_room(vm, run, words + top_words + STATIC_FRAME + frame));
    val *bottom = run->stack + STACK_BASE;
    memmove(run->fp + words - 1, run->fp - 1, (top_words + 1) * sizeof(val));
    memcpy(bottom + 1, from + start, words * sizeof(val));
    run->fp += words;
    *bottom = address_word(AT_UNDERFLOW);
    if (is_underflow(from[start - 1])) {
        run->segment = object_fields(segment)[0];
        run->segment_top = (size_t)object_raw(segment)[0];
    } else {
        run->segment_top = start;
    }
    return TRUE;
}

/* -- walking ------------------------------------------------------------------------- */
void walk_start(struct walk *w, const struct run *run)
{
    *w = (struct walk){run->fp, run->pc, run->segment, run->segment_top};
}

/* To the frame that waits for the current one. False: there is none. */
bool walk_down(struct walk *w)
{
    val word = w->fp[-2];
    if (is_underflow(word)) {
        if (!is_true(w->segment))
            return false;
        val *words = segment_words(w->segment);
        w->fp = words + w->top + 1;
        word = words[w->top - 1];
        w->top = (size_t)object_raw(w->segment)[0];
        w->segment = object_fields(w->segment)[0];
    }
    w->pc = (const uint64_t *)(uintptr_t)word.bits;
    w->fp -= 2 + (w->pc[-1] & 0xffff);
    return true;
}

const uint64_t *walk_pc(const struct walk *w)
{
    if (word_op(*w->pc) != OP_RAISE_RETURN)
        return w->pc - 1;
    return (const uint64_t *)(uintptr_t)w->fp[(w->pc[-1] & 0xffff) - 1].bits;
}

static size_t note_frame(const struct walk *w, const uint64_t *pc, val *out, size_t n)
{
    val code = code_of(w->fp[-1]);
    if (!is_type(code, T_CODE))
        return n;
    const uint64_t *start = code_start(code);
    if (pc < start || pc >= start + code_raw(code, CODE_LENGTH))
        return n;
    out[2 * n] = code;
    out[2 * n + 1] = fixnum((int64_t)(pc - start));
    return n + 1;
}

val frame_trace(struct vm *vm, const struct run *run, bool in_place, size_t most)
{
    val pairs[2 * TRACE_MOST];
    size_t n = 0;
    struct walk w;
    walk_start(&w, run);
    most = size_min(most, TRACE_MOST);
    if (!in_place)
        n = note_frame(&w, run->pc, pairs, n);
    size_t steps = 0;
    while (n < most && steps++ < 4096 && walk_down(&w))
        n = note_frame(&w, walk_pc(&w), pairs, n);
    val trace = TRY(heap_alloc(&vm->heap, T_VECTOR, 2 * n, 0));
    memcpy(object_fields(trace), pairs, 2 * n * sizeof(val));
    return trace;
}

/* -- collecting ------------------------------------------------------------------------ */
/* Where the top frame ends: to be called before anything is collected, as the
 * tracer must not look into objects. */
void frame_settle(struct run *run)
{
    if (!run->stack)
        return;
    size_t n = run->nargs & NARGS_SPREAD ? 0 : (size_t)run->nargs;
    size_t words = size_max(n, frame_size(run->fp[-1]));
    run->end = run->fp + size_min(words, (size_t)(run->limit + STACK_SLACK - run->fp));
}

val frame_save(struct vm *vm, const struct run *run)
{
    val procedure = run->fp[-1], code = code_of(procedure);
    if (!is_type(code, T_CODE) || run->pc < code_start(code) ||
        run->pc >= code_start(code) + code_raw(code, CODE_LENGTH))
        return FALSE;
    size_t n = size_min(frame_size(procedure), (size_t)(run->limit + STACK_SLACK - run->fp));
    val saved = heap_alloc(&vm->heap, T_VECTOR, n + 2, 0);
    if (is_control(saved))
        return RETRY;
    val *items = object_fields(saved);
    items[0] = procedure;
    items[1] = fixnum((int64_t)(run->pc - code_start(code)));
    memcpy(items + 2, run->fp, n * sizeof(val));
    return saved;
}

val frame_restore(struct vm *vm, struct run *run, val saved)
{
    size_t n = object_length(saved) - 2;
    TRY(stack_room(vm, run, n + STATIC_FRAME));
    const val *items = object_fields(saved);
    run->fp[-1] = items[0];
    memcpy(run->fp, items + 2, n * sizeof(val));
    run->nargs = 0;
    run->pc = code_start(code_of(items[0])) + fixnum_value(items[1]);
    return TRUE;
}

void stack_clean(struct run *run)
{
    if (run->stack && run->fp > run->stack + STACK_BASE)
        kill_waiting(run->fp);
}

static void trace_run(struct run *run, root_visitor *visit, void *collector)
{
    visit(collector, &run->value);
    visit(collector, &run->step);
    visit(collector, &run->segment);
    visit(collector, &run->dynamic_state);
    if (!run->stack)
        return;
    stack_clean(run);
    for (val *p = run->stack + STACK_BASE; p < run->end; p++)
        visit(collector, p);
    memset(run->end, 0, (size_t)(run->limit + STACK_SLACK - run->end) * sizeof(val));
}

void runs_trace(void *owner, root_visitor *visit, void *collector)
{
    struct vm *vm = owner;
    visit(collector, &vm->heap.raised);
    visit(collector, &vm->heap.step);
    for (struct run *run = vm->runs; run; run = run->next)
        trace_run(run, visit, collector);
    if (vm->spare && vm->spare->stack) /* the values on it were good until now */
        memset(vm->spare->stack, 0, vm->spare->capacity * sizeof(val));
}
