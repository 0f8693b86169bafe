"""What is generated and checked in, and what is made twice, comes out byte for byte the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLS = ROOT / "native" / "tools"
SOURCE = ROOT / "native" / "src"


def made_by(python: str, tool: str, *arguments: Path) -> None:
    subprocess.run([python, str(TOOLS / tool), *map(str, arguments)], check=True)


def python_with_unicode_14() -> str | None:
    """Python 3.11 has the Unicode version of the table."""
    if unicodedata.unidata_version == "14.0.0":
        return sys.executable
    script = "import sys, unicodedata; sys.exit(unicodedata.unidata_version != '14.0.0')"
    for name in ("python3.11", "python3"):
        if shutil.which(name) and subprocess.run([name, "-c", script], capture_output=True).returncode == 0:
            return name
    return None


def test_the_table_of_characters(tmp_path: Path) -> None:
    python = python_with_unicode_14()
    if python is None:
        pytest.skip("no Python with Unicode 14 (3.11)")
    made_by(python, "gen_unicode.py", tmp_path / "made")
    assert (tmp_path / "made").read_bytes() == (SOURCE / "chars_table.inc").read_bytes()


def test_the_powers_of_ten(tmp_path: Path) -> None:
    made_by(sys.executable, "gen_powers.py", tmp_path / "made")
    assert (tmp_path / "made").read_bytes() == (SOURCE / "num_powers.inc").read_bytes()


def test_the_boot_image_twice(tmp_path: Path) -> None:
    boot = ROOT / "build" / "engine-release" / "boot"
    if not boot.exists():
        pytest.skip("no release build in build/")
    (tmp_path / "elsewhere").symlink_to(ROOT / "scheme")
    for name, scheme, seed in (("one", ROOT / "scheme", "1"), ("two", tmp_path / "elsewhere", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, f"PADDING_{name}": "x" * 1000 * int(seed)}
        subprocess.run([str(boot), str(scheme), str(tmp_path / name)], check=True, env=environment)
    shipped = (ROOT / "chibi_bridge" / "_native" / "boot.img").read_bytes()
    assert (tmp_path / "one").read_bytes() == shipped
    assert (tmp_path / "two").read_bytes() == shipped
