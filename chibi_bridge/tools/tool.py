"""A tool, the result of a call, and the question that may be asked before one."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from chibi_bridge.errors import FuelExhausted, InvalidArguments, PermissionDenied, SandboxViolation, SchemeError
from chibi_bridge.tools.schema import Schema, check_arguments, to_json, to_scheme
from chibi_bridge.values import write

if TYPE_CHECKING:
    from chibi_bridge.tools.load import Session

__all__ = ["Allow", "Deny", "PermissionRequest", "Tool", "ToolCategory", "ToolResult"]


class ToolCategory(enum.Enum):
    """What a tool is about; it decides how a call is gated.

    >>> ToolCategory("network").name
    'NETWORK'
    """

    MEMORY = "memory"
    FS_READ = "fs_read"
    FS_WRITE = "fs_write"
    SHELL = "shell"
    NETWORK = "network"
    INDEX = "index"
    FLOW = "flow"
    VFS = "vfs"
    PLUGIN = "plugin"
    MCP = "mcp"
    EVAL = "eval"
    SYNTHESISED = "synthesised"

    @classmethod
    def of(cls, name: object) -> ToolCategory:
        """The category of that name; SYNTHESISED for everything else."""
        try:
            return cls(str(name)) if isinstance(name, str) else cls.SYNTHESISED
        except ValueError:
            return cls.SYNTHESISED


GATED = frozenset((ToolCategory.SHELL, ToolCategory.NETWORK, ToolCategory.FS_WRITE))
"""Categories whose calls are asked for."""


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What somebody is asked to allow."""

    tool: str
    category: ToolCategory
    capability: str | None
    summary: str
    prompt: str
    url: str | None = None
    path: str | None = None
    command: str | None = None
    reason: str | None = None
    safety: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    context: str = "default"
    chain: tuple[str, ...] = ()
    file: str | None = None
    file_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Allow:
    """Yes, and for how much: this call, the tool, its file, its category."""

    scope: str = "call"
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Deny:
    """No, and why."""

    reason: str = "permission denied"


Ask: TypeAlias = Callable[[PermissionRequest], "bool | Allow | Deny | Awaitable[bool | Allow | Deny]"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave: `value` after the value table, `text`, what was printed, `error` or None."""

    value: object
    text: str
    stdout: str = ""
    stderr: str = ""
    error: Exception | None = None
    fuel_used: int = 0

    @property
    def json(self) -> object:
        """The value as JSON; ConversionError for what JSON cannot hold."""
        return to_json(self.value)

    def report(self) -> str:
        """Three lines for a model: result, stdout, stderr."""
        result = self.text if self.error is None else "error: " + describe(self.error)
        return f"result: {result}\nstdout: {self.stdout or '(empty)'}\nstderr: {self.stderr or '(empty)'}"


def describe(error: Exception) -> str:
    """An error in the words of the report."""
    if isinstance(error, FuelExhausted):
        return error.message
    if isinstance(error, PermissionDenied):
        return str(error)
    if isinstance(error, SandboxViolation):
        return f"sandbox violation: {error}"
    if isinstance(error, SchemeError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def text_of(value: object) -> str:
    """A string as it is, anything else in its written form."""
    if isinstance(value, str) and type(value) is str:
        return value
    return write(value, 1 << 30)


def show_scalar(value: object) -> str | None:
    """A scalar argument in a summary, control characters escaped; None for the rest."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in value)
        return shown if len(shown) <= 80 else f"{shown[:77]}... ({len(value)} characters)"
    return None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a file: its description, schema and a way to call it."""

    name: str
    description: str
    category: ToolCategory
    summary_params: tuple[str, ...]
    parameters: Schema
    session: Session = field(repr=False, compare=False)
    template: str | None = None
    returns: Schema | None = None
    examples: object = None
    timeout: float | None = None
    hooks: tuple[str, ...] = ()
    path: str = ""

    def summary(self, args: Mapping[str, object]) -> str:
        """The text of a permission prompt for these arguments."""
        if self.template is not None:
            text = self.template
            for name, value in args.items():
                text = text.replace("{" + name + "}", show_scalar(value) or "...")
            return text
        shown = (show_scalar(args[name]) for name in self.summary_params if name in args)
        return " ".join(text for text in shown if text)

    def prompt(self, args: Mapping[str, object]) -> str:
        """`[NAME] SUMMARY [Y/n] `, byte for byte what a terminal shows."""
        for name in ("path", "command", "url"):
            if isinstance(args.get(name), str) and args[name]:
                return f"[{self.name}] {show_scalar(args[name])} [Y/n] "
        return f"[{self.name}] {self.summary(args) or '(no details)'} [Y/n] "

    def check(self, args: object) -> dict[str, object]:
        """The arguments with defaults; InvalidArguments, located at the declaration, else."""
        try:
            return check_arguments(self.parameters, args, self.name)
        except InvalidArguments as error:
            top = error.path.split(".")[0].split("[")[0]
            error.location = self.session.declarations.parameter(self.name, top)
            error.source_line = self.session.declarations.line(error.location)
            raise

    def call(self, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """Validate and run; never raises for what the tool does: see ToolResult.error."""
        try:
            checked = self.check(args)
            self.session.ask(self, checked, context)
            outcome = self.session.call(self.name, to_scheme(checked), context)
        except Exception as error:
            return failed(error)
        return ToolResult(
            outcome.value, text_of(outcome.value), outcome.stdout, outcome.stderr, None, outcome.fuel_used
        )

    async def call_async(self, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """`call` on the event loop."""
        try:
            checked = self.check(args)
            await self.session.ask_async(self, checked, context)
            outcome = await self.session.call_async(self.name, to_scheme(checked), context)
        except Exception as error:
            return failed(error)
        return ToolResult(
            outcome.value, text_of(outcome.value), outcome.stdout, outcome.stderr, None, outcome.fuel_used
        )

    def schema(self, style: str = "openai") -> dict[str, object]:
        """What a model's API wants: "openai", "anthropic" or "mcp"."""
        if style == "openai":
            return {
                "type": "function",
                "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
            }
        if style == "anthropic":
            return {"name": self.name, "description": self.description, "input_schema": self.parameters}
        if style == "mcp":
            return {"name": self.name, "description": self.description, "inputSchema": self.parameters}
        raise ValueError(f'a schema style is "openai", "anthropic" or "mcp": {style!r}')

    def request(self, args: Mapping[str, object], context: str, chain: tuple[str, ...] = ()) -> PermissionRequest:
        """The question for a call of this tool."""
        kind = self.category

        def text(name: str) -> str | None:
            value = args.get(name)
            return value if isinstance(value, str) and value else None

        url = text("url")
        return PermissionRequest(
            tool=self.name,
            category=kind,
            capability=kind.value if kind in GATED else None,
            summary=self.summary(args),
            prompt=self.prompt(args),
            url=url,
            path=text("path"),
            command=text("command"),
            safety="no_url" if kind is ToolCategory.NETWORK and url is None else None,
            arguments=args,
            context=context,
            chain=chain,
            file=self.path,
            file_hash=self.session.file_hash,
        )


def failed(error: Exception) -> ToolResult:
    """The result of a call that ended in an exception."""
    out, err = getattr(error, "stdout", ""), getattr(error, "stderr", "")
    return ToolResult(None, f"error: {describe(error)}", out, err, error, 0)
