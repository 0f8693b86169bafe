"""Entries: evaluating an extension's files, and the table of what they serve.

An entry is a file under `src/` that defines `run` (a tool) or `on-event` (a thunk
that answers a hook), at its top level or as exports of a library it defines. Each is
evaluated in an environment of its own; all share one context, and the libraries
beside them (`src/util.sld` is `(util)`). `build` evaluates, and leaves the procedures
under names that `table` finds again, also in a context made from the frozen one: there
no source runs.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = (Path(folder) / "src").mkdir()
...     _ = (Path(folder) / "src" / "hi.scm").write_text('(import (scheme base)) (define (run args ctx) "hi")')
...     with build(Path(folder), Declared(tools=(("greet", "hi.scm"),))) as context:
...         table(context, Declared(tools=(("greet", "hi.scm"),))).tools
{'greet': <Procedure run>}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from chibi_bridge.context import Context
from chibi_bridge.errors import Location, ToolLoadError
from chibi_bridge.host.files import is_within
from chibi_bridge.host.sexp import read_forms
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.satellite.dispatch import LOAD_DOOR, door_of, event_of
from chibi_bridge.values import Procedure, Record, Symbol

__all__ = ["Declared", "Table", "build", "entry_file", "table"]

EXTENSION_POLICY = Policy(limits=Limits(fuel=None))
"""Time is bounded by the deadline of each invocation, memory and output as usual."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a manifest says of entries: (tool name, file) and (event, file)."""

    tools: tuple[tuple[str, str], ...] = ()
    hooks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """What is served: tools by name, hooks by the event they are declared for."""

    tools: dict[str, Procedure] = field(default_factory=dict)
    hooks: dict[str, Record] = field(default_factory=dict)


def tool_name(name: str) -> str:
    """The variable that holds a tool's procedure."""
    return f"%satellite-tool-{name}%"


def hook_name(event: str) -> str:
    """The variable that holds a hook."""
    return f"%satellite-hook-{event}%"


def entry_file(directory: Path, entry: str) -> Path:
    """The file that a manifest's entry names; ToolLoadError where there is none under src/."""
    source = directory / "src"
    for name in (entry, f"{entry}.scm"):
        for path in (source / name, directory / name):
            if "\0" not in name and path.is_file() and is_within(str(path.resolve()), (str(source.resolve()),)):
                return path
    raise ToolLoadError(f"no file under src/ for the entry {entry!r}", clause="entry")


def build(directory: Path, declared: Declared, policy: Policy = EXTENSION_POLICY) -> Context:
    """A context with an extension's entries evaluated, each once; the caller closes it.

    Raises SchemeError for what a file does, ToolLoadError for one that does not have
    what is declared, OSError and UnicodeDecodeError for one that cannot be read.
    """
    context = Context(policy, None, module_path=[directory / "src"])
    try:
        fill(context, directory, declared)
    except BaseException:
        context.close()
        raise
    return context


def fill(context: Context, directory: Path, declared: Declared) -> None:
    """Evaluate the entries, and bind what they define."""
    found: dict[Path, tuple[object, object]] = {}

    def values(entry: str) -> tuple[Path, tuple[object, object]]:
        path = entry_file(directory, entry)
        if path not in found:
            found[path] = evaluate(context, path, str(path.relative_to(directory)))
        return path, found[path]

    for name, entry in declared.tools:
        path, (run, _) = values(entry)
        if not isinstance(run, Procedure):
            raise lacking(path, "run", "(define (run args ctx) ...)", name)
        context.define(tool_name(name), run)
    for event, entry in declared.hooks:
        path, (_, on_event) = values(entry)
        if not isinstance(on_event, Procedure):
            raise lacking(path, "on-event", "(define (on-event) (on-tool-call ...))", event)
        hook = context.call(on_event)
        if event_of(hook) is None:
            raise lacking(path, "on-event that answers a hook", "(define (on-event) (on-tool-call ...))", event)
        context.define(hook_name(event), hook)


def evaluate(context: Context, path: Path, shown: str) -> tuple[object, object]:
    """`run` and `on-event` of a file, False for what it has not."""
    text = path.read_text(encoding="utf-8")
    context.keep_source(shown, text)
    names = [Symbol("run"), Symbol("on-event")]
    values = context.call(door_of(context, LOAD_DOOR), text, shown, names, library_of(text))
    assert isinstance(values, list)
    return values[0], values[1]


def library_of(text: str) -> object:
    """The name of the last library that a text defines, as a list; False for none."""
    name: object = False
    for form in read_forms(text):
        if form.head == "define-library" and form.items and len(form.items) > 1:
            parts = form.items[1].items or ()
            name = [int(part.text) if part.text.isdigit() else Symbol(part.text) for part in parts]
    return name


def lacking(path: Path, what: str, hint: str, name: str) -> ToolLoadError:
    """The error for a file that does not define what it is named for."""
    return ToolLoadError(
        f"{path.name} defines no {what}", tool=name, clause="entry", location=Location(str(path), 1, 1), hint=hint
    )


def table(context: Context, declared: Declared) -> Table:
    """The table of a context that `build` made, or that was made from its image."""
    made = Table()
    for name, _ in declared.tools:
        run = context[tool_name(name)]
        if isinstance(run, Procedure):
            made.tools.setdefault(name, run)
    for event, _ in declared.hooks:
        hook = context[hook_name(event)]
        if isinstance(hook, Record):
            made.hooks.setdefault(event, hook)
    return made
