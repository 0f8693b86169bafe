"""Strategies of hypothesis: arguments of tools, JSON, Scheme data, programs, HTTP responses.

`arguments` draws what a tool's schema allows, with the values that break tools mixed
in everywhere: empty, long, negative, beyond 64 bits, -0.0, repeated, other scripts,
and the constants of the tool's own text with their neighbours. All shrink well: the
plain values come first.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from chibi_bridge.fuzz.mine import Constants, constants_of
from chibi_bridge.fuzz.plan import Response
from chibi_bridge.fuzz.programs import programs
from chibi_bridge.host.http_message import KINDS
from chibi_bridge.tools.schema import Schema, check_value
from chibi_bridge.tools.tool import Tool
from chibi_bridge.values import Char, Pair, Symbol, Vector

__all__ = ["arguments", "http_responses", "json_values", "programs", "scheme_data", "values_of"]

Strategy = st.SearchStrategy

NOTHING_KNOWN = Constants()
WIDE = 1 << 70
EDGES = (
    *(0, 1, -1, 2, 3, 7, 10, 12, 13, 31, 60, 99, 100, 101, 255, 256, 365, 999, 1000, 1001, 9999, 65535, 65536, 10**6),
    *((1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 32, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, 1 << 62),
    *((1 << 63) - 1, 1 << 63, -(1 << 63), -(1 << 63) - 1, 1 << 64, 10**20, -(10**20)),
)
FLOATS = (0.0, -0.0, 0.5, -0.5, 1.5, 0.1, 0.005, 1e-9, 5e-324, 1e15, 1e16, 1e21, 1e100, -1e100, 1.7976931348623157e308)
PLAIN = "abcxyz019 "
MARKS = " ,;:.|/\\\t\n\r\"'`-_+=#%&?!@*()[]{}<>$~^"
CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = (
    *("", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\0", ",", ";", ".", "-", "--", "'", '"', "\\", "%", "a", "A"),
    *("aa", "ab", "a@b.c", "\u202eabc", "\ufeff", "\U0010ffff"),
    *("é", "e\u0301", "ß", "ñandú", "日本語", "Ω", "ﬁ", "İ", "😀", "👩‍👩‍👧", "\u200b"),
    *("0", "-1", "007", "1.5", "1e5", "1,000", "1.2.3", "+5", "1/2", "0x10", "NaN", "inf", "12345678901234567890"),
    *("a b", " a", "a ", "a  b", "a,b", "a,,b", ",a", "a,", "a\nb", "a\n", "\na", "a\r\nb", '"a,b"', '"a', "a=b"),
    *("null", "true", "#t", "()", "(", ")", "{}", "[]", "{", '{"a": 1}', "[1, 2", "<b>", "<!-- ", "a:b", "key: value"),
    *("../", "../x", "a/../b", "/", "//", "a/b", "/etc/passwd", "a?b", "a#b", "%2e%2e/", "http://example.com/"),
    *("2024-02-29", "2023-02-29", "1900-02-29", "2024-13-01", "12:60", "23:59:59", "00:00", "1970-01-01T00:00:00Z"),
)  # fmt: skip
LONG = (100, 1_000, 10_000)


# -- JSON --------------------------------------------------------------------------


def arguments(tool: Tool | Mapping[str, object], constants: Constants | None = None) -> Strategy[dict[str, object]]:
    """Arguments that a tool's schema allows: dicts for `Tool.call`.

    `tool` may be its JSON Schema. `constants` are values to mix in; without them those of
    the tool's own file are. Raises ValueError for a schema that nothing fits.
    """
    if isinstance(tool, Tool):
        if constants is None:
            constants = constants_of(str(getattr(tool.session, "source", "")))
        schema: Mapping[str, object] = tool.parameters
    else:
        schema = tool
    return objects(schema, constants or NOTHING_KNOWN, extra=False)


def values_of(schema: Mapping[str, object], constants: Constants = NOTHING_KNOWN, depth: int = 0) -> Strategy[object]:
    """JSON values that fit a schema (the subset that tools declare)."""
    enum = schema.get("enum")
    if "const" in schema:
        return st.just(schema["const"])
    if isinstance(enum, list):
        fitting = [item for item in enum if fits({**schema, "enum": None}, item)]
        if not fitting:
            raise ValueError(f"no value of the enum fits its schema: {enum!r}")
        return st.sampled_from(fitting)
    kinds = kinds_of(schema)
    if not kinds:
        return st.one_of(json_values(), texts(schema, constants))
    branches = [of_kind(kind, schema, constants, depth) for kind in kinds]
    if "default" in schema and fits(schema, schema["default"]):
        branches.append(st.just(schema["default"]))
    return st.one_of(branches)


def kinds_of(schema: Mapping[str, object]) -> list[str]:
    """The types of a schema."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return [str(item) for item in kind]
    return ["object"] if "properties" in schema else ["array"] if "items" in schema else []


def fits(schema: Mapping[str, object], value: object) -> bool:
    """Does a value break nothing of a schema?"""
    problems: list[tuple[str, str, str]] = []
    check_value(dict(schema), value, "", problems)
    return not problems


def of_kind(kind: str, schema: Mapping[str, object], constants: Constants, depth: int) -> Strategy[object]:
    """Values of one JSON type."""
    if kind == "integer":
        return integers(schema, constants)
    if kind == "number":
        return numbers(schema, constants)
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    if kind == "array":
        return arrays(schema, constants, depth)
    if kind == "object":
        return objects(schema, constants, depth=depth)
    if kind == "string":
        return texts(schema, constants, depth)
    return json_values()


def bound(schema: Mapping[str, object], name: str) -> int | float | None:
    """A number of a schema."""
    value = schema.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def integer_bounds(schema: Mapping[str, object]) -> tuple[int | None, int | None]:
    """The least and the greatest integer that a schema allows."""
    lows = [math.ceil(low) for low in (bound(schema, "minimum"),) if low is not None]
    lows += [math.floor(low) + 1 for low in (bound(schema, "exclusiveMinimum"),) if low is not None]
    highs = [math.floor(high) for high in (bound(schema, "maximum"),) if high is not None]
    highs += [math.ceil(high) - 1 for high in (bound(schema, "exclusiveMaximum"),) if high is not None]
    return (max(lows) if lows else None), (min(highs) if highs else None)


def integers(schema: Mapping[str, object], constants: Constants) -> Strategy[object]:
    """Integers: small ones, edges of the schema and of machine words, constants and their neighbours, any."""
    low, high = integer_bounds(schema)
    step = bound(schema, "multipleOf")
    if step is not None and step > 0:
        return multiples(Fraction(step), low, high)
    if low is not None and high is not None and low > high:
        raise ValueError(f"no integer from {low} to {high}")
    near = [n + d for n in (*constants.numbers, low, high) if n is not None for d in (0, 1, -1)]

    def clip(items: Sequence[int]) -> list[int]:
        return list(dict.fromkeys(n for n in items if (low is None or n >= low) and (high is None or n <= high)))

    least = -WIDE if low is None else low
    most = WIDE if high is None else high
    least, most = min(least, most), max(least, most)
    small = st.integers(max(least, -20), min(most, 20)) if max(least, -20) <= min(most, 20) else st.nothing()
    near_ends = st.integers(least, min(most, least + 20)) if low is not None else st.nothing()
    edges = clip([*near, *EDGES])
    return st.one_of(
        small, near_ends, st.sampled_from(edges) if edges else st.nothing(), st.integers(least, most)
    )  # fmt: skip


def multiples(step: Fraction, low: int | None, high: int | None) -> Strategy[object]:
    """Integers that are multiples of a step."""
    unit = step.numerator  # an integer is a multiple of p/q (in lowest terms) where it is one of p
    first = None if low is None else -(-low // unit)
    last = None if high is None else high // unit
    if first is not None and last is not None and first > last:
        raise ValueError(f"no multiple of {step} from {low} to {high}")
    return st.integers(first, last).map(lambda n: n * unit)


def numbers(schema: Mapping[str, object], constants: Constants) -> Strategy[object]:
    """Numbers: integers and floats, without those that JSON does not have."""
    parts: list[Strategy[object]] = []
    with contextlib.suppress(ValueError):  # only fractions fit
        parts.append(integers(schema, constants))
    if bound(schema, "multipleOf") is not None:
        return st.one_of(parts)
    low, high = bound(schema, "minimum"), bound(schema, "maximum")
    above, below = bound(schema, "exclusiveMinimum"), bound(schema, "exclusiveMaximum")
    edges = [x for x in FLOATS if fits({**schema, "type": "number"}, x)]
    if edges:
        parts.append(st.sampled_from(edges))
    least = max((float(x) for x in (low, above) if x is not None), default=None)
    most = min((float(x) for x in (high, below) if x is not None), default=None)
    floats = st.floats(least, most, allow_nan=False, allow_infinity=False)
    parts.append(floats.filter(lambda x: x != above and x != below))
    return st.one_of(parts)


def texts(schema: Mapping[str, object], constants: Constants, depth: int = 0) -> Strategy[object]:
    """Strings: of plain letters, of the marks that tools split at, of any script, numbers, JSON, constants, long ones.

    Within arrays and objects, which take several, the cheaper half.
    """
    low, high = bound(schema, "minLength"), bound(schema, "maxLength")
    least, most = int(low or 0), None if high is None else int(high)
    if most is not None and least > most:
        raise ValueError(f"no string of {least} to {most} characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        return patterned(pattern, least, most, constants)
    fit = fitter(least, most)
    marks = MARKS + constants.characters
    words = [*constants.strings, *constants.characters, "a", "b", "one", "two", "1", "-2.5", "é", " ", ",", "\n"]
    tokens = st.sampled_from(words)
    known = st.sampled_from([*constants.strings, *TEXTS])
    size = 12 if most is None else max(least, min(12, most))
    plain = st.text(PLAIN, min_size=least, max_size=max(least, size if depth == 0 else min(size, 4)))
    cheap = [plain, known.map(fit), st.lists(tokens, max_size=4).map("".join).map(fit)]
    if depth > 1:
        return st.one_of(cheap)
    return st.one_of(
        *cheap,
        st.text(st.sampled_from(PLAIN + marks), max_size=size).map(fit),
        st.text(CHARACTERS, max_size=size).map(fit),
        st.lists(tokens, max_size=10).map("".join).map(fit),
        st.tuples(st.sampled_from([*marks[:8], *constants.characters]), st.lists(plain, max_size=4)).map(
            lambda parts: fit(parts[0].join(parts[1]))
        ),
        st.one_of(json_values(), documents(constants)).map(
            lambda value: fit(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))
        ),
        st.integers().map(str).map(fit),
        st.floats(allow_nan=False, allow_infinity=False).map(repr).map(fit),
        st.tuples(st.sampled_from([*"a é\n,", *constants.characters]), st.sampled_from(LONG)).map(
            lambda parts: fit(parts[0] * parts[1])
        ),
    )


def fitter(least: int, most: int | None) -> Callable[[str], str]:
    """What makes a string fit a range of lengths: cut, or repeated."""

    def fit(text: str) -> str:
        if len(text) < least:
            unit = text or "a"
            text = unit * (least // len(unit) + 1)
            return text[: least if most is None else min(most, max(least, len(unit)))]
        return text if most is None else text[:most]

    return fit


def patterned(pattern: str, least: int, most: int | None, constants: Constants) -> Strategy[object]:
    """Strings that match a regular expression as tools have it, among them known ones that happen to."""

    def right(text: str) -> bool:
        return len(text) >= least and (most is None or len(text) <= most) and fits({"pattern": pattern}, text)

    known = [text for text in (*TEXTS, *constants.strings, *map(str, EDGES)) if right(text)]
    try:
        drawn = st.from_regex(re.compile(pattern), alphabet=CHARACTERS).filter(right)
    except re.error:  # a form that Python does not have
        if not known:
            raise ValueError(f"no strings are known for the pattern {pattern!r}") from None
        return st.sampled_from(known)
    return st.one_of(drawn, st.sampled_from(known)) if known else drawn


def arrays(schema: Mapping[str, object], constants: Constants, depth: int) -> Strategy[object]:
    """Arrays: empty, of one, of different and of equal elements, sorted, long."""
    items = schema.get("items")
    inner = values_of(items, constants, depth + 1) if isinstance(items, dict) else json_values()
    low, high = bound(schema, "minItems"), bound(schema, "maxItems")
    least, most = int(low or 0), None if high is None else int(high)
    if most is not None and least > most:
        raise ValueError(f"no array of {least} to {most} items")
    size = max(least, min(8, 8 if most is None else most))

    def cut(made: list[object]) -> list[object]:
        return made if most is None else made[:most]

    def repeat(drawn: tuple[list[object], list[int]]) -> list[object]:
        pool, picks = drawn
        made = [pool[pick % len(pool)] for pick in picks]
        return cut(made + [pool[0]] * (least - len(made)))

    plain = st.lists(inner, min_size=least, max_size=size)
    some = st.lists(inner, min_size=1, max_size=3)
    branches = [
        plain,
        st.tuples(some, st.lists(st.integers(0, 2), max_size=max(1, size))).map(repeat),
        plain.map(in_order),
    ]
    if depth == 0 and (most is None or most > size):
        branches.append(st.tuples(some, st.sampled_from((20, 100, 300))).map(lambda d: cut(d[0] * d[1])))
    return st.one_of(branches)


def in_order(items: list[object]) -> list[object]:
    """The items sorted where they can be."""
    try:
        return sorted(items)  # type: ignore[type-var]
    except TypeError:
        return items


def objects(
    schema: Mapping[str, object], constants: Constants, *, depth: int = 0, extra: bool = True
) -> Strategy[dict[str, object]]:
    """Objects with the required properties, any of the others; `extra` ones where nothing is declared."""
    properties = schema.get("properties")
    required = schema.get("required") or ()
    assert isinstance(required, (list, tuple))
    if not isinstance(properties, dict) or not properties:
        more = schema.get("additionalProperties", True)
        if more is False or not extra:
            return st.just({}).map(dict)
        inner = values_of(more, constants, depth + 1) if isinstance(more, dict) else json_values()
        keys = st.one_of(st.sampled_from([*constants.strings, "a", "b", "", "é"]), st.text(PLAIN, max_size=5))
        return st.dictionaries(keys, inner, max_size=5)
    needed = {str(name): values_of(part, constants, depth + 1) for name, part in properties.items() if name in required}
    optional = {
        str(name): values_of(part, constants, depth + 1) for name, part in properties.items() if name not in required
    }
    return st.fixed_dictionaries(needed, optional=optional)


@functools.cache
def json_values(depth: int = 2) -> Strategy[object]:
    """Any JSON value: null, booleans, numbers, strings, arrays and objects nested so deep."""
    known = st.sampled_from([None, True, False, 0, 1, -1, *TEXTS, *EDGES, *FLOATS])
    atoms = st.one_of(
        st.none(), st.integers(-100, 100), known, st.text(PLAIN, max_size=6), st.floats(-1e9, 1e9, allow_nan=False)
    )  # fmt: skip
    if depth == 0:
        return atoms
    inner = json_values(depth - 1)
    keys = st.one_of(st.sampled_from(["a", "b", "id", "name", "", "é"]), st.text(PLAIN, max_size=4))
    return st.one_of(atoms, st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3))


def documents(constants: Constants) -> Strategy[object]:
    """JSON objects, and arrays of them, whose keys are the strings of a tool's text."""
    if not constants.strings:
        return json_values()
    keys = st.sampled_from(constants.strings)
    one = st.dictionaries(keys, json_values(1), max_size=4)
    return st.one_of(one, one.map(lambda inner: [inner]), st.tuples(keys, one).map(lambda pair: {pair[0]: pair[1]}))


# -- Scheme ------------------------------------------------------------------------


def scheme_data(max_leaves: int = 12) -> Strategy[object]:
    """Values of any datum that the reader reads: numbers of the whole tower, strings, chars, symbols, lists, vectors.

    What `write` makes of one reads as the same.
    """
    text = st.one_of(st.text(PLAIN, max_size=6), st.text(CHARACTERS, max_size=6), st.sampled_from(TEXTS))
    atoms = st.one_of(
        st.booleans(),
        st.integers(-10, 10),
        st.one_of(st.integers(), st.sampled_from(EDGES)),
        st.fractions(max_denominator=1000).filter(lambda x: x.denominator != 1),
        st.one_of(st.floats(allow_nan=False), st.sampled_from(FLOATS)),
        text,
        text.map(Symbol),
        CHARACTERS.map(Char),
        st.binary(max_size=8),
        st.complex_numbers(allow_nan=False, allow_infinity=False).filter(lambda z: z.imag != 0),
    )
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.lists(inner, max_size=5),
            st.lists(inner, max_size=5).map(Vector),
            st.builds(Pair, inner, inner.filter(lambda x: not isinstance(x, list))),
        ),
        max_leaves=max_leaves,
    )


# -- HTTP --------------------------------------------------------------------------

STATUSES = (200, 201, 204, 206, 301, 302, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504)
JSON_TYPE = (("content-type", "application/json"),)
HTML = b"<!doctype html><html><body><h1>503 Service Unavailable</h1></body></html>"


def http_responses(
    *, constants: Constants = NOTHING_KNOWN, huge: int = 300_000, schema: Schema | None = None
) -> Strategy[Response]:
    """What a server may answer: good and bad JSON, pages, nothing, too much, too late, any status, no connection.

    `schema` describes the good answers; without it their keys are `constants.strings`.
    """
    good = values_of(schema, constants) if schema is not None else st.one_of(documents(constants), json_values())
    body = good.map(lambda value: json.dumps(value).encode())
    status = st.one_of(st.just(200), st.sampled_from(STATUSES))
    cut = st.tuples(body, st.integers(0, 20)).map(lambda pair: pair[0][: len(pair[0]) - pair[1]])
    odd = st.sampled_from(
        [b"", b" ", b"null", b"[]", b"{}", b"0", b'""', b"not json", HTML, b"\xff\xfe\x00", b"\xef\xbb\xbf{}"]
    )
    return st.one_of(
        st.builds(Response, status, body),
        st.builds(Response, status, odd),
        st.builds(Response, st.just(200), cut),
        st.builds(Response, status, st.just(HTML), st.just((("content-type", "text/html"),))),
        st.builds(Response, st.just(429), odd, st.just((*JSON_TYPE, ("retry-after", "120")))),
        st.builds(
            Response, st.sampled_from((301, 302, 307)), st.just(b""), st.just((("location", "https://example.net/"),))
        ),
        st.just(Response(200, b'"' + b"x" * huge + b'"')),
        st.builds(Response, failure=st.sampled_from([kind for kind in KINDS if kind != "blocked"])),
        st.just(Response(seconds=3600.0)),
    )
