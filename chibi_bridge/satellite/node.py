"""The node: the process in the jail, which answers invocations one at a time.

    while the channel is open:
        take a hook_call         anything else means nothing here; cancel: leave
        answer it                the program runs in slices, and the channel is heard between:
                                 another hook_call is busy, cap_results go to who waits
        write the hook_result    then the token is forgotten

A capability call names the invocation it was made in (a random number that only this
file and the Scheme library share), so what an earlier invocation left behind, a thread or
a continuation, has no authority in a later one. The deadline is held here too: fuel
slices and an interrupt end a program in time, whoever else watches.

Knows nothing of policy: every capability is judged at the other end.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol

from chibi_bridge._conditions import Refusal
from chibi_bridge.context import Context
from chibi_bridge.errors import HttpBlocked, MemoryExhausted, RunTimeout
from chibi_bridge.host.http import HttpRequest, HttpResponse
from chibi_bridge.host.http_message import HttpFailure
from chibi_bridge.policy import Policy
from chibi_bridge.satellite.channel import Channel, Closed
from chibi_bridge.satellite.dispatch import Answered, Event, Implementation, Tool, answer, cut, within
from chibi_bridge.satellite.envelope import (
    Cancel,
    CapCall,
    CapResult,
    Envelope,
    Fault,
    HookCall,
    HookResult,
    Ok,
)
from chibi_bridge.satellite.frames import FrameError
from chibi_bridge.values import Procedure, Record

__all__ = ["Node", "Served"]

CAP_MS = 30_000
"""What a capability call says it may take."""
CAP_MARGIN_MS = 5_000
"""How much longer its caller waits."""
REPORTS = 64
"""Partial reports of one invocation, at most; further ones are dropped."""
HTTP_KINDS = {"net_failed": "connect", "transport": "connect", "too_large": "too-large", "unsettled": "timeout"}
"""What `(tein http)` calls a denial of this code; any other is a blocked request."""
POLICIES = 16
"""Policies with a time limit that are kept."""
MESSAGE_BYTES = 64 << 10
"""Bytes of an error's message, at most."""


class Served(Protocol):
    """Something that serves tools and hooks: an extension, or tool files."""

    def start(self, node: Node) -> None:
        """Load, with what `node` answers; raises what does not load."""

    def tools(self) -> Sequence[tuple[str, Implementation]]: ...

    def hooks(self) -> Sequence[tuple[str, Record]]: ...

    def renew(self, context: Context) -> None:
        """Replace a context that cannot go on, where it is one of these."""

    def close(self) -> None: ...


class Leave(BaseException):
    """The program that runs is to stop at once, because the node leaves. No program catches it."""


class Invocation:
    """What goes on: its call, when it ends, and how many partial reports it has sent."""

    __slots__ = ("call", "deadline", "reports")

    def __init__(self, call: HookCall) -> None:
        self.call = call
        self.deadline = monotonic() + max(0, call.deadline_ms) / 1000
        self.reports = 0


class Node:
    """Serves over a channel until the harness cancels it or hangs up."""

    def __init__(self, served: Sequence[Served]) -> None:
        self._served = served
        self._channel: Channel | None = None
        self._open: Invocation | None = None
        self._number = 0
        self._next_id = 0
        self._waiting: int | None = None
        self._result: CapResult | None = None
        self._broken: list[Context] = []
        self._policies: dict[tuple[int, float], tuple[Policy, Policy]] = {}
        self._tools: dict[str, Implementation] = {}
        self._hooks: dict[str, Record] = {}
        for item in served:
            item.start(self)
        self._index()

    def _index(self) -> None:
        """Read the tables of what is served; the first of a name counts."""
        self._tools = dict(row for item in reversed(self._served) for row in item.tools())
        self._hooks = dict(row for item in reversed(self._served) for row in item.hooks())

    @property
    def names(self) -> list[str]:
        """The names of the tools."""
        return list(self._tools)

    def close(self) -> None:
        """Free what is served."""
        for item in self._served:
            item.close()

    def serve(self, channel: Channel) -> FrameError | None:
        """Answer until the harness cancels or hangs up; answers what it did wrong, if anything."""
        self._channel = channel
        try:
            while True:
                envelope = channel.take()
                if isinstance(envelope, HookCall):
                    self._invoke(envelope)
                elif isinstance(envelope, Cancel):
                    return None
        except Leave:
            return channel.fault
        except Closed as closed:
            return closed.fault
        finally:
            self._channel = None

    # -- an invocation ---------------------------------------------------------------------

    def _invoke(self, call: HookCall) -> None:
        """Answer a call, and forget its token behind the answer."""
        self._number = int.from_bytes(os.urandom(8), "big") >> 2  # a fixnum that nothing left behind can guess
        self._open = Invocation(call)
        try:
            try:
                result = self._result_of(call)
            except Leave as leave:
                self._write(HookResult(call.id, Fault("crashed", f"program crashed: killed: {leave}")))
                raise
            self._write(HookResult(call.id, result))
        finally:
            self._open = None
        self._renew()

    def _result_of(self, call: HookCall) -> Ok | Fault:
        """The result for the wire."""
        if call.kind not in ("tool", "event"):
            return Fault("bad_kind", cut(f"an invocation is a tool or an event, not {call.kind}", MESSAGE_BYTES))
        made = answer(
            self._tools,
            self._hooks,
            Tool(call.name) if call.kind == "tool" else Event(call.name),
            call.args,
            call.deadline_ms,
            drive=self.drive,
            report=self._reporter(self._number),
            number=self._number,
        )
        if isinstance(made, Answered):
            return Ok(made.value)
        message = made.message if made.code == "refused" else cut(made.message, MESSAGE_BYTES)
        return Fault(made.code, message)

    def _write(self, result: HookResult) -> None:
        """Write an answer; one that no frame holds is told as such."""
        assert self._channel is not None
        try:
            self._channel.send(result)
        except FrameError as error:
            self._channel.send(HookResult(result.id, Fault("unencodable", f"the answer cannot be sent: {error}")))

    def _renew(self) -> None:
        """Replace the contexts that ran out of memory for good."""
        broken, self._broken = self._broken, []
        for context in broken:
            for item in self._served:
                item.renew(context)
        if broken:
            self._index()

    def drive(self, context: Context, procedure: Procedure, args: list[object], seconds: float) -> object:
        """Run a procedure to its end in so many seconds; `attach` has it hear the channel meanwhile."""
        policy, context.policy = context.policy, self._within(context.policy, seconds)
        try:
            return context.call(procedure, *args)
        except MemoryExhausted as error:
            if not error.usable:
                self._broken.append(context)
            raise
        finally:
            context.policy = policy

    def _within(self, policy: Policy, seconds: float) -> Policy:
        """The policy with a time limit; the last few are kept, for the deadlines of most calls are alike."""
        key = id(policy), seconds
        kept = self._policies.get(key)
        if kept is None:
            if len(self._policies) >= POLICIES:
                self._policies.clear()
            kept = self._policies[key] = policy, within(policy, seconds)
        return kept[1]

    # -- the channel meanwhile -----------------------------------------------------------------

    def listen(self) -> None:
        """Handle what has come; raises Leave where the node is to leave."""
        if self._channel is None:
            return  # still loading
        try:
            while (envelope := self._channel.take(0)) is not None:
                self._handle(envelope)
        except Closed as closed:
            raise Leave(str(closed)) from None

    def _handle(self, envelope: Envelope) -> None:
        """Handle an envelope that comes while an invocation goes on."""
        assert self._channel is not None
        if isinstance(envelope, HookCall):
            number = "another" if self._open is None else self._open.call.id
            busy = Fault("busy", f"invocation {number} is still open; one is answered at a time")
            self._channel.send(HookResult(envelope.id, busy))
        elif isinstance(envelope, Cancel):
            raise Leave("the node was cancelled")
        elif isinstance(envelope, CapResult) and envelope.id == self._waiting:
            self._result = envelope

    def _wait(self, until: float) -> bool:
        """Handle what comes until then; answers False there, True where a result came before."""
        assert self._channel is not None
        while self._result is None:
            left = until - monotonic()
            if left <= 0:
                return False
            envelope = self._channel.take(left)
            if envelope is not None:
                self._handle(envelope)
        return True

    # -- what programs ask of the node -----------------------------------------------------------

    def attach(self, context: Context) -> None:
        """Answer the host operations of a context here, and hear the channel between its slices."""
        context.hear(self.listen)
        context.answer("cap-call", self._cap_call)
        context.answer("cap-report", self._report)
        context.answer("sleep", self._sleep)

    def _current(self, number: object) -> Invocation | None:
        """The invocation that goes on, if it is the one of this number."""
        return self._open if type(number) is int and number == self._number else None

    def _cap_call(self, number: object, cap: object, args: object) -> object:
        """Carry out a capability call, waiting for its result."""
        cap = str(cap)
        invocation = self._current(number)
        if invocation is None or self._channel is None:
            raise denial(cap, Fault("unauthorized", "the invocation that this call belongs to is over"))
        identity = self._send(invocation, cap, args)
        self._waiting, self._result = identity, None
        settled = False
        try:
            late = monotonic() + (CAP_MS + CAP_MARGIN_MS) / 1000
            settled = self._wait(min(late, invocation.deadline))
            if settled:
                return self._settle(cap)
            if monotonic() >= invocation.deadline:
                raise RunTimeout("time limit exceeded", hint=f"{cap} did not answer before the invocation's deadline")
            raise denial(cap, Fault("transport", "no result in time"))
        except Closed as closed:
            settled = True
            raise denial(cap, Fault("transport", str(closed))) from None
        finally:
            self._waiting = self._result = None
            if not settled:
                self._give_up(identity)

    def request(self, request: HttpRequest) -> HttpResponse:
        """Send a request of a tool file through the harness, as the invocation that goes on."""
        headers: dict[str, str] = {}
        for name, value in request.headers:
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        args = {"method": request.method, "url": request.url, "headers": headers, "body": request.body}
        try:
            answer = self._cap_call(self._number, "net.request", args)
        except Refusal as denied:
            kind = HTTP_KINDS.get(str(denied.extra))
            if kind is None:
                raise HttpBlocked(denied.message) from None
            raise HttpFailure(kind, denied.message) from None
        fields = answer if isinstance(answer, dict) else {}
        status, given, body = fields.get("status"), fields.get("headers"), fields.get("body")
        if type(status) is not int or not isinstance(given, dict) or type(body) is not bytes:
            raise HttpFailure("protocol", "net.request: the answer has no usable status, headers and body")
        return HttpResponse(status, tuple((str(name), str(value)) for name, value in given.items()), body)

    def _settle(self, cap: str) -> object:
        """The value of the result that came, or the denial."""
        assert self._result is not None
        result = self._result.result
        if isinstance(result, Ok):
            return result.value
        raise denial(cap, result)

    def _send(self, invocation: Invocation, cap: str, args: object) -> int:
        """Write a capability call under the invocation's token; answers its id."""
        assert self._channel is not None
        identity = self._next_id
        self._next_id += 1
        try:
            self._channel.send(CapCall(identity, invocation.call.token, cap, args, CAP_MS))
        except FrameError as error:
            raise denial(cap, Fault("invalid_argument", str(error))) from None
        except Closed as closed:
            raise denial(cap, Fault("transport", str(closed))) from None
        return identity

    def _give_up(self, identity: int) -> None:
        """Tell the harness that nobody waits for a call any more."""
        assert self._channel is not None
        with contextlib.suppress(Closed):  # then it knows
            self._channel.send(Cancel(identity))

    def _reporter(self, number: int) -> Callable[[str], None]:
        """What takes the partial reports of a tool in Python."""
        return lambda text: self._report(number, text)

    def _report(self, number: object, text: object) -> None:
        """Send a partial report; nobody waits for its result, whatever fails is dropped."""
        invocation = self._current(number)
        if invocation is None or self._channel is None or invocation.reports >= REPORTS or not isinstance(text, str):
            return
        invocation.reports += 1
        report = {"name": "partial", "content_type": "text/plain", "bytes": text.encode("utf-8", "replace")}
        with contextlib.suppress(Refusal):
            self._send(invocation, "report.emit", report)

    def _sleep(self, seconds: object) -> None:
        """Let time pass, hearing the channel; the invocation's deadline ends it."""
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not -1e9 < seconds < 1e9:
            raise Refusal("wrong-type", f"not a number of seconds: {seconds!r}", [seconds])
        until = monotonic() + seconds
        invocation = self._open
        if invocation is None or self._channel is None:
            raise Refusal("unanswered", "nothing sleeps while the files are loaded")
        try:
            self._waiting = self._result = None
            self._wait(min(until, invocation.deadline))
        except Closed as closed:
            raise Leave(str(closed)) from None
        if monotonic() >= invocation.deadline:
            raise RunTimeout("time limit exceeded", hint="the program slept past the invocation's deadline")


def denial(cap: str, fault: Fault) -> Refusal:
    """The condition for a denied call; its code is what cap-error-code answers."""
    return Refusal("cap", f"{cap}: {fault.msg} ({fault.code})", [], fault.code)
