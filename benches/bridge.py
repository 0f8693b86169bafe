"""What crossing costs: contexts, calls, loading. Ours against in-process peers.

TARGETS.md's sections 1 to 3: creating a ready context (with 100 alive) and its
memory, one call there and back, read + compile + run of a 200-line tool file.
Peers: lupa (Lua 5.4), quickjs; each is skipped where it is not installed.
"""

from __future__ import annotations

import gc
import importlib
import os
import time
from collections.abc import Callable
from pathlib import Path

Row = dict[str, object]


def best_of(action: Callable[[], object], *, repeat: int = 5, number: int = 1000) -> float:
    """Seconds of one `action`, the best of `repeat` averages over `number`."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            action()
        best = min(best, (time.perf_counter() - start) / number)
    return best


def resident() -> int:
    """Bytes of this process that are in memory now."""
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _optional(name: str) -> object | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def makers() -> dict[str, Callable[[], object]]:
    """How each engine makes a ready context."""
    from chibi_bridge import Context

    found: dict[str, Callable[[], object]] = {"ours": Context}
    lupa = _optional("lupa.lua54") or _optional("lupa")
    if lupa is not None:
        found["lupa"] = lupa.LuaRuntime  # type: ignore[attr-defined]
    quickjs = _optional("quickjs")
    if quickjs is not None:
        found["quickjs"] = quickjs.Context  # type: ignore[attr-defined]
    return found


def creation(alive: int = 100) -> list[Row]:
    """Microseconds and kilobytes a context, with `alive` of them living."""
    rows: list[Row] = []
    for engine, make in makers().items():
        make()
        gc.collect()
        before, start = resident(), time.perf_counter()
        held = [make() for _ in range(alive)]
        took, after = time.perf_counter() - start, resident()
        start = time.perf_counter()
        for one in held:
            if engine == "ours":
                one.close()  # type: ignore[attr-defined]
        del held
        gone = time.perf_counter() - start
        rows.append(
            {
                "what": "create",
                "engine": engine,
                "us": took / alive * 1e6,
                "KB": (after - before) / alive / 1024,
                "destroy us": gone / alive * 1e6,
            }
        )
    return rows


def calls() -> list[Row]:
    """Microseconds of greet({...}), inc(1) and a guest -> host call."""
    from chibi_bridge import Context, Limits, Policy

    person = {"name": "bob", "city": "Oslo", "age": 42}
    rows: list[Row] = []
    with Context(Policy(limits=Limits(fuel=10**12, timeout=None))) as ctx:
        ctx.eval('(define (greet p) (string-append "hello " (cdr (assoc "name" p))))')
        ctx.eval("(define (inc n) (+ n 1))")
        ctx.define("host", lambda n: n)
        ctx.eval("(define (ask n) (let loop ((i 0)) (if (< i n) (begin (host i) (loop (+ i 1))) i)))")
        greet, inc = ctx["greet"], ctx["inc"]
        rows.append({"what": "greet", "engine": "ours", "us": best_of(lambda: greet(person)) * 1e6})
        rows.append({"what": "inc", "engine": "ours", "us": best_of(lambda: inc(1)) * 1e6})
        rows.append({"what": "host", "engine": "ours", "us": best_of(lambda: ctx.call("ask", 1000), number=5) * 1e3})
    rows += _lua_calls(person) + _quickjs_calls(person)
    return rows


def _lua_calls(person: dict[str, object]) -> list[Row]:
    lupa = _optional("lupa.lua54") or _optional("lupa")
    if lupa is None:
        return []
    lua = lupa.LuaRuntime()  # type: ignore[attr-defined]
    greet = lua.eval('function(p) return "hello " .. p.name end')
    inc = lua.eval("function(n) return n + 1 end")
    ask = lua.eval("function(f, n) for i = 1, n do f(i) end return n end")
    return [
        {"what": "greet", "engine": "lupa", "us": best_of(lambda: greet(lua.table_from(person))) * 1e6},
        {"what": "inc", "engine": "lupa", "us": best_of(lambda: inc(1)) * 1e6},
        {"what": "host", "engine": "lupa", "us": best_of(lambda: ask(lambda i: i, 1000), number=5) * 1e3},
    ]


def _quickjs_calls(person: dict[str, object]) -> list[Row]:
    import json

    quickjs = _optional("quickjs")
    if quickjs is None:
        return []
    js = quickjs.Context()  # type: ignore[attr-defined]
    js.eval("function greet(p) { return 'hello ' + JSON.parse(p).name }; function inc(n) { return n + 1 }")
    greet, inc = js.get("greet"), js.get("inc")
    return [
        {"what": "greet", "engine": "quickjs", "us": best_of(lambda: greet(json.dumps(person))) * 1e6},
        {"what": "inc", "engine": "quickjs", "us": best_of(lambda: inc(1)) * 1e6},
    ]


def tool_text(lines: int = 200) -> str:
    """A tool file of about so many lines, as models write them."""
    parts = []
    for i in range(lines // 10):
        parts.append(
            f"(define (helper-{i} text n)\n"
            f"  (let loop ((i 0) (out (quote ())))\n"
            f"    (cond ((= i n) (reverse out))\n"
            f'          ((string=? text "stop-{i}") (list text))\n'
            f"          (else\n"
            f"           (let* ((k (* i {i + 1})) (label (number->string k)))\n"
            f"             (if (odd? k)\n"
            f'                 (loop (+ i 1) (cons (string-append label "-" text) out))\n'
            f"                 (loop (+ i 1) (cons label out))))))))\n"
        )
    return "\n".join(parts)


def loading() -> list[Row]:
    """Milliseconds to read, compile and run a 200-line file; microseconds of (+ 1 2)."""
    from chibi_bridge import Context

    text = tool_text()
    rows: list[Row] = []
    with Context() as ctx:
        rows.append(
            {"what": "load 200 lines", "engine": "ours", "us": best_of(lambda: ctx.eval(text), number=20) * 1e6}
        )
        rows.append({"what": "eval (+ 1 2)", "engine": "ours", "us": best_of(lambda: ctx.eval("(+ 1 2)")) * 1e6})
    return rows
