"""chibi-bridge replay FILE"""

from __future__ import annotations

from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, exit_code, finish, report
from chibi_bridge.cli.traced import Again, again
from chibi_bridge.errors import ReplayError
from chibi_bridge.trace import Step, Trace


@click.command("replay", epilog="Example: chibi-bridge replay run.trace --step 2")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--step", type=click.IntRange(min=1), help="Stop at this step and show where the program stands.")
@click.option("--list", "as_list", is_flag=True, help="List the steps: what was asked of the host.")
def command(file: Path, step: int | None, as_list: bool) -> None:
    """Run again what `run --trace FILE` recorded, with the same answers, to the same fuel and result."""
    try:
        trace = Trace.load(file)
        if as_list:
            show_steps(trace.steps)
            finish(0)
        if step is not None and step > len(trace.steps):
            raise ReplayError(f"{file}: the recording has {len(trace.steps)} steps")
        done = again(trace, step)
    except ReplayError as error:
        finish(report(error))
    finish(show_stop(done) if done.stopped is not None else show_result(done))


def show_steps(steps: list[Step]) -> None:
    """One line a step."""
    for number, step in enumerate(steps, 1):
        click.echo(f"{number:5} {step.op} {step.args}{' failed' if step.failed else ''}")


def show_stop(done: Again) -> int:
    """The step, and the Scheme frames with their locals, innermost first."""
    assert done.stopped is not None
    click.echo(f"step {done.number}: {done.stopped.op} {done.stopped.args}")
    for frame in done.frames:
        click.echo(f"  {frame}")
    return 0


def show_result(done: Again) -> int:
    """What the tool gave, now as then."""
    assert done.result is not None
    click.echo(done.result.stdout, nl=False, err=True)
    click.echo(done.result.stderr, nl=False, err=True)
    if done.result.text != done.text:
        click.echo(f"error: the result differs; it was: {done.text}", err=True)
        return FAILED
    click.echo(done.result.text)
    click.echo(f"the same result after {done.result.fuel_used} units of fuel", err=True)
    return 0 if done.result.error is None else exit_code(done.result.error)
