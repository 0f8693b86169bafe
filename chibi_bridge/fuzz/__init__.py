"""Property-based fuzzing of tools; most of it needs the extra `fuzz` (hypothesis).

`strategies` draws arguments, `oracle` says what is wrong with a call, `runner` is a
campaign in child processes, `executors` splits one. The names below are loaded when
they are first asked for.

>>> from chibi_bridge.fuzz import Plan
>>> Plan.of("scheme/examples/text.scm").properties
()
"""

from __future__ import annotations

import importlib

from chibi_bridge.fuzz.plan import ORACLES, Example, Finding, Plan, Response, Verdict

__all__ = [
    "ORACLES", "Campaign", "Example", "Finding", "Plan", "Report", "Response", "Verdict",
    "fuzz", "fuzz_over", "given_tool", "register_profiles", "replay",
]  # fmt: skip

LAZY = {
    "Campaign": "chibi_bridge.fuzz.runner",
    "Report": "chibi_bridge.fuzz.runner",
    "fuzz": "chibi_bridge.fuzz.runner",
    "fuzz_over": "chibi_bridge.fuzz.executors",
    "given_tool": "chibi_bridge.fuzz.given",
    "register_profiles": "chibi_bridge.fuzz.given",
    "replay": "chibi_bridge.fuzz.replay",
}


def __getattr__(name: str) -> object:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(LAZY[name]), name)
    return value
