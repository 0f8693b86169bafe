"""chibi-bridge serve FILE|DIR ...: the node of a satellite."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, USAGE, finish, limit_options, make_limits, read_settings, report
from chibi_bridge.errors import SchemeExit
from chibi_bridge.satellite.channel import Channel
from chibi_bridge.satellite.node import Node
from chibi_bridge.satellite.served import Settings, ToolFile, duplicates, find
from chibi_bridge.tools.config import Config

TOKEN_BYTES = 32


class BootError(Exception):
    """The channel cannot be had; `kind` is TokenUnavailable or TransportUnavailable."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")


@click.command(
    "serve", epilog="Example: LOOM_CAP_SOCK=cap.sock LOOM_CAP_TOKEN_FILE=cap-token chibi-bridge serve weather/"
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--fd", type=click.IntRange(min=3), help="An inherited, connected stream socket. Else LOOM_CAP_SOCK names one."
)
@click.option("--config", type=click.Path(path_type=Path), help="A config.toml for tool files.")
@click.option("--path", help="The VFS path of a single tool file.")
@limit_options
def command(
    files: tuple[Path, ...],
    fd: int | None,
    config: Path | None,
    path: str | None,
    fuel: int | None,
    timeout: float | None,
    memory: int | None,
    output: int | None,
) -> None:
    """Serve the tools and hooks of FILES to a harness, in a process of their own.

    A folder with extension.toml serves what it declares; everything else is tool
    files. Ends with 0 once the harness cancels or hangs up.
    """
    given = (fuel, timeout, memory, output)
    limits = None if given == (None,) * 4 else make_limits(*given)
    try:
        settings = Settings(Config() if config is None else read_settings(config, path), path, limits)
        served = find(files, settings)
        node = Node(served)
    except SchemeExit as error:
        click.echo(f"error: a file ended itself while it was loaded: {error}", err=True)
        finish(FAILED)
    except Exception as error:
        finish(report(error))
    for item in served:
        for problem in item.problems if isinstance(item, ToolFile) else ():
            report(problem)
    twice = duplicates(served)
    if twice is not None:
        finish(report(twice))
    try:
        channel = Channel(connection(fd), strict=False)
    except BootError as error:
        click.echo(f"error: {error}", err=True)
        finish(USAGE if fd is not None else FAILED)
    try:
        fault = node.serve(channel)
    finally:
        channel.close()
        node.close()
    if fault is not None:
        click.echo(f"error: the harness broke the protocol: {fault}", err=True)
    finish(0)


def connection(fd: int | None) -> socket.socket:
    """The socket: inherited, or connected to what the environment names. Its token is never used."""
    if fd is not None:
        return inherited(fd)
    token = os.environ.get("LOOM_CAP_TOKEN_FILE")
    if not token:
        raise BootError("TokenUnavailable", "LOOM_CAP_TOKEN_FILE is not set")
    try:
        size = len(Path(token).read_bytes())
    except (OSError, ValueError) as error:
        raise BootError("TokenUnavailable", f"{token}: {error}") from error
    if size != TOKEN_BYTES:
        raise BootError("TokenUnavailable", f"{token} holds {size} bytes, not {TOKEN_BYTES}")
    name = os.environ.get("LOOM_CAP_SOCK")
    if not name:
        raise BootError("TransportUnavailable", "LOOM_CAP_SOCK is not set")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.connect(name)
    except (OSError, ValueError) as error:
        made.close()
        raise BootError("TransportUnavailable", f"{name}: {error}") from error
    return made


def inherited(fd: int) -> socket.socket:
    """The socket behind a descriptor, which no child inherits in turn."""
    try:
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            raise BootError("TransportUnavailable", f"descriptor {fd} is no socket")
        os.set_inheritable(fd, False)
        made = socket.socket(fileno=fd)
        if made.type != socket.SOCK_STREAM:
            raise BootError("TransportUnavailable", f"descriptor {fd} is no stream socket")
        made.getpeername()
    except OSError as error:
        raise BootError("TransportUnavailable", f"descriptor {fd}: {error.strerror}") from error
    return made
