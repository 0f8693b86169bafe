"""trading212.scm end to end: config, grants, prompt, HTTP against a server on loopback, result."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from chibi_bridge import Config, PermissionDenied, PermissionRequest, SchemeError, ToolRegistry
from tests.http.conftest import Certificates

FILE = "trading212.scm"
PATH = f"/tools/shared/{FILE}"


class Server(ThreadingHTTPServer):
    """A fake Trading 212 that remembers what it was asked."""

    seen: list[tuple[str, str, str, str | None]]

    def __init__(self, certificates: Certificates | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen = []
        self.ca_file = None if certificates is None else certificates.file
        self.scheme = "http" if certificates is None else "https"
        if certificates is not None:
            self.socket = certificates.context("127.0.0.1").wrap_socket(self.socket, server_side=True)


class Handler(BaseHTTPRequestHandler):
    server: Server

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        self.server.seen.append((self.command, self.path, body, self.headers.get("Authorization")))
        status, document = self.made(body)
        data = json.dumps(document).encode() if document is not None else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def made(self, body: str) -> tuple[int, object]:
        path = self.path.removeprefix("/api/v0/equity")
        if path == "/account/cash":
            return 200, {"free": 100.5, "total": 1000, "invested": 899.5}
        if path == "/portfolio":
            return 200, [{"ticker": "AAPL_US_EQ", "quantity": 3}]
        if path == "/metadata/instruments":
            names = [("AAPL_US_EQ", "Apple"), ("MSFT_US_EQ", "Microsoft"), ("APLE_US_EQ", "Apple Hospitality")]
            return 200, [{"ticker": ticker, "name": name} for ticker, name in names]
        if path.startswith("/orders/") and self.command == "POST":
            return 200, {"id": 7, "status": "NEW", **json.loads(body)}
        if path == "/orders/7":
            return 200, None
        if path.startswith("/history/orders"):
            return 200, {"items": [{"id": 7}], "nextPagePath": None}
        return 404, {"code": "not found"}

    do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names are those of http.server

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(params=["plain", "TLS"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """The fake server, plain and with a certificate of an authority that the configuration names."""
    made = Server(Certificates(tmp_path) if request.param == "TLS" else None)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join(5)


@pytest.fixture
def asked() -> list[PermissionRequest]:
    return []


@pytest.fixture
def t212(
    server: Server, asked: list[PermissionRequest], examples: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., ToolRegistry]]:
    made: list[ToolRegistry] = []

    def maker(answer: bool = True, **env: str) -> ToolRegistry:
        url = f"{server.scheme}://127.0.0.1:{server.server_port}/api/v0"
        trusted = "" if server.ca_file is None else f'[tools.http]\nca_file = "{server.ca_file}"\n'
        for name, value in {"T212_KEY": "key", "T212_SECRET": "s3cret", "T212_ENV": url, **env}.items():
            monkeypatch.setenv(name, value)
        names = json.dumps([f"T212_{name}" for name in ("KEY", "SECRET", "ENV", "ALLOW", "DENY", "DEFAULT")])
        config = Config.from_toml(
            f'{trusted}[tools.env]\n"{PATH}" = {names}\n'
            f'[tools.http.allow]\n"{PATH}" = [{{url = "{url}/", allow_private = true}}]\n'
        )

        def ask(request: PermissionRequest) -> bool:
            asked.append(request)
            return answer

        registry = ToolRegistry(config=config, permission=ask)
        registry.scan(examples / FILE)
        assert registry.problems == []
        made.append(registry)
        return registry

    yield maker
    for registry in made:
        registry.close()


ORDER = {"side": "buy", "quantity": 10, "ticker": "AAPL_US_EQ"}


def test_a_market_order_is_asked_for_sent_and_answered(
    t212: Callable[..., ToolRegistry], server: Server, asked: list[PermissionRequest]
) -> None:
    result = t212().call("t212_place_market_order", ORDER)
    assert result.error is None
    assert result.json == {"id": 7, "status": "NEW", "ticker": "AAPL_US_EQ", "quantity": 10}
    assert asked[0].prompt == "[t212_place_market_order] market buy 10x AAPL_US_EQ [Y/n] "
    assert "s3cret" not in repr(asked) + repr(result)
    ((method, path, body, authorization),) = server.seen
    assert (method, path) == ("POST", "/api/v0/equity/orders/market")
    assert json.loads(body) == {"ticker": "AAPL_US_EQ", "quantity": 10}
    assert authorization == "Basic " + base64.b64encode(b"key:s3cret").decode()


def test_a_refusal_sends_nothing(t212: Callable[..., ToolRegistry], server: Server) -> None:
    assert isinstance(t212(answer=False).call("t212_place_market_order", ORDER).error, PermissionDenied)
    assert server.seen == []


def test_selling_counts_below_zero(t212: Callable[..., ToolRegistry], server: Server) -> None:
    args = {**ORDER, "side": "sell", "limit_price": 190.5}
    assert t212().call("t212_place_limit_order", args).error is None
    assert json.loads(server.seen[0][2]) == {
        "ticker": "AAPL_US_EQ", "quantity": -10, "limitPrice": 190.5, "timeValidity": "DAY",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("env", "allowed"),
    [
        ({}, True),
        ({"T212_DENY": "MSFT*, AAPL_US_EQ"}, False),
        ({"T212_ALLOW": "MSFT*"}, False),
        ({"T212_ALLOW": "AAPL*"}, True),
        ({"T212_ALLOW": "MSFT*", "T212_DEFAULT": "allow"}, True),
        ({"T212_DEFAULT": "deny"}, False),
        ({"T212_ALLOW": "AAPL*", "T212_DENY": "AAPL_US_EQ"}, False),
    ],
)
def test_tickers_follow_the_rules(
    t212: Callable[..., ToolRegistry], server: Server, env: dict[str, str], allowed: bool
) -> None:
    result = t212(**env).call("t212_place_market_order", ORDER)
    assert (result.error is None) is allowed
    assert len(server.seen) == allowed


def test_the_other_tools(t212: Callable[..., ToolRegistry], server: Server) -> None:
    registry = t212()
    assert registry.call("t212_account_cash").json == {"free": 100.5, "total": 1000, "invested": 899.5}
    assert registry.call("t212_positions").json == [{"ticker": "AAPL_US_EQ", "quantity": 3}]
    found = registry.call("t212_search_instruments", {"text": "apple", "limit": 1}).json
    assert found == [{"ticker": "AAPL_US_EQ", "name": "Apple"}]
    assert registry.call("t212_cancel_order", {"id": 7}).text == "cancelled order 7"
    assert registry.call("t212_order_history", {"ticker": "AAPL_US_EQ"}).json == {
        "items": [{"id": 7}], "nextPagePath": None,
    }  # fmt: skip
    assert server.seen[-1][1] == "/api/v0/equity/history/orders?limit=20&ticker=AAPL_US_EQ"
    error = registry.call("t212_positions", {"ticker": "NONE"}).error
    assert isinstance(error, SchemeError)
    assert "answered 404" in str(error)
