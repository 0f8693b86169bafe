"""What kind of place a URL points to, and what a URL policy says about it.

The host is read as browsers do (the WHATWG rules for numbers, percent encoding,
trailing dots), since that is what a person who is asked would be misled about.
"""

from __future__ import annotations

import functools
import ipaddress
import re
from urllib.parse import unquote_to_bytes

from chibi_bridge.tools.config_file import UrlPolicy

UNPARSEABLE = "could not parse URL"
LOOPBACK = "loopback address"
METADATA = "cloud metadata endpoint"
LINK_LOCAL = "link-local address"
PRIVATE = "private network address"
PRESET_OF = {
    UNPARSEABLE: "preset:unparseable",
    LOOPBACK: "preset:loopback",
    METADATA: "preset:cloud_metadata",
    LINK_LOCAL: "preset:link_local",
    PRIVATE: "preset:private_network",
}
SCHEMES = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}
URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):[/\\]+([^/\\?#]*)(.*)", re.DOTALL)
METADATA_HOSTS = frozenset(("metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def split_url(url: str) -> tuple[str, str, str, str] | None:
    """Scheme, host, port and the rest, normalised; None where it is no URL with a host."""
    text = re.sub(r"[\t\r\n]", "", url.strip("".join(map(chr, range(0x21)))))
    match = URL.fullmatch(text)
    if match is None or match[1].lower() not in SCHEMES:
        return None
    scheme, authority, rest = match[1].lower(), match[2].rpartition("@")[2], match[3]
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?", authority)
    if found is None or (found[2] and int(found[2]) > 65535):
        return None
    host = normal_host(found[1])
    if host is None:
        return None
    port = "" if not found[2] or int(found[2]) == SCHEMES[scheme] else f":{int(found[2])}"
    return scheme, host, port, rest if rest.startswith("/") else f"/{rest}"


def normal_host(host: str) -> str | None:
    """Lower case, decoded, numbers as dotted quads; None where it is no host."""
    if host.startswith("["):
        try:
            return f"[{ipaddress.IPv6Address(host[1:-1])}]"
        except ValueError:
            return None
    try:
        name = unquote_to_bytes(host).decode("utf-8").lower().translate(DOTS)
        if not name.isascii():
            name = name.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    if not name or re.search(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]", name):
        return None
    last = name.rstrip(".").rpartition(".")[2]
    if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", last):
        number = ipv4_number(name)
        return None if number is None else str(ipaddress.IPv4Address(number))
    return name


DOTS = str.maketrans({"。": ".", "．": ".", "｡": "."})


def ipv4_number(host: str) -> int | None:
    """The address of a host that ends in a number: dotted, decimal, octal, hexadecimal, short."""
    parts = host.removesuffix(".").split(".")
    numbers: list[int] = []
    for part in parts:
        try:
            if part.startswith("0x"):
                numbers.append(int(part[2:] or "0", 16))
            elif len(part) > 1 and part.startswith("0"):
                numbers.append(int(part, 8))
            else:
                numbers.append(int(part, 10))
        except ValueError:
            return None
    if len(numbers) > 4 or any(n > 255 for n in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    return numbers[-1] + sum(n << (8 * (3 - i)) for i, n in enumerate(numbers[:-1]))


def classify(url: str) -> str | None:
    """Why a URL is sensitive, None for a public one.

    >>> classify("http://0x7f.1/"), classify("https://example.com/")
    ('loopback address', None)
    """
    parts = split_url(url)
    if parts is None:
        return UNPARSEABLE
    name = parts[1].rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return LOOPBACK
    if name in METADATA_HOSTS:
        return METADATA
    try:
        return classify_address(ipaddress.ip_address(name.strip("[]").partition("%")[0]))
    except ValueError:
        return None


CARRIER = ipaddress.ip_network("100.64.0.0/10")
METADATA_ADDRESSES = frozenset(("169.254.169.254", "fd00:ec2::254", "100.100.100.200"))


def classify_address(address: Address) -> str | None:
    """The kind of an address; one that carries an IPv4 address inside counts as that."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or nat64(address)
        if inner is not None:
            return classify_address(inner)
    if str(address) in METADATA_ADDRESSES:
        return METADATA
    if address.is_loopback or address.is_unspecified or int(address) >> 24 == 0:
        return LOOPBACK
    if address.is_link_local:
        return LINK_LOCAL
    if address.is_private or address.is_multicast or address.is_reserved or not address.is_global:
        return PRIVATE
    return PRIVATE if address.version == 4 and address in CARRIER else None


def nat64(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address in 64:ff9b::/96."""
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if int(address) >> 32 == 0x64FF9B << 64 else None


def judge_url(policy: UrlPolicy, url: str) -> str | None:
    """Why a policy refuses a URL, None where it allows it."""
    kind = classify(url)
    parts = split_url(url)
    text = url.lower() if parts is None else f"{parts[0]}://{parts[1]}{parts[2]}{parts[3]}"
    for rules, verdict in (
        (policy.deny_override, False),
        (policy.allow_override, True),
        (policy.deny, False),
        (policy.allow, True),
    ):
        if any(rule_matches(rule, text, kind) for rule in rules):
            return None if verdict else kind or "denied by URL policy"
    return None if policy.default == "allow" else kind or "denied by URL policy"


def rule_matches(rule: str, text: str, kind: str | None) -> bool:
    """Does one rule, a preset or a glob, hold for a URL?"""
    if rule.startswith("preset:"):
        return kind is not None and PRESET_OF[kind] == rule
    return glob(rule).fullmatch(text) is not None


@functools.lru_cache(maxsize=512)
def glob(pattern: str) -> re.Pattern[str]:
    """A glob with *, ? and backslash escapes."""
    made = []
    for escaped, char in re.findall(r"\\(.)|(.)", re.sub(r"\*+", "*", pattern), re.DOTALL):
        made.append(re.escape(escaped) if escaped else {"*": ".*", "?": "."}.get(char, re.escape(char)))
    return re.compile("".join(made), re.DOTALL)
