"""The network of a campaign: it answers from a list and carries nothing out."""

from __future__ import annotations

from collections.abc import Sequence

from chibi_bridge.fuzz.plan import Response
from chibi_bridge.host.http import HttpRequest, HttpResponse
from chibi_bridge.host.http_message import HttpFailure

__all__ = ["Simulator"]


class Simulator:
    """A transport that answers with `responses` in turn, the last one again and again.

    A response slower than the request's time is a timeout; nobody waits for it.

    >>> Simulator([Response(404)])(HttpRequest("GET", "https://example.com/")).status
    404
    """

    def __init__(self, responses: Sequence[Response] = ()) -> None:
        self.responses = list(responses) or [Response()]
        self.requests: list[HttpRequest] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.responses[min(len(self.requests), len(self.responses) - 1)]
        self.requests.append(request)
        if request.timeout is not None and response.seconds > request.timeout:
            raise HttpFailure("timeout", "simulated: no complete response in time")
        if response.failure is not None:
            raise HttpFailure(response.failure, f"simulated: {response.failure}")
        return HttpResponse(response.status, response.headers, response.body)
