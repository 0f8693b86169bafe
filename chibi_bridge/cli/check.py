"""chibi-bridge check FILE ..."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import click

from chibi_bridge._source import read_source
from chibi_bridge.cli.common import FAILED, USAGE, default_path, finish, read_settings, report
from chibi_bridge.errors import ConfigError, ReadError, caret_lines
from chibi_bridge.tools.check import Checked, check_source, mended
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.findings import CODES, Finding


@click.command("check", epilog="Example: chibi-bridge check tools/*.scm")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--path", help="The VFS path of a single file.")
@click.option("--config", type=click.Path(path_type=Path), help="A config.toml: compare what it grants.")
@click.option("--fix", is_flag=True, help="Show as a diff what can be mended mechanically.")
@click.option("--write", is_flag=True, help="With --fix: write the mended files.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--explain", metavar="CODE", help="What a code means.")
def command(
    files: tuple[Path, ...],
    path: str | None,
    config: Path | None,
    fix: bool,
    write: bool,
    as_json: bool,
    explain: str | None,
) -> None:
    """Look for all faults in FILES, with positions and what to write; nothing is called."""
    if explain is not None:
        finish(show_code(explain))
    if not files:
        raise click.UsageError("no files to check")
    if path is not None and len(files) > 1:
        raise click.UsageError("--path goes with a single file")
    if write and not fix:
        raise click.UsageError("--write goes with --fix")
    shown: list[dict[str, object]] = []
    code = 0
    for file in files:
        place = path or default_path(file)
        try:
            settings = None if config is None else read_settings(config, place)
            text = read_source(file)
        except (OSError, ConfigError) as error:
            code = report(error)
            continue
        except ReadError as error:
            shown.append(unreadable(file, error))
            code = code or FAILED
            if not as_json:
                click.echo(f"{error.location}: R099 {error.summary}\n  hint: {error.hint}", err=True)
            continue
        if fix:
            text = repair(file, text, place, settings, write=write)
        checked = check_source(text, str(file), place, settings)
        shown.extend(as_data(file, checked, finding) for finding in checked.findings)
        if checked.findings:
            code = code or FAILED
        if not as_json:
            show(file, checked)
    if as_json:
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    finish(code)


def show_code(code: str) -> int:
    """--explain"""
    text = CODES.get(code.upper())
    if text is None:
        click.echo(f"error: no code {code}; codes are {', '.join(CODES)}", err=True)
        return USAGE
    click.echo(f"{code.upper()}: {text}")
    return 0


def repair(file: Path, text: str, place: str, config: Config | None, *, write: bool) -> str:
    """Show what mending changes; the mended text where it was written, else the text as it is."""
    new = mended(text, str(file), place, config)
    if new == text:
        return text
    lines = difflib.unified_diff(
        text.splitlines(keepends=True), new.splitlines(keepends=True), str(file), f"{file} (mended)"
    )
    for line in lines:
        click.echo(line, nl=not line.endswith("\n"))
    if not write:
        return text
    file.write_bytes(new.encode("utf-8"))
    return new


def show(file: Path, checked: Checked) -> None:
    """The findings for a reader."""
    lines = checked.text.splitlines()
    for finding in checked.findings:
        place = checked.place(finding)
        where = str(file) if place is None else f"{file}:{place[0]}:{place[1]}"
        click.echo(f"{where}: {finding.code} {finding.message}", err=True)
        if place is not None and place[0] <= len(lines):
            for line in caret_lines(lines[place[0] - 1], place[1]):
                click.echo(line, err=True)
        if finding.hint:
            click.echo(f"  hint: {finding.hint}", err=True)
    if not checked.findings:
        click.echo(f"{file}: {len(checked.tools)} tools: {', '.join(checked.tools)}")


def as_data(file: Path, checked: Checked, finding: Finding) -> dict[str, object]:
    """One finding as data."""
    place = checked.place(finding)
    return {
        "code": finding.code,
        "stage": finding.stage,
        "file": str(file),
        "line": None if place is None else place[0],
        "column": None if place is None else place[1],
        "message": finding.message,
        "hint": finding.hint,
    }


def unreadable(file: Path, error: ReadError) -> dict[str, object]:
    """A file that is no text."""
    place = error.location
    return {
        "code": "R099",
        "stage": "read",
        "file": str(file),
        "line": place.line if place else None,
        "column": place.column if place else None,
        "message": error.summary,
        "hint": error.hint,
    }
