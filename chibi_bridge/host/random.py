"""Random numbers: granted to everybody; deterministic where the policy has a seed."""

from __future__ import annotations

from collections.abc import Callable

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.base import Host, argument

MOST_BYTES = 1 << 20


def random_integer(host: Host, args: list[object]) -> object:
    """An exact integer from 0 to below the bound."""
    bound = argument(args, 0, int, "an exact integer")
    if bound <= 0:
        raise Refusal("range", f"the bound is not positive: {bound}", [bound])
    return host.random.randrange(bound)


def random_real(host: Host, args: list[object]) -> object:
    """A float between 0 and 1, both excluded."""
    while (number := host.random.random()) == 0.0:
        pass
    return number


def random_bytes(host: Host, args: list[object]) -> object:
    """That many random bytes."""
    count = argument(args, 0, int, "an exact integer")
    if not 0 <= count <= MOST_BYTES:
        raise Refusal("range", f"not a count of bytes up to {MOST_BYTES}: {count}", [count])
    return (
        host.random.randbytes(count)
        if host.policy.seed is not None
        else host.random.getrandbits(8 * count).to_bytes(count, "big")
        if count
        else b""
    )


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "random-integer": random_integer,
    "random-real": random_real,
    "random-bytes": random_bytes,
}
