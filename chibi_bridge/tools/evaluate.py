"""scheme_eval: one sandboxed session a context, made when it is first used."""

from __future__ import annotations

import threading

from chibi_bridge._run import Outcome, Turn
from chibi_bridge.context import Context
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import Session

__all__ = ["Evaluator"]


class EvalSession(Session):
    """A session without a file: it evaluates what it is given."""

    def __init__(self, context: str, limits: Limits) -> None:
        super().__init__("", f"(scheme_eval {context})", "scheme_eval", Policy(limits=limits), None, None, "file")

    def _begin(self) -> None:
        self._context = self._start()

    def _now(self, context: Context, target: str, args: object) -> Outcome:
        return context.run(str(args))

    async def _later(self, context: Context, target: str, args: object, turn: Turn) -> Outcome:
        return await context.run_async(str(args), turn=turn)


class Evaluator:
    """The sessions of scheme_eval, by context.

    >>> from chibi_bridge.tools.steps import Call
    >>> evaluator = Evaluator(Config())
    >>> evaluator.session("a").call("eval", "(define x 20) (+ x 1)", Call(context="a")).value
    21
    >>> evaluator.evict("a")
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._sessions: dict[str, EvalSession] = {}
        self._lock = threading.Lock()

    def session(self, context: str) -> EvalSession:
        """The session of a context."""
        with self._lock:
            if context not in self._sessions:
                self._sessions[context] = EvalSession(context, self.config.limits_of("/tools/sys/scheme_eval"))
            return self._sessions[context]

    def evict(self, context: str) -> None:
        """Forget a context's definitions: it was cleared, renamed or destroyed."""
        with self._lock:
            session = self._sessions.pop(context, None)
        if session is not None:
            session.close()

    def close(self) -> None:
        """Free all sessions."""
        for context in list(self._sessions):
            self.evict(context)
