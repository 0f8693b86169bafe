"""Two ways to evaluate a batch of expressions: one Guile process, one of our contexts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from chibi_bridge import Context, Limits, Policy, SchemeError

HERE = Path(__file__).resolve().parent
IMPORTS = (
    "(import (scheme base) (scheme char) (scheme complex) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy) "
    "(scheme read) (scheme write) (scheme case-lambda))"
)
POLICY = Policy(modules="all", limits=Limits(fuel=200_000_000, timeout=60.0, memory=256 << 20))

SPELLINGS = (("#vu8(", "#u8("), ("#\\nul ", "#\\null "), ("#\\nul)", "#\\null)"), ("#\\esc ", "#\\escape "))
DECIMAL = re.compile(r"(?<![\w.#\\])-?(?:\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)(?![\w.])")


def respelled(written: str) -> str:
    """The same datum in one spelling: names of characters, bytevectors, exponents of flonums."""
    for one, other in SPELLINGS:
        written = written.replace(one, other)
    written = "#\\null" if written == "#\\nul" else written
    return DECIMAL.sub(lambda found: repr(float(found.group())), written)


def guile(expressions: list[str]) -> list[str]:
    """What Guile answers to each, in one process."""
    done = subprocess.run(
        ["guile", "--no-auto-compile", "--r7rs", "-s", str(HERE / "guile.scm")],
        input="\n".join(expressions),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(expressions), f"after {expressions[len(answers)]}\n{done.stderr}"
    return [respelled(answer) for answer in answers]


def ours(expressions: list[str]) -> list[str]:
    """What our engine answers to each, in one context without a prelude."""
    answers = []
    with Context(POLICY, prelude=None) as context:
        context.eval(IMPORTS)
        for expression in expressions:
            try:
                answers.append(respelled(context.eval_written(expression)))
            except SchemeError:
                answers.append("raised")
    return answers
