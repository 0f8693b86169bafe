"""Commands of the host: what they give, and how a run's end stops them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from chibi_bridge import Context, Limits, Policy, RunTimeout, SandboxViolation, SchemeError


def test_output_errors_and_status(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy.unsandboxed(env={"GREETING": "hello"}))
    ctx.import_("(tein process)")
    assert ctx.call("system", "exit 3") == 3
    assert ctx.call("system", "kill -9 $$") == -1
    assert ctx.call("process->string", "echo $GREETING") == "hello\n"
    assert ctx.call("process->string-list", "printf 'a\\nb\\n'") == ["a", "b"]
    assert ctx.call("process->bytevector", ["printf", "\\377"]) == b"\xff"
    assert ctx.call("process->sexp", "echo '(1 2)'") == [1, 2]
    assert ctx.call("process->output+error", "echo a; echo b >&2") == ["a\n", "b\n"]
    assert ctx.call("process->output+error+status", "exit 4") == ["", "", 4]
    with pytest.raises(SchemeError, match="No such file"):
        ctx.call("process->string", ["/no/such/program"])


def test_a_deadline_ends_a_command(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy.unsandboxed(limits=Limits(timeout=0.3)))
    ctx.import_("(tein process)")
    begun = time.monotonic()
    with pytest.raises(RunTimeout):
        ctx.call("system", "sleep 20")
    assert time.monotonic() - begun < 5


def test_an_event_loop_goes_on_meanwhile(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy.unsandboxed(limits=Limits(timeout=2.0)))
    ctx.import_("(tein process)")

    async def both() -> tuple[object, int]:
        ticks = 0
        task = asyncio.ensure_future(ctx.eval_async('(process->string "sleep 0.3; echo done")'))
        while not task.done():
            await asyncio.sleep(0.02)
            ticks += 1
        return task.result(), ticks

    value, ticks = asyncio.run(both())
    assert value == "done\n"
    assert ticks > 5
    with pytest.raises(RunTimeout):
        asyncio.run(ctx.eval_async('(system "sleep 20")'))


def test_a_sandbox_runs_nothing(make_context: Callable[..., Context]) -> None:
    ctx = make_context(Policy(modules="all"))
    ctx.import_("(tein process)")
    with pytest.raises(SandboxViolation, match="not permitted"):
        ctx.call("system", "true")
