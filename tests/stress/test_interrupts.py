"""A run may be interrupted or dropped anywhere: its context goes on as if it had never been."""

from __future__ import annotations

from pathlib import Path

import pytest

from chibi_bridge import Context, Done, Failed, Interrupted, Limits, Paused, Policy, Run, SchemeError

PROGRAMS = sorted((Path(__file__).resolve().parent / "programs").glob("*.scm"))
POLICY = Policy(modules="all", limits=Limits(fuel=100_000_000, timeout=120.0, memory=64 << 20))
LEFTOVERS = ("threads",)
"""Programs whose threads go on in the context's next run, as at a prompt: they see another order."""
POINTS = 120
"""Places of a program where it is stopped: the first ones each, then evenly spread."""


@pytest.fixture(scope="module")
def image() -> object:
    with Context(POLICY) as ctx:
        ctx.eval("(import (srfi 1) (srfi 69))")
        return ctx.freeze()


def outcome(ctx: Context, program: str) -> tuple[str, int]:
    """What the program gives, and its fuel."""
    try:
        done = ctx.run(program)
    except SchemeError as error:
        return error.message, error.fuel_used
    return repr(done.value), done.fuel_used


def points(fuel: int) -> list[int]:
    first = range(1, min(fuel, POINTS // 3))
    return sorted({*first, *range(1, fuel, max(1, fuel // POINTS))})


def stopped_at(ctx: Context, program: str, fuel: int) -> Run | None:
    """The run after that much fuel, None where it has ended by then."""
    run = ctx.start(program)
    return run if isinstance(run.advance(fuel=fuel), Paused) else None


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("how", ["interrupt", "abandon"])
def test_a_run_ends_anywhere(image: object, path: Path, how: str) -> None:
    program = path.read_text("utf-8")
    with image.instantiate(POLICY) as ctx:
        wanted, fuel = outcome(ctx, program)
    ends = 0
    for index, at in enumerate(points(fuel)):
        with image.instantiate(POLICY) as ctx:
            run = stopped_at(ctx, program, at)
            if run is None:
                continue
            ends += 1
            if how == "abandon":
                run.abandon()
            else:
                run.interrupt()
                step = run.advance()
                assert isinstance(step, Failed)
                assert isinstance(step.error, Interrupted)
            assert ctx.start("(+ 1 2)").advance() == Done(3)
            if index % 10 == 0:
                again = outcome(ctx, program)[0]
                assert again == wanted or path.stem in LEFTOVERS
    assert ends > 5
