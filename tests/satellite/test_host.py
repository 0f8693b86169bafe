"""SatelliteHost against a node that shares no line with it; the cases of section H, and hostile peers."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from time import monotonic

import pytest

from chibi_bridge.satellite import host as host_module
from chibi_bridge.satellite.broker import Grants
from chibi_bridge.satellite.host import Failure
from tests.satellite.conftest import Satellite

Make = Callable[..., Satellite]


@pytest.fixture
def no_back_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "BACK_OFF", 0.0)


def test_H1_the_first_invoke_launches_one_node_and_the_second_reuses_it(satellite: Make) -> None:
    made = satellite()
    assert not made.host.running
    first, second = str(made.call("count")).split(), str(made.call("count")).split()
    assert (first[0], second[0]) == ("1", "2")
    assert first[2] == second[2]


def test_H2_two_invokes_give_ids_1_and_2_and_different_tokens(satellite: Make) -> None:
    made = satellite()
    assert str(made.call("count")).split()[1] == "1"
    assert str(made.call("count")).split()[1] == "2"
    one, two = str(made.call("token")), str(made.call("token"))
    assert one != two
    assert one.startswith("32 ")


def test_H3_no_answer_within_the_deadline_kills_the_node_which_is_launched_again_after_a_back_off(
    satellite: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = satellite()
    pid = int(str(made.call("count")).split()[2])
    failure = made.call("sleep", 200, seconds=30)
    assert isinstance(failure, Failure)
    assert failure.kind == "deadline"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    at_once = made.call("count")
    assert isinstance(at_once, Failure)
    assert at_once.kind == "gone"
    monkeypatch.setattr(made.host, "_not_before", 0.0)
    assert str(made.call("count")).split()[0] == "1"


def test_H3_the_back_off_doubles_and_ends_at_60_seconds_and_an_answer_resets_it(satellite: Make) -> None:
    made = satellite(NODE_BOOT="exit")
    waits = []
    for _ in range(8):
        made.host._not_before = 0.0
        before = monotonic()
        assert isinstance(made.call("count"), Failure)
        waits.append(round(made.host._not_before - before))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_H4_a_hook_result_with_a_stale_id_destroys_the_node(satellite: Make) -> None:
    made = satellite()
    failure = made.call("stale")
    assert isinstance(failure, Failure)
    assert failure.kind == "gone"
    assert not made.host.running


def test_H4_a_second_result_for_one_invocation_destroys_the_node(satellite: Make) -> None:
    made = satellite()
    assert made.call("twice") == "first"
    made.host._failures = 0
    answer = made.call("echo", say="x")
    assert answer != "second"


def test_H5_an_outcome_from_a_serving_node_is_dropped_and_the_node_stays_usable(satellite: Make) -> None:
    made = satellite()
    assert made.call("outcome") == "after outcome"
    assert made.call("echo", say="x") == "x"


def test_H6_a_heartbeat_is_echoed_with_its_id(satellite: Make) -> None:
    assert satellite().call("heartbeat") == "heartbeat 4"


def test_H7_an_unknown_kind_is_dropped(satellite: Make) -> None:
    assert satellite().call("unknown_kind") == "after nudge"


def test_H8_a_node_that_exits_at_boot_is_gone(satellite: Make) -> None:
    failure = satellite(NODE_BOOT="exit").call("echo", say="x")
    assert isinstance(failure, Failure)
    assert failure.kind == "gone"
    assert "status 5" in failure.message


def test_H9_after_a_crashed_answer_the_node_is_still_usable(satellite: Make) -> None:
    made = satellite()
    failure = made.call("fail", code="crashed", msg="program crashed: abnormal")
    assert failure == Failure("crashed", "program crashed: abnormal", "crashed")
    assert made.call("echo", say="x") == "x"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("refused", "refused"),
        ("unhandled", "unhandled"),
        ("bad_arguments", "refused"),
        ("unknown_tool", "refused"),
        ("busy", "busy"),
    ],
)
def test_codes_of_a_node_are_kept_beside_their_kind(satellite: Make, code: str, kind: str) -> None:
    assert satellite().call("fail", code=code, msg="why") == Failure(kind, "why", code)


def test_H10_two_invocations_of_one_satellite_come_one_after_the_other_and_two_satellites_do_not_wait(
    satellite: Make,
) -> None:
    one, two = satellite(), satellite(name="other")
    one.call("echo", say="x"), two.call("echo", say="x")
    done: list[str] = []
    thread = threading.Thread(target=lambda: done.append(str(one.call("sleep", seconds=0.4))))
    start = monotonic()
    thread.start()
    while not one.host._lock.locked():
        assert monotonic() - start < 5
    assert two.call("echo", say="y") == "y"
    assert done == []
    assert one.call("echo", say="z") == "z"
    thread.join()
    assert done == ["slept"]


def test_H11_a_second_invoke_that_does_not_wait_is_busy(satellite: Make) -> None:
    made = satellite()
    made.call("echo", say="x")
    thread = threading.Thread(target=lambda: made.call("sleep", seconds=0.3))
    thread.start()
    start = monotonic()
    while not made.host._lock.locked():
        assert monotonic() - start < 5
    answer = made.host.invoke("tool", "echo", {"args": "{}", "strand": ""}, 1000, wait=False)
    assert isinstance(answer, Failure)
    assert answer.kind == "busy"
    thread.join()


def test_H12_an_answer_with_a_cap_call_in_flight_cancels_it_and_answers_revoked(satellite: Make) -> None:
    made = satellite(Grants(programs=("/bin/sleep",)))
    assert made.call("leave_call", cap="proc.run", args={"argv": ["/bin/sleep", "30"]}) == "left"
    assert '"revoked"' in str(made.call("what_of_left"))


# -- the harness's end of the wire -----------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "hex_"),
    [
        ("D4 oversized", "01000001"),
        ("D6 bad version", "0000001d84a17602a2696401a46b696e64a9686561727462656174a4626f647980"),
        ("D7 no envelope", "0000000101"),
        ("D8 empty frame", "00000000"),
        ("D10 duplicate key", "0000000782a16101a16102"),
        ("D16 an envelope with an extra key", "0000001d85a17601a2696401a46b696e64a663616e63656ca4626f647980a17801"),
        ("reserved byte", "00000001c1"),
        ("4 G elements", "00000005ddffffffff"),
    ],
)
def test_D_bytes_that_break_the_protocol_destroy_the_node(satellite: Make, case: str, hex_: str) -> None:
    made = satellite()
    failure = made.call("raw", hex=hex_)
    assert isinstance(failure, Failure), case
    assert failure.kind == "gone", case
    assert not made.host.running


def test_D17_a_hook_result_with_an_extra_key_destroys_the_node(satellite: Make) -> None:
    made = satellite()
    failure = made.call("extra")
    assert isinstance(failure, Failure)
    assert failure.kind == "gone"


def test_a_node_killed_during_a_call_is_told_at_once_with_its_signal(satellite: Make, no_back_off: None) -> None:
    made = satellite()
    start = monotonic()
    failure = made.call("die")
    assert isinstance(failure, Failure)
    assert failure.kind == "gone"
    assert "died of signal 9" in failure.message
    assert monotonic() - start < 5
    assert made.call("echo", say="again") == "again"


def test_a_stopped_node_ends_at_the_deadline(satellite: Make, no_back_off: None) -> None:
    made = satellite()
    failure = made.call("stop", 300)
    assert isinstance(failure, Failure)
    assert failure.kind == "deadline"
    assert made.call("echo", say="again") == "again"


@pytest.mark.parametrize("die", [False, True])
def test_half_a_frame_is_no_answer(satellite: Make, die: bool) -> None:
    failure = satellite().call("half", 500, die=die)
    assert isinstance(failure, Failure)
    assert failure.kind == ("gone" if die else "deadline")


def test_a_slow_peer_is_understood(satellite: Make) -> None:
    assert satellite().call("slow") == "byte by byte"


def test_a_node_that_floods_and_reads_nothing_ends_at_the_deadline(satellite: Make) -> None:
    start = monotonic()
    failure = satellite().call("flood", 800)
    assert isinstance(failure, Failure)
    assert failure.kind in ("deadline", "gone")
    assert monotonic() - start < 10


def test_an_answer_of_15_MiB_arrives_and_stray_output_does_no_harm(satellite: Make) -> None:
    made = satellite()
    assert made.call("print") == "printed"
    assert len(str(made.call("big", size=15 << 20))) == 15 << 20


def test_arguments_that_no_frame_holds_are_refused_before_anything_is_sent(satellite: Make) -> None:
    made = satellite()
    made.call("echo", say="x")
    answer = made.host.invoke("tool", "echo", {"args": "x" * (17 << 20), "strand": ""}, 5000)
    assert isinstance(answer, Failure)
    assert answer.code == "unencodable"
    assert made.call("echo", say="still there") == "still there"


def test_invocations_from_an_event_loop(satellite: Make) -> None:
    made = satellite()

    async def main() -> list[object]:
        calls = (
            made.host.invoke_async("tool", "echo", {"args": f'{{"say": "{n}"}}', "strand": ""}, 9000) for n in "abc"
        )
        return list(await asyncio.gather(*calls))

    assert [answer.value["content"][0]["text"] for answer in asyncio.run(main())] == ["a", "b", "c"]  # type: ignore[attr-defined]


def test_cancelling_a_task_destroys_the_node(satellite: Make) -> None:
    made = satellite()
    made.call("echo", say="x")

    async def main() -> None:
        task = asyncio.create_task(
            made.host.invoke_async("tool", "sleep", {"args": '{"seconds": 60}', "strand": ""}, 60_000)
        )
        while not made.host._lock.locked():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    start = monotonic()
    asyncio.run(main())
    while made.host.running:
        assert monotonic() - start < 10


def test_a_closed_satellite_is_gone(satellite: Make) -> None:
    made = satellite()
    made.call("echo", say="x")
    made.host.close()
    failure = made.call("echo", say="x")
    assert isinstance(failure, Failure)
    assert failure.kind == "gone"
    made.host.close()


def test_no_repr_shows_a_token(satellite: Make) -> None:
    broker = satellite().host.broker
    invocation = broker.open(5.0)
    assert invocation.token.hex() not in repr(invocation)
    assert repr(invocation.token) not in repr(invocation)
