"""chibi-bridge ext install|list|verify|remove: extensions on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, USAGE, finish
from chibi_bridge.satellite.install import Installed, InstallRefused, default_home, install, load_extensions, remove
from chibi_bridge.satellite.jail import JailRefused
from chibi_bridge.satellite.launch import LaunchFailed

home_option = click.option(
    "--home", type=click.Path(path_type=Path), help="Where extensions are: CHIBI_BRIDGE_HOME, else ~/.chibi-bridge."
)


@click.group("ext", epilog="Example: chibi-bridge ext install ./weather")
def command() -> None:
    """Install, list, verify and remove extensions."""


@command.command("install", epilog="Example: chibi-bridge ext install weather-1.0.tar.gz --strict")
@click.argument("source")
@home_option
@click.option("--strict", is_flag=True, help="Refuse where the jail lacks a layer.")
def install_command(source: str, home: Path | None, strict: bool) -> None:
    """Install the extension in SOURCE, a folder or a .tar.gz file."""
    try:
        made = install(source, home or default_home(), jail="strict" if strict else "default")
    except (InstallRefused, JailRefused, LaunchFailed) as error:
        click.echo(str(error), err=True)
        finish(FAILED)
    if made.problem:
        click.echo(f"install refused: record: {made.problem}", err=True)
        finish(FAILED)
    click.echo(f"installed {line(made)}")


@command.command("list", epilog="Example: chibi-bridge ext list")
@home_option
def list_command(home: Path | None) -> None:
    """The extensions that are installed."""
    for item in load_extensions(home or default_home()):
        click.echo(line(item))


@command.command("verify", epilog="Example: chibi-bridge ext verify weather")
@click.argument("name", required=False)
@home_option
def verify_command(name: str | None, home: Path | None) -> None:
    """Compare what is installed, or NAME alone, with its record; 1 where anything differs."""
    found = [item for item in load_extensions(home or default_home()) if name in (None, item.name)]
    if name is not None and not found:
        click.echo(f"error: no extension is called {name}", err=True)
        finish(USAGE)
    for item in found:
        click.echo(line(item))
    finish(FAILED if any(item.problem for item in found) else 0)


@command.command("remove", epilog="Example: chibi-bridge ext remove weather")
@click.argument("name")
@home_option
def remove_command(name: str, home: Path | None) -> None:
    """Remove the extension NAME."""
    try:
        remove(name, home or default_home())
    except (LookupError, OSError) as error:
        click.echo(f"error: {error}", err=True)
        finish(FAILED)
    click.echo(f"removed {name}")


def line(item: Installed) -> str:
    """An extension in a line."""
    if item.manifest is None:
        return f"{item.name}: refused: {item.problem}"
    serves = [*(tool.name for tool in item.manifest.tools), *(event for event, _ in item.manifest.hooks)]
    return f"{item.name} {item.manifest.version}: {', '.join(serves)}"
