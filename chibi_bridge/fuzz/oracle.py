"""What is wrong with a call: the oracles, each a function of what a tool did.

A condition counts as raised on purpose where the file itself calls `error`: that is
how a tool tells its caller what it does not take. All others (a wrong type, a
number out of range, an error that a library raised) are faults, as are objects
raised that are no errors, for their reader gets no words. Failures of the network
are the network's.
"""

from __future__ import annotations

import json
import re

from chibi_bridge.errors import (
    ConversionError,
    FuelExhausted,
    HttpBlocked,
    InvalidArguments,
    MemoryExhausted,
    OutputExhausted,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    SchemeExit,
)
from chibi_bridge.fuzz.plan import Example, Verdict
from chibi_bridge.fuzz.subject import Call, Subject
from chibi_bridge.host.http_message import KINDS, secret_forms
from chibi_bridge.policy import Policy
from chibi_bridge.tools.schema import Schema, check_arguments, check_value, to_json
from chibi_bridge.tools.tool import Tool
from chibi_bridge.values import write

__all__ = ["Judge", "example_of", "is_refusal"]

LIMITS = (FuelExhausted, RunTimeout, MemoryExhausted, OutputExhausted)
SECRET_LENGTH = 6
"""Shorter values of variables, such as a mode, are no secrets."""


class Judge:
    """Judges examples of one tool file."""

    def __init__(self, subject: Subject, reference: Subject | None = None) -> None:
        self.subject = subject
        self.reference = reference
        self._ignore = subject.plan.ignore
        secrets = {name: value for name, value in subject.secrets.items() if len(value) >= SECRET_LENGTH}
        self._secrets = secret_forms(secrets)
        self._endless: set[str] = set()

    def judge(self, example: Example) -> tuple[Verdict | None, Call]:
        """The first fault of an example, and what the call did."""
        tool = self.subject.tool(example.tool)
        first, policies = self._first(tool, example)
        verdict = self.of_call(tool, first)
        if verdict is None and self._wants("state", "determinism"):
            verdict = self._again(tool, example, first, policies)
        if verdict is None and self.reference is not None and self._wants("reference"):
            other = self.reference.once(self.reference.tool(tool.name), example.arguments, 0, example.responses)
            verdict = self._difference(first, other)
        return verdict, first

    def _first(self, tool: Tool, example: Example) -> tuple[Call, tuple[Policy, ...]]:
        """The call with little fuel, and the policies it ran under.

        Where that is too little, again with all of it, until a tool is known for it.
        """
        subject = self.subject
        endless = tool.name in self._endless
        policies = subject.hasty if endless else subject.quick
        first = subject.once(tool, example.arguments, 0, example.responses, policies)
        if endless or not isinstance(first.error, LIMITS):
            return first, policies
        first = subject.once(tool, example.arguments, 0, example.responses)
        if isinstance(first.error, LIMITS):
            self._endless.add(tool.name)
        return first, subject.policies

    def confirm(self, example: Example) -> bool:
        """Does the call exceed its limits, all of them granted?"""
        call = self.subject.once(self.subject.tool(example.tool), example.arguments, 0, example.responses)
        return isinstance(call.error, LIMITS)

    def _wants(self, *names: str) -> bool:
        return any(name not in self._ignore for name in names)

    def of_call(self, tool: Tool, call: Call) -> Verdict | None:
        """What a single call shows."""
        for name, oracle in (
            ("secret", self._secret),
            ("url", self._url),
            ("limit", self._limit),
            ("condition", self._condition),
            ("returns", self._returns),
        ):
            verdict = oracle(tool, call) if name not in self._ignore else None
            if verdict is not None:
                return verdict
        return None

    def _secret(self, tool: Tool, call: Call) -> Verdict | None:
        if not self._secrets:
            return None
        text = call.shown() + (str(call.error) if call.error is not None else "")
        for form, placeholder in self._secrets:
            if form in text:
                where = "the text of its error" if call.error is not None else "its output"
                return Verdict("secret", f"shows the value of {placeholder} in {where}", f"secret {placeholder}")
        return None

    def _url(self, tool: Tool, call: Call) -> Verdict | None:
        error = call.error
        if call.blocked is None and not isinstance(error, HttpBlocked):
            return None
        text = call.blocked or str(error)
        return Verdict("url", text, "url", place(error))

    def _limit(self, tool: Tool, call: Call) -> Verdict | None:
        if isinstance(call.error, LIMITS):
            return Verdict("limit", str(call.error), "limit", place(call.error))
        return None

    def _condition(self, tool: Tool, call: Call) -> Verdict | None:
        error = call.error
        if error is None or is_refusal(error, self.subject.plan.file) or isinstance(error, (HttpBlocked, *LIMITS)):
            return None
        where = place(error)
        kind = error.kind if isinstance(error, SchemeError) else type(error).__name__
        return Verdict("condition", str(error), f"{kind} at {where}", where)

    def _returns(self, tool: Tool, call: Call) -> Verdict | None:
        if tool.returns is None or call.error is not None:
            return None
        return broken(tool.returns, call.value)

    def _again(self, tool: Tool, example: Example, first: Call, policies: tuple[Policy, ...]) -> Verdict | None:
        """The same call in another world, after others: is the answer the same?"""
        blocked: list[str] = []
        before = example.before or (example.arguments,)
        context = self.subject.fresh(1, example.responses, blocked, policies)
        try:
            earlier = [self.subject.call(context, tool, arguments, blocked) for arguments in before]
            if any(isinstance(call.error, LIMITS) for call in earlier):
                return None  # the context may be of no more use
            if self.subject.http:
                self._rewind(context, example)
            later = self.subject.call(context, tool, example.arguments, blocked)
            if isinstance(later.error, LIMITS):
                return None
        finally:
            context.close()
        if later.shown() == first.shown():
            return None
        for world in range(1, len(self.subject.policies)):
            alone = self.subject.once(tool, example.arguments, world, example.responses, policies)
            if alone.shown() != first.shown():
                return self._differs("determinism", "in another context", first, alone)
        return self._differs("state", "after an earlier call", first, later)

    def _rewind(self, context: object, example: Example) -> None:
        """The network answers a later call as it answered the first one."""
        transport = context._host.transport  # type: ignore[attr-defined]
        if hasattr(transport, "requests"):
            transport.requests.clear()

    def _differs(self, oracle: str, when: str, one: Call, other: Call) -> Verdict | None:
        if oracle in self._ignore:
            return None
        return Verdict(oracle, f"answers {cut(one.shown())}, and {cut(other.shown())} {when}", oracle)

    def _difference(self, mine: Call, other: Call) -> Verdict | None:
        """Both refuse, or both give the same value."""
        if (mine.error is None) == (other.error is None) and (
            mine.error is not None or write(mine.value, 1 << 20) == write(other.value, 1 << 20)
        ):
            return None
        return Verdict("reference", f"gives {cut(mine.shown())}, the reference {cut(other.shown())}", "reference")

    def examples(self, tool: Tool) -> list[tuple[Example, Verdict]]:
        """The faults that a tool's own examples show."""
        found: list[tuple[Example, Verdict]] = []
        for arguments, result in declared_examples(tool):
            example = Example(tool.name, arguments)
            try:
                check_arguments(tool.parameters, arguments, tool.name)
            except InvalidArguments as error:
                found.append((example, Verdict("examples", f"an example breaks the schema: {error}", "schema")))
                continue
            if self.subject.http:
                continue  # what its network answers is not in the example
            call = self.subject.once(tool, arguments)
            verdict = self.of_call(tool, call)
            if verdict is None and result is not NOTHING and not gives(call, result):
                shown = json.dumps(result, ensure_ascii=False, default=str)
                verdict = Verdict("examples", f"gives {cut(call.shown())}, its example says {shown}", "example")
            if verdict is not None:
                found.append((example, verdict))
        return found


NOTHING = object()
ARGUMENTS = ("arguments", "args", "input")
RESULTS = ("result", "returns", "output")


def declared_examples(tool: Tool) -> list[tuple[dict[str, object], object]]:
    """The arguments of each example, and the result where it says one."""
    given = tool.examples
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], list) and not is_object(given[0]):
        given = given[0]  # (examples '(...)) comes with its operand in a list
    made: list[tuple[dict[str, object], object]] = []
    for item in given if isinstance(given, list) else []:
        parts = example_of(item)
        if parts is not None:
            made.append(parts)
    return made


def is_object(item: object) -> bool:
    """Does it stand for a JSON object with something in it?"""
    try:
        return isinstance(to_json(item), dict)
    except ConversionError:
        return False


def example_of(item: object) -> tuple[dict[str, object], object] | None:
    """One example: arguments alone, or under `arguments` with a `result` beside; None for what is none."""
    try:
        data = to_json(item)
    except ConversionError:
        return None
    if data == []:
        data = {}
    if not isinstance(data, dict):
        return None
    named = next((key for key in ARGUMENTS if key in data), None)
    if named is not None and set(data) <= {named, *RESULTS, "description", "name"}:
        arguments = data[named] or {}
        result = next((data[key] for key in RESULTS if key in data), NOTHING)
        return (arguments, result) if isinstance(arguments, dict) else None
    return data, NOTHING


def gives(call: Call, result: object) -> bool:
    """Did the call give this JSON value?"""
    if call.error is not None:
        return False
    try:
        return to_json(call.value) == result
    except ConversionError:
        return write(call.value, 1 << 20) == result


def broken(schema: Schema, value: object) -> Verdict | None:
    """What a declared schema says about a result."""
    try:
        data = to_json(value)
    except ConversionError as error:
        return Verdict("returns", f"gives {cut(write(value, 300))}: {error}", "no JSON")
    if data == [] and schema.get("type") == "object":
        data = {}
    problems: list[tuple[str, str, str]] = []
    check_value(schema, data, "", problems)
    if not problems:
        return None
    path, expected, got = problems[0]
    where = f"{path}: " if path else ""
    return Verdict("returns", f"{where}expected {expected}, got {got}", f"{re.sub('[0-9]+', 'N', path)} {expected}")


def is_refusal(error: Exception, file: str) -> bool:
    """Did the tool itself decline, or the network fail?"""
    if isinstance(error, SchemeExit):
        return False
    if isinstance(error, SandboxViolation) or not isinstance(error, SchemeError):
        return False
    if error.kind in KINDS:
        return True
    if error.kind != "error":
        return False
    top = next((frame.location for frame in error.backtrace if frame.location is not None), None)
    return top is None or top.file == file


def place(error: Exception | None) -> str | None:
    """Where an error came from, in the file."""
    location = error.location if isinstance(error, SchemeError) else None
    return None if location is None else str(location)


def cut(text: str, most: int = 200) -> str:
    """A text in one line, shortened."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
