/* T5/T6 code objects: what compile.c makes and vm.c runs.
 *
 * T_CODE is born old and never moves; so return addresses may be raw pointers.
 * Instructions are 8-byte words: op 16 bits, a 16, b 16, c 16 (or a 16, imm 32),
 * so a pointer to one looks like a fixnum and every word of the stack is always
 * a valid value for the collector. A constant that an instruction uses stands as
 * a cached word behind it; the truth is in CODE_LITERALS. code_refresh writes
 * the cached words again after an image was relocated; code_clear zeroes them
 * for saving. */
#ifndef CB_CODE_H
#define CB_CODE_H

#include "heap.h"

enum {
    CODE_NAME,      /* symbol or #f                                             */
    CODE_LITERALS,  /* vector of all values the instructions refer to           */
    CODE_POSITIONS, /* bytevector: pc -> line, column, macro use (code.c)       */
    CODE_FILE,      /* string or #f                                             */
    CODE_NAMES,     /* vector: names of variables for debugging (code.c), or #f     */
    CODE_CLAUSES    /* case-lambda: vector of the clauses' CODE_ARITY words as fixnums, or #f */
};

/* raw words */
enum {
    CODE_ARITY, /* required | rest flag << 32                                  */
    CODE_FRAME, /* registers of a frame, without the two header words           */
    CODE_FLAGS,
    CODE_LENGTH /* instruction words                                            */
};

static inline uint64_t *code_instructions(val code)
{
    return (uint64_t *)(void *)object_bytes(code);
}

void code_refresh(val code);
/* The same for one that came from bytes: false where they lead out of it. */
MUST_USE bool code_restore(val code);
void code_clear(val code);
/* Decode: file, line, column of instruction `pc` (index); false: unknown. */
bool code_position(val code, size_t pc, val *file, uint32_t *line, uint32_t *column);

/* Which variables are in scope at instruction `pc`, and in which registers: at most
 * `most`, outer ones first. */
struct code_local {
    val name;
    size_t reg;
};
size_t code_locals(val code, size_t pc, struct code_local *out, size_t most);
/* The name of capture i of its closures, or FALSE. */
val code_captured(val code, size_t i);

#endif
