"""What the commands share: exit codes, error output, limits as options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

import click

from chibi_bridge.errors import (
    ConfigError,
    FuelExhausted,
    Interrupted,
    MemoryExhausted,
    OutputExhausted,
    RunTimeout,
    SandboxViolation,
    SchemeExit,
)
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import ToolList, load_tools
from chibi_bridge.tools.tool import PermissionRequest, show_value

if TYPE_CHECKING:
    pass

DONE, FAILED, USAGE, REFUSED, LIMIT = 0, 1, 2, 3, 4
LIMITS = (FuelExhausted, RunTimeout, MemoryExhausted, OutputExhausted, Interrupted)

F = TypeVar("F", bound=Callable[..., object])


def exit_code(error: BaseException) -> int:
    """The exit code an exception stands for."""
    if isinstance(error, SchemeExit):
        return error.code
    if isinstance(error, LIMITS):
        return LIMIT
    if isinstance(error, SandboxViolation):
        return REFUSED
    if isinstance(error, (OSError, UnicodeDecodeError, ConfigError)):
        return USAGE
    return FAILED


def report(error: BaseException) -> int:
    """Print an error to stderr and answer its exit code."""
    if not isinstance(error, SchemeExit):
        text = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.filename is not None:
            text = f"cannot read {error.filename}: {error.strerror}"
        click.echo(f"error: {text}", err=True)
    return exit_code(error)


def finish(code: int) -> NoReturn:
    """End the command with an exit code."""
    sys.stdout.flush()
    raise SystemExit(code)


def limit_options(command: F) -> F:
    """--fuel, --timeout, --memory, --output."""
    for option in (
        click.option("--output", type=click.IntRange(min=0), help="Bytes that may be printed."),
        click.option("--memory", type=click.IntRange(min=1), help="Bytes the context may use."),
        click.option("--timeout", type=click.FloatRange(min=0), help="Seconds."),
        click.option("--fuel", type=click.IntRange(min=0), help="Units of work."),
    ):
        command = option(command)
    return command


def make_limits(fuel: int | None, timeout: float | None, memory: int | None, output: int | None) -> Limits:
    """Limits with what was given over the defaults."""
    base = Limits()
    try:
        return Limits(
            fuel=base.fuel if fuel is None else fuel,
            timeout=base.timeout if timeout is None else timeout,
            memory=base.memory if memory is None else memory,
            output=base.output if output is None else output,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def make_policy(name: str, limits: Limits) -> Policy:
    """The policy of --policy."""
    return Policy(modules=name, limits=limits)


def load(file: Path, config: Path | None, path: str | None) -> ToolList:
    """Load a tool file; every trouble is printed and ends the command."""
    try:
        settings = None if config is None else read_settings(config, path or default_path(file))
        tools = load_tools(file, config=settings, vfs_path=path)
    except Exception as error:
        finish(report(error))
    for problem in tools.problems:
        report(problem)
    return tools


def default_path(file: Path) -> str:
    """The VFS path that a file has without --path."""
    return f"/tools/shared/{file.name}"


def read_settings(file: Path, path: str | None = None) -> Config:
    """A configuration, its warnings printed; one that says nothing of `path` is another."""
    config = Config.load(file)
    for warning in config.warnings:
        click.echo(f"warning: {warning}", err=True)
    if path is not None and not config.has_keys_for(path):
        click.echo(f"warning: {file}: no key matches {path} (--path says what a file's path is)", err=True)
    return config


def ask_terminal(request: PermissionRequest) -> bool:
    """Ask the person at the terminal; no terminal refuses."""
    try:
        with Path("/dev/tty").open("r+b", buffering=0) as terminal:
            return ask_on(terminal, request)
    except OSError:
        return False


class Terminal(Protocol):
    """What a question is asked on."""

    def write(self, data: bytes, /) -> object: ...

    def readline(self) -> bytes: ...


def ask_on(terminal: Terminal, request: PermissionRequest) -> bool:
    """Ask: Enter, y and yes approve, ? shows all arguments, all else and the end of input refuse."""
    while True:
        terminal.write(request.prompt.encode())
        answer = terminal.readline()
        if not answer:
            return False
        word = answer.decode("utf-8", "replace").strip().lower()
        if word != "?":
            return word in ("", "y", "yes")
        terminal.write(all_arguments(request).encode())


ALL_SHOWN = 4_000
"""Characters of an argument that ? shows."""


def all_arguments(request: PermissionRequest) -> str:
    """What a request is about, line by line, values cut where they are very long."""
    facts = [
        ("tool", request.tool),
        ("file", request.file),
        ("category", request.category.value),
        ("reaches", request.capability),
        ("reason", request.reason),
        ("called by", " -> ".join(request.chain[:-1]) or None),
    ]
    lines = [f"  {name}: {show_value(value)}" for name, value in facts if value is not None]
    lines += [f"  {show_value(name)} = {show_value(value, ALL_SHOWN)}" for name, value in request.arguments.items()]
    return "\n".join(lines) + "\n"
