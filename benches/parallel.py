"""Two contexts on two threads: how much more they do than one.

The engine holds no lock while Scheme runs, so two cores do almost twice the work. A
pure Python loop on two threads is measured beside it: it gains nothing.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

Row = dict[str, object]

PROGRAM = "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 27)"
ALLOCATING = "(let loop ((i 0)) (if (< i 300) (begin (vector-map + (make-vector 10000 i)) (loop (+ i 1))) i))"


def _scheme(program: str) -> Callable[[], object]:
    from chibi_bridge import Context, Limits, Policy

    def work() -> None:
        with Context(Policy(limits=Limits(fuel=None, timeout=None))) as context:
            context.eval(program)

    return work


def _python() -> None:
    total = 0
    for i in range(1_000_000):
        total += i


def _on_threads(work: Callable[[], object], count: int) -> float:
    """Seconds of `count` threads that do `work` once each."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def threads() -> list[Row]:
    """How many times the work of one thread two do in the same time; the best of five rounds."""
    rows: list[Row] = []
    kinds = {"ours, calls": _scheme(PROGRAM), "ours, allocating": _scheme(ALLOCATING), "python": _python}
    for name, work in kinds.items():
        work()
        gains = []
        for _ in range(5):
            one = _on_threads(work, 1)
            gains.append(2 * one / _on_threads(work, 2))
        rows.append({"what": name, "cores": os.cpu_count(), "gain": max(gains)})
    return rows
