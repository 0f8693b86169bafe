"""The built-in tools: each behind the gate, each within its bounds."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chibi_bridge import (
    Allow,
    Config,
    HttpBlocked,
    HttpRequest,
    HttpResponse,
    PermissionRequest,
    RunTimeout,
    ToolRegistry,
)
from tests.http.conftest import Server, answer
from tests.tools.conftest import tool

Registry = Callable[..., ToolRegistry]


class Asked(list[PermissionRequest]):
    """Approves and remembers what was asked."""

    def __init__(self, reply: object = True) -> None:
        super().__init__()
        self.reply = reply

    def __call__(self, request: PermissionRequest) -> object:
        self.append(request)
        return self.reply


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def start(what: object) -> Server:
        made.append(Server(what if callable(what) else lambda connection, asked: connection.sendall(what)))
        return made[-1]

    yield start
    for server in made:
        server.close()


# -- fetch_url -----------------------------------------------------------------------------


def test_fetch_url_gives_the_page(registry_of: Registry, serve: Callable[..., Server]) -> None:
    server = serve(answer(200, "hé".encode()))
    ask = Asked()
    registry = registry_of({}, permission=ask)
    assert registry.call("fetch_url", {"url": server.url}).text == "hé"
    assert (ask[0].reason, ask[0].safety, ask[0].url) == ("loopback address", "sensitive", server.url)
    assert ask[0].prompt == f"[fetch_url] {server.url} [Y/n] "
    assert asyncio.run(registry.call_async("fetch_url", {"url": server.url})).text == "hé"


def test_fetch_url_of_a_public_page_asks_nobody_but_for_a_tool(registry_of: Registry) -> None:
    seen: list[HttpRequest] = []

    def transport(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse(200, (), b"page")

    call = '(call-tool "fetch_url" (list (cons "url" "https://example.com/?stolen")))'
    registry = registry_of(tool("x", call), transport=transport)
    assert registry.call("fetch_url", {"url": "https://example.com/a"}).text == "page"
    assert "Permission denied" in registry.call("x").text
    assert [request.url for request in seen] == ["https://example.com/a"]
    ask = Asked()
    registry.gate.ask = ask  # type: ignore[assignment]
    assert registry.call("x").text == "page"
    assert (ask[0].chain, ask[0].reason) == (("x", "fetch_url"), "asked for by the tool x")


def test_a_url_policy_decides_for_tools_too(registry_of: Registry) -> None:
    call = '(call-tool "fetch_url" (list (cons "url" "https://%s/")))'
    config = '[url_policy]\ndefault = "deny"\nallow = ["https://example.com/*"]'
    files = tool("x", call % "example.com") + tool("y", call % "evil.example")
    registry = registry_of(files, config=config, transport=lambda request: HttpResponse(200, (), b"page"))
    assert registry.call("x").text == "page"
    assert "denied by URL policy" in registry.call("y").text


def test_fetch_url_refuses_a_public_name_that_leads_inside(
    registry_of: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chibi_bridge.host.http_network.system_resolver", lambda host, port: ["10.0.0.1"])
    result = registry_of({}, permission=Asked()).call("fetch_url", {"url": "http://inside.example/"})
    assert isinstance(result.error, HttpBlocked)
    assert "private" in result.text


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("/b", "at /b"),
        ("https://b.example/c", "at /c"),
        ("http://a.example/", "leaves https"),
        ("https://127.0.0.1/", "loopback"),
        ("https://169.254.169.254/", "metadata"),
        ("https://user@b.example/", "user information"),
        ("/again", "more than 5 redirects"),
    ],
)
def test_fetch_url_judges_redirects(registry_of: Registry, target: str, text: str) -> None:
    seen: list[str] = []

    def transport(request: HttpRequest) -> HttpResponse:
        seen.append(request.url)
        path = "/" + request.url.partition("://")[2].partition("/")[2]
        if path in ("/a", "/again"):
            return HttpResponse(302, (("Location", target),), b"")
        return HttpResponse(200, (), f"at {path}".encode())

    registry = registry_of({}, transport=transport)
    assert text in registry.call("fetch_url", {"url": "https://a.example/a"}).text
    assert not [url for url in seen if "127" in url or "169" in url]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"max_bytes": 10}, "exceeds 10 bytes"),
        ({"max_bytes": -1}, "number of bytes"),
        ({"timeout_secs": 0.1}, "within 0.1 seconds"),
    ],
)
def test_fetch_url_keeps_its_bounds(
    registry_of: Registry, serve: Callable[..., Server], arguments: dict[str, object], text: str
) -> None:
    def talk(connection: object, asked: object) -> None:
        if "timeout_secs" in arguments:
            time.sleep(0.5)
        connection.sendall(answer(200, b"x" * 100))  # type: ignore[attr-defined]

    registry = registry_of({}, permission=Asked())
    start = time.monotonic()
    assert text in registry.call("fetch_url", {"url": serve(talk).url, **arguments}).text
    assert time.monotonic() - start < 5


def test_fetch_url_tells_a_status_that_is_no_page(registry_of: Registry, serve: Callable[..., Server]) -> None:
    registry = registry_of({}, permission=Asked())
    assert "status 404" in registry.call("fetch_url", {"url": serve(answer(404, b"none")).url}).text


# -- shell_exec ----------------------------------------------------------------------------


def shell(registry: ToolRegistry, command: str, **arguments: object) -> dict[str, object]:
    result = registry.call("shell_exec", {"command": command, **arguments})
    assert "\n" not in result.text
    made: dict[str, object] = json.loads(result.text)
    return made


def test_shell_exec(registry_of: Registry) -> None:
    registry = registry_of({}, permission=Asked())
    assert shell(registry, "echo out; echo err >&2; exit 3") == {
        "exit_code": 3,
        "stderr": "err\n",
        "stdout": "out\n",
        "timed_out": False,
    }
    assert shell(registry, "cat")["exit_code"] == 0


def test_shell_exec_keeps_its_bounds(registry_of: Registry, tmp_path: Path) -> None:
    registry = registry_of({}, permission=Asked())
    start = time.monotonic()
    endless = shell(registry, "yes", timeout_secs=0.5)
    assert (endless["timed_out"], len(str(endless["stdout"]))) == (True, 1 << 20)
    left = shell(registry, f"(sleep 2; touch {tmp_path}/left) & echo done")
    assert (left["stdout"], left["timed_out"]) == ("done\n", False)
    assert time.monotonic() - start < 10
    time.sleep(2.2)
    assert not (tmp_path / "left").exists()


@pytest.mark.parametrize("command", ["sleep 20", "exec >/dev/null 2>&1; sleep 20", "yes"])
@pytest.mark.parametrize("twin", ["sync", "async"])
def test_a_run_that_waits_for_a_command_ends_at_its_time(registry_of: Registry, command: str, twin: str) -> None:
    call = f'(guard (e (#t "caught")) (call-tool "shell_exec" (list (cons "command" "{command}"))))'
    registry = registry_of(
        tool("x", call), permission=Asked(), config='[tools.limits]\n"/tools/shared/x.scm" = {timeout = 0.4}'
    )
    start = time.monotonic()
    result = registry.call("x") if twin == "sync" else asyncio.run(registry.call_async("x"))
    assert isinstance(result.error, RunTimeout)
    assert time.monotonic() - start < 5


def test_a_run_that_waits_for_another_tool_ends_at_its_time(registry_of: Registry) -> None:
    files = {
        "x.scm": tool("x", '(guard (e (#t "caught")) (call-tool "y" (quote ())))'),
        "y.scm": tool("y", "(let loop () (loop))"),
    }
    config = '[tools.limits]\n"/tools/shared/x.scm" = {timeout = 0.3}\n"/tools/shared/y.scm" = {fuel = 1000000000000}'
    registry = registry_of(files, config=config)
    start = time.monotonic()
    assert isinstance(registry.call("x").error, RunTimeout)
    assert time.monotonic() - start < 5


def test_an_interrupt_ends_the_command_and_the_run(registry_of: Registry) -> None:
    import threading

    from chibi_bridge import Interrupted

    call = '(guard (e (#t "caught")) (call-tool "shell_exec" (list (cons "command" "sleep 20"))))'
    registry = registry_of(tool("x", call), permission=Asked(), config=Config())
    threading.Timer(0.3, lambda: registry["x"].session._context.interrupt()).start()  # type: ignore[attr-defined]
    start = time.monotonic()
    assert isinstance(registry.call("x").error, Interrupted)
    assert time.monotonic() - start < 5


# -- remembered answers ----------------------------------------------------------------------


def test_an_answer_for_a_call_by_hand_is_none_for_a_file_that_calls(registry_of: Registry) -> None:
    ask = Asked(Allow("tool"))
    call = '(call-tool "shell_exec" (list (cons "command" "true")))'
    registry = registry_of({"x.scm": tool("x", call), "y.scm": tool("y", call)}, permission=ask)
    for _ in range(2):
        shell(registry, "true")
    assert len(ask) == 1
    for _ in range(2):
        registry.call("x")
    assert len(ask) == 2
    registry.call("y")
    assert len(ask) == 3
    registry.vfs.write("/tools/shared/x.scm", tool("x", call) + "; changed")
    registry.call("x")
    assert len(ask) == 4
    assert ask[1].callers[0].startswith("/tools/shared/x.scm ")


# -- files -----------------------------------------------------------------------------------


def test_files_of_the_disk_are_gated(registry_of: Registry, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "f").write_text("secret")
    (tmp_path / "in").write_text("a\nb\nc\n")
    (tmp_path / "link").symlink_to(outside / "f")
    ask = Asked(False)
    registry = registry_of({}, permission=ask, project_root=tmp_path)
    assert registry.call("file_head", {"path": "in", "lines": 2}).text == "a\nb"
    assert ask == []
    for path in (str(outside / "f"), f"../{outside.name}/f", "link"):
        assert "Permission denied" in registry.call("file_head", {"path": path}).text
    assert [request.path for request in ask] == [os.path.realpath(outside / "f")] * 3
    assert "Permission denied" in registry.call("write_file", {"path": "in", "content": "x"}).text
    registry.gate.ask = Asked()  # type: ignore[assignment]
    assert registry.call("write_file", {"path": "new/in", "content": "x"}).text == "File written successfully: new/in"
    assert "file_tools_allowed_paths" in registry.call("file_edit", {"path": str(outside / "f"), "find": "s"}).text
