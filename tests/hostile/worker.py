"""Run hostile cases, one JSON line each, in a process that may be killed.

Reads a case (cases.jsonl) from standard input, answers one JSON line
{"problem": null or text, "seconds": n}. The parent kills this process where an
answer does not come in time; so one bad case costs one process.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import chibi_bridge as cb

KINDS = {
    "ReadError": "read-error",
    "CompileError": "compile-error",
    "FuelExhausted": "fuel",
    "RunTimeout": "timeout",
    "MemoryExhausted": "memory",
    "OutputExhausted": "output",
    "SandboxViolation": "sandbox",
    "SchemeExit": "exit",
}


def outcome(run: Callable[[], str]) -> tuple[str, str]:
    """(kind, written value or message) of calling `run`."""
    try:
        return "value", run()
    except cb.SchemeError as error:
        for cls in type(error).__mro__:
            if cls.__name__ in KINDS:
                return KINDS[cls.__name__], str(error)
        return "scheme-error", str(error)


def source(case: dict) -> str:
    """The program's text: `gen` is a Python expression of our own data."""
    return eval(case["gen"], {}) if case.get("gen") else case["code"]


def policy(case: dict) -> cb.Policy:
    p = case["policy"]
    limits = cb.Limits(fuel=p["fuel"], timeout=p["timeout"], memory=p["memory"], output=p["output"])
    return cb.Policy(modules=p.get("modules", "safe"), limits=limits)


def check(case: dict) -> str | None:
    """What is wrong with how the case ended, or None."""
    code = source(case)
    start = time.monotonic()
    try:
        context = cb.Context(policy(case))
    except (ValueError, cb.MemoryExhausted) as error:
        return None if "memory" in case["expect"] else f"no context: {error!s:.200}"
    with context as ctx:
        try:
            kind, got = outcome(lambda: ctx.eval_written(code))
        except ValueError as error:  # text that cannot enter, such as a lone surrogate
            kind, got = "read-error", str(error)
        elapsed = time.monotonic() - start
        return judge(case, kind, got, elapsed) or follow_up(ctx, case, kind)


def judge(case: dict, kind: str, got: str, elapsed: float) -> str | None:
    if kind not in case["expect"]:
        return f"expected {case['expect']}, got {kind} {got!s:.200}"
    if kind == "value" and case.get("value") is not None and got != case["value"]:
        return f"expected value {case['value']:.200}, got {got!s:.200}"
    if elapsed > case["max_seconds"]:
        return f"took {elapsed:.1f} s, bound {case['max_seconds']} s"
    return None


def follow_up(ctx: cb.Context, case: dict, kind: str) -> str | None:
    """The steps that must still work in the same context."""
    for step in case.get("then") or []:
        if kind in step["unless"]:
            continue
        kind2, got = outcome(lambda step=step: ctx.eval_written(step["code"]))
        if kind2 not in step["expect"] or (step["value"] is not None and got != step["value"]):
            want = step["value"] or step["expect"]
            return f"afterwards {step['code']!r:.80}: expected {want}, got {kind2} {got!s:.160}"
    return None


def main() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        start = time.monotonic()
        try:
            problem = check(case)
        except Exception as error:
            problem = f"{type(error).__name__}: {error!s:.200}"
        print(json.dumps({"problem": problem, "seconds": time.monotonic() - start}), flush=True)


if __name__ == "__main__":
    main()
