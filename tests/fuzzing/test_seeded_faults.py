"""Small tools with one realistic fault each, and the same tools without it."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

pytest.importorskip("hypothesis")

from chibi_bridge.fuzz import Plan
from chibi_bridge.fuzz.oracle import declared_examples
from chibi_bridge.fuzz.runner import Report, fuzz
from chibi_bridge.fuzz.subject import Subject

HERE = Path(__file__).parent / "tools"
NAMES = sorted(file.stem for file in (HERE / "faulty").glob("*.scm") if not file.stem.endswith("-props"))

EXPECTED = {
    "add_headers": "state", "average": "condition", "classify_age": "returns", "convert_length": "condition",
    "countdown": "limit", "days_in_month": "property", "find_duplicates": "property", "first_lines": "condition",
    "format_address": "condition", "initials": "condition", "join_values": "condition", "median": "reference",
    "pad_label": "property", "parse_amount": "condition", "percent_change": "condition", "read_setting": "condition",
    "sample_items": "determinism", "show_page": "condition", "sign_message": "secret", "split_bill": "property",
    "to_roman": "examples", "top_scores": "condition", "unique_words": "state", "user_profile": "url",
    "weather": "condition",
}  # fmt: skip
MOST = 2_000
SECONDS = 20.0


def run(folder: str, name: str, examples: int, seed: int) -> Report:
    against = HERE / "correct" / "median.scm" if name == "median" else None
    return fuzz(HERE / folder / f"{name}.scm", max_examples=examples, seed=seed, time=SECONDS, against=against)


def test_there_are_25_of_each() -> None:
    assert len(NAMES) == 25
    assert set(EXPECTED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_found(name: str) -> None:
    found: set[str] = set()
    examples, start = 150, monotonic()
    while EXPECTED[name] not in found and examples <= MOST:  # those that show at once are soon done
        found = {item.oracle for item in run("faulty", name, examples, 7).findings}
        examples *= 3
    assert EXPECTED[name] in found
    assert monotonic() - start < 6 * SECONDS  # other tests of the machine run beside it


@pytest.mark.parametrize("name", NAMES)
def test_a_correct_tool_gives_no_finding(name: str) -> None:
    report = run("correct", name, 120, 3)
    assert report.findings == []
    assert report.total > 0


@pytest.mark.parametrize("name", NAMES)
def test_no_fault_shows_on_the_first_example(name: str) -> None:
    subject = Subject(Plan.of(HERE / "faulty" / f"{name}.scm"))
    tool = subject.tools[0]
    arguments, _ = declared_examples(tool)[0]
    call = subject.once(tool, arguments)
    other = Subject(Plan.of(HERE / "correct" / f"{name}.scm"))
    if not subject.http:
        assert call.shown() == other.once(other.tools[0], arguments).shown()
