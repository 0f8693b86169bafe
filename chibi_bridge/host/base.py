"""The state that host operations of one context share, and their argument checks."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path
from time import monotonic_ns
from typing import TypeVar

from chibi_bridge._conditions import Refusal
from chibi_bridge.errors import SandboxViolation
from chibi_bridge.policy import Policy

T = TypeVar("T")


class Host:
    """A context's side of the world: its policy, its module path, its random state."""

    __slots__ = ("_random", "module_path", "policy", "start")

    def __init__(self, policy: Policy, module_path: Iterable[str | os.PathLike[str]] = ()) -> None:
        self.policy = policy
        self.module_path = tuple(Path(item).resolve() for item in module_path)
        self._random: random.Random | None = None
        self.start = 0 if policy.seed is not None else monotonic_ns()

    @property
    def random(self) -> random.Random:
        """Seeded by the policy; else by the system."""
        if self._random is None:
            seed = self.policy.seed
            self._random = random.SystemRandom() if seed is None else random.Random(seed)
        return self._random


def argument(args: list[object], index: int, kind: type[T], what: str) -> T:
    """The argument, or a wrong-type condition."""
    value = args[index] if index < len(args) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refusal("wrong-type", f"not {what}: {value!r}", [value])
    return value


def refuse(capability: str, message: str, hint: str | None = None) -> SandboxViolation:
    """The violation to raise for what a policy does not grant."""
    return SandboxViolation(message, hint=hint, payload=capability)
