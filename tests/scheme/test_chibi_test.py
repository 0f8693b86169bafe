"""(chibi test) where assertions fail: they are reported, counted, and end in an exit that is not 0."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import CompileError, Context, Policy, SchemeExit

PROGRAM = """
(import (scheme base) (scheme write) (chibi test))
(test-begin "g")
(test 3 (+ 1 1))
(test-group "inner" (test-assert "name" #f) (test-not #t))
(test-error "x" 1)
(test "y" 1 (raise 'boom))
(test-values (values 1 2) (values 1 3))
(test 1 1)
(write (test-failure-count))
(newline)
(test-end)
(test-exit)
"""
REPORT = """\
FAIL g: (+ 1 1): expected 3 but got 2
FAIL g: inner: name: is false
FAIL g: inner: #t: is false
FAIL g: x: expected an error but got 1
FAIL g: y: expected 1 but raised boom
FAIL g: (values 1 3): expected (1 2) but got (1 3)
6
1 passed, 6 failed
"""


def test_failures_are_reported(make_context: Callable[..., Context]) -> None:
    with pytest.raises(SchemeExit) as ended:
        make_context(Policy(modules="all"), prelude=None).run(PROGRAM)
    assert ended.value.code == 1
    assert ended.value.stdout == REPORT


def test_a_malformed_test_is_an_error(make_context: Callable[..., Context]) -> None:
    with pytest.raises(CompileError, match="invalid use of a test form"):
        make_context(Policy(modules="all"), prelude=None).eval("(import (chibi test)) (test-syntax-error)")
