"""run --trace and replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chibi_bridge.cli import group

TOOL = """
(import (scheme process-context) (srfi 27) (scheme time))
(define (helper name)
  (let ((found (get-environment-variable name)))
    (list name found)))
(define-tool probe
  (description "Look at the host.")
  (category "memory")
  (parameters '((name . ((type . "string") (description . "A variable")))))
  (execute (lambda (args)
    (display "looking")
    (list (helper (cdr (assoc "name" args))) (random-integer 1000000000) (exact (floor (current-second)))))))
"""


def cli(*arguments: str) -> Result:
    return CliRunner().invoke(group, list(arguments))


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    (tmp_path / "probe.scm").write_text(TOOL, encoding="utf-8")
    made = tmp_path / "probe.trace"
    result = cli("run", str(tmp_path / "probe.scm"), "--arg", "name=TEIN_SANDBOX", "--trace", str(made))
    assert result.exit_code == 0, result.output
    assert '("TEIN_SANDBOX" "true")' in result.stdout
    (tmp_path / "probe.scm").unlink()  # the recording has all that a replay needs
    return made


def test_the_same_result_and_fuel_again(trace: Path) -> None:
    recorded = json.loads(trace.read_text("utf-8").splitlines()[0])["about"]["text"]
    first, second = cli("replay", str(trace)), cli("replay", str(trace))
    assert first.exit_code == 0, first.output
    assert first.stdout.rstrip("\n") == recorded == second.stdout.rstrip("\n")
    assert "units of fuel" in first.stderr


def test_a_replay_stops_at_a_step_and_shows_where(trace: Path) -> None:
    steps = cli("replay", str(trace), "--list").stdout.splitlines()
    number = next(line.split()[0] for line in steps if "TEIN_SANDBOX" in line)
    result = cli("replay", str(trace), "--step", number)
    assert result.exit_code == 0, result.output
    assert "TEIN_SANDBOX" in result.stdout.splitlines()[0]
    assert "helper" in result.stdout
    assert "probe.scm:4" in result.stdout
    assert cli("replay", str(trace), "--step", "1000").exit_code == 1


def test_another_result_is_told(trace: Path) -> None:
    lines = trace.read_text("utf-8").splitlines()
    head = json.loads(lines[0])
    head["about"]["text"] = "else"
    trace.write_text("\n".join([json.dumps(head), *lines[1:]]), encoding="utf-8")
    result = cli("replay", str(trace))
    assert result.exit_code == 1
    assert "the result differs; it was: else" in result.stderr


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("nonsense", encoding="utf-8")
    result = cli("replay", str(file))
    assert result.exit_code == 1
    assert "damaged" in result.stderr
    assert cli("replay", str(tmp_path / "none")).exit_code == 2
