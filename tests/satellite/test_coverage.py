"""Each numbered case of the author's vocabulary, dispatch, the codec and the node has its test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = {"a": 8, "b": 32, "c": 21, "d": 20, "e": 23}


@pytest.mark.parametrize("section", CASES)
def test_every_case_has_a_test_of_its_name(section: str) -> None:
    text = "\n".join(re.findall(r"^def (test_\w+)", all_tests(), re.MULTILINE))
    named = {int(number) for number in re.findall(rf"sat_{section}(\d+)(?=_)", text)}
    assert named >= set(range(1, CASES[section] + 1))


def all_tests() -> str:
    """The text of the tests in this folder."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
