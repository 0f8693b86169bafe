"""Bytes that leave the process, and the Python objects that may be in them.

A sealed body starts with a magic word and a MAC: under the caller's key, or under
a secret of this process, so that bytes which never left it need no key. Bytes from
elsewhere are opened with the key they were sealed with, or where they are trusted.

A Python object goes into a snapshot if a reducer is registered for its type. What
comes back is made by the registered function of the same name: nothing else runs.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from typing import Any, TypeVar

import msgpack

from chibi_bridge.errors import ImageError

__all__ = ["Reducer", "find_reducer", "named_reducer", "register_reducer", "seal", "unpack_sealed"]

PROCESS_KEY = os.urandom(32)
PLAIN, KEYED = 0, 1
T = TypeVar("T")


def seal(magic: bytes, body: bytes, key: bytes | None) -> bytes:
    """The body with what tells whether it is whole and whose it is."""
    if key is not None:
        return magic + bytes([KEYED]) + hmac.digest(key, body, "sha256") + body
    return magic + bytes([PLAIN]) + hmac.digest(PROCESS_KEY, body, "sha256") + hashlib.sha256(body).digest() + body


def unseal(magic: bytes, data: bytes, key: bytes | None, trusted: bool, what: str) -> memoryview:
    """The body, once it is known to be whole and from somebody who may send it."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"an {what} is restored from bytes: {type(data).__name__}")
    view = memoryview(data).cast("B")
    start = len(magic)
    if len(view) < start + 65 or view[:start] != magic:
        raise ImageError(f"these bytes are no {what}")
    mac, rest = view[start + 1 : start + 33], view[start + 33 :]
    if view[start] == KEYED:
        if key is not None and not hmac.compare_digest(mac, hmac.digest(key, rest, "sha256")):
            raise ImageError(f"the {what} is damaged, or was made under another key")
        if key is None and not trusted:
            raise ImageError(f"the {what} was made under a key: pass key=..., or trusted=True")
        return rest
    digest, rest = rest[:32], rest[32:]
    if key is not None:
        raise ImageError(f"the {what} was not made under a key")
    if not trusted and not hmac.compare_digest(mac, hmac.digest(PROCESS_KEY, rest, "sha256")):
        raise ImageError(f"an {what} from elsewhere needs key=..., or trusted=True")
    if digest != hashlib.sha256(rest).digest():
        raise ImageError(f"the {what} is damaged")
    return rest


def unpack_sealed(magic: bytes, data: bytes, key: bytes | None, trusted: bool, what: str) -> list[Any]:
    """The array in a sealed body."""
    body = unseal(magic, data, key, trusted, what)
    try:
        items = msgpack.unpackb(body, strict_map_key=False)
    except Exception as error:
        raise ImageError(f"the {what} is damaged") from error
    if not isinstance(items, list):
        raise ImageError(f"the {what} is damaged")
    return items


class Reducer:
    """How objects of one type are put away and made again."""

    __slots__ = ("make", "name", "reduce")

    def __init__(self, name: str, reduce: Callable[[Any], object], make: Callable[[Any], Any]) -> None:
        self.name = name
        self.reduce = reduce
        self.make = make


_by_type: dict[type, Reducer] = {}
_by_name: dict[str, Reducer] = {}


def register_reducer(
    kind: type[T], reduce: Callable[[T], object], make: Callable[[Any], T], *, name: str | None = None
) -> None:
    """Let objects of a type be saved in snapshots.

    `reduce` answers what stands for an object: None, numbers, text, bytes, lists and
    dicts of such. `make` gets that where the snapshot is restored and answers the
    object. `name` is what snapshots call the type (its module and name).

    >>> from decimal import Decimal
    >>> register_reducer(Decimal, str, Decimal)
    """
    if not isinstance(kind, type):
        raise TypeError(f"a reducer is registered for a type: {kind!r}")
    made = Reducer(name or f"{kind.__module__}.{kind.__qualname__}", reduce, make)
    _by_type[kind] = _by_name[made.name] = made


def find_reducer(value: object) -> Reducer | None:
    """The reducer for an object, by its exact type."""
    return _by_type.get(type(value))


def named_reducer(name: object) -> Reducer:
    """The reducer that a snapshot names."""
    found = _by_name.get(name) if isinstance(name, str) else None
    if found is None:
        raise ImageError(f"the snapshot holds a Python object, and no reducer is registered here for {name}")
    return found
