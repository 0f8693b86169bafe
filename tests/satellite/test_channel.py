"""The channel: envelopes over a socket pair, with peers that are slow, silent or gone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from chibi_bridge.satellite.channel import Channel, Closed
from chibi_bridge.satellite.envelope import CapResult, Heartbeat, HookResult, Ok
from chibi_bridge.satellite.frames import FrameError, frame


@pytest.fixture
def pair() -> Iterator[tuple[Channel, socket.socket]]:
    """A channel, and the bare socket at its other end."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, strict=True)
    yield channel, theirs
    channel.close()
    theirs.close()


def test_nothing_comes_within_the_time(pair: tuple[Channel, socket.socket]) -> None:
    channel, _ = pair
    start = time.monotonic()
    assert channel.take(0) is None
    assert channel.take(0.1) is None
    assert 0.1 <= time.monotonic() - start < 2


def test_envelopes_come_in_order_whatever_the_pieces(pair: tuple[Channel, socket.socket]) -> None:
    channel, peer = pair
    data = b"".join(frame(Heartbeat(number).to_wire()) for number in range(20))
    for at in range(0, len(data), 7):
        peer.sendall(data[at : at + 7])
    assert [channel.take(1) for _ in range(20)] == [Heartbeat(number) for number in range(20)]
    assert channel.take(0) is None


def test_a_large_envelope_crosses_while_the_peer_reads_slowly(pair: tuple[Channel, socket.socket]) -> None:
    channel, peer = pair
    value, received = b"x" * (4 << 20), bytearray()

    def read() -> None:
        while len(received) < len(value):
            received.extend(peer.recv(1 << 16))
            time.sleep(0.0005)

    reader = threading.Thread(target=read)
    reader.start()
    channel.send(CapResult(1, Ok(value)))
    reader.join(20)
    assert not reader.is_alive()
    writer = threading.Thread(target=peer.sendall, args=(bytes(received),))
    writer.start()
    assert channel.take(20) == CapResult(1, Ok(value))
    writer.join(20)


def test_a_peer_that_takes_nothing_is_given_up(pair: tuple[Channel, socket.socket]) -> None:
    channel, _ = pair
    start = time.monotonic()
    with pytest.raises(Closed, match="took nothing for"):
        channel.send(CapResult(1, Ok(b"x" * (8 << 20))), 0.2)
    assert time.monotonic() - start < 5
    for use in (lambda: channel.send(Heartbeat(1)), lambda: channel.take(0)):
        with pytest.raises(Closed):
            use()


def test_two_ends_that_write_at_once_do_not_wait_for_each_other(pair: tuple[Channel, socket.socket]) -> None:
    """Each end writes all it has and reads only then; whoever is done first goes on to read."""
    channel, peer = pair
    other, value = Channel(peer, strict=True), Ok(b"y" * (2 << 20))
    theirs: list[object] = []

    def write_then_read() -> None:
        for number in range(3):
            other.send(HookResult(number, value))
        theirs.extend(other.take(20) for _ in range(3))

    writer = threading.Thread(target=write_then_read)
    writer.start()
    for number in range(3):
        channel.send(CapResult(number, value))
    assert [channel.take(20) for _ in range(3)] == [HookResult(number, value) for number in range(3)]
    writer.join(20)
    assert not writer.is_alive()
    assert theirs == [CapResult(number, value) for number in range(3)]


def test_what_came_before_the_end_is_given_first(pair: tuple[Channel, socket.socket]) -> None:
    channel, peer = pair
    peer.sendall(frame(Heartbeat(1).to_wire()))
    peer.close()
    assert channel.take() == Heartbeat(1)
    for _ in range(2):
        with pytest.raises(Closed) as caught:
            channel.take()
        assert caught.value.fault is None
    with pytest.raises(Closed):
        channel.send(Heartbeat(1))


@pytest.mark.parametrize(("data", "fault"), [(b"\x00\x00", "truncated"), (bytes(4), "malformed")])
def test_a_fault_ends_reading_and_not_writing(pair: tuple[Channel, socket.socket], data: bytes, fault: str) -> None:
    channel, peer = pair
    peer.sendall(data)
    peer.shutdown(socket.SHUT_WR)
    with pytest.raises(Closed) as caught:
        channel.take(1)
    assert caught.value.fault is not None
    assert caught.value.fault.fault == fault
    channel.send(Heartbeat(9))
    assert peer.recv(100) == frame(Heartbeat(9).to_wire())


def test_what_fits_no_frame_leaves_the_channel_as_it_was(pair: tuple[Channel, socket.socket]) -> None:
    channel, peer = pair
    for value in (float("nan"), b"x" * (16 << 20), object()):
        with pytest.raises(FrameError):
            channel.send(CapResult(1, Ok(value)))
    channel.send(Heartbeat(2))
    assert peer.recv(100) == frame(Heartbeat(2).to_wire())
