"""A campaign: hypothesis draws, a child process calls, what fails is made small.

Each fault is looked for once: what has been found is passed over, by its signature,
and the rest of the examples go on. A call that runs out of a limit only on great
values is a note, not a finding: the schema could say how great they may be.
"""

from __future__ import annotations

import contextlib
import json
import random
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, HypothesisWarning, Unsatisfiable

from chibi_bridge.fuzz.child import Child, Died
from chibi_bridge.fuzz.plan import Example, Finding, Plan, Verdict
from chibi_bridge.fuzz.properties import raw_values
from chibi_bridge.fuzz.strategies import arguments, http_responses
from chibi_bridge.fuzz.subject import Property, Subject
from chibi_bridge.tools.tool import Tool
from chibi_bridge.values import write

__all__ = ["Campaign", "Report", "fuzz"]

T = TypeVar("T")
Progress = Callable[["Report", str], None]

GREAT = 10_000
"""Beyond this, a number or a length that runs out of a limit is the schema's to forbid."""
SHRINKING = 6.0
"""Seconds for making one failing call small."""
MOST = 8
"""Findings of one target after which it is left."""
REFUSALS = 25
"""Calls with a declared value, all refused, that make a finding."""
SHOW_EVERY = 0.1


@dataclass
class Report:
    """What a campaign did: findings, notes, and how many examples ran."""

    file: str
    seed: int
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    examples: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0
    out_of_time: bool = False

    @property
    def total(self) -> int:
        """Examples that ran."""
        return sum(self.examples.values())

    def merge(self, other: Report) -> None:
        """Add what another campaign of the same file did; each fault once, in its smallest call."""
        found = {item.identity: item for item in self.findings}
        for item in other.findings:
            if item.identity not in found or size_of(item) < size_of(found[item.identity]):
                found[item.identity] = item
        self.findings = list(found.values())
        self.notes.extend(note for note in other.notes if note not in self.notes)
        self.examples.update(other.examples)
        self.refused.update(other.refused)
        self.elapsed = max(self.elapsed, other.elapsed)
        self.out_of_time |= other.out_of_time

    def as_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "file": self.file,
            "seed": self.seed,
            "examples": self.total,
            "by_target": dict(self.examples),
            "refused": dict(self.refused),
            "elapsed": round(self.elapsed, 3),
            "out_of_time": self.out_of_time,
            "findings": [item.as_json() for item in self.findings],
            "notes": self.notes,
        }


def size_of(finding: Finding) -> tuple[int, str]:
    """What makes one finding's call smaller than another's."""
    if finding.name is not None:
        text = repr(sorted(finding.values.items()))
        return len(text), text
    return Example(finding.tool, finding.arguments, finding.before, finding.responses).size()


class Failed(Exception):
    """An example failed; hypothesis makes it small."""


class Stopped(BaseException):
    """The campaign ends here; passes through hypothesis."""


class Shrunk(BaseException):
    """Time for making an example small is over."""


class Search:
    """The search for one fault of one target: what failed, smallest first."""

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self.signature: str | None = None
        self.best: object = None
        self.best_size: tuple[int, str] | None = None
        self.verdict: Verdict | None = None
        self.deadline = 0.0

    def failed(self, example: object, size: tuple[int, str], verdict: Verdict) -> None:
        """Note a failure; raises Failed where it is the one that is looked for."""
        signature = f"{verdict.oracle} {verdict.signature}"
        if signature in self.known:
            return
        if self.signature is None:
            self.signature = signature
            self.deadline = monotonic() + SHRINKING
        if signature != self.signature:
            return
        if self.best_size is None or size < self.best_size:
            self.best, self.best_size, self.verdict = example, size, verdict
        raise Failed(signature)


class Campaign:
    """Fuzzes the tools and properties of a plan; see `fuzz`."""

    def __init__(
        self,
        plan: Plan,
        *,
        max_examples: int = 1_000,
        number: int | None = None,
        time: float | None = None,
        record: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.plan = plan
        self.max_examples = max_examples
        self.subject = Subject(plan)
        self.report = Report(plan.file, random.randrange(1 << 32) if number is None else number)
        self._time = time
        self._deadline = float("inf")
        self._saved = None if record is None else record / "last-input.txt"
        self.progress = progress
        self._shown = 0.0
        self._by_value: dict[tuple[str, str, str], list[int]] = {}
        if record is not None:
            record.mkdir(parents=True, exist_ok=True)

    def run(self, tool: str | None = None) -> Report:
        """Fuzz all tools and properties, or one tool. Raises LoadFailed, UnknownTool."""
        start = monotonic()
        tools = list(self.subject.tools) if tool is None else [self.subject.tool(tool)]
        properties = self.subject.properties() if "property" not in self.plan.ignore else []
        with Child(self.plan, self._saved) as child:
            self._deadline = float("inf") if self._time is None else monotonic() + self._time
            try:
                for item in tools:
                    self._examples(child, item)
                for item in tools:
                    self._tool(child, item)
                for number, found in enumerate(properties):
                    self._property(child, number, found)
            except Stopped:
                self.report.out_of_time = True
        self._refusals()
        self.report.elapsed = monotonic() - start
        self._show("done", always=True)
        return self.report

    def run_property(self, name: str) -> Report:
        """Try one property alone. Raises LoadFailed, LookupError."""
        numbered = [(number, item) for number, item in enumerate(self.subject.properties()) if item.name == name]
        if not numbered:
            raise LookupError(f"no property {name} for {self.plan.file}")
        with Child(self.plan, self._saved) as child:
            for number, found in numbered:
                self._property(child, number, found)
        return self.report

    # -- targets ---------------------------------------------------------------------

    def _examples(self, child: Child, tool: Tool) -> None:
        """The tool's own examples."""
        if tool.examples is None or "examples" in self.plan.ignore:
            return
        try:
            _, found = child.ask("examples", tool.name)
        except Died as error:
            found = [(Example(tool.name, {}), Verdict("crash", str(error), "examples"))]
        assert isinstance(found, list)
        for example, verdict in found:
            self._add(self._finding(example, verdict))

    def _tool(self, child: Child, tool: Tool) -> None:
        """Random arguments for one tool."""
        try:
            strategy = self._calls(tool)
        except ValueError as error:
            self._note(f"{tool.name}: nothing fits its schema: {error}")
            return

        def attempt(example: Example) -> Verdict | None:
            verdict, refused = self._judge(child, example)
            if refused:
                self.report.refused[tool.name] += 1
            self._count_values(tool, example, refused=refused)
            return verdict

        known: set[str] = set()
        for example, verdict in self._search(tool.name, strategy, attempt, Example.size, known):
            if verdict.oracle == "limit" and not self._confirmed(child, example):
                continue  # it takes long, and no more
            if verdict.oracle == "limit" and great(example):
                self._note(
                    f"{tool.name}: {verdict.message.splitlines()[0]} for great values: "
                    f"{shown(example.arguments)}; a maximum in the schema would say so"
                )
            else:
                self._add(self._finding(example, verdict))
        if self.report.examples[tool.name] and self.report.refused[tool.name] == self.report.examples[tool.name]:
            self._note(f"{tool.name}: refused each of the {self.report.refused[tool.name]} calls")

    def _calls(self, tool: Tool) -> st.SearchStrategy[Example]:
        """Examples of a tool."""
        constants = self.subject.constants
        given = arguments(tool, constants)
        before = st.one_of(st.just(()), given.map(lambda item: (item,)))
        networked = self.subject.http and self.plan.transport is None
        answers = (
            st.lists(http_responses(constants=constants), min_size=1, max_size=3).map(tuple)
            if networked
            else st.just(())
        )
        return st.builds(Example, st.just(tool.name), given, before, answers)

    def _judge(self, child: Child, example: Example) -> tuple[Verdict | None, bool]:
        """What the child says about an example; a crash is an answer too."""
        try:
            _, verdict, refused, value = child.ask("judge", example)
        except Died as error:
            return (None if "crash" in self.plan.ignore else Verdict("crash", str(error), "crash")), False
        assert verdict is None or isinstance(verdict, Verdict)
        if verdict is None and callable(self.plan.reference) and "reference" not in self.plan.ignore:
            verdict = compare(self.plan.reference, example, value, refused=bool(refused))
        return verdict, bool(refused)

    def _confirmed(self, child: Child, example: Example) -> bool:
        """Does a call that was stopped early exceed the whole of its limits?"""
        try:
            return bool(child.ask("confirm", example)[1])
        except Died:
            return True

    def _property(self, child: Child, number: int, item: Property) -> None:
        """Random values for one property."""
        parts = [raw_values(spec, self.subject.tool, self.subject.constants) for spec in item.specs]
        shown_values: list[str] = []

        def attempt(raw: list[object]) -> Verdict | None:
            nonlocal shown_values
            try:
                _, _, written, verdict = child.ask("property", number, raw)
            except Died as error:
                written, verdict = [write(part, 300) for part in raw], Verdict("crash", str(error), "crash")
            assert isinstance(written, list)
            shown_values = written
            assert verdict is None or isinstance(verdict, Verdict)
            return verdict

        def size(raw: list[object]) -> tuple[int, str]:
            text = " ".join(shown_values)
            return len(text), text

        for raw, verdict in self._search(item.name, st.tuples(*parts).map(list), attempt, size, set()):
            attempt(raw)
            self._add(
                Finding(
                    self.plan.file, verdict.oracle, verdict.message, verdict.signature,
                    location=verdict.location, name=item.name,
                    values=dict(zip(item.variables, shown_values, strict=False)),
                )
            )  # fmt: skip

    # -- the search ------------------------------------------------------------------

    def _search(
        self,
        name: str,
        strategy: st.SearchStrategy[T],
        attempt: Callable[[T], Verdict | None],
        size: Callable[[T], tuple[int, str]],
        known: set[str],
    ) -> list[tuple[T, Verdict]]:
        """The faults that random examples show, each with its smallest example."""
        found: list[tuple[T, Verdict]] = []
        begun = self.report.examples[name]
        while len(found) < MOST:
            left = self.max_examples - (self.report.examples[name] - begun)
            if left <= 0:
                break
            search = Search(known)
            # What failed is in the search; a fault that shows at times only is one too.
            with contextlib.suppress(Failed, Shrunk, Flaky):
                self._hypothesis(name, strategy, attempt, size, search, left, len(found))
            if search.verdict is None:
                break
            known.add(str(search.signature))
            found.append((search.best, search.verdict))  # type: ignore[arg-type]
        return found

    def _hypothesis(
        self,
        name: str,
        strategy: st.SearchStrategy[T],
        attempt: Callable[[T], Verdict | None],
        size: Callable[[T], tuple[int, str]],
        search: Search,
        left: int,
        round_: int,
    ) -> None:
        """One run of hypothesis: until a new fault is found and small, or the examples are through."""

        def one(example: T) -> None:
            now = monotonic()
            if search.signature is None:
                if now > self._deadline:
                    raise Stopped
                self.report.examples[name] += 1
                self._show(name)
            elif now > min(search.deadline, self._deadline + SHRINKING):
                raise Shrunk
            verdict = attempt(example)
            if verdict is not None:
                search.failed(example, size(example), verdict)

        test = settings(
            max_examples=left,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )(given(strategy)(one))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", HypothesisWarning)  # about examples as great as they are meant to be
                seed(self.report.seed * 1_000 + round_)(test)()
        except Unsatisfiable:
            self._note(f"{name}: no values were found that its schema allows")

    # -- bookkeeping -----------------------------------------------------------------

    def _finding(self, example: Example, verdict: Verdict) -> Finding:
        return Finding(
            self.plan.file, verdict.oracle, verdict.message, verdict.signature, example.tool,
            example.arguments, example.before, example.responses, verdict.location,
        )  # fmt: skip

    def _add(self, finding: Finding) -> None:
        self.report.merge(Report(self.plan.file, 0, [finding]))

    def _note(self, text: str) -> None:
        if text not in self.report.notes:
            self.report.notes.append(text)

    def _show(self, name: str, *, always: bool = False) -> None:
        now = monotonic()
        if self.progress is not None and (always or now - self._shown > SHOW_EVERY):
            self._shown = now
            self.progress(self.report, name)

    def _count_values(self, tool: Tool, example: Example, *, refused: bool) -> None:
        """Count calls and refusals by each value that an enum of the schema declares."""
        properties = tool.parameters.get("properties")
        for name, part in properties.items() if isinstance(properties, Mapping) else ():
            if isinstance(part, Mapping) and "enum" in part and name in example.arguments:
                key = (tool.name, str(name), write_json(example.arguments[name]))
                counts = self._by_value.setdefault(key, [0, 0])
                counts[0] += 1
                counts[1] += refused

    def _refusals(self) -> None:
        """A declared value that no call accepts, where others are accepted."""
        if "refusal" in self.plan.ignore:
            return
        for (tool, name, value), (calls, refused) in self._by_value.items():
            others = [counts for key, counts in self._by_value.items() if key[:2] == (tool, name) and key[2] != value]
            if calls >= REFUSALS and calls == refused and any(counts[1] < counts[0] for counts in others):
                message = f"refused all {calls} calls with {name} = {value}, which its schema declares"
                example = Example(tool, {name: read_json(value)})
                self._add(self._finding(example, Verdict("refusal", message, f"{name} = {value}")))


def compare(
    reference: Callable[[dict[str, object]], object], example: Example, value: object, *, refused: bool
) -> Verdict | None:
    """A tool's JSON value against what a Python callable says; an exception there is a refusal."""
    try:
        wanted: object = reference(dict(example.arguments))
    except Exception as error:
        if refused:
            return None
        return Verdict("reference", f"gives {value!r}, the reference raises {error!r}", "reference")
    if value == ("json", wanted) and type(wanted) in (int, float, str, bool, list, dict, type(None)):
        return None
    got = value[1] if isinstance(value, tuple) else "an error"
    return Verdict("reference", f"gives {shown(got)}, the reference {shown(wanted)}", "reference")


def great(example: Example) -> bool:
    """Does it hold a number or a length that is great?"""
    return any(is_great(value) for value in (example.arguments, *example.before))


def is_great(value: object) -> bool:
    """Is it, or is something in it, great?"""
    if isinstance(value, (int, float)):
        return abs(value) >= GREAT
    if isinstance(value, str):
        return len(value) >= GREAT
    if isinstance(value, Mapping):
        return any(map(is_great, value.values()))
    if isinstance(value, list):
        return len(value) >= GREAT or any(map(is_great, value))
    return False


def write_json(value: object) -> str:
    """JSON text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def read_json(text: str) -> object:
    """What a JSON text says."""
    return json.loads(text)


def shown(value: object, most: int = 200) -> str:
    """A value as JSON, cut."""
    try:
        text = write_json(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= most else f"{text[:most]}..."


def fuzz(
    file: str | Path | Plan,
    tool: str | None = None,
    *,
    max_examples: int = 1_000,
    seed: int | None = None,
    time: float | None = None,
    record: Path | None = None,
    progress: Progress | None = None,
    **options: object,
) -> Report:
    """Fuzz a file's tools and properties, or one tool, in a child process.

    `max_examples` for each tool and property; `time` in seconds for all. `options` are
    those of `Plan.of`. Raises what loading the file raises.

    >>> fuzz("scheme/examples/text.scm", "word_count", max_examples=20, seed=1).findings
    []
    """
    plan = file if isinstance(file, Plan) else Plan.of(file, **options)  # type: ignore[arg-type]
    if record is not None:
        record = Path(record)
    campaign = Campaign(plan, max_examples=max_examples, number=seed, time=time, record=record, progress=progress)
    return campaign.run(tool)
