"""Dispatch: from an invocation to its answer, without any channel.

`answer` looks the tool or hook up, checks what came with it, runs it and puts its
answer into the words of the protocol. Every way it can end has a code:

    unknown_tool, unhandled     nobody serves that name
    bad_arguments               what came is not what the protocol has
    mismatched_hook             the manifest says another event than the hook
    refused                     the tool's own no; a hook's document that does not fit
    crashed                     the program ended otherwise: "program crashed: WORD: what and where",
                                WORD abnormal (an error), normal (it exited), killed (a limit, the deadline)
    unencodable                 the answer is no JSON, or too large

A tool is a Scheme procedure of two arguments, a Tool of a tool file, or a Python
callable of two arguments that answers in the terms of vocabulary.py. A hook is what
the constructors of (ext hook) make. The caller may say how Scheme procedures are
run (`drive`): the node steps them, so that it hears its channel meanwhile.

>>> from chibi_bridge import Context
>>> from chibi_bridge.satellite import Tool
>>> with Context() as ctx:
...     ctx.eval("(import (ext))")
...     run = ctx.eval('(lambda (args ctx) (text (cdr (assoc "say" args))))')
...     answer([("echo", run)], [], Tool("echo"), {"args": '{"say": "first"}', "strand": "main"}, 5000)
Answered(value={'content': [{'type': 'text', 'text': 'first'}], 'terminate': False})
"""

from __future__ import annotations

import json
import math
import re
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from chibi_bridge._conditions import LIMITS
from chibi_bridge.context import Context
from chibi_bridge.errors import ContextClosed, ConversionError, InvalidArguments, SchemeError, SchemeExit
from chibi_bridge.policy import Policy
from chibi_bridge.satellite.vocabulary import Ctx, Json, Outcome, Refusal, Text
from chibi_bridge.tools.tool import Tool as FileTool
from chibi_bridge.values import Procedure, Record, Values

__all__ = ["Answered", "Event", "Refused", "Tool", "answer"]

FORM = re.compile(r"\{\s*\}|\[\s*\[")
"""What Scheme cannot tell from something else once it is parsed: {} from [], an array of arrays from an object."""
DOUBTFUL = re.compile(r"\\u[dD][89a-fA-F]|[eE][+-]?[0-9]{2}|\ufeff|[0-9]{300}")
"""Surrogates, and numbers that may be out of range: Python's reader takes more of them than the engine's."""
CRASH_BYTES = 2048
"""Bytes of a crash's message, at most."""


@dataclass(frozen=True, slots=True)
class Tool:
    """An invocation of the tool of this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Event:
    """An invocation of the hook for this event."""

    name: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The value for the wire: a tool's map of content and terminate, a hook's JSON text."""

    value: object


@dataclass(frozen=True, slots=True)
class Refused:
    """A code of the list above, and a message."""

    code: str
    message: str


Answer: TypeAlias = "Answered | Refused"
Implementation: TypeAlias = "Procedure | FileTool | Callable[[object, Ctx], object]"
Drive: TypeAlias = "Callable[[Context, Procedure, list[object], float], object]"
"""Runs a procedure of a context with arguments for at most these seconds; answers its value or raises."""


def answer(
    tools: Mapping[str, Implementation] | Iterable[tuple[str, Implementation]],
    hooks: Mapping[str, Record] | Iterable[tuple[str, Record]],
    invocation: Tool | Event,
    args: object,
    deadline_ms: int,
    *,
    drive: Drive | None = None,
    report: Callable[[str], None] | None = None,
    number: int = 0,
) -> Answer:
    """Answer an invocation from tables of (name, tool) and (event, hook), the first of a name.

    `args` is {"args": JSON text, "strand": text} for a Tool, a JSON text for an Event.
    `report` takes a Python tool's partial reports; `number` tells capability calls
    which invocation they belong to. Raises nothing that a tool does.
    """
    drive = call_now if drive is None else drive
    if isinstance(invocation, Event):
        return answer_event(hooks, invocation.name, args, max(0, deadline_ms) / 1000, drive, number)
    ctx = Ctx("", deadline_ms, report or (lambda _text: None))
    return answer_tool(tools, invocation.name, args, ctx, drive, number)


T = TypeVar("T")


def first(table: Mapping[str, T] | Iterable[tuple[str, T]], name: str) -> T | None:
    """The first row of a name."""
    if isinstance(table, Mapping):
        return table.get(name)
    return next((item for served, item in table if served == name), None)


def names(table: Mapping[str, object] | Iterable[tuple[str, object]]) -> str:
    """The names of a table, sorted, for a message."""
    rows = table if isinstance(table, Mapping) else [name for name, _ in table]
    return ", ".join(sorted(set(rows)))


# -- tools --------------------------------------------------------------------------------


def answer_tool(
    table: Mapping[str, Implementation] | Iterable[tuple[str, Implementation]],
    name: str,
    args: object,
    ctx: Ctx,
    drive: Drive,
    number: int,
) -> Answer:
    """Rules of tools, in their order."""
    tool = first(table, name)
    if tool is None:
        return Refused("unknown_tool", f"no tool {name} here; served are: {names(table)}")
    fields = args if isinstance(args, dict) else {}
    if "args" not in fields:
        return Refused("bad_arguments", f"tool {name}: the call has no field args")
    text = fields["args"]
    if type(text) is not str:
        return Refused("bad_arguments", f"tool {name}: the field args is not text")
    strand = fields.get("strand")
    if type(strand) is str:
        ctx = Ctx(strand, ctx.deadline_ms, ctx.report)
    try:
        if isinstance(tool, Procedure):
            return run_procedure(tool, name, text, ctx, drive, number)
        try:
            value = parse(text)
        except ValueError as error:
            return not_json(name, str(error))
        return run_file_tool(tool, value, ctx) if isinstance(tool, FileTool) else run_callable(tool, value, ctx)
    except Exception as error:
        return failed(error)


def parse(text: str) -> object:
    """A JSON text; ValueError for what is none, NaN and Infinity among it."""
    try:
        return READER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def refuse_constant(name: str) -> object:
    """NaN and Infinity, which Python's reader takes."""
    raise ValueError(f"{name} is no JSON")


READER = json.JSONDecoder(parse_constant=refuse_constant)


def not_json(name: str, reason: str) -> Refused:
    """The arguments of a tool that cannot be parsed."""
    return Refused("bad_arguments", f"tool {name}: the arguments are not JSON: {reason}")


def run_procedure(run: Procedure, name: str, text: str, ctx: Ctx, drive: Drive, number: int) -> Answer:
    """Run a tool in Scheme."""
    context, bound = bound_tool(run)
    arguments = [text, ctx.strand, ctx.deadline_ms, number, FORM.search(text) is not None, is_plain_json(text)]
    value = drive(context, bound, arguments, max(0, ctx.deadline_ms) / 1000)
    assert isinstance(value, list)
    kind, *parts = value
    if kind == "ok":
        blocks = [{"type": str(type_), str(type_): content} for type_, content in parts[0]]
        return Answered({"content": blocks, "terminate": parts[1]})
    return not_json(name, parts[0]) if kind == "bad_arguments" else Refused(kind, parts[0])


def is_plain_json(text: str) -> bool:
    """Is it JSON beyond doubt, for the engine too? Where not, the engine says."""
    try:
        READER.decode(text)
    except (ValueError, RecursionError):
        return False
    return DOUBTFUL.search(text) is None


def run_file_tool(tool: FileTool, args: object, ctx: Ctx) -> Answer:
    """Run a tool of a tool file: a string is text, anything else JSON."""
    seconds = max(0, ctx.deadline_ms) / 1000
    timed = replace(tool, timeout=seconds if tool.timeout is None else min(seconds, tool.timeout))
    result = timed.call(args)  # type: ignore[arg-type]
    if result.error is not None:
        return failed(result.error)
    if type(result.value) is str:
        return Answered(content(Outcome((Text(result.value),))))
    nothing = result.value is None or (isinstance(result.value, Values) and not result.value)
    return Answered(content(Outcome((Json(None if nothing else result.json),))))


def run_callable(tool: object, args: object, ctx: Ctx) -> Answer:
    """Run a tool in Python."""
    assert callable(tool)
    value = tool(args, ctx)
    if isinstance(value, Refusal):
        return Refused("refused", value.message)
    if isinstance(value, str):
        value = Outcome((Text(value),))
    elif not isinstance(value, Outcome):
        value = Outcome((Json(value),))
    return Answered(content(value))


def content(outcome: Outcome) -> dict[str, object]:
    """An outcome as the wire has it; ConversionError for what is no JSON."""
    return {"content": [wire_block(block) for block in outcome.content], "terminate": outcome.terminate}


def wire_block(block: Text | Json) -> dict[str, object]:
    """A block as the wire has it."""
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    try:
        text = json.dumps(block.value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConversionError(f"the answer holds what is no JSON: {error}") from None
    return {"type": "json", "json": text}


# -- hooks --------------------------------------------------------------------------------


def answer_event(
    table: Mapping[str, Record] | Iterable[tuple[str, Record]],
    name: str,
    args: object,
    seconds: float,
    drive: Drive,
    number: int,
) -> Answer:
    """Rules of hooks, in their order."""
    hook = first(table, name)
    if hook is None:
        return Refused("unhandled", f"no hook for {name} here")
    event = event_of(hook)
    if event != name:
        return Refused("mismatched_hook", f"declared for {name}, the hook is one for {event or 'nothing'}")
    if type(args) is not str:
        return Refused("bad_arguments", f"hook {name}: the arguments are not text")
    assert isinstance(hook, Record)
    procedure = hook["procedure"]
    assert isinstance(procedure, Procedure)
    try:
        context = context_of(procedure)
        arguments = [door_of(context, ANSWER_DOOR), hook, args, number]
        value = drive(context, door_of(context, HOOK_DOOR), arguments, seconds)
    except Exception as error:
        return failed(error)
    assert isinstance(value, list)
    kind, text = value
    if kind == "ok":
        return Answered(text)
    return Refused(kind, f"hook {name}: {text}")


def event_of(hook: object) -> str | None:
    """The event that a hook is made for; None for what is no hook."""
    if isinstance(hook, Record) and hook.type_name == "hook" and "event" in hook.fields:
        return str(hook["event"])
    return None


# -- running ------------------------------------------------------------------------------

TOOL_DOOR, HOOK_DOOR, ANSWER_DOOR = "%satellite-tool", "%satellite-hook", "%satellite-answer"
LOAD_DOOR = "%satellite-load"
DOORS = (
    "(only (chibi-bridge satellite) %satellite-load %satellite-tool %satellite-hook)",
    "(rename (only (ext hook) answer) (answer %satellite-answer))",
)

_bound: weakref.WeakKeyDictionary[Procedure, Procedure] = weakref.WeakKeyDictionary()
_doors: weakref.WeakKeyDictionary[Context, dict[str, Procedure]] = weakref.WeakKeyDictionary()


def door_of(context: Context, name: str) -> Procedure:
    """One of the procedures that a context is entered by, imported at the first need."""
    doors = _doors.setdefault(context, {})
    if name not in doors:
        if name not in context:
            context.import_(*DOORS)
        door = context[name]
        assert isinstance(door, Procedure)
        doors[name] = door
    return doors[name]


def bound_tool(run: Procedure) -> tuple[Context, Procedure]:
    """The context of a tool, and the tool as its door takes it, made at the first call."""
    context = context_of(run)
    bound = _bound.get(run)
    if bound is None:
        made = context.call(door_of(context, TOOL_DOOR), run)
        assert isinstance(made, Procedure)
        bound = _bound[run] = made
    return context, bound


def context_of(procedure: Procedure) -> Context:
    """The context a procedure lives in."""
    context = procedure._context()
    if not isinstance(context, Context):
        raise ContextClosed("the context of this procedure is gone")
    return context


def call_now(context: Context, procedure: Procedure, args: list[object], seconds: float) -> object:
    """Run to the end, for at most these seconds."""
    policy = context.policy
    context.policy = within(policy, seconds)
    try:
        return context.call(procedure, *args)
    finally:
        context.policy = policy


def within(policy: Policy, seconds: float) -> Policy:
    """The policy with a time limit, where that is the shorter one."""
    limit = policy.limits.timeout
    if (limit is not None and limit <= seconds) or math.isinf(seconds):
        return policy
    return replace(policy, limits=replace(policy.limits, timeout=seconds))


# -- ends that are no answers ---------------------------------------------------------------


def failed(error: Exception) -> Refused:
    """The code and the message for an exception."""
    if isinstance(error, Refusal):
        return Refused("refused", error.message)
    if isinstance(error, InvalidArguments):
        return Refused("refused", str(error))
    if isinstance(error, ConversionError):
        return Refused("unencodable", str(error))
    if isinstance(error, SchemeError) and is_refusal(error.payload):
        assert isinstance(error.payload, Record)
        return Refused("refused", str(error.payload["message"]))
    return crashed(error)


def is_refusal(value: object) -> bool:
    """Is it what (refuse ...) makes?"""
    return isinstance(value, Record) and value.type_name == "refusal" and "message" in value.fields


def crashed(error: BaseException) -> Refused:
    """The program ended with this exception."""
    if isinstance(error, LIMITS):
        word = "killed"
    elif isinstance(error, SchemeExit):
        word = "normal"
    else:
        word = "abnormal"
    text = str(error) if isinstance(error, SchemeError) else f"{type(error).__name__}: {error}"
    return Refused("crashed", cut(f"program crashed: {word}: {text}", CRASH_BYTES))


def cut(text: str, size: int) -> str:
    """A text of at most this many bytes, the end left out."""
    raw = text.encode("utf-8", "backslashreplace")
    return raw.decode() if len(raw) <= size else raw[: size - 3].decode("utf-8", "ignore") + "..."
