"""The agent of the README against recorded answers of two models' APIs."""

from __future__ import annotations

import copy
import importlib.util
import json
import logging
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
LINES = 60
SAYS = {
    "add": ("1 notes", False),
    "miss": ('no note under this title: "bread"', True),
    "read": ("two bottles", False),
    "rule": ("house rule: no passwords in notes", True),
    "pub": ("published milk", False),
    "del": ("not while I am away", True),
    "none": ("unknown tool: shout", True),
    "bad": ("title", True),
}


@pytest.fixture
def agent() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agent_of_the_readme", HERE / "agent.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Recorded:
    """A model that answers what it answered once; what it was sent is kept."""

    def __init__(self, name: str) -> None:
        self.answers = json.loads((HERE / "recorded" / f"{name}.json").read_text(encoding="utf-8"))
        self.sent: list[dict[str, object]] = []

    def __call__(self, request: dict[str, object]) -> object:
        self.sent.append(copy.deepcopy(json.loads(json.dumps(request))))
        return self.answers[len(self.sent) - 1]


def check_results(found: dict[str, tuple[str, bool]]) -> None:
    for key, (text, failed) in SAYS.items():
        assert text in found[key][0], key
        assert found[key][1] == failed, key


def test_openai(agent: ModuleType, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    model = Recorded("openai")
    with caplog.at_level(logging.INFO, "chibi_bridge.audit"):
        said = agent.main(HERE / "agent_tools", model)
    assert said == "Milk: two bottles. It is published; nothing was deleted."
    assert len(model.sent) == 4
    tools = model.sent[0]["tools"]
    assert isinstance(tools, list)
    assert [tool["function"]["name"] for tool in tools] == ["add_note", "read_note", "publish_note", "delete_notes"]
    assert all(tool["type"] == "function" and tool["function"]["parameters"]["type"] == "object" for tool in tools)
    messages = model.sent[-1]["messages"]
    assert isinstance(messages, list)
    answers = {m["tool_call_id"].removeprefix("call_"): m["content"] for m in messages if m["role"] == "tool"}
    check_results({key: (answers[key], SAYS[key][1]) for key in SAYS})
    assert answers["text"].startswith("error: ")  # arguments that are no JSON
    asked = {call["id"] for m in messages if m["role"] == "assistant" for call in m.get("tool_calls") or ()}
    assert asked == {f"call_{key}" for key in answers}
    check_audit(caplog)
    assert capsys.readouterr().err == "[publish_note] milk [Y/n] \n[delete_notes] /tmp/notes [Y/n] \n"


def test_anthropic(agent: ModuleType, caplog: pytest.LogCaptureFixture) -> None:
    model = Recorded("anthropic")
    with caplog.at_level(logging.INFO, "chibi_bridge.audit"):
        said = agent.main(HERE / "agent_tools", model, agent.with_anthropic)
    assert said == "Milk: two bottles. It is published; nothing was deleted."
    tools = model.sent[0]["tools"]
    assert isinstance(tools, list)
    assert set(tools[0]) >= {"name", "description", "input_schema"}
    messages = model.sent[-1]["messages"]
    assert isinstance(messages, list)
    blocks = [block for message in messages if message["role"] == "user" and isinstance(message["content"], list)
              for block in message["content"]]  # fmt: skip
    assert all(block["type"] == "tool_result" for block in blocks)
    check_results({b["tool_use_id"].removeprefix("toolu_"): (b["content"], b["is_error"]) for b in blocks})
    check_audit(caplog)


def check_audit(caplog: pytest.LogCaptureFixture) -> None:
    """One line a decision, and no value of an argument in any."""
    lines = [json.loads(record.message) for record in caplog.records if record.name == "chibi_bridge.audit"]
    decided = [(line["tool"], line["decision"], line["by"]) for line in lines]
    assert ("publish_note", "allow", "person") in decided
    assert ("delete_notes", "deny", "person") in decided
    assert ("add_note", "allow", "policy") in decided
    assert "hunter2" not in caplog.text
    assert "1234" not in caplog.text


def test_the_readme_shows_it() -> None:
    text = (HERE / "agent.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    assert text in (HERE.parent.parent / "README.md").read_text(encoding="utf-8")
