"""The network as a transport: every address judged, connections kept, places counted.

What speaks HTTP and TLS is http_wire, imported at the first request, since urllib3
and ssl take their time.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host import http_address
from chibi_bridge.host.http_message import Endless, HttpFailure, HttpRequest, HttpResponse, Wait
from chibi_bridge.host.url import Url, parse_url

if TYPE_CHECKING:
    import ssl

    from chibi_bridge.host.http_wire import Connection

T = TypeVar("T")

Resolver = Callable[[str, int], Sequence[str]]

CONCURRENT = 8
IDLE_SECONDS = 10.0
IDLE_SECONDS_ONCE = 1.0
"""For requests that must not be sent twice: the server is unlikely to give up the connection meanwhile."""
IDLE_CONNECTIONS = 8
CONNECT_SECONDS = 3.0
"""What one of several addresses of a name is given."""
IDEMPOTENT = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))


def wire() -> ModuleType:
    """What speaks HTTP and TLS."""
    from chibi_bridge.host import http_wire

    return http_wire


def system_resolver(host: str, port: int) -> list[str]:
    """The addresses that the system knows for a name, in its order."""
    found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class HttpNetwork:
    """Carries requests out over real sockets; the transport of a context that has no other.

    `resolver(host, port)` answers the addresses of a name as texts; `ca_file`
    names a PEM file of certificates to trust in place of the system's. May be
    shared between contexts and threads. Close it, or use it in `with`.
    """

    blocking = True

    def __init__(self, *, resolver: Resolver | None = None, ca_file: str | os.PathLike[str] | None = None) -> None:
        self._resolver = system_resolver if resolver is None else resolver
        self._ca_file = ca_file
        self._tls: ssl.SSLContext | None = None
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._places = threading.Semaphore(CONCURRENT)
        self._resolving = threading.Semaphore(CONCURRENT)
        self._closed = False
        weakref.finalize(self, kill_all, self._idle)  # a context may be dropped without being closed

    def __enter__(self) -> HttpNetwork:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are kept; those in use close when they are done."""
        with self._lock:
            self._closed = True
            kill_all(self._idle)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Carry a request out. Raises HttpFailure, or HttpBlocked for an address."""
        wait = request.grant.wait or Endless()
        take_place(self._places, wait)
        try:
            return self._carry_out(request, wait)
        finally:
            self._places.release()

    def _carry_out(self, request: HttpRequest, wait: Wait) -> HttpResponse:
        url = request.grant.url or parse_url(request.url)
        if request.grant.url is None:  # made by hand: what is parsed is what is sent
            request = replace(request, url=url.text())
        key = (url.scheme, url.host, url.port, request.grant.allow_private)
        connection = self._take(key, IDLE_SECONDS if request.method in IDEMPOTENT else IDLE_SECONDS_ONCE)
        if connection is not None:
            try:
                return self._talk(connection, request, wait)
            except wire().Stale as stale:
                if request.method not in IDEMPOTENT:
                    raise closed_early(url) from stale
        connection = wire().Connection(key, url, self._connect(url, request, wait))
        try:
            return self._talk(connection, request, wait)
        except wire().Stale as stale:
            raise closed_early(url) from stale

    def _talk(self, connection: Connection, request: HttpRequest, wait: Wait) -> HttpResponse:
        """One exchange on a connection, which is kept or closed afterwards."""
        keep = False
        try:
            response = connection.exchange(request, wait)
            keep = connection.reusable
            return response
        finally:
            if not (keep and self._keep(connection)):
                connection.kill()

    def _take(self, key: object, seconds: float) -> Connection | None:
        """A kept connection for this place that is still good."""
        now = monotonic()
        with self._lock:
            found = next((item for item in self._idle if item.key == key), None)
            if found is None:
                return None
            self._idle.remove(found)
        if now - found.idle_since > seconds or not found.is_quiet():
            found.kill()
            return None
        return found

    def _keep(self, connection: Connection) -> bool:
        connection.rest()
        with self._lock:
            if self._closed or len(self._idle) >= IDLE_CONNECTIONS:
                return False
            self._idle.append(connection)
        return True

    # -- connecting --------------------------------------------------------------------

    def _connect(self, url: Url, request: HttpRequest, wait: Wait) -> socket.socket:
        """A socket to one of the judged addresses, TLS done."""
        raw = self._reach(self._addresses(url, request, wait), url, wait)
        if url.scheme == "http":
            return raw
        try:
            if self._tls is None:
                self._tls = wire().trusting(self._ca_file)
            encrypted: socket.socket = wire().encrypt(self._tls, raw, url, wait)
            return encrypted
        except BaseException:
            raw.close()
            raise

    def _addresses(self, url: Url, request: HttpRequest, wait: Wait) -> list[str]:
        """What to connect to: the literal that the rule names, or the name's addresses, each judged."""
        if url.is_literal:
            return [url.host.strip("[]")]
        grant = request.grant
        local = url.host == "localhost"
        if url.host.endswith(".localhost") and not grant.allow_private:
            raise HttpBlocked(f"http request blocked: {url.host} is a loopback name")
        found = in_background(lambda: self._resolve(url), self._resolving, wait)
        for address in found:
            what = http_address.judge(address, allow_private=grant.allow_private)
            if what is not None and not (local and http_address.is_loopback(address)):
                raise HttpBlocked(
                    f"http request blocked: {url.host} resolves to {address}, a {what} address",
                    hint="the rule has to name the address itself, or to allow private ones",
                )
            if local and what is None and not http_address.is_loopback(address):
                raise HttpBlocked(f"http request blocked: localhost resolves to {address}, which is not this machine")
        return found

    def _resolve(self, url: Url) -> list[str]:
        try:
            found = list(self._resolver(url.host, url.port))
        except (OSError, UnicodeError) as error:
            text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise HttpFailure("dns", f"cannot resolve {url.host}: {text}") from error
        if not found:
            raise HttpFailure("dns", f"cannot resolve {url.host}: no addresses")
        return found

    def _reach(self, addresses: Sequence[str], url: Url, wait: Wait) -> socket.socket:
        """Connect to the first address that answers."""
        trouble: OSError | None = None
        for number, address in enumerate(addresses, 1):
            patience = wait if number == len(addresses) else Patience(wait, CONNECT_SECONDS)
            try:
                return self._open(address, url.port, patience)
            except OSError as error:
                trouble = error
        text = os.strerror(trouble.errno) if trouble is not None and trouble.errno else str(trouble)
        raise HttpFailure("connect", f"cannot connect to {url.host}:{url.port}: {text}") from trouble

    def _open(self, address: str, port: int, wait: Wait) -> socket.socket:
        """A connected socket. Raises OSError."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        raw = socket.socket(family, socket.SOCK_STREAM)
        try:
            raw.setblocking(False)
            status = raw.connect_ex((address, port))
            if status == errno.EINPROGRESS:
                poll = select.poll()
                poll.register(raw, select.POLLOUT)
                while not poll.poll(wait.slice() * 1000):
                    pass
                status = raw.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if status:
                raise OSError(status, os.strerror(status))
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return raw
        except BaseException:
            raw.close()
            raise


class Patience:
    """A wait for one of several addresses: after some seconds the next one has its turn."""

    def __init__(self, wait: Wait, seconds: float) -> None:
        self._wait = wait
        self._end = monotonic() + seconds

    def slice(self) -> float:
        """Seconds to wait before asking again; raises where it is the next one's turn."""
        if monotonic() > self._end:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        return self._wait.slice()


def closed_early(url: Url) -> HttpFailure:
    """The failure of a server that says nothing."""
    return HttpFailure("protocol", f"{url.host} closed the connection without a response")


def kill_all(connections: list[Connection]) -> None:
    """Close them all, and leave the list empty."""
    while connections:
        connections.pop().kill()


def take_place(places: threading.Semaphore, wait: Wait) -> None:
    """Wait for one of the places."""
    if places.acquire(blocking=False):
        return
    while not places.acquire(timeout=wait.slice()):
        pass


def in_background(work: Callable[[], T], places: threading.Semaphore, wait: Wait) -> T:
    """Do what cannot be stopped on a thread, and stop waiting for it where the wait ends.

    The thread keeps its place until it is done, so that there are never many.
    """
    done = threading.Event()
    results: list[T] = []
    problems: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:
            problems.append(error)
        places.release()
        done.set()

    take_place(places, wait)
    threading.Thread(target=body, name="chibi-bridge-dns", daemon=True).start()
    while not done.wait(wait.slice()):
        pass
    if problems:
        raise problems[0]
    return results[0]
