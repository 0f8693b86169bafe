/* T4 printer: objects to text, without recursion.
 *
 * A small acyclic object is printed in one go from a stack of its own. Else the
 * work goes in steps, with an explicit stack in a heap object: is it a tree? if
 * not, which objects want labels? then print. Text is committed to the port at
 * the end of each step, where room was made at its begin; so nothing is ever
 * printed twice. */
#ifndef CB_PRINTER_H
#define CB_PRINTER_H

#include "port.h"

enum print_style { DISPLAY, WRITE, WRITE_SHARED, WRITE_SIMPLE };

/* The core of the STEPPED primitives: state in h->step. UNSPECIFIED when done,
 * else STEP, RETRY, LIMIT. `port` is an open textual output port. */
MUST_USE val printer_write(struct heap *h, val object, val port, enum print_style style);

/* At most `room` bytes of UTF-8 (cut at a character, "..." at the end where it
 * does not fit) for messages: answers how many. Never fails; follows no more
 * than a few dozen nodes. */
size_t printer_brief(struct heap *h, val object, char *out, size_t room);

#endif
