"""What the world answers: the operations that a program may ask of the host.

One file per door; the table OPERATIONS says who answers what. Every operation is
judged by the policy of the context that asks, when it asks. To add one: a
function in a door's file, and its row in that file's table.
"""

from __future__ import annotations

from collections.abc import Callable

from chibi_bridge._conditions import Refusal
from chibi_bridge.host import (
    clock,
    documentation,
    environment,
    files,
    filesystem,
    foreign,
    http,
    libraries,
    process,
    random,
)
from chibi_bridge.host.base import Host

__all__ = ["OPERATIONS", "Host", "perform"]

OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    **clock.OPERATIONS,
    **documentation.OPERATIONS,
    **environment.OPERATIONS,
    **files.OPERATIONS,
    **filesystem.OPERATIONS,
    **foreign.OPERATIONS,
    **http.OPERATIONS,
    **libraries.OPERATIONS,
    **process.OPERATIONS,
    **random.OPERATIONS,
}


def perform(host: Host, op: str, args: list[object]) -> object:
    """Carry out an operation, or refuse it with a Refusal or a SandboxViolation."""
    operation = OPERATIONS.get(op)
    if operation is None:
        raise Refusal("unanswered", f"the host does not answer the operation {op}")
    return operation(host, args)
