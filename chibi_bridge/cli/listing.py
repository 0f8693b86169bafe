"""chibi-bridge list FILE|DIR ..."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, finish, load, read_settings, report
from chibi_bridge.errors import ConfigError
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.registry import ToolRegistry
from chibi_bridge.tools.tool import Tool


@click.command("list", epilog="Example: chibi-bridge list examples/ --format openai")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "json", "openai", "anthropic", "mcp"]),
    default="table",
    show_default=True,
)
@click.option("--config", type=click.Path(path_type=Path), help="A config.toml.")
@click.option("--path", help="The VFS path of a single file.")
def command(files: tuple[Path, ...], style: str, config: Path | None, path: str | None) -> None:
    """Show the tools in FILES: name, category, parameters."""
    code = 0
    if len(files) == 1 and files[0].is_file():
        tools: list[Tool] = list(load(files[0], config, path))
    else:
        registry = ToolRegistry(config=None if config is None else settings_or_end(config))
        tools = registry.scan(*files)
        for problem in registry.problems:
            report(problem)
            code = FAILED
    if style == "table":
        for tool in tools:
            click.echo(line_of(tool))
    elif style == "json":
        click.echo(json.dumps([everything(tool) for tool in tools], ensure_ascii=False, indent=2))
    else:
        click.echo(json.dumps([tool.schema(style) for tool in tools], ensure_ascii=False, indent=2))
    finish(code)


def settings_or_end(file: Path) -> Config:
    """The configuration; a bad one ends the command."""
    try:
        return read_settings(file)
    except ConfigError as error:
        finish(report(error))


def line_of(tool: Tool) -> str:
    """One line of the table."""
    properties = tool.parameters.get("properties")
    required = tool.parameters.get("required")
    names = [
        name if isinstance(required, list) and name in required else f"[{name}]"
        for name in (properties if isinstance(properties, dict) else {})
    ]
    return f"{tool.name:<24} {tool.category.value:<12} {' '.join(names):<32} {tool.description}".rstrip()


def everything(tool: Tool) -> dict[str, object]:
    """All that is known of a tool."""
    return {
        "name": tool.name,
        "description": tool.description,
        "category": tool.category.value,
        "summary_params": list(tool.summary_params),
        "parameters": tool.parameters,
        "hooks": list(tool.hooks),
        "path": tool.path,
    }
