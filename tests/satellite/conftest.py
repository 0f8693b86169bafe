"""Satellites served by the node of node.py, which shares no line with the product."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chibi_bridge.satellite.broker import Broker, Grants
from chibi_bridge.satellite.command import command
from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.host import Failure, SatelliteHost

NODE = Path(__file__).with_name("node.py")


class Satellite:
    """A host with short forms."""

    def __init__(self, host: SatelliteHost) -> None:
        self.host = host

    def call(self, tool: str, deadline_ms: int = 20_000, **args: object) -> str | Failure:
        answer = self.host.invoke("tool", tool, {"args": json.dumps(args), "strand": "main"}, deadline_ms)
        if isinstance(answer, Failure):
            return answer
        assert isinstance(answer, Ok) and isinstance(answer.value, dict)
        return str(answer.value["content"][0]["text"])

    def cap(self, cap: str, args: object, **more: object) -> dict[str, object]:
        """The body of the result of one capability call."""
        text = self.call("cap", cap=cap, args=args, **more)
        assert isinstance(text, str), text
        made = json.loads(text)
        assert isinstance(made, dict)
        return made

    def code(self, cap: str, args: object, **more: object) -> str:
        """The code of the error that a capability call is answered with."""
        body = self.cap(cap, args, **more)
        assert body["ok"] is False, body
        return str(body["error"]["code"])  # type: ignore[index]


@pytest.fixture
def satellite() -> Iterator[Callable[..., Satellite]]:
    """Make satellites: satellite(grants, name=..., **environment of the node)."""
    made: list[SatelliteHost] = []

    def make(grants: Grants | None = None, name: str = "weather", **environment: str) -> Satellite:
        broker = Broker(name, grants or Grants())
        host = SatelliteHost(name, command([sys.executable, str(NODE)], environment=environment), broker)
        made.append(host)
        return Satellite(host)

    yield make
    for host in made:
        host.close()
