"""The exceptions of the package.

    SchemeError                     all that a Scheme program causes
     ├─ ReadError                   the text cannot be read
     ├─ CompileError                bad syntax, no macro pattern matches
     ├─ UnboundVariable
     ├─ WrongType
     ├─ WrongArity
     ├─ SandboxViolation            the policy excludes it
     │   ├─ HttpBlocked             a URL outside the allow-list
     │   └─ PermissionDenied        the person (or nobody) was asked and did not agree
     ├─ FuelExhausted  RunTimeout  MemoryExhausted  OutputExhausted  Interrupted
     ├─ SchemeExit                  the program called (exit)
     ├─ ToolLoadError               a tool file, or one tool of it, does not load
     └─ InvalidArguments            a call breaks the tool's schema
    ConfigError, ConversionError    (ValueError)
    ImageError                      bytes that are no image of this engine
    ContextClosed, ContextBusy      (RuntimeError)
    UnknownTool                     (LookupError)

`str(error)` is written for a language model that is to mend its program:
the message, the position with the line and a caret, a hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "CompileError",
    "ConfigError",
    "ContextBusy",
    "ContextClosed",
    "ConversionError",
    "Frame",
    "FuelExhausted",
    "HttpBlocked",
    "ImageError",
    "Interrupted",
    "InvalidArguments",
    "Location",
    "MemoryExhausted",
    "OutputExhausted",
    "PermissionDenied",
    "ReadError",
    "RunTimeout",
    "SandboxViolation",
    "SchemeError",
    "SchemeExit",
    "ToolLoadError",
    "UnboundVariable",
    "UnknownTool",
    "WrongArity",
    "WrongType",
]


class Location(NamedTuple):
    """Where something was written; line and column count from 1."""

    file: str | None
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file or '<unknown>'}:{self.line}:{self.column}"


class Frame(NamedTuple):
    """One line of a Scheme backtrace: the procedure's name, and the place it was at.

    `locals`: of a suspended run, the variables of the frame by name, written and cut
    to some length; empty in the backtraces of errors.
    """

    name: str | None
    location: Location | None
    locals: dict[str, str] = {}  # noqa: RUF012 -- never changed

    def __str__(self) -> str:
        place = f" at {self.location}" if self.location else ""
        values = "".join(f", {name} = {text}" for name, text in self.locals.items())
        return f"in {self.name or '<anonymous>'}{place}{values}"


class SchemeError(Exception):
    """Something a Scheme program did.

    Attributes: `message`; `irritants` (Python values); `kind` (a string such as
    "wrong-type"); `location` (Location or None); `backtrace` (list of Frame,
    innermost first); `hint` (str or None); `payload` (the raised value where it
    was no error object); `source_line` (the text at `location`, or None);
    `stdout`, `stderr` (what the run had printed, where the caller captured it);
    `fuel_used` (units), `elapsed` (seconds, of a tool's call).

    >>> str(SchemeError("no such ticker", hint="try AAPL"))
    'no such ticker\\n  hint: try AAPL'
    """

    default_kind = "error"
    handle: object = None  # what makes the condition itself go back to its context

    def __init__(
        self,
        message: str,
        *,
        irritants: Sequence[object] = (),
        kind: str | None = None,
        location: Location | None = None,
        backtrace: Sequence[Frame] = (),
        hint: str | None = None,
        payload: object = None,
        source_line: str | None = None,
        summary: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.irritants = list(irritants)
        self.kind = kind or self.default_kind
        self.location = location
        self.backtrace = list(backtrace)
        self.hint = hint
        self.payload = payload
        self.source_line = source_line
        self.summary = message if summary is None else summary
        self.stdout = ""
        self.stderr = ""
        self.fuel_used = 0
        self.elapsed = 0.0

    def __str__(self) -> str:
        lines = [self.summary]
        if self.location is not None:
            lines.append(f"  at {self.location}")
            lines.extend(caret_lines(self.source_line, self.location.column))
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


def caret_lines(text: str | None, column: int, width: int = 100) -> list[str]:
    """The source line, cut to `width` around the column, and a caret below it."""
    if text is None or column < 1 or column > len(text) + 1:
        return []
    start = 0 if len(text) <= width else max(0, min(column - 1 - width // 2, len(text) - width))
    shown = text[start : start + width].replace("\t", " ")
    indent = len(shown) - len(shown.lstrip())
    at = column - 1 - start
    if at >= indent:
        shown, at = shown[indent:], at - indent
    return [f"    {shown}", f"    {' ' * at}^"]


class ReadError(SchemeError):
    """The text cannot be read: parentheses, strings, tokens."""

    default_kind = "read-error"


class CompileError(SchemeError):
    """Bad syntax, no macro pattern that matches, an assignment to a library's name."""

    default_kind = "compile-error"


class UnboundVariable(SchemeError):
    """A name that nothing binds."""

    default_kind = "unbound-variable"


class WrongType(SchemeError):
    """A procedure got an argument of a type it cannot work with."""

    default_kind = "wrong-type"


class WrongArity(SchemeError):
    """A procedure got too few or too many arguments."""

    default_kind = "wrong-arity"


class SandboxViolation(SchemeError):
    """The policy does not grant what the program asked for."""

    default_kind = "sandbox"


class HttpBlocked(SandboxViolation):
    """A URL that the allow-list does not hold; nothing was sent."""

    default_kind = "blocked"


class PermissionDenied(SandboxViolation):
    """A call that needs an approval did not get it."""

    default_kind = "permission-denied"


class FuelExhausted(SchemeError):
    """The run used up `Limits.fuel`. The context stays usable."""

    default_kind = "fuel"


class RunTimeout(SchemeError):
    """The run took longer than `Limits.timeout`. The context stays usable."""

    default_kind = "timeout"


class MemoryExhausted(SchemeError):
    """The context reached `Limits.memory`; `usable` tells whether it can go on."""

    default_kind = "memory"

    def __init__(self, message: str, *, usable: bool = False, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.usable = usable


class OutputExhausted(SchemeError):
    """The run printed more than `Limits.output`. The context stays usable."""

    default_kind = "output"


class Interrupted(SchemeError):
    """Somebody called `interrupt()` while the run went on."""

    default_kind = "interrupted"


class ReplayError(SchemeError):
    """A replayed run does not do what the recorded one did, or there is no recording to replay."""

    default_kind = "replay"


class SchemeExit(SchemeError):
    """The program called `(exit)`; `code` is the process exit code it stands for."""

    default_kind = "exit"

    def __init__(self, code: int = 0, *, payload: object = None) -> None:
        super().__init__(f"exit {code}", payload=payload)
        self.code = code


class ToolLoadError(SchemeError):
    """A tool file, or one tool of it, does not load; `tool` and `clause` say which."""

    default_kind = "tool-load"

    def __init__(
        self,
        message: str,
        *,
        tool: str | None = None,
        clause: str | None = None,
        location: Location | None = None,
        hint: str | None = None,
        source_line: str | None = None,
    ) -> None:
        super().__init__(message, location=location, hint=hint, source_line=source_line)
        self.tool = tool
        self.clause = clause


class InvalidArguments(SchemeError):
    """The arguments of a tool call break its schema.

    `path` says where ("quantity", "items[2].price"), `expected` and `got` what
    was wanted and what came; `problems` lists every one as (path, expected, got).
    """

    default_kind = "invalid-arguments"

    def __init__(
        self,
        message: str,
        *,
        path: str = "",
        expected: str = "",
        got: str = "",
        problems: Sequence[tuple[str, str, str]] = (),
        location: Location | None = None,
        hint: str | None = None,
        source_line: str | None = None,
    ) -> None:
        super().__init__(message, location=location, hint=hint, source_line=source_line)
        self.path = path
        self.expected = expected
        self.got = got
        self.problems = list(problems) or [(path, expected, got)]


class ConfigError(ValueError):
    """A configuration file that cannot be used; the message names the key."""


class ConversionError(ValueError):
    """A value that cannot cross between Python and Scheme, or to JSON."""


class ImageError(Exception):
    """Bytes that are no image of this engine build, damaged, or not trusted."""


class ContextClosed(RuntimeError):
    """The context was closed."""


class ContextBusy(RuntimeError):
    """Another thread is inside this context: one thread at a time."""


class UnknownTool(LookupError):
    """No tool of that name."""
