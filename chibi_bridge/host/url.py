"""Which URLs a program may ask for: one strict parser, for rules and requests.

RFC 3986 without any repair: what is not plainly well formed is refused, since
two parsers that mend a URL differently are how allow-lists are talked around.
Whoever sends a request sends exactly the text that `UrlAllowlist.check`
answered, never the text it was given.

    >>> rules = UrlAllowlist(["https://api.example.com/v1/"])
    >>> rules.check("HTTPS://API.example.com:443/v1/items?x=1")
    'https://api.example.com/v1/items?x=1'
    >>> rules.allows("https://api.example.com/v1/%2e%2e/admin")
    False
"""

from __future__ import annotations

import functools
import ipaddress
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from chibi_bridge.errors import HttpBlocked

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_LENGTH = 8192

_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?"
)
_UNSAFE = re.compile(r'[^\x21-\x7e]|[\\<>"{}|^`]')
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_QUERY = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/?%\[\]-]*")
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/%-]*")
_OVERLONG = re.compile("[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]")
"""Longer spellings in UTF-8 of what has a shorter one: lenient servers read dots and slashes there."""


class _Refused(Exception):
    """Why a URL is not well formed enough; turned into the caller's error."""


@dataclass(frozen=True, slots=True)
class Url:
    """A parsed URL: scheme and host in lower case, the port always a number."""

    scheme: str
    host: str
    port: int
    path: str
    query: str | None

    @property
    def is_literal(self) -> bool:
        """Whether the host is an IP address rather than a name."""
        return self.host.startswith("[") or self.host.replace(".", "").isdigit()

    def text(self) -> str:
        """The one spelling of this URL: default port dropped, empty path as /."""
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        query = "" if self.query is None else f"?{self.query}"
        return f"{self.scheme}://{self.host}{port}{self.path or '/'}{query}"


def parse_url(text: str) -> Url:
    """Parse an http or https URL strictly.

    Raises ValueError that says what is wrong; nothing is ever repaired.
    """
    try:
        return _parse(text)
    except _Refused as refused:
        raise ValueError(f"{refused}: {text[:200]!r}") from None


def _parse(text: str) -> Url:
    if len(text) > MAX_LENGTH:
        raise _Refused(f"longer than {MAX_LENGTH} characters")
    unsafe = _UNSAFE.search(text)
    if unsafe:
        raise _Refused(f"the character {unsafe.group()!r} is not allowed")
    if "#" in text:
        raise _Refused("a fragment is not allowed")
    match = _URL.fullmatch(text)
    if match is None:
        raise _Refused("not an absolute URL")
    scheme = match["scheme"].lower()
    if scheme not in DEFAULT_PORTS:
        raise _Refused("only http and https are allowed")
    host, port = _authority(match["authority"], DEFAULT_PORTS[scheme])
    _check_path(match["path"])
    query = match["query"]
    if query is not None and (not _QUERY.fullmatch(query) or _ESCAPE.search(query)):
        raise _Refused("the query is malformed")
    return Url(scheme, host, port, match["path"], query)


@functools.lru_cache(maxsize=256)  # programs ask the same hosts again and again
def _authority(authority: str, default_port: int) -> tuple[str, int]:
    if "@" in authority:
        raise _Refused("user information is not allowed")
    host, bracket, rest = authority.partition("]")
    if bracket:
        host = _ipv6(host)
    else:
        host, colon, rest = authority.partition(":")
        host, rest = _name(host.lower()), colon + rest
    if not rest:
        return host, default_port
    if not rest.startswith(":") or not _PORT.fullmatch(rest[1:]) or int(rest[1:]) > 65535:
        raise _Refused("the port is malformed")
    return host, int(rest[1:])


def _ipv6(text: str) -> str:
    if not text.startswith("[") or "%" in text:
        raise _Refused("the IPv6 address is malformed")
    try:
        return f"[{ipaddress.IPv6Address(text[1:]).compressed}]"
    except ValueError:
        raise _Refused("the IPv6 address is malformed") from None


def _name(host: str) -> str:
    """A host name of ASCII labels, or four canonical decimals; lower case."""
    labels = host.split(".")
    if not host or len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _Refused("the host is malformed")
    last = labels[-1]
    if last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last):
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError:
            raise _Refused("a numeric host must be four canonical decimals") from None
    for label in labels:
        if label.startswith("xn--"):
            _check_punycode(label)
    return host


def _check_punycode(label: str) -> None:
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
        encoded = decoded.encode("punycode").decode("ascii")
    except (UnicodeError, OverflowError):
        raise _Refused("the host has malformed punycode") from None
    sound = decoded.isprintable() and decoded == unicodedata.normalize("NFC", decoded.lower())
    if encoded != label[4:] or decoded.isascii() or not sound:
        raise _Refused("the host has malformed punycode")


def _check_path(path: str) -> None:
    if not _PATH.fullmatch(path) or _ESCAPE.search(path):
        raise _Refused("the path is malformed")
    if path.startswith("//"):
        raise _Refused("the path starts with a doubled slash")
    if "%" not in path and "/." not in path:
        return
    for segment in path.split("/"):
        _check_segment(segment)


def _check_segment(segment: str) -> None:
    """No dot segment in any disguise, no encoded delimiter or control."""
    plain = segment
    for _ in range(8):
        decoded = re.sub(r"%([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), plain)
        if any(c in "/\\" or ord(c) < 0x20 or ord(c) == 0x7F for c in decoded):
            raise _Refused("the path has an encoded slash, backslash or control character")
        if _OVERLONG.search(decoded):
            raise _Refused("the path has overlong UTF-8")
        if decoded.partition(";")[0] in (".", ".."):
            raise _Refused("the path has a dot segment")
        if decoded == plain:
            return
        plain = decoded
    raise _Refused("the path is percent-encoded too often")


def parse_rule(rule: str) -> Url:
    """Parse an allow-list rule: a URL prefix without query, wildcard or dots.

    Raises ValueError naming the rule.
    """
    try:
        url = _parse(rule)
        if url.query is not None:
            raise _Refused("a rule has no query")
        if "*" in url.path:
            raise _Refused("wildcards are not known; a rule is a prefix")
    except _Refused as refused:
        raise ValueError(f"bad URL rule {rule[:200]!r}: {refused}") from None
    return url


def rule_covers(rule: Url, url: Url) -> bool:
    """Whether `url` lies under `rule`: same origin, path at a segment boundary."""
    if (rule.scheme, rule.host, rule.port) != (url.scheme, url.host, url.port):
        return False
    if rule.path in ("", "/"):
        return True
    path = url.path or "/"
    if rule.path.endswith("/"):
        return path.startswith(rule.path)
    return path == rule.path or path.startswith(rule.path + "/")


class UrlAllowlist:
    """URL prefixes that a program may ask for.

    A rule without a path means the whole host; with a final slash, what lies
    below it; without one, exactly it and what lies below. Immutable, so it may be
    shared between threads. A bad rule raises ValueError naming it.
    """

    __slots__ = ("_rules", "_texts")

    def __init__(self, rules: Iterable[str]) -> None:
        if isinstance(rules, str):
            raise TypeError("rules is a list of URL prefixes, not one string")
        self._texts = tuple(rules)
        self._rules = tuple(parse_rule(rule) for rule in self._texts)

    def __repr__(self) -> str:
        return f"UrlAllowlist({list(self._texts)!r})"

    def matches(self, url: str) -> tuple[list[int], Url]:
        """The numbers of the rules that cover `url`, in order, and the parsed URL.

        Raises HttpBlocked where the URL is malformed or no rule covers it.
        """
        try:
            parsed = parse_url(url)
        except ValueError as error:
            raise HttpBlocked(f"http request blocked: {error}") from None
        found = [number for number, rule in enumerate(self._rules) if rule_covers(rule, parsed)]
        if not found:
            raise HttpBlocked(
                f"http request blocked: URL not in allowlist: {parsed.text()[:200]}",
                hint=f"allowed: {', '.join(self._texts) or 'nothing'}",
            )
        return found, parsed

    def check(self, url: str) -> str:
        """The exact URL that will be sent. Raises HttpBlocked."""
        return self.matches(url)[1].text()

    def allows(self, url: str) -> bool:
        """Whether `check` would answer rather than raise."""
        try:
            self.matches(url)
        except HttpBlocked:
            return False
        return True
