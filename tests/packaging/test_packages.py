"""The wheel runs without a compiler, the sdist builds with cc alone, and without one the build says so.

tests/jobs.sh runs these on their own (job `packages`), because they build: they
are skipped unless CHIBI_BRIDGE_TEST_PACKAGES is set.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import sys, chibi_bridge
with chibi_bridge.Context() as context:
    assert context.eval("(import (srfi 1)) (fold + 0 '(1 2 3))") == 6
tool = chibi_bridge.load_tools(sys.argv[1])[0]
print(chibi_bridge.__file__, tool.name)
"""

pytestmark = pytest.mark.skipif("CHIBI_BRIDGE_TEST_PACKAGES" not in os.environ, reason="a job of its own")


def run(*command: object, **options: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd="/", **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def job(name: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "CHIBI_BRIDGE_TEST_TALLY"}
    run("bash", ROOT / "tests" / "jobs.sh", name, env=environment)


def other_python() -> str:
    """Another Python of at least 3.10 than this one, where there is one; else this one."""
    candidates = [f"python3.{minor}" for minor in range(10, 16) if minor != sys.version_info.minor]
    if shutil.which("pyenv"):
        root = Path(run("pyenv", "root").strip())
        candidates += sorted(str(path) for path in root.glob("versions/3.*/bin/python3"))
    mine = f"{sys.version_info.major}.{sys.version_info.minor}"
    script = "import sys, venv, ensurepip; print('.'.join(map(str, sys.version_info[:2])), sys.version_info >= (3, 10))"
    for name in candidates:
        if shutil.which(name):
            done = subprocess.run([name, "-c", script], capture_output=True, text=True)
            if done.stdout.split()[1:] == ["True"] and done.stdout.split()[0] != mine:
                return name
    return sys.executable


def without_compiler(folder: Path, *more: str) -> dict[str, str]:
    """An environment whose PATH has these programs only."""
    folder.mkdir()
    for name in more:
        (folder / name).symlink_to(str(shutil.which(name)))
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "HTTP", "http", "SSL", "HOME"))}
    return {**kept, "PATH": str(folder)}


@pytest.fixture(scope="module")
def wheel() -> Path:
    job("wheel")
    (made,) = (ROOT / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def sdist(wheel: Path) -> Path:
    job("sdist")
    (made,) = (ROOT / "dist").glob("*.tar.gz")
    return made


def test_the_wheel_is_for_every_python_from_3_10_and_many_linuxes(wheel: Path) -> None:
    assert re.search(r"-cp310-abi3-manylinux\S*_x86_64\.whl$|-cp310-abi3-manylinux\S*_aarch64\.whl$", wheel.name)
    names = zipfile.ZipFile(wheel).namelist()
    assert "chibi_bridge/_native/boot.img" in names
    assert "chibi_bridge/_scheme/examples/text.scm" in names
    assert [name for name in names if name.endswith((".c", ".o", ".a"))] == []


def test_the_wheel_runs_under_another_python_without_a_compiler(wheel: Path, tmp_path: Path) -> None:
    environment = without_compiler(tmp_path / "bin")
    run(other_python(), "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, env=environment)
    printed = run(python, "-c", PROGRAM, ROOT / "scheme" / "examples" / "text.scm", env=environment)
    assert printed.startswith(str(tmp_path)) and printed.endswith("word_count\n")
    command = tmp_path / "venv" / "bin" / "chibi-bridge"
    assert run(command, "eval", "(* 6 7)", env=environment) == "42\n"


def test_the_sdist_builds_with_cc_alone(sdist: Path, tmp_path: Path) -> None:
    environment = without_compiler(tmp_path / "bin", "cc", "ar", "as", "ld")
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", sdist, env=environment)
    printed = run(python, "-c", PROGRAM, ROOT / "scheme" / "examples" / "text.scm", env=environment)
    assert printed.startswith(str(tmp_path))


def test_without_a_compiler_the_build_ends_in_one_sentence(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)
    (source,) = tmp_path.glob("chibi_bridge-*")
    options = ["--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--target", str(tmp_path / "target")]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "."],
        cwd=source,
        env=without_compiler(tmp_path / "bin"),
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    printed = done.stdout + done.stderr
    assert "chibi_bridge: a C compiler is needed to build the engine and none was found;" in printed
    assert "Traceback" not in printed
