"""Every library that chibi's tool files may import in its sandbox is here."""

from __future__ import annotations

import pytest

from chibi_bridge import CompileError, Context, Policy, SchemeError

PARTS = {
    "scheme": """base bitwise box bytevector case-lambda char char/normalization charset comparator complex cxr
        division ephemeron eval file fixnum flonum generator hash-table ideque ilist inexact lazy list list-queue load
        lseq mapping process-context read red repl rlist set show small sort stream text time vector vector/base
        vector/c128 vector/c64 vector/f32 vector/f64 vector/s16 vector/s32 vector/s64 vector/s8 vector/u16 vector/u32
        vector/u64 vector/u8 write""",
    "srfi": """1 1/immutable 101 11 111 113 116 117 121 124 125 127 128 129 130 132 133 134 135 135/kernel8 139 14 141
        142 143 144 145 146 146/hamt 146/hamt-map 146/hamt-misc 146/vector-edit 147 151 154 158 159 159/base 159/color
        159/columnar 159/unicode 16 160/base 160/c128 160/c64 160/f16 160/f32 160/f64 160/f8 160/mini 160/prims 160/s16
        160/s32 160/s64 160/s8 160/u16 160/u32 160/u64 160/u8 160/uvector 165 166 166/base 166/color 166/columnar
        166/pretty 166/unicode 179 179/base 18 188 19 193 2 219 227 227/definition 229 23 231 231/base 26 27 33 35
        35/internal 38 39 41 46 55 6 64 69 8 9 95 98 99 99/records 99/records/inspection 99/records/procedural
        99/records/syntactic""",
    "tein": """crypto docs file filesystem foreign introspect introspect/docs json load process safe-regexp test time
        toml uuid""",
    "chibi": """app apropos assert ast base64 binary-record bytevector channel char-set char-set/ascii char-set/base
        char-set/boundary char-set/extras char-set/full config crypto/md5 crypto/rsa crypto/sha2 csv diff edit-distance
        equiv filesystem generic highlight io iset iset/base iset/constructors iset/iterators iset/optimize log loop
        match math/prime memoize mime monad/environment net net/http net/http-server net/server net/server-util
        net/servlet optional parse parse/common pathname process quoted-printable shell show/base show/color
        show/column show/pretty show/shared show/unicode string stty sxml system tar temp-file term/ansi term/edit-line
        text text/base text/search text/types text/utf8 time uri weak""",
}
NAMES = [f"{root} {part.replace('/', ' ')}" for root, parts in PARTS.items() for part in parts.split()]
PUT_OFF = [
    "tein reader",
    "tein macro",
    "chibi syntax-case",
    "srfi 211 identifier-syntax",
    "srfi 211 variable-transformer",
]


@pytest.fixture(scope="module")
def sandbox() -> Context:
    with Context(Policy()) as ctx:
        yield ctx


def test_the_list_is_whole() -> None:
    assert len(NAMES) + len(PUT_OFF) == 251


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_file_may_import(name: str, sandbox: Context) -> None:
    sandbox.eval(f"(import (prefix ({name}) x:))")


@pytest.mark.parametrize("name", PUT_OFF)
def test_what_is_put_off_says_so(name: str, sandbox: Context) -> None:
    with pytest.raises((CompileError, SchemeError), match="not available"):
        sandbox.eval(f"(import ({name}))")
