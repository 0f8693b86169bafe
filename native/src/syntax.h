/* T5 syntax: source text as a tree with positions, in an arena.
 *
 * The reader (syntax_read) makes it, the expander consumes it. Atoms are
 * constants (born old): numbers, characters, ISTRINGs, bytevectors, booleans,
 * symbols, and T_IDENTIFIER objects or arena aliases that expansion introduces.
 * A tree read from text is a tree: datum labels are allowed inside quoted data
 * only and make a shared or cyclic datum (kind SYN_DATUM). */
#ifndef CB_SYNTAX_H
#define CB_SYNTAX_H

#include "arena.h"
#include "value.h"

enum syntax_kind {
    SYN_NIL,
    SYN_PAIR,
    SYN_VECTOR,
    SYN_ATOM,   /* self-evaluating constant or an unsplit datum               */
    SYN_SYMBOL, /* symbol as read                                             */
    SYN_ALIAS,  /* identifier renamed by a macro: struct alias in expand.h    */
    SYN_LABEL   /* #n# inside a literal; resolved when the literal is made    */
};

/* Where something was written. `use` is the macro use that produced it. */
struct position {
    val file;              /* string or #f */
    uint32_t line, column; /* from 1; columns count characters */
    const struct position *use;
};

struct alias;

struct syntax {
    uint8_t kind;
    uint32_t label; /* SYN_PAIR, SYN_VECTOR: 1 + n where #n= stood before it; SYN_LABEL: 1 + n */
    struct position at;
    union {
        val atom; /* SYN_ATOM, SYN_SYMBOL */
        struct {
            struct syntax *car, *cdr;
        } pair;
        struct {
            struct syntax **items;
            size_t length;
        } vector;
        struct alias *alias;
    };
};

/* Read all data of `text` (a string value) as syntax. Arena memory. Answers
 * TRUE and fills *forms, *count; or RAISE (read-error with position and hint:
 * ENGINE.md 12), RETRY, LIMIT. depth_max bounds nesting (CONDITION_DEPTH).
 * Honours #!fold-case, #!no-fold-case, #; and nested block comments. */
MUST_USE val syntax_read(struct heap *h, struct arena *a, val text, val file,
                         struct syntax ***forms, size_t *count);

#endif
