"""chibi-bridge prompt: a sheet whose every word holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from chibi_bridge import Context, load_tools
from chibi_bridge.cli import group, prompt

SHEET = prompt.sheet()
SAMPLES = re.findall(r"```scheme\n(.*?)```", SHEET, re.DOTALL)
WANTED = [
    ("count_words", {"text": "one two three", "least": 4}, "1"),
    ("reverse_text", {"text": "abc"}, "cba"),
    '{"total":2.5,"list":[2.5]}',
    "1. one\n2. two",
    "error: not a number:",
]


def test_it_fits() -> None:
    assert len(SHEET) <= prompt.MOST
    assert len(prompt.sheet([(f"tool_{n}", "What it does. " * 20) for n in range(500)])) <= prompt.MOST


@pytest.mark.parametrize(("sample", "wanted"), list(zip(SAMPLES, WANTED, strict=True)))
def test_every_sample_runs(tmp_path: Path, sample: str, wanted: object) -> None:
    if isinstance(wanted, str):
        with Context(prelude="tools") as context:
            assert context.eval(sample) == wanted
        return
    name, args, text = wanted
    (tmp_path / "t.scm").write_text(sample, encoding="utf-8")
    tools = load_tools(tmp_path / "t.scm")
    assert (tools[0].name, tools[0].call(args).text) == (name, text)
    tools.close()


def test_every_name_that_it_shows_is_there() -> None:
    with Context(prelude="tools") as context:
        bound = set(context.names())
    listed = {name for names in prompt.VISIBLE.values() for name in names.split()}
    assert listed - bound == set()
    assert listed <= set(re.split(r"[\s`]+", SHEET))  # and no name goes over the end of a line


def test_the_tools_of_files_are_named(examples: Path) -> None:
    result = CliRunner().invoke(group, ["prompt", str(examples / "text.scm")])
    assert result.exit_code == 0, result.output
    assert "- word_count: " in result.stdout
    assert len(result.stdout) <= prompt.MOST
