"""Names of other dialects: program, position and what to write, for every one of the table."""

from __future__ import annotations

import collections
import json
from pathlib import Path

import pytest

from chibi_bridge import Context, Policy, SchemeError
from chibi_bridge.host.dialects import DIALECTS, FORMS, HEAD_RENAMES, ORIGINS, RENAMES
from chibi_bridge.host.hints import exporters
from chibi_bridge.tools.check import check_source, mended

CASES = [json.loads(line) for line in Path(__file__).with_name("dialects.jsonl").read_text("utf-8").splitlines()]
BY_ORIGIN: dict[str, list[dict[str, object]]] = collections.defaultdict(list)
for _case in CASES:
    BY_ORIGIN[str(_case["origin"])].append(_case)


@pytest.mark.parametrize("origin", sorted(BY_ORIGIN))
def test_position_and_hint(origin: str) -> None:
    """All of one dialect in one text, so that it is also seen that one fault hides no other."""
    cases = BY_ORIGIN[origin]
    text = "".join(f"{case['program']}\n" for case in cases)
    checked = check_source(text, "t-props.scm", "/tools/shared/t-props.scm")
    found = {checked.place(item): item for item in checked.findings}
    for number, case in enumerate(cases, 1):
        item = found.get((number, case["column"]))
        assert item is not None, case
        assert case["hint"] in (item.hint or ""), (case, item)


def test_every_name_has_a_case() -> None:
    assert {case["name"] for case in CASES} == set(DIALECTS)
    assert len(DIALECTS) > 500
    assert set(ORIGINS.values()) >= {"Racket", "Guile", "Chicken", "Gauche", "MIT", "R6RS", "Common Lisp", "Python"}


def test_renames_are_real() -> None:
    """What a name is mended to is there without an import, or in a library that says so itself."""
    with Context(Policy(), "tools") as context:
        names = set(context.names())
    for name, new in {**RENAMES, **HEAD_RENAMES}.items():
        assert new.split()[0] in names or new.split()[0] in exporters() or new[0] in "#'", (name, new)


@pytest.mark.parametrize(
    "name", ["foldl", "hash-ref", "assoc-ref", "displayln", "1+", "string-search-forward", "mapcar"]
)
def test_the_hint_at_run_time(name: str) -> None:
    with Context() as context, pytest.raises(SchemeError) as caught:
        context.eval(f"\n  ({name} 1)", "p.scm")
    assert caught.value.hint == DIALECTS[name]
    assert str(caught.value.location) == "p.scm:2:3"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(define (f h) (hash-ref h 'a 0))", "(define (f h) (hash-table-ref/default h 'a 0))"),
        ("(define (f h) (hash-ref h 'a))", "(define (f h) (hash-ref h 'a))"),  # two arguments say no default
        ("(define (f n) (1+ n))", "(define (f n) (+ 1 n))"),
        ("(define (f n) (sub1 n))", "(define (f n) (+ -1 n))"),
        ("(define (f) (foldl + 0 null))", "(define (f) (fold + 0 '()))"),
        ("(define x true)", "(define x #t)"),
        ("(define x (1 2 3))", "(define x '(1 2 3))"),
        ("#lang racket\n(define (f x) (cond [x 1] [else 2]))\n", "\n(define (f x) (cond (x 1) (else 2)))\n"),
        (
            "(define (f x)\n  (let ((y (* x 2))\n    (+ y 1)))\n(define (g) 1)\n",
            "(define (f x)\n  (let ((y (* x 2)))\n    (+ y 1)))\n(define (g) 1)\n",
        ),
        (
            '(define (f) (call-with-input-file "x" read))',
            '(import (scheme file))\n(define (f) (call-with-input-file "x" read))',
        ),
    ],
)
def test_mending(before: str, after: str) -> None:
    assert mended(before, "t-props.scm", "/tools/shared/t-props.scm") == after


def test_forms_do_not_hide_what_stands_beside_them() -> None:
    assert "struct" in FORMS
    text = "(struct point (x y))\n(define (f xs) (foldl + 0 xs))\n"
    checked = check_source(text, "t-props.scm", "/t-props.scm")
    assert [item.code for item in checked.findings] == ["N002", "N002"]


@pytest.mark.parametrize(
    "program",
    [
        "(struct point (x y))",
        "(require racket/list)",
        "(define* (f x) x)",
        "(for/list ((x '(1 2))) x)",
        "(dolist (x '(1 2)) x)",
        "(with-handlers ((string? car)) 1)",
    ],
)
def test_a_form_is_named_before_its_parts_are_looked_at(program: str) -> None:
    with Context() as context, pytest.raises(SchemeError) as caught:
        context.eval(program, "p.scm")
    head = program[1:].split()[0]
    assert caught.value.message == f"{head} is not a form of R7RS Scheme"
    assert caught.value.hint and str(caught.value.location) == "p.scm:1:2"


def test_such_a_word_is_free_for_a_program() -> None:
    with Context() as context:
        assert context.eval("(define (user) (struct 1 2)) (define (struct a b) (+ a b)) (user)") == 3
