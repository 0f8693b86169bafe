"""Folders and facts about files: judged by the path prefixes of the policy.

What changes or looks at a name itself, and not at what a link there points to, is
judged by the folder that holds the name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from chibi_bridge._conditions import Refusal
from chibi_bridge.host.base import Host, argument, refuse
from chibi_bridge.host.files import judge, trouble


def judge_name(host: Host, args: list[object], index: int, capability: str) -> Path:
    """The path of a name in a folder that the policy grants; a last link is not followed."""
    name = argument(args, index, str, "a path")
    stripped = name.rstrip("/")
    folder, last = os.path.split(stripped)
    if last in ("", ".", "..") or "\0" in name:
        raise Refusal("file-error", f"{name}: not the name of a file in a folder", [name])
    return judge(host, [folder or "."], capability) / last


def file_info(host: Host, args: list[object]) -> object:
    """Kind and size, or #f where there is nothing; the second argument: follow links?"""
    follow = len(args) < 2 or args[1] is not False
    path = judge(host, args, "fs_read") if follow else judge_name(host, args, 0, "fs_read")
    try:
        status = path.stat() if follow else path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise trouble(args[0], error) from error
    return [kind_of(status.st_mode), status.st_size]


def kind_of(mode: int) -> str:
    """The word for a file's type."""
    if stat.S_ISREG(mode):
        return "regular"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "other"


def directory_files(host: Host, args: list[object]) -> object:
    """The names in a folder, sorted; those that are no UTF-8 are left out."""
    path = judge(host, args, "fs_read")
    try:
        names = sorted(item.name for item in path.iterdir())
    except OSError as error:
        raise trouble(args[0], error) from error
    return [name for name in names if is_text(name)]


def is_text(name: str) -> bool:
    """Can the name be a string of Scheme?"""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def create_directory(host: Host, args: list[object]) -> object:
    """Make a folder."""
    path = judge_name(host, args, 0, "fs_write")
    try:
        path.mkdir()
    except OSError as error:
        raise trouble(args[0], error) from error
    return None


def delete_directory(host: Host, args: list[object]) -> object:
    """Delete an empty folder."""
    path = judge_name(host, args, 0, "fs_write")
    try:
        path.rmdir()
    except OSError as error:
        raise trouble(args[0], error) from error
    return None


def rename_file(host: Host, args: list[object]) -> object:
    """Give a file another name; both have to be granted."""
    old = judge_name(host, args, 0, "fs_write")
    new = judge_name(host, args, 1, "fs_write")
    try:
        old.replace(new)
    except OSError as error:
        raise trouble(args[0], error) from error
    return None


def current_directory(host: Host, args: list[object]) -> object:
    """The host's current folder, which only a policy of all files tells."""
    if not host.policy.all_files:
        raise refuse("fs_read", "the policy does not tell the current directory")
    return str(Path.cwd())


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "file-info": file_info,
    "directory-files": directory_files,
    "create-directory": create_directory,
    "delete-directory": delete_directory,
    "rename-file": rename_file,
    "current-directory": current_directory,
}
