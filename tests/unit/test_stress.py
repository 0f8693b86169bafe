"""The engine gives the same answers however often it collects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Context

SPLIT = """
(define (split text)
  (let loop ((chars (string->list text)) (word '()) (words '()))
    (define (flush) (if (null? word) words (cons (list->string (reverse word)) words)))
    (cond ((null? chars) (reverse (flush)))
          ((char-alphabetic? (car chars)) (loop (cdr chars) (cons (car chars) word) words))
          (else (loop (cdr chars) '() (flush))))))
(split "the quick brown fox")
"""


@pytest.mark.parametrize("every", [0, 1, 2, 3, 13])
def test_a_loop_over_three_variables(make_context: Callable[..., Context], every: int) -> None:
    ctx = make_context()
    ctx.import_("(scheme char)")
    ctx._native.set_stress(ctx.policy.limits.memory, every)
    assert ctx.eval(SPLIT) == ["the", "quick", "brown", "fox"]


def test_stress_really_collects(ctx: Context) -> None:
    ctx._native.set_stress(ctx.policy.limits.memory, 1)
    before = ctx.stats()["collections"]
    ctx.eval("(let loop ((i 0)) (if (< i 100) (loop (+ i 1))))")
    assert ctx.stats()["collections"] > before + 50
