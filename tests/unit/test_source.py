"""A file that is no text is refused with the position of the first wrong byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from chibi_bridge import ReadError
from chibi_bridge._source import read_source


def test_a_file_that_is_not_utf8_is_a_read_error_with_position(tmp_path: Path) -> None:
    path = tmp_path / "bad.scm"
    path.write_bytes('(define é "x")\n(f "'.encode() + b'\xff")')
    with pytest.raises(ReadError, match="0xFF") as caught:
        read_source(path)
    assert caught.value.location is not None
    assert (caught.value.location.line, caught.value.location.column) == (2, 5)


def test_utf8_text_comes_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "good.scm"
    path.write_text('(display "λ")\n', encoding="utf-8")
    assert read_source(path) == '(display "λ")\n'
