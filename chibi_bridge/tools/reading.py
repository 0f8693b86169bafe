"""A reader that goes on behind faults: it finds all of a text's, and where indentation says they are.

The engine's reader stops at the first fault and decides what is Scheme; this one
is for telling an author everything at once. `Reading.mended` is the text made
readable without moving any line, so that what is found in it is found in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from chibi_bridge.host.sexp import end_of_block
from chibi_bridge.tools.findings import Edit, Finding

__all__ = ["Node", "Reading", "read_text"]

QUOTES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "unquote-splicing"}
TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>;[^\n]*)|(?P<block>\#\|)|(?P<skip>\#;)|(?P<string>"(?:[^"\\]|\\.)*(?:"|\Z))"""
    r"""|(?P<char>\#\\(?:[A-Za-z0-9]+|.))|(?P<bar>\|(?:[^|\\]|\\.)*\|)|(?P<open>\#?(?:(?<=\#)u8)?[(\[])|(?P<close>[)\]])"""
    r"""|(?P<brace>[{}])|(?P<quote>,@|['`,])|(?P<atom>[^\s()\[\]{}"';`,]+)""",
    re.VERBOSE | re.DOTALL,
)
TOP = re.compile(r"\((?:define|import)[\s-]")
SMART = "\u201c\u201d\u201e\u201f\u2033"
SMART_SINGLE = "\u2018\u2019"
ESCAPE = re.compile(r"\\(?:([abtnr\"\\|])|x[0-9A-Fa-f]+;|[ \t]*\n[ \t]*|(u[0-9A-Fa-f]{4})|(.))", re.DOTALL)
TEXT_IN_SINGLE = re.compile(r"'[^()'\";\n]+'(?=[)\];]|$)|'[^\s()'\";]+'(?=[\s)\];]|$)", re.MULTILINE)
SHEBANG = re.compile(r"#!(?!fold-case|no-fold-case|eof)[A-Za-z-]*")
KEYWORD = re.compile(r"#:[^\s()]*")
REMARK = re.compile(r"//|#(?=[^\S\n])|/\*")
SMART_END = re.compile(f'[{SMART}"\n]')


@dataclass(slots=True)
class Token:
    """A piece of text with a meaning: open, close, quote, skip, atom, string."""

    kind: str
    start: int
    end: int
    text: str


@dataclass(slots=True)
class Node:
    """A datum with its extent: `items` of a list (or vector: `opener` is not "("), else an atom's text."""

    start: int
    end: int
    text: str = ""
    items: list[Node] | None = None
    opener: str = ""

    @property
    def head(self) -> str:
        """The first item's text where that is an atom, else ""."""
        return self.items[0].text if self.items and self.items[0].items is None and self.opener == "(" else ""

    @property
    def symbol(self) -> str | None:
        """The name, where it is a symbol."""
        text = self.text
        if self.items is not None or not text or text[0] in '"#' or is_number(text):
            return None
        return text[1:-1] if text[0] == "|" and len(text) > 1 else text

    @property
    def string(self) -> str | None:
        """What a string literal stands for (escapes left as they are)."""
        return self.text[1:-1] if self.items is None and self.text[:1] == '"' else None

    def walk(self) -> list[Node]:
        """The node and all below it, in the order of the text."""
        found, pending = [], [self]
        while pending:
            node = pending.pop()
            found.append(node)
            pending.extend(reversed(node.items or ()))
        return found


def is_number(text: str) -> bool:
    """Is it read as a number?"""
    return bool(re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(/\d+)?([+-].*i)?|[+-](inf|nan)\.0.*|[+-]\d*i", text))


@dataclass(slots=True)
class Reading:
    """What a text holds: its forms, its faults, and the text without them."""

    text: str
    forms: list[Node] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def mended(self) -> str:
        """The text with all faults of reading repaired; lines stay where they are."""
        return apply([edit for finding in self.findings for edit in finding.edits], self.text)


def apply(edits: list[Edit], text: str) -> str:
    """The text after the edits; of two that overlap the first one counts."""
    made: list[str] = []
    at = 0
    for edit in sorted(edits, key=attrgetter("start", "end")):
        if edit.start < at:
            continue
        made.append(text[at : edit.start] + edit.text)
        at = edit.end
    return "".join(made) + text[at:]


def line_of(text: str, at: int) -> int:
    """The number of the line of an offset."""
    return bisect_right(line_starts(text), at)


def column_of(text: str, at: int) -> int:
    """The column of an offset, from 0."""
    starts = line_starts(text)
    return at - starts[bisect_right(starts, at) - 1]


@lru_cache(maxsize=2)
def line_starts(text: str) -> list[int]:
    """Where the lines begin: found once, so that asking at every token stays cheap on lines of any length."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def read_text(text: str) -> Reading:
    """Read all of a text."""
    reading = Reading(text)
    tokens = tokens_of(reading)
    balanced = balance(reading, tokens)
    reading.forms = nodes(balanced)
    reading.findings.sort(key=lambda finding: finding.at or 0)
    return reading


# -- tokens --------------------------------------------------------------------------


def tokens_of(reading: Reading) -> list[Token]:
    """The tokens; what is none of Scheme's is a finding, and passed over."""
    text, at = reading.text, 0
    tokens: list[Token] = []
    while at < len(text):
        step = foreign(reading, at)
        if step is not None:
            at = step
            continue
        match = TOKEN.match(text, at)
        if match is None:  # a lone bar
            tokens.append(Token("atom", at, at + 1, text[at]))
            at += 1
            continue
        kind, token, start, at = match.lastgroup or "", match.group(), at, match.end()
        if kind == "block":
            at = end_of_block(text, start)
        elif kind == "string":
            at = string_end(reading, start, at)
            tokens.append(Token("string", start, at, token if at == match.end() else text[start:at] + '"'))
        elif kind == "brace":
            change = (Edit(start, at, "(" if token == "{" else ")"),)
            if token == "{":
                note(reading, "R004", start, "`{` is not used in R7RS Scheme", "write lists with ( and )", change)
            else:
                reading.findings.append(Finding("R004", start, "`}` is not used in R7RS Scheme", "write )", change))
            tokens.append(Token("open" if token == "{" else "close", start, at, "(" if token == "{" else ")"))
        elif kind in ("open", "close"):
            if token[-1] in "[]":
                bracket(reading, token, start, at)
            tokens.append(Token(kind, start, at, token.replace("[", "(").replace("]", ")")))
        elif kind in ("char", "bar"):
            tokens.append(Token("atom", start, at, token))
        elif kind not in ("space", "comment"):
            tokens.append(Token(kind, start, at, token))
    return tokens


def note(reading: Reading, code: str, at: int, message: str, hint: str, edits: tuple[Edit, ...] = ()) -> None:
    """Add a finding."""
    reading.findings.append(Finding(code, at, message, hint, edits))


def bracket(reading: Reading, token: str, start: int, end: int) -> None:
    """A square bracket counts as a parenthesis."""
    new = token.replace("[", "(").replace("]", ")")
    edits = (Edit(start, end, new),)
    note(reading, "R003", start, f"`{token}` is not used in R7RS Scheme", f"write {new}", edits)


def foreign(reading: Reading, at: int) -> int | None:
    """Past something of another language that begins here, or None; never looks at the whole line without cause."""
    text = reading.text
    begins = at == 0 or text[at - 1] == "\n"
    if begins and text.startswith("```", at):
        end = line_end(text, at)
        note(reading, "R010", at, "a Markdown code fence in a Scheme file", "leave the line out", (Edit(at, end, ""),))
        return end
    if begins and text.startswith("#lang", at):
        end = line_end(text, at)
        hint = "leave the line out; a file may begin with (import (scheme base))"
        note(reading, "R005", at, "#lang belongs to Racket", hint, (Edit(at, end, ""),))
        return end
    if word := SHEBANG.match(text, at):
        if at == 0:
            return line_end(text, at)  # a script's first line
        hint = "R7RS has optional arguments as a rest list: (define (f x . rest) ...), or case-lambda"
        note(reading, "R005", at, f"{word.group()} is not R7RS", hint)
        return word.end()
    if REMARK.match(text, at) and only_space_before(text, at):
        note(reading, "R011", at, "a comment of another language", "a comment begins with ;", (Edit(at, at, "; "),))
        return line_end(text, at)
    if word := KEYWORD.match(text, at):
        hint = "R7RS has no keywords: pass arguments by position, or quote a symbol"
        note(reading, "R006", at, f"{word.group()} is not used in R7RS Scheme", hint)
        return word.end()
    if text[at] in SMART:
        return smart(reading, at)
    single = TEXT_IN_SINGLE.match(text, at)
    if single and (at == 0 or text[at - 1] in " \t\n("):
        inner = single.group()[1:-1]
        change = (Edit(at, single.end(), f'"{inner}"'),)
        note(reading, "R012", at, "a text in single quotes", f'strings have double quotes: "{inner}"', change)
        return single.end()
    return None


def line_end(text: str, at: int) -> int:
    """Where the line of an offset ends."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def only_space_before(text: str, at: int) -> bool:
    """Is there nothing but space before it on its line?"""
    while at > 0 and text[at - 1] != "\n" and text[at - 1].isspace():
        at -= 1
    return at == 0 or text[at - 1] == "\n"


def smart(reading: Reading, at: int) -> int:
    """A text in typographic quotes; counts as a string."""
    text = reading.text
    found = SMART_END.search(text, at + 1)
    close = None if found is None or found.group() == "\n" else found.start()
    edits = (Edit(at, at + 1, '"'),) if close is None else (Edit(at, at + 1, '"'), Edit(close, close + 1, '"'))
    hint = 'write straight double quotes: "text"'
    note(reading, "R009", at, f"typographic quote U+{ord(text[at]):04X}", hint, edits)
    return at + 1 if close is None else close + 1


def string_end(reading: Reading, start: int, end: int) -> int:
    """Where a string ends: one that swallows a top-level form, or the rest, ends with its line."""
    text = reading.text
    body = text[start:end]
    closed = len(body) > 1 and body.endswith('"') and not re.search(r"(?<!\\)(?:\\\\)*\\\"\Z", body)
    rest = text[end:]
    odd = bool(re.search(r"\n\(", body)) and len(re.findall(r'(?<!\\)"', rest)) % 2 == 1
    if not closed or odd:
        end = line_end(text, start)
        tail = re.search(r"[)\]]*\s*\Z", text[start:end])
        stop = start + (tail.start() if tail else end - start)
        hint = 'close it with a double quote; inside a string write \\" for one'
        note(reading, "R007", start, "the string that begins here is not closed", hint, (Edit(stop, stop, '"'),))
        return stop
    for match in ESCAPE.finditer(body):
        if match.group(2) or match.group(3):
            at = start + match.start()
            wrong = match.group(0)
            new = f"\\x{match.group(2)[1:]};" if match.group(2) else "\\\\" + match.group(3)
            if match.group(3) == "'":
                new = "'"
            edits = (Edit(at, at + len(wrong), new),)
            note(reading, "R008", at, f"unknown escape {wrong} in a string", f"write {new}", edits)
    return end


# -- parentheses ---------------------------------------------------------------------


def balance(reading: Reading, tokens: list[Token]) -> list[Token]:
    """The tokens with parentheses that fit: a part that does not is mended by its indentation."""
    text = reading.text
    parts: list[list[Token]] = [[]]
    whole = fits(tokens)  # then only a definition at the margin tells of a fault
    for token in tokens:
        if (
            token.kind in ("open", "quote")
            and column_of(text, token.start) == 0
            and not (whole and not TOP.match(text, token.start))
        ):
            parts.append([])
        parts[-1].append(token)
    made: list[Token] = []
    for part in parts:
        made.extend(part if fits(part) else repaired(reading, part))
    return made


def fits(tokens: list[Token]) -> bool:
    """Does every parenthesis have its other one?"""
    depth = 0
    for token in tokens:
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        if depth < 0:
            return False
    return depth == 0


HANGING = frozenset(("lambda", "case-lambda", "call/cc", "let", "let*", "begin", "guard", "begin"))
STYLES: tuple[frozenset[str] | None, ...] = (frozenset(), HANGING, None)
"""Heads of forms whose body may stand to the left of them, below the form they are in; None: any."""


def repaired(reading: Reading, tokens: list[Token]) -> list[Token]:
    """One part's tokens so that they fit: of the ways to read its indentation that with the fewest repairs."""
    best: tuple[int, Reading, list[Token]] | None = None
    for style in STYLES:
        attempt = Reading(reading.text)
        made = by_indentation(attempt, tokens, style)
        cost = sum(len(edit.text) or 1 for finding in attempt.findings for edit in finding.edits)
        if best is None or cost < best[0]:
            best = (cost, attempt, made)
    assert best is not None
    reading.findings.extend(best[1].findings)
    return best[2]


def margins(tokens: list[Token], text: str, style: frozenset[str] | None) -> dict[int, int]:
    """For each opener the column that what it holds stands to the right of."""
    found: dict[int, int] = {}
    first: list[Token] = []  # openers of the line that are still open
    line = -1
    for index, token in enumerate(tokens):
        now = line_of(text, token.start)
        if now != line:
            first, line = [], now
        if token.kind == "open":
            head = tokens[index + 1].text if index + 1 < len(tokens) else ""
            hangs = bool(first) and (style is None or head in style)
            found[token.start] = found[first[0].start] if hangs else column_of(text, token.start)
            first.append(token)
        elif token.kind == "close" and first:
            first.pop()
    return found


def by_indentation(reading: Reading, tokens: list[Token], style: frozenset[str] | None) -> list[Token]:
    """One part's tokens, closers added and left out so that nesting agrees with the columns."""
    text = reading.text
    margin = margins(tokens, text, style)
    made: list[Token] = []
    stack: list[Token] = []
    line = -1
    for index, token in enumerate(tokens):
        now = line_of(text, token.start)
        if now != line and made:
            column = column_of(text, token.start)
            if token.kind != "close":
                missing = next((i for i, opened in enumerate(stack) if margin[opened.start] >= column), len(stack))
                close_missing(reading, made, stack, len(stack) - missing)
                if not stack and column > 0 and not is_last_closers(tokens[index:]):
                    reopen(reading, made, stack)
        line = now
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close":
            if not stack:
                extra(reading, token)
                continue
            stack.pop()
        made.append(token)
    close_missing(reading, made, stack, len(stack))
    return made


def is_last_closers(tokens: list[Token]) -> bool:
    """Are there closers only?"""
    return all(token.kind == "close" for token in tokens)


def close_missing(reading: Reading, made: list[Token], stack: list[Token], count: int) -> None:
    """Close the innermost forms behind the last token."""
    if not count:
        return
    text, last = reading.text, made[-1]
    end = max(last.end, last.start)
    opened = stack[-count:]
    inner = opened[-1]
    words = text[inner.start :].partition("\n")[0][:40].strip()
    closers = ")" * count
    line = line_of(text, end - 1)
    message = f"the parenthesis opened here is never closed: {words}"
    if count > 1:
        message += f" ({count} open, the outermost on line {line_of(text, opened[0].start)})"
    hint = f"by the indentation, {closers} is missing at the end of line {line}"
    note(reading, "R001", inner.start, message, hint, (Edit(end, end, closers),))
    del stack[-count:]
    made.extend(Token("close", end, end, ")") for _ in opened)


def extra(reading: Reading, token: Token) -> None:
    """A closer that nothing opened."""
    change = (Edit(token.start, token.end, ""),)
    hint = "leave it out: the form before it was complete"
    note(reading, "R002", token.start, "closing parenthesis without an opening one", hint, change)


def reopen(reading: Reading, made: list[Token], stack: list[Token]) -> None:
    """The form ended too early: what follows is indented. Its last closer goes."""
    last = made[-1]
    if last.kind != "close" or last.start == last.end:
        return
    made.pop()
    depth = 0
    for token in reversed(made):
        depth += {"close": 1, "open": -1}.get(token.kind, 0)
        if depth < 0:
            stack.append(token)
            break
    line = line_of(reading.text, stack[-1].start) if stack else 0
    change = (Edit(last.start, last.end, ""),)
    hint = "by the indentation, what follows belongs into the form: leave this ) out"
    message = f"this closing parenthesis ends the form of line {line} too early"
    note(reading, "R002", last.start, message, hint, change)


# -- data ----------------------------------------------------------------------------


def nodes(tokens: list[Token]) -> list[Node]:
    """The data of balanced tokens; what #; hides is left out."""
    top: list[Node] = []
    stack: list[tuple[list[Node], Token]] = []
    items = top
    waiting: list[tuple[list[Node], str, int]] = []  # quotes and #;, with the list they are in

    def add(node: Node) -> None:
        while waiting and waiting[-1][0] is items:
            _, name, start = waiting.pop()
            if not name:
                return
            node = Node(start, node.end, items=[Node(start, start, name), node], opener="(")
        items.append(node)

    for token in tokens:
        if token.kind == "open":
            stack.append((items, token))
            items = []
        elif token.kind == "close":
            while waiting and waiting[-1][0] is items:
                waiting.pop()
            done, (outer, opened) = items, stack.pop()
            items = outer
            add(Node(opened.start, token.end, items=done, opener=opened.text))
        elif token.kind == "quote":
            waiting.append((items, QUOTES[token.text], token.start))
        elif token.kind == "skip":
            waiting.append((items, "", token.start))
        else:
            add(Node(token.start, token.end, token.text))
    return top
