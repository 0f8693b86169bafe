"""Collections, slices and pauses change nothing: same value, same output, same fuel."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge import Context, Done, Failed, Limits, Paused, Policy, SchemeError

ROOT = Path(__file__).resolve().parent.parent
EVERY = int(os.environ.get("CHIBI_BRIDGE_TEST_SLICES_EVERY", "1"))
CASES = [json.loads(line) for line in (ROOT / "conformance" / "scheme.jsonl").read_text("utf-8").splitlines()]
PRELUDE = (
    "(import (scheme base) (scheme char) (scheme complex) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy)"
    " (scheme read) (scheme write) (scheme case-lambda) (scheme process-context))"
)
PROGRAMS = [
    pytest.param(path.read_text("utf-8"), id=path.stem) for path in sorted((ROOT / "stress" / "programs").glob("*.scm"))
] + [pytest.param(case["code"], id=case["id"]) for case in CASES[::EVERY]]
POLICY = Policy(modules="all", limits=Limits(fuel=100_000_000, timeout=120.0, memory=64 << 20))


@pytest.fixture(scope="module")
def image() -> object:
    with Context(POLICY) as ctx:
        ctx.eval(PRELUDE)
        ctx.eval("(import (srfi 1) (srfi 69))")
        return ctx.freeze()


def outcome(ctx: Context, program: str) -> tuple[str, str, int]:
    """Kind, value or message, and fuel."""
    try:
        text = ctx.eval_written(program)
    except SchemeError as error:
        return type(error).__name__, error.message, ctx._native.event.fuel_used
    return "value", text, ctx._native.event.fuel_used


@pytest.fixture
def fresh(image: object) -> Iterator[Context]:
    with image.instantiate(POLICY) as ctx:
        yield ctx


@pytest.mark.parametrize("program", PROGRAMS)
def test_collecting_everywhere_changes_nothing(image: object, fresh: Context, program: str) -> None:
    plain = outcome(fresh, program)
    with image.instantiate(POLICY) as ctx:
        ctx._native.set_stress(64 << 20, 1 if plain[2] < 20_000 else 13)
        assert outcome(ctx, program) == plain


@pytest.mark.parametrize("program", PROGRAMS)
def test_slices_of_one_unit_change_nothing(image: object, fresh: Context, program: str) -> None:
    try:
        plain: object = fresh.run(program)
    except SchemeError as error:
        plain = error
    fuel = fresh._native.event.fuel_used
    with image.instantiate(POLICY) as ctx:
        run = ctx.start(program)
        step: object = Paused()
        while isinstance(step, Paused):
            step = run.advance(fuel=1 if fuel < 20_000 else 977)
        assert ctx._native.event.fuel_used == fuel
        if isinstance(plain, SchemeError):
            assert isinstance(step, Failed)
            assert str(step.error).splitlines()[0] == str(plain).splitlines()[0]
        else:
            assert isinstance(step, Done)
            assert (repr(step.value), run.stdout, run.stderr) == (repr(plain.value), plain.stdout, plain.stderr)
