"""The manifest of an extension: extension.toml, read with every check, and the tree's digest.

The harness reads manifests and source texts as data; nothing here evaluates anything.
The first thing that is wrong is raised as ManifestError, which names table, key and
what is expected there.

>>> text = '''
... [extension]
... name = "weather"
... version = "1"
... description = "Forecasts."
... license = "MIT"
... tier = "jailed"
... [[hook]]
... event = "usage"
... entry = "meter.scm"
... '''
>>> read_manifest(text, {"src/meter.scm": b""}).name
'weather'
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import tomli

from chibi_bridge.host.http_rule import check_header_name
from chibi_bridge.host.url import parse_url
from chibi_bridge.satellite.bus import EVENTS
from chibi_bridge.satellite.capabilities import METHODS, RESERVED, NetGrant

__all__ = ["Manifest", "ManifestError", "ToolRow", "read_manifest", "tree_digest"]

FILE = "extension.toml"
TREE_TAG = b"chibi-bridge-ext-tree-v1"
MAX_TIMEOUT_MS = 900_000
NAME = re.compile(r"[a-z][a-z0-9_]*")
TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
TIERS = {"harness": "is not installable yet", "profile": "is not installable yet"}

KEYS = {
    "extension": ("name", "version", "description", "license", "tier"),
    "tool": ("name", "description", "prompt_snippet", "parameters", "entry", "timeout_ms"),
    "hook": ("event", "entry"),
    "net": ("hosts", "methods", "max_response_bytes", "requests_per_call", "secret"),
    "net.secret": ("env", "host", "header"),
}


class ManifestError(ValueError):
    """A manifest that cannot be used."""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool: what the model is told, its JSON Schema, the file that serves it."""

    name: str
    description: str
    prompt_snippet: str
    parameters: Mapping[str, object]
    entry: str
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that has been checked."""

    name: str
    version: str
    description: str
    license: str
    tools: tuple[ToolRow, ...] = ()
    hooks: tuple[tuple[str, str], ...] = ()
    net: NetGrant | None = None
    hash: str = field(default="", compare=False)


class Table:
    """A table of the manifest, read key by key."""

    def __init__(self, name: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ManifestError(f"[{name}] is a table")
        self.name = name
        self._values = value
        allowed = KEYS[name]
        for key in value:
            if key not in allowed:
                raise ManifestError(f"[{name}] has an unknown key {key!r}; the keys are {', '.join(allowed)}")

    def wrong(self, key: str, what: str) -> ManifestError:
        """The error for a key."""
        return ManifestError(f"[{self.name}] {key}: {what}")

    def text(self, key: str) -> str:
        """A string that is there and not empty."""
        value = self._values.get(key)
        if type(value) is not str or not value.strip():
            raise self.wrong(key, "a text that is not empty is required")
        return value

    def positive(self, key: str) -> int:
        """A whole number above 0."""
        value = self._values.get(key)
        if type(value) is not int or value <= 0:
            raise self.wrong(key, f"a whole number above 0 is required, not {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of distinct strings."""
        value = self._values.get(key)
        if not isinstance(value, list) or not all(type(item) is str and item for item in value):
            raise self.wrong(key, "a list of texts is required")
        if len(set(value)) != len(value):
            raise self.wrong(key, "an item is there twice")
        return tuple(value)

    def rows(self, key: str) -> list[object]:
        """An array of tables, or nothing."""
        value = self._values.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, f"an array of tables is required: [[{self.name}.{key}]]")
        return value


def read_manifest(text: str, files: Mapping[str, bytes]) -> Manifest:
    """The manifest in a text, checked against the files of its tree (path -> content)."""
    try:
        made = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ManifestError(f"{FILE}: {error}") from None
    for key in made:
        if key not in ("extension", "tool", "hook", "net"):
            raise ManifestError(f"{FILE} has an unknown table {key!r}; the tables are extension, tool, hook, net")
    head = read_head(Table("extension", made.get("extension")))
    tools = tuple(read_tool(Table("tool", row), files) for row in rows_of(made, "tool"))
    hooks = tuple(read_hook(Table("hook", row), files) for row in rows_of(made, "hook"))
    refuse_twice("tool", "name", [tool.name for tool in tools])
    refuse_twice("hook", "event", [event for event, _ in hooks])
    if not tools and not hooks:
        raise ManifestError(f"{FILE} has neither a [[tool]] nor a [[hook]]")
    net = read_net(Table("net", made["net"])) if "net" in made else None
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Manifest(**head, tools=tools, hooks=hooks, net=net, hash=digest)


def rows_of(made: Mapping[str, object], name: str) -> list[object]:
    """The rows of [[name]]."""
    rows = made.get(name, [])
    if not isinstance(rows, list):
        raise ManifestError(f"{name} is an array of tables: [[{name}]]")
    return rows


def refuse_twice(table: str, key: str, names: Iterable[str]) -> None:
    """Refuse a name that two rows have."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ManifestError(f"[[{table}]] {key}: {name!r} is there twice")
        seen.add(name)


def read_head(table: Table) -> dict[str, str]:
    """[extension]."""
    name = table.text("name")
    if not NAME.fullmatch(name) or len(name) > 64:
        raise table.wrong("name", f"small letters, digits and _, a letter first: {name!r}")
    tier = table.text("tier")
    if tier != "jailed":
        raise table.wrong("tier", f'"jailed" is required: {tier!r} {TIERS.get(tier, "is unknown")}')
    return {"name": name, **{key: table.text(key) for key in ("version", "description", "license")}}


def read_tool(table: Table, files: Mapping[str, bytes]) -> ToolRow:
    """[[tool]]."""
    name = table.text("name")
    if not TOOL_NAME.fullmatch(name):
        raise table.wrong("name", f"models accept [A-Za-z][A-Za-z0-9_-]{{0,63}}: {name!r}")
    return ToolRow(
        name,
        table.text("description"),
        table.text("prompt_snippet"),
        read_schema(table, table.text("parameters"), files),
        read_entry(table, files),
        min(table.positive("timeout_ms"), MAX_TIMEOUT_MS),
    )


def read_schema(table: Table, path: str, files: Mapping[str, bytes]) -> Mapping[str, object]:
    """The JSON Schema in a file under schema/."""
    if not is_below(path, "schema"):
        raise table.wrong("parameters", f"a path under schema/ is required: {path!r}")
    if path not in files:
        raise table.wrong("parameters", f"there is no file {path!r}")
    try:
        made = json.loads(files[path].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise table.wrong("parameters", f"{path} is not JSON: {error}") from None
    if not isinstance(made, dict) or made.get("type", "object") != "object":
        raise table.wrong("parameters", f"{path} is no JSON Schema of an object")
    return made


def read_entry(table: Table, files: Mapping[str, bytes]) -> str:
    """The path of an entry, as it stands in the tree."""
    entry = table.text("entry")
    for path in (f"src/{entry}", entry, f"src/{entry}.scm"):
        if is_below(path, "src") and path.endswith(".scm") and path in files:
            return path
    raise table.wrong("entry", f"there is no file {entry!r} under src/ whose name ends in .scm")


def is_below(path: str, folder: str) -> bool:
    """Is this a plain path below a folder?"""
    parts = PurePosixPath(path).parts
    plain = str(PurePosixPath(path)) == path and not path.startswith("/") and "\\" not in path
    return plain and len(parts) > 1 and parts[0] == folder and ".." not in parts


def read_hook(table: Table, files: Mapping[str, bytes]) -> tuple[str, str]:
    """[[hook]]: (event, entry)."""
    event = table.text("event")
    if event not in EVENTS:
        raise table.wrong("event", f"{event!r} is unknown; the events are {', '.join(EVENTS)}")
    return event, read_entry(table, files)


def read_net(table: Table) -> NetGrant:
    """[net]."""
    hosts, methods = table.texts("hosts"), table.texts("methods")
    for host in hosts:
        if not is_host(host):
            raise table.wrong("hosts", f"a name, or name:port, is required: {host!r}")
    for method in methods:
        if method not in METHODS:
            raise table.wrong("methods", f"{method!r} is none of {', '.join(METHODS)}")
    return NetGrant(
        hosts,
        methods,
        table.positive("max_response_bytes"),
        table.positive("requests_per_call"),
        tuple(read_secret(Table("net.secret", row), hosts) for row in table.rows("secret")),
    )


def is_host(text: str) -> bool:
    """Is this `name[:port]`, without wildcards?"""
    try:
        url = parse_url(f"https://{text}/")
    except ValueError:
        return False
    return "*" not in text and url.path == "/" and url.query is None


def read_secret(table: Table, hosts: tuple[str, ...]) -> tuple[str, str, str]:
    """[[net.secret]]: (variable, host, header)."""
    variable, host, header = table.text("env"), table.text("host"), table.text("header")
    if not VARIABLE.fullmatch(variable):
        raise table.wrong("env", f"capitals, digits and _ are required: {variable!r}")
    if host not in hosts:
        raise table.wrong("host", f"{host!r} is not in hosts")
    checks: Callable[[str], None] = check_header_name
    try:
        checks(header)
    except ValueError as error:
        raise table.wrong("header", str(error)) from None
    if header.lower() in RESERVED:
        raise table.wrong("header", f"{header!r} cannot be set")
    return variable, host, header


def tree_digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 of a tree: a tag, the number of files, then path and content of each with their lengths."""
    digest = hashlib.sha256(TREE_TAG + len(files).to_bytes(8, "big"))
    for path in sorted(files):
        name = path.encode()
        digest.update(len(name).to_bytes(8, "big") + name + len(files[path]).to_bytes(8, "big") + files[path])
    return digest.hexdigest()
