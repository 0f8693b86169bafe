"""Each key of the configuration, from TOML to what it does; and what an error of each says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import (
    Allow,
    Config,
    ConfigError,
    FuelExhausted,
    HttpBlocked,
    HttpRequest,
    HttpResponse,
    MemoryExhausted,
    OutputExhausted,
    RunTimeout,
    ToolRegistry,
    UnknownTool,
)
from chibi_bridge.tools.load import Session
from tests.tools.conftest import tool

Registry = Callable[..., ToolRegistry]
X = "/tools/shared/x.scm"
BUSY = tool("x", '(let loop ((l (quote ()))) (display "0123456789") (loop (cons (make-vector 100 0) l)))')


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ("fuel = 20000", FuelExhausted),
        ("fuel = 1000000000, timeout = 0.2, output = 1000000000, memory = 1000000000", RunTimeout),
        ("fuel = 1000000000, memory = 1000000", MemoryExhausted),
        ("output = 100", OutputExhausted),
    ],
)
def test_limits(registry_of: Registry, limits: str, error: type[Exception]) -> None:
    source = BUSY.replace("(cons (make-vector 100 0) l)", "l") if "timeout" in limits else BUSY
    config = f'[tools.limits]\n"/tools/shared" = {{fuel = 1}}\n"{X}" = {{{limits}}}'
    result = registry_of(source, config=config).call("x")
    assert type(result.error) is error


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ('include = ["a", "shell_exec"]', {"a", "shell_exec"}),
        ('exclude = ["a", "b"]', {"n", "shell_exec", "vfs_list"}),
        ('exclude_categories = ["network", "shell"]', {"a", "b", "vfs_list"}),
        ('exclude-categories = ["synthesised"]', {"n", "shell_exec", "vfs_list"}),
    ],
)
def test_filters_hold_for_lists_calls_and_call_tool(registry_of: Registry, key: str, shown: set[str]) -> None:
    names = {"a", "b", "n", "shell_exec", "vfs_list"}
    files = {
        "f.scm": tool("a") + tool("b") + tool("n", '"ok"', '(category "network")'),
        "c.scm": tool("c", '(call-tool (cdr (assoc "name" args)) (quote (("path" . "vfs:///shared"))))'),
    }
    config = "[tools]\n" + key.replace('include = ["a"', 'include = ["c", "a"')
    registry = registry_of(files, config=config, builtins="list", permission=lambda request: True)
    assert set(registry.names()) & names == shown
    assert {item["name"] for item in registry.schemas("mcp")} & names == shown
    for name in names - shown:
        with pytest.raises(UnknownTool):
            registry.call(name, {})
        if "c" in registry.names():
            assert f"unknown tool: {name}" in registry.call("c", {"name": name}).text


@pytest.mark.parametrize("word", ["file", "call"])
@pytest.mark.parametrize("form", ['[tools]\nisolation = "{}"', '[tools.isolation]\n"/tools/shared" = "{}"'])
def test_isolation(word: str, form: str) -> None:
    registry = ToolRegistry(config=Config.from_toml(form.format(word)))
    registry.vfs.write(X, "(define n 0)" + tool("x", "(begin (set! n (+ n 1)) n)"))
    registry.scan()
    assert [registry.call("x").value for _ in range(2)] == ([1, 2] if word == "file" else [1, 1])
    registry.close()


def test_redact(registry_of: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN1", "t0ken")
    source = "(import (scheme process-context))" + tool(
        "x",
        """(let ((t (get-environment-variable "TOKEN1")))
             (display t) (display (string-append "<" t ">") (current-error-port))
             (case (cdr (assoc "as" args))
               ((0) (list t (vector t) (cons t t) (string->symbol t)))
               ((1) (let ((h (make-hash-table equal?))) (hash-table-set! h t (list t)) h))
               ((2) (string->utf8 t))
               ((3) (values t t))
               ((4) (let () (define-record-type point (make a) p? (a a-of)) (make t)))
               ((5) (raise (list t)))
               ((6) (error t t))
               ((7) (car t))
               (else (call-tool "echo" (list (cons "text" t))))))""",
    )
    config = f'[tools]\nredact = true\n[tools.env]\n"{X}" = ["TOKEN1"]'
    registry = registry_of({"x.scm": source, "e.scm": tool("echo", '(cdr (assoc "text" args))')}, config=config)
    for form in range(9):
        result = registry.call("x", {"as": form})
        shown = repr(result) + result.report() + str(result.error) + repr(result.error) + repr(result.value)
        if result.error is not None:
            shown += repr(vars(result.error)) if hasattr(result.error, "__dict__") else ""
            shown += "".join(getattr(result.error, "__notes__", []))
        assert "t0ken" not in shown, (form, shown)
        assert "t0ken" not in str(getattr(result.value, "values", "")), form
        assert "[TOKEN1]" in result.stdout
    plain = registry_of({"x.scm": source}, config=config.replace("true", "false")).call("x", {"as": 0})
    assert "t0ken" in plain.text


def test_redact_of_a_value_too_deep_to_copy(registry_of: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN1", "t0ken")
    source = "(import (scheme process-context))" + tool(
        "x", '(let f ((n 100000) (l (get-environment-variable "TOKEN1"))) (if (= n 0) l (f (- n 1) (list l))))'
    )
    config = f'[tools]\nredact = true\n[tools.env]\n"{X}" = ["TOKEN1"]'
    result = registry_of(source, config=config).call("x")
    assert "t0ken" not in result.text + str(result.error)


def test_file_tools_allowed_paths(registry_of: Registry, tmp_path: Path) -> None:
    for name in ("a", "ab"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text("text")
    (tmp_path / "root").mkdir()
    config = f'file_tools_allowed_paths = ["{tmp_path}/a"]'
    registry = registry_of({}, config=config, project_root=tmp_path / "root")
    assert registry.call("file_head", {"path": f"{tmp_path}/a/f"}).text == "text"
    assert "fail-safe deny" in registry.call("file_head", {"path": f"{tmp_path}/ab/f"}).text
    registry = registry_of({}, config=config, project_root=tmp_path / "root", permission=lambda request: True)
    edit = {"find": "text", "replace": "new"}
    assert registry.call("file_edit", {"path": f"{tmp_path}/a/f", **edit}).error is None
    assert "allowed paths" in registry.call("file_edit", {"path": f"{tmp_path}/ab/f", **edit}).text


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        ('default = "deny"', False),
        ('default = "allow"', True),
        ('deny = ["https://a.example/*"]', False),
        ('deny = ["preset:loopback"]', True),
        ('default = "deny"\nallow = ["https://a.example/*"]', True),
        ('allow = ["https://a.example/*"]\ndeny = ["https://a.example/*"]', False),
        ('deny = ["https://*"]\nallow_override = ["https://a.example/?"]', True),
        ('allow_override = ["*"]\ndeny_override = ["*a.example*"]', False),
    ],
)
def test_url_policy(registry_of: Registry, policy: str, allowed: bool) -> None:
    registry = registry_of(tool("n", '"ok"', '(category "network")'), config=f"[url_policy]\n{policy}")
    assert (registry.call("n", {"url": "https://a.example/x"}).error is None) is allowed


def test_remember(registry_of: Registry, tmp_path: Path) -> None:
    asked = []

    def ask(request: object) -> object:
        asked.append(request)
        return Allow("tool", seconds=60)

    config = f'[permissions]\nremember = "{tmp_path}/a/answers.json"'
    for _ in range(2):
        registry = registry_of(tool("n", '"ok"', '(category "network")'), config=config, permission=ask)
        assert registry.call("n").text == "ok"
    assert len(asked) == 1


FETCH = "(import (tein http))" + tool(
    "g",
    """(http-status (http-request (cdr (assoc "m" args)) (cdr (assoc "u" args))
                                  (list (cons (cdr (assoc "h" args)) "v")) (cdr (assoc "b" args))))""",
)
PLAIN = {"m": "GET", "u": "https://a.example/v1/x", "h": "X-A", "b": ""}


@pytest.mark.parametrize(
    ("rule", "args", "error"),
    [
        ('methods = ["GET"]', {}, None),
        ('methods = ["GET"]', {"m": "POST"}, "method POST"),
        ('headers = ["X-A"]', {}, None),
        ('headers = ["X-A"]', {"h": "X-B"}, "header 'X-B'"),
        ("max_body = 3", {"m": "POST", "b": "123"}, None),
        ("max_body = 3", {"m": "POST", "b": "1234"}, "exceeds 3 bytes"),
        ("redirects = 1", {"u": "https://a.example/v1/r"}, None),
        ("redirects = 0", {"u": "https://a.example/v1/r"}, 302),
        ('secrets = {X-A = "SECRET1"}', {}, None),
    ],
)
def test_a_table_in_http_allow(
    registry_of: Registry, rule: str, args: dict[str, object], error: str | int | None
) -> None:
    def transport(request: HttpRequest) -> HttpResponse:
        if request.url.endswith("/r"):
            return HttpResponse(302, (("Location", "/v1/x"),), b"")
        return HttpResponse(200, (), b"abc")

    config = f'[tools.http.allow]\n"{X}" = [{{url = "https://a.example/v1/", {rule}}}]'
    registry = registry_of(FETCH, config=config, transport=transport, permission=lambda request: True)
    result = registry.call("g", {**PLAIN, **args})
    if isinstance(error, str):
        assert error in result.text
    else:
        assert result.value == (error or 200)


def test_secrets_go_into_the_header_that_is_named(registry_of: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET1", "s3cr3t")
    seen: list[HttpRequest] = []

    def transport(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse(200, (), b"")

    config = f'[tools.http.allow]\n"{X}" = [{{url = "https://a.example/v1/", secrets = {{X-A = "SECRET1"}}}}]'
    source = FETCH.replace('"v"', '"key {{env:SECRET1}}"')
    registry = registry_of(source, config=config, transport=transport, permission=lambda request: True)
    assert registry.call("g", PLAIN).value == 200
    assert seen[0].headers == (("X-A", "key s3cr3t"),)
    assert isinstance(registry.call("g", {**PLAIN, "h": "X-B"}).error, HttpBlocked)


def test_tiers_and_env_do_what_they_say_and_nothing_together(
    registry_of: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN1", "t")
    source = "(import (scheme process-context))" + tool(
        "x", '(map get-environment-variable (list "TOKEN1" "TEIN_SANDBOX"))'
    )
    env = f'[tools.env]\n"{X}" = ["TOKEN1"]\n'
    assert registry_of(source, config=env).call("x").value == ["t", "true"]
    both = env + f'[tools.tiers]\n"{X}" = 2'
    assert registry_of(source, config=both, permission=lambda request: True).call("x").value == ["t", False]
    rows = {what: value for what, value, _ in Config.from_toml(both).explain(X)}
    assert rows["env"].endswith("without effect: the file is unsandboxed")


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("tools = 1", "tools", "a table"),
        ("[tools]\ninclude = 'a'", "tools.include", "a list of strings"),
        ("[tools]\nexclude = [1]", "tools.exclude", "a list of strings"),
        ("[tools]\nexclude_categories = {}", "tools.exclude_categories", "a list of strings"),
        ("[tools]\ntiers = []", "tools.tiers", "a table"),
        ("[tools.tiers]\n'/a' = 300", 'tools.tiers."/a"', "0 to 255"),
        ("[tools.tiers]\n'/a' = true", 'tools.tiers."/a"', "0 to 255"),
        ("[tools.tiers]\n'a' = 1", "tools.tiers", "paths such as /tools/shared"),
        ("[tools.tiers]\n'/a/../b' = 1", "tools.tiers", "no dot segments"),
        ("[tools.http]\ntrust_declared = 1", "tools.http.trust_declared", "true or false"),
        ("[tools.http]\nca_file = 1", "tools.http.ca_file", "the path of a file"),
        ("[tools.http]\ntrust-declared = true\ntrust_declared = true", "tools.http.trust-declared", "one key"),
        ("[tools.http.allow]\n'/a' = 5", 'tools.http.allow."/a"', "a list of URL prefixes"),
        ("[tools.http.allow]\n'/a' = ['nope']", 'tools.http.allow."/a"', "not an absolute URL"),
        ("[tools.http.allow]\n'/a' = [{}]", 'tools.http.allow."/a".url', "is missing"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', methods=['get']}]", 'tools.http.allow."/a"', "methods"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', redirects='1'}]", "redirects", "a whole number"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', max_body=-1}]", 'tools.http.allow."/a"', "max_body"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', headers=['a b']}]", 'tools.http.allow."/a"', "header"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', allow_private=1}]", "allow_private", "true or false"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', secrets={A=1}}]", "secrets.A", "the name of a variable"),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', secrets={A='x-y'}}]", 'tools.http.allow."/a"', "variable"),
        ("[tools.env]\n'/a' = 'T'", 'tools.env."/a"', "a list of strings"),
        ("[tools.limits]\n'/a' = 1", 'tools.limits."/a"', "a table of fuel"),
        ("[tools.limits]\n'/a' = {fuel = -1}", 'tools.limits."/a"', "whole number from 0"),
        ("[tools.limits]\n'/a' = {memory = 1}", 'tools.limits."/a"', "at least"),
        ("[tools]\nisolation = 'x'", "tools.isolation", "one of file, call, process"),
        ("[tools.isolation]\n'/a' = 'x'", 'tools.isolation."/a"', "one of file, call, process"),
        ("[tools]\nredact = 1", "tools.redact", "true or false"),
        ("file_tools_allowed_paths = '/a'", "file_tools_allowed_paths", "a list of strings"),
        ("[url_policy]\ndefault = 'ask'", "url_policy.default", '"allow" or "deny"'),
        ("[url_policy]\ndeny = ['preset:x']", "url_policy.deny", "preset:loopback"),
        ("[url_policy]\nallow_override = 'x'", "url_policy.allow_override", "a list of strings"),
        ("[permissions]\nremember = 1", "permissions.remember", "the path of a file"),
        ("permissions = 1", "permissions", "a table"),
        ("= 1", "", "line 1"),
    ],
)
def test_an_error_names_file_key_and_what_is_expected(tmp_path: Path, text: str, key: str, expected: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(expected)) as caught:
        Config.load(file)
    assert str(file) in str(caught.value)
    assert key in str(caught.value)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("[tool]", "unknown key tool; did you mean tools?"),
        ("[tools]\nexlude = []", "unknown key tools.exlude; did you mean tools.exclude?"),
        ("[tools.http]\ntrust-declard = true", "did you mean tools.http.trust-declared?"),
        (
            "[tools.limits]\n'/a' = {fule = 1}",
            'unknown key tools.limits."/a".fule; did you mean tools.limits."/a".fuel?',
        ),
        ("[tools.http.allow]\n'/a' = [{url='https://a.b/', method=[]}]", "did you mean"),
        ("[url_policy]\ndefalt = 'deny'", "did you mean url_policy.default?"),
        ("[permissions]\nremeber = 'x'", "did you mean permissions.remember?"),
        ("[zzz]", "unknown key zzz"),
    ],
)
def test_an_unknown_key_is_a_warning_that_suggests_the_nearest(text: str, warning: str) -> None:
    warnings = Config.from_toml(text).warnings
    assert [warning in text for text in warnings] == [True]


def test_limits_of_a_tier_2_file_are_those_of_the_configuration() -> None:
    registry = ToolRegistry(
        config=Config.from_toml(f'[tools.tiers]\n"{X}" = 2\n[tools.limits]\n"{X}" = {{fuel = 777777}}')
    )
    registry.vfs.write(X, tool("x"))
    registry.scan()
    session = registry["x"].session
    assert isinstance(session, Session)
    assert session.policy.limits.fuel == 777777
    registry.close()
