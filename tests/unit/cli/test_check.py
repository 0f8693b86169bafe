"""`check`: data, explanations, diffs, grants."""

from __future__ import annotations

import json
import time
from pathlib import Path

from click.testing import CliRunner, Result

from chibi_bridge.cli import group
from chibi_bridge.tools.findings import CODES
from chibi_bridge.tools.reading import read_text

BROKEN = (
    '(define-tool t\n  (description "d")\n  (parameters \'())\n  (execute (lambda (args)\n    (foldl + 0 null))))\n)\n'
)


def check(*words: object) -> Result:
    return CliRunner().invoke(group, ["check", *map(str, words)])


def test_json_has_every_field(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_text(BROKEN, encoding="utf-8")
    result = check("--json", file)
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(item["code"], item["stage"], item["line"], item["column"]) for item in found] == [
        ("N002", "name", 5, 6),
        ("N002", "name", 5, 16),
        ("R002", "read", 6, 1),
    ]
    assert all(item["file"] == str(file) and item["message"] and item["hint"] for item in found)


def test_text_shows_the_line(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_text(BROKEN, encoding="utf-8")
    result = check(file)
    assert (
        f"{file}:5:6: N002 unbound variable foldl\n    (foldl + 0 null))))\n     ^\n  hint: write (fold "
        in result.stderr
    )
    assert (result.stdout, result.exit_code) == ("", 1)


def test_explain() -> None:
    for code, text in CODES.items():
        assert check("--explain", code.lower()).stdout == f"{code}: {text}\n"
    assert check("--explain", "X999").exit_code == 2
    assert check().exit_code == 2


def test_fix_shows_and_writes_only_when_told(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_text(BROKEN, encoding="utf-8")
    result = check("--fix", file)
    assert "-    (foldl + 0 null))))" in result.stdout
    assert "+    (fold + 0 '()))))" in result.stdout
    assert result.exit_code == 1
    assert file.read_text(encoding="utf-8") == BROKEN
    assert check("--fix", "--write", file).exit_code == 0
    assert check(file).stdout == f"{file}: 1 tools: t\n"
    assert check("--write", file).exit_code == 2


def test_config(tmp_path: Path) -> None:
    file, config = tmp_path / "t.scm", tmp_path / "config.toml"
    file.write_text(
        '(import (tein http))\n(define-tool t (description "d") (parameters \'()) (execute (lambda (a) 1)))\n'
    )
    assert check(file).exit_code == 0
    config.write_text('[tools.env]\n"/tools/shared/t.scm" = ["KEY"]\n')
    result = check("--json", "--config", config, file)
    assert [item["code"] for item in json.loads(result.stdout)] == ["G001", "G002"]
    config.write_text("[tools\n")
    assert check("--config", config, file).exit_code == 2


def test_unreadable_files(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_bytes(b'(define x "\xff")')
    result = check("--json", file)
    assert [(item["code"], item["line"], item["column"]) for item in json.loads(result.stdout)] == [("R099", 1, 12)]
    assert check(tmp_path / "none.scm").exit_code == 2


def test_nothing_is_found_in_the_examples(examples: Path) -> None:
    for file in sorted(examples.glob("*.scm")):
        result = check(file)
        assert (result.exit_code, result.stderr) == (0, ""), file


def test_hostile_texts_end_in_findings(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    for text in (
        "(" * 5000,
        ")" * 500,
        "'" * 300,
        '"',
        "#",
        "|",
        "#|",
        "(a . b . c)",
        "`" * 200 + "," * 200,
        "\0",
        "(lambda)",
        "(let loop)",
        "(define)",
        "(do)",
        "(import)",
        "(define-tool)",
        "(cond . 1)",
        "(" * 400 + ")" * 400,
        "(match)",
        "(guard)",
        "(case)",
        "(define ((f a) b) c)",
    ):
        file.write_text(text, encoding="utf-8")
        result = check("--json", file)
        assert result.exit_code == 1, (text[:20], result.exception)
        assert json.loads(result.stdout), text[:20]


def test_a_long_line_takes_time_in_proportion() -> None:
    begun = time.process_time()
    reading = read_text("(list " + "a " * 200_000 + ")")
    assert time.process_time() - begun < 8.0  # a look at the whole line at every token takes minutes
    assert not reading.findings
    assert len(reading.forms) == 1
