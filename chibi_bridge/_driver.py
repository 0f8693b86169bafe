"""The sans-IO core: a generator that steps a run and yields what it wants of the host.

`drive` holds all logic of stepping: slices, deadline, interrupts, answers. It
yields a Request (send the answer, or throw the exception) or PAUSE (nothing to
answer: check signals). `run_sync` finishes it; `Run.drive_later` does the same on
an event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Generator
from time import monotonic
from types import CoroutineType
from typing import Any, Protocol

from chibi_bridge._conditions import LIMITS, Refusal, answer_for
from chibi_bridge._native.lib import HOST_CALL, PAUSED, Native, bridge_answer, bridge_ask, read_buffer
from chibi_bridge._wire import Codec
from chibi_bridge.errors import ConversionError, Interrupted, RunTimeout

SYNC_SLICE = 1 << 16
ASYNC_SLICE = 1 << 14
"""Units of the first slice of a run; the later ones are chosen by how long it took."""
SLICE_LEAST, SLICE_MOST = 1 << 12, 1 << 20
SYNC_SECONDS, ASYNC_SECONDS = 0.010, 0.003
LOOK_EVERY = 0.005  # seconds, while a piece of long work goes on


class Request:
    """A host operation that a run waits for: its name, arguments and deadline."""

    __slots__ = ("args", "deadline", "op")

    def __init__(self, op: str, args: list[object], deadline: float | None) -> None:
        self.op = op
        self.args = args
        self.deadline = deadline


class Pause:
    """A slice is used up."""


PAUSE = Pause()

Callables = dict[int, tuple[str, "Callable[..., object] | None"]]
NOBODY = ("", None)

Steps = Generator["Request | Pause", object, int]


class Watch(Protocol):
    """What a run is watched by: the interrupt flag and the deadline."""

    interrupted: bool
    deadline: float | None


class Frame(Watch, Protocol):
    """The same, and what a nested run has to know: the fuel used so far."""

    used: int


def drive(native: Native, codec: Codec, kind: int, watch: Watch, slice_: int) -> Steps:
    """Step a run that stands at an event of this kind, until it ends; answers the last kind."""
    while True:
        event = native.event
        if event.dropped_count:
            codec.drop(native.dropped())
        if kind == HOST_CALL:
            run = event.run
            request = request_of(codec, native, watch.deadline)
            try:
                guard(watch)
                packed = codec.pack((yield request))
            except BaseException as error:
                kind = refuse(native, codec, run, error, slice_)
            else:
                kind = native.answer(run, packed, slice_)
        elif kind == PAUSED:
            run, serial = event.run, long_work(native)
            try:
                guard(watch)
                yield PAUSE
                guard(watch)
            except BaseException:
                native.abandon(run)
                raise
            start = monotonic()
            kind = advance(native, run, slice_, watch, serial)
            if not serial:
                slice_ = next_slice(slice_, monotonic() - start, SYNC_SECONDS)
        else:
            return kind


def next_slice(slice_: int, seconds: float, wanted: float) -> int:
    """Units for the next slice: what a unit costs depends on the program, and on the machine."""
    if seconds < wanted / 2:
        return min(slice_ * 2, SLICE_MOST)
    return max(SLICE_LEAST, min(int(slice_ * wanted / seconds), SLICE_MOST))


def long_work(native: Native) -> int:
    """The serial of the run that just paused in front of long work, else 0."""
    return native.event.serial if native.event.long_work else 0


def advance(native: Native, run: object, slice_: int, watch: Watch, serial: int) -> int:
    """Go on with a run that paused; `serial` is what `long_work` said of the pause."""
    if not serial:
        return native.advance(run, slice_)
    work = LongWork(native, run, slice_, watch, serial)
    work.start()
    try:
        work.wait()
    except BaseException:
        work.stop()
        raise
    return work.result()


class LongWork(threading.Thread):
    """Advances a run once, on a thread of its own.

    A slice bounds all but single pieces of long work (a product of millions of
    digits). The engine pauses in front of such a piece; whoever waits for it here
    looks at deadline, interrupts and signals meanwhile.
    """

    def __init__(self, native: Native, run: object, slice_: int, watch: Watch, serial: int) -> None:
        super().__init__(name="chibi-bridge long work", daemon=True)
        self._done = threading.Event()
        self._native = native
        self._run = run
        self._slice = slice_
        self._watch = watch
        self._serial = serial
        self._kind = 0
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._kind = self._native.advance(self._run, self._slice)
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    def wait(self) -> None:
        """Until it is done; raises where the run is to stop."""
        while not self._done.wait(LOOK_EVERY):
            guard(self._watch)

    async def wait_later(self) -> None:
        """`wait` on the event loop."""
        import asyncio

        while not self._done.is_set():
            await asyncio.sleep(LOOK_EVERY)
            guard(self._watch)

    def interrupt(self) -> None:
        """End it early, and wait for that."""
        while not self._done.wait(LOOK_EVERY):
            self._native.interrupt(self._serial)

    def stop(self) -> None:
        """End it early, and drop the run."""
        self.interrupt()
        self._native.abandon(self._run)

    def result(self) -> int:
        """The kind of the event, once done."""
        if self._error is not None:
            raise self._error
        return self._kind


def request_of(codec: Codec, native: Native, deadline: float | None) -> Request:
    """The request in a HOST_CALL event."""
    call = codec.unpack(native.view())
    assert isinstance(call, list)
    return Request(str(call[0]), call[1:], deadline)


def guard(watch: Watch) -> None:
    """Raise where the run is to stop."""
    if watch.interrupted:
        watch.interrupted = False
        raise Interrupted("interrupted")
    if watch.deadline is not None and monotonic() > watch.deadline:
        raise RunTimeout("time limit exceeded", hint="the run took longer than Limits.timeout allows")


def pack_error(codec: Codec, error: Exception) -> bytes:
    """The condition for an exception; one whose parts cannot cross is told by its text."""
    condition = answer_for(error)
    try:
        return codec.pack(condition)
    except ConversionError as problem:
        return codec.pack([condition[0], f"{condition[1]} ({problem})", [], None])


def refuse(native: Native, codec: Codec, run: Any, error: BaseException, slice_: int) -> int:
    """Answer a host call with an exception; limits, and what is no Exception, end the run."""
    if isinstance(error, LIMITS) or not isinstance(error, Exception):
        native.abandon(run)
        raise error
    return native.answer_error(run, pack_error(codec, error), slice_)


def serve(native: Native, codec: Codec, callables: Callables, frame: Frame) -> int:
    """Answer the calls of plain callables, as `drive` and `run_sync` would, until
    something else comes up: what is seen of the result (see glue.h), or -1 where the
    event wants a closer look."""
    call = native.call
    run = native.event.run
    asked = bridge_ask(call)
    while asked:
        target = callables.get(call.callee, NOBODY)[1]
        if target is None:
            return -1
        frame.used = UNREAD
        try:
            guard(frame)
            value = target() if asked == 1 else target(*arguments(codec, call, asked - 1))
            if type(value) is CoroutineType:
                value.close()
                raise Refusal("unanswered", "call is an async function: use the async twin of this call")
            packed = codec.pack(value)
        except BaseException as error:
            refuse(native, codec, run, error, SYNC_SLICE)
            asked = bridge_ask(call)
            continue
        seen = bridge_answer(call, run, packed, len(packed), SYNC_SLICE)
        if seen != -1:
            if seen < 0:
                native.check(-2 - seen)
            return seen
        asked = call.asked
    return -1


UNREAD = -1
"""The fuel used, of a frame whose event still has it."""

HEADS = [bytes([0x90 | count]) for count in range(16)]


def arguments(codec: Codec, call: Any, count: int) -> list[object]:
    """The arguments of the call in the event."""
    packed = codec.unpack(HEADS[count] + read_buffer(call.arguments, call.size)[:])
    assert isinstance(packed, list)
    return packed


def run_sync(steps: Steps, perform: Callable[[Request], object], hear: Callable[[], object] | None = None) -> int:
    """Finish a run, answering on this thread; `hear` is called at its pauses."""
    try:
        request = next(steps)
        while True:
            try:
                if not isinstance(request, Pause):
                    value = perform(request)
                else:
                    value = None if hear is None else hear()
                if type(value) is CoroutineType:
                    value.close()
                    raise Refusal(
                        "unanswered", f"{name_of(request)} is an async function: use the async twin of this call"
                    )
            except BaseException as error:
                request = steps.throw(error)
            else:
                request = steps.send(value)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def with_deadline(value: Awaitable[object], deadline: float | None) -> object:
    """Await, but no longer than the run may take."""
    import asyncio  # here and above: most programs do not need it

    if deadline is None:
        return await value
    try:
        return await asyncio.wait_for(value, max(0.0, deadline - monotonic()))
    except asyncio.TimeoutError:
        if monotonic() < deadline:
            raise
        raise RunTimeout("time limit exceeded", hint="a host operation took longer than Limits.timeout") from None


def name_of(request: Request | Pause) -> str:
    """What to call a request in a message."""
    return request.op if isinstance(request, Request) else "it"
