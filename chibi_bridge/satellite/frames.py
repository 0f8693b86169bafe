"""Frames: an unsigned 32-bit big-endian length, then one MessagePack value.

The subset: nil, booleans, integers of 64 bits, float64 (finite), str (UTF-8), bin,
arrays, and maps whose keys are distinct strings. No extension types, no float32, no
reserved byte. A payload has 1 to MAX_FRAME bytes, nesting ends at MAX_DEPTH, a frame
holds at most MAX_CONTAINERS arrays and maps. Writers emit the shortest encodings,
readers accept the longer ones too.

Nothing that a peer announces is believed before it is there: `scan` compares every
length with the bytes that follow before msgpack may allocate for it. Knows neither
sockets nor what the values mean: see envelope.py for that.

>>> frame({"v": 1}).hex()
'0000000481a17601'
>>> stream = Stream()
>>> stream.feed(bytes.fromhex("0000000481a17601000000"))
>>> list(stream.values())
[{'v': 1}]
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator

import msgpack

__all__ = ["MAX_CONTAINERS", "MAX_DEPTH", "MAX_FRAME", "FrameError", "Stream", "decode", "encode", "frame"]

MAX_FRAME = 16_777_216
"""Bytes of a payload, at most."""
MAX_DEPTH = 256
"""Arrays and maps inside one another, at most."""
MAX_CONTAINERS = 1 << 18
"""Arrays and maps in one frame, at most: an empty one costs the peer a byte and us a hundred."""


class FrameError(ValueError):
    """Bytes, or a value, that make no frame.

    `fault` is "oversized", "malformed", "bad_version" or "truncated" (the peer hung
    up inside a frame) for what was read, and "unencodable" or "oversized" for what
    was to be written. After a fault a stream is of no use: the peers do not agree
    where the next frame begins.
    """

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def malformed(message: str) -> FrameError:
    """The fault of bytes that are no value of the subset."""
    return FrameError("malformed", message)


# -- writing ------------------------------------------------------------------------


def frame(value: object) -> bytes:
    """A whole frame, length and payload; see `encode`."""
    payload = encode(value)
    return struct.pack(">I", len(payload)) + payload


def encode(value: object) -> bytes:
    """The payload of a value, in the shortest encoding.

    Takes None, bool, int, float, str, bytes, list, and dict with str keys, exactly
    those types. Raises FrameError: "unencodable" for anything else in it (NaN and
    infinities, integers beyond 64 bits, lone surrogates, other keys, too deep or a
    cycle), "oversized" for more than MAX_FRAME bytes.
    """
    check_writable(value)
    try:
        payload: bytes = msgpack.packb(value, strict_types=True, use_bin_type=True, buf_size=1024)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise FrameError("unencodable", f"a frame cannot hold this: {error}") from None
    if len(payload) > MAX_FRAME:
        raise FrameError("oversized", f"the frame would have {len(payload)} bytes of {MAX_FRAME} allowed")
    return payload


def check_writable(value: object) -> None:
    """Refuse what msgpack would write and the subset has not."""
    if type(value) is float and not math.isfinite(value):
        raise FrameError("unencodable", f"a frame cannot hold the number {value}")
    level, depth, seen, containers = [value], 0, 0, 0
    while level:
        below: list[object] = []
        for item in level:
            if type(item) is dict:
                for key in item:
                    if type(key) is not str:
                        raise FrameError("unencodable", "a frame's map has keys that are strings, no others")
                inside: Iterable[object] = item.values()
            elif type(item) is list:
                inside = item
            else:
                continue
            containers += 1
            seen += len(item)
            if seen > MAX_FRAME:
                raise FrameError("oversized", f"the frame would have more than {MAX_FRAME} bytes")
            for inner in inside:
                kind = type(inner)
                if kind is dict or kind is list:
                    below.append(inner)
                elif kind is float and not math.isfinite(inner):  # type: ignore[arg-type]
                    raise FrameError("unencodable", f"a frame cannot hold the number {inner}")
        level = below
        depth += 1
        if depth >= MAX_DEPTH and level:
            raise FrameError("unencodable", f"a frame cannot hold values nested more than {MAX_DEPTH} deep")
        if containers + len(level) > MAX_CONTAINERS:
            raise FrameError("oversized", f"a frame holds at most {MAX_CONTAINERS} arrays and maps")


# -- reading ------------------------------------------------------------------------


def decode(payload: bytes) -> object:
    """The value of a payload; FrameError for everything that is not exactly one."""
    if not payload:
        raise malformed("an empty frame")
    if len(payload) > MAX_FRAME:
        raise FrameError("oversized", f"a frame of {len(payload)} bytes; {MAX_FRAME} are allowed")
    heads = payload.translate(None, HARMLESS)
    if len(heads) > MAX_DEPTH or heads.translate(None, SMALL_CONTAINERS):
        scan(payload)
    try:
        return msgpack.unpackb(payload, raw=False, strict_map_key=False, object_pairs_hook=map_of)
    except FrameError:
        raise
    except (ValueError, msgpack.UnpackException) as error:
        raise malformed(f"no MessagePack value: {error or type(error).__name__}") from None


SMALL_CONTAINERS = bytes(range(0x80, 0xA0))
HARMLESS = bytes(
    {*range(0x80), *range(0xA0, 0xC1), *range(0xC2, 0xC7), *range(0xCC, 0xD4), *range(0xD9, 0xDC)}
    | {*range(0xE0, 0x100)}
)
"""First bytes of values that are in the subset whatever follows, and bring no others with them.

A payload without any other bytes than these and at most MAX_DEPTH small containers
needs no scan: it cannot nest too deeply, announce many elements, or hold a float.
"""


def map_of(pairs: list[tuple[object, object]]) -> dict[str, object]:
    """A map; its keys are strings, each there once."""
    made: dict[str, object] = {}
    for key, value in pairs:
        if type(key) is not str:
            raise malformed(f"a map's key is a string, not {type(key).__name__}")
        if key in made:
            raise malformed(f"a map has the key {key[:80]!r} twice")
        made[key] = value
    return made


ONE_BYTE = re.compile(rb"[\x00-\x7f\xc0\xc2\xc3\xe0-\xff]+")
SIZED = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}
FIXED = {0xCC: 1, 0xD0: 1, 0xCD: 2, 0xD1: 2, 0xCE: 4, 0xD2: 4, 0xCF: 8, 0xD3: 8, 0xCB: 8}


def scan(payload: bytes) -> None:
    """Refuse a payload that is not well formed, before anything is made of it.

    Every value that is still owed costs at least a byte, so what the open containers
    owe together never exceeds the bytes that are left.
    """
    size = len(payload)
    at, owed, containers = 0, 1, 0
    open_: list[int] = []  # values that the containers around this one still owe
    while True:
        while not owed:
            if not open_:
                if at != size:
                    raise malformed(f"{size - at} bytes after the end of the value")
                return
            owed = open_.pop()
        run = ONE_BYTE.match(payload, at, min(at + owed, size))
        if run is not None:
            owed -= run.end() - at
            at = run.end()
            continue
        if at >= size:
            raise malformed("the value ends before its end")
        head = payload[at]
        count, at = skip_head(payload, head, at + 1)
        owed -= 1
        if count < 0:
            continue
        containers += 1
        if containers > MAX_CONTAINERS:
            raise malformed(f"more than {MAX_CONTAINERS} arrays and maps in one frame")
        if count + owed > size - at:
            raise malformed(f"a container announces {count} elements, and {size - at} bytes follow")
        if len(open_) >= MAX_DEPTH:
            raise malformed(f"nested more than {MAX_DEPTH} deep")
        open_.append(owed)
        owed = count


def skip_head(payload: bytes, head: int, at: int) -> tuple[int, int]:
    """What stands behind a first byte: values inside (-1: no container), and where it ends."""
    size = len(payload)
    if head < 0xA0:
        count = (head & 0x0F) * (1 if head >= 0x90 else 2)
        return count, at
    if head < 0xC0:
        end = at + (head & 0x1F)
    elif head in FIXED:
        end = at + FIXED[head]
        if head == 0xCB and end <= size and not math.isfinite(struct.unpack_from(">d", payload, at)[0]):
            raise malformed("a number that is not finite")
    elif head in SIZED:
        width = SIZED[head]
        length = int.from_bytes(payload[at : at + width], "big")
        end = at + width
        if end <= size and head >= 0xDC:
            return length * (1 if head <= 0xDD else 2), end
        end += length
    else:
        what = {0xC1: "the reserved byte c1", 0xCA: "a float32"}.get(head, f"an extension type (byte {head:02x})")
        raise malformed(f"{what} is not in the subset")
    if end > size:
        raise malformed(f"a value of {end - at} bytes, and {size - at} follow")
    return -1, end


class Stream:
    """Cuts a stream of bytes into frames, however the bytes arrive.

    `feed` what was received, take `values`; `end` where the peer hung up. What was
    complete before a fault comes out first; then the fault is raised, and every
    later use raises it again.
    """

    __slots__ = ("_buffer", "_fault")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._fault: FrameError | None = None

    def feed(self, data: bytes) -> None:
        """Take bytes in; nothing is decoded yet."""
        if self._fault is None:
            self._buffer += data

    def whole(self, data: bytes) -> bytes | None:
        """The payload, where these bytes are exactly one frame and nothing is waiting: the short way."""
        if self._buffer or self._fault is not None or len(data) < 5 or int.from_bytes(data[:4], "big") != len(data) - 4:
            return None
        return data[4:] if len(data) - 4 <= MAX_FRAME else None

    def payloads(self) -> Iterator[bytes]:
        """The payloads that are complete; FrameError for a bad length as soon as its four bytes are there."""
        buffer = self._buffer
        while self._fault is None and len(buffer) >= 4:
            size = int.from_bytes(buffer[:4], "big")
            if size > MAX_FRAME:
                self._fault = FrameError("oversized", f"a frame announces {size} bytes; {MAX_FRAME} are allowed")
            elif not size:
                self._fault = malformed("an empty frame")
            elif len(buffer) < 4 + size:
                return
            else:
                payload = bytes(memoryview(buffer)[4 : 4 + size])
                del buffer[: 4 + size]
                yield payload
        if self._fault is not None:
            buffer.clear()
            raise self._fault

    def values(self) -> Iterator[object]:
        """The decoded values of the frames that are complete."""
        for payload in self.payloads():
            yield self.decoded(payload)

    def decoded(self, payload: bytes) -> object:
        """The value of one of the payloads; a fault in it ends the stream."""
        try:
            return decode(payload)
        except FrameError as fault:
            self._fault = fault
            self._buffer.clear()
            raise

    def wants(self) -> int:
        """Bytes that are missing to the next whole frame, as far as is known: what to receive."""
        have = len(self._buffer)
        if have < 4:
            return 4 - have
        return max(0, 4 + int.from_bytes(self._buffer[:4], "big") - have)

    def end(self) -> None:
        """The peer hung up: FrameError "truncated" where that was inside a frame."""
        if self._fault is None and self._buffer:
            self._fault = FrameError("truncated", f"the peer hung up inside a frame, after {len(self._buffer)} bytes")
        if self._fault is not None:
            raise self._fault
