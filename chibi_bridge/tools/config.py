"""The configuration of tools: tiers, URL grants, environment, filters.

Keys of tiers, http.allow and env are paths of tool files: the longest that
matches at a segment boundary wins; one that ends in `.scm` is exact.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from chibi_bridge.errors import ConfigError

__all__ = ["Config"]

TRUST_DECLARED = "trust-declared"
ISOLATIONS = ("file", "call", "process")


@dataclass(frozen=True, slots=True)
class Config:
    """What operators grant to tool files.

    >>> Config(tiers={"/tools/home/admin": 2}).tier("/tools/home/administrator/x.scm")
    1
    """

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    exclude_categories: tuple[str, ...] = ()
    tiers: Mapping[str, int] = field(default_factory=dict)
    http_allow: Mapping[str, tuple[str, ...] | str] = field(default_factory=dict)
    trust_declared: bool = False
    env: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    isolation: str = "file"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Config:
        """From a TOML file; ConfigError names the key that is wrong."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from error
        return cls.parse(text, str(path))

    @classmethod
    def parse(cls, text: str, name: str = "config") -> Config:
        """From TOML text."""
        import tomli  # here: only a configuration file needs it

        try:
            data = tomli.loads(text)
        except tomli.TOMLDecodeError as error:
            raise ConfigError(f"{name}: {error}") from error
        tools = table(data, "tools", name)
        http = table(tools, "http", f"{name}: tools")
        isolation = tools.get("isolation", "file")
        if isolation not in ISOLATIONS:
            raise ConfigError(f"{name}: tools.isolation is one of {', '.join(ISOLATIONS)}: {isolation!r}")
        include = tools.get("include")
        return cls(
            include=None if include is None else names(include, f"{name}: tools.include"),
            exclude=names(tools.get("exclude", ()), f"{name}: tools.exclude"),
            exclude_categories=names(tools.get("exclude_categories", ()), f"{name}: tools.exclude_categories"),
            tiers=tiers(table(tools, "tiers", f"{name}: tools"), name),
            http_allow=http_rules(table(http, "allow", f"{name}: tools.http"), name),
            trust_declared=toggle(http, name),
            env={
                key: names(value, f"{name}: tools.env.{key!r}")
                for key, value in table(tools, "env", f"{name}: tools").items()
            },
            isolation=str(isolation),
        )

    def tier(self, path: str) -> int:
        """2 for an unsandboxed file, else 1."""
        key = best_key(self.tiers, path)
        return 2 if key is not None and self.tiers[key] == 2 else 1

    def http(self, path: str, declared: Iterable[str] = ()) -> tuple[str, ...] | None:
        """The URL rules of a file, None for no access at all."""
        key = best_key(self.http_allow, path)
        granted = self.http_allow[key] if key is not None else (TRUST_DECLARED if self.trust_declared else None)
        if isinstance(granted, tuple):
            return granted
        if granted == TRUST_DECLARED:
            return tuple(declared) or None
        return None

    def environment(self, path: str) -> dict[str, str]:
        """The variables forwarded to a file, those that are set."""
        key = best_key(self.env, path)
        wanted = () if key is None else self.env[key]
        return {name: os.environ[name] for name in wanted if name in os.environ}

    def is_shown(self, name: str, category: str) -> bool:
        """Do the filters let a tool through?"""
        if self.include is not None and name not in self.include:
            return False
        return name not in self.exclude and category not in self.exclude_categories


def best_key(keys: Iterable[str], path: str) -> str | None:
    """The longest key that matches the path at a segment boundary."""
    found = [key for key in keys if matches(key, path)]
    return max(found, key=len, default=None)


def matches(key: str, path: str) -> bool:
    """Is the path the key, or below it?"""
    if key.endswith(".scm"):
        return key == path
    stem = key.rstrip("/")
    return path == stem or path.startswith(stem + "/")


def table(data: Mapping[str, object], key: str, name: str) -> Mapping[str, object]:
    """A sub-table, empty where it is not there."""
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{name}.{key} is a table: {value!r}")
    return value


def names(value: object, name: str) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{name} is a list of strings: {value!r}")
    return tuple(value)


def tiers(data: Mapping[str, object], name: str) -> dict[str, int]:
    """Paths and their tier numbers."""
    for key, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 255:
            raise ConfigError(f"{name}: tools.tiers.{key!r} is a whole number from 0 to 255: {value!r}")
    return dict(data)  # type: ignore[arg-type]


def http_rules(data: Mapping[str, object], name: str) -> dict[str, tuple[str, ...] | str]:
    """Paths and their URL rules, or a word."""
    made: dict[str, tuple[str, ...] | str] = {}
    for key, value in data.items():
        made[key] = value if isinstance(value, str) else names(value, f"{name}: tools.http.allow.{key!r}")
    return made


def toggle(http: Mapping[str, object], name: str) -> bool:
    """trust_declared, under either spelling."""
    value = http.get("trust_declared", http.get(TRUST_DECLARED, False))
    if not isinstance(value, bool):
        raise ConfigError(f"{name}: tools.http.trust_declared is a boolean: {value!r}")
    return value
