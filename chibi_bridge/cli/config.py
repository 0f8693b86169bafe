"""chibi-bridge config FILE --path P"""

from __future__ import annotations

import json
from pathlib import Path

import click

from chibi_bridge.cli.common import finish, report
from chibi_bridge.tools.config import Config


@click.command("config", epilog="Example: chibi-bridge config config.toml --path /tools/shared/trading212.scm")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--path", "paths", multiple=True, help="The VFS path of a tool file; may be given again.")
@click.option("--local", type=click.Path(path_type=Path), help="A context's own file over it.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(file: Path, paths: tuple[str, ...], local: Path | None, as_json: bool) -> None:
    """Check FILE, and tell what a tool file's path gets and which key decided."""
    try:
        config = Config.load(file, local)
        told = {path: config.explain(path) for path in paths}
    except Exception as error:
        finish(report(error))
    for warning in config.warnings:
        click.echo(f"warning: {warning}", err=True)
    for path in paths:
        if not config.has_keys_for(path):
            click.echo(f"warning: {file}: no key matches {path}", err=True)
    if as_json:
        shown = {path: {what: {"value": value, "key": key} for what, value, key in rows} for path, rows in told.items()}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
        finish(0)
    for path, rows in told.items():
        click.echo(path)
        for what, value, key in rows:
            click.echo(f"  {what:<10} {value}  [{key}]")
    if not paths:
        click.echo(f"{file}: good")
    finish(0)
