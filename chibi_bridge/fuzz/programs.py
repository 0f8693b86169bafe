"""Programs: well-formed Scheme of bounded size, made by type, so that most of them run to a value."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["programs"]

Strategy = st.SearchStrategy
KINDS = ("int", "bool", "string", "list")
NAMES = {"int": "n", "bool": "b", "string": "s", "list": "l"}
Scope = tuple[tuple[str, str], ...]
"""Variables in scope: name and kind."""

FORMS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "int": (
        ("(+ {} {})", ("int", "int")),
        ("(- {} {})", ("int", "int")),
        ("(* {} {})", ("int", "int")),
        ("(abs {})", ("int",)),
        ("(max {} {})", ("int", "int")),
        ("(length {})", ("list",)),
        ("(string-length {})", ("string",)),
        ("(apply + {})", ("list",)),
        ("(quotient {} (+ 1 (abs {})))", ("int", "int")),
    ),
    "bool": (
        ("(< {} {})", ("int", "int")),
        ("(= {} {})", ("int", "int")),
        ("(not {})", ("bool",)),
        ("(and {} {})", ("bool", "bool")),
        ("(or {} {})", ("bool", "bool")),
        ("(null? {})", ("list",)),
        ("(equal? {} {})", ("list", "list")),
        ("(string=? {} {})", ("string", "string")),
    ),
    "string": (
        ("(string-append {} {})", ("string", "string")),
        ("(number->string {})", ("int",)),
        ("(list->string (reverse (string->list {})))", ("string",)),
        ("(symbol->string (string->symbol {}))", ("string",)),
    ),
    "list": (
        ("(cons {} {})", ("int", "list")),
        ("(list {} {})", ("int", "int")),
        ("(append {} {})", ("list", "list")),
        ("(reverse {})", ("list",)),
        ("(vector->list (list->vector {}))", ("list",)),
    ),
}


def literal(kind: str) -> Strategy[str]:
    """A literal of a kind."""
    if kind == "int":
        return st.one_of(st.integers(-9, 9), st.integers(-(1 << 70), 1 << 70)).map(str)
    if kind == "bool":
        return st.sampled_from(["#t", "#f"])
    if kind == "string":
        return st.text('abcé \\"', max_size=4).map(
            lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        )
    return st.lists(st.integers(-9, 9), max_size=3).map(lambda items: "'(" + " ".join(map(str, items)) + ")")


@st.composite
def expressions(draw: st.DrawFn, kind: str, scope: Scope, depth: int) -> str:
    """An expression of a kind over the variables in scope."""
    here = [name for name, its in scope if its == kind]
    shapes = ["literal", *(["variable"] * 2 if here else [])]
    if depth > 0:
        shapes += ["form", "form", "if", "let", "call", "loop", "map"]
    shape = draw(st.sampled_from(shapes))
    if shape == "literal":
        return draw(literal(kind))
    if shape == "variable":
        return draw(st.sampled_from(here))
    if shape == "form":
        text, kinds = draw(st.sampled_from(FORMS[kind]))
        return text.format(*(draw(expressions(part, scope, depth - 1)) for part in kinds))
    return draw(binding(shape, kind, scope, depth))


@st.composite
def binding(draw: st.DrawFn, shape: str, kind: str, scope: Scope, depth: int) -> str:
    """A conditional, or a form that binds a variable."""
    other = draw(st.sampled_from(KINDS))
    name = f"{NAMES[other]}{len(scope)}"
    inside = (*scope, (name, other))

    def part(its: str, names: Scope = scope) -> str:
        return draw(expressions(its, names, depth - 1))

    if shape == "if":
        return f"(if {part('bool')} {part(kind)} {part(kind)})"
    if shape == "let":
        return f"(let (({name} {part(other)})) {part(kind, inside)})"
    if shape == "call":
        return f"((lambda ({name}) {part(kind, inside)}) {part(other)})"
    if shape == "loop":
        total, count = f"t{len(scope)}", f"i{len(scope)}"
        names = (*scope, (total, kind), (count, "int"))
        return (
            f"(let loop (({count} {draw(st.integers(0, 4))}) ({total} {part(kind)}))"
            f" (if (= {count} 0) {total} (loop (- {count} 1) {part(kind, names)})))"
        )
    item = f"n{len(scope)}"
    mapped = f"(map (lambda ({item}) {part('int', (*scope, (item, 'int')))}) {part('list')})"
    if kind == "list":
        return mapped
    return f"(let ((l{len(scope)} {mapped})) {part(kind, (*scope, (f'l{len(scope)}', 'list')))})"


@st.composite
def programs(draw: st.DrawFn, *, definitions: int = 3, depth: int = 4) -> str:
    """The text of a program: up to so many definitions, of values and of procedures, and one expression.

    It reads and compiles, and its types are right: what goes wrong when it runs (a limit)
    goes wrong in every correct engine.
    """
    scope: Scope = ()
    lines: list[str] = []
    for index in range(draw(st.integers(0, definitions))):
        kind = draw(st.sampled_from(KINDS))
        name = f"{NAMES[kind]}-{index}"
        body = draw(expressions(kind, scope, depth - 1))
        lines.append(f"(define {name} {body})")
        scope = (*scope, (name, kind))
    lines.append(draw(expressions(draw(st.sampled_from(KINDS)), scope, depth)))
    return "\n".join(lines)
