"""The capabilities: what each call takes, does and answers. Broker.py admits, this file acts."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import threading
import unicodedata
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host.files import is_within
from chibi_bridge.host.http import Ask, Watcher, drive, exchange
from chibi_bridge.host.http_message import HttpFailure, HttpRequest
from chibi_bridge.host.http_rule import PLACEHOLDER, HttpRule, RuleBook
from chibi_bridge.host.url import Url, parse_url

if TYPE_CHECKING:
    from chibi_bridge.satellite.broker import Invocation

__all__ = ["SLOW", "TABLE", "Arguments", "Denied", "Grants", "NetGrant", "Report", "Store"]

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD")
NET_SECONDS = 15.0
REDIRECTS = 2
MAX_BODY = (16 << 20) - (64 << 10)
"""Bytes of a body, at most: what fits into a frame beside its headers."""
RESERVED = frozenset(("connection", "content-length", "host", "transfer-encoding"))
FILE_BYTES = 8 << 20
ENTRIES = 4096
KV_ENTRY, KV_TOTAL, KV_ENTRIES = 256 << 10, 8 << 20, 1024
MEMORY_BYTES, MEMORY_GRAPHEMES, MEMORY_KEYS = 65_536, 128, 1024
REPORT_BYTES, REPORTS = 1 << 20, 64
OUTPUT_BYTES = 4 << 20
PROCESS_SECONDS = 100.0

guard: Callable[[], None] = lambda: None  # noqa: E731
"""Raises where nobody waits for this thread's call any more; broker.py sets it."""


class Denied(Exception):
    """A call that is answered with an error: its code, and a message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class NetGrant:
    """What [net] of a manifest grants: hosts `name[:port]`, methods, sizes, secrets.

    A secret is (variable, host, header): the header is set on requests to the host,
    with the value of the harness's variable, which the node never sees.
    """

    hosts: tuple[str, ...] = ()
    methods: tuple[str, ...] = ("GET",)
    max_response_bytes: int = 1 << 20
    requests_per_call: int = 8
    secrets: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Grants:
    """What a satellite is granted beyond its own memory.

    `memory`: the folder of what extensions remember, None for none. `programs`: what
    proc.run may start, by the first word of argv. `allow_private`: hosts may resolve
    to private addresses. `transport` answers requests in place of the network.
    """

    net: NetGrant | None = None
    fs_read: tuple[str, ...] = ()
    fs_write: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    memory: Path | None = None
    allow_private: bool = False
    transport: Callable[[HttpRequest], object] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Something that a satellite reported while it worked."""

    id: str
    name: str
    content_type: str
    data: bytes


class Arguments:
    """The arguments of a call, read field by field; Denied "invalid_argument" for a wrong one."""

    __slots__ = ("_cap", "map")

    def __init__(self, cap: str, given: dict[str, object]) -> None:
        self._cap = cap
        self.map = given

    def wrong(self, name: str, what: str) -> NoReturn:
        """Refuse an argument."""
        raise Denied("invalid_argument", f"{self._cap}: {name} is {what}")

    def text(self, name: str) -> str:
        """A string."""
        value = self.map.get(name)
        if type(value) is not str:
            self.wrong(name, "a string")
        return value

    def binary(self, name: str, *, or_text: bool = False) -> bytes:
        """Bytes; nil is none."""
        value = self.map.get(name)
        if value is None:
            return b""
        if or_text and type(value) is str:
            return value.encode()
        if type(value) is not bytes:
            self.wrong(name, "binary")
        return value


# -- net -------------------------------------------------------------------------------


def net_request(invocation: Invocation, args: Arguments) -> object:
    """A request to one of the hosts of the manifest."""
    grants = invocation.broker.grants
    net = grants.net
    if net is None or not net.hosts:
        raise Denied("network_off", "the extension's manifest has no [net]")
    ask = asked(args, net)
    rule = rule_for(ask, grants, net)
    if invocation.counters.requests >= net.requests_per_call:
        raise Denied("quota", f"an invocation may make {net.requests_per_call} requests")
    invocation.counters.requests += 1
    return response_map(send(ask, rule, grants))


def asked(args: Arguments, net: NetGrant) -> Ask:
    """The request as the extension wrote it, methods and headers judged."""
    method, url = args.text("method"), args.text("url")
    headers = args.map.get("headers")
    if headers is None:
        headers = {}
    if type(headers) is not dict or not all(type(value) is str for value in headers.values()):
        args.wrong("headers", "a map of strings")
    body = args.binary("body", or_text=True)
    if method not in METHODS or method not in net.methods:
        raise Denied("not_allowed", f"the manifest does not list the method {method[:40]!r}")
    bound = {header.lower() for _, _, header in net.secrets}
    for name, value in headers.items():
        if name.lower() in RESERVED or name.lower() in bound:
            raise Denied("not_allowed", f"an extension does not set the header {name[:80]!r}")
        if re.search(r"[\r\n\0]", name + value) or not (name + value).isascii():
            raise Denied("not_allowed", f"the header {name[:80]!r} holds a character that is not sent")
    if PLACEHOLDER.search(url) or any(PLACEHOLDER.search(value) for value in headers.values()):
        raise Denied("not_allowed", "an extension does not name secrets in its requests")
    return Ask(method, url, tuple((name, str(value)) for name, value in headers.items()), body)


def rule_for(ask: Ask, grants: Grants, net: NetGrant) -> HttpRule:
    """The rule for the request's origin, with its secrets. Raises Denied."""
    try:
        url = parse_url(ask.url)
    except ValueError as error:
        raise Denied("not_allowed", f"the URL cannot be used: {error}") from None
    if url.scheme != "https":
        raise Denied("not_allowed", "only https is allowed")
    if not any(same_origin(host, url) for host in net.hosts):
        raise Denied("not_allowed", f"the manifest does not list the host of {ask.url[:200]!r}")
    bound = {header: name for name, host, header in net.secrets if same_origin(host, url)}
    for name in bound.values():
        if not os.environ.get(name):
            raise Denied("not_allowed", f"the secret {name} is not set on the host")
    origin = Url(url.scheme, url.host, url.port, "/", None).text()
    return HttpRule(
        origin,
        methods=net.methods,
        allow_private=grants.allow_private,
        redirects=REDIRECTS,
        max_body=min(net.max_response_bytes, MAX_BODY),
        secrets=bound,
    )


def same_origin(listed: str, url: Url) -> bool:
    """Is a host of the manifest, `name[:port]`, this URL's?"""
    try:
        other = parse_url(f"https://{listed}/")
    except ValueError:
        return False
    return (other.scheme, other.host, other.port) == (url.scheme, url.host, url.port)


def send(ask: Ask, rule: HttpRule, grants: Grants) -> object:
    """Carry a judged request out under one rule, so that no redirect leaves its origin."""
    assert isinstance(rule.secrets, Mapping)
    added = tuple((header, "{{env:" + name + "}}") for header, name in rule.secrets.items())
    ask = Ask(ask.method, ask.url, (*ask.headers, *added), ask.body)
    transport = network() if grants.transport is None else grants.transport
    try:
        return drive(exchange(RuleBook([rule]), ask, Watcher(NET_SECONDS, guard)), transport)
    except HttpBlocked as error:
        raise Denied("not_allowed", error.message) from None
    except HttpFailure as error:
        raise Denied("net_failed", str(error.message)) from None


def response_map(response: object) -> dict[str, object]:
    """A response for the wire: header names in lower case, several of one name joined."""
    headers: dict[str, str] = {}
    for name, value in response.headers:  # type: ignore[attr-defined]
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return {"status": response.status, "headers": headers, "body": response.body}  # type: ignore[attr-defined]


_network: list[Callable[[HttpRequest], object]] = []


def network() -> Callable[[HttpRequest], object]:
    """The network, made at the first request."""
    if not _network:
        from chibi_bridge.host.http_network import HttpNetwork  # few programs ask for it

        _network.append(HttpNetwork())
    return _network[0]


# -- files -----------------------------------------------------------------------------

CODES = {
    "ENOENT": "not_found",
    "ENOTDIR": "not_a_directory",
    "EISDIR": "wrong_kind",
    "EACCES": "permission_denied",
    "EPERM": "permission_denied",
    "ELOOP": "unresolvable",
}


def place(invocation: Invocation, args: Arguments, *, writing: bool = False) -> str:
    """The path of a call, resolved, where it is granted."""
    name = args.text("path")
    if "\0" in name or not name.startswith("/"):
        args.wrong("path", "an absolute path")
    grants = invocation.broker.grants
    path = os.path.realpath(name)
    prefixes = grants.fs_write if writing else (*grants.fs_read, *grants.fs_write)
    if not is_within(path, prefixes):
        raise Denied("permission_denied", f"{'writing' if writing else 'reading'} {name[:200]!r} is not granted")
    return path


def failure(error: OSError) -> Denied:
    """What the system said, as a code."""
    import errno

    code = CODES.get(errno.errorcode.get(error.errno or 0, ""), "fs_failure")
    return Denied(code, error.strerror or "failed")


def read_text(path: str) -> str:
    """The text of a regular file, opened without following what came in its place."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Denied("wrong_kind", "not a regular file")
            data = file.read(FILE_BYTES + 1)
    except OSError as error:
        raise failure(error) from None
    if len(data) > FILE_BYTES:
        raise Denied("too_large", f"a file may have {FILE_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Denied("wrong_kind", f"not UTF-8 text, at byte {error.start}") from None


def write_text(path: str, text: str) -> None:
    """Replace a file at once, or not at all."""
    draft = f"{path}.{uuid.uuid4().hex[:8]}.tmp"
    try:
        if Path(path).is_dir():
            raise Denied("wrong_kind", "a directory")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        with suppress(OSError):
            Path(draft).chmod(stat.S_IMODE(Path(path).stat().st_mode))
        Path(draft).replace(path)
    except OSError as error:
        with suppress(OSError):
            Path(draft).unlink()
        raise failure(error) from None


def fs_read(invocation: Invocation, args: Arguments) -> object:
    """The text of a file."""
    return {"contents": read_text(place(invocation, args))}


def fs_write(invocation: Invocation, args: Arguments) -> object:
    """Put a text into a file."""
    path, text = place(invocation, args, writing=True), args.text("contents")
    write_text(path, text)
    return {}


def fs_list(invocation: Invocation, args: Arguments) -> object:
    """What is in a directory, by name."""
    path = place(invocation, args)
    found = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                found.append({"name": os.fsencode(entry.name).decode("utf-8", "replace"), "is_dir": entry.is_dir()})
                if len(found) > ENTRIES:
                    raise Denied("too_large", f"a directory may have {ENTRIES} entries")
    except OSError as error:
        raise failure(error) from None
    return {"entries": sorted(found, key=lambda item: str(item["name"]))}


def fs_edit(invocation: Invocation, args: Arguments) -> object:
    """Replace texts that occur exactly once, one after another; all or none."""
    path = place(invocation, args, writing=True)
    edits = args.map.get("edits")
    if type(edits) is not list or not edits:
        args.wrong("edits", "a list of at least one edit")
    text = read_text(path)
    for number, edit in enumerate(edits, 1):
        find, put = (edit.get(key) if type(edit) is dict else None for key in ("find", "replace_with"))
        if type(find) is not str or type(put) is not str or not find:
            args.wrong("edits", "a list of maps with find and replace_with")
        count = text.count(find)
        if count != 1:
            raise Denied("invalid_argument", f"the text of edit {number} occurs {count} times, not once")
        text = text.replace(find, put)
        if len(text) > FILE_BYTES:
            raise Denied("too_large", f"a file may have {FILE_BYTES} bytes")
    write_text(path, text)
    return {}


# -- storage ---------------------------------------------------------------------------


class Store:
    """What one satellite keeps: for the session in memory, for ever in a folder."""

    def __init__(self, name: str, memory: Path | None) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, bytes] = OrderedDict()
        self._total = 0
        self._folder = None if memory is None else memory / quote(name, safe="")

    def get(self, key: str) -> bytes | None:
        """A value of the session."""
        with self._lock:
            return self._entries.get(key)

    def set(self, key: str, value: bytes) -> None:
        """Keep a value for the session; the oldest written go where it is too much."""
        size = len(key.encode()) + len(value)
        if size > KV_ENTRY:
            raise Denied("too_large", f"an entry may have {KV_ENTRY} bytes")
        with self._lock:
            self._drop(key)
            self._entries[key] = value
            self._total += size
            while self._total > KV_TOTAL or len(self._entries) > KV_ENTRIES:
                self._drop(next(iter(self._entries)))

    def delete(self, key: str) -> None:
        """Forget a value."""
        with self._lock:
            self._drop(key)

    def _drop(self, key: str) -> None:
        value = self._entries.pop(key, None)
        if value is not None:
            self._total -= len(key.encode()) + len(value)

    def _file(self, key: str) -> Path:
        if self._folder is None:
            raise Denied("memory_unavailable", "the harness keeps no memory for extensions")
        import hashlib

        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def remember(self, key: str, value: str) -> None:
        """Keep a JSON text for ever."""
        file = self._file(key)
        with self._lock:
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if not file.exists() and sum(1 for _ in file.parent.glob("*.json")) >= MEMORY_KEYS:
                    raise Denied("quota", f"an extension may remember {MEMORY_KEYS} keys")
                draft = file.with_suffix(".tmp")
                draft.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
                draft.replace(file)
            except OSError as error:
                raise Denied("store_failed", error.strerror or "failed") from None

    def recall(self, key: str) -> str | None:
        """The JSON text under a key."""
        file = self._file(key)
        try:
            made = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise Denied("store_failed", f"{error}") from None
        return str(made["value"])


def kv_get(invocation: Invocation, args: Arguments) -> object:
    """A value of the session."""
    value = invocation.broker.store.get(args.text("key"))
    return {"found": value is not None, "value": value or b""}


def kv_set(invocation: Invocation, args: Arguments) -> object:
    """Keep a value for the session."""
    invocation.broker.store.set(args.text("key"), args.binary("value", or_text=True))
    return {}


def kv_delete(invocation: Invocation, args: Arguments) -> object:
    """Forget a value; one that is not there is forgotten already."""
    invocation.broker.store.delete(args.text("key"))
    return {}


def memory_key(args: Arguments) -> str:
    """A key of the memory."""
    key = args.text("key")
    graphemes = sum(1 for char in key if not unicodedata.combining(char))
    if not key or "/" in key or graphemes > MEMORY_GRAPHEMES or len(key) > 8 * MEMORY_GRAPHEMES:
        args.wrong("key", f"1 to {MEMORY_GRAPHEMES} characters without a slash")
    return key


def remember(invocation: Invocation, args: Arguments) -> object:
    """Keep a JSON text for ever."""
    key, value = memory_key(args), args.text("value")
    if len(value.encode()) > MEMORY_BYTES:
        raise Denied("too_large", f"a value may have {MEMORY_BYTES} bytes")
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        args.wrong("value", "JSON text")
    invocation.broker.store.remember(key, value)
    return {}


def recall(invocation: Invocation, args: Arguments) -> object:
    """The JSON text under a key."""
    value = invocation.broker.store.recall(memory_key(args))
    return {"found": False} if value is None else {"found": True, "value": value}


# -- reports and programs ----------------------------------------------------------------


def emit(invocation: Invocation, args: Arguments) -> object:
    """Hand a report to whoever made the invocation."""
    name, kind, data = args.text("name"), args.text("content_type"), args.binary("bytes")
    if len(data) > REPORT_BYTES:
        raise Denied("too_large", f"a report may have {REPORT_BYTES} bytes")
    if invocation.counters.reports >= REPORTS:
        raise Denied("admission_ceiling", f"an invocation may make {REPORTS} reports")
    invocation.counters.reports += 1
    report = Report(uuid.uuid4().hex, name, kind, data)
    if invocation.on_report is not None:
        invocation.on_report(report)
    return {"id": report.id}


def run_program(invocation: Invocation, args: Arguments) -> object:
    """Run a program that the operator grants, by name; a status that is not 0 is data."""
    argv = args.map.get("argv")
    if type(argv) is not list or not argv or not all(type(item) is str and "\0" not in item for item in argv):
        args.wrong("argv", "a list of at least one string")
    for name in ("cwd", "env", "stdin", "timeout_ms"):
        if args.map.get(name) not in (None, {}):
            raise Denied("unsupported_argument", f"proc.run does not take {name}")
    if argv[0] not in invocation.broker.grants.programs:
        raise Denied("policy", f"running {argv[0][:80]!r} is not granted")
    return outcome(argv)


def outcome(argv: list[str]) -> dict[str, object]:
    """Run it: no input, a small environment, an end."""
    from chibi_bridge.satellite.jail import ENVIRONMENT

    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(ENVIRONMENT),
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise Denied("spawn_failed", error.strerror or "cannot be started") from None
    late = watch(process)
    with process:
        shown = [Shown(stream) for stream in (process.stdout, process.stderr)]
        for item in shown:
            item.thread.join()
        status = process.wait()
    out, err = shown
    return {
        "exit_code": status,
        "stdout": out.text(),
        "stderr": err.text(),
        "stdout_truncated": out.truncated,
        "stderr_truncated": err.truncated,
        "timed_out": late.is_set(),
    }


def watch(process: subprocess.Popen[bytes]) -> threading.Event:
    """Kill a program whose call was given up, or that takes too long; the event says so."""
    late = threading.Event()
    look = guard_of_this_thread()

    def body() -> None:
        left = PROCESS_SECONDS
        while process.poll() is None:
            try:
                look()
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                left -= 0.05
            except Denied:
                left = 0
            if left <= 0:
                late.set()
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, 9)
                return

    threading.Thread(target=body, daemon=True).start()
    return late


def guard_of_this_thread() -> Callable[[], None]:
    """The guard as it is here, for another thread to ask."""
    from chibi_bridge.satellite import broker

    pending = broker.current.pending

    def look() -> None:
        kept, broker.current.pending = broker.current.pending, pending
        try:
            guard()
        finally:
            broker.current.pending = kept

    return look


class Shown:
    """What a program prints on a stream, up to a limit; the rest is read and dropped."""

    def __init__(self, stream: object) -> None:
        self.data = bytearray()
        self.truncated = False
        self._stream = stream
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while piece := self._stream.read1(1 << 16):  # type: ignore[attr-defined]
            left = OUTPUT_BYTES - len(self.data)
            self.truncated = self.truncated or len(piece) > left
            self.data += piece[:left]

    def text(self) -> str:
        """The text; what is none is told in a word."""
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError:
            return f"({len(self.data)} bytes that are no UTF-8 text)"


TABLE: dict[str, Callable[[Invocation, Arguments], object]] = {
    "net.request": net_request,
    "fs.read": fs_read,
    "fs.write": fs_write,
    "fs.list": fs_list,
    "fs.edit": fs_edit,
    "kv.get": kv_get,
    "kv.set": kv_set,
    "kv.delete": kv_delete,
    "ext.remember": remember,
    "ext.recall": recall,
    "report.emit": emit,
    "proc.run": run_program,
}
SLOW = frozenset(("net.request", "proc.run"))
"""Those that are carried out by a thread; the others take no time to speak of."""
