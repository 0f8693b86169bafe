"""A tool, the result of a call, and the question that may be asked before one."""

from __future__ import annotations

import enum
import json
import re
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from chibi_bridge.errors import (
    ConversionError,
    FuelExhausted,
    InvalidArguments,
    Location,
    PermissionDenied,
    SandboxViolation,
    SchemeError,
)
from chibi_bridge.policy import Policy
from chibi_bridge.tools.schema import Schema, check_arguments, to_json, to_scheme
from chibi_bridge.tools.steps import Call, RunStep, Steps, run_later, run_now
from chibi_bridge.tools.styles import schema_in_style
from chibi_bridge.values import Pair, Record, Symbol, Values, Vector, write

if TYPE_CHECKING:
    from typing import Protocol

    from chibi_bridge._run import Outcome, Run
    from chibi_bridge.tools.permission import Gate

    class Home(Protocol):
        """What a tool lives in: a file's session, or the built-in tools."""

        file_hash: str
        policy: Policy
        gate: Gate | None
        redact: bool
        self_granted: bool

        @property
        def capability(self) -> str | None: ...

        @property
        def capability_text(self) -> str | None: ...

        def call(self, target: str, args: object, call: Call, timeout: float | None) -> Outcome: ...

        async def call_async(self, target: str, args: object, call: Call, timeout: float | None) -> Outcome: ...

        def start(self, target: str, args: object, prompt: str, name: str) -> Run: ...

        def restore(self, data: bytes, key: bytes | None, trusted: bool) -> Run: ...

        def parameter_location(self, tool: str, name: str) -> tuple[Location | None, str | None]: ...


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
        """The category of that name; SYNTHESISED for everything else, symbols too."""
        try:
            return cls(name) if type(name) is str else cls.SYNTHESISED
        except ValueError:
            return cls.SYNTHESISED


GATED = frozenset((ToolCategory.SHELL, ToolCategory.NETWORK, ToolCategory.FS_WRITE))
"""Categories whose calls are asked for."""


SUBJECTS = {
    "path": (ToolCategory.FS_READ, ToolCategory.FS_WRITE),
    "command": (ToolCategory.SHELL,),
    "url": (ToolCategory.NETWORK,),
}
"""Arguments that a prompt shows in place of a summary, and the categories whose gate looks at them."""


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What somebody is asked to allow.

    `chain` names the tools that called each other, `callers` the files of all but the
    last with the hashes of their content: an answer that is remembered holds for them.
    """

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
    callers: tuple[str, ...] = ()


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
    """What a call gave.

    `value` after the value table; `text`; what was printed; `error` or None (then
    `text` tells it); units of fuel and seconds used.
    """

    value: object
    text: str
    stdout: str = ""
    stderr: str = ""
    error: Exception | None = None
    fuel_used: int = 0
    elapsed: float = 0.0

    @property
    def json(self) -> object:
        """The value as JSON; ConversionError for what JSON cannot hold."""
        return to_json(self.value)

    def report(self) -> str:
        """Three lines for a model: result, stdout, stderr."""
        return f"result: {self.text}\nstdout: {self.stdout or '(empty)'}\nstderr: {self.stderr or '(empty)'}"

    def to_openai(self, call_id: str | None = None) -> dict[str, object]:
        """The message that answers a tool call of OpenAI's chat API; a failure says so in its text.

        >>> ToolResult("5", "5").to_openai("call_1")
        {'role': 'tool', 'tool_call_id': 'call_1', 'content': '5'}
        """
        named = {} if call_id is None else {"tool_call_id": call_id}
        return {"role": "tool", **named, "content": self.text}

    def to_anthropic(self, call_id: str | None = None) -> dict[str, object]:
        """The content block that answers a `tool_use` of Anthropic's API.

        >>> ToolResult("5", "5").to_anthropic("toolu_1")
        {'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': '5', 'is_error': False}
        """
        named = {} if call_id is None else {"tool_use_id": call_id}
        return {"type": "tool_result", **named, "content": self.text, "is_error": self.error is not None}

    def to_mcp(self) -> dict[str, object]:
        """The result of `tools/call` (Model Context Protocol); an object is structured content too.

        >>> ToolResult("5", "5").to_mcp()
        {'content': [{'type': 'text', 'text': '5'}], 'isError': False}
        """
        result: dict[str, object] = {
            "content": [{"type": "text", "text": self.text}],
            "isError": self.error is not None,
        }
        try:
            structured = self.json if self.error is None else None
        except ConversionError:
            structured = None
        if isinstance(structured, dict):
            result["structuredContent"] = structured
        return result


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


def text_of(value: object, *, written: bool = False) -> str:
    """A string as it is (unless `written`), anything else in its written form."""
    if type(value) is str and not written:
        return value
    if isinstance(value, Values) and not value:
        return ""
    return "#<unspecified>" if value is None else write(value, 1 << 30)


SHOWN = 80
"""Characters of a value in a prompt."""


def show_text(text: str, most: int = SHOWN) -> str:
    """A text in one visible line: controls, newlines, bidi marks escaped, long ones cut."""
    shown = "".join(map(escape, text[:most]))
    return shown if len(text) <= most else f"{shown}... ({len(text)} characters)"


def escape(char: str) -> str:
    """A character as it is where it shows and takes no other's place."""
    if char == " " or (char.isprintable() and unicodedata.category(char) not in ("Mn", "Me")):
        return char
    return char.encode("unicode_escape").decode() if ord(char) < 128 or not char.isprintable() else char


def show_scalar(value: object) -> str | None:
    """A scalar argument in a summary; None for the rest."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"(an integer of {value.bit_length()} bits)"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (int, float)):
        return show_text(str(value))
    if isinstance(value, str):
        return show_text(value)
    return None


def show_value(value: object, most: int = SHOWN) -> str:
    """Any argument, for a template and for the list of all."""
    if isinstance(value, str):
        return show_text(value, most)
    shown = show_scalar(value)
    return show_text(json.dumps(value, ensure_ascii=False, default=str), most) if shown is None else shown


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a file: its description, schema and a way to call it."""

    name: str
    description: str
    category: ToolCategory
    summary_params: tuple[str, ...]
    parameters: Schema
    session: Home = field(repr=False, compare=False)
    template: str | None = None
    returns: Schema | None = None
    examples: object = None
    timeout: float | None = None
    hooks: tuple[str, ...] = ()
    path: str = ""
    written: bool = False

    def summary(self, args: Mapping[str, object]) -> str:
        """The text of a permission prompt for these arguments."""
        if self.template is not None:
            return re.sub(
                r"\{([^{}]*)\}",
                lambda match: show_value(args[match[1]]) if match[1] in args else "(none)",
                self.template,
            )
        shown = (show_scalar(args[name]) for name in self.summary_params if name in args)
        return " ".join(text for text in shown if text)

    def prompt(self, args: Mapping[str, object], chain: tuple[str, ...] = ()) -> str:
        """`[NAME] SUMMARY [Y/n] `, byte for byte what a terminal shows."""
        given = (args.get(name) for name in ("path", "command", "url") if self.acts_on(name))
        shown = next((show_text(value) for value in given if isinstance(value, str) and value), None)
        if shown is None:
            ungated = None if self.category in GATED else self.session.capability_text
            shown = self.summary(args) or ungated or "(no details)"
        return f"[{' -> '.join(chain or (self.name,))}] {shown} [Y/n] "

    def acts_on(self, name: str) -> bool:
        """Is an argument of that name what the tool acts on, and not one that a model slipped in?"""
        declared = self.parameters.get("properties")
        return self.category in SUBJECTS[name] or (isinstance(declared, Mapping) and name in declared)

    def check(self, args: object) -> dict[str, object]:
        """The arguments with defaults; InvalidArguments, located at the declaration, else."""
        try:
            return check_arguments(self.parameters, args, self.name)
        except InvalidArguments as error:
            top = error.path.split(".")[0].split("[")[0]
            error.location, error.source_line = self.session.parameter_location(self.name, top)
            raise

    def call(self, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """Validate and run; never raises for what the tool does: see ToolResult.error."""
        return run_now(self.steps(args, Call(context=context, chain=(self.name,))))

    async def call_async(self, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """`call` on the event loop."""
        return await run_later(self.steps(args, Call(context=context, chain=(self.name,), asynchronous=True)))

    def start(self, args: Mapping[str, object] | None = None, *, context: str = "default") -> Run:
        """A call as a run that waits at its permission prompt, in a context of its own.

        Its first step is `HostCall("permission", [prompt])`: resume it with True, or
        with False, or put it away with `snapshot` and go on with `restore`. Arguments
        that break the schema raise InvalidArguments, before anybody is asked.
        """
        checked = self.check({} if args is None else args)
        return self.session.start(f"%tool-execute-{self.name}%", to_scheme(checked), self.prompt(checked), context)

    def restore(self, data: bytes, *, key: bytes | None = None, trusted: bool = False) -> Run:
        """The run of a call that `start` made and `Run.snapshot` put away.

        It goes on under what this tool's file is granted here. Raises ImageError where
        the file is not the one that the call was made with; see Run.restore.
        """
        return self.session.restore(data, key, trusted)

    def steps(self, args: object, call: Call) -> Steps[ToolResult]:
        """The steps of a call: check, gate, run."""
        try:
            checked = self.check(args)
            if self.session.gate is not None:
                yield from self.session.gate.check(self, checked, call)
        except Exception as error:
            return failed(error)
        return (yield from self.run(checked, call))

    def run(self, checked: Mapping[str, object], call: Call) -> Steps[ToolResult]:
        """Run the handler with checked arguments."""
        try:
            outcome = yield RunStep(self.session, f"%tool-execute-{self.name}%", to_scheme(checked), call, self.timeout)
        except Exception as error:
            return self.clean(failed(error))
        return self.clean(
            ToolResult(
                outcome.value,
                text_of(outcome.value, written=self.written),
                outcome.stdout,
                outcome.stderr,
                None,
                outcome.fuel_used,
                outcome.elapsed,
            )
        )

    def clean(self, result: ToolResult) -> ToolResult:
        """The result without the values of forwarded variables, where that is wanted."""
        if not self.session.redact:
            return result
        secrets = {value: name for name, value in self.session.policy.env.items() if value}
        text = redact_text(result.text, secrets)
        try:
            value = redacted(result.value, secrets)
        except RecursionError:
            value = text
        if result.error is None and isinstance(value, (bytes, list, Pair, Vector)):
            text = redact_text(text_of(value), secrets)  # a bytevector's numbers spell what they are
        return replace(
            result,
            value=value,
            text=text,
            stdout=redact_text(result.stdout, secrets),
            stderr=redact_text(result.stderr, secrets),
            error=redact_error(result.error, secrets),
        )

    def schema(self, style: str = "openai", *, strict: bool = False) -> dict[str, object]:
        """What a model's API wants: "openai", "openai-responses", "anthropic" or "mcp"."""
        return schema_in_style(
            style, name=self.name, description=self.description, parameters=self.parameters, returns=self.returns,
            strict=strict, category=self.category.value,
        )  # fmt: skip

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
            prompt=self.prompt(args, chain),
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
    """The result of a call that ended in an exception; a refusal's text stands alone."""
    text = str(error) if isinstance(error, PermissionDenied) else f"error: {describe(error)}"
    out, err = getattr(error, "stdout", ""), getattr(error, "stderr", "")
    return ToolResult(None, text, out, err, error, getattr(error, "fuel_used", 0), getattr(error, "elapsed", 0.0))


def redact_text(text: str, secrets: Mapping[str, str]) -> str:
    """The text with each secret's name in place of its value, the longest first."""
    for value in sorted(secrets, key=len, reverse=True):
        text = text.replace(value, f"[{secrets[value]}]")
    return text


def redacted(value: object, secrets: Mapping[str, str]) -> object:
    """A value's strings, symbols and bytevectors without secrets; containers copied where one is inside."""
    if isinstance(value, Symbol):
        return Symbol(redact_text(value, secrets))
    if type(value) is str:
        return redact_text(value, secrets)
    if isinstance(value, bytes):
        for secret in sorted(secrets, key=len, reverse=True):
            value = value.replace(secret.encode("utf-8", "surrogateescape"), f"[{secrets[secret]}]".encode())
        return value
    if isinstance(value, list):
        return [redacted(item, secrets) for item in value]
    if isinstance(value, dict):
        return {redacted(key, secrets): redacted(item, secrets) for key, item in value.items()}
    if isinstance(value, Pair):
        return Pair(redacted(value.car, secrets), redacted(value.cdr, secrets))
    if isinstance(value, (Vector, Values)):
        return type(value)(redacted(item, secrets) for item in value)
    if isinstance(value, Record):
        value.values = tuple(redacted(item, secrets) for item in value.values)
    return value


def redact_error(error: Exception | None, secrets: Mapping[str, str]) -> Exception | None:
    """An error that says nothing secret; one that does is told anew."""
    if error is None:
        return None
    if isinstance(error, SchemeError):
        error.message = redact_text(error.message, secrets)
        error.summary = redact_text(error.summary, secrets)
        error.hint = None if error.hint is None else redact_text(error.hint, secrets)
        error.irritants = [redacted(item, secrets) for item in error.irritants]
        error.payload = redacted(error.payload, secrets)
        error.stdout, error.stderr = redact_text(error.stdout, secrets), redact_text(error.stderr, secrets)
        error.args = (error.message,)
        return error
    text = redact_text(str(error), secrets)
    return error if text == str(error) else SchemeError(f"{type(error).__name__}: {text}", kind="host-error")
