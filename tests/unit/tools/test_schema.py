"""Parameters as JSON Schema, arguments against it, JSON and Scheme values."""

from __future__ import annotations

import time

import pytest

from chibi_bridge import ConversionError, InvalidArguments, Pair, Symbol, Vector
from chibi_bridge.tools.schema import (
    SchemaError,
    check_arguments,
    schema_of_parameters,
    schema_of_result,
    to_json,
    to_scheme,
)

S = Symbol


def dotted(name: str, value: object) -> Pair:
    return Pair(S(name), value)


def test_the_plain_form() -> None:
    assert schema_of_parameters([[S("text"), dotted("type", "string"), dotted("description", "x")]]) == {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "x"}},
        "required": ["text"],
    }


def test_string_keys_and_an_optional_parameter() -> None:
    schema = schema_of_parameters([["p", Pair("type", "integer"), Pair("required", False)]])
    assert schema == {"type": "object", "properties": {"p": {"type": "integer"}}, "required": []}


def test_a_parameter_without_attributes_is_required() -> None:
    assert schema_of_parameters([[S("q")]])["required"] == ["q"]
    assert schema_of_parameters([]) == {"type": "object", "properties": {}, "required": []}


def test_list_style_attributes_and_symbol_types() -> None:
    schema = schema_of_parameters([[S("a"), [S("type"), "string"]], [S("b"), dotted("type", S("string"))]])
    assert schema["properties"] == {"a": {"type": "string"}, "b": {"type": "string"}}


@pytest.mark.parametrize("form", [[S("enum"), "a", "b"], [S("enum"), ["a", "b"]], dotted("enum", Vector(["a", "b"]))])
def test_enums_in_every_form(form: object) -> None:
    schema = schema_of_parameters([[S("a"), dotted("type", "string"), form]])
    assert schema["properties"]["a"]["enum"] == ["a", "b"]


def test_nested_items_and_properties() -> None:
    schema = schema_of_parameters(
        [
            [S("l"), dotted("type", "array"), [S("items"), dotted("type", "integer"), dotted("minimum", 1)]],
            [S("o"), dotted("type", "object"), [S("properties"), [S("x"), dotted("type", "string")]]],
        ]
    )
    assert schema["properties"]["l"]["items"] == {"type": "integer", "minimum": 1}
    assert schema["properties"]["o"] == {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}


def test_a_raw_schema_as_an_alist() -> None:
    raw = [dotted("type", "object"), [S("properties"), [S("x"), dotted("type", "string")]], [S("required"), "x"]]
    assert schema_of_parameters(raw) == {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (Vector([1]), "must be a list"),
        (False, "must be a list"),
        ([Pair(S("q"), "string")], "non-empty list"),
        ([[1, 2]], "symbol or string"),
        ([[S("q"), 5]], "attribute"),
        ([[S("q"), dotted("pattern", "(")]], "regular expression"),
    ],
)
def test_parameters_that_make_no_sense(bad: object, text: str) -> None:
    with pytest.raises(SchemaError, match=text):
        schema_of_parameters(bad)


SCHEMA = {
    "type": "object",
    "properties": {
        "ticker": {"type": "string", "pattern": "^[A-Z]+$"},
        "quantity": {"type": "integer", "minimum": 1, "default": 5},
        "side": {"type": "string", "enum": ["buy", "sell"]},
        "legs": {
            "type": "array",
            "items": {"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]},
        },
    },
    "required": ["ticker"],
}


def test_defaults_are_filled_in() -> None:
    assert check_arguments(SCHEMA, {"ticker": "A"}) == {"ticker": "A", "quantity": 5}


@pytest.mark.parametrize(
    ("arguments", "path", "expected", "got"),
    [
        ({}, "ticker", "string", "nothing"),
        ({"ticker": 5}, "ticker", "string", "integer 5"),
        ({"ticker": None}, "ticker", "string", "null"),
        ({"ticker": "a"}, "ticker", "text that matches ^[A-Z]+$", 'string "a"'),
        ({"ticker": "A", "quantity": 0}, "quantity", "at least 1", "integer 0"),
        ({"ticker": "A", "quantity": True}, "quantity", "integer", "boolean true"),
        ({"ticker": "A", "quantity": 1.5}, "quantity", "integer", "number 1.5"),
        ({"ticker": "A", "side": "hold"}, "side", 'one of "buy", "sell"', 'string "hold"'),
        ({"ticker": "A", "legs": [{"price": 1}, {"price": "x"}]}, "legs[1].price", "number", 'string "x"'),
        ({"ticker": "A", "legs": [{}]}, "legs[0].price", "number", "nothing"),
        ([], "", "an object", "array []"),
    ],
)
def test_what_breaks_the_schema_is_named(arguments: object, path: str, expected: str, got: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        check_arguments(SCHEMA, arguments)
    assert (caught.value.path, caught.value.expected, caught.value.got) == (path, expected, got)


def test_a_missing_argument_has_a_hint() -> None:
    with pytest.raises(InvalidArguments, match=r"\(required \. #f\)"):
        check_arguments(SCHEMA, {})


def test_every_problem_is_listed() -> None:
    with pytest.raises(InvalidArguments) as caught:
        check_arguments(SCHEMA, {"quantity": 0, "side": 1})
    assert len(caught.value.problems) == 3


def test_an_integer_may_be_written_as_a_float() -> None:
    checked = check_arguments(SCHEMA, {"ticker": "A", "quantity": 2.0})
    assert type(checked["quantity"]) is int


def test_json_to_scheme() -> None:
    assert to_scheme({"a": [1, 2], "b": None, "c": {}}) == {"a": [1, 2], "b": S("null"), "c": []}
    with pytest.raises(ConversionError):
        to_scheme({1: 2})


@pytest.mark.parametrize(
    ("value", "json"),
    [
        ([Pair("k", 1)], {"k": 1}),
        ([["k", 1, 2]], {"k": [1, 2]}),
        ([["k", 1]], {"k": [1]}),
        ([["k"]], {"k": []}),
        ([["o", Pair("a", 1), Pair("b", 2)]], {"o": {"a": 1, "b": 2}}),
        ([1, 2], [1, 2]),
        ([], []),
        (Vector([S("null"), True]), [None, True]),
        ({"a": [1]}, {"a": [1]}),
        (1 << 80, 1 << 80),
    ],
)
def test_scheme_to_json(value: object, json: object) -> None:
    assert to_json(value) == json


@pytest.mark.parametrize("value", [S("a"), None, float("nan"), b"x", Pair(1, 2), {1: 2}])
def test_what_json_cannot_hold(value: object) -> None:
    with pytest.raises(ConversionError):
        to_json(value)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(a*)*b$", "(x+x+)+y"])
def test_no_pattern_of_a_file_stops_the_host(pattern: str) -> None:
    schema = schema_of_parameters([["s", Pair("type", "string"), Pair("pattern", pattern)]])
    start = time.monotonic()
    for text in ("a" * 5000 + "!", "x" * 5000 + "!"):
        with pytest.raises(InvalidArguments, match="text that matches"):
            check_arguments(schema, {"s": text})
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^[A-Za-z0-9._-]+$", "AAPL_US.x-1", "a b"),
        (r"^\d{4}-\d{2}-\d{2}$", "2026-12-01", "2026-12-1"),
        (r"^\S+@\S+\.\S+$", "a@b.c", "a@b"),
        (r"^(?:GET|POST)?$", "", "PUT"),
        (r"\bfoo\b", "a foo b", "food"),
        ("^é+$", "éé", "e"),
        (r"^\p{L}+$", "Ünï", "1"),
        (r"^[^/]*$", "a", "/"),
        ("", "anything", None),
    ],
)
def test_patterns_match_as_json_schema_says(pattern: str, good: str, bad: str | None) -> None:
    schema = schema_of_parameters([["s", Pair("pattern", pattern)]])
    assert check_arguments(schema, {"s": good}) == {"s": good}
    if bad is not None:
        with pytest.raises(InvalidArguments):
            check_arguments(schema, {"s": bad})


@pytest.mark.parametrize("pattern", ["[", "(?=a)", r"(a)\1", "a{1000}{1000}", "*", "(", "\ud800"])
def test_a_pattern_that_is_none_is_told_when_the_file_is_loaded(pattern: str) -> None:
    with pytest.raises(SchemaError, match="parameter s: the pattern"):
        schema_of_parameters([["s", Pair("pattern", pattern)]])


def test_arguments_that_are_no_json_are_told() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    circle: dict[str, object] = {}
    circle["a"] = circle
    many: list[object] = []
    many.extend([many] * 10)
    for value in (deep, circle, many):
        with pytest.raises(InvalidArguments, match="nested at most 200 deep"):
            check_arguments({"type": "object"}, {"q": value})
    for key in (1, None, b"x", ("a",)):
        with pytest.raises(InvalidArguments, match="keys that are strings"):
            check_arguments({"type": "object"}, {"q": [{key: 1}]})


def test_an_integer_of_any_size_can_be_told() -> None:
    schema = schema_of_parameters([["n", Pair("type", "integer"), Pair("maximum", 5)]])
    with pytest.raises(InvalidArguments, match="an integer of 33220 bits"):
        check_arguments(schema, {"n": 10**10_000})


@pytest.mark.parametrize(
    ("form", "schema"),
    [
        ([dotted("type", "number")], {"type": "number"}),
        ([[dotted("type", "string"), [S("enum"), "a", "b"]]], {"type": "string", "enum": ["a", "b"]}),
        ([dotted("type", "array"), [S("items"), dotted("type", "integer")]], {"type": "array", "items": {"type": "integer"}}),
        ("boolean", {"type": "boolean"}),
        ([[S("total"), dotted("type", "integer")]],
         {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}),
    ],
)  # fmt: skip
def test_the_schema_of_a_result_is_of_any_type(form: object, schema: object) -> None:
    assert schema_of_result(form) == schema
