"""The node, as a child process, against an independent harness."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge import Image
from chibi_bridge.satellite.channel import Channel
from chibi_bridge.satellite.entries import build
from chibi_bridge.satellite.envelope import HookCall
from chibi_bridge.satellite.node import Node
from chibi_bridge.satellite.served import Extension, declared_in
from tests.satellite.harness import Gone, Harness, command, envelope, framed, node
from tests.satellite.vectors import VECTORS, vector

EXTENSION = Path(__file__).parent / "extension"
T9, T42 = b"\x09\x09", b"\x2a\x2a"


def do(what: str, **more: object) -> str:
    """The arguments of the tool `probe`."""
    return json.dumps({"do": what, **more})


@pytest.fixture(scope="module")
def shared() -> Iterator[Harness]:
    """One node for the tests that leave it as it was."""
    with node(EXTENSION) as made:
        made.text("probe", do("count"))
        yield made


@pytest.fixture
def fresh() -> Iterator[Harness]:
    """A node of the test's own."""
    with node(EXTENSION) as made:
        yield made


def as_vector(h: Harness, sent: str, expected: str) -> None:
    """These bytes are answered with those."""
    h.write(vector(sent))
    made = h.frame()
    assert framed(made).hex() == VECTORS[expected][1]


# -- SATELLITE.md section 9, E --------------------------------------------------------------


def test_sat_e1_a_session_start_is_answered(shared: Harness) -> None:
    """E1 V03 to a node with OnSessionStart: V04."""
    as_vector(shared, "V03", "V04")


def test_sat_e2_a_run_start_is_answered(shared: Harness) -> None:
    """E2 V05: V06."""
    as_vector(shared, "V05", "V06")


def test_sat_e3_a_gate_blocks_and_allows(shared: Harness) -> None:
    """E3 V07 to a blocking gate: V08; to an allowing gate: V09."""
    as_vector(shared, "V07", "V08")
    shared.write(vector("V07").replace(b"bash", b"curl"))
    assert framed(shared.frame()).hex() == VECTORS["V09"][1]


def test_sat_e4_a_tool_is_answered(shared: Harness) -> None:
    """E4 V11: V12."""
    as_vector(shared, "V11", "V12")


@pytest.mark.parametrize(
    ("what", "word"),
    [("boom", "abnormal: boom 1 2"), ("car", "abnormal: car"), ("raise", "abnormal: uncaught"), ("exit", "normal")],
)
def test_sat_e5_a_crash_is_answered_and_survived(shared: Harness, what: str, word: str) -> None:
    """E5 tool panics: hook_result code crashed; then V11: V12 on the same node (survives)."""
    code, message = shared.error("probe", do(what))
    assert code == "crashed"
    assert message.startswith(f"program crashed: {word}")
    as_vector(shared, "V11", "V12")


@pytest.mark.parametrize("what", ["fill", "deep", "flood", "spin"])
def test_sat_e6_a_killed_tool_is_told_as_killed(fresh: Harness, what: str) -> None:
    """E6 tool killed by an exit signal: crashed, naming killed."""
    code, message = fresh.error("probe", do(what), deadline_ms=1500)
    assert code == "crashed"
    assert message.startswith("program crashed: killed: ")
    as_vector(fresh, "V11", "V12")


def test_sat_e7_a_second_call_is_busy_at_once(shared: Harness) -> None:
    """E7 hook_call#7 while #6 is still running: busy immediately; later #6 is the normal answer."""
    for what in (do("spin"), do("sleep", ms=700), do("read", path="/x")):
        first = shared.push_tool("probe", what, 1200)
        if "read" in what:
            shared.expect("cap_call")
        start = time.monotonic()
        second = shared.push_tool("echo_tool", '{"say":"x"}')
        made = shared.expect("hook_result")
        assert time.monotonic() - start < 5
        assert (made["id"], made["body"]["error"]["code"]) == (second, "busy")
        if "read" in what:
            shared.reply(shared.caps[-1]["id"], {"contents": "file body"})
        body = shared.result(first)
        assert body["ok"] is ("spin" not in what)


def test_sat_e8_a_kind_that_is_neither_is_answered(shared: Harness) -> None:
    """E8 hook_call#8 with kind poll: bad_kind, naming poll."""
    body = shared.result(shared.push("poll", "x", None))
    assert body["error"]["code"] == "bad_kind"
    assert "poll" in body["error"]["msg"]


def test_sat_e9_an_answer_that_fits_no_frame_is_unencodable(shared: Harness) -> None:
    """E9 a tool answering a block larger than 16 MiB: unencodable."""
    code, _ = shared.error("probe", do("big", size=(16 << 20) + 1), deadline_ms=20_000)
    assert code == "unencodable"
    assert len(shared.text("probe", do("big", size=(16 << 20) - 200), deadline_ms=20_000)) == (16 << 20) - 200
    assert shared.error("probe", do("nan"))[0] == "unencodable"
    assert shared.error("probe", do("unserialisable"))[0] == "unencodable"


def test_sat_e10_a_tool_reads_a_file(shared: Harness) -> None:
    """E10 during hook_call#9 (token T9) a tool reads a file: cap_call with token, cap, path and 30000 ms."""
    identity = shared.push_tool("probe", do("read", path="/data/a"), token=T9)
    made = shared.expect("cap_call")
    assert made["body"] == {"token": T9, "cap": "fs.read", "args": {"path": "/data/a"}, "deadline_ms": 30_000}
    shared.reply(made["id"], {"contents": "file body"})
    assert shared.result(identity)["ok"] is True


def test_sat_e11_a_tool_gets_what_it_read(shared: Harness) -> None:
    """E11 cap_result#0 {ok:true,value:{contents:"file body"}}: the tool receives file body."""
    answer = {"contents": "file body"}
    assert shared.text("probe", do("read", path="/x"), answer=lambda cap, args: answer) == "file body"


def test_sat_e12_a_denial_has_its_code(shared: Harness) -> None:
    """E12 cap_result#0 {ok:false,error:{denied,no token}}: tool receives PermissionDenied."""

    def deny(cap: str, args: object) -> object:
        raise LookupError("denied", "no token")

    code, message = shared.text("probe", do("read", path="/x"), answer=deny).split("|")
    assert code == "denied"
    assert "no token" in message
    assert "fs.read" in message


def test_sat_e13_results_in_another_order_go_to_who_asked(fresh: Harness) -> None:
    """E13 two concurrent calls #1,#2 answered in order #2,#1: each caller gets its own value."""
    identity = fresh.push_tool("probe", do("report-read"))
    report, read = fresh.expect("cap_call"), fresh.expect("cap_call")
    assert (report["body"]["cap"], read["body"]["cap"]) == ("report.emit", "fs.read")
    assert read["id"] == report["id"] + 1
    fresh.reply(read["id"], {"contents": "body"})
    fresh.reply(report["id"], {"id": "a1"})
    body = fresh.result(identity)
    assert body["value"]["content"] == [{"type": "text", "text": "body"}]


def test_sat_e14_a_result_for_nobody_is_passed_over(shared: Harness) -> None:
    """E14 cap_result#99 unknown: ignored."""
    shared.reply(99, {"contents": "stray"})
    identity = shared.push_tool("probe", do("read", path="/x"))
    made = shared.expect("cap_call")
    shared.reply(9999, {"contents": "stray"})
    shared.reply(made["id"], {"contents": "mine"})
    shared.reply(made["id"], {"contents": "again"})
    assert shared.result(identity)["value"]["content"][0]["text"] == "mine"
    as_vector(shared, "V11", "V12")


def test_sat_e15_a_call_whose_caller_ends_is_cancelled(fresh: Harness) -> None:
    """E15 caller of cap_call#3 dies: cancel#3 {}; a later cap_result#3 is ignored."""
    identity = fresh.push_tool("probe", do("read", path="/x"), deadline_ms=400)
    made = fresh.expect("cap_call")
    cancel = fresh.expect("cancel")
    assert cancel["id"] == made["id"]
    body = fresh.result(identity)
    assert body["error"]["code"] == "crashed"
    assert "killed" in body["error"]["msg"]
    fresh.reply(made["id"], {"contents": "late"})
    identity = fresh.push_tool("probe", do("read", path="/y"))
    made = fresh.expect("cap_call")
    fresh.reply(made["id"], {"contents": "in time"})
    assert fresh.result(identity)["value"]["content"][0]["text"] == "in time"


def test_sat_e16_ids_go_on_and_tokens_change(fresh: Harness) -> None:
    """E16 next invocation with token T10: the first call carries T10 and the next id (ids do not restart)."""
    for index in range(3):
        assert fresh.text("probe", do("read", path="/x"), answer=lambda cap, args: {"contents": "c"}) == "c"
        made = fresh.caps[-1]
        assert made["id"] == index
        assert made["body"]["token"] == fresh.tokens[index + 1]


@pytest.mark.parametrize("what", ["k", "thread"])
def test_sat_e17_what_an_invocation_left_behind_has_no_authority(fresh: Harness, what: str) -> None:
    """E17 after an answer, a background process calling a capability is unauthorized in the next invocation."""
    calls: list[object] = []

    def files(cap: str, args: object) -> object:
        calls.append(args)
        return {"contents": "allowed"}

    assert fresh.text("probe", do(f"keep-{what}"), answer=files) == "kept"
    if what == "k":
        code, _ = fresh.text("probe", do("use-k"), answer=files).split("|")
        assert code == "unauthorized"
        assert calls == []
    else:
        calls.clear()
        fresh.tool("probe", do("use-thread"), answer=files)
        assert {"path": "/background"} not in calls


def test_a_ctx_kept_from_an_earlier_invocation_reports_nothing(fresh: Harness) -> None:
    assert fresh.text("probe", do("keep-ctx")) == "kept"
    assert fresh.text("probe", do("use-ctx")) == "used"
    assert fresh.caps == []
    assert fresh.text("probe", do("report")) == "told"
    assert len(fresh.caps) == 1


def test_sat_e18_a_partial_report_is_sent_and_not_awaited(fresh: Harness) -> None:
    """E18 ctx.report("narrating") with token 2a2a as the node's first call: V18; its answer changes nothing."""
    identity = fresh.push_tool("probe", do("report"), token=T42)
    assert framed(fresh.frame()).hex() == VECTORS["V18"][1]
    body = fresh.result(identity)
    assert body["value"]["content"] == [{"type": "text", "text": "told"}]
    fresh.reply(0, error=("denied", "no"))
    as_vector(fresh, "V11", "V12")


def test_partial_reports_end_at_their_bound(fresh: Harness) -> None:
    assert fresh.text("probe", do("reports", n=200)) == "told"
    assert [call["body"]["args"]["bytes"] for call in fresh.caps] == [str(n).encode() for n in range(64)]
    assert fresh.text("probe", do("reports", n=2)) == "told"
    assert len(fresh.caps) == 66


@pytest.mark.parametrize("identity", [0, 7, (1 << 64) - 1])
def test_sat_e19_a_cancel_ends_the_node(fresh: Harness, identity: int) -> None:
    """E19 cancel from HARNESS with any id: node leaves its loop, exits, writes no outcome."""
    as_vector(fresh, "V11", "V12")
    fresh.cancel(identity)
    assert fresh.ended() == 0


@pytest.mark.parametrize("what", [do("spin"), do("sleep", ms=60_000), do("read", path="/x")])
def test_a_cancel_answers_what_is_open_and_ends_the_node(fresh: Harness, what: str) -> None:
    identity = fresh.push_tool("probe", what, 60_000)
    if "read" in what:
        made = fresh.expect("cap_call")
    else:
        fresh.silence()
    fresh.cancel()
    if "read" in what:
        assert fresh.expect("cancel")["id"] == made["id"]
    body = fresh.result(identity)
    assert body["error"]["code"] == "crashed"
    assert "killed" in body["error"]["msg"]
    assert fresh.ended() == 0


@pytest.mark.parametrize("what", [do("spin"), do("sleep", ms=60_000), do("read", path="/x"), None])
def test_sat_e20_a_node_whose_harness_is_gone_ends(fresh: Harness, what: str | None) -> None:
    """E20 socket closed while cap_call in flight: the caller gets a transport error at once."""
    if what is None:
        as_vector(fresh, "V11", "V12")
    else:
        fresh.push_tool("probe", what, 60_000)
        if "read" in what:
            fresh.expect("cap_call")
        else:
            fresh.silence()
    start = time.monotonic()
    fresh.socket.close()
    assert fresh.process.wait(10) == 0
    assert time.monotonic() - start < 5


def test_sat_e21_a_heartbeat_is_not_echoed(shared: Harness) -> None:
    """E21 heartbeat#4 to the node: nothing written."""
    shared.write(vector("V02"))
    shared.silence()
    as_vector(shared, "V11", "V12")


BAD_RESULTS = [
    {"value": 1},
    {"ok": 1, "value": 1},
    {"ok": True},
    {"ok": False},
    {"ok": False, "error": "denied"},
    {"ok": False, "error": {"code": "denied"}},
    {"ok": False, "error": {"code": 1, "msg": "x"}},
]


@pytest.mark.parametrize("body", BAD_RESULTS)
def test_sat_e22_a_malformed_result_is_a_fault_of_the_channel(fresh: Harness, body: object) -> None:
    """E22 malformed cap_result (no ok): channel fault, all in-flight calls fail."""
    identity = fresh.push_tool("probe", do("read", path="/x"), 60_000)
    made = fresh.expect("cap_call")
    fresh.write(framed(envelope("cap_result", made["id"], body)))
    text = fresh.result(identity)["value"]["content"][0]["text"]
    assert text.startswith("transport|")
    assert fresh.ended() == 0


def booted(**variables: str) -> tuple[int, str]:
    """Exit code and errors of a node without --fd, with these variables."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LOOM_")}
    made = subprocess.run(command(EXTENSION), env={**kept, **variables}, capture_output=True, timeout=60)
    assert made.stdout == b""
    return made.returncode, made.stderr.decode()


def test_sat_e23_without_a_channel_the_node_does_not_start(tmp_path: Path) -> None:
    """E23 LOOM_CAP_TOKEN_FILE unset: TokenUnavailable (checked first); LOOM_CAP_SOCK unset: TransportUnavailable."""
    token, short = tmp_path / "cap-token", tmp_path / "short"
    token.write_bytes(bytes(32))
    short.write_bytes(bytes(31))
    for variables, kind in (
        ({}, "TokenUnavailable"),
        ({"LOOM_CAP_TOKEN_FILE": str(tmp_path / "none")}, "TokenUnavailable"),
        ({"LOOM_CAP_TOKEN_FILE": str(short), "LOOM_CAP_SOCK": "/none"}, "TokenUnavailable"),
        ({"LOOM_CAP_TOKEN_FILE": str(token)}, "TransportUnavailable"),
        ({"LOOM_CAP_TOKEN_FILE": str(token), "LOOM_CAP_SOCK": str(tmp_path / "none")}, "TransportUnavailable"),
        ({"LOOM_CAP_TOKEN_FILE": str(token), "LOOM_CAP_SOCK": "/" + "x" * 200}, "TransportUnavailable"),
    ):
        code, errors = booted(**variables)
        assert code == 1
        assert kind in errors


def test_the_socket_may_be_named_by_the_environment() -> None:
    with node(EXTENSION, over="path") as made:
        as_vector(made, "V11", "V12")
        made.cancel()
        assert made.ended() == 0


@pytest.mark.parametrize("fd", ["0", "1", "2", "900", "-1", "x"])
def test_a_descriptor_that_is_no_socket_is_a_usage_error(fd: str) -> None:
    made = subprocess.run([*command(EXTENSION), "--fd", fd], capture_output=True, timeout=60)
    assert made.returncode == 2
    assert made.stdout == b""


# -- SATELLITE.md section 9, C and D, over the wire ------------------------------------------


def test_codes_of_what_is_not_served(shared: Harness) -> None:
    code, message = shared.error("nope")
    assert code == "unknown_tool"
    assert "echo_tool, library_tool, probe" in message
    body = shared.result(shared.push("event", "context", '{"op_id":"o","messages":[]}'))
    assert body["error"]["code"] == "unhandled"
    body = shared.result(shared.push("event", "usage", "{}"))
    assert body["error"]["code"] == "mismatched_hook"
    for args in (None, {}, {"args": 5}, [], "{}"):
        body = shared.result(shared.push("tool", "echo_tool", args))
        assert body["error"]["code"] == "bad_arguments"
    assert shared.error("echo_tool", "{oops")[0] == "bad_arguments"
    assert shared.error("echo_tool", "[1]")[0] == "refused"
    body = shared.result(shared.push("event", "tool_call", {"args": "{}"}))
    assert body["error"]["code"] == "bad_arguments"
    body = shared.result(shared.push("event", "tool_call", "nonsense"))
    assert body["error"]["code"] == "bad_arguments"
    assert shared.error("probe", do("refuse")) == ("refused", "no such city")


def test_blocks_and_the_deadline_cross(shared: Harness) -> None:
    body = shared.tool("probe", do("blocks"))
    content = [{"type": "text", "text": "a"}, {"type": "json", "json": '{"n":1}'}]
    assert body["value"] == {"content": content, "terminate": True}
    assert shared.text("probe", do("deadline"), deadline_ms=1234) == "1234"


def test_sat_d9_an_unknown_kind_is_dropped(shared: Harness) -> None:
    """D9 V35 (unknown kind): dropped, the channel stays usable for the next frame."""
    shared.write(vector("V35"))
    as_vector(shared, "V11", "V12")


def test_sat_d12_longer_encodings_are_accepted(shared: Harness) -> None:
    """D12 integer 5 encoded as cd0005 inside an envelope: accepted."""
    payload = vector("V11")[4:].replace(bytes.fromhex("a269640b"), bytes.fromhex("a26964cd000b"))
    shared.write(len(payload).to_bytes(4, "big") + payload)
    assert framed(shared.frame()).hex() == VECTORS["V12"][1]


def test_sat_d16_a_key_too_many_is_tolerated_by_the_node(shared: Harness) -> None:
    """D16 envelope with an extra key x: NODE: tolerated."""
    body = {"token": T9, "kind": "tool", "name": "echo_tool", "args": {"args": '{"say":"x"}'}, "deadline_ms": 500}
    made = envelope("hook_call", 77, {**body, "extra": [1]})
    shared.write(framed({**made, "x": {"y": None}}))
    assert shared.result(77)["ok"] is True


def test_sat_d18_sat_d19_a_nil_token_and_the_largest_id_are_accepted(shared: Harness) -> None:
    """D18 V37 (nil token): accepted as empty token. D19 id 2^64-1 accepted."""
    as_vector(shared, "V37", "V04")
    largest = (1 << 64) - 1
    body = {"token": None, "kind": "poll", "name": "x", "args": None, "deadline_ms": 5}
    shared.write(framed(envelope("hook_call", largest, body)))
    assert shared.result(largest)["error"]["code"] == "bad_kind"


FAULTS = {
    "V33": vector("V33"),
    "V34": vector("V34"),
    "V36": vector("V36"),
    "V39": vector("V39"),
    "empty": bytes(4),
    "huge": b"\xff\xff\xff\xff",
    "array": bytes.fromhex("00000005ddffffffff"),
    "deep": (100_001).to_bytes(4, "big") + b"\x91" * 100_000 + b"\xc0",
    "float32": bytes.fromhex("00000005ca3f800000"),
    "ext": bytes.fromhex("00000003d40500"),
    "utf8": bytes.fromhex("00000002a1ff"),
    "no body": framed({"v": 1, "id": 1, "kind": "cancel"}),
    "no token": framed(envelope("hook_call", 1, {"kind": "tool", "name": "x", "args": None, "deadline_ms": 1})),
    "negative id": framed(envelope("heartbeat", -1, {})),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_frame_that_is_none_ends_the_node_quietly(fault: str) -> None:
    with node(EXTENSION) as made:
        as_vector(made, "V11", "V12")
        made.write(FAULTS[fault])
        assert made.ended() == 0


def test_half_a_frame_and_the_end_do_no_harm(fresh: Harness) -> None:
    as_vector(fresh, "V11", "V12")
    fresh.write(vector("V11")[:50])
    fresh.silence()
    fresh.socket.shutdown(socket.SHUT_WR)
    assert fresh.ended() == 0


def test_a_harness_that_has_said_all_is_still_answered(fresh: Harness) -> None:
    identity = fresh.push_tool("echo_tool", '{"say":"last"}')
    fresh.socket.shutdown(socket.SHUT_WR)
    assert fresh.result(identity)["value"]["content"][0]["text"] == "last"
    assert fresh.ended() == 0


def test_a_frame_may_come_byte_by_byte(shared: Harness) -> None:
    for byte in vector("V11"):
        shared.write(bytes([byte]))
    assert framed(shared.frame()).hex() == VECTORS["V12"][1]


def test_what_was_whole_before_a_fault_is_answered(fresh: Harness) -> None:
    fresh.write(vector("V11") + vector("V36"))
    assert framed(fresh.frame()).hex() == VECTORS["V12"][1]
    assert fresh.ended() == 0


# -- capabilities over the wire -----------------------------------------------------------------

PROC = {"exit_code": 3, "stdout": "hi", "stderr": "", "stdout_truncated": False}
PROC |= {"stderr_truncated": False, "timed_out": False}
CAPABILITIES = {
    "write": ("fs.write", {"path": "/x", "contents": "body"}, {}, "done"),
    "list": (
        "fs.list",
        {"path": "/data"},
        {"entries": [{"name": "a", "is_dir": False}]},
        '((("name" . "a") ("is_dir" . #f)))',
    ),
    "edit": (
        "fs.edit",
        {"path": "/x", "edits": [{"find": "a", "replace_with": "b"}, {"find": "c", "replace_with": "d"}]},
        {},
        "done",
    ),
    "get": ("kv.get", {"key": "k"}, {"found": True, "value": b"v"}, "#u8(118)"),
    "set": ("kv.set", {"key": "k", "value": b"v"}, {}, "done"),
    "delete": ("kv.delete", {"key": "k"}, {}, "done"),
    "net": (
        "net.request",
        {"method": "GET", "url": "https://api.example.test/x", "headers": {}, "body": b""},
        {"status": 200, "headers": {"content-type": "text/plain"}, "body": b"hi"},
        '(("status" . 200) ("headers" ("content-type" . "text/plain")) ("body" . #u8(104 105)))',
    ),
    "post": (
        "net.request",
        {"method": "POST", "url": "https://api.example.test/x", "headers": {"a": "1, 3", "b": "2"}, "body": b"body"},
        {"status": 404, "headers": {}, "body": b""},
        '(("status" . 404) ("headers") ("body" . #u8()))',
    ),
    "proc": (
        "proc.run",
        {"argv": ["echo", "hi"], "cwd": None, "env": {}, "stdin": None, "timeout_ms": None},
        PROC,
        '(("exit_code" . 3) ("stdout" . "hi") ("stderr" . "") ("stdout_truncated" . #f) '
        '("stderr_truncated" . #f) ("timed_out" . #f))',
    ),
    "emit": ("report.emit", {"name": "n", "content_type": "text/plain", "bytes": b"x"}, {"id": "a1"}, "a1"),
    "remember": ("ext.remember", {"key": "seen", "value": "1"}, {}, "done"),
    "recall": ("ext.recall", {"key": "seen"}, {"found": True, "value": '{"a":[1]}'}, '(("a" 1))'),
}


@pytest.mark.parametrize("what", CAPABILITIES)
def test_a_capability_has_its_arguments_and_its_value(shared: Harness, what: str) -> None:
    cap, wanted, value, shown = CAPABILITIES[what]
    seen: list[tuple[str, object]] = []

    def answer(cap: str, args: object) -> object:
        seen.append((cap, args))
        return value

    assert shared.text("probe", do(what), answer=answer) == shown
    assert seen == [(cap, wanted)]


@pytest.mark.parametrize("what", ["get", "recall"])
def test_what_is_not_there_is_false(shared: Harness, what: str) -> None:
    answer = {"found": False, "value": b""}
    assert shared.text("probe", do(what), answer=lambda cap, args: answer) == "#f"


@pytest.mark.parametrize("value", [None, {}, 5, "text", [], {"contents": b"bytes"}, {"contents": 5}])
def test_an_answer_without_its_fields_is_a_fault_of_the_transport(shared: Harness, value: object) -> None:
    code, message = shared.text("probe", do("read", path="/x"), answer=lambda cap, args: value).split("|")
    assert code == "transport"
    assert "fs.read" in message


def test_a_memory_that_is_denied_is_a_refusal(shared: Harness) -> None:
    def deny(cap: str, args: object) -> object:
        raise LookupError("memory_unavailable", "no memory today")

    for what, cap in (("remember", "ext.remember"), ("recall", "ext.recall")):
        code, message = shared.error("probe", do(what), answer=deny)
        assert code == "refused"
        assert all(part in message for part in (cap, "(memory_unavailable)", "no memory today"))


def test_a_token_is_in_no_message(shared: Harness) -> None:
    token = b"secret-token-secret-token-secret"
    for what in ("boom", "read", "keep-ctx", "nan"):
        identity = shared.push_tool("probe", do(what, path="/x"), token=token)
        made = shared.frame()
        while made["kind"] != "hook_result":
            shared.reply(made["id"], error=("denied", "no"))
            made = shared.frame()
        assert made["id"] == identity
        assert b"secret" not in framed(made)


# -- state, deadlines, trouble ----------------------------------------------------------------------


def test_state_lives_between_invocations_and_not_between_nodes() -> None:
    for _ in range(2):
        with node(EXTENSION) as made:
            assert [made.text("probe", do("count")) for _ in range(2)] == ["1", "2"]
            assert made.text("library_tool") == "3"
            as_vector(made, "V03", "V04")
            assert made.text("library_tool") == "5"


def test_state_survives_crashes_and_deadlines(fresh: Harness) -> None:
    assert fresh.text("probe", do("count")) == "1"
    fresh.error("probe", do("boom"))
    fresh.error("probe", do("spin"), deadline_ms=200)
    fresh.error("probe", do("flood"))
    assert fresh.text("probe", do("count")) == "2"


@pytest.mark.parametrize("what", [do("spin"), do("sleep", ms=60_000), do("read", path="/x"), do("keep-k")])
def test_the_deadline_is_held_by_the_node_itself(fresh: Harness, what: str) -> None:
    fresh.text("probe", do("count"))
    start = time.monotonic()
    identity = fresh.push_tool("probe", what, 300)
    if "read" in what:
        fresh.expect("cap_call")
        fresh.expect("cancel")
    body = fresh.result(identity)
    if "keep" not in what:
        assert 0.25 < time.monotonic() - start < 5
        assert body["error"]["code"] == "crashed"
        assert "time limit" in body["error"]["msg"]


def test_what_a_tool_prints_is_not_on_the_channel(fresh: Harness) -> None:
    assert fresh.text("probe", do("print")) == "printed"
    assert fresh.text("echo_tool", '{"say":"x"}') == "x"
    fresh.cancel()
    assert fresh.ended() == 0
    assert fresh.process.stdout is not None
    assert fresh.process.stdout.read() == b""


def test_both_ends_may_write_with_full_buffers(fresh: Harness) -> None:
    """The harness pushes calls while the node writes a large answer that nobody reads yet."""
    fresh.text("probe", do("count"))
    first = fresh.push_tool("probe", do("big", size=8 << 20), 20_000)
    time.sleep(0.5)
    large = json.dumps({"do": "x", "pad": "y" * (6 << 20)})
    pushed = [fresh.push_tool("probe", large, 20_000) for _ in range(2)]
    assert len(fresh.result(first)["value"]["content"][0]["text"]) == 8 << 20
    codes = [fresh.expect("hook_result")["body"]["error"]["code"] for _ in pushed]
    assert set(codes) <= {"busy", "refused"}


def test_a_node_that_was_stopped_goes_on(fresh: Harness) -> None:
    fresh.text("probe", do("count"))
    fresh.process.send_signal(signal.SIGSTOP)
    identity = fresh.push_tool("probe", do("count"))
    fresh.silence()
    fresh.process.send_signal(signal.SIGCONT)
    assert fresh.result(identity)["value"]["content"][0]["json"] == "2"


def test_a_killed_node_is_seen_at_once(fresh: Harness) -> None:
    fresh.push_tool("probe", do("spin"), 60_000)
    fresh.silence()
    fresh.process.kill()
    with pytest.raises(Gone):
        fresh.frame(5)
    assert fresh.process.wait(5) == -signal.SIGKILL


def test_many_calls_leave_no_memory_behind(fresh: Harness) -> None:
    for _ in range(300):
        fresh.text("echo_tool", '{"say":"x"}')
    before = fresh.memory()
    for _ in range(1500):
        fresh.text("echo_tool", '{"say":"x"}')
    assert fresh.memory() - before < 2 << 20


def test_random_frames_never_hang_or_crash_a_node() -> None:
    """Bounded: several nodes, each fed almost-frames until it gives up; it always ends with 0."""
    source = random.Random(7)
    for _ in range(8):
        with node(EXTENSION) as made:
            for _ in range(400):
                data = bytearray(vector(source.choice(["V02", "V03", "V05", "V07", "V11", "V19", "V22", "V35", "V37"])))
                if source.random() < 0.02:
                    at = source.randrange(4, len(data))
                    data[at] = source.randrange(256)
                try:
                    made.write(bytes(data))
                except OSError:
                    break
                drain(made)
            made.socket.shutdown(socket.SHUT_WR)
            with pytest.raises(Gone):
                while True:
                    made.frame()
            assert made.process.wait(10) == 0


def drain(made: Harness) -> None:
    """Take what is there, as bytes."""
    made.socket.setblocking(False)
    try:
        made.buffer += made.socket.recv(1 << 20)
    except (BlockingIOError, ConnectionError):
        pass
    finally:
        made.socket.setblocking(True)


# -- tool files --------------------------------------------------------------------------------------

PLAIN = """
(define n 0)
(define-tool count (description "Counts.") (parameters '())
  (execute (lambda (args) (set! n (+ n 1)) n)))
(define-tool greet (description "Greets.") (parameters '((name (type . "string"))))
  (execute (lambda (args) (string-append "hi " (cdr (assoc "name" args))))))
(define-tool fails (description "Fails.") (parameters '())
  (execute (lambda (args) (display "noise") (car 5))))
(define-tool spins (description "Spins.") (parameters '())
  (execute (lambda (args) (let loop () (loop)))))
(define-tool fills (description "Fills.") (parameters '())
  (execute (lambda (args) (let loop ((l '())) (loop (cons (make-vector 10000 0) l))))))
(define-tool data (description "Data.") (parameters '())
  (execute (lambda (args) '(("a" . (1 2)) ("b" . null)))))
"""
CONVENTION = """
(define tool-name "single")
(define tool-description "One.")
(define tool-parameters '((x (type . "integer"))))
(define (tool-execute args) (* 2 (cdr (assoc "x" args))))
"""
ENTRY = """
(import (ext) (ext hook))
(define (run args ctx) (text "from an entry"))
(define (on-event) (on-before-compact (lambda (d) "keep")))
"""


def test_tool_files_are_served(tmp_path: Path) -> None:
    (tmp_path / "plain.scm").write_text(PLAIN, encoding="utf-8")
    (tmp_path / "single.scm").write_text(CONVENTION, encoding="utf-8")
    with node(tmp_path, options=["--fuel", "1000000000000"]) as made:
        assert [made.text("count") for _ in range(3)] == ["1", "2", "3"]
        assert made.text("greet", '{"name":"bob"}') == "hi bob"
        assert made.text("single", '{"x":21}') == "42"
        assert made.text("data") == '{"a":[1,2],"b":null}'
        code, message = made.error("fails")
        assert code == "crashed"
        assert "plain.scm:8:45" in message
        code, message = made.error("greet", "{}")
        assert code == "refused"
        assert "name" in message
        assert made.error("count", "[oops")[0] == "bad_arguments"
        start = time.monotonic()
        first = made.push_tool("spins", "{}", 400)
        made.silence(0.1)
        second = made.push_tool("count")
        assert made.expect("hook_result")["id"] == second
        assert made.result(first)["error"]["code"] == "crashed"
        assert time.monotonic() - start < 10
        assert "killed" in made.error("fills")[1]
        assert made.text("greet", '{"name":"bob"}') == "hi bob"
        assert made.error("nope")[1].endswith("count, data, fails, fills, greet, single, spins")


def test_an_entry_is_served_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "weather.scm"
    file.write_text(ENTRY, encoding="utf-8")
    with node(file) as made:
        assert made.text("weather") == "from an entry"
        document = {"op_id": "o", "reason": "r", "tokens_before": 1, "summarized_messages": 1, "retained_messages": 1}
        body = made.result(made.push("event", "before_compact", json.dumps(document)))
        assert body == {"ok": True, "value": '{"note":"keep"}'}


WEB = """
(import (tein http))
(define-tool fetch (description "Fetches.") (parameters '((url (type . "string"))))
  (execute (lambda (args)
    (guard (e ((http-error-kind e) => symbol->string))
      (http-body (http-get (cdr (assoc "url" args)) '()))))))
"""
GRANT = """
[tools.http.allow]
"/tools/shared/web.scm" = ["https://api.example.test/"]
"""


def test_requests_of_a_tool_file_go_through_the_harness(tmp_path: Path) -> None:
    web, config = tmp_path / "web.scm", tmp_path / "config.toml"
    web.write_text(WEB, encoding="utf-8")
    config.write_text(GRANT, encoding="utf-8")
    seen: list[object] = []

    def answer(cap: str, args: object) -> object:
        seen.append((cap, args["method"], args["url"], args["body"]))
        if args["url"].endswith("/denied"):
            raise LookupError("not_allowed", "not here")
        if args["url"].endswith("/broken"):
            raise LookupError("net_failed", "no route")
        return {"status": 200, "headers": {"content-type": "text/plain"}, "body": b"body"}

    with node(web, options=["--config", str(config)]) as made:
        base = "https://api.example.test/"
        texts = [
            made.text("fetch", json.dumps({"url": url}), answer=answer)
            for url in (base + "x", base + "denied", base + "broken", "https://evil.test/")
        ]
    assert texts == ["body", "blocked", "connect", "blocked"]
    assert seen == [("net.request", "GET", base + path, b"") for path in ("x", "denied", "broken")]


def test_an_extension_from_an_image_runs_no_source(tmp_path: Path) -> None:
    declared = declared_in(EXTENSION / "extension.toml")
    with build(EXTENSION, declared) as context:
        data = context.freeze().to_bytes(key=b"k")
    served = Extension(tmp_path, declared, image=Image.from_bytes(data, key=b"k"))
    assert list(tmp_path.iterdir()) == []
    ours, theirs = socket.socketpair()
    host, channel = Channel(ours, strict=True), Channel(theirs, strict=False)
    node_ = Node([served])
    for count in ("1", "2"):
        host.send(HookCall(1, b"t", "tool", "probe", {"args": do("count")}, 5000))
        node_._channel = channel
        node_._invoke(channel.take(5))
        answer = host.take(5)
        assert answer.result.value["content"] == [{"type": "json", "json": count}]
    node_.close()
    channel.close()
    host.close()


@pytest.mark.parametrize(
    ("files", "message", "code"),
    [
        ({"a.scm": "(define-tool x"}, "never closed", 1),
        ({"a.scm": "(define x 1)"}, "missing tool-name", 1),
        ({"a.scm": PLAIN, "b.scm": PLAIN}, "two tools are called count", 1),
        ({"extension.toml": "[[tool]]\nname = 1"}, "each [[tool]] has name and entry", 2),
        ({"extension.toml": '[[tool]]\nname = "x"\nentry = "x.scm"'}, "no file under src/", 1),
        ({"extension.toml": '[[tool]]\nname = "x"\nentry = "../x.scm"', "x.scm": ENTRY}, "no file under src/", 1),
        ({"extension.toml": '[[tool]]\nname = "x"\nentry = "x.scm"', "src/x.scm": "(define y 1)"}, "defines no run", 1),
        ({"extension.toml": '[[hook]]\nevent = "usage"\nentry = "x.scm"', "src/x.scm": "(define (on-event) 1)"}, "answers a hook", 1),
        ({"extension.toml": '[[tool]]\nname = "x"\nentry = "x.scm"', "src/x.scm": "(import (scheme process-context)) (exit 0)"}, "ended itself", 1),
        ({"extension.toml": "[[tool"}, "extension.toml", 2),
        ({"readme.txt": ""}, "neither extension.toml nor tool files", 1),
    ],
)  # fmt: skip
def test_what_does_not_load_is_said_and_not_served(
    tmp_path: Path, files: dict[str, str], message: str, code: int
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = subprocess.run([*command(tmp_path), "--fd", "900"], capture_output=True, timeout=60)
    assert made.returncode == code
    assert message in made.stderr.decode()
    assert made.stdout == b""
