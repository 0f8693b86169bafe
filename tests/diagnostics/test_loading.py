"""What a file that is no Scheme at all is told when it is loaded."""

from __future__ import annotations

import pytest

from chibi_bridge import Config, SchemeError
from chibi_bridge.tools.load import load_source

TOOL = '(define-tool t (description "d") (parameters \'()) (execute (lambda (args) 1)))'


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (f"```scheme\n{TOOL}\n```\n", "line 1: a Markdown code fence"),
        (f"# the tool\n{TOOL}", "a comment begins with ;"),
        (TOOL.replace('"d"', "'a tool'"), "double quotes"),
        (TOOL.replace('"d"', "\u201cd\u201d"), "straight double quotes"),
        (f"/* the tool */\n{TOOL}", "a comment begins with ;"),
        (f"(define limit 1_000)\n{TOOL}", "write 1000"),
    ],
)
def test_hint(text: str, hint: str) -> None:
    with pytest.raises(SchemeError) as caught:
        load_source(text, "/tools/shared/t.scm", "t.scm", config=Config())
    assert caught.value.location is not None
    assert hint in (caught.value.hint or "")
