"""The first ten minutes of the README: its console blocks, in order, one folder for each part."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (
    (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## The first ten minutes\n")[2].partition("\n## ")[0]
)
PARTS = {part.partition("\n")[0]: part for part in TEXT.split("\n### ")[1:]}
MISTAKES = {
    "For whoever writes a tool": ("R001", "is missing at the end of line"),
    "For whoever builds an agent": ("(tein http) is not available", "[tools.http.allow]"),
    "For whoever looks for faults": ("does not hold", "times = 6"),
}


def steps(part: str) -> list[tuple[str, str]]:
    """The commands of a part's console blocks, each with what it prints."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", part, re.MULTILINE | re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = step.splitlines(keepends=True)
            command = [lines.pop(0)]
            while lines and lines[0].startswith("> "):
                command.append(lines.pop(0)[2:])
            found.append(("".join(command), "".join(lines)))
    return found


def untimed(text: str) -> str:
    """Without the seconds that something took."""
    return re.sub(r"\bin \d+\.\d s", "in some time", text)


@pytest.mark.parametrize("name", PARTS)
def test_part(name: str, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "chibi-bridge"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m chibi_bridge "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": path,
        "NO_COLOR": "1",
    }
    found = steps(PARTS[name])
    assert len(found) >= 5
    for text, expected in found:
        done = subprocess.run(
            ["sh", "-c", text], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert untimed(done.stdout) == untimed(expected), text


def test_each_part_meets_its_mistake() -> None:
    assert set(PARTS) == set(MISTAKES)
    for name, words in MISTAKES.items():
        shown = "".join(output for _, output in steps(PARTS[name]))
        assert all(word in shown for word in words)
