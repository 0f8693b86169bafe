"""The harness's side of one satellite: launched when first needed, asked one thing at a time.

    host.invoke("tool", "forecast", {"args": '{"city": "Oslo"}', "strand": "main"}, 30_000)
    await host.invoke_async(...)

An invocation has a token of its own and a deadline; while it is open, the satellite's
capability calls are answered by its broker. A node that is late, breaks the protocol
or ends is destroyed, and launched again at a later invocation: at once after the first
failure's back-off, then after 2, 4 ... 60 seconds. Calls of one satellite queue; those
of different ones do not wait for each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from chibi_bridge.host.workers import Workers
from chibi_bridge.satellite.broker import Broker, Invocation, Report
from chibi_bridge.satellite.channel import Channel, Closed
from chibi_bridge.satellite.envelope import Cancel as CancelFrame
from chibi_bridge.satellite.envelope import CapCall, CapResult, Envelope, Fault, Heartbeat, HookCall, HookResult, Ok
from chibi_bridge.satellite.frames import FrameError
from chibi_bridge.satellite.jail import JailRefused
from chibi_bridge.satellite.launch import LaunchFailed, launcher

__all__ = ["Failure", "Node", "SatelliteHost", "jailed"]

HOOK_MS = 5_000
"""How long a hook may take."""
TOOL_MS = 900_000
"""How long a tool may take, at most."""
BACK_OFF = 60.0
"""Seconds between two launches, at most."""
STALE = 1024
"""Envelopes from before an invocation that are passed over; a node that sent more is destroyed."""

workers = Workers(64, "chibi-bridge-satellite")
held: ContextVar[frozenset[int]] = ContextVar("chibi_bridge_satellites", default=frozenset())


@dataclass(frozen=True, slots=True)
class Failure:
    """An invocation without an answer.

    `kind` is "unhandled", "refused", "crashed", "deadline", "gone" or "busy"; `code`
    is the node's own word where it said one, `message` tells it to a model.
    """

    kind: str
    message: str
    code: str = ""


Answer = Ok | Failure
KINDS = {"unhandled": "unhandled", "crashed": "crashed", "busy": "busy"}


class Node(Protocol):
    """A node that was started: launch.Process, or one of one's own."""

    @property
    def connection(self) -> object: ...

    def how_it_ended(self, seconds: float = 1.0) -> str: ...

    def kill(self) -> None: ...

    def close(self) -> None: ...


def jailed(
    job: str,
    payload: bytes,
    *,
    jail: str | Iterable[str] = "default",
    memory: int | None = None,
) -> Callable[[], Node]:
    """What starts a jailed node: for SatelliteHost."""
    wanted = jail if isinstance(jail, str) else tuple(jail)
    return lambda: launcher().start(job, payload, jail=wanted, memory=memory)


class SatelliteHost:
    """One satellite. Thread-safe; `close` it, or use it as a context manager.

    `start` launches a node (see `jailed`, and command.py for one's own programs),
    `broker` answers its capability calls, `spares` nodes are kept ready beside the
    one that serves.
    """

    def __init__(self, name: str, start: Callable[[], Node], broker: Broker, *, spares: int = 0) -> None:
        self.name = name
        self.broker = broker
        self._start = start
        self._spares: deque[Node] = deque()
        self._wanted_spares = spares
        self._lock = threading.Lock()
        self._node: Node | None = None
        self._channel: Channel | None = None
        self._next = 1
        self._failures = 0
        self._not_before = 0.0
        self._why = ""
        self._closed = False
        self._wake, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._settled: deque[tuple[int, Ok | Fault]] = deque()

    def __enter__(self) -> SatelliteHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the satellite; an invocation that goes on ends as gone."""
        self._closed = True
        while not self._lock.acquire(timeout=0.05):
            node = self._node  # an invocation goes on: it ends with the node
            if node is not None:
                node.kill()
        try:
            self._drop("the satellite was closed")
            while self._spares:
                self._spares.popleft().close()
            if self._wake >= 0:
                os.close(self._wake)
                os.close(self._waker)
                self._wake = self._waker = -1
        finally:
            self._lock.release()

    @property
    def running(self) -> bool:
        """Is there a node?"""
        return self._node is not None

    def invoke(
        self,
        kind: str,
        name: str,
        args: object,
        deadline_ms: int,
        *,
        on_report: Callable[[Report], None] | None = None,
        wait: bool = True,
        given_up: threading.Event | None = None,
    ) -> Answer:
        """Run a tool ("tool") or a hook ("event"); never raises for what the satellite does.

        Waits for its turn within the deadline; `wait=False` answers busy instead.
        `given_up`: once set, the node is destroyed and the answer is gone.
        """
        until = monotonic() + deadline_ms / 1000
        if id(self) in held.get():
            return Failure("busy", f"{self.name} is in an invocation that waits for this one", "busy")
        if not self._lock.acquire(timeout=max(0.0, until - monotonic()) if wait else 0):
            return Failure("gone", f"{self.name} was busy with another invocation") if wait else busy(self.name)
        token = held.set(held.get() | {id(self)})
        try:
            left = until - monotonic()
            if left <= 0:
                return Failure("gone", f"{self.name}: the time was over before its turn came")
            return self._invoke(kind, name, args, left, on_report, given_up)
        finally:
            held.reset(token)
            self._lock.release()

    async def invoke_async(
        self,
        kind: str,
        name: str,
        args: object,
        deadline_ms: int,
        *,
        on_report: Callable[[Report], None] | None = None,
    ) -> Answer:
        """`invoke` on an event loop; cancelling it destroys the node."""
        given_up = threading.Event()

        def work() -> Answer:
            return self.invoke(kind, name, args, deadline_ms, on_report=on_report, given_up=given_up)

        try:
            return await on_worker(work)
        except asyncio.CancelledError:
            given_up.set()
            self._rouse()
            raise

    # -- one invocation ------------------------------------------------------------------

    def _invoke(
        self,
        kind: str,
        name: str,
        args: object,
        seconds: float,
        on_report: Callable[[Report], None] | None,
        given_up: threading.Event | None,
    ) -> Answer:
        channel = self._ready()
        if isinstance(channel, Failure):
            return channel
        invocation = self.broker.open(seconds, on_report)
        identity = self._next
        self._next += 1
        self._settled.clear()
        call = HookCall(identity, invocation.token, kind, name, args, max(1, int(seconds * 1000)))
        try:
            channel.send(call, seconds)
            answer = self._converse(channel, invocation, identity, given_up)
        except FrameError as error:
            return Failure("refused", f"the invocation cannot be sent: {error}", "unencodable")
        except Closed as closed:
            answer = self._lost(closed)
        finally:
            revoked = invocation.close()
        self._revoke(revoked)
        if isinstance(answer, Failure):
            return answer
        self._failures = 0
        return answer.result if isinstance(answer.result, Ok) else failure_of(answer.result)

    def _converse(
        self, channel: Channel, invocation: Invocation, identity: int, given_up: threading.Event | None
    ) -> HookResult | Failure:
        """Answer what the node asks until it has answered itself."""
        while True:
            left = invocation.deadline - monotonic()
            if left <= 0:
                return self._destroy("deadline", f"{self.name} did not answer before its deadline")
            if given_up is not None and given_up.is_set():
                return self._destroy("gone", "the invocation was given up")
            if self._closed:
                return self._destroy("gone", "the satellite was closed")
            first = None
            if self._settled or invocation.busy:
                self._write_settled(channel, invocation)
                first = invocation.next_deadline()
            waiting = left if first is None else max(0.0, min(left, first - monotonic()))
            watching = first is not None or given_up is not None
            envelope = channel.take(waiting, self._wake if watching else None)
            if envelope is None and watching:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, 4096)
            if isinstance(envelope, HookResult):
                if envelope.id == identity:
                    return envelope
                return self._destroy("gone", f"{self.name} answered invocation {envelope.id}, which is not open")
            if envelope is not None:
                self._answer(channel, invocation, envelope)

    def _answer(self, channel: Channel, invocation: Invocation, envelope: Envelope) -> None:
        """Answer an envelope that is no result; kinds that no node sends are dropped."""
        patience = max(0.01, invocation.deadline - monotonic())
        if isinstance(envelope, CapCall):
            if invocation.is_pending(envelope.id):
                raise Closed(f"{self.name} used the id {envelope.id} of a call that is in flight")
            result = invocation.perform(envelope, self._settle)
            if result is not None:
                send_result(channel, envelope.id, result, patience)
        elif isinstance(envelope, Heartbeat):
            channel.send(Heartbeat(envelope.id), patience)
        elif isinstance(envelope, CancelFrame):
            invocation.cancel(envelope.id)

    def _settle(self, identity: int, result: Ok | Fault) -> None:
        """From a broker's thread: a call has a result."""
        self._settled.append((identity, result))
        self._rouse()

    def _rouse(self) -> None:
        """Have the conversation look around."""
        with contextlib.suppress(OSError):
            os.write(self._waker, b"x")

    def _write_settled(self, channel: Channel, invocation: Invocation) -> None:
        """Write the results that came, and those of calls whose time is up."""
        patience = max(0.01, invocation.deadline - monotonic())
        while self._settled:
            send_result(channel, *self._settled.popleft(), patience)
        for identity in invocation.late():
            send_result(channel, identity, Fault("unsettled", "the call took too long"), patience)

    def _revoke(self, identities: list[int]) -> None:
        """Answer the calls that were in flight when the invocation ended."""
        channel = self._channel
        if channel is None:
            return
        try:
            for identity in identities:
                channel.send(CapResult(identity, Fault("revoked", "the invocation is over")), 1.0)
        except Closed as closed:
            self._lost(closed)

    # -- the node ------------------------------------------------------------------------

    def _ready(self) -> Channel | Failure:
        """The channel of a living node, launched if need be."""
        if self._closed:
            return Failure("gone", f"{self.name} was closed")
        if self._channel is not None and not self._is_stale(self._channel):
            return self._channel
        wait = self._not_before - monotonic()
        if wait > 0:
            return Failure(
                "gone", f"{self.name} is gone ({self._why}); it is launched again in {wait:.1f} s at the earliest"
            )
        try:
            node = self._take()
        except (LaunchFailed, OSError) as error:
            return self._destroy("gone", f"{self.name} cannot be launched: {error}")
        self._node = node
        self._next = 1
        self._channel = Channel(node.connection, strict=True)  # type: ignore[arg-type]
        return self._channel

    def _take(self) -> Node:
        """A node that is ready, else a new one; the spares are made up for."""
        node = self._spares.popleft() if self._spares else self._start()
        if self._wanted_spares:
            workers.submit(self._refill)
        return node

    def _refill(self) -> None:
        """Launch spare nodes."""
        with contextlib.suppress(LaunchFailed, JailRefused, OSError):
            while len(self._spares) < self._wanted_spares and not self._closed:
                self._spares.append(self._start())
        if self._closed:
            while self._spares:
                self._spares.popleft().close()

    def _is_stale(self, channel: Channel) -> bool:
        """Take what came since the last invocation; is the node of no use any more?"""
        try:
            for _ in range(STALE):
                envelope = channel.take(0)
                if envelope is None:
                    return False
                if isinstance(envelope, CapCall):
                    send_result(channel, envelope.id, Fault("unauthorized", "no invocation is open"), 1.0)
                elif isinstance(envelope, Heartbeat):
                    channel.send(Heartbeat(envelope.id), 1.0)
                elif isinstance(envelope, HookResult):
                    self._destroy("gone", f"{self.name} answered invocation {envelope.id}, which is not open")
                    return True
            self._destroy("gone", f"{self.name} sends without end")
        except Closed as closed:
            self._lost(closed)
        return True

    def _lost(self, closed: Closed) -> Failure:
        """The channel is gone; say how its process ended, where it did."""
        node = self._node
        how = node.how_it_ended() if node is not None and closed.fault is None and "protocol" not in str(closed) else ""
        return self._destroy("gone", f"the satellite {self.name} {how}" if "died" in how else f"{self.name}: {closed}")

    def _destroy(self, kind: str, why: str) -> Failure:
        """End the node, and put off the next launch."""
        self._drop(why)
        self._not_before = monotonic() + min(BACK_OFF, 2.0**self._failures)
        self._failures = min(self._failures + 1, 16)
        return Failure(kind, why)

    def _drop(self, why: str) -> None:
        channel, self._channel = self._channel, None
        node, self._node = self._node, None
        self._why = why
        if channel is not None:
            channel.close()
        if node is not None:
            node.close()


def send_result(channel: Channel, identity: int, result: Ok | Fault, patience: float) -> None:
    """Write a result; one that no frame holds is told as such."""
    try:
        channel.send(CapResult(identity, result), patience)
    except FrameError as error:
        channel.send(CapResult(identity, Fault("too_large", f"the result cannot be sent: {error}")), patience)


def busy(name: str) -> Failure:
    """The failure of who does not wait."""
    return Failure("busy", f"{name} is busy with another invocation", "busy")


def failure_of(fault: Fault) -> Failure:
    """A node's error as a failure; codes that are none of the well-known ones are refusals."""
    return Failure(KINDS.get(fault.code, "refused"), fault.msg, fault.code)


async def on_worker(work: Callable[[], Answer]) -> Answer:
    """Do blocking work on one of the satellites' threads, in this context."""
    import contextvars

    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Answer | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        elif value is not None:
            future.set_result(value)

    def body() -> None:
        value, problem = None, None
        try:
            value = context.run(work)
        except BaseException as error:
            problem = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, value, problem)

    workers.submit(body)
    return await future


@contextlib.contextmanager
def closing(hosts: Iterable[SatelliteHost]) -> Iterator[None]:
    """Close them all at the end."""
    try:
        yield
    finally:
        for host in hosts:
            host.close()
