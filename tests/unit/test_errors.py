"""The text of an error is written for whoever mends the program."""

from __future__ import annotations

import pytest

import chibi_bridge
from chibi_bridge import Context, Location, SchemeError, errors


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


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ('(define (f x) (error "bad:" x))\n(+ 1 (f 2))', 15, "bad: 2"),
        ("(define (f) (raise 'boom))\n(+ 1 (f))", 13, "uncaught object raised: boom"),
        ("(import (no such))", 9, "no library (no such)"),
        ("(define (f x) x) (define (g) (+ 1 (f 1 2)))\n(g)", 35, "f takes 1 argument, got 2"),
        ("(define (f x . more) x) (+ 1 (f))", 30, "f takes at least 1 argument, got 0"),
    ],
)
def test_an_error_says_where_the_user_wrote_what_raised_it(source: str, column: int, message: str) -> None:
    with Context() as ctx, pytest.raises(SchemeError) as caught:
        ctx.eval(source)
    assert caught.value.location is not None
    assert (caught.value.location.line, caught.value.location.column) == (1, column)
    assert str(caught.value).splitlines()[0] == message


def test_the_hint_for_an_unbound_name_is_not_that_name() -> None:
    with Context() as ctx, pytest.raises(SchemeError) as caught:
        ctx.eval("(define (f) (undefined-thing 1))\n(f)")
    assert "undefined-thing" not in (caught.value.hint or "")
