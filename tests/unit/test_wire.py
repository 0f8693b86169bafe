"""The fast and the complete packing agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chibi_bridge import EOF, Char, ConversionError, Pair, Symbol, Values, Vector
from chibi_bridge._wire import Codec, pack_deep, unpack_deep


def codec(limit: int = 1 << 26) -> Codec:
    return Codec(lambda: None, lambda array, handle: array, limit)


text = st.text(st.characters(exclude_categories=("Cs",)))
values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(-(1 << 100), 1 << 100), st.floats(allow_nan=False), text,
        st.binary(), st.builds(Symbol, text), st.fractions(), st.just(EOF), st.builds(Char, st.characters(exclude_categories=("Cs",))),
    ),
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(Vector), st.lists(inner).map(Values), st.dictionaries(text, inner), st.builds(Pair, inner, st.integers())
    ),
)  # fmt: skip


@given(values)
def test_both_ways_of_packing_give_the_same_bytes(value: object) -> None:
    one = codec()
    packed = one.pack(value)
    assert packed == pack_deep(one, value)
    if not holds_dict(value):
        assert one.unpack(packed) == unpack_deep(one, packed)


def holds_dict(value: object) -> bool:
    if isinstance(value, dict):
        return True
    if isinstance(value, Pair):
        return holds_dict(value.car)
    return isinstance(value, (list, tuple)) and any(map(holds_dict, value))


def test_bytes_of_each_extension() -> None:
    one = codec()
    assert one.pack(Symbol("ab")) == b"\xd5\x01ab"
    assert one.pack(Char("x")) == b"\xd4\x02x"
    assert one.pack(1 << 64) == b"\xc7\x0a\x03\x00\x01" + bytes(8)
    assert one.pack(-(1 << 64)) == b"\xc7\x0a\x03\x01\x01" + bytes(8)
    assert one.pack(Fraction(1, 3)) == b"\xd5\x04\x01\x03"
    assert one.pack(Vector([1, 2])) == b"\xd5\x06\x01\x02"
    assert one.pack(Pair(1, 2)) == b"\xd5\x07\x01\x02"
    assert one.pack(EOF) == b"\xc7\x00\x0b"


def test_a_pair_that_ends_in_a_list_is_a_list() -> None:
    assert codec().pack(Pair(1, [2])) == b"\x92\x01\x02"


def test_a_cycle_is_refused() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(ConversionError, match="contains itself"):
        codec().pack(cycle)


def test_a_value_beyond_the_memory_is_refused() -> None:
    with pytest.raises(ConversionError, match="bytes"):
        codec(1000).pack("x" * 2000)


def test_subclasses_of_plain_types_cross_as_those() -> None:
    class Number(int):
        pass

    class Name(str):
        __slots__ = ()

    assert codec().pack([Number(1), Name("a"), True]) == b"\x93\x01\xa1a\xc3"


def test_a_table_with_odd_keys_is_refused() -> None:
    one = codec()
    with pytest.raises(ConversionError, match="equal to True"):
        one.unpack(b"\xd6\x0c\x01\x02\xc3\x02")
    assert one.unpack(b"\xd5\x0c\x01\x02") == {1: 2}


def test_a_foreign_object_is_itself_until_it_is_dropped() -> None:
    one, thing = codec(), object()
    packed = one.pack(thing)
    assert one.unpack(packed) is thing
    one.drop(list(one.foreign))
    with pytest.raises(ConversionError, match="foreign"):
        one.unpack(packed)
