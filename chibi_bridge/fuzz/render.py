"""Findings as text: for a terminal, as a command to paste, as a test file."""

from __future__ import annotations

import json
import pprint
import shlex
from collections.abc import Sequence
from pathlib import Path

from chibi_bridge.fuzz.plan import ORACLES, Finding

__all__ = ["command_of", "describe", "tests_of", "write_records"]


def command_of(finding: Finding) -> str | None:
    """The command that makes the call; None for what no single call shows."""
    if finding.name is not None:
        return None
    arguments = json.dumps(finding.arguments, ensure_ascii=not printable(finding.arguments))
    words = ["chibi-bridge", "run", finding.file, finding.tool, "--args", arguments]
    return " ".join(map(shlex.quote, words))


def printable(value: object) -> bool:
    """Can the text of a value be pasted as it is?"""
    return all(char.isprintable() for char in json.dumps(value, ensure_ascii=False))


def describe(finding: Finding) -> str:
    """A finding in a few lines, the command last."""
    what = f"property {finding.name}" if finding.name is not None else finding.tool
    lines = [f"{what}: {ORACLES[finding.oracle]} [{finding.oracle}, {finding.identity}]"]
    lines += [f"  {line}" for line in finding.message.splitlines()]
    if finding.name is not None:
        lines += [f"  {name} = {text}" for name, text in finding.values.items()]
        return "\n".join(lines)
    lines += [f"  after a call with {json.dumps(item, ensure_ascii=False)}" for item in finding.before]
    for response in finding.responses:
        shown = response.as_json()
        lines.append(
            f"  where the network answers {response.failure or response.status} {str(shown.get('body'))[:100]!r}"
        )
    lines.append(f"  {command_of(finding)}")
    return "\n".join(lines)


def tests_of(findings: Sequence[Finding]) -> str:
    """A test file of pytest that fails while the faults are there; a property is a test already."""
    tests = [test_of(finding) for finding in findings if finding.name is None]
    if not tests:
        return ""
    return "\n\n".join(['"""Found by chibi-bridge fuzz."""\n\nfrom chibi_bridge.fuzz import replay\n', *tests])


def test_of(finding: Finding) -> str:
    """The test of one finding."""
    parts = [finding.file, finding.tool, finding.arguments]
    lines = [f"    {literal(part)}," for part in parts]
    if finding.before:
        lines.append(f"    before={literal(list(finding.before))},")
    if finding.responses:
        lines.append(f"    responses={literal([item.as_json() for item in finding.responses])},")
    name = f"test_{finding.tool.replace('-', '_').lower()}_{finding.oracle}_{finding.identity}"
    call = "\n".join(f"    {line}" for part in lines for line in part.splitlines())
    return f"def {name}() -> None:\n    verdict = replay(\n{call}\n    )\n    assert verdict is None, verdict\n"


def literal(value: object) -> str:
    """A value as Python writes it, over several lines where it is long."""
    return pprint.pformat(value, width=90, sort_dicts=False).replace("\n", "\n    ")


def write_records(folder: Path, findings: Sequence[Finding]) -> list[Path]:
    """Keep findings in a folder: each as JSON, and as a test where a call shows it."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for finding in findings:
        stem = f"{Path(finding.file).stem}_{finding.oracle}_{finding.identity}".replace("-", "_")
        record = folder / f"{stem}.json"
        record.write_text(json.dumps(finding.as_json(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        written.append(record)
        if finding.name is None:
            test = folder / f"test_{stem}.py"
            test.write_text(tests_of([finding]), encoding="utf-8")
            written.append(test)
    return written
