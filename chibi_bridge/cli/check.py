"""chibi-bridge check FILE ..."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, USAGE, finish
from chibi_bridge.errors import SchemeError
from chibi_bridge.tools.load import load_tools


@click.command("check", epilog="Example: chibi-bridge check tools/*.scm")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--path", help="The VFS path of a single file.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(files: tuple[Path, ...], path: str | None, as_json: bool) -> None:
    """Load FILES without calling anything and report every error with its position."""
    findings: list[dict[str, object]] = []
    code = 0
    for file in files:
        try:
            tools = load_tools(file, vfs_path=path)
            problems: list[Exception] = tools.problems
        except (OSError, UnicodeDecodeError) as error:
            problems, code = [error], USAGE
        except Exception as error:
            problems = [error]
        findings.extend(finding(file, problem) for problem in problems)
        if not as_json:
            for problem in problems:
                click.echo(f"{file}: {problem}", err=True)
            if not problems:
                click.echo(f"{file}: {len(tools)} tools: {', '.join(tool.name for tool in tools)}")
    if as_json:
        click.echo(json.dumps(findings, ensure_ascii=False, indent=2))
    finish(code or (FAILED if findings else 0))


def finding(file: Path, problem: Exception) -> dict[str, object]:
    """One error as data."""
    location = problem.location if isinstance(problem, SchemeError) else None
    return {
        "file": str(file),
        "line": location.line if location else None,
        "column": location.column if location else None,
        "message": problem.summary if isinstance(problem, SchemeError) else str(problem),
        "hint": problem.hint if isinstance(problem, SchemeError) else None,
    }
