"""Small programs from bug reports on many Schemes; `expect` is the written last value."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, Limits, Policy

CASES = [json.loads(line) for line in Path(__file__).with_name("scheme.jsonl").read_text(encoding="utf-8").splitlines()]
PRELUDE = (
    "(import (scheme base) (scheme char) (scheme complex) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy) "
    "(scheme read) (scheme write) (scheme case-lambda) (scheme process-context))"
)
POLICY = Policy(modules="all", limits=Limits(fuel=200_000_000, timeout=20.0, memory=256 << 20, output=1 << 20))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"scheme_{case['id']}")
def test_case(case: dict[str, str], make_context: Callable[..., Context]) -> None:
    ctx = make_context(POLICY)
    ctx.eval(PRELUDE)
    assert ctx.eval_written(case["code"]) == case["expect"], case.get("wrong", "")
