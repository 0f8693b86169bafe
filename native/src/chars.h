/* T1 chars: what Unicode says of a code point.
 *
 * Pure functions on code points from generated tables (chars_table.inc). The
 * meaning is R7RS's: alphabetic, upper, lower and white space are the derived
 * properties, numeric is a decimal digit. */
#ifndef CB_CHARS_H
#define CB_CHARS_H

#include "base.h"

/* Characters that one may become under a full case mapping. */
#define CHAR_EXPANSION 3u

bool char_is_alphabetic(uint32_t c);
bool char_is_upper(uint32_t c);
bool char_is_lower(uint32_t c);
bool char_is_whitespace(uint32_t c);
bool char_is_numeric(uint32_t c);
/* Shows as itself: no control, format, private or unassigned one; of the blanks
 * only the space. */
bool char_is_printable(uint32_t c);
/* For the final sigma: Cased, Case_Ignorable. */
bool char_is_cased(uint32_t c);
bool char_is_case_ignorable(uint32_t c);
/* 0 .. 9, or -1. */
int char_digit(uint32_t c);

/* Simple mappings, one to one. */
uint32_t char_upcase(uint32_t c);
uint32_t char_downcase(uint32_t c);
uint32_t char_foldcase(uint32_t c);
/* Full mappings: answer how many characters were stored. */
size_t char_full_upcase(uint32_t c, uint32_t out[CHAR_EXPANSION]);
size_t char_full_downcase(uint32_t c, uint32_t out[CHAR_EXPANSION]);
size_t char_full_foldcase(uint32_t c, uint32_t out[CHAR_EXPANSION]);

/* The code point a character name stands for (space, newline, null ...), or -1. */
int64_t char_by_name(const char *name);
/* Its name as R7RS writes it, or NULL. */
const char *char_name(uint32_t c);

#endif
