"""The libraries against models in Python: numbers, reading and writing, JSON, strings, lists, sorting, programs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chibi_bridge import Context, FuelExhausted, MemoryExhausted
from chibi_bridge.fuzz.strategies import json_values, programs, scheme_data
from chibi_bridge.tools.schema import to_json, to_scheme

Call = Callable[..., object]
integers = st.one_of(st.integers(-20, 20), st.integers(), st.integers(-(1 << 200), 1 << 200))
exact = st.one_of(integers, st.fractions(max_denominator=10_000))
small = st.lists(st.integers(-5, 5), max_size=12)
texts = st.one_of(st.text("ab ,", max_size=10), st.text(st.characters(exclude_categories=["Cs"]), max_size=10))


def plain(value: object) -> object:
    """A ratio that is an integer is one in Scheme."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


@pytest.fixture(scope="module")
def ctx() -> Iterator[Context]:
    with Context(prelude="tools") as made:
        made.eval(
            """
            (define (written x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
            (define (again x) (read (open-input-string (written x))))
            (define (same? x) (equal? x (again x)))
            """
        )
        yield made


@given(exact, exact, exact)
def test_exact_numbers_are_those_of_python(ctx: Context, a: Fraction, b: Fraction, c: Fraction) -> None:
    assert ctx.call("+", a, b) == a + b
    assert ctx.call("*", a, ctx.call("+", b, c)) == a * b + a * c
    assert ctx.call("-", a, b) == a - b
    assert ctx.call("<", a, b) is (a < b)
    if b:
        assert ctx.call("/", a, b) == plain(Fraction(a) / Fraction(b))


@given(integers, integers)
def test_the_divisions(ctx: Context, a: int, b: int) -> None:
    assume(b)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    assert ctx.call("quotient", a, b) == quotient
    assert ctx.call("remainder", a, b) == a - b * quotient
    assert ctx.call("floor-quotient", a, b) == a // b
    assert ctx.call("modulo", a, b) == a % b
    assert ctx.call("gcd", a, b) == math.gcd(a, b)


@given(integers)
def test_integers_as_text(ctx: Context, a: int) -> None:
    assert ctx.call("number->string", a) == str(a)
    assert ctx.call("string->number", str(a)) == a
    root, rest = ctx.eval("(lambda (n) (exact-integer-sqrt n))")(abs(a))  # type: ignore[operator]
    assert (root, rest) == (math.isqrt(abs(a)), abs(a) - math.isqrt(abs(a)) ** 2)


@given(st.floats(allow_nan=False))
def test_a_float_reads_as_it_was_written(ctx: Context, x: float) -> None:
    text = ctx.call("written", x)
    back = ctx.call("again", x)
    assert isinstance(back, float), text
    assert (back, math.copysign(1, back)) == (x, math.copysign(1, x))
    if math.isfinite(x):
        assert ctx.call("exact", x) == plain(Fraction(x))


@given(scheme_data())
def test_a_datum_reads_as_it_was_written(ctx: Context, datum: object) -> None:
    assert ctx.call("same?", datum) is True


@given(json_values())
def test_json_is_that_of_python(ctx: Context, value: object) -> None:
    parsed = ctx.call("json-parse", json.dumps(value))
    assert parsed == ctx.call("values", to_scheme(value))
    nothing_empty = "{}" not in json.dumps(value)  # {} and [] are both '()
    if nothing_empty and not any(ambiguous(part) for part in parts(value)):
        assert json.loads(str(ctx.call("json-stringify", to_scheme(value)))) == value
        assert to_json(parsed) == value


def parts(value: object) -> Iterator[object]:
    """A value and all in it."""
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(inner)


def ambiguous(value: object) -> bool:
    """An array of arrays that begin with strings is an alist too; objects with one key twice cannot be."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(i, list) and i[:1] and isinstance(i[0], str) for i in value)
    )


@given(small, small, st.integers(0, 12))
def test_lists(ctx: Context, a: list[int], b: list[int], n: int) -> None:
    assert ctx.call("append", a, b) == a + b
    assert ctx.call("reverse", a) == a[::-1]
    assert ctx.call("delete-duplicates", a) == list(dict.fromkeys(a))
    assert ctx.call("length", a) == len(a)
    if n <= len(a):
        assert ctx.call("take", a, n) == a[:n]
        assert ctx.call("drop", a, n) == a[n:]
        assert ctx.call("take-right", a, n) == a[len(a) - n :]
    odd = ctx["odd?"]
    assert ctx.call("filter", odd, a) == [x for x in a if x % 2]
    assert ctx.call("count", odd, a) == sum(x % 2 for x in a)
    assert ctx.call("list-index", odd, a) == next((i for i, x in enumerate(a) if x % 2), False)


@given(st.lists(st.integers(-3, 3), max_size=40))
def test_sorting_is_that_of_python_and_stable(ctx: Context, items: list[int]) -> None:
    assert ctx.call("list-sort", ctx["<"], items) == sorted(items)
    tagged = [[item, index] for index, item in enumerate(items)]
    less = ctx.eval("(lambda (a b) (< (car a) (car b)))")
    assert ctx.call("list-stable-sort", less, tagged) == sorted(tagged, key=lambda pair: pair[0])


@given(texts, texts, st.integers(0, 10), st.integers(0, 10))
def test_strings(ctx: Context, a: str, b: str, i: int, j: int) -> None:
    assert ctx.call("string-append", a, b) == a + b
    assert ctx.call("string-length", a) == len(a)
    assert ctx.call("string<?", a, b) is (a < b)
    assert ctx.call("string-prefix?", b, a) is a.startswith(b)
    assert ctx.call("string->list", a) == list(a)
    assert ctx.call("string->utf8", a) == a.encode()
    i, j = sorted((min(i, len(a)), min(j, len(a))))
    assert ctx.call("substring", a, i, j) == a[i:j]
    assert ctx.call("string-join", [a, b, a], ", ") == ", ".join([a, b, a])


@given(programs())
def test_a_program_reads_compiles_and_gives_a_value_twice(program: str) -> None:
    with Context() as one, Context() as two:
        try:
            value = one.eval_written(program)
        except (FuelExhausted, MemoryExhausted):
            return
        assert value == two.eval_written(f"(define (main)\n{program})\n(main)")
