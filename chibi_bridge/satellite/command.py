"""A node that is a program of one's own, over a socket with a name.

The program finds the socket in LOOM_CAP_SOCK and a file of 32 bytes in
LOOM_CAP_TOKEN_FILE. It is started with a scrubbed environment, without terminal and
without other descriptors, but in no jail: bring one, or use `host.jailed`.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from chibi_bridge.satellite.jail import ENVIRONMENT
from chibi_bridge.satellite.launch import LaunchFailed

__all__ = ["CommandNode", "command"]

ACCEPT_SECONDS = 30.0


class CommandNode:
    """A program that connected."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], seconds: float) -> None:
        self._folder = tempfile.mkdtemp(prefix="cb-")
        place, token = Path(self._folder) / "s", Path(self._folder) / "cap-token"
        self._process: subprocess.Popen[bytes] | None = None
        try:
            handle = os.open(token, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(handle, secrets.token_bytes(32))
            os.close(handle)
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(place))
                listener.listen(1)
                given = {"LOOM_CAP_SOCK": str(place), "LOOM_CAP_TOKEN_FILE": str(token)}
                self._process = subprocess.Popen(
                    list(argv),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env={**ENVIRONMENT, **environment, **given},
                    start_new_session=True,
                )
                self.connection = self._accept(listener, seconds)
        except BaseException:
            self.close()
            raise

    def _accept(self, listener: socket.socket, seconds: float) -> socket.socket:
        assert self._process is not None
        listener.settimeout(0.02)
        waited = 0.0
        while waited < seconds:
            with contextlib.suppress(TimeoutError):
                return listener.accept()[0]
            waited += 0.02
            if self._process.poll() is not None:
                raise LaunchFailed(f"the node ended with status {self._process.returncode} before it connected")
        raise LaunchFailed(f"the node did not connect within {seconds:g} s")

    @property
    def pid(self) -> int:
        """The program's process."""
        assert self._process is not None
        return self._process.pid

    def how_it_ended(self, seconds: float = 1.0) -> str:
        """ "died of signal 9" or "ended with status 1"; says so where it has not ended."""
        assert self._process is not None
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return "did not say how it ended"
        return f"died of signal {-status}" if status < 0 else f"ended with status {status}"

    def kill(self) -> None:
        """End the program and all it started, at once."""
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill it, hang up and remove the socket."""
        if self._process is not None:
            self.kill()
            self._process.wait()
            connection = getattr(self, "connection", None)
            if connection is not None:
                connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def command(
    argv: Sequence[str], *, environment: Mapping[str, str] | None = None, seconds: float = ACCEPT_SECONDS
) -> Callable[[], CommandNode]:
    """What starts a program as a node: for SatelliteHost."""
    return lambda: CommandNode(argv, environment or {}, seconds)
