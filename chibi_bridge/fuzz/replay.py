"""One call again: what a regression test of a finding does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from chibi_bridge.fuzz.plan import Example, Plan, Response, Verdict
from chibi_bridge.fuzz.worker import Service

__all__ = ["replay"]


def replay(
    file: str | Path,
    tool: str,
    arguments: Mapping[str, object],
    *,
    before: Sequence[Mapping[str, object]] = (),
    responses: Sequence[Mapping[str, object]] = (),
    **options: object,
) -> Verdict | None:
    """Call a tool in this process and judge it; None where nothing is wrong. `options` are those of `Plan.of`.

    >>> replay("scheme/examples/text.scm", "word_count", {"text": "a b"})
    """
    service = Service(Plan.of(file, **options))  # type: ignore[arg-type]
    example = Example(
        tool, dict(arguments), tuple(dict(item) for item in before), tuple(Response.from_json(r) for r in responses)
    )
    judge = service.judge
    for shown, verdict in judge.examples(service.subject.tool(tool)):
        if shown.arguments == example.arguments:
            return verdict
    return judge.judge(example)[0]
