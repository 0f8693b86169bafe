"""A shell command: within its time, its output cut, nothing of it left behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

__all__ = ["Ran", "run_shell"]

SLICE = 0.05
MOST_OUTPUT = 1 << 20
"""Bytes of each stream that are kept."""
GRACE = 0.2
"""Seconds for what a command left in the background to let go of its output."""


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool


def run_shell(command: str, folder: str, seconds: float, guard: Callable[[], None]) -> Ran:
    """Run a command in a folder; `guard` raises where nobody waits any more.

    Whatever it started in its group has ended when this answers.
    """
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
    printed = [bytearray() for _ in pipes]
    timed_out = False
    try:
        with selectors.DefaultSelector() as selector:
            for pipe, kept in zip(pipes, printed, strict=True):
                selector.register(pipe, selectors.EVENT_READ, kept)
            timed_out = not collect(process, selector, monotonic() + seconds, guard)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in pipes:
            pipe.close()
    out, err = map(bytes, printed)
    return Ran(process.returncode, out, err, timed_out)


def collect(
    process: subprocess.Popen[bytes],
    selector: selectors.BaseSelector,
    deadline: float,
    guard: Callable[[], None],
) -> bool:
    """Read what a command prints until it has ended; False where its time is up first."""
    while process.poll() is None or selector.get_map():
        guard()
        now = monotonic()
        if process.returncode is not None:
            deadline = min(deadline, now + GRACE)
        if now >= deadline:
            return process.returncode is not None
        if not selector.get_map():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(min(SLICE, deadline - now))
            continue
        for key, _ in selector.select(min(SLICE, deadline - now)):
            data = os.read(key.fd, 65536)
            if data:
                key.data.extend(data[: MOST_OUTPUT - len(key.data)])
            else:
                selector.unregister(key.fileobj)
    return True
