"""What the APIs of models get: golden documents from one model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Tool
from tests.tools.conftest import tool

SOURCE = """
(define-tool order
  (description "Order.")
  (parameters '((side (type . "string") (enum "buy" "sell"))
                (quantity (type . "integer") (minimum . 1) (default . 5) (required . #f))
                (tags (type . "array") (items (type . "string")) (required . #f))))
  (returns '((type . "object") (properties (id (type . "integer")))))
  (execute (lambda (args) args)))
"""
PARAMETERS = {
    "type": "object",
    "properties": {
        "side": {"type": "string", "enum": ["buy", "sell"]},
        "quantity": {"type": "integer", "minimum": 1, "default": 5},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["side"],
}
STRICT = {
    "type": "object",
    "properties": {
        "side": {"type": "string", "enum": ["buy", "sell"]},
        "quantity": {"type": ["integer", "null"], "minimum": 1},
        "tags": {"type": ["array", "null"], "items": {"type": "string"}},
    },
    "required": ["side", "quantity", "tags"],
    "additionalProperties": False,
}
STRICT_ANTHROPIC = {
    **PARAMETERS,
    "properties": {**PARAMETERS["properties"], "quantity": {"type": "integer"}},  # type: ignore[dict-item]
    "additionalProperties": False,
}
HEAD = {"name": "order", "description": "Order."}
GOLDEN = [
    ("openai", False, {"type": "function", "function": {**HEAD, "parameters": PARAMETERS}}),
    ("openai", True, {"type": "function", "function": {**HEAD, "parameters": STRICT, "strict": True}}),
    ("openai-responses", False, {"type": "function", **HEAD, "parameters": PARAMETERS, "strict": False}),
    ("openai-responses", True, {"type": "function", **HEAD, "parameters": STRICT, "strict": True}),
    ("anthropic", False, {**HEAD, "input_schema": PARAMETERS}),
    ("anthropic", True, {**HEAD, "input_schema": STRICT_ANTHROPIC, "strict": True}),
    (
        "mcp",
        False,
        {
            **HEAD,
            "inputSchema": PARAMETERS,
            "outputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": []},
        },
    ),
]


@pytest.mark.parametrize(("style", "strict", "golden"), GOLDEN)
def test_the_document_of_each_style(one: Callable[..., Tool], style: str, strict: bool, golden: object) -> None:
    assert one(SOURCE).schema(style, strict=strict) == golden


def test_null_for_an_optional_parameter_is_not_given(one: Callable[..., Tool]) -> None:
    assert one(SOURCE).call({"side": "buy", "quantity": None, "tags": None}).json == {"side": "buy", "quantity": 5}


def test_an_unknown_style_is_refused(one: Callable[..., Tool]) -> None:
    with pytest.raises(ValueError, match="openai-responses"):
        one(SOURCE).schema("other")


EMPTY = {"type": "object", "properties": {}, "required": []}


def schemas(one: Callable[..., Tool], parameters: str, *clauses: str, strict: bool = False) -> dict[str, object]:
    """The document of each style for a tool with these parameters."""
    made = one(tool("t", '"ok"', *clauses, parameters=parameters))
    return {style: made.schema(style, strict=strict) for style in ("openai", "openai-responses", "anthropic", "mcp")}


def test_a_tool_without_parameters(one: Callable[..., Tool]) -> None:
    head = {"name": "t", "description": "d"}
    assert schemas(one, "'()") == {
        "openai": {"type": "function", "function": {**head, "parameters": EMPTY}},
        "openai-responses": {"type": "function", **head, "parameters": EMPTY, "strict": False},
        "anthropic": {**head, "input_schema": EMPTY},
        "mcp": {**head, "inputSchema": EMPTY},
    }
    strict = schemas(one, "'()", strict=True)["openai"]
    assert strict["function"]["parameters"] == {**EMPTY, "additionalProperties": False}  # type: ignore[index]


NESTED = """'((o (type . "object")
     (properties (a (type . "integer") (minimum . 0)) (b (type . "string") (enum "x") (required . #f))))
  (l (type . "array") (items (type . "object") (properties (k (type . "number"))))))"""


def test_nested_objects_and_arrays_of_objects(one: Callable[..., Tool]) -> None:
    made = schemas(one, NESTED, strict=True)
    inner = {"type": "object", "additionalProperties": False}
    items = {**inner, "properties": {"k": {"type": "number"}}, "required": ["k"]}
    assert made["openai-responses"]["parameters"]["properties"] == {  # type: ignore[index]
        "o": {
            **inner,
            "properties": {
                "a": {"type": "integer", "minimum": 0},
                "b": {"type": ["string", "null"], "enum": ["x", None]},
            },
            "required": ["a", "b"],
        },
        "l": {"type": "array", "items": items},
    }
    assert made["anthropic"]["input_schema"]["properties"] == {  # type: ignore[index]
        "o": {
            **inner,
            "properties": {"a": {"type": "integer"}, "b": {"type": "string", "enum": ["x"]}},
            "required": ["a"],
        },
        "l": {"type": "array", "items": items},
    }


@pytest.mark.parametrize(
    "parameters",
    [
        '\'((m (type . "object")))',
        "'((q))",
        '\'((l (type . "array")))',
        '\'((l (type . "array") (items (type . "object"))))',
    ],
)
def test_what_strict_mode_cannot_say_is_said_without_it(one: Callable[..., Tool], parameters: str) -> None:
    strict, plain = schemas(one, parameters, strict=True), schemas(one, parameters)
    assert strict == plain
    assert strict["openai-responses"]["strict"] is False  # type: ignore[index]


@pytest.mark.parametrize(
    ("category", "annotations"),
    [
        ("fs_read", {"readOnlyHint": True}),
        ("network", {"openWorldHint": True}),
        ("fs_write", {"readOnlyHint": False, "destructiveHint": True}),
        ("shell", {"readOnlyHint": False, "destructiveHint": True}),
        ("memory", None),
    ],
)
def test_a_category_is_told_as_hints(one: Callable[..., Tool], category: str, annotations: object) -> None:
    mcp = schemas(one, "'()", f'(category "{category}")')["mcp"]
    assert mcp.get("annotations") == annotations  # type: ignore[attr-defined]


def test_a_description_goes_out_as_it_is(one: Callable[..., Tool]) -> None:
    made = one(tool("t", description='"say \\"hi\\",\\nü \\\\ end"'))
    assert made.schema("mcp")["description"] == 'say "hi",\nü \\ end'
