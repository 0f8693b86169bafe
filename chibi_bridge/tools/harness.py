"""The built-in tools that Scheme code relies on through call-tool (TOOLS.md B), and io-*.

They are Tools like any other, so the same gate holds; their home is `Builtins`,
which answers in Python. To add one: a function and its row in ROWS.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from chibi_bridge._conditions import Refusal
from chibi_bridge._run import Outcome, Run
from chibi_bridge.errors import Interrupted, Location, ToolLoadError
from chibi_bridge.policy import Policy
from chibi_bridge.tools.evaluate import Evaluator
from chibi_bridge.tools.permission import Gate, is_vfs, within
from chibi_bridge.tools.schema import Schema
from chibi_bridge.tools.steps import Call
from chibi_bridge.tools.tool import Tool, ToolCategory
from chibi_bridge.tools.vfs import SYSTEM, Vfs, VfsError, path_of_uri
from chibi_bridge.values import Values

if TYPE_CHECKING:
    from chibi_bridge.host.http import Exchange

__all__ = ["Builtins", "builtin_names"]

Args = Mapping[str, object]
HEAD_LINES = 50
SHELL_SECONDS = 30.0


class Builtins:
    """The home of the built-in tools."""

    file_hash = "builtin"
    redact = False
    self_granted = False
    capability = None
    capability_text = None

    def __init__(
        self, vfs: Vfs, gate: Gate, evaluator: Evaluator, transport: Callable[..., object] | None = None
    ) -> None:
        self.vfs = vfs
        self.gate: Gate | None = gate
        self.policy = Policy()
        self.evaluator = evaluator
        self.root = gate.project_root
        self.allowed = gate.config.file_tools_allowed_paths
        self._transport = transport

    def parameter_location(self, tool: str, name: str) -> tuple[Location | None, str | None]:
        """Built-in tools stand in no file."""
        return None, None

    def tools(self) -> list[Tool]:
        """All of them."""
        return [
            Tool(
                name=row.name,
                description=row.description,
                category=row.category,
                summary_params=row.summary,
                parameters=schema_of(row.parameters),
                session=self,
                path=f"/tools/sys/{row.name}",
                written=row.name == EVAL,
            )
            for row in ROWS
        ]

    def call(self, target: str, args: object, call: Call, timeout: float | None = None) -> Outcome:
        """Answer a call."""
        name, given = parts(target, args)
        if name == EVAL and given["code"]:
            return self.evaluator.session(call.context).call(EVAL, given["code"], call, timeout)
        start = monotonic()
        return Outcome(FUNCTIONS[name](self, given, call), "", "", 0, monotonic() - start)

    async def call_async(self, target: str, args: object, call: Call, timeout: float | None = None) -> Outcome:
        """`call` on the event loop; what blocks runs in a thread."""
        name, given = parts(target, args)
        if name == EVAL and given["code"]:
            return await self.evaluator.session(call.context).call_async(EVAL, given["code"], call, timeout)
        if name not in BLOCKING:
            return self.call(target, args, call, timeout)
        if name == FETCH and not getattr(self.transport(), "blocking", False):
            start = monotonic()
            return Outcome(await fetch_url_later(self, given, call), "", "", 0, monotonic() - start)
        import asyncio  # here: most programs do not need it

        given_up = threading.Event()

        def guard() -> None:
            call.guard()
            if given_up.is_set():
                raise Interrupted("interrupted")

        try:
            return await asyncio.to_thread(self.call, target, args, replace(call, guards=(guard,)), timeout)
        finally:
            given_up.set()

    # -- the network -------------------------------------------------------------------

    def transport(self) -> Callable[..., object]:
        """What carries fetch_url's requests out."""
        if self._transport is None:
            from chibi_bridge.host.http_network import HttpNetwork

            self._transport = HttpNetwork(ca_file=self.gate.config.ca_file if self.gate is not None else None)
        return self._transport

    def fetching(self, args: Args, call: Call) -> Exchange:
        """The exchange of fetch_url."""
        from chibi_bridge.tools.fetch import FETCH_BYTES, FETCH_SECONDS, fetching

        assert self.gate is not None
        most = args.get("max_bytes")
        count = int(most) if isinstance(most, (int, float)) and not isinstance(most, bool) else FETCH_BYTES
        if count < 0:
            raise ValueError(f"max_bytes is a number of bytes: {most!r}")
        return fetching(self.gate.config, str(args["url"]), count, seconds_of(args, FETCH_SECONDS), call.guard)

    def start(self, target: str, args: object, prompt: str, name: str) -> Run:
        """Built-in tools are answered at once: there is nothing to put away."""
        raise ToolLoadError(f"{parts(target, args)[0]} is built in: it has no run of its own")

    def restore(self, data: bytes, key: bytes | None, trusted: bool) -> Run:
        """See `start`."""
        raise ToolLoadError("a built-in tool has no run of its own")

    # -- files -------------------------------------------------------------------------

    def text(self, path: object) -> str:
        """The text of a file of the VFS or of the disk."""
        if is_vfs(path):
            return self.vfs.read(path_of_uri(str(path))).decode("utf-8", "replace")
        return self.disk(path).read_text(encoding="utf-8")

    def disk(self, path: object) -> Path:
        """A path of the disk, relative ones from the project's root."""
        if not isinstance(path, str) or not path:
            raise ValueError("the argument path is missing")
        return Path(self.root) / Path(path).expanduser()

    def store(self, path: object, text: str, call: Call) -> None:
        """Replace a file's content."""
        if is_vfs(path):
            self.vfs.write(path_of_uri(str(path)), text, caller=call.context)
        else:
            write_whole(self.disk(path), text)


def parts(target: str, args: object) -> tuple[str, dict[str, object]]:
    """The tool's name and its arguments."""
    name = target.removeprefix("%tool-execute-").removesuffix("%")
    return name, dict(args) if isinstance(args, Mapping) else {}


def write_whole(path: Path, text: str) -> None:
    """Write a file of the disk at once, making folders on the way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        draft.write_text(text, encoding="utf-8")
        if path.exists():
            draft.chmod(path.stat().st_mode & 0o7777)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def file_head(home: Builtins, args: Args, call: Call) -> str:
    """The first lines."""
    lines = args.get("lines", HEAD_LINES)
    count = int(lines) if isinstance(lines, (int, float)) and not isinstance(lines, bool) else HEAD_LINES
    return "\n".join(home.text(args["path"]).splitlines()[: max(0, count)])


def write_file(home: Builtins, args: Args, call: Call) -> str:
    """Replace a file."""
    home.store(args["path"], str(args["content"]), call)
    return f"File written successfully: {args['path']}"


def file_edit(home: Builtins, args: Args, call: Call) -> str:
    """Change part of a file."""
    path = args["path"]
    if not is_vfs(path) and not within(os.path.realpath(home.disk(path)), (home.root, *home.allowed)):
        raise PermissionError(f"{path}: not below the allowed paths (file_tools_allowed_paths)")
    text = home.text(path)
    operation = str(args.get("operation", "replace_string"))
    if operation == "replace_string":
        find = str(args.get("find") or "")
        if not find or find not in text:
            raise ValueError(f"{path}: the text to find is not there: {find[:80]!r}")
        made = text.replace(find, str(args.get("replace") or ""), 1)
    else:
        made = edit_lines(text, operation, args)
    home.store(path, made, call)
    return f"File edited successfully: {path}"


def edit_lines(text: str, operation: str, args: Args) -> str:
    """replace_lines, insert_before, insert_after, delete_lines; lines count from 1."""
    lines = text.splitlines(keepends=True)
    start = line_number(args.get("line_start", args.get("line")), "line_start", len(lines))
    end = line_number(args.get("line_end", start), "line_end", len(lines))
    if end < start:
        raise ValueError(f"line_end {end} lies before line_start {start}")
    content = str(args.get("content", args.get("replace")) or "")
    if content and not content.endswith("\n"):
        content += "\n"
    if operation == "replace_lines":
        lines[start - 1 : end] = [content]
    elif operation == "delete_lines":
        del lines[start - 1 : end]
    elif operation == "insert_before":
        lines.insert(start - 1, content)
    elif operation == "insert_after":
        if not lines[start - 1].endswith("\n"):
            lines[start - 1] += "\n"
        lines.insert(start, content)
    else:
        raise ValueError(f"unknown operation: {operation}")
    return "".join(lines)


def line_number(value: object, name: str, count: int) -> int:
    """A line's number from 1 to the last."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 1 <= value <= count:
        raise ValueError(f"{name} is a line from 1 to {count}: {value!r}")
    return int(value)


def vfs_list(home: Builtins, args: Args, call: Call) -> str:
    """Names in a folder, dot names left out."""
    entries = home.vfs.entries(vfs_path(args["path"]))
    lines = [f"{name} ({kind})" for name, kind in entries if not name.startswith(".")]
    return "\n".join(lines) or "No entries found."


def vfs_path(value: object) -> str:
    """A path given as URI or plain."""
    text = str(value)
    return path_of_uri(text) if text.startswith("vfs:") else path_of_uri(f"vfs://{text}")


def vfs_mkdir(home: Builtins, args: Args, call: Call) -> str:
    """Make a folder."""
    home.vfs.mkdir(vfs_path(args["path"]), caller=call.context)
    return f"Created {args['path']}"


def vfs_delete(home: Builtins, args: Args, call: Call) -> str:
    """Delete a file or folder."""
    home.vfs.delete(vfs_path(args["path"]), caller=call.context)
    return f"Deleted {args['path']}"


def vfs_copy(home: Builtins, args: Args, call: Call) -> str:
    """Copy a file or folder."""
    home.vfs.copy(vfs_path(args["src"]), vfs_path(args["dst"]), caller=call.context)
    return f"Copied {args['src']} -> {args['dst']}"


def vfs_move(home: Builtins, args: Args, call: Call) -> str:
    """Move a file or folder."""
    home.vfs.move(vfs_path(args["src"]), vfs_path(args["dst"]), caller=call.context)
    return f"Moved {args['src']} -> {args['dst']}"


def vfs_info(home: Builtins, args: Args, call: Call) -> str:
    """Kind and size."""
    path = vfs_path(args["path"])
    kind = home.vfs.kind(path)
    if kind is None:
        raise VfsError(f"{path}: not found")
    size = len(home.vfs.read(path)) if kind == "file" else len(home.vfs.entries(path))
    return json.dumps({"kind": kind, "path": path, "size": size})


def shell_exec(home: Builtins, args: Args, call: Call) -> str:
    """Run a command in the project's root."""
    from chibi_bridge.tools.shell import run_shell  # here: most programs run no command

    ran = run_shell(str(args["command"]), home.root, seconds_of(args, SHELL_SECONDS), call.guard)
    made = {
        "exit_code": ran.exit_code,
        "stderr": ran.stderr.decode("utf-8", "replace"),
        "stdout": ran.stdout.decode("utf-8", "replace"),
        "timed_out": ran.timed_out,
    }
    return json.dumps(made, ensure_ascii=False)


def seconds_of(args: Args, default: float) -> float:
    """The argument timeout_secs, at least a millisecond and at most a day."""
    value = args.get("timeout_secs")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return default
    return float(min(max(value, 0.001), 86_400))


def fetch_url(home: Builtins, args: Args, call: Call) -> str:
    """The text of a page."""
    from chibi_bridge.host.http import drive  # here, and below: most programs fetch no page
    from chibi_bridge.tools.fetch import text_of_page

    return text_of_page(drive(home.fetching(args, call), home.transport()))


async def fetch_url_later(home: Builtins, args: Args, call: Call) -> str:
    """`fetch_url` on the event loop."""
    from chibi_bridge.host.http import drive_async
    from chibi_bridge.tools.fetch import text_of_page

    return text_of_page(await drive_async(home.fetching(args, call), home.transport()))


def no_code(home: Builtins, args: Args, call: Call) -> object:
    """scheme_eval without code."""
    return Values(())


EVAL = "scheme_eval"
FETCH = "fetch_url"
BLOCKING = frozenset(("shell_exec", FETCH))


class Row(NamedTuple):
    """A built-in tool; parameters: name to (type, description, required?)."""

    name: str
    description: str
    category: ToolCategory
    parameters: Mapping[str, tuple[str, str, bool]]
    function: Callable[[Builtins, Args, Call], object]
    summary: tuple[str, ...] = ()


PATH = ("string", "A path, or vfs:///path", True)
VFS = ("string", "vfs:///path", True)
ROWS = (
    Row(
        "file_head",
        "The first lines of a file.",
        ToolCategory.FS_READ,
        {"path": PATH, "lines": ("", "How many, 50 by default", False)},
        file_head,
    ),
    Row(
        "write_file",
        "Replace a file's content.",
        ToolCategory.FS_WRITE,
        {"path": PATH, "content": ("string", "The text", True)},
        write_file,
    ),
    Row(
        "file_edit",
        "Change part of a file.",
        ToolCategory.FS_WRITE,
        {
            "path": PATH,
            "operation": ("string", "replace_string, replace_lines, insert_before, insert_after, delete_lines", False),
            "find": ("string", "The text to replace, its first occurrence", False),
            "replace": ("string", "What takes its place", False),
            "content": ("string", "Lines to put in", False),
            "line_start": ("integer", "A line from 1", False),
            "line_end": ("integer", "The last line", False),
        },
        file_edit,
    ),
    Row("vfs_list", "The names in a folder.", ToolCategory.VFS, {"path": VFS}, vfs_list),
    Row("vfs_mkdir", "Make a folder.", ToolCategory.VFS, {"path": VFS}, vfs_mkdir),
    Row("vfs_delete", "Delete a file or a folder.", ToolCategory.VFS, {"path": VFS}, vfs_delete),
    Row("vfs_copy", "Copy a file or a folder.", ToolCategory.VFS, {"src": VFS, "dst": VFS}, vfs_copy),
    Row("vfs_move", "Move a file or a folder.", ToolCategory.VFS, {"src": VFS, "dst": VFS}, vfs_move),
    Row("vfs_info", "Kind and size of a file or folder.", ToolCategory.VFS, {"path": VFS}, vfs_info),
    Row(
        "shell_exec",
        "Run a shell command.",
        ToolCategory.SHELL,
        {"command": ("string", "The command", True), "timeout_secs": ("number", "Seconds, 30 by default", False)},
        shell_exec,
        ("command",),
    ),
    Row(
        FETCH,
        "The text of a page of the web.",
        ToolCategory.NETWORK,
        {
            "url": ("string", "An http or https URL", True),
            "max_bytes": ("number", "A longer page is an error; 1048576 by default", False),
            "timeout_secs": ("number", "Seconds, 30 by default", False),
        },
        fetch_url,
        ("url",),
    ),
    Row(EVAL, "Evaluate Scheme code.", ToolCategory.EVAL, {"code": ("string", "The code", True)}, no_code, ("code",)),
)
FUNCTIONS = {row.name: row.function for row in ROWS}


def builtin_names() -> frozenset[str]:
    """The names that no tool file may take."""
    return frozenset(FUNCTIONS) | {"call_user", "send_message", "model_info", "spawn_agent"}


def schema_of(parameters: Mapping[str, tuple[str, str, bool]]) -> Schema:
    """The schema of a row."""
    properties: dict[str, object] = {}
    for name, (kind, text, _) in parameters.items():
        properties[name] = {**({"type": kind} if kind else {}), "description": text}
    if "code" in properties:
        properties["code"] = {"type": "string", "description": "The code", "default": ""}
    required = [name for name, (_, _, needed) in parameters.items() if needed]
    return {"type": "object", "properties": properties, "required": required}


# -- io-* --------------------------------------------------------------------------------


def io_operation(vfs: Vfs, op: str, args: list[object]) -> object:
    """Answer an operation of (harness io): the VFS as SYSTEM, else the disk."""
    path = args[0]
    if not isinstance(path, str):
        raise Refusal("wrong-type", f"{op}: the path is a string", [path])
    try:
        if path.startswith("vfs://"):
            return IO_VFS[op](vfs, path_of_uri(path), *args[1:])
        return IO_DISK[op](Path(path), *args[1:])
    except (OSError, UnicodeError) as error:
        text = getattr(error, "strerror", None) or str(error)
        raise Refusal("file-error", f"{op}: {path}: {text}", [path]) from error


def disk_write(path: Path, text: str) -> bool:
    """io-write to the disk."""
    write_whole(path, text)
    return True


def disk_append(path: Path, text: str) -> bool:
    """io-append to the disk."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    return True


def disk_delete(path: Path) -> bool:
    """io-delete on the disk, files only."""
    path.unlink()
    return True


def disk_list(path: Path) -> list[str]:
    """io-list of the disk."""
    return sorted(item.name for item in path.iterdir()) if path.exists() else []


def vfs_done(action: Callable[..., None]) -> Callable[..., bool]:
    """An action of the VFS as SYSTEM, answering #t."""

    def act(vfs: Vfs, *args: object) -> bool:
        action(vfs, *args, caller=SYSTEM)
        return True

    return act


IO_DISK: Mapping[str, Callable[..., object]] = {
    "io-read": lambda path: path.read_text(encoding="utf-8") if path.exists() else False,
    "io-write": disk_write,
    "io-append": disk_append,
    "io-list": disk_list,
    "io-exists?": lambda path: path.exists(),
    "io-delete": disk_delete,
}
IO_VFS: Mapping[str, Callable[..., object]] = {
    "io-read": lambda vfs, path: vfs.read(path).decode("utf-8", "replace") if vfs.kind(path) else False,
    "io-write": vfs_done(Vfs.write),
    "io-append": vfs_done(Vfs.append),
    "io-list": lambda vfs, path: [name for name, _ in vfs.entries(path)],
    "io-exists?": lambda vfs, path: vfs.kind(path) is not None,
    "io-delete": vfs_done(Vfs.delete),
}
