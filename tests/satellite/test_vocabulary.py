"""The author's vocabulary: (ext), (ext hook), and what they make of JSON. No channel anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from chibi_bridge import Context, Record, SchemeError

IMPORTS = "(import (scheme base) (ext) (ext hook) (ext memory) (cap net) (cap fs) (cap kv) (cap proc) (cap report) (cap clock))"


@pytest.fixture
def ext(make_context: Callable[..., Context]) -> Iterator[Context]:
    """A context with all of the vocabulary."""
    context = make_context()
    context.eval(IMPORTS)
    yield context


def blocks(answer: object) -> list[tuple[str, object]]:
    """(type, content) of an outcome's blocks."""
    assert isinstance(answer, Record)
    assert answer.type_name == "outcome"
    return [(str(item["type"]), item["content"]) for item in answer["blocks"]]


def refused(ext: Context, source: str) -> str:
    """The message of the refusal that the program ends with, by answering or raising it."""
    try:
        value = ext.eval(source)
    except SchemeError as error:
        value = error.payload
    assert isinstance(value, Record), value
    assert value.type_name == "refusal"
    return str(value["message"])


def written(text: str) -> str:
    """A Python text as a string of Scheme."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def answered(ext: Context, hook: str, document: str) -> object:
    """What a hook answers to a document, parsed."""
    text = ext.eval(f"(answer {hook} {written(document)})")
    assert type(text) is str, text
    assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    return json.loads(text)


# -- SATELLITE.md section 9, A ------------------------------------------------------------


def test_sat_a1_text_is_one_block_and_the_run_goes_on(ext: Context) -> None:
    """A1 text("hi"): success, content [Text "hi"], ContinueRun."""
    value = ext.eval('(text "hi")')
    assert blocks(value) == [("text", "hi")]
    assert value["terminate"] is False
    assert ext.eval('(eq? continue-run (outcome-terminate (text "hi")))') is True


def test_sat_a2_json_is_one_block_and_the_run_goes_on(ext: Context) -> None:
    """A2 json(obj{n:1}): success, content [Json {"n":1}], ContinueRun."""
    value = ext.eval('(json \'(("n" . 1)))')
    assert [kind for kind, _ in blocks(value)] == ["json"]
    assert value["terminate"] is False
    assert ext.eval('(block-content (car (outcome-blocks (json \'(("n" . 1))))))') is not None


def test_sat_a3_a_refusal_has_the_message_as_it_is(ext: Context) -> None:
    """A3 refuse("no such city"): failure with message exactly `no such city`."""
    assert refused(ext, '(refuse "no such city")') == "no such city"
    assert refused(ext, '(raise (refuse "no such city"))') == "no such city"


def test_sat_a4_arguments_are_decoded(ext: Context) -> None:
    """A4 decode_args({"city":"Oslo"}, city-string decoder): Oslo."""
    assert ext.eval('(cdr (assq \'city (decode-args \'(("city" . "Oslo")) \'((city string)))))') == "Oslo"


def test_sat_a5_a_wrong_type_is_named_with_what_was_found(ext: Context) -> None:
    """A5 decode_args({"city":7}, ...): refusal naming city, String, Int."""
    message = refused(ext, "(decode-args '((\"city\" . 7)) '((city string)))")
    assert all(part in message for part in ("city", "String", "Int"))
    assert message.startswith("the arguments did not decode")


def test_sat_a6_a_missing_field_is_named(ext: Context) -> None:
    """A6 decode_args({}, ...): refusal naming city."""
    assert "city" in refused(ext, "(decode-args '() '((city string)))")


def test_sat_a7_every_bad_field_is_named(ext: Context) -> None:
    """A7 decoder with two bad fields a and b: one refusal containing both, separated by ", "."""
    message = refused(ext, '(decode-args \'(("a" . 1) ("b" . #t)) \'((a string) (b integer)))')
    first, second = message.split(": ", 1)[1].split(", expected")
    assert ".a" in first
    assert ".b" in second


def test_sat_a8_a_nested_field_is_named_by_its_path(ext: Context) -> None:
    """A8 nested failure at place.city: refusal with .place.city."""
    message = refused(ext, '(decode-args \'(("place" ("city" . 7))) \'((place ((city string)))))')
    assert ".place.city" in message


@pytest.mark.parametrize(
    ("value", "fields", "expected"),
    [
        ('(("a" 1 2))', "((a (list integer)))", "((a 1 2))"),
        ('(("a"))', "((a (list integer)))", "((a))"),
        ('(("a" . 1.5) ("b" . #f))', "((a number) (b boolean))", "((a . 1.5) (b . #f))"),
        ('(("a" . null))', "((a integer optional) (b string optional))", "((a . #f) (b . #f))"),
        ('(("p" (("q" . 1)) (("q" . 2))))', "((p (list ((q integer)))))", "((p ((q . 1)) ((q . 2))))"),
        ('(("a" . 1) ("x" . 2))', '(("a" any))', '(("a" . 1))'),
        ("()", "()", "()"),
    ],
)
def test_decoded_arguments(ext: Context, value: str, fields: str, expected: str) -> None:
    assert ext.eval_written(f"(decode-args '{value} '{fields})") == expected


@pytest.mark.parametrize(
    ("value", "fields", "path"),
    [
        ('(("a" 1 "x"))', "((a (list integer)))", ".a.1"),
        ('(("p" (("q" . 1)) (("r" . 2))))', "((p (list ((q integer)))))", ".p.1.q"),
        ("(1)", "((a string))", "the top"),
        ('"text"', "((a string))", "the top"),
        ('(("a" . 1.0))', "((a integer))", "found Float at .a"),
    ],
)
def test_places_that_do_not_decode(ext: Context, value: str, fields: str, path: str) -> None:
    assert path in refused(ext, f"(decode-args '{value} '{fields})")


@pytest.mark.parametrize("fields", ["((a strin))", "(a)", "((a))", "((1 string))", "5"])
def test_a_wrong_specification_is_an_error_and_no_refusal(ext: Context, fields: str) -> None:
    with pytest.raises(SchemeError, match="decode-args: a type is string"):
        ext.eval(f"(decode-args '((\"a\" . 1)) '{fields})")


@pytest.mark.parametrize("source", ["(text 5)", "(refuse 5)", "(outcome 5 #t)", "(outcome '(1) #t)", "(outcome '() 5)"])
def test_answers_are_checked_where_they_are_made(ext: Context, source: str) -> None:
    with pytest.raises(SchemeError, match="argument"):
        ext.eval(source)


def test_a_ctx_is_made_by_hand_for_tests(ext: Context) -> None:
    ext.eval('(define said \'()) (define c (make-ctx "main" 1234 (lambda (text) (set! said (cons text said)))))')
    assert ext.eval("(list (ctx-strand c) (ctx-deadline-ms c))") == ["main", 1234]
    ext.eval('((ctx-report c) "one") (ctx-report c "two")')
    assert ext.eval("said") == ["two", "one"]


# -- SATELLITE.md section 9, B ------------------------------------------------------------

COMPACT = {
    "op_id": "o",
    "reason": "threshold",
    "tokens_before": 900,
    "summarized_messages": 12,
    "retained_messages": 3,
}
CALL = {"op_id": "op-1", "tool": "bash", "arguments": {"command": "ls"}, "source_index": 0}
USAGE = {
    "op_id": "o",
    "usage_id": "u",
    "seq": 1,
    "entry_id": None,
    "adjustment": False,
    "input_tokens": 1,
    "output_tokens": 2,
    "cache_read_tokens": 3,
    "cache_write_tokens": 4,
    "cache_write_1h_tokens": None,
    "thinking_tokens": None,
    "total_tokens": 10,
    "cost": 0.5,
}


def keeping(constructor: str, answer: str = "#f") -> str:
    """A hook that keeps what it saw in `seen` and answers this."""
    return f"({constructor} (lambda (d) (set! seen (cons d seen)) {answer}))"


@pytest.fixture
def seen(ext: Context) -> Callable[[], str]:
    """What hooks of `keeping` saw, written."""
    ext.eval("(define seen '())")
    return lambda: ext.eval_written("seen")


def without(document: dict[str, object], *names: str, **changed: object) -> str:
    """A document with fields left out or changed, as a text."""
    return json.dumps({**{key: value for key, value in document.items() if key not in names}, **changed})


def test_sat_b1_a_session_start_is_heard_once(ext: Context, seen: Callable[[], str]) -> None:
    """B1 OnSessionStart, {}: Ok {} and the function ran once."""
    assert answered(ext, keeping("on-session-start"), "{}") == {}
    assert seen() == "(())"


def test_sat_b2_what_is_no_json_runs_nothing(ext: Context, seen: Callable[[], str]) -> None:
    """B2 OnSessionStart, not json: Error naming not JSON; function not run."""
    message = refused(ext, f'(answer {keeping("on-session-start")} "not json")')
    assert "not JSON" in message
    assert seen() == "()"


def test_sat_b3_an_injection_is_a_text(ext: Context) -> None:
    """B3 OnBeforeAgentStart returning Some(strand): Ok {"inject":"main"}."""
    hook = '(on-before-agent-start (lambda (d) (cdr (assoc "strand" d))))'
    assert answered(ext, hook, '{"op_id":"op-1","strand":"main"}') == {"inject": "main"}


def test_sat_b4_no_injection_is_null(ext: Context) -> None:
    """B4 same hook returning None: Ok {"inject":null}."""
    assert answered(ext, "(on-before-agent-start (lambda (d) #f))", '{"op_id":"op-1","strand":"main"}') == {
        "inject": None
    }


def test_sat_b5_a_missing_field_is_named_with_its_kind(ext: Context) -> None:
    """B5 OnBeforeAgentStart, {"op_id":"op-1"}: Error naming string, strand."""
    message = refused(ext, '(answer (on-before-agent-start car) "{\\"op_id\\":\\"op-1\\"}")')
    assert message == "the hook arguments have no string strand"


def test_sat_b6_a_field_of_the_wrong_type_is_named(ext: Context) -> None:
    """B6 OnBeforeAgentStart, {"op_id":5,"strand":"main"}: Error naming string, op_id."""
    message = refused(
        ext, f"(answer (on-before-agent-start car) {written(json.dumps({'op_id': 5, 'strand': 'main'}))})"
    )
    assert message == "the hook arguments have no string op_id"


def test_sat_b7_no_messages_are_an_answer(ext: Context) -> None:
    """B7 OnContext answering an empty list: Ok {"messages":[]}."""
    document = '{"op_id":"o","messages":[{"role":"user"}]}'
    assert answered(ext, "(on-context (lambda (d) '()))", document) == {"messages": []}


def test_sat_b8_messages_come_back_as_they_were(ext: Context) -> None:
    """B8 OnContext mapping rendered over messages: the same messages."""
    hook = '(on-context (lambda (d) (map rendered (cdr (assoc "messages" d)))))'
    document = '{"op_id":"o","messages":[{"role":"user"}]}'
    assert answered(ext, hook, document) == {"messages": [{"role": "user"}]}


@pytest.mark.parametrize("document", ['{"op_id":"o"}', '{"op_id":"o","messages":"x"}'])
def test_sat_b9_sat_b10_messages_are_an_array(ext: Context, document: str) -> None:
    """B9 OnContext, no messages: Error naming array, messages. B10 messages "x": the same."""
    assert refused(ext, f"(answer (on-context car) {written(document)})") == "the hook arguments have no array messages"


def test_sat_b11_a_call_is_blocked_with_its_reason(ext: Context) -> None:
    """B11 OnToolCall blocking, full document with tool bash: Ok with verdict block and the reason."""
    hook = '(on-tool-call (lambda (d) (if (equal? (cdr (assoc "tool" d)) "bash") (block "no shells today") allow)))'
    text = ext.eval(f"(answer {hook} {written(json.dumps(CALL))})")
    assert text == '{"verdict":"block","reason":"no shells today"}'
    assert ext.eval(f'(answer (on-tool-call (lambda (d) (block ""))) {written(json.dumps(CALL))})') == (
        '{"verdict":"block","reason":""}'
    )


def test_sat_b12_a_call_is_allowed(ext: Context) -> None:
    """B12 OnToolCall allowing: Ok {"verdict":"allow"}."""
    assert answered(ext, "(on-tool-call (lambda (d) allow))", json.dumps(CALL)) == {"verdict": "allow"}


def test_sat_b13_a_field_of_any_type_has_no_kind_word(ext: Context) -> None:
    """B13 OnToolCall, document without arguments: Error naming arguments with no kind word before the name."""
    message = refused(ext, f"(answer (on-tool-call car) {written(without(CALL, 'arguments'))})")
    assert message == "the hook arguments have no arguments"


def test_sat_b14_an_integer_is_no_text(ext: Context) -> None:
    """B14 OnToolCall, "source_index":"0": Error naming integer, source_index."""
    message = refused(ext, f"(answer (on-tool-call car) {written(without(CALL, source_index='0'))})")
    assert message == "the hook arguments have no integer source_index"


def test_sat_b15_null_arguments_are_arguments(ext: Context, seen: Callable[[], str]) -> None:
    """B15 OnToolCall, "arguments":null: accepted, author sees null."""
    assert answered(ext, keeping("on-tool-call", "allow"), without(CALL, arguments=None)) == {"verdict": "allow"}
    assert '("arguments" . null)' in seen()


def test_sat_b16_a_result_comes_back_as_it_was(ext: Context) -> None:
    """B16 OnToolResult echoing via rendered: Ok, the same message."""
    document = '{"message":{"role":"tool_result"}}'
    for body in ("(rendered d)", '(rendered (cdr (assoc "message" d)))'):
        assert answered(ext, f"(on-tool-result (lambda (d) {body}))", document) == json.loads(document)


def test_sat_b17_a_result_has_a_message(ext: Context) -> None:
    """B17 OnToolResult, {}: Error naming message."""
    assert refused(ext, '(answer (on-tool-result car) "{}")') == "the hook arguments have no message"


@pytest.mark.parametrize("constructor", ["on-agent-end", "on-agent-settled"])
def test_sat_b18_sat_b19_ends_are_heard(ext: Context, seen: Callable[[], str], constructor: str) -> None:
    """B18 OnAgentEnd, {"op_id":"op-1"}: Ok {}, author saw op-1. B19 OnAgentSettled likewise."""
    assert answered(ext, keeping(constructor), '{"op_id":"op-1"}') == {}
    assert seen() == '((("op_id" . "op-1")))'


def test_sat_b20_a_note_is_kept(ext: Context) -> None:
    """B20 OnBeforeCompact Some("keep the plan"): Ok {"note":"keep the plan"}."""
    assert answered(ext, '(on-before-compact (lambda (d) "keep the plan"))', json.dumps(COMPACT)) == {
        "note": "keep the plan"
    }


def test_sat_b21_no_note_is_null(ext: Context) -> None:
    """B21 same, None: Ok {"note":null}."""
    assert answered(ext, "(on-before-compact (lambda (d) #f))", json.dumps(COMPACT)) == {"note": None}


def test_sat_b22_an_unknown_reason_is_passed_on(ext: Context, seen: Callable[[], str]) -> None:
    """B22 same, reason later_word: delivered to the author unchanged."""
    answered(ext, keeping("on-before-compact"), without(COMPACT, reason="later_word"))
    assert '("reason" . "later_word")' in seen()


def test_sat_b23_tokens_before_is_needed(ext: Context) -> None:
    """B23 OnBeforeCompact without tokens_before: Error naming integer, tokens_before."""
    message = refused(ext, f"(answer (on-before-compact car) {written(without(COMPACT, 'tokens_before'))})")
    assert message == "the hook arguments have no integer tokens_before"


def test_sat_b24_usage_is_heard_with_what_was_not_reported_false(ext: Context, seen: Callable[[], str]) -> None:
    """B24 OnUsage, full document: Ok {}; origin ProviderReported; entry_id and thinking_tokens None."""
    assert answered(ext, keeping("on-usage"), json.dumps(USAGE)) == {}
    for part in ('("adjustment" . #f)', '("entry_id" . #f)', '("thinking_tokens" . #f)', '("cost" . 0.5)'):
        assert part in seen()
    assert ext.eval("(length (car seen))") == 13


def test_sat_b25_an_adjustment_is_told(ext: Context, seen: Callable[[], str]) -> None:
    """B25 OnUsage, adjustment true: origin Reconciliation."""
    answered(ext, keeping("on-usage"), without(USAGE, adjustment=True))
    assert '("adjustment" . #t)' in seen()


def test_sat_b26_a_cost_may_be_an_integer(ext: Context, seen: Callable[[], str]) -> None:
    """B26 OnUsage, cost = 2 (integer literal): accepted here, and said so; the baseline refuses it."""
    assert answered(ext, keeping("on-usage"), without(USAGE, cost=2)) == {}
    assert '("cost" . 2)' in seen()
    message = refused(ext, f"(answer (on-usage car) {written(without(USAGE, cost='2'))})")
    assert message == "the hook arguments have no number cost"


@pytest.mark.parametrize("document", [without(USAGE, "entry_id"), without(USAGE, entry_id=7)])
def test_sat_b27_an_unusable_optional_field_is_not_reported(
    ext: Context, seen: Callable[[], str], document: str
) -> None:
    """B27 OnUsage, entry_id absent or 7: still Ok; entry_id None."""
    assert answered(ext, keeping("on-usage"), document) == {}
    assert '("entry_id" . #f)' in seen()


def test_sat_b28_total_tokens_are_needed(ext: Context) -> None:
    """B28 OnUsage, total_tokens missing: Error naming integer, total_tokens."""
    message = refused(ext, f"(answer (on-usage car) {written(without(USAGE, 'total_tokens'))})")
    assert message == "the hook arguments have no integer total_tokens"


def test_the_first_field_that_does_not_fit_is_the_one_named(ext: Context) -> None:
    order = ["op_id", "usage_id", "seq", "adjustment", "input_tokens", "output_tokens", "cache_read_tokens"]
    order += ["cache_write_tokens", "total_tokens", "cost"]
    for at in range(len(order)):
        message = refused(ext, f"(answer (on-usage car) {written(without(USAGE, *order[at:]))})")
        assert message.endswith(f" {order[at]}")


def test_sat_b29_fields_too_many_are_passed_over(ext: Context, seen: Callable[[], str]) -> None:
    """B29 extra unknown field in any document: ignored."""
    documents = {
        "on-session-start": {},
        "on-before-agent-start": {"op_id": "o", "strand": ""},
        "on-tool-call": CALL,
        "on-agent-end": {"op_id": "o"},
        "on-before-compact": COMPACT,
        "on-usage": USAGE,
    }
    for constructor, document in documents.items():
        answered(ext, keeping(constructor, "allow" if "call" in constructor else "#f"), without(document, unknown=[1]))
    assert "unknown" not in seen()


def test_sat_b30_rendered_keeps_integers_and_floats_apart(ext: Context) -> None:
    """B30 rendered of {"a":[1,2.5,true,null,"x"]}: structurally equal JSON, 1 an integer, 2.5 a float."""
    hook = '(on-tool-result (lambda (d) (rendered (cdr (assoc "message" d)))))'
    document = '{"message":{"a":[1,2.5,true,null,"x"],"b":1.0}}'
    assert ext.eval(f"(answer {hook} {written(document)})") == document


@pytest.mark.parametrize(
    "value", ["(bytevector 255 254)", "(list (bytevector 255 254))", "'sym", "car", "'(1 . 2)", '\'(("a" . #\\x))']
)
def test_sat_b31_rendered_refuses_what_is_no_json(ext: Context, value: str) -> None:
    """B31 rendered of raw bytes FF FE: Error naming not a JSON document; the same bytes nested in a list: Error."""
    with pytest.raises(SchemeError, match="not a JSON document"):
        ext.eval(f"(rendered {value})")


def test_sat_b32_every_hook_knows_its_event(ext: Context) -> None:
    """B32 event of each of the nine variants: its manifest name."""
    events = (
        "session_start before_agent_start context tool_call tool_result agent_end agent_settled before_compact usage"
    )
    for event in events.split():
        assert ext.eval(f"(event (on-{event.replace('_', '-')} car))") == event


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "toolCall", "arguments": {}, "list": [], "nested": [{}, [], [{}], {"a": {}}]}]},
        {"pairs": [["a", 1], ["b", 2]], "one": [["a"]], "more": [[["k", "v"]], []]},
        {"text": 'é\u2028"\\\n\x01', "big": 10**30, "small": -0.5, "flags": [True, False, None]},
    ],
)
def test_what_an_author_hands_back_is_written_as_it_was_read(ext: Context, message: dict[str, object]) -> None:
    document = {"op_id": "o", "messages": [message, {}, {"role": "user"}]}
    hook = '(on-context (lambda (d) (cdr (assoc "messages" d))))'
    text = ext.eval(f"(answer {hook} {written_json(document)})")
    assert json.loads(str(text)) == {"messages": document["messages"]}


def written_json(document: object) -> str:
    """A JSON text as a string of Scheme, in ASCII."""
    return written(json.dumps(document))


@pytest.mark.parametrize(
    ("constructor", "answer"),
    [
        ("on-before-agent-start", "5"),
        ("on-context", '"x"'),
        ("on-context", "#f"),
        ("on-tool-call", "#t"),
        ("on-tool-call", "#f"),
        ("on-tool-call", "'block"),
        ("on-before-compact", "'note"),
    ],
)
def test_an_answer_of_another_shape_is_an_error(ext: Context, constructor: str, answer: str) -> None:
    document = {**CALL, **COMPACT, "strand": "main", "messages": []}
    with pytest.raises(SchemeError, match="the procedure answers"):
        ext.eval(f"(answer ({constructor} (lambda (d) {answer})) {written_json(document)})")


def test_a_capability_without_a_channel_is_a_denial_with_a_code(ext: Context) -> None:
    for call in (
        '(fs-read "/x")',
        '(net-request "GET" "https://x/")',
        '(kv-get "k")',
        '(proc-run \'("ls"))',
        '(report-emit "n" "text/plain" "x")',
        '(recall "k")',
        '(remember "k" 1)',
    ):
        assert ext.eval(f"(guard (e ((cap-error? e) (cap-error-code e))) {call})") == "transport"
    assert ext.eval('(guard (e (#t (cap-error-code e))) (error "other"))') is False
