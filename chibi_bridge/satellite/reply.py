"""What the model and the transcript get of an extension's tool.

>>> from chibi_bridge.satellite.envelope import Ok
>>> value = {"content": [{"type": "text", "text": "sunny"}, {"type": "json", "json": "1"}], "terminate": False}
>>> reply_of(Ok(value), extension="weather", tool="forecast", manifest_hash="ab").text
'sunny\\n1'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.host import Answer, Failure

__all__ = ["Reply", "reply_of"]


@dataclass(frozen=True, slots=True)
class Reply:
    """The text for the model, is it an error, does the run end with it, and facts for the transcript."""

    text: str
    is_error: bool = False
    terminate: bool = False
    details: Mapping[str, object] = field(default_factory=dict)


def reply_of(answer: Answer, *, extension: str, tool: str, manifest_hash: str) -> Reply:
    """The reply for an answer; a failure never ends the run."""
    about: dict[str, object] = {"extension": extension, "tool": tool}
    if isinstance(answer, Ok):
        details = {"status": "completed", **about, "manifest_hash": manifest_hash, "value": answer.value}
        return Reply(text_of(answer.value), False, ends(answer.value), details)
    if is_refusal(answer):
        details = {"status": "extension_failed", **about, "manifest_hash": manifest_hash, "message": answer.message}
        return Reply(f"The extension {extension} refused: {answer.message}", True, False, details)
    reason = f"{answer.code}: {answer.message}" if answer.code else answer.message
    details = {"status": "dispatch_failed", **about, "reason": reason}
    return Reply(f"The tool {tool} of the extension {extension} failed: {reason}", True, False, details)


def is_refusal(failure: Failure) -> bool:
    """Did the tool itself say no?"""
    return failure.kind == "refused" and failure.code == "refused"


def ends(value: object) -> bool:
    """Is the run to end?"""
    return isinstance(value, dict) and value.get("terminate") is True


def text_of(value: object) -> str:
    """The blocks' texts, line by line; what has another shape as JSON."""
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list):
        return as_json(value)
    return "\n".join(map(block_text, content))


def block_text(block: object) -> str:
    """A block's text; one of an unknown type as itself."""
    if isinstance(block, dict):
        for kind in ("text", "json"):
            if block.get("type") == kind and type(block.get(kind)) is str:
                return str(block[kind])
    return as_json(block)


def as_json(value: object) -> str:
    """Any value of a frame as JSON text."""
    return json.dumps(value, ensure_ascii=False, default=lambda item: item.hex() if isinstance(item, bytes) else None)
