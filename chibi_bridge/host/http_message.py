"""What goes over the wire and comes back, as data; and what may go wrong on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.url import Url
from chibi_bridge.values import Symbol

KINDS = ("blocked", "dns", "connect", "tls", "timeout", "too-large", "protocol")
"""The kinds of failure of a request, as `http-error-kind` and SchemeError.kind tell them."""


class HttpFailure(Refusal):
    """A request that failed: becomes a condition of kind "http" whose extra is one of KINDS."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__("http", f"http: {message}", extra=Symbol(kind))


class Wait(Protocol):
    """What a request is watched by while it waits: raises where it is to stop."""

    def slice(self) -> float:
        """Seconds to wait before asking again; raises where the request is to stop."""
        ...


class Endless:
    """Waits for ever: for requests that nobody watches."""

    def slice(self) -> float:
        """A second at a time."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Grant:
    """What the rule that matched grants to one request; for who carries the request out.

    `url` is the request's URL as it was judged; None: to be parsed.
    """

    url: Url | None = None
    allow_private: bool = False
    max_body: int = 10 << 20
    wait: Wait | None = None


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it goes over the wire.

    `url` is the text that the allow-list agreed to, `headers` pairs in order,
    `timeout` the seconds that are left for the whole exchange (None: no end).
    Secrets are filled in; `redacted` answers what the program wrote.

    >>> HttpRequest("GET", "https://api.example.com/").body
    b''
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    timeout: float | None = 30.0
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    grant: Grant = field(default_factory=Grant, repr=False, compare=False)

    def __repr__(self) -> str:
        plain = self.redacted() if self.secrets else self
        return (
            f"HttpRequest(method={plain.method!r}, url={plain.url!r}, headers={plain.headers!r}, "
            f"body={plain.body[:200]!r}, timeout={plain.timeout!r})"
        )

    def redacted(self) -> HttpRequest:
        """The same request with placeholders in the place of secrets."""
        return replace(
            self,
            url=redact(self.url, self.secrets),
            headers=tuple((name, redact(value, self.secrets)) for name, value in self.headers),
            body=redact_bytes(self.body, self.secrets),
            secrets={},
        )


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response: the status, headers as pairs in order (a mapping will do), the decoded body.

    >>> HttpResponse(200, {"Content-Type": "text/plain"}, b"hello").headers
    (('Content-Type', 'text/plain'),)
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def __post_init__(self) -> None:
        given = self.headers
        pairs = given.items() if isinstance(given, Mapping) else given
        object.__setattr__(self, "headers", tuple((str(name), str(value)) for name, value in pairs))
        if isinstance(self.body, str):
            object.__setattr__(self, "body", self.body.encode())
        if isinstance(self.status, bool) or not isinstance(self.status, int) or not 100 <= self.status <= 999:
            raise ValueError(f"an HTTP status is a number of three digits: {self.status!r}")

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case; None without one."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    def redacted(self, secrets: Mapping[str, str]) -> HttpResponse:
        """The same response with placeholders where it repeats a secret."""
        if not secrets:
            return self
        return HttpResponse(
            self.status,
            tuple((redact(name, secrets), redact(value, secrets)) for name, value in self.headers),
            redact_bytes(self.body, secrets),
        )


def redact(text: str, secrets: Mapping[str, str]) -> str:
    """A text with each secret's forms replaced by its placeholder, the longest first."""
    for form, placeholder in secret_forms(secrets):
        text = text.replace(form, placeholder)
    return text


def redact_bytes(data: bytes, secrets: Mapping[str, str]) -> bytes:
    """Bytes with each secret's forms replaced by its placeholder, the longest first."""
    for form, placeholder in secret_forms(secrets):
        data = data.replace(form.encode(), placeholder.encode())
    return data


def secret_forms(secrets: Mapping[str, str]) -> list[tuple[str, str]]:
    """(text, placeholder) for the spellings in which a server may repeat a secret."""
    from base64 import b64encode
    from json import dumps
    from urllib.parse import quote, quote_plus

    forms: dict[str, str] = {}
    for name, value in secrets.items():
        if value:
            spelled = (value, quote(value, safe=""), quote_plus(value), dumps(value)[1:-1])
            encoded = b64encode(value.encode()).decode()
            for form in (*spelled, encoded, encoded.rstrip("=")):
                forms.setdefault(form, "{{env:" + name + "}}")
    return sorted(forms.items(), key=lambda item: -len(item[0]))
