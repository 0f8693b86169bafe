"""Calls of tools that may wait for days: each a run with a context of its own.

The run begins by asking for permission; so it can be stored at the prompt, and
approved and finished by another process that loaded the same file. Its context is
an instance of the file as it was loaded, whatever its other calls did since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chibi_bridge._run import Run
from chibi_bridge._wire import HostProcedure

if TYPE_CHECKING:
    from chibi_bridge.context import Context
    from chibi_bridge.tools.load import Session

ASK = "%permitted%"
"""What the preamble calls the procedure that asks first and calls the tool then."""


def begin(session: Session, target: str, args: object, prompt: str, name: str) -> Run:
    """The run of a call; it asks `permission` for the prompt first."""
    context = session._open(template(session))
    context.define("%context-name%", name)
    asks = context._host_procedure("permission", None)
    assert isinstance(asks, HostProcedure)
    ask, execute = context[ASK], context[target]
    return context.start(ask, asks, prompt, execute, args)  # type: ignore[arg-type]


def go_on(session: Session, data: bytes, key: bytes | None, trusted: bool) -> Run:
    """The run of a stored call, under what this file is granted here."""
    run = Run.restore(
        data,
        session.policy,
        key=key,
        trusted=trusted,
        bindings=session.bindings(),
        image=template(session),
        transport=session.transport,
    )
    context: Context = run.context  # type: ignore[assignment]
    session.answer(context)
    return run


def template(session: Session):  # type: ignore[no-untyped-def]
    """The image of the file as it loads: the same bytes in every process."""
    if session.template is None:
        twin = session.twin()
        try:
            session.template = twin.image()
        finally:
            twin.close()
    return session.template
