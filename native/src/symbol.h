/* T3 symbols: interning.
 *
 * Symbols and their names are constants, born old: a symbol's address is stable
 * within a process. roots[ROOT_SYMBOLS] is the context's own table, a vector
 *
 *   [SYMBOLS_BASE]   the table below it (of the image), a vector or #f
 *   [SYMBOLS_COUNT]  fixnum: entries in use, holes included
 *   [SYMBOLS_FIRST]  ... open addressing by hash: symbol, #f (free) or HOLE
 *
 * A table that may not be changed (an image's) gets a new one put over it. The
 * table is weak: a collector that does not mark through it calls symbols_prune
 * after marking; one that does is right too, only wasteful. */
#ifndef CB_SYMBOL_H
#define CB_SYMBOL_H

#include "string.h"

enum { SYMBOLS_BASE, SYMBOLS_COUNT, SYMBOLS_FIRST };

/* The symbol named so; RETRY without room. `string`: any string value. */
MUST_USE val symbol_intern(struct heap *h, val string);
MUST_USE val symbol_intern_ascii(struct heap *h, const char *text);
MUST_USE val symbol_intern_codes(struct heap *h, const uint32_t *codes, size_t n);
/* RAISE (conversion) on invalid UTF-8. */
MUST_USE val symbol_intern_utf8(struct heap *h, const char *text, size_t bytes);
/* The symbol, or HOLE where no such symbol is interned; never fails. */
val symbol_find_utf8(struct heap *h, const char *text, size_t bytes);
/* A new symbol equal to no other. */
MUST_USE val symbol_uninterned(struct heap *h, val string);

/* An ISTRING. */
static inline val symbol_name(val symbol)
{
    return object_field(symbol, 0);
}

static inline uint64_t symbol_hash(val symbol)
{
    return object_raw(symbol)[0];
}

static inline bool symbol_is_interned(val symbol)
{
    return !object_flag(symbol, FLAG_A);
}

/* After marking: forget the symbols of the context's own table that are not
 * alive. Allocates nothing. */
void symbols_prune(struct heap *h, bool (*alive)(void *context, val symbol), void *context);

#endif
