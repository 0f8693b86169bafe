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
    "printf": "build the text with string-append and number->string, then display it",
    "format": "build the text with string-append and number->string",
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
    number = rest.partition("/")[0]
    return (1, int(number), library) if first == "srfi" and number.isdigit() else (3, 0, library)


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
