"""Fixtures: a fresh context; with CHIBI_BRIDGE_TEST_STRESS=N it collects at every Nth safepoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from chibi_bridge import Context, Limits, Policy
from chibi_bridge._native import _engine

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck)
)
settings.register_profile("long", deadline=None, max_examples=5_000, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

STRESS = int(os.environ.get("CHIBI_BRIDGE_TEST_STRESS", "0"))
ROOT = Path(__file__).resolve().parent.parent


SANITIZED = "CHIBI_BRIDGE_TEST_SANITIZED" in os.environ


def pytest_sessionstart() -> None:
    """A run that says it is sanitized has to be: the engine refers to ASan, and ASan is here."""
    if SANITIZED:
        library = Path(_engine.__file__)
        loaded = Path("/proc/self/maps").read_text(encoding="utf-8")
        if str(library) not in loaded or "libasan" not in loaded or b"__asan_init" not in library.read_bytes():
            raise pytest.UsageError(f"{library} is not an engine under ASan")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Leave "passed failed" in the file CHIBI_BRIDGE_TEST_TALLY, for tests/jobs.sh to add up."""
    worker = hasattr(terminalreporter.config, "workerinput")  # of pytest-xdist: its parent counts
    if "CHIBI_BRIDGE_TEST_TALLY" in os.environ and not worker:
        counts = {name: len(terminalreporter.stats.get(name, [])) for name in ("passed", "failed", "error")}
        with Path(os.environ["CHIBI_BRIDGE_TEST_TALLY"]).open("a", encoding="ascii") as file:
            file.write(f"{counts['passed']} {counts['failed'] + counts['error']}\n")


@pytest.fixture
def make_context() -> Iterator[Callable[..., Context]]:
    """Makes contexts and closes them afterwards."""
    made: list[Context] = []

    def make(policy: Policy | None = None, **options: object) -> Context:
        context = Context(policy, **options)  # type: ignore[arg-type]
        made.append(context)
        if STRESS:
            context._native.set_stress(context.policy.limits.memory, STRESS)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def ctx(make_context: Callable[..., Context]) -> Context:
    """A context with the default policy."""
    return make_context()


@pytest.fixture
def generous(make_context: Callable[..., Context]) -> Context:
    """A context with every library and much fuel."""
    return make_context(Policy(modules="all", limits=Limits(fuel=200_000_000, timeout=20.0, memory=256 << 20)))


@pytest.fixture
def data() -> Path:
    """The folder of input files."""
    return ROOT / "tests" / "data"


@pytest.fixture
def examples() -> Path:
    """The folder of example tools."""
    return ROOT / "scheme" / "examples"
