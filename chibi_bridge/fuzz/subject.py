"""A tool file under test: its image, and calls in fresh instances of it.

Always sandboxed and never with a network: what a configuration grants beyond that
(files, processes) is left out, because a campaign calls with whatever comes. Two
worlds differ in random numbers, clock and ids, so that an answer that depends on
them shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from chibi_bridge._conditions import Refusal
from chibi_bridge.context import Context, Image
from chibi_bridge.errors import HttpBlocked, SchemeError, UnknownTool
from chibi_bridge.fuzz.mine import Constants, constants_of
from chibi_bridge.fuzz.plan import Plan, Response
from chibi_bridge.fuzz.simulate import Simulator
from chibi_bridge.host.http import http_request
from chibi_bridge.policy import Policy
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import Session, ToolList
from chibi_bridge.tools.schema import check_arguments, to_scheme
from chibi_bridge.tools.tool import Tool
from chibi_bridge.tools.trust import declared_rules
from chibi_bridge.values import write

__all__ = ["Call", "Property", "Subject"]

YEARS = 37 * 365 * 86_400 * 1_000_000_000
"""Nanoseconds by which the clock of the second world is ahead."""
WORLDS = (
    ("0000000a", "20200101-0000z", 0),
    *((f"f000000{n:x}", f"20{n}61223-1733z", YEARS + n * 1_000_000_007) for n in range(1, 6)),
)
"""Id, time stamp and clock of each."""
QUICK = 1_000_000
"""Units of fuel after which a call that may run out of its limits is looked at more closely."""
HASTY = 20_000
"""The same for a tool that is known to run out of them."""
QUICK_MEMORY = 16 << 20
LONGEST_TEXT = 100_000


@dataclass(frozen=True, slots=True)
class Call:
    """What a call did: its value, or the error; what it printed; a URL that was refused."""

    value: object = None
    error: Exception | None = None
    stdout: str = ""
    stderr: str = ""
    blocked: str | None = None

    def shown(self) -> str:
        """All that a caller sees, as one text: two calls are alike where it is the same."""
        if self.error is None:
            return f"{write(self.value, LONGEST_TEXT)}\n{self.stdout}\n{self.stderr}"
        text = self.error.summary if isinstance(self.error, SchemeError) else str(self.error)
        return f"{type(self.error).__name__}: {text}\n{self.stdout}\n{self.stderr}"


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a *-props.scm: its name, its variables and what to draw for them."""

    file: str
    name: str
    variables: tuple[str, ...]
    specs: tuple[object, ...]
    index: int


class Subject:
    """A tool file, loaded once.

    Raises what loading raises. `tools` are its tools, `problems` those that do not load.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.constants: Constants = constants_of(plan.source)
        self.secrets = secrets_of(plan, self.constants)
        policy = policy_of(plan, self.secrets)
        self._calls_others = "call-tool" in plan.source
        self._checked: tuple[object, object, object] = (None, None, None)
        self.http = policy.http_allow is not None
        self.policies = worlds_of(policy, None)
        self.quick = worlds_of(policy, QUICK)
        self.hasty = worlds_of(policy, HASTY)
        session = Session(plan.source, plan.vfs_path, plan.file, policy, None, Simulator(), "file")
        try:
            self.tools: ToolList = session.load()
            if self.tools.problems and not self.tools:
                raise self.tools.problems[0]
            self._image = session.image()
            self._properties = [PropertyFile(self, session, file, text) for file, text in plan.properties]
        finally:
            session.close()

    def tool(self, name: str) -> Tool:
        """The tool of that name; UnknownTool."""
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise UnknownTool(f"no tool {name} in {self.plan.file}; there are: {', '.join(t.name for t in self.tools)}")

    def fresh(
        self, world: int, responses: tuple[Response, ...], blocked: list[str], policies: tuple[Policy, ...] | None
    ) -> Context:
        """A new instance; `blocked` gets the URLs that are refused, caught by the program or not."""
        return self.instance(self._image, world, responses, blocked, policies)

    def instance(
        self,
        image: Image,
        world: int,
        responses: tuple[Response, ...],
        blocked: list[str],
        policies: tuple[Policy, ...] | None = None,
    ) -> Context:
        """An instance of an image of this file in one of the worlds."""
        word, stamp, ahead = WORLDS[world]
        policy = (policies or self.policies)[world]
        bindings = {"generate-id": lambda: word, "current-timestamp": lambda: stamp} if image.callables else None
        if not self.http:
            context = image.instantiate(policy, bindings=bindings)
        else:
            transport = self.plan.transport or Simulator(responses)
            context = image.instantiate(policy, bindings=bindings, transport=transport)

            def request(*args: object) -> object:
                try:
                    return http_request(context._host, list(args))
                except HttpBlocked as error:
                    blocked.append(error.message)
                    raise

            context.answer("http-request", request)
        if ahead:
            context._host.slept = ahead
        if self._calls_others:
            context.answer("call-tool", no_other_tools)
        return context

    def call(self, context: Context, tool: Tool, arguments: dict[str, object], blocked: list[str]) -> Call:
        """One call in an instance, checked against the schema first; never raises for what the tool does."""
        if self._checked[0] is not arguments or self._checked[1] is not tool:  # an example is called several times
            self._checked = arguments, tool, to_scheme(check_arguments(tool.parameters, arguments, tool.name))
        given = self._checked[2]
        del blocked[:]
        value, error = None, None
        try:
            value = context.call(f"%tool-execute-{tool.name}%", given)
        except Exception as raised:
            error = raised
        out, err = context.take_output()
        return Call(value, error, out, err, blocked[0] if blocked else None)

    def once(
        self,
        tool: Tool,
        arguments: dict[str, object],
        world: int = 0,
        responses: tuple[Response, ...] = (),
        policies: tuple[Policy, ...] | None = None,
    ) -> Call:
        """A call in a fresh instance, under policies of less where they are given."""
        blocked: list[str] = []
        context = self.instance(self._image, world, responses, blocked, policies)
        try:
            return self.call(context, tool, arguments, blocked)
        finally:
            context.close()

    def properties(self) -> list[Property]:
        """The properties of the plan's files, in order."""
        return [found for file in self._properties for found in file.properties]

    def check_property(self, index: int, raw: list[object]) -> tuple[str, list[str], Exception | None]:
        """Evaluate a property on raw values: what came out, the values shown, the error raised."""
        for file in self._properties:
            if index < len(file.properties):
                return file.check(index, raw)
            index -= len(file.properties)
        raise IndexError(index)


class PropertyFile:
    """A *-props.scm, evaluated in an instance of its tool file."""

    def __init__(self, subject: Subject, session: Session, file: str, text: str) -> None:
        self.subject = subject
        with subject.instance(session.image(), 0, (), []) as context:
            handlers = " ".join(f'(cons "{tool.name}" %tool-execute-{tool.name}%)' for tool in subject.tools)
            context.eval(f"(define %file-tools (list {handlers})) {PREPARE}", "lib/properties.scm")
            context.eval(text, file)
            listed: Any = context.eval("(%property-list)")
            self._image = context.freeze()
        self.properties = [
            Property(file, str(name), tuple(map(str, variables)), tuple(specs), index)
            for index, (name, variables, specs) in enumerate(listed)
        ]

    def check(self, index: int, raw: list[object]) -> tuple[str, list[str], Exception | None]:
        """Evaluate the property of that number in a fresh instance."""
        with self.subject.instance(self._image, 0, (), []) as context:
            try:
                answer: Any = context.call("%property-check", index, raw)
            except Exception as raised:  # a limit, which no handler in the program sees
                return "raised", [write(item, 300) for item in raw], raised
            came, shown, error = answer
            problem = error if isinstance(error, Exception) else None
            if str(came) == "raised" and problem is None:
                problem = SchemeError(f"uncaught object raised: {write(error, 300)}", kind="uncaught")
            return str(came), [str(item) for item in shown], problem


PREPARE = """
(import (only (chibi-bridge property)
              %properties %property-name %property-variables %property-specs
              %check-property %tool-finder!))
(%tool-finder!
 (lambda (name)
   (let ((entry (assoc name %file-tools)))
     (and entry (cdr entry)))))
(define (%property-list)
  (map (lambda (property)
         (list (%property-name property)
               (%property-variables property)
               (%property-specs property)))
       (%properties)))
(define (%property-check index raw)
  (%check-property (list-ref (%properties) index) raw))
"""


def secrets_of(plan: Plan, constants: Constants) -> dict[str, str]:
    """Values for the variables that the file may read: those given, else made up for the names in its text."""
    if plan.env is not None:
        return dict(plan.env)
    if plan.config is not None and plan.config.env:
        return plan.config.environment(plan.vfs_path)
    return {name: f"s3cr3t-{name.lower()}-{sum(name.encode()):05d}" for name in constants.variables}


def policy_of(plan: Plan, secrets: dict[str, str]) -> Policy:
    """A sandbox with the URLs granted: by the caller, by the configuration, by the file's own declaration."""
    config = plan.config or Config()
    allow = plan.http_allow
    if allow is None:
        declared = declared_rules(plan.source, plan.file)
        allow = config.http(plan.vfs_path, declared)
        if allow is None and plan.config is None:
            allow = declared or (() if "(tein http)" in plan.source else None)
    limits = config.limits_of(plan.vfs_path, plan.limits) if plan.config is not None else plan.limits
    return Policy(limits=limits, http_allow=allow, env=secrets)


def worlds_of(policy: Policy, fuel: int | None) -> tuple[Policy, ...]:
    """A policy in each of the worlds, with at most so much fuel where it is given."""
    limits = policy.limits
    if fuel is not None:
        fuel = fuel if limits.fuel is None else min(fuel, limits.fuel)
        limits = replace(limits, fuel=fuel, memory=min(limits.memory, QUICK_MEMORY))
    return tuple(replace(policy, seed=number, limits=limits) for number in range(1, len(WORLDS) + 1))


def no_other_tools(*args: object) -> object:
    """What call-tool does in a campaign: there are no other tools."""
    raise Refusal("no-active-call", "call-tool: there are no other tools while this one is tried")
