"""The 33 hook points: the one table, and how several answers become one.

The table says when a point is fired, what its payload holds, what handlers may
return, and how their answers compose. (harness docs) is generated from it (a test
compares). To add a point: a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

__all__ = ["POINTS", "HookOutcome", "HookPoint"]

Results = list[tuple[str, dict[str, Any]]]
Compose = Callable[[Mapping[str, Any], Results], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class HookPoint:
    """One row: `payload` and `returns` map a key to its type and meaning.

    `bridge`: handlers may use call-tool and io-*. `fired`: the registry fires it
    itself; the others are fired by the program around it.
    """

    name: str
    when: str
    payload: Mapping[str, str]
    returns: Mapping[str, str]
    compose: Compose
    bridge: bool = True
    fired: bool = False
    note: str = ""

    def text(self) -> str:
        """The documentation of the point, as (harness docs) has it."""
        keys = ", ".join(f"{key} ({kind})" for key, kind in self.payload.items())
        if self.returns:
            answer = "May return an alist with: " + ", ".join(f"{k} ({t})" for k, t in self.returns.items()) + "."
        else:
            answer = "What it returns is not used."
        return " ".join(part for part in (f"Called {self.when}.", f"Payload: {keys}.", answer, self.note) if part)


@dataclass(frozen=True, slots=True)
class HookOutcome:
    """What came of firing a point.

    `results`: (tool or file, document) of each handler that answered with one, in
    order; `answer`: these composed by the point's rule; `problems`: what handlers
    did wrong. Each key that an answer may have is an attribute too, with its type.

    >>> HookOutcome("pre_message", answer={"prompt": "x"}).answer["prompt"]
    'x'
    """

    point: str
    results: tuple[tuple[str, Mapping[str, object]], ...] = ()
    answer: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Exception, ...] = ()

    @property
    def denied(self) -> bool:
        """Did a handler refuse?"""
        return self.answer.get("denied") is True

    @property
    def blocked(self) -> bool:
        """Did a handler block?"""
        return self.answer.get("block") is True

    @property
    def reason(self) -> str | None:
        """Why a handler refused."""
        return text_or_none(self.answer.get("reason"))

    @property
    def message(self) -> str | None:
        """What is shown in place of what was blocked."""
        return text_or_none(self.answer.get("message"))

    @property
    def arguments(self) -> dict[str, object] | None:
        """pre_tool: what takes the arguments' place."""
        return typed_or_none(self.answer.get("arguments"), dict)

    @property
    def output(self) -> str | None:
        """pre_tool_output: what takes the output's place."""
        return text_or_none(self.answer.get("output"))

    @property
    def prompt(self) -> str | None:
        """pre_message: what takes the prompt's place."""
        return text_or_none(self.answer.get("prompt"))

    @property
    def inject(self) -> list[str]:
        """pre_system_prompt, post_system_prompt: texts, in the order in which they are to stand."""
        return typed_or_none(self.answer.get("inject"), list) or []

    @property
    def include(self) -> list[str] | None:
        """pre_api_tools: the only tools to show; None for all."""
        return typed_or_none(self.answer.get("include"), list)

    @property
    def exclude(self) -> list[str]:
        """pre_api_tools: tools not to show."""
        return typed_or_none(self.answer.get("exclude"), list) or []

    @property
    def request_body(self) -> dict[str, object]:
        """pre_api_request: keys to put over those of the request."""
        return typed_or_none(self.answer.get("request_body"), dict) or {}

    @property
    def fallback(self) -> str | None:
        """pre_agentic_loop, post_tool_batch: what is to follow."""
        return text_or_none(self.answer.get("fallback"))

    @property
    def fuel(self) -> int | None:
        """pre_agentic_loop, post_tool_batch: the fuel that is left, where a handler changed it."""
        return typed_or_none(self.answer.get("fuel"), int)

    @property
    def response(self) -> str | None:
        """pre_spawn_agent: what takes the agent's place."""
        return text_or_none(self.answer.get("response"))

    @property
    def delivered(self) -> bool:
        """pre_send_message: did a handler deliver it?"""
        return self.answer.get("delivered") is True

    @property
    def via(self) -> str | None:
        """pre_send_message: what delivered it."""
        return text_or_none(self.answer.get("via"))

    def get(self, key: str, default: object = None) -> object:
        """A key of the composed answer."""
        return self.answer.get(key, default)


T = TypeVar("T")


def typed_or_none(value: object, kind: type[T]) -> T | None:
    """A value of a type, or None."""
    return value if isinstance(value, kind) else None


def text_or_none(value: object) -> str | None:
    """A string, or None."""
    return value if isinstance(value, str) else None


# -- how answers compose -----------------------------------------------------------------


def nothing(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """Answers are not used."""
    return {}


def last_string(key: str) -> Compose:
    """The last handler that gives a string wins."""

    def compose(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
        found = [result[key] for _, result in results if isinstance(result.get(key), str)]
        return {key: found[-1]} if found else {}

    return compose


def injected(*, reverse: bool) -> Compose:
    """All non-empty texts, in the order in which they are to stand."""

    def compose(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
        found = [
            result["inject"] for _, result in results if isinstance(result.get("inject"), str) and result["inject"]
        ]
        return {"inject": found[::-1] if reverse else found} if found else {}

    return compose


def blocks(default: str, key: str, kind: type) -> Compose:
    """The first `block` stops at once; else the last `key` of a type wins."""

    def compose(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for _, result in results:
            if result.get("block") is True:
                return {"block": True, "message": text_or_none(result.get("message")) or default}
            if isinstance(result.get(key), kind):
                made[key] = result[key]
        return made

    return compose


def denies(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The first refusal counts; handlers can never grant."""
    for _, result in results:
        if result.get("denied") is True:
            return {"denied": True, "reason": text_or_none(result.get("reason")) or "denied by plugin"}
    return {}


def filters(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """`include` lists intersect, `exclude` lists add up."""
    made: dict[str, Any] = {}
    for _, result in results:
        if isinstance(result.get("include"), list):
            names = [name for name in result["include"] if isinstance(name, str)]
            made["include"] = [name for name in made.get("include", names) if name in names]
        if isinstance(result.get("exclude"), list):
            names = [name for name in result["exclude"] if isinstance(name, str)]
            made["exclude"] = list(dict.fromkeys([*made.get("exclude", []), *names]))
    return made


def merged(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """Top-level keys of `request_body` documents, merged in order."""
    made: dict[str, Any] = {}
    for _, result in results:
        if isinstance(result.get("request_body"), dict):
            made.update(result["request_body"])
    return {"request_body": made} if made else {}


MOST_FUEL = (1 << 64) - 1


def whole(value: object) -> bool:
    """A whole number that is no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def turn(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """`fallback`: the last; `fuel` and `fuel_delta` in order, saturating, where fuel is limited."""
    made: dict[str, Any] = {}
    fuel = payload.get("fuel_remaining")
    for _, result in results:
        if isinstance(result.get("fallback"), str):
            made["fallback"] = result["fallback"]
        if not whole(fuel):
            continue
        if whole(result.get("fuel")) and result["fuel"] >= 0:
            fuel = made["fuel"] = min(result["fuel"], MOST_FUEL)
        if whole(result.get("fuel_delta")):
            fuel = made["fuel"] = max(0, min(fuel + result["fuel_delta"], MOST_FUEL))
    return made


def spawn(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The first `block` or `response` stops."""
    for _, result in results:
        if result.get("block") is True:
            return {"block": True, "message": text_or_none(result.get("message")) or "Agent blocked by hook"}
        if isinstance(result.get("response"), str):
            return {"response": result["response"]}
    return {}


def any_block(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """One `block` is enough."""
    return {"block": True} if any(result.get("block") is True for _, result in results) else {}


def delivered(payload: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The first that delivered counts; `via` is by default its tool's name."""
    for name, result in results:
        if result.get("delivered") is True:
            return {"delivered": True, "via": text_or_none(result.get("via")) or name}
    return {}


# -- the table ---------------------------------------------------------------------------

START = {"chibi_home": "string", "project_root": "string", "tool_count": "integer"}
PROMPT = {"context_name": "string", "summary": "string", "flock_goals": "array of {flock, goals}"}
FUEL = {"fuel_remaining": "integer, optional", "fuel_total": "integer, optional"}
DENIED = {"denied": "boolean", "reason": "string"}
TURN = {"fallback": "string", "fuel": "integer from 0", "fuel_delta": "integer"}
COMPACT = {"context_name": "string", "message_count": "integer", "summary": "string"}
AGENT = {"system_prompt": "string", "input": "string", "model": "string"}
SENT = {"from": "string", "to": "string", "content": "string", "context_name": "string"}

ROWS = (
    HookPoint("on_start", "when the program starts", START, {}, nothing, bridge=False),
    HookPoint("on_end", "when the program ends", START, {}, nothing, bridge=False),
    HookPoint(
        "pre_message",
        "before a message is sent to the model",
        {"prompt": "string", "context_name": "string", "summary": "string"},
        {"prompt": "string"},
        last_string("prompt"),
        note="Can modify: each handler sees the original prompt, the last one wins.",
    ),
    HookPoint(
        "post_message",
        "after the model's response to a message",
        {"prompt": "string", "response": "string", "context_name": "string"},
        {},
        nothing,
    ),
    HookPoint(
        "pre_system_prompt",
        "before the system prompt is put together",
        PROMPT,
        {"inject": "string"},
        injected(reverse=True),
        note="Can modify: the texts stand before the prompt, the last one first.",
    ),
    HookPoint(
        "post_system_prompt",
        "after the system prompt is put together",
        PROMPT,
        {"inject": "string"},
        injected(reverse=False),
        note="Can modify: the texts stand behind the prompt, in order.",
    ),
    HookPoint(
        "pre_tool",
        "before a tool is called",
        {"tool_name": "string", "arguments": "object"},
        {"block": "boolean", "message": "string", "arguments": "object"},
        blocks("Tool call blocked by hook", "arguments", dict),
        fired=True,
        note="Can modify: arguments replaces all of them, the last one wins; block stops at once.",
    ),
    HookPoint(
        "post_tool",
        "after a tool was called",
        {"tool_name": "string", "arguments": "object, the original ones", "result": "string", "cached": "boolean"},
        {},
        nothing,
        fired=True,
    ),
    HookPoint(
        "pre_tool_output",
        "before a tool's output is used",
        {"tool_name": "string", "arguments": "object", "output": "string"},
        {"block": "boolean", "message": "string", "output": "string"},
        blocks("Output blocked by hook", "output", str),
        fired=True,
        note="Can modify: the last output wins; block replaces it by the message.",
    ),
    HookPoint(
        "post_tool_output",
        "after a tool's output is settled",
        {
            "tool_name": "string",
            "arguments": "object",
            "output": "string",
            "final_output": "string",
            "cached": "boolean",
        },
        {},
        nothing,
        fired=True,
    ),
    HookPoint(
        "pre_api_tools",
        "before the list of tools goes to the model",
        {"context_name": "string", "tools": "array of {name, type}", **FUEL},
        {"include": "array of strings", "exclude": "array of strings"},
        filters,
        fired=True,
        note="Can modify: include lists intersect, exclude lists add up; an empty include removes all.",
    ),
    HookPoint(
        "pre_api_request",
        "before a request goes to the model",
        {"context_name": "string", "request_body": "object", **FUEL},
        {"request_body": "object"},
        merged,
        note="Can modify: top-level keys are merged in order.",
    ),
    HookPoint(
        "pre_agentic_loop",
        "before a turn of the agent",
        {"context_name": "string", "current_fallback": "string", "message": "string", **FUEL},
        TURN,
        turn,
        note="Fuel keys count only where fuel is limited; fuel 0 ends the turn.",
    ),
    HookPoint(
        "post_tool_batch",
        "after the tool calls of one answer",
        {
            "context_name": "string",
            "current_fallback": "string",
            "tool_calls": "array of {name, arguments}",
            **FUEL,
        },
        TURN,
        turn,
        note="Fuel keys count only where fuel is limited.",
    ),
    HookPoint(
        "pre_file_read",
        "before a file outside the allowed paths is read",
        {"tool_name": "string", "path": "string, resolved"},
        DENIED,
        denies,
        fired=True,
        note="Can refuse, never grant.",
    ),
    HookPoint(
        "pre_file_write",
        "before a file is written",
        {
            "tool_name": "string",
            "path": "string",
            "content": "string or null",
            "operation": "string, file_edit only",
        },
        DENIED,
        denies,
        fired=True,
        note="Can refuse, never grant.",
    ),
    HookPoint(
        "pre_shell_exec",
        "before a shell command runs",
        {"tool_name": "string", "command": "string"},
        DENIED,
        denies,
        fired=True,
        note="Can refuse, never grant.",
    ),
    HookPoint(
        "pre_fetch_url",
        "before a sensitive URL is fetched, or a network tool runs whose URL is not known",
        {
            "tool_name": "string",
            "safety": "string, sensitive or no_url",
            "url": "string, sensitive only",
            "reason": "string, sensitive only",
            "summary": "string, no_url only",
        },
        DENIED,
        denies,
        fired=True,
        note="Can refuse, never grant.",
    ),
    HookPoint(
        "pre_spawn_agent",
        "before another agent is started",
        {**AGENT, "temperature": "number or null", "max_tokens": "integer or null"},
        {"response": "string", "block": "boolean", "message": "string"},
        spawn,
        note="A response takes the agent's place.",
    ),
    HookPoint("post_spawn_agent", "after another agent answered", {**AGENT, "response": "string"}, {}, nothing),
    HookPoint(
        "pre_cache_output",
        "before a long output goes to the cache",
        {"tool_name": "string", "output_size": "integer", "arguments": "object"},
        {"block": "boolean"},
        any_block,
    ),
    HookPoint(
        "post_cache_output",
        "after a long output went to the cache",
        {"tool_name": "string", "cache_id": "string", "output_size": "integer", "preview_size": "integer"},
        {},
        nothing,
    ),
    HookPoint(
        "pre_send_message",
        "before a message goes to another context",
        SENT,
        {"delivered": "boolean", "via": "string"},
        delivered,
        note="The first that delivered it counts.",
    ),
    HookPoint(
        "post_send_message",
        "after a message went to another context",
        {**SENT, "delivery_result": "string"},
        {},
        nothing,
    ),
    HookPoint(
        "post_index_file",
        "after a file was indexed",
        {"path": "string", "lang": "string", "symbol_count": "integer", "ref_count": "integer"},
        {},
        nothing,
    ),
    HookPoint(
        "pre_vfs_write",
        "before a file of the VFS is written",
        {
            "tool_name": "string",
            "path": "string, a vfs:// URI",
            "content": "string or null",
            "caller": "string, the context's name",
        },
        {},
        nothing,
        fired=True,
        note="Cannot block.",
    ),
    HookPoint(
        "post_vfs_write",
        "after a file of the VFS was written",
        {"tool_name": "string", "path": "string, a vfs:// URI", "caller": "string, the context's name"},
        {},
        nothing,
        fired=True,
    ),
    HookPoint("pre_clear", "before a context is cleared", COMPACT, {}, nothing, bridge=False),
    HookPoint("post_clear", "after a context was cleared", {"context_name": "string"}, {}, nothing, bridge=False),
    HookPoint("pre_compact", "before a context is compacted", COMPACT, {}, nothing),
    HookPoint("post_compact", "after a context was compacted", COMPACT, {}, nothing),
    HookPoint(
        "pre_rolling_compact",
        "before the older messages of a context are compacted",
        {**COMPACT, "non_system_count": "integer"},
        {},
        nothing,
    ),
    HookPoint(
        "post_rolling_compact",
        "after the older messages of a context were compacted",
        {**COMPACT, "messages_archived": "integer"},
        {},
        nothing,
    ),
)
POINTS: Mapping[str, HookPoint] = {row.name: row for row in ROWS}


def scheme_docs() -> str:
    """The definition of hooks-docs, in Scheme."""
    lines = [";;> hooks-docs", ";;> An alist from the name of each hook to a text about it.", "(define hooks-docs"]
    lines.append('  \'((__module__ . "harness hooks")')
    for row in ROWS:
        lines.append(f"    ({row.name}")
        lines.append(f'     . "{wrap_string(row.text())}")')
    return "\n".join(lines) + "))\n"


def wrap_string(text: str, width: int = 66) -> str:
    """A Scheme string literal's inside, cut into lines that \\ joins."""
    lines, line = [], ""
    for word in text.replace("\\", "\\\\").replace('"', '\\"').split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line + " \\")
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n        ".join([*lines, line])
