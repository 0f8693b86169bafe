"""Files: judged by the path prefixes of the policy, links resolved first."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.base import Host, argument, refuse


def is_within(path: str, prefixes: tuple[str, ...]) -> bool:
    """Does the resolved path lie at or below one of the (resolved) prefixes?"""
    for prefix in prefixes:
        root = os.path.realpath(prefix)
        if path == root or path.startswith(root.rstrip("/") + "/"):
            return True
    return False


def judge(host: Host, args: list[object], capability: str) -> Path:
    """The path to use, or a violation: `capability` is fs_read or fs_write."""
    name = argument(args, 0, str, "a path")
    if "\0" in name:
        raise Refusal("file-error", "a path holds a NUL character", [name])
    path = os.path.realpath(name)
    if not host.policy.all_files and not is_within(path, getattr(host.policy, capability)):
        verb = "read" if capability == "fs_read" else "write"
        raise refuse(capability, f"the policy does not allow to {verb} the file {name!r}")
    return Path(path)


def trouble(name: object, error: OSError | UnicodeError) -> Refusal:
    """A file-error condition for what the system said."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Refusal("file-error", f"{name}: {text}", [name])


def read_file(host: Host, args: list[object]) -> object:
    """The text of a file, UTF-8."""
    path = judge(host, args, "fs_read")
    try:
        check_size(host, path)
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeError) as error:
        raise trouble(args[0], error) from error


def read_file_bytes(host: Host, args: list[object]) -> object:
    """The bytes of a file."""
    path = judge(host, args, "fs_read")
    try:
        check_size(host, path)
        return path.read_bytes()
    except OSError as error:
        raise trouble(args[0], error) from error


def check_size(host: Host, path: Path) -> None:
    """Only regular files that fit into the context's memory are read."""
    if not path.is_file():
        path.stat()  # says what is missing
        raise Refusal("file-error", f"{path}: not a regular file", [str(path)])
    size = path.stat().st_size
    if size > host.policy.limits.memory:
        raise Refusal("file-error", f"{path}: {size} bytes do not fit into the context's memory", [str(path)])


def write_file(host: Host, args: list[object]) -> object:
    """Put text into a file, replacing what was there."""
    return store(host, args, argument(args, 1, str, "a string").encode("utf-8"), "wb")


def write_file_bytes(host: Host, args: list[object]) -> object:
    """Put bytes into a file, replacing what was there."""
    return store(host, args, argument(args, 1, bytes, "a bytevector"), "wb")


def append_file(host: Host, args: list[object]) -> object:
    """Put text behind what the file holds."""
    return store(host, args, argument(args, 1, str, "a string").encode("utf-8"), "ab")


def store(host: Host, args: list[object], data: bytes, mode: str) -> object:
    """Write bytes where the policy agrees."""
    path = judge(host, args, "fs_write")
    try:
        with path.open(mode) as file:
            file.write(data)
    except OSError as error:
        raise trouble(args[0], error) from error
    return None


def file_exists(host: Host, args: list[object]) -> object:
    """Is there a file?"""
    try:
        return judge(host, args, "fs_read").exists()
    except OSError:
        return False


def delete_file(host: Host, args: list[object]) -> object:
    """Delete a file (a link itself, not what it points to)."""
    judge(host, args, "fs_write")
    name = argument(args, 0, str, "a path")
    try:
        Path(name).unlink()
    except OSError as error:
        raise trouble(name, error) from error
    return None


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "read-file": read_file,
    "read-file-bytes": read_file_bytes,
    "write-file": write_file,
    "write-file-bytes": write_file_bytes,
    "append-file": append_file,
    "file-exists?": file_exists,
    "delete-file": delete_file,
}
