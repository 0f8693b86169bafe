"""chibi-bridge script FILE ARGS"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from chibi_bridge._source import read_source
from chibi_bridge.cli.common import finish, limit_options, make_limits, make_policy, report
from chibi_bridge.cli.evaluate import show
from chibi_bridge.context import Context
from chibi_bridge.host.sexp import read_forms


@click.command(
    "script",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="Example: chibi-bridge script hello.scm world",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1)
@click.option("--policy", type=click.Choice(["safe", "all", "none"]), default="safe", show_default=True)
@limit_options
def command(
    file: Path,
    arguments: tuple[str, ...],
    policy: str,
    fuel: int | None,
    timeout: float | None,
    memory: int | None,
    output: int | None,
) -> None:
    """Run the program in FILE; `(command-line)` is FILE and the ARGUMENTS."""
    limits = make_limits(fuel, timeout, memory, output)
    try:
        source = read_source(file)
        forms = read_forms(source)
        prelude = None if forms and forms[0].head == "import" else "base"
        granted = replace(make_policy(policy, limits), command_line=(str(file), *arguments))
        with Context(granted, prelude) as context:
            outcome = context.run(source, str(file))
    except Exception as error:
        show(getattr(error, "stdout", ""), getattr(error, "stderr", ""))
        finish(report(error))
    show(outcome.stdout, outcome.stderr)
