"""Property tests of tools in pytest: `@given_tool`, and profiles of hypothesis."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from chibi_bridge.fuzz.plan import Plan
from chibi_bridge.fuzz.strategies import arguments
from chibi_bridge.tools.config import Config
from chibi_bridge.tools.load import load_source
from chibi_bridge.tools.tool import Tool

__all__ = ["given_tool", "register_profiles"]

GIVEN = ("args", "arguments", "result", "tool")


def given_tool(
    file: str | os.PathLike[str], name: str | None = None, **options: object
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with arguments that a tool's schema allows, drawn by hypothesis.

    The test takes by name what it wants: `tool`, `args` (or `arguments`), `result` (what
    calling the tool with them gave); other parameters are fixtures. Each call has a
    fresh instance of the file. `name` may be left out where the file has one tool;
    `options` are those of `load_tools`.

    >>> @given_tool("scheme/examples/text.scm", "slugify")
    ... def test_slugs_are_lower_case(args, result):
    ...     assert result.error is None and result.value == result.value.lower()
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        tool = tool_of(Path(file), name, options)
        signature = inspect.signature(test)
        wanted = [item for item in signature.parameters if item in GIVEN]
        others = [item for key, item in signature.parameters.items() if key not in GIVEN]

        @functools.wraps(test)
        def run(*fixtures: object, drawn_arguments: dict[str, object], **named: object) -> None:
            values: dict[str, object] = {"tool": tool, "args": drawn_arguments, "arguments": drawn_arguments}
            if "result" in wanted:
                values["result"] = tool.call(drawn_arguments)
            test(*fixtures, **named, **{key: values[key] for key in wanted})

        drawn = inspect.Parameter("drawn_arguments", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = signature.replace(parameters=[*others, drawn])  # type: ignore[attr-defined]
        return given(drawn_arguments=arguments(tool))(run)

    return decorate


def tool_of(path: Path, name: str | None, options: dict[str, object]) -> Tool:
    """The tool of a file, each call in an instance of its own. Raises ValueError."""
    plan = Plan.of(path)
    tools = load_source(
        plan.source, plan.vfs_path, plan.file, **{"config": Config(), "isolation": "call", **options}  # type: ignore[arg-type]
    )  # fmt: skip
    chosen = [tool for tool in tools if name is None or tool.name == name]
    if len(chosen) != 1:
        raise ValueError(f"{path}: name one of its tools: {', '.join(tool.name for tool in tools)}")
    return chosen[0]


def register_profiles() -> None:
    """Register the profiles `dev` and `ci` of hypothesis: no deadline; `ci` draws the same every time."""
    quiet = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    settings.register_profile("dev", deadline=None, max_examples=100, suppress_health_check=quiet)
    settings.register_profile(
        "ci", deadline=None, max_examples=200, derandomize=True, database=None, suppress_health_check=quiet
    )
