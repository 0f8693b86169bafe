"""The constants of a tool's source: values that its branches are likely to depend on.

Not one is known to matter; they are mixed among the values that are drawn, with
their neighbours. Read with expressions of our own, for the text need not load.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Constants", "constants_of"]

TOKEN = re.compile(
    r"""
    (?P<string>"(?:\\.|[^"\\])*")
  | (?P<comment>;[^\n]*)
  | (?P<char>\#\\(?:[A-Za-z][A-Za-z0-9-]*|.))
  | (?P<number>(?<![^\s()'`,\[\]])[+-]?\d+(?:\.\d+)?(?![^\s()'\[\]]))
  | (?P<other>[^\s()'"`,;\#]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
NAMED = {"space": " ", "newline": "\n", "tab": "\t", "return": "\r", "null": "\0", "nul": "\0"}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b"}
MOST = 60
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Constants:
    """Strings, single characters and numbers that stand in a text."""

    strings: tuple[str, ...] = ()
    characters: str = ""
    numbers: tuple[int, ...] = ()
    variables: tuple[str, ...] = ()


def constants_of(source: str) -> Constants:
    """The constants of a Scheme text, each once, in order.

    >>> constants_of('(if (> n 100) "much" #\\\\,) ; 7').numbers
    (100,)
    """
    strings: dict[str, None] = {}
    characters: dict[str, None] = {}
    numbers: dict[int, None] = {}
    variables: dict[str, None] = {}
    before = ""
    for match in TOKEN.finditer(source):
        kind, text = match.lastgroup, match[0]
        if kind == "string":
            value = unescaped(text[1:-1])
            if before == "get-environment-variable":
                variables[value] = None
            elif len(value) <= LONGEST:
                strings[value] = None
        elif kind == "char":
            name = text[2:]
            characters[NAMED.get(name, name[0])] = None
        elif kind == "number":
            numbers[round(float(text)) if "." in text else int(text)] = None
        if not text.isspace():
            before = text
    return Constants(tuple(strings)[:MOST], "".join(characters)[:MOST], tuple(numbers)[:MOST], tuple(variables))


def unescaped(text: str) -> str:
    """The inside of a string literal as what it stands for."""
    text = re.sub(r"\\x([0-9A-Fa-f]{1,6});", lambda found: character(int(found[1], 16)), text)
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)


def character(code: int) -> str:
    """The character of a code, nothing for what is none."""
    return chr(code) if code < 0xD800 or 0xE000 <= code < 0x110000 else ""
