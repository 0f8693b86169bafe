"""Who may know whom: Python rows, C tiers, the engine's symbols."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import tomli

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "chibi_bridge"
SOURCE = ROOT / "native" / "src"


# -- Python ------------------------------------------------------------------------------


def rows() -> list[str]:
    config = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(reversed(config["tool"]["importlinter"]["contracts"][0]["layers"]))


def row_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("chibi_bridge"):
            if node.module == "chibi_bridge":
                found.extend(f"chibi_bridge.{alias.name}" for alias in node.names)
            else:
                found.append(node.module)
        elif isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names if alias.name.startswith("chibi_bridge"))
    return found


def modules() -> list[tuple[str, Path]]:
    return [(".".join(path.relative_to(ROOT).with_suffix("").parts), path) for path in sorted(PACKAGE.rglob("*.py"))]


def test_every_module_stands_in_a_row() -> None:
    known = {*rows(), "__init__", "__main__"}
    assert {row_of(name) for name, _ in modules()} <= known


def test_a_module_imports_from_lower_rows_only() -> None:
    order = {name: index for index, name in enumerate(rows())}
    wrong = []
    for name, path in modules():
        mine = row_of(name)
        if mine in ("__init__", "__main__"):
            continue
        wrong += [f"{name} imports {other}" for other in imports_of(path) if order.get(row_of(other), 99) > order[mine]]
    assert wrong == []


def test_only_lib_imports_the_compiled_module() -> None:
    users = [name for name, path in modules() if "_engine import" in path.read_text(encoding="utf-8")]
    assert users == ["chibi_bridge._native.lib"]


def test_no_python_file_is_past_its_size() -> None:
    assert [name for name, path in modules() if len(path.read_text(encoding="utf-8").splitlines()) > 1_000] == []


def test_no_python_function_is_past_its_size() -> None:
    long = []
    for name, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                long += [(name, node.name, size)] if size > 50 else []
    assert long == []


# -- C -------------------------------------------------------------------------------------

UPWARD = {
    ("arena.c", "heap.h"),  # arenas are counted against the context's limit
    ("code.c", "frame.h"),  # the frame layout is agreed between compiler and machine
    ("compile.h", "frame.h"),
    ("disasm.c", "frame.h"),
    ("verify.c", "frame.h"),
    ("environment.c", "prim.h"),  # installs the primitive table
    ("frame.h", "prim.h"),
    ("equal.c", "num.h"),  # eqv? on numbers
    ("table.c", "num.h"),  # hashing of numbers
    ("reader_syntax.c", "syntax.h"),  # one reader makes syntax and data
    ("thin.c", "code.h"),  # moves code, whose layout it has to know
    ("trace.c", "heap.h"),
}
"""Includes of a higher tier that are known. Only gets shorter."""


def sources() -> list[Path]:
    return sorted([*SOURCE.rglob("*.c"), *SOURCE.rglob("*.h")])


def tier(path: Path) -> int | None:
    """The tier that the head comment of a C file states: `/* T3 ...`."""
    found = re.match(r"/\* T(\d)", path.read_text(encoding="utf-8"))
    return int(found.group(1)) if found else None


def test_every_c_file_states_its_tier() -> None:
    assert [path.name for path in sources() if tier(path) is None] == []


def test_a_c_file_includes_its_own_and_lower_tiers_only() -> None:
    tiers = {str(path.relative_to(SOURCE)): tier(path) or 0 for path in sources()}
    wrong = []
    for name, number in tiers.items():
        included = re.findall(r'#include "([\w/]+\.h)"', (SOURCE / name).read_text(encoding="utf-8"))
        wrong += [(name, other) for other in included if tiers.get(other, 0) > number and (name, other) not in UPWARD]
    assert wrong == []


def test_primitives_know_the_inner_interface_only() -> None:
    wrong = []
    for path in sorted((SOURCE / "prims").glob("*.c")):
        if path.stem == "control":
            continue
        included = set(re.findall(r'#include "([\w/]+)\.h"', path.read_text(encoding="utf-8")))
        wrong += [f"{path.name} includes {name}.h" for name in sorted(included & {"gc", "frame", "vm"})]
    assert wrong == []


def test_malloc_stands_in_one_file() -> None:
    users = set()
    for path in sources():
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\]|\\.)*\"", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        if re.search(r"(?<![\w.>])(?:malloc|calloc|realloc|free|mmap|munmap)\s*\(", text):
            users.add(path.name)
    assert users <= {"alloc.c"}


def test_no_c_file_is_past_its_size() -> None:
    assert [path.name for path in sources() if len(path.read_text(encoding="utf-8").splitlines()) > 1_200] == []


def c_functions(path: Path) -> list[tuple[str, int]]:
    """(heading, lines) of each function: its braces stand alone in the first column."""
    found = []
    lines = path.read_text(encoding="utf-8").splitlines()
    opened = None
    for number, line in enumerate(lines):
        if line == "{":
            opened = number
        elif line == "}" and opened is not None:
            found.append((lines[opened - 1], number - opened + 1))
            opened = None
    return found


def test_no_c_function_is_past_its_size() -> None:
    measured = [(path.name, *row) for path in sources() for row in c_functions(path)]
    assert len(measured) > 1_000
    giants = [row for row in measured if row[2] > 70]
    assert [(name, heading) for name, heading, _ in giants if not heading.startswith("DISPATCH_LOOP")] == []
    assert len(giants) <= 1


def test_no_case_of_the_machine_is_past_its_size() -> None:
    text = (SOURCE / "vm.c").read_text(encoding="utf-8")
    cases = re.split(
        r"^    CASE\(", text.partition("DISPATCH_LOOP static")[2].partition("\n}\n")[0], flags=re.MULTILINE
    )[1:]
    assert len(cases) > 50
    assert [case.partition(")")[0] for case in cases if len(case.rstrip().splitlines()) > 18] == []


def test_every_c_file_opens_with_a_comment() -> None:
    assert [path.name for path in sources() if not path.read_text(encoding="utf-8").startswith("/*")] == []


ALLOWED = re.compile(
    r"mem\w+|str(?:n?len|n?cmp|chr)|malloc|calloc|free|realloc|mmap|munmap|mprotect|madvise|sysconf|"
    r"(?:sin|cos|tan|asin|acos|atan|atan2|exp|expm1|log|log1p|log2|log10|sqrt|cbrt|pow|fmod|hypot|exp2|floor|ceil|trunc|rint|"
    r"nearbyint|round|erf|erfc|tgamma|lgamma_r|jn|yn|nextafter|logb|ilogb|ldexp|frexp|scalbn|modf|fabs|sinh|cosh|tanh|asinh|acosh|atanh|remainder|fma)f?|"
    r"c(?:sin|cos|tan|asin|acos|atan|exp|log|sqrt|pow|abs|arg|sinh|cosh|tanh)|sincos|__isnan|__isinf|__finite|__signbit|"
    r"__(?:popcount|ctz|clz|parity|udiv|div|mod|umod|udivmod|mul|add|sub|bswap|ashl|lshr|ashr)\w*[dt]i\d|"
    r"pthread_mutex_(?:lock|unlock|init|destroy)|__\w+_finite|__stack_chk_fail|__mem\w+_chk|_GLOBAL_OFFSET_TABLE_"
)


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_the_engine_needs_nothing_of_the_outside() -> None:
    archive = ROOT / "build" / "engine-release" / "libchibi_bridge.a"
    if not archive.exists():
        pytest.skip("no release build in build/")
    text = subprocess.run(["nm", str(archive)], capture_output=True, text=True, check=True).stdout
    entries = [line.split()[-2:] for line in text.splitlines() if len(line.split()) >= 2]
    defined = {name for kind, name in entries if kind in "TtDdBbRrVvWw"}
    needed = {name for kind, name in entries if kind == "U"} - defined
    assert sorted(name for name in needed if not ALLOWED.fullmatch(name)) == []


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_only_the_public_interface_is_exported() -> None:
    (library,) = list((PACKAGE / "_native").glob("_engine*.so"))[:1] or [None]
    if library is None:
        pytest.skip("the extension is not built in place")
    text = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    exported = {line.split()[-1] for line in text.splitlines()}
    assert (
        sorted(name for name in exported if not name.startswith(("cb_", "PyInit_", "_cffi_pypyinit", "_init", "_fini")))
        == []
    )
