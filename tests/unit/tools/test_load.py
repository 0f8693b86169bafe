"""Tool files in both formats; what does not load says why and where."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chibi_bridge import (
    CompileError,
    Config,
    Deny,
    FuelExhausted,
    InvalidArguments,
    Limits,
    PermissionDenied,
    ReadError,
    SchemeError,
    ToolCategory,
    ToolList,
    ToolLoadError,
    load_tools,
)


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[..., ToolList]]:
    made: list[ToolList] = []

    def loader(text: str, **options: object) -> ToolList:
        path = tmp_path / "tool.scm"
        path.write_text(text, encoding="utf-8")
        tools = load_tools(path, **options)  # type: ignore[arg-type]
        made.append(tools)
        return tools

    yield loader
    for tools in made:
        tools.close()


CONVENTION = """
(define tool-name "echo")
(define tool-description "Echo.")
(define tool-parameters '((text . ((type . "string") (description . "What")))))
(define (tool-execute args) (cdr (assoc "text" args)))
"""
ECHO = """
(define-tool echo
  (description "Echo.")
  (parameters '((text . ((type . "string")))))
  (execute (lambda (args) (cdr (assoc "text" args)))))
"""


@pytest.mark.parametrize("source", [CONVENTION, ECHO])
def test_both_formats(load: Callable[..., ToolList], source: str) -> None:
    (tool,) = load(source)
    assert (tool.name, tool.description, tool.category) == ("echo", "Echo.", ToolCategory.SYNTHESISED)
    assert tool.parameters["required"] == ["text"]
    result = tool.call({"text": "hi"})
    assert (result.value, result.text, result.error) == ("hi", "hi", None)
    assert result.report() == "result: hi\nstdout: (empty)\nstderr: (empty)"


def test_clauses_in_any_order_quoted_or_not(load: Callable[..., ToolList]) -> None:
    (tool,) = load("""
    (define-tool order
      (execute (lambda (args) 1))
      (summary-params ("side" "quantity"))
      (parameters ((side (type . "string")) (quantity (type . "integer") (default . 3))))
      (category "network")
      (description (string-append "Or" "der.")))
    """)
    assert tool.description == "Order."
    assert tool.category is ToolCategory.NETWORK
    assert tool.summary_params == ("side", "quantity")
    assert tool.summary({"side": "buy", "quantity": 10}) == "buy 10"


def test_a_summary_template(load: Callable[..., ToolList]) -> None:
    (tool,) = load("""
    (define-tool t212_place_market_order
      (description "x") (category "network") (parameters '())
      (summary "market {side} {quantity}x {ticker}")
      (execute (lambda (args) 1)))
    """)
    args = {"side": "buy", "quantity": 10, "ticker": "AAPL_US_EQ"}
    assert tool.prompt(args) == "[t212_place_market_order] market buy 10x AAPL_US_EQ [Y/n] "


@pytest.mark.parametrize(
    ("clauses", "clause", "text"),
    [
        ('(description "x") (execute (lambda (a) 1))', "parameters", "missing"),
        ('(description "x") (parameters \'()) (execute car) (colour "red")', "colour", "unknown clause"),
        ('(description "x") (description "y") (parameters \'()) (execute car)', "description", "twice"),
        ("(description) (parameters '()) (execute car)", "description", "one operand"),
        ("(description 5) (parameters '()) (execute car)", "description", "not a string"),
        ('(description "x") (parameters \'()) (execute 5)', "execute", "not a procedure"),
        ('(description "x") (parameters \'#(1)) (execute car)', "parameters", "must be a list"),
        ("(description (car 5)) (parameters '()) (execute car)", "description", "cannot be evaluated"),
    ],
)
def test_a_bad_definition_is_a_problem_and_the_rest_loads(
    load: Callable[..., ToolList], clauses: str, clause: str, text: str
) -> None:
    tools = load(f"(define-tool bad\n  {clauses})\n{ECHO}")
    assert [tool.name for tool in tools] == ["echo"]
    (problem,) = tools.problems
    assert isinstance(problem, ToolLoadError)
    assert (problem.tool, problem.clause) == ("bad", clause)
    assert text in str(problem)
    assert problem.location is not None
    with pytest.raises(ToolLoadError):
        load(f"(define-tool bad\n  {clauses})\n{ECHO}", strict=True)


def test_a_name_that_models_do_not_accept_is_refused_with_another(load: Callable[..., ToolList]) -> None:
    with pytest.raises(ToolLoadError, match="file_exists"):
        load(
            '(define-tool file-exists? (description "x") (parameters \'()) (execute car))'.replace(
                "file-exists?", "file_exists?"
            )
        )


def test_a_file_without_tools_says_what_is_missing(load: Callable[..., ToolList]) -> None:
    with pytest.raises(ToolLoadError, match="missing tool-name") as caught:
        load("(define x 1)")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("source", "kind"), [("(define x", ReadError), ("(if)", CompileError), ("(car 5)", SchemeError)]
)
def test_a_file_that_does_not_load_is_located(
    load: Callable[..., ToolList], source: str, kind: type[SchemeError]
) -> None:
    with pytest.raises(kind) as caught:
        load(source)
    assert caught.value.location is not None
    assert caught.value.location.file is not None
    assert caught.value.location.file.endswith("tool.scm")


def test_invalid_arguments_are_located_at_the_declaration(load: Callable[..., ToolList]) -> None:
    (tool,) = load(CONVENTION)
    error = tool.call({"text": 5}).error
    assert isinstance(error, InvalidArguments)
    assert error.location is not None
    assert error.location.line == 4
    assert "echo" in str(error)


def test_an_error_of_the_tool_is_in_the_result(load: Callable[..., ToolList]) -> None:
    (tool,) = load(ECHO.replace('(cdr (assoc "text" args))', '(begin (display "a") (error "intentional boom" 1))'))
    result = tool.call({"text": "x"})
    assert isinstance(result.error, SchemeError)
    assert "intentional boom 1" in result.report()
    assert result.stdout == "a"
    assert result.text.startswith("error: ")


def test_state_of_a_file_lasts_and_isolation_by_call_starts_anew(load: Callable[..., ToolList]) -> None:
    source = "(define n 0)" + ECHO.replace('(cdr (assoc "text" args))', "(begin (set! n (+ n 1)) n)")
    (tool,) = load(source)
    assert [tool.call({"text": ""}).value for _ in range(3)] == [1, 2, 3]
    (tool,) = load(source, isolation="call")
    assert [tool.call({"text": ""}).value for _ in range(3)] == [1, 1, 1]


def test_json_arguments(load: Callable[..., ToolList]) -> None:
    (tool,) = load("""
    (define-tool f (description "x") (parameters '())
      (execute (lambda (args) (list (cdr (assoc "a" args)) (cdr (assoc "b" args)) (cdr (assoc "c" args)) (cdr (assoc "d" args))))))
    """)
    result = tool.call({"a": [1, 2], "b": None, "c": {}, "d": 18446744073709551616})
    assert result.text == "((1 2) null () 18446744073709551616)"


def test_limits_end_a_call_and_the_next_one_works(load: Callable[..., ToolList]) -> None:
    (tool,) = load(
        ECHO.replace(
            '(cdr (assoc "text" args))', '(if (string=? (cdr (assoc "text" args)) "loop") (let f () (f)) "done")'
        ),
        limits=Limits(fuel=100_000),
    )
    result = tool.call({"text": "loop"})
    assert isinstance(result.error, FuelExhausted)
    assert result.report().startswith("result: error: step limit exceeded")
    assert tool.call({"text": "x"}).text == "done"


def test_a_loop_at_load_time_ends(load: Callable[..., ToolList]) -> None:
    with pytest.raises(FuelExhausted):
        load("(define x 1)\n(let f () (f))")


def test_permission_is_asked_for_gated_categories(load: Callable[..., ToolList]) -> None:
    source = ECHO.replace(
        '(description "Echo.")', '(description "Echo.") (category "network") (summary-params \'("text"))'
    )
    asked = []

    def ask(request: object) -> object:
        asked.append(request)
        return Deny("not today")

    (tool,) = load(source, permission=ask)
    result = tool.call({"text": "hi"})
    assert isinstance(result.error, PermissionDenied)
    assert "not today" in str(result.error)
    assert asked[0].prompt == "[echo] hi [Y/n] "
    assert asked[0].safety == "no_url"
    (tool,) = load(source, permission=lambda request: True)
    assert tool.call({"text": "hi"}).text == "hi"


def test_calls_on_the_event_loop(load: Callable[..., ToolList]) -> None:
    (tool,) = load(ECHO)

    async def main() -> list[str]:
        results = await asyncio.gather(*(tool.call_async({"text": str(i)}) for i in range(5)))
        return [result.text for result in results]

    assert asyncio.run(main()) == ["0", "1", "2", "3", "4"]


def test_the_globals_of_a_tool_file(load: Callable[..., ToolList]) -> None:
    (tool,) = load(
        '(define-tool f (description "x") (parameters \'())'
        ' (execute (lambda (args) (string-append %context-name% "/" (generate-id) ":" (current-timestamp)))))'
    )
    text = tool.call({}, context="alice").text
    name, rest = text.split("/")
    identity, stamp = rest.split(":")
    assert name == "alice"
    assert len(identity) == 8
    assert stamp.endswith("z")


def test_a_file_may_have_hooks_only(load: Callable[..., ToolList]) -> None:
    assert load("(register-hook 'on_start (lambda (payload) '()))") == []


def test_the_environment_of_a_file(load: Callable[..., ToolList]) -> None:
    source = """
    (import (scheme process-context))
    (define-tool f (description "x") (parameters '())
      (execute (lambda (args) (list (get-environment-variable "TOKEN") (get-environment-variable "HOME")))))
    """
    (tool,) = load(source, env={"TOKEN": "t"})
    assert tool.call({}).text == '("t" #f)'


def test_isolation_by_process_is_not_offered_here(load: Callable[..., ToolList]) -> None:
    with pytest.raises(ValueError, match="isolation"):
        load(ECHO, config=Config(isolation="process"))


def test_files_under_call_make_their_image_again_when_others_took_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chibi_bridge.tools.load.MOST_IMAGES", 1)
    loaded = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.scm"
        path.write_text(
            f'(define n 0) (define-tool {name} (description "d") (parameters \'())'
            f" (execute (lambda (args) (set! n (+ n 1)) (list '{name} n))))"
        )
        loaded.append(load_tools(path, isolation="call"))
    for _ in range(3):
        assert [tools[0].call({}).text for tools in loaded] == ["(a 1)", "(b 1)"]
    assert [tools.session._image is None for tools in loaded] == [True, False]
    for tools in loaded:
        tools.close()
        assert tools[0].call({}).value[1] == 1
        tools.close()
