"""Calls that went wrong say what to write: the program, where it went wrong, a part of the hint."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Context, Policy, SchemeError

CASES = [
    (
        '(define args \'(("ticker" . "A")))\n(string-append "x" (cdr (assoc \'ticker args)))',
        (2, 20),
        'strings as keys: (assoc "ticker" args)',
    ),
    (
        "(define l '((1 . 2)))\n(let ((found (assv 3 l)))\n  (+ 1 (cdr found)))",
        (3, 8),
        "where they find nothing",
    ),
    ('(define n (string->number "x"))\n(+ 1 n)', (2, 1), "string->number"),
    ('(list\n  (string-append "n=" 5))', (2, 3), "(number->string 5)"),
    ('(list (with-exception-handler (lambda (e) 1) (lambda () (error "boom"))))', (1, 57), "guard"),
    ('(list (string-append "n=" \'five))', (1, 7), "(symbol->string 'five)"),
    ("(list (display 1 2))", None, "one after the other"),
    ("(list\n (assoc-ref '((a . 1)) 'a))", (2, 2), "(cdr (assoc key alist))"),
    ('(list (printf "~a" 1))', (1, 7), "(format #f"),
]


@pytest.mark.parametrize(("program", "place", "hint"), CASES)
def test_hint(program: str, place: tuple[int, int] | None, hint: str, make_context: Callable[..., Context]) -> None:
    with pytest.raises(SchemeError) as caught:
        make_context(Policy(), prelude="tools").eval(program)
    error = caught.value
    assert error.hint is not None
    assert hint in error.hint
    if place is not None:
        assert error.location is not None
        assert (error.location.line, error.location.column) == place
