"""Putting a run away at every pause changes nothing: same value, same output, same fuel."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge import Context, Done, Failed, Image, Limits, Paused, Policy, Run, SchemeError

ROOT = Path(__file__).resolve().parent.parent
EVERY = int(os.environ.get("CHIBI_BRIDGE_TEST_SNAPSHOTS_EVERY", "1"))
MOST = 60
"""Snapshots of one program."""
CASES = [json.loads(line) for line in (ROOT / "conformance" / "scheme.jsonl").read_text("utf-8").splitlines()]
PRELUDE = (
    "(import (scheme base) (scheme char) (scheme complex) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy)"
    " (scheme read) (scheme write) (scheme case-lambda) (scheme process-context) (srfi 1) (srfi 69))"
)
PROGRAMS = [
    pytest.param(path.read_text("utf-8"), id=path.stem) for path in sorted((ROOT / "stress" / "programs").glob("*.scm"))
] + [pytest.param(case["code"], id=case["id"]) for case in CASES[::EVERY]]
POLICY = Policy(modules="all", limits=Limits(fuel=100_000_000, timeout=120.0, memory=64 << 20))


@pytest.fixture(scope="module")
def image() -> Image:
    with Context(POLICY) as ctx:
        ctx.eval(PRELUDE)
        return ctx.freeze()


@pytest.fixture
def fresh(image: Image) -> Iterator[Context]:
    with image.instantiate(POLICY) as ctx:
        yield ctx


def stepped(run: Run, sizes: random.Random, fuel: int) -> tuple[object, Run]:
    """Advance by random slices; at each pause the run goes through bytes."""
    least = max(1, fuel // MOST)
    while isinstance(step := run.advance(fuel=sizes.randint(least, 3 * least)), Paused):
        data = run.snapshot()
        if run._context.owned:
            run.close()
        run = Run.restore(data, POLICY)
    return step, run


@pytest.mark.parametrize("program", PROGRAMS)
def test_snapshots_change_nothing(image: Image, fresh: Context, program: str) -> None:
    try:
        plain: object = fresh.run(program)
    except SchemeError as error:
        plain = error
    fuel = fresh._native.event.fuel_used
    with image.instantiate(POLICY) as ctx:
        step, run = stepped(ctx.start(program), random.Random(program), fuel)
        assert run.fuel_used == fuel
        if isinstance(plain, SchemeError):
            assert isinstance(step, Failed)
            assert str(step.error).splitlines()[0] == str(plain).splitlines()[0]
            assert (run.stdout, run.stderr) == (plain.stdout, plain.stderr)
        else:
            assert isinstance(step, Done)
            assert (repr(step.value), run.stdout, run.stderr) == (repr(plain.value), plain.stdout, plain.stderr)
        run.close()
