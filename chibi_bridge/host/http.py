"""HTTP: the broker between a program and the network.

`exchange` holds all logic: it judges a request by the policy's rules, yields what
is to go over the wire, judges each redirect anew and answers the response. It does
no input or output itself, so one core serves the network, a `transport` of the
host, and recordings; sync and async hosts drive it with `http_request`.

What the program wrote is judged; what is sent are exactly the judged bytes;
secrets are filled in after the judgement and taken out of all that comes back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TypeVar

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host.base import Host, argument
from chibi_bridge.host.http_message import Grant, HttpFailure, HttpRequest, HttpResponse, redact
from chibi_bridge.host.http_rule import (
    PLACEHOLDER,
    WITH_BODY,
    Headers,
    HttpRule,
    RuleBook,
    check_headers,
    check_method,
    fill_headers,
    fill_url,
    masked_url,
)
from chibi_bridge.host.url import Url
from chibi_bridge.host.workers import Workers

__all__ = ["HttpRequest", "HttpResponse", "HttpRule"]

T = TypeVar("T")

DEFAULT_TIMEOUT = 30.0
MINIMUM_TIMEOUT = 0.001
MAXIMUM_TIMEOUT = 86_400.0
SLICE = 0.05
"""Seconds after which a wait looks whether it is to stop."""

FOLLOWED = frozenset((301, 302, 303, 307, 308))

Exchange = Generator[HttpRequest, HttpResponse, HttpResponse]


class Watcher:
    """Ends a request at its deadline, at that of the run, at an interrupt, or when nobody waits any more."""

    __slots__ = ("_deadline", "_guard", "cancelled", "timeout")

    def __init__(self, timeout: float, guard: Callable[[], None]) -> None:
        self.timeout = timeout
        self.cancelled = False
        self._deadline = monotonic() + timeout
        self._guard = guard

    def left(self) -> float:
        """Seconds of the request's own time; raises where the request is to stop."""
        if self.cancelled:
            raise HttpFailure("timeout", "the request was given up")
        self._guard()
        left = self._deadline - monotonic()
        if left <= 0:
            raise HttpFailure("timeout", f"no complete response within {self.timeout:g} seconds")
        return left

    def slice(self) -> float:
        """Seconds to wait before asking again; raises where the request is to stop."""
        return min(SLICE, self.left())


@dataclass(frozen=True, slots=True)
class Ask:
    """What a program asked for, as it wrote it."""

    method: str
    url: str
    headers: Headers
    body: bytes


def exchange(book: RuleBook, ask: Ask, watcher: Watcher) -> Exchange:
    """Judge, yield what goes over the wire, follow what may be followed; answers the response."""
    check_method(ask.method)
    check_headers(ask.headers)
    number, rule, url = book.find(ask.method, masked_url(ask.url))
    rule.check_headers(ask.headers)
    used: dict[str, str] = {}
    url = fill_url(ask.url, url, rule, used)
    hops = 0
    while True:
        if len(ask.body) > rule.max_body:
            raise HttpFailure("too-large", f"the request's body exceeds {rule.max_body} bytes")
        grant = Grant(url, rule.allow_private, rule.max_body, watcher)
        headers = fill_headers(ask.headers, rule, used)
        try:
            request = HttpRequest(ask.method, url.text(), headers, ask.body, watcher.left(), dict(used), grant)
            response = yield request
        except HttpFailure as failure:
            raise HttpFailure(str(failure.extra), redact(failure.message, used).removeprefix("http: ")) from None
        if len(response.body) > rule.max_body:
            raise HttpFailure("too-large", f"the response's body exceeds {rule.max_body} bytes")
        target = response.header("location")
        if response.status not in FOLLOWED or target is None or not rule.redirects:
            return response.redacted(used)
        hops += 1
        if hops > rule.redirects:
            shown = redact(target, used)[:200]
            raise HttpBlocked(f"http request blocked: more than {rule.redirects} redirects, the last to {shown!r}")
        ask, number, rule, url = follow(book, ask, (number, rule, url), response.status, target, used)


def follow(
    book: RuleBook, ask: Ask, now: tuple[int, HttpRule, Url], status: int, target: str, used: dict[str, str]
) -> tuple[Ask, int, HttpRule, Url]:
    """What a redirect makes of a request, judged like a first one. Raises HttpBlocked naming the target."""
    old_number, old_rule, old = now
    shown = redact(target, used)[:200]
    method, body = ask.method, ask.body
    if (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST"):
        method, body = "GET", b""
    try:
        number, rule, url = book.find(method, resolve(old, target))
    except HttpBlocked as error:
        reason = redact(error.message, used).removeprefix("http request blocked: ")
        raise HttpBlocked(f"http request blocked: redirect to {shown!r} refused: {reason}", hint=error.hint) from None
    if (old.scheme, url.scheme) == ("https", "http"):
        raise HttpBlocked(f"http request blocked: redirect to {shown!r} refused: it leaves https")
    headers = ask.headers
    if method != ask.method:
        headers = tuple(pair for pair in headers if not pair[0].lower().startswith("content-"))
    if (old.scheme, old.host, old.port) != (url.scheme, url.host, url.port):
        if body:
            raise HttpBlocked(
                f"http request blocked: redirect to {shown!r} refused: it takes the body to another origin"
            )
        if redact(url.text(), used) != url.text():
            raise HttpBlocked(
                f"http request blocked: redirect to {shown!r} refused: it takes a secret to another origin"
            )
        headers = ()
    elif number != old_number:
        headers = tuple(pair for pair in headers if not PLACEHOLDER.search(pair[1]))
        rule.check_headers(headers)
    limited = HttpRule(
        rule.url, rule.methods, rule.headers, rule.allow_private, old_rule.redirects, rule.max_body, rule.secrets
    )
    return Ask(method, url.text(), headers, body), number, limited, url


def resolve(base: Url, target: str) -> str:
    """A redirect's target as an absolute URL, nothing repaired; what cannot be sent is refused by the parser."""
    target = target.partition("#")[0]
    origin = Url(base.scheme, base.host, base.port, "/", None).text().removesuffix("/")
    if target.startswith("//"):
        return f"{base.scheme}:{target}"
    if target.startswith("/"):
        return origin + target
    if target.startswith("?") or not target:
        return origin + (base.path or "/") + target
    if ":" in target.partition("/")[0]:
        return target
    return origin + (base.path or "/").rpartition("/")[0] + "/" + target


# The door: arguments, drivers, result.


def http_request(host: Host, args: list[object]) -> object:
    """[status, [[name, value] ...], body] of a request; body is text, or bytes where asked for."""
    ask = asked(args)
    binary = len(args) > 5 and args[5] is True
    watch = host.watch
    watcher = Watcher(seconds(args[4] if len(args) > 4 else None), watch.guard if watch is not None else no_guard)
    steps = exchange(host.rules, ask, watcher)
    transport = host.network() if host.transport is None else host.transport
    if watch is None or not watch.on_loop:
        return result(drive(steps, transport), binary=binary)
    if getattr(transport, "blocking", False):
        work = on_thread(lambda: drive(steps, transport), watcher)
    else:
        work = drive_async(steps, transport)
    return finished(work, binary=binary)


def no_guard() -> None:
    """Nothing watches."""


def asked(args: list[object]) -> Ask:
    """The arguments of the operation."""
    method = argument(args, 0, str, "a method, a string")
    url = argument(args, 1, str, "a URL, a string")
    given = args[2] if len(args) > 2 and isinstance(args[2], list) else []
    pairs = (item for item in given if isinstance(item, list) and len(item) == 2)
    headers = tuple((a, b) for a, b in pairs if type(a) is str and type(b) is str)
    body = args[3] if len(args) > 3 else None
    if method not in WITH_BODY or not isinstance(body, (str, bytes)):
        body = b""
    return Ask(method, url, headers, body.encode() if isinstance(body, str) else body)


def seconds(value: object) -> float:
    """A timeout as given: no number is 30 seconds, at least a millisecond, at most a day."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)) or value != value:
        return DEFAULT_TIMEOUT
    return float(min(max(value, MINIMUM_TIMEOUT), MAXIMUM_TIMEOUT))


def drive(steps: Exchange, send: Callable[[HttpRequest], object]) -> HttpResponse:
    """Finish an exchange on this thread."""
    try:
        request = next(steps)
        while True:
            try:
                response = send(request)
                if isinstance(response, Coroutine):
                    response.close()
                    raise TypeError("the transport is an async function: use the async twin of this call")
                checked = response_of(response)
            except Exception as error:
                request = steps.throw(error)
            else:
                request = steps.send(checked)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def drive_async(steps: Exchange, send: Callable[[HttpRequest], object]) -> HttpResponse:
    """Finish an exchange on the event loop, with a transport that may be async."""
    try:
        request = next(steps)
        while True:
            try:
                response = send(request)
                checked = response_of(await response if isinstance(response, Awaitable) else response)
            except Exception as error:
                request = steps.throw(error)
            else:
                request = steps.send(checked)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


def response_of(value: object) -> HttpResponse:
    """What a transport answered, which has to be a response."""
    if not isinstance(value, HttpResponse):
        raise TypeError(f"a transport answers an HttpResponse: {value!r}")
    return value


THREADS = 64
"""Requests that event loops wait for at once; more queue."""

workers = Workers(THREADS, "chibi-bridge-http")


async def on_thread(work: Callable[[], T], watcher: Watcher) -> T:
    """Do blocking work on one of the broker's threads; given up where nobody waits any more."""
    import asyncio  # here: most programs do not need it

    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)  # type: ignore[arg-type]

    def body() -> None:
        value, problem = None, None
        if watcher.cancelled:
            return
        try:
            value = work()
        except BaseException as error:
            problem = error
        try:
            loop.call_soon_threadsafe(settle, value, problem)
        except RuntimeError:
            return  # the loop is closed: nobody waits

    workers.submit(body)
    try:
        await asyncio.wait((future,), timeout=watcher.timeout + 2 * SLICE)
        if not future.done():  # it still waits for a thread, or for what cannot be stopped
            raise HttpFailure("timeout", f"no complete response within {watcher.timeout:g} seconds")
        return future.result()
    finally:
        watcher.cancelled = True


async def finished(work: Coroutine[object, object, HttpResponse], *, binary: bool) -> object:
    """The operation's answer, when the response is there."""
    return result(await work, binary=binary)


def result(response: HttpResponse, *, binary: bool) -> list[object]:
    """A response as the Scheme side takes it."""
    headers: list[object] = [[name.lower(), value if value.isascii() else ""] for name, value in response.headers]
    return [response.status, headers, response.body if binary else text_of(response)]


def text_of(response: HttpResponse) -> str:
    """The body as text: in the charset that the response names, else UTF-8."""
    kind = response.header("content-type") or ""
    charset = "utf-8"
    for part in kind.split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip('"').lower()
    if charset not in ("utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "windows-1252", "utf-16"):
        charset = "utf-8"
    try:
        return response.body.decode(charset)
    except UnicodeDecodeError:
        raise HttpFailure(
            "protocol",
            f"the body is no {charset} text; ask for it as a bytevector: (http-get url headers 30 'bytevector)",
        ) from None


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {"http-request": http_request}
