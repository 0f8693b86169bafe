/* T8 the host: what crosses when a run asks, is answered, or ends.
 *
 * Between the conversions of wire.h and the functions of api.c. Functions ending
 * in _gc may collect; they are called when no C frame holds a value. */
#ifndef CB_HOST_H
#define CB_HOST_H

#include "wire.h"

/* Read [kind, message, irritants, extra] and push the condition it describes on
 * w->values. An unknown kind becomes host-error. */
MUST_USE enum wire_status host_unpack_condition_gc(struct wire *w, const uint8_t *bytes, size_t n);
/* Push a condition of kind `conversion` that says `why`. */
MUST_USE enum wire_status host_push_conversion_gc(struct wire *w, const char *why);
/* Push a text: as string (symbol where asked). Invalid UTF-8 is WIRE_BAD. */
MUST_USE enum wire_status host_push_text_gc(struct wire *w, const char *text, size_t n,
                                            bool symbol);
/* Append the array of the names bound in an environment and its parents that
 * begin so; `environment` is read again after each step. */
MUST_USE enum wire_status host_pack_names_gc(struct wire *w, const val *environment,
                                             const char *prefix, size_t n);

#endif
