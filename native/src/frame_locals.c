/* T6 locals: what the frames of a suspended run have in their variables.
 *
 * For the host's eyes only: nothing a program does depends on it. Names come from
 * the code (code_locals); a register counts where the variable is in scope at the
 * frame's instruction and, in a frame that waits, where its call keeps it alive. */
#include "frame.h"

enum { FRAMES_MOST = 32, FRAME_LOCALS = 24, ALL_MOST = 320 };

struct found {
    val items[3 * FRAMES_MOST + 2 * ALL_MOST];
    size_t count, locals;
};

static bool is_kept(const struct walk *w, bool top, size_t reg)
{
    if (top)
        return true;
    uint64_t live = w->pc[-1];
    size_t k = live & 0xffff;
    return reg < k && (k > LIVE_MOST || ((live >> LIVE_SHIFT) >> reg & 1));
}

static void add_local(struct found *f, val name, val v)
{
    if (is_type(v, T_BOX))
        v = object_field(v, 0);
    if (is_eq(v, UNBOUND) || is_control(v) || f->locals == ALL_MOST)
        return;
    f->items[f->count++] = name;
    f->items[f->count++] = v;
    f->locals++;
}

static void add_captured(struct found *f, val code, val procedure)
{
    size_t n = is_type(procedure, T_CLOSURE) ? object_length(procedure) - 1 : 0;
    for (size_t i = 0; i < n; i++) {
        val name = code_captured(code, i);
        if (is_true(name))
            add_local(f, name, object_field(procedure, 1 + i));
    }
}

/* code, instruction, number of locals, then name and value of each. */
static bool add_frame(struct found *f, const struct walk *w, const uint64_t *pc, bool top)
{
    val code = code_of(w->fp[-1]);
    if (!is_type(code, T_CODE))
        return false;
    const uint64_t *start = code_start(code);
    if (pc < start || pc >= start + code_raw(code, CODE_LENGTH))
        return false;
    struct code_local locals[FRAME_LOCALS];
    size_t n = code_locals(code, (size_t)(pc - start), locals, FRAME_LOCALS);
    size_t at = f->count, before = f->locals;
    f->items[f->count++] = code;
    f->items[f->count++] = fixnum((int64_t)(pc - start));
    f->items[f->count++] = fixnum(0);
    for (size_t i = 0; i < n; i++)
        if (locals[i].reg < frame_size(w->fp[-1]) && is_kept(w, top, locals[i].reg))
            add_local(f, locals[i].name, w->fp[locals[i].reg]);
    add_captured(f, code, w->fp[-1]);
    f->items[at + 2] = fixnum((int64_t)(f->locals - before));
    return true;
}

val frame_locals(struct vm *vm, const struct run *run, size_t most)
{
    struct found f;
    struct walk w;
    f.count = f.locals = 0;
    size_t frames = 0, steps = 0;
    most = size_min(most, FRAMES_MOST);
    if (run->stack) {
        walk_start(&w, run);
        frames += add_frame(&f, &w, run->pc, true);
        while (frames < most && steps++ < 4096 && walk_down(&w))
            frames += add_frame(&f, &w, walk_pc(&w), false);
    }
    val v = TRY(heap_alloc(&vm->heap, T_VECTOR, f.count, 0));
    memcpy(object_fields(v), f.items, f.count * sizeof(val));
    return v;
}
