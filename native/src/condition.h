/* T3 conditions: what is raised for every error of the engine and by `error`.
 *
 * One object type with a kind. The raise_* functions build the condition, leave
 * it in h->raised and return RAISE (or RETRY without room). They know neither
 * the procedure nor the position: the VM adds `who` and `trace` when the word
 * RAISE comes back to it. */
#ifndef CB_CONDITION_H
#define CB_CONDITION_H

#include "heap.h"

/* fields of T_CONDITION */
enum {
    CONDITION_KIND,      /* fixnum, enum condition_kind                              */
    CONDITION_MESSAGE,   /* string                                                   */
    CONDITION_IRRITANTS, /* list                                                     */
    CONDITION_WHO,       /* symbol of the procedure, or #f                           */
    CONDITION_TRACE,     /* vector: code, pc fixnum, code, pc ... innermost first; or #f */
    CONDITION_POSITION,  /* #(file line column) where the text itself is at fault, or #f */
    CONDITION_HINT,      /* string or #f                                             */
    CONDITION_EXTRA      /* payload of the kind: see CONDITION rows                  */
};

/* KIND(NAME, "scheme-name"): the name is what (condition-kind c) answers and
 * what crosses the border as SchemeError.kind. */
/* clang-format off */
#define CONDITION_KINDS(KIND)                                                       \
    KIND(ERROR, "error")             /* (error ...): message, irritants             */ \
    KIND(READ, "read-error")         /* position in the text                        */ \
    KIND(COMPILE, "compile-error")   /* position; bad syntax, no match ...          */ \
    KIND(UNBOUND, "unbound-variable") /* irritants: (name)                          */ \
    KIND(TYPE, "wrong-type")         /* irritants: (value); extra: #(index expected) */ \
    KIND(ARITY, "wrong-arity")       /* irritants: (args count); extra: #(procedure min max) */ \
    KIND(RANGE, "range")             /* irritants: (value low high)                 */ \
    KIND(DIVIDE, "divide-by-zero")                                                  \
    KIND(CONSTANT, "constant")       /* a literal was to be changed                 */ \
    KIND(APPLY, "not-a-procedure")   /* irritants: (value)                          */ \
    KIND(VALUES, "wrong-values")     /* irritants: (count)                          */ \
    KIND(FILE, "file-error")                                                        \
    KIND(SANDBOX, "sandbox")         /* extra: capability name                      */ \
    KIND(HTTP, "http")               /* extra: kind symbol                          */ \
    KIND(HOST, "host-error")         /* a Python exception; extra: FOREIGN          */ \
    KIND(UNANSWERED, "unanswered")                                                  \
    KIND(CONVERSION, "conversion")                                                  \
    KIND(DEPTH, "too-deep")          /* text nested beyond depth_max                */ \
    KIND(NOT_CONTINUABLE, "not-continuable")                                        \
    KIND(UNCAUGHT, "uncaught")       /* raise of a non-condition; extra: payload    */ \
    KIND(HTTP_BLOCKED, "http-blocked") /* the allow-list refused a URL              */ \
    KIND(CAP, "cap")                 /* a capability was denied; extra: code string */
/* clang-format on */

enum condition_kind {
#define KIND(name, text) CONDITION_##name,
    CONDITION_KINDS(KIND)
#undef KIND
        CONDITION_KIND_COUNT
};

/* The general form: message is ASCII text of ours; irritants a list (or NIL). */
MUST_USE val raise_condition(struct heap *h, enum condition_kind kind, const char *message,
                             val irritants);
/* The same with a printf-like message of ours; only %s, %zu, %c, %d are known. */
MUST_USE val raise_format(struct heap *h, enum condition_kind kind, val irritants,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Argument `index` (from 0) is not a(n) `expected`. */
MUST_USE val raise_type(struct heap *h, size_t index, const char *expected, val got);
/* Argument `index` is outside low .. high-1. */
MUST_USE val raise_range(struct heap *h, size_t index, val got, int64_t low, size_t high);
MUST_USE val raise_divide(struct heap *h);
/* Argument `index` is a literal or belongs to a library. */
MUST_USE val raise_constant(struct heap *h, size_t index, val got);
/* An error in program text at line, column (from 1) of `file` (string or #f). */
MUST_USE val raise_text(struct heap *h, enum condition_kind kind, val file, size_t line,
                        size_t column, const char *hint, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

#endif
