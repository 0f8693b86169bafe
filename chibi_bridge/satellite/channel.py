"""A channel: envelopes over a connected stream socket, for one thread.

Nothing blocks but waiting for the next envelope. Whoever writes while the peer's
buffers are full reads meanwhile, so that two peers that write at once do not wait for
each other for ever; a peer that takes nothing for WRITE_SECONDS is given up.
"""

from __future__ import annotations

import select
import socket
from collections import deque
from time import monotonic

from chibi_bridge.satellite.envelope import Envelope, from_wire
from chibi_bridge.satellite.frames import FrameError, Stream, encode

__all__ = ["Channel", "Closed"]

WRITE_SECONDS = 30.0
"""How long a peer may take nothing of what we write."""
PIECE, PIECE_MOST = 1 << 13, 1 << 20
"""Bytes received at once: so many, and up to so many where a frame is known to lack them."""
LONGEST_WAIT = 3600.0
"""Seconds of one wait, at most; whoever waits looks at the time again."""
INBOX = 256
"""Envelopes that wait; while there are more, nothing is received in between writing."""


class Closed(Exception):
    """The channel is of no use any more: the peer hung up, or broke the protocol (`fault`)."""

    def __init__(self, message: str, fault: FrameError | None = None) -> None:
        super().__init__(message)
        self.fault = fault


class Channel:
    """Envelopes out and in. Not thread-safe. `strict` reads as the harness does.

    The two directions end by themselves: after a fault in what was read, what came
    before it can still be answered.
    """

    __slots__ = ("_inbox", "_poll", "_problem", "_socket", "_stream", "_strict", "_unwritable")

    def __init__(self, connection: socket.socket, *, strict: bool) -> None:
        connection.setblocking(True)
        self._socket = connection
        self._strict = strict
        self._stream = Stream()
        self._inbox: deque[Envelope] = deque()
        self._problem: Closed | None = None
        self._unwritable: Closed | None = None
        self._poll = select.poll()

    def close(self) -> None:
        """Hang up."""
        self._problem = self._problem or Closed("the channel is closed")
        self._unwritable = self._unwritable or self._problem
        self._socket.close()

    @property
    def fault(self) -> FrameError | None:
        """What the peer did wrong, where that ended the reading."""
        return None if self._problem is None else self._problem.fault

    def send(self, envelope: Envelope, patience: float = WRITE_SECONDS) -> None:
        """Write an envelope, whole; a peer that takes nothing for `patience` seconds is given up.

        Raises FrameError, and writes nothing, for what no frame can hold.
        """
        self.write(encode(envelope.to_wire()), patience)

    def write(self, payload: bytes, patience: float = WRITE_SECONDS) -> None:
        """Write a payload as a frame."""
        if self._unwritable is not None:
            raise self._unwritable
        data = memoryview(len(payload).to_bytes(4, "big") + payload)
        while True:
            try:
                data = data[self._socket.send(data, socket.MSG_DONTWAIT) :]
            except (BlockingIOError, InterruptedError):
                pass
            except OSError as error:
                raise self._unwritten(f"the peer is gone: {error.strerror}") from None
            if not data:
                return
            self._make_room(patience)

    def _make_room(self, patience: float) -> None:
        """Wait until something can be written; take in what the peer writes meanwhile."""
        until = monotonic() + patience
        while True:
            reading = self._problem is None and len(self._inbox) < INBOX
            wanted = select.POLLOUT | (select.POLLIN if reading else 0)
            events = self._wait(wanted, until - monotonic())
            if not events:
                raise self._unwritten(f"the peer took nothing for {patience:g} s")
            if reading and events & select.POLLIN:
                self._receive()
            if events & (select.POLLOUT | select.POLLERR | select.POLLHUP):
                return

    def take(self, seconds: float | None = None, wake: int | None = None) -> Envelope | None:
        """The next envelope; None where none comes within so many seconds. Raises Closed.

        None also as soon as the descriptor `wake` can be read. Envelopes that came
        before a fault or the end are given first; unknown kinds are dropped.
        """
        until = None if seconds is None else monotonic() + seconds
        while not self._inbox:
            if self._problem is not None:
                raise self._problem
            if until is None and wake is None:
                self._receive(0)
                continue
            left = None if until is None else until - monotonic()
            if left is not None and left <= 0:
                if not self._receive():
                    return None
            elif wake is None:
                if self._wait(select.POLLIN, left):
                    self._receive()
            elif not self._receive() and self._woken(wake, left):
                return None
        return self._inbox.popleft()

    def _wait(self, events: int, seconds: float | None) -> int:
        """Wait for events of the socket; 0 where the time is up."""
        self._poll.register(self._socket, events)
        found = self._poll.poll(milliseconds(seconds))
        return found[0][1] if found else 0

    def _woken(self, wake: int, seconds: float | None) -> bool:
        """Wait for something to read; was it at the other descriptor?"""
        self._poll.register(self._socket, select.POLLIN)
        self._poll.register(wake, select.POLLIN)
        try:
            return any(number == wake for number, _ in self._poll.poll(milliseconds(seconds)))
        finally:
            self._poll.unregister(wake)

    def _receive(self, flags: int = socket.MSG_DONTWAIT) -> bool:
        """Take in what is there; answers whether anything was. Faults and the end are noted."""
        try:
            data = self._socket.recv(min(max(self._stream.wants(), PIECE), PIECE_MOST), flags)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as error:
            self._broken(f"the peer is gone: {error.strerror}")
            return True
        try:
            if not data:
                self._broken("the peer hung up")
                self._stream.end()
            elif (payload := self._stream.whole(data)) is not None:
                self._put(self._stream.decoded(payload))
            else:
                self._stream.feed(data)
                for value in self._stream.values():
                    self._put(value)
        except FrameError as fault:
            self._broken(f"the peer broke the protocol: {fault}", fault)
        return True

    def _put(self, value: object) -> None:
        """Read an envelope; unknown kinds are dropped."""
        envelope = from_wire(value, strict=self._strict)
        if envelope is not None:
            self._inbox.append(envelope)

    def _unwritten(self, message: str) -> Closed:
        """Note why nothing can be written any more, and so nothing need be read."""
        self._unwritable = Closed(message)
        self._problem = self._problem or self._unwritable
        return self._unwritable

    def _broken(self, message: str, fault: FrameError | None = None) -> Closed:
        """Note why nothing more will be read."""
        self._problem = Closed(message, fault)
        return self._problem


def milliseconds(seconds: float | None) -> int | None:
    """Seconds as poll wants them, never too short."""
    return None if seconds is None else int(max(0.0, min(seconds, LONGEST_WAIT)) * 1000) + 1
