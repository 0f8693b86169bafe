"""One case for each code of `check`: program, position, what the hint holds."""

from __future__ import annotations

import pytest

from chibi_bridge import Config
from chibi_bridge.tools.check import check_source
from chibi_bridge.tools.findings import CODES

PATH = "/tools/shared/t.scm"


def tool(body: str, parameters: str = '\'((name (type . "string")))', name: str = "t") -> str:
    return (
        f'(define-tool {name}\n  (description "d")\n  (parameters {parameters})\n  (execute (lambda (args)\n{body})))\n'
    )


CONFIG = Config.from_toml(f'[tools.http.allow]\n"{PATH}" = ["https://api.example.com/v1/"]\n')

CASES = [
    ("R001", "(define (f x)\n  (let ((y (* x 2))\n    (+ y 1)))\n\n(define (g) 1)\n", (2, 8), "end of line 2"),
    ("R001", "(define (f x)\n  (if x\n      (list x\n(define (g) 1)\n", (3, 7), ")))"),
    ("R002", "(define (f x)\n  (car x)))\n(define (g) 1)\n", (2, 11), "leave it out"),
    ("R002", "(define (f x)\n  (display x))\n  (newline))\n(define (g) 1)\n", (2, 14), "leave this ) out"),
    ("R003", "(define (f x) (cond (x 1) [else 2]))", (1, 27), "write ("),
    ("R004", "(define (f x) (list {x}))", (1, 21), "write lists"),
    ("R005", "#lang racket\n(define x 1)\n", (1, 1), "(import (scheme base))"),
    ("R005", "(define (f x #!optional y) x)", (1, 14), "rest list"),
    ("R006", "(define (f x) (list #:key x))", (1, 21), "no keywords"),
    ("R007", '(define x "abc)\n(define y "def")\n(define z 1)\n', (1, 11), "double quote"),
    ("R008", '(define x "\\u00e9")', (1, 12), "\\x00e9;"),
    ("R009", "(define x “abc”)", (1, 11), "straight"),
    ("R010", "```scheme\n(define x 1)\n```\n", (3, 1), "leave the line out"),
    ("R011", "// the tool\n(define x 1)\n", (1, 1), ";"),
    ("R012", "(define x 'text')", (1, 11), '"text"'),
    ("R099", "(define x #<foo>)", (1, 11), "#<"),
    ("N001", '(define (f) (strng-append "a"))', (1, 14), "string-append"),
    ("N001", "(define (f) (let ((x 1) (y x)) y))", (1, 28), "let*"),
    ("N001", "(define (f) (list 0x1F 1_000))", (1, 19), "#x1f"),
    ("N002", "(define (f h) (hash-ref h 'a 0))", (1, 16), "hash-table-ref/default"),
    ("N003", '(define (f) (call-with-input-file "x" read))', (1, 14), "(import (scheme file))"),
    ("N004", "(import (sceme base))", (1, 9), "(scheme base)"),
    ("N005", "(import (tein modules))", (1, 9), "policy"),
    ("C001", "(define (f a)\n  (if a 1 2 3))", (2, 3), "(if test"),
    ("C002", "(define (f a) a)\n(define (g) (f 1 2))", (2, 13), "parenthesis"),
    ("C002", "(define (f x) (vector-ref x))", (1, 15), "2 arguments"),
    ("C003", "(define x (1 2 3))", (1, 11), "'(1 2 3)"),
    ("K001", tool("(assoc 'name args)"), (5, 8), '(assoc "name" args)'),
    ("K002", tool('(assq "name" args)'), (5, 2), "assoc"),
    ("K003", tool('(assoc "nme" args)'), (5, 8), "name"),
    ("T001", tool("1", name="|a b|"), (1, 1), "a_b"),
    ("T002", tool("1").replace('"d"', "5"), (2, 3), "text"),
    ("T003", tool("1") + '(define-tool u (category "netwrk"))', (6, 26), '"network"'),
    ("T004", tool("1", parameters='"{}"'), (3, 3), "write"),
    ("T005", tool("1").replace("(args)", "()"), (4, 20), "alist"),
    ("T006", "(define x 1)", (1, 1), "define-tool"),
    ("T007", tool("1") + tool("2"), (6, 1), "line 1"),
    ("T008", tool("1", parameters='\'((x (tpe . "string")))'), (3, 20), "type"),
    ("T009", tool("1").replace("(execute", '(summary-params (list "x"))\n  (execute'), (4, 25), "name"),
    ("T010", '(define y 1)\n(error "boom" y)\n' + tool("1"), (2, 1), "before any tool runs"),
]


@pytest.mark.parametrize(("code", "program", "place", "hint"), CASES, ids=[case[0] for case in CASES])
def test_code(code: str, program: str, place: tuple[int, int], hint: str) -> None:
    checked = check_source(program, "t.scm", PATH)
    found = [item for item in checked.findings if item.code == code and checked.place(item) == place]
    assert found, [(item.code, checked.place(item), item.message) for item in checked.findings]
    assert hint in (found[0].hint or "")


def test_a_grant_that_is_missing() -> None:
    text = "(import (tein http))\n" + tool(
        '(list (http-get "https://api.example.com/v1/x" (list))\n (http-get "https://other.example.com/" (list)))'
    )
    checked = check_source(text, "t.scm", PATH, CONFIG)
    assert [(item.code, checked.place(item)) for item in checked.findings] == [("G001", (7, 12))]
    assert "[tools.http.allow]" in (checked.findings[0].hint or "")
    checked = check_source(text, "t.scm", PATH, Config())
    assert [(item.code, checked.place(item)) for item in checked.findings][:1] == [("G001", (1, 9))]


def test_a_grant_that_is_not_used() -> None:
    checked = check_source(tool("1"), "t.scm", PATH, CONFIG)
    assert [(item.code, checked.place(item)) for item in checked.findings] == [("G002", None)]


def test_every_code_has_a_case() -> None:
    assert {code for code, *_ in CASES} | {"G001", "G002"} == set(CODES)


def test_all_faults_at_once() -> None:
    text = '(define (f x)\n  (foldl + 0 x)\n\n(define (g)\n  [list 1])\n\n(define (h)\n  (strng-append "a")\n  (car 1 2)\n  (if))\n'
    checked = check_source(text, "t.scm", PATH)
    assert [item.code for item in checked.findings] == ["R001", "N002", "R003", "R003", "N001", "C002", "C001"]


@pytest.mark.parametrize(
    ("program", "codes"),
    [
        ("(define (ask args) (cdr (assq 'name args)))\n" + tool("(ask args)"), ["K001"]),
        (
            "(define (arg args key) (let ((p (assoc key args))) (if p (cdr p) #f)))\n" + tool("(arg args 'name)"),
            ["K001"],
        ),
        ("(define (arg args key) (let ((p (assoc key args))) (if p (cdr p) #f)))\n" + tool('(arg args "name")'), []),
        ("(define (handle args) (assoc 'name args))\n" + tool("1").replace("(lambda (args)\n1)", "handle"), ["K001"]),
        ("(define (other alist) (assq 'name alist))\n" + tool("(other '((name . 1)))"), []),
        (tool("(let ((args '((name . 1)))) (assq 'name args))"), []),
    ],
)
def test_keys_are_followed_into_procedures(program: str, codes: list[str]) -> None:
    checked = check_source(program, "t.scm", PATH)
    assert [item.code for item in checked.findings] == codes


def test_top_levels_that_end_the_load() -> None:
    for text in ("(exit 3)", "(let loop () (loop))", '(call-tool "x" \'())', "(vector-ref (vector) 1)"):
        checked = check_source(f"{text}\n{tool('1')}", "t.scm", PATH)
        assert [item.code for item in checked.findings] == ["T010"], text
