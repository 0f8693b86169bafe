"""Loading tool files: both formats, one living session a file.

A session is a context made from the image of the tools prelude and the preamble
(scheme/lib/chibi-bridge/preamble.scm), in which the file was evaluated.
"""

from __future__ import annotations

import contextlib
import datetime
import difflib
import functools
import hashlib
import os
import re
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextvars import Token
from dataclasses import replace
from pathlib import Path
from time import monotonic

from chibi_bridge._conditions import Refusal
from chibi_bridge._run import AnyTurn, Outcome, Run, Tap, Turn
from chibi_bridge.context import Context, Image
from chibi_bridge.errors import (
    ContextBusy,
    ConversionError,
    Location,
    MemoryExhausted,
    ReadError,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    ToolLoadError,
    UnboundVariable,
)
from chibi_bridge.host.hints import hint_for
from chibi_bridge.host.libraries import scheme_root
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools import durable
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.declare import Declarations
from chibi_bridge.tools.durable import ASK
from chibi_bridge.tools.hooks import POINTS
from chibi_bridge.tools.permission import Gate, capability_of, capability_text
from chibi_bridge.tools.schema import Schema, SchemaError, schema_of_parameters, schema_of_result, to_json
from chibi_bridge.tools.steps import Call, Chain, current
from chibi_bridge.tools.tool import Ask, Tool, ToolCategory
from chibi_bridge.tools.trust import declared_rules
from chibi_bridge.values import Procedure, Symbol, write

__all__ = ["Session", "ToolList", "load_source", "load_tools"]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
CLAUSES = (
    "description",
    "category",
    "summary-params",
    "parameters",
    "execute",
    "summary",
    "http-allow",
    "examples",
    "returns",
    "timeout",
)
GLOBALS = ("generate-id", "current-timestamp")
IO = ("io-read", "io-write", "io-append", "io-list", "io-exists?", "io-delete")


class ToolList(list[Tool]):
    """The tools of a file; `problems` are those that do not load, `hooks` its handlers' points."""

    problems: list[Exception]
    session: Session
    hooks: tuple[str, ...] = ()

    def close(self) -> None:
        """Free the file's session."""
        self.session.close()


def load_tools(
    path: str | os.PathLike[str],
    *,
    config: Config | None = None,
    vfs_path: str | None = None,
    strict: bool = False,
    transport: Callable[..., object] | None = None,
    http_allow: tuple[object, ...] | None = None,
    env: Mapping[str, str] | None = None,
    permission: Ask | None = None,
    isolation: str | None = None,
    limits: Limits | None = None,
    tap: Tap | None = None,
) -> ToolList:
    """The tools of a file, in the order they stand.

    A definition that does not load is in `.problems`; it is raised where `strict`,
    or where nothing loaded. Raises SchemeError (with position and hint) for a file
    that does not load at all, OSError for one that cannot be read. Bare tools ask
    nobody unless `permission` is given. `tap` records or replays what the file asks of
    the host (see Trace).

    >>> from chibi_bridge.host.libraries import scheme_root
    >>> [tool.name for tool in load_tools(scheme_root() / "examples" / "text.scm")]
    ['word_count', 'slugify', 'wrap_text']
    """
    path = Path(path)
    config = Config() if config is None else config
    return load_source(
        path.read_bytes().decode("utf-8"),
        vfs_path or f"/tools/shared/{path.name}",
        str(path),
        config=config,
        gate=None if permission is None else Gate(config, permission),
        strict=strict,
        transport=transport,
        http_allow=http_allow,
        env=env,
        isolation=isolation,
        limits=limits,
        tap=tap,
    )


def load_source(
    source: str,
    vfs_path: str,
    file: str,
    *,
    config: Config,
    gate: Gate | None = None,
    strict: bool = False,
    transport: Callable[..., object] | None = None,
    http_allow: tuple[object, ...] | None = None,
    env: Mapping[str, str] | None = None,
    isolation: str | None = None,
    limits: Limits | None = None,
    tap: Tap | None = None,
) -> ToolList:
    """The tools of a text that stands for a file; see load_tools."""
    declared: tuple[object, ...] = ()
    if http_allow is None:
        declared = declared_rules(source, file) if config.trusts_declared(vfs_path) else ()
        http_allow = config.http(vfs_path, declared)
    policy = policy_for(config, vfs_path, http_allow, env, limits)
    if transport is None and config.ca_file is not None and policy.http_allow is not None:
        from chibi_bridge.host.http_network import HttpNetwork  # here: few files ask for it

        transport = HttpNetwork(ca_file=config.ca_file)
    isolation = isolation or config.isolation_of(vfs_path)
    session = Session(source, vfs_path, file, policy, gate, transport, isolation)
    session.redact, session.tap, session.self_granted = config.redact, tap, bool(declared)
    tools = session.load()
    if tools.problems and (strict or not (tools or tools.hooks)):
        session.close()
        raise tools.problems[0]
    return tools


class Forwarded(dict[str, str]):
    """Variables whose values no repr shows."""

    def __repr__(self) -> str:
        return f"<{', '.join(self) or 'no variables'}>"


def policy_for(
    config: Config,
    path: str,
    http_allow: tuple[object, ...] | None,
    env: Mapping[str, str] | None,
    limits: Limits | None,
) -> Policy:
    """What the configuration, and the caller over it, grants to a file."""
    if config.tier(path) == 2:
        return Policy.unsandboxed(limits=limits or config.limits_of(path, Limits(fuel=None)))
    return Policy(
        limits=limits or config.limits_of(path),
        http_allow=http_allow,
        env=Forwarded(config.environment(path) if env is None else env),
    )


_images: dict[object, Image] = {}
_images_lock = threading.Lock()


def tools_image(policy: Policy) -> Image:
    """The image that tool files start from, made once per library set."""
    key = (policy.modules, policy.allow)
    with _images_lock:
        if key not in _images:
            with Context(Policy(modules=policy.modules, allow=policy.allow), "tools") as maker:
                for name in GLOBALS:
                    maker.define_host(name)
                preamble = scheme_root() / "lib" / "chibi-bridge" / "preamble.scm"
                maker.eval(preamble.read_text(encoding="utf-8"), "lib/chibi-bridge/preamble.scm")
                if policy.modules == "all":
                    maker.import_("(harness io)")
                _images[key] = maker.freeze()
        return _images[key]


IMPORT_HINTS = {
    "tein http": 'grant URLs in the configuration: [tools.http.allow] "{path}" = ["https://..."]',
    "harness io": 'only unsandboxed files have it: [tools.tiers] "{path}" = 2',
}

_waiting = threading.Lock()
_freezing = threading.Lock()
_recent: weakref.WeakKeyDictionary[Session, None] = weakref.WeakKeyDictionary()
MOST_IMAGES = 16
"""Files under "call" that keep their image, some megabytes, between calls; the others make it again."""
BUSY = 30.0
"""Seconds to wait for a session that another call uses, where the file has no time limit."""
TURN_SECONDS = 0.001
"""How often a call on an event loop looks whether its file's context is free."""


class Session:
    """A tool file's living context, and what its tools share."""

    def __init__(
        self,
        source: str,
        vfs_path: str,
        file: str,
        policy: Policy,
        gate: Gate | None,
        transport: Callable[..., object] | None,
        isolation: str,
    ) -> None:
        if isolation not in ("file", "call"):
            raise ValueError(f'isolation is "file" or "call" here: {isolation!r}')
        self.source = source
        self.vfs_path = vfs_path
        self.file = file
        self.policy = policy
        self.gate = gate
        self.isolation = isolation
        self.redact = False
        self.self_granted = False  # its URL rules are those that it declares
        self.tap: Tap | None = None  # sees what the file asks of the host
        self.file_hash = hashlib.sha256(source.encode()).hexdigest()
        self.declarations = Declarations(source, file)
        self.hooks: list[tuple[str, str]] = []  # point, name of the handler's binding
        self.transport = transport
        self._lock = threading.Lock()
        self._owner: Chain | None = None
        self._context: Context | None = None
        self._image: Image | None = None
        self.template: Image | None = None  # of runs with a context of their own
        self._handlers: dict[str, Procedure] = {}
        self._context_name = ""
        self._loading = False
        self._printed: list[list[tuple[str, str]]] = []  # by nesting, before inner calls
        self._broken = False

    @property
    def capability(self) -> str | None:
        """What the file reaches of the host."""
        return capability_of(self.policy)

    @property
    def capability_text(self) -> str | None:
        """The same for a prompt."""
        return capability_text(self.policy)

    def parameter_location(self, tool: str, name: str) -> tuple[Location | None, str | None]:
        """Where a parameter was declared, and the line."""
        location = self.declarations.parameter(tool, name)
        return location, self.declarations.line(location)

    # -- loading ---------------------------------------------------------------------

    def load(self) -> ToolList:
        """Evaluate the file and build its tools."""
        context = self._start()
        self._loading = True
        self._handlers.clear()
        asks = context[ASK]  # as the preamble has it, whatever the file makes of the name
        assert isinstance(asks, Procedure)
        self._handlers[ASK] = asks
        self.hooks.clear()
        try:
            context.eval(self.source, self.file)
            tools = self._tools(context)
            for name, handler in self._handlers.items():
                context.define(name, handler)
        except SandboxViolation as error:
            context.close()
            raise self._located(error) from None
        except ReadError as error:
            context.close()
            error.hint = error.hint or self._reading_hint()
            raise
        except BaseException:
            context.close()
            raise
        finally:
            self._loading = False
            self._handlers.clear()
        self._context = context
        return tools

    def _reading_hint(self) -> str | None:
        """What a reader that goes on behind faults found first."""
        from chibi_bridge.tools.reading import line_of, read_text  # here: few files need it

        for finding in read_text(self.source).findings:
            if finding.at is not None and finding.hint:
                return f"line {line_of(self.source, finding.at)}: {finding.message}; {finding.hint}"
        return None

    def image(self) -> Image:
        """The image of the file as it was loaded, which calls get instances of; few files keep theirs."""
        with _freezing:
            if self._image is None:
                if self._context is None:
                    self._begin()
                assert self._context is not None
                self._image = self._context.freeze()
            _recent.pop(self, None)
            _recent[self] = None
            for session in list(_recent)[:-MOST_IMAGES]:
                del _recent[session]
                session._image = None
            return self._image

    def _located(self, error: SandboxViolation) -> SandboxViolation:
        """A refused import, placed where the file has it, with what grants it."""
        for name, hint in IMPORT_HINTS.items():
            if f"({name})" not in error.message:
                continue
            error.hint = hint.format(path=self.vfs_path)
            location = self.declarations.imported(name)
            if location is not None:
                error.location, error.source_line = location, self.declarations.line(location)
        return error

    def _begin(self) -> None:
        """Make the living context anew."""
        self.load()

    def _start(self) -> Context:
        """A fresh context with the preamble, its globals answered here."""
        return self._open(tools_image(self.policy))

    def _open(self, image: Image) -> Context:
        """A context of an image, with what the harness answers."""
        context = image.instantiate(self.policy, bindings=self.bindings(), transport=self.transport)
        self.answer(context)
        context.owned = True
        return context

    def bindings(self) -> dict[str, Callable[..., object]]:
        """What answers the globals of the preamble."""
        return {
            "generate-id": lambda: os.urandom(4).hex(),
            "current-timestamp": lambda: datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H%Mz"),
        }

    def answer(self, context: Context) -> None:
        """Answer what the harness does for a file."""
        context.answer("call-tool", functools.partial(self._call_tool, weakref.ref(context)))
        for op in IO if self.policy.all_files else ():
            context.answer(op, self._io(op))
        context.tap = self.tap

    def start(self, target: str, args: object, prompt: str, name: str) -> Run:
        """A run of a call in a context of its own: see durable.py."""
        return durable.begin(self, target, args, prompt, name)

    def restore(self, data: bytes, key: bytes | None, trusted: bool) -> Run:
        """The run of a call that was stored."""
        return durable.go_on(self, data, key, trusted)

    def twin(self) -> Session:
        """The same file, to be loaded anew."""
        return Session(self.source, self.vfs_path, self.file, self.policy, self.gate, self.transport, "call")

    def _active(self, what: str) -> Call:
        """The call that goes on here, or a condition."""
        call = current.get()
        if call is None or call.caller is None or self._loading or not call.bridge:
            raise Refusal("no-active-call", f"{what}: no active call context")
        return call

    def _call_tool(self, context: weakref.ref[Context], name: object, args: object) -> object:
        if not isinstance(name, str) or isinstance(name, Symbol):
            raise Refusal("wrong-type", f"call-tool: the name is a string, got: {write(name, 100)}")
        call = self._active("call-tool")
        try:
            given = to_json(args)
        except ConversionError as error:
            raise Refusal("conversion", f"args conversion: {error}") from error
        assert call.caller is not None
        run = context()
        inner = call.inside(None if run is None else run.frame, f"{self.vfs_path} {self.file_hash}")
        try:
            answer = call.caller.call_tool(name, given or {}, inner)
        except Refusal:
            inner.guard()
            raise
        if isinstance(answer, Coroutine):
            return guarded(answer, inner)
        inner.guard()
        return answer

    def _io(self, op: str) -> Callable[..., object]:
        def answer(*args: object) -> object:
            call = self._active("harness io")
            assert call.caller is not None
            return call.caller.io(op, list(args), call)

        return answer

    def _tools(self, context: Context) -> ToolList:
        """The tools of the registry, else those of the convention format."""
        tools = ToolList()
        tools.session = self
        tools.problems = [self._problem(item, context) for item in reversed(as_list(context, "%tool-problems%"))]
        tools.hooks = self._hooks(context, tools.problems)
        registry = as_list(context, "%tool-registry%")
        made: dict[str, Tool] = {}
        for item in reversed(registry):
            try:
                tool = self._tool(item, tools.hooks)
                made[tool.name] = tool  # of two with one name the place of the first, the rest of the last
            except ToolLoadError as error:
                tools.problems.append(error)
        tools.extend(made.values())
        if not registry and not tools.problems and ("tool-name" in context or not tools.hooks):
            tools.append(self._convention(context, tools.hooks))
        return tools

    def _hooks(self, context: Context, problems: list[Exception]) -> tuple[str, ...]:
        """Bind the handlers, oldest first; what is wrong with one is a problem, the rest counts."""
        for index, item in enumerate(reversed(as_list(context, "%hook-registry%"))):
            if not isinstance(item, list) or len(item) < 2 or type(item[0]) is not str:
                problems.append(self._hook_error(f"hook entry has unexpected shape: {write(item, 200)}", None))
            elif item[0] not in POINTS:
                problems.append(self._hook_error(f"unknown hook {item[0]}", item[0]))
            elif not isinstance(item[1], Procedure):
                problems.append(self._hook_error(f"the handler of {item[0]} is not a procedure", item[0]))
            else:
                name = f"%hook-{index}-{item[0]}%"
                self._handlers[name] = item[1]
                self.hooks.append((item[0], name))
        return tuple(dict.fromkeys(point for point, _ in self.hooks))

    def _hook_error(self, message: str, name: str | None) -> ToolLoadError:
        near = difflib.get_close_matches((name or "").replace("-", "_").lower(), POINTS, n=1, cutoff=0.6)
        location = self.declarations.hook(name) if name else None
        return ToolLoadError(
            f"{Path(self.file).name}: {message}",
            clause="register-hook",
            location=location,
            hint=f"did you mean '{near[0]}?" if near and name not in POINTS else None,
            source_line=self.declarations.line(location),
        )

    def _problem(self, item: list[object], context: Context) -> Exception:
        """A problem that the preamble noted, with its position."""
        name, clause, message, condition = item
        if isinstance(condition, SchemeError):
            if isinstance(condition, UnboundVariable) and condition.hint is None and condition.irritants:
                condition.hint = hint_for(str(condition.irritants[0]), context.names(), self.policy)
            return self._error(
                str(name),
                str(clause),
                f"cannot be evaluated: {condition.summary}",
                condition.location,
                condition.hint,
                condition.source_line,
            )
        hint = None
        if message == "unknown clause":
            hint = f"clauses are {', '.join(CLAUSES)}"
        elif message == "is missing":
            hint = f"add ({clause} ...) to (define-tool {name} ...)"
        elif message == "takes one operand":
            hint = f"write ({clause} VALUE)"
        elif message == "is no symbol" and isinstance(name, str):
            hint = f"write (define-tool {suggest(name)} ...)"
        elif message == "is given twice":
            hint = f"keep one of the ({clause} ...) clauses"
        return self._error(str(name), clause_name(clause), str(message), hint=hint)

    def _error(
        self,
        tool: str | None,
        clause: str | None,
        message: str,
        location: Location | None = None,
        hint: str | None = None,
        line: str | None = None,
    ) -> ToolLoadError:
        location = location or self.declarations.location_of(tool, clause)
        what = f"tool {tool}" if tool else Path(self.file).name
        where = f", clause {clause}" if clause else ""
        return ToolLoadError(
            f"{what}{where}: {message}",
            tool=tool,
            clause=clause,
            location=location,
            hint=hint,
            source_line=line or self.declarations.line(location),
        )

    def _tool(self, item: object, hooks: tuple[str, ...]) -> Tool:
        """A tool of a registry entry (name description parameters handler [category summary extras])."""
        if not isinstance(item, list) or len(item) < 4:
            raise self._error(None, None, f"define-tool entry has unexpected shape: {write(item, 200)}")
        extras = extras_of(item[6]) if len(item) > 6 else {}
        return self._build(item[0], item[1], item[2], item[3], item[4:5], item[5:6], extras, hooks)

    def _convention(self, context: Context, hooks: tuple[str, ...]) -> Tool:
        """The tool of a file that defines tool-name and so on."""

        def get(name: str, *, needed: bool = True) -> object:
            try:
                return context[name]
            except KeyError:
                if not needed:
                    return None
                hint = "define tool-name, tool-description, tool-parameters and tool-execute, or use define-tool"
                location = Location(self.file, 1, 1)
                raise ToolLoadError(f"missing {name}", clause=name, location=location, hint=hint) from None

        extras = {"http-allow": get("tool-http-allow", needed=False), "summary": get("tool-summary", needed=False)}
        name, description, parameters, execute = (
            get(f"tool-{part}") for part in ("name", "description", "parameters", "execute")
        )
        category, summary = (get(f"tool-{part}", needed=False) for part in ("category", "summary-params"))
        return self._build(name, description, parameters, execute, [category], [summary], extras, hooks)

    def _build(
        self,
        name: object,
        description: object,
        parameters: object,
        handler: object,
        category: list[object],
        summary: list[object],
        extras: dict[str, object],
        hooks: tuple[str, ...],
    ) -> Tool:
        """Check the parts of a tool and put them together."""
        if type(name) is not str:
            raise self._error(None, "name", f"tool-name is not a string: {write(name, 100)}")
        if not NAME.fullmatch(name):
            raise self._error(
                name,
                None,
                "the name has invalid characters: models accept [A-Za-z][A-Za-z0-9_-]{0,63}",
                hint=f"rename it, say to {suggest(name)}",
            )
        if type(description) is not str:
            raise self._error(name, "description", f"tool-description is not a string: {write(description, 100)}")
        if not isinstance(handler, Procedure):
            raise self._error(
                name,
                "execute",
                f"tool-execute is not a procedure: {write(handler, 100)}",
                hint="write (execute (lambda (args) ...))",
            )
        schema = self._schema(name, parameters)
        self._handlers[f"%tool-execute-{name}%"] = handler
        shown = summary[0] if summary and isinstance(summary[0], list) else []
        template = extras.get("summary")
        timeout = extras.get("timeout")
        return Tool(
            name=name,
            description=description,
            category=ToolCategory.of(category[0] if category else None),
            summary_params=tuple(str(item) for item in shown if isinstance(item, str) and not isinstance(item, Symbol)),
            parameters=schema,
            session=self,
            template=template if isinstance(template, str) else None,
            returns=self._schema(name, extras["returns"], "returns") if extras.get("returns") else None,
            examples=extras.get("examples"),
            timeout=float(timeout) if isinstance(timeout, (int, float)) and not isinstance(timeout, bool) else None,
            hooks=hooks,
            path=self.vfs_path,
        )

    def _schema(self, name: str, parameters: object, clause: str = "parameters") -> Schema:
        try:
            return schema_of_result(parameters) if clause == "returns" else schema_of_parameters(parameters)
        except SchemaError as error:
            location = self.declarations.parameter(name, error.parameter) if error.parameter else None
            hint = 'write \'((name (type . "string") (description . "...")) ...)'
            raise self._error(name, clause, str(error), location, hint) from error

    # -- calls -----------------------------------------------------------------------

    def call(self, target: str, args: object, call: Call, timeout: float | None = None) -> Outcome:
        """Call a binding; calls of one file come one after another, nested ones at once."""
        call, token, nested = self._claim(call)
        try:
            if not nested and self.isolation == "file":
                self._wait(call)
            with self._context_for(call, timeout, nested=nested) as context:
                start = monotonic()
                try:
                    return self._whole(self._now(context, target, args))
                except SchemeError as error:
                    raise self._after(error, start) from None
        finally:
            self._release(call, nested=nested)
            current.reset(token)

    async def call_async(self, target: str, args: object, call: Call, timeout: float | None = None) -> Outcome:
        """`call` on the event loop: calls of one file take turns where they wait for something."""
        call, token, nested = self._claim(call)
        turn = SessionTurn(self, call) if self.isolation == "file" else AnyTurn()
        await turn.take()
        try:
            with self._context_for(call, timeout, nested=nested) as context:
                start = monotonic()
                try:
                    return await self._later(context, target, args, turn)
                except SchemeError as error:
                    raise self._after(error, start) from None
        finally:
            turn.release()
            current.reset(token)

    def _now(self, context: Context, target: str, args: object) -> Outcome:
        return context.call_captured(target, args)

    async def _later(self, context: Context, target: str, args: object, turn: Turn) -> Outcome:
        return await context.call_captured_async(target, args, turn=turn)

    def _claim(self, call: Call) -> tuple[Call, Token[Call | None], bool]:
        """The call with this session among those it holds, made the current one."""
        nested = id(self) in call.held
        if not nested:
            call = replace(call, held=call.held | {id(self)})
        return call, current.set(call), nested

    def _wait(self, call: Call) -> None:
        """Take the lock; two calls that wait for each other end with an error."""
        if self._try(call):
            return
        deadline = monotonic() + (self.policy.limits.timeout or BUSY)
        try:
            while not self._lock.acquire(timeout=0.05):
                self._check_wait(call, deadline)
        finally:
            call.root.waiting = None
        self._owner = call.root

    def _try(self, call: Call) -> bool:
        if self._lock.acquire(blocking=False):
            self._owner = call.root
            return True
        call.root.waiting = self
        self._check_wait(call, None)
        return False

    def _check_wait(self, call: Call, deadline: float | None) -> None:
        """Raise where waiting can have no end, or had none for too long."""
        with _waiting:
            owner, seen = self._owner, 0
            while owner is not None and seen < 100:
                if owner is call.root:
                    raise Refusal("deadlock", f"{self.vfs_path}: two calls wait for each other's files")
                held = owner.waiting
                owner, seen = (held._owner if isinstance(held, Session) else None), seen + 1
        if deadline is not None and monotonic() > deadline:
            raise RunTimeout("time limit exceeded", hint=f"{self.vfs_path} was busy with another call")

    def _release(self, call: Call, *, nested: bool) -> None:
        if not nested and self._owner is call.root and self.isolation == "file":
            self._owner = None
            self._lock.release()

    @contextlib.contextmanager
    def _context_for(self, call: Call, timeout: float | None, *, nested: bool) -> Iterator[Context]:
        """The living context, or a fresh instance, told who calls."""
        if self.isolation == "call":
            with self._open(self.image()) as context:
                context.policy = limited(self.policy, call.within(timeout))
                context.define("%context-name%", call.context)
                yield context
            return
        if self._broken and not nested:
            self.close()
        if self._context is None:
            self._begin()
        assert self._context is not None
        context = self._context
        if nested:
            self._printed[-1].append(context.take_output())
        else:
            context.policy = limited(self.policy, call.within(timeout))
        if call.context != self._context_name:
            context.define("%context-name%", call.context)
            self._context_name = call.context
        self._printed.append([])
        try:
            yield context
        finally:
            self._printed.pop()

    def _whole(self, outcome: Outcome) -> Outcome:
        """The outcome with what was printed before nested calls took the console."""
        out, err = self._before()
        return replace(outcome, stdout=out + outcome.stdout, stderr=err + outcome.stderr) if out or err else outcome

    def _before(self) -> tuple[str, str]:
        pieces = self._printed[-1] if self._printed else []
        return "".join(out for out, _ in pieces), "".join(err for _, err in pieces)

    def _after(self, error: SchemeError, start: float) -> SchemeError:
        """Note what a failed call used; a context that cannot go on is replaced before the next one."""
        out, err = self._before()
        error.stdout, error.stderr = out + error.stdout, err + error.stderr
        error.elapsed = monotonic() - start
        if isinstance(error, MemoryExhausted) and not error.usable:
            self._broken = True
        return error

    def close(self) -> None:
        """Free the context; a later call loads the file again.

        One in which a call goes on, perhaps the one that replaces the file, ends with it.
        """
        context, self._context = self._context, None
        self._image = None
        self._context_name = ""
        self._broken = False
        if context is not None:
            with contextlib.suppress(ContextBusy):
                context.close()


class SessionTurn:
    """A call's turn in its file's context, on an event loop.

    No call waits for another file while it has the turn of its own; so none waits
    for ever.
    """

    def __init__(self, session: Session, call: Call) -> None:
        self._session = session
        self._root = call.root
        self._taken = False

    async def take(self) -> None:
        """Wait for the context to be free."""
        import asyncio  # here: most programs do not need it

        lock = self._session._lock
        while not lock.acquire(blocking=False):
            await asyncio.sleep(TURN_SECONDS)
        self._session._owner = self._root
        self._taken = True

    def release(self) -> None:
        """Let others in."""
        if self._taken:
            self._taken = False
            self._session._owner = None
            self._session._lock.release()


async def guarded(answer: Coroutine[object, object, object], call: Call) -> object:
    """An answer for a run, which may have been over in the meantime."""
    try:
        return await answer
    finally:
        call.guard()


def limited(policy: Policy, timeout: float | None) -> Policy:
    """The policy with a tool's own time limit, where that is the shorter one."""
    if timeout is None or (policy.limits.timeout is not None and policy.limits.timeout <= timeout):
        return policy
    return replace(policy, limits=replace(policy.limits, timeout=timeout))


def as_list(context: Context, name: str) -> list[list[object]]:
    """A registry of the preamble; what is no list counts as empty."""
    value = context[name]
    return value if isinstance(value, list) else []


def extras_of(alist: object) -> dict[str, object]:
    """The further clauses of an entry."""
    made: dict[str, object] = {}
    for item in alist if isinstance(alist, list) else []:
        if isinstance(item, list) and item:
            made[str(item[0])] = item[1:]
        elif hasattr(item, "car"):
            made[str(item.car)] = item.cdr
    return made


def clause_name(clause: object) -> str:
    """The name of a clause as the file has it."""
    return str(clause) if isinstance(clause, str) else write(clause, 60)


def suggest(name: str) -> str:
    """A name that models accept, made from one that they do not."""
    made = re.sub(r"[^A-Za-z0-9_-]+", "_", name.replace("->", "_to_").replace("?", "")).strip("_")[:64]
    return made if NAME.fullmatch(made) else f"tool_{made}"[:64].rstrip("_")
