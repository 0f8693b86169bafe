/* T5/T6 code objects: the opcode table, positions, cached literal words.
 *
 * Knows how instructions are laid out (opcodes.def), not what they do. Positions
 * are a byte string of entries, each for the instructions from its pc on:
 * varints delta pc, zigzag delta line, column, file (0: CODE_FILE, else 1 +
 * literal number).
 * Names are a vector: a byte string of entries, the number of captures, their names,
 * then the names that entries refer to. An entry is varints delta pc and 1 + 2 *
 * register: from there on nothing is in that register and above; or 2 * register and
 * the number of a name: from there on it is in that register. */
#include "frame.h"

const struct opcode_row opcode_rows[OPCODE_COUNT] = {
#define OP(name, words, literal, format, who, comment)                                             \
    {#name, format, who, words, LITERAL_##literal},
#include "opcodes.def"
#undef OP
};

size_t instruction_words(const uint64_t *pc)
{
    unsigned op = word_op(*pc);
    size_t words = op < OPCODE_COUNT ? opcode_rows[op].words : 1;
    return op == OP_CLOSURE ? words + (word_b(*pc) + 1u) / 2 : words;
}

/* The number of the literal cached behind the instruction, or -1. */
static int64_t cached_literal(const uint64_t *pc)
{
    unsigned op = word_op(*pc);
    switch (op < OPCODE_COUNT ? opcode_rows[op].literal : LITERAL_NONE) {
    case LITERAL_IMM:
        return (int64_t)(uint32_t)word_imm(*pc);
    case LITERAL_W2:
        return (int64_t)pc[2];
    default:
        return -1;
    }
}

static void write_cached(val code, bool clear)
{
    uint64_t *pc = code_instructions(code), *end = pc + code_raw(code, CODE_LENGTH);
    val literals = object_field(code, CODE_LITERALS);
    for (; pc < end; pc += instruction_words(pc)) {
        int64_t i = cached_literal(pc);
        if (i >= 0)
            pc[1] = clear ? 0 : object_field(literals, (size_t)i).bits;
    }
}

void code_refresh(val code)
{
    write_cached(code, false);
}

bool code_restore(val code)
{
    val literals = object_field(code, CODE_LITERALS);
    uint64_t length = code_raw(code, CODE_LENGTH);
    if (!is_vector(literals) || length > object_length(code) / 8)
        return false;
    uint64_t *pc = code_instructions(code), *end = pc + length;
    while (pc < end) {
        size_t words = instruction_words(pc);
        if (word_op(*pc) >= OPCODE_COUNT || words > (size_t)(end - pc))
            return false;
        int64_t i = cached_literal(pc);
        if (i >= 0 && (uint64_t)i >= object_length(literals))
            return false;
        if (i >= 0)
            pc[1] = object_field(literals, (size_t)i).bits;
        pc += words;
    }
    return true;
}

void code_clear(val code)
{
    write_cached(code, true);
}

/* -- positions ---------------------------------------------------------------------------- */
static uint64_t varint(const uint8_t **p, const uint8_t *end)
{
    uint64_t n = 0;
    for (unsigned shift = 0; *p < end && shift < 63; shift += 7) {
        uint8_t byte = *(*p)++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return n;
}

bool code_position(val code, size_t pc, val *file, uint32_t *line, uint32_t *column)
{
    val table = object_field(code, CODE_POSITIONS);
    if (!is_bytevector(table))
        return false;
    const uint8_t *p = (const uint8_t *)(object_words(table) + 1), *end = p + object_length(table);
    uint64_t at = 0, file_index = 0;
    int64_t row = 0;
    bool found = false;
    while (p < end) {
        at += varint(&p, end);
        if (at > pc)
            break;
        uint64_t delta = varint(&p, end);
        row += (int64_t)(delta >> 1) ^ -(int64_t)(delta & 1);
        *line = (uint32_t)row;
        *column = (uint32_t)varint(&p, end);
        file_index = varint(&p, end);
        found = true;
    }
    val literals = object_field(code, CODE_LITERALS);
    *file = file_index && is_vector(literals) && file_index <= object_length(literals)
                ? object_field(literals, (size_t)file_index - 1)
                : object_field(code, CODE_FILE);
    return found;
}

/* -- names of variables ----------------------------------------------------------------- */
enum { NAMES_EVENTS, NAMES_CAPTURES, NAMES_FIRST };

/* The names of a code, or NULL; how many of them are captures. */
static const val *names_of(val code, size_t *count, size_t *captures)
{
    val names = object_field(code, CODE_NAMES);
    if (!is_vector(names) || object_length(names) < NAMES_FIRST)
        return NULL;
    *count = object_length(names) - NAMES_FIRST;
    val n = object_field(names, NAMES_CAPTURES);
    if (!is_bytevector(object_field(names, NAMES_EVENTS)) || !is_index(n, *count + 1))
        return NULL;
    *captures = (size_t)fixnum_value(n);
    return object_fields(names) + NAMES_FIRST;
}

size_t code_locals(val code, size_t pc, struct code_local *out, size_t most)
{
    size_t count, captures, n = 0;
    const val *names = names_of(code, &count, &captures);
    if (!names)
        return 0;
    val events = names[-NAMES_FIRST];
    const uint8_t *p = (const uint8_t *)(object_words(events) + 1);
    const uint8_t *end = p + object_length(events);
    for (uint64_t at = 0; p < end;) {
        at += varint(&p, end);
        if (at > pc)
            break;
        uint64_t what = varint(&p, end), reg = what >> 1;
        uint64_t name = what & 1 ? 0 : varint(&p, end);
        while (n > 0 && out[n - 1].reg >= reg)
            n--;
        if (!(what & 1) && n < most && name < count - captures)
            out[n++] = (struct code_local){names[captures + name], (size_t)reg};
    }
    return n;
}

val code_captured(val code, size_t i)
{
    size_t count, captures;
    const val *names = names_of(code, &count, &captures);
    return names && i < captures ? names[i] : FALSE;
}
