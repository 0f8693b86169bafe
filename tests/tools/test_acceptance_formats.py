"""Acceptance cases A1..A33: formats and parameters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Tool, ToolCategory, ToolList, ToolLoadError, ToolRegistry
from tests.tools.conftest import conv, tool

Load = Callable[..., ToolList]
One = Callable[..., Tool]
EMPTY = {"type": "object", "properties": {}, "required": []}


def test_tools_a01(one: One) -> None:
    """conv() -> one tool, category synthesised, no summary params, the empty schema."""
    made = one(conv())
    assert (made.name, made.category, made.summary_params) == ("t", ToolCategory.SYNTHESISED, ())
    assert made.parameters == EMPTY


def test_tools_a02(one: One) -> None:
    """conv with `tool-category "network"` -> category network."""
    assert one(conv(tool_category='"network"')).category is ToolCategory.NETWORK


def test_tools_a03(one: One) -> None:
    """conv with `tool-summary-params '("path" "mode")` -> ["path","mode"]."""
    assert one(conv(tool_summary_params='\'("path" "mode")')).summary_params == ("path", "mode")


def test_tools_a04(one: One) -> None:
    """conv with `tool-summary-params '(a "b" 3)` -> ["b"]; with `"x"` -> []."""
    assert one(conv(tool_summary_params='\'(a "b" 3)')).summary_params == ("b",)
    assert one(conv(tool_summary_params='"x"')).summary_params == ()


def test_tools_a05(one: One) -> None:
    """conv with `(define tool-category 'network)` (a symbol) -> synthesised, loads."""
    assert one(conv(tool_category="'network")).category is ToolCategory.SYNTHESISED


def test_tools_a06(load: Load) -> None:
    """Source `(define tool-name "oops")` only -> load error, nothing registered."""
    with pytest.raises(ToolLoadError, match="missing tool-description"):
        load('(define tool-name "oops")')


def test_tools_a07(load: Load) -> None:
    """conv without tool-execute -> error mentioning tool-execute; with 5 -> "not a procedure"."""
    with pytest.raises(ToolLoadError, match="tool-execute"):
        load(conv(tool_execute=""))
    with pytest.raises(ToolLoadError, match="tool-execute is not a procedure"):
        load(conv(tool_execute="5"))


def test_tools_a08(load: Load) -> None:
    """conv with `(define tool-name 'sym)` -> error "tool-name is not a string"."""
    with pytest.raises(ToolLoadError, match="tool-name is not a string"):
        load(conv(tool_name="'sym"))


@pytest.mark.parametrize("tier", [1, 2])
def test_tools_a09(registry_of: Callable[..., ToolRegistry], tier: int) -> None:
    """File with no import lines defining the four bindings -> loads in both tiers."""
    registry = registry_of(conv(), config=f'[tools.tiers]\n"/tools/shared" = {tier}')
    assert (registry.names(), registry.problems) == (["t"], [])


def test_tools_a10(load: Load) -> None:
    """Two define-tool forms greet, farewell -> [greet, farewell] in that order."""
    assert [item.name for item in load(tool("greet") + tool("farewell"))] == ["greet", "farewell"]


def test_tools_a11(one: One) -> None:
    """define-tool with category; with summary-params; with both."""
    category, summary = '(category "network")', '(summary-params \'("ticker" "qty"))'
    assert one(tool("a", '"x"', category)).category is ToolCategory.NETWORK
    assert one(tool("a", '"x"', summary)).summary_params == ("ticker", "qty")
    both = one(tool("a", '"x"', category, summary))
    assert (both.category, both.summary_params) == (ToolCategory.NETWORK, ("ticker", "qty"))


def test_tools_a12(one: One) -> None:
    """define-tool category "banana" -> synthesised."""
    assert one(tool("a", '"x"', '(category "banana")')).category is ToolCategory.SYNTHESISED


def test_tools_a13(load: Load) -> None:
    """One file: reader fs_read, writer fs_write -> categories per tool."""
    made = load(tool("reader", '"x"', '(category "fs_read")') + tool("writer", '"x"', '(category "fs_write")'))
    assert [item.category.value for item in made] == ["fs_read", "fs_write"]


REORDERED = (
    '(define-tool a (description "d") (parameters \'((p (type . "string")))) (category "network") (execute car))'
)
IN_ORDER = '(define-tool a (description "d") (category "network") (parameters \'((p (type . "string")))) (execute car))'


def test_tools_a14(load: Load) -> None:
    """define-tool with parameters before category -> accepted as A15 (overruled)."""
    assert load(REORDERED).problems == []


def test_tools_a15(one: One) -> None:
    """(*) reordered clauses accepted and equal to pattern 4."""
    first, second = one(REORDERED), one(IN_ORDER)
    assert (first.parameters, first.category, first.description) == (
        second.parameters,
        second.category,
        second.description,
    )


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ('(define-tool bad (description "d") (parameters \'()))', "execute: is missing"),
        ('(define-tool |foo bar| (description "d") (parameters \'()) (execute car))', "foo_bar"),
        ('(define-tool "a" (description "d") (parameters \'()) (execute car))', "name"),
        ('(define-tool bad (description "d") (parameters \'((q . "string"))) (execute car))', "non-empty list"),
        ('(define-tool bad (description "d") (parameters \'#(1)) (execute car))', "must be a list"),
    ],
    ids=["a16", "a17", "a18", "a29", "a30"],
)
def test_tools_a16_a17_a18_a29_a30(load: Load, form: str, text: str) -> None:
    """A bad tool is refused with its position and the rest loads; the file fails only under strict."""
    made = load(form + tool("good"))
    assert [item.name for item in made] == ["good"]
    (problem,) = made.problems
    assert isinstance(problem, ToolLoadError)
    assert text in str(problem)
    assert problem.location is not None
    with pytest.raises(ToolLoadError):
        load(form + tool("good"), strict=True)


def test_tools_a17(load: Load) -> None:
    """`(define-tool |foo bar| ...)` -> refused, message about invalid characters."""
    with pytest.raises(ToolLoadError, match="invalid characters"):
        load('(define-tool |foo bar| (description "d") (parameters \'()) (execute car))')


def test_tools_a19(one: One) -> None:
    """(*) `(summary-params ("x" "y"))` unquoted -> treated as the list."""
    assert one(tool("a", '"x"', '(summary-params ("x" "y"))')).summary_params == ("x", "y")


def test_tools_a20(one: One) -> None:
    """Same name twice in one file -> one registered tool; last description; last handler runs."""
    made = one(tool("a", '"first"', description='"one"') + tool("a", '"last"', description='"two"'))
    assert (made.description, made.call({}).text) == ("two", "last")


def test_tools_a21(load: Load) -> None:
    """File with define-tool and convention bindings -> only the define-tool tools."""
    assert [item.name for item in load(conv() + tool("a"))] == ["a"]


def test_tools_a22(one: One) -> None:
    """Description computed with `string-append`, parameters from a variable -> accepted."""
    source = '(define ps \'((p (type . "string"))))'
    made = one(source + tool("a", '"x"', description='(string-append "a" "b")', parameters="ps"))
    assert (made.description, list(made.parameters["properties"])) == ("ab", ["p"])  # type: ignore[call-overload]


def test_tools_a23(load: Load) -> None:
    """File with only register-hook -> as A24 (overruled)."""
    assert load("(register-hook 'on_start (lambda (payload) '()))").hooks == ("on_start",)


def test_tools_a24(load: Load) -> None:
    """(*) hook-only file loads with zero tools."""
    made = load("(import (harness hooks))\n(register-hook 'on_start (lambda (payload) '()))")
    assert (list(made), made.problems) == ([], [])


def schema(one: One, parameters: str) -> dict[str, object]:
    return one(conv(tool_parameters=parameters)).parameters


def test_tools_a25(one: One) -> None:
    """`'((text . ((type . "string") (description . "x"))))` -> {type, description}, required ["text"]."""
    made = schema(one, '\'((text . ((type . "string") (description . "x"))))')
    assert made == {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "x"}},
        "required": ["text"],
    }


def test_tools_a26(one: One) -> None:
    """add `(required . #f)` -> not in required, property kept."""
    made = schema(one, '\'((text . ((type . "string") (description . "x") (required . #f))))')
    assert (made["required"], made["properties"]) == ([], {"text": {"type": "string", "description": "x"}})


def test_tools_a27(one: One) -> None:
    """string keys -> optional integer p."""
    made = schema(one, '(list (cons "p" \'(("type" . "integer") ("required" . #f))))')
    assert made == {"type": "object", "properties": {"p": {"type": "integer"}}, "required": []}


def test_tools_a28(one: One) -> None:
    """`'((q))` -> property {} and required ["q"]."""
    assert schema(one, "'((q))") == {"type": "object", "properties": {"q": {}}, "required": ["q"]}


def test_tools_a29_a30(load: Load) -> None:
    """A dotted entry; a vector -> load error "must be a list" (in a file with nothing else)."""
    with pytest.raises(ToolLoadError, match="non-empty list"):
        load(conv(tool_parameters='\'((q . "string"))'))
    with pytest.raises(ToolLoadError, match="must be a list"):
        load(conv(tool_parameters="'#(1)"))


def test_tools_a31(one: One) -> None:
    """`((type "string"))` list-style attribute -> (*) type string."""
    assert schema(one, '\'((q (type "string")))')["properties"] == {"q": {"type": "string"}}


@pytest.mark.parametrize("form", ['(enum . ("a" "b"))', '(enum "a" "b")', '(enum ("a" "b"))', '(enum . #("a" "b"))'])
def test_tools_a32(one: One, form: str) -> None:
    """`(enum . ("a" "b"))` -> (*) kept."""
    assert schema(one, f"'((q {form}))")["properties"] == {"q": {"enum": ["a", "b"]}}


def test_tools_a33(one: One) -> None:
    """symbol type `(type . string)` -> (*) accepted."""
    assert schema(one, "'((q (type . string)))")["properties"] == {"q": {"type": "string"}}
