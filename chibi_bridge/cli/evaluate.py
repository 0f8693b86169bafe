"""chibi-bridge eval EXPR"""

from __future__ import annotations

import click

from chibi_bridge._run import Outcome
from chibi_bridge.cli.common import finish, limit_options, make_limits, make_policy, report
from chibi_bridge.context import Context
from chibi_bridge.values import write


@click.command("eval", epilog="Example: chibi-bridge eval '(expt 2 100)'")
@click.argument("expression")
@click.option("--policy", type=click.Choice(["safe", "all", "none"]), default="safe", show_default=True)
@limit_options
def command(
    expression: str, policy: str, fuel: int | None, timeout: float | None, memory: int | None, output: int | None
) -> None:
    """Evaluate EXPRESSION and print the value of its last form."""
    limits = make_limits(fuel, timeout, memory, output)
    try:
        with Context(make_policy(policy, limits)) as context:
            outcome = context.run(expression, "<command line>")
    except Exception as error:
        show(getattr(error, "stdout", ""), getattr(error, "stderr", ""))
        finish(report(error))
    show_outcome(outcome)


def show(out: str, err: str) -> None:
    """What the program printed, where it belongs."""
    click.echo(out, nl=False)
    click.echo(err, nl=False, err=True)


def show_outcome(outcome: Outcome) -> None:
    """Printed text first, then the value where there is one."""
    show(outcome.stdout, outcome.stderr)
    if outcome.value is not None:
        if outcome.stdout and not outcome.stdout.endswith("\n"):
            click.echo()
        click.echo(write(outcome.value, 1 << 30))
