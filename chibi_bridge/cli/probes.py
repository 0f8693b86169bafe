"""What `chibi-bridge doctor` tries: hostile programs, each with the end it must come to.

A probe passes when its program ends as it must, no later than its timeout and the
grace, and its context (where that is promised) then still evaluates `(+ 1 2)`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from chibi_bridge.context import Context
from chibi_bridge.errors import (
    CompileError,
    FuelExhausted,
    HttpBlocked,
    Interrupted,
    MemoryExhausted,
    OutputExhausted,
    ReadError,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    SchemeExit,
    WrongType,
)
from chibi_bridge.policy import Limits, Policy

GRACE = 0.05
"""Seconds that a run may take beyond its timeout."""

MIB = 1 << 20
ENDLESS = Limits(fuel=None, timeout=20.0)
BRIEF = Limits(fuel=None, timeout=0.3)


@dataclass(frozen=True)
class Probe:
    """A program (or what makes its text), its limits, and the exceptions it may end with."""

    name: str
    source: str | Callable[[], str]
    ends: tuple[type[SchemeError], ...]
    limits: Limits = BRIEF
    policy: Policy = field(default_factory=Policy)
    interrupt_after: float | None = None

    @property
    def text(self) -> str:
        """The program."""
        return self.source if isinstance(self.source, str) else self.source()


@dataclass(frozen=True)
class Finding:
    """How a probe ended: `problem` is None, or what is wrong; `seconds` includes making the context."""

    name: str
    ended: str
    seconds: float
    problem: str | None


PROBES = (
    # Each limit fires, and nothing in the program catches it.
    Probe("fuel", "(let loop () (loop))", (FuelExhausted,), Limits(fuel=1_000_000)),
    Probe("timeout", "(let loop () (loop))", (RunTimeout,)),
    Probe("memory: pairs", "(let loop ((l '())) (loop (cons l l)))", (MemoryExhausted,), ENDLESS),
    Probe("memory: strings", '(let loop ((s "ab")) (loop (string-append s s)))', (MemoryExhausted,), ENDLESS),
    Probe("memory: one vector", "(make-vector (expt 2 60))", (MemoryExhausted, WrongType), ENDLESS),
    Probe("memory: recursion", "(let loop () (+ 1 (loop)))", (MemoryExhausted,), ENDLESS),
    Probe("output", '(let loop () (display "output") (loop))', (OutputExhausted,), ENDLESS),
    Probe("interrupt", "(let loop () (loop))", (Interrupted,), ENDLESS, interrupt_after=0.05),
    Probe(
        "limits are not catchable",
        "(guard (e (#t 'caught)) (with-exception-handler (lambda (e) 'caught) (lambda () (let loop () (loop)))))",
        (FuelExhausted,),
        Limits(fuel=100_000),
    ),
    Probe(
        "no after-thunk runs on a limit",
        "(dynamic-wind (lambda () #f) (lambda () (let loop () (loop))) (lambda () (exit 99)))",
        (FuelExhausted,),
        Limits(fuel=100_000),
    ),
    # Source text that overruns other readers and compilers.
    Probe("10^6 parentheses", lambda: "(" * 1_000_000, (ReadError,), ENDLESS),
    Probe("10^6 quotes", lambda: "'" * 1_000_000 + "a", (ReadError,), ENDLESS),
    Probe("10^5 nested calls", lambda: "(car " * 100_000 + "1" + ")" * 100_000, (ReadError,), ENDLESS),
    Probe(
        "an endless macro",
        "(define-syntax m (syntax-rules () ((_ x) (+ (m x) 1)))) (m 1)",
        (CompileError,),
        ENDLESS,
    ),
    Probe(
        "a macro that doubles",
        "(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m 1)",
        (MemoryExhausted,),
        ENDLESS,
    ),
    # One primitive that works for very long.
    Probe("a giant power", "(expt 7 (expt 10 7))", (RunTimeout, MemoryExhausted)),
    Probe("a giant exact decimal", "#e1e100000000", (MemoryExhausted,)),
    Probe(
        "a circular list",
        "(define l (list 1 2 3)) (set-cdr! (cddr l) l) (list-copy l)",
        (WrongType,),
    ),
    Probe(
        "sorting for ever",
        "(import (srfi 1) (srfi 132)) (let loop () (list-sort < (iota 100000)) (loop))",
        (RunTimeout,),
    ),
    # The world is out of reach.
    Probe("exit ends the program only", "(exit 3)", (SchemeExit,)),
    Probe("files", '(import (scheme file)) (open-input-file "/etc/passwd")', (SandboxViolation,)),
    Probe("writing files", '(import (scheme file)) (open-output-file "/tmp/x")', (SandboxViolation,)),
    Probe("HTTP without a grant", "(import (tein http))", (SandboxViolation,)),
    Probe(
        "HTTP outside its grant",
        '(import (tein http)) (http-get "http://127.0.0.1:9/" \'())',
        (HttpBlocked,),
        policy=Policy(http_allow=("https://api.example.com/",)),
    ),
)


def examine(probe: Probe) -> Finding:
    """Run a probe and judge its end."""
    policy = Policy(limits=probe.limits, modules=probe.policy.modules, http_allow=probe.policy.http_allow)
    text = probe.text
    start = time.perf_counter()
    with Context(policy) as context:
        ended, usable = end_of(context, probe, text)
        seconds = time.perf_counter() - start
        return Finding(probe.name, describe(ended), seconds, judge(probe, ended, seconds) or aftermath(context, usable))


def end_of(context: Context, probe: Probe, text: str) -> tuple[SchemeError | None, bool]:
    """The exception a program ended with, and whether its context promises to go on."""
    timer = None
    if probe.interrupt_after is not None:
        timer = threading.Timer(probe.interrupt_after, context.interrupt)
        timer.start()
    try:
        context.eval(text, "<doctor>")
    except MemoryExhausted as error:
        return error, error.usable
    except SchemeError as error:
        return error, True
    finally:
        if timer is not None:
            timer.join()
    return None, True


def describe(ended: SchemeError | None) -> str:
    """A program's end in a word or two."""
    return "a value" if ended is None else type(ended).__name__


def judge(probe: Probe, ended: SchemeError | None, seconds: float) -> str | None:
    """What is wrong with the end, or None."""
    if not isinstance(ended, probe.ends):
        return f"ended with {describe(ended)}, not {' or '.join(kind.__name__ for kind in probe.ends)}"
    timeout = probe.limits.timeout
    if timeout is not None and seconds > timeout + GRACE:
        return f"took {seconds:.2f} s with a timeout of {timeout:.2f} s"
    return None


def aftermath(context: Context, usable: bool) -> str | None:
    """What is wrong with the context afterwards, or None."""
    if not usable:
        return None
    try:
        value = context.eval("(+ 1 2)")
    except SchemeError as error:
        return f"afterwards (+ 1 2) raised {type(error).__name__}"
    return None if value == 3 else f"afterwards (+ 1 2) was {value!r}"
