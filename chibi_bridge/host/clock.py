"""The clock: granted to everybody; frozen where the policy has a seed."""

from __future__ import annotations

import time
from collections.abc import Callable

from chibi_bridge.host.base import Host

FROZEN = 1_577_836_800  # 2020-01-01T00:00:00Z


def current_second(host: Host, args: list[object]) -> object:
    """Seconds since 1970, a float."""
    return float(FROZEN) if host.policy.seed is not None else time.time()


def current_jiffy(host: Host, args: list[object]) -> object:
    """Nanoseconds since the context was made."""
    return 0 if host.policy.seed is not None else time.monotonic_ns() - host.start


def jiffies_per_second(host: Host, args: list[object]) -> object:
    """Jiffies are nanoseconds."""
    return 1_000_000_000


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "current-second": current_second,
    "current-jiffy": current_jiffy,
    "jiffies-per-second": jiffies_per_second,
}
