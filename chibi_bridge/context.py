"""Contexts, images and runs.

A Context is one sandboxed Scheme program with its own memory, used by one thread
at a time. Every entry makes a run of the engine and drives it to its end through
_driver; the plain case (a run that ends in its first slice) takes one crossing.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Any

import msgpack

from chibi_bridge._conditions import Refusal, error_from, exit_error, frames_from, original, uncaught
from chibi_bridge._driver import (
    ASYNC_SLICE,
    SYNC_SLICE,
    UNREAD,
    Request,
    drive,
    long_work,
    run_sync,
    serve,
)
from chibi_bridge._native import lib as native
from chibi_bridge._native.lib import (
    Native,
    NativeImage,
    bridge_apply,
    bridge_apply_integer,
    bridge_source,
    read_buffer,
)
from chibi_bridge._run import AnyTurn, Failed, Frame, Outcome, Run, Tap, Turn
from chibi_bridge._sealing import seal, unpack_sealed
from chibi_bridge._wire import Codec, HostProcedure
from chibi_bridge.errors import (
    ContextBusy,
    ContextClosed,
    ConversionError,
    FuelExhausted,
    ImageError,
    Interrupted,
    MemoryExhausted,
    OutputExhausted,
    SchemeError,
    UnboundVariable,
)
from chibi_bridge.errors import Frame as SchemeFrame
from chibi_bridge.host import Host, perform
from chibi_bridge.host.hints import advice, hint_for
from chibi_bridge.host.libraries import permitted
from chibi_bridge.policy import Policy
from chibi_bridge.values import Opaque, Procedure, Symbol

__all__ = ["Context", "Image"]

NESTED_RUNS = 100
SOURCES_KEPT = 64

PRELUDES: dict[str, tuple[str, ...]] = {
    "base": ("(scheme base)", "(scheme write)", "(only (scheme process-context) exit emergency-exit)"),
    "tools": ("(chibi-bridge prelude tools)",),
}
TOOLS_PRELUDE_PARTS = (
    "(scheme base)", "(scheme write)", "(scheme read)", "(scheme char)", "(scheme case-lambda)",
    "(scheme inexact)", "(scheme complex)", "(tein json)", "(tein safe-regexp)", "(tein docs)",
    "(tein introspect)", "(srfi 1)", "(srfi 27)", "(srfi 69)", "(srfi 95)", "(srfi 125)", "(srfi 128)",
    "(srfi 130)", "(srfi 132)", "(srfi 133)", "(chibi match)", "(harness tools)", "(harness docs)",
)  # fmt: skip
"""What the prelude of tools consists of: imported one by one where a policy has only some of them."""


DEFAULT_POLICY = Policy()

ATOMS: dict[int, object] = {
    **{0x100 | number & 0xFF: number for number in range(-32, 128)},
    0x1C0: None,
    0x1C2: False,
    0x1C3: True,
}
"""By what is seen of a call's result: those that are one byte, packed."""


class Context:
    """A sandboxed Scheme program: define, evaluate, call.

    `policy` says what it may do; `prelude` what is imported at its top level:
    "base" (scheme base and write), "tools" (what tool files see) or None;
    `module_path` names folders whose `.sld` files it may import. One thread at a
    time; a second one gets ContextBusy. Close it, or use it in `with`.

    >>> with Context() as ctx:
    ...     ctx.eval("(+ 1 2)")
    3
    """

    __slots__ = (
        "__weakref__",
        "_answers",
        "_budget",
        "_call",
        "_callables",
        "_codec",
        "_dead",
        "_depth",
        "_event",
        "_frame",
        "_hear",
        "_host",
        "_image",
        "_interrupt_asked",
        "_lock",
        "_module_path",
        "_native",
        "_number",
        "_on_loop",
        "_restored",
        "_sources",
        "_symbols",
        "_thread",
        "owned",
        "policy",
        "tap",
    )

    def __init__(
        self,
        policy: Policy | None = None,
        prelude: str | None = "base",
        *,
        module_path: Iterable[str | os.PathLike[str]] = (),
        transport: Callable[..., object] | None = None,
    ) -> None:
        if policy is None:
            policy = DEFAULT_POLICY
        if prelude is not None and prelude not in PRELUDES:
            raise ValueError(f'prelude is "base", "tools" or None: {prelude!r}')
        image = prelude_image(policy, prelude)
        self._open(policy, image, tuple(module_path), transport)

    def _open(
        self,
        policy: Policy,
        image: Image | None,
        module_path: tuple[str | os.PathLike[str], ...],
        transport: Callable[..., object] | None,
        saved: native.Snapshot | None = None,
    ) -> None:
        self.policy = policy
        self._host = Host(policy, module_path, transport)  # first: a bad rule raises while nothing is open
        base = native.engine().boot if image is None else image.native
        memory = policy.limits.memory
        self._restored: tuple[Any, int, int, int] | None = None
        if saved is None:
            self._native = Native(base, memory, *self._limits(), SYNC_SLICE)
        else:
            self._native = Native.restored(base, saved)
            event = self._native.event
            self._restored = event.run, event.kind, event.fuel_used, long_work(self._native)
        self.owned = False
        self.tap: Tap | None = None
        self._image = image
        self._module_path = module_path
        self._codec = Codec(weakref.ref(self), self._condition, memory)
        self._dead = self._codec.dead
        self._event = self._native.event
        self._call = self._native.call
        self._lock = threading.Lock()
        self._thread = 0
        self._frame: Frame | None = None
        self._on_loop: set[Run] = set()
        self._interrupt_asked = False
        self._depth = 0
        self._symbols: dict[str, bytes] = {}
        self._sources: dict[str, str] = {}
        self._number = 1
        self._answers: dict[str, Callable[..., object]] = {}
        self._hear: Callable[[], None] | None = None
        self._callables: dict[int, tuple[str, Callable[..., object] | None]] = {}
        self._budget = self._native.budget
        if image is not None:
            self._callables.update(image.callables)
            self._codec.foreign.update(image.foreign)
            self._codec.next_id = image.next_id
            self._sources.update(image.sources)
            self._number = image.number
        names = permitted(policy)
        if names is not None:
            self._native.set_libraries(msgpack.packb(sorted(written_name(name) for name in names)))

    def _limits(self) -> tuple[int, int]:
        """Fuel and output of a run, as the engine wants them."""
        limits = self.policy.limits
        fuel = native.NO_LIMIT if limits.fuel is None else limits.fuel
        output = native.NO_LIMIT if limits.output is None else limits.output
        return fuel, output

    # -- life ------------------------------------------------------------------------

    def close(self) -> None:
        """Free the context; its procedures raise ContextClosed from now on. Twice is fine."""
        if not self._is_open():
            return
        if self._depth or not self._lock.acquire(blocking=False):
            raise ContextBusy("a context cannot be closed from inside one of its runs, or by another thread")
        native_context = self._native
        del self._native
        self._codec.foreign.clear()
        self._callables.clear()
        native_context.close()
        self._host.close()
        self._lock.release()

    @property
    def frame(self) -> Frame | None:
        """What watches the run that asks the host for something just now."""
        return self._frame

    def _is_open(self) -> bool:
        return hasattr(self, "_native")

    @property
    def closed(self) -> bool:
        """Has `close` been called?"""
        return not self._is_open()

    def __enter__(self) -> Context:
        self._live()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        context = getattr(self, "_native", None)
        if context is not None and not sys.is_finalizing():
            native.abandon_context(context.pointer)
            if self.owned:
                return  # a tool's session: freed with its tools
            warnings.warn(f"unclosed {self!r}", ResourceWarning, stacklevel=2, source=self)

    def __repr__(self) -> str:
        return f"<Context{' closed' if not self._is_open() else ''} at {id(self):#x}>"

    def _live(self) -> Native:
        try:
            return self._native
        except AttributeError:
            raise ContextClosed("the context is closed") from None

    def _enter(self) -> bool:
        """Take the context for this thread; answers False for a nested run."""
        self._live()
        if self._lock.acquire(blocking=False):
            if self._dead:
                self._drain()
            self._interrupt_asked = False
            return True
        if self._thread != threading.get_ident():
            raise ContextBusy("another thread is inside this context; a context serves one thread at a time")
        if self._depth >= NESTED_RUNS:
            raise RecursionError(f"runs of one context nested more than {NESTED_RUNS} deep")
        return False

    def _drain(self) -> None:
        """Release the handles that Python dropped."""
        dead, self._dead[:] = self._dead[:], []
        self._live().release(dead)

    # -- evaluation ------------------------------------------------------------------

    def eval(self, source: str, filename: str | None = None) -> object:
        """Evaluate a text and answer the value of its last form.

        `filename` appears in errors. Raises SchemeError for what the program does,
        ValueError for a text with a lone surrogate.

        >>> with Context() as ctx:
        ...     ctx.eval("(define (twice x) (* 2 x)) (twice 21)")
        42
        """
        text, name = self._source(source, filename)
        lock = self._lock
        if not lock.acquire(False):
            return self._evaluate_text(text, name)[0]
        try:
            if self._dead:
                self._drain()
            self._interrupt_asked = False
            return self._value(bridge_source(self._call, text, len(text), name, len(name)), b"")
        finally:
            lock.release()

    def eval_written(self, source: str, filename: str | None = None) -> str:
        """Evaluate, and answer the external representation of the last value.

        >>> with Context() as ctx:
        ...     ctx.eval_written("(list 1.0 #\\\\a)")
        '(1.0 #\\\\a)'
        """
        value = self._evaluate(source, filename, written=True)[0]
        if isinstance(value, tuple):  # several values, each written
            return "\n".join(map(str, value))
        return str(value)

    def run(self, source: str, filename: str | None = None) -> Outcome:
        """Evaluate, and answer value, printed text, fuel and seconds.

        An error that ends the run carries what was printed in `stdout`, `stderr`.
        """
        start = monotonic()
        value, out, err, fuel = self._evaluate(source, filename, capture=True)
        return Outcome(value, out, err, fuel, monotonic() - start)

    def _evaluate(
        self, source: str, filename: str | None, *, written: bool = False, capture: bool = False
    ) -> tuple[object, str, str, int]:
        text, name = self._source(source, filename)
        return self._evaluate_text(text, name, written=written, capture=capture)

    def _evaluate_text(
        self, text: bytes, name: bytes, *, written: bool = False, capture: bool = False
    ) -> tuple[object, str, str, int]:
        top = self._enter()
        try:
            budget, frame = self._begin(top, written)
            kind = self._native.run_source(text, name, budget)
            return self._end(kind, frame, capture)
        finally:
            if top:
                self._lock.release()

    def _source(self, source: str, filename: str | None) -> tuple[bytes, bytes]:
        """The text and its name in UTF-8; the text is kept for error messages."""
        if not isinstance(source, str):
            raise TypeError(f"a program is a str: {type(source).__name__}")
        try:
            text = source.encode()
        except UnicodeEncodeError as error:
            raise ConversionError(f"the program holds a lone surrogate at index {error.start}") from None
        name = filename
        if name is None:
            name = f"<eval {self._number}>"
            self._number += 1
        self.keep_source(name, source)
        return text, name.encode("utf-8", "replace")

    def keep_source(self, filename: str, source: str) -> None:
        """Keep a text that a program evaluates by itself, for the lines in error messages."""
        sources = self._sources
        sources[filename] = source
        if len(sources) > SOURCES_KEPT:
            del sources[next(iter(sources))]

    def _begin(self, top: bool, written: bool = False, slice_: int = SYNC_SLICE) -> tuple[Any, Frame]:
        """Budget and frame of a run; a nested one has what is left of the outer one."""
        outer = None if top else self._frame
        fuel, output = self._limits()
        timeout = self.policy.limits.timeout
        deadline = None if timeout is None else monotonic() + timeout
        if outer is not None:
            if outer.used == UNREAD:
                outer.used = self._event.fuel_used
            fuel, deadline = outer.left(), outer.deadline
        plain = outer is None and not written and slice_ == SYNC_SLICE
        budget = self._budget if plain else native.make_budget(fuel, output, slice_, written=written)
        return budget, Frame(deadline, fuel, on_loop=slice_ == ASYNC_SLICE)

    def _end(self, kind: int, frame: Frame, capture: bool = False) -> tuple[object, str, str, int]:
        """Drive to the end, then take value and output."""
        if kind in (native.HOST_CALL, native.PAUSED):
            outer = self._push(frame)
            try:
                if kind == native.HOST_CALL and self.tap is None:
                    serve(self._native, self._codec, self._callables, frame)
                    kind = self._event.kind
                if kind in (native.HOST_CALL, native.PAUSED):
                    steps = drive(self._native, self._codec, kind, frame, SYNC_SLICE)
                    kind = run_sync(steps, self._perform, self._hear)
            finally:
                self._pop(outer)
        return self._finish(kind, capture)

    def _push(self, frame: Frame) -> tuple[Frame | None, int]:
        """Make this the run that goes on: nested runs of this thread belong to it."""
        frame.interrupted = self._interrupt_asked
        outer = self._frame, self._thread
        self._frame, self._thread = frame, threading.get_ident()
        self._depth += 1
        return outer

    def _pop(self, outer: tuple[Frame | None, int]) -> None:
        """Back to the outer run."""
        self._depth -= 1
        self._frame, self._thread = outer

    def _finish(self, kind: int, capture: bool) -> tuple[object, str, str, int]:
        """The result of an ended run, or its exception; the output is taken either way."""
        context = self._native
        event = context.event
        fuel = event.fuel_used
        if event.dropped_count:
            self._codec.drop(context.dropped())
        out = err = ""
        waiting = event.output_bytes or event.error_bytes
        error: BaseException | None = None
        value: object = None
        if self.tap is not None:
            self.tap.ended(fuel)
        try:
            value = self._result(kind)
        except (SchemeError, ConversionError) as problem:
            error = problem
        except Exception as problem:
            error = problem
        if waiting:
            out, err = context.output(0), context.output(1)
        if error is not None:
            if isinstance(error, SchemeError):
                error.fuel_used = fuel
            if capture and isinstance(error, SchemeError):
                error.stdout, error.stderr = out, err
            raise error
        return value, out, err, fuel

    def _result(self, kind: int) -> object:
        """The value of the event, or the exception it stands for."""
        context = self._native
        if kind == native.DONE:
            return self._codec.unpack(context.data())
        if kind == native.RAISED:
            raise self._raised(self._codec.unpack(context.data()))
        if kind == native.EXIT:
            raise exit_error(self._codec.unpack(context.data()))
        if kind == native.OUT_OF_FUEL:
            raise FuelExhausted(
                "step limit exceeded",
                hint=f"the run used up its {context.event.fuel_used} units (Limits.fuel); is there an endless loop?",
            )
        if kind == native.OUT_OF_MEMORY:
            usable = bool(context.event.usable)
            state = "the context can go on" if usable else "the context can only be closed"
            raise MemoryExhausted(
                "memory limit exceeded",
                usable=usable,
                hint=f"the program needs more than Limits.memory ({self.policy.limits.memory} bytes); {state}",
            )
        if kind == native.OUT_OF_OUTPUT:
            raise OutputExhausted(
                "output limit exceeded",
                hint=f"the run printed more than Limits.output ({self.policy.limits.output} bytes)",
            )
        if kind == native.INTERRUPTED:
            raise Interrupted("interrupted")
        reason = self._codec.unpack(context.data()) if context.event.length else "the result cannot leave the context"
        raise ConversionError(str(reason))

    def _raised(self, value: object) -> Exception:
        """The exception for a raised object; a Python exception that it carries is that one."""
        if not isinstance(value, SchemeError):
            return uncaught(value)
        if isinstance(value, UnboundVariable) and value.hint is None and value.irritants:
            value.hint = self._hint(str(value.irritants[0]))
        elif value.hint is None:
            value.hint = advice(value.message, value.irritants, value.source_line)
        return (original(value) if value.kind in ("host-error", "sandbox", "http-blocked") else None) or value

    def _hint(self, name: str) -> str | None:
        """What to write in place of a name that nothing binds."""
        found = self._codec.unpack(self._native.names(b""))
        assert isinstance(found, list)
        return hint_for(name, [str(item) for item in found], self.policy)

    def _condition(self, array: list[object], handle: Opaque | None) -> SchemeError:
        return error_from(array, handle, self._source_line)

    def _source_line(self, file: str | None, line: int) -> str | None:
        """The line of a text that was evaluated here, where it is still kept."""
        source = self._sources.get(file or "")
        if source is None:
            return None
        lines = source.splitlines()
        return lines[line - 1] if 0 < line <= len(lines) else None

    # -- host operations --------------------------------------------------------------

    def _perform(self, request: Request) -> object:
        """Answer one host operation; a callable may use this context for nested runs."""
        frame = self._frame
        assert frame is not None
        frame.used = self._event.fuel_used
        return self._answer(request) if self.tap is None else self.tap.perform(self, request, self._answer)

    def _answer(self, request: Request) -> object:
        """What the policy, or a callable, answers."""
        op = request.op
        if op == "call":
            return self._call_out(request.args)
        self._host.watch = self._frame
        own = self._answers.get(op)
        return own(*request.args) if own is not None else perform(self._host, op, request.args)

    def _call_out(self, args: list[object]) -> object:
        """Call the Python callable behind a host procedure."""
        identity, *rest = args
        name, target = self._callables.get(identity, (f"host procedure {identity}", None))  # type: ignore[call-overload]
        if target is None:
            raise self._unanswered(name)
        return target(*rest)

    def callable_name(self, identity: object) -> str:
        """What a host procedure is called."""
        name, _ = self._callables.get(identity, (f"host procedure {identity}", None))  # type: ignore[call-overload]
        return str(name)

    def _unanswered(self, name: str) -> Exception:
        """What a call of a host procedure that nobody answers raises."""
        return Refusal("unanswered", f"nobody answers the host procedure {name}", [Symbol(name)])

    def define(self, name: str, value: object) -> None:
        """Bind a top-level name; a Python callable becomes a procedure.

        What the callable returns is its value, what it raises a condition that
        `guard` can catch. It may be an `async def` where the async twins drive.

        >>> with Context() as ctx:
        ...     ctx.define("add", lambda a, b: a + b)
        ...     ctx.eval("(add 1 2)")
        3
        """
        if callable(value) and not isinstance(value, Procedure):
            value = self._host_procedure(name, value)
        self._define(name, value)

    def define_host(self, name: str) -> None:
        """Bind a procedure that nobody answers here: whoever drives the run does."""
        self._define(name, self._host_procedure(name, None))

    def answer(self, op: str, target: Callable[..., object]) -> None:
        """Answer a host operation of a library here, whatever the policy grants."""
        self._answers[op] = target

    def hear(self, target: Callable[[], None]) -> None:
        """Call this between the slices of runs that take long; what it raises ends the run."""
        self._hear = target

    def _host_procedure(self, name: str, target: Callable[..., object] | None) -> HostProcedure:
        identity = self._codec.next_id
        self._codec.next_id = identity + 1
        self._callables[identity] = (name, target)
        return HostProcedure(identity, name)

    def _define(self, name: str, value: object) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"a name to define is a non-empty str: {name!r}")
        packed = self._codec.pack(value)
        key = Symbol(name).encode("utf-8")
        top = self._enter()
        try:
            self._native.define(key, packed)
        finally:
            if top:
                self._lock.release()

    def __getitem__(self, name: str) -> object:
        """The value of a top-level name; KeyError where nothing binds it."""
        top = self._enter()
        try:
            packed = self._native.lookup(name.encode("utf-8"))
            if packed is None:
                raise KeyError(name)
            if self._event.kind == native.UNPACKABLE:
                raise ConversionError(str(self._codec.unpack(packed)))
            return self._codec.unpack(packed)
        finally:
            if top:
                self._lock.release()

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            self[name]
        except KeyError:
            return False
        return True

    def names(self, prefix: str = "") -> list[str]:
        """The names bound at top level that start with `prefix`."""
        top = self._enter()
        try:
            found = self._codec.unpack(self._native.names(prefix.encode("utf-8")))
        finally:
            if top:
                self._lock.release()
        return sorted(str(name) for name in found)  # type: ignore[attr-defined]

    # -- calls -----------------------------------------------------------------------

    def call(self, target: str | Procedure, /, *args: object) -> object:
        """Call a procedure by its top-level name or by value.

        >>> with Context() as ctx:
        ...     ctx.call("max", 1, 5, 2)
        5
        """
        if type(target) is Procedure:
            return self._apply(self._target_of(target), args)
        packed = self._symbols.get(target)  # type: ignore[arg-type]
        return self._apply(packed if packed is not None else self._name_of(target), args)

    def _name_of(self, target: object) -> bytes:
        """The packed name of a procedure, remembered."""
        if not isinstance(target, str):
            raise TypeError(f"a procedure is named by a str or is a Procedure: {target!r}")
        packed = self._symbols[str(target)] = self._codec.pack(Symbol(target))
        return packed

    def _target_of(self, target: Procedure) -> bytes:
        if target._token is not self._codec.token:
            raise ConversionError(f"{target!r} belongs to another context")
        return target._target

    def _apply(self, target: bytes, args: tuple[object, ...]) -> object:
        """Call a packed target; the short way where nothing happens on the way."""
        single = len(args) == 1 and type(args[0]) is int and -(1 << 63) <= args[0] < 1 << 63
        packed = b"" if single else self._pack(args)
        lock = self._lock
        if not lock.acquire(False):
            return self._apply_nested(target, packed or self._pack(args))
        try:
            if self._dead:
                self._drain()
            self._interrupt_asked = False
            if single:
                seen = bridge_apply_integer(self._call, target, len(target), args[0])  # type: ignore[arg-type]
            else:
                packed = target + packed
                seen = bridge_apply(self._call, packed, len(packed))
            return ATOMS[seen] if seen in ATOMS else self._value(seen, target)
        finally:
            lock.release()

    def _value(self, seen: int, target: bytes) -> object:
        """The value of a run of which this was seen; drives it to its end where it has none yet."""
        if seen in ATOMS:
            return ATOMS[seen]
        event = self._event
        if seen < 0:
            if seen < -1:
                self._refused(-2 - seen, target)
            frame = self._begin(True)[1]
            if self._call.asked and self.tap is None:
                seen = self._serve(frame)
            if seen < 0:
                return self._end(event.kind, frame)[0]
            if seen in ATOMS:
                return ATOMS[seen]
        data = read_buffer(event.data, seen >> 8)
        if 0xA0 <= seen & 0xFF < 0xC0:  # a short string
            return data[1:].decode()
        return self._codec.unpack(data)

    def _serve(self, frame: Frame) -> int:
        """Answer the calls of Python callables; what is seen of the result, or -1."""
        outer = self._push(frame)
        try:
            return serve(self._native, self._codec, self._callables, frame)
        finally:
            self._pop(outer)

    def _pack(self, args: tuple[object, ...]) -> bytes:
        """Arguments as an array."""
        codec = self._codec
        try:
            return (codec.pack_plain or codec.start())([*args])
        except Exception:
            return codec.pack([*args])

    def _refused(self, status: int, target: bytes) -> None:
        """Raise what a call that the engine did not even start stands for."""
        self._live()
        if status == native.NOT_FOUND:
            name = self._codec.unpack(target) if target[:1] != b"\xc7" or target[2:3] == b"\x01" else None
            raise UnboundVariable(
                f"unbound variable {name}" if isinstance(name, Symbol) else "the procedure is no longer there"
            )
        self._native.check(status)

    def _apply_nested(self, target: bytes, packed: bytes) -> object:
        """A call while the context is in use: by a callable of the outer run, or by another thread."""
        top = self._enter()  # the other thread may be through by now
        try:
            budget, frame = self._begin(top)
            return self._end(self._run_apply_checked(target, packed, budget), frame)[0]
        finally:
            if top:
                self._lock.release()

    def _run_apply_checked(self, target: bytes, packed: bytes, budget: Any) -> int:
        """Start a call; answers the kind of its first event."""
        status = self._native.run_apply(target, packed, budget)
        if status:
            self._refused(status, target)
        return self._event.kind  # type: ignore[no-any-return]

    def call_captured(self, target: Procedure | str, /, *args: object) -> Outcome:
        """Call like `call`, and answer value, printed text, fuel and seconds like `run`."""
        start = monotonic()
        packed = self._codec.pack([*args])
        name = self._target_of(target) if isinstance(target, Procedure) else self._name_of(target)
        top = self._enter()
        try:
            budget, frame = self._begin(top)
            value, out, err, fuel = self._end(self._run_apply_checked(name, packed, budget), frame, capture=True)
        finally:
            if top:
                self._lock.release()
        return Outcome(value, out, err, fuel, monotonic() - start)

    # -- async twins -------------------------------------------------------------------

    async def eval_async(self, source: str, filename: str | None = None) -> object:
        """`eval` on the event loop: others run between slices, async callables are awaited."""
        return (await self.run_async(source, filename)).value

    async def run_async(self, source: str, filename: str | None = None, *, turn: Turn | None = None) -> Outcome:
        """`run` on the event loop; `turn` is given back while the run waits for something."""
        text, name = self._source(source, filename)
        return await self._drive_async(lambda budget: self._native.run_source(text, name, budget), turn or AnyTurn())

    async def call_async(self, target: str | Procedure, /, *args: object) -> object:
        """`call` on the event loop."""
        return (await self.call_captured_async(target, *args)).value

    async def call_captured_async(self, target: str | Procedure, /, *args: object, turn: Turn | None = None) -> Outcome:
        """`call_captured` on the event loop; `turn` is given back while the run waits for something."""
        packed = self._codec.pack([*args])
        name = self._target_of(target) if isinstance(target, Procedure) else self._name_of(target)
        return await self._drive_async(lambda budget: self._run_apply_checked(name, packed, budget), turn or AnyTurn())

    async def _drive_async(self, begin: Callable[[Any], int], turn: Turn) -> Outcome:
        start = monotonic()
        top = self._enter()
        try:
            kind = begin(self._begin(top, slice_=ASYNC_SLICE)[0])
            if kind not in (native.HOST_CALL, native.PAUSED):
                value, out, err, fuel = self._finish(kind, capture=True)
                return Outcome(value, out, err, fuel, monotonic() - start)
            run = Run(self, self._event.run, kind, fresh=True)
            step = run.first_step()
        finally:
            if top:
                self._lock.release()
        step = await run.drive_later(step, turn)
        if isinstance(step, Failed):
            raise step.error
        return Outcome(step.value, run.stdout, run.stderr, run.fuel_used, monotonic() - start)

    # -- libraries -----------------------------------------------------------------------

    def import_(self, *sets: str) -> None:
        """Import into the top level: `ctx.import_("(srfi 1)")`."""
        self._evaluate(f"(import {' '.join(sets)})", "<import>")

    def register_library(self, source: str, filename: str | None = None) -> None:
        """Make the libraries that a text of `define-library` forms defines importable."""
        self._evaluate(source, filename)

    # -- others ----------------------------------------------------------------------------

    def interrupt(self) -> None:
        """Ask the run that goes on to stop; legal from any thread. Nothing where none goes on."""
        for run in list(self._on_loop):
            run.interrupt()
        if self._lock.locked():
            self._interrupt_asked = True  # for a run still in its first slice
            frame = self._frame
            if frame is not None:
                frame.interrupted = True

    def stats(self) -> dict[str, int]:
        """Figures of the context's memory: used, peak, limit (bytes), collections."""
        top = self._enter()
        try:
            return self._native.stats()
        finally:
            if top:
                self._lock.release()

    def where(self) -> list[SchemeFrame]:
        """Where the run stands that waits for the host: its frames, innermost first."""
        native_context = self._live()
        trace = self._codec.unpack(native_context.backtrace(native_context.event.run))
        assert isinstance(trace, list)
        return frames_from(trace)

    def take_output(self) -> tuple[str, str]:
        """What the run that goes on has printed so far, taken out of what it will have printed."""
        context = self._live()
        return context.output(0), context.output(1)

    def freeze(self) -> Image:
        """An Image of the context as it is; it must have no living run."""
        top = self._enter()
        try:
            if not top:
                raise ImageError("a context cannot be frozen from inside one of its runs")
            made = self._native.freeze()
        finally:
            if top:
                self._lock.release()
        return Image(
            made,
            self._callables,
            self._codec.foreign,
            self._codec.next_id,
            self._sources,
            self._module_path,
            self._number,
            self._image,
        )

    def start(self, target: str | Procedure, /, *args: object) -> Run:
        """A run that the caller steps: of a program's text, or of a procedure and arguments."""
        top = self._enter()
        try:
            budget = native.make_budget(*self._limits(), 0)
            if isinstance(target, Procedure):
                self._run_apply_checked(self._target_of(target), self._codec.pack([*args]), budget)
            else:
                text, name = self._source(target, None)
                self._native.run_source(text, name, budget)
            return Run(self, self._native.event.run, self._native.event.kind)
        finally:
            if top:
                self._lock.release()


class Image:
    """A frozen context: immutable, shared between threads, picklable.

    >>> with Context() as ctx:
    ...     _ = ctx.eval("(define x 1)")
    ...     image = ctx.freeze()
    >>> with image.instantiate() as copy:
    ...     copy.eval("x")
    1
    """

    __slots__ = (
        "__weakref__",
        "base",
        "callables",
        "foreign",
        "module_path",
        "native",
        "next_id",
        "number",
        "recipe",
        "sources",
    )

    def __init__(
        self,
        made: NativeImage,
        callables: Mapping[int, tuple[str, Callable[..., object] | None]],
        foreign: Mapping[int, object],
        next_id: int,
        sources: Mapping[str, str],
        module_path: tuple[str | os.PathLike[str], ...] = (),
        number: int = 1,
        base: Image | None = None,
    ) -> None:
        self.native = made
        self.callables = dict(callables)
        self.foreign = dict(foreign)
        self.next_id = next_id
        self.sources = dict(sources)
        self.module_path = module_path
        self.number = number
        self.base = base
        self.recipe: tuple[str, str | Iterable[str], Iterable[str]] | None = None  # of a prelude: how it is made
        _living.add(self)

    def instantiate(
        self,
        policy: Policy | None = None,
        *,
        bindings: Mapping[str, Callable[..., object]] | None = None,
        transport: Callable[..., object] | None = None,
    ) -> Context:
        """A Context as the frozen one was; `bindings` answers its host procedures by name."""
        context = Context.__new__(Context)
        context._open(Policy() if policy is None else policy, self, self.module_path, transport)
        for identity, (name, target) in self.callables.items():
            context._callables[identity] = (name, (bindings or {}).get(name, target))
        return context

    def to_bytes(self, *, key: bytes | None = None) -> bytes:
        """The image as bytes, with a MAC under `key` where one is given."""
        names = {identity: name for identity, (name, _) in self.callables.items()}
        return seal(MAGIC, msgpack.packb([names, self.next_id, self.number, self.native.to_bytes()]), key)

    @classmethod
    def from_bytes(cls, data: bytes, *, key: bytes | None = None, trusted: bool = False) -> Image:
        """An image from bytes made by `to_bytes`.

        Bytes from another process need the `key` they were made under, or have to be
        `trusted`. Raises ImageError for damage, another engine build, a wrong or
        missing key.
        """
        items = unpack_sealed(MAGIC, data, key, trusted, "image")
        if len(items) != 4 or not all(map(isinstance, items, (dict, int, int, bytes))):
            raise ImageError("the image is damaged")
        names, next_id, number, raw = items
        callables = {identity: (str(name), None) for identity, name in names.items()}
        return cls(native.engine().load(raw), callables, {}, next_id, {}, (), number)

    def __reduce__(self) -> tuple[Callable[[bytes], Image], tuple[bytes]]:
        return image_from_pickle, (self.to_bytes(),)

    @classmethod
    def find(cls, identity: int) -> Image | None:
        """The living image with this number, which snapshots name it by."""
        return next((image for image in list(_living) if image.native.identity == identity), None)


MAGIC = b"CHIBIBRIDGE2"
_living: weakref.WeakSet[Image] = weakref.WeakSet()
"""The images of this process, but for those of preludes."""


def image_from_pickle(data: bytes) -> Image:
    """Whoever unpickles trusts the bytes already."""
    return Image.from_bytes(data, trusted=True)


def written_name(name: str) -> str:
    """ "scheme/base" as "(scheme base)"."""
    return f"({name.replace('/', ' ')})"


_preludes: dict[tuple[str | None, object, object], Image | None] = {}
_preludes_lock = threading.Lock()


def prelude_image(policy: Policy, prelude: str | None) -> Image | None:
    """The image with a prelude imported, made once per library set; None: the built-in one."""
    key = (prelude, policy.modules, policy.allow)
    try:
        return _preludes[key]
    except KeyError:
        pass
    if policy.modules == "none":
        prelude = None
    with _preludes_lock:
        if key not in _preludes:
            _preludes[key] = None if prelude is None else make_prelude(policy, prelude)
    return _preludes[key]


def make_prelude(policy: Policy, prelude: str) -> Image | None:
    """Import a prelude's libraries, those the policy has, and freeze."""
    maker = Context.__new__(Context)
    maker._open(Policy(modules=policy.modules, allow=policy.allow), None, (), None)
    with maker:
        whole = policy.modules in ("safe", "all")
        for name in PRELUDES[prelude] if whole or prelude == "base" else TOOLS_PRELUDE_PARTS:
            try:
                maker.import_(name)
            except SchemeError:
                if whole:
                    raise
        maker._sources.clear()
        image = maker.freeze()
    image.recipe = prelude, policy.modules, policy.allow
    return image
