"""The configuration of tools."""

from __future__ import annotations

import pytest

from chibi_bridge import Config, ConfigError

TEXT = """
[tools]
exclude = ["b"]
exclude_categories = ["shell"]
[tools.tiers]
"/tools/home/admin/" = 2
"/tools/home/admin/safe.scm" = 1
[tools.http]
trust-declared = true
[tools.http.allow]
"/tools/shared" = ["https://a.example/"]
"/tools/shared/x.scm" = ["https://x.example/"]
"/tools/typo" = "trust-declraed"
[tools.env]
"/tools/shared/x.scm" = ["TOKEN", "UNSET"]
"""


def test_the_longest_key_at_a_segment_boundary_wins() -> None:
    config = Config.from_toml(TEXT)
    assert config.tier("/tools/home/admin/danger.scm") == 2
    assert config.tier("/tools/home/admin/safe.scm") == 1
    assert config.tier("/tools/home/administrator/x.scm") == 1
    assert config.http("/tools/shared/x.scm") == ("https://x.example/",)
    assert config.http("/tools/shared/y.scm") == ("https://a.example/",)
    assert config.http("/tools/shared/x.scm.scm") == ("https://a.example/",)


def test_trust_declared_and_typos() -> None:
    config = Config.from_toml(TEXT)
    assert config.http("/tools/other.scm", ["https://d.example/"]) == ("https://d.example/",)
    assert config.http("/tools/other.scm") is None
    assert config.http("/tools/typo/x.scm", ["https://d.example/"]) is None


def test_the_environment_is_that_of_the_longest_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t")
    monkeypatch.delenv("UNSET", raising=False)
    config = Config.from_toml(TEXT)
    assert config.environment("/tools/shared/x.scm") == {"TOKEN": "t"}
    assert config.environment("/tools/shared/y.scm") == {}


def test_filters() -> None:
    config = Config.from_toml(TEXT)
    assert config.is_shown("a", "memory")
    assert not config.is_shown("b", "memory")
    assert not config.is_shown("a", "shell")


@pytest.mark.parametrize(
    "bad",
    [
        "tools = 1",
        "[tools]\nexclude = 'a'",
        "[tools.tiers]\n'/a' = 300",
        "[tools.http]\ntrust_declared = 1",
        "[tools.http.allow]\n'/a' = 5",
        "[tools]\nisolation = 'x'",
        "= 1",
    ],
)
def test_errors_name_the_key(bad: str) -> None:
    with pytest.raises(ConfigError):
        Config.from_toml(bad)


def test_a_missing_file_is_a_config_error(tmp_path: object) -> None:
    with pytest.raises(ConfigError):
        Config.load(tmp_path / "none.toml")  # type: ignore[operator]
