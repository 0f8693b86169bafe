"""What to write in place of a name that nothing binds: near names, imports, other dialects."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from fractions import Fraction

from chibi_bridge.host.libraries import is_allowed, scheme_root, shipped_names
from chibi_bridge.host.sexp import Form, read_forms
from chibi_bridge.policy import Policy
from chibi_bridge.values import Symbol, write

QUOTED_KEY = re.compile(r"\((ass(?:oc|q|v)) '([^\s()']+)")
EXPECTED = re.compile(r"expected (pair|list|number|real|exact integer|string|textual output port)$")


def advice(message: str, irritants: list[object], line: str | None) -> str | None:
    """What to write in place of a call that went wrong, by its message and the line of the text."""
    if "the handler returned from raise" in message:
        return "write (guard (e (#t handler)) body ...): the value of guard's clause is that of the whole form"
    expected = EXPECTED.search(message)
    if expected is None or not irritants:
        return None
    kind, got = expected[1], irritants[0]
    if kind == "textual output port":
        return "display, write and newline take one object, then a port: show several things one after the other"
    key = QUOTED_KEY.search(line or "")
    if got is False and key is not None and kind == "pair":
        return f'{key[1]} found no such key; tool arguments have strings as keys: (assoc "{key[2]}" args)'
    if got is False:
        return "assoc, member, string->number and string-contains answer #f where they find nothing: test that first"
    if kind == "string" and isinstance(got, (int, float, Fraction)):
        return f"write (number->string {write(got, 40)})"
    if kind == "string" and isinstance(got, Symbol):
        return f"write (symbol->string '{write(got, 40)})"
    return None


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


USUAL = frozenset((1, 2, 8, 9, 11, 13, 14, 16, 26, 27, 28, 69, 95, 111, 115, 125, 128, 130, 132, 133, 151, 152))
"""SRFIs whose names authors mean by them; those of the others are more often another dialect's."""


def preference(library: str) -> tuple[int, int, str]:
    """R7RS-small first, the usual SRFIs, the others in their order, then R7RS-large, then the rest."""
    first, _, rest = library.partition("/")
    if first == "scheme":
        return (0 if rest in SMALL else 2, 0, library)
    if first == "srfi" and rest.isdigit():
        return (1, int(rest) + 1000 * (int(rest) not in USUAL), library)
    return ({"srfi": 4, "cap": 5, "ext": 5}.get(first, 3), 0, library)


def exported_name(item: Form) -> str:
    """The outer name of an export spec."""
    parts = item.items or ()
    return parts[2].text if item.head == "rename" and len(parts) == 3 else item.text


def is_foreign(name: str) -> bool:
    """Is it rather another dialect's name than one of a library that nobody imported?"""
    from chibi_bridge.host.dialects import DIALECTS, FORMS  # here: a large table, for programs that go wrong

    if name not in DIALECTS or name in FORMS:
        return name in FORMS
    small = any(home.partition("/")[2] in SMALL for home in exporters().get(name, ()) if home.startswith("scheme/"))
    numbers = [home.partition("/")[2] for home in exporters().get(name, ()) if home.startswith("srfi/")]
    return not small and not any(number.isdigit() and int(number) in USUAL for number in numbers)


def hint_for(name: str, bound: Iterable[str], policy: Policy) -> str | None:
    """The best advice for an unbound name, None where there is none."""
    libraries = [library for library in exporters().get(name, ()) if not library.startswith("chibi-bridge/")]
    if is_foreign(name):
        from chibi_bridge.host.dialects import DIALECTS

        return DIALECTS[name]
    for library in libraries:
        if is_allowed(policy, library):
            return f"(import ({library.replace('/', ' ')})) brings it"
    if libraries:
        return f"it is in ({libraries[0].replace('/', ' ')}), which the policy excludes"
    near = difflib.get_close_matches(name, [other for other in bound if other != name], n=3, cutoff=0.75)
    return odd_name(name) or (f"did you mean {' or '.join(near)}?" if near else None)


def odd_name(name: str) -> str | None:
    """What a name says that was meant as something else."""
    if any(quote in name for quote in "\u201c\u201d\u201e\u2018\u2019"):
        return 'typographic quotes: strings stand between straight double quotes, "text"'
    if re.fullmatch(r"0[xXbBoO][0-9A-Fa-f]+", name):
        return f"write #{name[1:].lower()}"
    if re.fullmatch(r"[+-]?\d+(_\d+)+", name):
        return f"write {name.replace('_', '')}"
    if name.startswith(("//", "/*", "--")):
        return "a comment begins with ;"
    if len(name) > 1 and (name.startswith((":", "&")) or name.endswith(":")):
        return "R7RS has no keywords: pass arguments by position, or quote a symbol"
    return None
