/* T5 environments and libraries as the rest of the engine sees them.
 *
 * What a name of a heap ENVIRONMENT is bound to (front.h lists the forms of a
 * binding value), the slots of a program's variables, the core environment, and
 * the list of libraries that a policy allows. All val functions may answer RETRY. */
#ifndef CB_ENVIRONMENT_H
#define CB_ENVIRONMENT_H

#include "front.h"
#include "heap.h"

MUST_USE val environment_new(struct heap *h, val parent, val owner);
/* The binding value, through the parents; HOLE where there is none; RETRY. */
MUST_USE val environment_lookup(struct heap *h, val environment, val name);
MUST_USE val environment_put(struct heap *h, val environment, val name, val binding);
/* The slot of a variable of a program, a fresh one where the name has none; fixnum. */
MUST_USE val environment_define_slot(struct heap *h, val environment, val name);
/* False: core form, macro, or not defined yet. */
bool binding_value(struct heap *h, val binding, val *out);
val binding_of_core(unsigned core);
bool binding_is_core(val binding, unsigned *core);
bool environment_is_immutable(val environment);
void environment_set_immutable(val environment);
MUST_USE val front_install_core(struct heap *h);
/* Part what the program imported from what it defined, for an image; TRUE. */
MUST_USE val environment_seal(struct heap *h);
/* A hint for an unbound name: the library that has it, what R7RS says instead, or
 * "did you mean car?"; string or #f. */
MUST_USE val environment_suggest(struct heap *h, val environment, val name);
/* Distance of two names, at most `most` + 1. */
size_t name_distance(const char *a, const char *b, size_t most);

/* May this library (a list) be imported? */
bool library_allowed(struct heap *h, val name);
/* names: list of strings (written names) or #f for all. */
MUST_USE val library_set_allowed(struct heap *h, val names);
/* Give back what the front end keeps outside the heap; when a context ends. */
void front_dispose(struct heap *h);

#endif
