"""What should be linear is: seconds at n, 2n and 4n, and how much each doubling costs.

A doubling costs 2 where the work is linear; a little more where it sorts, or where
the data outgrow a cache. `fuel` says the same in a count that no load disturbs.
"""

from __future__ import annotations

import time

Row = dict[str, object]

# Each program defines (work n), the thing to measure, after what it prepares.
PROGRAMS = {
    "list building": ("", "(let loop ((i 0) (l '())) (if (< i n) (loop (+ i 1) (cons i l)) (length l)))", 200_000),
    "append": ("", "(length (append (iota n) (iota n)))", 100_000),
    "map and fold": ("", "(fold + 0 (map (lambda (x) (+ x 1)) (iota n)))", 100_000),
    "list sort": ("", "(length (list-sort < (map (lambda (i) (modulo (* i 7919) 10007)) (iota n))))", 40_000),
    "vector filling": ("", "(vector-length (vector-map + (make-vector n 1)))", 200_000),
    "string port": ("", "(string-length (call-with-output-string (lambda (p) (do ((i 0 (+ i 1))) ((= i n)) "
                        "(write-char #\\a p)))))", 100_000),
    "string-append in a loop": ("", "(let loop ((i 0) (parts '())) (if (< i n) (loop (+ i 1) (cons \"ab\" parts)) "
                                    "(string-length (apply string-append parts))))", 50_000),
    "string search": ("", "(string-contains (string-append (make-string n #\\a) \"b\") \"ab\")", 400_000),
    "hash table": ("", "(let ((t (make-hash-table))) (do ((i 0 (+ i 1))) ((= i n) (hash-table-size t)) "
                       "(hash-table-set! t i i)))", 50_000),
    "string keys": ("", "(let ((t (make-hash-table))) (do ((i 0 (+ i 1))) ((= i n) (hash-table-size t)) "
                        "(hash-table-set! t (number->string i) i)))", 20_000),
    "equal?": ("", "(equal? (iota n) (iota n))", 200_000),
    "write": ("", "(string-length (call-with-output-string (lambda (p) (write (iota n) p))))", 50_000),
    "read": ("", "(length (read (open-input-string (string-append \"(\" (make-string n #\\a) \" \" "
                 "(apply string-append (map (lambda (i) \"ab \") (iota n))) \")\"))))", 10_000),
    "recursion": ("", "(let loop ((i 0)) (if (< i n) (+ 1 (loop (+ i 1))) 0))", 100_000),
    "generators": ("", "(let loop ((i 0)) (when (< i n) (call/cc (lambda (k) (k i))) (loop (+ i 1))))", 100_000),
    "regexp": ("(define re (regexp '(: (* (or \"a\" \"ab\")) (* \"b\"))))", "(regexp-matches? re (make-string n #\\a))",
               20_000),
    "JSON": ("", "(string-length (json->string (list->vector (iota n))))", 40_000),
}  # fmt: skip

IMPORTS = "(import (srfi 1) (srfi 69) (srfi 132) (chibi regexp) (chibi io) (tein json) (scheme read))"
SEARCH = "(import (only (srfi 13) string-contains))"
JSON = "(define (json->string x) (json-stringify x))"


def _prepared(name: str) -> object:
    """A context with (work n) of a program."""
    from chibi_bridge import Context, Limits, Policy

    before, body, _ = PROGRAMS[name]
    context = Context(Policy(limits=Limits(fuel=None, timeout=None, memory=1 << 30)))
    context.eval(f"{IMPORTS} {SEARCH} {JSON} {before} (define (work n) {body})")
    return context


def _measure(context: object, n: int) -> tuple[float, int]:
    """Seconds, the best of three, and fuel of (work n)."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        outcome = context.run(f"(work {n})")  # type: ignore[attr-defined]
        best = min(best, time.perf_counter() - start)
    return best, outcome.fuel_used


def curves() -> list[Row]:
    """One row a program: milliseconds at n, what 2n and 4n take in proportion, in time and in fuel."""
    rows: list[Row] = []
    for name, (_, _, n) in PROGRAMS.items():
        with _prepared(name) as context:  # type: ignore[attr-defined]
            (t1, f1), (t2, f2), (t4, f4) = (_measure(context, n * times) for times in (1, 2, 4))
        rows.append(
            {
                "what": name,
                "n": n,
                "ms": t1 * 1e3,
                "2n": t2 / t1,
                "4n": t4 / t1,
                "fuel 2n": f2 / f1,
                "fuel 4n": f4 / f1,
            }
        )
    return rows
