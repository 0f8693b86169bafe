"""What contexts count is what the process takes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MEASURE = """
import json, resource, sys
from chibi_bridge import Context, Limits, MemoryExhausted, Policy

program, count, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
policy = Policy(limits=Limits(fuel=None, timeout=60.0, memory=limit))
with Context(policy) as first:
    first.eval("1")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
contexts, peaks = [], []
for i in range(count):
    ctx = Context(policy)
    contexts.append(ctx)
    try:
        ctx.eval(program)
        raise SystemExit("it ended")
    except MemoryExhausted:
        peaks.append(ctx.stats()["peak"])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([after - before, sum(peaks), max(peaks)]))
for ctx in contexts:
    ctx.close()
"""

HOGS = {
    "pairs": "(define l '()) (let loop () (set! l (cons 1 l)) (loop))",
    "strings": "(define l '()) (let loop () (set! l (cons (make-string 100 #\\a) l)) (loop))",
    "vectors": "(define l '()) (let loop () (set! l (cons (make-vector 1000 0) l)) (loop))",
    "large blocks": "(define l '()) (let loop () (set! l (cons (make-bytevector 300000 0) l)) (loop))",
    "one string": '(define s "ab") (let loop () (set! s (string-append s s)) (loop))',
    "frames": "(let loop ((i 0)) (+ 1 (loop (+ i 1))))",
    "symbols": "(define l '()) (let loop ((i 0)) (set! l (cons (string->symbol (number->string i)) l)) (loop (+ i 1)))",
    "a port": '(define p (open-output-string)) (let loop () (write-string "abcdefghij" p) (loop))',
    "a number": "(let loop ((n 3)) (loop (* n n)))",
    "a table": "(import (srfi 69)) (define t (make-hash-table)) "
    "(let loop ((i 0)) (hash-table-set! t i (list i)) (loop (+ i 1)))",
    "code": "(import (scheme eval)) (define l '()) (let loop () (set! l (cons (eval '(lambda (x) (car x)) "
    "(environment '(scheme base))) l)) (loop))",
    "continuations": "(define l '()) (let loop () (call/cc (lambda (k) (set! l (cons k l)))) (loop))",
}


@pytest.mark.parametrize("name", HOGS)
def test_many_contexts_at_their_limit_take_what_they_count(name: str) -> None:
    count, limit = (200, 1 << 20) if name in ("pairs", "frames") else (5, 4 << 20)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, HOGS[name], str(count), str(limit)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    grown, counted, largest = json.loads(done.stdout)
    assert largest <= limit + 4096
    assert grown <= 1.25 * count * limit
    assert grown <= 1.5 * counted + (4 << 20)
