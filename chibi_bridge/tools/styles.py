"""A tool as the APIs of models want it, all from one schema."""

from __future__ import annotations

from collections.abc import Mapping

Schema = dict[str, object]

STYLES = ("openai", "openai-responses", "anthropic", "mcp")
NOT_STRICT = frozenset(("default", "examples", "title", "required", "additionalProperties"))
"""Keywords that strict mode has no place for, or that are written anew."""


def schema_in_style(
    style: str,
    *,
    name: str,
    description: str,
    parameters: Schema,
    returns: Schema | None = None,
    strict: bool = False,
) -> dict[str, object]:
    """The tool's description in a style of STYLES; ValueError for another.

    >>> schema_in_style("mcp", name="t", description="d", parameters={"type": "object"})
    {'name': 't', 'description': 'd', 'inputSchema': {'type': 'object'}}
    """
    if style == "anthropic":
        return {"name": name, "description": description, "input_schema": parameters}
    if style == "mcp":
        made: dict[str, object] = {"name": name, "description": description, "inputSchema": parameters}
        if returns is not None and returns.get("type") == "object":
            made["outputSchema"] = returns
        return made
    function: dict[str, object] = {
        "name": name,
        "description": description,
        "parameters": strict_schema(parameters) if strict else parameters,
    }
    if strict or style == "openai-responses":
        function["strict"] = strict
    if style == "openai":
        return {"type": "function", "function": function}
    if style == "openai-responses":
        return {"type": "function", **function}
    raise ValueError(f"a schema style is one of {', '.join(STYLES)}: {style!r}")


def strict_schema(schema: Mapping[str, object]) -> Schema:
    """The schema as strict mode wants it: every member required, optional ones may be null, nothing else.

    Validation takes null for an optional parameter as not given, so both agree.
    """
    made: Schema = {key: value for key, value in schema.items() if key not in NOT_STRICT}
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        members = properties if isinstance(properties, Mapping) else {}
        needed = schema.get("required")
        required = list(needed) if isinstance(needed, (list, tuple)) else []
        made["properties"] = {
            str(key): strict_schema(part) if key in required else nullable(strict_schema(part))
            for key, part in members.items()
        }
        made["required"] = [str(key) for key in members]
        made["additionalProperties"] = False
    if isinstance(schema.get("items"), Mapping):
        made["items"] = strict_schema(schema["items"])  # type: ignore[arg-type]
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
