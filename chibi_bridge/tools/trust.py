"""The URL rules that a tool file declares for itself, read before anything of it runs.

The engine's own reader reads the text, so what counts as a declaration is exactly
what would be evaluated at top level: nothing in strings, comments or quotes. Only
literals count; a file whose declaration is anything else is refused.
"""

from __future__ import annotations

from chibi_bridge.context import Context
from chibi_bridge.errors import Location, SchemeError, ToolLoadError
from chibi_bridge.host.url import parse_rule
from chibi_bridge.policy import Policy
from chibi_bridge.tools.declare import Declarations
from chibi_bridge.values import Symbol

NAME = "tool-http-allow"
READ_ALL = """
(import (scheme base) (scheme read))
(define (read-all text)
  (let ((port (open-input-string text)))
    (let loop ((out '()))
      (let ((datum (read port)))
        (if (eof-object? datum)
            (reverse out)
            (loop (cons (if (interesting? datum) datum #f) out)))))))
(define (interesting? datum)
  (and (pair? datum) (memq (car datum) '(define define-tool)) #t))
"""


def declared_rules(source: str, file: str) -> tuple[str, ...]:
    """The rules of a file's `tool-http-allow` and of its tools' `http-allow` clauses.

    Raises ToolLoadError, with the position, for a declaration that is no literal
    list of good rules, and for a second one. A text that cannot be read declares
    nothing: evaluating it says what is wrong.
    """
    if "http-allow" not in source:
        return ()
    with Context(Policy(modules=["scheme/base", "scheme/read"]), None) as reader:
        reader.eval(READ_ALL)
        try:
            forms = reader.call("read-all", source)
        except SchemeError:
            return ()
    declarations = Declarations(source, file)
    found: list[str] = []
    seen = 0
    for index, form in enumerate(forms if isinstance(forms, list) else []):
        if not isinstance(form, list) or len(form) < 2:
            continue
        where = declarations.top_level(index)
        if form[0] == "define" and (form[1] == NAME or is_procedure(form[1])):
            seen += 1
            if seen > 1:
                raise refused(f"a second definition of {NAME}", where, declarations)
            found.extend(literal_rules(form[2] if len(form) == 3 else None, where, declarations))
        elif form[0] == "define-tool":
            for clause in form[2:]:
                if isinstance(clause, list) and clause and clause[0] == "http-allow" and is_symbol(clause[0]):
                    place = declarations.location_of(str(form[1]), "http-allow") or where
                    found.extend(literal_rules(clause[1] if len(clause) == 2 else None, place, declarations))
    return tuple(dict.fromkeys(found))


def is_symbol(value: object) -> bool:
    """Is it a symbol (and not a string of that spelling)?"""
    return isinstance(value, Symbol)


def is_procedure(head: object) -> bool:
    """Is it the head of (define (tool-http-allow ...) ...)?"""
    return isinstance(head, list) and bool(head) and head[0] == NAME


def literal_rules(value: object, where: Location | None, declarations: Declarations) -> list[str]:
    """The rules of '("https://...") ."""
    items = value
    if isinstance(value, list) and len(value) == 2 and value[0] == "quote" and is_symbol(value[0]):
        items = value[1]
    elif isinstance(value, list) and value and all(type(item) is str for item in value):
        items = value  # an unquoted literal of a define-tool clause
    else:
        items = None
    if not isinstance(items, list):
        raise refused("the declared URLs are to be a quoted list of strings", where, declarations)
    for item in items:
        if type(item) is not str:
            raise refused(f"a declared URL is to be a string, got {item!r}", where, declarations)
        try:
            parse_rule(item)
        except ValueError as error:
            raise refused(str(error), where, declarations) from error
    return items


def refused(message: str, where: Location | None, declarations: Declarations) -> ToolLoadError:
    """The file is not loaded."""
    return ToolLoadError(
        f"{NAME}: {message}",
        clause=NAME,
        location=where,
        hint=f'write (define {NAME} \'("https://api.example.com/"))',
        source_line=declarations.line(where),
    )
