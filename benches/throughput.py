"""Throughput: the programs of programs/, ours against Guile (JIT on, off) and Lua.

The engines take turns on each program, so that a drift of the machine's speed
falls on all. A figure above 1 means that we are faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from benches import peers

COLUMNS = ("guile-vm", "guile-jit", "lua")


def programs() -> list[str]:
    """The names of all throughput programs."""
    return sorted(path.stem for path in peers.PROGRAMS.glob("*.scm"))


def _peer(column: str, name: str, seconds: float) -> float | None:
    try:
        if column == "lua":
            return peers.lua(name, seconds)
        return peers.guile(name, seconds, jit=column == "guile-jit")
    except peers.Unavailable:
        return None


def kind(name: str) -> str:
    """The class that a program's first comment names: calls, floats, data ..."""
    first = (peers.PROGRAMS / f"{name}.scm").read_text("utf-8").splitlines()[0]
    return first.removeprefix(";;; ").split(":")[0]


def measure(names: list[str], seconds: float) -> Iterator[dict[str, object]]:
    """One row a program: our seconds, and each peer's seconds divided by ours."""
    for name in names:
        row: dict[str, object] = {"program": name, "class": kind(name)}
        own = min(peers.ours(name, seconds / 2), peers.ours(name, seconds / 2))
        row["ours_ms"] = own * 1e3
        for column in COLUMNS:
            other = _peer(column, name, seconds)
            row[column] = None if other is None else other / own
        yield row


def geometric_mean(values: list[float]) -> float:
    """The geometric mean of positive ratios; nan for none."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
