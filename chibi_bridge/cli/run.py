"""chibi-bridge run FILE [TOOL]"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chibi_bridge.cli.common import (
    REFUSED,
    USAGE,
    ask_terminal,
    default_path,
    exit_code,
    finish,
    limit_options,
    make_limits,
    read_settings,
    report,
)
from chibi_bridge.cli.traced import remember
from chibi_bridge.errors import ConfigError, ConversionError, UnknownTool
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import ToolList
from chibi_bridge.tools.registry import ToolRegistry
from chibi_bridge.tools.steps import Call, run_now
from chibi_bridge.tools.tool import Ask, PermissionRequest, Tool, ToolResult
from chibi_bridge.tools.vfs import DirectoryVfs
from chibi_bridge.trace import Recorder, Trace

if TYPE_CHECKING:
    from chibi_bridge.host.http_record import HttpRecorder, HttpReplay


@click.command("run", epilog="Example: chibi-bridge run examples/text.scm word_count --arg text='hello world'")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("tool", required=False)
@click.option("--args", "arguments", help="The arguments, a JSON object; - reads it from standard input.")
@click.option("--arg", "pairs", multiple=True, metavar="NAME=VALUE", help="One argument; @FILE is a file's text.")
@click.option("--config", type=click.Path(path_type=Path), help="A config.toml.")
@click.option("--path", help="The file's VFS path; /tools/shared/NAME.scm without it.")
@click.option("--context", help="Who calls; the owner of a file below /tools/home, else default.")
@click.option("--vfs", type=click.Path(path_type=Path, file_okay=False), help="A folder for the VFS, else in memory.")
@click.option("--yes", is_flag=True, help="Approve without asking.")
@click.option("--record", type=click.Path(path_type=Path), help="Keep the HTTP requests of the run in a file.")
@click.option("--replay", type=click.Path(path_type=Path), help="Answer HTTP requests from a recording.")
@click.option("--trace", type=click.Path(path_type=Path), help="Keep every answer of the host, for `replay`.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@limit_options
def command(
    file: Path,
    tool: str | None,
    arguments: str | None,
    pairs: tuple[str, ...],
    config: Path | None,
    path: str | None,
    context: str | None,
    vfs: Path | None,
    yes: bool,
    record: Path | None,
    replay: Path | None,
    trace: Path | None,
    as_json: bool,
    fuel: int | None,
    timeout: float | None,
    memory: int | None,
    output: int | None,
) -> None:
    """Load FILE, call TOOL (needed where the file has several) and print its text.

    The call goes through the gate of a registry with this one file and the built-in
    tools: hooks of the file fire, call-tool works, answers are remembered where the
    configuration says so.
    """
    place = path or default_path(file)
    kept = Trace()
    tap = None if trace is None else Recorder(kept)
    registry = registry_for(
        None if config is None else read_config(config, place),
        approve if yes else ask_terminal,
        transport_for(record, replay, config, place),
        vfs,
        (fuel, timeout, memory, output),
    )
    chosen = choose(added(registry, file, place, tap), tool)
    args = collect(chosen, arguments, pairs)
    result = called(registry, chosen, args, context or owner_of(place), traced=tap is not None)
    if trace is not None:
        save_trace(trace, kept, chosen, args, result)
    show(result, as_json)
    finish(0 if result.error is None else exit_code(result.error))


def read_config(file: Path, path: str) -> Config:
    """The configuration; one that cannot be used ends the command."""
    try:
        return read_settings(file, path)
    except Exception as error:
        finish(report(error))


def registry_for(
    config: Config | None,
    permission: Ask,
    transport: HttpRecorder | HttpReplay | None,
    vfs: Path | None,
    limits: tuple[int | None, float | None, int | None, int | None],
) -> ToolRegistry:
    """The registry that the call goes through; what it cannot be made of ends the command."""
    try:
        return ToolRegistry(
            config=config,
            permission=permission,
            transport=transport,
            vfs=None if vfs is None else DirectoryVfs(vfs),
            limits=None if limits == (None,) * 4 else make_limits(*limits),
        )
    except ConfigError as error:
        finish(report(error))


def added(registry: ToolRegistry, file: Path, path: str, tap: Recorder | None) -> ToolList:
    """The tools of the file; what does not load is printed, and ends the command where it is all of it."""
    try:
        tools = registry.add(file, vfs_path=path, tap=tap)
    except Exception as error:
        finish(report(error))
    for problem in tools.problems:
        report(problem)
    return tools


def approve(request: PermissionRequest) -> bool:
    """--yes"""
    return True


def owner_of(path: str) -> str:
    """The context that calls: the one whose file it is, or default."""
    parts = path.split("/")
    return parts[3] if path.startswith("/tools/home/") and len(parts) > 4 else "default"


def called(registry: ToolRegistry, tool: Tool, args: dict[str, object], context: str, *, traced: bool) -> ToolResult:
    """Call a tool; a call that is traced fires no hooks, as its replay has none."""
    if not traced:
        try:
            return registry.call(tool.name, args, context=context)
        except UnknownTool:
            click.echo(f"error: the configuration or --context hides the tool {tool.name}", err=True)
            finish(REFUSED)
    return run_now(tool.steps(args, Call(caller=registry, context=context, chain=(tool.name,))))


def save_trace(path: Path, kept: Trace, tool: Tool, args: dict[str, object], result: ToolResult) -> None:
    """Write the trace of a call; the call itself is done, whatever comes of this."""
    remember(kept, tool, args, result)
    try:
        kept.save(path)
    except OSError as error:
        click.echo(f"error: cannot write {path}: {error.strerror}", err=True)


def transport_for(
    record: Path | None, replay: Path | None, config: Path | None, path: str
) -> HttpRecorder | HttpReplay | None:
    """What answers HTTP requests; None: the network, as the configuration says."""
    if record is None and replay is None:
        return None
    from chibi_bridge.host.http_network import HttpNetwork  # few runs need these
    from chibi_bridge.host.http_record import HttpRecorder, HttpReplay

    if record is not None and replay is not None:
        raise click.UsageError("--record and --replay exclude each other")
    try:
        settings = Config() if config is None else Config.load(config)
        hide = settings.environment(path)
        if record is None:
            return HttpReplay(replay, hide=hide)  # type: ignore[arg-type]
        return HttpRecorder(record, HttpNetwork(ca_file=settings.ca_file), hide=hide)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{record or replay}: {error}") from error


def choose(tools: ToolList, name: str | None) -> Tool:
    """The tool of that name; the only one without a name."""
    names = ", ".join(tool.name for tool in tools)
    if name is None:
        if len(tools) == 1:
            return tools[0]
        raise click.UsageError(f"the file has {len(tools)} tools, name one: {names}")
    for tool in tools:
        if tool.name == name:
            return tool
    raise click.UsageError(f"no tool {name} in the file; there are: {names}")


def collect(tool: Tool, arguments: str | None, pairs: tuple[str, ...]) -> dict[str, object]:
    """The arguments of --args and --arg."""
    given: dict[str, object] = {}
    if arguments is not None:
        text = sys.stdin.read() if arguments == "-" else arguments
        try:
            parsed = json.loads(text)
        except ValueError as error:
            raise click.UsageError(f"--args is no JSON: {error}") from error
        if not isinstance(parsed, dict):
            raise click.UsageError("--args is a JSON object")
        given.update(parsed)
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--arg wants NAME=VALUE: {pair}")
        given[name] = value_of(tool, name, text)
    return given


def value_of(tool: Tool, name: str, text: str) -> object:
    """A value as the schema wants it: text for strings, JSON for the rest."""
    properties = tool.parameters.get("properties")
    part = properties.get(name, {}) if isinstance(properties, dict) else {}
    kind = part.get("type") if isinstance(part, dict) else None
    if text.startswith("@"):
        try:
            return Path(text[1:]).read_text(encoding="utf-8")
        except OSError as error:
            click.echo(f"error: {text[1:]}: {error.strerror}", err=True)
            finish(USAGE)
    if kind in (None, "string"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def show(result: ToolResult, as_json: bool) -> None:
    """The text to stdout, what the tool printed and the error to stderr; or all as JSON."""
    if as_json:
        try:
            value = result.json if result.error is None else None
        except ConversionError:
            value = None
        everything = {
            "text": result.text,
            "value": value,
            "stdout": result.stdout,
            "stderr": result.stderr,
            "error": None if result.error is None else str(result.error),
            "fuel_used": result.fuel_used,
        }
        click.echo(json.dumps(everything, ensure_ascii=False, indent=2))
        return
    click.echo(result.stdout, nl=False, err=True)
    click.echo(result.stderr, nl=False, err=True)
    if result.error is None:
        click.echo(result.text)
    else:
        click.echo(f"error: {result.error}", err=True)
