"""chibi-bridge new: what it writes works as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chibi_bridge import Config, HttpResponse, load_tools
from chibi_bridge.cli import group


def cli(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


@pytest.mark.parametrize("options", [[], ["--convention"]])
def test_a_new_tool_passes_check_and_run(tmp_path: Path, options: list[str]) -> None:
    result = cli("new", "greet", "--dir", tmp_path, *options)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["greet-props.scm", "greet.scm", "greet.toml"]
    file = tmp_path / "greet.scm"
    assert cli("check", file).exit_code == 0
    assert cli("run", file).stdout == "Hello, world!\n"
    assert cli("run", file, "--arg", "name=Ada", "--arg", "times=2").stdout == "Hello, Ada! Hello, Ada!\n"
    assert Config.load(tmp_path / "greet.toml").warnings == ()


def test_a_new_http_tool_reaches_what_its_config_grants(tmp_path: Path) -> None:
    assert cli("new", "fetch_item", "--http", "--dir", tmp_path).exit_code == 0
    config = Config.load(tmp_path / "fetch_item.toml")
    answers = {
        "1": HttpResponse(200, {}, b'{"title": "first"}'),
        "2": HttpResponse(404, {}, b""),
        "3": HttpResponse(200, {}, b"[1]"),
        "4": HttpResponse(200, {}, b"{"),
    }
    tools = load_tools(
        tmp_path / "fetch_item.scm",
        config=config,
        transport=lambda request: answers[request.url.rpartition("/")[2]],
    )
    assert [tools[0].call({"id": int(number)}).text for number in answers] == [
        "first",
        "the API answered 404",
        "the API answered no object with a title",
        "the API answered no object with a title",
    ]
    tools.close()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "greet-props.scm").write_text("mine", encoding="utf-8")
    result = cli("new", "greet", "--dir", tmp_path)
    assert result.exit_code == 2
    assert "greet-props.scm: is there already" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["greet-props.scm"]


@pytest.mark.parametrize("name", ["", "1x", "a b", "../x", "x" * 65, "é"])
def test_a_name_that_models_do_not_accept_is_refused(tmp_path: Path, name: str) -> None:
    assert cli("new", name, "--dir", tmp_path).exit_code == 2
    assert list(tmp_path.iterdir()) == []
