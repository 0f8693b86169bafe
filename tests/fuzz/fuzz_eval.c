/* Programs: expanded, compiled and run with little fuel.
 *
 * The first byte chooses: 0 the rest is text; else each byte stands for a token of
 * the table, with parentheses closed at the end, so that most programs get as far
 * as running. Every program runs twice, in one go and in slices with collections
 * at every safepoint (odd first byte): outcome, fuel and result must agree. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const tokens[] = {
    "(", "(", "(", "(", ")", ")", ")", "'", "`", ",", ",@", ".", "...", "_", "=>", "else",
    "define", "lambda", "let", "let*", "letrec", "letrec*", "let loop", "(loop", "set!", "if",
    "cond", "case", "and", "or", "when", "unless", "do", "begin", "quote", "quasiquote", "delay",
    "define-syntax", "let-syntax", "letrec-syntax", "syntax-rules", "syntax-error", "case-lambda",
    "define-values", "let-values", "let*-values", "define-record-type", "parameterize", "guard",
    "import (scheme base)", "(scheme write)", "define-library", "export", "include", "cond-expand",
    "car", "cdr", "cons", "list", "append", "apply", "map", "for-each", "vector-map", "length",
    "reverse", "list-tail", "list-ref", "list-copy", "memv", "assoc", "equal?", "eqv?", "eq?",
    "call/cc", "call-with-values", "values", "dynamic-wind", "raise", "raise-continuable",
    "with-exception-handler", "error", "error-object-message", "error-object-irritants",
    "make-parameter", "vector", "make-vector", "vector-ref", "vector-set!", "vector->list",
    "list->vector", "vector-fill!", "subvector", "string", "make-string", "string-ref",
    "string-set!", "string-append", "substring", "string->number", "number->string",
    "string->symbol", "symbol->string", "string->list", "string-copy!", "string-map",
    "string-for-each", "bytevector", "bytevector-u8-ref", "utf8->string", "char->integer",
    "integer->char", "+", "-", "*", "/", "=", "<", ">", "<=", ">=", "quotient", "remainder",
    "modulo", "floor/", "expt", "exact", "inexact", "exact-integer-sqrt", "gcd", "lcm", "abs",
    "min", "max", "numerator", "number?", "pair?", "null?", "procedure?", "not", "eof-object",
    "open-input-string", "open-output-string", "get-output-string", "read-line", "read-char",
    "write", "display", "newline", "write-string", "a", "b", "c", "x", "y", "z", "f", "g", "loop",
    "k", "m", "p", "p?", "0", "1", "2", "-1", "3", "10", "1/2", "1.5", "-0.0", "+inf.0", "+nan.0",
    "1e300", "1152921504606846975", "-1152921504606846976", "18446744073709551616", "#t", "#f",
    "()", "#\\a", "#\\x3bb", "\"\"", "\"abc\"", "\"\xce\xbb\"", "#(1 2)", "#u8(1 2)", "#0=(1 . #0#)",
    "|a b|", "#;", "#| |#", "; \n", "(define (f x)", "(lambda (x)", "(lambda x", "(let ((x",
    "(f x)", "(car '())", "(vector-ref #(1 2) 5)", "(call/cc (lambda (k)", "(k 1)", "(set! x",
    "(define x", "(if x", "(syntax-rules ()", "((_ a ...)", "(a ...)", "((_ a b)", "(m x)",
    "(define-syntax m", "(loop (+ x 1))", "(if (< x 100)", "(let loop ((x 0))", "(exit)", "eval",
    "environment", "(guard (e (#t e))", "features", "exact->inexact", "list->string", "char-upcase",
};
/* clang-format on */

enum { TOKENS = sizeof tokens / sizeof *tokens, TEXT_MOST = 1 << 16 };

static const struct fuzz_limits limits = {4 << 20, 20000};
static const struct fuzz_limits twice = {4 << 20, 3000}; /* collecting everywhere is slow */

static size_t program(const uint8_t *data, size_t size, char *out)
{
    size_t n = 0, open = 0;
    for (size_t i = 0; i < size && n < TEXT_MOST - 64; i++) {
        const char *t = tokens[data[i] % TOKENS];
        if (t[0] == ')' && open == 0)
            continue;
        for (const char *p = t; *p; p++)
            if (t[0] != '"' && t[0] != ';' && t[0] != '#' && t[0] != '|')
                open += (size_t)(*p == '(') - (size_t)(*p == ')');
        memcpy(out + n, t, strlen(t));
        n += strlen(t);
        out[n++] = ' ';
    }
    while (open-- > 0 && n < TEXT_MOST)
        out[n++] = ')';
    return n;
}

static void set_stress(cb_context *c, uint64_t every)
{
    cb_limits l = {.size = sizeof l, .memory = limits.memory, .gc_stress = every};
    MUST(cb_set_limits(c, &l) == CB_OK);
}

/* In a context of its own; *kind, *fuel, and a copy of the result (NULL: none). */
static uint8_t *run_alone(const char *text, size_t n, bool stressed, uint32_t *kind, uint64_t *fuel,
                          size_t *length)
{
    cb_context *c = fuzz_context(limits.memory);
    if (stressed)
        set_stress(c, 1);
    *kind = fuzz_eval(c, text, n, twice);
    const cb_event *e = fuzz_event();
    *fuel = e->fuel_used;
    *length = 0;
    uint8_t *copy = NULL;
    if (*kind == CB_DONE && e->length > 0) {
        copy = malloc(e->length);
        MUST(copy);
        memcpy(copy, e->data, e->length);
        *length = e->length;
    }
    if (*kind != CB_OUT_OF_MEMORY)
        MUST(fuzz_eval(c, "(+ 1 2)", 7, limits) == CB_DONE || *kind != CB_DONE);
    cb_context_free(c);
    return copy;
}

static void compare(const char *text, size_t n)
{
    uint32_t kinds[2];
    uint64_t fuel[2];
    size_t length[2];
    uint8_t *results[2];
    for (int i = 0; i < 2; i++)
        results[i] = run_alone(text, n, i > 0, &kinds[i], &fuel[i], &length[i]);
    bool memory = kinds[0] == CB_OUT_OF_MEMORY || kinds[1] == CB_OUT_OF_MEMORY;
    if (!memory && kinds[0] != CB_INTERRUPTED && kinds[1] != CB_INTERRUPTED) {
        MUST(kinds[0] == kinds[1]);
        MUST(fuel[0] == fuel[1]);
        MUST(length[0] == length[1] &&
             (length[0] == 0 || memcmp(results[0], results[1], length[0]) == 0));
    }
    free(results[0]);
    free(results[1]);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static char text[TEXT_MOST + 1];
    static bool usable = true;
    if (size == 0 || size > 4000)
        return;
    const char *source = (const char *)data + 1;
    size_t n = size - 1;
    if (data[0] != 0) {
        n = program(data + 1, size - 1, text);
        source = text;
    }
    if (data[0] & 1) {
        compare(source, n);
        return;
    }
    usable = fuzz_eval(fuzz_shared(limits, !usable), source, n, limits) != CB_OUT_OF_MEMORY;
}
