"""A node written from the protocol's description alone: no line of the product is used.

    node.py            serves; which invocation does what is in `TOOLS` and `HOOKS`

Frames are a length of four bytes and a msgpack map with v, id, kind and body.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path

import msgpack


class Wire:
    def __init__(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        assert len(Path(os.environ["LOOM_CAP_TOKEN_FILE"]).read_bytes()) == 32
        self.sock.connect(os.environ["LOOM_CAP_SOCK"])
        self.next_id = 0

    def send(self, ident: int, kind: str, body: dict) -> None:
        self.raw(msgpack.packb({"v": 1, "id": ident, "kind": kind, "body": body}, use_bin_type=True))

    def raw(self, payload: bytes) -> None:
        self.sock.sendall(struct.pack(">I", len(payload)) + payload)

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.sock.recv(count - len(data))
            if not piece:
                sys.exit(0)
            data += piece
        return data

    def recv(self) -> dict:
        (size,) = struct.unpack(">I", self.exactly(4))
        return msgpack.unpackb(self.exactly(size), raw=False)

    def cap(self, token: bytes, cap: str, args: object, deadline_ms: int = 30000) -> int:
        ident, self.next_id = self.next_id, self.next_id + 1
        self.send(ident, "cap_call", {"token": token, "cap": cap, "args": args, "deadline_ms": deadline_ms})
        return ident

    def result(self, ident: int) -> dict:
        while True:
            frame = self.recv()
            if frame["kind"] == "cap_result" and frame["id"] == ident:
                return frame["body"]


def text(value: str) -> dict:
    return {"ok": True, "value": {"content": [{"type": "text", "text": value}], "terminate": False}}


def fault(code: str, msg: str) -> dict:
    return {"ok": False, "error": {"code": code, "msg": msg}}


def shown(body: dict) -> str:
    return json.dumps(body, default=lambda item: {"bin": item.hex()}, sort_keys=True)


class Node:
    def __init__(self) -> None:
        self.wire = Wire()
        self.count = 0
        self.kept = b""
        self.left = 0
        self.late: dict[int, dict] = {}

    def serve(self) -> None:
        while True:
            frame = self.wire.recv()
            if frame["kind"] == "cancel":
                return
            if frame["kind"] == "cap_result":
                self.late[frame["id"]] = frame["body"]
            if frame["kind"] == "hook_call":
                self.invoke(frame["id"], frame["body"])

    def invoke(self, ident: int, call: dict) -> None:
        if call["kind"] == "event":
            self.wire.send(ident, "hook_result", self.event(call))
            return
        args = json.loads(call["args"]["args"])
        method = getattr(self, "tool_" + call["name"], None)
        body = fault("unknown_tool", call["name"]) if method is None else method(ident, call, args)
        if body is not None:
            self.wire.send(ident, "hook_result", body)

    def event(self, call: dict) -> dict:
        mode = os.environ.get("NODE_" + call["name"].upper(), "unhandled")
        if mode == "unhandled":
            return fault("unhandled", "no handler")
        if mode == "sleep":
            time.sleep(60)
        if mode == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if mode.startswith("code:"):
            return fault(mode[5:], "as told")
        if mode == "int":
            return {"ok": True, "value": 7}
        if mode == "echo":
            return {"ok": True, "value": call["args"]}
        if mode.startswith("grow:"):
            document = json.loads(call["args"])
            extra = {"role": "user", "content": [{"type": "text", "text": "x" * int(mode[5:])}], "timestamp": 1}
            return {"ok": True, "value": json.dumps({"messages": [*document["messages"], extra]})}
        return {"ok": True, "value": mode}

    # tools

    def tool_echo(self, ident: int, call: dict, args: dict) -> dict:
        return text(args["say"])

    def tool_count(self, ident: int, call: dict, args: dict) -> dict:
        self.count += 1
        return text(f"{self.count} {ident} {os.getpid()}")

    def tool_token(self, ident: int, call: dict, args: dict) -> dict:
        return text(f"{len(call['token'])} {call['token'].hex()}")

    def tool_fail(self, ident: int, call: dict, args: dict) -> dict:
        return fault(args["code"], args.get("msg", "as told"))

    def tool_cap(self, ident: int, call: dict, args: dict) -> dict:
        """Make one capability call, arguments as given ({"bin": hex} is binary), and show its result."""
        given = {key: unhex(value) for key, value in args["args"].items()} if args["args"] is not None else None
        token = call["token"] if "token" not in args else bytes.fromhex(args["token"])
        return text(shown(self.wire.result(self.wire.cap(token, args["cap"], given, args.get("ms", 30000)))))

    def tool_many(self, ident: int, call: dict, args: dict) -> dict:
        """The same call many times, one after another; the last result."""
        given = {key: unhex(value) for key, value in args["args"].items()}
        body: dict = {}
        for _ in range(args["times"]):
            body = self.wire.result(self.wire.cap(call["token"], args["cap"], given))
        return text(shown(body))

    def tool_at_once(self, ident: int, call: dict, args: dict) -> dict:
        idents = [self.wire.cap(call["token"], args["cap"], args["args"]) for _ in range(args["times"])]
        found = {}
        while len(found) < args.get("wait", len(idents)):
            frame = self.wire.recv()
            if frame["kind"] == "cap_result":
                found[frame["id"]] = frame["body"].get("error", {}).get("code", "ok")
        return text(" ".join(found.get(item, "none") for item in idents))

    def tool_keep_token(self, ident: int, call: dict, args: dict) -> dict:
        self.kept = call["token"]
        return text("kept")

    def tool_use_kept(self, ident: int, call: dict, args: dict) -> dict:
        return text(shown(self.wire.result(self.wire.cap(self.kept, "kv.get", {"key": "k"}))))

    def tool_leave_call(self, ident: int, call: dict, args: dict) -> dict:
        """Answer with a capability call in flight."""
        self.left = self.wire.cap(call["token"], args["cap"], args["args"])
        return text("left")

    def tool_what_of_left(self, ident: int, call: dict, args: dict) -> dict:
        """The result that came for that call between the invocations."""
        return text(shown(self.late[self.left]))

    def tool_heartbeat(self, ident: int, call: dict, args: dict) -> dict:
        self.wire.send(4, "heartbeat", {})
        frame = self.wire.recv()
        return text(f"{frame['kind']} {frame['id']}")

    def tool_outcome(self, ident: int, call: dict, args: dict) -> dict:
        self.wire.send(0, "outcome", {"ok": True, "value": 1})
        return text("after outcome")

    def tool_unknown_kind(self, ident: int, call: dict, args: dict) -> dict:
        self.wire.send(9, "nudge", {"any": "thing"})
        return text("after nudge")

    def tool_raw(self, ident: int, call: dict, args: dict) -> None:
        """Bytes as given, with or without a length, instead of an answer."""
        self.wire.sock.sendall(bytes.fromhex(args["hex"]))

    def tool_stale(self, ident: int, call: dict, args: dict) -> None:
        self.wire.send(ident + 1000, "hook_result", text("stale"))

    def tool_twice(self, ident: int, call: dict, args: dict) -> dict:
        self.wire.send(ident, "hook_result", text("first"))
        return text("second")

    def tool_extra(self, ident: int, call: dict, args: dict) -> dict:
        return {**text("x"), "usage": 1}

    def tool_sleep(self, ident: int, call: dict, args: dict) -> dict:
        time.sleep(args["seconds"])
        return text("slept")

    def tool_stop(self, ident: int, call: dict, args: dict) -> dict:
        os.kill(os.getpid(), signal.SIGSTOP)
        return text("continued")

    def tool_die(self, ident: int, call: dict, args: dict) -> None:
        os.kill(os.getpid(), args.get("signal", signal.SIGKILL))
        time.sleep(5)

    def tool_half(self, ident: int, call: dict, args: dict) -> None:
        self.wire.sock.sendall(struct.pack(">I", 100) + b"\x84\xa1v")
        if args.get("die"):
            os._exit(3)
        time.sleep(30)

    def tool_slow(self, ident: int, call: dict, args: dict) -> None:
        payload = msgpack.packb({"v": 1, "id": ident, "kind": "hook_result", "body": text("byte by byte")})
        for byte in struct.pack(">I", len(payload)) + payload:
            self.wire.sock.sendall(bytes([byte]))
            time.sleep(0.002)

    def tool_flood(self, ident: int, call: dict, args: dict) -> None:
        while True:
            self.wire.send(1, "heartbeat", {})

    def tool_big(self, ident: int, call: dict, args: dict) -> dict:
        return text("x" * args["size"])

    def tool_print(self, ident: int, call: dict, args: dict) -> dict:
        os.write(1, b"stray output on stdout\n" * 10)
        return text("printed")


def unhex(value: object) -> object:
    return bytes.fromhex(value["bin"]) if isinstance(value, dict) and set(value) == {"bin"} else value


if __name__ == "__main__":
    if os.environ.get("NODE_BOOT") == "exit":
        sys.exit(5)
    Node().serve()
