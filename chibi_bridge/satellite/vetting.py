"""Vetting: which libraries an extension's source imports, found by reading, not by running.

Allowed are the libraries of R7RS and the SRFIs, those of `(chibi ...)` and
`(chibi-bridge ...)` that are safe, `(ext ...)`, `(cap ...)`, and what the tree brings
itself. The program runs in a jail anyway; this tells early, and by name, what cannot work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chibi_bridge.host.sexp import Form, read_forms
from chibi_bridge.satellite.manifest import ManifestError

__all__ = ["allowlist", "vet"]

FAMILIES = ("scheme", "srfi", "chibi", "chibi-bridge", "ext", "cap")
REFUSED = frozenset(
    "scheme/file scheme/load scheme/process-context scheme/r5rs chibi/process chibi/filesystem chibi/net"
    " chibi/shell chibi/system chibi/ast".split()
)
MODIFIERS = frozenset(("only", "except", "prefix", "rename"))
OURS = frozenset((*FAMILIES, "tein", "harness"))
"""First words of library names that a tree may not use for its own."""


def allowlist() -> list[str]:
    """What may be imported, for the record of an install."""
    return [*(f"({name} ...)" for name in FAMILIES), *(f"not {name}" for name in sorted(REFUSED))]


def vet(files: Mapping[str, bytes]) -> None:
    """Raise ManifestError for what a tree's sources may not contain."""
    sources = {path: content for path, content in files.items() if path.startswith("src/")}
    for path in sources:
        if not path.endswith((".scm", ".sld")):
            raise ManifestError(f"{path}: under src/ are .scm and .sld files only")
    siblings = {path[4:-4] for path in sources if path.endswith(".sld")}
    for name in sorted(siblings):
        if name.split("/")[0] in OURS:
            raise ManifestError(f"src/{name}.sld: a library of an extension is not named like one of ours")
    for path, content in sorted(sources.items()):
        vet_file(path, content.decode("utf-8"), siblings)


def vet_file(path: str, text: str, siblings: set[str]) -> None:
    """Look through one file."""
    try:
        forms = read_forms(text)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{path}: {error}") from None
    defined = {name for form in forms if form.head == "define-library" for name in library_names(form)}
    for name in sorted(defined):
        if name.split("/")[0] in OURS:
            raise ManifestError(f"{path}: ({name.replace('/', ' ')}) is named like one of our libraries")
    for form in imports(forms):
        for item in (form.items or ())[1:]:
            name = imported(item)
            if not is_allowed(name, siblings | defined):
                shown = name.replace("/", " ") or "?"
                raise ManifestError(f"{path}: importing ({shown}) is not allowed in an extension")


def imports(forms: object) -> Iterator[Form]:
    """Every import form, however deep; includes are refused by what they would read."""
    waiting = list(forms) if isinstance(forms, (list, tuple)) else []
    while waiting:
        form = waiting.pop()
        if form.head == "import":
            yield form
        waiting.extend(form.items or ())


def library_names(form: Form) -> Iterator[str]:
    """The name that a define-library form defines."""
    if form.items and len(form.items) > 1:
        yield "/".join(part.text for part in form.items[1].items or ())


def imported(item: Form) -> str:
    """The library behind an import set, as a/b/c; "" for what is none."""
    while item.items and item.head in MODIFIERS and len(item.items) > 1 and item.items[1].items:
        item = item.items[1]
    return "/".join(part.text for part in item.items or ())


def is_allowed(name: str, own: set[str]) -> bool:
    """May a library be imported?"""
    return name in own or (name.split("/")[0] in FAMILIES and name not in REFUSED)
