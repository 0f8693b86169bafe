/* T5 units: the door for prims/front.c. See front.h for the protocol.
 *
 * A T_UNIT is plain heap data; the forms read from its text are a cache in an
 * arena, kept for the few units that are in progress and rebuilt from the text
 * when missing. Their constants are held by UNIT_RETAIN. */
#ifndef CB_UNIT_H
#define CB_UNIT_H

#include "environment.h"

enum {
    UNIT_TEXT, /* constant string; or the datum                            */
    UNIT_FILE, /* constant string or #f                                    */
    UNIT_ENVIRONMENT,
    UNIT_NAMES,   /* TABLE: names its top level defines -> binding; or #f     */
    UNIT_RETAIN,  /* VECTOR of the constants in the cached forms; or #f       */
    UNIT_SUPPLIED /* alist: path or library name -> text, #f, or boolean      */
};

enum { UNIT_ID, UNIT_STATE /* kind | number of forms << 8 */ }; /* raw */

enum unit_kind { UNIT_PROGRAM, UNIT_TRUSTED, UNIT_BODY, UNIT_DATUM };

/* Units that are kept in parsed form, oldest first, 0 in front where there are fewer;
 * and after a restore: what was kept then is read again, at no charge. False: no memory. */
#define CACHED_UNITS 6
void units_cached(const struct heap *h, uint64_t ids[CACHED_UNITS]);
MUST_USE bool units_expect(struct heap *h, const uint64_t ids[CACHED_UNITS]);

MUST_USE val unit_open(struct heap *h, val text, val file, val environment, enum unit_kind kind);
MUST_USE val unit_of_datum(struct heap *h, val datum, val environment);
/* A procedure, #f at the end, or a vector that says what is missing. */
MUST_USE val unit_next(struct heap *h, val unit, size_t index);
size_t unit_count(val unit);
MUST_USE val unit_supply(struct heap *h, val unit, val key, val value);
/* An immutable environment, or #(library name). */
MUST_USE val unit_environment(struct heap *h, val import_sets, bool trusted);

#endif
