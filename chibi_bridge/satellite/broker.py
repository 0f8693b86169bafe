"""The broker: judges and carries out the capability calls of one satellite.

Every call shows the token of an invocation that is open. What is granted is said by
`Grants`, from the manifest and the operator; nothing is refused inside the jail.

    net.request                 the project's HTTP broker, under the origins of [net]
    fs.read fs.write fs.list fs.edit        path prefixes, links resolved first
    kv.get kv.set kv.delete     in memory, for the satellite's session
    ext.remember ext.recall     on disk, by extension
    report.emit                 to whoever made the invocation
    proc.run                    programs that the operator names; never by default

>>> broker = Broker("weather", Grants())
>>> invocation = broker.open(deadline=60.0)
>>> call = CapCall(0, invocation.token, "kv.get", {"key": "k"}, 1000)
>>> invocation.perform(call, lambda identity, result: None)
Ok(value={'found': False, 'value': b''})
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

from chibi_bridge.host.workers import Workers
from chibi_bridge.satellite import capabilities
from chibi_bridge.satellite.capabilities import Denied, Grants, NetGrant, Report, Store
from chibi_bridge.satellite.envelope import CapCall, Fault, Ok

__all__ = ["Broker", "Grants", "Invocation", "NetGrant", "Report"]

OUTSTANDING = 6
"""Capability calls of one invocation that may wait at once."""
CAP_SECONDS = 120.0
"""How long a capability call may take, whatever it asks for."""
TOKEN_BYTES = 32

log = logging.getLogger("chibi_bridge.satellite")
workers = Workers(64, "chibi-bridge-broker")

Settle = Callable[[int, "Ok | Fault"], None]


class Broker:
    """What one satellite may reach, and what it has stored. Thread-safe.

    `name` is the extension's; `extra` adds capabilities: name -> function of the
    invocation and the arguments (a map), which answers a value or raises Denied.
    """

    def __init__(
        self,
        name: str,
        grants: Grants,
        *,
        extra: Mapping[str, Callable[[Invocation, dict[str, object]], object]] | None = None,
    ) -> None:
        self.name = name
        self.grants = grants
        self.store = Store(name, grants.memory)
        self.extra = dict(extra or {})

    def open(self, deadline: float, on_report: Callable[[Report], None] | None = None) -> Invocation:
        """An invocation with a token of its own, for `deadline` seconds."""
        return Invocation(self, monotonic() + deadline, on_report)


@dataclass(slots=True)
class Counters:
    """What an invocation has used."""

    requests: int = 0
    reports: int = 0


@dataclass(slots=True, eq=False)
class Pending:
    """A call that is being carried out by a thread."""

    deadline: float
    given_up: bool = False


@dataclass(eq=False)
class Invocation:
    """One open invocation: its token, its counters, its calls in flight."""

    broker: Broker
    deadline: float
    on_report: Callable[[Report], None] | None = None
    token: bytes = field(default_factory=lambda: secrets.token_bytes(TOKEN_BYTES), repr=False)
    counters: Counters = field(default_factory=Counters)
    _pending: dict[int, Pending] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def perform(self, call: CapCall, settle: Settle) -> Ok | Fault | None:
        """Judge a call and carry it out; None where `settle` will be called, from another thread."""
        try:
            work = self._admit(call)
        except Denied as denied:
            return Fault(denied.code, str(denied))
        if call.cap not in capabilities.SLOW and call.cap not in self.broker.extra:
            return self._carry_out(work)
        self._in_background(call, work, settle)
        return None

    def _admit(self, call: CapCall) -> Callable[[], object]:
        """The work of a call that may be done; Denied."""
        if self._closed or not hmac.compare_digest(call.token, self.token):
            raise Denied("unauthorized", "no invocation is open under this token")
        if monotonic() >= self.deadline:
            raise Denied("unauthorized", "the invocation's time is up")
        extra = self.broker.extra.get(call.cap)
        known = capabilities.TABLE.get(call.cap)
        if extra is None and known is None:
            raise Denied("unsupported_cap", f"no capability is called {call.cap[:80]!r}")
        if type(call.args) is not dict:
            raise Denied("invalid_argument", f"{call.cap} takes a map")
        if len(self._pending) >= OUTSTANDING:
            raise Denied("budget", f"{OUTSTANDING} calls are outstanding; wait for one of them")
        args = call.args
        if extra is not None:
            return lambda: extra(self, args)
        assert known is not None
        return lambda: known(self, capabilities.Arguments(call.cap, args))

    def _carry_out(self, work: Callable[[], object]) -> Ok | Fault:
        """Do it; whatever goes wrong on our side is an error to the node, not the end of the harness."""
        try:
            return Ok(work())
        except Denied as denied:
            return Fault(denied.code, str(denied))
        except Exception as error:
            log.exception("satellite: a capability failed")
            return Fault("cap_failed", f"the capability failed: {type(error).__name__}")

    def _in_background(self, call: CapCall, work: Callable[[], object], settle: Settle) -> None:
        asked = max(0, call.deadline_ms) / 1000
        pending = Pending(min(monotonic() + min(asked, CAP_SECONDS), self.deadline))
        with self._lock:
            self._pending[call.id] = pending

        def body() -> None:
            current.pending = pending
            result = self._carry_out(work)
            current.pending = None
            if self._take(call.id, pending):
                settle(call.id, result)

        workers.submit(body)

    def _take(self, identity: int, pending: Pending) -> bool:
        """Is this call still waited for? Then it no longer is."""
        with self._lock:
            if self._pending.get(identity) is not pending:
                return False
            del self._pending[identity]
            return True

    @property
    def busy(self) -> bool:
        """Are calls being carried out?"""
        return bool(self._pending)

    def is_pending(self, identity: int) -> bool:
        """Is a call of this id being carried out?"""
        return identity in self._pending

    def next_deadline(self) -> float | None:
        """When the first of the calls in flight is to be settled."""
        with self._lock:
            return min((item.deadline for item in self._pending.values()), default=None)

    def late(self) -> list[int]:
        """The calls whose time is up; they are given up."""
        now = monotonic()
        with self._lock:
            return self._give_up([key for key, item in self._pending.items() if item.deadline <= now])

    def cancel(self, identity: int) -> None:
        """Nobody waits for this call any more."""
        with self._lock:
            self._give_up([identity] if identity in self._pending else [])

    def close(self) -> list[int]:
        """The token is void from now on; answers the calls that were in flight."""
        self._closed = True
        with self._lock:
            return self._give_up(list(self._pending))

    def _give_up(self, identities: list[int]) -> list[int]:
        for identity in identities:
            self._pending.pop(identity).given_up = True
        return identities


class Current(threading.local):
    """The call that this thread carries out."""

    pending: Pending | None = None


current = Current()


def guard() -> None:
    """Raise Denied where nobody waits for this thread's call any more."""
    pending = current.pending
    if pending is not None and (pending.given_up or monotonic() >= pending.deadline):
        raise Denied("unsettled", "the call was given up")


capabilities.guard = guard
