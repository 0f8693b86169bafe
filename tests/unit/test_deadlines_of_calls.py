"""A program that does nothing but call its host stops at its deadline all the same."""

import pytest

from chibi_bridge import Context, Limits, Policy, RunTimeout

LOOP = "(let loop () (tick) (loop))"


def test_calls_of_the_host_do_not_put_the_deadline_off():
    with Context(Policy(limits=Limits(fuel=None, timeout=0.05))) as context:
        context.define("tick", lambda: None)
        with pytest.raises(RunTimeout):
            context.eval(LOOP)
        assert context.eval("(+ 1 2)") == 3


def test_a_callable_may_interrupt_the_run_it_serves():
    with Context(Policy(limits=Limits(fuel=None, timeout=30))) as context:
        seen = []

        def tick():
            seen.append(1)
            if len(seen) == 3:
                context.interrupt()

        context.define("tick", tick)
        with pytest.raises(Exception, match="interrupted"):
            context.eval(LOOP)
        assert len(seen) == 3
