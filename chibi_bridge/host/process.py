"""Commands of the host and numbers of processes: only where the policy grants `process`."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.base import Host, refuse

if TYPE_CHECKING:
    import subprocess

GLANCE = 0.02
"""Seconds between two looks at the run's deadline while a command goes on."""


def current_process_id(host: Host, args: list[object]) -> object:
    """The number of this process; 0 in a sandbox."""
    return os.getpid() if host.policy.process else 0


def parent_process_id(host: Host, args: list[object]) -> object:
    """The number of the process that started this one; 0 in a sandbox."""
    return os.getppid() if host.policy.process else 0


def command_words(command: object) -> list[str]:
    """The words to execute: a string is for the shell."""
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise Refusal("wrong-type", f"a command is a string or a list of strings: {command!r}", [command])
    if any("\0" in word for word in words):
        raise Refusal("error", "a command holds a NUL character", [command])
    return words


def process_run(host: Host, args: list[object]) -> object:
    """Run a command to its end: output, error output (bytes) and status, -1 for a signal."""
    if not host.policy.process:
        raise refuse("process", "system: not permitted in sandbox")
    words = command_words(args[0] if args else None)
    import subprocess  # here: most programs run no command

    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=host.policy.environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise Refusal("error", f"{words[0]}: {error.strerror or error}", [words[0]]) from error
    output, errors = watched(host, process)
    if len(output) + len(errors) > host.policy.limits.memory:
        raise Refusal("error", "what the command printed does not fit into the context's memory", [words[0]])
    return [output, errors, process.returncode if process.returncode >= 0 else -1]


def watched(host: Host, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What the process prints until it ends; it is killed where the run is to stop."""
    from subprocess import TimeoutExpired

    try:
        while True:
            try:
                return process.communicate(timeout=GLANCE)
            except TimeoutExpired:
                if host.watch is not None:
                    host.watch.guard()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and what it has started
        process.communicate()
        raise


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "current-process-id": current_process_id,
    "parent-process-id": parent_process_id,
    "process-run": process_run,
}
