"""chibi-bridge doc: what a name or a library is."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from chibi_bridge import Context
from chibi_bridge.cli import group
from chibi_bridge.cli.doc import info

CORE = (
    "scheme base", "scheme case-lambda", "scheme char", "scheme complex", "scheme cxr", "scheme eval", "scheme file",
    "scheme inexact", "scheme lazy", "scheme load", "scheme process-context", "scheme read", "scheme repl",
    "scheme time", "scheme write", "tein json", "harness tools",
)  # fmt: skip


def doc(*name: str) -> Result:
    return CliRunner().invoke(group, ["doc", *name])


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("car", ["(car pair): Return", "(scheme base)", "without an import"]),
        ("cond", ["(cond (test expression ...)", "(scheme base)"]),
        ("string-join", ["(string-join strings", "(srfi 13)"]),
        ("and-let*", ["(and-let* (clause ...)", "(srfi 2)"]),
        ("ideque-front", ["(import (srfi 134)) brings it"]),
        ("define-tool", ["(define-tool name", "in every tool file"]),
    ],
)
def test_a_name(name: str, parts: list[str]) -> None:
    result = doc(name)
    assert result.exit_code == 0, result.stderr
    for part in parts:
        assert part in result.stdout


@pytest.mark.parametrize("words", [["(srfi 26)"], ["srfi/26"], ["srfi", "26"]])
def test_a_library(words: list[str]) -> None:
    result = doc(*words)
    assert result.exit_code == 0, result.stderr
    first, *rest = result.stdout.splitlines()
    assert first == "(srfi 26), 2 exports"
    assert [line.split()[0] for line in rest] == ["(cut", "(cute"]


def test_an_unknown_name_suggests_others() -> None:
    result = doc("stringjoin")
    assert result.exit_code == 1
    assert "near: string-join" in result.stderr


@pytest.mark.parametrize("library", CORE)
def test_every_name_of_the_core_has_a_text(library: str) -> None:
    with Context(prelude=None) as context:
        context.import_(f"({library})", "(tein introspect)")
        names = context.eval(f"(module-exports '({library}))")
        assert [name for name in names if not (info(context, str(name)) or {}).get("doc")] == []
