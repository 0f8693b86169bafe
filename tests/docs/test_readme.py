"""The examples of the README and of the docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = (
    "errors",
    "values",
    "policy",
    "context",
    "host.http_address",
    "host.http_message",
    "host.http_rule",
    "host.url",
    "tools.tool",
    "tools.schema",
    "tools.config",
    "tools.load",
    "tools.registry",
)


def test_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", ["", *MODULES])
def test_the_docstrings(name: str) -> None:
    module = importlib.import_module(f"chibi_bridge.{name}".rstrip("."))
    result = doctest.testmod(module, extraglobs=vars(importlib.import_module("chibi_bridge")))
    assert result.failed == 0
