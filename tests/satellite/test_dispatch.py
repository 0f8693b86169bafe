"""Dispatch without a channel: `satellite.answer`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from chibi_bridge import Context, Limits, Policy, load_tools, satellite
from chibi_bridge.satellite import Answered, Event, Refused, Tool, answer

CALL = json.dumps({"op_id": "op-1", "tool": "bash", "arguments": {"command": "ls"}, "source_index": 0})
PROGRAM = """
(import (scheme base) (ext) (ext hook))
(define ran 0)
(define (echo args ctx)
  (set! ran (+ ran 1))
  (text (cdr (assq 'say (decode-args args '((say string)))))))
(define gate (on-tool-call (lambda (call) (set! ran (+ ran 1)) (block "no shells today"))))
(define open (on-tool-call (lambda (call) allow)))
"""


@pytest.fixture
def ctx(make_context: Callable[..., Context]) -> Iterator[Context]:
    context = make_context(Policy(limits=Limits(timeout=5.0)))
    context.eval(PROGRAM, "program.scm")
    yield context


def said(text: str, *, terminate: bool = False) -> Answered:
    """The answer that is one block of text."""
    return Answered({"content": [{"type": "text", "text": text}], "terminate": terminate})


def ask(ctx: Context, source: str, args: object = None, deadline: int = 5000) -> Answered | Refused:
    """What a tool answers whose procedure is this program."""
    given = {"args": "{}", "strand": "main"} if args is None else args
    return answer([("t", ctx.eval(source, "tool.scm"))], [], Tool("t"), given, deadline)


# -- SATELLITE.md section 9, C ------------------------------------------------------------


def test_sat_c1_a_tool_answers_a_text(ctx: Context) -> None:
    """C1 Tool echo_tool, args {args:"{\\"say\\": \\"first\\"}", strand:"main"}: Answered with one text block."""
    tools = [("echo_tool", ctx["echo"])]
    given = {"args": '{"say": "first"}', "strand": "main"}
    assert answer(tools, [], Tool("echo_tool"), given, 5000) == said("first")


def test_sat_c2_a_tool_answers_json_and_ends_the_run(ctx: Context) -> None:
    """C2 a tool answering Json{n:1} and TerminateRun: Answered with the text {"n":1}, terminate true."""
    made = ask(ctx, '(lambda (args ctx) (outcome (list (json-block \'(("n" . 1)))) terminate-run))')
    assert made == Answered({"content": [{"type": "json", "json": '{"n":1}'}], "terminate": True})


def test_sat_c3_blocks_keep_their_order(ctx: Context) -> None:
    """C3 two blocks, text then json: same order in content."""
    made = ask(ctx, '(lambda (args ctx) (outcome (list (text-block "a") (json-block \'())) continue-run))')
    assert made == Answered(
        {"content": [{"type": "text", "text": "a"}, {"type": "json", "json": "[]"}], "terminate": False}
    )
    assert ask(ctx, "(lambda (args ctx) (outcome '() continue-run))") == Answered({"content": [], "terminate": False})


def test_sat_c4_a_refusal_keeps_its_words(ctx: Context) -> None:
    """C4 a tool refusing `no such city`: Refused refused, no such city."""
    assert ask(ctx, '(lambda (args ctx) (refuse "no such city"))') == Refused("refused", "no such city")
    assert ask(ctx, '(lambda (args ctx) (raise (refuse "no such city")))') == Refused("refused", "no such city")


def test_sat_c5_an_unknown_tool_is_told_what_is_served(ctx: Context) -> None:
    """C5 Tool nope, table {zed, alpha}: unknown_tool naming nope and "alpha, zed"."""
    made = answer({"zed": ctx["echo"], "alpha": ctx["echo"]}, {}, Tool("nope"), {"args": "{}"}, 5000)
    assert isinstance(made, Refused)
    assert made.code == "unknown_tool"
    assert "nope" in made.message
    assert "alpha, zed" in made.message
    empty = answer({}, {}, Tool("nope"), {"args": "{}"}, 5000)
    assert isinstance(empty, Refused)
    assert empty.message.endswith(": ")


@pytest.mark.parametrize(
    ("args", "parts"),
    [({}, ["args", "echo_tool"]), ({"args": 5}, ["args", "not text"]), (None, ["args"]), ("{}", ["args"])],
)
def test_sat_c6_sat_c7_sat_c8_a_call_without_its_arguments(ctx: Context, args: object, parts: list[str]) -> None:
    """C6 args {}: bad_arguments naming args and the tool. C7 {args: 5}: not text. C8 args nil: bad_arguments."""
    made = answer([("echo_tool", ctx["echo"])], [], Tool("echo_tool"), args, 5000)
    assert isinstance(made, Refused)
    assert made.code == "bad_arguments"
    assert all(part in made.message for part in parts)
    assert ctx["ran"] == 0


@pytest.mark.parametrize("text", ["{oops", "", "1 2", "NaN", "\ud7ff", "[1,]"])
def test_sat_c9_arguments_that_are_no_json_run_nothing(ctx: Context, text: str) -> None:
    """C9 args {args:"{oops"}: bad_arguments naming echo_tool, JSON; tool not run."""
    for tool in (ctx["echo"], lambda args, ctx: pytest.fail("it ran")):
        made = answer([("echo_tool", tool)], [], Tool("echo_tool"), {"args": text}, 5000)
        assert isinstance(made, Refused)
        assert made.code == "bad_arguments"
        assert "echo_tool" in made.message
        assert "JSON" in made.message
    assert ctx["ran"] == 0


@pytest.mark.parametrize("extra", [{}, {"strand": 9}, {"strand": None, "more": 1}])
def test_sat_c10_sat_c11_a_strand_that_is_no_text_is_empty(ctx: Context, extra: dict[str, object]) -> None:
    """C10 no strand: answered; ctx strand is the empty string. C11 strand: 9: same as C10."""
    run = ctx.eval('(lambda (args ctx) (text (string-append "<" (ctx-strand ctx) ">")))')
    assert answer([("t", run)], [], Tool("t"), {"args": '{"say":"x"}', **extra}, 5000) == said("<>")
    assert answer([("t", run)], [], Tool("t"), {"args": "1", "strand": "main"}, 5000) == said("<main>")


def test_sat_c12_json_that_does_not_decode_is_refused(ctx: Context) -> None:
    """C12 args {args:"[1]"}: JSON but the tool's decoder refuses: code refused (not bad_arguments)."""
    made = answer([("echo_tool", ctx["echo"])], [], Tool("echo_tool"), {"args": "[1]"}, 5000)
    assert isinstance(made, Refused)
    assert made.code == "refused"


def test_sat_c13_a_tool_is_told_its_deadline(ctx: Context) -> None:
    """C13 Asked deadline 1234: ctx.deadline_ms is 1234."""
    assert ask(ctx, "(lambda (args ctx) (json (ctx-deadline-ms ctx)))", deadline=1234) == Answered(
        {"content": [{"type": "json", "json": "1234"}], "terminate": False}
    )


def test_sat_c14_an_event_without_a_hook_is_unhandled() -> None:
    """C14 Event tool_call, no hooks: unhandled, naming tool_call."""
    made = answer([], [], Event("tool_call"), CALL, 5000)
    assert isinstance(made, Refused)
    assert made.code == "unhandled"
    assert "tool_call" in made.message


def test_sat_c15_a_hook_answers_its_document(ctx: Context) -> None:
    """C15 hooks [("tool_call", OnToolCall)] with B11's document: Answered string with the verdict."""
    made = answer([], [("tool_call", ctx["gate"])], Event("tool_call"), CALL, 5000)
    assert made == Answered('{"verdict":"block","reason":"no shells today"}')


def test_sat_c16_a_hook_of_another_event_does_not_run(ctx: Context) -> None:
    """C16 hooks [("context", OnToolCall...)], Event context: mismatched_hook naming both; hook not run."""
    made = answer([], [("context", ctx["gate"])], Event("context"), CALL, 5000)
    assert isinstance(made, Refused)
    assert made.code == "mismatched_hook"
    assert "context" in made.message
    assert "tool_call" in made.message
    assert ctx["ran"] == 0


@pytest.mark.parametrize("args", [{"args": "{}"}, None, 5, b"{}", ["{}"]])
def test_sat_c17_an_event_has_a_text(ctx: Context, args: object) -> None:
    """C17 Event with args a map instead of a string: bad_arguments."""
    made = answer([], [("tool_call", ctx["gate"])], Event("tool_call"), args, 5000)
    assert isinstance(made, Refused)
    assert made.code == "bad_arguments"
    assert ctx["ran"] == 0


def test_sat_c18_a_document_that_is_no_json_is_a_bad_argument(ctx: Context) -> None:
    """C18 Event with args "nonsense": bad_arguments (as settled), naming the event and JSON."""
    made = answer([], [("tool_call", ctx["gate"])], Event("tool_call"), "nonsense", 5000)
    assert isinstance(made, Refused)
    assert made.code == "bad_arguments"
    assert "tool_call" in made.message
    assert "JSON" in made.message
    lacking = answer([], [("tool_call", ctx["gate"])], Event("tool_call"), "{}", 5000)
    assert lacking == Refused("refused", "hook tool_call: the hook arguments have no string op_id")


def test_sat_c19_the_first_row_of_an_event_runs(ctx: Context) -> None:
    """C19 two rows for one event: only the first runs."""
    hooks = [("tool_call", ctx["open"]), ("tool_call", ctx["gate"])]
    assert answer([], hooks, Event("tool_call"), CALL, 5000) == Answered('{"verdict":"allow"}')
    assert ctx["ran"] == 0
    tools = [("t", ctx["echo"]), ("t", None)]
    assert answer(tools, [], Tool("t"), {"args": '{"say":"x"}'}, 5000) == said("x")


def test_sat_c20_tools_and_events_have_names_of_their_own(ctx: Context) -> None:
    """C20 a tool named like an event and an event named like a tool do not interfere."""
    tools, hooks = [("tool_call", ctx["echo"])], [("tool_call", ctx["open"])]
    assert answer(tools, hooks, Tool("tool_call"), {"args": '{"say":"x"}'}, 5000) == said("x")
    assert answer(tools, hooks, Event("tool_call"), CALL, 5000) == Answered('{"verdict":"allow"}')


def test_sat_c21_without_hooks_every_event_is_unhandled(ctx: Context) -> None:
    """C21 serve(t) behaves as serving(t, []): every event is unhandled."""
    for event in ("session_start", "context", "tool_call", "echo"):
        made = answer([("echo", ctx["echo"])], [], Event(event), "{}", 5000)
        assert isinstance(made, Refused)
        assert made.code == "unhandled"


# -- ends that are no answers -------------------------------------------------------------


def test_a_crash_says_what_and_where(ctx: Context) -> None:
    made = ask(ctx, "\n(lambda (args ctx)\n  (car 5))")
    assert isinstance(made, Refused)
    assert made.code == "crashed"
    assert made.message.startswith("program crashed: abnormal: car: argument 1: expected pair, got 5")
    assert "tool.scm:3:3" in made.message


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("(let loop () (loop))", "killed"),
        ("(let loop ((l '())) (loop (cons (make-vector 1000 0) l)))", "killed"),
        ("(exit 3)", "normal"),
        ('(error "no" 1)', "abnormal"),
        ("(raise 'oops)", "abnormal"),
        ("(undefined-name)", "abnormal"),
        ("(vector-ref (vector) 1)", "abnormal"),
    ],
)
def test_a_crash_has_a_word(ctx: Context, body: str, word: str) -> None:
    ctx.eval("(import (scheme process-context))")
    made = ask(ctx, f"(lambda (args ctx) {body})", deadline=800)
    assert isinstance(made, Refused)
    assert made.code == "crashed"
    assert made.message.startswith(f"program crashed: {word}: ")


def test_the_message_of_a_crash_is_bounded(ctx: Context) -> None:
    made = ask(ctx, "(lambda (args ctx) (error (make-string 10000 #\\é)))")
    assert isinstance(made, Refused)
    assert 2000 < len(made.message.encode()) <= 2048


@pytest.mark.parametrize("value", ["+nan.0", "-inf.0", "car", "#\\a", "'sym", "(bytevector 1)", "'(1 . 2)", "1+2i"])
def test_an_answer_that_is_no_json_is_unencodable(ctx: Context, value: str) -> None:
    for wrapped in (f"(json {value})", f"(json (list 1 {value}))", f'(json (list (cons "a" {value})))'):
        made = ask(ctx, f"(lambda (args ctx) {wrapped})")
        assert isinstance(made, Refused)
        assert made.code == "unencodable", made
    hook = ctx.eval(f'(on-tool-result (lambda (d) (list (cons "role" {value}))))')
    made = answer([], [("tool_result", hook)], Event("tool_result"), '{"message":1}', 5000)
    assert isinstance(made, Refused)
    assert made.code == "unencodable", made


def test_a_cycle_is_unencodable_or_a_crash_and_no_hang(ctx: Context) -> None:
    for program in (
        "(let ((x (list 1 2))) (set-cdr! (cdr x) x) (json x))",
        "(let ((x (list 1 2))) (set-car! x x) (json x))",
        "(let ((x (vector 1))) (vector-set! x 0 x) (json x))",
    ):
        made = ask(ctx, f"(lambda (args ctx) {program})")
        assert isinstance(made, Refused)
        assert made.code == "unencodable"


@pytest.mark.parametrize(
    ("value", "kind", "content"),
    [
        ('"plain"', "text", "plain"),
        ("5", "json", "5"),
        ("'()", "json", "[]"),
        ("'null", "json", "null"),
        ("(if #f #f)", "json", "null"),
        ("#f", "json", "false"),
        ("(list 1 2.5)", "json", "[1,2.5]"),
        ('\'((a . 1) ("b" . #(1)))', "json", '{"a":1,"b":[1]}'),
        ("(expt 10 30)", "json", str(10**30)),
    ],
)
def test_a_plain_value_is_a_text_or_json(ctx: Context, value: str, kind: str, content: str) -> None:
    assert ask(ctx, f"(lambda (args ctx) {value})") == Answered(
        {"content": [{"type": kind, kind: content}], "terminate": False}
    )


@pytest.mark.parametrize("arguments", ['{"a":{},"b":[],"c":[["k",1]],"d":{"e":[{}]}}', "[[],{}]", '"x"', "null", "7"])
def test_arguments_handed_back_are_what_came(ctx: Context, arguments: str) -> None:
    made = ask(ctx, "(lambda (args ctx) (json args))", {"args": arguments})
    assert made == Answered({"content": [{"type": "json", "json": arguments}], "terminate": False})


# -- tools in Python and in tool files --------------------------------------------------------


def test_tools_in_python_use_the_same_words() -> None:
    said_by: list[str] = []

    def tool(args: object, ctx: satellite.Ctx) -> object:
        ctx.report("working")
        assert isinstance(args, dict)
        return args["do"](args) if callable(args.get("do")) else replies[args["n"]]

    replies = [
        satellite.text("hi"),
        satellite.json({"n": 1}),
        satellite.refuse("no"),
        satellite.Outcome((satellite.Text("a"), satellite.Json([])), True),
        "plain",
        float("nan"),
        object(),
    ]
    made = [
        answer({"t": tool}, {}, Tool("t"), {"args": json.dumps({"n": n})}, 10, report=said_by.append)
        for n in range(len(replies))
    ]
    assert made[:5] == [
        said("hi"),
        Answered({"content": [{"type": "json", "json": '{"n":1}'}], "terminate": False}),
        Refused("refused", "no"),
        Answered({"content": [{"type": "text", "text": "a"}, {"type": "json", "json": "[]"}], "terminate": True}),
        said("plain"),
    ]
    assert [item.code for item in made[5:]] == ["unencodable", "unencodable"]
    assert said_by == ["working"] * len(replies)
    crash = answer({"t": tool}, {}, Tool("t"), {"args": '{"n": 99}'}, 10)
    assert crash == Refused("crashed", "program crashed: abnormal: IndexError: list index out of range")


def test_tools_of_a_tool_file_are_served(tmp_path: object) -> None:
    file = tmp_path / "plain.scm"  # type: ignore[operator]
    file.write_text(
        """
(define-tool greet (description "d") (parameters '((name (type . "string"))))
  (execute (lambda (args) (string-append "hi " (cdr (assoc "name" args))))))
(define-tool pair (description "d") (parameters '())
  (execute (lambda (args) '(("n" . 1)))))
(define-tool nan (description "d") (parameters '()) (execute (lambda (args) +nan.0)))
(define-tool nothing (description "d") (parameters '()) (execute (lambda (args) (if #f #f))))
(define-tool fails (description "d") (parameters '())
  (execute (lambda (args)
    (car 5))))
""",
        encoding="utf-8",
    )
    tools = {tool.name: tool for tool in load_tools(file)}
    made = {name: answer(tools, {}, Tool(name), {"args": "{}"}, 5000) for name in tools}
    assert answer(tools, {}, Tool("greet"), {"args": '{"name":"bob"}'}, 5000) == said("hi bob")
    assert made["pair"] == Answered({"content": [{"type": "json", "json": '{"n":1}'}], "terminate": False})
    assert made["nothing"] == Answered({"content": [{"type": "json", "json": "null"}], "terminate": False})
    codes = {name: item.code for name, item in made.items() if isinstance(item, Refused)}
    assert codes == {"greet": "refused", "nan": "unencodable", "fails": "crashed"}
    assert "plain.scm:10:5" in made["fails"].message
    assert "name" in made["greet"].message
