"""Every allocation of a scenario fails once, and from then on, in turn.

One failure is never seen: the engine collects and does the step again, with the
same value and the same fuel. If all fail, the run ends as out of memory, and the
context works on once there is memory again, or is only to be closed.
CHIBI_BRIDGE_TEST_SWEEP=1 tries every single one; else a few hundred are tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge import Context, ConversionError, Limits, MemoryExhausted, Policy

IMPORTS = """(import (scheme base) (scheme char) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy)
  (scheme read) (scheme write) (scheme case-lambda) (srfi 1) (srfi 69))"""
PROGRAMS = [
    pytest.param(text, text.splitlines()[0].removeprefix(";; => "), id=path.stem)
    for path in sorted((Path(__file__).parent / "programs").glob("*.scm"))
    for text in [path.read_text("utf-8")]
]
MEMORY = 8 << 20
NEVER = 1 << 60
POLICY = Policy(limits=Limits(fuel=None, timeout=60.0, memory=MEMORY))
TRIED = 10**9 if os.environ.get("CHIBI_BRIDGE_TEST_SWEEP") else 120


@pytest.fixture(scope="module")
def image() -> object:
    with Context(POLICY) as ctx:
        ctx.eval(IMPORTS)
        return ctx.freeze()


def allocations(image: object, program: str) -> tuple[int, int, str]:
    """How many allocations can be made to fail, the fuel used, the written value."""
    with image.instantiate(POLICY) as ctx:
        ctx._native.set_stress(MEMORY, 0, NEVER)
        before = ctx.stats()["fail_after"]
        value = ctx.eval_written(program)
        fuel = ctx._native.event.fuel_used
        return before - ctx.stats()["fail_after"], fuel, value


def chosen(count: int) -> Iterator[int]:
    """All of the first ones, then some."""
    first = TRIED // 2
    yield from range(1, min(count, first) + 1)
    if count > first:
        step = max(1, (count - first) // first)
        yield from range(first + 1, count + 1, step)


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_the_scenarios_are_right(image: object, program: str, expected: str) -> None:
    count, _, value = allocations(image, program)
    assert value == expected
    assert count > 20


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_one_failure_is_not_seen(image: object, program: str, expected: str) -> None:
    count, fuel, _ = allocations(image, program)
    for n in chosen(count):
        with image.instantiate(POLICY) as ctx:
            ctx._native.set_stress(MEMORY, 0, n)
            try:
                value = ctx.eval_written(program)
            except Exception as error:
                pytest.fail(f"allocation {n} of {count}: {error!r}")
            used = ctx._native.event.fuel_used
            assert (value, used) == (expected, fuel), f"allocation {n} of {count}"
            assert ctx.eval("(+ 1 2)") == 3


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_a_lasting_failure_is_out_of_memory(image: object, program: str, expected: str) -> None:
    count, _, _ = allocations(image, program)
    for n in chosen(count):
        with image.instantiate(POLICY) as ctx:
            ctx._native.set_stress(MEMORY, 0, n, persist=True)
            usable = True
            try:
                assert ctx.eval_written(program) == expected, f"allocation {n} of {count}"
            except MemoryExhausted as error:
                usable = error.usable
            except ConversionError:
                pass  # no memory to pack the value
            ctx._native.set_stress(MEMORY, 0)
            if usable:
                assert ctx.eval("(+ 1 2)") == 3, f"allocation {n} of {count}"
