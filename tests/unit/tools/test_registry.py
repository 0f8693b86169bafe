"""Many files behind one door."""

from __future__ import annotations

from pathlib import Path

import pytest

from chibi_bridge import Config, PermissionDenied, ToolRegistry, UnknownTool


def tool(name: str, body: str = '"x"', category: str = "memory") -> str:
    return f'(define-tool {name} (description "d") (category "{category}") (parameters \'()) (execute (lambda (args) {body})))'


@pytest.fixture
def registry() -> ToolRegistry:
    made = ToolRegistry()
    yield made
    made.close()


def test_scan_call_refresh(registry: ToolRegistry, tmp_path: Path) -> None:
    file = tmp_path / "a.scm"
    file.write_text(tool("one"), encoding="utf-8")
    registry.scan(tmp_path)
    assert registry.names() == ["one"]
    assert registry.call("one").text == "x"
    file.write_text(tool("one", '"y"') + tool("two"), encoding="utf-8")
    registry.refresh()
    assert registry.names() == ["one", "two"]
    assert registry.call("one").text == "y"
    file.write_text("(define-tool", encoding="utf-8")
    registry.refresh()
    assert len(registry.problems) == 1
    assert registry.call("one").text == "y"
    file.unlink()
    registry.refresh()
    assert registry.names() == []


def test_unknown_names_raise(registry: ToolRegistry) -> None:
    with pytest.raises(UnknownTool, match="nope"):
        registry.call("nope")


def test_a_gated_tool_is_refused_without_anybody_to_ask(registry: ToolRegistry, tmp_path: Path) -> None:
    (tmp_path / "a.scm").write_text(tool("net", category="network"), encoding="utf-8")
    registry.scan(tmp_path)
    assert isinstance(registry.call("net").error, PermissionDenied)


def test_a_tool_calls_another(registry: ToolRegistry, tmp_path: Path) -> None:
    (tmp_path / "a.scm").write_text(
        tool("one", '(call-tool "two" \'())') + tool("me", '(call-tool "me" \'())'), encoding="utf-8"
    )
    (tmp_path / "b.scm").write_text(tool("two", '"from two"'), encoding="utf-8")
    registry.scan(tmp_path)
    assert registry.call("one").text == "from two"
    assert "recursion" in str(registry.call("me").error)


def test_filters_and_schemas(tmp_path: Path) -> None:
    (tmp_path / "a.scm").write_text(tool("one") + tool("two"), encoding="utf-8")
    registry = ToolRegistry(config=Config(exclude=("two",)))
    registry.scan(tmp_path)
    assert [item["function"]["name"] for item in registry.schemas("openai")] == ["one"]  # type: ignore[index]
    assert registry.schemas("anthropic")[0]["input_schema"] == {"type": "object", "properties": {}, "required": []}
    assert registry.schemas("mcp")[0]["name"] == "one"
    registry.close()
