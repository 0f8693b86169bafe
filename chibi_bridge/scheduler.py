"""Many runs on one thread, each a fair slice of fuel at a time.

A Scheduler holds tasks. A task is a run of any context, and is ready, waits for an
answer, or is done. A round gives every ready task one slice; so none starves,
whatever the others do. Deadlines are on the wall clock, waiting included.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Generator
from heapq import heappop, heappush
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from chibi_bridge._run import Done, Failed, HostCall, Paused, Pending, Run
from chibi_bridge.errors import ContextBusy, Interrupted, RunTimeout

if TYPE_CHECKING:
    import asyncio

__all__ = ["Scheduler", "Task"]

SLICE = 10_000
"""Units of fuel a task gets in a round (about a tenth of a millisecond)."""
LOOP_SECONDS = 0.003
"""How long the tasks may keep an event loop before others have a turn."""
BUSY_SECONDS = 0.002
"""How long to leave the loop alone where every ready task's context is in use."""

Answer: TypeAlias = Callable[["Task", HostCall], object]


class Task:
    """A run in a Scheduler.

    `call` is the HostCall it waits for, or None; `step` is Done or Failed once it
    has ended, else None.
    """

    __slots__ = ("_callbacks", "_scheduler", "_waits", "call", "deadline", "run", "step")

    def __init__(self, scheduler: Scheduler, run: Run, deadline: float | None) -> None:
        self._scheduler = scheduler
        self._callbacks: list[Callable[[Task], object]] = []
        self._waits: asyncio.Task[None] | None = None
        self.run = run
        self.deadline = deadline
        self.call: HostCall | None = None
        self.step: Done | Failed | None = None

    @property
    def done(self) -> bool:
        """Has the run ended?"""
        return self.step is not None

    def result(self) -> object:
        """The run's value, or its exception; RuntimeError while it goes on."""
        if self.step is None:
            raise RuntimeError("the task has not ended")
        if isinstance(self.step, Failed):
            raise self.step.error
        return self.step.value

    def resume(self, value: object) -> None:
        """Answer the call with a value; ConversionError leaves the task waiting."""
        self._answerable()
        self.run.resume(value)
        self._scheduler._ready_again(self)

    def fail(self, error: Exception) -> None:
        """Answer the call with an exception, which Scheme may catch."""
        self._answerable()
        self.run.fail(error)
        self._scheduler._ready_again(self)

    def _answerable(self) -> None:
        if self.call is None:
            raise RuntimeError("the task does not wait for an answer")

    def cancel(self) -> None:
        """End the run without its after-thunks; `result` raises Interrupted. Nothing where it has ended."""
        self._scheduler._end(self, Failed(Interrupted("cancelled")))

    def add_done_callback(self, callback: Callable[[Task], object]) -> None:
        """Call `callback(task)` when the run has ended; at once where it has."""
        if self.done:
            callback(self)
        else:
            self._callbacks.append(callback)

    def __await__(self) -> Generator[object, None, object]:
        """The run's value, on the event loop that drives the scheduler."""
        import asyncio

        if not self.done:
            future = asyncio.get_running_loop().create_future()
            self.add_done_callback(lambda _: None if future.done() else future.set_result(None))
            yield from future
        return self.result()


class Scheduler:
    """Runs interleaved on one thread.

    `slice` is the fuel of a task's turn. `answer(task, call)` answers what no policy
    and no callable does: with a value, an awaitable (under `run_async`), or an
    exception raised; without it such tasks wait for `resume` or `fail`, in any order.

    >>> from chibi_bridge import Context, Scheduler
    >>> with Context() as ctx:
    ...     scheduler = Scheduler(answer=lambda task, call: call.args[0] * 2)
    ...     ctx.define_host("twice")
    ...     tasks = [scheduler.add(ctx.start(f"(twice {n})")) for n in range(3)]
    ...     scheduler.run()
    ...     [task.result() for task in tasks]
    [0, 2, 4]
    """

    def __init__(self, *, slice: int = SLICE, answer: Answer | None = None) -> None:
        if slice < 1:
            raise ValueError(f"a slice is at least one unit of fuel: {slice}")
        self.slice = slice
        self._answer = answer
        self._ready: deque[Task] = deque()  # ended ones among them, left for their turn
        self._waiting: dict[Task, None] = {}
        self._deadlines: list[tuple[float, int, Task]] = []  # a heap, ended ones among them
        self._added = 0
        self._alive = 0
        self._wake: asyncio.Event | None = None

    def add(self, run: Run, *, timeout: float | None = None) -> Task:
        """Take a run that `Context.start` or `Run.restore` made; `timeout` in seconds from now, waiting included."""
        task = Task(self, run, None if timeout is None else monotonic() + timeout)
        self._added += 1
        self._alive += 1
        if task.deadline is not None:
            heappush(self._deadlines, (task.deadline, self._added, task))
        self._ready.append(task)
        self._rouse()
        return task

    @property
    def waiting(self) -> list[Task]:
        """The tasks that wait for an answer, longest first."""
        return [task for task in self._waiting if task.call is not None]

    def __len__(self) -> int:
        """How many tasks have not ended."""
        return self._alive

    # -- on this thread ----------------------------------------------------------------

    def step(self) -> bool:
        """Give each ready task one slice; is one ready for another?"""
        self._expire()
        for _ in range(len(self._ready)):
            self._turn(self._ready.popleft(), on_loop=False)
        return bool(self._ready)

    def run(self) -> None:
        """Go on until every task has ended or waits for an answer."""
        while self.step():
            pass

    # -- on an event loop ----------------------------------------------------------------

    async def run_async(self) -> None:
        """`run` on the event loop; returns when every task has ended.

        Async callables and answers are awaited while others go on; tasks may be
        added, answered and cancelled meanwhile.
        """
        import asyncio  # here and below: programs without an event loop do not need it

        if self._wake is not None:
            raise RuntimeError("the scheduler is driven already")
        self._wake = asyncio.Event()
        try:
            while self._alive:
                self._wake.clear()
                moved = self._round()
                if not self._ready:
                    await self._until_woken()
                else:
                    await asyncio.sleep(0 if moved else BUSY_SECONDS)
        finally:
            self._wake = None

    def _round(self) -> bool:
        """One round, or what of it fits into a moment; has any task moved on?"""
        self._expire()
        moved, end = False, monotonic() + LOOP_SECONDS
        for _ in range(len(self._ready)):
            task = self._ready.popleft()
            try:
                self._turn(task, on_loop=True)
            except ContextBusy:  # a piece of long work goes on in its context
                self._ready.append(task)
            else:
                moved = True
            if monotonic() > end:
                break
        return moved

    async def _until_woken(self) -> None:
        """Until a task is ready, or the next deadline is over."""
        import asyncio

        assert self._wake is not None
        left = max(0.0, self._deadlines[0][0] - monotonic()) if self._deadlines else None
        try:
            await asyncio.wait_for(self._wake.wait(), left)
        except asyncio.TimeoutError:
            return  # the next round ends the tasks that are late

    # -- one task ------------------------------------------------------------------------

    def _turn(self, task: Task, *, on_loop: bool) -> None:
        """Advance a task by one slice, and file it."""
        if task.done:
            return
        step = task.run._advance(self.slice, on_loop=on_loop)
        if isinstance(step, Paused):
            self._ready.append(task)
        elif isinstance(step, (Done, Failed)):
            self._end(task, step)
        elif isinstance(step, Pending):
            self._await(task, step.settled)
        else:
            self._waiting[task] = None
            task.call = step
            if self._answer is not None:
                self._ask(task, step, on_loop)

    def _ask(self, task: Task, call: HostCall, on_loop: bool) -> None:
        """Let `answer` answer."""
        assert self._answer is not None
        try:
            value = self._answer(task, call)
            if isinstance(value, Awaitable):
                if not on_loop:
                    close_awaitable(value)
                    raise TypeError("an async answer needs run_async")
                task.call = None
                self._await(task, self._settle(task, value))
            else:
                task.resume(value)
        except Exception as error:
            if task.done:
                return
            task.fail(error)

    async def _settle(self, task: Task, value: Awaitable[object]) -> None:
        """Answer with what an awaitable comes to."""
        try:
            task.run.resume(await value)
        except Exception as error:
            task.run.fail(error)

    def _await(self, task: Task, settled: Awaitable[None]) -> None:
        """Let a task wait for something on the event loop."""
        import asyncio

        async def wait() -> None:
            await settled
            task._waits = None
            if not task.done:
                self._ready_again(task)

        self._waiting[task] = None
        task._waits = asyncio.ensure_future(wait())
        task._waits.add_done_callback(lambda _: close_awaitable(settled))

    def _ready_again(self, task: Task) -> None:
        """Back into the round."""
        task.call = None
        self._waiting.pop(task, None)
        self._ready.append(task)
        self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None:
            self._wake.set()

    def _expire(self) -> None:
        """End the tasks whose time is over."""
        while self._deadlines and self._deadlines[0][0] <= monotonic():
            task = heappop(self._deadlines)[2]
            self._end(task, Failed(RunTimeout("time limit exceeded", hint="the task's timeout is over")))

    def _end(self, task: Task, step: Done | Failed) -> None:
        """File a task as ended, and tell who waits for it."""
        if task.done:
            return
        if task._waits is not None:
            task._waits.cancel()
            task._waits = None
        task.run.abandon()
        task.step, task.call = step, None
        self._waiting.pop(task, None)
        self._alive -= 1
        self._rouse()
        for callback in task._callbacks:
            callback(task)


def close_awaitable(value: Awaitable[object]) -> None:
    """Drop a coroutine that nobody will await, without a warning."""
    close = getattr(value, "close", None)
    if close is not None:
        close()
