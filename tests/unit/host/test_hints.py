"""Advice for names that nothing binds."""

from __future__ import annotations

import pytest

from chibi_bridge import Context, Policy, UnboundVariable
from chibi_bridge.host.hints import hint_for


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("filter", "(srfi 1)"),
        ("foldl", "fold"),
        ("1+", "(+ n 1)"),
        ("vector-lenght", "vector-length"),
        ("call-tool", "(harness tools)"),
        ("printf", "format"),
        ("assoc-ref", "(cdr (assoc key alist))"),
        ("hash-table/get", "hash-table-ref/default"),
        ("assert", "(chibi assert)"),
    ],
)
def test_each_kind_of_advice(name: str, text: str) -> None:
    hint = hint_for(name, ["vector-length", "car"], Policy())
    assert hint is not None
    assert text in hint


def test_no_advice_where_there_is_none() -> None:
    assert hint_for("zzzz-qqqq", ["car"], Policy()) is None


def test_an_unbound_variable_carries_it(ctx: Context) -> None:
    with pytest.raises(UnboundVariable, match="vector-length"):
        ctx.eval("(vector-lenght '#())")
