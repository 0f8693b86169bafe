"""A tool as the APIs of models want it, all from one schema."""

from __future__ import annotations

from collections.abc import Mapping

Schema = dict[str, object]

STYLES = ("openai", "openai-responses", "anthropic", "mcp")
NOT_STRICT = frozenset(("default", "examples", "title", "required", "additionalProperties"))
"""Keywords that strict mode has no place for, or that are written anew."""
NOT_STRICT_ANTHROPIC = NOT_STRICT | {
    "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "minItems", "maxItems",
}  # fmt: skip
ANNOTATIONS: Mapping[str, Mapping[str, object]] = {
    "fs_read": {"readOnlyHint": True},
    "network": {"openWorldHint": True},
    "fs_write": {"readOnlyHint": False, "destructiveHint": True},
    "shell": {"readOnlyHint": False, "destructiveHint": True},
}
"""What a Model Context Protocol client is told of a category."""


def schema_in_style(
    style: str,
    *,
    name: str,
    description: str,
    parameters: Schema,
    returns: Schema | None = None,
    strict: bool = False,
    category: str | None = None,
) -> dict[str, object]:
    """The tool's description in a style of STYLES; ValueError for another.

    Where strict mode cannot say what the parameters are (objects with any keys,
    values of any type), the tool is described without it.

    >>> schema_in_style("mcp", name="t", description="d", parameters={"type": "object"})
    {'name': 't', 'description': 'd', 'inputSchema': {'type': 'object'}}
    """
    strict = strict and not is_open(parameters, root=True)
    made: dict[str, object] = {"name": name, "description": description}
    if style == "anthropic":
        made["input_schema"] = strict_schema(parameters, NOT_STRICT_ANTHROPIC, optional=True) if strict else parameters
        return {**made, "strict": True} if strict else made
    if style == "mcp":
        made["inputSchema"] = parameters
        if returns is not None and returns.get("type") == "object":
            made["outputSchema"] = returns
        if category is not None and category in ANNOTATIONS:
            made["annotations"] = dict(ANNOTATIONS[category])
        return made
    made["parameters"] = strict_schema(parameters, NOT_STRICT) if strict else parameters
    if strict or style == "openai-responses":
        made["strict"] = strict
    if style == "openai":
        return {"type": "function", "function": made}
    if style == "openai-responses":
        return {"type": "function", **made}
    raise ValueError(f"a schema style is one of {', '.join(STYLES)}: {style!r}")


def is_open(schema: Mapping[str, object], *, root: bool = False) -> bool:
    """Is there a part that takes objects with any keys, or values of any type?"""
    properties = schema.get("properties")
    members = list(properties.values()) if isinstance(properties, Mapping) else []
    if not root:
        more = schema.get("additionalProperties", False)
        if schema.get("type") == "object" and (not members or more is not False):
            return True
        if not any(key in schema for key in ("type", "enum", "const")):
            return True
        if schema.get("type") == "array" and not isinstance(schema.get("items"), Mapping):
            return True
    parts = [*members, schema.get("items")]
    return any(is_open(part) for part in parts if isinstance(part, Mapping))


def strict_schema(schema: Mapping[str, object], without: frozenset[str], *, optional: bool = False) -> Schema:
    """The schema as strict mode wants it: nothing but the members that are declared.

    Unless some may be left out (`optional`), every member is required, and one that
    is not may be null: validation takes null for an optional parameter as not given,
    so both agree.
    """
    made: Schema = {key: value for key, value in schema.items() if key not in without}
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        members = properties if isinstance(properties, Mapping) else {}
        needed = schema.get("required")
        required = list(needed) if isinstance(needed, (list, tuple)) else []
        parts = {str(key): strict_schema(part, without, optional=optional) for key, part in members.items()}
        if not optional:
            parts = {key: part if key in required else nullable(part) for key, part in parts.items()}
        made["properties"] = parts
        made["required"] = [key for key in parts if key in required] if optional else list(parts)
        made["additionalProperties"] = False
    if isinstance(schema.get("items"), Mapping):
        made["items"] = strict_schema(schema["items"], without, optional=optional)  # type: ignore[arg-type]
    return made


def nullable(schema: Schema) -> Schema:
    """The schema with null let in."""
    kind = schema.get("type")
    made = dict(schema)
    if isinstance(kind, str):
        made["type"] = [kind] if kind == "null" else [kind, "null"]
    elif isinstance(kind, list) and "null" not in kind:
        made["type"] = [*kind, "null"]
    enum = made.get("enum")
    if isinstance(enum, list) and None not in enum:
        made["enum"] = [*enum, None]
    return made
