"""What a jailed child does once it is in the jail. Runs in the child, and in the warm parent only.

    serve      answers invocations over the channel, from an extension's frozen entries
    build      evaluates an extension's entries once and gives them back frozen

Frozen means: what the evaluated context has beyond the engine's own image, as a
snapshot of a run that has not begun. It is a few kilobytes and is there in a
fraction of a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from chibi_bridge._run import Run
from chibi_bridge.context import Context
from chibi_bridge.errors import SchemeError
from chibi_bridge.satellite.channel import Channel
from chibi_bridge.satellite.entries import EXTENSION_POLICY, Declared, build
from chibi_bridge.satellite.frames import FrameError, encode
from chibi_bridge.satellite.node import Node
from chibi_bridge.satellite.payloads import read_payload
from chibi_bridge.satellite.served import Extension
from chibi_bridge.tools.load import tools_image

__all__ = ["JOBS", "warm_up"]


def warm_up() -> None:
    """Load what every child needs, before the fork."""
    with tools_image(EXTENSION_POLICY).instantiate(EXTENSION_POLICY) as context:
        context.eval("(+ 1 2)")
    with Context(EXTENSION_POLICY, None) as context:
        context.eval("(import (scheme base) (ext) (ext hook)) (list 1)")
        frozen = context.start("(if #f #f)").snapshot()
    Node([Frozen(Declared(), frozen)]).close()


class Frozen(Extension):
    """An extension from its image: no source is read or run."""

    def __init__(self, declared: Declared, image: bytes) -> None:
        super().__init__(Path("/"), declared)
        self._frozen = image

    def make(self) -> Context:
        """A context of the image."""
        run = Run.restore(self._frozen, self._policy, trusted=True)
        run.abandon()
        context = run.context
        assert isinstance(context, Context)
        return context


def declared_of(given: dict[str, object]) -> Declared:
    """The tools and hooks of a payload."""
    tools, hooks = given["tools"], given["hooks"]
    assert isinstance(tools, list)
    assert isinstance(hooks, list)
    return Declared(tuple((name, entry) for name, entry in tools), tuple((event, entry) for event, entry in hooks))


def serve(payload: bytes, channel: Channel) -> None:
    """Serve until the harness cancels or hangs up."""
    given = read_payload(payload)
    image = given["image"]
    assert isinstance(image, bytes)
    node = Node([Frozen(declared_of(given), image)])
    try:
        node.serve(channel)
    finally:
        channel.close()


def build_image(payload: bytes, channel: Channel) -> None:
    """Evaluate and freeze; answers {"image"} or {"error"}."""
    given = read_payload(payload)
    try:
        with build(Path(str(given["directory"])), declared_of(given)) as context:
            answer = encode({"image": context.start("(if #f #f)").snapshot()})
    except (SchemeError, OSError, ValueError, FrameError) as error:
        answer = encode({"error": str(error)[:8000] or type(error).__name__})
    channel.write(answer)


JOBS: dict[str, Callable[[bytes, Channel], object]] = {"serve": serve, "build": build_image}
