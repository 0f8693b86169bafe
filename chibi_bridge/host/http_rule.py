"""What a policy's `http_allow` says: rules, and what each of them grants to a request."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host.http_message import HttpFailure
from chibi_bridge.host.url import Url, UrlAllowlist, parse_url
from chibi_bridge.policy import Policy

METHODS = ("GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "POST", "PUT", "PATCH")
WITH_BODY = frozenset(("POST", "PUT", "PATCH"))
DEFAULT_MAX_BODY = 10 << 20
UNSANDBOXED_REDIRECTS = 10

MAX_HEADER_BYTES = 32 << 10
FORBIDDEN = frozenset(
    ("host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect")
)
PLACEHOLDER = re.compile(r"\{\{env:([A-Za-z_][A-Za-z0-9_]*)\}\}")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HttpRule:
    """One item of `Policy.http_allow`: a URL prefix, and what goes with it.

    `methods`: those allowed, None for all. `headers`: names that a program may
    set, None for all but those that belong to the broker. `allow_private`: names
    may resolve to private and loopback addresses. `redirects`: how many to follow,
    each judged anew. `max_body`: bytes of a request's and of a response's decoded
    body. `secrets`: names of the host's environment that `{{env:NAME}}` may stand for
    in headers and in the query; a mapping from headers to such names says which
    header may hold which.

    A bad rule raises ValueError that names it.

    >>> HttpRule("https://api.example.com/v1/", methods=("GET",)).redirects
    0
    """

    url: str
    methods: tuple[str, ...] | None = None
    headers: tuple[str, ...] | None = None
    allow_private: bool = False
    redirects: int = 0
    max_body: int = DEFAULT_MAX_BODY
    secrets: tuple[str, ...] | Mapping[str, str] = ()

    def __post_init__(self) -> None:
        UrlAllowlist([self.url])
        for name in ("methods", "headers"):
            given = getattr(self, name)
            if isinstance(given, str):
                raise ValueError(f"HttpRule.{name} is a tuple of names: {given!r}")
            if given is not None:
                object.__setattr__(self, name, tuple(given))
        for method in self.methods or ():
            if method not in METHODS:
                raise ValueError(f"HttpRule.methods: unsupported method {method!r}")
        for header in self.headers or ():
            check_header_name(header)
        for name in ("redirects", "max_body"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise ValueError(f"HttpRule.{name} is a whole number from 0: {number!r}")
        if isinstance(self.secrets, Mapping):
            object.__setattr__(self, "secrets", dict(self.secrets))
            for header in self.secrets:
                check_header_name(header)
        elif isinstance(self.secrets, str):
            raise ValueError(f"HttpRule.secrets is a tuple of names, or a mapping from headers: {self.secrets!r}")
        else:
            object.__setattr__(self, "secrets", tuple(self.secrets))
        for secret in self.secret_names():
            if not isinstance(secret, str) or not PLACEHOLDER.fullmatch("{{env:" + secret + "}}"):
                raise ValueError(f"HttpRule.secrets: {secret!r} is no name of a variable")

    def allows_method(self, method: str) -> bool:
        """May a request under this rule use the method?"""
        return self.methods is None or method in self.methods

    def check_headers(self, headers: Headers) -> None:
        """Raise HttpBlocked for a header that a program may not set under this rule."""
        if self.headers is None:
            return
        allowed = {name.lower() for name in self.headers}
        for name, _ in headers:
            if name.lower() not in allowed:
                raise HttpBlocked(
                    f"http request blocked: the rule {self.url} does not allow to set the header {name!r}"
                )

    def secret_names(self) -> tuple[str, ...]:
        """The names that placeholders may have."""
        return tuple(self.secrets.values() if isinstance(self.secrets, Mapping) else self.secrets)

    def secret(self, name: str, header: str | None) -> str:
        """The value of a secret for a header, None for the query. Raises HttpBlocked where it is not granted."""
        if name not in self.secret_names():
            raise HttpBlocked(f"http request blocked: the rule {self.url} does not grant the secret {name}")
        if header is not None and isinstance(self.secrets, Mapping):
            own = [key for key, value in self.secrets.items() if value == name]
            if header.lower() not in (key.lower() for key in own):
                raise HttpBlocked(
                    f"http request blocked: the rule {self.url} grants the secret {name} to {', '.join(own)},"
                    f" not to the header {header!r}"
                )
        value = os.environ.get(name)
        if not value:
            raise HttpBlocked(f"http request blocked: the secret {name} is not set on the host")
        return value


class RuleBook:
    """The rules of one policy. Immutable, shared between threads."""

    __slots__ = ("_all", "_list", "rules")

    def __init__(self, items: Iterable[object] | None, *, all_urls: bool = False) -> None:
        self._all = all_urls
        self.rules = tuple(rule_of(item) for item in items or ())
        self._list = UrlAllowlist([rule.url for rule in self.rules])

    @classmethod
    def of(cls, policy: Policy) -> RuleBook:
        """The rules of a policy. Raises ValueError for a bad one."""
        return cls(policy.http_allow, all_urls=policy.all_urls)

    def find(self, method: str, text: str) -> tuple[int, HttpRule, Url]:
        """The first rule that grants this method on this URL, its number, and the parsed URL.

        Raises HttpBlocked.
        """
        if self._all:
            return self._anything(text)
        numbers, url = self._list.matches(text)
        for number in numbers:
            if self.rules[number].allows_method(method):
                return number, self.rules[number], url
        raise HttpBlocked(f"http request blocked: the rule for {url.text()[:200]} does not allow the method {method}")

    def _anything(self, text: str) -> tuple[int, HttpRule, Url]:
        """Where the policy grants any URL: a rule for this one's origin."""
        try:
            url = parse_url(text)
        except ValueError as error:
            raise HttpBlocked(f"http request blocked: {error}") from None
        origin = Url(url.scheme, url.host, url.port, "/", None).text()
        return -1, HttpRule(origin, allow_private=True, redirects=UNSANDBOXED_REDIRECTS), url


def rule_of(item: object) -> HttpRule:
    """An item of `http_allow` as a rule."""
    if isinstance(item, HttpRule):
        return item
    if isinstance(item, str):
        return HttpRule(item)
    raise ValueError(f"an item of http_allow is a URL prefix or an HttpRule: {item!r}")


def check_method(method: str) -> None:
    """Raise for a method that is not exactly one of METHODS."""
    if method not in METHODS:
        raise HttpFailure("protocol", f"unsupported method: {method[:100]}")


def check_header_name(name: str) -> None:
    """A header name is a token, and not one that the broker sets itself; ValueError else."""
    if not _TOKEN.fullmatch(name):
        raise ValueError(f"malformed header name {name[:100]!r}")
    if name.lower() in FORBIDDEN or name.lower().startswith("proxy-"):
        raise ValueError(f"the header {name!r} belongs to the broker and cannot be set")


def check_headers(headers: Headers) -> None:
    """Raise HttpFailure for headers that must not be sent; before anything is."""
    size = 0
    for name, value in headers:
        try:
            check_header_name(name)
        except ValueError as error:
            raise HttpFailure("protocol", str(error)) from None
        if not _VALUE.fullmatch(value):
            raise HttpFailure("protocol", f"the value of the header {name!r} holds a character that cannot be sent")
        size += len(name) + len(value) + 4
    if size > MAX_HEADER_BYTES:
        raise HttpFailure("too-large", f"the request's headers exceed {MAX_HEADER_BYTES} bytes")


def masked_url(text: str) -> str:
    """The URL to judge: placeholders in the query stand as plain text, so that no value plays a part."""
    head, mark, query = text.partition("?")
    return head + mark + PLACEHOLDER.sub(r"env:\1", query) if mark else text


def fill_url(text: str, url: Url, rule: HttpRule, used: dict[str, str]) -> Url:
    """The judged URL with the secrets of its query filled in, percent-encoded."""
    query = text.partition("?")[2]
    if not PLACEHOLDER.search(query):
        return url
    return Url(url.scheme, url.host, url.port, url.path, substitute(query, rule, used, None))


def fill_headers(headers: Headers, rule: HttpRule, used: dict[str, str]) -> Headers:
    """The headers with their secrets filled in."""
    filled = tuple((name, substitute(value, rule, used, name)) for name, value in headers)
    for (name, value), (_, written) in zip(filled, headers, strict=True):
        if value != written and not _VALUE.fullmatch(value):
            raise HttpFailure("protocol", f"the secret in the header {name!r} holds a character that cannot be sent")
    return filled


def substitute(text: str, rule: HttpRule, used: dict[str, str], header: str | None) -> str:
    """A header's text, or the query, with the values of its placeholders; `used` collects them."""

    def value_of(match: re.Match[str]) -> str:
        value = used[match[1]] = rule.secret(match[1], header)
        return quote(value, safe="") if header is None else value

    return PLACEHOLDER.sub(value_of, text)
