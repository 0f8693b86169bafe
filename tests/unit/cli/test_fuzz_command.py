"""chibi-bridge fuzz: its exit codes and what it prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("hypothesis")
TOOLS = Path(__file__).parents[2] / "fuzzing" / "tools"


def cli(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chibi_bridge", "fuzz", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_fault_comes_with_its_smallest_call_and_a_test_of_it(tmp_path: Path) -> None:
    ran = cli(TOOLS / "faulty" / "average.scm", "--max-examples", 60, "--seed", 1, "--record", tmp_path)
    assert ran.returncode == 1, ran.stderr
    assert "division by zero" in ran.stdout
    assert """average --args '{"numbers": []}'""" in ran.stdout
    (test,) = tmp_path.glob("test_*.py")
    again = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)], capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert again.returncode == 1
    assert "division by zero" in again.stdout


def test_no_finding_is_0_and_the_report_is_json() -> None:
    ran = cli(TOOLS / "correct" / "average.scm", "average", "--max-examples", 30, "--seed", 2, "--json")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (report["examples"], report["findings"], report["seed"]) == (30, [], 2)


def test_time_that_runs_out_is_0_and_says_how_many_ran() -> None:
    ran = cli(TOOLS / "correct" / "average.scm", "--max-examples", 1_000_000, "--time", "2s")
    assert ran.returncode == 0, ran.stderr
    assert "(out of time)" in ran.stdout
    assert "examples in" in ran.stdout


@pytest.mark.parametrize("text", ["(define", "(define-tool t)", "(import (tein none))", "(car '())"])
def test_a_file_that_does_not_load_is_2(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.scm"
    file.write_text(text, encoding="utf-8")
    ran = cli(file)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")


@pytest.mark.parametrize("words", [["none.scm"], [TOOLS / "correct" / "average.scm", "nope"],
                                   [TOOLS / "correct" / "average.scm", "--time", "soon"],
                                   [TOOLS / "correct" / "average.scm", "--ignore", "luck"],
                                   [TOOLS / "correct" / "average.scm", "--executor", "abacus"]])  # fmt: skip
def test_misuse_is_2(words: list[object]) -> None:
    ran = cli(*words)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
