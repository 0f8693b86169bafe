"""What tool files, scheme_eval and the REPL see without an import."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chibi_bridge import Context, Policy, SchemeError, UnboundVariable

ANSWERS = [
    # lists and tables
    ("(list (sort '(3 1 2) <) (sort < '(3 1 2)) (sort (vector 3 1 2) <))", "((1 2 3) (1 2 3) #(1 2 3))"),
    ("(list (list-sort < '(3 1 2)) (list-sort '(3 1 2) <))", "((1 2 3) (1 2 3))"),
    (
        "(list (filter odd? '(1 2 3)) (fold cons '() '(1 2)) (reduce + 0 '(1 2 3)) (iota 3 1))",
        "((1 3) (2 1) 6 (1 2 3))",
    ),
    ("(let ((h (make-hash-table equal?))) (hash-table-set! h 'a 1) (hash-table-ref h 'a #f))", "1"),
    ("(hash-table-ref (make-hash-table) 'a (lambda () 'none))", "none"),
    ('(hash-table-ref/default (make-hash-table string=?) "a" 7)', "7"),
    ("(hash-table-count (alist->hash-table '((a . 1)) equal?))", "1"),
    ("(vector-map + #(1 2 3) #(10 20 30))", "#(11 22 33)"),
    ("(match '(1 2 3) ((a b c) (+ a b c)))", "6"),
    ("(cadddr '(1 2 3 4))", "4"),
    # strings
    ('(list (string-contains "hello world" "world") (string-contains "a" "b"))', "(6 #f)"),
    ('(list (string-index "abc" #\\b) (string-index "abc" #\\z) (string-index "aBc" char-upper-case?))', "(1 #f 1)"),
    ('(list (string-skip "  a" #\\space) (string-skip "  " #\\space) (string-index-right "abcb" #\\b))', "(2 #f 3)"),
    ('(string-split "a,b" ",")', '("a" "b")'),
    ('(string-split "a,b" #\\,)', '("a" "b")'),
    ('(string-split "a,b;c" (lambda (c) (memv c \'(#\\, #\\;))))', '("a" "b" "c")'),
    ('(string-split "  two  words ")', '("two" "words")'),
    ('(list (string-join \'("a" "b")) (string-join \'("a" "b") ", "))', '("a b" "a, b")'),
    ('(string-replace "a-b-c" "-" "+")', '"a+b+c"'),
    ('(string-replace "aaa" "aa" "b")', '"ba"'),
    ('(string-replace "a.b" #\\. #\\,)', '"a,b"'),
    ('(string-replace "hello" "j" 0 1)', '"jello"'),
    (
        '(list (string-pad-left "7" 3) (string-pad-right "7" 3) (string-trim-both " x ") (string-trim-left " x "))',
        '("  7" "7  " "x" "x ")',
    ),
    ('(list (string-prefix? "he" "hello") (string-suffix? "lo" "hello"))', "(#t #t)"),
    # texts
    ('(list (format #f "~a ~s" 1 "x") (format "~a" 1))', '("1 \\"x\\"" "1")'),
    ("(call-with-output-string (lambda (port) (write 'x port)))", '"x"'),
    ('(with-output-to-string (lambda () (display "x")))', '"x"'),
    ('(vector-ref (vector-ref (regexp-search "l+" "hello") 0) 0)', '"ll"'),
    ('(json-parse "{\\"a\\":1}")', '(("a" . 1))'),
    # syntax
    ("(receive (a . rest) (values 1 2 3) (list a rest))", "(1 (2 3))"),
    ("(list ((cut + 1 <>) 2) ((cute - 1 <>) 2))", "(3 -1)"),
    ("(and-let* ((x 1) ((odd? x)) (y (+ x 1))) y)", "2"),
    ("(assert (= 1 1))", "#t"),
    ("(list (force (delay 1)) (force (make-promise 2)) (promise? (delay-force (delay 3))))", "(1 2 #t)"),
    # numbers and the rest
    ("(list (exact->inexact 1/2) (inexact->exact 0.5) (magnitude (make-rectangular 3.0 4.0)))", "(0.5 1/2 5.0)"),
    (
        '(list (random-integer 1) (get-environment-variable "TEIN_SANDBOX") (command-line))',
        '(0 "true" ("tein" "--sandbox"))',
    ),
    ("(procedure-arity cons)", "(2 . 2)"),
]


@pytest.mark.parametrize(("program", "expected"), ANSWERS)
def test_names_and_what_they_do(program: str, expected: str, make_context: Callable[..., Context]) -> None:
    assert make_context(Policy(), prelude="tools").eval_written(program) == expected


def test_output_of_format(make_context: Callable[..., Context]) -> None:
    ran = make_context(Policy(), prelude="tools").run('(format #t "~a~%" 1) (format (current-output-port) "~s" "x")')
    assert ran.stdout == '1\n"x"'


@pytest.mark.parametrize(
    ("program", "part"),
    [
        ("(assert (= 1 2))", "assertion failed"),
        ('(string-replace "abc" 1 2)', "(string-replace string part new)"),
        ('(string-replace "abc" "" "x")', "nothing to look for"),
        ('(string-split 42 ",")', "string-split"),
    ],
)
def test_misuse_is_explained(program: str, part: str, make_context: Callable[..., Context]) -> None:
    with pytest.raises(SchemeError) as caught:
        make_context(Policy(), prelude="tools").eval(program)
    assert part in str(caught.value)


@pytest.mark.parametrize("name", ["printf", "displayln", "fprintf", "assoc-ref", "hash-ref", "string-search-forward"])
def test_names_of_other_dialects_are_explained(name: str, make_context: Callable[..., Context]) -> None:
    with pytest.raises(UnboundVariable) as caught:
        make_context(Policy(), prelude="tools").eval(f'({name} "a" 1)')
    assert caught.value.hint
    assert "write" in caught.value.hint


def test_definitions_of_a_unit_win_from_its_first_line(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(), prelude="tools")
    program = '(define (early) (string-split "x")) (define (string-split text) (list \'mine text)) (early)'
    assert ctx.eval_written(program) == '(mine "x")'
    assert ctx.eval_written('(string-split "y")') == '(mine "y")'


def test_imports_win_over_the_prelude(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(), prelude="tools")
    ctx.eval("(import (srfi 130))")
    assert ctx.eval_written('(list (string-cursor->index "abc" (string-index "abc" char-upper-case?)))') == "(3)"
    with pytest.raises(SchemeError):
        ctx.eval('(string-replace "a-b" "-" "+")')


def test_excluded_libraries_take_their_names_along(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(modules=["scheme/base"]), prelude="tools")
    assert ctx.eval("(+ 1 2)") == 3
    with pytest.raises(SchemeError):
        ctx.eval('(json-parse "1")')
