"""The VFS: paths, zones, who may write where; one store on disk, one in memory.

Reads are open to all. `caller` is a context's name, or SYSTEM. Whoever needs to
know of changes subscribes; every kind of change is told, path by path.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["SYSTEM", "DirectoryVfs", "MemoryVfs", "Vfs", "VfsError", "path_of_uri"]

SYSTEM = "SYSTEM"
SITE = "/flocks/registry.json"
Flocks = Mapping[str, Iterable[str]]
Virtual = Callable[[str], "bytes | list[str] | None"]


class VfsError(OSError):
    """What the VFS refuses: a bad path, a missing file, a write that is not permitted."""


class VfsDenied(VfsError, PermissionError):
    """A write that the caller may not do."""


class VfsMissing(VfsError, FileNotFoundError):
    """There is nothing of that name."""


def check_path(path: str) -> str:
    """A well-formed absolute path, or VfsError.

    >>> check_path("/shared/a.txt")
    '/shared/a.txt'
    """
    good = isinstance(path, str) and path.startswith("/") and "\0" not in path
    if good and path != "/":
        good = all(part not in ("", ".", "..") for part in path[1:].split("/"))
    if not good:
        raise VfsError(f"not a VFS path: {path!r}")
    return path


def path_of_uri(uri: str) -> str:
    """The path of vfs:///path, or VfsError."""
    if not isinstance(uri, str) or not uri.startswith("vfs:///"):
        raise VfsError(f"not a VFS URI (vfs:///path): {uri!r}")
    return check_path(uri.removeprefix("vfs://"))


def may_write(path: str, caller: str, flocks: Flocks) -> bool:
    """May a caller change this path?"""
    parts = path.split("/")[1:]
    if parts[:2] == ["tools", "sys"]:
        return False
    if caller == SYSTEM:
        return True
    if parts[0] in ("shared", "site") or parts[:2] == ["tools", "shared"]:
        return True
    zone = parts[1:] if parts[0] == "tools" else parts
    if path == SITE or len(zone) < 2:
        return False
    if zone[0] == "home":
        return zone[1] == caller
    return zone[0] == "flocks" and caller in flocks.get(zone[1], ())


def sees(path: str, context: str, flocks: Flocks) -> bool:
    """Does a context see the tools of this file?"""
    parts = path.split("/")[1:]
    if parts[:2] == ["tools", "home"] and len(parts) > 2:
        return parts[2] == context
    if parts[:2] == ["tools", "flocks"] and len(parts) > 2:
        return context in flocks.get(parts[2], ())
    return True


class Vfs:
    """What both stores share. A store defines _read, _put, _remove, _names, _kind, _make."""

    def __init__(self, flocks: Flocks | None = None) -> None:
        self.flocks: Flocks = {} if flocks is None else flocks
        self._listeners: list[Callable[[str], None]] = []
        self._mounts: dict[str, Virtual] = {}
        self.protect: Callable[[str], str | None] = lambda path: None

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call a listener with the path of each file that changed, after it did."""
        self._listeners.append(listener)

    def mount(self, prefix: str, virtual: Virtual) -> None:
        """Answer reads below a prefix from a function: bytes, names of a folder, or None."""
        self._mounts[check_path(prefix)] = virtual

    # -- reading -----------------------------------------------------------------------

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        found = self._virtual(check_path(path))
        if isinstance(found, list):
            raise VfsError(f"{path}: is a directory")
        data = found if found is not None else None if self._mounted(path) else self._read(path)
        if data is None:
            raise VfsMissing(f"{path}: not found")
        return data

    def entries(self, path: str) -> list[tuple[str, str]]:
        """Sorted (name, "file" or "dir") of a folder; nothing where there is none."""
        found = self._virtual(check_path(path))
        if found is not None:
            if isinstance(found, bytes):
                raise VfsError(f"{path}: is not a directory")
            return [(name.rstrip("/"), "dir" if name.endswith("/") else "file") for name in found]
        if self._kind(path) == "file":
            raise VfsError(f"{path}: is not a directory")
        return [(name, self._kind(join(path, name)) or "file") for name in sorted(self._names(path))]

    def kind(self, path: str) -> str | None:
        """ "file", "dir" or None."""
        found = self._virtual(check_path(path))
        if found is not None:
            return "dir" if isinstance(found, list) else "file"
        return None if self._mounted(path) else self._kind(path)

    def stamp(self, path: str) -> object:
        """What differs where a file's content does, without reading it; None where nothing does."""
        return None

    def files(self, path: str) -> Iterable[str]:
        """All files at or below a path, sorted."""
        kind = self.kind(path)
        if kind == "file":
            yield path
        elif kind == "dir":
            for name, _ in self.entries(path):
                yield from self.files(join(path, name))

    # -- writing -----------------------------------------------------------------------

    def write(self, path: str, data: bytes | str, *, caller: str = SYSTEM) -> None:
        """Replace a file's content at once, making folders on the way."""
        self._permit(path, caller)
        self._put(path, data.encode() if isinstance(data, str) else bytes(data))
        self._tell([path])

    def append(self, path: str, data: bytes | str, *, caller: str = SYSTEM) -> None:
        """Put bytes behind a file's content."""
        self._permit(path, caller)
        more = data.encode() if isinstance(data, str) else bytes(data)
        self._put(path, (self._read(path) or b"") + more)
        self._tell([path])

    def mkdir(self, path: str, *, caller: str = SYSTEM) -> None:
        """Make a folder and those above it."""
        self._permit(path, caller)
        self._make(path)

    def delete(self, path: str, *, caller: str = SYSTEM) -> None:
        """Delete a file, or a folder with all that it holds."""
        files = self._present(path, caller)
        self._remove(path)
        self._tell(files)

    def copy(self, source: str, target: str, *, caller: str = SYSTEM) -> None:
        """Copy a file or a folder."""
        if self.kind(check_path(source)) is None:
            raise VfsMissing(f"{source}: not found")
        pairs = self._pairs(source, target, caller)
        for old, new in pairs:
            self._put(new, self.read(old))
        self._tell([new for _, new in pairs])

    def move(self, source: str, target: str, *, caller: str = SYSTEM) -> None:
        """Move a file or a folder."""
        files = self._present(source, caller)
        pairs = self._pairs(source, target, caller)
        for old, new in pairs:
            self._put(new, self.read(old))
        self._remove(source)
        self._tell([*files, *(new for _, new in pairs)])

    def _pairs(self, source: str, target: str, caller: str) -> list[tuple[str, str]]:
        self._permit(target, caller)
        if target == source or target.startswith(source.rstrip("/") + "/"):
            raise VfsError(f"{target}: lies inside {source}")
        pairs = [(old, target + old[len(source) :]) for old in self.files(source)]
        for _, new in pairs:
            self._permit(new, caller)
        return pairs

    def _present(self, path: str, caller: str) -> list[str]:
        """The files at or below a path that the caller may change."""
        self._permit(path, caller)
        if self.kind(path) is None:
            raise VfsMissing(f"{path}: not found")
        files = list(self.files(path))
        for file in files:
            self._permit(file, caller)
        return files

    def _permit(self, path: str, caller: str) -> None:
        check_path(path)
        reason = None if caller == SYSTEM else self.protect(path)
        if self._mounted(path) or reason is not None or not may_write(path, caller, self.flocks):
            raise VfsDenied(f"{path}: {caller} may not write here" + (f" ({reason})" if reason else ""))

    def _tell(self, paths: list[str]) -> None:
        for path in dict.fromkeys(paths):
            for listener in self._listeners:
                listener(path)

    def _mounted(self, path: str) -> bool:
        return any(path == prefix or path.startswith(prefix + "/") for prefix in self._mounts)

    def _virtual(self, path: str) -> bytes | list[str] | None:
        found = [prefix for prefix in self._mounts if path == prefix or path.startswith(prefix + "/")]
        return self._mounts[max(found, key=len)](path) if found else None

    # -- what a store defines ------------------------------------------------------------

    def _read(self, path: str) -> bytes | None:
        raise NotImplementedError

    def _put(self, path: str, data: bytes) -> None:
        raise NotImplementedError

    def _remove(self, path: str) -> None:
        raise NotImplementedError

    def _names(self, path: str) -> Iterable[str]:
        raise NotImplementedError

    def _kind(self, path: str) -> str | None:
        raise NotImplementedError

    def _make(self, path: str) -> None:
        raise NotImplementedError


def join(folder: str, name: str) -> str:
    """A path below a folder."""
    return f"{folder.rstrip('/')}/{name}"


SETTLED_NS = 100_000_000
"""A file that changed later than so long ago could change again without a new time."""


def disk_stamp(path: Path) -> object:
    """What differs where a file of the disk does; None where it changed just now. Raises OSError."""
    found = path.stat()
    changed = max(found.st_mtime_ns, found.st_ctime_ns)
    if time.time_ns() - changed < SETTLED_NS:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class MemoryVfs(Vfs):
    """A VFS that lives as long as the program.

    >>> vfs = MemoryVfs()
    >>> vfs.write("/shared/a", "x")
    >>> vfs.read("/shared/a"), vfs.entries("/shared")
    (b'x', [('a', 'file')])
    """

    def __init__(self, flocks: Flocks | None = None) -> None:
        super().__init__(flocks)
        self._files: dict[str, bytes] = {}
        self._folders: set[str] = {"/"}

    def _read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def _put(self, path: str, data: bytes) -> None:
        if path in self._folders:
            raise VfsError(f"{path}: is a directory")
        self._make(path.rpartition("/")[0] or "/")
        self._files[path] = data

    def _remove(self, path: str) -> None:
        below = path.rstrip("/") + "/"
        self._files = {name: data for name, data in self._files.items() if name != path and not name.startswith(below)}
        self._folders = {name for name in self._folders if name != path and not name.startswith(below)} | {"/"}

    def _names(self, path: str) -> Iterable[str]:
        below = path.rstrip("/") + "/"
        found = (name[len(below) :] for name in (*self._files, *self._folders) if name.startswith(below))
        return {name for name in found if name and "/" not in name}

    def _kind(self, path: str) -> str | None:
        return "file" if path in self._files else "dir" if path in self._folders else None

    def _make(self, path: str) -> None:
        while path and path != "/":
            if path in self._files:
                raise VfsError(f"{path}: is a file")
            self._folders.add(path)
            path = path.rpartition("/")[0]


class DirectoryVfs(Vfs):
    """A VFS in a folder of the disk; writes are atomic, links out of it lead nowhere."""

    def __init__(self, root: str | os.PathLike[str], flocks: Flocks | None = None) -> None:
        super().__init__(flocks)
        self.root = Path(root).resolve()

    def disk(self, path: str) -> Path:
        """Where a path is on the disk; VfsError for one that a link leads out of the root."""
        place = self.root / check_path(path)[1:]
        real = os.path.realpath(place)
        if real != str(self.root) and not real.startswith(f"{self.root}/"):
            raise VfsError(f"{path}: lies outside the VFS")
        return place

    def stamp(self, path: str) -> object:
        """Size, times and place on the disk; says nothing of the content, so no link is looked into."""
        return disk_stamp(Path(f"{self.root}{check_path(path)}"))

    def files(self, path: str) -> Iterable[str]:
        """All files at or below a path, sorted; links to folders are not followed, they may lead in a circle."""
        if self.kind(path) != "dir" or self._mounted(path):
            yield from super().files(path)
            return
        yield from self._walk(path)

    def _walk(self, path: str) -> Iterator[str]:
        with os.scandir(f"{self.root}{path}") as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            below = join(path, entry.name)
            if entry.name.endswith(".draft") or self._mounted(below):
                continue
            if entry.is_symlink():
                if self._kind(below) == "file":
                    yield below
            elif entry.is_dir():
                yield from self._walk(below)
            elif entry.is_file():
                yield below

    def _read(self, path: str) -> bytes | None:
        place = self.disk(path)
        return place.read_bytes() if place.is_file() else None

    def _put(self, path: str, data: bytes) -> None:
        place = self.disk(path)
        if place.is_dir():
            raise VfsError(f"{path}: is a directory")
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f".{os.urandom(8).hex()}.draft")
        try:
            draft.write_bytes(data)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)

    def _remove(self, path: str) -> None:
        place = self.disk(path)
        if place.is_dir() and not place.is_symlink():
            import shutil  # here: most programs delete no folder

            shutil.rmtree(place)
        else:
            place.unlink()

    def _names(self, path: str) -> Iterable[str]:
        place = self.disk(path)
        return [name.name for name in place.iterdir() if not name.name.endswith(".draft")] if place.is_dir() else []

    def _kind(self, path: str) -> str | None:
        try:
            place = self.disk(path)
        except VfsError:
            return None
        return "file" if place.is_file() else "dir" if place.is_dir() else None

    def _make(self, path: str) -> None:
        self.disk(path).mkdir(parents=True, exist_ok=True)
