"""A thousand tool calls wait for HTTP at once: one thread, and the broker's few."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from chibi_bridge import HttpRequest, HttpResponse, load_tools
from chibi_bridge.host.http import THREADS

TOOL = """
(import (tein http))
(define total 0)
(define-tool fetch
  (description "Fetch an item.")
  (category "network")
  (parameters '((n . ((type . "integer") (description . "Which")))))
  (execute (lambda (args)
    (let ((n (cdr (assoc "n" args))))
      (display n)
      (let ((body (http-body (http-get (string-append "https://api.example.com/" (number->string n)) '()))))
        (display "!")
        (set! total (+ total 1))
        (string-append body ":" (number->string n)))))))
(define-tool count
  (description "How many were fetched.")
  (category "memory")
  (parameters '())
  (execute (lambda (args) total)))
"""
CALLS = 1_000


class Peak:
    """A transport that answers late, and notes how many threads there are meanwhile."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.threads = 0

    def look(self) -> None:
        self.threads = max(self.threads, threading.active_count())


class AsyncTransport(Peak):
    async def __call__(self, request: HttpRequest) -> HttpResponse:
        self.look()
        await asyncio.sleep(self.seconds)
        return HttpResponse(200, {}, b"item")


class BlockingTransport(Peak):
    blocking = True

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.look()
        time.sleep(self.seconds)
        return HttpResponse(200, {}, b"item")


@pytest.mark.parametrize("isolation", ["file", "call"])
@pytest.mark.parametrize("transport", [AsyncTransport(0.5), BlockingTransport(0.01)], ids=["async", "blocking"])
def test_a_thousand_calls_at_once(tmp_path: Path, transport: Peak, isolation: str) -> None:
    file = tmp_path / "fetch.scm"
    file.write_text(TOOL, encoding="utf-8")
    before = threading.active_count()
    tools = load_tools(file, http_allow=("https://api.example.com/",), transport=transport, isolation=isolation)

    async def main() -> list[object]:
        return await asyncio.gather(*(tools[0].call_async({"n": n}) for n in range(CALLS)))

    start = time.monotonic()
    results = asyncio.run(main())
    elapsed = time.monotonic() - start
    assert [result.text for result in results] == [f"item:{n}" for n in range(CALLS)]
    # What each printed is its own, though all wrote to one console in turns.
    assert [result.stdout for result in results] == [f"{n}!" for n in range(CALLS)]
    assert elapsed < 60
    allowed = THREADS if isinstance(transport, BlockingTransport) else 0
    assert transport.threads <= before + allowed + 1
    if isolation == "file":
        assert tools[1].call({}).value == CALLS
    tools.close()
