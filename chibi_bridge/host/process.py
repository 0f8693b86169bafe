"""Commands of the host and numbers of processes: only where the policy grants `process`."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
    if host.watch is not None and host.watch.on_loop:
        return run_on_loop(host, words)
    import subprocess  # here: most programs run no command

    try:
        process = subprocess.Popen(words, **streams(host))
    except OSError as error:
        raise trouble(words, error) from error
    return result(host, words, watched(host, process), process.returncode)


def streams(host: Host) -> dict[str, Any]:
    """How a command is started: nothing to read, the policy's variables, a group of its own."""
    from subprocess import DEVNULL, PIPE

    return {
        "stdin": DEVNULL,
        "stdout": PIPE,
        "stderr": PIPE,
        "env": host.policy.environment(),
        "start_new_session": True,
    }


def trouble(words: list[str], error: OSError) -> Refusal:
    """A condition for a command that could not be started."""
    return Refusal("error", f"{words[0]}: {error.strerror or error}", [words[0]])


def result(host: Host, words: list[str], printed: tuple[bytes, bytes], status: int | None) -> list[object]:
    """What the operation answers."""
    if sum(map(len, printed)) > host.policy.limits.memory:
        raise Refusal("error", "what the command printed does not fit into the context's memory", [words[0]])
    return [*printed, -1 if status is None or status < 0 else status]


def kill(group: int) -> None:
    """End a command and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


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
        kill(process.pid)
        process.communicate()
        raise


async def run_on_loop(host: Host, words: list[str]) -> object:
    """The same where an event loop drives the run: it goes on meanwhile."""
    import asyncio  # on a loop it is there already

    watch = host.watch
    try:
        process = await asyncio.create_subprocess_exec(*words, **streams(host))
    except OSError as error:
        raise trouble(words, error) from error
    work = asyncio.ensure_future(process.communicate())
    try:
        while not (await asyncio.wait({work}, timeout=GLANCE))[0]:
            if watch is not None:
                watch.guard()
    except BaseException:
        kill(process.pid)
        await work
        raise
    return result(host, words, work.result(), process.returncode)


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "current-process-id": current_process_id,
    "parent-process-id": parent_process_id,
    "process-run": process_run,
}
