/* T4 JSON: texts to values and back, in steps, without recursion.
 *
 * Two mappings: JSON_TEIN has objects as alists with string keys and arrays as
 * lists; JSON_CHIBI has alists with symbol keys and vectors. null is the symbol
 * null in both, integers of any size stay exact, the order of keys is kept. Of
 * keys that occur twice the later value counts (JSON_CHIBI keeps both).
 *
 * Both functions are cores of STEPPED primitives: their state is in h->step, one
 * act handles one token or one element, allocates first and changes the state
 * after; so an act that found no room is tried again. Nesting is bounded by
 * memory alone. */
#ifndef CB_JSON_H
#define CB_JSON_H

#include "port.h"

enum json_style { JSON_TEIN, JSON_CHIBI };

/* The value of a string that holds one JSON text, or the next value of a textual
 * input port (eof where there is none, DEFAULT_OBJECT where it runs dry; then
 * nothing is consumed). RAISE with a message that names `who`, the line, the
 * column (from 1) and the offset. */
MUST_USE val json_parse(struct heap *h, val source, enum json_style style, const char *who);

/* Write the JSON text of a value to an open textual output port: UNSPECIFIED.
 * RAISE for what JSON cannot hold, also for what holds itself. */
MUST_USE val json_write(struct heap *h, val value, val port, enum json_style style,
                        const char *who);

#endif
