"""The command line: one file per command, put together here.

Exit codes: 0 done, 1 the tool or program failed or did not load, 2 usage or an
unreadable file, 3 refused by permission or sandbox, 4 a limit was exceeded.
Errors go to stderr, results to stdout.
"""

from __future__ import annotations

import click

from chibi_bridge._version import __version__
from chibi_bridge.cli import (
    check,
    config,
    doc,
    doctor,
    evaluate,
    ext,
    fuzz,
    listing,
    new,
    prompt,
    repl,
    replay,
    run,
    script,
    serve,
)

__all__ = ["group", "main"]


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: chibi-bridge eval '(map (lambda (x) (* x x)) (list 1 2 3))'",
)
@click.version_option(__version__, prog_name="chibi-bridge")
def group() -> None:
    """Sandboxed Scheme for tools written by language models."""


for module in (run, listing, check, config, evaluate, script, serve, ext, doctor, replay, doc, new, prompt, repl, fuzz):
    group.add_command(module.command)


def main() -> None:
    """The entry point."""
    group(prog_name="chibi-bridge")
