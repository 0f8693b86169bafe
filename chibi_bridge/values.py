"""How Scheme values look in Python, and how a Python value is written in Scheme.

| Scheme | Python |
|---|---|
| exact integer, ratio, flonum, complex | int, Fraction, float, complex |
| boolean, string, char, symbol | bool, str, Char, Symbol |
| bytevector, proper list, vector | bytes, list, Vector |
| a pair that ends no list | Pair |
| hash table; unspecified; several values | dict; None; Values |
| record, procedure, eof, other opaque | Record, Procedure, EOF, Opaque |
| an object of Python | itself |
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from chibi_bridge.errors import ContextClosed

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "EOF",
    "Char",
    "Eof",
    "Handle",
    "Opaque",
    "Pair",
    "Procedure",
    "Record",
    "Symbol",
    "Values",
    "Vector",
    "to_dict",
    "write",
]


class Symbol(str):
    """A Scheme symbol. Equal to the str of its name; `write` tells them apart.

    >>> Symbol("abc")
    Symbol('abc')
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Symbol({str.__repr__(self)})"


class Char(str):
    """A Scheme character: a str of length 1.

    >>> Char("x")
    Char('x')
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Char:
        if len(text) != 1:
            raise ValueError(f"a Char is one character: {text!r}")
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return f"Char({str.__repr__(self)})"


class Vector(tuple[object, ...]):
    """A Scheme vector.

    >>> Vector([1, 2])
    Vector([1, 2])
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Vector({list(self)!r})"


class Values(tuple[object, ...]):
    """Several values, as `(values 1 2)` gives; also none."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Values({list(self)!r})"


class Pair:
    """A pair that ends no proper list; `cdr` may be another Pair.

    >>> Pair(1, 2)
    Pair(1, 2)
    """

    __slots__ = ("car", "cdr")
    car: object
    cdr: object

    def __init__(self, car: object, cdr: object) -> None:
        set_car(self, car)
        set_cdr(self, cdr)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Pair cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pair):
            return NotImplemented
        mine, its = improper_items(self), improper_items(other)
        return mine == its

    def __hash__(self) -> int:
        return hash(tuple(improper_items(self)))

    def __repr__(self) -> str:
        return f"Pair({self.car!r}, {self.cdr!r})"

    def __reduce__(self) -> tuple[type[Pair], tuple[object, object]]:
        return Pair, (self.car, self.cdr)


# What sets the slots in spite of __setattr__: many pairs come out of an alist.
set_car: Callable[[Pair, object], None] = Pair.__dict__["car"].__set__
set_cdr: Callable[[Pair, object], None] = Pair.__dict__["cdr"].__set__


def improper_items(pair: Pair) -> list[object]:
    """The items of a chain of pairs, its tail last."""
    items: list[object] = []
    rest: object = pair
    while isinstance(rest, Pair):
        items.append(rest.car)
        rest = rest.cdr
    items.append(rest)
    return items


class Handle:
    """A value that stays in its context; the context keeps it alive for us.

    Dropping the Python object gives it free at the context's next call. It goes
    back to its own context as the same object; to another one it is refused.
    """

    __slots__ = ("__weakref__", "_dead", "_id", "_token", "type_name")

    def __init__(self, handle: int, type_name: str, dead: list[int], token: object) -> None:
        self._id = handle
        self._dead = dead
        self._token = token
        self.type_name = type_name

    def __del__(self) -> None:
        self._dead.append(self._id)  # never calls C: drained when the context is entered next

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type_name}>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError(f"a {type(self).__name__} belongs to its context and cannot be pickled")


class Opaque(Handle):
    """A port, promise, parameter, environment, cyclic structure ...: `type_name` says which."""

    __slots__ = ()


class Caller(Protocol):
    """What a Procedure needs of its context."""

    def _apply(self, target: bytes, args: tuple[object, ...]) -> object: ...


class Procedure(Handle):
    """A Scheme procedure: call it with Python values.

    Weakly tied to its context: raises ContextClosed once that is gone.

    >>> from chibi_bridge import Context
    >>> with Context() as ctx:
    ...     ctx.eval("(lambda (x) (* x x))")(7)
    49
    """

    __slots__ = ("_context", "_target", "name")

    def __init__(
        self,
        handle: int,
        name: str | None,
        dead: list[int],
        token: object,
        target: bytes,
        context: Callable[[], Caller | None],
    ) -> None:
        super().__init__(handle, name or "procedure", dead, token)
        self.name = name
        self._target = target
        self._context = context

    def __call__(self, *args: object) -> object:
        context = self._context()
        if context is None:
            raise ContextClosed("the context of this procedure is gone")
        return context._apply(self._target, args)

    def __repr__(self) -> str:
        return f"<Procedure {self.name or 'anonymous'}>"


class Record(Handle):
    """A record by value (`type_name`, `fields`, `values`), going back as the same object.

    >>> from chibi_bridge import Context
    >>> with Context() as ctx:
    ...     r = ctx.eval("(define-record-type point (pt x y) point? (x px) (y py)) (pt 1 2)")
    ...     r["x"]
    1
    """

    __slots__ = ("fields", "values")

    def __init__(
        self,
        handle: int,
        type_name: str,
        fields: Iterable[str],
        values: Iterable[object],
        dead: list[int],
        token: object,
    ) -> None:
        super().__init__(handle, type_name, dead, token)
        self.fields = tuple(fields)
        self.values = tuple(values)

    def __getitem__(self, name: str) -> object:
        try:
            return self.values[self.fields.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __repr__(self) -> str:
        shown = ", ".join(f"{field}={value!r}" for field, value in zip(self.fields, self.values, strict=False))
        return f"<Record {self.type_name} {shown}>"


class Eof:
    """The end-of-file object; there is one, EOF."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "EOF"

    def __reduce__(self) -> str:
        return "EOF"


EOF = Eof()


def to_dict(value: object) -> dict[object, object]:
    """The dict an association list stands for; the first of equal keys wins, as in `assoc`.

    A pair whose cdr is a list has come out as one list: `(a 1 2)` gives `[1, 2]`.
    Raises ValueError where an element is no pair.

    >>> to_dict([Pair("a", 1), ["b", 2, 3]])
    {'a': 1, 'b': [2, 3]}
    """
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, list):
        raise ValueError(f"not an association list: {value!r}")
    made: dict[object, object] = {}
    for item in value:
        if isinstance(item, Pair):
            key, content = item.car, item.cdr
        elif isinstance(item, list) and item:
            key, content = item[0], item[1:]
        else:
            raise ValueError(f"not an association list: {item!r} is no pair")
        made.setdefault(key, content)
    return made


CHARACTER_NAMES = {
    "\a": "alarm",
    "\b": "backspace",
    "\x7f": "delete",
    "\x1b": "escape",
    "\n": "newline",
    "\0": "null",
    "\r": "return",
    " ": "space",
    "\t": "tab",
}
STRING_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b"}


def write(value: object, limit: int = 10_000) -> str:
    """The external representation, cut at about `limit` characters; never fails.

    >>> write([1, "a", Symbol("b"), 0.5, Pair(1, 2)])
    '(1 "a" b 0.5 (1 . 2))'
    """
    out: list[str] = []
    size = 0
    stack: list[object] = [value]
    while stack:
        item = shortened(stack.pop(), limit - size + 1)
        if isinstance(item, Piece):
            text = str(item)
        else:
            parts = compound_parts(item)
            if parts is not None:
                stack.extend(reversed(parts))
                continue
            text = write_atom(item)
        out.append(text)
        size += len(text)
        if size > limit:
            return "".join(out)[:limit] + "..."
    return "".join(out)


def shortened(item: object, most: int) -> object:
    """The beginning of a long sequence: no more of it will be shown."""
    if not isinstance(item, (str, bytes, bytearray, memoryview, list, tuple)) or len(item) <= most:
        return item
    if isinstance(item, (Symbol, Piece, Vector)):
        return type(item)(item[:most])
    return item[:most]


class Piece(str):
    """Text that `write` puts out as it is."""

    __slots__ = ()


def compound_parts(item: object) -> list[object] | None:
    """Items and punctuation of a compound value; None for an atom."""
    if isinstance(item, (Vector, list, tuple)):
        return spaced("#(" if isinstance(item, Vector) else "(", list(item))
    if isinstance(item, Pair):
        parts = spaced("(", improper_items(item))
        parts.insert(len(parts) - 2, Piece(". "))
        return parts
    if isinstance(item, dict):
        return spaced("(", [Pair(key, content) for key, content in item.items()])
    return None


def spaced(opening: str, items: list[object]) -> list[object]:
    """The items with spaces between them, in parentheses."""
    parts: list[object] = [Piece(opening)]
    for item in items:
        parts.append(item)
        parts.append(Piece(" "))
    if items:
        parts.pop()
    parts.append(Piece(")"))
    return parts


def write_atom(item: object) -> str:
    """The external representation of what has no parts."""
    if item is None:
        return "#<unspecified>"
    if isinstance(item, bool):
        return "#t" if item else "#f"
    if isinstance(item, Char):
        return write_character(item)
    if isinstance(item, Symbol):
        return write_symbol(item)
    if isinstance(item, str):
        return write_string(item)
    if isinstance(item, float):
        return write_float(item)
    if isinstance(item, complex):
        imaginary = write_float(item.imag)
        sign = "" if imaginary[0] in "+-" else "+"
        return f"{write_float(item.real)}{sign}{imaginary}i"
    if isinstance(item, int):
        return write_integer(item)
    if isinstance(item, Fraction):
        return f"{write_integer(item.numerator)}/{write_integer(item.denominator)}"
    if isinstance(item, (bytes, bytearray, memoryview)):
        return "#u8(" + " ".join(map(str, bytes(item))) + ")"
    if isinstance(item, Eof):
        return "#<eof>"
    if isinstance(item, Procedure):
        return f"#<procedure {item.name}>" if item.name else "#<procedure>"
    if isinstance(item, Handle):
        return f"#<{item.type_name}>"
    return f"#<foreign {type(item).__name__}>"


def write_integer(number: int) -> str:
    """Decimal digits; the size of what is beyond Python's own printing limit."""
    if number.bit_length() > 14_000:
        return f"#<integer of {number.bit_length()} bits>"
    return str(number)


def write_float(number: float) -> str:
    """R7RS notation: +inf.0, +nan.0, 1e21 and so on."""
    if math.isnan(number):
        return "+nan.0"
    if math.isinf(number):
        return "+inf.0" if number > 0 else "-inf.0"
    return repr(float(number))


def write_string(text: str) -> str:
    """In double quotes, with R7RS escapes."""
    return (
        '"'
        + "".join(STRING_ESCAPES.get(c) or (c if c >= " " and c != "\x7f" else f"\\x{ord(c):x};") for c in text)
        + '"'
    )


def write_character(text: str) -> str:
    """#\\a, #\\space, #\\x7."""
    named = CHARACTER_NAMES.get(text)
    if named:
        return "#\\" + named
    return "#\\" + (text if text.isprintable() else f"x{ord(text):x}")


def write_symbol(name: str) -> str:
    """The name, between bars where it could be read as something else."""
    plain = (
        name
        and name[0] not in "0123456789+-.#"
        and not any(c in " \t\n\r()[]{}\";'`,|\\" or not c.isprintable() for c in name)
    )
    if plain or name in ("+", "-", "..."):
        return name
    if (
        name
        and name[0] in "+-"
        and len(name) > 1
        and name[1] not in "0123456789.in"
        and name.isprintable()
        and " " not in name
    ):
        return name
    return "|" + name.replace("\\", "\\\\").replace("|", "\\|") + "|"
