/* T5 front end: units, environments, libraries, macros.
 *
 * The layouts of the heap types that belong to it, and its door to the rest.
 *
 * A UNIT is a text (or a datum) being evaluated form by form. It is driven from
 * Scheme (boot: %run-unit), so that bodies run as ordinary frames:
 *
 *   (%unit-open text file environment kind)  -> unit; reads all, may raise read-error.
 *        kind: 'program (slots, later units may redefine) | 'trusted (the same, and
 *        (import (%core)) is allowed: our own library files) | 'body (one letrec*
 *        of immutable bindings: boot files) ; text: string
 *   (%unit-of-datum datum environment)       -> unit with one form
 *   (%unit-next unit index)                  -> one of
 *        #f            no form at index: done
 *        procedure     call it with no arguments (its value is the form's), go on at index+1
 *        #(library name)          not loaded: load it (name is a list), then ask again
 *        #(include path ci? from) not supplied: get the text, %unit-supply!, then ask again
 *        #(available name)        for cond-expand (library name): %unit-supply! #t or #f, ask again
 *   (%unit-last? unit index)                 -> is it the last form (so call it in tail position)
 *   (%unit-supply! unit path text-or-#f)
 *   (%environment import-sets)               -> environment, or #(library name)
 *   (%library-loaded? name) (%library-exports name) (%library-names)
 *   (%top-environment) (%core-environment)
 *   (%environment-bound-names env) (%environment-ref env symbol) ...
 *
 * (define-library ...) as a form of a program unit: %unit-next first asks for
 * what it imports; then answers a procedure that runs the body and, last,
 * registers the library. A program whose first form is import starts from an
 * empty environment only where the caller gave one.
 *
 * Attempt rule (ENGINE.md 4): a form that lacks something leaves no trace; the
 * next attempt expands it again. */
#ifndef CB_FRONT_H
#define CB_FRONT_H

#include "ir.h"

/* What derived forms call, by these names, as the core environment binds them:
 *
 *   cons list append list->vector vector vector-ref car eqv? call-with-values
 *   (%parameterize ((parameter . value) ...) thunk)
 *   (%delay thunk)  (%delay-force thunk)
 *   (%guard body-thunk handler)         handler: (condition reraise-thunk)
 *   (%make-record-type name fields)     a new type each time; #f #t follow where no field
 *                                       has a modifier
 *   (%record type field ...)            all fields in order
 *   (%record? object type)
 *   (%record-ref record type index who) (%record-set! record type index value who)
 *   (%library-ready! name)
 *
 * IR_CONST holds constants only; a datum that eval brought along is reached as
 * (car 'holder).
 *
 * T_ENVIRONMENT: name -> binding. A binding value is
 *   fixnum            slot index of a variable
 *   T_MACRO           a macro
 *   pair (slot . library)  immutable library variable that has a slot
 *   pair (#t . value)      immutable, value known
 *   core form         immediate kind IMM_CONST payload 64 + enum core_form              */
enum {
    ENVIRONMENT_TABLE,  /* TABLE (eq): symbol or IDENTIFIER -> binding               */
    ENVIRONMENT_PARENT, /* environment or #f: looked up where the own table has none */
    ENVIRONMENT_OWNER,  /* LIBRARY, or #f for a program's                            */
    ENVIRONMENT_NAME    /* symbol or #f                                              */
};                      /* raw 0: flags */

enum {
    LIBRARY_NAME,        /* list, e.g. (scheme base)                                 */
    LIBRARY_EXPORTS,     /* TABLE (eq): external symbol -> binding                   */
    LIBRARY_ENVIRONMENT, /* ENVIRONMENT of its body                                  */
    LIBRARY_STATE,       /* symbol: declared | running | ready                       */
    LIBRARY_DOC          /* alist symbol -> string, from ;;> comments; or #f         */
};

enum {
    MACRO_LITERALS,    /* list of identifiers                                        */
    MACRO_ELLIPSIS,    /* symbol or identifier                                       */
    MACRO_RULES,       /* vector: pattern, template, pattern, template, ...          */
    MACRO_ENVIRONMENT, /* where free names of templates are looked up                */
    MACRO_NAME         /* symbol, for messages                                       */
};

/* -- the registry of libraries (library.c) ------------------------------------------------ */
/* The table of the libraries that came with the image, or #f. */
val library_base(struct heap *h);
/* Visit the written names and libraries, the context's own ones first; *i is 0 at
 * first; false: no more. */
#define LIBRARY_IN_BASE (SIZE_MAX ^ (SIZE_MAX >> 1))
bool library_next(struct heap *h, size_t *i, val *key, val *library);
/* Make one table of all that are loaded, for an image to share. */
MUST_USE val library_seal(struct heap *h);

#endif
