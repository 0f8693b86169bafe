"""Timeouts, interrupts and signals reach single pieces of long work."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine

import pytest

from chibi_bridge import Context, Interrupted, Limits, Paused, Policy, RunTimeout

ENDLESS = [
    pytest.param("(string-length (number->string (expt 7 5000000)))", id="digits"),
    pytest.param("(define n (expt 3 8000000)) (* n n n)", id="product"),
    pytest.param("(define n (expt 3 4000000)) (quotient (* n n) (+ n 7))", id="quotient"),
    pytest.param("(exact-integer-sqrt (expt 3 5000000))", id="root"),
    pytest.param("(define a (list 1 2 3)) (set-cdr! (cddr a) a) (list-tail a (expt 10 18))", id="list"),
    pytest.param("(define-syntax m (syntax-rules () ((_ (a ...)) (m (a ... a ...))))) (m (1))", id="macro"),
    pytest.param("(let ((k (call/cc (lambda (c) c)))) (k k))", id="throws"),
]


def make(make_context: Callable[..., Context], timeout: float | None) -> Context:
    return make_context(Policy(limits=Limits(fuel=None, timeout=timeout, memory=1 << 30)))


@pytest.mark.parametrize("program", ENDLESS)
def test_a_timeout_ends_long_work(make_context: Callable[..., Context], program: str) -> None:
    ctx = make(make_context, 0.2)
    start = time.monotonic()
    with pytest.raises(RunTimeout):
        ctx.eval(program)
    assert time.monotonic() - start < 1.5
    assert ctx.eval("(+ 1 2)") == 3


def test_an_interrupt_ends_long_work(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, None)
    timer = threading.Timer(0.2, ctx.interrupt)
    timer.start()
    with pytest.raises(Interrupted):
        ctx.eval("(string-length (number->string (expt 7 5000000)))")
    timer.join()
    assert ctx.eval("(+ 1 2)") == 3


def test_long_work_that_ends_gives_its_value(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, 60.0)
    assert ctx.eval("(string-length (number->string (expt 7 300000)))") == 253530


def test_a_stepped_run_goes_through_long_work(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, 60.0)
    run = ctx.start("(string-length (number->string (expt 7 100000)))")
    step = run.advance(fuel=100)
    while isinstance(step, Paused):
        step = run.advance(fuel=100_000)
    assert step.value == 84510


def test_control_c_ends_long_work(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, None)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background starts without it
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            ctx.eval("(string-length (number->string (expt 7 5000000)))")
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert ctx.eval("(+ 1 2)") == 3


async def ticks_during(work: Coroutine[object, object, object]) -> tuple[object, int]:
    """How the work ended, and how often the loop came round meanwhile."""
    task, ticks = asyncio.ensure_future(work), 0
    while not task.done():
        await asyncio.sleep(0.005)
        ticks += 1
    return task.exception() or task.result(), ticks


def test_long_work_leaves_the_event_loop_alone(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, 0.3)
    ended, ticks = asyncio.run(ticks_during(ctx.eval_async("(string-length (number->string (expt 7 5000000)))")))
    assert isinstance(ended, RunTimeout)
    assert ticks > 10
    assert ctx.eval("(+ 1 2)") == 3


def test_a_cancelled_task_ends_long_work(make_context: Callable[..., Context]) -> None:
    ctx = make(make_context, None)

    async def cancel_soon() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(ctx.eval_async("(string-length (number->string (expt 7 5000000)))"), 0.2)

    asyncio.run(cancel_soon())
    assert ctx.eval("(+ 1 2)") == 3
