"""Runs that somebody steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Context, Done, Failed, FuelExhausted, HostCall, Limits, Paused, Policy, WrongType


def test_a_run_hands_out_what_nobody_answers(ctx: Context) -> None:
    ctx.define_host("fetch")
    run = ctx.start('(string-append "<" (fetch "u" 1) ">")')
    assert run.advance() == HostCall("fetch", ["u", 1])
    run.resume("text")
    assert run.advance() == Done("<text>")


def test_a_failure_can_be_caught(ctx: Context) -> None:
    ctx.define_host("fetch")
    run = ctx.start("(guard (e (#t 'caught)) (fetch))")
    run.advance()
    run.fail(OSError("no"))
    assert run.advance() == Done("caught")


def test_an_uncaught_failure_is_that_exception(ctx: Context) -> None:
    ctx.define_host("fetch")
    run = ctx.start("(fetch)")
    run.advance()
    trouble = OSError("no")
    run.fail(trouble)
    step = run.advance()
    assert isinstance(step, Failed)
    assert step.error is trouble


def test_a_run_pauses_and_goes_on(ctx: Context) -> None:
    run = ctx.start("(let loop ((i 0)) (if (< i 100000) (loop (+ i 1)) i))")
    pauses = 0
    while isinstance(step := run.advance(fuel=5_000), Paused):
        pauses += 1
    assert step == Done(100_000)
    assert pauses > 3


def test_limits_hold_for_the_whole_run(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(limits=Limits(fuel=50_000)))
    run = ctx.start("(let loop () (loop))")
    for _ in range(100):
        step = run.advance(fuel=5_000)
        if not isinstance(step, Paused):
            break
    assert isinstance(step, Failed)
    assert isinstance(step.error, FuelExhausted)


def test_a_procedure_can_be_started(ctx: Context) -> None:
    assert ctx.start(ctx["+"], 1, 2).advance() == Done(3)


def test_an_error_ends_a_run(ctx: Context) -> None:
    run = ctx.start("(car 5)")
    step = run.advance()
    assert isinstance(step, Failed)
    assert isinstance(step.error, WrongType)
    with pytest.raises(RuntimeError, match="ended"):
        run.advance()


def test_callables_are_answered_by_themselves_or_handed_out(ctx: Context) -> None:
    ctx.define("f", lambda x: x + 1)
    assert ctx.start("(f 1)").advance() == Done(2)
    run = ctx.start("(f 1)")
    assert run.advance(auto=False) == HostCall("f", [1])
    with pytest.raises(RuntimeError, match="resume or fail"):
        run.advance()
    run.abandon()


def test_runs_of_one_context_wait_for_each_other(ctx: Context) -> None:
    ctx.define_host("ask")
    one, two = ctx.start("(list 1 (ask))"), ctx.start("(list 2 (ask))")
    one.advance()
    two.advance()
    one.resume("a")
    two.resume("b")
    assert two.advance() == Done([2, "b"])
    assert one.advance() == Done([1, "a"])


def test_answers_need_a_question(ctx: Context) -> None:
    run = ctx.start("1")
    with pytest.raises(RuntimeError, match="answer"):
        run.resume(1)
    assert run.advance() == Done(1)
