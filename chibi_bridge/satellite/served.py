"""What a node serves: an extension's folder, or tool files as they are.

`find` decides by what is named on the command line: a folder with `extension.toml`
is an extension; another folder is its tool files; a file that defines `run` or
`on-event` and no tool is an entry by itself, its tool named after the file; any
other file is a tool file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomli

from chibi_bridge.context import Context, Image
from chibi_bridge.errors import ConfigError, Location, SchemeError, ToolLoadError
from chibi_bridge.host.http import HttpRequest, HttpResponse
from chibi_bridge.host.sexp import Form, read_forms
from chibi_bridge.policy import Limits
from chibi_bridge.satellite.dispatch import Implementation, event_of
from chibi_bridge.satellite.entries import EXTENSION_POLICY, Declared, Table, build, table
from chibi_bridge.satellite.node import Node, Served
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import Session, ToolList, policy_for
from chibi_bridge.values import Procedure, Record

__all__ = ["Extension", "Settings", "ToolFile", "declared_in", "find"]

MANIFEST = "extension.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says: a configuration for tool files, a path, limits over the defaults."""

    config: Config = field(default_factory=Config)
    path: str | None = None
    limits: Limits | None = None


def find(paths: Sequence[Path], settings: Settings) -> list[Served]:
    """What the paths name; ToolLoadError, OSError and ConfigError for what cannot be served."""
    found: list[Served] = []
    for path in paths:
        if (path / MANIFEST).is_file():
            found.append(Extension(path, declared_in(path / MANIFEST), settings.limits))
        elif path.is_dir():
            files = sorted(path.glob("*.scm"))
            if not files:
                raise ToolLoadError(f"{path} has neither {MANIFEST} nor tool files")
            found += [of_file(file, settings) for file in files]
        else:
            found.append(of_file(path, settings))
    return found


def of_file(file: Path, settings: Settings) -> Served:
    """A single file: an entry, or a tool file."""
    text = file.read_text(encoding="utf-8")
    names = defined(read_forms(text))
    plain = {"tool-name", "tool-execute"} & names or "define-tool" in names
    if plain or not {"run", "on-event"} & names:
        return ToolFile(file, text, settings)
    return Entry(file, names, settings.limits)


def defined(forms: Sequence[Form]) -> set[str]:
    """The names that top-level forms define, and define-tool where it is used."""
    names: set[str] = set()
    for form in forms:
        items = form.items or ()
        if form.head == "define" and len(items) > 1:
            names.add(items[1].text or items[1].head)
        elif form.head == "define-tool":
            names.add(form.head)
        elif form.head == "define-library":
            for clause in items[2:]:
                if clause.head == "export":
                    names.update(item.text for item in (clause.items or ())[1:])
    return names


# -- extensions ----------------------------------------------------------------------------


def declared_in(manifest: Path) -> Declared:
    """The tools and hooks of a manifest. What else it says is for whoever installs it.

    Raises ConfigError where what is needed here is missing.
    """
    try:
        made = tomli.loads(manifest.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{manifest}: {error}") from error
    return Declared(rows_of(manifest, made, "tool", "name"), rows_of(manifest, made, "hook", "event"))


def rows_of(manifest: Path, made: dict[str, object], name: str, key: str) -> tuple[tuple[str, str], ...]:
    """(key, entry) of each row of a table."""
    rows = made.get(name, [])
    if not isinstance(rows, list):
        raise ConfigError(f"{manifest}: {name} is an array of tables: [[{name}]]")
    found: list[tuple[str, str]] = []
    for row in rows:
        values = [row.get(field) if isinstance(row, dict) else None for field in (key, "entry")]
        if not all(type(value) is str and value for value in values):
            raise ConfigError(f"{manifest}: each [[{name}]] has {key} and entry")
        found.append((str(values[0]), str(values[1])))
    return tuple(found)


class Extension:
    """The entries of an extension's folder, in one context; made anew where that runs out of memory.

    With an `image` of what `build` made the context comes from there, and no source runs.
    """

    def __init__(
        self, directory: Path, declared: Declared, limits: Limits | None = None, *, image: Image | None = None
    ) -> None:
        self._directory = directory.resolve()
        self._image = image
        self._declared = declared
        self._policy = EXTENSION_POLICY if limits is None else replace(EXTENSION_POLICY, limits=limits)
        self._node: Node | None = None
        self._context: Context | None = None
        self._table = Table()

    def start(self, node: Node) -> None:
        """Evaluate the entries."""
        self._node = node
        context = self.make()
        node.attach(context)
        context.owned = True
        self._context, self._table = context, table(context, self._declared)

    def make(self) -> Context:
        """A context with the entries evaluated."""
        if self._image is not None:
            return self._image.instantiate(self._policy)
        return build(self._directory, self._declared, self._policy)

    def tools(self) -> Sequence[tuple[str, Implementation]]:
        """The tools, by their names in the manifest."""
        return list(self._table.tools.items())

    def hooks(self) -> Sequence[tuple[str, Record]]:
        """The hooks, by their events in the manifest."""
        return list(self._table.hooks.items())

    def renew(self, context: Context) -> None:
        """Evaluate the entries again in place of this context; their state is lost."""
        if context is self._context and self._node is not None:
            self.close()
            self.start(self._node)

    def close(self) -> None:
        """Free the context."""
        context, self._context = self._context, None
        self._table = Table()
        if context is not None:
            context.close()


class Entry(Extension):
    """A single file that defines `run`, `on-event` or both; siblings are beside it."""

    def __init__(self, file: Path, names: set[str], limits: Limits | None) -> None:
        tools = ((file.stem, file.name),) if "run" in names else ()
        super().__init__(file.parent, Declared(tools), limits)
        self._has_hook = "on-event" in names
        self._file = file

    def make(self) -> Context:
        """A context with the file evaluated; its hook says by itself for which event."""
        from chibi_bridge.satellite import entries

        context = Context(self._policy, None, module_path=[self._directory])
        try:
            run, on_event = entries.evaluate(context, self._file, self._file.name)
            if self._declared.tools:
                context.define(entries.tool_name(self._file.stem), run)
            if self._has_hook and isinstance(on_event, Procedure):
                hook = context.call(on_event)
                event = event_of(hook)
                if event is None:
                    raise entries.lacking(self._file, "on-event that answers a hook", "", self._file.stem)
                context.define(entries.hook_name(event), hook)
                self._declared = Declared(self._declared.tools, ((event, self._file.name),))
        except BaseException:
            context.close()
            raise
        return context


# -- tool files ------------------------------------------------------------------------------


class NodeSession(Session):
    """A tool file's session that hears the node's channel while it runs."""

    node: Node

    def _open(self, image: Image) -> Context:
        context = super()._open(image)
        self.node.attach(context)
        return context


class ToolFile:
    """The tools of a file, in define-tool or convention format."""

    def __init__(self, file: Path, text: str, settings: Settings) -> None:
        path = settings.path or f"/tools/shared/{file.name}"
        config = settings.config
        policy = policy_for(config, path, config.http(path, ()), None, settings.limits)
        self._session = NodeSession(text, path, str(file), policy, None, self._request, "file")
        self._session.redact = config.redact
        self._tools: ToolList = ToolList()
        self._file = file

    @property
    def problems(self) -> Sequence[Exception]:
        """What of the file does not load."""
        return self._tools.problems

    def _request(self, request: HttpRequest) -> HttpResponse:
        """Send a request of `(tein http)` through the harness, which judges it once more."""
        return self._session.node.request(request)

    def start(self, node: Node) -> None:
        """Load the file; its first problem is raised where nothing loads."""
        self._session.node = node
        self._tools = self._session.load()
        if not self._tools:
            self._session.close()
            problems: list[Exception] = self._tools.problems or [
                ToolLoadError(f"{self._file.name} has no tools to serve", location=Location(str(self._file), 1, 1))
            ]
            raise problems[0]

    def tools(self) -> Sequence[tuple[str, Implementation]]:
        """The tools of the file."""
        return [(tool.name, tool) for tool in self._tools]

    def hooks(self) -> Sequence[tuple[str, Record]]:
        """None: the hooks of tool files are for registries."""
        return []

    def renew(self, context: Context) -> None:
        """The session sees to that itself."""

    def close(self) -> None:
        """Free the session."""
        self._session.close()


def duplicates(served: Sequence[Served]) -> SchemeError | None:
    """The error for a tool's name that is there twice."""
    seen: set[str] = set()
    for item in served:
        for name, _ in item.tools():
            if name in seen:
                return ToolLoadError(f"two tools are called {name}", tool=name)
            seen.add(name)
    return None
