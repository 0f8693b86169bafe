"""Where a suspended run stands, and what its variables hold."""

from __future__ import annotations

import pytest

from chibi_bridge import Context, Done, Location, Paused, Run


def shown(run: Run) -> list[str]:
    return [str(frame) for frame in run.backtrace()]


def test_a_waiting_run_shows_its_frames_and_variables(ctx: Context) -> None:
    ctx.define_host("ask")
    program = "(define (f x)\n  (let ((y (* 2 x)) (z (list x)))\n    (list (g y) y z)))\n(define (g n) (+ n (ask)))\n(list (f 21))"
    run = ctx.start(program)
    run.advance()
    inner, outer, *rest = run.backtrace()
    assert (inner.name, inner.location, inner.locals) == ("g", Location("<eval 1>", 4, 20), {"n": "42"})
    assert (outer.name, outer.location, outer.locals) == ("f", Location("<eval 1>", 3, 11), {"y": "42", "z": "(21)"})
    assert [frame.locals for frame in rest] == [{}] * len(rest)
    run.resume(1)
    assert run.advance() == Done([[43, 42, [21]]])


def test_dead_variables_are_not_shown(ctx: Context) -> None:
    ctx.define_host("ask")
    run = ctx.start("(define (f used gone) (list (ask gone) used)) (f 1 2)")
    run.advance()
    assert run.backtrace()[0].locals == {"used": "1"}


def test_assigned_and_captured_variables_are_shown(ctx: Context) -> None:
    ctx.define_host("ask")
    run = ctx.start(
        "(define (f a) (let ((n 0)) (lambda (m) (set! n (+ n m)) (list (ask) a n m)))) (define g (f 'a)) (list (g 5))"
    )
    run.advance()
    assert run.backtrace()[0].locals == {"m": "5", "a": "a", "n": "5"}


def test_a_paused_run_shows_where_it_is(ctx: Context) -> None:
    run = ctx.start("(define (count i)\n  (if (< i 1000000) (count (+ i 1)) i))\n(count 0)")
    assert run.advance(fuel=5_000) == Paused()
    frame = run.backtrace()[0]
    assert frame.name == "count"
    assert frame.location is not None
    assert frame.location.line == 2
    assert int(frame.locals["i"]) > 100


def test_a_restored_run_shows_the_same(ctx: Context) -> None:
    ctx.define_host("ask")
    run = ctx.start('(define (f x) (list (ask) (vector x x))) (list (f \'(1 "two")))')
    run.advance()
    with Run.restore(run.snapshot()) as again:
        assert shown(again) == shown(run)
        assert again.backtrace()[0].locals == {"x": '(1 "two")'}


def test_large_values_are_cut(ctx: Context) -> None:
    ctx.define_host("ask")
    run = ctx.start(
        "(define (f x) (list (ask) x)) (define l (list 1)) (set-cdr! l l) (list (f (vector l (make-string 1000))))"
    )
    run.advance()
    assert len(run.backtrace()[0].locals["x"]) <= 120


def test_many_frames_and_variables(ctx: Context) -> None:
    ctx.define_host("ask")
    names = " ".join(f"v{i}" for i in range(100))
    run = ctx.start(f"(define (f n {names}) (if (= n 0) (ask) (list (f (- n 1) {names}) {names})))(f 100 {'7 ' * 100})")
    run.advance()
    frames = run.backtrace()
    assert len(frames) == 32
    assert all(text == "7" for frame in frames for name, text in frame.locals.items() if name != "n")
    assert frames[0].locals


def test_an_answer_not_yet_seen_and_an_ended_run(ctx: Context) -> None:
    ctx.define_host("ask")
    run = ctx.start("(define (f x) (list (ask) x)) (list (f 1))")
    run.advance()
    run.resume(2)
    assert run.backtrace()[0].name == "f"
    assert run.advance() == Done([[2, 1]])
    with pytest.raises(RuntimeError, match="ended"):
        run.backtrace()
