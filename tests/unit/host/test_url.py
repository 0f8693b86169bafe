"""The allow-list: cases, agreement with other parsers, and mutations against an oracle."""

from __future__ import annotations

import ipaddress
import json
import os
import random
import re
import urllib.parse
from pathlib import Path

import pytest
import urllib3.util
from hypothesis import given
from hypothesis import strategies as st

from chibi_bridge import HttpBlocked, UrlAllowlist
from chibi_bridge.host.url import parse_rule

CASES = [json.loads(line) for line in (Path(__file__).resolve().parent / "url.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_url_case(case: dict[str, str]) -> None:
    if case["verdict"] == "reject-rule":
        with pytest.raises(ValueError, match="bad URL rule"):
            UrlAllowlist([case["allow"]])
        return
    rules = UrlAllowlist([case["allow"]])
    assert rules.allows(case["url"]) == (case["verdict"] == "allow"), case["why"]


def test_check_answers_one_spelling() -> None:
    rules = UrlAllowlist(["https://api.example.com", "http://[::1]:8080/"])
    assert rules.check("HTTPS://API.example.com:443?q=A") == "https://api.example.com/?q=A"
    assert rules.check("http://[0:0:0:0:0:0:0:1]:8080/A%2d") == "http://[::1]:8080/A%2d"


def test_a_refusal_names_the_url_and_what_is_allowed() -> None:
    with pytest.raises(HttpBlocked, match=r"URL not in allowlist: https://b\.test/") as caught:
        UrlAllowlist(["https://a.test/"]).check("https://b.test/")
    assert "https://a.test/" in str(caught.value)


def test_rules_are_a_list() -> None:
    with pytest.raises(TypeError):
        UrlAllowlist("https://a.test/")


@pytest.mark.parametrize("spelling", ["%c0%ae%c0%ae", "%C1%9C", "%e0%80%ae", "%f0%80%80%ae", "%25c0%25ae", "a%c0%afb"])
def test_overlong_utf_8_is_refused_in_paths(spelling: str) -> None:
    rules = UrlAllowlist(["https://a.test/v1/"])
    assert not rules.allows(f"https://a.test/v1/{spelling}/x")
    assert rules.allows("https://a.test/v1/%c3%a9/%e2%82%ac/%f0%9f%98%80/%e9")


# What other parsers see

HOSTS = (
    "api.example.com API.EXAMPLE.com example.com evil.test 127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 [::1] "
    "[::ffff:7f00:1] xn--bcher-kva.test localhost localhost. api.example.com. a_b.test 1.2.3.4.5 [v1.a] [::1%25lo]"
).split(" ")
JOINTS = ["", "@", ":", ":443", ":80", ":0443", ":8443", ":99999", ":@", "\\", "/", "//", "?", "#", "%2f", "%40", "%00",
          "%2e", ".", "\t", "\n", " ", "/..", "/.", "/%2e%2e/", "/..;/", "v1", "/v1", "/v1/", ";", "&", "[", "]", "\u3002",
          "\uff0f", "\u2024", "\xad", "*", "user:pass@", "//evil.test", "\\evil.test", "%"]  # fmt: skip
SCHEMES = [
    "https://",
    "http://",
    "HTTPS://",
    "https:",
    "https:/",
    "https:///",
    "http:\\\\",
    "",
    "//",
    "ftp://",
    " https://",
]

TEXTS = st.one_of(
    st.builds(
        lambda scheme, parts: scheme + "".join(parts),
        st.sampled_from(SCHEMES),
        st.lists(st.one_of(st.sampled_from(HOSTS), st.sampled_from(JOINTS), st.text(max_size=3)), max_size=7),
    ),
    st.text(max_size=40),
)
RULES = ["https://api.example.com/v1/", "http://127.0.0.1", "http://[::1]/", "https://example.com/v1", "http://localhost/",
         "https://xn--bcher-kva.test/", "http://api.example.com:8443/"]  # fmt: skip


def whatwg_authority(text: str) -> tuple[str, str, int | None]:
    """Scheme, host and port as a browser reads them: it mends what it can."""
    text = re.sub(r"[\t\n\r]", "", text.strip("".join(map(chr, range(33)))))
    scheme, _, rest = text.partition(":")
    rest = rest.lstrip("/\\")
    authority = re.split(r"[/\\?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    host, port = authority, ""
    found = re.fullmatch(r"(.*?)(?::(\d*))?", authority)
    if found:
        host, port = found[1], found[2] or ""
    host = urllib.parse.unquote(host).lower()
    if host.startswith("["):
        return scheme.lower(), f"[{ipaddress.ip_address(host.strip('[]'))}]", int(port) if port else None
    parts = host.removesuffix(".").split(".")
    if re.fullmatch(r"0x[0-9a-f]*|\d+", parts[-1]):
        numbers = [
            int(p[2:] or "0", 16) if p[:2] == "0x" else int(p, 8 if p != "0" and p[0] == "0" else 10) for p in parts
        ]
        value = sum(n << 8 * (3 - i) for i, n in enumerate(numbers[:-1])) + numbers[-1]
        host = str(ipaddress.IPv4Address(value))
    return scheme.lower(), host.encode("idna").decode(), int(port) if port else None


def urllib_authority(text: str) -> tuple[str, str | None, int | None]:
    parts = urllib.parse.urlsplit(text)
    return parts.scheme, parts.hostname, parts.port


def urllib3_authority(text: str) -> tuple[str | None, str | None, int | None]:
    parts = urllib3.util.parse_url(text)
    return parts.scheme, parts.host, parts.port


def assert_one_reading(rule: str, text: str) -> None:
    """Whoever reads an accepted URL, as given or as sent, sees the rule's authority."""
    allowed = UrlAllowlist([rule])
    if not allowed.allows(text):
        return
    wanted = parse_rule(rule)
    standard = {"http": 80, "https": 443}[wanted.scheme]
    for spelling in (text, allowed.check(text)):
        for read in (whatwg_authority, urllib_authority, urllib3_authority):
            scheme, host, port = read(spelling)
            assert (scheme, port or standard) == (wanted.scheme, wanted.port), (read, spelling)
            assert host is not None
            host = host.strip("[]")
            if ":" in host:
                host = ipaddress.IPv6Address(host).compressed
            assert host == wanted.host.strip("[]"), (read, spelling)


@given(st.sampled_from(RULES), TEXTS)
def test_no_accepted_url_is_read_differently_by_another_parser(rule: str, text: str) -> None:
    assert_one_reading(rule, text)


@given(st.sampled_from(RULES), st.lists(st.sampled_from(JOINTS), max_size=3), st.integers(0, 40))
def test_no_accepted_url_near_a_rule_is_read_differently(rule: str, joints: list[str], at: int) -> None:
    assert_one_reading(rule, rule[:at] + "".join(joints) + rule[at:])


# Mutations against an oracle

PLAIN = re.compile(
    r"(https?)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([1-9]\d*))?(/[^?]*)?(?:\?(.*))?", re.IGNORECASE | re.DOTALL
)


def oracle(rule: str, text: str) -> bool:
    """Much simpler: a URL of plain characters only, whose parts equal the rule's."""
    mine, its = PLAIN.fullmatch(rule), PLAIN.fullmatch(text)
    if its is None or mine is None or re.search(r"[^!-~]|[\\<>\"{}|^`#]", text):
        return False

    def origin(m: re.Match[str]) -> tuple[str, str, str]:
        scheme, host = m[1].lower(), m[2].lower()
        if host[0] == "[":
            try:
                host = ipaddress.IPv6Address(host[1:-1]).exploded
            except ValueError:
                host = "bad" + text
        return scheme, host, m[3] or {"http": "80", "https": "443"}[scheme]

    if origin(mine) != origin(its):
        return False
    path = its[4] or "/"
    decoded = path
    for _ in range(9):
        decoded = urllib.parse.unquote(decoded, "latin-1")
    if decoded.count("/") != path.count("/") or re.search(r"[\x00-\x1f\x7f\\]", decoded) or path.startswith("//"):
        return False
    if any(segment.split(";")[0] in (".", "..") for segment in decoded.split("/")):
        return False
    prefix = mine[4] or "/"
    return path == prefix or path.startswith(prefix.rstrip("/") + "/")


BASES = ["https://api.example.com/v1/", "https://api.example.com/v1", "http://127.0.0.1:8080/", "https://example.com",
         "http://[::1]/x/", "https://a.b.c.test/p/q/"]  # fmt: skip
PIECES = [
    *JOINTS,
    *HOSTS,
    "items?x=1",
    "a/b",
    "%2e%2e",
    "%252e%252e%252f",
    "..%2f",
    "\x00",
    "\x7f",
    "::1",
    "evil",
    "-",
    "_",
    "~",
    "'",
]


def mutate(chance: random.Random, rule: str) -> str:
    text = rule + chance.choice(["", "items", "items?x=1", "/", "a/b/c"])
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(6)
        if kind <= 1:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + chance.randrange(1, 4) :]
        elif kind == 3:
            text = text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]
        elif kind == 4:
            text = text[:at] + "".join(f"%{ord(c) & 0xFF:02x}" for c in text[at : at + 1]) + text[at + 1 :]
        else:
            text = (
                text[:at]
                + chr(
                    chance.choice(
                        [chance.randrange(0x20), chance.randrange(0x20, 0x7F), chance.randrange(0x80, 0x3000)]
                    )
                )
                + text[at:]
            )
    return text


def test_no_mutation_of_a_valid_url_is_falsely_allowed() -> None:
    """CHIBI_BRIDGE_URL_MUTATIONS=1000000 by hand; ten thousand otherwise."""
    count = int(os.environ.get("CHIBI_BRIDGE_URL_MUTATIONS", "10000"))
    chance = random.Random(20240817)
    allowlists = [(base, UrlAllowlist([base])) for base in BASES]
    allowed = 0
    for _ in range(count):
        rule, rules = chance.choice(allowlists)
        text = mutate(chance, rule)
        if rules.allows(text):
            allowed += 1
            assert oracle(rule, text), (rule, text)
    assert allowed > count // 5, "the mutations hardly ever stay valid: the test says little"
