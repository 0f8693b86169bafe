"""The jail: each layer is proved from inside, and a machine that lacks one says so."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path
from time import monotonic

import pytest

from chibi_bridge.satellite import kernel
from chibi_bridge.satellite.broker import Broker, Grants
from chibi_bridge.satellite.envelope import Ok
from chibi_bridge.satellite.host import Failure, SatelliteHost, jailed
from chibi_bridge.satellite.jail import LAYERS, JailRefused, JailStatus, Layer, jail_status, required
from chibi_bridge.satellite.launch import Launcher, launcher, single_answer
from chibi_bridge.satellite.manifest import Manifest, ToolRow
from chibi_bridge.satellite.payloads import build_payload, serve_payload

COUNTER = """
(import (scheme base) (ext))
(define n 0)
(define (run args ctx) (set! n (+ n 1)) (text (number->string n)))
"""


@pytest.fixture(scope="module")
def payload(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A counter, built in the jail."""
    folder = tmp_path_factory.mktemp("counter")
    (folder / "src").mkdir()
    (folder / "src" / "counter.scm").write_text(COUNTER)
    tools = (ToolRow("count", "Counts.", "counts", {"type": "object"}, "src/counter.scm", 1000),)
    manifest = Manifest("counter", "1", "A counter.", "MIT", tools)
    process = launcher().start("build", build_payload(manifest, str(folder)), readable=[str(folder)])
    try:
        answer = single_answer(process, 30)
    finally:
        process.close()
    assert isinstance(answer, dict)
    assert isinstance(answer.get("image"), bytes), answer
    return serve_payload(manifest, answer["image"])


def call(host: SatelliteHost) -> object:
    answer = host.invoke("tool", "count", {"args": "{}", "strand": "main"}, 20_000)
    return answer.value["content"][0]["text"] if isinstance(answer, Ok) else answer  # type: ignore[index]


@pytest.mark.parametrize("layer", LAYERS)
def test_each_layer_holds_or_says_why_not(layer: str) -> None:
    (found,) = (item for item in jail_status().layers if item.name == layer)
    if layer in ("network", "mount", "landlock", "seccomp", "capabilities") and not found.active:
        assert found.detail
        pytest.skip(f"this machine has no {layer}: {found.detail}")
    assert found.active, found


def test_strict_refuses_without_a_layer_and_names_it() -> None:
    status = JailStatus((Layer("seccomp", True), Layer("network", False, "Operation not permitted")))
    with pytest.raises(JailRefused, match=r"lacks network: jail without network \(Operation not permitted\)"):
        status.check(required("strict"))
    status.check(required("default"))
    status.check(required(("seccomp",)))
    with pytest.raises(ValueError, match="netwrok"):
        required(("netwrok",))


def test_a_strict_host_starts_nothing_where_a_layer_is_missing(monkeypatch: pytest.MonkeyPatch, payload: bytes) -> None:
    lacking = JailStatus((Layer("network", False, "not here"),))
    monkeypatch.setattr(Launcher, "_prove", lambda self: lacking)
    with SatelliteHost("counter", jailed("serve", payload, jail="strict"), Broker("counter", Grants())) as host:
        with pytest.raises(JailRefused, match="network"):
            call(host)
        assert not host.running


def test_default_says_in_one_line_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fresh = Launcher()
    lacking = JailStatus((Layer("network", False, "not here"),))
    monkeypatch.setattr(Launcher, "_prove", lambda self: lacking)
    try:
        fresh.start("nothing", b"").close()
        fresh.start("nothing", b"").close()
    finally:
        fresh.close()
    assert [record.getMessage() for record in caplog.records] == ["satellite: jail without network (not here)"]


def test_state_lives_between_invocations_and_ends_with_the_node(payload: bytes) -> None:
    with SatelliteHost("counter", jailed("serve", payload), Broker("counter", Grants())) as host:
        assert [call(host) for _ in range(3)] == ["1", "2", "3"]
        node = host._node
        os.kill(node.pid, signal.SIGKILL)  # type: ignore[union-attr]
        gone = call(host)
        assert isinstance(gone, Failure)
        assert "died of signal 9" in gone.message
        host._not_before = 0.0
        assert call(host) == "1"


def test_a_warm_parent_that_was_killed_is_started_again(payload: bytes) -> None:
    with SatelliteHost("counter", jailed("serve", payload), Broker("counter", Grants())) as host:
        assert call(host) == "1"
        parent = launcher()._parent
        assert parent is not None
        parent.kill()
        parent.wait()
        assert isinstance(call(host), Failure)  # its children end with it
        host._not_before = 0.0
        assert call(host) == "1"


def test_the_children_end_with_the_launcher(payload: bytes) -> None:
    own = Launcher()
    process = own.start("serve", payload)
    own.close()
    assert process.how_it_ended(5.0) == "ended with the warm parent"
    process.close()


def test_with_no_descriptor_left_a_launch_fails_and_later_ones_work(payload: bytes) -> None:
    launcher().status()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with SatelliteHost("counter", jailed("serve", payload), Broker("counter", Grants())) as host:
        next_free = os.dup(0)
        os.close(next_free)
        for left in range(9):
            resource.setrlimit(resource.RLIMIT_NOFILE, (next_free + left, hard))
            try:
                answer = call(host)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            if answer != "1":
                assert isinstance(answer, Failure), left
                assert answer.kind == "gone"
            host._drop("for the test")
            host._not_before = 0.0
        assert call(host) == "1"


def test_no_environment_variable_of_the_harness_reaches_a_node(payload: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "do-not-tell")
    own = Launcher()
    process = own.start("serve", payload)
    try:
        assert b"do-not-tell" not in Path(f"/proc/{process.pid}/environ").read_bytes()
    finally:
        process.close()
        own.close()


def test_spare_nodes_are_ready_before_they_are_needed(payload: bytes) -> None:
    with SatelliteHost("counter", jailed("serve", payload), Broker("counter", Grants()), spares=1) as host:
        assert call(host) == "1"
        start = monotonic()
        while not host._spares:
            assert monotonic() - start < 20
        spare = host._spares[0]
        host._drop("for the test")
        assert call(host) == "1"
        assert host._node is spare


def test_the_filter_is_whole() -> None:
    code = kernel.node_filter()
    assert len(code) % 8 == 0
    assert len(code) // 8 < 4096
    rows = [(index, code[8 * index + 2], code[8 * index + 3]) for index in range(len(code) // 8)]
    jumps = [row for row in rows if code[8 * row[0]] & 7 == 5]
    assert len(jumps) > 80
    assert all(index + 1 + max(yes, no) < len(rows) for index, yes, no in jumps)
