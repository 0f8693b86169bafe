"""Envelopes: what a frame says, as typed values.

Every frame is a map with the keys v (1), id, kind and body, in that order. One class
for each kind; `to_wire` gives the map, `from_wire` reads one. The two ends read
differently: the harness is strict (`strict=True`: a key too many is as bad as one too
few), the node looks up what it needs and passes over the rest.

    HookCall    harness to node   run a tool or a hook under this token
    HookResult  node to harness   its answer: Ok or Fault
    CapCall     node to harness   use a capability, under the invocation's token
    CapResult   harness to node   its answer, and what it used up
    Cancel      both              of a CapCall; towards the node: leave
    Heartbeat   both              the harness echoes it
    OutcomeFrame, ErrorFrame      in the vocabulary; no serving node sends them

>>> from_wire({"v": 1, "id": 4, "kind": "heartbeat", "body": {}}, strict=True)
Heartbeat(id=4)
>>> Heartbeat(4).to_wire()
{'v': 1, 'id': 4, 'kind': 'heartbeat', 'body': {}}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from chibi_bridge.satellite.frames import FrameError, malformed

__all__ = [
    "ABSENT",
    "VERSION",
    "Cancel",
    "CapCall",
    "CapResult",
    "Envelope",
    "ErrorFrame",
    "Fault",
    "Heartbeat",
    "HookCall",
    "HookResult",
    "Ok",
    "OutcomeFrame",
    "from_wire",
]

VERSION = 1
MAX_ID = (1 << 64) - 1


class Absent:
    """The type of ABSENT."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()
"""A field that may be left out, and was: not the same as nil."""


@dataclass(frozen=True, slots=True)
class Ok:
    """A result that is a value."""

    value: object


@dataclass(frozen=True, slots=True)
class Fault:
    """A result that is an error: a code for programs, a message for people and models."""

    code: str
    msg: str


Result: TypeAlias = "Ok | Fault"
Wire: TypeAlias = "dict[str, object]"


def envelope(identity: int, kind: str, body: Wire) -> Wire:
    """The four keys, in their order."""
    return {"v": VERSION, "id": identity, "kind": kind, "body": body}


def result_body(result: Result) -> Wire:
    """The body of a HookResult or a CapResult."""
    if isinstance(result, Ok):
        return {"ok": True, "value": result.value}
    return {"ok": False, "error": {"code": result.code, "msg": result.msg}}


@dataclass(frozen=True, slots=True)
class HookCall:
    """Run the tool (kind "tool") or the hook (kind "event") of this name.

    `token` is what the capability calls of this invocation show; no repr has it.
    `args` is {"args": JSON text, "strand": text} for a tool, a JSON text for an
    event. `deadline_ms` is how long it may take.
    """

    id: int
    token: bytes = field(repr=False)
    kind: str
    name: str
    args: object
    deadline_ms: int

    def to_wire(self) -> Wire:
        """The map of the frame."""
        body: Wire = {"token": self.token, "kind": self.kind, "name": self.name, "args": self.args}
        return envelope(self.id, "hook_call", {**body, "deadline_ms": self.deadline_ms})


@dataclass(frozen=True, slots=True)
class HookResult:
    """The answer to the HookCall of this id: Ok(value), or Fault(code, msg)."""

    id: int
    result: Result

    def to_wire(self) -> Wire:
        """The map of the frame."""
        return envelope(self.id, "hook_result", result_body(self.result))


@dataclass(frozen=True, slots=True)
class CapCall:
    """Use the capability `cap` ("fs.read") with `args`; ids count up from 0, for the node's life."""

    id: int
    token: bytes = field(repr=False)
    cap: str
    args: object
    deadline_ms: int

    def to_wire(self) -> Wire:
        """The map of the frame."""
        body: Wire = {"token": self.token, "cap": self.cap, "args": self.args, "deadline_ms": self.deadline_ms}
        return envelope(self.id, "cap_call", body)


@dataclass(frozen=True, slots=True)
class CapResult:
    """The answer to the CapCall of this id; `usage` is for the curious, the node passes over it."""

    id: int
    result: Result
    usage: object = ABSENT

    def to_wire(self) -> Wire:
        """The map of the frame."""
        body = result_body(self.result)
        if self.usage is not ABSENT:
            body["usage"] = self.usage
        return envelope(self.id, "cap_result", body)


@dataclass(frozen=True, slots=True)
class Cancel:
    """From the node: nobody waits for this CapCall any more. To the node: leave, whatever the id."""

    id: int

    def to_wire(self) -> Wire:
        """The map of the frame."""
        return envelope(self.id, "cancel", {})


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign of life; the harness sends one of the same id back, the node does not."""

    id: int

    def to_wire(self) -> Wire:
        """The map of the frame."""
        return envelope(self.id, "heartbeat", {})


@dataclass(frozen=True, slots=True)
class OutcomeFrame:
    """How a single program ended: Ok(value), or `message` and `details`. No serving node sends it."""

    id: int
    ok: bool
    value: object = None
    message: str = ""
    details: object = None

    def to_wire(self) -> Wire:
        """The map of the frame."""
        if self.ok:
            return envelope(self.id, "outcome", {"ok": True, "value": self.value})
        return envelope(self.id, "outcome", {"ok": False, "message": self.message, "details": self.details})


@dataclass(frozen=True, slots=True)
class ErrorFrame:
    """In the vocabulary, and sent by nobody on this socket."""

    id: int
    code: str
    msg: str

    def to_wire(self) -> Wire:
        """The map of the frame."""
        return envelope(self.id, "error", {"code": self.code, "msg": self.msg})


Envelope: TypeAlias = "HookCall | HookResult | CapCall | CapResult | Cancel | Heartbeat | OutcomeFrame | ErrorFrame"


# -- reading ------------------------------------------------------------------------


class Fields:
    """A map that is read field by field; `done` refuses what was not read, where that is wanted."""

    __slots__ = ("_left", "_map", "_what")

    def __init__(self, value: object, what: str) -> None:
        if type(value) is not dict:
            raise malformed(f"{what} is a map, not {kind_name(value)}")
        self._map = value
        self._left = set(value)
        self._what = what

    def take(self, name: str) -> object:
        """A field of any type."""
        if name not in self._map:
            raise malformed(f"{self._what} has no {name}")
        self._left.discard(name)
        return self._map[name]

    def optional(self, name: str) -> object:
        """A field of any type, or ABSENT."""
        self._left.discard(name)
        return self._map.get(name, ABSENT)

    def text(self, name: str) -> str:
        """A str."""
        value = self.take(name)
        if type(value) is not str:
            raise self._wrong(name, "text", value)
        return value

    def binary(self, name: str) -> bytes:
        """A bin; nil is an empty one."""
        value = self.take(name)
        if value is None:
            return b""
        if type(value) is not bytes:
            raise self._wrong(name, "binary", value)
        return value

    def integer(self, name: str) -> int:
        """An integer; a float is none."""
        value = self.take(name)
        if type(value) is not int:
            raise self._wrong(name, "an integer", value)
        return value

    def boolean(self, name: str) -> bool:
        """A boolean."""
        value = self.take(name)
        if type(value) is not bool:
            raise self._wrong(name, "a boolean", value)
        return value

    def done(self, *, strict: bool) -> None:
        """Where `strict`, refuse a field that nobody asked for."""
        if strict and self._left:
            raise malformed(f"{self._what} has a field too many: {min(self._left)[:80]!r}")

    def _wrong(self, name: str, wanted: str, value: object) -> FrameError:
        return malformed(f"{name} of {self._what} is {wanted}, not {kind_name(value)}")


def kind_name(value: object) -> str:
    """What a frame calls a value of this type."""
    names = {dict: "a map", list: "an array", str: "text", bytes: "binary", int: "an integer", float: "a float"}
    return "nil" if value is None else names.get(type(value), "a boolean")


def from_wire(value: object, *, strict: bool) -> Envelope | None:
    """The envelope in a frame's value; None for a kind that nobody knows: drop it and go on.

    Raises FrameError "bad_version" where v is not 1, "malformed" for the rest.
    """
    usual = usual_form(value)
    if usual is not None:
        return usual
    fields = Fields(value, "the envelope")
    version = fields.integer("v")
    if version != VERSION:
        raise FrameError("bad_version", f"the envelope has version {version}; this is {VERSION}")
    identity = fields.integer("id")
    if not 0 <= identity <= MAX_ID:
        raise malformed(f"an id is not negative: {identity}")
    kind = fields.text("kind")
    body = fields.take("body")
    fields.done(strict=strict)
    reader = READERS.get(kind)
    if reader is None:
        return None
    inner = Fields(body, f"the body of {kind}")
    made = reader(identity, inner, strict)
    inner.done(strict=strict)
    return made


def usual_form(value: object) -> Envelope | None:
    """The short way for calls and their answers that have exactly their fields; None for all else."""
    if type(value) is not dict or len(value) != 4:
        return None
    identity, kind, body, version = value.get("id"), value.get("kind"), value.get("body"), value.get("v")
    if type(version) is not int or version != VERSION or type(identity) is not int or type(body) is not dict:
        return None
    if not 0 <= identity <= MAX_ID:
        return None
    if kind == "hook_result" or kind == "cap_result":
        if len(body) != 2 or body.get("ok") is not True or "value" not in body:
            return None
        return (HookResult if kind == "hook_result" else CapResult)(identity, Ok(body["value"]))
    token, deadline = body.get("token"), body.get("deadline_ms")
    if type(token) is not bytes or type(deadline) is not int or "args" not in body:
        return None
    if kind == "hook_call" and len(body) == 5:
        what, name = body.get("kind"), body.get("name")
        if type(what) is str and type(name) is str:
            return HookCall(identity, token, what, name, body["args"], deadline)
    elif kind == "cap_call" and len(body) == 4:
        cap = body.get("cap")
        if type(cap) is str:
            return CapCall(identity, token, cap, body["args"], deadline)
    return None


def read_result(body: Fields, what: str, strict: bool) -> Result:
    """Ok or Fault."""
    if body.boolean("ok"):
        return Ok(body.take("value"))
    error = Fields(body.take("error"), f"the error of {what}")
    made = Fault(error.text("code"), error.text("msg"))
    error.done(strict=strict)
    return made


def read_hook_call(identity: int, body: Fields, _strict: bool) -> HookCall:
    """The kind is not looked at: whoever serves it answers a wrong one."""
    token, kind, name = body.binary("token"), body.text("kind"), body.text("name")
    return HookCall(identity, token, kind, name, body.take("args"), body.integer("deadline_ms"))


def read_cap_call(identity: int, body: Fields, _strict: bool) -> CapCall:
    return CapCall(identity, body.binary("token"), body.text("cap"), body.take("args"), body.integer("deadline_ms"))


def read_outcome(identity: int, body: Fields, _strict: bool) -> OutcomeFrame:
    if body.boolean("ok"):
        return OutcomeFrame(identity, True, value=body.take("value"))
    return OutcomeFrame(identity, False, message=body.text("message"), details=body.take("details"))


READERS: dict[str, Callable[[int, Fields, bool], Envelope]] = {
    "hook_call": read_hook_call,
    "hook_result": lambda identity, body, strict: HookResult(identity, read_result(body, "hook_result", strict)),
    "cap_call": read_cap_call,
    "cap_result": lambda identity, body, strict: CapResult(
        identity, read_result(body, "cap_result", strict), body.optional("usage")
    ),
    "cancel": lambda identity, _body, _strict: Cancel(identity),
    "heartbeat": lambda identity, _body, _strict: Heartbeat(identity),
    "outcome": read_outcome,
    "error": lambda identity, body, _strict: ErrorFrame(identity, body.text("code"), body.text("msg")),
}
