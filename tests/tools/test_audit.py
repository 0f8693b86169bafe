"""Each decision is one JSON line, without a secret."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from chibi_bridge import Allow, Config, Deny, ToolRegistry, ToolResult, load_tools

TOOL = """
(define-tool peek
  (description "Look.") (category "network")
  (parameters '((url . ((type . "string") (description . "Where"))) (key . ((type . "string") (description . "K")))))
  (execute (lambda (args) "seen")))
(define-tool plain
  (description "Nothing.") (category "memory") (parameters '()) (execute (lambda (args) "done")))
"""
SECRET = "hunter2"
ARGS = {"url": f"http://user:{SECRET}@127.0.0.1:9/a?token={SECRET}#f", "key": SECRET}


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [json.loads(record.message) for record in caplog.records if record.name == "chibi_bridge.audit"]


@pytest.mark.parametrize(
    ("answer", "decision", "by"),
    [
        (lambda request: True, "allow", "person"),
        (lambda request: False, "deny", "person"),
        (lambda request: Deny(f"no {SECRET}"), "deny", "person"),
        (None, "deny", "nobody"),
    ],
)
def test_a_decision_is_a_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, answer: object, decision: str, by: str
) -> None:
    (tmp_path / "peek.scm").write_text(TOOL, encoding="utf-8")
    registry = ToolRegistry(config=Config(), permission=answer)  # type: ignore[arg-type]
    registry.scan(tmp_path)
    with caplog.at_level(logging.INFO, "chibi_bridge.audit"):
        registry.call("peek", ARGS, context="main")
    (line,) = lines(caplog)
    assert (line["decision"], line["by"], line["tool"], line["context"]) == (decision, by, "peek", "main")
    assert line["arguments"] == ["key", "url"]
    assert line["origin"] == "http://127.0.0.1:9"
    assert len(str(line["file_hash"])) == 64
    assert SECRET not in caplog.text
    registry.close()


def test_what_nobody_is_asked_for_and_what_is_remembered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "peek.scm"
    file.write_text(TOOL, encoding="utf-8")
    tools = load_tools(file, permission=lambda request: Allow("tool"))
    with caplog.at_level(logging.INFO, "chibi_bridge.audit"):
        tools[1].call({})
        tools[0].call(ARGS)
        tools[0].call(ARGS)
    assert [(line["decision"], line["by"]) for line in lines(caplog)] == [
        ("allow", "policy"),
        ("allow", "person"),
        ("allow", "remembered"),
    ]
    tools.close()


def test_results_in_the_forms_of_models_apis() -> None:
    good = ToolResult([["a", 1]], '(("a" 1))')
    bad = ToolResult(None, "error: no", error=ValueError("no"))
    assert good.to_openai("c1") == {"role": "tool", "tool_call_id": "c1", "content": good.text}
    assert bad.to_openai() == {"role": "tool", "content": "error: no"}
    assert good.to_anthropic("t1")["is_error"] is False
    assert bad.to_anthropic("t1") == {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": "error: no",
        "is_error": True,
    }
    assert bad.to_mcp() == {"content": [{"type": "text", "text": "error: no"}], "isError": True}
    assert "structuredContent" not in ToolResult("x", "x").to_mcp()


def test_an_object_is_structured_content(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_text(
        '(define-tool t (description "d") (category "memory") (parameters \'())\n'
        '  (execute (lambda (args) \'(("a" . 1) ("b" . #(1 2))))))',
        encoding="utf-8",
    )
    tools = load_tools(file)
    assert tools[0].call({}).to_mcp()["structuredContent"] == {"a": 1, "b": [1, 2]}
    tools.close()
