/* T5 debug: a code object as text, line by line; and a structural check of it. */
#ifndef CB_DISASM_H
#define CB_DISASM_H

#include "heap.h"

/* Calls `line` with each instruction's text (valid during the call). */
typedef void disasm_line(void *context, const char *line);
void disassemble(val code, disasm_line *line, void *context);

/* verify.c: NULL where opcodes, lengths, registers, jump targets, literals and the
 * trailer are in order, else what is wrong. Linear; does not make hostile code safe. */
MUST_USE const char *verify_code(val code);

#endif
