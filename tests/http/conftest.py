"""Servers on loopback that behave as told, and certificates for them."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Talk = Callable[[socket.socket, "Asked"], None]


class Asked:
    """A request as it came over the wire."""

    def __init__(self, data: bytes, body: bytes) -> None:
        self.data = data
        self.body = body
        line, *rest = data.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = line.split(" ")
        self.headers = {name.lower(): value.strip() for name, _, value in (item.partition(":") for item in rest)}


class Server:
    """Accepts connections and lets `talk` answer each request; keeps what was asked."""

    def __init__(self, talk: Talk, tls: ssl.SSLContext | None = None) -> None:
        self.talk = talk
        self.tls = tls
        self.asked: list[Asked] = []
        self.accepted = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/"
        self.stopping = threading.Event()
        self._open: list[socket.socket] = []
        self._serving: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while not self.stopping.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._serving.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ssl.SSLError, ValueError):
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            while (asked := read_request(connection)) is not None:
                self.asked.append(asked)
                self.talk(connection, asked)
        connection.close()

    def close(self) -> None:
        """Wake the threads; each closes its own socket.

        Were it closed here, TLS in the thread could still write a last alert to a
        descriptor that by then is another file.
        """
        self.stopping.set()
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in (self._thread, *self._serving):
            thread.join(5)


def read_request(connection: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += connection.recv(65536)
    return Asked(head, body)


def answer(status: int = 200, body: bytes = b"", **headers: str) -> bytes:
    """A whole response."""
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Starts servers: `serve(bytes)` answers each request with them, `serve(talk)` as it will."""
    made: list[Server] = []

    def start(what: bytes | Talk, tls: ssl.SSLContext | None = None) -> Server:
        talk = what if callable(what) else (lambda connection, asked: connection.sendall(what))
        made.append(Server(talk, tls))
        return made[-1]

    yield start
    for server in made:
        server.close()


@pytest.fixture
def respond() -> Callable[..., bytes]:
    return answer


class Certificates:
    """A certificate authority of the tests' own, and certificates of it."""

    def __init__(self, folder: Path) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec

        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test authority")])
        self._authority = self._certificate(self._name, self._key.public_key(), None)
        self.file = folder / "ca.pem"
        self.file.write_bytes(self._pem(self._authority))

    def _pem(self, certificate: object) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding

        return certificate.public_bytes(Encoding.PEM)  # type: ignore[attr-defined,no-any-return]

    def _certificate(self, subject: object, key: object, names: object) -> object:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes

        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)  # type: ignore[arg-type]
            .issuer_name(self._name)
            .public_key(key)  # type: ignore[arg-type]
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=names is None, path_length=None), critical=True)
        )
        if names is not None:
            builder = builder.add_extension(names, critical=False)  # type: ignore[arg-type]
        return builder.sign(self._key, hashes.SHA256())

    def context(self, *names: str) -> ssl.SSLContext:
        """A server's TLS context with a certificate for these names."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = x509.SubjectAlternativeName(
            [x509.IPAddress(ipaddress.ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names]
        )
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "server")])
        certificate = self._certificate(subject, key.public_key(), alternatives)
        file = self.folder / f"{names[0]}.pem"
        file.write_bytes(self._pem(certificate) + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path)
