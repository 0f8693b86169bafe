"""/sys/contexts: what tools may read of the contexts that a registry serves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from chibi_bridge.tools.vfs import Flocks
from chibi_bridge.values import write

__all__ = ["Contexts"]

FILES = ("state.json", "task-dirs")


class Contexts:
    """The contexts that called, and those that belong to a flock.

    >>> contexts = Contexts(lambda: {"infra": ["alice"]})
    >>> contexts.read("/sys/contexts/alice/task-dirs")
    b'("/home/alice/tasks" "/flocks/infra/tasks")'
    """

    def __init__(self, flocks: Callable[[], Flocks]) -> None:
        self._flocks = flocks
        self._seen: dict[str, None] = {"default": None}

    def note(self, context: str) -> None:
        """A context called."""
        self._seen.setdefault(context)

    def forget(self, context: str) -> None:
        """A context is gone."""
        self._seen.pop(context, None)

    def names(self) -> list[str]:
        """All that are known, in order."""
        members: Iterable[str] = (name for members in self._flocks().values() for name in members)
        return list(dict.fromkeys([*self._seen, *members]))

    def read(self, path: str) -> bytes | list[str] | None:
        """A file, the names in a folder, or None."""
        context, _, file = path.removeprefix("/sys/contexts").removeprefix("/").partition("/")
        names = self.names()
        if not context:
            return [f"{name}/" for name in names if "/" not in name]
        if context not in names:
            return None
        found: dict[str, bytes | list[str]] = {
            "": list(FILES),
            "task-dirs": write(self.task_folders(context)).encode(),
            "state.json": json.dumps({"name": context, "flocks": self.flocks_of(context)}).encode(),
        }
        return found.get(file)

    def flocks_of(self, context: str) -> list[str]:
        """The flocks that a context joined."""
        return [flock for flock, members in self._flocks().items() if context in members]

    def task_folders(self, context: str) -> list[str]:
        """Where a context's tasks are."""
        return [f"/home/{context}/tasks", *(f"/flocks/{flock}/tasks" for flock in self.flocks_of(context))]
