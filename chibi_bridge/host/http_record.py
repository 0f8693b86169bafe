"""Recordings of requests: kept while a program runs, answered from without a network.

A recording is a text file with a JSON object per line: the request as the program
wrote it (secrets are placeholders) and its response. Bodies that are no UTF-8 text
stand in base64 under "base64".
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

from chibi_bridge.host.http_message import HttpFailure, HttpRequest, HttpResponse
from chibi_bridge.host.http_network import HttpNetwork

Transport = Callable[[HttpRequest], object]


class HttpRecorder:
    """A transport that asks another one and keeps each exchange in a file, which starts empty.

    `transport` is the one to ask; without it the network is.
    """

    blocking = True

    def __init__(self, path: str | os.PathLike[str], transport: Transport | None = None) -> None:
        self._path = Path(path)
        self._path.write_text("", encoding="utf-8")
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
        response = self._transport(request)
        if not isinstance(response, HttpResponse):
            raise TypeError(f"a transport answers an HttpResponse: {response!r}")
        line = json.dumps(entry(request.redacted(), response.redacted(request.secrets)), ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        return response


class HttpReplay:
    """A transport that answers from a recording: like requests in the order they were recorded.

    Method, URL and body make requests alike. The last answer to a request is given
    again where it is asked for more often; one that was never recorded fails.
    Raises ValueError for a file that is no recording.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = str(path)
        self._answers: dict[tuple[str, str, bytes], list[HttpResponse]] = {}
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    key, response = read_entry(json.loads(line))
                except (ValueError, TypeError, KeyError) as error:
                    raise ValueError(f"{path}:{number}: no line of a recording: {error}") from error
                self._answers.setdefault(key, []).append(response)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The recorded answer."""
        plain = request.redacted()
        answers = self._answers.get((plain.method, plain.url, plain.body))
        if not answers:
            raise HttpFailure("connect", f"the recording {self._name} has no answer to {plain.method} {plain.url}")
        return answers.pop(0) if len(answers) > 1 else answers[0]


def entry(request: HttpRequest, response: HttpResponse) -> dict[str, object]:
    """An exchange as JSON."""
    return {
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers],
            **body_entry(request.body),
        },
        "response": {
            "status": response.status,
            "headers": [list(pair) for pair in response.headers],
            **body_entry(response.body),
        },
    }


def body_entry(body: bytes) -> dict[str, str]:
    """A body as text where it is some."""
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": b64encode(body).decode("ascii")}


def read_entry(data: dict[str, dict[str, object]]) -> tuple[tuple[str, str, bytes], HttpResponse]:
    """The key and the response of a line."""
    request, response = data["request"], data["response"]
    headers = tuple((str(name), str(value)) for name, value in response["headers"])  # type: ignore[attr-defined]
    status = response["status"]
    if not isinstance(status, int):
        raise ValueError(f"the status is no number: {status!r}")
    return (
        (str(request["method"]), str(request["url"]), read_body(request)),
        HttpResponse(status, headers, read_body(response)),
    )


def read_body(data: dict[str, object]) -> bytes:
    """A body out of either form."""
    if "base64" in data:
        return b64decode(str(data["base64"]), validate=True)
    return str(data["body"]).encode()
