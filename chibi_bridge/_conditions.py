"""Conditions of Scheme as Python exceptions, and the other way round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chibi_bridge.errors import (
    CompileError,
    ConversionError,
    Frame,
    FuelExhausted,
    HttpBlocked,
    Interrupted,
    Location,
    MemoryExhausted,
    OutputExhausted,
    ReadError,
    ReplayError,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    SchemeExit,
    UnboundVariable,
    WrongArity,
    WrongType,
)
from chibi_bridge.values import Opaque, Symbol, write

LIMITS = (FuelExhausted, RunTimeout, MemoryExhausted, OutputExhausted, Interrupted, ReplayError)
"""What no Scheme code can catch: out of a nested run it ends the outer one too."""

KINDS: dict[str, type[SchemeError]] = {
    "read-error": ReadError,
    "compile-error": CompileError,
    "too-deep": CompileError,
    "unbound-variable": UnboundVariable,
    "wrong-type": WrongType,
    "not-a-procedure": WrongType,
    "wrong-arity": WrongArity,
    "sandbox": SandboxViolation,
    "http-blocked": HttpBlocked,
}

SourceLine = Callable[[str | None, int], str | None]


class Refusal(Exception):
    """An answer of the host that becomes a condition of this kind."""

    def __init__(self, kind: str, message: str, irritants: list[object] | None = None, extra: object = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.irritants = irritants or []
        self.extra = extra


def frames_from(trace: list[Any]) -> list[Frame]:
    """The frames of a packed trace, without those of the boot code where there are others."""
    frames = [
        Frame(None if f[0] is None else str(f[0]), place(f[1:4]), dict(zip(f[4][::2], f[4][1::2], strict=True)))
        if len(f) > 4
        else Frame(None if f[0] is None else str(f[0]), place(f[1:4]))
        for f in trace
    ]
    return [frame for frame in frames if not is_boot(frame)] or frames


def error_from(array: list[object], handle: Opaque | None, source_line: SourceLine) -> SchemeError:
    """The exception for a condition's array [kind, message, irritants, who, position, trace, hint, extra]."""
    kind, message, irritants, who, position, trace, hint, extra = array[:8]
    assert isinstance(irritants, list)
    assert isinstance(trace, list)
    location = place(position)
    frames = frames_from(trace)
    if location is None:
        location = innermost(frames)
    text = str(message)
    made = KINDS.get(str(kind), SchemeError)
    if kind == "http" and isinstance(extra, Symbol):
        kind = str(extra)  # "dns", "connect", "tls", ...
    error = made.__new__(made)
    SchemeError.__init__(
        error,
        text,
        irritants=irritants,
        kind=str(kind),
        location=location,
        backtrace=frames,
        hint=None if hint is None else str(hint),
        payload=None if extra is False and kind != "uncaught" else extra,
        source_line=source_line(location.file, location.line) if location else None,
        summary=summary_of(str(kind), text, irritants, None if who is None else str(who)),
    )
    error.handle = handle
    return error


OURS = ("boot/", "lib/")
"""How the names of our own Scheme files start."""


def is_boot(frame: Frame) -> bool:
    """Is it the machinery below the libraries, which says nothing to a reader?"""
    return frame.location is not None and (frame.location.file or "").startswith("boot/")


def innermost(frames: list[Frame]) -> Location | None:
    """The innermost place that the user wrote; one of ours where there is no other."""
    places = [frame.location for frame in frames if frame.location is not None]
    return next((spot for spot in places if not (spot.file or "").startswith(OURS)), places[0] if places else None)


def place(position: object) -> Location | None:
    """[file, line, column] as a Location; None where nothing is known."""
    if not isinstance(position, list) or len(position) < 3 or not position[1]:
        return None
    return Location(None if position[0] is None else str(position[0]), int(position[1]), int(position[2]))


SAYS_ALL = frozenset(("read-error", "compile-error", "host-error", "too-deep", "wrong-arity", "wrong-values"))
SAYS_GOT = frozenset(("wrong-type", "range", "constant"))


def summary_of(kind: str, message: str, irritants: list[object], who: str | None) -> str:
    """The first line of the report: who, message, and what irritants it does not show already."""
    shown = [write(item, 200) for item in irritants]
    if kind == "error":
        return " ".join([message, *shown])
    if kind in SAYS_GOT:
        message = f"{message}, got {shown[0]}" if shown else message
    elif kind not in SAYS_ALL:
        message = " ".join([message, *(text for text in shown if text not in message)])
    return message if who is None or who.startswith("%") or message.startswith(who) else f"{who}: {message}"


def uncaught(value: object) -> SchemeError:
    """What `raise` of something that is no error object ends with."""
    return SchemeError(f"uncaught object raised: {write(value, 500)}", kind="uncaught", payload=value)


def answer_for(error: Exception) -> list[object]:
    """[kind, message, irritants, extra] for an exception out of a host operation."""
    if isinstance(error, Refusal):
        return [error.kind, error.message, error.irritants, error.extra]
    if isinstance(error, ConversionError):
        return ["conversion", str(error), [], None]
    if isinstance(error, SandboxViolation):
        kind = "http-blocked" if isinstance(error, HttpBlocked) else "sandbox"
        return [kind, error.message, [], error]
    name = type(error).__name__
    text = str(error).encode("utf-8", "backslashreplace").decode()
    return ["host-error", f"{name}: {text}" if text else name, [], error]


def original(error: SchemeError) -> Exception | None:
    """The Python exception that a host-error carries, with the Scheme frames in its notes."""
    carried = error.payload
    if not isinstance(carried, Exception):
        return None
    if isinstance(carried, SchemeError):
        if carried.location is None:
            carried.location, carried.source_line = error.location, error.source_line
            carried.backtrace = error.backtrace
        return carried
    notes = ["Scheme backtrace:", *(f"  {frame}" for frame in error.backtrace)]
    if error.backtrace:
        add_note(carried, "\n".join(notes))
    return carried


def add_note(error: BaseException, text: str) -> None:
    """PEP 678 notes, also on Python 3.10; the same note only once."""
    notes = getattr(error, "__notes__", None)
    if notes is None:
        notes = []
        error.__notes__ = notes  # type: ignore[attr-defined]
    if text not in notes:
        notes.append(text)


def exit_code(value: object) -> int:
    """The process exit code that the argument of `exit` stands for."""
    if value is None or value is True:
        return 0
    if value is False:
        return 1
    if isinstance(value, int):
        return value & 0xFF
    return 1


def exit_error(value: object) -> SchemeExit:
    """The exception for a program that ended itself."""
    return SchemeExit(exit_code(value), payload=value)
