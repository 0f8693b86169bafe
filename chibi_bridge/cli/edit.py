"""Lines of a terminal, edited: history, forms over several lines, completion, colours.

The only importer of prompt-toolkit (the extra `repl`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from chibi_bridge.cli.scan import depth_of, is_unfinished
from chibi_bridge.context import Context

__all__ = ["read_forms"]

NAME = re.compile(r"[^\s()\[\]'`,\";]+")
COMMANDS = (",doc ", ",import ", ",time ", ",help", ",quit")
STYLE = Style.from_dict(
    {"comment": "ansibrightblack italic", "string": "ansigreen", "number": "ansicyan", "known": "ansiblue"}
)
PIECE = re.compile(
    r"""(?P<comment>;.*) | (?P<string>"(?:\\.|[^"\\])*"?) | (?P<char>\#\\(?:[A-Za-z]+|.))
    | (?P<number>(?<![^\s()\[\]'`,])[-+]?\d[\d./e+-]*(?=[\s()\[\]]|$)) | (?P<name>[^\s()\[\]'`,\";]+)
    | (?P<other>.|\s)""",
    re.VERBOSE,
)


def read_forms(
    context: Callable[[], Context], *, source: Input | None = None, sink: Output | None = None
) -> Iterator[str]:
    """Whole forms and commands; the end of input ends it, Ctrl-C clears the line."""
    session: PromptSession[str] = PromptSession(
        "> ",
        history=history(),
        completer=Names(context),
        complete_while_typing=False,
        lexer=Colours(context),
        style=STYLE,
        multiline=True,
        key_bindings=keys(),
        prompt_continuation="  ",
        color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
        input=source,
        output=sink,
    )
    while True:
        try:
            yield session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def history() -> History:
    """What was typed before, kept for its user only; in memory where it cannot be kept."""
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    folder = Path(home).expanduser() / "chibi-bridge"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "history"
        file.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(file))


def keys() -> KeyBindings:
    """Enter ends a whole form, else starts a line that is indented."""
    bindings = KeyBindings()

    @bindings.add("enter")
    def enter(event: KeyPressEvent) -> None:
        accept(event.current_buffer)

    return bindings


def accept(buffer: Buffer) -> None:
    """Take the text where it is whole, else go on in a new line."""
    text = buffer.text
    if not is_unfinished(text) or text.startswith(","):
        buffer.validate_and_handle()
    else:
        buffer.insert_text("\n" + "  " * (depth_of(buffer.document.text_before_cursor) or 0))


class Names(Completer):
    """The names bound now, and the commands."""

    def __init__(self, context: Callable[[], Context]) -> None:
        self._context = context

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        if text.startswith(",") and " " not in text:
            yield from (Completion(name, -len(text)) for name in COMMANDS if name.startswith(text))
            return
        word = document.get_word_before_cursor(pattern=NAME)
        if word:
            yield from (Completion(name, -len(word)) for name in self._context().names(word))


class Colours(Lexer):
    """Comments, strings, numbers and the names that are bound."""

    def __init__(self, context: Callable[[], Context]) -> None:
        self._context = context
        self._known: frozenset[str] = frozenset()

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        if not self._known or len(document.text) <= 1:
            self._known = frozenset(self._context().names())
        lines = document.lines
        return lambda number: self._line(lines[number]) if number < len(lines) else []

    def _line(self, line: str) -> StyleAndTextTuples:
        pieces: StyleAndTextTuples = []
        for match in PIECE.finditer(line):
            kind, text = str(match.lastgroup), match[0]
            if kind == "name":
                kind = "known" if text in self._known else ""
            pieces.append((f"class:{kind}" if kind in ("comment", "string", "number", "known") else "", text))
        return pieces
