"""The question at the terminal, and `chibi-bridge config`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from chibi_bridge import PermissionRequest, ToolCategory
from chibi_bridge.cli import group
from chibi_bridge.cli.common import ask_on


class Screen:
    def __init__(self, typed: str) -> None:
        self.keys = io.BytesIO(typed.encode())
        self.shown = ""

    def write(self, data: bytes, /) -> None:
        self.shown += data.decode()

    def readline(self) -> bytes:
        return self.keys.readline()


REQUEST = PermissionRequest(
    tool="t", category=ToolCategory.NETWORK, capability="network", summary="s", prompt="[t] s [Y/n] ",
    arguments={"a": 1, "evil": "x\n\u202e" + "y" * 5000}, chain=("caller", "t"), file="/tools/shared/x.scm",
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("\n", True), ("y\n", True), ("YES\n", True), ("n\n", False), ("no\n", False), ("yep\n", False), ("", False)],
)
def test_enter_and_yes_approve_everything_else_refuses(typed: str, answer: bool) -> None:
    screen = Screen(typed)
    assert ask_on(screen, REQUEST) is answer
    assert screen.shown == "[t] s [Y/n] "


def test_a_question_mark_shows_all_arguments_escaped() -> None:
    screen = Screen("?\nn\n")
    assert ask_on(screen, REQUEST) is False
    assert "  a = 1\n" in screen.shown
    assert "called by: caller" in screen.shown
    assert "x\\n\\u202e" in screen.shown
    assert "(5003 characters)" in screen.shown
    assert screen.shown.count("[t] s [Y/n] ") == 2


def test_config_tells_which_key_decided(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[tools.tiers]\n"/tools/shared" = 2\n[tools]\nexlude = ["a"]', encoding="utf-8")
    result = CliRunner().invoke(group, ["config", str(file), "--path", "/tools/shared/x.scm"])
    assert result.exit_code == 0
    assert 'tier       2, unsandboxed  [tools.tiers."/tools/shared"]' in result.output
    assert "did you mean tools.exclude?" in result.output


def test_a_bad_config_ends_with_2(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[tools]\nredact = 1", encoding="utf-8")
    result = CliRunner().invoke(group, ["config", str(file)])
    assert result.exit_code == 2
    assert f"{file}: tools.redact is to be true or false, got 1" in result.output
