"""The examples of the README and of the docstrings run."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = (
    "errors",
    "values",
    "policy",
    "context",
    "_run",
    "_sealing",
    "host.http_address",
    "host.http_message",
    "host.http_rule",
    "host.url",
    "satellite",
    "satellite.frames",
    "satellite.envelope",
    "satellite.vocabulary",
    "satellite.dispatch",
    "satellite.entries",
    "tools.tool",
    "tools.schema",
    "tools.config",
    "tools.load",
    "tools.registry",
)


def test_the_readme(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "scheme").symlink_to(ROOT / "scheme")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_a_prompt_that_waits_is_answered_by_another_process(tmp_path: Path) -> None:
    """The two halves of that part of the README, in a process each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("### A prompt that waits\n")[2]
    first, _, second = text.partition("\n## ")[0].partition("The next day")
    (tmp_path / "scheme").symlink_to(ROOT / "scheme")
    for half in (first, second):
        examples = doctest.DocTestParser().get_examples(half)
        assert len(examples) > 5
        script = "import doctest, sys\nassert doctest.testfile(sys.argv[1], module_relative=False).failed == 0"
        (tmp_path / "half.txt").write_text(half, encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", script, "half.txt"], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout


COMMANDS = re.findall(r"^chibi-bridge (.*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chibi_bridge", *shlex.split(command)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_readme_shows_commands_and_targets_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(COMMANDS) >= 3
    assert set(re.findall(r"\bmake ([a-z]+)", text)) - {"a"} <= set(targets)
    assert all((ROOT / folder).is_dir() for folder in re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE))


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", ["", *MODULES])
def test_the_docstrings(name: str) -> None:
    module = importlib.import_module(f"chibi_bridge.{name}".rstrip("."))
    result = doctest.testmod(module, extraglobs=vars(importlib.import_module("chibi_bridge")))
    assert result.failed == 0
