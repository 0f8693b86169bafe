"""Folders, links and facts about files, judged by the policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, Policy, SandboxViolation, SchemeError


@pytest.fixture
def ctx(tmp_path: Path, make_context: Callable[..., Context]) -> Context:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "out").mkdir()
    (folder / "file").write_bytes(b"12345")
    (folder / "link").symlink_to(tmp_path / "out")
    ctx = make_context(Policy(fs_read=(str(folder),), fs_write=(str(folder),)))
    ctx.import_("(tein filesystem)")
    return ctx


def test_looking(ctx: Context, tmp_path: Path) -> None:
    folder = str(tmp_path / "in")
    assert ctx.call("file-directory?", folder) is True
    assert ctx.call("file-regular?", f"{folder}/file") is True
    assert ctx.call("file-regular?", f"{folder}/missing") is False
    assert ctx.call("file-size", f"{folder}/file") == 5
    assert ctx.call("file-link?", f"{folder}/link") is True
    assert ctx.call("file-link?", f"{folder}/file") is False
    assert ctx.call("directory-files", folder) == ["file", "link"]
    with pytest.raises(SchemeError, match="no such file"):
        ctx.call("file-size", f"{folder}/missing")


def test_a_link_leads_nowhere_else(ctx: Context, tmp_path: Path) -> None:
    link = str(tmp_path / "in" / "link")
    for name in ("file-directory?", "file-size", "directory-files"):
        with pytest.raises(SandboxViolation):
            ctx.call(name, link)
    with pytest.raises(SandboxViolation):
        ctx.call("create-directory", f"{link}/new")
    with pytest.raises(SandboxViolation):
        ctx.call("rename-file", str(tmp_path / "in" / "file"), f"{link}/file")
    assert list((tmp_path / "out").iterdir()) == []


def test_changing(ctx: Context, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    ctx.call("create-directory", str(folder / "a"))
    ctx.call("create-directory*", str(folder / "b" / "c" / "d"))
    assert (folder / "b" / "c" / "d").is_dir()
    ctx.call("rename-file", str(folder / "file"), str(folder / "a" / "file"))
    assert (folder / "a" / "file").read_bytes() == b"12345"
    ctx.call("delete-directory", str(folder / "b" / "c" / "d"))
    assert not (folder / "b" / "c" / "d").exists()
    for name in ("create-directory", "delete-directory"):
        with pytest.raises(SchemeError):
            ctx.call(name, str(folder / "a"))


@pytest.mark.parametrize("name", ["..", ".", "/", "a\0b", ""])
def test_names_that_are_none(ctx: Context, tmp_path: Path, name: str) -> None:
    with pytest.raises(SchemeError):
        ctx.call("create-directory", str(tmp_path / "in") + "/" + name if name != "/" else "/")


def test_the_current_directory_is_told_to_few(ctx: Context, make_context: Callable[..., Context]) -> None:
    with pytest.raises(SandboxViolation):
        ctx.call("current-directory")
    free = make_context(Policy.unsandboxed())
    assert free.eval("(import (tein filesystem)) (current-directory)") == str(Path.cwd())
