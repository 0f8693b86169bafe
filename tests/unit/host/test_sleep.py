"""Threads that sleep let the host wait, and that counts against the run's time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

import pytest

from chibi_bridge import Context, Limits, Policy, RunTimeout, SchemeError

THREADS = "(import (srfi 18))"


def test_a_sleep_takes_its_time(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy())
    start = monotonic()
    ctx.eval(f"{THREADS} (thread-sleep! 0.05)")
    assert monotonic() - start >= 0.05


def test_a_sleep_that_outlasts_the_run_is_refused_at_once(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(limits=Limits(timeout=5.0)))
    start = monotonic()
    with pytest.raises(SchemeError, match="outlasts the time") as caught:
        ctx.eval(f"{THREADS} (thread-sleep! 60)")
    assert not isinstance(caught.value, RunTimeout)
    assert monotonic() - start < 2
    assert ctx.eval("(+ 1 2)") == 3


def test_with_a_seed_time_passes_by_sleeping_only(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(seed=1))
    start = monotonic()
    ctx.eval(f"{THREADS} (import (scheme time)) (define s (current-second)) (define j (current-jiffy))")
    ctx.eval("(thread-sleep! 3)")
    assert ctx.eval("(- (current-second) s)") == 3.0
    assert ctx.eval("(- (current-jiffy) j)") == 3_000_000_000
    assert monotonic() - start < 2


def test_on_an_event_loop_others_go_on_meanwhile(make_context: Callable[..., Context]) -> None:
    async def both() -> list[str]:
        order: list[str] = []

        async def sleeper() -> None:
            await make_context(Policy()).eval_async(f"{THREADS} (thread-sleep! 0.2)")
            order.append("slept")

        async def other() -> None:
            await asyncio.sleep(0.01)
            order.append("other")

        await asyncio.gather(sleeper(), other())
        return order

    assert asyncio.run(both()) == ["other", "slept"]


def test_threads_go_on_in_a_later_run(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy())
    ctx.eval(f"{THREADS} (define t (thread-start! (make-thread (lambda () (thread-yield!) 'done))))")
    assert str(ctx.eval("(thread-join! t)")) == "done"


def test_a_nested_run_has_threads_of_its_own(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy())
    ctx.define("inner", lambda: ctx.eval("(thread-join! (thread-start! (make-thread (lambda () 7))))"))
    program = f"""{THREADS}
    (define me (current-thread))
    (define t (thread-start! (make-thread (lambda () (inner)))))
    (define result (thread-join! t))
    (list result (eq? me (current-thread)))"""
    assert ctx.eval(program) == [7, True]
