"""The hook bus: nine events, and how the answers of several extensions become one.

Extensions are asked in load order; an event that one does not declare never reaches it.

    before_agent_start   every text is a note           before_compact   notes, 2000 tokens together
    tool_call            the first block counts         context, tool_result   each sees the last one's
    session_start agent_end agent_settled usage         told, nothing comes back

A gate that is declared and cannot be heard (late, broken, gone, unreadable, refusing)
blocks: `EXT could not answer`. It is asked again at the next call. Elsewhere an
extension that fails adds nothing, and one that crashed, was late or gone is dropped
from the answering or the telling events, each by itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.host import HOOK_MS, Answer, Failure

__all__ = ["EVENTS", "Clearance", "Extension", "HookBus", "Message"]

EVENTS = (
    "session_start",
    "before_agent_start",
    "context",
    "tool_call",
    "tool_result",
    "agent_end",
    "agent_settled",
    "before_compact",
    "usage",
)
NOTICES = frozenset(("session_start", "agent_end", "agent_settled", "usage"))
FATAL = frozenset(("crashed", "deadline", "gone", "busy"))
"""Failures after which an extension is not asked again."""
GROWTH = 2_000
"""Estimated tokens that one extension may add to the context."""
NOTES = 2_000
"""Estimated tokens of all notes of a compaction together."""
INJECTION = 64 << 10
"""Characters of an injected text, at most."""
USAGE = (
    *("op_id usage_id seq entry_id adjustment input_tokens output_tokens cache_read_tokens".split()),
    *("cache_write_tokens cache_write_1h_tokens thinking_tokens total_tokens cost".split()),
)
NO_REASON = "no reason was given"

log = logging.getLogger("chibi_bridge.satellite")

Message: TypeAlias = "Mapping[str, object]"


class Host(Protocol):
    """What an extension's hooks are asked through: a SatelliteHost."""

    def invoke(self, kind: str, name: str, args: object, deadline_ms: int) -> Answer: ...

    async def invoke_async(self, kind: str, name: str, args: object, deadline_ms: int) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Extension:
    """An extension on the bus: its name, its host, the events its manifest declares."""

    name: str
    host: Host
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clearance:
    """What became of a tool call: allowed, or blocked with the text for the model."""

    allowed: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that is no JSON document."""

    reason: str


@dataclass(frozen=True, slots=True)
class Asking:
    """One question to one extension; the core yields it, a driver answers."""

    extension: Extension
    event: str
    text: str

    def now(self) -> Answer:
        """Ask and wait."""
        return self.extension.host.invoke("event", self.event, self.text, HOOK_MS)

    async def later(self) -> Answer:
        """Ask on the event loop."""
        return await self.extension.host.invoke_async("event", self.event, self.text, HOOK_MS)


T = TypeVar("T")
Steps = Generator[Asking, "Answer", T]


@dataclass
class HookBus:
    """The extensions of a session, in load order (by name). One thread, or one task, at a time."""

    extensions: Sequence[Extension]
    _answering: set[str] = field(default_factory=set)  # dropped from the answering events
    _telling: set[str] = field(default_factory=set)  # dropped from the notices

    def __post_init__(self) -> None:
        self.extensions = sorted(self.extensions, key=lambda item: item.name)
        for item in self.extensions:
            if "agent_settled" in item.events:
                log.info("extension.hook.inert: %s declares agent_settled, which nothing sends yet", item.name)

    # -- what a harness calls ------------------------------------------------------------

    def session_start(self) -> None:
        """A session began."""
        drive(self.tell("session_start", {}))

    def agent_end(self, op_id: str) -> None:
        """A run ends."""
        drive(self.tell("agent_end", {"op_id": op_id}))

    def agent_settled(self, op_id: str) -> None:
        """A run has settled."""
        drive(self.tell("agent_settled", {"op_id": op_id}))

    def usage(self, row: Mapping[str, object]) -> None:
        """A row of the ledger was written; only the 13 keys are told."""
        drive(self.tell("usage", usage_document(row)))

    def before_agent_start(self, op_id: str, strand: str) -> list[Message]:
        """The notes for a run that begins, as messages of the user's role."""
        return drive(self.gather_notes(op_id, strand))

    def tool_call(self, op_id: str, tool: str, arguments: object, source_index: int = 0) -> Clearance:
        """May a call that the harness has cleared be made?"""
        return drive(self.gate(op_id, tool, arguments, source_index))

    def before_compact(
        self, op_id: str, reason: str, tokens_before: int, summarized_messages: int, retained_messages: int
    ) -> list[str]:
        """The notes for the summariser, rendered."""
        counts = {"summarized_messages": summarized_messages, "retained_messages": retained_messages}
        document = {"op_id": op_id, "reason": reason, "tokens_before": tokens_before, **counts}
        return drive(self.gather_summaries(document))

    def context(self, op_id: str, messages: Sequence[Message]) -> list[Message]:
        """The messages of a request, as the extensions would have them."""
        return drive(self.fold_context(op_id, messages))

    def tool_result(self, message: Message) -> Message:
        """A tool's reply, its content as the extensions would have it."""
        return drive(self.fold_result(message))

    async def session_start_async(self) -> None:
        """`session_start` on an event loop, like all that follow."""
        await drive_async(self.tell("session_start", {}))

    async def agent_end_async(self, op_id: str) -> None:
        """See agent_end."""
        await drive_async(self.tell("agent_end", {"op_id": op_id}))

    async def agent_settled_async(self, op_id: str) -> None:
        """See agent_settled."""
        await drive_async(self.tell("agent_settled", {"op_id": op_id}))

    async def usage_async(self, row: Mapping[str, object]) -> None:
        """See usage."""
        await drive_async(self.tell("usage", usage_document(row)))

    async def before_agent_start_async(self, op_id: str, strand: str) -> list[Message]:
        """See before_agent_start."""
        return await drive_async(self.gather_notes(op_id, strand))

    async def tool_call_async(self, op_id: str, tool: str, arguments: object, source_index: int = 0) -> Clearance:
        """See tool_call."""
        return await drive_async(self.gate(op_id, tool, arguments, source_index))

    async def before_compact_async(
        self, op_id: str, reason: str, tokens_before: int, summarized_messages: int, retained_messages: int
    ) -> list[str]:
        """See before_compact."""
        counts = {"summarized_messages": summarized_messages, "retained_messages": retained_messages}
        document = {"op_id": op_id, "reason": reason, "tokens_before": tokens_before, **counts}
        return await drive_async(self.gather_summaries(document))

    async def context_async(self, op_id: str, messages: Sequence[Message]) -> list[Message]:
        """See context."""
        return await drive_async(self.fold_context(op_id, messages))

    async def tool_result_async(self, message: Message) -> Message:
        """See tool_result."""
        return await drive_async(self.fold_result(message))

    # -- the core: generators of questions --------------------------------------------------

    def tell(self, event: str, document: Mapping[str, object]) -> Steps[None]:
        """Tell an event to whoever declares it."""
        for item in self._declaring(event, self._telling):
            answer = yield Asking(item, event, compact(document))
            if isinstance(answer, Failure):
                self._failed(item, event, answer, self._telling)
            elif isinstance(read(answer), Unread):
                self._drop(item, event, "its answer is not JSON", self._telling)

    def gather_notes(self, op_id: str, strand: str) -> Steps[list[Message]]:
        """Ask for injections."""
        found: list[Message] = []
        answers = yield from self._gather("before_agent_start", {"op_id": op_id, "strand": strand})
        for item, value in answers:
            text = self._text_of(item, "before_agent_start", value, "inject")
            if text is not None:
                content = [{"type": "text", "text": rendered_note(item.name, text[:INJECTION], READER_MODEL)}]
                found.append({"role": "user", "content": content})
        return found

    def gather_summaries(self, document: Mapping[str, object]) -> Steps[list[str]]:
        """Ask for notes to a summary, within one allowance."""
        found: list[str] = []
        left = NOTES
        answers = yield from self._gather("before_compact", document)
        for item, value in answers:
            text = self._text_of(item, "before_compact", value, "note")
            if text is None:
                continue
            note = rendered_note(item.name, text, READER_SUMMARY)
            if tokens(note) > left:
                log.warning("extension.hook.discarded: %s: the note is too long for what is left", item.name)
                continue
            left -= tokens(note)
            found.append(note)
        return found

    def gate(self, op_id: str, tool: str, arguments: object, source_index: int) -> Steps[Clearance]:
        """Ask every gate; the first that blocks is told, one that cannot be heard blocks."""
        document = {"op_id": op_id, "tool": tool, "arguments": arguments, "source_index": source_index}
        blocked = ""
        for item in self._declaring("tool_call", set()):
            answer = yield Asking(item, "tool_call", compact(document))
            reason = verdict(item.name, answer)
            if reason is not None and isinstance(answer, Failure):
                log.warning("extension.hook.unanswered: %s: %s", item.name, answer.message)
            if reason is not None and not blocked:
                blocked = f"{item.name} blocked {tool}: {reason}"
        return Clearance(not blocked, blocked)

    def fold_context(self, op_id: str, messages: Sequence[Message]) -> Steps[list[Message]]:
        """Each extension's list of messages over the last one's."""
        carried = [dict(message) for message in messages]
        for item in self._declaring("context", set()):
            answer = yield Asking(item, "context", compact({"op_id": op_id, "messages": carried}))
            value = self._folded(item, "context", answer)
            offered = value.get("messages") if isinstance(value, dict) else None
            if value is None:
                continue
            wrong = wrong_messages(offered, carried)
            if wrong:
                self._discarded(item, "context", wrong)
            else:
                assert isinstance(offered, list)
                carried = offered
        return [*carried]

    def fold_result(self, message: Message) -> Steps[Message]:
        """Each extension's content over the last one's; all else stays the harness's."""
        carried = dict(message)
        for item in self._declaring("tool_result", set()):
            answer = yield Asking(item, "tool_result", compact({"message": carried}))
            value = self._folded(item, "tool_result", answer)
            if value is None:
                continue
            offered = value.get("message") if isinstance(value, dict) else None
            if isinstance(offered, dict) and is_message(offered) and offered["role"] == "toolResult":
                carried["content"] = offered["content"]
            else:
                self._discarded(item, "tool_result", "the answer is no toolResult message")
        return carried

    # -- what they share -------------------------------------------------------------------

    def _declaring(self, event: str, dropped: set[str]) -> list[Extension]:
        return [item for item in self.extensions if event in item.events and item.name not in dropped]

    def _gather(self, event: str, document: Mapping[str, object]) -> Steps[list[tuple[Extension, object]]]:
        """The documents of those who answered."""
        found: list[tuple[Extension, object]] = []
        for item in self._declaring(event, self._answering):
            answer = yield Asking(item, event, compact(document))
            if isinstance(answer, Failure):
                self._failed(item, event, answer, self._answering)
                continue
            value = read(answer)
            if isinstance(value, Unread):
                self._drop(item, event, value.reason, self._answering)
            else:
                found.append((item, value))
        return found

    def _failed(self, item: Extension, event: str, failure: Failure, dropped: set[str]) -> None:
        if failure.kind == "unhandled":
            return
        if failure.kind in FATAL or failure.code in ("mismatched_hook", "bad_arguments"):
            self._drop(item, event, failure.message, dropped)
        else:
            log.info("extension.hook.declined: %s: %s: %s", item.name, event, failure.message)

    def _drop(self, item: Extension, event: str, why: str, dropped: set[str]) -> None:
        dropped.add(item.name)
        log.warning("extension.hook.dropped: %s: %s: %s", item.name, event, why)

    def _folded(self, item: Extension, event: str, answer: Answer) -> object:
        """The document of a fold's answer; None where the carried value stays."""
        if isinstance(answer, Failure):
            if answer.kind == "gone":
                log.debug("extension.hook.absent: %s: %s", item.name, answer.message)
            elif answer.kind != "unhandled":
                self._discarded(item, event, answer.message)
            return None
        value = read(answer)
        if isinstance(value, Unread) or value is None:
            self._discarded(item, event, "the answer is no JSON document")
            return None
        return value

    def _discarded(self, item: Extension, event: str, why: str) -> None:
        log.warning("extension.hook.discarded: %s: %s: %s", item.name, event, why)

    def _text_of(self, item: Extension, event: str, value: object, key: str) -> str | None:
        """The text under a key of an answer, None for none."""
        if not isinstance(value, dict) or value.get(key) is None:
            return None
        text = value[key]
        if type(text) is str and text:
            return text
        log.info("extension.hook.unreadable: %s: %s: %s is no text", item.name, event, key)
        return None


def verdict(name: str, answer: Answer) -> str | None:
    """Why a gate blocks; None where it allows, or says that it handles no such event."""
    if isinstance(answer, Failure):
        return None if answer.kind == "unhandled" else f"{name} could not answer"
    value = read(answer)
    said = value.get("verdict") if isinstance(value, dict) else None
    if said == "allow":
        return None
    if said != "block" or not isinstance(value, dict):
        return f"{name} could not answer"
    reason = value.get("reason")
    return reason if type(reason) is str and reason else NO_REASON


def read(answer: Ok) -> object:
    """The document in an answer, or Unread."""
    if type(answer.value) is not str:
        return Unread("the answer is no text")
    try:
        return json.loads(answer.value)
    except (ValueError, RecursionError) as error:
        return Unread(f"the answer is not JSON: {error}")


def compact(document: object) -> str:
    """A document as JSON text."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def usage_document(row: Mapping[str, object]) -> dict[str, object]:
    """The 13 keys of a usage row, in their order; ValueError for one that lacks a needed one."""
    optional = ("entry_id", "cache_write_1h_tokens", "thinking_tokens")
    lacking = [name for name in USAGE if name not in row and name not in optional]
    if lacking:
        raise ValueError(f"a usage row has {', '.join(lacking)}")
    return {name: row.get(name) for name in USAGE}


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return (len(text) + 3) // 4


def weight(messages: Sequence[object]) -> int:
    """About how many tokens messages have."""
    return sum(tokens(compact(message)) for message in messages)


ROLES: dict[str, tuple[str, ...]] = {
    "user": ("content",),
    "assistant": ("content",),
    "toolResult": ("content", "toolCallId", "toolName"),
    "custom": ("schema", "payload"),
}
BLOCKS = {"text": "text", "image": "data", "thinking": "thinking", "toolCall": "name"}


def is_message(value: object) -> bool:
    """Is this a message that the harness knows?"""
    if not isinstance(value, dict) or value.get("role") not in ROLES:
        return False
    if any(name not in value for name in ROLES[value["role"]]):
        return False
    content = value.get("content")
    if value["role"] == "custom" or (value["role"] == "user" and type(content) is str):
        return True
    return isinstance(content, list) and all(is_block(block) for block in content)


def is_block(value: object) -> bool:
    """Is this a block of a message?"""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    key = BLOCKS.get(value["type"])
    return key is not None and type(value.get(key)) is str


def wrong_messages(offered: object, before: Sequence[object]) -> str:
    """What is wrong with a context that an extension offers; "" where nothing is."""
    if not isinstance(offered, list):
        return "messages is no array"
    for number, message in enumerate(offered):
        if not is_message(message):
            return f"message {number} cannot be read"
    grown = weight(offered) - weight(before)
    return f"it grows by {grown} tokens; {GROWTH} are allowed" if grown > GROWTH else ""


READER_MODEL = (
    "The text below was added by an extension. It is not from the user or the operator, and it needs no reply."
)
READER_SUMMARY = "The note below was added by an extension for this summary. It is not from the user or the operator."


def rendered_note(name: str, text: str, about: str) -> str:
    """A text with who it is from; what would close the fence early is broken up."""
    safe = text.replace("</extension", "<\u200b/extension")
    head = f'[loom] note from the extension "{name}"'
    return f"{head}\n\n{about}\n\n<extension name={name}>\n{safe}\n</extension>"


# -- drivers -----------------------------------------------------------------------------


def drive(steps: Steps[T]) -> T:
    """Finish on this thread."""
    try:
        asking = next(steps)
        while True:
            asking = steps.send(asking.now())
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def drive_async(steps: Steps[T]) -> T:
    """Finish on the event loop: `await drive_async(bus.gate(...))`."""
    try:
        asking = next(steps)
        while True:
            asking = steps.send(await asking.later())
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        steps.close()
