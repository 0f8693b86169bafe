#!/usr/bin/env bash
# Each job of the CI is a function here: bash tests/jobs.sh NAME [ARGUMENTS].
set -euo pipefail
cd "$(dirname "$0")/.."

PYTHON="${PYTHON:-python3}"
BIN=.venv/bin

# The virtual environment with the package in place of its checkout.
setup() {
    if [ ! -x "$BIN/python" ]; then
        "$PYTHON" -m venv .venv
    fi
    if ! "$BIN/python" -c 'import cffi, msgpack, tomli, urllib3, click, setuptools' 2>/dev/null; then
        "$BIN/pip" install -q 'setuptools>=68' wheel cffi msgpack tomli urllib3 click
    fi
    build
    if [ ! -x "$BIN/chibi-bridge" ]; then
        "$BIN/pip" install -q --no-build-isolation --no-deps -e .
    fi
}

# Compile what changed; the profile is that of CHIBI_BRIDGE_PROFILE.
build() {
    "$BIN/python" -W ignore setup.py -q build_ext --inplace >/dev/null
}

setup_dev() {
    setup
    "$BIN/python" -c 'import pytest, hypothesis, cryptography' 2>/dev/null || "$BIN/pip" install -q pytest hypothesis cryptography
}

demo() {
    setup
    echo "\$ chibi-bridge run scheme/examples/csv.scm csv_summary --arg csv=@tests/data/orders.csv"
    "$BIN/chibi-bridge" run scheme/examples/csv.scm csv_summary --arg csv=@tests/data/orders.csv
    echo
    echo "\$ chibi-bridge run scheme/examples/csv.scm csv_to_markdown --arg csv=@tests/data/orders.csv"
    "$BIN/chibi-bridge" run scheme/examples/csv.scm csv_to_markdown --arg csv=@tests/data/orders.csv
}

test() {
    setup_dev
    "$BIN/python" -m pytest tests "$@"
}

unit() {
    setup_dev
    "$BIN/python" -m pytest tests/unit tests/tools tests/conformance tests/architecture "$@"
}

lint() {
    setup
    "$BIN/ruff" --version >/dev/null 2>&1 || "$BIN/pip" install -q ruff mypy import-linter
    "$BIN/ruff" format --check chibi_bridge tests benches setup.py
    "$BIN/ruff" check chibi_bridge tests benches setup.py
    "$BIN/mypy"
    "$BIN/lint-imports"
    if command -v clang-format >/dev/null; then
        find native -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
    fi
}

# The C unit tests under ASan and UBSan, leaks on. A name runs that one only.
native() {
    local out=build/native-tests flags failed=0
    mkdir -p "$out"
    "$PYTHON" native/tools/gen_tables.py native/src native/src/prim_table.inc
    CHIBI_BRIDGE_PROFILE=asan "$PYTHON" - <<'PY'
import importlib.util, pathlib
spec = importlib.util.spec_from_file_location("b", "chibi_bridge/_native/build.py")
import sys
m = importlib.util.module_from_spec(spec); sys.modules["b"] = m; spec.loader.exec_module(m)
print(m.build_engine(pathlib.Path.cwd()).archive)
PY
    flags="-std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -I native/src -I native/include"
    for source in tests/native/test_${1:-*}.c; do
        [ -e "$source" ] || continue
        local name
        name=$(basename "$source" .c)
        # shellcheck disable=SC2086
        if ! ${CC:-gcc} $flags "$source" -Wl,--allow-multiple-definition build/engine-asan/libchibi_bridge.a -lm -o "$out/$name" 2>"$out/$name.log"; then
            echo "$name: does not compile"; head -20 "$out/$name.log"; failed=1; continue
        fi
        if ! "$out/$name" >"$out/$name.log" 2>&1; then
            echo "$name: FAILED"; tail -30 "$out/$name.log"; failed=1
        else
            echo "$name: $(tail -1 "$out/$name.log")"
        fi
    done
    return $failed
}

asan_libraries() {
    echo "$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
}

# The Python suites with an engine under ASan and UBSan.
asan_python() {
    setup_dev
    CHIBI_BRIDGE_PROFILE=asan build
    trap 'build' EXIT
    LD_PRELOAD="$(asan_libraries)" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
        "$BIN/python" -m pytest tests/unit tests/conformance tests/tools -p no:cacheprovider "$@"
}

asan() {
    native
    asan_python
}

# The same tests collecting at every Nth safepoint.
stress() {
    setup_dev
    CHIBI_BRIDGE_TEST_STRESS="${1:-13}" "$BIN/python" -m pytest tests/unit tests/conformance tests/tools
}

differential() {
    setup_dev
    if ! command -v guile >/dev/null; then
        echo "differential: guile is not installed (Debian: guile-3.0); skipped"
        return 0
    fi
    [ ! -d tests/differential ] || "$BIN/python" -m pytest tests/differential
}

check() {
    lint
    native
    test
    differential
}

# What the benchmarks compare with, as far as PyPI and Debian have it here; a peer
# that cannot be had is skipped and named by the table.
peers() {
    local missing=() peer
    for peer in lupa quickjs pydantic-monty starlark-pyo3; do
        "$BIN/pip" show -q "$peer" 2>/dev/null || "$BIN/pip" install -q "$peer" || echo "no $peer here" >&2
    done
    command -v guile >/dev/null || missing+=(guile-3.0)
    command -v lua5.4 >/dev/null || missing+=(lua5.4)
    if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        apt-get install -qq -y "${missing[@]}" >/dev/null || echo "not installed: ${missing[*]}" >&2
    fi
}

bench() {
    setup
    peers
    "$BIN/python" -m benches "$@"
}

fuzz() {
    setup_dev
    HYPOTHESIS_PROFILE=long "$BIN/python" -m pytest tests/property "$@"
}

wheel() {
    setup
    "$BIN/pip" wheel -q --no-deps --no-build-isolation -w dist .
    ls dist
}

clean() {
    rm -rf build dist .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache ./*.egg-info
    rm -f chibi_bridge/_native/*.so chibi_bridge/_native/*.img native/src/prim_table.inc
    find . -name __pycache__ -type d -prune -exec rm -rf {} +
}

"$@"
