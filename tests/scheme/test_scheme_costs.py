"""The costs that libraries promise, in units of fuel at n, 2n and 4n."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Context, Limits, Policy

POLICY = Policy(modules="all", limits=Limits(fuel=2_000_000_000, timeout=60.0, memory=256 << 20))
N = 1000
LINEAR = 2.5
"""How much more twice the work may cost: twice, a logarithm, and some noise."""

CASES = {
    "69: sets": ("(srfi 69)", "(let ((t (make-hash-table)))", "(hash-table-set! t i i)", ")"),
    "69: refs": ("(srfi 69)", "(let ((t (alist->hash-table (fill n))))", "(hash-table-ref t i)", ")"),
    "69: deletes": ("(srfi 69)", "(let ((t (alist->hash-table (fill n))))", "(hash-table-delete! t i)", ")"),
    "69: ci": (
        "(scheme char) (srfi 69)",
        "(let ((t (make-hash-table string-ci=?)))",
        "(hash-table-set! t (number->string i) i)",
        ")",
    ),
    "69: update": (
        "(srfi 69)",
        "(let ((t (make-hash-table)))",
        "(hash-table-update!/default t i (lambda (x) (+ x 1)) 0)",
        ")",
    ),
    "125: pops": ("(srfi 125)", "(let ((t (alist->hash-table (fill n) equal?)))", "(hash-table-pop! t)", ")"),
    "125: comparator": (
        "(srfi 125) (srfi 128)",
        "(let ((t (make-hash-table (make-default-comparator))))",
        "(hash-table-set! t (list i 'a) i)",
        ")",
    ),
    "117: queue": (
        "(srfi 117)",
        "(let ((q (list-queue 0)))",
        "(list-queue-add-back! q i) (list-queue-add-front! q i) (list-queue-remove-front! q)",
        ")",
    ),
    "41: stream": (
        "(srfi 41)",
        "(let ((s (stream-map + (stream-from 0) (stream-from 1))))",
        "(set! s (stream-cdr s)) (stream-car s)",
        ")",
    ),
    "41: append": (
        "(srfi 41)",
        "(let ((s (apply stream-append (map (lambda (i) (stream-range 0 2)) (iota n)))))",
        "(set! s (stream-cdr s)) (stream-car s)",
        ")",
    ),
    "127: lseq": (
        "(srfi 127) (srfi 121)",
        "(let ((s (lseq-filter even? (generator->lseq (make-range-generator 0)))))",
        "(set! s (lseq-cdr s))",
        ")",
    ),
    "113: set": (
        "(srfi 113) (srfi 128)",
        "(let ((s (set (make-default-comparator))))",
        "(set-adjoin! s i) (set-contains? s i) (if (odd? i) (set-delete! s i))",
        ")",
    ),
}
"""Name: libraries, what goes before a loop of i from 0 to n, its body, and what goes behind."""


def fuel(ctx: Context, case: tuple[str, str, str, str], n: int) -> int:
    """The units of the case's loop and what goes before it."""
    _, before, body, behind = case
    return ctx.run(f"(let ((n {n})) {before} (do ((i 0 (+ i 1))) ((= i n)) {body}){behind})").fuel_used


@pytest.mark.parametrize("name", CASES)
def test_cost_is_linear(name: str, make_context: Callable[..., Context]) -> None:
    ctx = make_context(POLICY)
    ctx.eval(f"(import (srfi 1) {CASES[name][0]})")
    ctx.eval("(define (fill n) (map (lambda (i) (cons i i)) (iota n)))")
    fuel(ctx, CASES[name], 10)
    costs = [fuel(ctx, CASES[name], n) for n in (N, 2 * N, 4 * N)]
    assert costs[1] < LINEAR * costs[0] and costs[2] < LINEAR * costs[1], costs
