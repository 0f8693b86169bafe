"""Contexts: evaluation, calls, limits, host callables, lifetimes."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
import warnings
from collections.abc import Callable

import pytest

from chibi_bridge import (
    CompileError,
    Context,
    ContextBusy,
    ContextClosed,
    ConversionError,
    FuelExhausted,
    Interrupted,
    Limits,
    MemoryExhausted,
    OutputExhausted,
    Policy,
    Procedure,
    ReadError,
    Record,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    SchemeExit,
    Symbol,
    UnboundVariable,
    Values,
    WrongArity,
    WrongType,
)

LOOP = "(let loop () (loop))"
UNDER_STRESS = os.environ.get("CHIBI_BRIDGE_TEST_STRESS", "0") != "0"
measures_time = pytest.mark.skipif(UNDER_STRESS, reason="measures time")


# -- evaluation ------------------------------------------------------------------------


def test_the_value_of_the_last_form_is_answered(ctx: Context) -> None:
    assert ctx.eval("1 (+ 1 2)") == 3


def test_definitions_stay(ctx: Context) -> None:
    ctx.eval("(define x 1)")
    ctx.eval("(set! x (+ x 1))")
    assert ctx.eval("x") == 2
    assert ctx["x"] == 2
    assert "x" in ctx
    assert "nothing-of-that-name" not in ctx


def test_an_empty_text_is_unspecified(ctx: Context) -> None:
    assert ctx.eval("") is None
    assert ctx.eval("; nothing") is None


def test_several_values(ctx: Context) -> None:
    value = ctx.eval("(values 1 2)")
    assert isinstance(value, Values)
    assert value == (1, 2)


def test_eval_written(ctx: Context) -> None:
    assert ctx.eval_written('(list 1.0 #\\a "b")') == '(1.0 #\\a "b")'
    assert ctx.eval_written("(let ((x (list 1 2))) (set-cdr! (cdr x) x) x)") == "#0=(1 2 . #0#)"


def test_run_captures_output(ctx: Context) -> None:
    outcome = ctx.run('(display "out") (write "err" (current-error-port)) 2')
    assert (outcome.value, outcome.stdout, outcome.stderr) == (2, "out", '"err"')
    assert outcome.fuel_used > 0
    assert outcome.elapsed >= 0


def test_output_of_one_run_is_not_in_the_next(ctx: Context) -> None:
    ctx.eval('(display "one")')
    assert ctx.run('(display "two")').stdout == "two"


def test_what_was_printed_before_an_error_is_with_it(ctx: Context) -> None:
    with pytest.raises(SchemeError) as caught:
        ctx.run('(display "a") (error "boom")')
    assert caught.value.stdout == "a"


def test_a_lone_surrogate_in_the_text_is_refused(ctx: Context) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        ctx.eval('"\ud800"')


# -- calls -------------------------------------------------------------------------------


def test_a_procedure_is_called_by_name_and_by_value(ctx: Context) -> None:
    ctx.eval("(define (add a b) (+ a b))")
    add = ctx["add"]
    assert isinstance(add, Procedure)
    assert ctx.call("add", 1, 2) == 3
    assert ctx.call(add, 1, 2) == 3
    assert add(1, 2) == 3


def test_a_redefinition_shows_in_calls_by_name(ctx: Context) -> None:
    ctx.eval("(define (f) 1)")
    assert ctx.call("f") == 1
    ctx.eval("(define (f) 2)")
    assert ctx.call("f") == 2


def test_an_unbound_name_is_unbound(ctx: Context) -> None:
    with pytest.raises(UnboundVariable):
        ctx.call("nothing-of-that-name")
    with pytest.raises(KeyError):
        ctx["nothing-of-that-name"]


def test_a_procedure_of_another_context_is_refused(make_context: Callable[..., Context]) -> None:
    one, two = make_context(), make_context()
    with pytest.raises(ValueError, match="another context"):
        two.call("car", one["car"])
    with pytest.raises(ValueError, match="another context"):
        two.call(one["car"], [1])


def test_dropped_handles_are_released(ctx: Context) -> None:
    ctx.eval("1")
    before = ctx.stats()["live_handles"]
    for _ in range(100):
        ctx.eval("(lambda () 1)")
    gc.collect()
    ctx.eval("1")
    assert ctx.stats()["live_handles"] <= before + 1


def test_a_record_comes_out_by_value_and_goes_back_as_itself(ctx: Context) -> None:
    ctx.eval("(define-record-type point (make-point x y) point? (x point-x) (y point-y set-point-y!))")
    ctx.eval("(define p (make-point 1 2))")
    record = ctx["p"]
    assert isinstance(record, Record)
    assert record.fields == ("x", "y")
    assert record.values == (1, 2)
    assert record["y"] == 2
    ctx.eval("(define (same? q) (eq? p q))")
    assert ctx.call("same?", record) is True


# -- errors ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("(car", ReadError),
        ("(if)", CompileError),
        ("undefined-thing", UnboundVariable),
        ("(car 5)", WrongType),
        ("((lambda (x) x))", WrongArity),
        ("(exit 3)", SchemeExit),
        ('(error "boom" 1 "x")', SchemeError),
        ("(raise 'oops)", SchemeError),
    ],
)
def test_each_error_has_its_class(ctx: Context, source: str, kind: type[SchemeError]) -> None:
    with pytest.raises(kind):
        ctx.eval(source)
    assert ctx.eval("(+ 1 2)") == 3


def test_an_error_has_its_parts(ctx: Context) -> None:
    with pytest.raises(SchemeError) as caught:
        ctx.eval('(define (f x)\n  (+ 1 (error "boom" x "y")))\n(f 1)', filename="tool.scm")
    error = caught.value
    assert (error.message, error.irritants, error.kind) == ("boom", [1, "y"], "error")
    assert str(error).startswith('boom 1 "y"')
    assert error.location is not None
    assert error.location.file == "tool.scm"
    assert error.location.line == 2
    assert '(error "boom" x "y")' in str(error)


def test_an_error_in_tail_position_is_located(ctx: Context) -> None:
    with pytest.raises(SchemeError) as caught:
        ctx.eval('(define (f x)\n  (error "boom" x))\n(f 1)', filename="tool.scm")
    assert caught.value.location is not None
    assert caught.value.location.file == "tool.scm"


def test_a_raised_object_is_the_payload(ctx: Context) -> None:
    with pytest.raises(SchemeError, match="oops") as caught:
        ctx.eval("(raise 'oops)")
    assert caught.value.payload == Symbol("oops")


@pytest.mark.parametrize(("source", "code"), [("(exit)", 0), ("(exit #t)", 0), ("(exit #f)", 1), ("(exit 7)", 7)])
def test_exit_has_its_code(ctx: Context, source: str, code: int) -> None:
    with pytest.raises(SchemeExit) as caught:
        ctx.eval(source)
    assert caught.value.code == code


def test_exit_runs_the_after_thunks(ctx: Context) -> None:
    ctx.eval("(define x 0)")
    with pytest.raises(SchemeExit):
        ctx.eval("(dynamic-wind (lambda () #f) (lambda () (exit 1)) (lambda () (set! x 1)))")
    assert ctx["x"] == 1


# -- limits ------------------------------------------------------------------------------


def limited(**figures: object) -> Policy:
    return Policy(limits=Limits(**figures))  # type: ignore[arg-type]


def test_fuel_ends_a_loop(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=100_000))
    with pytest.raises(FuelExhausted, match="step limit exceeded"):
        ctx.eval(LOOP)
    assert ctx.eval("(+ 1 2)") == 3


@measures_time
def test_time_ends_a_loop(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=None, timeout=0.1))
    start = time.monotonic()
    with pytest.raises(RunTimeout):
        ctx.eval(LOOP)
    assert time.monotonic() - start < 1.0
    assert ctx.eval("(+ 1 2)") == 3


def test_memory_ends_a_growing_list(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=None, timeout=None, memory=(2 if UNDER_STRESS else 8) << 20))
    with pytest.raises(MemoryExhausted) as caught:
        ctx.eval("(let loop ((x '())) (loop (cons 1 x)))")
    assert caught.value.usable
    assert ctx.eval("(+ 1 2)") == 3


def test_output_ends_a_printing_loop(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(output=1000))
    with pytest.raises(OutputExhausted) as caught:
        ctx.run('(let loop () (display "x") (loop))')
    assert len(caught.value.stdout) <= 1000
    assert ctx.eval("(+ 1 2)") == 3


def test_no_guard_catches_a_limit(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=100_000))
    with pytest.raises(FuelExhausted):
        ctx.eval(f"(guard (e (#t 'caught)) {LOOP})")


def test_an_interrupt_from_another_thread_ends_a_run(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=None, timeout=20.0))
    timer = threading.Timer(0.1, ctx.interrupt)
    timer.start()
    with pytest.raises(Interrupted):
        ctx.eval(LOOP)
    timer.join()
    assert ctx.eval("(+ 1 2)") == 3


def test_an_interrupt_without_a_run_does_nothing(ctx: Context) -> None:
    ctx.interrupt()
    assert ctx.eval("(let loop ((i 0)) (if (< i 2000000) (loop (+ i 1)) i))") == 2_000_000


def test_fuel_used_is_deterministic(make_context: Callable[..., Context]) -> None:
    program = "(let loop ((i 0) (x '())) (if (< i 1000) (loop (+ i 1) (cons i x)) (length x)))"
    first = make_context().run(program).fuel_used
    assert make_context().run(program).fuel_used == first


# -- host callables -----------------------------------------------------------------------


def test_a_callable_becomes_a_procedure(ctx: Context) -> None:
    ctx.define("py-add", lambda a, b: a + b)
    assert ctx.eval("(py-add 1 (py-add 2 3))") == 6


def test_a_value_can_be_defined(ctx: Context) -> None:
    ctx.define("x", [1, "a"])
    assert ctx.eval_written("x") == '(1 "a")'


class Trouble(Exception):
    """Ours."""


def test_an_exception_of_a_callable_comes_out_itself(ctx: Context) -> None:
    trouble = Trouble("deep")

    def fail() -> None:
        raise trouble

    ctx.define("fail", fail)
    with pytest.raises(Trouble) as caught:
        ctx.eval("(define (f) (+ 1 (fail)))\n(f)", filename="t.scm")
    assert caught.value is trouble
    assert any("Scheme backtrace" in note and "t.scm" in note for note in trouble.__notes__)


def test_guard_catches_an_exception_of_a_callable(ctx: Context) -> None:
    def fail() -> None:
        raise Trouble("deep")

    ctx.define("fail", fail)
    assert "deep" in ctx.eval("(guard (e ((error-object? e) (error-object-message e))) (fail))")


def test_a_base_exception_passes_scheme_by(ctx: Context) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    ctx.define("fail", fail)
    with pytest.raises(KeyboardInterrupt):
        ctx.eval("(guard (e (#t 'caught)) (fail))")
    assert ctx.eval("(+ 1 2)") == 3


def test_a_callable_may_use_its_own_context(ctx: Context) -> None:
    ctx.eval("(define (double x) (* 2 x))")
    ctx.define("nested", lambda x: ctx.call("double", x) + ctx.eval("1"))
    assert ctx.eval("(+ (nested 1) (nested 2))") == 8


def test_nesting_is_bounded(ctx: Context) -> None:
    ctx.define("down", lambda: ctx.eval("(down)"))
    with pytest.raises(RecursionError):
        ctx.eval("(down)")
    assert ctx.eval("(+ 1 2)") == 3


def test_a_nested_run_spends_the_fuel_of_the_outer_one(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=200_000))
    ctx.define("nested", lambda: ctx.eval(LOOP))
    with pytest.raises(FuelExhausted):
        ctx.eval("(guard (e (#t 'caught)) (nested))")


def test_a_callable_cannot_close_its_context(ctx: Context) -> None:
    ctx.define("close", ctx.close)
    with pytest.raises(ContextBusy):
        ctx.eval("(close)")


def test_a_host_procedure_that_nobody_answers_is_named(ctx: Context) -> None:
    ctx.define_host("fetch")
    with pytest.raises(SchemeError, match="fetch") as caught:
        ctx.eval('(fetch "u")')
    assert caught.value.kind == "unanswered"


def test_what_a_callable_answers_has_to_cross(ctx: Context) -> None:
    ctx.define("bad", lambda: "\ud800")
    with pytest.raises(SchemeError, match="surrogate") as caught:
        ctx.eval("(bad)")
    assert caught.value.kind == "conversion"


# -- sandbox -----------------------------------------------------------------------------


def test_files_are_refused_without_a_grant(generous: Context) -> None:
    generous.import_("(scheme file)")
    with pytest.raises(SandboxViolation, match="passwd"):
        generous.eval('(open-input-file "/etc/passwd")')


def test_files_are_read_within_a_grant(make_context: Callable[..., Context], tmp_path: object) -> None:
    (tmp_path / "a.txt").write_text("hello", encoding="utf-8")  # type: ignore[operator]
    ctx = make_context(Policy(fs_read=(str(tmp_path),)))
    ctx.import_("(scheme file)")
    assert ctx.eval(f'(call-with-input-file "{tmp_path}/a.txt" read-line)') == "hello"


def test_the_environment_is_the_policys(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(env={"TOKEN": "t"}))
    ctx.import_("(scheme process-context)")
    assert ctx.eval('(list (get-environment-variable "TOKEN") (get-environment-variable "HOME"))') == ["t", False]


def test_modules_none_has_core_syntax_only(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(modules="none"))
    assert ctx.eval("(if #t 1 2)") == 1
    with pytest.raises(SchemeError):
        ctx.eval("(import (scheme base))")


def test_a_list_of_modules_lets_in_those_and_what_they_need(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(modules=["scheme/base", "srfi/1"]))
    assert ctx.eval("(import (srfi 1)) (fold + 0 (iota 5))") == 10
    with pytest.raises(SandboxViolation):
        ctx.eval("(import (scheme file))")


def test_a_library_that_is_not_there_is_named(ctx: Context) -> None:
    with pytest.raises(SchemeError, match=r"no such library|no library"):
        ctx.eval("(import (no such library))")


def test_libraries_are_found_on_the_module_path(make_context: Callable[..., Context], tmp_path: object) -> None:
    folder = tmp_path / "my"  # type: ignore[operator]
    folder.mkdir()
    (folder / "lib.sld").write_text(
        '(define-library (my lib) (export f) (import (scheme base)) (include "body.scm"))', encoding="utf-8"
    )
    (folder / "body.scm").write_text("(define (f) 42)", encoding="utf-8")
    ctx = make_context(module_path=[tmp_path])
    assert ctx.eval("(import (my lib)) (f)") == 42


def test_places_in_included_files_are_those_of_the_files(
    make_context: Callable[..., Context], tmp_path: object
) -> None:
    folder = tmp_path / "my"  # type: ignore[operator]
    (folder / "more").mkdir(parents=True)
    (folder / "lib.sld").write_text(
        '(define-library (my lib) (export f g) (import (scheme base)) (include "more/a.scm"))', encoding="utf-8"
    )
    (folder / "more" / "a.scm").write_text('\n(define (f x) (+ 1 (car x)))\n(include "b.scm")', encoding="utf-8")
    (folder / "more" / "b.scm").write_text("\n\n(define (g x) (+ 1 (cdr x)))", encoding="utf-8")
    ctx = make_context(module_path=[tmp_path])
    ctx.eval("(import (my lib))")
    for call, name, line in (("(f 5)", "a.scm", 2), ("(g 5)", "b.scm", 3)):
        with pytest.raises(SchemeError) as raised:
            ctx.eval(call)
        location = raised.value.location
        assert location is not None and (location.file, location.line) == (str(folder / "more" / name), line)


def test_a_library_can_be_registered(ctx: Context) -> None:
    ctx.register_library("(define-library (my lib) (export f) (import (scheme base)) (begin (define (f) 7)))")
    ctx.import_("(my lib)")
    assert ctx.eval("(f)") == 7


# -- life --------------------------------------------------------------------------------


def test_a_closed_context_says_so() -> None:
    context = Context()
    procedure = context.eval("(lambda () 1)")
    context.close()
    context.close()
    assert context.closed
    for use in (lambda: context.eval("1"), lambda: context.call("f"), procedure, lambda: context["x"], context.freeze):
        with pytest.raises(ContextClosed):
            use()


def test_an_unclosed_context_warns() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        context = Context()
        del context
        gc.collect()
    assert any(issubclass(item.category, ResourceWarning) for item in caught)


def test_a_procedure_of_a_collected_context_says_so() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        procedure = Context().eval("(lambda () 1)")
        gc.collect()
    with pytest.raises(ContextClosed):
        procedure()


def test_a_second_thread_is_told(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=None, timeout=5.0))
    inside, leave = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        leave.wait(5)

    ctx.define("wait", wait)
    worker = threading.Thread(target=ctx.eval, args=("(wait)",))
    worker.start()
    inside.wait(5)
    try:
        with pytest.raises(ContextBusy):
            ctx.eval("1")
        with pytest.raises(ContextBusy):
            ctx.call("car", [1])
    finally:
        leave.set()
        worker.join()
    assert ctx.eval("1") == 1


def test_many_contexts_live_at_once(make_context: Callable[..., Context]) -> None:
    contexts = [make_context() for _ in range(50)]
    for number, context in enumerate(contexts):
        context.define("n", number)
    assert [context["n"] for context in contexts] == list(range(50))


# -- async -------------------------------------------------------------------------------


def test_the_async_twins(ctx: Context) -> None:
    async def later(x: int) -> int:
        await asyncio.sleep(0.001)
        return x + 1

    ctx.define("later", later)

    async def main() -> tuple[object, object, str]:
        value = await ctx.eval_async("(+ (later 1) (later 2))")
        ctx.eval("(define (f x) (display x) (later x))")
        return value, await ctx.call_async("f", 5), (await ctx.run_async("(f 1)")).stdout

    assert asyncio.run(main()) == (5, 6, "1")


def test_an_async_callable_in_a_sync_run_is_unanswered(ctx: Context) -> None:
    async def later() -> int:
        return 1

    ctx.define("later", later)
    with pytest.raises(SchemeError) as caught:
        ctx.eval("(later)")
    assert caught.value.kind == "unanswered"


@measures_time
def test_others_run_while_a_long_program_goes_on(make_context: Callable[..., Context]) -> None:
    ctx = make_context(limited(fuel=20_000_000))
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async def main() -> None:
        task = asyncio.create_task(tick())
        with pytest.raises(FuelExhausted):
            await ctx.eval_async(LOOP)
        task.cancel()

    asyncio.run(main())
    assert ticks > 5


def test_a_cancelled_run_is_abandoned(ctx: Context) -> None:
    async def forever() -> None:
        await asyncio.sleep(60)

    ctx.define("forever", forever)

    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(ctx.eval_async("(forever)"), 0.05)

    asyncio.run(main())
    assert ctx.eval("(+ 1 2)") == 3


def test_a_hash_table_comes_out_as_a_dict(generous: Context) -> None:
    generous.import_("(srfi 69)")
    generous.eval('(define t (make-hash-table equal?)) (hash-table-set! t "a" 1) (hash-table-set! t \'b 2)')
    assert generous["t"] == {"a": 1, "b": 2}
    generous.eval("(hash-table-set! t '(1) 2)")
    with pytest.raises(ConversionError, match="hash-table->alist"):
        generous["t"]
