"""Build the engine, the cffi module over it, and the boot image.

All metadata stands in pyproject.toml; what is done and how stands in
chibi_bridge/_native/build.py.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


def load_build_module():  # the package itself cannot be imported before it is built
    path = ROOT / "chibi_bridge" / "_native" / "build.py"
    spec = importlib.util.spec_from_file_location("chibi_bridge_native_build", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


native = load_build_module()


class BuildExtension(build_ext):
    """Compile the engine into an archive first; make the boot image last."""

    def run(self) -> None:
        try:
            built = native.build_engine(ROOT, self.verbose)
        except native.BuildError as error:
            raise SystemExit(f"chibi_bridge: {error}") from None
        os.environ.setdefault("CC", shlex.join(built.compiler))  # not the one that Python itself was built with
        for extension in self.extensions:
            extension.extra_objects = [str(built.archive)]
        stamp = ROOT / "build" / "linked.txt"
        linked = f"{built.archive} {built.archive.stat().st_mtime_ns}"
        self.force = self.force or not stamp.exists() or stamp.read_text(encoding="utf-8") != linked
        super().run()
        stamp.write_text(linked, encoding="utf-8")
        target = Path(self.get_ext_fullpath("chibi_bridge._native._engine")).parent
        try:
            native.make_boot_image(ROOT, built, target / "boot.img")
        except native.BuildError as error:
            raise SystemExit(f"chibi_bridge: {error}") from None


class BuildPython(build_py):
    """Ship the Scheme libraries beside the package as chibi_bridge/_scheme."""

    def run(self) -> None:
        super().run()
        if getattr(self, "editable_mode", False):
            return
        for name in ("lib", "examples"):
            source = ROOT / "scheme" / name
            target = Path(self.build_lib) / "chibi_bridge" / "_scheme" / name
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)


setup(
    ext_modules=[native.extension(ROOT)],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPython},
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
    zip_safe=False,
)
