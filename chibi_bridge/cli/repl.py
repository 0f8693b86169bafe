"""chibi-bridge repl [FILE]"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from chibi_bridge.cli import doc
from chibi_bridge.cli.common import exit_code, finish, limit_options, make_limits, report
from chibi_bridge.cli.evaluate import show, show_outcome
from chibi_bridge.cli.scan import is_unfinished
from chibi_bridge.context import Context
from chibi_bridge.errors import MemoryExhausted, SchemeExit
from chibi_bridge.policy import Policy
from chibi_bridge.tools.load import tools_image

HELP = """\
,doc NAME       what a name or a library is
,import LIBRARY import it: ,import (srfi 1)
,time FORM      evaluate, and show seconds and fuel
,help           this
,quit           end (or Ctrl-D)
Ctrl-C ends what is running, or clears the line. A form may go over several lines."""


@click.command("repl", epilog="Example: chibi-bridge repl scheme/examples/text.scm")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--policy", type=click.Choice(["safe", "all"]), default="safe", show_default=True)
@limit_options
def command(
    file: Path | None, policy: str, fuel: int | None, timeout: float | None, memory: int | None, output: int | None
) -> None:
    """Evaluate forms one by one, with all that a tool file sees; FILE is evaluated first."""
    given = Policy(modules=policy, limits=make_limits(fuel, timeout, memory, output))
    try:
        text = None if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        finish(report(error))
    with Session(given) as session:
        if text is not None and not session.evaluate(text, str(file), quiet=True):
            finish(session.code)
        session.serve(lines_of_terminal(session) if sys.stdin.isatty() else texts_of(sys.stdin))
    finish(session.code)


class Session:
    """One context, and what came of the forms evaluated in it."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.code = 0
        self.context = self._make()

    def _make(self) -> Context:
        return tools_image(self.policy).instantiate(self.policy)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        self.context.close()

    def serve(self, texts: Iterator[str]) -> None:
        """Do what comes in until it ends, or the program exits."""
        for text in texts:
            if text.lstrip().startswith(","):
                if not self.do(text.strip()):
                    return
            elif text.strip() and not self.evaluate(text) and self.ended:
                return

    ended = False

    def evaluate(self, text: str, name: str | None = None, *, quiet: bool = False, timed: bool = False) -> bool:
        """Evaluate and print; did it go well? Ctrl-C ends the run, `(exit)` the session."""
        try:
            outcome = self.context.run(text, name)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            return False
        except Exception as error:
            show(getattr(error, "stdout", ""), getattr(error, "stderr", ""))
            self.code = report(error)
            self.ended = isinstance(error, SchemeExit)
            if self.ended:
                self.code = exit_code(error)
            if isinstance(error, MemoryExhausted) and not error.usable:
                click.echo("the memory is used up: starting afresh, without what was defined", err=True)
                self.context.close()
                self.context = self._make()
            return False
        if quiet:
            show(outcome.stdout, outcome.stderr)
        else:
            show_outcome(outcome)
        if timed:
            click.echo(f"{outcome.elapsed * 1e3:.3f} ms, {outcome.fuel_used} units of fuel")
        return True

    # -- commands ------------------------------------------------------------------

    def do(self, text: str) -> bool:
        """A line that starts with a comma; False ends the session."""
        word, _, rest = text[1:].partition(" ")
        if word in ("quit", "q", "exit"):
            return False
        action = COMMANDS.get(word)
        if action is None:
            click.echo(f"no command ,{word}; ,help lists them", err=True)
        else:
            action(self, rest.strip())
        return True

    def help(self, _: str) -> None:
        """,help"""
        click.echo(HELP)

    def doc(self, name: str) -> None:
        """,doc NAME"""
        text = doc.text_on(name) if name else "write ,doc NAME"
        click.echo(text if text is not None else f"nothing here is called {name}")

    def import_(self, library: str) -> None:
        """,import LIBRARY"""
        if library:
            self.evaluate(f"(import {library if library.startswith('(') else f'({library})'})")
        else:
            click.echo("write ,import (srfi 1)", err=True)

    def time(self, text: str) -> None:
        """,time FORM"""
        self.evaluate(text, timed=True)


COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "help": Session.help,
    "doc": Session.doc,
    "import": Session.import_,
    "time": Session.time,
}


def texts_of(lines: Iterator[str]) -> Iterator[str]:
    """Whole forms out of lines; what is left unfinished at the end comes last."""
    text = ""
    for line in lines:
        text += line
        if text.lstrip().startswith(",") or not is_unfinished(text):
            yield text
            text = ""
    if text.strip():
        yield text


def lines_of_terminal(session: Session) -> Iterator[str]:
    """Whole forms out of a terminal, edited with prompt-toolkit where it is installed."""
    try:
        from chibi_bridge.cli.edit import read_forms
    except ImportError:
        click.echo("history and completion need prompt-toolkit: pip install 'chibi_bridge[repl]'", err=True)
        yield from texts_of(plain_lines())
        return
    yield from read_forms(lambda: session.context)


def plain_lines() -> Iterator[str]:
    """Lines of a terminal without an editor."""
    while True:
        try:
            yield input("> ") + "\n"
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo()
