"""Patterns of parameters: matched in linear time, by the engine's own regular expressions.

Tool files are written by anybody; Python's `re` would let one stop the host with a
pattern such as `(a+)+$`. The syntax is that of (tein safe-regexp), which has all of
JSON Schema's but looking around and references back.
"""

from __future__ import annotations

import threading

from chibi_bridge.context import Context
from chibi_bridge.errors import SchemeError
from chibi_bridge.policy import Limits, Policy

__all__ = ["check_pattern", "matches"]

LIMITS = Limits(fuel=20_000_000, timeout=5.0)


class Matcher:
    """One context that matches for all; it has no state, and is made at the first pattern."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._context: Context | None = None

    def ask(self, pattern: str, text: str) -> bool:
        """Is the pattern found in the text? Raises SchemeError."""
        with self._lock:
            context = self._context
            if context is None or context.closed:
                self._context = context = Context(Policy(limits=LIMITS), None)
                context.owned = True
                context.import_("(tein safe-regexp)")
            try:
                return context.call("regexp-search", pattern, text) is not False
            except SchemeError as error:
                if not getattr(error, "usable", True):
                    context.close()
                raise


_matcher = Matcher()


def check_pattern(pattern: str) -> None:
    """Raise ValueError for what is no regular expression of linear time.

    >>> check_pattern("^[a-z]+$")
    """
    try:
        _matcher.ask(pattern, "")
    except SchemeError as error:
        raise ValueError(error.message.removeprefix("regexp: ")) from error


def matches(pattern: str, text: str) -> bool:
    """Is the pattern found in the text? Not where that takes more work than any sensible text.

    >>> matches("^(a+)+$", "a" * 50 + "!")
    False
    """
    try:
        return _matcher.ask(pattern, text)
    except (SchemeError, ValueError):  # a limit; a lone surrogate, which no text of Scheme holds
        return False
