"""HTTP and TLS on a connected socket, on urllib3: send, and read within bounds.

Imported late. No proxy variables, no netrc, no cookies, no redirects: what comes in
as an HttpRequest goes out byte for byte.
"""

from __future__ import annotations

import io
import os
import re
import select
import socket
import ssl
import zlib
from collections.abc import Callable, Iterator
from http.client import HTTPException, LineTooLong, parse_headers
from http.client import HTTPResponse as PlainResponse
from time import monotonic
from typing import TypeVar

from urllib3.connection import HTTPConnection
from urllib3.exceptions import HeaderParsingError, HTTPError
from urllib3.util.response import assert_header_parsing

from chibi_bridge._version import __version__
from chibi_bridge.host.http_message import Endless, HttpFailure, HttpRequest, HttpResponse, Wait
from chibi_bridge.host.http_network import IDEMPOTENT
from chibi_bridge.host.url import Url

T = TypeVar("T")

MAX_HEADER_BYTES = 64 << 10
CHUNK = 256 << 10
STEP = 4 << 10
"""Bytes of a packed body that are unpacked before the wait is looked at again."""
DEFAULT_HEADERS = (
    ("User-Agent", f"chibi-bridge/{__version__}"),
    ("Accept", "*/*"),
    ("Accept-Encoding", "gzip"),
)
TOO_LARGE = ("got more than", "exceeded maximum")
"""How http.client and urllib3 say that a bound of theirs was met."""

RETRY = (TimeoutError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


def trusting(ca_file: str | os.PathLike[str] | None) -> ssl.SSLContext:
    """What verifies servers: against the file's certificates, else the system's."""
    try:
        made = ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # an SSLError is one
        raise HttpFailure("tls", f"the certificates in {ca_file} cannot be used: {error}") from error
    made.set_alpn_protocols(["http/1.1"])
    return made


def encrypt(trusted: ssl.SSLContext, raw: socket.socket, url: Url, wait: Wait) -> ssl.SSLSocket:
    """TLS on a connected socket, the host's name verified. Closes the socket where it fails."""
    host = url.host.strip("[]")
    try:
        wrapped = trusted.wrap_socket(
            raw, server_hostname=host, do_handshake_on_connect=False, suppress_ragged_eofs=False
        )
    except (OSError, ValueError) as error:
        raise HttpFailure("tls", f"no secure connection to {host}: {error}") from error
    try:
        patient(wrapped, wrapped.do_handshake, wait)
    except BaseException as error:
        wrapped.close()
        if isinstance(error, OSError):
            text = getattr(error, "verify_message", None) or getattr(error, "reason", None) or str(error)
            raise HttpFailure("tls", f"no secure connection to {host}: certificate or handshake: {text}") from error
        raise
    return wrapped


class Stale(Exception):
    """The connection was closed before any byte of a response."""


def patient(sock: socket.socket, attempt: Callable[[], T], wait: Wait) -> T:
    """Try a socket operation again until it is done or the wait ends."""
    while True:
        sock.settimeout(wait.slice())
        try:
            return attempt()
        except RETRY:
            continue


class Plug:
    """A connected socket as http.client wants it: waits in slices, counts what comes in."""

    __slots__ = ("_sock", "limit", "seen", "wait")

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.wait: Wait = Endless()
        self.limit = 0
        self.seen = 0

    def settimeout(self, seconds: float | None) -> None:
        """The wait decides instead."""

    def sendall(self, data: bytes) -> None:
        """Send all of it, in slices."""
        view = memoryview(data).cast("B")
        while view:
            sent = patient(self._sock, lambda view=view: self._sock.send(view), self.wait)  # type: ignore[misc]
            view = view[sent:]

    def recv_into(self, buffer: memoryview) -> int:
        """Receive what is there, within the bound."""
        sock, wait = self._sock, self.wait
        while True:
            sock.settimeout(wait.slice())
            try:
                got = sock.recv_into(buffer)
                break
            except RETRY:
                continue
        self.seen += got
        if self.seen > self.limit:
            raise HttpFailure("too-large", f"the response exceeds its bound of {self.limit} bytes")
        return got

    def makefile(self, mode: str, *_: object) -> io.BufferedReader:
        """What a response is read from."""
        return io.BufferedReader(Incoming(self))

    def is_quiet(self) -> bool:
        """Is there nothing to read, not even the end?"""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Nothing: the response may still be read; `kill` closes."""

    def kill(self) -> None:
        """Close the socket."""
        self._sock.close()


class Incoming(io.RawIOBase):
    """The reading side of a plug."""

    def __init__(self, plug: Plug) -> None:
        self._plug = plug

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Receive into the buffer."""
        return self._plug.recv_into(buffer)


LENGTH = re.compile(r"[0-9]{1,18}")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class StrictResponse(PlainResponse):
    """A response whose headers have to be well formed; urllib3 would only log the URL."""

    def _read_status(self) -> tuple[str, int, str]:
        """The status line; those of interim responses are passed over with their headers."""
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if status == 101:
                raise HTTPException("the server switches to a protocol that was not asked for")
            if not 101 < status < 200:
                return version, status, reason
            parse_headers(self.fp)

    def begin(self) -> None:
        """Read the status line and the headers."""
        super().begin()
        for name, value in self.msg.raw_items():
            if CONTROL.search(value):
                raise HTTPException(f"a control character in the header {name}")
            if name.lower() == "content-length" and not all(map(LENGTH.fullmatch, re.split(r"[ \t]*,[ \t]*", value))):
                raise HTTPException(f"malformed Content-Length {value[:40]!r}")
        if not self.msg.defects and not self.msg.get_payload():
            return
        try:
            assert_header_parsing(self.msg)
        except HeaderParsingError as error:
            raise HTTPException("malformed headers") from error


class Fields:
    """Headers in order, a name more than once where it was: as much of a mapping as urllib3 wants."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._pairs)

    def items(self) -> list[tuple[str, str]]:
        """The pairs."""
        return self._pairs


class Connection:
    """One connection to a judged address."""

    __slots__ = ("_host", "_http", "_plug", "idle_since", "key", "reusable")

    def __init__(self, key: object, url: Url, sock: socket.socket) -> None:
        self.key = key
        self.idle_since = 0.0
        self.reusable = False
        self._plug = Plug(sock)
        self._host = Url(url.scheme, url.host, url.port, "", None).text().partition("://")[2].removesuffix("/")
        self._http = HTTPConnection(url.host.strip("[]"), url.port)
        self._http.sock = self._plug
        self._http.auto_open = 0
        self._http.response_class = StrictResponse

    def is_quiet(self) -> bool:
        """Has the other side neither closed nor said anything since?"""
        return self._plug.is_quiet()

    def rest(self) -> None:
        """Nobody waits for it any more; it is kept."""
        self.idle_since = monotonic()
        self._plug.wait = Endless()

    def kill(self) -> None:
        """Close it."""
        self._http.close()
        self._plug.kill()

    def exchange(self, request: HttpRequest, wait: Wait) -> HttpResponse:
        """Send a request and read the response. Raises Stale, HttpFailure."""
        plug = self._plug
        plug.wait, plug.seen, plug.limit = wait, 0, MAX_HEADER_BYTES + io.DEFAULT_BUFFER_SIZE
        self.reusable = False
        whole = True
        try:
            self._send(request)
        except (BrokenPipeError, ConnectionError) as error:
            if request.method in IDEMPOTENT:
                raise Stale from error
            whole = False  # the server may have answered before it closed
        except (ValueError, HTTPException) as error:
            raise HttpFailure("protocol", f"the request cannot be sent: {error}") from error
        try:
            response = self._receive(request)
            self.reusable = self.reusable and whole
            return response
        except LineTooLong as error:
            raise HttpFailure("too-large", "a line of the response's headers is too long") from error
        except (HTTPException, HTTPError, OSError, EOFError) as error:
            if plug.seen == 0:
                raise Stale from error
            if any(words in plain(error) for words in TOO_LARGE):
                raise HttpFailure("too-large", f"the response is beyond bounds: {plain(error)}") from error
            raise HttpFailure("protocol", f"the response is broken off or malformed: {plain(error)}") from error
        except ValueError as error:
            raise HttpFailure("protocol", f"the response is malformed: {error}") from error

    def _send(self, request: HttpRequest) -> None:
        target = request.url.partition("://")[2]
        target = target[target.index("/") :]
        pairs = list(request.headers)
        names = {name.lower() for name, _ in pairs}
        pairs += [pair for pair in DEFAULT_HEADERS if pair[0].lower() not in names]
        pairs.append(("Host", self._host))
        body = request.body if request.body or request.method in ("POST", "PUT", "PATCH") else None
        self._http.request(
            request.method,
            target,
            body,
            Fields(pairs),  # type: ignore[arg-type]
            preload_content=False,
            decode_content=False,
        )

    def _receive(self, request: HttpRequest) -> HttpResponse:
        response = self._http.getresponse()
        headers = tuple(response.headers.iteritems())
        limit = request.grant.max_body
        self._plug.limit = MAX_HEADER_BYTES + 2 * limit + CHUNK
        parts: list[bytes] = []
        size = 0
        decoder = Decoder(response.headers.get("content-encoding", ""), limit, self._plug.wait)
        if (response.length_remaining or 0) > limit:
            raise HttpFailure("too-large", f"the response's body exceeds {limit} bytes")
        piece = min(limit + 1, max(CHUNK, response.length_remaining or 0))
        for chunk in response.stream(piece, decode_content=False):
            data = decoder.decode(chunk)
            size += len(data)
            if size > limit:
                raise HttpFailure("too-large", f"the response's body exceeds {limit} bytes")
            parts.append(data)
        decoder.finish(empty=request.method == "HEAD" or not parts)
        framed_twice = "transfer-encoding" in response.headers and "content-length" in response.headers
        self.reusable = self._http.sock is not None and response.version == 11 and not framed_twice
        return HttpResponse(response.status, headers, b"".join(parts))


class Decoder:
    """Takes gzip and deflate off a body; never makes more than the bound and one byte."""

    def __init__(self, encoding: str, limit: int, wait: Wait) -> None:
        name = encoding.strip().lower()
        self._left = limit + 1
        self._inflate = {"gzip": 31, "x-gzip": 31, "deflate": 15}.get(name)
        self._name = name
        self._stream = None if self._inflate is None else zlib.decompressobj(self._inflate)
        self._wait = wait

    def decode(self, chunk: bytes) -> bytes:
        """The plain bytes of a chunk.

        Taken in small steps: each further member of gzip data makes zlib copy what
        is left of a step, and the wait has to be looked at.
        """
        if self._stream is None:
            return chunk
        parts: list[bytes] = []
        view = memoryview(chunk)
        try:
            for at in range(0, len(view), STEP):
                self._wait.slice()
                self._step(bytes(view[at : at + STEP]), parts)
        except zlib.error as error:
            raise HttpFailure("protocol", f"the body is no {self._name} data: {error}") from error
        return b"".join(parts)

    def _step(self, data: bytes, parts: list[bytes]) -> None:
        """Add the plain bytes of a few packed ones."""
        assert self._stream is not None
        while data and self._left > 0:
            if self._stream.eof:
                if self._inflate != 31:
                    return
                self._stream = zlib.decompressobj(31)  # a further member
            plain_bytes = self._stream.decompress(data, self._left)
            self._left -= len(plain_bytes)
            parts.append(plain_bytes)
            data = self._stream.unused_data or self._stream.unconsumed_tail

    def finish(self, *, empty: bool) -> None:
        """Raise where the compressed body has not come to its end."""
        if self._stream is not None and not empty and not self._stream.eof:
            raise HttpFailure("protocol", f"the {self._name} body is cut off")


def plain(error: BaseException) -> str:
    """The innermost words of an error of http.client or urllib3."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return str(error) or type(error).__name__
