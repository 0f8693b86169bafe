"""The satellite: tools and hooks served from a process of their own, and the protocol they speak.

`answer` answers an invocation without a channel; the vocabulary (`text`, `json`,
`refuse` ...) is that of tools in Python. Everything here is imported when first used:
the process that holds the other end of the channel needs none of what runs programs.

>>> from chibi_bridge import satellite
>>> satellite.answer({}, {}, satellite.Event("usage"), "{}", 5000)
Refused(code='unhandled', message='no hook for usage here')
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chibi_bridge.satellite.dispatch import Answered, Event, Refused, Tool, answer
    from chibi_bridge.satellite.vocabulary import Ctx, Json, Outcome, Refusal, Text, json, refuse, text

__all__ = [
    "Answered",
    "Ctx",
    "Event",
    "Json",
    "Outcome",
    "Refusal",
    "Refused",
    "Text",
    "Tool",
    "answer",
    "json",
    "refuse",
    "text",
]

LAZY = {
    **dict.fromkeys(("Answered", "Event", "Refused", "Tool", "answer"), "dispatch"),
    **dict.fromkeys(("Ctx", "Json", "Outcome", "Refusal", "Text", "json", "refuse", "text"), "vocabulary"),
}
"""Name to module."""


def __getattr__(name: str) -> object:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{LAZY[name]}"), name)
    return value
