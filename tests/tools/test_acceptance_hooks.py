"""Acceptance cases A74..A108: io, hooks, permissions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Config, Deny, PermissionDenied, PermissionRequest, ToolRegistry
from tests.tools.conftest import tool

Registry = Callable[..., ToolRegistry]
TIER2 = '[tools.tiers]\n"/tools/shared/x.scm" = 2'


@pytest.fixture
def io(registry_of: Registry, tmp_path: Path) -> Callable[..., object]:
    """Evaluates an expression in a tier 2 tool; F is a path of the disk, V one of the VFS."""
    (tmp_path / "there.txt").write_text("disk", encoding="utf-8")

    def call(expression: str) -> object:
        paths = f'(define d "{tmp_path}/")(define v "vfs:///shared/")'
        files = {"/shared/there.txt": "vfs", "x.scm": f"(import (harness io)){paths}" + tool("x", expression)}
        result = registry_of(files, config=TIER2, permission=lambda request: True).call("x")
        if result.error is not None:
            raise result.error
        return result.value

    return call


BOTH = pytest.mark.parametrize("at", ["d", "v"])


@BOTH
def test_tools_a74(io: Callable[..., object], at: str) -> None:
    """io-read of an existing file -> content; missing -> #f (VFS and OS)."""
    assert io(f'(io-read (string-append {at} "there.txt"))') == ("disk" if at == "d" else "vfs")
    assert io(f'(io-read (string-append {at} "missing"))') is False


@BOTH
def test_tools_a75(io: Callable[..., object], at: str) -> None:
    """io-write then io-read round trip (VFS and OS)."""
    assert io(f'(let ((p (string-append {at} "new/f"))) (list (io-write p "x") (io-read p)))') == [True, "x"]


@BOTH
def test_tools_a76(io: Callable[..., object], at: str) -> None:
    """write "line1\\n", append "line2\\n" -> both."""
    body = f'(let ((p (string-append {at} "f"))) (io-write p "line1\\n") (io-append p "line2\\n") (io-read p))'
    assert io(body) == "line1\nline2\n"


@BOTH
def test_tools_a77(io: Callable[..., object], at: str) -> None:
    """io-exists? true/false."""
    assert io(f'(map (lambda (n) (io-exists? (string-append {at} n))) (list "there.txt" "no"))') == [True, False]


@BOTH
def test_tools_a78(io: Callable[..., object], at: str) -> None:
    """io-list length 2 for two files, sorted; missing dir -> '()."""
    body = f'(let ((p (string-append {at} "dir/"))) (io-write (string-append p "b") "") (io-write (string-append p "a") "") (list (io-list (string-append {at} "dir")) (io-list (string-append {at} "none"))))'
    assert io(body) == [["a", "b"], []]


@BOTH
def test_tools_a79(io: Callable[..., object], at: str) -> None:
    """io-delete then io-exists? -> #f."""
    assert io(f'(let ((p (string-append {at} "there.txt"))) (io-delete p) (io-exists? p))') is False


def test_io_raises_for_what_is_no_string(io: Callable[..., object]) -> None:
    with pytest.raises(Exception, match="path is a string"):
        io("(io-read 'x)")


# -- hooks -------------------------------------------------------------------------------


def hook(point: str, body: str) -> str:
    return f"(register-hook '{point} (lambda (payload) {body}))"


def test_tools_a80(registry_of: Registry) -> None:
    """register on_start and pre_message -> tool carries both."""
    registry = registry_of(hook("on_start", "'()") + hook("pre_message", "'()") + tool("x"))
    assert set(registry["x"].hooks) == {"on_start", "pre_message"}


def test_tools_a81(registry_of: Registry) -> None:
    """unknown hook name skipped, others kept, load succeeds."""
    registry = registry_of(hook("PreMessage", "'()") + hook("on_start", "'()") + tool("x"))
    assert registry["x"].hooks == ("on_start",)
    (problem,) = registry.problems
    assert "unknown hook PreMessage" in str(problem)


def test_tools_a82(registry_of: Registry) -> None:
    """both tools of a two-tool file carry the hook; one event calls the handler once."""
    registry = registry_of(hook("on_start", '\'(("n" . 1))') + tool("a") + tool("b"))
    assert [item.hooks for item in registry.tools()] == [("on_start",), ("on_start",)]
    assert len(registry.fire("on_start", {}).results) == 1


def test_tools_a83(registry_of: Registry) -> None:
    """handler returning `(list (cons "saw" ...))` for `{"event":"start"}` -> one result {"saw":"start"}."""
    registry = registry_of(hook("on_start", '(list (cons "saw" (cdr (assoc "event" payload))))') + tool("x"))
    assert registry.fire("on_start", {"event": "start"}).results == (("x", {"saw": "start"}),)


def test_tools_a84(registry_of: Registry) -> None:
    """returning '() -> no result."""
    assert registry_of(hook("on_start", "'()")).fire("on_start", {}).results == ()


def test_tools_a85(registry_of: Registry) -> None:
    """handler error -> no result, no failure."""
    outcome = registry_of(hook("on_start", '(error "boom")') + hook("on_start", "'((a . 1))")).fire("on_start", {})
    assert [document for _, document in outcome.results] == [{"a": 1}]
    assert "boom" in str(outcome.problems[0])


def test_tools_a86(registry_of: Registry) -> None:
    """pre_message handler returning `(("prompt" . "modified prompt"))` -> prompt replaced."""
    registry = registry_of(hook("pre_message", '\'(("prompt" . "modified prompt"))'))
    assert registry.fire("pre_message", {"prompt": "p"}).answer == {"prompt": "modified prompt"}


def test_tools_a87(registry_of: Registry) -> None:
    """unregistered point -> nothing."""
    outcome = registry_of(tool("x")).fire("pre_message", {"prompt": "p"})
    assert (outcome.results, outcome.answer) == ((), {})


def test_tools_a88(registry_of: Registry) -> None:
    """no subprocess plugins (overruled): files answer in order, each handler in order."""
    registry = registry_of(
        {
            "a.scm": hook("post_system_prompt", '\'((inject . "1"))')
            + hook("post_system_prompt", '\'((inject . "2"))'),
            "b.scm": hook("post_system_prompt", '\'((inject . "3"))'),
        }
    )
    assert registry.fire("post_system_prompt", {}).get("inject") == ["1", "2", "3"]


def test_tools_a89(registry_of: Registry) -> None:
    """nested same-point dispatch skips Scheme; afterwards works again."""
    source = (
        "(define n 0)"
        + hook("pre_tool", '(begin (set! n (+ n 1)) (call-tool "x" (quote ())) (list (cons "n" n)))')
        + tool("x")
    )
    registry = registry_of(source)
    results = [registry.fire("pre_tool", {"tool_name": "y", "arguments": {}}).results for _ in range(2)]
    assert [len(found) for found in results] == [1, 1]
    assert registry.call("x").text == "ok"


def test_tools_a90(registry_of: Registry) -> None:
    """hook using io-write persists; fires no further hook (counter is 1)."""
    source = (
        "(import (harness io))"
        + hook(
            "pre_vfs_write",
            '(begin (io-append "vfs:///shared/log" "x") (quote ()))',
        )
        + tool("w", '"ok"', '(category "fs_write")')
    )
    registry = registry_of(source, config=TIER2, permission=lambda request: True)
    registry.call("w", {"path": "vfs:///shared/f", "content": "c"})
    assert registry.vfs.read("/shared/log") == b"x"


def test_tools_a91(registry_of: Registry) -> None:
    """pre_fetch_url `((denied . #t) (reason . "no"))` -> `Permission denied: no` even with an approving user."""
    source = hook("pre_fetch_url", '\'((denied . #t) (reason . "no"))') + tool("n", '"ok"', '(category "network")')
    result = registry_of(source, permission=lambda request: True).call("n")
    assert (result.text, type(result.error)) == ("Permission denied: no", PermissionDenied)


def test_tools_a92(registry_of: Registry) -> None:
    """pre_tool `((block . #t))` -> result "Tool call blocked by hook"."""
    assert registry_of(hook("pre_tool", "'((block . #t))") + tool("x")).call("x").text == "Tool call blocked by hook"


def test_tools_a93(registry_of: Registry) -> None:
    """(*) pre_tool returning nested `arguments` replaces arguments."""
    source = hook("pre_tool", "'((arguments . ((a . (1 2)) (b . ((c . #t))))))") + tool("x", "(json-stringify args)")
    assert registry_of(source).call("x", {"z": 1}).text == '{"a":[1,2],"b":{"c":true}}'


def test_tools_a94(registry_of: Registry) -> None:
    """(*) pre_api_tools returning `(("exclude" . ("shell_exec")))` removes it."""
    source = hook("pre_api_tools", '\'(("exclude" . ("shell_exec")))') + tool("x")
    registry = registry_of(source, builtins="list")
    names = [item["name"] for item in registry.schemas("anthropic")]
    assert "shell_exec" in registry.names()
    assert "shell_exec" not in names
    assert "x" in names


def test_tools_a95(registry_of: Registry) -> None:
    """(*) network-category tool's hooks fire."""
    source = hook("on_start", "'((a . 1))") + tool("n", '"ok"', '(category "network")')
    assert len(registry_of(source).fire("on_start", {}).results) == 1


# -- permissions -------------------------------------------------------------------------

NETWORK = tool("t", '"ok"', '(category "network")', '(summary-params \'("action" "ticker" "quantity"))')


class Asked(list[PermissionRequest]):
    """A handler that remembers what it was asked."""

    def __init__(self, answer: object = True) -> None:
        super().__init__()
        self.answer = answer

    def __call__(self, request: PermissionRequest) -> object:
        self.append(request)
        return self.answer


def test_tools_a96(registry_of: Registry) -> None:
    """network tool, no url -> request {tool, summary:"buy AAPL", safety:"no_url"}, no url; the hook sees the same."""
    asked = Asked()
    seen = "(define seen '())" + hook("pre_fetch_url", '(begin (call-tool "note" payload) \'())')
    registry = registry_of(
        {
            "a.scm": seen,
            "b.scm": NETWORK,
            "c.scm": "(define got '())"
            + tool(
                "note",
                '(call-tool "write_file" (list (cons "path" "vfs:///shared/seen") (cons "content" (json-stringify args))))',
            ),
        },
        permission=asked,
    )
    assert registry.call("t", {"action": "buy", "ticker": "AAPL"}).text == "ok"
    assert (asked[0].tool, asked[0].summary, asked[0].safety, asked[0].url) == ("t", "buy AAPL", "no_url", None)
    assert registry.vfs.read("/shared/seen") == b'{"tool_name":"t","summary":"buy AAPL","safety":"no_url"}'


def test_tools_a97(registry_of: Registry) -> None:
    """no handler -> refused, contains "fail-safe deny"."""
    assert "fail-safe deny" in registry_of(NETWORK).call("t").text


def test_tools_a98(registry_of: Registry) -> None:
    """handler false -> `Permission denied: permission denied`."""
    assert registry_of(NETWORK, permission=Asked(False)).call("t").text == "Permission denied: permission denied"
    assert registry_of(NETWORK, permission=Asked(Deny("no"))).call("t").text == "Permission denied: no"
    assert registry_of(NETWORK, permission=Asked(1)).call("t").error is not None


def test_tools_a99(registry_of: Registry) -> None:
    """(*) prompt text `[t] buy AAPL [Y/n] `."""
    asked = Asked()
    registry_of(NETWORK, permission=asked).call("t", {"action": "buy", "ticker": "AAPL"})
    assert asked[0].prompt == "[t] buy AAPL [Y/n] "


def test_an_argument_that_was_slipped_in_takes_no_summarys_place(registry_of: Registry) -> None:
    asked = Asked()
    registry = registry_of(
        NETWORK + tool("p", '"ok"', '(category "network")', parameters="'((path) (command (required . #f)))"),
        permission=asked,
    )
    registry.call("t", {"action": "sell", "ticker": "AAPL", "path": "/harmless", "command": "true"})
    registry.call("p", {"path": "/declared"})
    assert [request.prompt for request in asked] == ["[t] sell AAPL [Y/n] ", "[p] /declared [Y/n] "]


def test_tools_a100(registry_of: Registry) -> None:
    """(*) quantity 10 (number) appears in the summary."""
    asked = Asked()
    registry_of(NETWORK, permission=asked).call("t", {"action": "buy", "ticker": "AAPL", "quantity": 10})
    assert asked[0].summary == "buy AAPL 10"


@pytest.mark.parametrize("url", ["", 5])
def test_tools_a101(registry_of: Registry, url: object) -> None:
    """url "" behaves as 96."""
    asked = Asked()
    registry_of(NETWORK, permission=asked).call("t", {"action": "buy", "url": url})
    assert (asked[0].safety, asked[0].url) == ("no_url", None)


def test_tools_a102(registry_of: Registry) -> None:
    """url https://example.com -> no prompt."""
    asked = Asked()
    assert registry_of(NETWORK, permission=asked).call("t", {"url": "https://example.com"}).text == "ok"
    assert asked == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://localhost:1/", "loopback address"),
        ("http://LOCALHOST./", "loopback address"),
        ("http://%6cocalhost/", "loopback address"),
        ("http://127.1/", "loopback address"),
        ("http://0x7f.1/", "loopback address"),
        ("http://017700000001/", "loopback address"),
        ("http://0.0.0.0/", "loopback address"),
        ("http://[::1]/", "loopback address"),
        ("http://[::]/", "loopback address"),
        ("http://[::ffff:127.0.0.1]/", "loopback address"),
        ("http://a@127.0.0.1/", "loopback address"),
        ("http:\\\\127.0.0.1\\", "loopback address"),
        ("http://169.254.169.254/x", "cloud metadata endpoint"),
        ("http://[::ffff:169.254.169.254]/x", "cloud metadata endpoint"),
        ("http://169.254.1.1/", "link-local address"),
        ("http://[fe80::1]/", "link-local address"),
        ("http://10.1.2.3/", "private network address"),
        ("http://192.168.0.1/", "private network address"),
        ("http://172.31.0.1/", "private network address"),
        ("http://100.64.0.1/", "private network address"),
        ("http://[fd00::1]/", "private network address"),
        ("not-a-url", "could not parse URL"),
        ("file:///etc/passwd", "could not parse URL"),
        ("mailto:x@y", "could not parse URL"),
        ("http://1.2.3.4.5/", "could not parse URL"),
    ],
)
def test_tools_a103(registry_of: Registry, url: str, reason: str) -> None:
    """url http://localhost:1/ -> prompted, reason "loopback address"."""
    asked = Asked()
    registry_of(NETWORK, permission=asked).call("t", {"url": url})
    assert (asked[0].reason, asked[0].safety, asked[0].url) == (reason, "sensitive", url)


def test_tools_a104(registry_of: Registry) -> None:
    """url_policy default deny -> refused without a prompt; allow loopback -> localhost silently allowed."""
    asked = Asked()
    policy = '[url_policy]\ndefault = "deny"\nallow = ["preset:loopback", "https://ok.example/*"]'
    registry = registry_of(NETWORK, config=policy, permission=asked)
    assert registry.call("t", {"url": "https://example.com"}).text == "Permission denied: denied by URL policy"
    assert registry.call("t", {"url": "http://localhost/"}).text == "ok"
    assert registry.call("t", {"url": "https://OK.example/x"}).text == "ok"
    assert registry.call("t", {"url": "http://10.0.0.1/"}).text == "Permission denied: private network address"
    assert asked == []


def test_tools_a105(registry_of: Registry) -> None:
    """shell category -> pre_shell_exec with command "" when absent."""
    source = hook("pre_shell_exec", '(list (cons "denied" #t) (cons "reason" (json-stringify payload)))')
    registry = registry_of(source + tool("s", '"ok"', '(category "shell")'))
    assert registry.call("s").text == 'Permission denied: {"tool_name":"s","command":""}'


def test_tools_a106(registry_of: Registry) -> None:
    """fs_write with vfs path -> pre_vfs_write fired, never blocked."""
    note = '(begin (call-tool "vfs_mkdir" \'(("path" . "vfs:///shared/fired"))) \'((denied . #t) (block . #t)))'
    registry = registry_of(hook("pre_vfs_write", note) + tool("w", '"ok"', '(category "fs_write")'))
    assert registry.call("w", {"path": "vfs:///shared/f"}).text == "ok"
    assert registry.vfs.kind("/shared/fired") == "dir"


def test_tools_a107(registry_of: Registry, tmp_path: Path) -> None:
    """fs_read with path under project root -> silent; outside -> prompted."""
    asked = Asked()
    root = tmp_path / "root"
    root.mkdir()
    (root / "in").write_text("", encoding="utf-8")
    (tmp_path / "out").write_text("", encoding="utf-8")
    registry = registry_of(tool("r", '"ok"', '(category "fs_read")'), permission=asked, project_root=root)
    assert registry.call("r", {"path": "in"}).text == "ok"
    assert asked == []
    assert registry.call("r", {"path": str(root / ".." / "out")}).text == "ok"
    assert asked[0].path == str((tmp_path / "out").resolve())
    assert registry.call("r", {"path": "missing"}).text.startswith("Permission denied: missing")


def test_tools_a108(registry_of: Registry) -> None:
    """synthesised category without grants -> never prompted; with http or tier 2 asked, capability named."""
    asked = Asked()
    assert registry_of(tool("x"), permission=asked).call("x").text == "ok"
    assert asked == []
    registry_of(tool("x"), permission=asked, config='[tools.http.allow]\n"/tools" = ["https://a.example/"]').call("x")
    registry_of(tool("x"), permission=asked, config='[tools.tiers]\n"/tools" = 2').call("x")
    assert [request.capability for request in asked] == ["http", "unsandboxed"]
    assert asked[0].prompt == "[x] (may reach https://a.example/) [Y/n] "


@pytest.mark.parametrize(
    ("config", "url", "capability"),
    [
        ('[tools.http.allow]\n"/tools" = ["https://a.example/"]', "https://a.example/x", None),
        ('[tools.http.allow]\n"/tools" = ["https://a.example/"]', "https://b.example/x", "http"),
        ("[tools.http]\ntrust-declared = true", "https://d.example/x", "http"),
        ('[tools.http]\ntrust-declared = true\n[url_policy]\ndefault = "allow"', "https://d.example/x", "http"),
        ('[tools.tiers]\n"/tools" = 2', "https://a.example/x", "unsandboxed"),
    ],
)
def test_an_argument_covers_no_more_than_what_the_operator_granted(
    registry_of: Registry, config: str, url: str, capability: str | None
) -> None:
    """What a network tool is given as url says nothing about what it fetches."""
    asked = Asked(False)
    source = '(define tool-http-allow \'("https://d.example/"))' + NETWORK
    result = registry_of(source, config=config, permission=asked).call("t", {"url": url})
    assert [request.capability for request in asked] == ([] if capability is None else [capability])
    assert (result.error is None) is (capability is None)


def test_an_answer_for_a_file_that_grants_itself_urls_ends_with_its_content(registry_of: Registry) -> None:
    from chibi_bridge import Allow

    asked = Asked(Allow("file"))
    source = '(define tool-http-allow \'("https://d.example/"))(import (tein http))' + NETWORK
    registry = registry_of(source, config="[tools.http]\ntrust-declared = true", permission=asked)
    for _ in range(2):
        assert registry.call("t", {"url": "https://d.example/"}).text == "ok"
    assert len(asked) == 1
    registry.vfs.write("/tools/shared/x.scm", source.replace("d.example", "evil.example"))
    assert registry.call("t", {"url": "https://d.example/"}).text == "ok"
    assert len(asked) == 2
    assert asked[1].prompt == "[t] https://d.example/ (may reach https://evil.example/) [Y/n] "


def test_nobody_asked_means_no_for_a_capability(registry_of: Registry) -> None:
    registry = registry_of(tool("x"), config=Config(tiers={"/tools": 2}))
    assert isinstance(registry.call("x").error, PermissionDenied)
