"""Many tool files behind one door."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from chibi_bridge.errors import PermissionDenied, SchemeError, UnknownTool
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import ToolList, load_tools
from chibi_bridge.tools.tool import GATED, Ask, PermissionRequest, Tool, ToolResult

__all__ = ["ToolRegistry"]

CALL_DEPTH = 32


def refuse(request: PermissionRequest) -> bool:
    """Where nobody is to be asked, what needs asking is refused."""
    return False


class ToolRegistry:
    """The tools of many files, called by name through one gate.

    `permission` is asked where a tool's category needs it; without it such calls
    are refused. `problems` lists what did not load.

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
    ) -> None:
        self.config = Config() if config is None else config
        self.permission = permission or refuse
        self.problems: list[Exception] = []
        self._transport = transport
        self._files: dict[Path, tuple[str, ToolList]] = {}
        self._folders: list[Path] = []
        self._local = threading.local()

    def scan(self, *paths: str | os.PathLike[str]) -> list[Tool]:
        """Load every `*.scm` of folders, or the files themselves; what fails is in `problems`."""
        for item in paths:
            path = Path(item)
            if path not in self._folders:
                self._folders.append(path)
        self.refresh()
        return self.tools()

    def refresh(self) -> None:
        """Load what is new or changed, forget what is gone; an old version stays where the new one fails."""
        self.problems = []
        wanted = list(dict.fromkeys(file for path in self._folders for file in files_in(path)))
        for path in [known for known in self._files if known not in wanted]:
            self._files.pop(path)[1].close()
        for path in wanted:
            self._refresh_file(path)
        order = {path: index for index, path in enumerate(wanted)}
        self._files = dict(sorted(self._files.items(), key=lambda item: order[item[0]]))

    def _refresh_file(self, path: Path) -> None:
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            old = self._files.get(path)
            if old is not None and old[0] == digest:
                return
            tools = load_tools(path, config=self.config, permission=self.permission, transport=self._transport)
        except (SchemeError, OSError, UnicodeError) as error:
            self.problems.append(error)
            return
        self.problems.extend(tools.problems)
        tools.session.call_tool = self._call_tool
        if old is not None:
            old[1].close()
        self._files[path] = (digest, tools)

    def tools(self) -> list[Tool]:
        """The tools that the filters show; of two with one name the first counts."""
        shown: dict[str, Tool] = {}
        for _, tools in self._files.values():
            for tool in tools:
                if self.config.is_shown(tool.name, tool.category.value):
                    shown.setdefault(tool.name, tool)
        return list(shown.values())

    def names(self) -> list[str]:
        """Their names."""
        return [tool.name for tool in self.tools()]

    def __getitem__(self, name: str) -> Tool:
        for tool in self.tools():
            if tool.name == name:
                return tool
        raise UnknownTool(f"unknown tool: {name}")

    def call(self, name: str, args: Mapping[str, object] | None = None, *, context: str = "default") -> ToolResult:
        """Call a tool through the gate; UnknownTool for a name that is not there."""
        tool = self[name]
        chain = self._chain()
        chain.append(name)
        try:
            return tool.call(args, context=context)
        finally:
            chain.pop()

    def _chain(self) -> list[str]:
        """The tools that wait for each other on this thread."""
        if not hasattr(self._local, "chain"):
            self._local.chain = []
        chain: list[str] = self._local.chain
        return chain

    async def call_async(
        self, name: str, args: Mapping[str, object] | None = None, *, context: str = "default"
    ) -> ToolResult:
        """`call` on the event loop."""
        return await self[name].call_async(args, context=context)

    def schemas(self, style: str = "openai") -> list[dict[str, object]]:
        """What a model's API wants: "openai", "anthropic" or "mcp"."""
        return [tool.schema(style) for tool in self.tools()]

    def _call_tool(self, name: str, args: object) -> object:
        """A tool that calls another: the same gate, the chain shown."""
        chain = self._chain()
        if len(chain) >= CALL_DEPTH or name in chain:
            raise RecursionError(f"tool error: call-tool recursion: {' -> '.join([*chain, name])}")
        tool = self[name]
        given = args if isinstance(args, Mapping) else {}
        if tool.category in GATED and self.permission is refuse:
            raise PermissionDenied(f"Permission denied: {name} needs an approval and nobody is to be asked")
        chain.append(name)
        try:
            result = tool.call(given)
        finally:
            chain.pop()
        if result.error is not None:
            raise RuntimeError(f"tool error: {result.error}")
        return result.text

    def close(self) -> None:
        """Free all sessions."""
        for _, tools in self._files.values():
            tools.close()
        self._files.clear()


def files_in(path: Path) -> Iterable[Path]:
    """The tool files of a path."""
    return sorted(path.rglob("*.scm")) if path.is_dir() else [path]
