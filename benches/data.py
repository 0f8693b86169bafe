"""Data in bulk: JSON in Scheme, and a large structure across the border and back.

MB/s for JSON; for the crossing, the time in proportion to what msgpack alone takes in
Python for the same structure (TARGETS: within twice).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import msgpack

Row = dict[str, object]


def document(size: int = 1 << 20) -> list[object]:
    """JSON-like records of about `size` bytes."""
    records: list[object] = []
    length = 0
    while length < size:
        record = {
            "id": len(records),
            "name": f"record number {len(records)}",
            "price": len(records) * 1.25,
            "tags": ["alpha", "beta", "gamma"],
            "nested": {"on": True, "off": False, "none": None},
        }
        records.append(record)
        length += len(json.dumps(record))
    return records


def _seconds(work: Callable[[], object], repeat: int = 5) -> float:
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def bulk() -> list[Row]:
    """Rows of JSON speed and of crossing."""
    from chibi_bridge import Context, Limits, Policy

    records = document()
    text = json.dumps(records)
    size = len(text) / 1e6
    with Context(Policy(limits=Limits(fuel=None, timeout=None, memory=1 << 30))) as context:
        context.eval("(import (tein json)) (define (same x) x)")
        context.define("text", text)
        context.eval("(define data (json-parse text))")
        parse = _seconds(lambda: context.eval("(begin (json-parse text) #t)"))
        write = _seconds(lambda: context.eval("(begin (json-stringify data) #t)"))
        same = context["same"]
        crossing = _seconds(lambda: same(records))  # type: ignore[operator]
    floor = _seconds(lambda: msgpack.unpackb(msgpack.packb(records)))
    python = _seconds(lambda: json.loads(text)), _seconds(lambda: json.dumps(records))
    return [
        {"what": "JSON parse", "MB/s": size / parse, "of python's": python[0] / parse},
        {"what": "JSON stringify", "MB/s": size / write, "of python's": python[1] / write},
        {"what": "1 MB there and back", "ms": crossing * 1e3, "of msgpack's time": crossing / floor},
    ]
