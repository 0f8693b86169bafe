"""The packed form of values (MessagePack with extension types) and Python values.

The header of the engine states the form. Small values go through the C code of
msgpack; values nested too deeply for it go through the iterative code below,
which is complete by itself, so that depth is bounded by memory alone.

Knows neither ffi nor contexts: a Codec belongs to one context, whose foreign
objects and dead handles it holds.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

import msgpack

from chibi_bridge.errors import ConversionError, SchemeError
from chibi_bridge.values import EOF, Caller, Char, Eof, Handle, Opaque, Pair, Procedure, Record, Symbol, Values, Vector

SYMBOL, CHAR, INTEGER, RATIO, COMPLEX, VECTOR, IMPROPER, RECORD = 1, 2, 3, 4, 5, 6, 7, 8
HANDLE, VALUES, END_OF_FILE, TABLE, CONDITION = 9, 10, 11, 12, 13
PROPER = -1  # a Pair whose chain ends in a list: an array
NESTED = frozenset((RATIO, COMPLEX, VECTOR, IMPROPER, RECORD, HANDLE, VALUES, TABLE, CONDITION))
FOREIGN_KIND, PROCEDURE_KIND, OPAQUE_KIND, HOST_PROCEDURE_KIND = 0, 1, 2, 3

ExtType = msgpack.ExtType


class HostProcedure:
    """A procedure that the host answers: an id of ours and a name, only towards the engine."""

    __slots__ = ("id", "name")

    def __init__(self, identity: int, name: str) -> None:
        self.id = identity
        self.name = name


class Codec:
    """Packs and unpacks the values of one context.

    `context` answers the context that procedures are called in (or None),
    `condition` makes the Python form of a condition.
    """

    __slots__ = (
        "_condition",
        "_context",
        "dead",
        "foreign",
        "limit",
        "next_id",
        "pack_plain",
        "token",
        "unpackb",
    )

    def __init__(
        self,
        context: Callable[[], Caller | None],
        condition: Callable[[list[object], Opaque | None], object],
        limit: int,
    ) -> None:
        self.dead: list[int] = []
        self.foreign: dict[int, object] = {}
        self.next_id = 1
        self.token = object()
        self.limit = limit
        self._context = context
        self._condition = condition
        self.pack_plain: Callable[[object], bytes] | None = None
        self.unpackb: Callable[[Any], object] | None = None

    def start(self) -> Callable[[object], bytes]:
        """Make what packs and unpacks, when the first value crosses."""
        self.unpackb = partial(msgpack.unpackb, ext_hook=self._extension, strict_map_key=False)
        self.pack_plain = msgpack.Packer(default=self._default, strict_types=True, buf_size=256).pack
        return self.pack_plain

    # -- towards the engine ------------------------------------------------------

    def pack(self, value: object) -> bytes:
        """The packed form; ConversionError for what cannot cross."""
        try:
            packed = (self.pack_plain or self.start())(value)
        except UnicodeEncodeError as error:
            raise surrogate_error(error) from None
        except ConversionError:
            raise
        except (ValueError, RecursionError, OverflowError):
            packed = pack_deep(self, value)
        if len(packed) > self.limit:
            raise ConversionError(f"the value needs {len(packed)} bytes; the context has {self.limit}")
        return packed

    def pack_items(self, items: Iterable[object]) -> bytes:
        """Several packed items directly one after another."""
        return b"".join(self._pack_inner(item) for item in items)

    def _pack_inner(self, item: object) -> bytes:
        return msgpack.packb(item, default=self._default, strict_types=True, buf_size=256)  # type: ignore[no-any-return]

    def _default(self, value: object) -> object:
        """Called by msgpack for what is not exactly one of its own types."""
        plain = simplify(value)
        if plain is not value:
            return plain
        code, head, items = self.extension(value)
        if code == PROPER:
            return items
        return ExtType(code, head + self.pack_items(items) if items else head)

    def extension(self, value: object) -> tuple[int, bytes, list[object]]:
        """Extension type, leading bytes and nested items of a value that needs one."""
        kind = type(value)
        if kind is Symbol:
            return SYMBOL, encode(value), []  # type: ignore[arg-type]
        if kind is Char:
            return CHAR, encode(value), []  # type: ignore[arg-type]
        if kind is int:
            return INTEGER, big_integer(value), []  # type: ignore[arg-type]
        if isinstance(value, Fraction):
            return RATIO, b"", [value.numerator, value.denominator]
        if isinstance(value, complex):
            return COMPLEX, b"", [value.real, value.imag]
        if isinstance(value, Vector):
            return VECTOR, b"", list(value)
        if isinstance(value, Pair):
            return self._pair(value)
        if isinstance(value, Values):
            return VALUES, b"", list(value)
        if isinstance(value, Eof):
            return END_OF_FILE, b"", []
        if isinstance(value, Handle):
            return self._handle(value)
        if isinstance(value, HostProcedure):
            return HANDLE, struct.pack(">BQ", HOST_PROCEDURE_KIND, value.id), [value.name]
        if isinstance(value, SchemeError) and isinstance(value.handle, Handle) and value.handle._token is self.token:
            return self._handle(value.handle)
        return HANDLE, struct.pack(">BQ", FOREIGN_KIND, self.keep(value)), [type(value).__name__]

    def _pair(self, value: Pair) -> tuple[int, bytes, list[object]]:
        items: list[object] = []
        rest: object = value
        while type(rest) is Pair:
            items.append(rest.car)
            rest = rest.cdr
        if isinstance(rest, (list, tuple)) and not isinstance(rest, (Vector, Values)):
            return PROPER, b"", [*items, *rest]  # a proper list after all
        return IMPROPER, b"", [*items, rest]

    def _handle(self, value: Handle) -> tuple[int, bytes, list[object]]:
        if value._token is not self.token:
            raise ConversionError(f"{value!r} belongs to another context")
        kind = PROCEDURE_KIND if isinstance(value, Procedure) else OPAQUE_KIND
        return HANDLE, struct.pack(">BQ", kind, value._id), [None]

    def keep(self, value: object) -> int:
        """File a Python object under a fresh id that only this crossing uses."""
        identity = self.next_id
        self.next_id = identity + 1
        self.foreign[identity] = value
        return identity

    def drop(self, identities: Iterable[int]) -> None:
        """Forget what the engine found dead."""
        for identity in identities:
            self.foreign.pop(identity, None)

    # -- from the engine -----------------------------------------------------------

    def unpack(self, data: bytes | memoryview) -> object:
        """The Python value of packed data."""
        if self.unpackb is None:
            self.start()
        try:
            return self.unpackb(data)  # type: ignore[misc]
        except ConversionError:
            raise
        except (ValueError, RecursionError, msgpack.UnpackException):
            return unpack_deep(self, bytes(data))

    def _extension(self, code: int, data: bytes) -> object:
        if code == SYMBOL:
            return Symbol(data, "utf-8")
        if code == IMPROPER:
            try:  # mostly an entry of an alist: two items
                car, cdr = self.unpackb(b"\x92" + data)  # type: ignore[misc]
                return Pair(car, cdr)
            except msgpack.ExtraData:
                pass  # more of them
        if code in NESTED:
            start = 9 if code == HANDLE else 0
            unpacker = msgpack.Unpacker(ext_hook=self._extension, strict_map_key=False, max_buffer_size=len(data) or 1)
            unpacker.feed(memoryview(data)[start:])
            return self.build(code, data[:start], list(unpacker))
        return self.leaf(code, data)

    def leaf(self, code: int, data: bytes) -> object:
        """An extension without nested items."""
        if code == SYMBOL:
            return Symbol(data, "utf-8")
        if code == CHAR:
            return Char(data.decode())
        if code == INTEGER:
            magnitude = int.from_bytes(data[1:], "big")
            return -magnitude if data[0] else magnitude
        if code == END_OF_FILE:
            return EOF
        raise ConversionError(f"unknown extension type {code} from the engine")

    def build(self, code: int, head: bytes, items: list[object]) -> object:
        """An extension of nested items."""
        if code == VECTOR:
            return Vector(items)
        if code == IMPROPER:
            result = items[-1]
            for item in reversed(items[:-1]):
                result = Pair(item, result)
            return result
        if code == RATIO:
            numerator, denominator = items
            assert isinstance(numerator, int) and isinstance(denominator, int)
            return Fraction(numerator, denominator)
        if code == COMPLEX:
            return complex(to_float(items[0]), to_float(items[1]))
        if code == VALUES:
            return Values(items)
        if code == TABLE:
            return build_table(items)
        if code == HANDLE:
            return self.build_handle(head, items)
        if code == RECORD:
            handle, name, fields = items[:3]
            return Record(int(handle), str(name), fields, items[3:], self.dead, self.token)  # type: ignore[call-overload,arg-type]
        array: list[object] = items[0]  # type: ignore[assignment]
        handle = array[8] if len(array) > 8 and isinstance(array[8], Opaque) else None
        return self._condition(array, handle)

    def build_handle(self, head: bytes, items: list[object]) -> object:
        """A foreign object itself; a Procedure; an Opaque."""
        kind, identity = struct.unpack(">BQ", head)
        name = items[0] if items else None
        if kind == FOREIGN_KIND:
            try:
                return self.foreign[identity]
            except KeyError:
                raise ConversionError(f"foreign object {identity} is not of this context") from None
        if kind == PROCEDURE_KIND:
            target = struct.pack(">BBbBQ", 0xC7, 10, HANDLE, PROCEDURE_KIND, identity) + b"\xc0"
            label = None if name is None else str(name)
            return Procedure(identity, label, self.dead, self.token, target, self._context)
        return Opaque(identity, str(name) if name is not None else "opaque", self.dead, self.token)


PLAIN = frozenset((int, bool, type(None), Symbol, Char, Vector, Values, Pair, list, dict, str, float, bytes))


def simplify(value: object) -> object:
    """The plain value of a subclass (IntEnum, OrderedDict, namedtuple ...), else the value."""
    kind = type(value)
    if kind is tuple:
        return list(value)  # type: ignore[call-overload]
    if kind in PLAIN:
        return value
    if isinstance(value, tuple) and not isinstance(value, (Vector, Values)):
        return list(value)
    if isinstance(value, str) and not isinstance(value, (Symbol, Char)):
        return str(value) if type(str(value)) is str else "".join(value)
    for plain in PLAIN_BASES:
        if isinstance(value, plain):
            return plain(value)
    return value


PLAIN_BASES: tuple[Any, ...] = (int, float, list, dict, bytes)


def encode(text: str) -> bytes:
    """UTF-8, refusing surrogates with a clear text."""
    try:
        return str.encode(text)
    except UnicodeEncodeError as error:
        raise surrogate_error(error) from None


def surrogate_error(error: UnicodeEncodeError) -> ConversionError:
    """What a string with half a surrogate pair is refused with."""
    return ConversionError(
        f"a string holds a lone surrogate (U+{ord(error.object[error.start]):04X} at index {error.start}), "
        "which is no character"
    )


def big_integer(number: int) -> bytes:
    """Sign byte and magnitude, most significant byte first."""
    magnitude = abs(number)
    return bytes([number < 0]) + magnitude.to_bytes((magnitude.bit_length() + 7) // 8 or 1, "big")


def to_float(number: object) -> float:
    """A real part as a float; what is too large is infinite."""
    try:
        return float(number)  # type: ignore[arg-type]
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")  # type: ignore[operator]


def build_table(items: list[object]) -> dict[object, object]:
    """A hash table as a dict; keys have to be hashable and distinct in Python."""
    made: dict[object, object] = {}
    for key, content in zip(items[::2], items[1::2], strict=True):
        try:
            taken = key in made
        except TypeError:
            raise ConversionError(
                f"a hash table with the key {key!r} cannot become a dict; use hash-table->alist"
            ) from None
        if taken:
            raise ConversionError(f"a hash table has two keys equal to {key!r} in Python; use hash-table->alist")
        made[key] = content
    return made


# -- the complete, iterative form: for any depth ------------------------------------

DEEP_EXTENSIONS = 10_000


def pack_deep(codec: Codec, value: object) -> bytes:
    """Pack without recursion. A frame is (extension or None, its buffer, items to go, id)."""
    root = bytearray()
    frames: list[tuple[int | None, bytearray, list[object], int]] = []
    inside: set[int] = set()
    out, todo = root, [value]
    while True:
        if not todo:
            if not frames:
                return bytes(root)
            code, buffer, todo, identity = frames.pop()
            inside.discard(identity)
            if code is not None:
                write_extension(buffer, code, out)
            out = buffer
            continue
        item = todo.pop()
        children = pack_token(codec, item, out)
        if children is None:
            continue
        code, head, items = children
        if id(item) in inside:
            raise ConversionError("a value that contains itself cannot cross")
        if len(frames) > DEEP_EXTENSIONS and code is not None:
            raise ConversionError(f"vectors nested deeper than {DEEP_EXTENSIONS} cannot cross")
        inside.add(id(item))
        frames.append((code, out, todo, id(item)))
        if code is not None:
            out = bytearray(head)
        todo = items[::-1]
        if len(out) > codec.limit:
            raise ConversionError(f"the value needs more than the {codec.limit} bytes of the context")


def pack_token(codec: Codec, item: object, out: bytearray) -> tuple[int | None, bytes, list[object]] | None:
    """Write an atom and answer None, or answer the parts of a compound value."""
    item = simplify(item)
    kind = type(item)
    if kind is list:
        write_header(out, 0x90, 0xDC, len(item))  # type: ignore[arg-type]
        return None, b"", item  # type: ignore[return-value]
    if kind is dict:
        write_header(out, 0x80, 0xDE, len(item))  # type: ignore[arg-type]
        return None, b"", [part for pair in item.items() for part in pair]  # type: ignore[attr-defined]
    if (
        item is None
        or kind in (bool, float, bytes, bytearray, memoryview)
        or (kind is int and -(1 << 63) <= item < 1 << 64)  # type: ignore[operator]
    ):
        out += msgpack.packb(item, buf_size=64)
        return None
    if kind is str:
        out += msgpack.packb(encode(item).decode(), buf_size=64)  # type: ignore[arg-type]
        return None
    code, head, items = codec.extension(item)
    if code == PROPER:
        write_header(out, 0x90, 0xDC, len(items))
        return None, b"", items
    if not items:
        write_extension(out, code, head)
        return None
    return code, head, items


def write_header(out: bytearray, small: int, large: int, count: int) -> None:
    """The header of an array or map."""
    if count < 16:
        out.append(small | count)
    elif count < 1 << 16:
        out += struct.pack(">BH", large, count)
    else:
        out += struct.pack(">BI", large + 1, count)


def write_extension(out: bytearray, code: int, data: bytes | bytearray) -> None:
    """An extension with its header."""
    size = len(data)
    if size in (1, 2, 4, 8, 16):
        out += struct.pack(">BB", 0xD4 + size.bit_length() - 1, code)
    elif size < 1 << 8:
        out += struct.pack(">BBB", 0xC7, size, code)
    elif size < 1 << 16:
        out += struct.pack(">BHB", 0xC8, size, code)
    else:
        out += struct.pack(">BIB", 0xC9, size, code)
    out += data


class Reading:
    """One compound value in progress while unpacking: its items and how it ends."""

    __slots__ = ("code", "count", "end", "head", "items")

    def __init__(self, code: int | None, count: int | None, end: int, head: bytes) -> None:
        self.code = code
        self.count = count
        self.end = end
        self.head = head
        self.items: list[object] = []


def unpack_deep(codec: Codec, data: bytes) -> object:
    """Unpack without recursion."""
    stack: list[Reading] = []
    at = 0
    while True:
        value, at, opened = read_token(codec, data, at)
        if opened is not None:
            stack.append(opened)
        elif not stack:
            return value
        else:
            stack[-1].items.append(value)
        while stack:
            top = stack[-1]
            if (len(top.items) < top.count) if top.count is not None else (at < top.end):
                break
            stack.pop()
            value = close(codec, top)
            if not stack:
                return value
            stack[-1].items.append(value)


def close(codec: Codec, done: Reading) -> object:
    """The value of a compound whose items are all there."""
    if done.code is None:
        return done.items
    return codec.build(done.code, done.head, done.items)


def read_token(codec: Codec, data: bytes, at: int) -> tuple[object, int, Reading | None]:
    """An atom and where it ends, or a compound just opened."""
    tag = data[at]
    if tag < 0x80 or tag >= 0xE0:
        return (tag if tag < 0x80 else tag - 256), at + 1, None
    if 0x90 <= tag < 0xA0:
        return None, at + 1, Reading(None, tag & 15, 0, b"")
    if tag in (0xDC, 0xDD):
        size = 2 if tag == 0xDC else 4
        return None, at + 1 + size, Reading(None, int.from_bytes(data[at + 1 : at + 1 + size], "big"), 0, b"")
    if 0xD4 <= tag <= 0xD8 or 0xC7 <= tag <= 0xC9:
        return read_extension(codec, data, at, tag)
    end = at + atom_size(data, at, tag)
    return msgpack.unpackb(data[at:end]), end, None


def read_extension(codec: Codec, data: bytes, at: int, tag: int) -> tuple[object, int, Reading | None]:
    """An extension: a leaf, or a compound of nested items."""
    if tag >= 0xD4:
        size, start = 1 << (tag - 0xD4), at + 1
    else:
        width = 1 << (tag - 0xC7)
        size, start = int.from_bytes(data[at + 1 : at + 1 + width], "big"), at + 1 + width
    code, start = data[start], start + 1
    end = start + size
    if code not in NESTED:
        return codec.leaf(code, data[start:end]), end, None
    skip = 9 if code == HANDLE else 0
    return None, start + skip, Reading(code, None, end, data[start : start + skip])


FIXED_SIZES = {
    0xC0: 1, 0xC2: 1, 0xC3: 1, 0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9,
}  # fmt: skip
LENGTH_SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}


def atom_size(data: bytes, at: int, tag: int) -> int:
    """How many bytes the atom at `at` takes."""
    if 0xA0 <= tag < 0xC0:
        return 1 + (tag & 31)
    if tag in FIXED_SIZES:
        return FIXED_SIZES[tag]
    width = LENGTH_SIZES.get(tag)
    if width is None:
        raise ConversionError(f"unexpected byte {tag:#x} from the engine")
    return 1 + width + int.from_bytes(data[at + 1 : at + 1 + width], "big")
