"""Recordings of requests: kept while a program runs, answered from without a network.

A recording is a text file with a JSON object per line: the request as the program
wrote it (secrets are placeholders, what looks like a credential is taken out) and
its response or its failure. Bodies that are no UTF-8 text stand in base64 under
"base64".
"""

from __future__ import annotations

import json
import os
import re
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host.http_message import KINDS, HttpFailure, HttpRequest, HttpResponse, redact
from chibi_bridge.host.http_network import HttpNetwork
from chibi_bridge.host.http_rule import PLACEHOLDER

Transport = Callable[[HttpRequest], object]


CREDENTIAL = re.compile(r"auth|cookie|key|token|secret|passw|session|signature", re.IGNORECASE)
"""Names of request headers whose values a recording does not hold."""
REMOVED = "(removed)"

Answer = HttpResponse | HttpFailure | HttpBlocked


class HttpRecorder:
    """A transport that asks another one and keeps each exchange in a file, which starts empty.

    `transport` is the one to ask; without it the network is. `hide` maps names to
    values that stand as `{{env:NAME}}` in the file: those that a program was given,
    say by `tools.env`. Secrets of rules, and the values of request headers that look
    like credentials, are never kept. May be shared between threads.
    """

    blocking = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        transport: Transport | None = None,
        *,
        hide: Mapping[str, str] | None = None,
    ) -> None:
        self._path = Path(path)
        os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        self._hide = dict(hide or {})
        self._lock = threading.Lock()
        self._own: Callable[[], None] | None = None
        if transport is None:
            network = HttpNetwork()
            transport, self._own = network, network.close
        self._transport = transport

    def close(self) -> None:
        """Close the network, where it is this recorder's own."""
        if self._own is not None:
            self._own()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Ask, keep, answer."""
        try:
            response = self._transport(request)
        except (HttpFailure, HttpBlocked) as failure:
            self._keep(request, failure)
            raise
        if not isinstance(response, HttpResponse):
            raise TypeError(f"a transport answers an HttpResponse: {response!r}")
        self._keep(request, response)
        return response

    def _keep(self, request: HttpRequest, answer: Answer) -> None:
        secrets = {**self._hide, **request.secrets}
        plain = replace(request, secrets=secrets).redacted()
        line = json.dumps(entry(plain, without(answer, secrets)), ensure_ascii=False) + "\n"
        with self._lock, self._path.open("ab") as file:
            file.write(line.encode("utf-8", "surrogatepass"))


class HttpReplay:
    """A transport that answers from a recording: like requests in the order they were recorded.

    Method, URL and body make requests alike. The last answer to a request is given
    again where it is asked for more often; one that was never recorded fails. `hide`
    is what was hidden when it was recorded. Raises ValueError for a file that is no
    recording.
    """

    def __init__(self, path: str | os.PathLike[str], *, hide: Mapping[str, str] | None = None) -> None:
        self._name = str(path)
        self._hide = dict(hide or {})
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str, bytes], list[Answer]] = {}
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                try:
                    key, answer = read_entry(json.loads(line))
                except (ValueError, TypeError, KeyError, RecursionError) as error:
                    raise ValueError(f"{path}:{number}: no line of a recording: {error}") from error
                self._answers.setdefault(key, []).append(answer)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The recorded answer."""
        plain = replace(request, secrets={**self._hide, **request.secrets}).redacted()
        with self._lock:
            answers = self._answers.get((plain.method, plain.url, plain.body))
            if not answers:
                raise HttpFailure("connect", f"the recording {self._name} has no answer to {plain.method} {plain.url}")
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, HttpFailure):
            raise HttpFailure(str(answer.extra), answer.message.removeprefix("http: "))
        if isinstance(answer, HttpBlocked):
            raise HttpBlocked(answer.message)
        return answer


def without(answer: Answer, secrets: Mapping[str, str]) -> Answer:
    """An answer with placeholders where it repeats a secret."""
    if isinstance(answer, HttpResponse):
        return answer.redacted(secrets)
    text = redact(answer.message, secrets)
    if isinstance(answer, HttpBlocked):
        return HttpBlocked(text)
    return HttpFailure(str(answer.extra), text.removeprefix("http: "))


def kept_header(name: str, value: str) -> list[str]:
    """A request's header as a recording has it."""
    hidden = CREDENTIAL.search(name) is not None and PLACEHOLDER.search(value) is None
    return [name, REMOVED if hidden else value]


def entry(request: HttpRequest, answer: Answer) -> dict[str, object]:
    """An exchange as JSON."""
    made: dict[str, object] = {
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": [kept_header(*pair) for pair in request.headers],
            **body_entry(request.body),
        }
    }
    if isinstance(answer, HttpResponse):
        made["response"] = {
            "status": answer.status,
            "headers": [list(pair) for pair in answer.headers],
            **body_entry(answer.body),
        }
    else:
        kind = "blocked" if isinstance(answer, HttpBlocked) else str(answer.extra)
        made["failure"] = {"kind": kind, "message": answer.message}
    return made


def body_entry(body: bytes) -> dict[str, str]:
    """A body as text where it is some."""
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": b64encode(body).decode("ascii")}


def read_entry(data: dict[str, dict[str, object]]) -> tuple[tuple[str, str, bytes], Answer]:
    """The key and the answer of a line."""
    request = data["request"]
    key = (str(request["method"]), str(request["url"]), read_body(request))
    if "failure" in data:
        return key, read_failure(data["failure"])
    response = data["response"]
    headers = tuple((str(name), str(value)) for name, value in response["headers"])  # type: ignore[attr-defined]
    status = response["status"]
    if not isinstance(status, int):
        raise ValueError(f"the status is no number: {status!r}")
    return key, HttpResponse(status, headers, read_body(response))


def read_failure(data: dict[str, object]) -> HttpFailure | HttpBlocked:
    """A failure of a line."""
    kind, message = str(data["kind"]), str(data["message"])
    if kind not in KINDS:
        raise ValueError(f"no kind of a failure: {kind[:40]!r}")
    return HttpBlocked(message) if kind == "blocked" else HttpFailure(kind, message.removeprefix("http: "))


def read_body(data: dict[str, object]) -> bytes:
    """A body out of either form."""
    if "base64" in data:
        return b64decode(str(data["base64"]), validate=True)
    return str(data["body"]).encode()
