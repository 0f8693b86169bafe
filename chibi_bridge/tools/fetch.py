"""fetch_url: a GET of a URL that the gate agreed to, through the broker.

The gate judges the URL that was asked for; each redirect is judged here, like a
first URL that nobody was asked about: a public one, where the URL policy agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from chibi_bridge.errors import HttpBlocked
from chibi_bridge.host.http import FOLLOWED, Ask, Exchange, Watcher, exchange, resolve, text_of
from chibi_bridge.host.http_message import HttpFailure, HttpRequest, HttpResponse
from chibi_bridge.host.http_rule import HttpRule, RuleBook
from chibi_bridge.host.url import Url, parse_url
from chibi_bridge.tools.addresses import classify, judge_url
from chibi_bridge.tools.config import Config

__all__ = ["FETCH_BYTES", "FETCH_SECONDS", "fetching", "text_of_page"]

FETCH_BYTES = 1 << 20
FETCH_SECONDS = 30.0
REDIRECTS = 5


def fetching(
    config: Config, url: str, most: int, seconds: float, guard: Callable[[], None]
) -> Generator[HttpRequest, HttpResponse, HttpResponse]:
    """The exchange of a page; yields what goes over the wire. Raises HttpBlocked, HttpFailure."""
    watcher = Watcher(seconds, guard)
    asked = parsed(url)
    here, private = asked, classify(url) is not None
    for _ in range(REDIRECTS + 1):
        response = yield from once(here, most, watcher, private=private)
        target = response.header("location")
        if response.status not in FOLLOWED or target is None:
            if response.status >= 400:
                raise HttpFailure("protocol", f"{here.text()[:200]} answered with status {response.status}")
            return response
        here = redirected(config, here, target)
        private = private and origin_of(here) == origin_of(asked)
    raise HttpBlocked(f"http request blocked: more than {REDIRECTS} redirects")


def once(url: Url, most: int, watcher: Watcher, *, private: bool) -> Exchange:
    """One request of an exchange, under a rule of its own."""
    rule = HttpRule(origin_of(url), methods=("GET",), allow_private=private, max_body=most)
    return (yield from exchange(RuleBook([rule]), Ask("GET", url.text(), (), b""), watcher))


def parsed(url: str) -> Url:
    """A URL, or HttpBlocked."""
    try:
        return parse_url(url)
    except ValueError as error:
        raise HttpBlocked(f"http request blocked: {error}") from None


def origin_of(url: Url) -> str:
    """The rule for a URL's host."""
    return Url(url.scheme, url.host, url.port, "/", None).text()


def redirected(config: Config, here: Url, target: str) -> Url:
    """Where a redirect leads, judged."""
    url = parsed(resolve(here, target))
    text = url.text()
    if (here.scheme, url.scheme) == ("https", "http"):
        raise HttpBlocked(f"http request blocked: redirect to {text[:200]!r} refused: it leaves https")
    if config.url_policy is not None:
        reason = judge_url(config.url_policy, text)
    else:
        reason = None if origin_of(url) == origin_of(here) else classify(text)
    if reason is not None:
        raise HttpBlocked(f"http request blocked: redirect to {text[:200]!r} refused: {reason}")
    return url


def text_of_page(response: HttpResponse) -> str:
    """The page as text; what is no text in its charset is shown as far as it goes."""
    try:
        return text_of(response)
    except HttpFailure:
        return response.body.decode("utf-8", "replace")
