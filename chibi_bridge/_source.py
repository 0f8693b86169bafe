"""Program text from a file: UTF-8 or a located error."""

from __future__ import annotations

from pathlib import Path

from chibi_bridge.errors import Location, ReadError


def read_source(path: Path) -> str:
    """The text of a Scheme file.

    Raises OSError where it cannot be read, ReadError with the position of the
    first byte that is no UTF-8.
    """
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        raise ReadError(
            f"the file is not UTF-8: byte 0x{data[error.start]:02X} at offset {error.start}",
            kind="read-error",
            location=Location(str(path), line, column),
            hint="save the file as UTF-8",
        ) from None
