"""(tein http) from a program's side: arguments, results, conditions; sync and async; recordings."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from chibi_bridge import (
    Context,
    Done,
    Failed,
    HostCall,
    HttpBlocked,
    HttpNetwork,
    HttpRecorder,
    HttpReplay,
    HttpRequest,
    HttpResponse,
    HttpRule,
    Interrupted,
    Limits,
    Policy,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    load_tools,
)
from chibi_bridge.cli import group
from chibi_bridge.host.workers import Workers

URL = "https://api.test/v1/"


class Script:
    """A transport that keeps requests and answers what it was told."""

    def __init__(self, response: HttpResponse | None = None) -> None:
        self.asked = []
        self.response = response or HttpResponse(
            200, (("Content-Type", "text/plain"), ("X-Ü", "ü"), ("A", "1"), ("a", "2")), b"ok"
        )

    def __call__(self, request):
        self.asked.append(request)
        return self.response


@pytest.fixture
def context(make_context):
    def make(rules=(URL,), transport=None, **options):
        made = make_context(Policy(http_allow=rules, **options), transport=transport)
        made.import_("(tein http)")
        return made

    return make


def written(context: Context, source: str) -> str:
    return context.eval_written(source)


def test_without_http_allow_the_library_cannot_be_imported(make_context):
    for modules in ("safe", ["scheme/base"], "none"):
        with pytest.raises(SandboxViolation, match="tein http"):
            make_context(Policy(modules=modules)).eval("(import (tein http))")


@pytest.mark.parametrize("modules", ["safe", "all", ["scheme/base"]])
def test_an_empty_http_allow_imports_and_refuses_every_request(make_context, modules):
    transport = Script()
    context = make_context(Policy(modules=modules, http_allow=()), transport=transport)
    context.import_("(tein http)")
    with pytest.raises(HttpBlocked, match="http request blocked"):
        context.eval(f'(http-get "{URL}" \'())')
    assert transport.asked == []


def test_modules_all_alone_grants_no_request(make_context):
    context = make_context(Policy(modules="all"), transport=Script())
    context.import_("(tein http)")
    with pytest.raises(HttpBlocked):
        context.eval(f'(http-get "{URL}" \'())')


def test_unsandboxed_reaches_any_url(make_context, serve, respond):
    server = serve(respond(200, b"any"))
    context = make_context(Policy.unsandboxed())
    context.import_("(tein http)")
    assert context.eval(f"(cdr (assq 'body (http-get \"{server.url}x\" '())))") == "any"
    with pytest.raises(HttpBlocked):
        context.eval('(http-get "http://user@127.0.0.1/" \'())')


@pytest.mark.parametrize(
    "rule", ["", "api.test", "https://*/", "https://a.test/?q", "https://u@a.test/", 7, "ftp://a.test/"]
)
def test_a_bad_rule_is_an_error_when_the_context_is_made(rule):
    with pytest.raises(ValueError, match=r"rule|http_allow"):
        Context(Policy(http_allow=(rule,)))


@pytest.mark.parametrize(
    "options",
    [{"methods": ("get",)}, {"methods": "GET"}, {"headers": ("Host",)}, {"headers": ("a b",)}, {"redirects": -1},
     {"max_body": "1"}, {"secrets": "KEY"}, {"secrets": ("a-b",)}, {"secrets": {"Host": "A"}}, {"secrets": {"X-A": "a-b"}}, {"secrets": {"X-A": 1}}],
)  # fmt: skip
def test_a_bad_part_of_a_rule_is_an_error(options):
    with pytest.raises(ValueError, match=r"HttpRule|header"):
        HttpRule(URL, **options)


def test_the_result_is_that_of_tein(context):
    made = context(transport=Script())
    assert written(made, f'(http-get "{URL}" \'())') == (
        '((status . 200) (headers ("content-type" . "text/plain") ("x-ü" . "") ("a" . "1") ("a" . "2")) (body . "ok"))'
    )


def test_each_procedure_sends_its_method(context):
    transport = Script()
    made = context(transport=transport)
    made.eval(f"""
      (define u "{URL}")
      (http-get u '()) (http-delete u '() 5) (http-post u '() "b") (http-put u '() "b" 5)
      (http-request "PATCH" u '() "b") (http-request "HEAD" u '() "ignored") (http-request "TRACE" u '() #f)
      (http-request "OPTIONS" u '() #f) (http-post u '() 'none) (http-post u '() (bytevector 0 255))
      (http-post-json u '() '(("a" . 1)))""")
    assert [(item.method, item.body) for item in transport.asked] == [
        ("GET", b""), ("DELETE", b""), ("POST", b"b"), ("PUT", b"b"), ("PATCH", b"b"), ("HEAD", b""), ("TRACE", b""),
        ("OPTIONS", b""), ("POST", b""), ("POST", b"\0\xff"), ("POST", b'{"a":1}'),
    ]  # fmt: skip
    assert transport.asked[-1].headers == (("Content-Type", "application/json"),)


def test_entries_of_headers_that_are_no_strings_are_skipped(context):
    transport = Script()
    context(transport=transport).eval(f'(http-get "{URL}" \'(("A" . "1") (b . "2") ("c" . 3) x ("D" "4") ("E" . "5")))')
    assert transport.asked[0].headers == (("A", "1"), ("E", "5"))


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("5", 5),
        ("1/2", 0.5),
        ("0.25", 0.25),
        ("0", 0.001),
        ("-3", 0.001),
        ("'x", 30),
        ("+nan.0", 30),
        ("+inf.0", 86400),
    ],
)
def test_a_timeout_is_seconds_of_any_kind(context, given, seconds):
    transport = Script()
    made = context(transport=transport)
    if seconds < 0.01:
        time.sleep(0)
    try:
        made.eval(f'(http-get "{URL}" \'() {given})')
    except SchemeError as error:
        assert (error.kind, seconds) == ("timeout", 0.001)
    else:
        assert transport.asked[0].timeout == pytest.approx(seconds, abs=0.1)


def test_a_body_comes_as_a_bytevector_on_request(context):
    transport = Script(HttpResponse(200, (), b"\x00\xff"))
    made = context(transport=transport)
    for call in (f"(http-get \"{URL}\" '() 'bytevector)", f"(http-post \"{URL}\" '() #f 5 'bytevector)"):
        assert made.eval(f"(http-body {call})") == b"\x00\xff"
    with pytest.raises(SchemeError, match="ask for it as a bytevector") as caught:
        made.eval(f'(http-get "{URL}" \'())')
    assert caught.value.kind == "protocol"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain; charset=ISO-8859-1", b"\xe9"),
        ('text/plain; charset="utf-8"', "é".encode()),
        ("x; charset=idna", "é".encode()),
    ],
)
def test_text_is_read_in_the_charset_of_the_response(context, kind, body):
    made = context(transport=Script(HttpResponse(200, {"Content-Type": kind}, body)))
    assert made.eval(f'(http-body (http-get "{URL}" \'()))') == "é"


def test_helpers_read_a_response(context):
    made = context(transport=Script(HttpResponse(404, {"ETag": "x"}, b'{"a": [1, null]}')))
    made.eval(f'(define r (http-get "{URL}" \'()))')
    assert written(made, '(list (http-status r) (http-header r "ETAG") (http-header r "b") (http-json r))') == (
        '(404 "x" #f (("a" 1 null)))'
    )


def test_failures_are_conditions_with_a_kind(context, serve, respond):
    big = serve(respond(200, b"x" * 100))
    rules = (URL, "http://127.0.0.1:1/", HttpRule(big.url, max_body=10))
    made = context(rules)
    made.eval("""(define (kind-of thunk)
      (guard (e ((http-error? e) (list (http-error-kind e) (string? (error-object-message e))))
                (#t 'other))
        (thunk)))""")
    assert written(made, '(kind-of (lambda () (http-get "http://other.test/" \'())))') == "(blocked #t)"
    assert written(made, '(kind-of (lambda () (http-get "http://127.0.0.1:1/" \'())))') == "(connect #t)"
    assert written(made, f'(kind-of (lambda () (http-get "{big.url}" \'())))') == "(too-large #t)"
    assert written(made, "(kind-of (lambda () (car '())))") == "other"
    assert written(made, "(http-error-kind 'x)") == "#f"


def test_wrong_types_are_errors_of_the_procedure(context):
    made = context(transport=Script())
    for call in ("(http-get 'x '())", "(http-request 'GET \"u\" '() #f)", "(http-post 1 '() #f)"):
        with pytest.raises(SchemeError, match="must be a string"):
            made.eval(call)


def test_a_rule_bounds_methods_headers_and_bodies(context):
    transport = Script(HttpResponse(200, (), b"x" * 50))
    rules = (
        HttpRule(URL, methods=("GET", "POST"), headers=("X-A",), max_body=20),
        HttpRule(URL + "big/", methods=("PUT",)),
    )
    made = context(rules, transport)
    with pytest.raises(HttpBlocked, match="method DELETE"):
        made.eval(f'(http-delete "{URL}" \'())')
    with pytest.raises(HttpBlocked, match="header 'X-B'"):
        made.eval(f'(http-get "{URL}" \'(("X-B" . "1")))')
    with pytest.raises(SchemeError, match="request's body exceeds 20"):
        made.eval(f'(http-post "{URL}" \'() (make-string 21 #\\a))')
    assert transport.asked == []
    with pytest.raises(SchemeError, match="response's body exceeds 20"):
        made.eval(f'(http-post "{URL}" \'(("x-a" . "1")) (make-string 20 #\\a))')
    assert made.eval(f'(http-status (http-put "{URL}big/x" \'() (make-string 21 #\\a)))') == 200


def test_too_many_header_bytes_are_not_sent(context):
    transport = Script()
    with pytest.raises(SchemeError, match="headers exceed"):
        context(transport=transport).eval(f'(http-get "{URL}" (list (cons "A" (make-string 40000 #\\a))))')
    assert transport.asked == []


def test_a_transport_that_answers_something_else_is_told(context):
    with pytest.raises(TypeError, match="HttpResponse"):
        context(transport=lambda request: "ok").eval(f'(http-get "{URL}" \'())')


def test_an_exception_of_the_transport_comes_out_as_itself(context):
    def broken(request):
        raise KeyError("gone")

    with pytest.raises(KeyError):
        context(transport=broken).eval(f'(http-get "{URL}" \'())')


# Waiting


@pytest.fixture
def silent(serve):
    """A server that never answers."""

    def talk(connection, asked):
        while not server.stopping.wait(0.02):
            pass

    server = serve(talk)
    return server


def test_the_runs_timeout_ends_a_request_and_cannot_be_caught(context, silent):
    made = context((silent.url,), limits=Limits(timeout=0.3))
    start = time.monotonic()
    with pytest.raises(RunTimeout):
        made.eval(f"(guard (e (#t 'caught)) (http-get \"{silent.url}\" '()))")
    assert time.monotonic() - start < 2
    assert made.eval("(+ 1 2)") == 3


def test_an_interrupt_ends_a_request(context, silent):
    made = context((silent.url,))

    def interrupt():
        while not silent.asked:
            time.sleep(0.005)
        made.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    start = time.monotonic()
    with pytest.raises(Interrupted):
        made.eval(f"(guard (e (#t 'caught)) (http-get \"{silent.url}\" '()))")
    assert time.monotonic() - start < 5
    thread.join(5)
    assert made.eval("(+ 1 2)") == 3


def test_other_threads_run_while_a_request_waits(context, silent):
    made = context((silent.url,))
    counted = 0
    stop = threading.Event()

    def count():
        nonlocal counted
        while not stop.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(SchemeError, match=r"0\.3 seconds"):
        made.eval(f'(http-get "{silent.url}" \'() 0.3)')
    stop.set()
    thread.join(5)
    assert counted > 10_000


def test_async_hosts_run_others_while_a_request_waits(context, serve, respond, silent):
    server = serve(respond(200, b"quick"))

    async def main():
        slow, quick = context((silent.url,)), context((server.url,))
        waiting = asyncio.create_task(slow.eval_async(f'(http-get "{silent.url}" \'() 5)'))
        while not silent.asked:
            await asyncio.sleep(0.01)
        body = await quick.eval_async(f'(http-body (http-get "{server.url}" \'()))')
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return body, await slow.eval_async("(+ 1 2)")

    assert asyncio.run(main()) == ("quick", 3)


def test_a_request_that_waits_for_a_thread_ends_at_its_deadline(context, silent, monkeypatch):
    monkeypatch.setattr("chibi_bridge.host.http.workers", Workers(1, "test-http"))

    async def main():
        first, second = context((silent.url,)), context((silent.url,))
        slow = asyncio.create_task(first.eval_async(f'(http-get "{silent.url}" \'() 5)'))
        while not silent.asked:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        with pytest.raises(SchemeError, match=r"0\.2 seconds"):
            await second.eval_async(f'(http-get "{silent.url}" \'() 0.2)')
        assert time.monotonic() - start < 2
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow

    asyncio.run(main())


def test_async_failures_timeouts_and_interrupts(context, silent):
    async def main():
        made = context((silent.url,), limits=Limits(timeout=0.4))
        with pytest.raises(SchemeError, match=r"0\.1 seconds") as caught:
            await made.eval_async(f'(http-get "{silent.url}" \'() 0.1)')
        assert caught.value.kind == "timeout"
        with pytest.raises(HttpBlocked):
            await made.eval_async('(http-get "http://other.test/" \'())')
        with pytest.raises(RunTimeout):
            await made.eval_async(f"(guard (e (#t 'caught)) (http-get \"{silent.url}\" '()))")
        asyncio.get_running_loop().call_later(0.1, made.interrupt)
        with pytest.raises(Interrupted):
            await made.eval_async(f"(guard (e (#t 'caught)) (http-get \"{silent.url}\" '()))")
        return await made.eval_async("(+ 1 2)")

    assert asyncio.run(main()) == 3


def test_an_async_transport_is_awaited_by_async_hosts_only(context):
    async def transport(request):
        await asyncio.sleep(0)
        return HttpResponse(200, (), b"awaited")

    made = context(transport=transport)
    call = f'(http-body (http-get "{URL}" \'()))'
    assert asyncio.run(made.eval_async(call)) == "awaited"
    with pytest.raises(TypeError, match="async"):
        made.eval(call)


def test_a_stepped_run_answers_requests_or_hands_them_out(context):
    made = context(transport=Script())
    run = made.start(f'(http-body (http-get "{URL}" \'()))')
    assert run.advance() == Done("ok")
    run = made.start(f'(http-status (http-get "{URL}" \'()))')
    step = run.advance(auto=False)
    assert isinstance(step, HostCall)
    assert (step.op, step.args[:2]) == ("http-request", ["GET", URL])
    run.resume([204, [], ""])
    assert run.advance() == Done(204)


def test_a_stepped_run_ends_at_its_timeout(context, silent):
    made = context((silent.url,), limits=Limits(timeout=0.3))
    step = made.start(f"(guard (e (#t 'caught)) (http-get \"{silent.url}\" '()))").advance()
    assert isinstance(step, Failed)
    assert isinstance(step.error, RunTimeout)


# Connections


def test_connections_are_kept_and_lost_ones_replaced(context, serve, respond):
    def talk(connection, asked):
        connection.sendall(respond(200, b"ok"))
        if asked.target == "/last":
            connection.close()

    server = serve(talk)
    made = context((server.url,))
    for path in ("a", "b", "last", "c", "last", "d"):
        assert made.eval(f'(http-body (http-get "{server.url}{path}" \'()))') == "ok"
    assert server.accepted == 3


def test_a_request_that_changes_things_is_never_sent_twice(context, serve, respond):
    def talk(connection, asked):
        if len(server.asked) == 1:
            connection.sendall(respond(200, b"ok"))
        else:
            connection.close()

    server = serve(talk)
    made = context((server.url,))
    made.eval(f'(http-get "{server.url}" \'())')
    with pytest.raises(SchemeError, match="closed the connection"):
        made.eval(f'(http-post "{server.url}" \'() "once")')
    assert [item.method for item in server.asked] == ["GET", "POST"]


def test_a_context_that_is_dropped_leaves_no_connection_behind(serve, respond):
    server = serve(respond(200, b"ok"))
    context = Context(Policy(http_allow=(server.url,)))
    context.owned = True  # as those of tools, which nobody closes
    context.import_("(tein http)")
    context.eval(f'(http-get "{server.url}" \'())')
    idle = context._host.network()._idle
    assert len(idle) == 1
    del context
    gc.collect()
    assert idle == []


def test_what_a_server_sends_unasked_is_not_the_next_response(context, serve, respond):
    server = serve(respond(200, b"one") + respond(200, b"smuggled"))
    made = context((server.url,))
    for _ in range(3):
        assert made.eval(f'(http-body (http-get "{server.url}" \'()))') == "one"


def test_a_network_serves_several_contexts_at_once(make_context, serve, respond):
    server = serve(respond(200, b"ok"))
    problems = []
    with HttpNetwork() as network:

        def work():
            context = Context(Policy(http_allow=(server.url,)), transport=network)
            with context:
                context.import_("(tein http)")
                for _ in range(10):
                    if context.eval(f'(http-status (http-get "{server.url}" \'()))') != 200:
                        problems.append("status")

        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert problems == []
    assert len(server.asked) == 120


# Recordings

TOOL = """
(import (tein http))
(define tool-name "fetch")
(define tool-description "Fetch.")
(define tool-parameters '((path (type . "string") (description . "where"))))
(define (tool-execute args)
  (http-body (http-get (string-append "%s" (cdr (assoc "path" args)))
                       '(("Authorization" . "Bearer {{env:KEY}}")))))
"""


def test_a_recording_is_replayed_offline_without_secrets(make_context, serve, respond, tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", "s3cr3t")

    def talk(connection, asked):
        connection.sendall(respond(200, f"{len(server.asked)} {asked.headers['authorization']}".encode()))

    server = serve(talk)
    policy = Policy(http_allow=(HttpRule(server.url, secrets={"Authorization": "KEY"}),))
    call = f'(http-body (http-get "{server.url}" \'(("Authorization" . "{{{{env:KEY}}}}"))))'
    file = tmp_path / "run.jsonl"
    recorder = HttpRecorder(file)
    recorded = make_context(policy, transport=recorder)
    recorded.import_("(tein http)")
    answers = [recorded.eval(call) for _ in range(2)]
    recorder.close()
    server.close()
    assert answers == ["1 {{env:KEY}}", "2 {{env:KEY}}"]
    assert "s3cr3t" not in file.read_text("utf-8")
    replayed = make_context(policy, transport=HttpReplay(file))
    replayed.import_("(tein http)")
    assert [replayed.eval(call) for _ in range(3)] == [*answers, answers[-1]]
    with pytest.raises(SchemeError, match="has no answer to GET"):
        replayed.eval(f'(http-get "{server.url}other" \'())')


def test_a_recording_holds_no_credentials(make_context, tmp_path):
    file = tmp_path / "run.jsonl"
    response = HttpResponse(200, {"X-Echo": "key-123"}, b"you sent key-123")
    recorder = HttpRecorder(file, Script(response), hide={"T212_KEY": "key-123"})
    call = f"""(http-get "{URL}?apikey=key-123"
                 '(("Authorization" . "Basic abc") ("X-Api-Key" . "xyz") ("Cookie" . "sid=1") ("Accept" . "a/b")))"""
    context = make_context(Policy(http_allow=(URL,)), transport=recorder)
    context.import_("(tein http)")
    asked = context.eval(f"(http-body {call})")
    text = file.read_text("utf-8")
    assert asked == "you sent key-123"
    assert not [word for word in ("key-123", "Basic abc", "xyz", "sid=1") if word in text]
    assert '["Accept", "a/b"]' in text
    assert file.stat().st_mode & 0o777 == 0o600
    replayed = make_context(Policy(http_allow=(URL,)), transport=HttpReplay(file, hide={"T212_KEY": "another"}))
    replayed.import_("(tein http)")
    assert replayed.eval(f"(http-body {call.replace('key-123', 'another')})") == "you sent {{env:T212_KEY}}"


def test_failures_are_recorded_too(make_context, serve, respond, tmp_path):
    file, big = tmp_path / "run.jsonl", serve(respond(200, b"x" * 100))
    rules = (HttpRule(big.url, max_body=10), "http://127.0.0.1:1/", "http://inside.test/")
    network = HttpNetwork(resolver=lambda host, port: ["10.0.0.1"])
    kinds = []
    for make in (lambda: HttpRecorder(file, network), lambda: HttpReplay(file)):
        context = make_context(Policy(http_allow=rules), transport=make())
        context.import_("(tein http)")
        for url in (big.url, "http://127.0.0.1:1/", "http://inside.test/"):
            with pytest.raises(SchemeError) as caught:
                context.eval(f'(http-get "{url}" \'())')
            kinds.append((caught.value.kind, caught.value.message))
    assert kinds[:3] == kinds[3:]
    assert [kind for kind, _ in kinds[:3]] == ["too-large", "connect", "blocked"]


def test_threads_may_share_a_recorder(tmp_path):
    file = tmp_path / "run.jsonl"
    recorder = HttpRecorder(file, lambda request: HttpResponse(200, (), request.url.encode() * 2000))
    asking = [
        threading.Thread(target=lambda n=n: [recorder(HttpRequest("GET", f"{URL}{n}")) for _ in range(20)])
        for n in range(8)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(30)
    assert len(file.read_text("utf-8").splitlines()) == 160
    replay = HttpReplay(file)
    assert replay(HttpRequest("GET", f"{URL}7")).body == f"{URL}7".encode() * 2000


def test_no_repr_shows_a_secret():
    rule = HttpRule(URL, secrets={"A": "KEY"})
    request = HttpRequest("GET", f"{URL}?k=s3cr3t", (("A", "s3cr3t"),), b"s3cr3t", 1.0, {"KEY": "s3cr3t"})
    for shown in (repr(rule), repr(request), repr(Policy(http_allow=(rule,)))):
        assert "s3cr3t" not in shown
        assert "KEY" in shown


def test_bytes_survive_a_recording(make_context, tmp_path):
    file = tmp_path / "run.jsonl"
    recorder = HttpRecorder(file, Script(HttpResponse(200, (), b"\xff\0")))
    for transport in (recorder, None):
        context = make_context(Policy(http_allow=(URL,)), transport=transport or HttpReplay(file))
        context.import_("(tein http)")
        assert context.eval(f"(http-body (http-post \"{URL}\" '() (bytevector 254) 'bytevector))") == b"\xff\0"


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"request": {}, "response": {}}', "[]", "[" * 5000])
def test_what_is_no_recording_is_told(tmp_path, text):
    file = tmp_path / "run.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="no line of a recording"):
        HttpReplay(file)


def test_the_command_line_records_and_replays(serve, respond, tmp_path):
    server = serve(respond(200, b"from the net"))
    tool, config, file = tmp_path / "fetch.scm", tmp_path / "config.toml", tmp_path / "run.jsonl"
    tool.write_text(TOOL.replace("%s", server.url).replace("{{env:KEY}}", "x"), encoding="utf-8")
    config.write_text(f'[tools.http.allow]\n"/tools/shared/" = ["{server.url}"]\n', encoding="utf-8")

    def run(*options: str):
        return CliRunner().invoke(
            group, ["run", str(tool), "--config", str(config), "--arg", "path=x", "--yes", *options]
        )

    assert run("--record", str(file)).output == "from the net\n"
    server.close()
    assert run("--replay", str(file)).output == "from the net\n"
    assert run().exit_code == 1
    assert run("--record", str(file), "--replay", str(file)).exit_code == 2
    assert run("--replay", str(tmp_path / "none")).exit_code == 2


def test_tools_ask_the_transport_they_were_loaded_with(tmp_path):
    tool = tmp_path / "fetch.scm"
    tool.write_text(TOOL.replace("%s", URL).replace("{{env:KEY}}", "x"), encoding="utf-8")
    for isolation in ("file", "call"):
        transport = Script()
        tools = load_tools(tool, http_allow=(URL,), transport=transport, isolation=isolation)
        assert tools[0].call({"path": "a"}).text == "ok"
        assert [item.url for item in transport.asked] == [URL + "a"]
        tools.close()


def test_a_configuration_names_the_certificates(serve, respond, certificates, tmp_path):
    server = serve(respond(200, b"safe"), certificates.context("127.0.0.1"))
    tool, config, record = tmp_path / "fetch.scm", tmp_path / "config.toml", tmp_path / "run.jsonl"
    tool.write_text(TOOL.replace("%s", server.url).replace("{{env:KEY}}", "x"), encoding="utf-8")
    allow = f'[tools.http.allow]\n"/tools/shared/" = ["{server.url}"]\n'

    def run(*options: str):
        words = ["run", str(tool), "--config", str(config), "--arg", "path=x", "--yes", *options]
        return CliRunner().invoke(group, words)

    config.write_text(allow, encoding="utf-8")
    assert "certificate" in run().stderr
    config.write_text(f'[tools.http]\nca_file = "{certificates.file}"\n{allow}', encoding="utf-8")
    assert run().output == "safe\n"
    assert run("--record", str(record)).output == "safe\n"


def test_urllib3_is_imported_at_the_first_request_only(tmp_path: Path):
    import subprocess
    import sys

    code = "import sys, chibi_bridge; print([m for m in ('urllib3', 'ssl', 'http.client') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "[]\n", "")
