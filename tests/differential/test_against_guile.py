"""The same expressions in Guile and in our engine give the same written values.

expressions/*.scm has one expression a line. A difference that we mean is a file
in known/: comment lines say why, then stand `;; ours: ` and `;; guile: ` with
what each answers, then the expression.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("differential_peers", HERE / "peers.py")
assert specification is not None and specification.loader is not None
peers = sys.modules["differential_peers"] = importlib.util.module_from_spec(specification)
specification.loader.exec_module(peers)

pytestmark = pytest.mark.skipif(shutil.which("guile") is None, reason="guile is not installed (Debian: guile-3.0)")

LINES = [
    (f"{file.stem}_{number}", line)
    for file in sorted((HERE / "expressions").glob("*.scm"))
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    if line and not line.startswith(";")
]
KNOWN = sorted((HERE / "known").glob("*.scm"))


def read_known(file: Path) -> tuple[str, str, str]:
    """(expression, ours, guile) of a file in known/; it has a reason."""
    text = file.read_text(encoding="utf-8")
    found = re.fullmatch(r"((?:;;[^\n]*\n)+?);; ours: ([^\n]*)\n;; guile: ([^\n]*)\n([^;\n][^\n]*)\n", text)
    assert found, f"{file.name} is not of the form that this module's docstring says"
    assert len(found.group(1)) > 30, f"{file.name} gives no reason"
    return found.group(4), found.group(2), found.group(3)


DIFFERENT = {read_known(file)[0]: read_known(file)[1:] for file in KNOWN}


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[str, str]]:
    """(ours, guile) by expression, of all of them in one batch."""
    expressions = sorted({line for _, line in LINES} | set(DIFFERENT))
    return dict(zip(expressions, zip(peers.ours(expressions), peers.guile(expressions), strict=True), strict=True))


@pytest.mark.parametrize("line", [line for _, line in LINES], ids=[name for name, _ in LINES])
def test_expression(line: str, answers: dict[str, tuple[str, str]]) -> None:
    if line not in DIFFERENT:
        ours, guile = answers[line]
        assert ours == guile, line


@pytest.mark.parametrize("file", KNOWN, ids=[file.stem for file in KNOWN])
def test_known_difference_is_still_one(file: Path, answers: dict[str, tuple[str, str]]) -> None:
    expression, ours, guile = read_known(file)
    assert ours != guile
    assert answers[expression] == (ours, guile)


# -- made programs ----------------------------------------------------------------------

INTEGERS = st.one_of(st.integers(-20, 20), st.integers(-(2**70), 2**70)).map(str)
RATIOS = st.fractions(max_denominator=50).filter(lambda q: abs(q) < 10**6).map(str)
REALS = st.floats(-1e6, 1e6).map(lambda x: repr(x) if "e" not in repr(x) else "0.5")


def exact_steps(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/", "max", "min", "="]), inner, inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        st.tuples(st.sampled_from(["abs", "floor", "round", "truncate", "numerator", "square"]), inner).map(
            "({0[0]} {0[1]})".format
        ),
        st.tuples(st.sampled_from(["quotient", "remainder", "modulo", "gcd"]), inner, inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        st.tuples(inner, inner, inner).map("(if (< {0[0]} {0[1]}) {0[2]} {0[0]})".format),
        st.tuples(inner, inner).map("(let ((x {0[0]})) (- {0[1]} x))".format),
    )


def inexact_steps(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-"]), inner, inner).map("({0[0]} {0[1]} {0[2]})".format),
        st.tuples(inner, inner).map("(* (inexact {0[0]}) (inexact {0[1]}))".format),  # known/exact-zero-times-flonum
        st.tuples(st.sampled_from(["abs", "floor", "round", "exact", "inexact", "-"]), inner).map(
            "({0[0]} {0[1]})".format
        ),
    )


def list_steps(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from(["reverse", "list-copy", "cdr", "length"]), inner).map("({0[0]} {0[1]})".format),
        st.tuples(inner, inner).map("(append {0[0]} {0[1]})".format),
        st.tuples(inner, inner).map("(cons {0[0]} {0[1]})".format),
        st.tuples(inner, inner).map("(map list {0[0]} {0[1]})".format),
        inner.map("(map (lambda (x) (if (pair? x) (car x) (list x))) {})".format),
        inner.map("(apply vector {})".format),
        inner.map("(vector->list (list->vector {}))".format),
        inner.map("(let loop ((l {}) (n 0)) (if (pair? l) (loop (cdr l) (+ n 1)) (list n l)))".format),
        st.tuples(inner, st.integers(0, 4)).map("(list-tail {0[0]} {0[1]})".format),
    )


ATOMS = st.sampled_from(["1", "-2/3", "a", '"s"', "#\\x", "#t", "()", "2.5"])
LISTS = st.lists(ATOMS, max_size=5).map(lambda atoms: f"'({' '.join(atoms)})")
PROGRAMS = st.one_of(
    st.recursive(st.one_of(INTEGERS, RATIOS), exact_steps, max_leaves=8),
    st.recursive(st.one_of(REALS, st.integers(1, 9).map(str)), inexact_steps, max_leaves=8),
    st.recursive(LISTS, list_steps, max_leaves=6),
)


@settings(max_examples=12, phases=[Phase.generate])  # a failure names its programs: nothing to shrink
@given(st.lists(PROGRAMS, min_size=40, max_size=40, unique=True))
def test_made_programs(programs: list[str]) -> None:
    wrong = [
        f"{program}\n  ours {mine}\n  guile {theirs}"
        for program, mine, theirs in zip(programs, peers.ours(programs), peers.guile(programs), strict=True)
        if mine != theirs
    ]
    assert wrong == []
