"""The sans-IO core, with a scripted engine in place of the real one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from chibi_bridge import Interrupted, RunTimeout
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
