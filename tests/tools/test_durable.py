"""Calls that wait at their permission prompt, stored by one process and finished by another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chibi_bridge import Failed, HostCall, ImageError, InvalidArguments, SandboxViolation, load_tools

SOURCE = """
(define count 0)
(define-tool send_order
  (description "Send an order")
  (category 'network)
  (parameters '((item (type . "string") (description . "what")) (n (type . "integer") (description . "how many"))))
  (summary "send {n} of {item}")
  (execute (lambda (args)
    (set! count (+ count 1))
    (display "sent")
    (string-append (cdr (assoc "item" args)) " x" (number->string (cdr (assoc "n" args)))
                   " call " (number->string count) "; " (generate-id)))))
(define (%permitted% ask prompt execute args) (execute args)) ; nobody is passed by
"""
PROMPT = "[send_order] send 3 of tea [Y/n] "
LATER = """
import sys
from chibi_bridge import load_tools
tool = load_tools(sys.argv[1])[0]
run = tool.restore(open(sys.argv[2], "rb").read(), key=b"secret")
print(run.advance())
run.resume(True)
print(run.advance())
print(run.stdout)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "orders.scm"
    path.write_text(SOURCE, "utf-8")
    return path


def test_a_call_waits_at_its_prompt(file: Path) -> None:
    with load_tools(file)[0].start({"item": "tea", "n": 3}) as run:
        assert run.advance() == HostCall("permission", [PROMPT])
        run.resume(False)
        step = run.advance()
        assert isinstance(step, Failed)
        assert "permission denied" in str(step.error)


def test_another_process_finishes_it(file: Path, tmp_path: Path) -> None:
    tools = load_tools(file)
    assert tools[0].call({"item": "other", "n": 1}).error is None  # the file's own context has changed since
    run = tools[0].start({"item": "tea", "n": 3})
    run.advance()
    stored = tmp_path / "call"
    data = run.snapshot(key=b"secret")
    assert len(data) < 20_000
    stored.write_bytes(data)
    done = subprocess.run([sys.executable, "-c", LATER, file, stored], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == str(HostCall("permission", [PROMPT]))
    assert lines[1].startswith("Done(value='tea x3 call 1; ")
    assert lines[2] == "sent"


def test_another_file_does_not_go_on_with_it(file: Path) -> None:
    run = load_tools(file)[0].start({"item": "tea", "n": 3})
    run.advance()
    data = run.snapshot()
    file.write_text(SOURCE.replace("sent", "lost"), "utf-8")
    with pytest.raises(ImageError, match="another image"):
        load_tools(file)[0].restore(data)


def test_wrong_arguments_ask_nobody(file: Path) -> None:
    with pytest.raises(InvalidArguments):
        load_tools(file)[0].start({"item": 1, "n": 3})


def test_grants_are_those_of_the_file_where_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "fetch.scm"
    path.write_text(
        """(import (tein http))
        (define-tool fetch (description "d") (category 'network) (parameters '())
          (execute (lambda (args) (http-body (http-get "https://api.example.com/v1/x" '())))))""",
        "utf-8",
    )
    run = load_tools(path, http_allow=("https://api.example.com/v1/",))[0].start()
    run.advance()
    data = run.snapshot()
    tool = load_tools(path, http_allow=("https://other.example.com/",))[0]
    with tool.restore(data) as again:
        again.resume(True)
        step = again.advance()
        assert isinstance(step, Failed)
        assert isinstance(step.error, SandboxViolation)
