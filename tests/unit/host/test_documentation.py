"""The `;;>` comments: how they are read, and that every export of (tein ...) has one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from chibi_bridge import Context, Limits
from chibi_bridge.host import Host, perform
from chibi_bridge.host.documentation import Entry, documented, entries, find
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


@pytest.mark.parametrize(
    ("name", "library", "part"),
    [
        ("u8vector-empty?", "srfi/160/u8", "(u8vector-empty? vector)"),
        ("string-index", "srfi/13", "(string-index string"),
        ("json-parse", "tein/json", "(json-parse string)"),
        ("let*", "scheme/base", "(let* ((name value)"),
    ],
)
def test_names_are_found_under_what_they_are_called_outside(name: str, library: str, part: str) -> None:
    entry = find(name, [library])
    assert entry is not None
    assert entry.name == name
    assert part in entry.usage


def test_excluded_libraries_tell_nothing() -> None:
    assert documented("tein/modules")
    assert perform(Host(Policy()), "documentation", ["register-module", ["(tein modules)"]]) is False


def test_every_name_of_r7rs_small_has_a_text(make_context: Callable[..., Context]) -> None:
    """A comment of a library, the core's texts, or the engine's own on a primitive."""
    ctx = make_context(Policy(modules="all", limits=Limits(fuel=None)))
    ctx.eval("(import (tein introspect) (scheme base) (scheme small) (scheme r5rs))")
    ctx.eval("(define (doc? name) (let ((info (binding-info name))) (and info (assq 'doc info) #t)))")
    missing = ctx.eval("""
        (let loop ((names (append (module-exports '(scheme small)) (module-exports '(scheme r5rs)))) (out '()))
          (if (null? names) out (loop (cdr names) (if (doc? (car names)) out (cons (car names) out)))))""")
    assert {str(name) for name in missing} - {"..."} == set()  # type: ignore[union-attr]
