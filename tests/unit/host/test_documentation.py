"""The `;;>` comments: how they are read, and that every export of (tein ...) has one."""

from __future__ import annotations

import re

import pytest

from chibi_bridge.host import Host, perform
from chibi_bridge.host.documentation import Entry, documented, entries
from chibi_bridge.host.libraries import scheme_root
from chibi_bridge.policy import Policy

LIBRARIES = sorted(
    f"tein/{path.stem}"
    for path in (scheme_root() / "lib" / "tein").glob("*.sld")
    if path.stem not in ("reader", "macro")
)


def test_blocks() -> None:
    text = """
;;> (f a [b])
;;> (g a)
;;> Do it. (f 1) => 2
;;
;;> one two
;;> three
;;> Names.
"""
    assert list(entries(text)) == [
        Entry("f", "(f a [b])", "Do it. (f 1) => 2"),
        Entry("g", "(g a)", "Do it. (f 1) => 2"),
        Entry("one", "one", "Names."),
        Entry("two", "two", "Names."),
        Entry("three", "three", "Names."),
    ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_export_has_a_text(library: str) -> None:
    path = scheme_root() / "lib" / f"{library}.sld"
    text = re.sub(r";[^\n]*", "", path.read_text(encoding="utf-8"))
    exports = set(text[text.index("(export") : text.index("(import")].replace("(export", " ").replace(")", " ").split())
    host = Host(Policy(modules="all"))
    written = f"({library.replace('/', ' ')})"
    missing = {name for name in exports if perform(host, "documentation", [name, [written]]) is False}
    assert missing == set()


def test_excluded_libraries_tell_nothing() -> None:
    assert documented("tein/modules")
    assert perform(Host(Policy()), "documentation", ["register-module", ["(tein modules)"]]) is False
