"""A small reader of Scheme text with positions, for what is looked at before it runs.

Not the engine's reader: it knows lists, strings, comments and tokens, which is
what import sets and tool declarations consist of. It never raises for odd text;
what it cannot make sense of ends the reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""\s+|;[^\n]*|(?P<block>\#\|)|(?P<skip>\#;)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<char>\#\\(?:[^\s()"';]+|.))"""
    r"""|(?P<bar>\|(?:[^|\\]|\\.)*\|)|(?P<open>\#?(?:u8)?[(\[])|(?P<close>[)\]])|(?P<quote>,@|['`,])|(?P<atom>[^\s()\[\]"';]+)""",
    re.VERBOSE | re.DOTALL,
)
QUOTES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "unquote-splicing"}


@dataclass(frozen=True, slots=True)
class Form:
    """A datum: `items` of a list, else `text` of an atom (with its quotes for a string)."""

    at: int
    text: str = ""
    items: tuple[Form, ...] | None = None

    @property
    def head(self) -> str:
        """The text of the first item of a list, "" where there is none."""
        return self.items[0].text if self.items else ""

    def is_string(self) -> bool:
        """Is it a string literal?"""
        return self.items is None and self.text.startswith('"')


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def read_forms(text: str) -> list[Form]:
    """The top-level forms, as far as the text can be read."""
    top: list[Form] = []
    stack: list[tuple[int, list[Form], int]] = []  # start, items, how many closings a quote adds
    items, at = top, 0
    skipping: list[list[Form]] = []
    quotes: list[tuple[int, str, list[Form]]] = []

    def add(form: Form) -> None:
        while quotes and quotes[-1][2] is items:
            start, name, _ = quotes.pop()
            form = Form(start, items=(Form(start, name), form))
        if skipping and skipping[-1] is items:
            skipping.pop()
            return
        items.append(form)

    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            return top
        kind, token, start = match.lastgroup, match.group(), at
        at = match.end()
        if kind == "block":
            at = end_of_block(text, start)
        elif kind == "skip":
            skipping.append(items)
        elif kind == "quote":
            quotes.append((start, QUOTES[token], items))
        elif kind == "open":
            stack.append((start, items, 0))
            items = []
        elif kind == "close":
            if not stack:
                return top
            done = items
            opened, items, _ = stack.pop()
            add(Form(opened, items=tuple(done)))
        elif kind is not None:
            add(Form(start, token))
    return top


def end_of_block(text: str, at: int) -> int:
    """Where a nested block comment that starts at `at` ends."""
    depth = 0
    for match in re.compile(r"\#\||\|\#").finditer(text, at):
        depth += 1 if match.group() == "#|" else -1
        if depth == 0:
            return match.end()
    return len(text)
