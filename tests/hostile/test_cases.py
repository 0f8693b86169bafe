"""Hostile programs end in the right outcome and the context goes on (cases.jsonl).

CHIBI_BRIDGE_TEST_HOSTILE_EVERY=N takes each Nth case only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CANARY = Path("/tmp/chibi-bridge-hostile-canary")
EVERY = int(os.environ.get("CHIBI_BRIDGE_TEST_HOSTILE_EVERY", "1"))
CASES = [json.loads(line) for line in (HERE / "cases.jsonl").read_text("utf-8").splitlines()][::EVERY]
GRACE = 10.0  # seconds beyond a case's own bound before its process is killed


class Worker:
    """A process that runs cases, replaced when it dies or hangs."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, case: dict) -> str | None:
        process = self._start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(case) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return self._dead("died between cases")
        ready, _, _ = select.select([process.stdout], [], [], case["max_seconds"] + GRACE)
        if not ready:
            return self._dead("killed past its bound")
        line = process.stdout.readline()
        if not line:
            return self._dead("died")
        return json.loads(line)["problem"]

    def close(self) -> None:
        if self._process is not None:
            self._end(self._process)

    def _end(self, process: subprocess.Popen[str]) -> int:
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self._process = None
        return code

    def _start(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, str(HERE / "worker.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._process

    def _dead(self, what: str) -> str:
        assert self._process is not None
        code = self._end(self._process)
        return f"{what} (exit status {code})"


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    CANARY.unlink(missing_ok=True)
    running = Worker()
    yield running
    running.close()
    assert not CANARY.exists(), "a hostile program wrote a file"


@pytest.mark.parametrize("case", CASES, ids=[f"hostile_{case['id']}" for case in CASES])
def test_hostile_program_ends_in_the_right_outcome(worker: Worker, case: dict) -> None:
    problem = worker.run(case)
    assert problem is None, f"{problem}\n{case['why']}\n{case['code'] or case['gen']!s:.500}"
