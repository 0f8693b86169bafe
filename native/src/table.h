/* T3 tables: hash tables that keep the order of insertion.
 *
 * Entries stand in a vector (key, value, key, value ...) in the order they came;
 * a STORAGE object holds the hash of each and, from more than 8 entries on, an
 * open-addressed index into them. A deleted entry has HOLE as its key until the
 * table is packed or grows.
 *
 * Immediates, numbers, symbols and literal strings (under EQUAL and STRING all
 * strings) hash by content, pairs under EQ and EQV by address, all else by
 * heap_identity. A table that holds young pairs as keys makes its index anew
 * after a collection; one that comes out of an image after
 * table_forget_addresses. No order that a program sees depends on an address. */
#ifndef CB_TABLE_H
#define CB_TABLE_H

#include "heap.h"

enum table_kind {
    TABLE_EQ,    /* is_eq                                                     */
    TABLE_EQV,   /* is_eqv                                                    */
    TABLE_EQUAL, /* is_equal                                                  */
    TABLE_STRING /* keys are strings, string=?                                */
};

enum {
    TABLE_ENTRIES, /* VECTOR of 2 * capacity words, or #f while empty           */
    TABLE_HASHES,  /* STORAGE: uint32 hash[capacity], uint32 index[], or #f     */
    TABLE_EXTRA,   /* whatever Scheme keeps with it (%table-extra)              */
    TABLE_FIRST,   /* fixnum: entries below it are deleted; #f is 0             */
    TABLE_SPARE_2
}; /* raw 0: live entries | used entries << 32; raw 1: address stamp, see table.c */

/* All functions below but table_count, table_next and table_clear may answer
 * RETRY, and for EQUAL keys LIMIT. */
MUST_USE val table_new(struct heap *h, enum table_kind kind);
/* Room for `count` entries without growing; TRUE. */
MUST_USE val table_reserve(struct heap *h, val t, size_t count);
MUST_USE val table_get(struct heap *h, val t, val key, val missing);
/* TRUE: the key is new; FALSE: its value was replaced. */
MUST_USE val table_put(struct heap *h, val t, val key, val value);
/* TRUE: it was there. */
MUST_USE val table_delete(struct heap *h, val t, val key);
MUST_USE val table_copy(struct heap *h, val t);
void table_clear(struct heap *h, val t);
size_t table_count(val t);
enum table_kind table_kind_of(val t);
/* Visit in order of insertion: *i is 0 at first; false: no more. Deleting and
 * replacing while visiting is allowed; an insertion may move entries. */
bool table_next(val t, size_t *i, val *key, val *value);
/* No entry is in front of this place: where a visit from 0 begins. */
size_t table_first(val t);
/* The next table_get makes the index anew. image.c calls it for each table that
 * is saved, so that no word of an image depends on an address. */
void table_forget_addresses(val t);
/* What raw word 1 has to be where the table is saved. */
uint64_t table_saved_stamp(val t);

/* Content hash under `kind`, 32 bits; fixnum. May answer RETRY (identity). */
MUST_USE val table_hash(struct heap *h, enum table_kind kind, val key);

#endif
