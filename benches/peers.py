"""Which peers are here, and how a program is run on each.

A throughput program (programs/NAME.scm, lua/NAME.lua) defines `run` and
`expected`. Every engine is asked for the same thing: call `run` until at least
`seconds` have gone by, check each result, and answer the seconds of the fastest
call. A peer that is not installed is skipped and named.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
LUA = HERE / "lua"

GUILE_HEAD = "(import (scheme base) (scheme write) (scheme inexact) (scheme cxr) (scheme char) (scheme time))\n"
GUILE_TAIL = """
(let* ((unit (/ 1.0 (jiffies-per-second))) (budget {seconds}) (begin (current-jiffy)))
  (let loop ((best 1e9))
    (let* ((t (current-jiffy)) (r (run)) (now (current-jiffy)) (took (* unit (- now t))))
      (if (not (equal? r expected)) (begin (write r) (error "wrong result" r)))
      (if (< (* unit (- now begin)) budget)
          (loop (min best took))
          (begin (display (min best took)) (newline))))))
"""
LUA_TAIL = """
local best, start = 1e9, os.clock()
repeat
  local t = os.clock(); local r = run(); local took = os.clock() - t
  assert(r == expected, r)
  if took < best then best = took end
until os.clock() - start > {seconds}
print(best)
"""


class Unavailable(Exception):
    """This peer is not installed, or has no version of the program."""


def _last_number(command: list[str], environment: dict[str, str] | None = None) -> float:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env={**os.environ, **(environment or {})}
    )
    try:
        return float(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}"[-400:]) from None


def guile(name: str, seconds: float, *, jit: bool) -> float:
    """Seconds of the fastest call under Guile 3, compiled, with or without its JIT."""
    program = shutil.which("guile")
    if program is None:
        raise Unavailable("guile is not installed (Debian: guile-3.0)")
    text = GUILE_HEAD + (PROGRAMS / f"{name}.scm").read_text("utf-8") + GUILE_TAIL.format(seconds=seconds)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.scm")
        source.write_text(text, encoding="utf-8")
        load = f'(import (system base compile))(load-compiled (compile-file "{source}" #:output-file "{source}.go"))'
        return _last_number(
            [program, "--r7rs", "--no-auto-compile", "-c", load],
            {} if jit else {"GUILE_JIT_THRESHOLD": "-1"},
        )


def lua(name: str, seconds: float) -> float:
    """Seconds of the fastest call under Lua 5.4."""
    program = shutil.which("lua5.4")
    source = LUA / f"{name}.lua"
    if program is None:
        raise Unavailable("lua5.4 is not installed (Debian: lua5.4)")
    if not source.exists():
        raise Unavailable(f"no Lua version of {name}")
    return _last_number([program, "-e", "\n" + source.read_text("utf-8") + LUA_TAIL.format(seconds=seconds)])


def ours(name: str, seconds: float) -> float:
    """Seconds of the fastest call in a context of ours, limits on."""
    import time

    from chibi_bridge import Context, Limits, Policy

    limits = Limits(fuel=10**12, timeout=600.0, memory=512 << 20)
    with Context(Policy(modules="all", limits=limits)) as context:
        context.eval("(import (scheme base) (scheme write) (scheme inexact) (scheme cxr) (scheme char))")
        context.eval((PROGRAMS / f"{name}.scm").read_text("utf-8"), filename=f"{name}.scm")
        expected = context.eval("expected")
        best, start = 1e9, time.perf_counter()
        while time.perf_counter() - start < seconds:
            begin = time.perf_counter()
            result = context.call("run")
            best = min(best, time.perf_counter() - begin)
            if result != expected:
                raise RuntimeError(f"{name}: wrong result {result!r}")
        return best
