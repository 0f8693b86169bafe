"""The configuration of tools: tiers, URL grants, environment, limits, filters.

Keys of tiers, http.allow, env, limits and isolation are paths of tool files: the
longest that matches at a segment boundary wins; one that ends in `.scm` is exact.
The TOML side (every check of a key) is in config_file.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from chibi_bridge.errors import ConfigError
from chibi_bridge.policy import Limits
from chibi_bridge.tools.config_file import TRUST_DECLARED, UrlPolicy, read_config

__all__ = ["Config", "UrlPolicy"]


@dataclass(frozen=True, slots=True)
class Config:
    """What operators grant to tool files.

    `warnings` lists what the file holds and nothing uses: unknown keys, keys that
    a local file may not set.

    >>> Config(tiers={"/tools/home/admin": 2}).tier("/tools/home/administrator/x.scm")
    1
    """

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    exclude_categories: tuple[str, ...] = ()
    tiers: Mapping[str, int] = field(default_factory=dict)
    http_allow: Mapping[str, tuple[object, ...] | str] = field(default_factory=dict)
    trust_declared: bool = False
    ca_file: str | None = None
    env: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    isolation: str | Mapping[str, str] = "file"
    redact: bool = False
    file_tools_allowed_paths: tuple[str, ...] = ()
    url_policy: UrlPolicy | None = None
    remember: str | None = None
    warnings: tuple[str, ...] = ()
    source: str = "config"

    @classmethod
    def load(cls, path: str | os.PathLike[str], local: str | os.PathLike[str] | None = None) -> Config:
        """From a TOML file, and a context's own file over it (filters only).

        Raises ConfigError, which names file, key and what is expected there.
        """
        made = cls.from_toml(read_text(path), os.fspath(path))
        return made if local is None else made.with_local(cls.from_toml(read_text(local), os.fspath(local)))

    @classmethod
    def from_toml(cls, text: str, name: str = "config") -> Config:
        """From TOML text.

        >>> Config.from_toml('[tools]\\nexclude = ["a"]').exclude
        ('a',)
        """
        return cls(**read_config(text, name), source=name)  # type: ignore[arg-type]

    def with_local(self, local: Config) -> Config:
        """This configuration with the filters of a context's own file over it.

        `include` replaces, `exclude` and `exclude_categories` add; everything else
        is the operator's and ignored there, with a warning.
        """
        plain = Config()
        ignored = [
            f"{local.source}: {key} has no effect in a context's own file"
            for key, name in OPERATOR_KEYS.items()
            if getattr(local, name) != getattr(plain, name)
        ]
        return replace(
            self,
            include=self.include if local.include is None else local.include,
            exclude=tuple(dict.fromkeys((*self.exclude, *local.exclude))),
            exclude_categories=tuple(dict.fromkeys((*self.exclude_categories, *local.exclude_categories))),
            warnings=(*self.warnings, *local.warnings, *ignored),
        )

    # -- what a path gets --------------------------------------------------------------

    def tier(self, path: str) -> int:
        """2 for an unsandboxed file, else 1."""
        key = best_key(self.tiers, path)
        return 2 if key is not None and self.tiers[key] == 2 else 1

    def trusts_declared(self, path: str) -> bool:
        """Does what a file declares count for its URL rules?"""
        key = best_key(self.http_allow, path)
        return self.trust_declared if key is None else self.http_allow[key] == TRUST_DECLARED

    def http(self, path: str, declared: Iterable[object] = ()) -> tuple[object, ...] | None:
        """The URL rules of a file, None for no access at all."""
        key = best_key(self.http_allow, path)
        granted = self.http_allow[key] if key is not None else (TRUST_DECLARED if self.trust_declared else None)
        if isinstance(granted, (tuple, list)):
            return tuple(granted)
        if granted == TRUST_DECLARED:
            return tuple(declared) or None
        return None

    def environment(self, path: str) -> dict[str, str]:
        """The variables forwarded to a file, those that are set."""
        key = best_key(self.env, path)
        wanted = () if key is None else self.env[key]
        return {name: os.environ[name] for name in wanted if name in os.environ}

    def limits_of(self, path: str, base: Limits | None = None) -> Limits:
        """The limits of a file: its entry over `base`."""
        key = best_key(self.limits, path)
        base = Limits() if base is None else base
        if key is None:
            return base
        try:
            return replace(base, **self.limits[key])  # type: ignore[arg-type]
        except ValueError as error:
            raise ConfigError(f"{self.source}: tools.limits.{key!r}: {error}") from error

    def isolation_of(self, path: str) -> str:
        """How calls of a file are kept apart: "file", "call" or "process"."""
        if isinstance(self.isolation, str):
            return self.isolation
        key = best_key(self.isolation, path)
        return "file" if key is None else self.isolation[key]

    def is_granted(self, path: str) -> bool:
        """Does a key give this path more than every file has?"""
        if self.tier(path) == 2 or best_key(self.env, path) is not None:
            return True
        key = best_key(self.http_allow, path)
        return key is not None and isinstance(self.http_allow[key], (tuple, list))

    def is_shown(self, name: str, category: str) -> bool:
        """Do the filters let a tool through?"""
        if self.include is not None and name not in self.include:
            return False
        return name not in self.exclude and category not in self.exclude_categories

    def has_keys_for(self, path: str) -> bool:
        """Does any path key match? True also where there are no path keys at all."""
        tables = [self.tiers, self.http_allow, self.env, self.limits]
        if isinstance(self.isolation, Mapping):
            tables.append(self.isolation)
        keys = [key for table in tables for key in table]
        return not keys or any(matches(key, path) for key in keys)

    def explain(self, path: str) -> list[tuple[str, str, str]]:
        """What a path gets: (what, value, the key that decided)."""
        rules = self.http(path, ("(what the file declares)",))
        unsandboxed = self.tier(path) == 2
        void = ", without effect: the file is unsandboxed" if unsandboxed else ""
        http_key = decided("tools.http.allow", self.http_allow, path)
        if http_key == DEFAULT and self.trust_declared:
            http_key = "tools.http.trust-declared"
        limits = self.limits_of(path, Limits(fuel=None) if unsandboxed else None)
        shown = "no access" if rules is None else ", ".join(rule_text(rule) for rule in rules) or "no URL"
        env_key = best_key(self.env, path)
        names = () if env_key is None else self.env[env_key]
        variables = [name if name in os.environ else f"{name} (not set)" for name in names]
        return [
            ("tier", "2, unsandboxed" if unsandboxed else "1, sandboxed", decided("tools.tiers", self.tiers, path)),
            ("http", shown + void, http_key),
            ("env", (", ".join(variables) or "none") + void, decided("tools.env", self.env, path)),
            (
                "limits",
                f"fuel {limits.fuel}, timeout {limits.timeout} s, memory {limits.memory}, output {limits.output}",
                decided("tools.limits", self.limits, path),
            ),
            (
                "isolation",
                self.isolation_of(path),
                "tools.isolation"
                if isinstance(self.isolation, str)
                else decided("tools.isolation", self.isolation, path),
            ),
            ("redact", "yes" if self.redact else "no", "tools.redact"),
        ]


OPERATOR_KEYS = {
    "tools.tiers": "tiers",
    "tools.http.allow": "http_allow",
    "tools.http.trust-declared": "trust_declared",
    "tools.http.ca_file": "ca_file",
    "tools.env": "env",
    "tools.limits": "limits",
    "tools.isolation": "isolation",
    "tools.redact": "redact",
    "file_tools_allowed_paths": "file_tools_allowed_paths",
    "url_policy": "url_policy",
    "permissions.remember": "remember",
}
DEFAULT = "(default)"


def decided(name: str, table: Mapping[str, object], path: str) -> str:
    """The key that decided, in the file's words."""
    key = best_key(table, path)
    return DEFAULT if key is None else f'{name}."{key}"'


def rule_text(rule: object) -> str:
    """A rule's URL."""
    return rule if isinstance(rule, str) else str(getattr(rule, "url", rule))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a configuration file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{os.fspath(path)}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{os.fspath(path)}: not UTF-8 at byte {error.start}") from error


def best_key(keys: Iterable[str], path: str) -> str | None:
    """The longest key that matches the path at a segment boundary."""
    found = [key for key in keys if matches(key, path)]
    return max(found, key=lambda key: len(key.rstrip("/")), default=None)


def matches(key: str, path: str) -> bool:
    """Is the path the key, or below it? A path with dot segments matches nothing."""
    if any(part in (".", "..") for part in path.split("/")):
        return False
    if key.endswith(".scm"):
        return key == path
    stem = key.rstrip("/")
    return path == stem or path.startswith(stem + "/")
