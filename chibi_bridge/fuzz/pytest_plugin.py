"""A plugin of pytest: *-props.scm and the examples of tool files are tests.

Opt-in: `chibi_bridge_fuzz = true` in the configuration of pytest. A property is
tried with `chibi_bridge_examples` values (200), the same every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chibi_bridge.fuzz.plan import Finding, Plan

PROPERTIES = "-props.scm"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of the plugin."""
    parser.addini("chibi_bridge_fuzz", "collect *-props.scm and the examples of tool files", "bool", default=False)
    parser.addini("chibi_bridge_examples", "values to try each property with", default="200")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Files of properties, and tool files with examples."""
    if file_path.suffix != ".scm" or not parent.config.getini("chibi_bridge_fuzz"):
        return None
    if file_path.name.endswith(PROPERTIES):
        return PropertiesFile.from_parent(parent, path=file_path)
    if "(examples" in file_path.read_text(encoding="utf-8", errors="replace"):
        return ExamplesFile.from_parent(parent, path=file_path)
    return None


class PropertiesFile(pytest.File):
    """The properties of a file, about the tool file beside it."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each property."""
        from chibi_bridge.fuzz.subject import Subject

        tools = self.path.with_name(self.path.name.removesuffix(PROPERTIES) + ".scm")
        if not tools.is_file():
            raise self.CollectError(f"{self.path}: no tool file {tools.name} beside it")
        plan = Plan.of(tools, properties=(self.path,))
        for found in Subject(plan).properties():
            yield PropertyItem.from_parent(self, name=found.name, plan=plan)


class ExamplesFile(pytest.File):
    """The examples of a file's tools."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each tool that has examples."""
        from chibi_bridge.fuzz.subject import Subject

        plan = Plan.of(self.path, properties=())
        for tool in Subject(plan).tools:
            if tool.examples is not None:
                yield ExamplesItem.from_parent(self, name=tool.name, plan=plan)


class Broken(Exception):
    """A finding; its text is the report."""


class Item(pytest.Item):
    """A test that is written in Scheme."""

    def __init__(self, *, plan: Plan, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.plan = plan

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The report of the finding, without a traceback of the machinery."""
        return str(excinfo.value) if isinstance(excinfo.value, Broken) else str(excinfo.getrepr(style="short"))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, and the name of the test."""
        return self.path, None, self.name

    def fail(self, findings: list[Finding]) -> None:
        """Fail with what was found."""
        from chibi_bridge.fuzz.render import describe

        if findings:
            raise Broken("\n\n".join(map(describe, findings)))


class PropertyItem(Item):
    """A property."""

    def runtest(self) -> None:
        """Try it with many values."""
        from chibi_bridge.fuzz.runner import Campaign

        most = int(self.config.getini("chibi_bridge_examples"))
        self.fail(Campaign(self.plan, max_examples=most, number=0).run_property(self.name).findings)


class ExamplesItem(Item):
    """The examples of a tool."""

    def runtest(self) -> None:
        """Call the tool as its examples say."""
        from chibi_bridge.fuzz.oracle import Judge
        from chibi_bridge.fuzz.subject import Subject

        subject = Subject(self.plan)
        found = Judge(subject).examples(subject.tool(self.name))
        self.fail(
            [
                Finding(
                    self.plan.file, verdict.oracle, verdict.message, verdict.signature, self.name, example.arguments
                )
                for example, verdict in found
            ]
        )
