"""The sans-IO core, with a scripted engine in place of the real one."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from chibi_bridge import Context, FuelExhausted, Interrupted, Limits, Policy, RunTimeout
from chibi_bridge._driver import PAUSE, Request, drive, run_sync
from chibi_bridge._native.lib import DONE, HOST_CALL, PAUSED
from chibi_bridge._wire import Codec


class Script:
    """Plays events; notes what it was answered."""

    def __init__(self, *kinds: tuple[int, object]) -> None:
        self.codec = Codec(lambda: None, lambda array, handle: array, 1 << 20)
        self.kinds = list(kinds)
        self.log: list[object] = []
        self.event = SimpleNamespace(dropped_count=0, long_work=0, run="run")
        self.held: object = None

    def step(self) -> int:
        kind, self.held = self.kinds.pop(0)
        return kind

    def view(self) -> bytes:
        return self.codec.pack(self.held)

    def advance(self, run: object, slice_: int) -> int:
        self.log.append("advance")
        return self.step()

    def answer(self, run: object, value: bytes, slice_: int) -> int:
        self.log.append(("answer", self.codec.unpack(value)))
        return self.step()

    def answer_error(self, run: object, condition: bytes, slice_: int) -> int:
        self.log.append(("error", self.codec.unpack(condition)))
        return self.step()

    def abandon(self, run: object) -> None:
        self.log.append("abandon")

    def drive(self, watch: object = None):  # type: ignore[no-untyped-def]
        watch = watch or SimpleNamespace(interrupted=False, deadline=None)
        return drive(self, self.codec, self.step(), watch, 100)  # type: ignore[arg-type]


def test_calls_are_answered_and_pauses_gone_on_from() -> None:
    script = Script((HOST_CALL, ["op", 1]), (PAUSED, None), (DONE, 5))
    assert run_sync(script.drive(), lambda request: request.args[0] + 1) == DONE
    assert script.log == [("answer", 2), "advance"]


def test_an_exception_becomes_a_condition() -> None:
    script = Script((HOST_CALL, ["op"]), (DONE, 5))

    def fail(request: Request) -> object:
        raise ZeroDivisionError("no")

    run_sync(script.drive(), fail)
    kind, condition = script.log[0]
    assert kind == "error"
    assert condition[:3] == ["host-error", "ZeroDivisionError: no", []]


def test_a_base_exception_abandons_the_run() -> None:
    script = Script((HOST_CALL, ["op"]))

    def fail(request: Request) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sync(script.drive(), fail)
    assert script.log == ["abandon"]


def test_an_interrupt_ends_at_a_pause() -> None:
    script = Script((PAUSED, None))
    with pytest.raises(Interrupted):
        run_sync(script.drive(SimpleNamespace(interrupted=True, deadline=None)), lambda request: None)
    assert script.log == ["abandon"]


def test_a_deadline_ends_at_a_pause() -> None:
    script = Script((PAUSED, None))
    with pytest.raises(RunTimeout):
        run_sync(script.drive(SimpleNamespace(interrupted=False, deadline=0.0)), lambda request: None)


def test_an_async_function_is_unanswered_in_a_sync_run() -> None:
    script = Script((HOST_CALL, ["op"]), (DONE, 5))

    async def later(request: Request) -> object:
        return 1

    run_sync(script.drive(), later)
    assert script.log[0][1][0] == "unanswered"


def test_the_core_yields_without_any_driver() -> None:
    steps = Script((PAUSED, None), (HOST_CALL, ["op", 1]), (DONE, 5)).drive()
    assert next(steps) is PAUSE
    request = steps.send(None)
    assert isinstance(request, Request)
    assert (request.op, request.args) == ("op", [1])
    with pytest.raises(StopIteration):
        steps.send(3)


@pytest.mark.parametrize("count", [0, 1, 3, 13])
def test_calls_of_plain_callables_take_the_short_way(monkeypatch: pytest.MonkeyPatch, ctx: Context, count: int) -> None:
    """The glue sees a call and its arguments; the general core is for everything else."""
    monkeypatch.setattr("chibi_bridge.context.drive", lambda *args: pytest.fail("the long way"))
    ctx.define("host", lambda *args: [*args, "end"])
    args = " ".join(str(number * 1000) for number in range(count))
    wanted = [*(number * 1000 for number in range(count)), "end"]
    assert ctx.eval(f"(host {args})") == wanted
    assert ctx.call(ctx.eval(f"(lambda () (host {args}) (host {args}))")) == wanted
    ctx.define("fail", lambda: 1 / 0)
    assert ctx.eval("(guard (e (#t (host) 'caught)) (fail))") == "caught"
    assert ctx.run(f"(display 1) (host {args})").value == wanted


def test_calls_with_many_or_large_arguments_arrive_whole(ctx: Context) -> None:
    ctx.define("host", lambda *args: len(args) + sum(len(arg) for arg in args if isinstance(arg, (str, list))))
    assert ctx.eval("(apply host (make-list 40 1))") == 40
    assert ctx.eval('(host (make-string 70000 #\\a) (make-list 300 "x"))') == 70_302


def test_a_nested_run_has_the_fuel_that_is_left(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(limits=Limits(fuel=100_000)))
    ctx.eval("(define (spin n) (if (> n 0) (spin (- n 1)) 'spun))")
    ctx.define("nested", lambda n: ctx.call("spin", n))
    with pytest.raises(FuelExhausted):
        ctx.eval("(nested 10) (spin 250000) (nested 250000)")
    assert ctx.eval("(nested 10)") == "spun"
