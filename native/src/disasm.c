/* T5 debug: instructions as text.
 *
 * Knows the operand formats of opcodes.def and nothing of meaning. Writes into a
 * line of its own, with no libc formatting. */
#include "disasm.h"
#include "frame.h"

#define LINE_MOST 120u

struct line {
    char text[LINE_MOST];
    size_t n;
};

static void put(struct line *l, const char *s)
{
    while (*s && l->n + 1 < LINE_MOST)
        l->text[l->n++] = *s++;
    l->text[l->n] = 0;
}

static void put_number(struct line *l, int64_t n)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + u % 10);
    while (u /= 10);
    if (n < 0)
        put(l, "-");
    put(l, digits + at);
}

static void put_operand(struct line *l, char format, uint32_t field, int32_t imm, size_t at)
{
    static const char prefixes[] = "wrWR";
    if (format == '.')
        return;
    put(l, " ");
    if (strchr(prefixes, format))
        put(l, "r");
    if (format == 'j')
        put_number(l, (int64_t)at + (int16_t)field);
    else if (format == 'J')
        put_number(l, (int64_t)at + imm);
    else if (format == 'i')
        put_number(l, (int16_t)field);
    else if (format >= 'A' && format <= 'Z' && format != 'W' && format != 'R')
        put_number(l, imm);
    else
        put_number(l, field);
}

void disassemble(val code, disasm_line *line, void *context)
{
    const uint64_t *start = code_start(code), *end = start + code_raw(code, CODE_LENGTH);
    for (const uint64_t *pc = start; pc < end; pc += instruction_words(pc)) {
        struct line l = {.n = 0};
        unsigned op = word_op(*pc);
        put_number(&l, pc - start);
        put(&l, "  ");
        if (op < OPCODE_COUNT) {
            const char *f = opcode_rows[op].format;
            put(&l, opcode_rows[op].name);
            put_operand(&l, f[0], word_a(*pc), word_imm(*pc), (size_t)(pc - start));
            put_operand(&l, f[1], word_b(*pc), word_imm(*pc), (size_t)(pc - start));
            if (f[1] && f[2])
                put_operand(&l, f[2], word_c(*pc), word_imm(*pc), (size_t)(pc - start));
        }
        line(context, l.text);
    }
    val literals = object_field(code, CODE_LITERALS);
    for (size_t i = 0; is_vector(literals) && i < object_length(literals); i++)
        if (is_type(object_field(literals, i), T_CODE)) {
            line(context, "--");
            if (!is_eq(object_field(literals, i), code))
                disassemble(object_field(literals, i), line, context);
        }
}
