/* T6 places: the addresses in the words of a stack or a segment, for who saves it.
 *
 * words[0] is the UNDERFLOW at the bottom, and below `top` stands the return address
 * into the topmost frame. What is no address of its frame's code or of the static
 * code cannot be told: then the frames cannot be saved. */
#include "frame.h"

static bool visit_place(const val *words, size_t at, val procedure, place_visitor *visit,
                        void *context)
{
    const uint64_t *pc = (const uint64_t *)(uintptr_t)words[at].bits;
    val code = FALSE;
    size_t index;
    return frame_place(procedure, pc, &code, &index) && visit(context, at, code, index);
}

bool frame_place(val procedure, const uint64_t *pc, val *code, size_t *index)
{
    val c = code_of(procedure);
    bool own =
        is_type(c, T_CODE) && pc >= code_start(c) && pc < code_start(c) + code_raw(c, CODE_LENGTH);
    *code = own ? c : FALSE;
    *index = (size_t)(pc - (own ? code_start(c) : static_code));
    return own || (pc >= static_code && pc < static_code + STATIC_LENGTH);
}

bool frame_places(const val *words, size_t top, place_visitor *visit, void *context)
{
    size_t at = top - 1;
    while (words[at].bits != (uintptr_t)AT_UNDERFLOW) {
        const uint64_t *pc = (const uint64_t *)(uintptr_t)words[at].bits;
        size_t k = pc[-1] & 0xffff;
        if (at < k + 2)
            return false;
        val procedure = words[at - k - 1];
        if (!visit_place(words, at, procedure, visit, context))
            return false;
        if (word_op(*pc) == OP_RAISE_RETURN &&
            !visit_place(words, at - 1, procedure, visit, context))
            return false;
        at -= k + 2;
    }
    return at == 0 && visit_place(words, 0, FALSE, visit, context);
}

/* -- and back ------------------------------------------------------------------------- */
bool frame_put_places(val *words, size_t top, place_source *next, void *context)
{
    const uint64_t *pc, *raised;
    if (top == 0)
        return false;
    for (size_t at = top - 1;;) {
        if (!next(context, at, &pc))
            return false;
        words[at] = address_word(pc);
        if (pc == AT_UNDERFLOW)
            return at == 0;
        size_t k = pc[-1] & 0xffff;
        if (at < k + 2)
            return false;
        if (word_op(*pc) == OP_RAISE_RETURN) {
            if (k == 0 || !next(context, at - 1, &raised))
                return false;
            words[at - 1] = address_word(raised);
        }
        at -= k + 2;
    }
}

bool frame_pc(val code, uint64_t index, const uint64_t **out)
{
    if (is_eq(code, FALSE)) {
        *out = &static_code[index < STATIC_LENGTH ? index : 0];
        return index < STATIC_LENGTH;
    }
    if (!is_type(code, T_CODE) || index >= code_raw(code, CODE_LENGTH))
        return false;
    *out = code_start(code) + index;
    return true;
}

bool frame_is_top(val segment, uint64_t top)
{
    if (is_eq(segment, FALSE))
        return true;
    const val *words = (const val *)object_words(segment) + 3;
    size_t at = object_length(segment) - 1;
    while (at > 0 && at + 1 > top)
        at -= 2 + (((const uint64_t *)(uintptr_t)words[at].bits)[-1] & 0xffff);
    return at + 1 == top && at > 0;
}
