"""A campaign split over an executor: any of concurrent.futures, or dask's.

Each part is a campaign of its own with a seed of its own; what they find is merged,
each fault once.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from chibi_bridge.fuzz.plan import Plan
from chibi_bridge.fuzz.runner import Campaign, Report

__all__ = ["executor_at", "fuzz_over"]


def part(plan: Plan, tool: str | None, max_examples: int, seed: int, time: float | None) -> Report:
    """One part of a campaign; runs wherever the executor likes."""
    return Campaign(plan, max_examples=max_examples, number=seed, time=time).run(tool)


def fuzz_over(
    executor: Executor,
    plan: Plan,
    tool: str | None = None,
    *,
    parts: int = 2,
    max_examples: int = 1_000,
    seed: int = 0,
    time: float | None = None,
) -> Report:
    """Fuzz in `parts` that share the examples; the executor stays open.

    Raises what loading the file raises, from the first part that does.
    """
    if parts < 1:
        raise ValueError(f"parts is at least 1: {parts}")
    sizes = [max_examples // parts + (index < max_examples % parts) for index in range(parts)]
    futures = [executor.submit(part, plan, tool, size, seed + index, time) for index, size in enumerate(sizes) if size]
    whole = Report(plan.file, seed)
    for future in futures:
        whole.merge(future.result())
    return whole


@contextmanager
def executor_at(address: str) -> Iterator[Executor]:
    """The executor that an address names: dask://HOST:PORT, processes:N or threads:N. Raises ValueError."""
    kind, _, rest = address.partition(":")
    if kind == "dask" and rest.startswith("//") and len(rest) > 2:
        from distributed import Client  # the extra `dask`

        with Client(f"tcp://{rest[2:]}") as client, client.get_executor() as made:
            yield made
    elif kind in ("processes", "threads") and rest.isdigit() and int(rest) > 0:
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

        pool = ProcessPoolExecutor if kind == "processes" else ThreadPoolExecutor
        with pool(int(rest)) as executor:
            yield executor
    else:
        raise ValueError(f"an executor is dask://HOST:PORT, processes:N or threads:N: {address!r}")
