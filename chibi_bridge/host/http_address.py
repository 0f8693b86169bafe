"""Which addresses a request may reach: every one that a name resolves to is judged."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254 fd20:ce::254 fd00:42::42"
    ).split()
)
"""Where clouds hand out credentials to whoever asks."""

IPV4_KINDS = tuple(
    (IPv4Network(text), what)
    for text, what in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "special-purpose"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
IPV6_KINDS = tuple(
    (IPv6Network(text), what)
    for text, what in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("64:ff9b:1::/48", "translated"),
        ("2001::/32", "Teredo"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
EMBEDDED = tuple(
    (IPv6Network(text), shift)
    for text, shift in (
        ("::ffff:0:0/96", 0),  # mapped
        ("::ffff:0:0:0/96", 0),  # translated (SIIT)
        ("64:ff9b::/96", 0),  # NAT64
        ("2002::/16", 80),  # 6to4
        ("::/96", 0),  # compatible
    )
)
"""Forms of IPv6 that lead to the IPv4 address inside."""

GLOBAL_UNICAST = IPv6Network("2000::/3")
ISATAP = (0x00005EFE, 0x02005EFE)

PRIVATE = frozenset(("private", "loopback", "carrier-grade NAT", "unique local", "benchmarking", "site-local"))
"""The kinds that `allow_private` opens; the others only a rule that names the address does."""


def judge(text: str, *, allow_private: bool = False) -> str | None:
    """Why this address must not be reached, or None.

    >>> judge("93.184.216.34")
    >>> judge("::ffff:10.0.0.1")
    'private'
    >>> judge("10.0.0.1", allow_private=True)
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "malformed"
    what = kind_of(address)
    return None if allow_private and what in PRIVATE else what


def kind_of(address: IPv4Address | IPv6Address) -> str | None:
    """What is special about an address; None for a public one."""
    if address in METADATA:
        return "cloud metadata"
    if isinstance(address, IPv4Address):
        return next((what for network, what in IPV4_KINDS if address in network), None)
    if address.scope_id is not None:
        return "link-local"
    for network, what in IPV6_KINDS:
        if address in network:
            return what
    for network, shift in EMBEDDED:
        if address in network:
            return kind_of(IPv4Address(int(address) >> shift & 0xFFFFFFFF))
    if int(address) >> 32 & 0xFFFFFFFF in ISATAP:
        return kind_of(IPv4Address(int(address) & 0xFFFFFFFF))
    return None if address in GLOBAL_UNICAST else "reserved"


def is_loopback(text: str) -> bool:
    """Is it an address of this machine itself?"""
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False
