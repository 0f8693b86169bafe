"""The parent's end of a campaign's child: it asks, and turns a death into an ordinary answer."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from chibi_bridge.fuzz.plan import Plan
from chibi_bridge.fuzz.worker import Whole, receive, send

__all__ = ["Child", "Died", "LoadFailed"]

GRACE = 20.0
"""Seconds beyond the time limits of the calls after which the engine counts as hanging."""
CALLS = 6
"""Calls that one request may make."""


class LoadFailed(Exception):
    """The plan does not load; `code` is the exit code for that."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Died(Exception):
    """The process that called ended: by a signal, or because it hung."""


def elsewhere(arguments: dict[str, object]) -> object:
    """Stands in the child for a reference that only the parent can call."""
    raise RuntimeError("the reference is called by the parent")


class Child:
    """A child process with a plan loaded. Close it, or use it in `with`.

    Raises LoadFailed. What it is asked is written to `saved`, where given, before it is sent.
    """

    def __init__(self, plan: Plan, saved: Path | None = None) -> None:
        self._saved = saved
        limit = plan.limits.timeout
        self._patience = None if limit is None else limit * CALLS + GRACE
        path = os.pathsep.join(item for item in sys.path if item)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "chibi_bridge.fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self._replies: BinaryIO = self._process.stdout  # type: ignore[assignment]
        self._pid = 0
        try:
            here = callable(plan.reference)  # the parent asks it
            send(self._requests, replace(plan, reference=elsewhere) if here else plan)
            reply = receive(self._replies)
        except (OSError, EOFError) as error:
            self.close()
            raise LoadFailed(f"the child process ended while it loaded {plan.file}", 2) from error
        except BaseException:
            self.close()
            raise
        assert isinstance(reply, tuple)
        if reply[0] == "failed":
            self.close()
            raise LoadFailed(str(reply[1]), int(reply[2]))
        self._pid = int(reply[1])

    def ask(self, *request: object) -> tuple[object, ...]:
        """The answer to a request. Raises Died."""
        if self._saved is not None:
            self._saved.write_text(f"{request!r}\n", encoding="utf-8")
        send(self._requests, request)
        hung = not select.select([self._replies], [], [], self._patience)[0]
        if hung:
            os.kill(self._pid, signal.SIGKILL)
        try:
            reply = receive(Whole(self._replies))  # type: ignore[arg-type]
        except EOFError:
            raise Died("the child process is gone") from None
        assert isinstance(reply, tuple)
        if reply[0] != "died":
            return reply
        code, self._pid = reply[1], reply[2]
        if hung:
            raise Died(f"the engine hung: no answer in {self._patience:g} seconds")
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise Died(f"the engine's process ended: {name}")

    def close(self) -> None:
        """End the child."""
        with contextlib.suppress(OSError):
            self._requests.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            if self._pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        self._replies.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
