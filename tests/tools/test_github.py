"""github.scm end to end: a secret that only the broker knows, TLS, prompts, results."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge import Config, HttpBlocked, InvalidArguments, PermissionRequest, SchemeError, ToolRegistry
from tests.http.conftest import Asked, Certificates, Server, answer

FILE = "github.scm"
PATH = f"/tools/shared/{FILE}"
TOKEN = "ghp_s3cr3t"
ISSUE = {"number": 7, "state": "open", "title": "It fails", "user": {"login": "ann"}, "body": 'Look:\n"here"'}


def talk(connection: socket.socket, asked: Asked) -> None:
    """A fake GitHub, which repeats the token where it can."""
    path = asked.target.partition("?")[0]
    status, document = 404, {"message": f"Not Found, {asked.headers['authorization']}"}
    if (asked.method, path) == ("GET", "/repos/ann/tool/issues"):
        status, document = 200, [ISSUE, {**ISSUE, "number": 8, "pull_request": {"url": "x"}}]
    elif (asked.method, path) == ("GET", "/repos/ann/tool/issues/7"):
        status, document = 200, ISSUE
    elif (asked.method, path) == ("POST", "/repos/ann/tool/issues"):
        status, document = 201, {**ISSUE, **json.loads(asked.body)}
    elif (asked.method, path) == ("POST", "/repos/ann/tool/issues/7/comments"):
        status, document = 201, {"html_url": "https://github.example/c/1"}
    connection.sendall(answer(status, json.dumps(document).encode()))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    certificates = Certificates(tmp_path)
    made = Server(talk, certificates.context("127.0.0.1"))
    yield made
    made.close()


@pytest.fixture
def asked() -> list[PermissionRequest]:
    return []


@pytest.fixture
def github(
    server: Server, asked: list[PermissionRequest], examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ToolRegistry]:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API", server.url.removesuffix("/"))
    config = Config.from_toml(
        f'[tools.http]\nca_file = "{tmp_path}/ca.pem"\n'
        f'[tools.http.allow]\n"{PATH}" = [{{url = "{server.url}repos/", secrets = {{Authorization = "GITHUB_TOKEN"}}}}]\n'
        f'[tools.env]\n"{PATH}" = ["GITHUB_API"]\n'
    )

    def ask(request: PermissionRequest) -> bool:
        asked.append(request)
        return True

    registry = ToolRegistry(config=config, permission=ask)
    registry.scan(examples / FILE)
    assert registry.problems == []
    yield registry
    registry.close()


BRIEF = {"number": 7, "state": "open", "title": "It fails", "by": "ann"}


def test_each_tool(github: ToolRegistry, server: Server, asked: list[PermissionRequest]) -> None:
    repository = {"repository": "ann/tool"}
    assert github.call("github_issues", {**repository, "limit": 5}).json == [BRIEF]
    assert github.call("github_issue", {**repository, "number": 7}).json == {**BRIEF, "body": 'Look:\n"here"'}
    made = github.call("github_create_issue", {**repository, "title": "New\u202e one"})
    assert made.json == {**BRIEF, "title": "New\u202e one"}
    comment = github.call("github_comment", {**repository, "number": 7, "body": "Me too"})
    assert comment.text == "https://github.example/c/1"
    assert [request.prompt for request in asked] == [
        "[github_issues] issues of ann/tool [Y/n] ",
        "[github_issue] issue ann/tool#7 [Y/n] ",
        "[github_create_issue] new issue in ann/tool: New\\u202e one [Y/n] ",
        "[github_comment] comment on ann/tool#7: Me too [Y/n] ",
    ]
    assert [(item.method, item.target) for item in server.asked] == [
        ("GET", "/repos/ann/tool/issues?state=open&per_page=5"),
        ("GET", "/repos/ann/tool/issues/7"),
        ("POST", "/repos/ann/tool/issues"),
        ("POST", "/repos/ann/tool/issues/7/comments"),
    ]
    assert json.loads(server.asked[2].body) == {"title": "New\u202e one", "body": ""}


def test_the_token_is_on_the_wire_and_nowhere_else(
    github: ToolRegistry, server: Server, asked: list[PermissionRequest]
) -> None:
    result = github.call("github_issues", {"repository": "ann/none"})
    assert server.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert isinstance(result.error, SchemeError)
    assert "GitHub answered 404" in result.text
    assert "{{env:GITHUB_TOKEN}}" in result.text
    everything = repr(result) + result.report() + repr(asked) + repr(github.config) + repr(github["github_issues"])
    assert TOKEN not in everything


@pytest.mark.parametrize(
    "repository", ["ann", "ann/tool/x", "../tool", "ann/..", "ann/to ol", "ann/tool?x=1", "ann/.."]
)
def test_a_repository_is_owner_and_name(github: ToolRegistry, server: Server, repository: str) -> None:
    assert isinstance(github.call("github_issues", {"repository": repository}).error, InvalidArguments)
    assert server.asked == []


def test_without_the_token_nothing_is_sent(
    github: ToolRegistry, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    result = github.call("github_issues", {"repository": "ann/tool"})
    assert isinstance(result.error, HttpBlocked)
    assert "GITHUB_TOKEN is not set" in result.text
    assert server.asked == []


def test_the_certificate_is_verified(github: ToolRegistry, examples: Path, server: Server) -> None:
    registry = ToolRegistry(
        config=Config(http_allow=github.config.http_allow, env=github.config.env), permission=lambda request: True
    )
    registry.scan(examples / FILE)
    result = registry.call("github_issues", {"repository": "ann/tool"})
    assert getattr(result.error, "kind", None) == "tls"
    assert server.asked == []
    registry.close()
