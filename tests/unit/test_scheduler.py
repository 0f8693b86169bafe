"""Many runs on one thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from chibi_bridge import (
    Context,
    ConversionError,
    FuelExhausted,
    HostCall,
    Interrupted,
    Limits,
    Policy,
    RunTimeout,
    Scheduler,
    Task,
)

LOOP = "(let loop ((i 0)) (if (< i 20000) (loop (+ i 1)) i))"
ENDLESS = "(let loop () (loop))"
LONG = "(string-length (number->string (expt 7 5000000)))"


@pytest.fixture
def free(make_context: Callable[..., Context]) -> Context:
    """A context without a fuel limit."""
    return make_context(Policy(limits=Limits(fuel=None)))


def test_tasks_take_turns(free: Context) -> None:
    scheduler = Scheduler(slice=2_000)
    order: list[str] = []
    long = scheduler.add(free.start(LOOP))
    short = scheduler.add(free.start("(+ 1 2)"))
    long.add_done_callback(lambda task: order.append("long"))
    short.add_done_callback(lambda task: order.append("short"))
    scheduler.run()
    assert order == ["short", "long"]
    assert (long.result(), short.result()) == (20_000, 3)
    assert len(scheduler) == 0


def test_no_task_starves_beside_endless_ones(free: Context) -> None:
    scheduler = Scheduler()
    endless = [scheduler.add(free.start(ENDLESS)) for _ in range(20)]
    task = scheduler.add(free.start(LOOP))
    while not task.done:
        assert scheduler.step()
    assert task.result() == 20_000
    for other in endless:
        other.cancel()
        with pytest.raises(Interrupted):
            other.result()
    scheduler.run()


def test_answers_come_in_any_order(ctx: Context) -> None:
    ctx.define_host("fetch")
    scheduler = Scheduler()
    tasks = [scheduler.add(ctx.start(f"(* 10 (fetch {n}))")) for n in range(4)]
    scheduler.run()
    assert [task.call for task in scheduler.waiting] == [HostCall("fetch", [n]) for n in range(4)]
    for task in reversed(tasks):
        assert task.call is not None
        task.resume(task.call.args[0])
    scheduler.run()
    assert [task.result() for task in tasks] == [0, 10, 20, 30]


def test_a_failure_is_that_tasks_alone(ctx: Context) -> None:
    scheduler = Scheduler()
    bad, good = scheduler.add(ctx.start("(car 1)")), scheduler.add(ctx.start("(cdr '(1))"))
    scheduler.run()
    with pytest.raises(Exception, match="car"):
        bad.result()
    assert good.result() == []


def test_an_answer_is_given_once(ctx: Context) -> None:
    ctx.define_host("fetch")
    task = Scheduler().add(ctx.start("(fetch)"))
    with pytest.raises(RuntimeError, match="not wait"):
        task.resume(1)
    with pytest.raises(RuntimeError, match="not ended"):
        task.result()


def test_a_value_that_cannot_cross_leaves_the_task_waiting(ctx: Context) -> None:
    ctx.define_host("fetch")
    scheduler = Scheduler()
    task = scheduler.add(ctx.start("(fetch)"))
    scheduler.run()
    with pytest.raises(ConversionError):
        task.resume("\ud800")
    task.resume("fine")
    scheduler.run()
    assert task.result() == "fine"


def test_answer_answers(ctx: Context) -> None:
    ctx.define_host("fetch")

    def answer(task: Task, call: HostCall) -> object:
        if call.args[0] == 1:
            raise OSError("no such thing")
        return call.args[0]

    scheduler = Scheduler(answer=answer)
    tasks = [scheduler.add(ctx.start(f"(guard (e (#t 'caught)) (fetch {n}))")) for n in range(3)]
    scheduler.run()
    assert [task.result() for task in tasks] == [0, "caught", 2]


def test_limits_and_deadlines_are_each_tasks_own(free: Context, make_context: Callable[..., Context]) -> None:
    free.define_host("fetch")
    poor = make_context(Policy(limits=Limits(fuel=50_000)))
    scheduler = Scheduler()
    fuel = scheduler.add(poor.start(ENDLESS))
    late = scheduler.add(free.start(ENDLESS), timeout=0.1)
    waits = scheduler.add(free.start("(fetch)"), timeout=0.1)
    start = time.monotonic()
    scheduler.run()
    assert time.monotonic() - start < 5
    with pytest.raises(FuelExhausted):
        fuel.result()
    with pytest.raises(RunTimeout):
        late.result()
    assert not waits.done or isinstance(waits.step.error, RunTimeout)  # type: ignore[union-attr]
    time.sleep(0.1)
    scheduler.step()
    with pytest.raises(RunTimeout):
        waits.result()


def test_an_async_function_needs_an_event_loop(ctx: Context) -> None:
    called = []

    async def later() -> int:
        called.append(1)
        return 1

    ctx.define("later", later)
    scheduler = Scheduler()
    task = scheduler.add(ctx.start("(guard (e (#t (condition/report-string e))) (later))"))
    other = scheduler.add(ctx.start("(later)"))
    scheduler.run()
    assert task.done
    with pytest.raises(Exception, match="async function"):
        other.result()
    assert not called


# -- on an event loop ---------------------------------------------------------------------


def test_async_callables_are_awaited_side_by_side(ctx: Context) -> None:
    async def sleep(seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "slept"

    ctx.define("sleep", sleep)

    async def main() -> float:
        scheduler = Scheduler()
        tasks = [scheduler.add(ctx.start("(sleep 0.2)")) for _ in range(50)]
        start = time.monotonic()
        await scheduler.run_async()
        assert [task.result() for task in tasks] == ["slept"] * 50
        return time.monotonic() - start

    assert asyncio.run(main()) < 4


def test_async_answers_and_exceptions(ctx: Context) -> None:
    ctx.define_host("fetch")

    async def answer(task: Task, call: HostCall) -> object:
        await asyncio.sleep(0)
        if call.args[0] == "bad":
            raise OSError("no")
        return call.args[0].upper()

    async def main() -> None:
        scheduler = Scheduler(answer=answer)
        good = scheduler.add(ctx.start('(fetch "good")'))
        bad = scheduler.add(ctx.start('(fetch "bad")'))
        await scheduler.run_async()
        assert good.result() == "GOOD"
        with pytest.raises(OSError, match="no"):
            bad.result()

    asyncio.run(main())


def test_tasks_can_be_awaited_added_answered_and_cancelled_meanwhile(ctx: Context) -> None:
    ctx.define_host("fetch")

    async def main() -> None:
        scheduler = Scheduler()
        first = scheduler.add(ctx.start("(fetch 1)"))
        driver = asyncio.ensure_future(scheduler.run_async())
        while not scheduler.waiting:
            await asyncio.sleep(0.001)
        second = scheduler.add(ctx.start("(fetch 2)"))
        while len(scheduler.waiting) < 2:
            await asyncio.sleep(0.001)
        first.resume("one")
        assert await first == "one"
        second.cancel()
        with pytest.raises(Interrupted):
            await second
        await asyncio.wait_for(driver, 5)

    asyncio.run(main())


def test_a_deadline_ends_what_waits(ctx: Context) -> None:
    ctx.define_host("fetch")

    async def never() -> None:
        await asyncio.sleep(60)

    ctx.define("never", never)

    async def main() -> None:
        scheduler = Scheduler()
        tasks = [scheduler.add(ctx.start(f"({name})"), timeout=0.1) for name in ("fetch", "never")]
        await asyncio.wait_for(scheduler.run_async(), 10)
        for task in tasks:
            with pytest.raises(RunTimeout):
                task.result()

    asyncio.run(main())


def test_long_work_leaves_the_others_alone(free: Context, make_context: Callable[..., Context]) -> None:
    other = make_context(Policy(limits=Limits(fuel=None)))

    async def main() -> None:
        scheduler = Scheduler()
        long = scheduler.add(free.start(LONG), timeout=1.5)
        same = scheduler.add(free.start("(+ 1 2)"))
        tasks = [scheduler.add(other.start(LOOP)) for _ in range(5)]
        driver = asyncio.ensure_future(scheduler.run_async())
        for task in tasks:
            assert await task == 20_000
        assert not long.done
        await asyncio.wait_for(driver, 20)
        with pytest.raises(RunTimeout):
            long.result()
        assert same.result() == 3

    asyncio.run(main())


def test_the_loop_has_its_turns(free: Context) -> None:
    async def main() -> int:
        scheduler = Scheduler()
        for _ in range(20):
            scheduler.add(free.start(ENDLESS), timeout=0.4)
        driver, ticks = asyncio.ensure_future(scheduler.run_async()), 0
        while not driver.done():
            await asyncio.sleep(0.001)
            ticks += 1
        return ticks

    assert asyncio.run(main()) > 20


def test_thousands_of_suspended_runs(ctx: Context) -> None:
    ctx.define_host("fetch")
    scheduler = Scheduler()
    tasks = [scheduler.add(ctx.start(f"(+ {n} (fetch))")) for n in range(5_000)]
    scheduler.run()
    assert len(scheduler.waiting) == 5_000
    for task in scheduler.waiting:
        task.resume(1)
    scheduler.run()
    assert [task.result() for task in tasks] == [n + 1 for n in range(5_000)]


def test_a_slice_has_a_size() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Scheduler(slice=0)
