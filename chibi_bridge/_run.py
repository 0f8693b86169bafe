"""What runs end with, and the run that somebody steps.

A Run knows of its context only what Stepped says; what it does with a run of the
engine is the same as `drive` does, but for handing out what nobody answers.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from types import CoroutineType
from typing import Any, ClassVar, Protocol, TypeAlias

from chibi_bridge._conditions import LIMITS, Refusal, frames_from
from chibi_bridge._driver import (
    ASYNC_SECONDS,
    LOOK_EVERY,
    SYNC_SLICE,
    LongWork,
    Request,
    advance,
    guard,
    long_work,
    next_slice,
    pack_error,
    request_of,
    with_deadline,
)
from chibi_bridge._native import lib as native
from chibi_bridge._native.lib import Native
from chibi_bridge._wire import Codec
from chibi_bridge.errors import ContextBusy, SchemeError
from chibi_bridge.errors import Frame as SchemeFrame
from chibi_bridge.policy import Policy

__all__ = ["Done", "Failed", "HostCall", "Outcome", "Paused", "Run"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `run` gives: the value, what was printed, units of fuel, seconds."""

    value: object
    stdout: str
    stderr: str
    fuel_used: int
    elapsed: float


@dataclass(frozen=True, slots=True)
class Done:
    """The run ended with this value."""

    value: object


@dataclass(frozen=True, slots=True)
class Failed:
    """The run ended with this exception."""

    error: Exception


@dataclass(frozen=True, slots=True)
class HostCall:
    """The run waits for `resume` or `fail`."""

    op: str
    args: list[object]


@dataclass(frozen=True, slots=True)
class Paused:
    """The slice is used up; `advance` again."""


@dataclass(frozen=True, slots=True)
class Pending:
    """On an event loop only: the run goes on when `settled` was awaited."""

    settled: Awaitable[None]


Step: TypeAlias = "Done | Failed | HostCall | Paused | Pending"


class Frame:
    """One drive of a run: what it is watched by, and what is left of it for a nested one."""

    __slots__ = ("deadline", "fuel", "interrupted", "on_loop", "used")

    def __init__(self, deadline: float | None, fuel: int, *, on_loop: bool = False) -> None:
        self.deadline = deadline
        self.fuel = fuel
        self.interrupted = False
        self.on_loop = on_loop
        self.used = 0

    def guard(self) -> None:
        """Raise where the run is to stop."""
        guard(self)

    def left(self) -> int:
        """Units that a nested run may spend."""
        return self.fuel if self.fuel == native.NO_LIMIT else max(0, self.fuel - self.used)


class Stepped(Protocol):
    """What a Run needs of its context."""

    policy: Policy
    owned: bool
    tap: Tap | None
    _callables: dict[int, tuple[str, Callable[..., object] | None]]
    _codec: Codec
    _lock: threading.Lock
    _native: Native
    _on_loop: set[Run]

    def close(self) -> None: ...

    def _enter(self) -> bool: ...

    def _finish(self, kind: int, capture: bool) -> tuple[object, str, str, int]: ...

    def _is_open(self) -> bool: ...

    def _limits(self) -> tuple[int, int]: ...

    def _live(self) -> Native: ...

    def _perform(self, request: Request) -> object: ...

    def _unanswered(self, name: str) -> Exception: ...

    def _push(self, frame: Frame) -> tuple[Frame | None, int]: ...

    def _pop(self, outer: tuple[Frame | None, int]) -> None: ...


class Tap(Protocol):
    """What sees the host operations of contexts that are recorded or replayed."""

    @property
    def replays(self) -> bool: ...

    def perform(self, context: Any, request: Request, answer: Callable[[Request], object], /) -> object: ...

    def answered(self, context: Any, request: Request, value: object, /) -> None: ...

    def failed(self, context: Any, request: Request, error: Exception, /) -> None: ...

    def ended(self, fuel: int) -> None: ...


class Turn(Protocol):
    """What decides whose run of a context goes on."""

    async def take(self) -> None: ...

    def release(self) -> None: ...


class AnyTurn:
    """Runs go on as they come."""

    async def take(self) -> None:
        """Nothing to wait for."""

    def release(self) -> None:
        """Nothing to give back."""


class Run:
    """A run that somebody steps: `advance`, and `resume` or `fail` after a HostCall."""

    __slots__ = (
        "_context",
        "_frame",
        "_fresh",
        "_kind",
        "_left",
        "_long",
        "_pending",
        "_request",
        "_run",
        "fuel_used",
        "stderr",
        "stdout",
    )

    def __init__(self, context: Stepped, run: Any, kind: int, *, fresh: bool = False) -> None:
        self._context = context
        self._run = run
        self._kind = kind
        self._fresh = fresh  # nobody has looked at the event of this kind yet
        self._frame: Frame | None = None
        self._request: Request | None = None  # handed out
        self.fuel_used = 0
        self._long = 0
        self._pending: Callable[[int], int] | None = None
        self._left = context.policy.limits.timeout
        self.stdout = ""
        self.stderr = ""

    def advance(self, fuel: int | None = None, *, auto: bool = True) -> Done | Failed | HostCall | Paused:
        """Go on until the run ends, pauses after `fuel` units, or wants an answer.

        With `auto` what the policy grants and callables answer is answered by
        itself; without it every host operation is handed out.
        """
        step = self._advance(fuel, auto)
        assert not isinstance(step, Pending)
        return step

    def _advance(self, fuel: int | None, auto: bool = True, *, on_loop: bool = False) -> Step:
        """`advance`; on an event loop what takes long, and async callables, are Pending."""
        context = self._context
        top = context._enter()
        try:
            step = self._step(context, fuel, auto, on_loop)
            if self._run is not None:
                self.take_output()
            return step
        finally:
            if top:
                context._lock.release()

    def first_step(self) -> Step:
        """Look at the event that the run stands at; its context is held."""
        step = self._step(self._context, SYNC_SLICE, True, True)
        if self._run is not None:
            self.take_output()
        return step

    def _step(self, context: Stepped, fuel: int | None, auto: bool, on_loop: bool) -> Step:
        if self._run is None:
            raise RuntimeError("the run has ended")
        if self._kind == native.HOST_CALL and self._pending is None and not self._fresh:
            raise RuntimeError("the run waits for resume or fail")
        start = monotonic()
        deadline = None if self._left is None else start + self._left
        interrupted = self._frame is not None and self._frame.interrupted
        frame = self._frame = Frame(deadline, context._limits()[0], on_loop=on_loop)
        engine = context._native
        outer = context._push(frame)
        frame.interrupted |= interrupted
        try:
            if interrupted:
                guard(frame)
            while True:
                piece = SYNC_SLICE if fuel is None else min(fuel, SYNC_SLICE)
                pending, self._pending = self._pending, None
                if on_loop and self._long and pending is None:
                    return Pending(self._after(LongWork(engine, self._run, piece, frame, self._long)))
                if self._fresh:
                    kind, self._fresh = self._kind, False
                elif pending is not None:
                    kind = pending(piece)
                else:
                    kind = advance(engine, self._run, piece, frame, self._long)
                self._kind, self._long, self.fuel_used = kind, long_work(engine), engine.event.fuel_used
                if kind == native.PAUSED:
                    guard(frame)
                    if fuel is not None:
                        fuel -= piece
                        if fuel <= 0:
                            return Paused()
                elif kind == native.HOST_CALL:
                    call = self._host_call(context, frame, auto)
                    if call is not None:
                        return call
                else:
                    return self._ended(context, kind)
        except Exception as error:
            engine.abandon(self._run)
            self._run = None
            return Failed(error)
        except BaseException:
            engine.abandon(self._run)
            self._run = None
            raise
        finally:
            context._pop(outer)
            self._spend(start)

    async def drive_later(self, step: Step, turn: Turn) -> Done | Failed:
        """Go on from a step until the run ends, on an event loop.

        While the run waits for something, its context serves other runs: the turn is
        given back for that time. Pauses only let the event loop look round.
        """
        import asyncio

        fuel, waiting = SYNC_SLICE, self._context._on_loop
        waiting.add(self)
        try:
            while not isinstance(step, (Done, Failed)):
                if isinstance(step, Pending):
                    turn.release()
                    await step.settled
                    await turn.take()
                elif isinstance(step, HostCall):
                    self.fail(self._context._unanswered(step.op))
                else:
                    await asyncio.sleep(0)
                start = monotonic()
                try:
                    step = self._advance(fuel, on_loop=True)
                except ContextBusy:  # another thread is inside for a moment
                    await asyncio.sleep(LOOK_EVERY)
                    step = Paused()
                else:
                    fuel = next_slice(fuel, monotonic() - start, ASYNC_SECONDS)
            return step
        finally:
            waiting.discard(self)
            self.abandon()

    async def _after(self, work: LongWork) -> None:
        """Wait for a piece of long work; the next step looks at what came of it."""
        lock, start = self._context._lock, monotonic()
        await taken(lock)
        work.start()
        try:
            await work.wait_later()
        except Exception as error:
            problem = error  # the name of an except clause ends with it
            work.interrupt()
            self._pending = lambda piece: raising(problem)
        except BaseException:
            work.stop()
            self._run = None
            raise
        else:
            self._pending = lambda piece: work.result()
        finally:
            lock.release()
            self._spend(start)

    def _spend(self, start: float) -> None:
        """Take the time since `start` off what the run may take."""
        if self._left is not None:
            self._left -= monotonic() - start

    def _host_call(self, context: Stepped, frame: Frame, auto: bool) -> HostCall | Pending | None:
        """Answer a host operation, or hand it out."""
        self._run = context._native.event.run
        request = request_of(context._codec, context._native, frame.deadline)
        unanswered, call = self._asked(request)
        if (unanswered or not auto) and not (context.tap is not None and context.tap.replays):
            self._request = request
            return call
        name = call.op
        try:
            value = context._perform(request)
            if frame.on_loop and isinstance(value, Awaitable):
                return Pending(self._answer_later(value, frame.deadline))
            if type(value) is CoroutineType:
                value.close()
                raise Refusal("unanswered", f"{name} is an async function: only an event loop can wait for it")
            self.resume(value)
        except LIMITS:
            raise  # no program catches these
        except Exception as error:
            self.fail(error)
        return None

    async def _answer_later(self, value: Awaitable[object], deadline: float | None) -> None:
        """Answer the host call with what an awaitable comes to."""
        start = monotonic()
        try:
            self.resume(await with_deadline(value, deadline))
        except LIMITS as error:
            problem = error
            self._pending = lambda piece: raising(problem)
        except Exception as error:
            self.fail(error)
        finally:
            self._spend(start)

    def _asked(self, request: Request) -> tuple[bool, HostCall]:
        """Is it a procedure that nobody answers here? And the request as it is handed out."""
        name, args = request.op, request.args
        if name != "call":
            return False, HostCall(name, args)
        unknown = f"host procedure {args[0]}", None
        name, target = self._context._callables.get(args[0], unknown)  # type: ignore[call-overload]
        return target is None, HostCall(name, args[1:])

    def _ended(self, context: Stepped, kind: int) -> Done | Failed:
        self._run = None
        try:
            value, out, err, self.fuel_used = context._finish(kind, capture=True)
        except Exception as error:
            self._print(getattr(error, "stdout", ""), getattr(error, "stderr", ""))
            self.fuel_used = getattr(error, "fuel_used", 0)
            if isinstance(error, SchemeError):
                error.stdout, error.stderr = self.stdout, self.stderr
            return Failed(error)
        self._print(out, err)
        return Done(value)

    def _print(self, out: str, err: str) -> None:
        """Add to what the run has printed."""
        self.stdout += out
        self.stderr += err

    def interrupt(self) -> None:
        """Ask the run to stop, also while it waits on an event loop."""
        if self._frame is not None:
            self._frame.interrupted = True

    def take_output(self) -> None:
        """Take what was printed so far from the context, whose other runs may print next."""
        engine = self._context._native
        if engine.event.output_bytes or engine.event.error_bytes:
            self._print(engine.output(0), engine.output(1))

    def resume(self, value: object) -> None:
        """Answer the HostCall with a value; `advance` goes on."""
        self._answered()
        engine, run = self._context._live(), self._run
        packed = self._context._codec.pack(value)
        if self._context.tap is not None and self._request is not None:
            self._context.tap.answered(self._context, self._request, value)
        self._request = None
        self._pending = lambda piece: engine.answer(run, packed, piece)

    def fail(self, error: Exception) -> None:
        """Answer the HostCall with an exception, which Scheme may catch."""
        self._answered()
        engine, run = self._context._live(), self._run
        packed = pack_error(self._context._codec, error)
        if self._context.tap is not None and self._request is not None:
            self._context.tap.failed(self._context, self._request, error)
        self._request = None
        self._pending = lambda piece: engine.answer_error(run, packed, piece)

    def _answered(self) -> None:
        if self._run is None or self._kind != native.HOST_CALL:
            raise RuntimeError("the run does not wait for an answer")

    # -- put away and continued -------------------------------------------------------

    _snapshots: ClassVar[tuple[Callable[..., bytes], Callable[..., Run]]]
    """What saves and restores; set by _snapshot.py, which knows contexts."""

    def snapshot(self, *, key: bytes | None = None) -> bytes:
        """The run, at a HostCall or Paused point, with all its context has, as bytes.

        The run goes on as if nothing had happened. Sealed with `key` where one is
        given. Raises ImageError for what cannot be saved (a Python object without a
        registered reducer), naming the place, and RuntimeError for an ended run.

        >>> from chibi_bridge import Context
        >>> with Context() as ctx:
        ...     ctx.define_host("ask")
        ...     run = ctx.start('(string-append "so " (ask))')
        ...     _ = run.advance()
        ...     data = run.snapshot()
        >>> again = Run.restore(data)
        >>> again.resume("be it")
        >>> again.advance()
        Done(value='so be it')
        """
        return self._snapshots[0](self, key)

    @classmethod
    def restore(
        cls,
        data: bytes,
        policy: Policy | None = None,
        *,
        key: bytes | None = None,
        trusted: bool = False,
        bindings: Mapping[str, Callable[..., object]] | None = None,
        image: object = None,
        transport: Callable[..., object] | None = None,
    ) -> Run:
        """The run of a snapshot, in a context of its own, under a policy.

        `bindings` answers its host procedures by name; one left out is handed out as
        a HostCall. Bytes from another process need the `key` they were made under, or
        have to be `trusted`. A context that came from an Image of your own needs that
        image: `image`, unless it is alive here. What it may use of `policy.limits` is
        what the run has not used yet. Raises ImageError where the bytes are damaged,
        or were made by another engine build or over another image.

        A run that waits for an answer tells again what it asked at its first
        `advance`, unless it is answered before.
        """
        return cls._snapshots[1](
            data, policy, key=key, trusted=trusted, bindings=bindings, image=image, transport=transport
        )

    def _settle(self) -> None:
        """Give the engine an answer that it has not yet got."""
        if self._pending is None or self._run is None:
            return
        kind = self._pending(0)
        if kind != native.HOST_CALL:
            self._kind, self._pending = kind, None

    @property
    def waiting(self) -> HostCall | None:
        """What the run waits for an answer to, or None."""
        context = self._context
        if self._run is None or self._kind != native.HOST_CALL:
            return None
        top = context._enter()
        try:
            if context._native.advance(self._run, 0) != native.HOST_CALL:
                return None
            request = request_of(context._codec, context._native, None)
        finally:
            if top:
                context._lock.release()
        return self._asked(request)[1]

    def backtrace(self) -> list[SchemeFrame]:
        """Where the suspended run stands: its frames with their variables, innermost first.

        >>> from chibi_bridge import Context
        >>> with Context() as ctx:
        ...     ctx.define_host("ask")
        ...     run = ctx.start("(define (f x) (let ((y (* 2 x))) (list (ask) y))) (f 21)")
        ...     _ = run.advance()
        ...     str(run.backtrace()[0])
        'in f at <eval 1>:1:40, y = 42'
        """
        if self._run is None:
            raise RuntimeError("the run has ended")
        context = self._context
        top = context._enter()
        try:
            self._settle()
            trace = context._codec.unpack(context._native.backtrace(self._run))
        finally:
            if top:
                context._lock.release()
        assert isinstance(trace, list)
        return frames_from(trace)

    @property
    def context(self) -> Stepped:
        """The context that the run belongs to."""
        return self._context

    def close(self) -> None:
        """Drop the run; a context that was restored for it is closed."""
        self.abandon()
        if self._context.owned and self._context._is_open():
            self._context.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def abandon(self) -> None:
        """Drop the run; its after-thunks do not run."""
        if self._run is not None and self._context._is_open():
            self._context._native.abandon(self._run)
        self._run = None


async def taken(lock: threading.Lock) -> None:
    """Take a context's lock on an event loop."""
    import asyncio

    while not lock.acquire(blocking=False):
        await asyncio.sleep(LOOK_EVERY)


def raising(error: BaseException) -> int:
    """Raise, where an expression is wanted."""
    raise error
