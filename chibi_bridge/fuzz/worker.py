"""The child of a campaign: `python -m chibi_bridge.fuzz.worker`, spoken to over its standard streams.

The process that is started loads the plan and forks the one that calls. Should that
one die, by a fault of the engine, the first one says so and forks another, which
takes a millisecond: whoever asked still has the input. Frames are four bytes of
length and a pickle; both ends are the same program.

    -> Plan                       <- ("ready", pid) or ("failed", exception's text, exit code)
    -> ("judge", Example)         <- ("verdict", Verdict | None, refused, value)
    -> ("confirm", Example)       <- ("confirm", whether it exceeds all of its limits)
    -> ("examples", tool)         <- ("examples", [(Example, Verdict), ...])
    -> ("property", index, raw)   <- ("property", came, shown, Verdict | None)
    anything                      <- ("died", signal or exit code, pid of the next one)
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from typing import BinaryIO

from chibi_bridge.errors import ConfigError, ConversionError, SchemeError
from chibi_bridge.fuzz.oracle import LIMITS, Judge, is_refusal, place
from chibi_bridge.fuzz.plan import Example, Plan, Verdict
from chibi_bridge.fuzz.subject import Subject
from chibi_bridge.tools.schema import to_json

HEAD = struct.Struct("!I")


def send(stream: BinaryIO, message: object) -> None:
    """Write a frame."""
    data = pickle.dumps(message, protocol=5)
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> object:
    """Read a frame; EOFError at the end of the stream."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    (size,) = HEAD.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


class Service:
    """Answers requests about one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.subject = Subject(plan)
        reference = None
        if isinstance(plan.reference, tuple):
            file, text = plan.reference
            reference = Subject(Plan(file, text, plan.vfs_path, plan.config, plan.http_allow, plan.env, plan.limits))
        self.judge = Judge(self.subject, reference)

    def answer(self, request: tuple[object, ...]) -> tuple[object, ...]:
        """The reply to a request."""
        kind, first, *rest = request
        if kind == "judge":
            assert isinstance(first, Example)
            return self._judged(first)
        if kind == "confirm":
            assert isinstance(first, Example)
            return "confirm", self.judge.confirm(first)
        if kind == "examples":
            return "examples", self.judge.examples(self.subject.tool(str(first)))
        assert isinstance(first, int)
        assert isinstance(rest[0], list)
        return self._property(first, rest[0])

    def _judged(self, example: Example) -> tuple[object, ...]:
        verdict, call = self.judge.judge(example)
        refused = call.error is not None and is_refusal(call.error, self.plan.file)
        value: object = None
        if callable(self.plan.reference) and call.error is None:
            try:
                value = ("json", to_json(call.value))
            except ConversionError as error:
                value = ("none", str(error))
        return "verdict", verdict, refused, value

    def _property(self, index: int, raw: list[object]) -> tuple[object, ...]:
        came, shown, error = self.subject.check_property(index, raw)
        verdict = None
        if came == "fails":
            verdict = Verdict("property", "does not hold", "fails")
        elif came == "raised":
            assert error is not None
            kind = error.kind if isinstance(error, SchemeError) else type(error).__name__
            oracle = "limit" if isinstance(error, LIMITS) else "property"
            verdict = Verdict(oracle, str(error), f"{kind} at {place(error)}", place(error))
        return "property", came, shown, verdict


def serve(service: Service, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer until the requests end."""
    while True:
        try:
            request = receive(requests)
        except EOFError:
            return
        assert isinstance(request, tuple)
        send(replies, service.answer(request))


def supervise(service: Service, requests: BinaryIO, replies: BinaryIO) -> None:
    """Fork the process that calls, again where it dies, until it ends by itself."""
    pid = fork(service, requests, replies)
    send(replies, ("ready", pid))
    while True:
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            return
        pid = fork(service, requests, replies)
        send(replies, ("died", code, pid))


def fork(service: Service, requests: BinaryIO, replies: BinaryIO) -> int:
    """A child that serves; it never returns there."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        serve(service, requests, replies)
        code = 0
    except BaseException:
        import traceback  # only here

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def exit_code_of(error: Exception) -> int:
    """2 for what cannot be read or does not load."""
    return (
        2 if isinstance(error, (OSError, UnicodeDecodeError, ConfigError, SchemeError, ValueError, LookupError)) else 1
    )


def main() -> None:
    """Speak the protocol over standard input and output; prints of anybody go to standard error."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Unbuffered: what a child has read ahead would die with it.
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    wrapped = Whole(requests)
    try:
        plan = receive(wrapped)  # type: ignore[arg-type]
    except EOFError:
        return
    assert isinstance(plan, Plan)
    try:
        service = Service(plan)
    except Exception as error:
        send(replies, ("failed", str(error), exit_code_of(error)))
        return
    supervise(service, wrapped, replies)  # type: ignore[arg-type]


class Whole:
    """Reads of an unbuffered stream that are not cut short."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        """That many bytes, fewer at the end only."""
        data = b""
        while len(data) < size:
            more: bytes = self._stream.read(size - len(data))  # type: ignore[attr-defined]
            if not more:
                break
            data += more
        return data


if __name__ == "__main__":
    main()
