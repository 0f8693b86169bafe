"""Policies and limits check what they are given."""

from __future__ import annotations

import pytest

from chibi_bridge import Limits, Policy


@pytest.mark.parametrize(
    "bad",
    [
        {"fuel": -1},
        {"timeout": -0.1},
        {"output": -1},
        {"memory": 0},
        {"memory": 1000},
        {"fuel": 1.5},
        {"fuel": True},
        {"memory": None},
        {"timeout": "1"},
    ],
)
def test_bad_limits_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="Limits"):
        Limits(**bad)  # type: ignore[arg-type]


def test_the_defaults_are_finite() -> None:
    limits = Limits()
    assert (limits.fuel, limits.timeout, limits.memory, limits.output) == (10_000_000, 30.0, 64 << 20, 1 << 20)


def test_bad_policies_are_refused() -> None:
    with pytest.raises(ValueError, match="modules"):
        Policy(modules="some")
    with pytest.raises(ValueError, match="absolute"):
        Policy(fs_read=("relative",))
    with pytest.raises(ValueError, match="library name"):
        Policy(modules=[""])


def test_library_names_have_one_form() -> None:
    assert Policy(modules=["(scheme base)", "srfi/1"]).modules == ("scheme/base", "srfi/1")


def test_the_environment_has_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    assert Policy(env={"A": "1"}).environment() == {"TEIN_SANDBOX": "true", "A": "1"}
    assert Policy.unsandboxed().environment()["SECRET"] == "x"
