"""What the APIs of models get: golden documents from one model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Tool

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
HEAD = {"name": "order", "description": "Order."}
GOLDEN = [
    ("openai", False, {"type": "function", "function": {**HEAD, "parameters": PARAMETERS}}),
    ("openai", True, {"type": "function", "function": {**HEAD, "parameters": STRICT, "strict": True}}),
    ("openai-responses", False, {"type": "function", **HEAD, "parameters": PARAMETERS, "strict": False}),
    ("openai-responses", True, {"type": "function", **HEAD, "parameters": STRICT, "strict": True}),
    ("anthropic", False, {**HEAD, "input_schema": PARAMETERS}),
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
