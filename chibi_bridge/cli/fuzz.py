"""chibi-bridge fuzz FILE [TOOL]"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chibi_bridge.cli.common import DONE, FAILED, USAGE, finish, limit_options, make_limits, read_settings
from chibi_bridge.cli.common import report as report_error
from chibi_bridge.errors import UnknownTool

if TYPE_CHECKING:
    from chibi_bridge.fuzz.plan import Plan
    from chibi_bridge.fuzz.runner import Campaign, Report


class Seconds(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A time such as 30s, 2m or 1.5."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds."""
        text = str(value)
        unit = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:], 0.0)
        try:
            seconds = float(text[:-1] if unit else text) * (unit or 1.0)
        except ValueError:
            seconds = -1.0
        if not 0 < seconds < float("inf"):
            self.fail(f"{text!r} is no time such as 30s, 2m or 1.5h", param, ctx)
        return seconds


@click.command("fuzz", epilog="Example: chibi-bridge fuzz examples/text.scm slugify --max-examples 500 --seed 1")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("tool", required=False)
@click.option(
    "--max-examples",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    help="Examples for each tool and property.",
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed draws the same examples.")
@click.option("--time", "seconds", type=Seconds(), help="Stop after so long, such as 30s.")
@click.option(
    "--property",
    "properties",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of properties; NAME-props.scm beside FILE without it.",
)
@click.option("--against", type=click.Path(path_type=Path), help="A file whose tools are to answer the same.")
@click.option("--ignore", multiple=True, metavar="ORACLE", help="A kind of fault not to look for.")
@click.option("--record", type=click.Path(path_type=Path), help="Keep findings, and tests of them, in a folder.")
@click.option("--executor", help="Split the work: dask://HOST:PORT, processes:N or threads:N.")
@click.option("--parts", type=click.IntRange(min=1), default=2, show_default=True, help="Parts for --executor.")
@click.option("--config", type=click.Path(path_type=Path), help="A config.toml.")
@click.option("--path", help="The file's VFS path; /tools/shared/NAME.scm without it.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@limit_options
def command(
    file: Path,
    tool: str | None,
    max_examples: int,
    seed: int | None,
    seconds: float | None,
    properties: tuple[Path, ...],
    against: Path | None,
    ignore: tuple[str, ...],
    record: Path | None,
    executor: str | None,
    parts: int,
    config: Path | None,
    path: str | None,
    as_json: bool,
    fuel: int | None,
    timeout: float | None,
    memory: int | None,
    output: int | None,
) -> None:
    """Call the tools of FILE, or TOOL, with thousands of arguments that their schemas allow.

    Each call has a fresh instance of the file; HTTP is answered by a simulator. Exit code
    0 without findings (also where --time ran out), 1 with, 2 where FILE does not load.
    """
    given = (fuel, timeout, memory, output)
    options: dict[str, object] = {
        "vfs_path": path,
        "limits": None if given == (None,) * 4 else make_limits(*given),
        "against": against,
        "properties": properties or None,
        "ignore": frozenset(ignore),
    }
    campaign, whole = prepared(file, tool, config, options, (max_examples, seed, seconds, record))
    if executor is None:
        with progress_line(max_examples, quiet=as_json) as campaign.progress:
            report = campaign.run(tool)
    else:
        number = campaign.report.seed
        report = split(executor, campaign.plan, tool, parts, max_examples, number, seconds)
    publish(report, record, as_json=as_json)
    finish(FAILED if report.findings else DONE if whole else USAGE)


def prepared(
    file: Path,
    tool: str | None,
    config: Path | None,
    options: dict[str, object],
    how: tuple[int, int | None, float | None, Path | None],
) -> tuple[Campaign, bool]:
    """The campaign, and whether all of the file loads; trouble is printed and ends the command."""
    try:
        from chibi_bridge.fuzz.plan import Plan
        from chibi_bridge.fuzz.runner import Campaign
    except ImportError as error:
        click.echo(f"error: {error.name} is missing: pip install 'chibi_bridge[fuzz]'", err=True)
        finish(USAGE)
    try:
        vfs_path = str(options["vfs_path"] or f"/tools/shared/{file.name}")
        settings = None if config is None else read_settings(config, vfs_path)
        plan = Plan.of(file, config=settings, **options)  # type: ignore[arg-type]
        most, seed, seconds, record = how
        campaign = Campaign(plan, max_examples=most, number=seed, time=seconds, record=record)
        if tool is not None:
            campaign.subject.tool(tool)
    except UnknownTool as error:
        raise click.UsageError(str(error)) from error
    except Exception as error:
        report_error(error)
        finish(USAGE)
    for problem in campaign.subject.tools.problems:
        report_error(problem)
    return campaign, not campaign.subject.tools.problems


def publish(report: Report, record: Path | None, *, as_json: bool) -> None:
    """Keep the findings where that is wanted, and print the report."""
    from chibi_bridge.fuzz.render import describe, tests_of, write_records

    for written in write_records(record, report.findings) if record is not None else ():
        click.echo(f"wrote {written}", err=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return
    for finding in report.findings:
        click.echo(describe(finding) + "\n")
    tests = tests_of(report.findings)
    if tests:
        click.echo(f"# A regression test (--record writes it to a file):\n\n{tests}")
    click.echo(closing(report))


@contextmanager
def progress_line(most: int, *, quiet: bool) -> Iterator[Callable[[Report, str], None] | None]:
    """A line of progress on a terminal; nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # the extra `fuzz`
    from rich.status import Status

    with Status("loading", console=Console(stderr=True)) as status:

        def show(report: Report, target: str) -> None:
            done, found = report.examples[target], len(report.findings)
            status.update(f"{target}: {done} of {most} examples, {report.total} in all, {found} findings")

        yield show


def split(
    address: str, plan: Plan, tool: str | None, parts: int, most: int, seed: int, seconds: float | None
) -> Report:
    """A campaign over the executor at an address."""
    from chibi_bridge.fuzz.executors import executor_at, fuzz_over

    try:
        with executor_at(address) as executor:
            return fuzz_over(executor, plan, tool, parts=parts, max_examples=most, seed=seed, time=seconds)
    except ImportError as error:
        raise click.UsageError(f"{error.name} is missing: pip install 'chibi_bridge[dask]'") from error
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error


def closing(report: Report) -> str:
    """The last line of a report, its notes before it."""
    lines = [f"note: {note}" for note in report.notes]
    count = len(report.findings)
    found = "no findings" if count == 0 else f"{count} finding" + "s" * (count != 1)
    late = " (out of time)" if report.out_of_time else ""
    lines.append(f"{report.total} examples in {report.elapsed:.1f} s{late}, seed {report.seed}: {found}")
    return "\n".join(lines)
