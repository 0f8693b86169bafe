"""B01 to B19: what a broker has to withstand, against servers on loopback."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable

import pytest

from chibi_bridge import (
    Context,
    HttpBlocked,
    HttpNetwork,
    HttpRequest,
    HttpResponse,
    HttpRule,
    Limits,
    Policy,
    SchemeError,
)
from chibi_bridge.host.http_message import Grant
from chibi_bridge.host.http_network import system_resolver

Serve = Callable[..., object]


@pytest.fixture
def ask(make_context):
    """Sends one request under rules: ask(rules, url, ...) answers (status, headers, body)."""

    def send(rules, url, *, method="GET", headers=(), body=None, transport=None, timeout=10, limits=None):
        policy = Policy(http_allow=tuple(rules), limits=limits or Limits())
        context = make_context(policy, transport=transport)
        context.import_("(tein http)")
        context.define("headers", dict(headers))
        context.define("url", url)
        context.define("method", method)
        context.define("body", False if body is None else body)
        context.define("timeout", timeout)
        status, fields, text = context.eval("(map cdr (http-request method url headers body timeout))")
        return status, [(pair.car, pair.cdr) for pair in fields], text

    return send


@pytest.fixture
def fake():
    """A network whose names are as told; says which addresses were connected to."""
    made = []

    def make(names, to=None):
        class Fake(HttpNetwork):
            def _open(self, address, port, wait):
                self.opened.append((address, port))
                return super()._open("127.0.0.1" if to is not None else address, to or port, wait)

        def resolver(host, port):
            network.asked.append(host)
            found = names[host]
            return found(len(network.asked)) if callable(found) else found

        network = Fake(resolver=resolver)
        network.asked, network.opened = [], []
        made.append(network)
        return network

    yield make
    for network in made:
        network.close()


def refused(ask, *args, **options) -> str:
    with pytest.raises(HttpBlocked) as caught:
        ask(*args, **options)
    assert caught.value.kind == "blocked"
    assert caught.value.message.startswith("http request blocked")
    return caught.value.message


def failed(kind, ask, *args, **options) -> str:
    with pytest.raises(SchemeError) as caught:
        ask(*args, **options)
    assert caught.value.kind == kind, caught.value
    assert not isinstance(caught.value, HttpBlocked)
    return caught.value.message


def test_http_b01_a_redirect_to_another_host_is_not_followed(serve, respond, ask):
    other = serve(respond(200, b"secret"))
    server = serve(respond(302, b"", Location=other.url))
    assert ask([server.url], server.url)[0] == 302
    message = refused(ask, [HttpRule(server.url, redirects=3)], server.url)
    assert other.url in message
    assert other.asked == []


def redirecting(serve, respond, steps):
    """A server that answers paths with their next one, and others with 200."""

    def talk(connection, asked):
        target = steps.get(asked.target)
        connection.sendall(respond(200, b"here") if target is None else respond(302, b"", Location=target))

    return serve(talk)


def test_http_b02_a_redirect_inside_the_rule_is_followed_where_redirects_are_on(serve, respond, ask):
    server = redirecting(serve, respond, {"/v1/a": "/v1/b", "/v1/c": "d?x=1", "/v1/e": "?y"})
    rule = HttpRule(f"{server.url}v1/", redirects=1)
    assert ask([rule], f"{server.url}v1/a")[2] == "here"
    assert ask([rule], f"{server.url}v1/c")[2] == "here"
    assert ask([rule], f"{server.url}v1/e")[2] == "here"
    assert [item.target for item in server.asked] == ["/v1/a", "/v1/b", "/v1/c", "/v1/d?x=1", "/v1/e", "/v1/e?y"]


def test_http_b03_a_redirect_outside_the_rules_path_is_refused(serve, respond, ask):
    server = redirecting(serve, respond, {"/v1/a": "/admin"})
    assert "/admin" in refused(ask, [HttpRule(f"{server.url}v1/", redirects=3)], f"{server.url}v1/a")
    assert [item.target for item in server.asked] == ["/v1/a"]


def test_http_b04_a_redirect_from_https_to_http_is_refused(serve, respond, ask, certificates):
    plain = serve(respond(200, b"plain"))
    server = serve(respond(302, b"", Location=plain.url), certificates.context("127.0.0.1"))
    rules = [HttpRule(server.url, redirects=3), HttpRule(plain.url, redirects=3)]
    with HttpNetwork(ca_file=certificates.file) as network:
        assert "leaves https" in refused(ask, rules, server.url, transport=network)
    assert plain.asked == []


def test_http_b05_a_redirect_to_the_metadata_service_is_refused(serve, respond, ask):
    server = serve(respond(302, b"", Location="http://169.254.169.254/latest/meta-data/"))
    assert "169.254.169.254" in refused(ask, [HttpRule(server.url, redirects=3)], server.url)


def test_http_b06_each_of_several_redirects_is_judged(serve, respond, ask):
    other = serve(respond(200, b"secret"))
    server = redirecting(serve, respond, {"/a": "/b", "/b": other.url})
    assert other.url in refused(ask, [HttpRule(server.url, redirects=5)], f"{server.url}a")
    assert other.asked == []


def test_http_b06_redirects_without_an_end_stop_at_the_rules_number(serve, respond, ask):
    server = serve(respond(302, b"", Location="/again"))
    assert "more than 4 redirects" in refused(ask, [HttpRule(server.url, redirects=4)], server.url)
    assert len(server.asked) == 5


def test_http_b07_a_body_never_goes_to_another_origin(serve, respond, ask):
    other = serve(respond(200, b"got it"))
    server = serve(respond(307, b"", Location=other.url))
    rules = [HttpRule(server.url, redirects=3), HttpRule(other.url)]
    refused(ask, rules, server.url, method="POST", headers={"X-API-Key": "k"}, body="data")
    assert other.asked == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_http_b07_headers_of_the_program_never_go_to_another_origin(serve, respond, ask, status, monkeypatch):
    monkeypatch.setenv("KEY", "hidden")
    other = serve(respond(200, b"got it"))
    server = serve(respond(status, b"", Location=other.url))
    rules = [HttpRule(server.url, redirects=3, secrets={"Authorization": "KEY"}), HttpRule(other.url)]
    headers = {"X-API-Key": "k", "Authorization": "Bearer {{env:KEY}}", "Cookie": "a=b"}
    assert ask(rules, server.url, headers=headers)[2] == "got it"
    assert server.asked[0].headers["authorization"] == "Bearer hidden"
    assert set(other.asked[0].headers) == {"host", "user-agent", "accept", "accept-encoding"}


@pytest.mark.parametrize(
    "target",
    ["//evil.test/", "/\\evil.test", "\\\\evil.test\\", "../admin", "a/../../admin", "http:/\\evil.test/", "/v1/%2e%2e/x",
     "http://127.0.0.1@evil.test/", "/v1/\tx", "http:evil", "javascript:alert(1)", "file:///etc/passwd", "///evil.test/"],
)  # fmt: skip
def test_http_b08_a_redirects_target_goes_through_the_same_parser(serve, respond, ask, target):
    server = serve(respond(302, b"", Location=target))
    refused(ask, [HttpRule(f"{server.url}v1/", redirects=3)], f"{server.url}v1/a")
    assert len(server.asked) == 1


def test_http_b09_a_name_that_changes_its_address_is_asked_once(serve, respond, ask, fake):
    server = serve(respond(200, b"public"))
    network = fake({"api.test": lambda time: ["93.184.216.34"] if time == 1 else ["127.0.0.1"]}, to=server.port)
    assert ask(["http://api.test/"], "http://api.test/", transport=network)[2] == "public"
    assert network.asked == ["api.test"]
    assert network.opened == [("93.184.216.34", 80)]
    assert server.asked[0].headers["host"] == "api.test"


def test_http_b10_one_bad_address_of_a_name_is_enough(ask, fake):
    network = fake({"api.test": ["93.184.216.34", "::1"]})
    assert "::1" in refused(ask, ["http://api.test/"], "http://api.test/", transport=network)
    assert network.opened == []


BAD = """
    0.0.0.0 0.1.2.3 127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.1.1 169.254.169.254
    100.64.0.1 100.100.100.200 224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 168.63.129.16 198.18.0.1
    :: ::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::1 fd00::1 fc00::1
    fe80::1 fe80::1%eth0 fec0::1 ff02::1 2002:7f00:1:: 2002:a00:1::1 2001:0:1:2:3:4:5:6 ::7f00:1 ::10.0.0.1
    2400::5efe:a00:1 4000::1 fd00:ec2::254 nonsense
""".split()


@pytest.mark.parametrize("address", BAD)
def test_http_b11_a_name_that_leads_inside_is_refused(ask, fake, address):
    network = fake({"api.test": [address]})
    assert address in refused(ask, ["http://api.test/"], "http://api.test/", transport=network)
    assert network.opened == []


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "169.254.169.254", "224.0.0.1", "fe80::1", "::", "::ffff:169.254.169.254"]
)
def test_http_b11_allow_private_opens_no_metadata_link_local_or_multicast(ask, fake, address):
    network = fake({"api.test": [address]})
    refused(ask, [HttpRule("http://api.test/", allow_private=True)], "http://api.test/", transport=network)
    assert network.opened == []


def test_http_b11_allow_private_opens_private_addresses(serve, respond, ask, fake):
    server = serve(respond(200, b"inside"))
    url = f"http://api.test:{server.port}/"
    network = fake({"api.test": ["127.0.0.1"]})
    assert ask([HttpRule(url, allow_private=True)], url, transport=network)[2] == "inside"
    refused(ask, [url], url, transport=network)


def test_http_b12_loopback_names_are_refused_whatever_dns_says(ask, fake):
    network = fake({"db.localhost": ["93.184.216.34"], "localhost": ["93.184.216.34"]})
    refused(ask, ["http://db.localhost/"], "http://db.localhost/", transport=network)
    refused(ask, ["http://localhost/"], "http://localhost./", transport=network)
    refused(ask, ["http://localhost/"], "http://localhost/", transport=network)
    refused(ask, ["http://93.184.216.34/"], "http://localhost/", transport=network)
    assert network.opened == []


def test_http_b12_a_rule_that_names_localhost_grants_it(serve, respond, ask):
    server = serve(respond(200, b"local"))
    assert "127.0.0.1" in system_resolver("localhost", server.port)
    url = f"http://localhost:{server.port}/"
    assert ask([url], url)[2] == "local"


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X-A": "a\r\nX-B: b"}},
        {"headers": {"X-A": "a\nb"}},
        {"headers": {"X-A": "a\0b"}},
        {"headers": {"X-A": "\u0150"}},
        {"headers": {"X A": "b"}},
        {"headers": {"X-A\r\nX-B": "b"}},
        {"headers": {"": "b"}},
        {"headers": {"X-A:": "b"}},
        {"method": "GET /x HTTP/1.1\r\nA: b"},
        {"method": "get"},
        {"method": "CONNECT"},
        {"method": ""},
    ],
)
def test_http_b13_what_would_split_a_request_is_an_error_before_a_byte_is_sent(serve, respond, ask, options):
    server = serve(respond(200, b""))
    failed("protocol", ask, [server.url], server.url, **options)
    assert server.accepted == 0


@pytest.mark.parametrize(
    "name",
    ["Host", "HOST", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Proxy-Connection",
     "Upgrade", "TE", "Trailer", "Expect", "Keep-Alive"],
)  # fmt: skip
def test_http_b14_a_header_of_the_broker_cannot_be_set(serve, respond, ask, name):
    server = serve(respond(200, b""))
    assert "belongs to the broker" in failed("protocol", ask, [server.url], server.url, headers={name: "internal"})
    assert server.accepted == 0


def test_http_b15_an_endless_body_is_cut_at_the_cap(serve, ask):
    def talk(connection, asked):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    server = serve(talk)
    assert "100000 bytes" in failed("too-large", ask, [HttpRule(server.url, max_body=100_000)], server.url)


def dripping(head: bytes):
    def talk(connection, asked):
        connection.sendall(head)
        while True:
            connection.sendall(b"x")
            time.sleep(0.05)

    return talk


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nX-A: ", b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"])
def test_http_b15_a_slow_drip_ends_at_the_deadline(serve, ask, head):
    server = serve(dripping(head))
    start = time.monotonic()
    failed("timeout", ask, [server.url], server.url, timeout=0.4)
    assert 0.3 < time.monotonic() - start < 3


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_http_b15_a_bomb_is_cut_after_unpacking(serve, ask, respond, encoding):
    import zlib

    packed = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
    data = b"".join(packed.compress(bytes(1 << 20)) for _ in range(200)) + packed.flush()
    server = serve(respond(200, data, Content_Encoding=encoding))
    start = time.monotonic()
    failed("too-large", ask, [HttpRule(server.url, max_body=1 << 20)], server.url)
    assert time.monotonic() - start < 2


def test_http_b15_ten_thousand_empty_gzip_members_cost_no_more_than_their_bytes(serve, ask, respond):
    member = gzip.compress(b"")
    server = serve(respond(200, member * (4_000_000 // len(member)), Content_Encoding="gzip"))
    start = time.monotonic()
    assert ask([server.url], server.url, timeout=30)[2] == ""
    assert time.monotonic() - start < 10


def test_http_b15_unpacking_ends_at_the_deadline(serve, ask, respond):
    member = gzip.compress(b"")
    server = serve(respond(200, member * (9_000_000 // len(member)), Content_Encoding="gzip"))
    start = time.monotonic()
    failed("timeout", ask, [server.url], server.url, timeout=0.15)
    assert time.monotonic() - start < 2


def test_http_b15_ten_thousand_headers_are_cut(serve, ask):
    head = b"".join(b"X-%d: y\r\n" % n for n in range(10_000))
    server = serve(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
    failed("too-large", ask, [server.url], server.url)


@pytest.mark.parametrize(
    "head",
    [b"HTTP/1.1 200 " + b"x" * 200_000, b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000, b"HTTP/1.1 100 Continue\r\n\r\n" * 9_000,
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 30_000_000],
    ids=["status line", "header line", "interim responses", "chunk size"],
)  # fmt: skip
def test_http_b15_long_lines_and_endless_preludes_are_cut(serve, ask, head):
    server = serve(head)
    failed("too-large", ask, [server.url], server.url)


def test_http_b16_proxies_of_the_environment_are_not_used(serve, respond, ask, monkeypatch):
    proxy, server = serve(respond(200, b"proxy")), serve(respond(200, b"direct"))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)
    assert ask([server.url], server.url)[2] == "direct"
    assert proxy.accepted == 0


def test_http_b16_netrc_is_not_used(serve, respond, ask, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    server = serve(respond(200, b""))
    ask([server.url], server.url)
    assert "authorization" not in server.asked[0].headers


def test_http_b17_a_secret_is_on_the_wire_and_nowhere_else(serve, respond, ask, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "s3cr3t/+&x")

    def talk(connection, asked):
        echo = f"{asked.target} {asked.headers['x-key']}"
        connection.sendall(respond(200, echo.encode(), X_Echo=echo))

    server = serve(talk)
    rule = HttpRule(server.url, secrets=("API_TOKEN",))
    url = server.url + "q?token={{env:API_TOKEN}}&n=1"
    _, headers, body = ask([rule], url, headers={"X-Key": "Bearer {{env:API_TOKEN}}"})
    assert server.asked[0].target == "/q?token=s3cr3t%2F%2B%26x&n=1"
    assert server.asked[0].headers["x-key"] == "Bearer s3cr3t/+&x"
    assert body == "/q?token={{env:API_TOKEN}}&n=1 Bearer {{env:API_TOKEN}}"
    assert dict(headers)["x-echo"] == body
    message = refused(ask, [rule], "http://other.test/?t={{env:API_TOKEN}}")
    assert "s3cr3t" not in message


def test_http_b17_a_secret_that_the_rule_does_not_grant_is_refused(serve, respond, ask, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "s3cr3t")
    server = serve(respond(200, b""))
    for rule in (server.url, HttpRule(server.url, secrets=("OTHER",))):
        assert "API_TOKEN" in refused(ask, [rule], server.url, headers={"X-Key": "{{env:API_TOKEN}}"})
    monkeypatch.delenv("API_TOKEN")
    refused(ask, [HttpRule(server.url, secrets=("API_TOKEN",))], server.url, headers={"X": "{{env:API_TOKEN}}"})
    refused(ask, [HttpRule(server.url, secrets=("API_TOKEN",))], server.url + "{{env:API_TOKEN}}")
    assert server.accepted == 0


def test_http_b17_a_secret_stays_in_the_header_it_is_for(serve, respond, ask, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "s3cr3t")
    server = serve(respond(200, b""))
    rule = HttpRule(server.url, secrets={"X-Key": "API_TOKEN"})
    ask([rule], server.url, headers={"x-key": "{{env:API_TOKEN}}"})
    assert server.asked[0].headers["x-key"] == "s3cr3t"
    assert "X-Key" in refused(ask, [rule], server.url, headers={"X-Other": "{{env:API_TOKEN}}"})
    assert len(server.asked) == 1


def test_http_b17_a_secret_cannot_split_the_request(serve, respond, ask, monkeypatch):
    monkeypatch.setenv("K", "a\r\nX-B: b")
    server = serve(respond(200, b""))
    rule = HttpRule(server.url, secrets=("K",))
    failed("protocol", ask, [rule], server.url, headers={"X-Key": "{{env:K}}"})
    assert server.accepted == 0


@pytest.mark.parametrize(
    "host", ["xn--", "xn--a", "xn--99999999999", "xn--\x80", "a.xn--0.test", "xn--zzzzzzzzzzzzzzzzzz99"]
)
def test_http_b18_malformed_punycode_is_refused(ask, fake, host):
    network = fake({})
    refused(ask, ["http://api.test/"], f"http://{host}/", transport=network)
    with pytest.raises(ValueError, match="bad URL rule"):
        HttpRule(f"http://{host}/")
    assert network.asked == []


def alternate(first: Context, second: Context, own: str, other: str, problems: list[str]) -> None:
    for _ in range(20):
        for context, good, bad in ((first, own, other), (second, other, own)):
            if context.call("http-get", good, [])[0].cdr != 200:
                problems.append("an own request failed")
            try:
                context.call("http-get", bad, [])
                problems.append("a rule leaked")
            except HttpBlocked:
                pass


def test_http_b19_rules_do_not_leak_between_contexts(serve, respond, make_context):
    one, two = serve(respond(200, b"1")), serve(respond(200, b"2"))
    problems: list[str] = []

    def pair() -> tuple[Context, Context]:
        made = [make_context(Policy(http_allow=(server.url,))) for server in (one, two)]
        for context in made:
            context.import_("(tein http)")
        return made[0], made[1]

    alternate(*pair(), one.url, two.url, problems)
    threads = [threading.Thread(target=alternate, args=(*pair(), one.url, two.url, problems)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert problems == []


def test_a_gzip_body_is_unpacked(serve, respond, ask):
    server = serve(respond(200, gzip.compress(b"hello ") + gzip.compress(b"twice"), Content_Encoding="gzip"))
    assert ask([server.url], server.url)[2] == "hello twice"


def test_a_cut_gzip_body_is_an_error(serve, respond, ask):
    server = serve(respond(200, gzip.compress(b"hello" * 1000)[:-9], Content_Encoding="gzip"))
    failed("protocol", ask, [server.url], server.url)


@pytest.mark.parametrize(
    "response",
    [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", b"HTTP/1.1 200 OK\r\nX", b"garbage\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", b"HTTP/1.1 abc OK\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab", b"HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nabcde"],
)  # fmt: skip
def test_a_response_that_breaks_off_is_an_error(serve, ask, response):
    def talk(connection, asked):
        connection.sendall(response)
        connection.shutdown(socket.SHUT_RDWR)

    server = serve(talk)
    failed("protocol", ask, [server.url], server.url)


@pytest.mark.parametrize("value", ["-5", "+5", "0x5", "5_0", "5 5", "", "\u0665", "9" * 40, "5,"])
def test_a_malformed_length_is_an_error(serve, ask, value):
    def talk(connection, asked):
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {value}\r\n\r\nhello".encode())
        connection.shutdown(socket.SHUT_RDWR)

    server = serve(talk)
    failed("protocol", ask, [server.url], server.url)


@pytest.mark.parametrize("head", [b"X: a\0b", b"X: a\x1b[31m", b"X : a", b": a", b"nothing", b" lead: x", b"X\0: a"])
def test_malformed_headers_of_a_response_are_an_error(serve, ask, head):
    server = serve(b"HTTP/1.1 200 OK\r\n" + head + b"\r\nContent-Length: 2\r\n\r\nhi")
    failed("protocol", ask, [server.url], server.url)


def test_interim_responses_are_passed_over(serve, ask, respond):
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    server = serve(b"HTTP/1.1 100 Continue\r\n\r\n" + hints + hints + respond(200, b"at last"))
    assert ask([server.url], server.url)[::2] == (200, "at last")
    server = serve(hints * 4_000)
    failed("too-large", ask, [server.url], server.url)


def test_a_switch_of_protocols_is_an_error(serve, ask):
    server = serve(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw")
    failed("protocol", ask, [server.url], server.url)


def test_a_body_framed_twice_ends_its_connection(serve, ask):
    both = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    server = serve(both)
    with HttpNetwork() as network:
        assert [ask([server.url], server.url, transport=network)[2] for _ in range(2)] == ["hello", "hello"]
    assert server.accepted == 2


def test_an_address_that_says_nothing_leaves_time_for_the_next(serve, respond, fake, ask, monkeypatch):
    server = serve(respond(200, b"second"))
    monkeypatch.setattr("chibi_bridge.host.http_network.CONNECT_SECONDS", 0.2)
    network = fake({"api.test": ["192.0.2.1", "93.184.216.34"]})

    def open_(address, port, wait):
        if address == "192.0.2.1":
            while True:
                time.sleep(wait.slice())
        return HttpNetwork._open(network, "127.0.0.1", server.port, wait)

    network._open = open_
    assert ask(["http://api.test/"], "http://api.test/", transport=network, timeout=5)[2] == "second"


def test_http_1_0_without_a_length_is_read_to_the_end(serve, ask):
    def talk(connection, asked):
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold but good")
        connection.shutdown(socket.SHUT_RDWR)

    server = serve(talk)
    assert ask([server.url], server.url) == (200, [("content-type", "text/plain")], "old but good")


def test_a_refused_connection_is_no_violation(ask):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    assert failed("connect", ask, [url], url).startswith("http: cannot connect")


def test_a_name_without_addresses_is_a_dns_failure(ask, fake):
    def gone(time):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    network = fake({"gone.test": gone, "empty.test": []})
    failed("dns", ask, ["http://gone.test/"], "http://gone.test/", transport=network)
    failed("dns", ask, ["http://empty.test/"], "http://empty.test/", transport=network)


def test_a_slow_resolver_ends_at_the_deadline(ask, fake):
    release = threading.Event()

    def slow(time):
        release.wait(10)
        return ["93.184.216.34"]

    network = fake({"slow.test": slow})
    failed("timeout", ask, ["http://slow.test/"], "http://slow.test/", transport=network, timeout=0.3)
    release.set()


def test_tls_is_verified(serve, respond, ask, certificates):
    good = serve(respond(200, b"safe"), certificates.context("127.0.0.1"))
    wrong = serve(respond(200, b"unsafe"), certificates.context("other.test"))
    assert "certificate" in failed("tls", ask, [good.url], good.url)
    with HttpNetwork(ca_file=certificates.file) as network:
        assert ask([good.url], good.url, transport=network)[2] == "safe"
        failed("tls", ask, [wrong.url], wrong.url, transport=network)
    assert len(good.asked) == 1
    assert wrong.asked == []


def test_tls_trusts_the_systems_store(serve, respond, ask, certificates, monkeypatch):
    """The same request fails and succeeds by what the system trusts."""
    server = serve(respond(200, b"safe"), certificates.context("127.0.0.1"))
    failed("tls", ask, [server.url], server.url)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.file))
    assert ask([server.url], server.url)[2] == "safe"


def test_tls_keeps_the_name_for_sni_and_host(serve, respond, ask, certificates, fake):
    seen: list[object] = []
    context = certificates.context("api.test")
    context.sni_callback = lambda sock, name, _: seen.append(name)
    server = serve(respond(200, b"named"), context)
    network = fake({"api.test": ["93.184.216.34"]}, to=server.port)
    network._ca_file = certificates.file
    assert ask(["https://api.test/"], "https://api.test/", transport=network)[2] == "named"
    assert seen == ["api.test"]
    assert server.asked[0].headers["host"] == "api.test"


def test_a_plain_server_on_an_https_url_is_a_tls_failure(serve, respond, ask):
    server = serve(respond(200, b""))
    url = server.url.replace("http:", "https:")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def talk() -> None:
            connection, _ = listener.accept()
            connection.sendall(b"HTTP/1.1 400 Bad\r\n\r\n")
            connection.recv(1000)
            connection.close()

        thread = threading.Thread(target=talk)
        thread.start()
        url = f"https://127.0.0.1:{port}/"
        failed("tls", ask, [url], url)
        thread.join(5)


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_certificates_that_cannot_be_used_are_told(serve, respond, ask, tmp_path, text):
    url = serve(respond(200, b"")).url.replace("http:", "https:")
    file = tmp_path / "ca.pem"
    for _ in range(2):
        with HttpNetwork(ca_file=file) as network:
            assert str(file) in failed("tls", ask, [url], url, transport=network)
        file.write_text(text, encoding="utf-8")


def test_a_body_announced_too_large_is_not_read(serve, ask):
    server = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nfirst")
    start = time.monotonic()
    failed("too-large", ask, [server.url], server.url)
    assert time.monotonic() - start < 2


def test_an_answer_before_the_body_is_read_is_the_response(serve, ask, respond):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def talk() -> None:
            connection, _ = listener.accept()
            while b"\r\n\r\n" not in connection.recv(65536):
                pass
            connection.sendall(respond(413, b"too much", Connection="close"))
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 20):
                pass
            connection.close()

        thread = threading.Thread(target=talk)
        thread.start()
        url = f"http://127.0.0.1:{port}/"
        assert ask([url], url, method="POST", body="x" * 5_000_000)[0] == 413
        thread.join(5)


@pytest.mark.parametrize("method", ["HEAD", "GET"])
@pytest.mark.parametrize("status", [204, 304, 200])
def test_responses_without_a_body_end_at_once(serve, ask, method, status):
    head = f"HTTP/1.1 {status} X\r\nContent-Length: {0 if method == 'GET' else 10}\r\nContent-Encoding: gzip\r\n\r\n"
    server = serve(head.encode())
    start = time.monotonic()
    assert ask([server.url], server.url, method=method)[::2] == (status, "")
    assert time.monotonic() - start < 2


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_a_rule_that_names_an_ipv6_address_grants_it(ask, respond):
    try:
        listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 loopback here")
    got = []

    def talk() -> None:
        connection, _ = listener.accept()
        got.append(connection.recv(65536))
        connection.sendall(respond(200, b"six"))
        connection.close()

    with listener:
        thread = threading.Thread(target=talk)
        thread.start()
        port = listener.getsockname()[1]
        assert ask([f"http://[::1]:{port}/"], f"http://[0:0::1]:{port}/x")[2] == "six"
        thread.join(5)
    assert f"\r\nHost: [::1]:{port}\r\n".encode() in got[0]


def test_a_chunked_body_is_put_together(serve, ask):
    server = serve(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: x\r\n\r\n")
    assert [ask([server.url], server.url)[2] for _ in range(2)] == ["abcde", "abcde"]


def test_headers_go_out_as_given_once_each(serve, respond, ask):
    server = serve(respond(200, b""))
    ask([server.url], server.url, headers={"user-agent": "mine", "X-B": "2", "X-A": "1"})
    lines = server.asked[0].data.decode().split("\r\n")[1:]
    port = server.port
    assert lines == [
        "user-agent: mine",
        "X-B: 2",
        "X-A: 1",
        "Accept: */*",
        "Accept-Encoding: gzip",
        f"Host: 127.0.0.1:{port}",
    ]


def test_a_header_given_twice_goes_out_twice(serve, respond, make_context):
    server = serve(respond(200, b""))
    context = make_context(Policy(http_allow=(server.url,)))
    context.import_("(tein http)")
    context.eval(f'(http-get "{server.url}" \'(("X-A" . "1") ("X-A" . "2")))')
    assert b"\r\nX-A: 1\r\nX-A: 2\r\n" in server.asked[0].data


def test_exactly_the_checked_bytes_are_sent(serve, respond, ask):
    server = serve(respond(200, b""))
    target = "/v1/a%20b;c=1/~x/%C3%A9?q=%2F%2f&a=[1]&b=a+b"
    ask([server.url], server.url.removesuffix("/") + target)
    assert server.asked[0].target == target


@pytest.mark.parametrize("tail", ["?x=/a/b", "/?x=/a/b", ""])
def test_a_request_made_by_hand_is_sent_as_it_is_parsed(serve, respond, tail):
    server = serve(respond(200, b""))
    with HttpNetwork() as network:
        network(HttpRequest("GET", server.url.removesuffix("/") + tail, grant=Grant(None, allow_private=True)))
    assert server.asked[0].target == ("/" + tail.removeprefix("/") if tail else "/")


def test_a_transport_is_asked_after_the_rules_agreed(ask):
    asked = []

    def transport(request):
        asked.append(request)
        return HttpResponse(200, {"X": "y"}, b"made up")

    assert ask(["https://a.test/"], "https://A.test:443/x", transport=transport) == (200, [("x", "y")], "made up")
    refused(ask, ["https://a.test/"], "https://b.test/", transport=transport)
    assert [(item.method, item.url, item.body) for item in asked] == [("GET", "https://a.test/x", b"")]
    assert 0 < asked[0].timeout <= 10
