"""Each command, with its exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chibi_bridge.cli import group


def cli(*words: str) -> Result:
    return CliRunner().invoke(group, list(words))


@pytest.mark.parametrize(
    ("expression", "out", "code"),
    [
        ("(+ 1 2)", "3\n", 0),
        ('(display "a") "b"', 'a\n"b"\n', 0),
        ("(exit 7)", "", 7),
        ("(car 5)", "", 1),
        ("(let loop () (loop))", "", 4),
        ("(import (tein http))", "", 3),
    ],
)
def test_eval(expression: str, out: str, code: int) -> None:
    result = cli("eval", "--fuel", "1000000", expression)
    assert (result.stdout, result.exit_code) == (out, code)
    assert result.stderr.startswith("error: ") == (code not in (0, 7))


def test_run(examples: Path, data: Path) -> None:
    file = str(examples / "text.scm")
    assert cli("run", file, "slugify", "--arg", "title=Hello, World").stdout == "hello-world\n"
    assert cli("run", file, "slugify", "--args", '{"title": "A b", "max_length": 1}').stdout == "a\n"
    assert cli("run", file, "word_count", "--arg", f"text=@{data / 'article.txt'}").exit_code == 0
    assert cli("run", file, "slugify").exit_code == 1
    assert cli("run", file, "nope").exit_code == 2
    assert cli("run", file).exit_code == 2
    assert cli("run", str(examples / "none.scm")).exit_code == 2
    everything = json.loads(cli("run", file, "slugify", "--json", "--arg", "title=x").stdout)
    assert (everything["text"], everything["error"]) == ("x", None)


def test_run_asks_for_a_gated_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.scm"
    file.write_text(
        '(define-tool net (description "d") (category "network") (parameters \'()) (execute (lambda (a) "sent")))',
        encoding="utf-8",
    )
    monkeypatch.setattr("chibi_bridge.cli.run.ask_terminal", lambda request: False)
    assert cli("run", str(file)).exit_code == 3
    assert cli("run", str(file), "--yes").stdout == "sent\n"


def test_list(examples: Path) -> None:
    names = [line.split()[0] for line in cli("list", str(examples)).stdout.splitlines()]
    assert {"slugify", "csv_parse", "loan_table"} <= set(names)
    schemas = json.loads(cli("list", str(examples / "text.scm"), "--format", "openai").stdout)
    assert schemas[0]["function"]["name"] == "word_count"


def test_check(tmp_path: Path, examples: Path) -> None:
    bad = tmp_path / "bad.scm"
    bad.write_text('(define-tool x\n  (descriptoin "d"))', encoding="utf-8")
    assert cli("check", str(examples / "text.scm")).exit_code == 0
    result = cli("check", "--json", str(bad))
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)
    assert finding["line"] == 2
    assert cli("check", str(tmp_path / "none.scm")).exit_code == 2


def test_script(tmp_path: Path) -> None:
    program = tmp_path / "p.scm"
    program.write_text(
        "(import (scheme base) (scheme write) (scheme process-context))\n(display (cdr (command-line)))\n(exit 5)",
        encoding="utf-8",
    )
    result = cli("script", str(program), "a", "--b")
    assert (result.stdout, result.exit_code) == ("(a --b)", 5)
    program.write_text('(display "plain")', encoding="utf-8")
    assert cli("script", str(program)).stdout == "plain"


def test_every_command_has_help_with_an_example() -> None:
    for name in group.commands:
        assert re.search(r"Example: ([A-Z_]+=\S+\s+)*chibi-bridge\s", cli(name, "--help").stdout)
    assert cli("--version").exit_code == 0
