"""The warm parent: a process with everything loaded, from which nodes are forked.

Started by launch.py; it holds a control socket and touches nothing of an extension.
A request is a message of JSON with two descriptors (what the child is to be given on
a memory file, and its end of a socket pair) and the pipe on which its end is told:

    {"job": "serve" | "build" | "describe" | "probe" | "echo", "readable": [...], "memory": N}

The child jails itself before it reads a byte of the payload. The answer to the
request is the child's id, with a descriptor of the process that signals go to.
"""

from __future__ import annotations

import array
import gc
import json
import mmap
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from chibi_bridge.satellite import jail, jobs
from chibi_bridge.satellite.channel import Channel
from chibi_bridge.satellite.frames import encode
from chibi_bridge.satellite.kernel import die_with_parent

__all__ = ["main"]

MESSAGE = 1 << 16
BROKEN = 70
"""The exit status of a child that could not do its job."""


def main(control: int, network: str) -> None:
    """Serve requests until the harness hangs up. `network` names the harness's network namespace."""
    layers = {layer.name: layer for layer in jail.enter_early()}
    proved = [later if later.active else kept(layers, later) for later in jail.prove_early(network)]
    with suppress(OSError):
        die_with_parent(signal.SIGKILL)
    jobs.warm_up()
    gc.collect()
    gc.freeze()
    WarmParent(socket.socket(fileno=control), proved).serve()


def kept(layers: dict[str, jail.Layer], later: jail.Layer) -> jail.Layer:
    """A layer that does not hold, with the reason why it could not be made where there is one."""
    return jail.Layer(later.name, False, layers[later.name].detail or later.detail)


class WarmParent:
    """The loop: forks on request, tells ends."""

    def __init__(self, control: socket.socket, layers: list[jail.Layer]) -> None:
        self._control = control
        self._layers = layers
        self._ends: dict[int, int] = {}  # child -> the pipe on which its end is told
        self._wake, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writer)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def serve(self) -> None:
        """Until the control socket ends; the children end with us."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        self._control.sendall(json.dumps([[x.name, x.active, x.detail] for x in self._layers]).encode())
        while True:
            ready = {number for number, _ in poll.poll()}
            if self._wake in ready:
                with suppress(BlockingIOError):
                    os.read(self._wake, 4096)
                self._reap()
            if self._control.fileno() in ready and not self._request():
                return

    def _reap(self) -> None:
        """Tell the ends of children that ended."""
        while self._ends:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not child:
                return
            pipe = self._ends.pop(child)
            with suppress(OSError):
                os.write(pipe, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(pipe)

    def _request(self) -> bool:
        """Fork for one request; False where there are no more."""
        space = socket.CMSG_SPACE(3 * array.array("i").itemsize)
        data, ancillary, _, _ = self._control.recvmsg(MESSAGE, space, socket.MSG_CMSG_CLOEXEC)
        if not data:
            return False
        given = array.array("i")
        for _, _, block in ancillary:
            given.frombytes(block[: len(block) - len(block) % given.itemsize])
        payload, channel, pipe = given
        child = os.fork()
        if not child:
            self._become(json.loads(data), payload, channel, pipe)
        os.close(payload)
        os.close(channel)
        self._ends[child] = pipe
        handle = os.pidfd_open(child)
        self._control.sendmsg([b"%d" % child], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))])
        os.close(handle)
        return True

    def _become(self, request: dict[str, object], payload: int, channel: int, pipe: int) -> None:
        """The child: jail, then the job. Does not return."""
        status = BROKEN
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            die_with_parent(signal.SIGKILL)
            os.close(pipe)
            data = mmap.mmap(payload, os.fstat(payload).st_size, access=mmap.ACCESS_READ) if payload >= 0 else b""
            readable = request.get("readable")
            limits = jail.Limits(memory=int(str(request.get("memory") or jail.Limits().memory)))
            jail.enter([channel], readable if isinstance(readable, list) else (), limits)
            run(str(request["job"]), bytes(data), channel, request)
            status = 0
        except BaseException as error:
            with suppress(Exception):
                sys.stderr.write(f"satellite: {type(error).__name__}: {error}\n")
                sys.stderr.flush()
        finally:
            os._exit(status)


def run(job: str, data: bytes, channel: int, request: dict[str, object]) -> None:
    """Do a job in the jail."""
    connection = socket.socket(fileno=channel)
    if job == "probe":
        layers = jail.prove([channel], str(request["secret"]), int(str(request["stranger"])))
        answer(connection, [[layer.name, layer.active, layer.detail] for layer in layers])
        return
    work: Callable[[bytes, Channel], object] = jobs.JOBS[job]
    work(data, Channel(connection, strict=False))


def answer(connection: socket.socket, value: object) -> None:
    """A single value back to the harness."""
    payload = encode(value)
    connection.setblocking(True)
    connection.sendall(len(payload).to_bytes(4, "big") + payload)
    connection.close()
