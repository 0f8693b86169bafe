"""What a context may do and how much: frozen data, no engine.

Importing a library grants nothing; operations are judged at the door by the
policy of the context that asks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

__all__ = ["Limits", "Policy"]

MINIMUM_MEMORY = 256 << 10
"""Bytes below which the standard library does not fit."""

SEED_ENVIRONMENT: Mapping[str, str] = MappingProxyType({"TEIN_SANDBOX": "true"})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run (fuel, timeout, output) and a context (memory) may use.

    `fuel`: units per run; `timeout`: seconds of wall clock while a run is being
    advanced; `memory`: bytes, whole context; `output`: bytes captured per run.
    None is none, except for memory. Raises ValueError for a negative figure, and
    for a memory that cannot hold the standard library.

    >>> Limits(fuel=1_000).timeout
    30.0
    """

    fuel: int | None = 10_000_000
    timeout: float | None = 30.0
    memory: int = 64 << 20
    output: int | None = 1 << 20

    def __post_init__(self) -> None:
        check_count("fuel", self.fuel)
        check_count("output", self.output)
        if self.timeout is not None and (
            isinstance(self.timeout, bool) or not isinstance(self.timeout, (int, float)) or not self.timeout >= 0
        ):
            raise ValueError(f"Limits.timeout is a number of seconds from 0, or None: {self.timeout!r}")
        check_count("memory", self.memory)
        if self.memory is None or self.memory < MINIMUM_MEMORY:
            raise ValueError(
                f"Limits.memory is {self.memory!r} bytes; the standard library needs at least {MINIMUM_MEMORY}"
            )


def check_count(name: str, value: object) -> None:
    """A whole number from 0, or None."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or value >= 1 << 63:
        raise ValueError(f"Limits.{name} is a whole number from 0, or None: {value!r}")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a context is granted. The default is a sandbox.

    `modules`: "safe" (every shipped library but those that reach out), "all",
    "none" (core syntax and what `define` gave) or an iterable of library names
    such as "scheme/base", whose own imports come along; `allow`: further ones.
    `http_allow`: URL rules, None for no `(tein http)` at all. `env`: variables
    over the seed. `fs_read`, `fs_write`: absolute path prefixes. `seed`:
    deterministic random numbers and a frozen clock.

    >>> Policy(modules=["scheme/base"]).limits.fuel
    10000000
    """

    modules: str | Iterable[str] = "safe"
    allow: Iterable[str] = ()
    limits: Limits = field(default_factory=Limits)
    http_allow: tuple[object, ...] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    command_line: tuple[str, ...] = ("tein", "--sandbox")
    fs_read: tuple[str, ...] = ()
    fs_write: tuple[str, ...] = ()
    seed: int | None = None
    process: bool = False
    all_files: bool = False
    all_urls: bool = False
    real_environment: bool = False

    def __post_init__(self) -> None:
        modules = self.modules
        if isinstance(modules, str):
            if modules not in ("safe", "all", "none"):
                raise ValueError(f'Policy.modules is "safe", "all", "none" or an iterable of names: {modules!r}')
        else:
            object.__setattr__(self, "modules", tuple(normal_library_name(name) for name in modules))
        object.__setattr__(self, "allow", tuple(normal_library_name(name) for name in self.allow))
        object.__setattr__(self, "command_line", tuple(self.command_line))
        if self.http_allow is not None:
            object.__setattr__(self, "http_allow", tuple(self.http_allow))
        for name in ("fs_read", "fs_write"):
            object.__setattr__(self, name, tuple(absolute(name, item) for item in getattr(self, name)))

    @classmethod
    def unsandboxed(cls, **overrides: object) -> Policy:
        """Tier 2: every library, path and URL, the real environment, no fuel limit.

        >>> Policy.unsandboxed().limits.fuel is None
        True
        """
        granted: dict[str, object] = {
            "modules": "all",
            "limits": Limits(fuel=None),
            "http_allow": (),
            "command_line": tuple(sys.argv) or ("chibi-bridge",),
            "process": True,
            "all_files": True,
            "all_urls": True,
            "real_environment": True,
        }
        return cls(**{**granted, **overrides})  # type: ignore[arg-type]

    def environment(self) -> dict[str, str]:
        """The variables a program sees, in order."""
        if self.real_environment:
            return {**os.environ, **self.env}
        return {**SEED_ENVIRONMENT, **self.env}


def normal_library_name(name: object) -> str:
    """ "scheme/base", "(scheme base)" and "scheme base" are one name."""
    if not isinstance(name, str):
        raise ValueError(f"a library name is a string such as 'scheme/base': {name!r}")
    parts = name.strip().removeprefix("(").removesuffix(")").replace("/", " ").split()
    if not parts:
        raise ValueError(f"a library name is a string such as 'scheme/base': {name!r}")
    return "/".join(parts)


def absolute(name: str, item: object) -> str:
    """A path prefix as given, which has to be absolute."""
    text = os.fspath(item)  # type: ignore[call-overload]
    if not isinstance(text, str) or not os.path.isabs(text):  # noqa: PTH117 - a prefix, maybe of nothing that exists
        raise ValueError(f"Policy.{name} holds absolute paths: {item!r}")
    return text
