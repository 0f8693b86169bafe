"""Libraries for what no policy grants: they import, and each name says what is missing.

Those for what the engine cannot do say so when they are imported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chibi_bridge import CompileError, Context, Policy, SandboxViolation

LIBRARIES = Path(__file__).parents[2] / "scheme" / "lib"
FORM = re.compile(r"\(define-unavailable(?:-syntax)? (\S+)\s([^()]*)\)")
FILES = sorted(path for path in (LIBRARIES / "chibi").rglob("*.sld") if FORM.search(path.read_text(encoding="utf-8")))
NAMES = [" ".join(path.relative_to(LIBRARIES).with_suffix("").parts) for path in FILES]


def test_there_are_such_libraries() -> None:
    assert "chibi system" in NAMES
    assert "chibi net http-server" in NAMES


@pytest.mark.parametrize(("file", "name"), list(zip(FILES, NAMES, strict=True)), ids=NAMES)
def test_every_name_says_what_is_missing(file: Path, name: str) -> None:
    with Context(Policy()) as ctx:
        ctx.eval(f"(import (prefix ({name}) x:))")
        for capability, names in FORM.findall(file.read_text(encoding="utf-8")):
            for exported in names.split():
                with pytest.raises(SandboxViolation, match="is not available: it needs the capability") as caught:
                    ctx.eval(f"(x:{exported} 1 2)")
                assert exported in caught.value.message
                assert capability in caught.value.message


@pytest.mark.parametrize("name", ["chibi syntax-case", "srfi 211 identifier-syntax", "srfi 211 variable-transformer"])
def test_procedural_macros_are_refused_at_import(name: str) -> None:
    with Context(Policy()) as ctx, pytest.raises(CompileError, match=rf"\({name}\) is not available: macros are"):
        ctx.eval(f"(import ({name}))")
