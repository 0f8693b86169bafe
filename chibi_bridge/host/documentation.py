"""Texts about names: the `;;>` comments of the shipped libraries.

A block of `;;>` lines stands in front of what it is about. Its first lines name
it: `(name argument ...)`, or one or more bare names for what is no procedure; the
text begins with the first line that starts with a capital letter.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from chibi_bridge.host.base import Host, argument
from chibi_bridge.host.libraries import imports_of, is_allowed, scheme_root
from chibi_bridge.host.sexp import read_forms

MARK = re.compile(r"^\s*;;> ?(.*)$")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a comment says on one name: how it is used, and the text."""

    name: str
    usage: str
    text: str


def blocks(source: str) -> Iterator[list[str]]:
    """The lines of each block, without the marks."""
    block: list[str] = []
    for line in [*source.splitlines(), ""]:
        found = MARK.match(line)
        if found:
            block.append(found[1].rstrip())
        elif block:
            yield block
            block = []


def entries(source: str) -> Iterator[Entry]:
    """The entries of one file.

    >>> list(entries(";;> (twice x)\\n;;> Return 2 X.\\n(define (twice x) (* 2 x))"))
    [Entry(name='twice', usage='(twice x)', text='Return 2 X.')]
    """
    for block in blocks(source):
        forms = next((i for i, line in enumerate(block) if not line.startswith("(")), len(block))
        count = next((i for i, line in enumerate(block) if not line or line[0].isupper()), max(forms, 1))
        text = "\n".join(block[count:]).strip()
        for usage in usages(block[:count]):
            yield Entry(usage.strip("()").split()[0], usage, text)


def usages(lines: list[str]) -> Iterator[str]:
    """The usage forms or bare names of a block's first lines; a form may go over several."""
    depth, words = 0, []
    for word in " ".join(lines).replace("(", " ( ").replace(")", " ) ").split():
        depth += (word == "(") - (word == ")")
        words.append(word)
        if depth <= 0:
            text = " ".join(words).replace("( ", "(").replace(" )", ")").strip(", ")
            if text.strip("()"):
                yield text
            depth, words = 0, []


@functools.cache
def documented(library: str) -> dict[str, Entry]:
    """What the files of one shipped library say, by name."""
    path = scheme_root() / "lib" / f"{library}.sld"
    return entries_of([path, *included(path)]) if path.is_file() else {}


@functools.cache
def core() -> dict[str, Entry]:
    """What is said on R7RS-small's syntax and procedures that no library's file defines."""
    return entries_of([scheme_root() / "lib" / "scheme" / "core-documentation.scm"])


def entries_of(files: list[Path]) -> dict[str, Entry]:
    """The entries of files by name; the first on a name counts."""
    found: dict[str, Entry] = {}
    for file in files:
        if file.is_file():
            for entry in entries(file.read_text(encoding="utf-8")):
                known = found.get(entry.name)
                if known is None:
                    found[entry.name] = entry
                elif known.text == entry.text:
                    found[entry.name] = Entry(entry.name, f"{known.usage}, {entry.usage}", entry.text)
    return found


def included(path: Path) -> list[Path]:
    """The files that a library's text includes."""
    files: list[Path] = []
    for form in read_forms(path.read_text(encoding="utf-8")):
        for clause in form.items or ():
            if clause.head in ("include", "include-ci", "include-library-declarations"):
                files += [path.parent / item.text.strip('"') for item in (clause.items or ())[1:]]
    return files


@functools.cache
def inner_names(library: str) -> dict[str, str]:
    """What the names that a library exports under another name are called inside."""
    return {outer: inner for inner, outer in renames(library, "export")}


@functools.cache
def names_in_imports(library: str) -> dict[str, str]:
    """What names of the imports are called where they come from, for those that are renamed."""
    return {outer: inner for inner, outer in renames(library, "import")}


def renames(library: str, head: str) -> Iterator[tuple[str, str]]:
    """Pairs (inner, outer) of the rename forms in a library's clauses of one kind."""
    path = scheme_root() / "lib" / f"{library}.sld"
    if not path.is_file():
        return
    pending = [
        clause
        for form in read_forms(path.read_text(encoding="utf-8"))
        for clause in form.items or ()
        if clause.head == head
    ]
    while pending:
        form = pending.pop()
        items = form.items or ()
        if form.head == "rename" and head == "export" and len(items) == 3:
            yield items[1].text, items[2].text
        elif form.head == "rename":
            pairs = (pair.items or () for pair in items[2:])
            yield from ((pair[0].text, pair[1].text) for pair in pairs if len(pair) == 2)
            pending.extend(items[1:2])
        else:
            pending.extend(items)


def find(name: str, libraries: list[str]) -> Entry | None:
    """The entry on a name that one of the libraries exports: its own, or of what it imports.

    >>> find("u8vector-empty?", ["srfi/160/u8"]).usage
    '(u8vector-empty? vector)'
    """
    seen: set[tuple[str, str]] = set()
    pending = [(library, name) for library in libraries]
    while pending:
        library, called = pending.pop(0)
        if (library, called) in seen:
            continue
        seen.add((library, called))
        inner = inner_names(library).get(called, called)
        entry = documented(library).get(called) or documented(library).get(inner)
        if entry is not None:
            return renamed(entry, name)
        origin = names_in_imports(library).get(inner, inner)
        pending.extend((other, origin) for other in sorted(imports_of(library)))
    return core().get(name)


def renamed(entry: Entry, name: str) -> Entry:
    """The entry as one on the name under which the thing is known outside."""
    if entry.name == name:
        return entry
    word = re.compile(rf"(?<![^\s(),:;.'`]){re.escape(entry.name)}(?![^\s(),:;.'`])")
    return Entry(name, word.sub(name, entry.usage), word.sub(name, entry.text))


def documentation(host: Host, args: list[object]) -> object:
    """The usage and text of a name in one of the libraries, or #f."""
    name = argument(args, 0, str, "a string")
    written = argument(args, 1, list, "a list of library names")
    libraries = ["/".join(str(item).strip("()").split()) for item in written]
    entry = find(name, [library for library in libraries if is_allowed(host.policy, library)])
    return False if entry is None else f"{entry.usage}: {entry.text}"


def library_documentation(host: Host, args: list[object]) -> object:
    """Pairs of name and text of all that a library's own files say, or #f."""
    library = "/".join(argument(args, 0, str, "a library name").strip("()").split())
    if not is_allowed(host.policy, library):
        return False
    found = documented(library)
    return [[entry.name, entry.text] for entry in found.values()] if found else False


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "documentation": documentation,
    "library-documentation": library_documentation,
}
