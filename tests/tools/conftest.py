"""What the acceptance tests of tools share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chibi_bridge import Config, Tool, ToolList, ToolRegistry, load_tools

ISOLATIONS = ("file", "call")


def conv(**changed: str) -> str:
    """A convention file with bindings changed; None-like "" leaves one out."""
    parts = {
        "tool-name": '"t"',
        "tool-description": '"d"',
        "tool-parameters": "'()",
        "tool-execute": '(lambda (args) "ok")',
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    return "\n".join(f"(define {name} {value})" for name, value in parts.items() if value)


def tool(name: str, body: str = '"ok"', *clauses: str, parameters: str = "'()", description: str = '"d"') -> str:
    """A define-tool form."""
    return (
        f"(define-tool {name} (description {description}) {' '.join(clauses)} (parameters {parameters})"
        f" (execute (lambda (args) {body})))"
    )


@pytest.fixture(params=ISOLATIONS)
def isolation(request: pytest.FixtureRequest) -> str:
    """Each way of keeping calls apart that this process offers."""
    return str(request.param)


@pytest.fixture
def load(tmp_path: Path, isolation: str) -> Iterator[Callable[..., ToolList]]:
    """Loads a text as a tool file."""
    made: list[ToolList] = []

    def loader(text: str, **options: object) -> ToolList:
        path = tmp_path / "x.scm"
        path.write_text(text, encoding="utf-8")
        options.setdefault("vfs_path", "/tools/shared/x.scm")
        options.setdefault("isolation", isolation)
        tools = load_tools(path, **options)  # type: ignore[arg-type]
        made.append(tools)
        return tools

    yield loader
    for tools in made:
        tools.close()


@pytest.fixture
def one(load: Callable[..., ToolList]) -> Callable[..., Tool]:
    """Loads a text with one tool."""

    def loader(text: str, **options: object) -> Tool:
        (made,) = load(text, **options)
        return made

    return loader


@pytest.fixture
def registry_of(isolation: str, tmp_path: Path) -> Iterator[Callable[..., ToolRegistry]]:
    """A registry over texts, by VFS path or by a name below /tools/shared."""
    made: list[ToolRegistry] = []

    def maker(files: dict[str, str] | str, *, config: str | Config | None = None, **options: object) -> ToolRegistry:
        if isinstance(config, str):
            config = replace(Config.from_toml(config), isolation=isolation)
        settings = Config(isolation=isolation) if config is None else config
        options.setdefault("project_root", tmp_path)
        registry = ToolRegistry(config=settings, **options)  # type: ignore[arg-type]
        made.append(registry)
        for name, text in ({"x.scm": files} if isinstance(files, str) else files).items():
            registry.vfs.write(name if name.startswith("/") else f"/tools/shared/{name}", text)
        registry.scan()
        return registry

    yield maker
    for registry in made:
        registry.close()
