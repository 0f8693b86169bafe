"""One core for sync and async: a call is a generator of steps, two drivers finish it.

A step knows how to be done now, and how to be awaited. `Call` is what belongs to
one call: who called whom, for which context, which sessions it holds; `current`
is the call that goes on, so that call-tool finds it from inside a session.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from chibi_bridge.errors import PermissionDenied

if TYPE_CHECKING:
    from chibi_bridge._run import Outcome

T = TypeVar("T")


class Step(Protocol):
    """Something that a call waits for."""

    def now(self) -> object: ...

    async def later(self) -> object: ...


Steps = Generator[Step, Any, T]


class Chain:
    """One outermost call; what it waits for, so that two that wait for each other are found.

    `from_hooks` counts the calls that hooks made on the way.
    """

    __slots__ = ("from_hooks", "waiting")

    def __init__(self) -> None:
        self.waiting: object = None
        self.from_hooks = 0


class Watched(Protocol):
    """A run that waits for a call."""

    deadline: float | None

    def guard(self) -> None: ...


class Caller(Protocol):
    """What answers call-tool and io-*: a registry."""

    def call_tool(self, name: str, args: object, call: Call) -> object: ...

    def io(self, op: str, args: list[object], call: Call) -> object: ...


@dataclass(frozen=True, slots=True)
class Call:
    """A call that goes on: `chain` names the tools, outermost first.

    `callers` are the files that call, with the hashes of their content. `guards`
    raise where a run that waits for this call is to stop; `deadline` is the earliest
    of theirs.
    """

    caller: Caller | None = None
    context: str = "default"
    chain: tuple[str, ...] = ()
    points: frozenset[str] = frozenset()
    held: frozenset[int] = frozenset()
    asynchronous: bool = False
    bridge: bool = True
    root: Chain = field(default_factory=Chain)
    callers: tuple[str, ...] = ()
    guards: tuple[Callable[[], None], ...] = ()
    deadline: float | None = None

    def guard(self) -> None:
        """Raise where nobody waits for this call any more, or not for so long."""
        for guard in self.guards:
            guard()

    def within(self, timeout: float | None) -> float | None:
        """The time limit of something that this call does: its own, or what is left of an outer one."""
        if self.deadline is None:
            return timeout
        left = max(0.0, self.deadline - monotonic())
        return left if timeout is None else min(timeout, left)

    def inside(self, run: Watched | None, file: str) -> Call:
        """The call of something that a run of a file waits for."""
        callers = (*self.callers, file)
        if run is None:
            return replace(self, callers=callers)
        ends = [end for end in (self.deadline, run.deadline) if end is not None]
        return replace(self, callers=callers, guards=(*self.guards, run.guard), deadline=min(ends, default=None))


current: ContextVar[Call | None] = ContextVar("chibi_bridge_call", default=None)


class Callee(Protocol):
    """What a call runs in: a tool file's session, or the built-in tools."""

    def call(self, target: str, args: object, call: Call, timeout: float | None) -> Outcome: ...

    async def call_async(self, target: str, args: object, call: Call, timeout: float | None) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class RunStep:
    """Call a procedure of a session."""

    callee: Callee
    target: str
    args: object
    call: Call
    timeout: float | None = None

    def now(self) -> object:
        return self.callee.call(self.target, self.args, self.call, self.timeout)

    async def later(self) -> object:
        return await self.callee.call_async(self.target, self.args, self.call, self.timeout)


@dataclass(frozen=True, slots=True)
class AskStep:
    """Ask somebody who may answer at once or later."""

    ask: Callable[[Any], object]
    request: object

    def now(self) -> object:
        answer = self.ask(self.request)
        if isinstance(answer, Awaitable):
            if isinstance(answer, Coroutine):
                answer.close()
            raise PermissionDenied("Permission denied: an async permission handler needs call_async")
        return answer

    async def later(self) -> object:
        answer = self.ask(self.request)
        return await answer if isinstance(answer, Awaitable) else answer


def run_now(steps: Steps[T]) -> T:
    """Finish a call on this thread."""
    try:
        step = next(steps)
        while True:
            try:
                answer = step.now()
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def run_later(steps: Steps[T]) -> T:
    """Finish a call on the event loop."""
    try:
        step = next(steps)
        while True:
            try:
                answer = await step.later()
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        steps.close()
