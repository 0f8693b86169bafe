/* T6 frames: struct vm, struct run, the stack, segments, continuations.
 *
 * A frame is a window on one stack of values: fp[-2] return address, fp[-1]
 * procedure (closure, code without captures, or primitive), fp[0..] arguments,
 * locals, temporaries. Return addresses are 8-byte aligned, so they look like
 * fixnums, and every word of the stack is always a valid value or an old one
 * that the next collection clears: at a collection all registers of the top
 * frame are kept, of the waiting frames those that the LIVE word of their call
 * names, and everything above the top up to `limit` (+ slack) is zeroed.
 *
 * LIVE word, in front of each return address: bits 0..15 k, the caller's
 * register the result goes to (caller's fp = callee's fp - 2 - k); bit 16: the
 * result is ignored, any number of values will do; bits 17..63: which of the
 * registers below k are live. All of them where k > 47.
 *
 * Frames that are not on the stack stand in T_SEGMENTs, in the same form and
 * with the return address into the topmost frame as last word. The word at the
 * bottom of the stack and of each segment is the address of the UNDERFLOW code. */
#ifndef CB_FRAME_H
#define CB_FRAME_H

#include "code.h"
#include "prim.h"
#include "vm.h"

#define LIVE_IGNORE (UINT64_C(1) << 16)
#define LIVE_SHIFT 17
#define LIVE_MOST 47u
#define STACK_FIRST 256u           /* values */
#define STACK_MOST ((size_t)32768) /* values: 256 KiB; beyond only for one huge frame */
#define STACK_SLACK 16u            /* room above the limit for what the VM itself pushes */
#define STACK_BASE 2u              /* two dead words below the bottom */
#define STATIC_FRAME 8u            /* registers of a frame of static code */
#define TRACE_MOST 32u
#define LONG_WORK ((uint64_t)1 << 18)    /* units; see run_limit */
#define NARGS_SPREAD (UINT64_C(1) << 63) /* the rest list is made already (apply) */

enum run_state { RUN_READY, RUN_WAITING, RUN_ENDED };
enum reason { REASON_INTERRUPT = 1 };

struct run {
    struct run *next;
    const uint64_t *pc;
    val *fp;
    uint64_t nargs; /* between a call and the ENTER of its procedure */
    val *stack;
    size_t capacity;
    val *limit;  /* frames end below; STACK_SLACK words are above; only rises */
    val *end;    /* of the top frame, as of frame_settle           */
    val segment; /* frames below the bottom of the stack, or FALSE */
    size_t segment_top;
    val dynamic_state;
    val value;
    val step; /* heap.step while the run is paused inside a STEPPED primitive */
    uint64_t fuel, fuel_limit, slice_end;
    uint64_t tick; /* the fuel at which ROOT_TICK is called; UINT64_MAX: never */
    uint64_t most; /* units that one primitive may take now, see run_limit */
    uint64_t serial;
    uint8_t state;
    uint8_t event;
    bool long_next; /* the next slice may begin with a long primitive */
    /* the last RETRY: a second one at the same place collects fully */
    const uint64_t *retry_pc;
    uint64_t retry_fuel, retry_return;
    unsigned retries;
};

struct vm {
    struct heap heap; /* first: a struct heap * of ours is a struct vm * */
    _Atomic uint64_t trip;
    _Atomic uint32_t reasons;
    _Atomic uint64_t interrupt_serial;
    _Atomic uint64_t running; /* serial of the run that is advanced, or 0 */
    struct run *runs;
    struct run *spare; /* an ended one, for the next; with its stack, or without */
    uint64_t next_serial;
    uint64_t stress_count;
    size_t control_base; /* index of the first control primitive */
    bool usable;         /* false after an out-of-memory that left too little */
};

/* -- codes and static code ----------------------------------------------------- */
#define CODE_HEADER_WORDS 11u
static inline const uint64_t *code_start(val code)
{
    return (const uint64_t *)(code.bits - TAG_OBJECT) + CODE_HEADER_WORDS;
}

static inline uint64_t code_raw(val code, unsigned i)
{
    return ((const uint64_t *)(code.bits - TAG_OBJECT))[7 + i];
}

static inline val code_of(val procedure)
{
    return is_type(procedure, T_CLOSURE) ? object_field(procedure, 0) : procedure;
}

/* Return addresses and entry points of the static code. */
extern const uint64_t static_code[];
enum {
    STATIC_UNDERFLOW = 1,
    STATIC_APPLY = 2,
    STATIC_VECTOR = 3,
    STATIC_RAISE = 4,
    STATIC_VALUES = 5,
    STATIC_RECEIVED = 7, /* call-with-values, after the producer */
    STATIC_LENGTH = 9
};
#define AT_UNDERFLOW (&static_code[STATIC_UNDERFLOW])
#define AT_APPLY (&static_code[STATIC_APPLY])
#define AT_VECTOR (&static_code[STATIC_VECTOR])
#define AT_RAISE (&static_code[STATIC_RAISE])
#define AT_VALUES (&static_code[STATIC_VALUES])
#define AT_RECEIVED (&static_code[STATIC_RECEIVED])

static inline const uint64_t *return_address(const val *fp)
{
    return (const uint64_t *)(uintptr_t)fp[-2].bits;
}

static inline val address_word(const uint64_t *pc)
{
    return VAL((uintptr_t)pc);
}

/* -- frame.c -------------------------------------------------------------------- */
/* A clean stack of the first size; one that the run brought is taken. */
MUST_USE bool stack_init(struct vm *vm, struct run *run);
void stack_drop(struct vm *vm, struct run *run);
/* Registers of the frame of `procedure`. */
size_t frame_size(val procedure);
/* Make room for `words` above fp. TRUE, or RETRY; may move the stack, or (where
 * `move` allows) the frames below fp into a segment. */
MUST_USE val stack_room(struct vm *vm, struct run *run, size_t words);
MUST_USE val stack_enter(struct vm *vm, struct run *run, size_t words);
/* All frames below the one at fp go to the heap; TRUE or RETRY. */
MUST_USE val stack_capture(struct vm *vm, struct run *run, bool overflow);
/* Bring the topmost frame(s) of the segment back, under the frame at fp, whose
 * return address is UNDERFLOW. TRUE or RETRY. */
MUST_USE val stack_reinstate(struct vm *vm, struct run *run, size_t top_words);
/* Forget the stack; an empty frame at its bottom with these frames below. */
void stack_reset(struct run *run, val segment, size_t top);
void frame_settle(struct run *run);
/* The frame at fp, which is at run->pc inside its code, as a vector of procedure,
 * index of the instruction and registers; FALSE where it is in no code; RETRY. */
MUST_USE val frame_save(struct vm *vm, const struct run *run);
/* The frame at fp becomes what frame_save saw. TRUE, or RETRY. */
MUST_USE val frame_restore(struct vm *vm, struct run *run, val saved);
/* Zero what no waiting frame will look at again. */
void stack_clean(struct run *run);
void runs_trace(void *owner, root_visitor *visit, void *collector);

/* Walks frames from the one at fp downward, over segments too. */
struct walk {
    const val *fp;
    const uint64_t *pc; /* where this frame will go on */
    val segment;        /* what is below the part fp is in */
    size_t top;
};
void walk_start(struct walk *w, const struct run *run);
MUST_USE bool walk_down(struct walk *w);
/* The instruction a waiting frame is at: its call, or what raised in it. */
const uint64_t *walk_pc(const struct walk *w);
/* The trace of the run from its current instruction: vector or RETRY. */
MUST_USE val frame_trace(struct vm *vm, const struct run *run, bool in_place, size_t most);

/* frame_locals.c: the frames with their variables: vector of code, instruction,
 * number of locals, name, value, name, value ...; or RETRY. */
MUST_USE val frame_locals(struct vm *vm, const struct run *run, size_t most);

/* frame_places.c: the addresses in a stack or segment as code (FALSE: static) and
 * index; and back, with bounds, whatever `next` gives: false where they are no frames. */
typedef bool place_visitor(void *context, size_t at, val code, size_t index);
MUST_USE bool frame_place(val procedure, const uint64_t *pc, val *code, size_t *index);
MUST_USE bool frame_places(const val *words, size_t top, place_visitor *visit, void *context);
typedef bool place_source(void *context, size_t at, const uint64_t **pc);
MUST_USE bool frame_put_places(val *words, size_t top, place_source *next, void *context);
MUST_USE bool frame_pc(val code, uint64_t index, const uint64_t **out);
/* Is `top` just above a return address of the segment, or the segment FALSE? */
MUST_USE bool frame_is_top(val segment, uint64_t top);

/* -- fuel.c ---------------------------------------------------------------------- */
/* Trip, slices, interrupts, stress. The functions of type `bool` in this header
 * answer: go on with run->pc (true), or leave with run->event (false). */
MUST_USE bool fuel_check(struct vm *vm, struct run *run);
/* Call ROOT_TICK after `units` more, once. UINT64_MAX: not at all. */
void fuel_set_tick(struct vm *vm, struct run *run, uint64_t units);
void fuel_arm(struct vm *vm, struct run *run);
MUST_USE bool run_end(struct run *run, enum run_event event, val value);
MUST_USE bool run_out_of_memory(struct vm *vm, struct run *run);
MUST_USE bool run_limit(struct vm *vm, struct run *run);
MUST_USE bool run_retry(struct vm *vm, struct run *run, size_t wanted);

/* -- vm_slow.c -------------------------------------------------------------------- */
/* Outcome `v` of a primitive or helper: a control word is dealt with (the
 * instruction is executed again, or the run raises or ends). */
MUST_USE bool vm_control_word(struct vm *vm, struct run *run, val v, bool in_place);
/* v goes to register `a` and on by `words`; or it is a control word. */
MUST_USE bool vm_finish(struct vm *vm, struct run *run, val v, unsigned a, size_t words);
/* In a callee's frame: v is what the call answers; or it is a control word. */
MUST_USE bool vm_finish_return(struct vm *vm, struct run *run, val v);
/* Raise heap.raised in place of the call whose frame is at fp. */
MUST_USE bool vm_raise_in_place(struct vm *vm, struct run *run);
/* Raise heap.raised in the frame at fp, whose instruction at run->pc failed. */
MUST_USE bool vm_raise_here(struct vm *vm, struct run *run);
/* Values fp[first .. first+n) are what the frame at fp returns. */
MUST_USE bool vm_return_values(struct vm *vm, struct run *run, size_t first, size_t n);
/* Apply fp[-1] to fp[0 .. nargs). */
MUST_USE bool vm_apply(struct vm *vm, struct run *run);
MUST_USE bool vm_apply_list(struct vm *vm, struct run *run, val f, val list);
/* Length of a proper list; of another one -1 less the pairs that were looked at. */
int64_t vm_list_count(val list);
MUST_USE bool vm_apply_vector(struct vm *vm, struct run *run);
MUST_USE bool vm_underflow(struct vm *vm, struct run *run);
void vm_begin_charge(struct vm *vm, const struct run *run);

typedef bool slow_path(struct vm *vm, struct run *run);
slow_path slow_enter, slow_enter_rest, slow_arithmetic, slow_compare, slow_primitive, slow_callprim;
slow_path slow_global, slow_set_global, slow_undefined, slow_closure, slow_receive;
slow_path slow_case_fail, slow_raise_return, slow_call_global, slow_allocate, slow_return_values;
slow_path slow_apply_list, slow_raise_frame, slow_values_frame;

/* -- prims/control.c ---------------------------------------------------------------- */
size_t control_first(void);
MUST_USE bool control_run(struct vm *vm, struct run *run, size_t index, size_t n);
/* A continuation receives values fp[0 .. n) without looking at winders. */
MUST_USE bool control_throw(struct vm *vm, struct run *run, val k, size_t n);

/* -- code.c --------------------------------------------------------------------------- */
enum opcode {
#define OP(name, words, literal, format, who, comment) OP_##name,
#include "opcodes.def"
#undef OP
    OPCODE_COUNT
};

enum literal_mode { LITERAL_NONE, LITERAL_IMM, LITERAL_W2 };

struct opcode_row {
    const char *name;
    const char *format;
    const char *who;
    uint8_t words;
    uint8_t literal;
};

extern const struct opcode_row opcode_rows[OPCODE_COUNT];

static inline unsigned word_op(uint64_t w)
{
    return (unsigned)(w & 0xffff);
}

static inline unsigned word_a(uint64_t w)
{
    return (unsigned)((w >> 16) & 0xffff);
}

static inline unsigned word_b(uint64_t w)
{
    return (unsigned)((w >> 32) & 0xffff);
}

static inline unsigned word_c(uint64_t w)
{
    return (unsigned)(w >> 48);
}

static inline int32_t word_imm(uint64_t w)
{
    return (int32_t)(uint32_t)(w >> 32);
}

#define WORD(op, a, b, c)                                                                          \
    ((uint64_t)(op) | ((uint64_t)(uint16_t)(a) << 16) | ((uint64_t)(uint16_t)(b) << 32) |          \
     ((uint64_t)(uint16_t)(c) << 48))
#define WORD_IMM(op, a, imm)                                                                       \
    ((uint64_t)(op) | ((uint64_t)(uint16_t)(a) << 16) | ((uint64_t)(uint32_t)(imm) << 32))

/* Words of the instruction at pc, captures included. */
size_t instruction_words(const uint64_t *pc);

#endif
