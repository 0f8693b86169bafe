"""Recorded runs are had again exactly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, Done, HostCall, Policy, ReplayError, SchemeError, Trace

PROGRAM = """
(define (ask n) (guard (e (#t (list 'failed (error-object-message e)))) (roll n)))
(list (ask 1) (ask 2) (random-integer 1000000))
"""


def roll(n: int) -> object:
    if n == 2:
        raise OSError("no dice")
    return {"n": [n, 0.5, "text"]}


def record(ctx: Context) -> tuple[Trace, object]:
    ctx.define("roll", roll)
    ctx.import_("(srfi 27)")
    trace = Trace({"who": "me"})
    with trace.recording(ctx):
        return trace, ctx.run(PROGRAM)


def replay(ctx: Context, trace: Trace, **options: object) -> object:
    ctx.define_host("roll")
    ctx.import_("(srfi 27)")
    with trace.replaying(ctx, **options):  # type: ignore[arg-type]
        return ctx.run(PROGRAM)


@pytest.fixture
def other(make_context: Callable[..., Context]) -> Context:
    return make_context()


def test_value_and_fuel_are_the_same_again(ctx: Context, other: Context, tmp_path: Path) -> None:
    trace, first = record(ctx)
    trace.save(tmp_path / "t")
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o600
    read = Trace.load(tmp_path / "t")
    assert read == trace
    again = replay(other, read)
    assert (again.value, again.fuel_used) == (first.value, first.fuel_used)
    assert first.value[0] == [["n", 1, 0.5, "text"]]
    assert "no dice" in str(first.value[1])


def test_another_program_is_a_replay_error_that_no_guard_catches(ctx: Context, other: Context) -> None:
    trace, _ = record(ctx)
    other.define_host("roll")
    message = r"step 1 was roll \(1\), and the program asks for roll \(7\)"
    with pytest.raises(ReplayError, match=message), trace.replaying(other):
        other.eval("(guard (e (#t 'caught)) (roll 7))")
    with pytest.raises(ReplayError, match=r"run 1 used .* units"), trace.replaying(other):
        other.eval("(roll 1)")
    with pytest.raises(ReplayError, match="ended before step 1"), trace.replaying(other):
        other.eval("1")
    empty = Trace()
    with pytest.raises(ReplayError, match=r"one more: roll \(1\)"), empty.replaying(other):
        other.eval("(roll 1)")


def test_other_fuel_is_a_replay_error(ctx: Context, other: Context) -> None:
    trace, _ = record(ctx)
    trace.fuel = [units + 1 for units in trace.fuel]
    with pytest.raises(ReplayError, match="units of fuel"):
        replay(other, trace)


def test_a_replay_stops_at_a_step(ctx: Context, other: Context) -> None:
    trace, _ = record(ctx)
    seen = []
    replay(other, trace, stop=2, at_stop=lambda context, step: seen.append((step, context.where())))
    assert [(step.op, step.args, step.failed) for step, _ in seen] == [("roll", "(2)", True)]
    assert any("<eval 1>:2" in str(frame) or "<eval 1>:3" in str(frame) for frame in seen[0][1])


def test_what_is_answered_by_hand_is_recorded_too(ctx: Context, other: Context) -> None:
    for context in (ctx, other):
        context.define_host("ask")
    trace = Trace()
    with trace.recording(ctx):
        run = ctx.start("(list (ask 1) (guard (e (#t 'no)) (ask 2)))")
        assert run.advance() == HostCall("ask", [1])
        run.resume("one")
        run.advance()
        run.fail(ValueError("two"))
        assert isinstance(run.advance(), Done)
    with trace.replaying(other):
        assert other.start("(list (ask 1) (guard (e (#t 'no)) (ask 2)))").advance() == Done(["one", "no"])


def test_async_answers_are_recorded(ctx: Context, other: Context) -> None:
    async def later() -> int:
        return 5

    ctx.define("later", later)
    other.define_host("later")
    trace = Trace()
    with trace.recording(ctx):
        assert asyncio.run(ctx.eval_async("(later)")) == 5
    with trace.replaying(other):
        assert other.eval("(later)") == 5


def test_a_python_object_cannot_be_recorded(ctx: Context) -> None:
    ctx.define("thing", object)
    with pytest.raises((SchemeError, ValueError), match="cannot be recorded"), Trace().recording(ctx):
        ctx.eval("(thing)")


def test_a_callback_into_the_context_breaks_the_recording(ctx: Context, other: Context) -> None:
    ctx.define("twice", lambda f: f() + f())
    trace = Trace()
    with trace.recording(ctx):
        assert ctx.eval("(twice (lambda () (call/cc (lambda (k) (k 2)))))") == 4
    with pytest.raises(ReplayError, match="called back"), trace.replaying(other):
        other.eval("1")


@pytest.mark.parametrize("text", ["", "{}", "x", '{"chibi_bridge": 1}\n{}\n{"fuel": []}', "\udc80"])
def test_damaged_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ReplayError, match="damaged"):
        Trace.load(file)


def test_one_trace_at_a_time(ctx: Context) -> None:
    with Trace().recording(ctx), pytest.raises(RuntimeError, match="already"), Trace().recording(ctx):
        pass


def test_a_frozen_clock_and_seed_need_no_host(make_context: Callable[..., Context]) -> None:
    policy = Policy(seed=7)
    texts = []
    for _ in range(2):
        context = make_context(policy)
        trace = Trace()
        with trace.recording(context):
            texts.append(
                (
                    context.eval("(import (srfi 27) (scheme time)) (list (random-integer 1000) (current-second))"),
                    trace.steps,
                )
            )
    assert texts[0] == texts[1]
