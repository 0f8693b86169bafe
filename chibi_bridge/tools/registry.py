"""Many tool files behind one door.

Files come from folders of the disk (`scan(path)`) and from the tool zones of a
VFS (`scan()`), which are loaded again when they change. Every call goes through
one gate: filters, visibility, hooks, permission.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from chibi_bridge._conditions import Refusal
from chibi_bridge._run import Tap
from chibi_bridge.errors import Interrupted, PermissionDenied, SchemeError, ToolLoadError, UnknownTool
from chibi_bridge.policy import Limits
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.contexts import Contexts
from chibi_bridge.tools.evaluate import Evaluator
from chibi_bridge.tools.harness import Builtins, builtin_names, io_operation
from chibi_bridge.tools.hooks import POINTS, HookOutcome
from chibi_bridge.tools.load import ToolList, load_source
from chibi_bridge.tools.permission import Gate, is_vfs
from chibi_bridge.tools.schema import to_json, to_scheme
from chibi_bridge.tools.steps import Call, RunStep, Steps, run_later, run_now
from chibi_bridge.tools.tool import Ask, Tool, ToolCategory, ToolResult, failed
from chibi_bridge.tools.vfs import Flocks, MemoryVfs, Vfs, disk_stamp, sees

__all__ = ["ToolRegistry"]

CALL_DEPTH = 16
"""How many tools may wait for each other."""

CALLS_OF_HOOKS = 100
"""Calls that hooks may make around one call: each of these fires hooks, which may call again."""

ZONES = ("/tools/shared", "/tools/home", "/tools/flocks")
BUILTINS = ("call", "list", "none")


@dataclass(slots=True)
class Loaded:
    """A file's tools, and what tells whether it is still the same."""

    seen: Seen
    vfs_path: str
    tools: ToolList


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read: what the disk said of it then (None: not to be relied on), its content's hash."""

    stamp: object
    digest: str


@dataclass(frozen=True, slots=True)
class File:
    """A file to be loaded."""

    vfs_path: str
    read: Callable[[], bytes]
    stamp: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Index:
    """What the loaded files hold, for finding; made anew after a change."""

    tools: tuple[Tool, ...]
    named: Mapping[str, tuple[Tool, ...]]
    hooked: Mapping[str, tuple[Loaded, ...]]


class ToolRegistry:
    """The tools of many files, called by name through one gate.

    `permission` is asked where a call needs it; without it such calls are refused.
    `problems` lists what did not load. `flocks` maps a flock to its members.
    `builtins`: "call" (there, not listed), "list" or "none". `limits` hold for every
    file in place of the configuration's.

    >>> registry = ToolRegistry()
    >>> registry.names()
    []
    """

    def __init__(
        self,
        *,
        config: Config | None = None,
        permission: Ask | None = None,
        transport: Callable[..., object] | None = None,
        vfs: Vfs | None = None,
        flocks: Flocks | None = None,
        builtins: str = "call",
        project_root: str | os.PathLike[str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        if builtins not in BUILTINS:
            raise ValueError(f"builtins is one of {', '.join(BUILTINS)}: {builtins!r}")
        self.config = Config() if config is None else config
        self.vfs = MemoryVfs(flocks) if vfs is None else vfs
        if flocks is not None:
            self.vfs.flocks = flocks
        root = None if project_root is None else os.fspath(project_root)
        self.gate = Gate(self.config, permission, fire=self._fire, project_root=root)
        self.evaluator = Evaluator(self.config)
        self._transport = transport
        self._limits = limits
        self._list_builtins = builtins == "list"
        made = [] if builtins == "none" else Builtins(self.vfs, self.gate, self.evaluator, transport).tools()
        self._builtins = {tool.name: tool for tool in made}
        self._changing = threading.RLock()
        self._files: dict[str, Loaded] = {}
        self._failed: dict[str, Seen] = {}  # newest version, where that does not load
        self._problems: dict[str, list[Exception]] = {}
        self._index: Index | None = None
        self._watcher: threading.Event | None = None
        self._folders: list[Path] = []
        self._added: dict[str, File] = {}
        self._watching = False
        self.contexts = Contexts(lambda: self.vfs.flocks)
        self.vfs.mount("/tools/sys", self._describe)
        self.vfs.mount("/sys/contexts", self.contexts.read)
        self.vfs.protect = self._protected

    # -- files -------------------------------------------------------------------------

    @property
    def problems(self) -> list[Exception]:
        """Why what did not load did not."""
        return [problem for problems in self._problems.values() for problem in problems]

    def scan(self, *paths: str | os.PathLike[str]) -> list[Tool]:
        """Load every `*.scm` of folders, or the files themselves; without paths the VFS's tool zones.

        Below a folder, `shared/`, `home/NAME/` and `flocks/NAME/` are zones; other
        files count as shared. What fails is in `problems`.
        """
        for item in paths:
            path = Path(item)
            if path not in self._folders:
                self._folders.append(path)
        if not paths and not self._watching:
            self._watching = True
            self.vfs.subscribe(self._changed)
        self.refresh()
        return self.tools()

    def add(self, path: str | os.PathLike[str], *, vfs_path: str | None = None, tap: Tap | None = None) -> ToolList:
        """Load one file of the disk, by default as /tools/shared/NAME.scm; a refresh looks at it too.

        Raises what `load_tools` does. `tap` sees what the file asks of the host.
        """
        file = Path(path)
        place = File(vfs_path or f"/tools/shared/{file.name}", file.read_bytes, lambda: disk_stamp(file))
        stamp, data = place.stamp(), place.read()
        with self._changing:
            tools = self._load(str(file), place.vfs_path, data, tap)
            self._added[str(file)] = place
            self._put(str(file), Loaded(Seen(stamp, hashlib.sha256(data).hexdigest()), place.vfs_path, tools))
        return tools

    def refresh(self) -> None:
        """Load what is new or changed, forget what is gone; an old version stays where the new one fails.

        Files of the disk are read only where their size, time or place changed.
        """
        with self._changing:
            wanted = dict(self._added)
            for folder in self._folders:
                for path in files_in(folder):
                    wanted.setdefault(str(path), disk_file(folder, path))
            for vfs_path in self._zone_files() if self._watching else ():
                wanted[f"vfs://{vfs_path}"] = self._vfs_file(vfs_path)
            for key in [known for known in {**self._files, **self._problems} if known not in wanted]:
                self._forget(key)
            for key, file in wanted.items():
                self._refresh_file(key, file)
            if list(self._files) != [key for key in wanted if key in self._files]:
                self._files = {key: self._files[key] for key in wanted if key in self._files}
                self._index = None

    def watch(self, seconds: float = 1.0) -> None:
        """Refresh every so many seconds, on a thread that ends with the registry; 0 ends it.

        For files that change on the disk behind the registry's back.
        """
        if self._watcher is not None:
            self._watcher.set()
            self._watcher = None
        if seconds <= 0:
            return
        self._watcher = threading.Event()
        thread = threading.Thread(
            target=poll, args=(weakref.ref(self), self._watcher, seconds), name="chibi-bridge-watch", daemon=True
        )
        thread.start()

    def _zone_files(self) -> Iterable[str]:
        for zone in ZONES:
            for path in self.vfs.files(zone):
                if path.endswith(".scm") and is_tool_file(path):
                    yield path

    def _vfs_file(self, path: str) -> File:
        return File(path, lambda: self.vfs.read(path), lambda: self.vfs.stamp(path))

    def _changed(self, path: str) -> None:
        """A file of the VFS changed: load it anew, or forget it."""
        if not path.endswith(".scm") or not is_tool_file(path):
            return
        key = f"vfs://{path}"
        with self._changing:
            if self.vfs.kind(path) == "file":
                self._refresh_file(key, self._vfs_file(path))
            else:
                self._forget(key)

    def _forget(self, key: str) -> None:
        self._problems.pop(key, None)
        self._failed.pop(key, None)
        loaded = self._files.pop(key, None)
        self._index = None
        if loaded is not None:
            loaded.tools.close()

    def _refresh_file(self, key: str, file: File) -> None:
        """Load a file where it is not the version that is known."""
        old = self._files.get(key)
        known = self._failed.get(key) or (old.seen if old is not None else None)
        try:
            stamp = file.stamp()
            if known is not None and stamp is not None and known.stamp == stamp:
                return
            data = file.read()
        except OSError as error:
            self._problems[key] = [error]
            return
        seen = Seen(stamp, hashlib.sha256(data).hexdigest())
        if known is not None and known.digest == seen.digest:
            if key in self._failed:
                self._failed[key] = seen
            elif old is not None:
                old.seen = seen
            return
        self._load_file(key, file.vfs_path, data, seen)

    def _load_file(self, key: str, vfs_path: str, data: bytes, seen: Seen) -> None:
        """Put a version of a file in the place of the old one, which stays where it does not load."""
        old = self._files.get(key)
        if old is not None and old.seen.digest == seen.digest:  # back to what is live
            old.seen = seen
            self._failed.pop(key, None)
            self._problems[key] = list(old.tools.problems)
            return
        try:
            tools = self._load(key, vfs_path, data)
        except (SchemeError, OSError, UnicodeError, ValueError) as error:
            self._problems[key] = [error]
            self._failed[key] = seen
            return
        self._put(key, Loaded(seen, vfs_path, tools))

    def _load(self, key: str, vfs_path: str, data: bytes, tap: Tap | None = None) -> ToolList:
        """The tools of a version of a file, none of them in a built-in one's place."""
        tools = load_source(
            data.decode("utf-8"),
            vfs_path,
            key,
            config=self.config,
            gate=self.gate,
            transport=self._transport,
            limits=self._limits,
            tap=tap,
        )
        refuse_builtins(tools)
        return tools

    def _put(self, key: str, loaded: Loaded) -> None:
        """Make a version of a file the live one."""
        old = self._files.get(key)
        self._failed.pop(key, None)
        self._problems[key] = list(loaded.tools.problems)
        self._files[key] = loaded
        self._index = None
        if old is not None:
            old.tools.close()

    def _protected(self, path: str) -> str | None:
        """Why only SYSTEM may write a tool file: it is granted more than others."""
        if path.endswith(".scm") and is_tool_file(path) and self.config.is_granted(path):
            return "the configuration grants this path more than other files have"
        return None

    def _describe(self, path: str) -> bytes | list[str] | None:
        """/tools/sys: a file for each tool."""
        every = {tool.name: tool for tool in (*self._builtins.values(), *self._indexed().tools)}
        if path == "/tools/sys":
            return list(every)
        tool = every.get(path.removeprefix("/tools/sys/"))
        if tool is None:
            return None
        shown = {
            "category": tool.category.value,
            "description": tool.description,
            "name": tool.name,
            "parameters": tool.parameters,
        }
        return json.dumps(shown, indent=2, ensure_ascii=False).encode()

    # -- finding -----------------------------------------------------------------------

    def _indexed(self) -> Index:
        """The index of what is loaded; one that was taken stays as it is."""
        index = self._index
        if index is not None:
            return index
        with self._changing:
            named: dict[str, list[Tool]] = {}
            hooked: dict[str, list[Loaded]] = {}
            for loaded in self._files.values():
                for tool in loaded.tools:
                    named.setdefault(tool.name, []).append(tool)
                for point in loaded.tools.hooks:
                    hooked.setdefault(point, []).append(loaded)
            self._index = index = Index(
                tuple(tool for loaded in self._files.values() for tool in loaded.tools),
                {name: tuple(tools) for name, tools in named.items()},
                {point: tuple(files) for point, files in hooked.items()},
            )
            return index

    def tools(self, context: str | None = None) -> list[Tool]:
        """The tools that the filters show, and a context sees (None: any).

        Of several with one name that of the nearest zone counts (home, flocks,
        shared), then the first.
        """
        shown: dict[str, Tool] = {}
        for tool in self._indexed().tools:
            if context is not None and not sees(tool.path, context, self.vfs.flocks):
                continue
            old = shown.get(tool.name)
            if self._is_shown(tool) and (old is None or nearness(tool) < nearness(old)):
                shown[tool.name] = tool
        if self._list_builtins:
            shown.update((name, tool) for name, tool in self._builtins.items() if self._is_shown(tool))
        return list(shown.values())

    def _is_shown(self, tool: Tool) -> bool:
        return self.config.is_shown(tool.name, tool.category.value)

    def names(self, context: str | None = None) -> list[str]:
        """Their names."""
        return [tool.name for tool in self.tools(context)]

    def __getitem__(self, name: str) -> Tool:
        return self._find(name, None)

    def _find(self, name: str, context: str | None) -> Tool:
        builtin = self._builtins.get(name)
        if builtin is not None and self._is_shown(builtin):
            return builtin
        best: Tool | None = None
        for tool in self._indexed().named.get(name, ()):
            if not self._is_shown(tool) or (context is not None and not sees(tool.path, context, self.vfs.flocks)):
                continue
            if best is None or nearness(tool) < nearness(best):
                best = tool
        if best is None:
            raise UnknownTool(f"unknown tool: {name}")
        return best

    def schemas(
        self,
        style: str = "openai",
        *,
        context: str = "default",
        strict: bool = False,
        fuel: tuple[int, int] | None = None,
    ) -> list[dict[str, object]]:
        """What a model's API wants: "openai", "openai-responses", "anthropic" or "mcp".

        Fires pre_api_tools, whose handlers may take tools out; `fuel` is (remaining,
        total) for them.
        """
        tools = self.tools(context)
        payload: dict[str, object] = {
            "context_name": context,
            "tools": [{"name": tool.name, "type": tool.category.value} for tool in tools],
        }
        if fuel is not None:
            payload["fuel_remaining"], payload["fuel_total"] = fuel
        outcome = self.fire("pre_api_tools", payload, context=context)
        include, exclude = outcome.get("include"), outcome.get("exclude") or []
        return [
            tool.schema(style, strict=strict)
            for tool in tools
            if (include is None or tool.name in include) and tool.name not in exclude  # type: ignore[operator]
        ]

    # -- calls -------------------------------------------------------------------------

    def call(self, name: str, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """Call a tool through the gate; UnknownTool for a name that the context has not."""
        return run_now(self._steps(self._find(name, context), args, self._call(name, context)))

    async def call_async(
        self, name: str, args: Mapping[str, object] | None = None, *, context: str = "default"
    ) -> ToolResult:
        """`call` on the event loop."""
        call = self._call(name, context, asynchronous=True)
        return await run_later(self._steps(self._find(name, context), args, call))

    def _call(self, name: str, context: str, *, asynchronous: bool = False) -> Call:
        self.contexts.note(context)
        return Call(caller=self, context=context, chain=(name,), asynchronous=asynchronous)

    def _steps(self, tool: Tool, args: object, call: Call) -> Steps[ToolResult]:
        """The whole way of a call."""
        original = args if isinstance(args, Mapping) else {}
        about = {"tool_name": tool.name, "arguments": original}
        before = yield from self._fire("pre_tool", about, call)
        if before.blocked:
            result = failed(PermissionDenied(str(before.message)))
        else:
            result = yield from self._gated(tool, before.get("arguments", args), call)
        shown = yield from self._fire("pre_tool_output", {**about, "output": result.text}, call)
        final = shown.message if shown.blocked else shown.get("output")
        output = result.text
        if isinstance(final, str):
            result = replace(result, text=final, value=final if result.error is None else None)
        more = {**about, "output": output, "final_output": result.text, "cached": False}
        yield from self._fire("post_tool_output", more, call)
        yield from self._fire("post_tool", {**about, "result": result.text, "cached": False}, call)
        return result

    def _gated(self, tool: Tool, args: object, call: Call) -> Steps[ToolResult]:
        """Check the arguments, ask, run; the hooks of VFS writes around it."""
        try:
            checked = tool.check(args)
            yield from self.gate.check(tool, checked, call)
        except Exception as error:
            return failed(error)
        path = checked.get("path")
        if tool.category is not ToolCategory.FS_WRITE or not is_vfs(path):
            return (yield from tool.run(checked, call))
        about = {"tool_name": tool.name, "path": path, "caller": call.context}
        yield from self._fire("pre_vfs_write", {**about, "content": checked.get("content")}, call)
        result = yield from tool.run(checked, call)
        if result.error is None:
            yield from self._fire("post_vfs_write", about, call)
        return result

    def call_tool(self, name: str, args: object, call: Call) -> object:
        """What call-tool does: the same gate, the chain shown; its text, or a condition."""
        try:
            tool = self._find(name, call.context)
        except UnknownTool as error:
            raise Refusal("unknown-tool", str(error)) from error
        chain = (*call.chain, name)
        if len(chain) > CALL_DEPTH:
            shown = " -> ".join((*chain[:3], "...", *chain[-2:]))
            raise Refusal("tool-error", f"tool error: recursion: more than {CALL_DEPTH} tools deep: {shown}")
        if call.points:
            call.root.from_hooks += 1
            if call.root.from_hooks > CALLS_OF_HOOKS:
                raise Refusal("tool-error", f"tool error: hooks made more than {CALLS_OF_HOOKS} calls around one call")
        steps = self._steps(tool, args, replace(call, chain=chain))
        return told_later(steps) if call.asynchronous else told(run_now(steps))

    def io(self, op: str, args: list[object], call: Call) -> object:
        """What io-* do: the VFS as SYSTEM, or the disk; no hooks."""
        return io_operation(self.vfs, op, args)

    # -- hooks -------------------------------------------------------------------------

    def fire(self, point: str, payload: Mapping[str, object] | None = None, *, context: str = "default") -> HookOutcome:
        """Call the handlers of a point, file by file, and compose their answers.

        What a handler does wrong is in the outcome's `problems`, never raised. Raises
        ValueError for a point that is not in the table.
        """
        return run_now(self._fire(point, payload or {}, Call(caller=self, context=context)))

    async def fire_async(
        self, point: str, payload: Mapping[str, object] | None = None, *, context: str = "default"
    ) -> HookOutcome:
        """`fire` on the event loop."""
        call = Call(caller=self, context=context, asynchronous=True)
        return await run_later(self._fire(point, payload or {}, call))

    def _fire(self, point: str, payload: Mapping[str, object], call: Call) -> Steps[HookOutcome]:
        row = POINTS.get(point)
        if row is None:
            raise ValueError(f"no hook point {point!r}; there are: {', '.join(POINTS)}")
        results: list[tuple[str, dict[str, object]]] = []
        problems: list[Exception] = []
        if point in call.points:
            return HookOutcome(point)
        inner = replace(call, points=call.points | {point}, bridge=row.bridge)
        for loaded in self._indexed().hooked.get(point, ()):
            if not sees(loaded.vfs_path, call.context, self.vfs.flocks):
                continue
            session = loaded.tools.session
            name = loaded.tools[0].name if loaded.tools else loaded.vfs_path
            for bound in [target for where, target in session.hooks if where == point]:
                try:
                    outcome = yield RunStep(session, bound, to_scheme(payload), inner)
                    document = to_json(outcome.value)
                except Exception as error:
                    problems.append(error)
                    continue
                if isinstance(document, dict):
                    results.append((name, document))
        return HookOutcome(point, tuple(results), row.compose(payload, results), tuple(problems))

    # -- life --------------------------------------------------------------------------

    def evict(self, context: str) -> None:
        """Forget a context, and what scheme_eval defined for it: it was cleared, renamed or destroyed."""
        self.evaluator.evict(context)
        self.contexts.forget(context)

    def close(self) -> None:
        """Free all sessions."""
        self.watch(0)
        with self._changing:
            for loaded in self._files.values():
                loaded.tools.close()
            self._files.clear()
            self._index = None
        self.evaluator.close()


def told(result: ToolResult) -> str:
    """A result as call-tool gives it; an interrupt ends the caller too."""
    if isinstance(result.error, Interrupted):
        raise result.error
    if result.error is not None:
        text = result.text.removeprefix("error: ")
        raise Refusal("tool-error", f"tool error: {text}")
    return result.text


async def told_later(steps: Steps[ToolResult]) -> str:
    """`told` on the event loop."""
    return told(await run_later(steps))


def refuse_builtins(tools: ToolList) -> None:
    """Take out the tools that would replace a built-in one."""
    reserved = builtin_names()
    for tool in [tool for tool in tools if tool.name in reserved]:
        tools.remove(tool)
        location = tools.session.declarations.location_of(tool.name)
        tools.problems.append(
            ToolLoadError(
                f"tool {tool.name}: the name is that of a built-in tool, which no file may replace",
                tool=tool.name,
                location=location,
                hint=f"rename it, say to my_{tool.name}",
                source_line=tools.session.declarations.line(location),
            )
        )


def nearness(tool: Tool) -> int:
    """Which of several tools with one name counts: the lowest."""
    return 0 if tool.path.startswith("/tools/home/") else 1 if tool.path.startswith("/tools/flocks/") else 2


def is_tool_file(path: str) -> bool:
    """Is it below one of the tool zones?"""
    return any(path.startswith(zone + "/") for zone in ZONES)


def disk_file(folder: Path, path: Path) -> File:
    """A file of a folder of the disk."""
    return File(vfs_path_of(folder, path), path.read_bytes, lambda: disk_stamp(path))


def poll(registry: weakref.ref[ToolRegistry], ended: threading.Event, seconds: float) -> None:
    """Refresh a registry until it ends."""
    while not ended.wait(seconds):
        watched = registry()
        if watched is None:
            return
        with contextlib.suppress(OSError):  # a folder that goes while it is read: the next round sees it
            watched.refresh()
        del watched


def files_in(path: Path) -> Iterable[Path]:
    """The tool files of a path."""
    return sorted(file for file in path.rglob("*.scm") if file.is_file()) if path.is_dir() else [path]


def vfs_path_of(folder: Path, path: Path) -> str:
    """The VFS path that a file of the disk stands for."""
    parts = path.relative_to(folder).parts if folder.is_dir() else (path.name,)
    if len(parts) > 1 and parts[0] == "shared":
        return "/tools/" + "/".join(parts)
    if len(parts) > 2 and parts[0] in ("home", "flocks"):
        return "/tools/" + "/".join(parts)
    return "/tools/shared/" + "/".join(parts)
