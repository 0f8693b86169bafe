"""How the harness reads a tool's answer."""

from __future__ import annotations

import pytest

from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.host import Answer, Failure
from chibi_bridge.satellite.reply import Reply, reply_of


def reply(answer: Answer) -> Reply:
    return reply_of(answer, extension="weather", tool="forecast", manifest_hash="ab")


def test_blocks_are_joined_line_by_line_and_details_have_the_value() -> None:
    value = {"content": [{"type": "text", "text": "a"}, {"type": "json", "json": '{"n":1}'}], "terminate": True}
    made = reply(Ok(value))
    assert (made.text, made.is_error, made.terminate) == ('a\n{"n":1}', False, True)
    assert made.details == {
        "status": "completed",
        "extension": "weather",
        "tool": "forecast",
        "manifest_hash": "ab",
        "value": value,
    }


@pytest.mark.parametrize("terminate", [None, 1, "true", False])
def test_only_true_ends_the_run(terminate: object) -> None:
    assert not reply(Ok({"content": [], "terminate": terminate})).terminate


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"content": []}, ""),
        ({"other": 1}, '{"other": 1}'),
        ([1, b"\xff"], '[1, "ff"]'),
        ({"content": [{"type": "image", "data": 1}]}, '{"type": "image", "data": 1}'),
        ({"content": ["x"]}, '"x"'),
        ({"content": [{"type": "text", "text": 5}]}, '{"type": "text", "text": 5}'),
    ],
)
def test_values_of_another_shape_are_shown_as_they_are(value: object, text: str) -> None:
    assert reply(Ok(value)).text == text


def test_a_refusal_is_told_with_its_message() -> None:
    made = reply(Failure("refused", "no such city", "refused"))
    assert (made.is_error, made.terminate) == (True, False)
    assert "refused" in made.text
    assert "no such city" in made.text
    assert made.details["status"] == "extension_failed"
    assert made.details["message"] == "no such city"


@pytest.mark.parametrize(
    "failure",
    [
        Failure("crashed", "program crashed: abnormal", "crashed"),
        Failure("refused", "x", "bad_arguments"),
        Failure("deadline", "late"),
        Failure("gone", "gone"),
    ],
)
def test_every_other_failure_is_a_failed_dispatch(failure: Failure) -> None:
    made = reply(failure)
    assert made.is_error
    assert failure.message in made.text
    assert made.details["status"] == "dispatch_failed"
