"""The broker against the independent node: the cases of section F."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chibi_bridge.host.http_message import HttpFailure, HttpRequest, HttpResponse
from chibi_bridge.satellite.broker import Grants, NetGrant
from tests.satellite.conftest import Satellite

Make = Callable[..., Satellite]
ZEROS = "00" * 32


class Upstream:
    """A network that answers from a list, and remembers what it was asked."""

    def __init__(self, *answers: HttpResponse | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[HttpRequest] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.asked.append(request)
        answer = self.answers.pop(0) if self.answers else HttpResponse(200, {"Content-Type": "text/plain"}, b"hi")
        if isinstance(answer, Exception):
            raise answer
        return answer


def grants(upstream: Upstream, **options: object) -> Grants:
    options.setdefault("hosts", ("api.example.test",))
    return Grants(net=NetGrant(**options), transport=upstream)  # type: ignore[arg-type]


def request(url: str, method: str = "GET", **more: object) -> dict[str, object]:
    return {"method": method, "url": url, "headers": {}, "body": {"bin": ""}, **more}


def test_F1_a_cap_call_with_a_wrong_token_while_answering_is_unauthorized(satellite: Make) -> None:
    assert satellite().code("kv.get", {"key": "k"}, token=ZEROS) == "unauthorized"
    assert satellite().code("kv.get", {"key": "k"}, token="") == "unauthorized"


def test_F3_after_the_answer_a_token_that_was_valid_is_unauthorized(satellite: Make) -> None:
    made = satellite()
    assert made.call("keep_token") == "kept"
    assert '"unauthorized"' in str(made.call("use_kept"))


def test_F4_a_capability_nobody_knows_is_unsupported_cap(satellite: Make) -> None:
    assert satellite().code("foo.bar", {}) == "unsupported_cap"


@pytest.mark.parametrize("args", [{}, {"path": 7}, None])
def test_F5_fs_read_without_path_is_invalid_argument(satellite: Make, args: object) -> None:
    assert satellite().code("fs.read", args) == "invalid_argument"


def test_F6_net_request_without_net_is_network_off(satellite: Make) -> None:
    assert satellite().code("net.request", request("https://api.example.test/")) == "network_off"


def test_F7_a_listed_host_answers_status_headers_in_lower_case_and_body(satellite: Make) -> None:
    upstream = Upstream(HttpResponse(200, (("Content-Type", "text/plain"), ("X-A", "1"), ("x-a", "2")), b"hi"))
    body = satellite(grants(upstream)).cap("net.request", request("https://api.example.test/x"))
    headers = {"content-type": "text/plain", "x-a": "1, 2"}
    assert body["value"] == {"status": 200, "headers": headers, "body": {"bin": b"hi".hex()}}
    assert [item.url for item in upstream.asked] == ["https://api.example.test/x"]


@pytest.mark.parametrize(
    ("case", "url"),
    [
        ("F8", "https://evil.test/"),
        ("F9", "http://api.example.test/"),
        ("F11", "https://api.example.test:8443/"),
        ("F12", "https://sub.api.example.test/"),
        ("F13", "https://user@api.example.test/"),
        ("suffix", "https://api.example.test.evil.test/"),
        ("backslash", "https://evil.test\\@api.example.test/"),
        ("no url", "::"),
    ],
)
def test_F8_to_F13_other_origins_are_not_allowed(satellite: Make, case: str, url: str) -> None:
    upstream = Upstream()
    assert satellite(grants(upstream)).code("net.request", request(url)) == "not_allowed", case
    assert upstream.asked == []


def test_F10_the_same_origin_written_otherwise_is_allowed(satellite: Make) -> None:
    upstream = Upstream()
    assert satellite(grants(upstream)).cap("net.request", request("https://API.example.test:443/"))["ok"] is True


def test_F11_a_port_that_is_listed_is_allowed(satellite: Make) -> None:
    made = satellite(grants(Upstream(), hosts=("api.example.test:8443",)))
    assert made.cap("net.request", request("https://api.example.test:8443/"))["ok"] is True
    assert made.code("net.request", request("https://api.example.test/")) == "not_allowed"


@pytest.mark.parametrize("method", ["POST", "BREW", "get"])
def test_F14_a_method_that_is_not_listed_is_not_allowed(satellite: Make, method: str) -> None:
    made = satellite(grants(Upstream()))
    assert made.code("net.request", request("https://api.example.test/", method)) == "not_allowed"


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.test"}, {"x-KEY": "mine"}, {"a": "b\r\nc: d"}, {"a": "{{env:KEY}}"}, {"Content-Length": "1"}],
)
def test_F15_F16_headers_that_an_extension_does_not_set(
    satellite: Make, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "s3cret")
    upstream = Upstream()
    made = satellite(grants(upstream, secrets=(("KEY", "api.example.test", "X-Key"),)))
    assert made.code("net.request", request("https://api.example.test/", headers=headers)) == "not_allowed"
    assert upstream.asked == []


def test_F17_a_bound_secret_that_is_not_set_refuses_before_anything_is_opened(
    satellite: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    upstream = Upstream()
    made = satellite(grants(upstream, secrets=(("KEY", "api.example.test", "X-Key"),)))
    assert made.code("net.request", request("https://api.example.test/")) == "not_allowed"
    assert upstream.asked == []


def test_F18_a_secret_reaches_the_upstream_and_never_the_node(satellite: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "s3cret-value")
    upstream = Upstream(HttpResponse(200, {"X-Echo": "s3cret-value"}, b"you sent s3cret-value"))
    made = satellite(grants(upstream, secrets=(("KEY", "api.example.test", "X-Key"),)))
    body = json.dumps(made.cap("net.request", request("https://api.example.test/")))
    assert dict(upstream.asked[0].headers)["X-Key"] == "s3cret-value"
    assert "s3cret-value" not in body
    assert b"s3cret-value".hex() not in body


def redirect(to: str, status: int = 302) -> HttpResponse:
    return HttpResponse(status, {"Location": to})


def test_F19_redirects(satellite: Make) -> None:
    made = satellite(grants(Upstream(redirect("https://other.test/")), hosts=("api.example.test", "other.test")))
    assert made.code("net.request", request("https://api.example.test/")) == "not_allowed"
    made = satellite(grants(Upstream(redirect("/1"), redirect("/2"), redirect("/3"))))
    assert made.code("net.request", request("https://api.example.test/")) == "not_allowed"
    upstream = Upstream(redirect("/seen", 303))
    made = satellite(grants(upstream, methods=("GET", "POST")))
    asked = request("https://api.example.test/", "POST", body={"bin": b"data".hex()})
    assert made.cap("net.request", asked)["ok"] is True
    assert [(item.method, item.body) for item in upstream.asked] == [("POST", b"data"), ("GET", b"")]
    body = satellite(grants(Upstream(HttpResponse(302)))).cap("net.request", request("https://api.example.test/"))
    assert body["value"]["status"] == 302  # type: ignore[index]


def test_F20_F21_a_body_too_large_and_a_silent_server_are_net_failed(satellite: Make) -> None:
    made = satellite(grants(Upstream(HttpResponse(200, (), b"x" * 101)), max_response_bytes=100))
    assert made.code("net.request", request("https://api.example.test/")) == "net_failed"
    made = satellite(grants(Upstream(HttpFailure("timeout", "no complete response"))))
    assert made.code("net.request", request("https://api.example.test/")) == "net_failed"


def test_F22_a_request_beyond_the_quota_of_an_invocation_is_quota_and_the_next_one_starts_from_zero(
    satellite: Make,
) -> None:
    made = satellite(grants(Upstream(), requests_per_call=2))
    asked = request("https://api.example.test/")
    assert '"quota"' in str(made.call("many", cap="net.request", args=asked, times=3))
    assert '"status": 200' in str(made.call("many", cap="net.request", args=asked, times=2))


def test_F23_kv_get_of_an_absent_key(satellite: Make) -> None:
    made = satellite()
    assert made.cap("kv.get", {"key": "k"}) == {"ok": True, "value": {"found": False, "value": {"bin": ""}}}
    assert made.cap("kv.set", {"key": "k", "value": {"bin": "00ff"}}) == {"ok": True, "value": {}}
    assert made.cap("kv.get", {"key": "k"})["value"] == {"found": True, "value": {"bin": "00ff"}}
    assert made.cap("kv.delete", {"key": "k"}) == {"ok": True, "value": {}}
    assert made.cap("kv.delete", {"key": "k"}) == {"ok": True, "value": {}}
    assert made.cap("kv.get", {"key": "k"})["value"] == {"found": False, "value": {"bin": ""}}


def test_F24_kv_set_of_256_KiB_and_1_is_an_error_and_the_oldest_go_where_it_is_too_much(satellite: Make) -> None:
    made = satellite()
    assert made.code("kv.set", {"key": "k", "value": {"bin": "00" * ((256 << 10) + 1)}}) == "too_large"
    store = made.host.broker.store
    for number in range(1_030):
        store.set(f"key {number}", b"x")
    assert store.get("key 0") is None
    assert store.get("key 1029") == b"x"
    for number in range(40):
        store.set(f"large {number}", b"x" * (255 << 10))
    assert store.get("large 0") is None
    assert store._total <= 8 << 20


def test_F25_reports(satellite: Make) -> None:
    made = satellite()
    report = {"name": "partial", "content_type": "text/plain", "bytes": {"bin": "00" * ((1 << 20) + 1)}}
    assert made.code("report.emit", report) == "too_large"
    small = {"name": "partial", "content_type": "text/plain", "bytes": {"bin": b"so far".hex()}}
    assert '"admission_ceiling"' in str(made.call("many", cap="report.emit", args=small, times=65))
    heard: list[bytes] = []
    args = json.dumps({"cap": "report.emit", "args": small, "times": 64})
    made.host.invoke(
        "tool", "many", {"args": args, "strand": ""}, 9000, on_report=lambda report: heard.append(report.data)
    )
    assert heard == [b"so far"] * 64


@pytest.mark.parametrize("key", ["", "a/b", "k" * 129])
def test_F26_keys_that_nothing_is_remembered_under(satellite: Make, tmp_path: Path, key: str) -> None:
    assert satellite(Grants(memory=tmp_path)).code("ext.remember", {"key": key, "value": "1"}) == "invalid_argument"


def test_F26_values_that_are_not_remembered(satellite: Make, tmp_path: Path) -> None:
    made = satellite(Grants(memory=tmp_path))
    assert made.code("ext.remember", {"key": "k", "value": "not json"}) == "invalid_argument"
    assert made.code("ext.remember", {"key": "k", "value": '"' + "x" * 65_535 + '"'}) == "too_large"
    assert satellite(Grants()).code("ext.remember", {"key": "k", "value": "1"}) == "memory_unavailable"


def test_F27_what_is_remembered_is_recalled_by_the_same_extension_only(satellite: Make, tmp_path: Path) -> None:
    made = satellite(Grants(memory=tmp_path))
    assert made.cap("ext.recall", {"key": "seen"})["value"] == {"found": False}
    assert made.cap("ext.remember", {"key": "seen", "value": "1"}) == {"ok": True, "value": {}}
    assert made.cap("ext.recall", {"key": "seen"})["value"] == {"found": True, "value": "1"}
    assert satellite(Grants(memory=tmp_path), "other").cap("ext.recall", {"key": "seen"})["value"] == {"found": False}
    assert satellite(Grants(memory=tmp_path)).cap("ext.recall", {"key": "seen"})["value"]["found"] is True  # type: ignore[index]


def test_F28_F29_F30_proc_run(satellite: Make) -> None:
    made = satellite(Grants(programs=("sh",)))
    body = made.cap("proc.run", {"argv": ["sh", "-c", "echo out; echo err >&2; exit 3"]})
    assert body["ok"] is True
    assert body["value"] == {
        "exit_code": 3,
        "stdout": "out\n",
        "stderr": "err\n",
        "stdout_truncated": False,
        "stderr_truncated": False,
        "timed_out": False,
    }
    unset = {"cwd": None, "env": {}, "stdin": None, "timeout_ms": None}
    assert made.cap("proc.run", {"argv": ["sh", "-c", "true"], **unset})["ok"] is True
    assert made.code("proc.run", {"argv": ["sh"], "cwd": "/"}) == "unsupported_argument"
    assert made.code("proc.run", {"argv": []}) == "invalid_argument"
    assert made.code("proc.run", {"argv": ["rm", "-rf", "/nowhere"]}) == "policy"
    assert satellite().code("proc.run", {"argv": ["sh"]}) == "policy"


def test_F31_fs_edit_whose_text_occurs_twice_changes_nothing(satellite: Make, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one two one")
    made = satellite(Grants(fs_write=(str(tmp_path),)))
    both = [{"find": "two", "replace_with": "2"}, {"find": "one", "replace_with": "1"}]
    assert made.code("fs.edit", {"path": str(file), "edits": both}) == "invalid_argument"
    assert file.read_text() == "one two one"
    assert made.cap("fs.edit", {"path": str(file), "edits": both[:1]}) == {"ok": True, "value": {}}
    assert file.read_text() == "one 2 one"


def test_files_are_granted_by_prefix_links_resolved(satellite: Make, tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir(), outside.mkdir()
    (inside / "a").write_text("file body")
    (outside / "b").write_text("secret")
    (inside / "link").symlink_to(outside / "b")
    made = satellite(Grants(fs_read=(str(inside),)))
    assert made.cap("fs.read", {"path": str(inside / "a")})["value"] == {"contents": "file body"}
    for path in (inside / "link", outside / "b", inside / ".." / "out" / "b"):
        assert made.code("fs.read", {"path": str(path)}) == "permission_denied"
    assert made.code("fs.read", {"path": str(inside / "nothing")}) == "not_found"
    assert made.code("fs.read", {"path": str(inside)}) == "wrong_kind"
    assert made.code("fs.list", {"path": str(inside / "a")}) == "not_a_directory"
    assert made.code("fs.write", {"path": str(inside / "a"), "contents": "x"}) == "permission_denied"
    names = [entry["name"] for entry in made.cap("fs.list", {"path": str(inside)})["value"]["entries"]]  # type: ignore[index]
    assert names == ["a", "link"]


def test_F32_a_7th_call_at_once_is_budget(satellite: Make) -> None:
    made = satellite(Grants(programs=("sleep",)))
    text = str(made.call("at_once", cap="proc.run", args={"argv": ["sleep", "0.5"]}, times=7))
    assert text == "ok ok ok ok ok ok budget"


def test_a_capability_call_ends_at_the_deadline_it_names(satellite: Make) -> None:
    made = satellite(Grants(programs=("sleep",)))
    assert made.code("proc.run", {"argv": ["sleep", "30"]}, ms=200) == "unsettled"
    assert made.call("echo", say="x") == "x"
