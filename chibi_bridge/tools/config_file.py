"""A configuration file as data: every key, its check, and what an error says."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chibi_bridge.errors import ConfigError
from chibi_bridge.host.url import parse_rule
from chibi_bridge.policy import Limits

TRUST_DECLARED = "trust-declared"
ISOLATIONS = ("file", "call", "process")
PRESETS = ("loopback", "private_network", "link_local", "cloud_metadata", "unparseable")
LIMIT_KEYS = ("fuel", "timeout", "memory", "output")
RULE_KEYS = ("url", "methods", "headers", "allow_private", "redirects", "max_body", "secrets")


@dataclass(frozen=True, slots=True)
class UrlPolicy:
    """Which URLs in arguments need no question, which are refused (TOOLS.md 2.6).

    Rules are `preset:NAME` or globs over the normalised URL; looked at in the order
    deny_override, allow_override, deny, allow, default.
    """

    default: str = "allow"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    allow_override: tuple[str, ...] = ()
    deny_override: tuple[str, ...] = ()


class Reader:
    """Takes keys out of one table and knows where it stands, for errors."""

    __slots__ = ("data", "file", "known", "prefix", "warnings")

    def __init__(self, data: Mapping[str, object], file: str, prefix: str, warnings: list[str]) -> None:
        self.data = data
        self.file = file
        self.prefix = prefix
        self.warnings = warnings
        self.known: list[str] = []

    def name(self, key: str) -> str:
        """The key with its table."""
        return f"{self.prefix}.{key}" if self.prefix else key

    def wrong(self, key: str, expected: str, value: object) -> ConfigError:
        """The error for a value that is not what is expected."""
        return ConfigError(f"{self.file}: {self.name(key)} is to be {expected}, got {value!r}")

    def get(self, *keys: str) -> tuple[str, object]:
        """The value under one of several spellings; (first spelling, None) without one."""
        self.known.extend(keys)
        found = [key for key in keys if key in self.data]
        if len(found) > 1:
            raise ConfigError(f"{self.file}: {self.name(found[0])} and {self.name(found[1])} are one key, give one")
        return (found[0], self.data[found[0]]) if found else (keys[0], None)

    def table(self, key: str) -> Reader:
        """A sub-table, empty where there is none."""
        _, value = self.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.wrong(key, "a table", value)
        return Reader(value or {}, self.file, self.name(key), self.warnings)

    def strings(self, *keys: str) -> tuple[str, ...] | None:
        """A list of strings."""
        key, value = self.get(*keys)
        return None if value is None else self.string_list(key, value)

    def string_list(self, key: str, value: object) -> tuple[str, ...]:
        """The value of a key as a tuple of strings."""
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key, "a list of strings", value)
        return tuple(value)

    def typed(self, expected: str, kind: type, *keys: str) -> object:
        """A value of a type, or None."""
        key, value = self.get(*keys)
        if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            raise self.wrong(key, expected, value)
        return value

    def paths(self, key: str, check: Callable[[Reader, str, object], object]) -> dict[str, object]:
        """A table from paths of tool files to values."""
        reader = self.table(key)
        made: dict[str, object] = {}
        for path, value in reader.data.items():
            if not path.startswith("/"):
                raise ConfigError(
                    f"{self.file}: {self.name(key)} has paths such as /tools/shared for keys, got {path!r}"
                )
            if any(part in (".", "..") for part in path.split("/")):
                raise ConfigError(f"{self.file}: {self.name(key)}: a path key has no dot segments, got {path!r}")
            made[path] = check(reader, path, value)
        return made

    def finish(self) -> None:
        """Warn of the keys that nobody asked for."""
        for key in self.data:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, n=1, cutoff=0.5)
                advice = f"; did you mean {self.name(near[0])}?" if near else ""
                self.warnings.append(f"{self.file}: unknown key {self.name(key)}{advice}")


def read_config(text: str, file: str) -> dict[str, object]:
    """The fields of a Config from TOML text."""
    import tomli  # here: only a configuration file needs it

    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{file}: {error}") from error
    warnings: list[str] = []
    top = Reader(data, file, "", warnings)
    tools = top.table("tools")
    made: dict[str, object] = {
        "include": tools.strings("include"),
        "exclude": tools.strings("exclude") or (),
        "exclude_categories": tools.strings("exclude_categories", "exclude-categories") or (),
        "tiers": tools.paths("tiers", tier),
        "env": tools.paths("env", variables),
        "limits": tools.paths("limits", limits),
        "isolation": isolation(tools),
        "redact": tools.typed("true or false", bool, "redact") or False,
        "file_tools_allowed_paths": top.strings("file_tools_allowed_paths") or (),
        "url_policy": url_policy(top),
        **http(tools),
    }
    permissions = top.table("permissions")
    made["remember"] = permissions.typed("the path of a file", str, "remember")
    for reader in (tools, permissions, top):
        reader.finish()
    made["warnings"] = tuple(warnings)
    return made


def http(tools: Reader) -> dict[str, object]:
    """[tools.http]"""
    reader = tools.table("http")
    made: dict[str, object] = {
        "http_allow": reader.paths("allow", http_rules),
        "trust_declared": reader.typed("true or false", bool, "trust-declared", "trust_declared") or False,
        "ca_file": reader.typed("the path of a file", str, "ca_file", "ca-file"),
    }
    reader.finish()
    return made


def tier(reader: Reader, key: str, value: object) -> object:
    """A tier number."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 255:
        raise reader.wrong(f'"{key}"', "a whole number from 0 to 255 (2 is unsandboxed)", value)
    if value not in (1, 2):
        reader.warnings.append(f'{reader.file}: {reader.prefix}."{key}" is {value}, which counts as 1 (sandboxed)')
    return value


def variables(reader: Reader, key: str, value: object) -> object:
    """Names of variables."""
    return reader.string_list(f'"{key}"', value)


def limits(reader: Reader, key: str, value: object) -> object:
    """{fuel, timeout, memory, output}"""
    if not isinstance(value, dict):
        raise reader.wrong(f'"{key}"', "a table of fuel, timeout, memory, output", value)
    inner = Reader(value, reader.file, f'{reader.prefix}."{key}"', reader.warnings)
    made = {name: value[name] for name in LIMIT_KEYS if inner.get(name)[1] is not None}
    inner.finish()
    try:
        Limits(**made)
    except ValueError as error:
        raise ConfigError(f"{reader.file}: {inner.prefix}: {error}") from error
    return made


def isolation(tools: Reader) -> object:
    """A word for all files, or a table of paths."""
    _, value = tools.get("isolation")
    if isinstance(value, dict):
        return tools.paths("isolation", one_isolation)
    if value is None:
        return "file"
    return one_isolation(tools, "isolation", value)


def one_isolation(reader: Reader, key: str, value: object) -> object:
    """file, call or process."""
    if value not in ISOLATIONS:
        name = key if key == "isolation" else f'"{key}"'
        raise reader.wrong(name, f"one of {', '.join(ISOLATIONS)}", value)
    return value


def http_rules(reader: Reader, key: str, value: object) -> object:
    """A list of URL rules, or the word trust-declared."""
    name = f'"{key}"'
    if isinstance(value, str):
        if value != TRUST_DECLARED:
            reader.warnings.append(
                f"{reader.file}: {reader.name(name)} is {value!r}, which grants nothing;"
                f' did you mean "{TRUST_DECLARED}"?'
            )
        return value
    if not isinstance(value, list):
        raise reader.wrong(name, f'a list of URL prefixes or "{TRUST_DECLARED}"', value)
    return tuple(http_rule(reader, name, item) for item in value)


def http_rule(reader: Reader, name: str, item: object) -> object:
    """A URL prefix, or a table with url and more."""
    if isinstance(item, str):
        check_rule(reader, name, item)
        return item
    if not isinstance(item, dict):
        raise reader.wrong(name, "a list of URL prefixes and tables with a url", item)
    inner = Reader(item, reader.file, reader.name(name), reader.warnings)
    url = inner.typed("a URL prefix", str, "url")
    if url is None:
        raise ConfigError(f"{reader.file}: {inner.name('url')} is missing")
    check_rule(reader, name, str(url))
    options: dict[str, object] = {}
    for key, expected, kind in (
        ("allow_private", "true or false", bool),
        ("redirects", "a whole number", int),
        ("max_body", "a number of bytes", int),
    ):
        value = inner.typed(expected, kind, key)
        if value is not None:
            options[key] = value
    for key in ("methods", "headers"):
        names = inner.strings(key)
        if names is not None:
            options[key] = names
    secrets = inner.table("secrets")
    if secrets.data:
        for key, value in secrets.data.items():
            if not isinstance(value, str):
                raise secrets.wrong(key, "the name of a variable", value)
        options["secrets"] = dict(secrets.data)
    inner.finish()
    from chibi_bridge.host.http_rule import HttpRule  # here: most configurations have no such rule

    try:
        return HttpRule(str(url), **options)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{reader.file}: {reader.name(name)}: {error}") from error


def check_rule(reader: Reader, name: str, url: str) -> None:
    """A rule has to be one."""
    try:
        parse_rule(url)
    except ValueError as error:
        raise ConfigError(f"{reader.file}: {reader.name(name)}: {error}") from error


def url_policy(top: Reader) -> UrlPolicy | None:
    """[url_policy]"""
    if top.get("url_policy")[1] is None:
        return None
    reader = top.table("url_policy")
    _, default = reader.get("default")
    if default not in (None, "allow", "deny"):
        raise reader.wrong("default", '"allow" or "deny"', default)
    lists: dict[str, tuple[str, ...]] = {}
    for key in ("allow", "deny", "allow_override", "deny_override"):
        lists[key] = reader.strings(key) or ()
        for rule in lists[key]:
            if rule.startswith("preset:") and rule.removeprefix("preset:") not in PRESETS:
                raise reader.wrong(key, "globs or " + ", ".join(f"preset:{name}" for name in PRESETS), rule)
    reader.finish()
    return UrlPolicy(default=str(default or "allow"), **lists)
