"""What a jailed child does once it is in the jail. Runs in the child only.

    serve      answers invocations over the channel, from an extension's frozen entries
    build      evaluates an extension's entries once and gives them back frozen

Frozen means: what the evaluated context has beyond the engine's own image, as a
snapshot of a run that has not begun. It is a few kilobytes and is there in a
fraction of a millisecond.

Payloads come from the harness and are trusted; what the child gives back is not.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from chibi_bridge._run import Run
from chibi_bridge.context import Context
from chibi_bridge.errors import SchemeError
from chibi_bridge.policy import Limits
from chibi_bridge.satellite.channel import Channel
from chibi_bridge.satellite.entries import EXTENSION_POLICY, Declared, build
from chibi_bridge.satellite.frames import encode
from chibi_bridge.satellite.node import Node
from chibi_bridge.satellite.served import Extension
from chibi_bridge.tools.load import tools_image

__all__ = ["JOBS", "Build", "ServeExtension", "warm_up"]


@dataclass(frozen=True, slots=True)
class ServeExtension:
    """Serve these entries from this image."""

    declared: Declared
    image: bytes
    limits: Limits | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Evaluate these entries, whose files are below this directory."""

    declared: Declared
    directory: str


def warm_up() -> None:
    """Load what every child needs, before the fork."""
    with tools_image(EXTENSION_POLICY).instantiate(EXTENSION_POLICY) as context:
        context.eval("(+ 1 2)")
    with Context(EXTENSION_POLICY, None) as context:
        context.eval("(import (scheme base) (ext) (ext hook)) (list 1)")
        frozen = context.start("(if #f #f)").snapshot()
    Node([Instantiated(ServeExtension(Declared(), frozen))]).close()


class Instantiated(Extension):
    """An extension from its image: no source is read or run."""

    def __init__(self, given: ServeExtension) -> None:
        super().__init__(Path("/"), given.declared, given.limits)
        self._frozen = given.image

    def make(self) -> Context:
        """A context of the image."""
        run = Run.restore(self._frozen, self._policy, trusted=True)
        run.abandon()
        context = run.context
        assert isinstance(context, Context)
        return context


def serve(payload: bytes, channel: Channel) -> None:
    """Serve until the harness cancels or hangs up."""
    given = pickle.loads(payload)
    if isinstance(given, ServeExtension):
        served: Sequence[Extension] = [Instantiated(given)]
    else:
        raise TypeError(f"nothing to serve: {type(given).__name__}")
    node = Node(served)
    try:
        node.serve(channel)
    finally:
        channel.close()


def build_image(payload: bytes, channel: Channel) -> None:
    """Evaluate and freeze; answers {"image"} or {"error"}."""
    given = pickle.loads(payload)
    assert isinstance(given, Build)
    try:
        with build(Path(given.directory), given.declared) as context:
            run = context.start("(if #f #f)")
            channel.write(encode({"image": run.snapshot()}))
    except (SchemeError, OSError, ValueError) as error:
        channel.write(encode({"error": str(error)[:8000] or type(error).__name__}))


JOBS: dict[str, Callable[[bytes, Channel], object]] = {"serve": serve, "build": build_image}
