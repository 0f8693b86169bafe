"""`chibi-bridge run`: a file behind the whole gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chibi_bridge import Allow
from chibi_bridge.cli import group


def cli(*words: object) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words])


def tool(name: str, body: str, *clauses: str) -> str:
    return (
        f'(define-tool {name} (description "d") {" ".join(clauses)} (parameters \'()) (execute (lambda (args) {body})))'
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.scm"
    path.write_text(
        tool("outer", '(begin (display "a") (string-append (call-tool "inner" (quote ())) "!"))')
        + tool("inner", '(begin (display "b") "inside")')
        + tool("who", "%context-name%")
        + tool("shell", '(call-tool "shell_exec" (quote (("command" . "echo hi"))))')
        + tool("net", '"sent"', '(category "network")')
        + tool("shell_exec", '"mine"')
        + tool("keep", '(call-tool "write_file" (quote (("path" . "vfs:///shared/f") ("content" . "kept"))))')
        + tool("kept", '(call-tool "file_head" (quote (("path" . "vfs:///shared/f"))))')
        + '(register-hook \'pre_tool_output (lambda (p) (if (equal? (cdr (assoc "tool_name" p)) "inner")'
        + ' (list (cons "output" "hooked")) (quote ()))))',
        encoding="utf-8",
    )
    return path


def test_tools_call_each_other_and_hooks_fire(file: Path) -> None:
    result = cli("run", file, "outer")
    assert (result.stdout, result.exit_code) == ("hooked!\n", 0)
    assert result.stderr.endswith("a")


def test_a_tool_in_the_place_of_a_built_in_one_is_told(file: Path) -> None:
    result = cli("run", file, "who")
    assert "which no file may replace" in result.stderr
    assert cli("run", file, "shell_exec").exit_code == 2


def test_nested_calls_are_asked_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("chibi_bridge.cli.run.ask_terminal", lambda request: asked.append(request.prompt))
    result = cli("run", file, "shell")
    assert asked == ["[shell -> shell_exec] echo hi [Y/n] "]
    assert result.exit_code == 1
    assert json.loads(cli("run", file, "shell", "--yes").stdout)["stdout"] == "hi\n"


def test_answers_are_remembered_where_the_configuration_says(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, asked = tmp_path / "config.toml", []

    def ask(request: object) -> object:
        asked.append(request)
        return Allow("tool")

    monkeypatch.setattr("chibi_bridge.cli.run.ask_terminal", ask)
    config.write_text("", encoding="utf-8")
    for _ in range(2):
        assert cli("run", file, "net", "--config", config).stdout == "sent\n"
    assert len(asked) == 2
    config.write_text(f'[permissions]\nremember = "{tmp_path / "answers.json"}"', encoding="utf-8")
    for _ in range(2):
        assert cli("run", file, "net", "--config", config).stdout == "sent\n"
    assert len(asked) == 3
    file.write_text(file.read_text() + " ", encoding="utf-8")
    assert cli("run", file, "net", "--config", config).stdout == "sent\n"
    assert len(asked) == 4


def test_the_context_is_the_owner_or_as_given(file: Path) -> None:
    assert cli("run", file, "who").stdout == "default\n"
    assert cli("run", file, "who", "--context", "bob").stdout == "bob\n"
    assert cli("run", file, "who", "--path", "/tools/home/alice/x.scm").stdout == "alice\n"
    hidden = cli("run", file, "who", "--path", "/tools/home/alice/x.scm", "--context", "bob")
    assert (hidden.exit_code, "hides the tool who" in hidden.stderr) == (3, True)


def test_filters_hold(file: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[tools]\nexclude = ["inner"]', encoding="utf-8")
    assert cli("run", file, "inner", "--config", config).exit_code == 3
    assert "unknown tool: inner" in cli("run", file, "outer", "--config", config).stderr


def test_the_vfs_may_be_a_folder(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vfs"
    assert cli("run", file, "keep", "--vfs", folder).exit_code == 0
    assert (folder / "shared" / "f").read_text() == "kept"
    assert cli("run", file, "kept", "--vfs", folder).stdout == "kept\n"
    assert cli("run", file, "kept").exit_code == 1


@pytest.mark.parametrize("name", ["shell", "keep"])
def test_a_trace_of_nested_calls_is_had_again(file: Path, tmp_path: Path, name: str) -> None:
    trace = tmp_path / "run.trace"
    file.write_text(file.read_text().partition("(register-hook")[0], encoding="utf-8")
    first = cli("run", file, name, "--yes", "--trace", trace)
    assert first.exit_code == 0
    again = cli("replay", trace)
    assert (again.stdout, again.exit_code) == (first.stdout, 0), again.stderr


def test_a_trace_of_a_file_that_calls_itself_says_that_it_cannot_be_had_again(file: Path, tmp_path: Path) -> None:
    trace = tmp_path / "run.trace"
    assert cli("run", file, "outer", "--trace", trace).stdout == "hooked!\n"
    again = cli("replay", trace)
    assert (again.exit_code, "cannot be replayed" in again.stderr) == (1, True)
