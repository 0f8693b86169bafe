"""The compiled cffi module, as far as lib.py uses it."""

from typing import Any

ffi: Any
lib: Any
