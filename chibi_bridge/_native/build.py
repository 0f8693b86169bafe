"""How the engine, the cffi module over it and the boot image are built.

Imported by setup.py by path, before the package can be imported: it knows
nothing of the rest of the package. The environment variable
CHIBI_BRIDGE_PROFILE (release, debug, asan, tsan; fuzz,
with CC=clang, for tests/fuzz) changes flags, never semantics.
Objects are cached under build/engine-PROFILE: only what changed is compiled.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

COMMON = ["-std=gnu11", "-fvisibility=hidden", "-ffp-contract=off", "-fPIC", "-g1"]
PROFILES = {
    "release": ["-O2", "-DNDEBUG"],
    "debug": ["-O0", "-g3"],
    "asan": ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "tsan": ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=thread"],
    "fuzz": [
        "-O1",
        "-g",
        "-fno-omit-frame-pointer",
        "-fsanitize=fuzzer-no-link,address,undefined",
        "-fno-sanitize-recover=all",
    ],
}
LINK = {
    "release": [],
    "debug": [],
    "asan": ["-fsanitize=address,undefined"],
    "tsan": ["-fsanitize=thread"],
    "fuzz": ["-fsanitize=address,undefined"],
}
JOBS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2


class BuildError(Exception):
    """The build cannot go on; the message is one sentence for a person."""


@dataclass(frozen=True)
class Engine:
    """What build_engine made."""

    archive: Path
    compiler: list[str]
    flags: list[str]
    link: list[str]
    directory: Path


def profile() -> str:
    """The profile asked for by CHIBI_BRIDGE_PROFILE, "release" by default."""
    name = os.environ.get("CHIBI_BRIDGE_PROFILE", "release")
    if name not in PROFILES:
        raise BuildError(f"CHIBI_BRIDGE_PROFILE={name} is none of {', '.join(PROFILES)}.")
    return name


def compiler() -> list[str]:
    """The C compiler: CC, else the first of cc, gcc, clang that is there."""
    if os.environ.get("CC"):
        command = shlex.split(os.environ["CC"])
        if shutil.which(command[0]):
            return command
    for name in ("gcc", "cc", "clang"):
        if shutil.which(name):
            return [name]
    raise BuildError(
        "a C compiler is needed to build the engine and none was found; install gcc or clang (Debian: "
        "apt-get install gcc libc6-dev) or set CC."
    )


def cdef(header: Path) -> str:
    """The part of the public header between the two markers, as cffi reads it."""
    text = header.read_text(encoding="utf-8")
    return text.split("/* cdef begin */", 1)[1].split("/* cdef end */", 1)[0]


def glue(root: Path) -> tuple[str, str]:
    """The declarations and the whole of glue.h."""
    text = (root / "chibi_bridge" / "_native" / "glue.h").read_text(encoding="utf-8")
    declared = text.split("/* glue begin */", 1)[1].split("/* glue end */", 1)[0]
    return declared.replace("static ", ""), text


def extension(root: Path):  # type: ignore[no-untyped-def]
    """The cffi extension; its extra_objects are filled in by setup.py."""
    from cffi import FFI

    ffi = FFI()
    declared, source = glue(root)
    ffi.cdef(cdef(root / "native" / "include" / "chibi_bridge.h") + declared)
    flags = LINK[profile()]
    ffi.set_source(
        "chibi_bridge._native._engine",
        source,
        include_dirs=[str(root / "native" / "include")],
        libraries=["m"],
        extra_compile_args=["-O2", "-fvisibility=hidden", *flags],
        extra_link_args=["-Wl,--exclude-libs,ALL", *flags] if sys.platform.startswith("linux") else flags,
        define_macros=[("Py_LIMITED_API", "0x030A0000")],
        py_limited_api=True,
    )
    made = ffi.distutils_extension(tmpdir=str(root / "build" / "cffi"))
    made.sources = [os.path.relpath(source, root) for source in made.sources]
    made.py_limited_api = True
    return made


def run(command: list[str]) -> str:
    """Run a command; its output where it failed becomes the error."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(
            f"this command ended with {done.returncode}: {shlex.join(command)}\n{done.stdout}{done.stderr}"
        )
    return done.stdout + done.stderr


def is_fresh(target: Path, dependencies: Path) -> bool:
    """Is the object newer than everything its dependency file names?"""
    if not target.exists() or not dependencies.exists():
        return False
    made = target.stat().st_mtime_ns
    names = dependencies.read_text(encoding="utf-8").replace("\\\n", " ").split(":", 1)[1].split()
    try:
        return all(Path(name).stat().st_mtime_ns < made for name in names)
    except FileNotFoundError:
        return False


def is_newer(target: Path, inputs: list[Path]) -> bool:
    """Was the file made after all of its inputs?"""
    return target.exists() and all(path.stat().st_mtime_ns < target.stat().st_mtime_ns for path in inputs)


def write_if_changed(path: Path, text: str) -> None:
    """Leave the file, and its time, alone where nothing changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def build_engine(root: Path, verbose: bool | int = False) -> Engine:
    """Compile native/src into a static archive and say where it is."""
    command, name = compiler(), profile()
    source = root / "native" / "src"
    if not source.is_dir():
        raise BuildError(f"the engine's sources are not there: {source}.")
    run([sys.executable, str(root / "native" / "tools" / "gen_tables.py"), str(source), str(source / "prim_table.inc")])
    directory = root / "build" / f"engine-{name}"
    directory.mkdir(parents=True, exist_ok=True)
    flags = [
        *COMMON,
        *PROFILES[name],
        "-iquote",
        str(source),
        "-iquote",
        str(directory),
        "-I",
        str(root / "native" / "include"),
    ]
    stamp = directory / "flags.txt"
    write_if_changed(stamp, shlex.join([*command, *flags]))
    jobs = []
    objects = []
    write_fingerprint(source, directory)
    for path in sorted(source.rglob("*.c")):
        target = directory / (str(path.relative_to(source)).replace("/", "-")[:-2] + ".o")
        objects.append(str(target))
        dependencies = target.with_suffix(".d")
        if is_fresh(target, dependencies) and stamp.stat().st_mtime_ns < target.stat().st_mtime_ns:
            continue
        jobs.append([*command, *flags, "-MMD", "-MF", str(dependencies), "-c", str(path), "-o", str(target)])
    with ThreadPoolExecutor(JOBS) as pool:
        for output in pool.map(run, jobs):
            if output.strip() and verbose:
                print(output, file=sys.stderr)
    archive = directory / "libchibi_bridge.a"
    if jobs or not archive.exists() or archive_is_stale(archive, objects):
        archive.unlink(missing_ok=True)
        run(["ar", "rcs", str(archive), *objects])
    return Engine(archive, command, flags, [*LINK[name], "-lm"], directory)


def write_fingerprint(source: Path, directory: Path) -> None:
    """Write fingerprint.inc for engine.c: a hash of all its sources, which images have to match."""
    digest = hashlib.sha256()
    for path in sorted(path for path in source.rglob("*") if path.suffix in (".c", ".h", ".def", ".inc")):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    text = f'#define ENGINE_FINGERPRINT "chibi_bridge-{digest.hexdigest()[:16]}"\n'
    write_if_changed(directory / "fingerprint.inc", text)


def archive_is_stale(archive: Path, objects: list[str]) -> bool:
    """Does the archive hold other objects than these (a source was removed)?"""
    held = run(["ar", "t", str(archive)]).split()
    return sorted(held) != sorted(Path(name).name for name in objects)


def make_boot_image(root: Path, engine: Engine, target: Path) -> None:
    """Compile native/tools/boot.c over the engine and let it write the image of scheme/."""
    source = root / "native" / "tools" / "boot.c"
    if not source.exists():
        return
    program = engine.directory / "boot"
    fresh = engine.directory / "boot.img"
    inputs = [source, engine.archive, *(path for path in (root / "scheme").rglob("*") if path.is_file())]
    if is_newer(fresh, inputs) and target.exists() and target.read_bytes() == fresh.read_bytes():
        return
    run([*engine.compiler, *engine.flags, str(source), str(engine.archive), *engine.link, "-o", str(program)])
    target.parent.mkdir(parents=True, exist_ok=True)
    run([str(program), str(root / "scheme"), str(fresh)])
    if not target.exists() or target.read_bytes() != fresh.read_bytes():
        shutil.copyfile(fresh, target)
