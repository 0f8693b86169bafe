"""Parameters as JSON Schema, arguments against it, JSON and Scheme values."""

from __future__ import annotations

import pytest

from chibi_bridge import ConversionError, InvalidArguments, Pair, Symbol, Vector
from chibi_bridge.tools.schema import SchemaError, check_arguments, schema_of_parameters, to_json, to_scheme

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
