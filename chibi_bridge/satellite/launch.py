"""Launching: the harness's side of the warm parent, and of the processes forked from it.

The harness's process never reads or evaluates an extension's code. It hands bytes to
a jailed child and takes bytes back, which it checks like any others from outside.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import functools
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

from chibi_bridge.satellite.frames import FrameError, decode
from chibi_bridge.satellite.jail import ENVIRONMENT, JailStatus, Layer, required

__all__ = ["LaunchFailed", "Launcher", "Process", "launcher"]

BOOT_SECONDS = 30.0
MAX_ANSWER = 1 << 28
"""Bytes of what a job gives back, at most: an image."""

log = logging.getLogger("chibi_bridge.satellite")
HOME = str(Path(__file__).resolve().parents[2])
"""Where this package is found, whatever finder of the environment brought it here."""


class LaunchFailed(RuntimeError):
    """A process could not be started, or did not do its job."""


class Process:
    """A child of the warm parent: its channel, and the means to end it."""

    __slots__ = ("_end", "_handle", "_status", "connection", "pid")

    def __init__(self, pid: int, handle: int, end: int, connection: socket.socket) -> None:
        self.pid = pid
        self.connection = connection
        self._handle = handle
        self._end = end
        self._status: int | None = None

    def kill(self) -> None:
        """End it at once; as often as one likes."""
        if self._handle >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def how_it_ended(self, seconds: float = 1.0) -> str:
        """ "signal 9" or "status 1"; says so where it has not ended."""
        import select

        if self._status is None and self._end >= 0:
            poll = select.poll()
            poll.register(self._end, select.POLLIN)
            if poll.poll(int(seconds * 1000)):
                text = os.read(self._end, 16)
                if not text:
                    return "ended with the warm parent"
                self._status = int(text)
        if self._status is None:
            return "did not say how it ended"
        return f"died of signal {-self._status}" if self._status < 0 else f"ended with status {self._status}"

    def close(self) -> None:
        """Kill it and let go of it."""
        self.kill()
        self.connection.close()
        for number in (self._handle, self._end):
            if number >= 0:
                os.close(number)
        self._handle = self._end = -1


class Launcher:
    """The warm parent, started when first needed and again where it ended. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._parent: subprocess.Popen[bytes] | None = None
        self._early: list[Layer] = []
        self._status: JailStatus | None = None
        self._said = False
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A fork of the harness has no warm parent of its own."""
        self._lock = threading.Lock()
        self._control = self._parent = self._status = None

    def status(self) -> JailStatus:
        """The layers, proved once for each warm parent."""
        with self._lock:
            return self._prove()

    def start(
        self,
        job: str,
        payload: bytes,
        *,
        jail: str | Iterable[str] = "default",
        readable: Iterable[str] = (),
        memory: int | None = None,
    ) -> Process:
        """A jailed child that does `job` on `payload`.

        Raises JailRefused where the jail lacks a layer that must hold, LaunchFailed
        where no process can be had.
        """
        wanted = required(jail)
        with self._lock:
            status = self._prove()
            status.check(wanted)
            if status.missing() and not self._said:
                self._said = True
                log.warning("satellite: %s", status.line())
            return self._fork({"job": job, "readable": list(readable), "memory": memory}, payload)

    def close(self) -> None:
        """End the warm parent, and with it all its children."""
        with self._lock:
            self._stop()

    # -- inside the lock ---------------------------------------------------------------

    def _prove(self) -> JailStatus:
        self._running()
        if self._status is None:
            handle, secret = tempfile.mkstemp(prefix="chibi-bridge-probe-")
            os.close(handle)
            try:
                process = self._fork({"job": "probe", "secret": secret, "stranger": os.getpid()}, b" ")
                try:
                    proved = layers_of(single_answer(process, BOOT_SECONDS))
                finally:
                    process.close()
            finally:
                Path(secret).unlink(missing_ok=True)
            self._status = JailStatus((*proved, *self._early))
        return self._status

    def _running(self) -> socket.socket:
        """The control socket of a living warm parent."""
        if self._control is not None and self._parent is not None and self._parent.poll() is None:
            return self._control
        self._stop()
        self._boot([])
        bubblewrap = shutil.which("bwrap")
        if bubblewrap and not all(layer.active for layer in self._early):
            self._boot_in(bubblewrap)
        if self._control is None:
            raise LaunchFailed("the warm parent did not start")
        return self._control

    def _boot_in(self, bubblewrap: str) -> None:
        """Start once more inside bubblewrap, which may do what we may not; keep it where it is better."""
        plain = (self._control, self._parent, self._early)
        options = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--unshare-net", "--unshare-ipc"]
        try:
            self._boot([bubblewrap, *options, "--die-with-parent", "--"])
        except LaunchFailed as error:
            log.info("satellite: bubblewrap does not work here: %s", error)
            self._control, self._parent, self._early = plain
            return
        if plain[0] is not None and plain[1] is not None:
            plain[0].close()
            plain[1].wait()

    def _boot(self, before: list[str]) -> None:
        """Start the warm parent and hear what namespaces it has."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        code = (
            f"import sys; sys.path[:] = {[*sys.path, HOME]!r}\n"
            f"from chibi_bridge.satellite.warm import main; main({theirs.fileno()}, {network_namespace()!r})"
        )
        with theirs:
            try:
                parent = subprocess.Popen(
                    [*before, sys.executable, "-I", "-S", "-c", code],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=dict(ENVIRONMENT),
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                raise LaunchFailed(f"cannot start the warm parent: {error}") from error
        ours.settimeout(BOOT_SECONDS)
        try:
            said = ours.recv(1 << 16)
        except OSError:
            said = b""
        if not said:
            ours.close()
            parent.kill()
            raise LaunchFailed(f"the warm parent did not start (status {parent.wait()})")
        self._control, self._parent = ours, parent
        self._early = layers_of(json.loads(said))
        self._status = None

    def _stop(self) -> None:
        """End the warm parent."""
        if self._control is not None:
            self._control.close()
        if self._parent is not None:
            try:
                self._parent.wait(2)
            except subprocess.TimeoutExpired:
                self._parent.kill()
                self._parent.wait()
        self._control = self._parent = self._status = None

    def _fork(self, request: dict[str, object], payload: bytes) -> Process:
        """Have a child made. What could not be handed over ends by itself: its channel hangs up."""
        control = self._running()
        with contextlib.ExitStack() as ours_too, contextlib.ExitStack() as theirs_only:
            try:
                ours, theirs = socket.socketpair()
                ours_too.enter_context(ours)
                theirs_only.enter_context(theirs)
                memory = os.memfd_create("chibi-bridge-payload", os.MFD_CLOEXEC)
                theirs_only.callback(os.close, memory)
                reading, writing = os.pipe2(os.O_CLOEXEC)
                ours_too.callback(os.close, reading)
                theirs_only.callback(os.close, writing)
                with open(memory, "wb", closefd=False) as file:
                    file.write(payload or b" ")
            except OSError as error:
                raise LaunchFailed(f"cannot start a process: {error}") from error
            pid, handle = self._ask(control, request, [memory, theirs.fileno(), writing])
            ours_too.pop_all()
        return Process(pid, handle, reading, ours)

    def _ask(self, control: socket.socket, request: dict[str, object], given: list[int]) -> tuple[int, int]:
        """The child's id and handle, for a request with descriptors."""
        rights = array.array("i", given)
        space = socket.CMSG_SPACE(rights.itemsize)
        try:
            control.sendmsg([json.dumps(request).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            data, ancillary, _, _ = control.recvmsg(64, space, socket.MSG_CMSG_CLOEXEC)
        except OSError as error:
            self._stop()
            raise LaunchFailed(f"cannot start a process: {error}") from error
        if not data:
            self._stop()
            raise LaunchFailed("the warm parent ended")
        if not ancillary or len(ancillary[0][2]) < rights.itemsize:
            raise LaunchFailed("this process has no descriptor left for another one")
        return int(data), array.array("i", ancillary[0][2])[0]


def network_namespace() -> str:
    """What names the network namespace of this process."""
    try:
        return str(Path("/proc/self/ns/net").readlink())
    except OSError:
        return "unknown"


def layers_of(value: object) -> list[Layer]:
    """Layers as they were told."""
    assert isinstance(value, list)
    return [Layer(str(name), active is True, str(detail)) for name, active, detail in value]


def single_answer(process: Process, seconds: float) -> object:
    """The one value that a job gives back; LaunchFailed where there is none in time."""
    data = bytearray()
    until = monotonic() + seconds
    try:
        while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
            if len(data) > MAX_ANSWER:
                raise LaunchFailed("the job answered too much")
            process.connection.settimeout(max(0.01, until - monotonic()))
            piece = process.connection.recv(1 << 18)
            if not piece:
                raise LaunchFailed(f"the job {process.how_it_ended()} and gave no answer")
            data += piece
        return decode(bytes(data[4:]))
    except TimeoutError:
        raise LaunchFailed(f"no answer within {seconds:g} s") from None
    except (OSError, FrameError) as error:
        raise LaunchFailed(f"no usable answer: {error}") from error


@functools.lru_cache(maxsize=1)
def launcher() -> Launcher:
    """The launcher of this process."""
    made = Launcher()
    atexit.register(made.close)
    return made
