"""The clock: granted to everybody; frozen, but for what is slept, where the policy has a seed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.base import Host

FROZEN = 1_577_836_800  # 2020-01-01T00:00:00Z
LOOK_EVERY = 0.02  # seconds, for interrupts while a program sleeps


def current_second(host: Host, args: list[object]) -> object:
    """Seconds since 1970, a float."""
    return FROZEN + host.slept / 1e9 if host.policy.seed is not None else time.time()


def current_jiffy(host: Host, args: list[object]) -> object:
    """Nanoseconds since the context was made."""
    return host.slept if host.policy.seed is not None else time.monotonic_ns() - host.start


def jiffies_per_second(host: Host, args: list[object]) -> object:
    """Jiffies are nanoseconds."""
    return 1_000_000_000


def sleep(host: Host, args: list[object]) -> object:
    """Let so many seconds pass; refused at once where the run's time ends before."""
    seconds = args[0] if args else None
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not math.isfinite(seconds):
        raise Refusal("wrong-type", f"not a finite number of seconds: {seconds!r}", [seconds])
    seconds = max(0, seconds)
    watch = host.watch
    deadline = watch.deadline if watch is not None else None
    if deadline is not None and time.monotonic() + seconds > deadline:
        raise Refusal("timeout", f"sleeping for {seconds:g} s outlasts the time that this run is given", [seconds])
    if host.policy.seed is not None:
        host.slept += round(seconds * 1e9)
        return None
    if watch is not None and watch.on_loop:
        import asyncio  # on a loop it is there already

        return asyncio.sleep(seconds)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, LOOK_EVERY))
        if watch is not None:
            watch.guard()
    return None


def timezone_offset(host: Host, args: list[object]) -> object:
    """Seconds that the local time is ahead of UTC now; 0 where the clock is frozen."""
    return 0 if host.policy.seed is not None else time.localtime().tm_gmtoff


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "current-second": current_second,
    "current-jiffy": current_jiffy,
    "jiffies-per-second": jiffies_per_second,
    "timezone-offset": timezone_offset,
    "sleep": sleep,
}
