"""First drafts of tools: what `check` finds in those with slips into other dialects, and nothing in the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chibi_bridge.tools.check import check_source, mended

DRAFTS = Path(__file__).resolve().parent.parent / "data" / "drafts"
BRACKETS = [(18, 14), (18, 28), (20, 7), (20, 64), (21, 7), (22, 14), (22, 50), (23, 14), (23, 33), (26, 64), (27, 7)]
EXPECTED = {
    "b04": [("N002", (38, 18), "(fold kons knil list)")],
    "b06": [
        ("N002", (17, 4), "(call/cc (lambda (return) ...))"),
        ("C001", (27, 12), "(let () (define ...) ...)"),
        ("N002", (29, 25), "(+ n 1)"),
    ],
    "b08": [
        ("R005", (1, 1), "(import (scheme base))"),
        *(("R003", place, "write") for place in BRACKETS),
        ("N002", (32, 32), "'()"),
    ],
}


@pytest.mark.parametrize("file", sorted(DRAFTS.glob("*.scm")), ids=lambda file: file.stem)
def test_draft(file: Path) -> None:
    place = f"/tools/shared/{file.name}"
    checked = check_source(file.read_text(encoding="utf-8"), file.name, place)
    found = {(item.code, checked.place(item)): item.hint or "" for item in checked.findings}
    expected = EXPECTED.get(file.stem, [])
    for code, at, hint in expected:
        assert hint in found[code, at]
    if not expected:
        assert not found


@pytest.mark.parametrize("name", ["b04", "b08"])
def test_mending_is_enough(name: str) -> None:
    """Where every slip has a mechanical repair the mended draft gives the stated results."""
    from chibi_bridge.tools.config import Config
    from chibi_bridge.tools.load import load_source

    file = DRAFTS / f"{name}.scm"
    place = f"/tools/shared/{file.name}"
    text = mended(file.read_text(encoding="utf-8"), file.name, place)
    spec = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    (tool,) = load_source(text, place, file.name, config=Config())
    for call in spec["calls"]:
        result = tool.call(call["args"])
        if isinstance(call["expect"], str):
            assert result.text == call["expect"]
        else:
            assert call["expect"]["error"] in result.text
