"""Acceptance cases A140..A147: the plugins of the agent, written anew from their description."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge import Context, ToolRegistry

PLUGINS = Path(__file__).resolve().parent.parent / "data" / "plugins"
HISTORY = "/tools/shared/history.scm"
FILE = "vfs:///shared/doc.txt"


@pytest.fixture
def tasks(registry_of: Callable[..., ToolRegistry]) -> ToolRegistry:
    source = (PLUGINS / "tasks.scm").read_text(encoding="utf-8")
    return registry_of({"tasks.scm": source}, flocks={"infra": ["default"]})


@pytest.fixture
def history(registry_of: Callable[..., ToolRegistry]) -> ToolRegistry:
    source = (PLUGINS / "history.scm").read_text(encoding="utf-8")
    config = f'[tools.tiers]\n"{HISTORY}" = 2'
    registry = registry_of({HISTORY: source}, config=config, permission=lambda request: True)
    assert registry.problems == []
    return registry


def write(registry: ToolRegistry, text: str) -> None:
    result = registry.call("write_file", {"path": FILE, "content": text})
    assert result.text == f"File written successfully: {FILE}"


def test_tools_a140(tasks: ToolRegistry) -> None:
    """tasks.scm loads: exactly task_create, task_update, task_view, task_list, task_delete."""
    assert set(tasks.names()) == {"task_create", "task_update", "task_view", "task_list", "task_delete"}
    assert tasks.problems == []


def test_tools_a141(history: ToolRegistry) -> None:
    """history.scm at its path loads: exactly four tools, hook pre_vfs_write."""
    assert history.problems == []
    assert set(history.names()) == {
        "file_history_log",
        "file_history_show",
        "file_history_diff",
        "file_history_revert",
    }
    assert history["file_history_log"].hooks == ("pre_vfs_write",)


def test_tools_a142(tasks: ToolRegistry) -> None:
    """task life cycle of 7.2."""
    assert tasks.call("task_list").text == "no tasks found"
    made = tasks.call("task_create", {"path": "epic/one", "body": "do it", "priority": "high"}).text
    identity = made.split()[2]
    path = "/home/default/tasks/epic/one.task"
    assert made == f"created task {identity} at {path}"
    assert f"path: {path}" in tasks.call("task_list").text
    viewed = tasks.call("task_view", {"id": identity}).text
    assert "(status . pending)" in viewed
    assert "(priority . high)" in viewed
    assert (
        tasks.call("task_update", {"id": identity, "status": "in-progress"}).text
        == f"updated task {identity} at {path}"
    )
    assert "(status . in-progress)" in tasks.call("task_view", {"id": identity}).text
    assert tasks.call("task_delete", {"id": identity}).text == f"deleted task {identity} at {path}"
    assert tasks.call("task_list").text == "no tasks found"
    assert tasks.call("task_view", {"id": identity}).text == f"error: task {identity} not found"


def test_tools_a143(tasks: ToolRegistry) -> None:
    """task_create path "flock:infra" -> text starting `error: task path must include a filename`."""
    made = tasks.call("task_create", {"path": "flock:infra", "body": ""}).text
    assert made.startswith("error: task path must include a filename")
    assert "/flocks/infra/tasks/a.task" in tasks.call("task_create", {"path": "flock:infra/a", "body": ""}).text


def test_tools_a144(history: ToolRegistry) -> None:
    """one overwrite snapshots old content at revision 1 and meta contains `next`."""
    write(history, "old")
    write(history, "new")
    assert history.vfs.read("/shared/.chibi/history/doc.txt/1") == b"old"
    assert b"next" in history.vfs.read("/shared/.chibi/history/doc.txt/meta")
    assert history.call("file_history_log", {"path": FILE}).text == f"Revisions for {FILE}:\n  @1"
    assert history.call("file_history_show", {"path": FILE, "revision": 1}).text == "old"
    assert history.call("file_history_revert", {"path": FILE, "revision": 1}).text == f"Reverted {FILE} to revision @1"
    assert history.vfs.read("/shared/doc.txt") == b"old"
    assert history.vfs.read("/shared/.chibi/history/doc.txt/2") == b"new"


def test_tools_a145(history: ToolRegistry) -> None:
    """12 snapshots leave 10, revision 1 gone, 3 present."""
    for index in range(13):
        write(history, str(index))
    names = {name for name, _ in history.vfs.entries("/shared/.chibi/history/doc.txt")}
    assert names == {"meta", *(str(n) for n in range(3, 13))}


def test_tools_a146(history: ToolRegistry) -> None:
    """diff of line1/line2/line3 against line1/modified/line3 shows `-line2` and `+modified`."""
    write(history, "line1\nline2\nline3")
    write(history, "line1\nmodified\nline3")
    text = history.call("file_history_diff", {"path": FILE, "revision": None}).text
    assert text.startswith(f"Diff {FILE} @1 vs current:")
    assert "-line2" in text
    assert "+modified" in text


@pytest.mark.parametrize("payload", [{"path": "vfs:///shared/.chibi/x"}, {}])
def test_tools_a147(history: ToolRegistry, payload: dict[str, object]) -> None:
    """hook payload with a path under `/.chibi/` or without path -> returns '() and writes nothing."""
    history.vfs.write("/shared/.chibi/x", "x")
    before = list(history.vfs.files("/shared"))
    outcome = history.fire("pre_vfs_write", payload)
    assert (outcome.results, outcome.problems) == ((), ())
    assert list(history.vfs.files("/shared")) == before


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("a\nb\nc", "a\nb\nd", " a\n b\n-c\n+d\n"),
        ("a\nb", "x\nb", "-a\n+x\n b\n"),
        ("", "a", "+a\n"),
        ("a\nb\nc\nd", "b\nd\ne", "-a\n b\n-c\n d\n+e\n"),
    ],
)
def test_differences_at_the_edges_show_too(old: str, new: str, shown: str) -> None:
    with Context() as ctx:
        ctx.import_("(chibi diff)")
        ctx.define("old", old)
        ctx.define("new", new)
        assert ctx.eval("(diff->string (diff old new))") == shown


def test_tasks_of_a_flock_are_found(tasks: ToolRegistry) -> None:
    """Where a context's tasks are stands in /sys/contexts/CTX/task-dirs."""
    made = tasks.call("task_create", {"path": "flock:infra/ours", "body": "x"}).text
    assert made.endswith("/flocks/infra/tasks/ours.task")
    assert "path: /flocks/infra/tasks/ours.task" in tasks.call("task_list").text
    assert "ours.task" not in tasks.call("task_list", context="stranger").text


def test_contexts_may_be_read(tasks: ToolRegistry) -> None:
    vfs = tasks.vfs
    assert vfs.read("/sys/contexts/default/task-dirs") == b'("/home/default/tasks" "/flocks/infra/tasks")'
    assert vfs.read("/sys/contexts/default/state.json") == b'{"name": "default", "flocks": ["infra"]}'
    tasks.call("task_list", context="bob")
    assert vfs.entries("/sys/contexts") == [("default", "dir"), ("bob", "dir")]
    assert vfs.entries("/sys/contexts/bob") == [("state.json", "file"), ("task-dirs", "file")]
    tasks.evict("bob")
    for path in ("/sys/contexts/bob/task-dirs", "/sys/contexts/nobody/state.json", "/sys/contexts/default/x"):
        with pytest.raises(FileNotFoundError):
            vfs.read(path)
    with pytest.raises(PermissionError):
        vfs.write("/sys/contexts/default/task-dirs", "()")
