"""Libraries and included texts: where they are, and who may have them.

Shipped libraries are trusted texts named `lib/...`; those of a context's module
path are ordinary programs read from disk.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path

from chibi_bridge.host.base import Host, argument, refuse
from chibi_bridge.host.files import is_within, read_file
from chibi_bridge.host.sexp import Form, read_forms
from chibi_bridge.policy import Policy

PACKAGE = Path(__file__).resolve().parent.parent
REACHING_OUT = frozenset(("tein/http", "tein/modules", "harness/io"))
"""Shipped libraries that "safe" leaves out."""
PREFIX = "lib/"


@functools.cache
def scheme_root() -> Path:
    """The folder with `lib` and `examples`: in the package, or beside it in a checkout."""
    shipped = PACKAGE / "_scheme"
    return shipped if shipped.is_dir() else PACKAGE.parent / "scheme"


@functools.cache
def shipped_names() -> frozenset[str]:
    """The names of all shipped libraries, such as "scheme/base"."""
    root = scheme_root() / "lib"
    return frozenset(str(path.relative_to(root).with_suffix("")) for path in root.rglob("*.sld"))


@functools.cache
def imports_of(name: str) -> frozenset[str]:
    """What a shipped library imports."""
    path = scheme_root() / "lib" / f"{name}.sld"
    if not path.is_file():
        return frozenset()
    found: set[str] = set()
    for form in read_forms(path.read_text(encoding="utf-8")):
        pending = list(form.items or ())
        while pending:
            clause = pending.pop()
            if clause.head == "import":
                found.update(import_name(item) for item in (clause.items or ())[1:])
            elif clause.head == "cond-expand":
                pending.extend(part for option in (clause.items or ())[1:] for part in (option.items or ())[1:])
    return frozenset(found)


def import_name(item: Form) -> str:
    """The library an import set starts from."""
    while item.head in ("only", "except", "prefix", "rename") and item.items and len(item.items) > 1:
        inner = item.items[1]
        if inner.items is None:
            break
        item = inner
    return "/".join(part.text for part in item.items or ())


def closure(names: Iterable[str]) -> frozenset[str]:
    """The names and all that they import, over several steps."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(imports_of(name))
    return frozenset(found)


@functools.lru_cache(maxsize=256)
def explicit_names(modules: tuple[str, ...], allow: tuple[str, ...]) -> frozenset[str]:
    """What an explicit list of modules lets in, core names included."""
    return closure((*modules, *allow))


def permitted(policy: Policy) -> frozenset[str] | None:
    """The only names that may be imported, or None where the policy names no list."""
    modules, allow = policy.modules, policy.allow
    assert isinstance(allow, tuple)
    if modules in ("safe", "all"):
        return None
    if modules == "none":
        return explicit_names((), allow)
    http = () if policy.http_allow is None else ("tein/http",)
    return explicit_names((*modules, *http), allow)


def is_allowed(policy: Policy, name: str) -> bool:
    """May this library be imported?"""
    names = permitted(policy)
    if names is not None:
        return name in names
    if policy.modules == "all" or name not in REACHING_OUT or name in policy.allow:
        return True
    return name == "tein/http" and policy.http_allow is not None


def library(host: Host, args: list[object]) -> object:
    """[text, file, trusted?] of a library by its written name, or #f."""
    written = argument(args, 0, str, "a library name")
    name = "/".join(written.strip("()").split())
    if not is_allowed(host.policy, name):
        raise refuse("modules", f"the library {written} is not available in this sandbox: the policy excludes it")
    if all(part not in ("", ".", "..") for part in name.split("/")) and "\0" not in name:
        shipped = scheme_root() / "lib" / f"{name}.sld"
        if name in shipped_names():
            return [shipped.read_text(encoding="utf-8"), f"{PREFIX}{name}.sld", True]
        for folder in host.module_path:
            path = (folder / f"{name}.sld").resolve()
            if path.is_file() and is_within(str(path), (str(folder),)):
                return [path.read_text(encoding="utf-8"), str(path), False]
    return False


def include(host: Host, args: list[object]) -> object:
    """An included text, or #f where there is none."""
    name = argument(args, 0, str, "a path")
    if name.startswith(PREFIX):
        root = scheme_root() / "lib"
        path = (root / name.removeprefix(PREFIX)).resolve()
        if path.is_file() and is_within(str(path), (str(root),)):
            return path.read_text(encoding="utf-8")
    path = Path(name)
    if path.is_absolute() and "\0" not in name:
        resolved = path.resolve()
        if resolved.is_file() and is_within(str(resolved), tuple(map(str, host.module_path))):
            return resolved.read_text(encoding="utf-8")
    return read_file(host, args)


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {"library": library, "include": include}
