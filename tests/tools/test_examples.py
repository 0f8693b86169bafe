"""The example tools on real input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chibi_bridge import Config, InvalidArguments, ToolResult, load_tools


@pytest.fixture(scope="module")
def call() -> Iterator[Callable[..., ToolResult]]:
    folder = Path(__file__).resolve().parent.parent.parent / "scheme" / "examples"
    files = [load_tools(path, config=Config(trust_declared=True)) for path in sorted(folder.glob("*.scm"))]
    for tools in files:
        assert tools.problems == []
    by_name = {tool.name: tool for tools in files for tool in tools}

    def caller(name: str, **args: object) -> ToolResult:
        result = by_name[name].call(args)
        if result.error is not None:
            raise result.error
        return result

    yield caller
    for tools in files:
        tools.close()


@pytest.fixture
def orders(data: Path) -> str:
    return (data / "orders.csv").read_text(encoding="utf-8")


def test_word_count(call: Callable[..., ToolResult], data: Path) -> None:
    text = (data / "article.txt").read_text(encoding="utf-8")
    assert (
        call("word_count", text=text).text
        == f"{len(text.split())} words, {len(text)} characters, {len(text.splitlines())} lines"
    )
    assert call("word_count", text="").text == "0 words, 0 characters, 0 lines"


def test_slugify(call: Callable[..., ToolResult]) -> None:
    assert call("slugify", title="  Hello, World: a Test! ").text == "hello-world-a-test"
    assert call("slugify", title="one two three", max_length=8).text == "one-two"
    assert call("slugify", title="Ünïcode ÄÖ").text == "ünïcode-äö"


def test_wrap_text(call: Callable[..., ToolResult], data: Path) -> None:
    text = (data / "article.txt").read_text(encoding="utf-8")
    lines = call("wrap_text", text=text, width=30).text.splitlines()
    assert max(map(len, lines)) <= 30
    assert " ".join(lines).split() == text.split()
    with pytest.raises(InvalidArguments):
        call("wrap_text", text=text, width=0)


def test_loan_table(call: Callable[..., ToolResult]) -> None:
    lines = call("loan_table", amount=10_000, rate=6, months=12).text.splitlines()
    assert lines[0] == "payment 860.66, interest in all 327.96"
    assert len(lines) == 14
    assert lines[-1].split()[-1] == "0.00"
    assert lines[2].split() == ["1", "50.00", "810.66", "9189.34"]


def test_compound_interest(call: Callable[..., ToolResult]) -> None:
    assert call("compound_interest", principal=1000, rate=5, years=10).text == "1628.89"
    assert call("compound_interest", principal=0.1, rate=0, years=3).text == "0.10"
    assert call("compound_interest", principal=1000, rate=5, years=10, per_year=12).text == "1647.01"


def test_split_money(call: Callable[..., ToolResult]) -> None:
    assert call("split_money", amount=100, shares=[1, 1, 1]).value == ["33.34", "33.33", "33.33"]
    assert call("split_money", amount=0.05, shares=[0.1, 0.2]).value == ["0.02", "0.03"]


def test_csv_parse(call: Callable[..., ToolResult], orders: str) -> None:
    rows = call("csv_parse", csv=orders).json
    assert len(rows) == 5
    assert rows[1] == {
        "order": "1002", "customer": "Hopper, Grace", "product": "compass", "quantity": "1", "price": "19.99", "note": 'said "nanoseconds"',
    }  # fmt: skip
    assert rows[3]["note"] == "two\nlines"


def test_csv_summary(call: Callable[..., ToolResult], orders: str) -> None:
    assert call("csv_summary", csv=orders).text.splitlines() == [
        "5 rows",
        "order: 5 numbers, sum 5015, mean 1003, min 1001, max 1005",
        "customer: 5 texts, 4 distinct",
        "product: 5 texts, 4 distinct",
        "quantity: 5 numbers, sum 19, mean 3.8, min 1, max 12",
        "price: 5 numbers, sum 36.59, mean 7.32, min 0.35, max 19.99",
        "note: 2 texts, 2 distinct",
    ]


def test_csv_to_markdown(call: Callable[..., ToolResult], orders: str) -> None:
    lines = call("csv_to_markdown", csv=orders).text.splitlines()
    assert lines[0] == "| order | customer | product | quantity | price | note |"
    assert lines[5] == "| 1004 | Ada Lovelace | ruler \\| steel | 2 | 7.25 | two<br>lines |"


def test_an_unclosed_quote_is_an_error(call: Callable[..., ToolResult]) -> None:
    with pytest.raises(Exception, match="not closed"):
        call("csv_parse", csv='a,b\n"x')
