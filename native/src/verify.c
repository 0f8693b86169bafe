/* T5 check: is a code object in order?
 *
 * For damage and for mistakes of the compiler: every opcode known, every
 * instruction inside the code, registers inside the frame, jumps to the start of
 * an instruction, literal numbers inside the vector and cached words equal to
 * them, the trailer at the end. Linear in time; keeps no table: a jump target is
 * checked by a mark in a bit set that the caller's stack cannot hold, so only
 * that it lies inside is checked here. */
#include "disasm.h"
#include "frame.h"

static bool register_fits(char format, uint32_t r, uint64_t frame)
{
    return !strchr("wrWR", format) || r < frame;
}

static bool jump_fits(const char *f, uint64_t w, int64_t at, int64_t length)
{
    int64_t to = at;
    if (strchr(f, 'J'))
        to += word_imm(w);
    else if (strchr(f, 'j'))
        to += (int16_t)word_c(w);
    return to >= 0 && to < length;
}

static const char *check_instruction(val code, const uint64_t *pc)
{
    const struct opcode_row *row = &opcode_rows[word_op(*pc)];
    uint64_t frame = code_raw(code, CODE_FRAME), length = code_raw(code, CODE_LENGTH);
    const char *f = row->format;
    size_t count = strlen(f);
    if (!register_fits(f[0], word_a(*pc), frame))
        return "register a outside the frame";
    if (count == 3 && !register_fits(f[1], word_b(*pc), frame))
        return "register b outside the frame";
    if (count == 3 && !register_fits(f[2], word_c(*pc), frame))
        return "register c outside the frame";
    if (!jump_fits(f, *pc, pc - code_start(code), (int64_t)length))
        return "jump out of the code";
    if (row->literal == LITERAL_NONE)
        return NULL;
    val literals = object_field(code, CODE_LITERALS);
    uint64_t i = row->literal == LITERAL_IMM ? (uint32_t)word_imm(*pc) : pc[2];
    if (i >= object_length(literals))
        return "literal number too large";
    return pc[1] == object_field(literals, i).bits ? NULL : "cached literal is stale";
}

const char *verify_code(val code)
{
    if (!is_type(code, T_CODE) || !is_vector(object_field(code, CODE_LITERALS)))
        return "not a code";
    uint64_t length = code_raw(code, CODE_LENGTH);
    if (length < 4 || length * 8 != object_length(code))
        return "wrong length";
    const uint64_t *start = code_start(code), *end = start + length, *pc = start;
    if (word_op(end[-1]) != OP_RAISE_RETURN || word_op(end[-3]) != OP_TRAILER)
        return "no trailer";
    while (pc < end) {
        if (word_op(*pc) >= OPCODE_COUNT)
            return "unknown opcode";
        size_t words = instruction_words(pc);
        if (words > (size_t)(end - pc))
            return "instruction beyond the end";
        const char *wrong = check_instruction(code, pc);
        if (wrong)
            return wrong;
        pc += words;
    }
    return NULL;
}
