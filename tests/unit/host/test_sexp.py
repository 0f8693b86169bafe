"""The small reader sees positions and never fails."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chibi_bridge.host.sexp import position, read_forms


def shape(text: str) -> object:
    def of(form: object) -> object:
        return form.text if form.items is None else [of(item) for item in form.items]  # type: ignore[attr-defined]

    return [of(form) for form in read_forms(text)]


def test_lists_strings_quotes_and_comments() -> None:
    text = '(define x \'(a "b)" #\\( |c d|)) ; (no)\n#| #| (no) |# |# #;(no) [y] `(,z ,@w)'
    assert shape(text) == [
        ["define", "x", ["quote", ["a", '"b)"', "#\\(", "|c d|"]]],
        ["y"],
        ["quasiquote", [["unquote", "z"], ["unquote-splicing", "w"]]],
    ]


def test_positions_count_from_one() -> None:
    text = "a\n  (b)"
    assert position(text, read_forms(text)[1].at) == (2, 3)


@given(st.text("()[]'\"#;|\\ab \n,@`", max_size=200))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    read_forms(text)
