"""A harness written from the protocol's text alone, with a codec of its own: no product code.

It starts a node as a child process, pushes hook_calls and reads what comes back. It is
strict: a frame that is not exactly as the protocol has it fails the test.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LIMIT = 16_777_216


# -- codec -----------------------------------------------------------------------------------


def pack(value: object) -> bytes:
    """The shortest bytes of a value."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return pack_integer(value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        raw = value.encode()
        return head(len(raw), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + raw
    if isinstance(value, bytes):
        return head(len(value), 0, 0, (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, list):
        return head(len(value), 0x90, 16, (None, 0xDC, 0xDD)) + b"".join(map(pack, value))
    assert isinstance(value, dict)
    items = b"".join(pack(key) + pack(item) for key, item in value.items())
    return head(len(value), 0x80, 16, (None, 0xDE, 0xDF)) + items


def head(size: int, fixed: int, most: int, codes: Sequence[int | None]) -> bytes:
    """The first bytes of something that has a size."""
    if size < most:
        return bytes([fixed | size])
    for code, form, bound in zip(codes, (">B", ">H", ">I"), (1 << 8, 1 << 16, 1 << 32), strict=True):
        if code is not None and size < bound:
            return bytes([code]) + struct.pack(form, size)
    raise AssertionError(size)


def pack_integer(value: int) -> bytes:
    if 0 <= value < 128:
        return bytes([value])
    if -32 <= value < 0:
        return bytes([256 + value])
    forms = (
        [(0xCC, ">B", 1 << 8), (0xCD, ">H", 1 << 16), (0xCE, ">I", 1 << 32), (0xCF, ">Q", 1 << 64)]
        if value >= 0
        else [(0xD0, ">b", 1 << 7), (0xD1, ">h", 1 << 15), (0xD2, ">i", 1 << 31), (0xD3, ">q", 1 << 63)]
    )
    for code, form, bound in forms:
        if value < bound and value >= -bound:
            return bytes([code]) + struct.pack(form, value)
    raise AssertionError(value)


def unpack(raw: bytes) -> object:
    """The one value in these bytes, which have to be its shortest form."""
    value, end = unpack_at(raw, 0)
    assert end == len(raw), "bytes behind the value"
    assert pack(value) == raw, "not the shortest form"
    return value


def unpack_at(raw: bytes, at: int) -> tuple[object, int]:
    code, at = raw[at], at + 1
    if code < 0x80:
        return code, at
    if code >= 0xE0:
        return code - 256, at
    if code < 0xC0:
        size = code & (0x1F if code >= 0xA0 else 0x0F)
        return unpack_sized(raw, at, "str" if code >= 0xA0 else "array" if code >= 0x90 else "map", size)
    simple = {0xC0: None, 0xC2: False, 0xC3: True}
    if code in simple:
        return simple[code], at
    numbers = dict(zip((0xCB, *range(0xCC, 0xD4)), (">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True))
    if code in numbers:
        size = struct.calcsize(numbers[code])
        return struct.unpack_from(numbers[code], raw, at)[0], at + size
    sized = {0xC4: ("bin", 1), 0xC5: ("bin", 2), 0xC6: ("bin", 4), 0xD9: ("str", 1), 0xDA: ("str", 2)}
    sized |= {0xDB: ("str", 4), 0xDC: ("array", 2), 0xDD: ("array", 4), 0xDE: ("map", 2), 0xDF: ("map", 4)}
    kind, width = sized[code]
    return unpack_sized(raw, at + width, kind, int.from_bytes(raw[at : at + width], "big"))


def unpack_sized(raw: bytes, at: int, kind: str, size: int) -> tuple[object, int]:
    if kind in ("str", "bin"):
        data = raw[at : at + size]
        assert len(data) == size
        return (data if kind == "bin" else data.decode()), at + size
    items: list[object] = []
    for _ in range(size * (2 if kind == "map" else 1)):
        item, at = unpack_at(raw, at)
        items.append(item)
    if kind == "array":
        return items, at
    made = dict(zip(items[::2], items[1::2], strict=True))
    assert len(made) == size, "a key twice"
    return made, at


# -- frames ------------------------------------------------------------------------------------


def envelope(kind: str, identity: int, body: object) -> dict[str, object]:
    return {"v": 1, "id": identity, "kind": kind, "body": body}


def framed(value: object) -> bytes:
    payload = pack(value)
    return struct.pack(">I", len(payload)) + payload


class Gone(Exception):
    """The node hung up."""


class TooLate(Exception):
    """Nothing came in time."""


BODIES = {
    "hook_result": ({"ok", "value"}, {"ok", "error"}),
    "cap_call": ({"token", "cap", "args", "deadline_ms"},),
    "cancel": (set(),),
    "heartbeat": (set(),),
}


class Harness:
    """One node, and the channel to it."""

    def __init__(self, process: subprocess.Popen[bytes], connection: socket.socket) -> None:
        self.process = process
        self.socket = connection
        self.buffer = b""
        self.last_id = 0
        self.tokens: dict[int, bytes] = {}
        self.caps: list[dict[str, object]] = []
        """The cap_calls that have come so far."""

    # what is sent

    def write(self, data: bytes) -> None:
        self.socket.settimeout(20)
        self.socket.sendall(data)

    def push(self, kind: str, name: str, args: object, deadline_ms: int = 5000, token: bytes | None = None) -> int:
        """Push an invocation; answers its id."""
        self.last_id += 1
        token = secrets.token_bytes(32) if token is None else token
        self.tokens[self.last_id] = token
        body = {"token": token, "kind": kind, "name": name, "args": args, "deadline_ms": deadline_ms}
        self.write(framed(envelope("hook_call", self.last_id, body)))
        return self.last_id

    def push_tool(self, name: str, args: str = "{}", deadline_ms: int = 5000, **options: bytes) -> int:
        return self.push("tool", name, {"args": args, "strand": "main"}, deadline_ms, **options)

    def reply(self, identity: int, value: object = None, error: tuple[str, str] | None = None) -> None:
        """Answer a cap_call."""
        body = (
            {"ok": True, "value": value}
            if error is None
            else {"ok": False, "error": {"code": error[0], "msg": error[1]}}
        )
        self.write(framed(envelope("cap_result", identity, body)))

    def cancel(self, identity: int = 0) -> None:
        self.write(framed(envelope("cancel", identity, {})))

    # what comes

    def frame(self, seconds: float = 15) -> dict[str, object]:
        """The next frame, checked; Gone or TooLate where none comes."""
        until = time.monotonic() + seconds
        while len(self.buffer) < 4 or len(self.buffer) < 4 + int.from_bytes(self.buffer[:4], "big"):
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise TooLate
            try:
                data = self.socket.recv(1 << 20)
            except ConnectionError:
                raise Gone from None
            if not data:
                assert not self.buffer, "the node hung up inside a frame"
                raise Gone
            self.buffer += data
        size = int.from_bytes(self.buffer[:4], "big")
        assert 0 < size <= LIMIT
        payload, self.buffer = self.buffer[4 : 4 + size], self.buffer[4 + size :]
        return self.checked(unpack(payload))

    def checked(self, made: object) -> dict[str, object]:
        assert isinstance(made, dict)
        assert list(made) == ["v", "id", "kind", "body"]
        assert made["v"] == 1
        assert type(made["id"]) is int
        assert made["id"] >= 0
        body = made["body"]
        assert isinstance(body, dict)
        assert set(body) in BODIES[made["kind"]], made
        if made["kind"] == "hook_result":
            assert body["ok"] is ("value" in body)
            if "error" in body:
                assert list(body["error"]) == ["code", "msg"]
                assert all(type(part) is str for part in body["error"].values())
        if made["kind"] == "cap_call":
            assert [type(body[key]) for key in ("token", "cap", "deadline_ms")] == [bytes, str, int]
            self.caps.append(made)
        return made

    def expect(self, kind: str, seconds: float = 15) -> dict[str, object]:
        made = self.frame(seconds)
        assert made["kind"] == kind, made
        return made

    def silence(self, seconds: float = 0.2) -> None:
        """Nothing comes for so long."""
        try:
            made = self.frame(seconds)
        except TooLate:
            return
        raise AssertionError(made)

    def result(
        self,
        identity: int,
        answer: Callable[[str, object], object] | None = None,
        seconds: float = 15,
    ) -> dict[str, object]:
        """The body of the hook_result for this id.

        Capability calls on the way are judged by their token, and answered by
        `answer(cap, args)`, whose exception (LookupError(code, message)) denies.
        """
        while True:
            made = self.frame(seconds)
            if made["kind"] == "hook_result":
                assert made["id"] == identity, made
                body = made["body"]
                assert isinstance(body, dict)
                return body
            if made["kind"] == "cap_call":
                self.judge(made, identity, answer)

    def judge(self, made: dict[str, object], identity: int, answer: Callable[[str, object], object] | None) -> None:
        body, number = made["body"], made["id"]
        assert isinstance(body, dict)
        assert isinstance(number, int)
        if body["token"] != self.tokens[identity]:
            self.reply(number, error=("unauthorized", "no such token"))
        elif answer is None:
            self.reply(number, error=("unsupported_cap", str(body["cap"])))
        else:
            try:
                value = answer(str(body["cap"]), body["args"])
            except LookupError as denied:
                self.reply(number, error=denied.args)  # type: ignore[arg-type]
            else:
                self.reply(number, value)

    def tool(self, name: str, args: str = "{}", deadline_ms: int = 5000, **options: object) -> dict[str, object]:
        """Push a tool and take its answer."""
        return self.result(self.push_tool(name, args, deadline_ms), **options)  # type: ignore[arg-type]

    def text(self, name: str, args: str = "{}", **options: object) -> str:
        """The content of the one block that a tool answers."""
        body = self.tool(name, args, **options)  # type: ignore[arg-type]
        assert body["ok"] is True, body
        value = body["value"]
        assert isinstance(value, dict)
        assert list(value) == ["content", "terminate"]
        (block,) = value["content"]
        assert list(block) == ["type", block["type"]]
        return str(block[block["type"]])

    def error(self, name: str, args: str = "{}", **options: object) -> tuple[str, str]:
        """Code and message of a tool that does not answer."""
        body = self.tool(name, args, **options)  # type: ignore[arg-type]
        assert body["ok"] is False, body
        error = body["error"]
        assert isinstance(error, dict)
        return error["code"], error["msg"]

    # how it ends

    def ended(self, seconds: float = 15) -> int:
        """The exit code of the node, which has written nothing more."""
        try:
            made = self.frame(seconds)
        except Gone:
            return self.process.wait(seconds)
        raise AssertionError(made)

    def memory(self) -> int:
        """Bytes of the node that are no other's."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii")
        return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_")) * 1024


def command(*files: Path | str) -> list[str]:
    return [sys.executable, "-m", "chibi_bridge", "serve", *map(str, files)]


@contextmanager
def node(*files: Path | str, over: str = "fd", options: Sequence[str] = ()) -> Iterator[Harness]:
    """A node that serves these files, over an inherited descriptor or a socket's path."""
    made = start_fd(files, options) if over == "fd" else start_path(files, options)
    try:
        yield made
    finally:
        made.socket.close()
        try:
            made.process.wait(10)
        except subprocess.TimeoutExpired:
            made.process.send_signal(signal.SIGKILL)
            made.process.wait(10)
        for stream in (made.process.stdout, made.process.stderr):
            if stream is not None:
                stream.close()


def start_fd(files: Sequence[Path | str], options: Sequence[str]) -> Harness:
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [*command(*files), "--fd", str(theirs.fileno()), *options],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    theirs.close()
    return Harness(process, ours)


def start_path(files: Sequence[Path | str], options: Sequence[str]) -> Harness:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path, token = Path(folder) / "cap.sock", Path(folder) / "cap-token"
        token.write_bytes(secrets.token_bytes(32))
        listener.bind(str(path))
        listener.listen(1)
        process = subprocess.Popen(
            [*command(*files), *options],
            env={**os.environ, "LOOM_CAP_SOCK": str(path), "LOOM_CAP_TOKEN_FILE": str(token)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        listener.settimeout(30)
        connection, _ = listener.accept()
    return Harness(process, connection)
