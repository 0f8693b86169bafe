"""Which libraries there are, and who may have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chibi_bridge import Policy, SandboxViolation
from chibi_bridge.host import Host, perform
from chibi_bridge.host.libraries import closure, is_allowed, shipped_names


def test_the_standard_libraries_are_shipped() -> None:
    assert {"scheme/base", "scheme/write", "srfi/1"} <= shipped_names()


def test_a_shipped_library_is_a_trusted_text() -> None:
    text, file, trusted = perform(Host(Policy()), "library", ["(scheme file)"])  # type: ignore[misc]
    assert "define-library" in text
    assert (file, trusted) == ("lib/scheme/file.sld", True)
    assert "(define" in perform(Host(Policy()), "include", ["lib/scheme/file.scm"])  # type: ignore[operator]


def test_what_is_not_there_is_false() -> None:
    assert perform(Host(Policy()), "library", ["(no such thing)"]) is False
    assert perform(Host(Policy()), "library", ["(.. .. etc)"]) is False


def test_includes_stay_within_the_libraries() -> None:
    for path in ("lib/../../../etc/passwd", "/etc/passwd"):
        with pytest.raises(SandboxViolation):
            perform(Host(Policy()), "include", [path])


def test_the_policy_decides() -> None:
    assert is_allowed(Policy(), "srfi/1")
    assert not is_allowed(Policy(), "tein/http")
    assert is_allowed(Policy(http_allow=()), "tein/http")
    assert is_allowed(Policy(allow=["harness/io"]), "harness/io")
    assert is_allowed(Policy(modules="all"), "harness/io")
    assert not is_allowed(Policy(modules="none"), "scheme/base")
    assert is_allowed(Policy(modules=["scheme/file"]), "scheme/base")
    assert not is_allowed(Policy(modules=["scheme/base"]), "scheme/file")


def test_dependencies_come_along() -> None:
    assert "scheme/base" in closure(["scheme/file"])


def test_a_module_path_is_searched(tmp_path: Path) -> None:
    (tmp_path / "my").mkdir()
    (tmp_path / "my" / "lib.sld").write_text("(define-library (my lib))", encoding="utf-8")
    text, file, trusted = perform(Host(Policy(), [tmp_path]), "library", ["(my lib)"])  # type: ignore[misc]
    assert (text, trusted) == ("(define-library (my lib))", False)
    assert file == str(tmp_path / "my" / "lib.sld")
