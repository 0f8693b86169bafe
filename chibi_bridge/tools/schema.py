"""Parameters of a tool as JSON Schema, and the check of arguments against it.

Two jobs: read what a tool file writes (an alist, keys symbols or strings,
attributes dotted or list-style, or a JSON Schema as an alist) and validate
arguments with messages that name path, expected and got. The subset: type enum
const default items properties required additionalProperties minimum maximum
exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems.
"""

from __future__ import annotations

import json
import math
import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from chibi_bridge.errors import ConversionError, InvalidArguments
from chibi_bridge.values import Char, Pair, Symbol, Values, Vector, write

Schema: TypeAlias = dict[str, object]

NULL = Symbol("null")


class SchemaError(ValueError):
    """Parameters that cannot be read; `parameter` says which."""

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


# -- from Scheme ---------------------------------------------------------------------


def schema_of_parameters(parameters: object) -> Schema:
    """The object schema of a tool's parameters; SchemaError where they make no sense."""
    if not isinstance(parameters, list):
        raise SchemaError(f"tool-parameters must be a list, got: {write(parameters, 200)}")
    if is_raw_schema(parameters):
        return raw_schema(parameters)
    properties: dict[str, object] = {}
    required: list[str] = []
    for item in parameters:
        name, attributes = parameter_of(item)
        schema, needed = attributes_of(attributes, name)
        properties[name] = schema
        if needed and name not in required:
            required.append(name)
        elif not needed and name in required:
            required.remove(name)
    return {"type": "object", "properties": properties, "required": required}


KEYWORDS = frozenset(
    "type enum const items properties required additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum "
    "minLength maxLength minItems maxItems multipleOf pattern format description title default examples".split()
)


def schema_of_result(returns: object) -> Schema:
    """The schema of a tool's result: a JSON Schema as an alist, the name of a type, or members written like parameters.

    >>> schema_of_result([Pair("type", "array"), [Symbol("items"), Pair("type", "integer")]])
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    if isinstance(returns, str):
        return {"type": str(returns)}
    if isinstance(returns, list) and len(returns) == 1 and (isinstance(returns[0], str) or is_alist(returns[0])):
        return schema_of_result(returns[0])  # (returns (type . "string")) leaves its operand in a list
    if isinstance(returns, list) and is_raw_schema(returns):
        return raw_schema(returns)
    entries = [entry(item) for item in returns] if isinstance(returns, list) else []
    if entries and all(pair is not None and pair[0] in KEYWORDS for pair in entries):
        assert isinstance(returns, list)
        return attributes_of(returns, "")[0]
    return schema_of_parameters(returns)


def parameter_of(item: object) -> tuple[str, list[object]]:
    """Name and attributes of one parameter."""
    if not isinstance(item, list) or not item:
        raise SchemaError(f"tool-parameters entry must be a non-empty list, got: {write(item, 200)}", key_of(item))
    name = item[0]
    if not isinstance(name, str) or isinstance(name, Char):
        raise SchemaError(f"parameter name must be symbol or string, got: {write(name, 200)}")
    attributes = item[1:]
    if len(attributes) == 1 and is_alist(attributes[0]):
        attributes = attributes[0]  # (name ((type . "string")))
    return str(name), attributes


def key_of(item: object) -> str | None:
    """The name a malformed entry seems to have."""
    return str(item.car) if isinstance(item, Pair) and isinstance(item.car, str) else None


def is_alist(value: object) -> bool:
    """A non-empty list of entries with a name each."""
    return isinstance(value, list) and bool(value) and all(entry(item) is not None for item in value)


def entry(item: object) -> tuple[str, object] | None:
    """Key and content of an alist's element; the content of `(k a b)` is the list (a b)."""
    if isinstance(item, Pair) and isinstance(item.car, str) and not isinstance(item.car, Char):
        return str(item.car), item.cdr
    if isinstance(item, list) and item and isinstance(item[0], str) and not isinstance(item[0], Char):
        return str(item[0]), item[1:]
    return None


def is_raw_schema(parameters: list[object]) -> bool:
    """Is it a JSON Schema written as an alist: (type . "object") and properties?"""
    entries = [entry(item) for item in parameters]
    found = {pair[0]: pair[1] for pair in entries if pair}
    return "properties" in found and scalar(found.get("type")) == "object"


def raw_schema(parameters: list[object]) -> Schema:
    """A JSON Schema written as an alist; here nothing is required but what it lists."""
    schema, _ = attributes_of(parameters, "")
    schema.setdefault("required", [])
    return schema


def scalar(content: object) -> object:
    """The value of `(k . v)` and of `(k v)`; symbols as strings."""
    if isinstance(content, list) and len(content) == 1:
        content = content[0]
    return str(content) if isinstance(content, Symbol) else content


def attributes_of(attributes: list[object], name: str) -> tuple[Schema, bool]:
    """The schema of one parameter, and whether it is required."""
    schema: Schema = {}
    needed = True
    for item in attributes:
        pair = entry(item)
        if pair is None:
            raise SchemaError(
                f'parameter {name}: an attribute is a pair such as (type . "string"), got: {write(item, 200)}', name
            )
        key, content = pair
        if key == "required" and isinstance(scalar(content), bool):
            needed = bool(scalar(content))
        elif key == "required":
            schema["required"] = string_list(content)
        else:
            add_attribute(schema, key, content, name)
    fix_default(schema)
    return schema, needed


NUMBERS = frozenset(
    (
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "multipleOf",
    )
)


def add_attribute(schema: Schema, key: str, content: object, name: str) -> None:
    """Put one attribute into the schema; unknown ones are left out."""
    if key == "type":
        value = scalar(content)
        if isinstance(value, list):
            schema["type"] = string_list(value)
        elif isinstance(value, str):
            schema["type"] = value
    elif key in ("description", "title", "format", "pattern"):
        value = scalar(content)
        if isinstance(value, str):
            schema[key] = value
            if key == "pattern":
                check_pattern(value, name)
    elif key == "enum":
        schema["enum"] = enum_values(content)
    elif key == "items":
        schema["items"] = nested(content, name)
    elif key == "properties":
        inner = (
            content[0]
            if isinstance(content, list) and len(content) == 1 and is_alist_of_alists(content[0])
            else content
        )
        part = schema_of_parameters(inner)
        schema["properties"] = part["properties"]
        if schema.get("type", "object") == "object" and "required" not in schema and name:
            schema["required"] = part["required"]
    elif key in NUMBERS:
        number = scalar(content)
        if isinstance(number, (int, float, Fraction)) and not isinstance(number, bool):
            schema[key] = float(number) if isinstance(number, Fraction) else number
    elif key == "additionalProperties":
        value = scalar(content)
        schema[key] = value if isinstance(value, bool) else nested(content, name)
    elif key in ("default", "const", "examples"):
        schema[key] = content


def is_alist_of_alists(value: object) -> bool:
    """A list of parameters: distinguishes ((x (type . "string"))) from one parameter."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, list) and item and isinstance(item[0], str) for item in value)
    )


def found(pattern: str, value: str) -> bool:
    """Is a pattern found in a text?"""
    from chibi_bridge.tools.pattern import matches  # here: few tools have one

    return matches(pattern, value)


def check_pattern(pattern: str, name: str) -> None:
    """A pattern has to be a regular expression of linear time."""
    from chibi_bridge.tools import pattern as patterns  # here: few tools have one

    try:
        patterns.check_pattern(pattern)
    except ValueError as error:
        raise SchemaError(
            f"parameter {name}: the pattern {pattern!r} is no regular expression: {error}", name
        ) from error


def nested(content: object, name: str) -> Schema:
    """The schema in `items`: (items . ((type . "string"))), (items (type . "string")) or (items . "string")."""
    if isinstance(content, str):
        return {"type": str(content)}
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], str):
        return {"type": str(content[0])}
    if isinstance(content, list) and len(content) == 1 and is_alist(content[0]):
        content = content[0]
    if not isinstance(content, list):
        raise SchemaError(f"parameter {name}: items is a list of attributes, got: {write(content, 200)}", name)
    return attributes_of(content, name or "items")[0]


def enum_values(content: object) -> list[object]:
    """The values of (enum . ("a" "b")), (enum "a" "b"), (enum ("a" "b")), (enum . #("a" "b"))."""
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], (list, Vector)):
        content = content[0]
    items = list(content) if isinstance(content, (list, Vector)) else [content]
    return [literal(item) for item in items]


def string_list(content: object) -> list[str]:
    """Names in a list or vector."""
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], (list, Vector)):
        content = content[0]
    return [str(item) for item in content if isinstance(item, str)] if isinstance(content, (list, Vector)) else []


def literal(item: object) -> object:
    """A value in a schema as JSON: symbols are their names, null is None."""
    if isinstance(item, Symbol):
        return None if item == "null" else str(item)
    return to_json(item)


def fix_default(schema: Schema) -> None:
    """Read default and const by the declared type: a list is one for arrays only."""
    for key in ("default", "const", "examples"):
        if key not in schema:
            continue
        content = schema[key]
        if schema.get("type") != "array" and key != "examples" and isinstance(content, list) and len(content) == 1:
            content = content[0]
        schema[key] = [] if isinstance(content, list) and not content else literal(content)


# -- values: JSON <-> Scheme (one rule set) --------------------------------------------


def to_scheme(value: object) -> object:
    """What a JSON value is in Scheme: null the symbol, objects alists, {} and [] the empty list."""
    if value is None:
        return NULL
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {key_text(key): to_scheme(item) for key, item in value.items()} if value else []
    if isinstance(value, (list, tuple)):
        return [to_scheme(item) for item in value]
    raise ConversionError(f"not a JSON value: {value!r}")


def key_text(key: object) -> str:
    """A key of a JSON object."""
    if not isinstance(key, str):
        raise ConversionError(f"a key of a JSON object is a string: {key!r}")
    return str(key)


def to_json(value: object) -> object:
    """The JSON value of a Scheme value; ConversionError for what JSON cannot hold.

    Alists with string or symbol keys are objects, other lists and vectors arrays,
    the symbol null is None.

    >>> to_json([Pair("a", 1), [Symbol("b"), 2, 3]])
    {'a': 1, 'b': [2, 3]}
    """
    if isinstance(value, Symbol):
        if value == "null":
            return None
        raise ConversionError(f"a symbol has no JSON form: {value}; use a string")
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ConversionError(f"JSON has no {write(value)}")
        return value
    if isinstance(value, str) and not isinstance(value, Char):
        return value
    if isinstance(value, list):
        return object_or_array(value)
    if isinstance(value, Vector):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key_text(key): to_json(item) for key, item in value.items()}
    if isinstance(value, Values) and len(value) > 0:
        raise ConversionError("multiple values have no JSON form; use a list")
    if isinstance(value, Values) or value is None:
        raise ConversionError("the unspecified value has no JSON form")
    raise ConversionError(f"no JSON form: {write(value, 200)}")


def object_or_array(value: list[object]) -> object:
    """A non-empty list of pairs with string or symbol keys is an object."""
    if value and all(isinstance(item, (Pair, list)) for item in value):
        entries = [entry(item) for item in value]
        if all(pair is not None for pair in entries):
            made: dict[str, object] = {}
            for key, content in entries:  # type: ignore[misc]
                if key not in made:
                    made[key] = to_json(content)
            return made
    return [to_json(item) for item in value]


# -- validation -------------------------------------------------------------------------

Problem = tuple[str, str, str]


def check_arguments(schema: Schema, arguments: object, tool: str = "") -> dict[str, object]:
    """The arguments with defaults filled in; InvalidArguments where they break the schema."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise invalid(tool, [("", "an object", shorten(arguments))], schema)
    problems = check_shape(arguments)
    if problems:
        raise invalid(tool, problems, schema)
    made = check_object(schema, arguments, "", problems)
    if problems:
        raise invalid(tool, problems, schema)
    return made


MOST_DEPTH = 200
"""How deep arguments may be nested."""


def check_shape(arguments: Mapping[object, object]) -> list[Problem]:
    """What is wrong with arguments that are no JSON object, or too deep a one, perhaps a circle."""
    waiting: list[tuple[object, int]] = [(arguments, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MOST_DEPTH:
            return [("", f"values nested at most {MOST_DEPTH} deep", "deeper ones")]
        if isinstance(value, Mapping):
            for key in value:
                if not isinstance(key, str):
                    return [("", "keys that are strings", shorten(key))]
        items = value.values() if isinstance(value, Mapping) else value
        assert isinstance(items, Iterable)
        waiting.extend((item, depth + 1) for item in items if isinstance(item, (Mapping, list, tuple)))
    return []


def invalid(tool: str, problems: list[Problem], schema: Schema) -> InvalidArguments:
    """The exception for the problems found."""
    path, expected, got = problems[0]
    parts = []
    for where, wanted, came in problems[:5]:
        if came == MISSING:
            parts.append(f"argument {where} is missing (expected {wanted})")
        else:
            parts.append(f"argument {where or 'object'}: expected {wanted}, got {came}")
    if len(problems) > 5:
        parts.append(f"and {len(problems) - 5} more")
    hint = None
    if got == MISSING:
        hint = f'give "{path}", or declare the parameter optional with (required . #f)'
    message = (f"{tool}: " if tool else "") + "; ".join(parts)
    return InvalidArguments(message, path=path, expected=expected, got=got, problems=problems, hint=hint)


MISSING = "nothing"


def check_object(
    schema: Schema, value: Mapping[object, object], path: str, problems: list[Problem]
) -> dict[str, object]:
    """Check the members; answer a copy with defaults."""
    properties = schema.get("properties") or {}
    assert isinstance(properties, Mapping)
    made: dict[str, object] = {}
    for name, part in properties.items():
        where = f"{path}.{name}" if path else str(name)
        if name in value and not stands_for_nothing(part, value[name], name, schema):
            made[name] = check_value(part, value[name], where, problems)
        elif "default" in part:
            made[name] = part["default"]
        elif name in (schema.get("required") or ()):  # type: ignore[operator]
            problems.append((where, expectation(part), MISSING))
    extra = schema.get("additionalProperties", True)
    for name in value:
        if name in properties:
            continue
        where = f"{path}.{name}" if path else str(name)
        if extra is False:
            problems.append(
                (where, "no such argument; known: " + ", ".join(map(str, properties)), shorten(value[name]))
            )
        elif isinstance(extra, dict):
            made[str(name)] = check_value(extra, value[name], where, problems)
        else:
            made[str(name)] = value[name]
    return made


def stands_for_nothing(part: Schema, value: object, name: object, schema: Schema) -> bool:
    """Is it null for an optional parameter that takes no null? Models write that for "not given"."""
    if value is not None or name in (schema.get("required") or ()):  # type: ignore[operator]
        return False
    kind, enum = part.get("type"), part.get("enum")
    kinds = [kind] if isinstance(kind, str) else kind if isinstance(kind, list) else []
    return (bool(kinds) and "null" not in kinds) or (isinstance(enum, list) and None not in enum)


def check_value(schema: Schema, value: object, path: str, problems: list[Problem]) -> object:
    """Check one value; answer it, with defaults of nested objects filled in."""
    before = len(problems)
    wanted = schema.get("type")
    types = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
    if types and not any(has_type(value, str(kind)) for kind in types):
        problems.append((path, expectation(schema), shorten(value)))
        return value
    enum = schema.get("enum")
    if isinstance(enum, list) and not any(same(value, item) for item in enum):
        problems.append((path, "one of " + ", ".join(json.dumps(item) for item in enum), shorten(value)))
    if "const" in schema and not same(value, schema["const"]):
        problems.append((path, json.dumps(schema["const"]), shorten(value)))
    if isinstance(value, float) and "integer" in types and "number" not in types:
        value = int(value)
    if isinstance(value, str):
        check_string(schema, value, path, problems)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        check_number(schema, value, path, problems)
    elif isinstance(value, Mapping) and len(problems) == before:
        return check_object(schema, value, path, problems)
    elif isinstance(value, (list, tuple)):
        return check_array(schema, list(value), path, problems)
    return value


def check_string(schema: Schema, value: str, path: str, problems: list[Problem]) -> None:
    """minLength, maxLength, pattern."""
    low, high, pattern = schema.get("minLength"), schema.get("maxLength"), schema.get("pattern")
    if isinstance(low, int) and len(value) < low:
        problems.append((path, f"at least {low} characters", shorten(value)))
    if isinstance(high, int) and len(value) > high:
        problems.append((path, f"at most {high} characters", shorten(value)))
    if isinstance(pattern, str) and not found(pattern, value):
        problems.append((path, f"text that matches {pattern}", shorten(value)))


BOUNDS: tuple[tuple[str, Callable[[float, float], bool], str], ...] = (
    ("minimum", operator.ge, "at least"),
    ("maximum", operator.le, "at most"),
    ("exclusiveMinimum", operator.gt, "more than"),
    ("exclusiveMaximum", operator.lt, "less than"),
)


def check_number(schema: Schema, value: int | float, path: str, problems: list[Problem]) -> None:
    """minimum, maximum and their exclusive forms, multipleOf."""
    for key, holds, text in BOUNDS:
        limit = schema.get(key)
        if isinstance(limit, (int, float)) and not isinstance(limit, bool) and not holds(value, limit):
            problems.append((path, f"{text} {limit}", shorten(value)))
    step = schema.get("multipleOf")
    if isinstance(step, (int, float)) and step > 0 and math.isfinite(value) and Fraction(value) % Fraction(step):
        problems.append((path, f"a multiple of {step}", shorten(value)))


def check_array(schema: Schema, value: list[object], path: str, problems: list[Problem]) -> list[object]:
    """minItems, maxItems, items."""
    low, high, items = schema.get("minItems"), schema.get("maxItems"), schema.get("items")
    if isinstance(low, int) and len(value) < low:
        problems.append((path, f"at least {low} items", f"{len(value)} items"))
    if isinstance(high, int) and len(value) > high:
        problems.append((path, f"at most {high} items", f"{len(value)} items"))
    if isinstance(items, dict):
        return [check_value(items, item, f"{path}[{index}]", problems) for index, item in enumerate(value)]
    return value


def has_type(value: object, kind: str) -> bool:
    """Is the value of a JSON Schema type? A type nobody knows fits everything."""
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return (isinstance(value, int) and not isinstance(value, bool)) or (
            isinstance(value, float) and value.is_integer()
        )
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "array":
        return isinstance(value, (list, tuple))
    if kind == "object":
        return isinstance(value, Mapping)
    if kind == "null":
        return value is None
    return True


def same(left: object, right: object) -> bool:
    """JSON equality: true is not 1."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def expectation(schema: Schema) -> str:
    """What a schema wants, in a few words."""
    enum = schema.get("enum")
    if isinstance(enum, list) and enum:
        return "one of " + ", ".join(json.dumps(item) for item in enum)
    kind = schema.get("type")
    names = [kind] if isinstance(kind, str) else kind if isinstance(kind, list) else ["any value"]
    return " or ".join(str(name) for name in names)


def shorten(value: object, limit: int = 60) -> str:
    """The value as JSON, with its type, cut."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"an integer of {value.bit_length()} bits"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = reprlib.repr(value)
    text = text if len(text) <= limit else text[: limit - 3] + "..."
    kind = "null" if value is None else json_type(value)
    return text if kind == text else f"{kind} {text}"


def json_type(value: object) -> str:
    """The name of a value's JSON type."""
    for kind in ("boolean", "string", "integer", "number", "array", "object"):
        if has_type(value, kind):
            return kind
    return type(value).__name__
