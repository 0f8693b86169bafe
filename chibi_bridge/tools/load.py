"""Loading tool files: both formats, one living session a file.

A session is a context made from the image of the tools prelude and the preamble
(scheme/lib/chibi-bridge/preamble.scm), in which the file was evaluated.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path

from chibi_bridge._run import Outcome
from chibi_bridge._source import read_source
from chibi_bridge.context import Context, Image
from chibi_bridge.errors import (
    Location,
    MemoryExhausted,
    PermissionDenied,
    SchemeError,
    ToolLoadError,
)
from chibi_bridge.host.libraries import scheme_root
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.declare import Declarations
from chibi_bridge.tools.schema import Schema, SchemaError, schema_of_parameters, to_json
from chibi_bridge.tools.tool import GATED, Allow, Ask, Deny, Tool, ToolCategory
from chibi_bridge.values import Procedure, Symbol, write

__all__ = ["Session", "ToolList", "load_tools"]

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


class ToolList(list[Tool]):
    """The tools of a file; `problems` are those that do not load."""

    problems: list[Exception]
    session: Session

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
) -> ToolList:
    """The tools of a file, in the order they stand.

    A definition that does not load is in `.problems`; it is raised where `strict`,
    or where nothing loaded. Raises SchemeError (with position and hint) for a file
    that does not load at all, OSError for one that cannot be read. Bare tools ask
    nobody unless `permission` is given.

    >>> from chibi_bridge.host.libraries import scheme_root
    >>> [tool.name for tool in load_tools(scheme_root() / "examples" / "text.scm")]
    ['word_count', 'slugify', 'wrap_text']
    """
    path = Path(path)
    source = read_source(path)
    config = Config() if config is None else config
    vfs = vfs_path or f"/tools/shared/{path.name}"
    policy = policy_for(config, vfs, http_allow, env, limits)
    session = Session(source, vfs, str(path), policy, permission, transport, isolation or config.isolation)
    tools = session.load()
    if tools.problems and (strict or not tools):
        session.close()
        raise tools.problems[0]
    return tools


def policy_for(
    config: Config,
    path: str,
    http_allow: tuple[object, ...] | None,
    env: Mapping[str, str] | None,
    limits: Limits | None,
) -> Policy:
    """What the configuration, and the caller over it, grants to a file."""
    granted_env = dict(config.environment(path) if env is None else env)
    if config.tier(path) == 2:
        return Policy.unsandboxed(**({} if limits is None else {"limits": limits}))
    return Policy(
        limits=limits or Limits(),
        http_allow=http_allow if http_allow is not None else config.http(path),
        env=granted_env,
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
                _images[key] = maker.freeze()
        return _images[key]


class Session:
    """A tool file's living context, and what its tools share."""

    def __init__(
        self,
        source: str,
        vfs_path: str,
        file: str,
        policy: Policy,
        permission: Ask | None,
        transport: Callable[..., object] | None,
        isolation: str,
    ) -> None:
        if isolation not in ("file", "call"):
            raise ValueError(f'isolation is "file" or "call" here: {isolation!r}')
        self.source = source
        self.vfs_path = vfs_path
        self.file = file
        self.policy = policy
        self.permission = permission
        self.isolation = isolation
        self.file_hash = hashlib.sha256(source.encode()).hexdigest()
        self.declarations = Declarations(source, file)
        self.call_tool: Callable[[str, object], object] = no_call_tool
        self._transport = transport
        self._lock = threading.RLock()
        self._awaiting = False
        self._context: Context | None = None
        self._image: Image | None = None
        self._handlers: dict[str, Procedure] = {}
        self._context_name = ""

    # -- loading ---------------------------------------------------------------------

    def load(self) -> ToolList:
        """Evaluate the file and build its tools."""
        context = self._start()
        try:
            context.eval(self.source, self.file)
            tools = self._tools(context)
            self._context = context
        except BaseException:
            context.close()
            raise
        for name, handler in self._handlers.items():
            context.define(f"%tool-execute-{name}%", handler)
        if self.isolation == "call":
            self._image = context.freeze()
        return tools

    def _start(self) -> Context:
        """A fresh context with the preamble, its globals answered here."""
        bindings: dict[str, Callable[..., object]] = {
            "generate-id": lambda: os.urandom(4).hex(),
            "current-timestamp": lambda: datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H%Mz"),
        }
        context = tools_image(self.policy).instantiate(self.policy, bindings=bindings, transport=self._transport)
        context.answer("call-tool", self._call_tool)
        context.owned = True
        return context

    def _call_tool(self, name: object, args: object) -> object:
        if not isinstance(name, str) or isinstance(name, Symbol):
            raise TypeError(f"call-tool: the name is a string, got: {write(name, 100)}")
        return self.call_tool(name, to_json(args) or {})

    def _tools(self, context: Context) -> ToolList:
        """The tools of the registry, else those of the convention format."""
        tools = ToolList()
        tools.session = self
        tools.problems = [self._problem(item) for item in reversed(as_list(context, "%tool-problems%"))]
        registry = as_list(context, "%tool-registry%")
        hooks = tuple(dict.fromkeys(str(item[0]) for item in reversed(as_list(context, "%hook-registry%"))))
        for item in reversed(registry):
            try:
                tools.append(self._tool(item, hooks))
            except ToolLoadError as error:
                tools.problems.append(error)
        if not registry and not tools.problems and ("tool-name" in context or not hooks):
            tools.append(self._convention(context, hooks))
        return tools

    def _problem(self, item: list[object]) -> Exception:
        """A problem that the preamble noted, with its position."""
        name, clause, message, condition = item
        if isinstance(condition, SchemeError):
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
                "the name is not one that models accept ([A-Za-z][A-Za-z0-9_-]*)",
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
        self._handlers[name] = handler
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
            return schema_of_parameters(parameters)
        except SchemaError as error:
            location = self.declarations.parameter(name, error.parameter) if error.parameter else None
            hint = 'write \'((name (type . "string") (description . "...")) ...)'
            raise self._error(name, clause, str(error), location, hint) from error

    # -- calls -----------------------------------------------------------------------

    def ask(self, tool: Tool, args: Mapping[str, object], context: str) -> None:
        """Ask for a call of a gated category where somebody is to be asked."""
        if self.permission is None or tool.category not in GATED:
            return
        answer = self.permission(tool.request(args, context))
        if isinstance(answer, Awaitable):
            if isinstance(answer, Coroutine):
                answer.close()
            raise PermissionDenied(f"Permission denied: {tool.name}: an async permission needs call_async")
        judge(answer, tool)

    async def ask_async(self, tool: Tool, args: Mapping[str, object], context: str) -> None:
        """`ask` where the answer may be awaited."""
        if self.permission is None or tool.category not in GATED:
            return
        answer = self.permission(tool.request(args, context))
        judge(await answer if isinstance(answer, Awaitable) else answer, tool)

    def call(self, name: str, args: object, context_name: str) -> Outcome:
        """Run a tool's handler; calls of one file come one after another."""
        if self.isolation == "call":
            with self._instance(context_name) as context:
                return context.call_captured(f"%tool-execute-{name}%", args)
        with self._lock:
            context = self._living(context_name)
            try:
                return context.call_captured(self._handlers[name], args)
            except MemoryExhausted as error:
                self._forget(error)
                raise

    async def call_async(self, name: str, args: object, context_name: str) -> Outcome:
        """`call` on the event loop."""
        import asyncio  # here: most programs do not need it

        if self.isolation == "call":
            with self._instance(context_name) as context:
                return await context.call_captured_async(f"%tool-execute-{name}%", args)
        while self._awaiting or not self._lock.acquire(blocking=False):
            await asyncio.sleep(0.001)
        self._awaiting = True
        try:
            context = self._living(context_name)
            return await context.call_captured_async(self._handlers[name], args)
        except MemoryExhausted as error:
            self._forget(error)
            raise
        finally:
            self._awaiting = False
            self._lock.release()

    def _living(self, context_name: str) -> Context:
        """The session's context; loaded again where the last one could not go on."""
        if self._context is None:
            self.load()
        assert self._context is not None
        if context_name != self._context_name:
            self._context.define("%context-name%", context_name)
            self._context_name = context_name
        return self._context

    def _instance(self, context_name: str) -> Context:
        """A fresh instance of the file's image."""
        assert self._image is not None
        context = self._image.instantiate(self.policy, transport=self._transport)
        context.answer("call-tool", self._call_tool)
        context.define("%context-name%", context_name)
        return context

    def _forget(self, error: MemoryExhausted) -> None:
        """Close a context that cannot go on."""
        if not error.usable:
            self.close()

    def close(self) -> None:
        """Free the context; a later call loads the file again."""
        context, self._context = self._context, None
        self._handlers.clear()
        self._context_name = ""
        if context is not None:
            context.close()


def no_call_tool(name: str, args: object) -> object:
    """What call-tool does where no registry is behind the file."""
    raise LookupError(f"call-tool: no active call context for {name}")


def judge(answer: object, tool: Tool) -> None:
    """PermissionDenied for every answer but True and Allow."""
    if answer is True or isinstance(answer, Allow):
        return
    reason = answer.reason if isinstance(answer, Deny) else "permission denied"
    raise PermissionDenied(f"Permission denied: {reason}")


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
