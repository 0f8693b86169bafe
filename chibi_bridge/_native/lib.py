"""The only importer of the compiled module.

Everything above sees a Native (one context of the engine), an Engine and image
pointers as opaque objects. No ffi.gc: owners call close. A status other than
CB_OK becomes an exception here and nowhere else.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chibi_bridge._native._engine import ffi, lib
from chibi_bridge.errors import ContextBusy, ConversionError, ImageError, MemoryExhausted

DONE, RAISED, EXIT, HOST_CALL, PAUSED = 0, 1, 2, 3, 4
OUT_OF_FUEL, OUT_OF_MEMORY, OUT_OF_OUTPUT, INTERRUPTED, UNPACKABLE = 5, 6, 7, 8, 9
OK, BUSY, NO_MEMORY, BAD_ARGUMENT, BAD_DATA, BAD_STATE, NOT_FOUND = 0, 1, 2, 3, 4, 5, 6
NO_LIMIT = (1 << 64) - 1

BOOT_IMAGE = Path(__file__).with_name("boot.img")

read_buffer: Callable[[Any, int], Any] = ffi.buffer
bridge_apply: Callable[[Any, bytes, int], int] = lib.bridge_apply
bridge_source: Callable[[Any, bytes, int, bytes, int], int] = lib.bridge_source
bridge_answer: Callable[[Any, Any, bytes, int, int], int] = lib.bridge_answer
bridge_ask: Callable[[Any], int] = lib.bridge_ask
bridge_apply_integer: Callable[[Any, bytes, int, int], int] = lib.bridge_apply_integer


class EngineError(RuntimeError):
    """A status that says the bridge itself made a mistake."""


def check(status: int, why: str = "") -> None:
    """Raise what a status stands for; `why` is the engine's own word for refused data."""
    if status == OK:
        return
    if status == BUSY:
        raise ContextBusy("another thread is inside this context; a context serves one thread at a time")
    if status == NO_MEMORY:
        raise MemoryExhausted("out of memory: the limit of the context (Limits.memory) is too small for this")
    if status == BAD_DATA:
        raise ConversionError(why or "the engine refused a packed value")
    if status == NOT_FOUND:
        raise LookupError("no such name or handle")
    raise EngineError({BAD_ARGUMENT: "bad argument", BAD_STATE: "bad state"}.get(status, f"status {status}"))


class Engine:
    """The engine of this process: shared, made once."""

    def __init__(self) -> None:
        out = ffi.new("cb_engine **")
        check(lib.cb_engine_new(out))
        self.pointer = out[0]
        self.boot: NativeImage | None = None
        if BOOT_IMAGE.exists():
            self.boot = self.load(BOOT_IMAGE.read_bytes())

    def load(self, data: bytes) -> NativeImage:
        """An image from its bytes; ImageError says what does not fit."""
        out = ffi.new("cb_image **")
        error = ffi.new("char[]", 256)
        if lib.cb_image_load(self.pointer, data, len(data), out, error, 256) != OK:
            raise ImageError(ffi.string(error).decode("utf-8", "replace") or "the image cannot be loaded")
        return NativeImage(out[0])


_engine_lock = threading.Lock()
_engines: list[Engine] = []


def engine() -> Engine:
    """The process's engine with the built-in image loaded."""
    if not _engines:
        with _engine_lock:
            if not _engines:
                _engines.append(Engine())
    return _engines[0]


def version() -> str:
    """The engine's version, and the fingerprint that an image must match."""
    number = lib.cb_version()
    fingerprint = ffi.string(lib.cb_fingerprint()).decode()
    return f"{number >> 16}.{number >> 8 & 255}.{number & 255} ({fingerprint})"


_abandoned: list[Any] = []
"""Contexts that were collected unclosed: freed at the next create or close."""
_abandoned_images: list[Any] = []
"""Images that nobody has any more, freed at the same times; the contexts made from them hold them still."""


class NativeImage:
    """An image; contexts made from it hold it. Freed some time after nobody has it any more."""

    __slots__ = ("pointer",)

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer

    def to_bytes(self) -> bytes:
        out, length = ffi.new("uint8_t **"), ffi.new("size_t *")
        check(lib.cb_image_bytes(self.pointer, out, length))
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.cb_bytes_free(out[0])

    @property
    def identity(self) -> int:
        """What snapshots name it by."""
        out = ffi.new("uint64_t *")
        check(lib.cb_image_identity(self.pointer, out))
        return out[0]  # type: ignore[no-any-return]

    def __del__(self, leave: Callable[[Any], None] = _abandoned_images.append) -> None:
        leave(self.pointer)


def free_abandoned() -> None:
    """Free what finalizers left; they never call C themselves."""
    while _abandoned:
        lib.cb_context_free(_abandoned.pop())
    while _abandoned_images:
        lib.cb_image_free(_abandoned_images.pop())


def abandon_context(pointer: Any) -> None:
    """Leave a context to be freed at the next create or close."""
    _abandoned.append(pointer)


def make_budget(fuel: int, output: int, slice_: int, *, written: bool = False) -> Any:
    """A cb_budget; keep it alive while it is used."""
    budget = ffi.new("cb_budget *")
    budget.size = SIZE_BUDGET
    budget.written = written
    budget.fuel = fuel
    budget.output = output
    budget.slice = slice_
    return budget


SIZE_BUDGET = ffi.sizeof("cb_budget")
SIZE_LIMITS = ffi.sizeof("cb_limits")
SIZE_STATS = ffi.sizeof("cb_stats")
NEW_CALL = functools.partial(ffi.new, ffi.typeof("bridge_call *"))


class Snapshot:
    """The engine's part of a snapshot, and what its run may use."""

    __slots__ = ("bytes", "fuel", "memory", "output", "slice")

    def __init__(self, data: bytes, memory: int, fuel: int, output: int, slice_: int) -> None:
        self.bytes = data
        self.memory = memory
        self.fuel = fuel
        self.output = output
        self.slice = slice_

    @property
    def base(self) -> int:
        """The number of the image it was made over; ImageError where that cannot be told."""
        identity = ffi.new("uint64_t *")
        error = ffi.new("char[]", 256)
        if lib.cb_snapshot_base(self.bytes, len(self.bytes), identity, error, 256) != OK:
            raise ImageError(ffi.string(error).decode("utf-8", "replace"))
        return identity[0]  # type: ignore[no-any-return]


class RefusedObject(ImageError):
    """An object of the host stands in the way of a snapshot: its id, and where it is."""

    def __init__(self, identity: int, path: str) -> None:
        super().__init__(path)
        self.identity = identity
        self.path = path


class Native:
    """One context of the engine. Not thread-safe: the Context above keeps order.

    `event` is refilled by each call; what its data holds is read before the next.
    """

    __slots__ = ("budget", "call", "event", "image", "pointer")

    def __init__(self, image: NativeImage | None, memory: int, fuel: int, output: int, slice_: int) -> None:
        if _abandoned or _abandoned_images:
            free_abandoned()
        call = NEW_CALL()
        base = ffi.NULL if image is None else image.pointer
        status = lib.bridge_open(call, engine().pointer, base, memory, fuel, output, slice_)
        if status:
            if status == NO_MEMORY:
                raise ValueError(f"Limits.memory of {memory} bytes cannot hold the standard library")
            check(status)
        self._take(call, image)

    def _take(self, call: Any, image: NativeImage | None) -> None:
        self.call = call
        self.pointer = call.context
        self.image = image
        self.event = ffi.addressof(call, "event")
        self.budget = ffi.addressof(call, "budget")

    @classmethod
    def restored(cls, image: NativeImage | None, saved: Snapshot) -> Native:
        """A context with the run of a snapshot in it; the event is what the run stands at."""
        if _abandoned or _abandoned_images:
            free_abandoned()
        call, error = NEW_CALL(), ffi.new("char[]", 256)
        base = ffi.NULL if image is None else image.pointer
        limits = saved.memory, saved.fuel, saved.output, saved.slice
        data = saved.bytes
        status = lib.bridge_restore(call, engine().pointer, base, *limits, data, len(data), error, 256)
        if status == NO_MEMORY:
            raise ImageError(f"Limits.memory of {saved.memory} bytes cannot hold the snapshot")
        if status:
            raise ImageError(ffi.string(error).decode("utf-8", "replace") or "the snapshot cannot be restored")
        made = cls.__new__(cls)
        made._take(call, image)
        return made

    def close(self) -> None:
        self.call.context = ffi.NULL  # what comes late is refused
        lib.cb_context_free(self.pointer)
        free_abandoned()

    def check(self, status: int) -> None:
        """`check`, with what the event says."""
        check(status, self.why() if status == BAD_DATA else "")

    def why(self) -> str:
        """The text in the event of a refused call, a packed str."""
        data = self.data()
        return data.lstrip(bytes(range(0xA0, 0xDC))).decode("utf-8", "replace") if data else ""

    # -- runs: each answers the kind of the event ------------------------------------

    def run_source(self, source: bytes, filename: bytes | None, budget: Any) -> int:
        name, size = (ffi.NULL, 0) if filename is None else (filename, len(filename))
        self.check(lib.cb_run_source(self.pointer, source, len(source), name, size, budget, self.event))
        return self.event.kind  # type: ignore[no-any-return]

    def run_apply(self, target: bytes, arguments: bytes, budget: Any) -> int:
        """Answers the status, unchecked: the caller knows what was called."""
        event = self.event
        status: int = lib.cb_run_apply(self.pointer, target, len(target), arguments, len(arguments), budget, event)
        return status

    def advance(self, run: Any, slice_: int) -> int:
        self.check(lib.cb_advance(self.pointer, run, slice_, self.event))
        return self.event.kind  # type: ignore[no-any-return]

    def answer(self, run: Any, value: bytes, slice_: int) -> int:
        event = self.event
        status = lib.cb_answer(self.pointer, run, value, len(value), slice_, event)
        if status:
            self.check(status)
        return event.kind  # type: ignore[no-any-return]

    def answer_error(self, run: Any, condition: bytes, slice_: int) -> int:
        self.check(lib.cb_answer_error(self.pointer, run, condition, len(condition), slice_, self.event))
        return self.event.kind  # type: ignore[no-any-return]

    def snapshot(self, run: Any, foreign: list[int]) -> bytes:
        """A waiting run and its context as bytes; `foreign`: ids of objects that may be in it."""
        out, length, refused = ffi.new("uint8_t **"), ffi.new("size_t *"), ffi.new("uint64_t *")
        error = ffi.new("char[]", 512)
        status = lib.cb_snapshot(self.pointer, run, foreign, len(foreign), out, length, refused, error, 512)
        if status == BUSY:
            check(status)
        if status:
            why = ffi.string(error).decode("utf-8", "replace")
            if refused[0]:
                raise RefusedObject(refused[0], why.partition(": ")[2])
            raise ImageError(why or "the run cannot be saved")
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.cb_bytes_free(out[0])

    def abandon(self, run: Any) -> None:
        lib.cb_abandon(self.pointer, run)

    def interrupt(self, serial: int) -> None:
        lib.cb_interrupt(self.pointer, serial)

    # -- the event ----------------------------------------------------------------

    def data(self) -> bytes:
        """The packed data of the last event, copied."""
        event = self.event
        return bytes(ffi.buffer(event.data, event.length)) if event.length else b""

    def view(self) -> Any:
        """The packed data of the last event, not copied: read it before the next call."""
        event = self.event
        return ffi.buffer(event.data, event.length)

    def dropped(self) -> list[int]:
        """Host ids found dead by the last call."""
        event = self.event
        return ffi.unpack(event.dropped, event.dropped_count) if event.dropped_count else []

    def output(self, which: int) -> str:
        """Take what was printed: 0 standard output, 1 errors."""
        out, length = ffi.new("char const **"), ffi.new("size_t *")
        check(lib.cb_output(self.pointer, which, out, length))
        return bytes(ffi.buffer(out[0], length[0])).decode("utf-8", "replace") if length[0] else ""

    # -- variables ----------------------------------------------------------------

    def define(self, name: bytes, value: bytes) -> None:
        check(lib.cb_define(self.pointer, name, len(name), value, len(value)))

    def lookup(self, name: bytes) -> bytes | None:
        """The packed value of a top-level variable, None where nothing binds it."""
        status = lib.cb_lookup(self.pointer, name, len(name), self.event)
        if status == NOT_FOUND:
            return None
        check(status)
        return self.data()

    def names(self, prefix: bytes) -> bytes:
        check(lib.cb_names(self.pointer, prefix, len(prefix), self.event))
        return self.data()

    def backtrace(self, run: Any) -> bytes:
        check(lib.cb_backtrace(self.pointer, run, self.event))
        return self.data()

    def release(self, handles: list[int]) -> None:
        check(lib.cb_release(self.pointer, handles, len(handles)))

    def set_libraries(self, names: bytes | None) -> None:
        check(lib.cb_set_libraries(self.pointer, ffi.NULL if names is None else names, len(names or b"")))

    def stats(self) -> dict[str, int]:
        """Figures of the heap, in bytes and counts."""
        stats = ffi.new("cb_stats *")
        stats.size = SIZE_STATS
        check(lib.cb_stats_get(self.pointer, stats))
        names = ("used", "peak", "limit", "collections", "full_collections", "live_handles", "fail_after")
        return {name: getattr(stats, name) for name in names}

    def set_stress(self, memory: int, gc_stress: int, fail_after: int = 0, *, persist: bool = False) -> None:
        """Test knobs: collect at every Nth safepoint, fail the Nth allocation."""
        limits = ffi.new("cb_limits *")
        limits.size = SIZE_LIMITS
        limits.memory = memory
        limits.gc_stress = gc_stress
        limits.fail_after = fail_after
        limits.fail_persist = persist
        check(lib.cb_set_limits(self.pointer, limits))

    def freeze(self) -> NativeImage:
        """An image of the whole context; it must have no living run."""
        free_abandoned()
        out = ffi.new("cb_image **")
        error = ffi.new("char[]", 256)
        if lib.cb_image_make(self.pointer, out, error, 256) != OK:
            raise ImageError(ffi.string(error).decode("utf-8", "replace") or "the context cannot be frozen")
        return NativeImage(out[0])
