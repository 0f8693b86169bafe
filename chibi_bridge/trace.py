"""Recorded runs: every answer of the host, so that a run can be had again exactly.

An engine is deterministic: the same program with the same answers takes the same
steps, to the unit of fuel. A Trace keeps the answers of one context, in order, and
gives them again in place of the host. It holds what the program was told, secrets of
its environment included; keep it as you keep those.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chibi_bridge._conditions import Refusal, answer_for
from chibi_bridge._native.lib import version
from chibi_bridge.errors import ConversionError, ReplayError
from chibi_bridge.values import write

if TYPE_CHECKING:
    from chibi_bridge._driver import Request
    from chibi_bridge.context import Context

__all__ = ["Step", "Trace"]

FORMAT = 1
SHOWN = 2_000
"""Characters of the arguments that a trace keeps; a request is told apart by them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A host operation and its answer: the packed value, or the packed condition where it `failed`."""

    op: str
    args: str
    answer: bytes
    failed: bool = False


@dataclass
class Trace:
    """The host's answers in one context; `about` is whatever the maker wants to remember.

    >>> from chibi_bridge import Context
    >>> trace = Trace()
    >>> with Context() as ctx, trace.recording(ctx):
    ...     ctx.define("roll", lambda: 4)
    ...     ctx.eval("(* 10 (roll))")
    40
    >>> with Context() as ctx, trace.replaying(ctx):
    ...     ctx.define_host("roll")
    ...     ctx.eval("(* 10 (roll))")
    40
    """

    about: dict[str, object] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    fuel: list[int] = field(default_factory=list)
    broken: str | None = None

    @contextlib.contextmanager
    def recording(self, context: Context) -> Iterator[None]:
        """Keep what `context` is answered in the block."""
        yield from tapped(context, Recorder(self))

    @contextlib.contextmanager
    def replaying(
        self, context: Context, *, stop: int | None = None, at_stop: Callable[[Context, Step], None] | None = None
    ) -> Iterator[None]:
        """Answer `context` from the trace in the block.

        With `stop`, `at_stop(context, step)` is called when step number `stop` (from 1) is
        asked for. Raises ReplayError where the program asks for something else than
        it did, or uses other fuel.
        """
        yield from tapped(context, Replayer(self, stop, at_stop))

    # -- as a file -------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that only its owner may read."""
        lines = [{"chibi_bridge": FORMAT, "engine": version(), "about": self.about, "broken": self.broken}]
        lines += [
            {"op": step.op, "args": step.args, "failed": step.failed, "answer": base64.b64encode(step.answer).decode()}
            for step in self.steps
        ]
        lines.append({"fuel": self.fuel})
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 (a descriptor)
            file.write(text)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Trace:
        """Read a file that `save` wrote; ReplayError for anything else, and for another engine's."""
        try:
            head, *steps, tail = (json.loads(line) for line in Path(path).read_text("utf-8").splitlines())
            if head["chibi_bridge"] != FORMAT:
                raise ReplayError(f"{path}: a recording of format {head['chibi_bridge']!r}; this one is {FORMAT}")
            made = cls(
                dict(head["about"]),
                [
                    Step(str(s["op"]), str(s["args"]), base64.b64decode(s["answer"], validate=True), bool(s["failed"]))
                    for s in steps
                ],
                [int(units) for units in tail["fuel"]],
                head["broken"],
            )
        except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise ReplayError(f"{path}: no recording, or a damaged one") from error
        if head["engine"] != version():
            raise ReplayError(f"{path}: recorded by engine {head['engine']}, this is {version()}")
        return made


def tapped(context: Context, tap: Recorder | Replayer) -> Iterator[None]:
    """Let `tap` see the operations of a context for a while."""
    if context.tap is not None:
        raise RuntimeError("the context is recorded or replayed already")
    context.tap = tap
    try:
        yield
    finally:
        context.tap = None
    tap.finish()


class Recorder:
    """Notes each answer on its way to the program."""

    replays = False

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._inside = 0  # answers that go on: a run that ends meanwhile is a nested one

    def perform(self, context: Context, request: Request, answer: Callable[[Request], object]) -> object:
        """Let the host answer, and note it."""
        about = told(context, request)
        self._inside += 1
        try:
            value = answer(request)
        except Exception as error:
            self.failed(context, request, error, about)
            raise
        finally:
            self._inside -= 1
        if isinstance(value, Awaitable):
            return self._later(context, request, value, about)
        self.answered(context, request, value, about)
        return value

    async def _later(
        self, context: Context, request: Request, value: Awaitable[object], about: tuple[str, str]
    ) -> object:
        try:
            result = await value
        except Exception as error:
            self.failed(context, request, error, about)
            raise
        self.answered(context, request, result, about)
        return result

    def answered(self, context: Context, request: Request, value: object, about: tuple[str, str] | None = None) -> None:
        """Note a value."""
        codec = context._codec
        before = codec.next_id
        packed = codec.pack(value)
        if codec.next_id != before:
            raise ConversionError(f"the answer of {request.op} holds a Python object, which cannot be recorded")
        self._note(context, request, about, packed, failed=False)

    def failed(
        self, context: Context, request: Request, error: Exception, about: tuple[str, str] | None = None
    ) -> None:
        """Note a failure, without the Python object it may carry: no program sees that."""
        codec = context._codec
        before = codec.next_id
        packed = codec.pack(answer_for(error))
        if codec.next_id != before:
            packed = codec.pack([*answer_for(error)[:2], [], None])
        self._note(context, request, about, packed, failed=True)

    def _note(
        self, context: Context, request: Request, about: tuple[str, str] | None, packed: bytes, *, failed: bool
    ) -> None:
        op, args = about or told(context, request)
        self._trace.steps.append(Step(op, args, packed, failed))

    def ended(self, fuel: int) -> None:
        """Note a run's fuel."""
        if self._inside:
            self._trace.broken = "a Python callable called back into the context"
        else:
            self._trace.fuel.append(fuel)

    def finish(self) -> None:
        """Nothing is left to do."""


class Replayer:
    """Gives the answers of a trace."""

    replays = True

    def __init__(
        self, trace: Trace, stop: int | None = None, at_stop: Callable[[Context, Step], None] | None = None
    ) -> None:
        if trace.broken is not None:
            raise ReplayError(f"the recording cannot be replayed: {trace.broken}")
        self._trace = trace
        self._stop = stop
        self._at_stop = at_stop
        self._at = 0
        self._runs = 0

    def perform(self, context: Context, request: Request, answer: Callable[[Request], object]) -> object:
        """The recorded answer to this request."""
        steps, (op, args) = self._trace.steps, told(context, request)
        if self._at >= len(steps):
            raise ReplayError(f"the recording has {len(steps)} steps, and the program asks for one more: {op} {args}")
        step = steps[self._at]
        self._at += 1
        if (step.op, step.args) != (op, args):
            raise ReplayError(f"step {self._at} was {step.op} {step.args}, and the program asks for {op} {args}")
        if self._at == self._stop and self._at_stop is not None:
            self._at_stop(context, step)
        value = context._codec.unpack(step.answer)
        if step.failed:
            assert isinstance(value, list)
            raise Refusal(*value)
        return value

    def answered(self, context: Context, request: Request, value: object) -> None:
        """Nobody else answers during a replay."""
        raise ReplayError("a replayed run gets its answers from the recording")

    def failed(self, context: Context, request: Request, error: Exception) -> None:
        """Nobody else answers during a replay."""
        raise ReplayError("a replayed run gets its answers from the recording")

    def ended(self, fuel: int) -> None:
        """Compare a run's fuel with the recorded one."""
        wanted = self._trace.fuel[self._runs] if self._runs < len(self._trace.fuel) else None
        self._runs += 1
        if fuel != wanted:
            raise ReplayError(f"run {self._runs} used {fuel} units of fuel; the recorded one {wanted}")

    def finish(self) -> None:
        """All steps are to be used up."""
        if self._at < len(self._trace.steps) and self._stop is None:
            step = self._trace.steps[self._at]
            raise ReplayError(f"the program ended before step {self._at + 1}, {step.op} {step.args}")


def told(context: Context, request: Request) -> tuple[str, str]:
    """A request's name and its arguments in their written form."""
    if request.op == "call":
        return context.callable_name(request.args[0]), write(request.args[1:], SHOWN)
    return request.op, write(request.args, SHOWN)
