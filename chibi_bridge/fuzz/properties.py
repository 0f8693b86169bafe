"""Generators of (chibi-bridge property) as strategies: the other half of property.scm."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from chibi_bridge.fuzz.mine import Constants
from chibi_bridge.fuzz.strategies import (
    CHARACTERS,
    EDGES,
    FLOATS,
    arguments,
    integers,
    json_values,
    numbers,
    scheme_data,
    texts,
)
from chibi_bridge.tools.schema import to_scheme
from chibi_bridge.tools.tool import Tool
from chibi_bridge.values import Char, Symbol, Vector

__all__ = ["raw_values"]

Strategy = st.SearchStrategy


def raw_values(spec: object, tool: Callable[[str], Tool], constants: Constants) -> Strategy[object]:
    """The raw values for a generator's spec. Raises ValueError for one that nobody knows."""
    if not isinstance(spec, list) or not spec:
        raise ValueError(f"no generator: {spec!r}")
    kind, *given = spec

    def inner(part: object) -> Strategy[object]:
        return raw_values(part, tool, constants)

    if kind == "list" or kind == "vector":
        part, least, most = given
        lists = st.lists(inner(part), min_size=least, max_size=maximum(least, most))
        return lists.map(Vector) if kind == "vector" else lists
    if kind == "tuple":
        return st.tuples(*map(inner, given)).map(list)
    if kind == "choice":
        return st.one_of([st.tuples(st.just(index), inner(part)).map(list) for index, part in enumerate(given)])
    if kind == "arguments":
        return arguments(tool(str(given[0])), constants).map(to_scheme)
    if kind == "constant":
        return st.just(given[0])
    return atoms(str(kind), given, constants)


def maximum(least: int, most: object) -> int:
    """The greatest length: the one given, else a dozen over the least."""
    return most if isinstance(most, int) and not isinstance(most, bool) else least + 12


def atoms(kind: str, given: list[object], constants: Constants) -> Strategy[object]:
    """Values that hold no others."""
    if kind == "integer":
        low, high = given if given else (False, False)
        schema = {"minimum": low, "maximum": high}
        return integers({key: value for key, value in schema.items() if value is not False}, constants)
    if kind == "real":
        if given:
            low, high = given
            assert isinstance(low, float)
            assert isinstance(high, float)
            return st.floats(low, high)
        return st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(FLOATS))
    if kind == "number":
        return st.one_of(numbers({}, constants), st.fractions(max_denominator=1000))
    if kind == "string-of":
        characters, least, most = given
        assert isinstance(least, int)
        return st.text(str(characters), min_size=least, max_size=maximum(least, most))
    simple: dict[str, Strategy[object]] = {
        "boolean": st.booleans(),
        "string": texts({}, constants),
        "char": st.one_of(st.sampled_from("ab 0\n"), CHARACTERS).map(Char),
        "symbol": st.text("abcxyz-?!", min_size=1, max_size=6).map(Symbol),
        "bytevector": st.binary(max_size=20),
        "json": json_values().map(to_scheme),
        "datum": st.one_of(st.sampled_from(EDGES), scheme_data()),
    }
    if kind not in simple:
        raise ValueError(f"no generator: {kind}")
    return simple[kind]
