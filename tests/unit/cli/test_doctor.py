"""chibi-bridge doctor: every probe ends as it must, and one that does not is told."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from chibi_bridge import FuelExhausted, Limits
from chibi_bridge.cli import doctor, group, probes
from chibi_bridge.cli.probes import PROBES, Probe, examine


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_probe(probe: Probe) -> None:
    finding = examine(probe)
    # The times are the doctor's own to judge; a busy machine may be late.
    assert finding.problem is None or "took" in finding.problem
    assert finding.seconds < 30


def test_a_wrong_end_is_a_problem() -> None:
    finding = examine(Probe("one", "1", (FuelExhausted,)))
    assert finding.problem == "ended with a value, not FuelExhausted"
    finding = examine(Probe("two", "(car 1)", (FuelExhausted,)))
    assert finding.problem == "ended with WrongType, not FuelExhausted"


def test_a_late_end_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "GRACE", -1.0)
    finding = examine(Probe("late", "(let loop () (loop))", (FuelExhausted,), Limits(fuel=1000, timeout=0.5)))
    assert finding.problem is not None and "with a timeout of 0.50 s" in finding.problem


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBES", PROBES[:1])
    result = CliRunner().invoke(group, ["doctor"])
    assert result.exit_code == 0, result.stdout
    assert result.stdout.startswith("ok    fuel")
    assert "a call there and back" in result.stdout


def test_a_problem_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBES", (Probe("value", "1", (FuelExhausted,)),))
    result = CliRunner().invoke(group, ["doctor", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["probes"][0]["problem"] == "ended with a value, not FuelExhausted"
