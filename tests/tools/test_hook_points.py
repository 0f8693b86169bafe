"""The table of hook points, how answers compose, and the points that the registry fires itself."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Allow, Config, ConfigError, FuelExhausted, PermissionRequest, ToolRegistry
from chibi_bridge.tools.hooks import POINTS, HookOutcome, scheme_docs
from tests.tools.conftest import tool

Registry = Callable[..., ToolRegistry]
DOCS = Path(__file__).resolve().parent.parent.parent / "scheme" / "lib" / "harness" / "hooks-docs.scm"


def hook(point: str, body: str) -> str:
    return f"(register-hook '{point} (lambda (payload) {body}))"


def test_the_docs_in_scheme_are_those_of_the_table() -> None:
    assert len(POINTS) == 33
    assert DOCS.read_text(encoding="utf-8").endswith("\n\n" + scheme_docs())


@pytest.mark.parametrize(
    ("point", "payload", "answers", "composed"),
    [
        ("pre_system_prompt", {}, ['((inject . "a"))', '((inject . ""))', '((inject . "b"))'], {"inject": ["b", "a"]}),
        ("pre_tool", {}, ["((arguments . ((a . 1))))", "((arguments . ((b . 2))))"], {"arguments": {"b": 2}}),
        (
            "pre_tool",
            {},
            ["((arguments . ((a . 1))))", '((block . #t) (message . "m"))'],
            {"block": True, "message": "m"},
        ),
        ("pre_tool", {}, ['((block . "true"))'], {}),
        (
            "pre_tool_output",
            {},
            ['((output . "x"))', "((block . #t))"],
            {"block": True, "message": "Output blocked by hook"},
        ),
        (
            "pre_api_tools",
            {},
            ['((include . ("a" "b")))', '((include . ("b" "c")) (exclude . ("d")))'],
            {"include": ["b"], "exclude": ["d"]},
        ),
        ("pre_api_tools", {}, ["((include . #()))"], {"include": []}),
        (
            "pre_api_request",
            {},
            ["((request_body . ((a . 1) (b . 1))))", "((request_body . ((b . 2))))"],
            {"request_body": {"a": 1, "b": 2}},
        ),
        ("post_tool_batch", {"fuel_remaining": 5}, ["((fuel_delta . -9))", "((fuel_delta . 2))"], {"fuel": 2}),
        ("pre_agentic_loop", {}, ['((fuel . 3) (fallback . "f"))'], {"fallback": "f"}),
        ("pre_shell_exec", {}, ["((denied . 1))", "((denied . #t))"], {"denied": True, "reason": "denied by plugin"}),
        ("pre_spawn_agent", {}, ['((response . "r"))', "((block . #t))"], {"response": "r"}),
        ("pre_cache_output", {}, ["((a . 1))", "((block . #t))"], {"block": True}),
        ("pre_send_message", {}, ["((delivered . #t))"], {"delivered": True, "via": "x"}),
    ],
)
def test_answers_compose(
    registry_of: Registry, point: str, payload: dict[str, object], answers: list[str], composed: dict[str, object]
) -> None:
    source = "".join(hook(point, f"'{answer}") for answer in answers)
    assert registry_of(source + tool("x")).fire(point, payload).answer == composed


@pytest.mark.parametrize("name", POINTS)
def test_each_key_of_an_answer_is_an_attribute_with_its_type(name: str) -> None:
    row = POINTS[name]
    made: dict[str, object] = {
        "arguments": {"a": 1}, "output": "o", "prompt": "p", "inject": "i", "include": ["a"], "exclude": ["b"],
        "request_body": {"k": 1}, "fallback": "f", "fuel": 3, "fuel_delta": 1, "response": "r", "delivered": True,
        "via": "v", "denied": True, "reason": "why", "block": True, "message": "m",
    }  # fmt: skip
    for key in row.returns:
        given = {key: made[key]} | ({"denied": True} if key == "reason" else {}) | (
            {"block": True} if key == "message" else {}) | ({"delivered": True} if key == "via" else {})  # fmt: skip
        answer = row.compose({"fuel_remaining": 1}, [("x", given)])
        outcome = HookOutcome(name, answer=answer)
        attribute = {"block": "blocked", "fuel_delta": "fuel"}.get(key, key)
        expected = {"inject": ["i"], "fuel_delta": 2}.get(key, made[key])
        assert getattr(outcome, attribute) == expected, key
    empty = HookOutcome(name)
    assert (empty.denied, empty.blocked, empty.delivered, empty.inject, empty.exclude) == (False, False, False, [], [])
    assert empty.arguments is empty.output is empty.include is empty.fuel is empty.response is None


def test_an_unknown_point_is_a_mistake(registry_of: Registry) -> None:
    with pytest.raises(ValueError, match="no hook point 'nope'"):
        registry_of({}).fire("nope", {})


def test_a_hook_that_loops_ends(registry_of: Registry) -> None:
    config = Config.from_toml('[tools.limits]\n"/tools" = {fuel = 50000}')
    outcome = registry_of(hook("pre_message", "(let f () (f))"), config=config).fire("pre_message", {"prompt": "p"})
    assert isinstance(outcome.problems[0], FuelExhausted)


def test_hooks_that_call_tools_around_each_other_end(registry_of: Registry) -> None:
    """Without a bound, twenty such files would make millions of calls around one."""
    points = ("pre_tool", "post_tool", "pre_tool_output", "post_tool_output")
    source = "".join(hook(point, '(begin (call-tool "y" (quote ())) (quote ()))') for point in points)
    files = {f"h{number}.scm": source for number in range(20)}
    registry = registry_of({**files, "x.scm": tool("x"), "y.scm": tool("y")}, config=Config())
    start = time.monotonic()
    assert registry.call("x").text == "ok"
    assert time.monotonic() - start < 30
    assert registry.call("y").text == "ok"


def test_a_hook_that_refuses_holds_for_calls_of_hooks_too(registry_of: Registry) -> None:
    ran: list[str] = []
    files = {
        "deny.scm": hook("pre_shell_exec", "'((denied . #t) (reason . \"no shell\"))"),
        "evil.scm": hook(
            "pre_tool", "(guard (e (#t (list (cons \"message\" (error-object-message e)) (cons \"block\" #t))))"
            ' (call-tool "shell_exec" (list (cons "command" "true"))) (quote ()))'
        ),
        "x.scm": tool("x"),
    }  # fmt: skip
    registry = registry_of(files, permission=lambda request: ran.append(request.tool) or True)
    assert "no shell" in registry.call("x").text
    assert ran == []


def test_hooks_of_a_private_file_fire_for_its_owner_only(registry_of: Registry) -> None:
    registry = registry_of({"/tools/home/alice/h.scm": hook("on_start", "'((a . 1))")})
    assert len(registry.fire("on_start", {}, context="alice").results) == 1
    assert registry.fire("on_start", {}, context="bob").results == ()


def test_a_hook_knows_the_context(registry_of: Registry) -> None:
    registry = registry_of(hook("on_start", "(list (cons 'who %context-name%))"))
    assert registry.fire("on_start", {}, context="bob").results[0][1] == {"who": "bob"}


def test_the_registry_fires_its_points_around_a_call(registry_of: Registry) -> None:
    points = [name for name, row in POINTS.items() if row.fired]
    log = '(call-tool "note" (list (cons "p" "{}") (cons "j" payload)))'
    source = "".join(hook(point, f"(begin {log.format(point)} '())") for point in points)
    note = (
        "(define seen '())"
        + tool("note", '(begin (set! seen (cons (cdr (assoc "p" args)) seen)) "ok")')
        + tool("seen", "(reverse seen)")
    )
    files = {
        "a.scm": source,
        "note.scm": note,
        "w.scm": tool("w", '"ok"', '(category "fs_write")') + tool("s", '"ok"', '(category "shell")')
        + tool("n", '"ok"', '(category "network")') + tool("r", '"ok"', '(category "fs_read")'),
    }  # fmt: skip
    registry = registry_of(files, config=Config(), permission=lambda request: True)
    registry.call("w", {"path": "vfs:///shared/f", "content": "c"})
    registry.call("w", {"path": "/nowhere"})
    registry.call("s")
    registry.call("n")
    registry.call("r", {"path": "/"})
    registry.schemas()
    assert set(registry.call("seen").value) == set(points)


def test_output_hooks_change_and_block_the_text(registry_of: Registry) -> None:
    assert registry_of(hook("pre_tool_output", '\'((output . "new"))') + tool("x")).call("x").text == "new"
    blocked = registry_of(hook("pre_tool_output", "'((block . #t))") + tool("x")).call("x")
    assert (blocked.text, blocked.value) == ("Output blocked by hook", "Output blocked by hook")


# -- remembered answers --------------------------------------------------------------------

NET = tool("n", '"ok"', '(category "network")') + tool("m", '"ok"', '(category "network")')


class Answer(list[PermissionRequest]):
    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def __call__(self, request: PermissionRequest) -> object:
        self.append(request)
        return self.answer


@pytest.mark.parametrize(("scope", "asked"), [("call", 4), ("tool", 2), ("file", 1), ("category", 1)])
def test_an_answer_holds_for_its_scope(registry_of: Registry, scope: str, asked: int) -> None:
    ask = Answer(Allow(scope))
    registry = registry_of(NET, permission=ask)
    for name in ("n", "n", "m", "m"):
        assert registry.call(name).text == "ok"
    assert len(ask) == asked


def test_a_changed_file_is_asked_for_again(registry_of: Registry) -> None:
    ask = Answer(Allow("file"))
    registry = registry_of(NET, permission=ask)
    registry.call("n")
    registry.vfs.write("/tools/shared/x.scm", NET + "\n")
    registry.call("n")
    assert len(ask) == 2
    assert ask[0].file_hash != ask[1].file_hash


def test_answers_last_in_a_file_until_they_expire(registry_of: Registry, tmp_path: Path) -> None:
    remember = tmp_path / "answers.json"
    ask = Answer(Allow("tool", seconds=3600))
    for _ in range(2):
        assert registry_of(NET, permission=ask, config=Config(remember=str(remember))).call("n").text == "ok"
    assert len(ask) == 1
    assert remember.stat().st_mode & 0o777 == 0o600
    text = re.sub(r'"expires": [0-9.]+', '"expires": 1', remember.read_text(encoding="utf-8"))
    remember.write_text(text, encoding="utf-8")
    registry_of(NET, permission=ask, config=Config(remember=str(remember))).call("n")
    assert len(ask) == 2
    remember.write_text("{", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"answers\.json"):
        registry_of(NET, permission=ask, config=Config(remember=str(remember)))


def test_a_nested_call_is_asked_for_with_its_chain(registry_of: Registry) -> None:
    ask = Answer(False)
    registry = registry_of(tool("x", '(call-tool "shell_exec" (list (cons "command" "rm -rf /")))'), permission=ask)
    assert "Permission denied" in registry.call("x").text
    assert ask[0].chain == ("x", "shell_exec")
    assert ask[0].prompt == "[x -> shell_exec] rm -rf / [Y/n] "


def test_two_files_that_wait_for_each_other_end(registry_of: Registry) -> None:
    import threading

    files = {
        "a.scm": tool("a", '(begin (call-tool "pause" (quote ())) (call-tool "b2" (quote ())))') + tool("a2"),
        "b.scm": tool("b", '(begin (call-tool "pause" (quote ())) (call-tool "a2" (quote ())))') + tool("b2"),
        "c.scm": tool("pause"),
    }
    registry = registry_of(files, config=Config())
    barrier = threading.Barrier(2, timeout=10)
    registry._builtins["pause"] = registry["pause"]
    results: list[str] = []
    session = registry["pause"].session
    original = session.call

    def wait(*args: object) -> object:
        barrier.wait()
        return original(*args)  # type: ignore[arg-type]

    session.call = wait  # type: ignore[method-assign]
    threads = [threading.Thread(target=lambda n=name: results.append(registry.call(n).text)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(results) == 2
    assert any("wait for each other" in text for text in results)
