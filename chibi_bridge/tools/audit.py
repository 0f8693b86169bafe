"""One JSON line for each decision about a call, on the logger `chibi_bridge.audit`.

A line says who decided what about which tool, by names and hashes: never a value of
an argument, a query string or a variable, since any of them may be a secret.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

__all__ = ["logger", "note"]

logger = logging.getLogger("chibi_bridge.audit")


def note(
    decision: str,
    by: str,
    *,
    tool: str,
    category: str,
    context: str,
    chain: Iterable[str],
    arguments: Iterable[str],
    file: str | None,
    file_hash: str | None,
    url: object = None,
) -> None:
    """Write a line: `decision` is "allow" or "deny"; `by` who decided: policy, hook, remembered, person, nobody."""
    if not logger.isEnabledFor(logging.INFO):
        return
    line = {
        "decision": decision,
        "by": by,
        "tool": tool,
        "category": category,
        "context": context,
        "chain": list(chain),
        "arguments": sorted(arguments),
        "file": file,
        "file_hash": file_hash,
        "origin": origin(url),
    }
    logger.info("%s", json.dumps(line, ensure_ascii=True))


def origin(url: object) -> str | None:
    """Scheme, host and port of a URL; nothing of user, path, query or fragment."""
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.hostname}{port}" if parts.hostname else None
