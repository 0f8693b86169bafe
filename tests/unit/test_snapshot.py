"""Suspended runs as bytes: what survives, what is refused, who may restore them."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest

from chibi_bridge import (
    Context,
    Done,
    Failed,
    FuelExhausted,
    HostCall,
    Image,
    ImageError,
    Limits,
    Paused,
    Policy,
    Run,
    RunTimeout,
    SandboxViolation,
    Symbol,
    Vector,
    register_reducer,
)

KEY = b"the key of the shop"


@pytest.fixture
def asking() -> Iterator[Context]:
    with Context() as ctx:
        ctx.define_host("ask")
        yield ctx


def carried(run: Run, policy: Policy | None = None) -> Run:
    """The run, once through bytes."""
    return Run.restore(run.snapshot(key=KEY), policy, key=KEY)


def after(ctx: Context, program: str, answer: object) -> object:
    """Run, answering and carrying over at each question: what it ends with. The original ends alike."""
    run = again = ctx.start(program)
    step: object = run.advance()
    while isinstance(step, HostCall):
        again = carried(again)
        again.resume(answer)
        run.resume(answer)
        step = run.advance()
        assert again.advance() == step
        assert (run.fuel_used, run.stdout) == (again.fuel_used, again.stdout)
    assert again is not run
    assert isinstance(step, Done), step
    return step.value


SURVIVORS = {
    "a continuation that is entered again": (
        "(define k #f) (define n 0) (define l '())"
        "(set! l (cons (call/cc (lambda (c) (set! k c) 0)) l))"
        "(ask) (set! n (+ n 1)) (if (< n 3) (k n) (list n l))",
        [3, [2, 1, 0]],
    ),
    "a generator that is half way": (
        "(define return #f) (define (gen l) (lambda () (call/cc (lambda (r) (set! return r)"
        " (for-each (lambda (x) (call/cc (lambda (next) (set! gen-next (lambda () (next #f))) (return x)))) l) (return 'end)))))"
        "(define gen-next #f) (define first ((gen '(1 2 3)))) (ask)"
        "(define second (call/cc (lambda (r) (set! return r) (gen-next)))) (list first second)",
        [1, 2],
    ),
    "dynamic-wind": (
        "(define log '()) (define (note x) (set! log (cons x log)))"
        "(dynamic-wind (lambda () (note 'in)) (lambda () (note (ask))) (lambda () (note 'out)))"
        "(reverse (map (lambda (x) (if (symbol? x) (symbol->string x) x)) log))",
        ["in", 7, "out"],
    ),
    "a parameter": ("(define p (make-parameter 1)) (parameterize ((p 2)) (ask) (list (p)))", [2]),
    "handlers": ("(guard (e (#t (list 'caught (condition/report-string e)))) (ask) (list 1))", [1]),
    "an output port": (
        '(define o (open-output-string)) (write-string "ab\\x3bb;" o) (write-string (ask) o) (get-output-string o)',
        "ab\u03bbX",
    ),
    "an input port": (
        '(import (scheme read)) (define i (open-input-string "abc (1 2) z")) (read-char i) (ask)'
        " (define c (read-char i)) (list (string c) (read i) (read i))",
        ["b", Symbol("c"), [1, 2]],
    ),
    "hash tables": (
        "(import (srfi 69)) (define t (make-hash-table equal?)) (define e (make-hash-table eq?)) (define p (list 1))"
        "(hash-table-set! t '(1 2) 'a) (hash-table-set! e p 'mine) (ask)"
        "(list (symbol->string (hash-table-ref t (list 1 2))) (symbol->string (hash-table-ref e p)))",
        ["a", "mine"],
    ),
    "records": (
        "(define-record-type point (make-point x y) point? (x x-of set-x!) (y y-of))"
        "(define p (make-point 1 2)) (set-x! p (ask)) (list (point? p) (x-of p) (y-of p))",
        [True, 7, 2],
    ),
    "promises": (
        "(import (scheme lazy)) (define n 0) (define p (delay (begin (set! n (+ n 1)) n))) (define q (delay (begin (ask) 5)))"
        "(force p) (force q) (list (force p) (force q) n)",
        [1, 5, 1],
    ),
    "shared and cyclic structure": (
        "(define c (list 1 2)) (set-cdr! (cdr c) c) (define s (list c c)) (define v (vector s s)) (ask)"
        "(list (eq? (car s) (cadr s)) (eq? (vector-ref v 0) (vector-ref v 1)) (eq? c (cddr c)))",
        [True, True, True],
    ),
    "symbols": ('(define s \'brand-new-symbol) (ask) (list (eq? s (string->symbol "brand-new-symbol")))', [True]),
    "the rest of the text": (
        "(ask) (define-syntax twice (syntax-rules () ((_ x) (* 2 x)))) (define (later x) (twice x)) (list (later 21))",
        [42],
    ),
    "macros and libraries made so far": (
        "(define-library (my lib) (export f) (import (scheme base)) (begin (define (f x) (* x x))))"
        "(import (my lib)) (define-syntax sq (syntax-rules () ((_ x) (f x)))) (ask) (list (sq 5))",
        [25],
    ),
    "deep recursion": (
        "(define (deep n) (if (= n 0) (begin (ask) 0) (+ 1 (deep (- n 1))))) (list (deep 100000))",
        [100000],
    ),
    "many values and locals": (
        "(define (f a b . c) (let-values (((x y) (values a b)) (z (values (ask) 4))) (list x y z c))) (f 1 2 3)",
        [1, 2, [7, 4], [3]],
    ),
    "numbers of all kinds": (
        "(define l (list (expt 3 100) 1/3 1.5 1e300 #\\a)) (ask) (list (equal? l (list (expt 3 100) 1/3 1.5 1e300 #\\a)))",
        [True],
    ),
}


@pytest.mark.parametrize("name", SURVIVORS)
def test_what_survives(asking: Context, name: str) -> None:
    program, expected = SURVIVORS[name]
    value = after(asking, program, "X" if "port" in name else 7)
    assert value == expected


def test_a_paused_run_goes_on_with_its_fuel(ctx: Context) -> None:
    program = "(let loop ((i 0)) (if (< i 100000) (loop (+ i 1)) i))"
    straight = ctx.run(program)
    run = ctx.start(program)
    assert run.advance(fuel=5_000) == Paused()
    with carried(run) as again:
        assert again.advance() == Done(100_000)
        assert again.fuel_used == straight.fuel_used


def test_limits_go_on(ctx: Context) -> None:
    run = ctx.start("(let loop () (loop))")
    run.advance(fuel=40_000)
    with carried(run, Policy(limits=Limits(fuel=50_000))) as again:
        step = again.advance()
        assert isinstance(step, Failed)
        assert isinstance(step.error, FuelExhausted)
        assert again.fuel_used == 50_000
    run._left = 5.0
    with carried(run, Policy(limits=Limits(fuel=None, timeout=25.0))) as again:
        step = again.advance()
        assert isinstance(step, Failed)
        assert isinstance(step.error, RunTimeout)


def test_output_is_kept(asking: Context) -> None:
    run = asking.start('(display "one ") (ask) (display "two")')
    run.advance()
    with carried(run) as again:
        again.resume(1)
        again.advance()
        assert again.stdout == "one two"


def test_a_restored_run_tells_again_what_it_waits_for(asking: Context) -> None:
    run = asking.start('(list (ask "who" 1))')
    assert run.waiting is None
    assert run.advance() == HostCall("ask", ["who", 1])
    assert run.waiting == HostCall("ask", ["who", 1])
    with carried(run) as again:
        assert again.waiting == HostCall("ask", ["who", 1])
        assert again.advance() == HostCall("ask", ["who", 1])
        again.fail(ValueError("nobody"))
        step = again.advance()
        assert isinstance(step, Failed)
        assert isinstance(step.error, ValueError)


def test_an_answer_that_was_given_is_not_asked_for_again(asking: Context) -> None:
    run = asking.start("(list (ask 1) (ask 2))")
    run.advance()
    run.resume("first")
    with carried(run) as again:
        assert again.advance() == HostCall("ask", [2])
        again.resume("second")
        assert again.advance() == Done(["first", "second"])
    assert run.advance() == HostCall("ask", [2])


def test_restoring_twice_gives_two_runs(asking: Context) -> None:
    run = asking.start("(define n 1) (set! n (+ n (ask))) n")
    run.advance()
    data = run.snapshot()
    with Run.restore(data) as one, Run.restore(data) as two:
        one.resume(1)
        two.resume(2)
        assert (one.advance(), two.advance()) == (Done(2), Done(3))


def test_bindings_answer_by_name(asking: Context) -> None:
    asking.define("here", lambda: 1)
    run = asking.start("(list (ask) (here))")
    run.advance()
    with Run.restore(run.snapshot(), bindings={"ask": lambda: "bound", "here": lambda: "there"}) as again:
        assert again.advance() == Done(["bound", "there"])
    with Run.restore(run.snapshot(), bindings={"ask": lambda: "bound"}) as again:
        assert again.advance() == HostCall("here", [])


def test_the_policy_is_that_of_who_restores(asking: Context) -> None:
    run = asking.start("(ask) (import (srfi 1)) (iota 3)")
    run.advance()
    with carried(run, Policy(modules=["scheme/base"])) as again:
        again.resume(1)
        step = again.advance()
        assert isinstance(step, Failed)
        assert isinstance(step.error, SandboxViolation)


def test_an_error_after_the_restore_shows_its_line(asking: Context) -> None:
    run = asking.start("(define x (ask))\n(vector-ref\n  (vector 1 2) x)")
    run.advance()
    with carried(run) as again:
        again.resume(9)
        step = again.advance()
        assert isinstance(step, Failed)
        assert "(vector-ref" in str(step.error)


# -- what is refused ----------------------------------------------------------------------


class Socket:
    """What nobody can save."""


PLACES = {
    "(define held (list 1 (vector 0 (thing)))) (ask)": "the variable held, item 1 of a list, item 1 of a vector",
    "(define (f x) (list (ask) x)) (f (thing))": "a local of f",
    "(define c (let ((t (thing))) (lambda () t))) (ask)": "the variable c, caught by a lambda",
    "(import (srfi 69)) (define t (make-hash-table)) (hash-table-set! t 'k (thing)) (ask)": "the variable t, in a hash",
    "(define-record-type box (b v) b? (v v-of)) (define r (b (thing))) (ask)": "the variable r, in a record box",
    "(define k #f) (define (g x) (call/cc (lambda (c) (set! k c))) x) (g (thing)) (ask)": "variable k, in a contin",
    "(ask (thing))": "what the run asks with",
}


@pytest.mark.parametrize("program", PLACES)
def test_a_python_object_is_refused_with_its_path(asking: Context, program: str) -> None:
    asking.define("thing", Socket)
    run = asking.start(program)
    run.advance()
    with pytest.raises(ImageError, match="Socket") as caught:
        run.snapshot()
    assert "reducer" in str(caught.value)
    assert PLACES[program] in str(caught.value)
    run.resume(1)
    assert isinstance(run.advance(), Done)


def test_a_reducer_takes_objects_along(asking: Context) -> None:
    register_reducer(Decimal, str, Decimal)
    asking.define("price", Decimal("1.10"))
    run = asking.start("(ask) price")
    run.advance()
    with carried(run) as again:
        again.resume(1)
        assert again.advance() == Done(Decimal("1.10"))


def test_only_suspended_runs_are_saved(asking: Context) -> None:
    run = asking.start("1")
    run.advance()
    with pytest.raises(RuntimeError, match="ended"):
        run.snapshot()
    caught: list[Exception] = []
    outer = asking.start("(define (f) (ask)) (try-it)")

    def attempt() -> int:
        try:
            outer.snapshot()
        except ImageError as error:
            caught.append(error)
        return 1

    asking.define("try-it", attempt)
    assert outer.advance() == Done(1)
    assert "inside" in str(caught[0])


# -- bytes from elsewhere ----------------------------------------------------------------------

ELSEWHERE = """
import sys
from chibi_bridge import Context
with Context() as ctx:
    ctx.define_host("ask")
    run = ctx.start("(define (f x) (* x x)) (display 1) (f (ask 5))")
    run.advance()
    sys.stdout.buffer.write(run.snapshot(key=b"k") if "key" in sys.argv else run.snapshot())
"""


def elsewhere(*arguments: str) -> bytes:
    return subprocess.run([sys.executable, "-c", ELSEWHERE, *arguments], capture_output=True, check=True).stdout


def test_another_process_needs_the_key_or_trust() -> None:
    plain, keyed = elsewhere(), elsewhere("key")
    for data, arguments in ((plain, {}), (plain, {"key": b"k"}), (keyed, {}), (keyed, {"key": b"l"})):
        with pytest.raises(ImageError, match="key"):
            Run.restore(data, **arguments)
    for data, arguments in ((plain, {"trusted": True}), (keyed, {"trusted": True}), (keyed, {"key": b"k"})):
        with Run.restore(data, **arguments) as run:
            assert run.advance() == HostCall("ask", [5])
            run.resume(7)
            assert run.advance() == Done(49)
            assert run.stdout == "1"


def test_damaged_bytes_are_refused(asking: Context) -> None:
    run = asking.start("(ask)")
    run.advance()
    data = run.snapshot()
    for at in range(0, len(data), 7):
        bad = bytearray(data)
        bad[at] ^= 0x41
        with pytest.raises(ImageError):
            Run.restore(bytes(bad), key=None)
    for bad_one in (b"", b"x", data[:-1], data + b"x", data[: len(data) // 2], bytes(len(data))):
        with pytest.raises(ImageError):
            Run.restore(bad_one, trusted=True)
    with pytest.raises(TypeError):
        Run.restore("text", trusted=True)  # type: ignore[arg-type]


def test_a_run_over_an_image_of_ones_own_needs_that_image() -> None:
    with Context() as maker:
        maker.eval("(define base 40)")
        image = maker.freeze()
    stored = image.to_bytes()
    with image.instantiate() as ctx:
        ctx.define_host("ask")
        run = ctx.start("(+ base (ask))")
        run.advance()
        data = run.snapshot()
    with Run.restore(data) as again:
        again.resume(2)
        assert again.advance() == Done(42)
    del image, ctx, run, again
    gc.collect()
    with pytest.raises(ImageError, match="image"):
        Run.restore(data)
    with Run.restore(data, image=Image.from_bytes(stored)) as again:
        again.resume(2)
        assert again.advance() == Done(42)
    with Context() as other, pytest.raises(ImageError, match="another image"):
        Run.restore(data, image=other.freeze())


# -- figures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("prelude", ["base", "tools", None])
def test_a_small_run_is_small(prelude: str | None) -> None:
    with Context(prelude=prelude) as ctx:
        ctx.define_host("ask")
        run = ctx.start("(import (scheme base)) (define (f x) (+ x (ask x))) (f 1)" if prelude is None else "(ask 1)")
        run.advance()
        assert len(run.snapshot()) < 20_000


def test_a_long_run_is_as_small_as_a_short_one(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(limits=Limits(fuel=None)))
    run = ctx.start("(let loop ((i 0)) (let ((l (list i i i))) (loop (+ i (length l)))))")
    run.advance(fuel=1_000)
    short = len(run.snapshot())
    run.advance(fuel=3_000_000)
    assert len(run.snapshot()) < short + 2_000


def test_values_of_an_answered_call_come_along(asking: Context) -> None:
    run = asking.start("(let ((v (ask 1))) (list v (ask 2)))")
    run.advance()
    run.resume(Vector([1, "two"]))
    run.advance()
    with carried(run) as again:
        again.resume(3)
        assert again.advance() == Done([Vector([1, "two"]), 3])
