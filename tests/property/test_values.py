"""Every row of the value table, there and back."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chibi_bridge import Char, Context, Pair, Symbol, Vector

text = st.text(st.characters(exclude_categories=("Cs",)))
atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(1 << 200), 1 << 200),
    st.fractions(),
    st.floats(allow_nan=False),
    text,
    st.binary(),
    st.builds(Symbol, text),
    st.builds(Char, st.characters(exclude_categories=("Cs",))),
)


def is_no_list(value: object) -> bool:
    return not isinstance(value, (list, tuple)) or isinstance(value, Vector)


values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.lists(inner, max_size=6).map(Vector),
        st.builds(Pair, inner, inner.filter(is_no_list)),
    ),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def identity() -> Callable[[object], object]:
    context = Context()
    procedure = context.eval("(lambda (x) x)")
    yield procedure
    context.close()


def same(left: object, right: object) -> bool:
    """Equal, with the same types all the way down."""
    if type(left) is not type(right):
        return isinstance(left, Fraction) and left.denominator == 1 and type(right) is int and left == right
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Pair):
        return same(left.car, right.car) and same(left.cdr, right.cdr)
    if isinstance(left, float):
        return (math.isnan(left) and math.isnan(right)) or (
            left == right and math.copysign(1, left) == math.copysign(1, right)
        )
    return left == right


@given(values)
@example(float("nan"))
@example(-0.0)
@example(float("inf"))
@example(1 << 63)
@example((1 << 64) - 1)
@example(1 << 64)
@example(-(1 << 63))
@example(-(1 << 63) - 1)
@example(1 << 60)
@example(-(1 << 60) - 1)
@example("\U0010ffff\0é")
@example([[]])
@example(Vector())
def test_a_value_comes_back_as_it_went(identity: Callable[[object], object], value: object) -> None:
    assert same(value, identity(value))


@given(st.complex_numbers(allow_nan=False))
def test_a_complex_number_comes_back(identity: Callable[[object], object], value: complex) -> None:
    back = identity(value)
    assert back == value


@given(st.lists(atoms.filter(lambda x: x is not None)))
def test_a_tuple_comes_back_as_a_list(identity: Callable[[object], object], items: list[object]) -> None:
    assert same(
        identity(tuple(items)), [int(i) if isinstance(i, Fraction) and i.denominator == 1 else i for i in items]
    )


@given(st.binary())
def test_buffers_come_back_as_bytes(identity: Callable[[object], object], data: bytes) -> None:
    assert identity(bytearray(data)) == data
    assert identity(memoryview(data)) == data


@given(st.dictionaries(text, st.integers()))
def test_a_dict_comes_back_as_an_alist_in_order(identity: Callable[[object], object], value: dict[str, int]) -> None:
    back = identity(value)
    assert back == [Pair(key, item) for key, item in value.items()]
    assert all(type(pair.car) is str for pair in back)


class Thing:
    """Some object of Python."""


def test_any_other_object_keeps_its_identity(identity: Callable[[object], object]) -> None:
    thing = Thing()
    assert identity(thing) is thing
    assert identity([thing, thing])[1] is thing


@given(st.integers(0, 0xDFFF - 0xD800))
def test_a_lone_surrogate_is_refused(identity: Callable[[object], object], offset: int) -> None:
    for bad in (chr(0xD800 + offset), Symbol(chr(0xD800 + offset)), ["a" + chr(0xD800 + offset)]):
        with pytest.raises(ValueError, match="surrogate"):
            identity(bad)


def test_a_deep_list_crosses(identity: Callable[[object], object]) -> None:
    value: object = 1
    for _ in range(50_000):
        value = [value]
    depth, back = 0, identity(value)
    while isinstance(back, list):
        back, depth = back[0], depth + 1
    assert (back, depth) == (1, 50_000)
