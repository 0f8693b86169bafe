"""What to write in place of a name that nothing binds: near names, imports, other dialects."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable

from chibi_bridge.host.libraries import is_allowed, scheme_root, shipped_names
from chibi_bridge.host.sexp import Form, read_forms
from chibi_bridge.policy import Policy

DIALECTS = {
    "foldl": "write (fold kons knil list) of (srfi 1); its procedure takes (item accumulator)",
    "foldr": "write (fold-right kons knil list) of (srfi 1)",
    "reduce-left": "write (reduce f default list) of (srfi 1)",
    "nil": "write '() for the empty list, #f for false",
    "null": "write '() for the empty list",
    "t": "write #t",
    "true": "write #t",
    "false": "write #f",
    "None": "write '() or #f",
    "defun": "write (define (name argument ...) body ...)",
    "setq": "write (set! name value), or define for a new name",
    "setf": "write (set! name value)",
    "defvar": "write (define name value)",
    "def": "write (define name value)",
    "fn": "write (lambda (argument ...) body ...)",
    "progn": "write (begin form ...)",
    "1+": "write (+ n 1)",
    "1-": "write (- n 1)",
    "add1": "write (+ n 1)",
    "sub1": "write (- n 1)",
    "mapcar": "write (map f list)",
    "concat": "write string-append or append",
    "printf": "write (display (format #f control object ...)); format is in (srfi 28) and in the tool prelude",
    "fprintf": "write (display (format #f control object ...) port)",
    "eprintf": "write (display (format #f control object ...) (current-error-port))",
    "sprintf": "write (format #f control object ...); it is in (srfi 28) and in the tool prelude",
    "format": "(import (srfi 28)) brings it: (format control object ...)",
    "print": "write (display value) and (newline)",
    "displayln": "write (display value) and (newline)",
    "println": "write (display value) and (newline)",
    "string-contains?": "write (string-contains text part), which answers an index or #f",
    "str": "write string-append, number->string",
    "length=": "write (= (length list) n)",
    "elif": "write a further clause of cond",
    "else": "else stands as the last clause of cond or case only",
    "while": "write a named let: (let loop () (if test (begin body ... (loop))))",
    "for": "write for-each, map or a named let",
    "return": "the value of the last form is the result; there is no return",
    "hash-ref": "write (hash-table-ref/default table key default)",
    "hash-set!": "write (hash-table-set! table key value)",
    "make-hash": "write (make-hash-table)",
    "gethash": "write (hash-table-ref/default table key default)",
    "try": "write (guard (e (#t handler)) body ...)",
    "catch": "write (guard (e (#t handler)) body ...)",
    "throw": "write (error message irritant ...) or (raise object)",
    "assert": "write (if (not test) (error message))",
    "fold-left": "write (fold (lambda (item acc) ...) acc list) of (srfi 1); mind the order of the arguments",
    "range": "write (iota count start step) of (srfi 1)",
    "flatten": "write a procedure: (cond ((null? x) '()) ((pair? x) (append (flatten (car x)) (flatten (cdr x)))) "
    "(else (list x)))",
    "empty?": "write (null? list)",
    "empty": "write '() for the empty list",
    "void": "write (if #f #f), or leave the else branch out",
    "add-between": "write (string-join list separator) for strings",
    "list-head": "write (take list n) of (srfi 1)",
    "sublist": "write (take (drop list start) (- end start)) of (srfi 1)",
    "except-last-pair": "write (drop-right list 1) of (srfi 1)",
    "except-last-pair!": "write (drop-right list 1) of (srfi 1)",
    "string-search-forward": "write (string-contains text part start), which answers an index or #f",
    "string-search-all": "write a loop over (string-contains text part start)",
    "string-replace-all": "write (string-replace text part new) of the tool prelude, or regexp-replace-all",
    "hash-table/get": "write (hash-table-ref/default table key default)",
    "hash-table/put!": "write (hash-table-set! table key value)",
    "hash-table-get": "write (hash-table-ref/default table key default)",
    "hash-table-put!": "write (hash-table-set! table key value)",
    "hashtable-ref": "write (hash-table-ref/default table key default)",
    "hashtable-set!": "write (hash-table-set! table key value)",
    "make-equal-hashtable": "write (make-hash-table equal?)",
    "make-eq-hashtable": "write (make-hash-table eq?)",
    "hashq-ref": "write (hash-table-ref/default table key default)",
    "assoc-ref": "write (cdr (assoc key alist)); where the key may be missing: "
    "(let ((entry (assoc key alist))) (if entry (cdr entry) default))",
    "assq-ref": "write (cdr (assq key alist)), after a test that assq found it",
    "alist-ref": "write (cdr (assoc key alist)), after a test that assoc found it",
    "dict-ref": "write (cdr (assoc key alist)), after a test that assoc found it",
    "call/ec": "write (call/cc (lambda (return) ...))",
    "call-with-escape-continuation": "write (call/cc (lambda (return) ...))",
    "with-handlers": "write (guard (e (#t handler)) body ...)",
    "exn-message": "write (error-object-message e)",
    "condition/report-string": "write (error-object-message e) and (error-object-irritants e)",
    "condition-message": "write (error-object-message e)",
    "assertion-violation": "write (error message irritant ...)",
    "port->string": "write a loop over (read-string 4096 port), or read-line",
    "pp": "write (write value) and (newline)",
    "display*": "write (for-each display (list value ...))",
    "let-optionals": "write (define (f a . rest) ...) or case-lambda",
    "define*": "write (define (f a . rest) ...) or case-lambda",
    "require": "write (import (library name))",
    "use-modules": "write (import (library name))",
    "provide": "a program exports nothing; a library does: (define-library (name) (export ...) ...)",
    "struct": "write (define-record-type name (make-name field ...) name? (field name-field) ...)",
    "define-struct": "write (define-record-type name (make-name field ...) name? (field name-field) ...)",
    "random": "write (random-integer n) of (srfi 27)",
    "getenv": "write (get-environment-variable name) of (scheme process-context)",
    "file->string": "write (call-with-input-file path (lambda (port) (read-string n port))) of (scheme file)",
    "regexp-match": "write (regexp-search pattern text) of (tein safe-regexp)",
    "char->digit": "write (digit-value char)",
    "exact-rational?": "write (and (rational? x) (exact? x))",
    "exact-nonnegative-integer?": "write (and (exact-integer? x) (>= x 0))",
}


@functools.cache
def exporters() -> dict[str, tuple[str, ...]]:
    """The shipped libraries that export a name."""
    found: dict[str, list[str]] = {}
    for library in sorted(shipped_names(), key=preference):
        text = (scheme_root() / "lib" / f"{library}.sld").read_text(encoding="utf-8")
        for form in read_forms(text):
            for clause in form.items or ():
                if clause.head == "export":
                    for item in (clause.items or ())[1:]:
                        found.setdefault(exported_name(item), []).append(library)
    return {name: tuple(libraries) for name, libraries in found.items()}


SMALL = frozenset(
    [
        "base",
        "case-lambda",
        "char",
        "complex",
        "cxr",
        "eval",
        "file",
        "inexact",
        "lazy",
        "load",
        "process-context",
        "read",
        "repl",
        "time",
        "write",
    ]
)


def preference(library: str) -> tuple[int, int, str]:
    """R7RS-small first, the SRFIs in their order, then R7RS-large, then the rest."""
    first, _, rest = library.partition("/")
    if first == "scheme":
        return (0 if rest in SMALL else 2, 0, library)
    if first == "srfi" and rest.isdigit():
        return (1, int(rest), library)
    return ({"srfi": 4, "cap": 5, "ext": 5}.get(first, 3), 0, library)


def exported_name(item: Form) -> str:
    """The outer name of an export spec."""
    parts = item.items or ()
    return parts[2].text if item.head == "rename" and len(parts) == 3 else item.text


def hint_for(name: str, bound: Iterable[str], policy: Policy) -> str | None:
    """The best advice for an unbound name, None where there is none."""
    libraries = [library for library in exporters().get(name, ()) if not library.startswith("chibi-bridge/")]
    if name in DIALECTS and not any(library.startswith(("scheme/", "srfi/")) for library in libraries):
        return DIALECTS[name]
    for library in libraries:
        if is_allowed(policy, library):
            return f"(import ({library.replace('/', ' ')})) brings it"
    if libraries:
        return f"it is in ({libraries[0].replace('/', ' ')}), which the policy excludes"
    near = difflib.get_close_matches(name, [other for other in bound if other != name], n=3, cutoff=0.75)
    return f"did you mean {' or '.join(near)}?" if near else None
