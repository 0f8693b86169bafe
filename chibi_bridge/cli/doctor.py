"""chibi-bridge doctor"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

import click

from chibi_bridge._native.lib import BOOT_IMAGE, version
from chibi_bridge.cli.common import DONE, FAILED, finish
from chibi_bridge.cli.probes import PROBES, Finding, examine
from chibi_bridge.context import Context
from chibi_bridge.host.libraries import scheme_root, shipped_names

ALIVE = 100
"""Contexts alive at once while one is timed."""


@click.command("doctor", epilog="Example: chibi-bridge doctor --json")
@click.option("--json", "as_json", is_flag=True, help="Everything as one JSON document.")
def command(as_json: bool) -> None:
    """Prove on this machine that every limit fires, and show what the engine takes."""
    facts = {**build(), **times()}
    findings = findings_shown(not as_json)
    if as_json:
        click.echo(json.dumps({"facts": facts, "probes": [asdict(finding) for finding in findings]}, indent=2))
    else:
        show_facts(facts.items())
    finish(FAILED if any(finding.problem for finding in findings) else DONE)


def findings_shown(shown: bool) -> list[Finding]:
    """Every probe's finding, each printed as soon as it is known."""
    findings = []
    for probe in PROBES:
        finding = examine(probe)
        findings.append(finding)
        if shown:
            show_finding(finding)
    return findings


def show_finding(finding: Finding) -> None:
    """One line of the table."""
    verdict = "ok   " if finding.problem is None else "wrong"
    click.echo(f"{verdict} {finding.name:32} {finding.ended:16} {finding.seconds * 1e3:8.1f} ms")
    if finding.problem is not None:
        click.echo(f"      {finding.problem}")


def show_facts(facts: Iterable[tuple[str, str]]) -> None:
    """The build and the times, a line each."""
    click.echo()
    for name, value in facts:
        click.echo(f"{name:24} {value}")


def build() -> dict[str, str]:
    """What is installed."""
    return {
        "python": platform.python_version(),
        "engine": version(),
        "boot image": f"{BOOT_IMAGE.stat().st_size:,} bytes",
        "libraries": f"{len(shipped_names())} in {scheme_root()}",
    }


def times() -> dict[str, str]:
    """What the common steps take here, each the best of several."""
    alive = [Context() for _ in range(ALIVE)]
    with Context() as context:
        context.define("ping", int)
        increment: Any = context.eval("(lambda (x) (+ x 1))")
        ask: Any = context.eval("(lambda () (ping))")
        facts = {
            "a context": microseconds(lambda: alive.append(Context())),
            "memory of a context": f"{alive[-1].stats()['used'] / 1024:.1f} KB",
            "(+ 1 2) by eval": microseconds(lambda: context.eval("(+ 1 2)")),
            "a call from Python": microseconds(lambda: increment(1)),
            "a call there and back": microseconds(ask),
        }
    for context in alive:
        context.close()
    return facts


def microseconds(step: Callable[[], object], count: int = 200, rounds: int = 5) -> str:
    """The time of one step, as the best round has it."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            step()
        best = min(best, time.perf_counter() - start)
    return f"{best / count * 1e6:.2f} us"
