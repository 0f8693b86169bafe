"""Acceptance cases A109..A139: configuration, VFS and registry, HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import (
    Config,
    HttpBlocked,
    HttpRequest,
    HttpResponse,
    PermissionDenied,
    SandboxViolation,
    Tool,
    ToolList,
    ToolRegistry,
    UnknownTool,
)
from chibi_bridge.tools.vfs import DirectoryVfs, MemoryVfs, Vfs, VfsError, path_of_uri
from tests.tools.conftest import conv, tool

One = Callable[..., Tool]
Registry = Callable[..., ToolRegistry]
X = "/tools/shared/x.scm"


def test_tools_a109() -> None:
    """tiers {"/tools/home/admin/":2,".../safe.scm":1} -> danger.scm unsandboxed, safe.scm sandboxed."""
    config = Config.from_toml('[tools.tiers]\n"/tools/home/admin/" = 2\n"/tools/home/admin/safe.scm" = 1')
    assert (config.tier("/tools/home/admin/danger.scm"), config.tier("/tools/home/admin/safe.scm")) == (2, 1)
    assert config.tier("/tools/home/admin2/x.scm") == 1
    assert config.tier("/tools/home/admin/../x/y.scm") == 1


def test_tools_a110() -> None:
    """tier 99 -> sandboxed; no match -> sandboxed."""
    config = Config.from_toml('[tools.tiers]\n"/tools/shared" = 99')
    assert (config.tier(X), config.tier("/tools/home/a/x.scm")) == (1, 1)


def test_tools_a111() -> None:
    """history.scm is sandboxed unless `tools.tiers` says 2 (overruled)."""
    path = "/tools/shared/history.scm"
    assert Config().tier(path) == 1
    assert Config(tiers={path: 2}).tier(path) == 2


def test_tools_a112() -> None:
    """allow general and specific keys -> only the specific list."""
    config = Config.from_toml(
        f'[tools.http.allow]\n"/tools/shared" = ["https://a.example/"]\n"{X}" = ["https://b.example/"]'
    )
    assert config.http(X) == ("https://b.example/",)


def test_tools_a113() -> None:
    """allow "trust-declared" + declared -> declared; + explicit list for the longer key -> explicit."""
    text = '[tools.http.allow]\n"/tools/shared" = "trust-declared"\n'
    assert Config.from_toml(text).http(X, ["https://d.example/"]) == ("https://d.example/",)
    explicit = Config.from_toml(text + f'"{X}" = ["https://e.example/"]')
    assert explicit.http(X, ["https://d.example/"]) == ("https://e.example/",)


def test_tools_a114() -> None:
    """toggle true, no allow -> declared; toggle true + `"typo-declared"` entry -> none."""
    assert Config(trust_declared=True).http(X, ["https://d.example/"]) == ("https://d.example/",)
    config = Config.from_toml('[tools.http]\ntrust-declared = true\n[tools.http.allow]\n"/tools" = "typo-declared"')
    assert config.http(X, ["https://d.example/"]) is None
    assert "trust-declared" in config.warnings[0]


def test_tools_a115() -> None:
    """trust-declared, nothing declared -> none."""
    assert Config(trust_declared=True).http(X, []) is None


HTTP = "(import (tein http))" + tool(
    "g", "(cdr (assq 'body (http-get (cdr (assoc \"u\" args)) '())))", parameters='\'((u (type . "string")))'
)
DECLARED = '(define tool-http-allow \'("https://api.example.com/v1/"))'


class Net(list[HttpRequest]):
    """A transport that answers everything and remembers it."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.append(request)
        return HttpResponse(200, (("Content-Type", "text/plain"),), b"body")


def test_tools_a116(one: One) -> None:
    """(*) trust-declared file importing (tein http) loads and may reach only its declared prefixes."""
    net = Net()
    made = one(DECLARED + HTTP, config=Config(trust_declared=True), transport=net)
    assert made.call({"u": "https://api.example.com/v1/x"}).text == "body"
    assert isinstance(made.call({"u": "https://api.example.com/v2/x"}).error, HttpBlocked)
    assert len(net) == 1


@pytest.mark.parametrize(
    ("declaration", "text"),
    [
        ('(define tool-http-allow (list "https://a.example/"))', "quoted list"),
        ('(define tool-http-allow \'("https://a.example/" 5))', "to be a string"),
        ('(define tool-http-allow \'("https://*.example/"))', "bad URL rule"),
        (DECLARED + DECLARED, "second definition"),
        ("(define (tool-http-allow) 1)", "quoted list"),
    ],
)
def test_a_declaration_that_is_no_literal_refuses_the_file(
    load: Callable[..., ToolList], declaration: str, text: str
) -> None:
    with pytest.raises(Exception, match=text) as caught:
        load("\n" + declaration + HTTP, config=Config(trust_declared=True))
    assert caught.value.location.line == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "hidden",
    [
        f'"{DECLARED}"'.replace('"https', '\\"https').replace('/")', '/\\")'),
        f"; {DECLARED}\n",
        f"#;{DECLARED}",
        f"#|{DECLARED}|#",
        f"'{DECLARED}",
        f"(let () {DECLARED} 1)",
    ],
)
def test_what_is_no_top_level_form_declares_nothing(load: Callable[..., ToolList], hidden: str) -> None:
    with pytest.raises(SandboxViolation, match="tein http"):
        load(hidden + HTTP, config=Config(trust_declared=True))


def test_a_file_cannot_grant_itself_http_without_trust(load: Callable[..., ToolList]) -> None:
    with pytest.raises(SandboxViolation):
        load(DECLARED + HTTP)


def test_tools_a117(monkeypatch: pytest.MonkeyPatch) -> None:
    """env: listed set var forwarded, unset skipped, unmatched path -> none; longest key only."""
    monkeypatch.setenv("A1", "a")
    monkeypatch.setenv("B1", "b")
    monkeypatch.delenv("UNSET1", raising=False)
    config = Config(env={"/tools/shared": ("A1",), X: ("B1", "UNSET1")})
    assert config.environment(X) == {"B1": "b"}
    assert config.environment("/tools/shared/y.scm") == {"A1": "a"}
    assert config.environment("/tools/home/a/y.scm") == {}


ENV = "(import (tein process))" + tool("e", '(map get-environment-variable (list "TOKEN1" "HOME" "TEIN_SANDBOX"))')


def test_tools_a118(one: One, monkeypatch: pytest.MonkeyPatch) -> None:
    """tool reads forwarded var; unlisted var -> #f; `TEIN_SANDBOX` -> "true"."""
    monkeypatch.setenv("TOKEN1", "t0ken")
    made = one(ENV.replace("(tein process)", "(scheme process-context)"), config=Config(env={X: ("TOKEN1",)}))
    assert made.call({}).value == ["t0ken", False, "true"]
    assert "t0ken" not in repr(made) + repr(made.session.policy)


def test_redaction_takes_forwarded_values_out_of_results(one: One, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN1", "t0ken")
    source = "(import (scheme process-context))" + tool(
        "e", '(let ((t (get-environment-variable "TOKEN1"))) (display t) (if (assoc "fail" args) (error "bad" t) t))'
    )
    made = one(source, config=Config(env={X: ("TOKEN1",)}, redact=True))
    assert made.call({}).report() == "result: [TOKEN1]\nstdout: [TOKEN1]\nstderr: (empty)"
    result = made.call({"fail": True})
    assert "t0ken" not in result.report() + repr(result) + str(result.error)


@pytest.mark.parametrize("key", ["trust-declared", "trust_declared"])
def test_tools_a119(key: str) -> None:
    """(*) both `trust-declared` and `trust_declared` keys work."""
    assert Config.from_toml(f"[tools.http]\n{key} = true").trust_declared is True


def test_tools_a120(tmp_path: Path) -> None:
    """local.toml http/env ignored; include overrides; exclude appends without duplicates."""
    (tmp_path / "config.toml").write_text('[tools]\ninclude = ["a"]\nexclude = ["x", "y"]', encoding="utf-8")
    (tmp_path / "local.toml").write_text(
        '[tools]\ninclude = ["b"]\nexclude = ["y", "z"]\n[tools.env]\n"/tools" = ["HOME"]\n[tools.tiers]\n"/tools" = 2',
        encoding="utf-8",
    )
    config = Config.load(tmp_path / "config.toml", local=tmp_path / "local.toml")
    assert (config.include, config.exclude) == (("b",), ("x", "y", "z"))
    assert (config.env, config.tier(X)) == ({}, 1)
    assert any("tools.env" in warning for warning in config.warnings)


# -- VFS and registry --------------------------------------------------------------------


@pytest.fixture(params=["memory", "disk"])
def vfs(request: pytest.FixtureRequest, tmp_path: Path) -> Vfs:
    """Both stores."""
    flocks = {"infra": ["alice", "bob"]}
    return MemoryVfs(flocks) if request.param == "memory" else DirectoryVfs(tmp_path / "vfs", flocks)


def test_tools_a121(registry_of: Registry, vfs: Vfs) -> None:
    """write `.scm` to /tools/shared -> registered; delete -> gone."""
    registry = registry_of({}, vfs=vfs)
    vfs.write(X, tool("x"))
    assert registry.names() == ["x"]
    vfs.delete(X)
    assert registry.names() == []


def test_tools_a122(registry_of: Registry) -> None:
    """write to /shared/x.scm -> not a tool."""
    assert registry_of({"/shared/x.scm": tool("x")}).names() == []


def test_tools_a123(registry_of: Registry, vfs: Vfs) -> None:
    """readme.txt ignored; missing zone ok; bad file skipped; home and flocks zones and subdirectories scanned."""
    files = {
        "readme.txt": "hello",
        "bad.scm": "(define",
        "/tools/home/alice/deep/er/a.scm": tool("a"),
        "/tools/flocks/infra/b.scm": tool("b"),
    }
    registry = registry_of(files, vfs=vfs)
    assert set(registry.names()) == {"a", "b"}
    assert len(registry.problems) == 1


def test_tools_a124(registry_of: Registry, vfs: Vfs) -> None:
    """rewrite with new description -> updated; tool_b removed and tool_c added accordingly."""
    registry = registry_of({"x.scm": tool("tool_a") + tool("tool_b")}, vfs=vfs)
    vfs.write(X, tool("tool_a", description='"new"') + tool("tool_c"))
    assert registry.names() == ["tool_a", "tool_c"]
    assert registry["tool_a"].description == "new"


def test_tools_a125(registry_of: Registry) -> None:
    """invalid rewrite -> old tool still works."""
    registry = registry_of(tool("x"))
    registry.vfs.write(X, "(define")
    assert registry.call("x").text == "ok"
    assert len(registry.problems) == 1


def test_tools_a126(registry_of: Registry) -> None:
    """unregister of unknown path -> no-op."""
    registry = registry_of(tool("x"))
    registry._changed("/tools/shared/none.scm")
    assert registry.names() == ["x"]


def test_tools_a127(registry_of: Registry) -> None:
    """visibility: shared all; home owner only; flock members only; builtin all."""
    files = {
        "s.scm": tool("s"),
        "/tools/home/alice/h.scm": tool("h"),
        "/tools/flocks/infra/f.scm": tool("f"),
    }
    registry = registry_of(files, flocks={"infra": ["alice", "bob"]}, builtins="list")
    seen = {name: set(registry.names(name)) & {"s", "h", "f", "vfs_list"} for name in ("alice", "bob", "carol")}
    assert seen == {"alice": {"s", "h", "f", "vfs_list"}, "bob": {"s", "f", "vfs_list"}, "carol": {"s", "vfs_list"}}
    assert registry.call("h", context="alice").text == "ok"
    with pytest.raises(UnknownTool):
        registry.call("h", context="bob")


def test_a_private_tool_cannot_be_called_through_another(registry_of: Registry) -> None:
    files = {"/tools/home/alice/h.scm": tool("h"), "x.scm": tool("x", '(call-tool "h" \'())')}
    registry = registry_of(files)
    assert registry.call("x", context="alice").text == "ok"
    assert "unknown tool: h" in registry.call("x", context="bob").text


def test_tools_a128(vfs: Vfs) -> None:
    """alice cannot write /tools/home/bob/..., nobody writes /tools/sys."""
    vfs.write("/tools/home/alice/x.scm", "", caller="alice")
    vfs.write("/flocks/infra/x", "", caller="alice")
    for path, caller in [
        ("/tools/home/bob/x.scm", "alice"),
        ("/tools/sys/x", "SYSTEM"),
        ("/flocks/infra/x", "carol"),
        ("/flocks/registry.json", "alice"),
        ("/sys/x", "alice"),
        ("/tools", "alice"),
    ]:
        with pytest.raises(PermissionError):
            vfs.write(path, "", caller=caller)


def test_tools_a129(registry_of: Registry) -> None:
    """read /tools/sys/T -> JSON name, description, category, parameters."""
    registry = registry_of(tool("x"))
    shown = json.loads(registry.vfs.read("/tools/sys/x"))
    assert shown == {
        "category": "synthesised",
        "description": "d",
        "name": "x",
        "parameters": {"type": "object", "properties": {}, "required": []},
    }
    assert ("x", "file") in registry.vfs.entries("/tools/sys")
    with pytest.raises(FileNotFoundError):
        registry.vfs.read("/tools/sys/none")


def test_tools_a130(registry_of: Registry) -> None:
    """registry keeps order; removing b from a,b,c,d -> a,c,d."""
    registry = registry_of({f"{name}.scm": tool(name) for name in "abcd"})
    registry.vfs.delete("/tools/shared/b.scm")
    assert registry.names() == ["a", "c", "d"]


def test_tools_a131(registry_of: Registry, vfs: Vfs) -> None:
    """(*) vfs_move of a tool file re-registers it at the new path; copy, append and folder deletion count too."""
    registry = registry_of(tool("x"), vfs=vfs)
    moved = registry.call("vfs_move", {"src": f"vfs://{X}", "dst": "vfs:///tools/home/default/y.scm"})
    assert moved.text == f"Moved vfs://{X} -> vfs:///tools/home/default/y.scm"
    assert registry["x"].path == "/tools/home/default/y.scm"
    vfs.append("/tools/home/default/y.scm", tool("z"))
    assert registry.names() == ["x", "z"]
    vfs.copy("/tools/home/default", "/tools/home/other")
    assert registry.names("other") == ["x", "z"]
    vfs.delete("/tools/home")
    assert registry.names() == []


def test_tools_a132(registry_of: Registry) -> None:
    """(*) tool named shell_exec is refused, builtin intact."""
    registry = registry_of(tool("shell_exec") + tool("x"))
    assert registry.names() == ["x"]
    assert "built-in" in str(registry.problems[0])
    assert registry["shell_exec"].category.value == "shell"
    assert isinstance(registry.call("shell_exec", {"command": "true"}).error, PermissionDenied)


@pytest.mark.parametrize("path", ["/a//b", "/a/../b", "a", "/a/", "", "/a/./b", "/a\0"])
def test_tools_a133(vfs: Vfs, path: str) -> None:
    """paths `/a//b`, `/a/../b`, `a`, `/a/` rejected; `vfs://shared` is not a URI."""
    with pytest.raises(VfsError):
        vfs.read(path)
    with pytest.raises(VfsError):
        path_of_uri("vfs://shared")


def test_a_granted_path_is_written_by_the_system_only(registry_of: Registry) -> None:
    registry = registry_of(tool("x"), config=f'[tools.http.allow]\n"{X}" = ["https://a.example/"]')
    result = registry.call("write_file", {"path": f"vfs://{X}", "content": tool("x", '"evil"')})
    assert "grants this path" in result.text


def test_a_link_does_not_lead_out_of_the_vfs(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    store = DirectoryVfs(tmp_path / "vfs")
    store.mkdir("/shared")
    (tmp_path / "vfs" / "shared" / "link").symlink_to(tmp_path)
    with pytest.raises(VfsError):
        store.read("/shared/link/secret")


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    store = DirectoryVfs(tmp_path)
    store.write("/shared/a/f", "x")
    (tmp_path / "shared" / "a" / "up").symlink_to(tmp_path / "shared")
    (tmp_path / "shared" / "file").symlink_to("a/f")
    (tmp_path / "shared" / "out").symlink_to("/etc/hostname")
    (tmp_path / "shared" / "self").symlink_to("self")
    assert list(store.files("/")) == ["/shared/a/f", "/shared/file"]
    store.copy("/shared/a", "/home/a")
    assert list(store.files("/home")) == ["/home/a/f"]
    store.delete("/shared")
    assert list(store.files("/")) == ["/home/a/f"]


# -- HTTP --------------------------------------------------------------------------------

ALLOW = ("https://api.example.com/v1/",)


def test_tools_a134(load: Callable[..., ToolList]) -> None:
    """explicit prefixes + import -> loads; without -> load fails."""
    assert len(load(HTTP, http_allow=ALLOW)) == 1
    with pytest.raises(SandboxViolation, match=r"tools\.http\.allow") as caught:
        load("\n " + HTTP)
    assert (caught.value.location.line, caught.value.location.column) == (2, 10)  # type: ignore[union-attr]


def test_tools_a135(one: One) -> None:
    """request outside prefixes -> text contains `http request blocked`, nothing sent."""
    net = Net()
    result = one(HTTP, http_allow=ALLOW, transport=net).call({"u": "https://other.example/"})
    assert "http request blocked" in result.text
    assert net == []


def test_tools_a136(one: One) -> None:
    """allowed but refused connection -> ordinary error, not a violation."""

    def refuse(request: HttpRequest) -> HttpResponse:
        raise ConnectionRefusedError("refused")

    result = one(HTTP, http_allow=ALLOW, transport=refuse).call({"u": "https://api.example.com/v1/x"})
    assert result.error is not None
    assert not isinstance(result.error, SandboxViolation)


def test_tools_a137(one: One) -> None:
    """empty explicit list -> importable, all blocked."""
    made = one(HTTP, http_allow=(), transport=Net())
    assert isinstance(made.call({"u": "https://api.example.com/v1/x"}).error, HttpBlocked)


def test_tools_a138(one: One) -> None:
    """response alist has integer status, lowercased header names, string body; 404 is a normal result."""

    def missing(request: HttpRequest) -> HttpResponse:
        return HttpResponse(404, (("X-Thing", "a"),), b"none")

    source = "(import (tein http))" + tool("g", '(http-get "https://api.example.com/v1/x" \'())')
    text = one(source, http_allow=ALLOW, transport=missing).call({}).text
    assert text == '((status . 404) (headers ("x-thing" . "a")) (body . "none"))'


@pytest.mark.parametrize("url", ["https://api.example.com.evil.net/", "https://api.example.com@evil.net/"])
def test_tools_a139(one: One, url: str) -> None:
    """(*) `https://api.example.com.evil.net/` not admitted; redirect off the allowlist refused."""
    net = Net()
    assert isinstance(
        one(HTTP, http_allow=("https://api.example.com",), transport=net).call({"u": url}).error, HttpBlocked
    )
    assert net == []


def test_tools_a139_redirects(one: One) -> None:
    """A redirect off the allowlist is refused."""
    from chibi_bridge import HttpRule

    seen: list[str] = []

    def redirect(request: HttpRequest) -> HttpResponse:
        seen.append(request.url)
        return HttpResponse(302, (("Location", "https://evil.example/"),), b"")

    rule = HttpRule("https://api.example.com/", redirects=5)
    result = one(HTTP, http_allow=(rule,), transport=redirect).call({"u": "https://api.example.com/a"})
    assert isinstance(result.error, HttpBlocked)
    assert seen == ["https://api.example.com/a"]


def test_conv_still_loads_with_both_tiers(one: One) -> None:
    assert one(conv()).call({}).text == "ok"
