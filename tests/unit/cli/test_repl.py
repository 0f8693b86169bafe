"""chibi-bridge repl: forms one by one, from a pipe and from a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chibi_bridge import Context
from chibi_bridge.cli import group
from chibi_bridge.cli.scan import is_unfinished


def piped(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(group, ["repl", *arguments], input=text)


def test_forms_from_a_pipe_give_values_and_no_escape_codes() -> None:
    result = piped('(define (f x)\n  (* x 2))\n(f 21)\n"a b"\n(display "hi")\n(string-join \'("a" "b") "-")\n')
    assert result.exit_code == 0
    assert result.stdout == '42\n"a b"\nhi"a-b"\n'
    assert "\x1b" not in result.output


def test_an_error_ends_nothing_but_is_the_exit_code() -> None:
    result = piped("(car 1)\n(+ 1 2)\n(unfinished")
    assert result.stdout == "3\n"
    assert "expected pair" in result.stderr
    assert "unfinished" in result.stderr
    assert result.exit_code == 1


def test_exit_ends_the_session_with_its_code() -> None:
    result = piped("(exit 7)\n(display 1)\n")
    assert (result.exit_code, result.stdout) == (7, "")


def test_commands() -> None:
    result = piped(
        ",help\n,doc car\n,import (srfi 134)\n(ideque-front (ideque 5 6))\n,time (+ 1 2)\n,bogus\n,quit\n(car 1)"
    )
    assert ",doc NAME" in result.stdout
    assert "(car pair): Return" in result.stdout
    assert re.search(r"\n5\n3\n[\d.]+ ms, \d+ units of fuel\n$", result.stdout)
    assert "no command ,bogus" in result.stderr
    assert result.exit_code == 0


def test_what_is_timed_runs_once_also_where_it_fails() -> None:
    result = piped("(define n 0)\n,time (begin (set! n (+ n 1)) (car n))\nn\n")
    assert "expected pair" in result.stderr
    assert result.stdout == "1\n"


def test_a_file_is_evaluated_first(tmp_path: Path) -> None:
    file = tmp_path / "t.scm"
    file.write_text('(define-tool t (description "d") (parameters \'()) (execute (lambda (args) (twice 4))))\n'
                    "(define (twice x) (* 2 x))", encoding="utf-8")  # fmt: skip
    assert piped("(twice 4)\n(length %tool-registry%)", str(file)).stdout == "8\n1\n"
    file.write_text("(car 1)", encoding="utf-8")
    assert piped("(display 1)", str(file)).exit_code == 1


def test_a_context_without_memory_is_made_afresh() -> None:
    result = piped(
        "(define x 1)\n(define l '())\n(let loop () (set! l (cons l l)) (loop))\n(+ 1 2)\n", "--memory", "4000000"
    )
    assert "memory limit exceeded" in result.stderr
    assert result.stdout.endswith("3\n")


@pytest.mark.parametrize(
    ("text", "unfinished"),
    [
        ("", False),
        ("(f (g", True),
        ("(f)", False),
        ('"a ( b', True),
        ('"a \\" ( b"', False),
        ("#| ( #| |# |#", False),
        ("#| ( #| |#", True),
        ("; (", False),
        ('#\\( #\\" #\\;', False),
        ("|a (b|", False),
        ("|a (b", True),
        ("'", True),
        ("#;", True),
        ("x ,@", True),
        (")", False),
    ],
)
def test_what_is_unfinished(text: str, unfinished: bool) -> None:
    assert is_unfinished(text) is unfinished


# -- in a terminal --------------------------------------------------------------------------


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, home: Path) -> None:
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.environ.update(XDG_STATE_HOME=str(home), TERM="xterm", PYTHONWARNINGS="ignore")
            os.execv(
                sys.executable, [sys.executable, "-m", "chibi_bridge", "repl", "--timeout", "60", "--fuel", str(10**15)]
            )
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = ""

    def type(self, text: str) -> None:
        """What a person does: no key before the prompt has settled."""
        time.sleep(0.5)
        self.send(text)

    def send(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def expect(self, pattern: str) -> None:
        """Read until the pattern comes, answering what the editor asks of a terminal."""
        deadline = time.monotonic() + 30
        while not re.search(pattern, self.seen):
            assert time.monotonic() < deadline, self.seen
            if select.select([self.fd], [], [], 0.2)[0]:
                data = os.read(self.fd, 4096).decode("utf-8", "replace")
                if "\x1b[6n" in data:
                    self.send("\x1b[1;1R")
                self.seen += data
        self.seen = ""

    def end(self) -> int:
        try:
            while os.read(self.fd, 4096):
                pass
        except OSError:
            pass  # the other side is closed
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    pytest.importorskip("prompt_toolkit")
    made = Terminal(tmp_path)
    yield made
    os.close(made.fd)


PASTING_ON, PASTING_OFF = r"\x1b\[\?2004h", r"\x1b\[\?2004l"
"""What the editor sends when it takes the terminal over, and when it gives it back."""


def test_in_a_terminal(terminal: Terminal, tmp_path: Path) -> None:
    terminal.expect(PASTING_ON)
    terminal.type("(+ 1\r")
    terminal.type("2)\r")
    terminal.expect(PASTING_OFF + r"3\r?\n(.|\s)*" + PASTING_ON)
    terminal.type("(let loop () (loop))\r")
    terminal.expect(PASTING_OFF)
    terminal.type("\x03")
    terminal.expect("interrupted(.|\\s)*" + PASTING_ON)
    terminal.type("(define whatever 5)\r")
    terminal.expect(PASTING_OFF + r"(.|\s)*" + PASTING_ON)
    terminal.type("(* 2 whatever)\r")
    terminal.expect(PASTING_OFF + r"10\r?\n(.|\s)*" + PASTING_ON)
    terminal.type("\x04")
    assert terminal.end() == 0
    kept = (tmp_path / "chibi-bridge" / "history").read_text("utf-8")
    assert "(define whatever 5)" in kept


def test_colours_and_completion() -> None:
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from chibi_bridge.cli.edit import Colours, Names

    with Context(prelude="tools") as context:
        context.eval("(define my-own-name 1)")
        found = [item.text for item in Names(lambda: context).get_completions(Document("(my-ow"), CompleteEvent())]
        assert found == ["my-own-name"]
        document = Document('(car "a;b" 12 unknown) ; rest')
        pieces = Colours(lambda: context).lex_document(document)(0)
        assert ("class:known", "car") in pieces
        assert ("class:string", '"a;b"') in pieces
        assert ("class:number", "12") in pieces
        assert ("", "unknown") in pieces
        assert ("class:comment", "; rest") in pieces
        assert "".join(text for _, text in pieces) == document.text


def test_a_file_that_is_no_text_is_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "picture.scm"
    file.write_bytes(b"\x89PNG\r\n")
    result = piped("1\n", str(file))
    assert result.exit_code == 2
    assert "error: 'utf-8' codec can't decode" in result.output
