"""Is a text a whole number of forms, as far as parentheses, strings and comments tell?"""

from __future__ import annotations

import re

__all__ = ["depth_of", "is_unfinished"]

TOKEN = re.compile(
    r"""
    (?P<line>;[^\n]*)
    | (?P<block>\#\|)
    | (?P<char>\#\\(?:[A-Za-z][A-Za-z0-9-]*|.))
    | (?P<string>"(?:\\.|[^"\\])*(?P<closed>"?))
    | (?P<name>\|(?:\\.|[^|\\])*(?P<named>\|?))
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<quote>['`,]@?\s*$|\#;\s*$)
    """,
    re.VERBOSE | re.DOTALL,
)
BLOCK = re.compile(r"\#\||\|\#")


def depth_of(text: str) -> int | None:
    """How many parentheses are open at the end; None inside of a string, a |name| or a block comment."""
    depth, at = 0, 0
    while (match := TOKEN.search(text, at)) is not None:
        at = match.end()
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth = max(0, depth - 1)
        elif match["block"]:
            end = end_of_block(text, at)
            if end is None:
                return None
            at = end
        elif (match["string"] and not match["closed"]) or (match["name"] and not match["named"]):
            return None
    return depth


def end_of_block(text: str, at: int) -> int | None:
    """Behind the end of a block comment, which may hold others."""
    level = 1
    while level and (match := BLOCK.search(text, at)) is not None:
        level += 1 if match[0] == "#|" else -1
        at = match.end()
    return at if level == 0 else None


def is_unfinished(text: str) -> bool:
    """Does the text end inside of a form?

    >>> [is_unfinished(text) for text in ("(car", "(car x)", '"a', "; (", "#\\\\(")]
    [True, False, True, False, False]
    """
    return depth_of(text) != 0 or re.search(r"(?:['`,]@?|#;)\s*\Z", text) is not None
