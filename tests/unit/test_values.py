"""Value classes and the written form."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest

from chibi_bridge import EOF, Char, Pair, Symbol, Values, Vector, to_dict
from chibi_bridge.values import write


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "#<unspecified>"),
        (True, "#t"),
        (False, "#f"),
        (12, "12"),
        (Fraction(-1, 3), "-1/3"),
        (1.0, "1.0"),
        (float("inf"), "+inf.0"),
        (float("nan"), "+nan.0"),
        (complex(1, -2), "1.0-2.0i"),
        ('a"\\\n\x07', '"a\\"\\\\\\n\\a"'),
        (Symbol("abc"), "abc"),
        (Symbol("a b"), "|a b|"),
        (Symbol(""), "||"),
        (Char(" "), "#\\space"),
        (Char("x"), "#\\x"),
        (b"\x01\x02", "#u8(1 2)"),
        ([], "()"),
        ([1, [2]], "(1 (2))"),
        (Pair(1, Pair(2, 3)), "(1 2 . 3)"),
        (Vector([1, "a"]), '#(1 "a")'),
        (EOF, "#<eof>"),
        ({"a": 1}, '(("a" . 1))'),
    ],
)
def test_write(value: object, text: str) -> None:
    assert write(value) == text


def test_write_is_cut() -> None:
    assert len(write(list(range(10_000)), 100)) <= 110


def test_write_does_not_recurse() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert write(value, 1 << 30).startswith("((((")


def test_a_huge_integer_is_written_by_its_size() -> None:
    assert write(1 << 20_000) == "#<integer of 20001 bits>"


def test_a_char_is_one_character() -> None:
    with pytest.raises(ValueError, match="one character"):
        Char("ab")


def test_a_pair_cannot_be_changed() -> None:
    pair = Pair(1, 2)
    with pytest.raises(AttributeError):
        pair.car = 3
    assert pair == Pair(1, 2) != Pair(1, 3)
    assert hash(pair) == hash(Pair(1, 2))


def test_plain_values_can_be_pickled() -> None:
    for value in (Pair(1, 2), Symbol("a"), Char("b"), Vector([1]), Values([1, 2]), EOF):
        assert pickle.loads(pickle.dumps(value)) == value
        assert type(copy.deepcopy(value)) is type(value)


def test_to_dict_takes_the_first_of_equal_keys() -> None:
    assert to_dict([Pair("a", 1), ["b", 2, 3], Pair("a", 9)]) == {"a": 1, "b": [2, 3]}
    with pytest.raises(ValueError, match="association list"):
        to_dict([1])
