"""Campaigns: crashes survived, references, merged parts, the decorator, the plugin."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("hypothesis")

from chibi_bridge import HttpRequest, HttpResponse
from chibi_bridge.fuzz import Plan, Response, fuzz_over, given_tool, replay
from chibi_bridge.fuzz.runner import fuzz
from chibi_bridge.tools.tool import ToolResult

TOOLS = Path(__file__).parent / "tools"
EXAMPLES = Path(__file__).parents[2] / "scheme" / "examples"


def die_on_rome(request: HttpRequest) -> HttpResponse:
    """A transport that takes the engine's process with it."""
    if request.url.endswith("rome"):
        os.kill(os.getpid(), signal.SIGSEGV)
    return HttpResponse(404)


def test_a_crash_of_the_engine_is_a_finding_with_its_call(tmp_path: Path) -> None:
    report = fuzz(
        TOOLS / "correct" / "weather.scm", max_examples=40, seed=1, transport=die_on_rome, record=tmp_path
    )  # fmt: skip
    (finding,) = report.findings
    assert (finding.oracle, finding.arguments) == ("crash", {"city": "rome"})
    assert "SIGSEGV" in finding.message
    assert report.total > 5  # it went on
    assert (tmp_path / "last-input.txt").is_file()


def test_a_python_function_is_a_reference() -> None:
    def mean(arguments: dict[str, object]) -> object:
        numbers = sorted(arguments["numbers"])  # type: ignore[call-overload]
        return numbers[len(numbers) // 2]

    report = fuzz(TOOLS / "correct" / "median.scm", max_examples=80, seed=1, against=mean)
    assert [item.oracle for item in report.findings] == ["reference"]
    assert fuzz(TOOLS / "faulty" / "median.scm", max_examples=40, seed=1, against=mean).findings == []


def test_parts_of_a_campaign_are_merged() -> None:
    plan = Plan.of(TOOLS / "faulty" / "average.scm", ignore=frozenset({"returns"}))
    with ThreadPoolExecutor(2) as executor:
        report = fuzz_over(executor, plan, parts=2, max_examples=61, seed=5)
    assert report.total == 61
    assert [(item.oracle, item.arguments) for item in report.findings] == [("condition", {"numbers": []})]


def test_replay_says_what_is_wrong_with_one_call() -> None:
    late = [Response(failure="timeout").as_json()]
    assert replay(TOOLS / "correct" / "weather.scm", "weather", {"city": "oslo"}, responses=late) is None
    page = [Response(503, b"<html>").as_json()]
    verdict = replay(TOOLS / "faulty" / "weather.scm", "weather", {"city": "oslo"}, responses=page)
    assert verdict is not None
    assert verdict.oracle == "condition"


def test_a_value_of_an_enum_that_no_call_accepts_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "unit.scm"
    file.write_text(
        """(define-tool unit (description "x")
             (parameters '((u (type . "string") (enum "m" "km" "mi"))))
             (execute (lambda (args)
               (let ((u (cdr (assoc "u" args))))
                 (if (string=? u "mi") (error "no such unit" u) u)))))""",
        encoding="utf-8",
    )
    with_many = tmp_path / "many.scm"
    with_many.write_text(
        file.read_text(encoding="utf-8").replace("'((u", '\'((n (type . "integer")) (u'), encoding="utf-8"
    )
    (finding,) = fuzz(with_many, max_examples=200, seed=1).findings
    assert (finding.oracle, finding.arguments) == ("refusal", {"u": "mi"})


@given_tool(EXAMPLES / "text.scm", "slugify")
def test_slugs_have_no_capitals(args: dict[str, object], result: ToolResult) -> None:
    assert result.error is None
    assert result.text == result.text.lower()
    assert " " not in result.text


def test_the_plugin_collects_properties_and_examples(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nchibi_bridge_fuzz = true\nchibi_bridge_examples = 60\n")
    for name in ("split_bill.scm", "split_bill-props.scm", "to_roman.scm"):
        (tmp_path / name).write_bytes((TOOLS / "faulty" / name).read_bytes())
    command = [sys.executable, "-m", "pytest", "-p", "chibi_bridge.fuzz.pytest_plugin", "-p", "no:cacheprovider", "-v"]
    ran = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False)
    assert "split_bill-props.scm::nothing-is-lost FAILED" in ran.stdout, ran.stdout + ran.stderr
    assert "split_bill.scm::split_bill PASSED" in ran.stdout
    assert "to_roman.scm::to_roman FAILED" in ran.stdout
    assert "cents = 1" in ran.stdout
    assert "MCMLXLIV" in ran.stdout


def test_the_plugin_is_off_by_itself(tmp_path: Path) -> None:
    (tmp_path / "to_roman.scm").write_bytes((TOOLS / "faulty" / "to_roman.scm").read_bytes())
    command = [sys.executable, "-m", "pytest", "-p", "chibi_bridge.fuzz.pytest_plugin", "-p", "no:cacheprovider"]
    ran = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False)
    assert "no tests ran" in ran.stdout


def test_a_dask_cluster_of_two_shares_a_campaign() -> None:
    distributed = pytest.importorskip("distributed")
    plan = Plan.of(TOOLS / "faulty" / "average.scm", ignore=frozenset({"returns"}))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        report = fuzz_over(executor, plan, parts=2, max_examples=60, seed=5)
    assert [item.arguments for item in report.findings] == [{"numbers": []}]
