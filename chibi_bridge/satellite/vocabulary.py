"""What tools answer and get, in Python: the twin of the Scheme library (ext).

>>> text("hi").content
(Text(text='hi'),)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Ctx", "Json", "Outcome", "Refusal", "Text", "json", "refuse", "text"]


@dataclass(frozen=True, slots=True)
class Text:
    """A block of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Json:
    """A block of JSON: a value that the json module takes."""

    value: object


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool's answer: its blocks in their order, and whether the agent's run ends with it."""

    content: Sequence[Text | Json]
    terminate: bool = False


class Refusal(Exception):
    """A deliberate no, answered or raised: the model reads `message` as it is."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Ctx:
    """Where a call stands: the strand's name, the milliseconds it may take, what takes partial reports."""

    strand: str
    deadline_ms: int
    report: Callable[[str], None]


def text(value: str) -> Outcome:
    """One block of text; the run goes on."""
    return Outcome((Text(value),))


def json(value: object) -> Outcome:
    """One block of JSON; the run goes on."""
    return Outcome((Json(value),))


def refuse(message: str) -> Refusal:
    """A refusal with this message."""
    return Refusal(message)
