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


FORMATS = {
    "json: numbers": ("(json-parse (numbers n))", "(tein json)"),
    "json: keys": ("(json-parse (object n))", "(tein json)"),
    "json: deep": ('(json-parse (string-append (make-string n #\\[) (make-string n #\\])))', "(tein json)"),
    "json: a string": ('(json-parse (string-append "\\"" (make-string (* 64 n) #\\a) "\\""))', "(tein json)"),
    "json: writing": ("(json-stringify (iota (* 4 n)))", "(tein json)"),
    "json: writing keys": ("(json-stringify (map (lambda (i) (cons \"key\" i)) (iota n)))", "(tein json)"),
    "json: chibi": ("(string->json (object n))", "(chibi json)"),
    "toml: an array": ('(toml-parse (string-append "a = " (numbers n)))', "(tein toml)"),
    "toml: writing": ('(toml-stringify (list (cons "a" (iota n))))', "(tein toml)"),
    "crypto: digests": ("(map (lambda (f) (f (make-bytevector (* 64 n) 1))) (list sha256 sha512 blake3))", "(tein crypto)"),
}
TEXTS = """(define (joined items) (call-with-output-string (lambda (port)
  (for-each (lambda (item) (write-string item port)) items))))
(define (numbers n) (joined (append '("[0") (map (lambda (i) (string-append "," (number->string i))) (iota n)) '("]"))))
(define (object n) (joined (append '("{\\"k\\":0") (map (lambda (i) (string-append ",\\"k" (number->string i) "\\":1"))
  (iota n)) '("}"))))"""


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_linear(name: str, make_context: Callable[..., Context]) -> None:
    program, library = FORMATS[name]
    costs = []
    for n in (N, 2 * N, 4 * N):
        ctx = make_context(POLICY, prelude="tools")
        ctx.eval(f"(import {library})\n{TEXTS}\n(define n {n})")
        ctx.eval(f"(define (go) {program})")
        costs.append(ctx.run("(begin (go) 1)").fuel_used)
    assert costs[1] < LINEAR * costs[0] and costs[2] < LINEAR * costs[1], costs
