/* T6 the machine: the instruction loop and nothing else.
 *
 * pc, fp, fuel, nargs and the stack limit live in locals; SLOW writes them back,
 * calls a function that carries out the whole instruction at run->pc (or raises,
 * collects and leaves pc alone so that it is executed again, or ends the step),
 * and reads them anew. Each case does the common thing inline, in at most 15
 * lines. All allocation here bumps heap.free; where that fails the slow path
 * collects. No value is kept over a SLOW. */
#include "frame.h"
#include "string.h"

#define R(i) (fp[i])
#define A word_a(w)
#define B word_b(w)
#define C word_c(w)
#define IMM word_imm(w)
#define SBX ((int16_t)(w >> 32)) /* b, signed */
#define SC ((int16_t)(w >> 48))  /* c, signed */

/* Cases are a table, and operators are arguments of macros: laid out by hand. */
/* clang-format off */
#define CASE(name) L_##name
#define DISPATCH()                  \
    do {                            \
        w = *pc;                    \
        goto *labels[word_op(w)];   \
    } while (0)
#define NEXT(n)     \
    do {            \
        pc += (n);  \
        DISPATCH(); \
    } while (0)
#define SAVE()             \
    do {                   \
        run->pc = pc;      \
        run->fp = fp;      \
        run->fuel = fuel;  \
        run->nargs = nargs; \
    } while (0)
#define LOAD()               \
    do {                     \
        pc = run->pc;        \
        fp = run->fp;        \
        fuel = run->fuel;    \
        nargs = run->nargs;  \
        limit = run->limit;  \
    } while (0)
#define SLOW(function)                       \
    do {                                     \
        SAVE();                              \
        if (UNLIKELY(!function(vm, run)))    \
            return (enum run_event)run->event; \
        LOAD();                              \
        DISPATCH();                          \
    } while (0)
#define TRIPPED() \
    UNLIKELY(fuel >= atomic_load_explicit(&vm->trip, memory_order_relaxed))
#define JUMP_IF(condition) NEXT((condition) ? IMM : 1)
#define JUMP_IF_C(condition) NEXT((condition) ? SC : 1)

/* Go into the closure at fp[-1], or let vm_apply see what it is. */
#define ENTER_PROCEDURE(f)                       \
    do {                                         \
        if (LIKELY(is_type((f), T_CLOSURE))) {   \
            pc = code_start(object_field(f, 0)); \
            DISPATCH();                          \
        }                                        \
        SLOW(vm_apply);                          \
    } while (0)
#define PUSH_FRAME(words, f)                       \
    do {                                           \
        nargs = B;                                 \
        fp += A + 2;                               \
        fp[-2] = address_word(pc + (words));       \
        fp[-1] = (f);                              \
    } while (0)
#define REPLACE_FRAME(f)                 \
    do {                                 \
        const val *from_ = fp + A + 2;   \
        nargs = B;                       \
        fp[-1] = (f);                    \
        for (size_t i = 0; i < nargs; i++) \
            fp[i] = from_[i];            \
    } while (0)

static inline bool both_fixnums(val x, val y)
{
    return ((x.bits | y.bits) & TAG_MASK) == 0;
}

static inline bool both_flonums(val x, val y)
{
    return is_flonum_immediate(x) && is_flonum_immediate(y);
}

#define ARITHMETIC(overflow, operator)                                               \
    do {                                                                             \
        val x = R(B), y = R(C);                                                      \
        int64_t n;                                                                   \
        if (LIKELY(both_fixnums(x, y))) {                                            \
            if (LIKELY(!overflow)) {                                                 \
                R(A) = VAL(n);                                                       \
                NEXT(1);                                                             \
            }                                                                        \
        } else if (both_flonums(x, y)) {                                             \
            val z = flonum_encode(flonum_immediate_value(x) operator flonum_immediate_value(y)); \
            if (LIKELY(is_flonum_immediate(z))) {                                    \
                R(A) = z;                                                            \
                NEXT(1);                                                             \
            }                                                                        \
        }                                                                            \
        SLOW(slow_arithmetic);                                                       \
    } while (0)

#define ADD_IMMEDIATE(overflow)                                \
    do {                                                       \
        val x = R(B);                                          \
        int64_t n, by = (int64_t)SC * 8;                       \
        if (LIKELY(is_fixnum(x) && !overflow)) {               \
            R(A) = VAL(n);                                     \
            NEXT(1);                                           \
        }                                                      \
        SLOW(slow_arithmetic);                                 \
    } while (0)

#define DIVIDE(expression)                                                    \
    do {                                                                      \
        val x = R(B), y = R(C);                                               \
        if (LIKELY(both_fixnums(x, y) && y.bits != 0 && y.bits != fixnum(-1).bits)) { \
            int64_t n = (int64_t)x.bits, d = (int64_t)y.bits;                 \
            R(A) = VAL(expression);                                           \
            NEXT(1);                                                          \
        }                                                                     \
        SLOW(slow_arithmetic);                                                \
    } while (0)

#define COMPARE(operator, negate)                                                      \
    do {                                                                               \
        val x = R(A), y = R(B);                                                        \
        if (LIKELY(both_fixnums(x, y)))                                                \
            JUMP_IF_C(((int64_t)x.bits operator (int64_t) y.bits) != (negate));        \
        if (both_flonums(x, y))                                                        \
            JUMP_IF_C((flonum_immediate_value(x) operator flonum_immediate_value(y)) != (negate)); \
        SLOW(slow_compare);                                                            \
    } while (0)

#define COMPARE_IMMEDIATE(operator, negate)                                  \
    do {                                                                     \
        val x = R(A);                                                        \
        if (LIKELY(is_fixnum(x)))                                            \
            JUMP_IF_C(((int64_t)x.bits operator (int64_t) SBX * 8) != (negate)); \
        SLOW(slow_compare);                                                  \
    } while (0)

#define COMPARE_CHARS(operator, negate)                                   \
    do {                                                                  \
        val x = R(A), y = R(B);                                           \
        if (LIKELY(is_char(x) && is_char(y)))                             \
            JUMP_IF_C((x.bits operator y.bits) != (negate));              \
        SLOW(slow_compare);                                               \
    } while (0)

#define FIELD_OF_PAIR(test, value)  \
    do {                            \
        val x = R(B);               \
        if (LIKELY(test)) {         \
            R(A) = value;           \
            NEXT(1);                \
        }                           \
        SLOW(slow_primitive);       \
    } while (0)

#define SET_PAIR(i)                                                    \
    do {                                                               \
        val x = R(A);                                                  \
        if (LIKELY(is_pair(x))) {                                      \
            val *slot_ = pair_words(x) + (i);                          \
            if (heap_is_young(h, x)) {                                 \
                *slot_ = R(B);                                         \
                NEXT(1);                                               \
            }                                                          \
            if (LIKELY(!heap_block_is_frozen(x))) {                    \
                heap_store_old(h, slot_, R(B));                        \
                NEXT(1);                                               \
            }                                                          \
        }                                                              \
        SLOW(slow_primitive);                                          \
    } while (0)

#define LENGTH_OF(test, length)         \
    do {                                \
        val x = R(B);                   \
        if (LIKELY(test)) {             \
            R(A) = fixnum((int64_t)(length)); \
            NEXT(1);                    \
        }                               \
        SLOW(slow_primitive);           \
    } while (0)

static inline val captured(const val *fp, size_t i)
{
    return object_field(fp[-1], 1 + i);
}

/* UNBOUND or UNTOUCHED: payloads 6 and 7. */
static inline bool is_unready(val v)
{
    return UNLIKELY((v.bits | 0x100) == UNTOUCHED.bits);
}

static inline uint64_t *take(struct heap *h, size_t bytes)
{
    uint64_t *p = (uint64_t *)h->free;
    h->free += bytes;
    return p;
}

static inline bool has_room(const struct heap *h, size_t bytes)
{
    return LIKELY(h->end - h->free >= bytes);
}

static inline void fill_closure(uint64_t *p, const val *fp, const uint64_t *pc, size_t n)
{
    p[0] = HEADER(T_CLOSURE, 0, n + 1);
    p[1] = pc[1];
    const uint32_t *from = (const uint32_t *)(const void *)(pc + 3);
    for (size_t i = 0; i < n; i++)
        p[2 + i] = from[i] >> 31 ? captured(fp, from[i] & 0x7fffffff).bits : fp[from[i]].bits;
}

DISPATCH_LOOP static enum run_event loop(struct vm *vm, struct run *run)
{
    static const void *const labels[OPCODE_COUNT] = {
#define OP(name, words, literal, format, who, comment) &&L_##name,
#include "opcodes.def"
#undef OP
    };
    struct heap *const h = &vm->heap;
    const uint64_t *pc;
    val *fp, *limit;
    uint64_t fuel, nargs, w;
    LOAD();
    DISPATCH();

    /* data */
    CASE(MOVE) : R(A) = R(B);
    NEXT(1);
    CASE(LOADI) : R(A) = VAL((int64_t)IMM);
    NEXT(1);
    CASE(LOADK) : R(A) = VAL(pc[1]);
    NEXT(2);
    CASE(CAPTURED) : R(A) = captured(fp, (size_t)IMM);
    NEXT(1);
    CASE(SELF) : R(A) = fp[-1];
    NEXT(1);
    CASE(BOX) : if (has_room(h, 16))
    {
        uint64_t *p = take(h, 16);
        p[0] = HEADER(T_BOX, 0, 0);
        p[1] = R(B).bits;
        R(A) = object_from(p);
        NEXT(1);
    }
    SLOW(slow_allocate);
    CASE(UNBOX) : R(A) = object_field(R(B), 0);
    NEXT(1);
    CASE(SETBOX) : heap_store(h, R(A), object_fields(R(A)), R(B));
    NEXT(1);
    CASE(CHECK_DEFINED) : if (LIKELY(!is_eq(R(A), UNBOUND))) NEXT(1);
    SLOW(slow_undefined);
    CASE(GLOBAL) :
    {
        val v = h->slots[(size_t)IMM];
        if (LIKELY(!is_unready(v))) {
            R(A) = v;
            NEXT(2);
        }
        SLOW(slow_global);
    }
    CASE(SET_GLOBAL) : if (LIKELY(!is_unready(h->slots[(size_t)IMM])))
    {
        h->slots[(size_t)IMM] = R(A);
        NEXT(2);
    }
    SLOW(slow_set_global);
    CASE(DEFINE_GLOBAL) : h->slots[(size_t)IMM] = R(A);
    NEXT(1);
    CASE(CLOSURE) :
    {
        size_t n = B, bytes = size_round_up(16 + 8 * n, 16);
        if (LIKELY(bytes < LARGE_OBJECT) && has_room(h, bytes)) {
            uint64_t *p = take(h, bytes);
            fill_closure(p, fp, pc, n);
            R(A) = object_from(p);
            NEXT(3 + (n + 1) / 2);
        }
        SLOW(slow_closure);
    }
    CASE(PATCH) : heap_store(h, R(A), object_fields(R(A)) + 1 + B, R(C));
    NEXT(1);

    /* control */
    CASE(ENTER) : if (UNLIKELY(nargs != A || fp + B > limit)) SLOW(slow_enter);
    fuel += C;
    pc++;
    if (TRIPPED())
        SLOW(fuel_check);
    DISPATCH();
    CASE(ENTER_REST) : SLOW(slow_enter_rest);
    CASE(CASE) :
    {
        uint64_t n = nargs & ~NARGS_SPREAD;
        NEXT(n == A || (B && n > A) ? (int64_t)pc[1] : 2);
    }
    CASE(CASE_FAIL) : SLOW(slow_case_fail);
    CASE(CHARGE) : fuel += (uint32_t)IMM;
    NEXT(1);
    CASE(JUMP) : NEXT(IMM);
    CASE(LOOP) : fuel += A;
    pc += IMM;
    if (TRIPPED())
        SLOW(fuel_check);
    DISPATCH();
    CASE(CALL) :
    {
        val f = R(C);
        PUSH_FRAME(2, f);
        ENTER_PROCEDURE(f);
    }
    CASE(TAILCALL) :
    {
        val f = R(C);
        REPLACE_FRAME(f);
        ENTER_PROCEDURE(f);
    }
    CASE(CALL_GLOBAL) :
    {
        val f = h->slots[(uint32_t)pc[1]];
        if (is_unready(f))
            SLOW(slow_call_global);
        PUSH_FRAME(3, f);
        ENTER_PROCEDURE(f);
    }
    CASE(TAILCALL_GLOBAL) :
    {
        val f = h->slots[(uint32_t)pc[1]];
        if (is_unready(f))
            SLOW(slow_call_global);
        REPLACE_FRAME(f);
        ENTER_PROCEDURE(f);
    }
    CASE(CALL_CODE) :
    {
        val f = VAL(pc[1]);
        PUSH_FRAME(4, f);
        pc = code_start(f);
        DISPATCH();
    }
    CASE(TAILCALL_CODE) :
    {
        val f = VAL(pc[1]);
        REPLACE_FRAME(f);
        pc = code_start(f);
        DISPATCH();
    }
    CASE(CALL_CLOSURE) :
    {
        val f = R(C);
        PUSH_FRAME(2, f);
        pc = code_start(object_field(f, 0));
        DISPATCH();
    }
    CASE(TAILCALL_CLOSURE) :
    {
        val f = R(C);
        REPLACE_FRAME(f);
        pc = code_start(object_field(f, 0));
        DISPATCH();
    }
    CASE(CALLPRIM) :
    {
        const struct primitive *p = &primitive_table[pc[1]];
        h->charge = 0;
        h->afford = size_min(run->fuel_limit - fuel, run->most);
        h->limit_reason = LIMIT_FUEL;
        val v = p->function(h, fp + B, C);
        if (is_control(v) || UNLIKELY(p->kind == STEPPED)) {
            run->value = v;
            SLOW(slow_callprim);
        }
        fuel += h->charge;
        R(A) = v;
        NEXT(2);
    }
    CASE(RETURN) :
    {
        val v = R(A);
        pc = return_address(fp);
        fp -= 2 + (pc[-1] & 0xffff);
        R(pc[-1] & 0xffff) = v;
        DISPATCH();
    }
    CASE(RETURN_VALUES) : SLOW(slow_return_values);
    CASE(RECEIVE) : if (LIKELY(B == 1 && !C)) NEXT(1);
    SLOW(slow_receive);
    CASE(UNDERFLOW) : SLOW(vm_underflow);
    CASE(APPLY_FRAME) : SLOW(vm_apply);
    CASE(APPLY_LIST) : SLOW(slow_apply_list);
    CASE(APPLY_VECTOR) : SLOW(vm_apply_vector);
    CASE(VALUES_FRAME) : SLOW(slow_values_frame);
    CASE(RAISE_FRAME) : SLOW(slow_raise_frame);
    CASE(TRAILER) :
    CASE(RAISE_RETURN) : SLOW(slow_raise_return);

    /* branches */
    CASE(JF) : JUMP_IF(!is_true(R(A)));
    CASE(JT) : JUMP_IF(is_true(R(A)));
    CASE(JNULL) : JUMP_IF(is_eq(R(A), NIL));
    CASE(JNNULL) : JUMP_IF(!is_eq(R(A), NIL));
    CASE(JPAIR) : JUMP_IF(is_pair(R(A)));
    CASE(JNPAIR) : JUMP_IF(!is_pair(R(A)));
    CASE(JZERO) : if (LIKELY(is_fixnum(R(A)))) JUMP_IF(R(A).bits == 0);
    SLOW(slow_compare);
    CASE(JNZERO) : if (LIKELY(is_fixnum(R(A)))) JUMP_IF(R(A).bits != 0);
    SLOW(slow_compare);
    CASE(JCHAR) : JUMP_IF(is_char(R(A)));
    CASE(JNCHAR) : JUMP_IF(!is_char(R(A)));
    CASE(JFIXNUM) : JUMP_IF(is_fixnum(R(A)));
    CASE(JNFIXNUM) : JUMP_IF(!is_fixnum(R(A)));
    CASE(JEOF) : JUMP_IF(is_eq(R(A), EOF_OBJECT));
    CASE(JNEOF) : JUMP_IF(!is_eq(R(A), EOF_OBJECT));
    CASE(JTYPE) : JUMP_IF_C(is_type(R(A), (enum type)B));
    CASE(JNTYPE) : JUMP_IF_C(!is_type(R(A), (enum type)B));
    CASE(JSTRING) : JUMP_IF(is_string(R(A)));
    CASE(JNSTRING) : JUMP_IF(!is_string(R(A)));
    CASE(JEQ) : JUMP_IF_C(is_eq(R(A), R(B)));
    CASE(JNEQ) : JUMP_IF_C(!is_eq(R(A), R(B)));
    CASE(JEQI) : JUMP_IF_C(R(A).bits == (uint64_t)(int64_t)SBX);
    CASE(JNEQI) : JUMP_IF_C(R(A).bits != (uint64_t)(int64_t)SBX);
    CASE(JLT) : COMPARE(<, false);
    CASE(JNLT) : COMPARE(<, true);
    CASE(JLE) : COMPARE(<=, false);
    CASE(JNLE) : COMPARE(<=, true);
    CASE(JGT) : COMPARE(>, false);
    CASE(JNGT) : COMPARE(>, true);
    CASE(JGE) : COMPARE(>=, false);
    CASE(JNGE) : COMPARE(>=, true);
    CASE(JNUMEQ) : COMPARE(==, false);
    CASE(JNNUMEQ) : COMPARE(==, true);
    CASE(JLTI) : COMPARE_IMMEDIATE(<, false);
    CASE(JNLTI) : COMPARE_IMMEDIATE(<, true);
    CASE(JLEI) : COMPARE_IMMEDIATE(<=, false);
    CASE(JNLEI) : COMPARE_IMMEDIATE(<=, true);
    CASE(JGTI) : COMPARE_IMMEDIATE(>, false);
    CASE(JNGTI) : COMPARE_IMMEDIATE(>, true);
    CASE(JGEI) : COMPARE_IMMEDIATE(>=, false);
    CASE(JNGEI) : COMPARE_IMMEDIATE(>=, true);
    CASE(JNUMEQI) : COMPARE_IMMEDIATE(==, false);
    CASE(JNNUMEQI) : COMPARE_IMMEDIATE(==, true);
    CASE(JCHAREQ) : COMPARE_CHARS(==, false);
    CASE(JNCHAREQ) : COMPARE_CHARS(==, true);
    CASE(JCHARLT) : COMPARE_CHARS(<, false);
    CASE(JNCHARLT) : COMPARE_CHARS(<, true);

    /* inlined primitives */
    CASE(ADD) : ARITHMETIC(__builtin_add_overflow((int64_t)x.bits, (int64_t)y.bits, &n), +);
    CASE(SUB) : ARITHMETIC(__builtin_sub_overflow((int64_t)x.bits, (int64_t)y.bits, &n), -);
    CASE(MUL) : ARITHMETIC(__builtin_mul_overflow(fixnum_value(x), (int64_t)y.bits, &n), *);
    CASE(DIV) :
    {
        val x = R(B), y = R(C);
        if (both_flonums(x, y)) {
            val z = flonum_encode(flonum_immediate_value(x) / flonum_immediate_value(y));
            if (LIKELY(is_flonum_immediate(z))) {
                R(A) = z;
                NEXT(1);
            }
        }
        SLOW(slow_arithmetic);
    }
    CASE(ADDI) : ADD_IMMEDIATE(__builtin_add_overflow((int64_t)x.bits, by, &n));
    CASE(SUBI) : ADD_IMMEDIATE(__builtin_sub_overflow((int64_t)x.bits, by, &n));
    CASE(QUOTIENT) : DIVIDE(n / d * 8);
    CASE(REMAINDER) : DIVIDE(n % d);
    CASE(MODULO) : DIVIDE(n % d + ((n % d != 0 && ((n % d) ^ d) < 0) ? d : 0));
    CASE(CAR) : FIELD_OF_PAIR(is_pair(x), car(x));
    CASE(CDR) : FIELD_OF_PAIR(is_pair(x), cdr(x));
    CASE(CADR) : FIELD_OF_PAIR(is_pair(x) && is_pair(cdr(x)), car(cdr(x)));
    CASE(CDDR) : FIELD_OF_PAIR(is_pair(x) && is_pair(cdr(x)), cdr(cdr(x)));
    CASE(CAAR) : FIELD_OF_PAIR(is_pair(x) && is_pair(car(x)), car(car(x)));
    CASE(CDAR) : FIELD_OF_PAIR(is_pair(x) && is_pair(car(x)), cdr(car(x)));
    CASE(CONS) : if (has_room(h, 16))
    {
        uint64_t *p = take(h, 16);
        p[0] = R(B).bits;
        p[1] = R(C).bits;
        R(A) = VAL((uintptr_t)p + TAG_PAIR);
        NEXT(1);
    }
    SLOW(slow_allocate);
    CASE(SET_CAR) : SET_PAIR(0);
    CASE(SET_CDR) : SET_PAIR(1);
    CASE(VECTOR_REF) :
    {
        val x = R(B), y = R(C);
        if (LIKELY(is_vector(x) && is_index(y, object_length(x)))) {
            R(A) = object_field(x, (size_t)fixnum_value(y));
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
    CASE(VECTOR_REFI) :
    {
        val x = R(B);
        if (LIKELY(is_vector(x) && C < object_length(x))) {
            R(A) = object_field(x, C);
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
    CASE(VECTOR_SET) :
    {
        val x = R(A), y = R(B);
        if (LIKELY(is_vector(x) && is_index(y, object_length(x)))) {
            val *slot = object_fields(x) + fixnum_value(y);
            if (heap_is_young(h, x)) {
                *slot = R(C);
                NEXT(1);
            }
            if (LIKELY(heap_is_mutable(h, x))) {
                heap_store_old(h, slot, R(C));
                NEXT(1);
            }
        }
        SLOW(slow_primitive);
    }
    CASE(VECTOR_LENGTH) : LENGTH_OF(is_vector(x), object_length(x));
    CASE(STRING_REF) :
    {
        val x = R(B), y = R(C);
        if (LIKELY(is_string(x) && is_index(y, string_length(x)))) {
            R(A) = char_value(string_ref(x, (size_t)fixnum_value(y)));
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
    CASE(STRING_LENGTH) : LENGTH_OF(is_string(x), string_length(x));
    CASE(BYTEVECTOR_REF) :
    {
        val x = R(B), y = R(C);
        if (LIKELY(is_bytevector(x) && is_index(y, object_length(x)))) {
            R(A) = fixnum(((const uint8_t *)(object_words(x) + 1))[fixnum_value(y)]);
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
    CASE(BYTEVECTOR_SET) :
    {
        val x = R(A), y = R(B), z = R(C);
        if (LIKELY(is_bytevector(x) && is_index(y, object_length(x)) && is_index(z, 256) &&
                   (heap_is_young(h, x) || heap_is_mutable(h, x)))) {
            ((uint8_t *)(object_words(x) + 1))[fixnum_value(y)] = (uint8_t)fixnum_value(z);
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
    CASE(BYTEVECTOR_LENGTH) : LENGTH_OF(is_bytevector(x), object_length(x));
    CASE(CHAR_INTEGER) : LENGTH_OF(is_char(x), char_code(x));
    CASE(INTEGER_CHAR) :
    {
        val x = R(B);
        if (LIKELY(is_index(x, 0xd800))) {
            R(A) = char_value((uint32_t)fixnum_value(x));
            NEXT(1);
        }
        SLOW(slow_primitive);
    }
}
/* clang-format on */

enum run_event run_advance(struct vm *vm, struct run *run, uint64_t slice)
{
    if (run->state != RUN_READY)
        return (enum run_event)run->event;
    if (__builtin_add_overflow(run->fuel, slice, &run->slice_end))
        run->slice_end = UINT64_MAX;
    run->most = slice == UINT64_MAX || run->long_next ? UINT64_MAX : LONG_WORK;
    run->long_next = false;
    atomic_store_explicit(&vm->running, run->serial, memory_order_seq_cst);
    vm->heap.step = run->step;
    vm->heap.charge = 0;
    fuel_arm(vm, run);
    enum run_event event = loop(vm, run);
    run->step = vm->heap.step;
    vm->heap.step = FALSE;
    atomic_store_explicit(&vm->running, 0, memory_order_seq_cst);
    frame_settle(run);
    return event;
}
