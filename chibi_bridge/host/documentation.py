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
        count = next((i for i, line in enumerate(block) if not line or line[0].isupper()), len(block))
        text = "\n".join(block[count:]).strip()
        for usage in usages(block[:count]):
            yield Entry(usage.strip("()").split()[0], usage, text)


def usages(lines: list[str]) -> Iterator[str]:
    """The usage forms or bare names of a block's first lines; a form may go over several."""
    for part in re.findall(r"\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()]+", " ".join(lines)):
        if part.strip("()").split():
            yield " ".join(part.split())


@functools.cache
def documented(library: str) -> dict[str, Entry]:
    """What the files of one shipped library say, by name."""
    path = scheme_root() / "lib" / f"{library}.sld"
    if not path.is_file():
        return {}
    found: dict[str, Entry] = {}
    for file in [path, *included(path)]:
        if file.is_file():
            for entry in entries(file.read_text(encoding="utf-8")):
                found.setdefault(entry.name, entry)
    return found


def included(path: Path) -> list[Path]:
    """The files that a library's text includes."""
    files: list[Path] = []
    for form in read_forms(path.read_text(encoding="utf-8")):
        for clause in form.items or ():
            if clause.head in ("include", "include-ci", "include-library-declarations"):
                files += [path.parent / item.text.strip('"') for item in (clause.items or ())[1:]]
    return files


def find(name: str, libraries: list[str]) -> Entry | None:
    """The entry on a name that one of the libraries exports: its own, or of what it imports."""
    seen: set[str] = set()
    pending = list(libraries)
    while pending:
        library = pending.pop(0)
        if library not in seen:
            seen.add(library)
            entry = documented(library).get(name)
            if entry is not None:
                return entry
            pending.extend(sorted(imports_of(library)))
    return None


def documentation(host: Host, args: list[object]) -> object:
    """The usage and text of a name in one of the libraries, or #f."""
    name = argument(args, 0, str, "a string")
    written = argument(args, 1, list, "a list of library names")
    libraries = ["/".join(str(item).strip("()").split()) for item in written]
    entry = find(name, [library for library in libraries if is_allowed(host.policy, library)])
    return False if entry is None else f"{entry.usage}: {entry.text}"


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {"documentation": documentation}
