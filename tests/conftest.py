"""Fixtures: a fresh context; with CHIBI_BRIDGE_TEST_STRESS=N it collects at every Nth safepoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from chibi_bridge import Context, Limits, Policy

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck)
)
settings.register_profile("long", deadline=None, max_examples=5_000, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

STRESS = int(os.environ.get("CHIBI_BRIDGE_TEST_STRESS", "0"))
ROOT = Path(__file__).resolve().parent.parent


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
