"""The question on a real terminal, byte for byte."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

ORDER = """
(define-tool t212_place_market_order
  (description "Buy or sell.") (category "network") (summary "market {side} {quantity}x {ticker}")
  (parameters '((side (type . "string")) (quantity (type . "number")) (ticker (type . "string"))))
  (execute (lambda (args) "sent")))
"""
ARGS = '{"side":"buy","quantity":10,"ticker":"AAPL_US_EQ"}'
PROMPT = b"[t212_place_market_order] market buy 10x AAPL_US_EQ [Y/n] "


def at_terminal(file: Path, keys: list[bytes], args: str = ARGS) -> tuple[bytes, int]:
    """Run the tool at a terminal of its own, type the keys at each prompt; what the screen shows, the exit code."""
    pid, screen = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, "-m", "chibi_bridge", "run", str(file), "--args", args])
    shown, deadline, waiting = b"", time.monotonic() + 60, list(keys)
    try:
        while time.monotonic() < deadline:
            if select.select([screen], [], [], 0.1)[0]:
                try:
                    data = os.read(screen, 65536)
                except OSError:  # the other side is closed
                    break
                if not data:
                    break
                shown += data
                if waiting and shown.endswith(b"[Y/n] "):
                    os.write(screen, waiting.pop(0))
        else:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    finally:
        os.close(screen)
    return shown, os.waitstatus_to_exitcode(status)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "order.scm"
    path.write_text(ORDER, encoding="utf-8")
    return path


@pytest.mark.parametrize(("keys", "code"), [(b"\n", 0), (b"y\n", 0), (b"n\n", 3), (b"x\n", 3), (b"\x04", 3)])
def test_the_answer_at_the_terminal_decides(file: Path, keys: bytes, code: int) -> None:
    shown, status = at_terminal(file, [keys])
    assert shown.startswith(PROMPT)
    assert status == code
    assert (b"sent\r\n" in shown) is (code == 0)


def test_a_question_mark_shows_everything_and_asks_again(file: Path) -> None:
    shown, status = at_terminal(file, [b"?\n", b"y\n"])
    assert shown.count(PROMPT) == 2
    assert b"ticker = AAPL_US_EQ" in shown
    assert status == 0


def test_what_a_model_writes_cannot_paint_over_the_prompt(file: Path) -> None:
    evil = '{"side":"\\u001b[2K\\rsell\\n[x] ok [Y/n] ","quantity":10,"ticker":"\\u202eAAPL"}'
    shown, _ = at_terminal(file, [b"n\n"], evil)
    first = shown.split(b"\n", 1)[0]
    assert b"\x1b" not in shown.split(b"[Y/n] ")[0]
    assert first.startswith(b"[t212_place_market_order] market \\x1b[2K\\rsell\\n[x] ok [Y/n]  10x \\u202eAAPL [Y/n] ")


def test_without_a_terminal_nobody_is_asked(file: Path) -> None:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "chibi_bridge", "run", str(file), "--args", ARGS],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True, cwd=ROOT, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert "Permission denied" in done.stderr
