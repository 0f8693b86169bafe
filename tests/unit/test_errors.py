"""The text of an error is written for whoever mends the program."""

from __future__ import annotations

import chibi_bridge
from chibi_bridge import Location, SchemeError, errors


def test_the_text_shows_message_position_line_caret_and_hint() -> None:
    error = SchemeError(
        "car: argument 1: expected pair, got 5",
        location=Location("tool.scm", 3, 10),
        source_line="  (list (car 5))",
        hint="give a pair",
    )
    assert str(error).splitlines() == [
        "car: argument 1: expected pair, got 5",
        "  at tool.scm:3:10",
        "    (list (car 5))",
        "           ^",
        "  hint: give a pair",
    ]


def test_a_column_outside_the_line_shows_no_caret() -> None:
    assert errors.caret_lines("abc", 9) == []


def test_a_long_line_is_cut_around_the_column() -> None:
    shown, caret = errors.caret_lines("x" * 300 + "!" + "y" * 300, 301)
    assert len(shown) <= 104
    assert shown[caret.index("^")] == "!"


def test_every_exception_is_public() -> None:
    assert set(errors.__all__) <= set(chibi_bridge.__all__)


def test_every_public_name_is_there() -> None:
    for name in chibi_bridge.__all__:
        assert hasattr(chibi_bridge, name)
