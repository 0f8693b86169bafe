"""Files are judged by resolved prefixes at segment boundaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from chibi_bridge import Policy, SandboxViolation
from chibi_bridge._conditions import Refusal
from chibi_bridge.host import Host, perform


def test_a_grant_holds_at_segment_boundaries(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "ab").mkdir()
    (tmp_path / "a" / "x").write_text("hello", encoding="utf-8")
    (tmp_path / "ab" / "x").write_text("secret", encoding="utf-8")
    (tmp_path / "a" / "link").symlink_to(tmp_path / "ab" / "x")
    host = Host(Policy(fs_read=(str(tmp_path / "a"),)))
    assert perform(host, "read-file", [str(tmp_path / "a" / "x")]) == "hello"
    for path in ("ab/x", "a/../ab/x", "a/link"):
        with pytest.raises(SandboxViolation):
            perform(host, "read-file", [str(tmp_path / path)])


def test_reading_grants_no_writing(tmp_path: Path) -> None:
    host = Host(Policy(fs_read=(str(tmp_path),)))
    for op, args in (("write-file", ["x"]), ("write-file-bytes", [b"x"]), ("delete-file", [])):
        with pytest.raises(SandboxViolation):
            perform(host, op, [str(tmp_path / "f"), *args])


def test_writing_and_deleting_within_a_grant(tmp_path: Path) -> None:
    host = Host(Policy(fs_read=(str(tmp_path),), fs_write=(str(tmp_path),)))
    path = str(tmp_path / "f")
    perform(host, "write-file", [path, "a"])
    perform(host, "append-file", [path, "é"])
    assert perform(host, "read-file-bytes", [path]) == "aé".encode()
    assert perform(host, "file-exists?", [path]) is True
    perform(host, "delete-file", [path])
    assert perform(host, "file-exists?", [path]) is False


def test_trouble_is_a_file_error(tmp_path: Path) -> None:
    host = Host(Policy(fs_read=(str(tmp_path),)))
    (tmp_path / "bad").write_bytes(b"\xff")
    for path in ("missing", "bad", "."):
        with pytest.raises(Refusal) as caught:
            perform(host, "read-file", [str(tmp_path / path)])
        assert caught.value.kind == "file-error"
    with pytest.raises(Refusal):
        perform(host, "read-file", ["a\0b"])
    with pytest.raises(Refusal):
        perform(host, "read-file", [5])


def test_an_unknown_operation_is_unanswered() -> None:
    with pytest.raises(Refusal, match="nonsense"):
        perform(Host(Policy()), "nonsense", [])


def test_a_seed_makes_random_numbers_and_the_clock_repeat() -> None:
    def draw() -> list[object]:
        host = Host(Policy(seed=7))
        return [
            perform(host, "random-integer", [1000]),
            perform(host, "random-bytes", [8]),
            perform(host, "current-second", []),
        ]

    assert draw() == draw()
    assert len(perform(Host(Policy()), "random-bytes", [16])) == 16  # type: ignore[arg-type]
