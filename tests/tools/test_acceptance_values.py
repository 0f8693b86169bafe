"""Acceptance cases A34..A73: execution and values, the sandbox, scheme_eval."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from chibi_bridge import (
    Config,
    FuelExhausted,
    Limits,
    SandboxViolation,
    SchemeError,
    Tool,
    ToolList,
    ToolRegistry,
)
from tests.tools.conftest import conv, tool

One = Callable[..., Tool]
Registry = Callable[..., ToolRegistry]


def rf(report: str) -> str:
    """The text after `result: ` up to the `stdout: ` line."""
    return report.removeprefix("result: ").rpartition("\nstdout: ")[0]


def run(one: One, body: str, args: dict[str, object] | None = None, **options: object) -> str:
    """RF of a tool with this body."""
    return rf(one(conv(tool_execute=f"(lambda (args) {body})"), **options).call(args or {}).report())


def test_tools_a34(one: One) -> None:
    """word_count sample with `{"text":"hello world foo"}` -> RF `3`."""
    body = '(length (filter (lambda (s) (not (string-null? s))) (string-split (cdr (assoc "text" args)) " ")))'
    assert run(one, body, {"text": "hello world foo"}) == "3"


def test_tools_a35(one: One) -> None:
    """tool returning `%context-name%` called from context default -> RF `default`."""
    assert run(one, "%context-name%") == "default"
    made = one(conv(tool_execute="(lambda (args) %context-name%)"))
    assert [made.call({}, context=name).text for name in ("alice", 'b"\\b', "alice")] == ["alice", 'b"\\b', "alice"]


def test_tools_a36(one: One) -> None:
    """generate-id and current-timestamp -> RF matches `[0-9a-f]{8}:\\d{8}-\\d{4}z`."""
    text = run(one, '(string-append (generate-id) ":" (current-timestamp))')
    assert re.fullmatch(r"[0-9a-f]{8}:\d{8}-\d{4}z", text)


def test_tools_a37(one: One) -> None:
    """tool `(error "intentional boom")` -> text contains `result: error:` and `intentional boom`."""
    result = one(conv(tool_execute='(lambda (args) (error "intentional boom"))')).call({})
    assert "result: error:" in result.report()
    assert "intentional boom" in result.report()


def test_tools_a38(one: One) -> None:
    """tool that displays "a" then errors -> stdout `a` present."""
    result = one(conv(tool_execute='(lambda (args) (display "a") (error "x"))')).call({})
    assert "\nstdout: a\n" in result.report()


@pytest.mark.parametrize("tier", [1, 2])
def test_tools_a39(one: One, tier: int) -> None:
    """`(display 42)` in either tier -> stdout `42`, stderr `(empty)`."""
    config = Config(tiers={"/tools/shared": tier})
    result = one(conv(tool_execute="(lambda (args) (display 42) 1)"), config=config).call({})
    assert result.report() == "result: 1\nstdout: 42\nstderr: (empty)"


def test_tools_a40(one: One) -> None:
    """output of call 1 absent from call 2."""
    made = one(conv(tool_execute='(lambda (args) (if (assoc "p" args) (display "first")) 1)'))
    assert made.call({"p": 1}).stdout == "first"
    assert made.call({}).stdout == ""


@pytest.mark.parametrize(("body", "text"), [("42", "42"), ("'()", "()"), ("#t", "#t"), ('\'(1 "x")', '(1 "x")')])
def test_tools_a41(one: One, body: str, text: str) -> None:
    """tool returning 42 -> RF `42`; `'()` -> `()`; `#t` -> `#t`; `'(1 "x")` -> `(1 "x")`."""
    assert run(one, body) == text


def test_tools_a42(one: One) -> None:
    """args `{"a":[1,2],"b":null,"c":{}}` -> a is (1 2); b is symbol null; c is '()."""
    body = (
        '(list (cdr (assoc "a" args)) (cdr (assoc "b" args)) (symbol? (cdr (assoc "b" args))) (cdr (assoc "c" args)))'
    )
    assert run(one, body, {"a": [1, 2], "b": None, "c": {}}) == "((1 2) null #t ())"


def test_tools_a43(one: One) -> None:
    """args with integers 9007199254740993 and 18446744073709551615 -> exact (overruled)."""
    body = '(map exact? (list (cdr (assoc "a" args)) (cdr (assoc "b" args))))'
    assert run(one, body, {"a": 9007199254740993, "b": 18446744073709551615}) == "(#t #t)"
    assert run(one, '(cdr (assoc "b" args))', {"b": 18446744073709551615}) == "18446744073709551615"


ECHO = tool("echo", "(json-stringify args)")


def caller(expression: str) -> dict[str, str]:
    """A file whose tool evaluates this, beside one with an echo."""
    return {"echo.scm": ECHO, "x.scm": tool("x", expression)}


@pytest.mark.parametrize(
    ("args", "json"),
    [
        ('\'(("cmd" . "ls"))', '{"cmd":"ls"}'),
        ('\'(("l" . (1 2)) ("o" . (("a" . 1))))', '{"l":[1,2],"o":{"a":1}}'),
    ],
    ids=["a44", "a45"],
)
def test_tools_a44_a45(registry_of: Registry, args: str, json: str) -> None:
    """call-tool "echo" -> target sees {"cmd":"ls"}; (*) {"l":[1,2],"o":{"a":1}}."""
    assert registry_of(caller(f'(call-tool "echo" {args})')).call("x").text == json


def test_tools_a46(registry_of: Registry) -> None:
    """(*) `(call-tool "echo" '())` -> {}: no arguments at all."""
    files = {"echo.scm": tool("echo", "(null? args)"), "x.scm": tool("x", '(call-tool "echo" \'())')}
    assert registry_of(files).call("x").text == "#t"


def test_tools_a47(registry_of: Registry) -> None:
    """`(call-tool "nope" '())` -> an error object, `unknown tool`, not "no active call context"."""
    body = '(guard (e ((error-object? e) (error-object-message e))) (call-tool "nope" \'()))'
    text = registry_of(tool("x", body)).call("x").text
    assert "unknown tool: nope" in text
    assert "no active call context" not in text


def test_tools_a48(one: One, registry_of: Registry) -> None:
    """call-tool at load time or in a hook without bridge -> message contains `no active call context`."""
    loaded = registry_of(
        '(define seen (guard (e (#t (error-object-message e))) (call-tool "echo" \'())))' + tool("x", "seen")
    )
    assert "no active call context" in loaded.call("x").text
    hook = '(define seen #f)(register-hook \'on_start (lambda (p) (guard (e (#t (list (cons "m" (error-object-message e))))) (call-tool "x" \'()))))'
    ((_, document),) = registry_of(hook + tool("x")).fire("on_start", {}).results
    assert "no active call context" in str(document["m"])
    assert "no active call context" in run(one, '(call-tool "echo" \'())')


def test_tools_a49(registry_of: Registry) -> None:
    """`(guard (e (#t "caught")) (call-tool "nope" '()))` -> RF `caught`."""
    assert (
        rf(registry_of(tool("x", '(guard (e (#t "caught")) (call-tool "nope" \'()))')).call("x").report()) == "caught"
    )


def test_tools_a50(registry_of: Registry) -> None:
    """(*) `(call-tool 'x '())` -> raises."""
    assert (
        registry_of(tool("x", "(guard (e ((error-object? e) \"raised\")) (call-tool 'x '()))")).call("x").text
        == "raised"
    )
    assert isinstance(registry_of(tool("x", "(call-tool 'x '())")).call("x").error, SchemeError)


def test_tools_a51(registry_of: Registry) -> None:
    """(*) tool calling itself via call-tool -> terminates with a recursion error, never hangs."""
    registry = registry_of(tool("x", '(call-tool "x" \'())'))
    assert "recursion" in registry.call("x").text
    assert "recursion" in asyncio.run(registry.call_async("x")).text


def test_a_tool_that_calls_itself_a_few_times_gets_its_answer(registry_of: Registry) -> None:
    body = '(let ((n (cdr (assoc "n" args)))) (display n) (if (= n 0) "0" (string-append (number->string n) (call-tool "x" (list (cons "n" (- n 1)))))))'
    registry = registry_of(tool("x", body))
    assert registry.call("x", {"n": 3}).text == "3210"
    assert registry.call("x", {"n": 3}).stdout == "3"
    assert asyncio.run(registry.call_async("x", {"n": 3})).text == "3210"


def test_tools_a52(one: One) -> None:
    """sandboxed tool looping forever -> FuelExhausted, report begins `result: error: `; next call works."""
    source = conv(tool_execute='(lambda (args) (if (assoc "loop" args) (let f () (f)) "ok"))')
    made = one(source, limits=Limits(fuel=100_000))
    result = made.call({"loop": True})
    assert isinstance(result.error, FuelExhausted)
    assert result.report().startswith("result: error: ")
    assert result.fuel_used >= 100_000
    assert made.call({}).text == "ok"


def test_tools_a53(load: Callable[..., ToolList]) -> None:
    """(*) file whose second top-level form loops forever -> load fails in bounded time."""
    with pytest.raises(FuelExhausted):
        load("(define x 1)\n(let f () (f))\n" + conv(), limits=Limits(fuel=100_000))


def test_tools_a54(registry_of: Registry) -> None:
    """toplevel counter incremented per call -> 1, 2, 3; after rewrite of the file -> 1 again."""
    source = "(define n 0)" + tool("x", "(begin (set! n (+ n 1)) n)")
    registry = registry_of(source, config=Config())
    assert [registry.call("x").value for _ in range(3)] == [1, 2, 3]
    registry.vfs.write("/tools/shared/x.scm", source + "\n")
    assert registry.call("x").value == 1


# -- the sandbox -------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["a55", "a56"])
def test_tools_a55_a56(load: Callable[..., ToolList], case: str) -> None:
    """`(import (harness io))` sandboxed -> load fails (A55 overruled: regexps are safe here)."""
    with pytest.raises(SandboxViolation, match="harness io"):
        load("(import (harness io))" + conv())


def test_tools_a57(load: Callable[..., ToolList]) -> None:
    """same with tier 2 -> loads."""
    assert len(load("(import (harness io))" + conv(), config=Config(tiers={"/tools/shared/x.scm": 2}))) == 1


@pytest.mark.parametrize("tier", [1, 2])
def test_tools_a58(one: One, tier: int) -> None:
    """`(import (harness docs))` in both tiers; both docs are pairs."""
    source = "(import (harness docs))" + conv(
        tool_execute="(lambda (args) (and (pair? hooks-docs) (pair? harness-tools-docs)))"
    )
    assert one(source, config=Config(tiers={"/tools": tier})).call({}).value is True


def test_tools_a59(one: One) -> None:
    """`(module-doc hooks-docs 'pre_message)` mentions prompt/message; every one of 33 hook names is a key."""
    text = run(one, "(module-doc hooks-docs 'pre_message)")
    assert "prompt" in text or "message" in text
    assert run(one, "(length (module-docs hooks-docs))") == "33"


def test_tools_a60(one: One) -> None:
    """`(describe hooks-docs)` contains pre_message and post_tool."""
    text = run(one, "(describe hooks-docs)")
    assert "pre_message" in text
    assert "post_tool" in text


def test_tools_a61(one: One) -> None:
    """`(describe 'define-tool)` and `(describe 42)` -> strings mentioning alist."""
    for form in ("(describe 'define-tool)", "(describe 42)"):
        assert "alist" in run(one, form)
    assert "harness-tools-docs" in run(one, "(describe 'define-tool)")


@pytest.mark.parametrize("name", ["register-hook", "call-tool", "generate-id", "current-timestamp"])
def test_tools_a62(one: One, name: str) -> None:
    """`(string? (module-doc harness-tools-docs 'register-hook))` -> #t; same for the others."""
    assert run(one, f"(string? (module-doc harness-tools-docs '{name}))") == "#t"


def test_tools_a63(one: One) -> None:
    """sandboxed `(open-input-file "/etc/passwd")` -> error result, no content."""
    source = "(import (scheme file))" + conv(tool_execute='(lambda (args) (read-line (open-input-file "/etc/passwd")))')
    result = one(source).call({})
    assert isinstance(result.error, SandboxViolation)
    assert "root:" not in result.report()


PRELUDE = [
    ("(let ((h (make-hash-table equal?))) (hash-table-set! h 'a 1) (hash-table-ref h 'a #f))", "1"),
    ("(sort '(3 1 2) <)", "(1 2 3)"),
    ("(list-sort < '(3 1 2))", "(1 2 3)"),
    ("(vector-map + #(1 2 3) #(10 20 30))", "#(11 22 33)"),
    ('(and (string-contains "hello world" "world") #t)', "#t"),
    ("(match '(1 2 3) ((a b c) (+ a b c)))", "6"),
    ('(cdr (assoc "a" (json-parse "{\\"a\\":1}")))', "1"),
    ("(< -1 (random-integer 100) 100)", "#t"),
    ('(vector? (regexp-search "hello" "hello world"))', "#t"),
    ("(= 5 (magnitude (make-rectangular 3.0 4.0)))", "#t"),
    ("(exact->inexact 1/2)", "0.5"),
]


@pytest.mark.parametrize(("form", "text"), PRELUDE)
def test_tools_a64(one: One, form: str, text: str) -> None:
    """prelude checks of 3.3 all hold in a fresh session."""
    assert run(one, form) == text


# -- scheme_eval -------------------------------------------------------------------------


@pytest.fixture
def evaluate(registry_of: Registry) -> Callable[..., str]:
    """The report of scheme_eval."""
    registry = registry_of({})

    def call(code: str | None, context: str = "default") -> str:
        args = {} if code is None else {"code": code}
        return registry.call("scheme_eval", args, context=context).report()

    call.registry = registry  # type: ignore[attr-defined]
    return call


def test_tools_a65(evaluate: Callable[..., str]) -> None:
    """`(+ 1 2)` -> `result: 3` LF `stdout: (empty)` LF `stderr: (empty)`."""
    assert evaluate("(+ 1 2)") == "result: 3\nstdout: (empty)\nstderr: (empty)"


def test_tools_a66(evaluate: Callable[..., str]) -> None:
    """`"hi"` -> `result: "hi"`."""
    assert rf(evaluate('"hi"')) == '"hi"'


def test_tools_a67(evaluate: Callable[..., str]) -> None:
    """`(define x 42)` then `x` -> 42."""
    evaluate("(define x 42)")
    assert rf(evaluate("x")) == "42"


def test_tools_a68(evaluate: Callable[..., str]) -> None:
    """contexts a, b with different x stay isolated."""
    evaluate("(define x 1)", "a")
    evaluate("(define x 2)", "b")
    assert (rf(evaluate("x", "a")), rf(evaluate("x", "b"))) == ("1", "2")


def test_tools_a69(evaluate: Callable[..., str]) -> None:
    """`(display "oops" (current-error-port))` -> stderr oops."""
    assert evaluate('(display "oops" (current-error-port))').endswith("\nstdout: (empty)\nstderr: oops")


def test_tools_a70(evaluate: Callable[..., str]) -> None:
    """`undefined-var` -> contains `result: error:`."""
    assert "result: error:" in evaluate("undefined-var")


def test_tools_a71(evaluate: Callable[..., str]) -> None:
    """code "" or missing -> empty string."""
    assert (rf(evaluate("")), rf(evaluate(None))) == ("", "")


def test_tools_a72(evaluate: Callable[..., str]) -> None:
    """clear/rename/destroy context -> bindings gone."""
    evaluate("(define x 42)")
    evaluate.registry.evict("default")  # type: ignore[attr-defined]
    assert "error" in evaluate("x")


def test_tools_a73(evaluate: Callable[..., str]) -> None:
    """`(display 42)` -> result `#<unspecified>`."""
    assert evaluate("(display 42)") == "result: #<unspecified>\nstdout: 42\nstderr: (empty)"


def test_scheme_eval_calls_tools_through_the_gate(registry_of: Registry) -> None:
    registry = registry_of(tool("x", '(string-append "from " %context-name%)'))
    code = '(begin (display "a") (string-append (call-tool "x" (quote ())) "!"))'
    result = registry.call("scheme_eval", {"code": code}, context="bob")
    assert (result.text, result.stdout) == ('"from bob!"', "a")
    shell = '(guard (e (#t (error-object-message e))) (call-tool "shell_exec" (list (cons "command" "id"))))'
    assert "fail-safe deny" in registry.call("scheme_eval", {"code": shell}).text


def test_scheme_eval_inside_scheme_eval_keeps_its_consoles_apart(registry_of: Registry) -> None:
    registry = registry_of({})
    inner = '(begin (display \\"b\\") (define x 5) x)'
    code = f'(display "a") (define r (call-tool "scheme_eval" (list (cons "code" "{inner}")))) (display "c") (list r x)'
    result = registry.call("scheme_eval", {"code": code})
    assert (result.text, result.stdout) == ('("5" 5)', "ac")
    assert asyncio.run(registry.call_async("scheme_eval", {"code": code})).stdout == "ac"


def test_scheme_eval_goes_on_after_a_limit(registry_of: Registry) -> None:
    config = '[tools.limits]\n"/tools/sys/scheme_eval" = {fuel = 100000, memory = 2000000}'
    registry = registry_of({}, config=config)

    def call(code: str) -> str:
        return rf(registry.call("scheme_eval", {"code": code}).report())

    assert call("(define x 7) x") == "7"
    assert "step limit exceeded" in call("(let loop () (loop))")
    assert call("x") == "7"
    assert "error" in call("(let loop ((l '())) (loop (cons (make-vector 10000 0) l)))")
    assert call("(+ 1 2)") == "3"


def test_many_contexts_have_a_session_each(registry_of: Registry) -> None:
    registry = registry_of({})
    for number in range(200):
        registry.call("scheme_eval", {"code": f"(define x {number})"}, context=f"c{number}")
    assert [registry.call("scheme_eval", {"code": "x"}, context=f"c{n}").text for n in (0, 99, 199)] == [
        "0",
        "99",
        "199",
    ]
