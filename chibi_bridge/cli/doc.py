"""chibi-bridge doc NAME"""

from __future__ import annotations

import click

from chibi_bridge.cli.common import FAILED, finish, report
from chibi_bridge.context import Context
from chibi_bridge.errors import SchemeError
from chibi_bridge.host.documentation import entries
from chibi_bridge.host.hints import exporters, preference
from chibi_bridge.host.libraries import scheme_root, shipped_names
from chibi_bridge.policy import Policy
from chibi_bridge.values import Symbol

LISTED = 6
"""Libraries that are named for one name."""


@click.command("doc", epilog="Example: chibi-bridge doc string-join")
@click.argument("name", nargs=-1, required=True)
def command(name: tuple[str, ...]) -> None:
    """Say what NAME is: a procedure or syntax, or a library such as '(srfi 1)', srfi/1 or srfi 1."""
    given = " ".join(name)
    try:
        text = text_on(given)
    except SchemeError as error:
        finish(report(error))
    if text is None:
        near = ", ".join(nearest(given))
        click.echo(f"error: nothing here is called {given}{f'; near: {near}' if near else ''}", err=True)
        finish(FAILED)
    click.echo(text)


def text_on(given: str) -> str | None:
    """What a name or a library is; None for neither."""
    library = "/".join(given.strip("()").split()) if len(given.split()) > 1 or "(" in given else given
    with Context(Policy(modules="all", http_allow=()), "tools") as context:
        context.import_("(tein introspect)")
        if library in shipped_names() and (library not in exporters() or "/" in library):
            return library_text(context, library)
        return name_text(context, given) or tool_file_text(given)


def nearest(name: str) -> list[str]:
    """Names that look like a name."""
    import difflib

    known = [*exporters(), *shipped_names()]
    return difflib.get_close_matches(name, known, n=3, cutoff=0.75)


def info(context: Context, name: str) -> dict[str, object] | None:
    """What (tein introspect) says of a bound name."""
    found = context.call("binding-info", Symbol(name))
    if not isinstance(found, list):
        return None
    made: dict[str, object] = {}
    for entry in found:
        if isinstance(entry, list):
            made[str(entry[0])] = entry[1:]
        elif hasattr(entry, "car"):
            made[str(entry.car)] = entry.cdr
    return made


def name_text(context: Context, name: str) -> str | None:
    """A name: its usage and text, and the libraries that bring it."""
    homes = sorted(exporters().get(name, ()), key=preference)
    about = info(context, name)
    visible = about is not None
    if about is None:
        for library in homes:
            context.import_(written(library))
            about = info(context, name)
            if about is not None:
                break
    if about is None:
        return None
    lines = [str(about.get("doc") or f"{name}: {about['kind']}, no text on it")]
    if homes:
        more = f" and {len(homes) - LISTED} more" if len(homes) > LISTED else ""
        lines.append(f"in {', '.join(map(written, homes[:LISTED]))}{more}")
    lines.append("visible in tool files without an import" if visible else f"(import {written(homes[0])}) brings it")
    return "\n".join(lines)


def tool_file_text(name: str) -> str | None:
    """A name that only tool files have."""
    preamble = scheme_root() / "lib" / "chibi-bridge" / "preamble.scm"
    for entry in entries(preamble.read_text(encoding="utf-8")):
        if entry.name == name:
            return f"{entry.usage}: {entry.text}\nin every tool file"
    return None


def library_text(context: Context, library: str) -> str:
    """A library: each export with its usage and the first line of its text."""
    context.import_(written(library))
    exports = context.eval(f"(module-exports '{written(library)})")
    assert isinstance(exports, list)
    return "\n".join(
        [f"{written(library)}, {len(exports)} exports", *(summary(context, str(name)) for name in exports)]
    )


def summary(context: Context, name: str) -> str:
    """One line on an export."""
    about = info(context, name)
    doc = str(about["doc"]) if about is not None and about.get("doc") else name
    return f"  {doc.splitlines()[0]}"


def written(library: str) -> str:
    """ "srfi/1" as "(srfi 1)"."""
    return f"({library.replace('/', ' ')})"
