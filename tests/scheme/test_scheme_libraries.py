"""The tests written in Scheme: each file is a program in the dialect of (chibi-bridge test)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, Limits, Policy, SchemeExit

HERE = Path(__file__).parent
FILES = sorted([*HERE.rglob("*-test.scm"), *(HERE / "r7rs").glob("*.scm")])
LIB = HERE.parents[1] / "scheme" / "lib"
ELSEWHERE = {"tein/http", "tein/modules", "tein/reader", "tein/macro", "tein/introspect/docs"}
"""Tested by programs of Python."""
LIBRARIES = sorted(
    {str(file.relative_to(LIB).with_suffix("")) for folder in ("srfi", "tein") for file in (LIB / folder).rglob("*.sld") if "211" not in file.parts}
    - ELSEWHERE
)
NAMES = [str(file.relative_to(HERE).with_suffix("")) for file in FILES]
POLICY = Policy(modules="all", limits=Limits(fuel=2_000_000_000, timeout=120.0, memory=256 << 20))
REPORT = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
STRESS = 7
HEAVY = {"srfi/1-test": 4001, "srfi/1/immutable-test": 4001, "r7rs/6.10": 101}
"""Those that make long lists or deep calls collect less often."""


def run(ctx: Context, file: Path) -> str:
    """What the program printed; it must end itself with 0 and have passed something."""
    with pytest.raises(SchemeExit) as ended:
        ctx.run(file.read_text(encoding="utf-8"), file.name)
    printed = ended.value.stdout
    assert ended.value.code == 0, printed
    counts = REPORT.findall(printed)
    assert counts, printed
    for passed, failed in counts:
        assert int(passed) > 0 and int(failed) == 0, printed
    return printed


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_library(file: Path, make_context: Callable[..., Context]) -> None:
    assert "FAIL" not in run(make_context(POLICY, prelude=None), file)


@pytest.mark.parametrize(("name", "file"), list(zip(NAMES, FILES, strict=True)), ids=NAMES)
def test_library_with_collections_everywhere(name: str, file: Path, make_context: Callable[..., Context]) -> None:
    ctx = make_context(POLICY, prelude=None)
    ctx._native.set_stress(POLICY.limits.memory, HEAVY.get(name, STRESS))
    assert "FAIL" not in run(ctx, file)


def without_comments(program: str) -> str:
    """The text without comments; a semicolon in a string begins none."""
    return re.sub(r'("(?:\\.|[^"\\])*"|#\\.)|;[^\n]*', lambda found: found[1] or "", program, flags=re.DOTALL)


def exports(library: Path) -> set[str]:
    """The names in the export forms of a library's file."""
    text = re.sub(r";[^\n]*", "", library.read_text(encoding="utf-8"))
    forms = text[text.index("(export") : text.index("(import")]
    renamed = re.sub(r"\(rename\s+\S+\s+([^\s()]+)\)", r"\1", forms)
    return set(renamed.replace("(export", " ").replace(")", " ").split())


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_export_is_in_the_test(name: str) -> None:
    program = without_comments((HERE / f"{name}-test.scm").read_text(encoding="utf-8"))
    words = re.split(r"[\s()'`,\[\]\"#]+", program)
    used = {*words, *(word.split(":", 1)[-1] for word in words)}
    assert exports(LIB / f"{name}.sld") - used == set()
