"""The names of R7RS-large: each library exports what its SRFI does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, Policy

LIBRARIES = Path(__file__).parents[2] / "scheme" / "lib"
SCALARS = "u8 s8 u16 s16 u32 s32 u64 s64 f32 f64 c64 c128"
ALIASES = {
    "scheme list": "srfi 1",
    "scheme vector": "srfi 133",
    "scheme hash-table": "srfi 125",
    "scheme sort": "srfi 132",
    "scheme set": "srfi 113",
    "scheme charset": "srfi 14",
    "scheme char-set": "srfi 14",
    "scheme comparator": "srfi 128",
    "scheme generator": "srfi 158",
    "scheme box": "srfi 111",
    "scheme list-queue": "srfi 117",
    "scheme ideque": "srfi 134",
    "scheme ilist": "srfi 116",
    "scheme lseq": "srfi 127",
    "scheme stream": "srfi 41",
    "scheme text": "srfi 135",
    "scheme mapping": "srfi 146",
    "scheme mapping hash": "srfi 146 hash",
    "scheme bitwise": "srfi 151",
    "scheme fixnum": "srfi 143",
    "scheme flonum": "srfi 144",
    "scheme division": "srfi 141",
    "scheme show": "srfi 166",
    "scheme regex": "srfi 115",
    "scheme ephemeron": "srfi 124",
    **{f"scheme vector {scalar}": f"srfi 160 {scalar}" for scalar in ["base", *SCALARS.split()]},
}
PRESENT = {name: of for name, of in ALIASES.items() if (LIBRARIES / f"{of.replace(' ', '/')}.sld").exists()}


def exports(name: str) -> set[str]:
    """The names in the export forms of a library's file."""
    text = re.sub(r";[^\n]*", "", (LIBRARIES / f"{name.replace(' ', '/')}.sld").read_text(encoding="utf-8"))
    body = text[text.index("(export") + len("(export") : text.index("(import")]
    body = re.sub(r"\(rename\s+\S+\s+([^\s()]+)\)", r"\1", body)
    return set(body.replace(")", " ").replace("(export", " ").split())


@pytest.mark.parametrize(("name", "of"), PRESENT.items())
def test_alias(name: str, of: str, make_context: Callable[..., Context]) -> None:
    assert exports(name) == exports(of)
    ctx = make_context(Policy(modules="all"))
    ctx.eval(f"(import (prefix ({name}) alias:))")
    assert ctx.names("alias:")
