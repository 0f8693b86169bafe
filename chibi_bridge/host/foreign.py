"""Objects of the host in a program's hands: what it may know of them."""

from __future__ import annotations

from collections.abc import Callable

from chibi_bridge.host.base import Host


def foreign_type(host: Host, args: list[object]) -> object:
    """The name of the object's class."""
    return type(args[0]).__name__ if args else "NoneType"


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {"foreign-type": foreign_type}
