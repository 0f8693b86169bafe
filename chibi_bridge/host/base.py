"""The state that host operations of one context share, and their argument checks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol, TypeVar

from chibi_bridge._conditions import Refusal
from chibi_bridge.errors import SandboxViolation
from chibi_bridge.host.http_rule import RuleBook
from chibi_bridge.policy import Policy

if TYPE_CHECKING:
    import random

    from chibi_bridge.host.http_network import HttpNetwork

T = TypeVar("T")


class Watch(Protocol):
    """The run that asks: `guard` raises where it is to stop; is an event loop its driver?"""

    deadline: float | None
    on_loop: bool

    def guard(self) -> None: ...


class Host:
    """A context's side of the world: its policy, its module path, its random state, its network."""

    __slots__ = ("_network", "_random", "module_path", "policy", "rules", "slept", "start", "transport", "watch")

    def __init__(
        self,
        policy: Policy,
        module_path: Iterable[str | os.PathLike[str]] = (),
        transport: Callable[..., object] | None = None,
    ) -> None:
        self.policy = policy
        self.module_path = tuple(Path(item).resolve() for item in module_path)
        self.rules = RuleBook.of(policy) if policy.http_allow or policy.all_urls else NO_RULES
        self.transport = transport
        self.watch: Watch | None = None
        self._network: HttpNetwork | None = None
        self._random: random.Random | None = None
        self.slept = 0
        self.start = 0 if policy.seed is not None else monotonic_ns()

    def network(self) -> HttpNetwork:
        """What carries requests out where no transport was given; made at the first one."""
        if self._network is None:
            from chibi_bridge.host.http_network import HttpNetwork  # few programs ask for it

            self._network = HttpNetwork()
        return self._network

    def close(self) -> None:
        """Close kept connections."""
        if self._network is not None:
            self._network.close()

    @property
    def random(self) -> random.Random:
        """Seeded by the policy; else by the system."""
        if self._random is None:
            import random  # few programs ask for it

            seed = self.policy.seed
            self._random = random.SystemRandom() if seed is None else random.Random(seed)
        return self._random


NO_RULES = RuleBook(None)


def argument(args: list[object], index: int, kind: type[T], what: str) -> T:
    """The argument, or a wrong-type condition."""
    value = args[index] if index < len(args) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refusal("wrong-type", f"not {what}: {value!r}", [value])
    return value


def refuse(capability: str, message: str, hint: str | None = None) -> SandboxViolation:
    """The violation to raise for what a policy does not grant."""
    return SandboxViolation(message, hint=hint, payload=capability)
