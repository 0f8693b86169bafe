"""What a campaign is about and what it finds: plain data, which travels between processes.

A Plan names a tool file and how it is run; a Finding is one fault with the smallest
call that shows it. Both can be pickled; nothing here knows hypothesis.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from chibi_bridge.errors import ConfigError
from chibi_bridge.policy import Limits
from chibi_bridge.tools.config import Config

__all__ = ["ORACLES", "Example", "Finding", "Plan", "Response", "Verdict"]

ORACLES = {
    "condition": "raises a condition that it does not raise on purpose",
    "returns": "breaks its declared `returns` schema",
    "examples": "does not do what its `examples` say",
    "limit": "exceeds a limit",
    "secret": "shows a forwarded secret in its output",
    "url": "asks for a URL outside its grant",
    "determinism": "answers differently for the same arguments in fresh contexts",
    "state": "keeps state from one call to another",
    "reference": "differs from the reference",
    "property": "breaks a property",
    "refusal": "refuses every call with a value that its schema declares",
    "crash": "ends the engine's process",
}
"""What is looked for, by the names that `ignore` takes."""

FUZZ_LIMITS = Limits(fuel=10_000_000, timeout=10.0)


@dataclass(frozen=True, slots=True)
class Response:
    """What the simulated network answers to one request: a response, or a failure of that kind."""

    status: int = 200
    body: bytes = b"{}"
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    failure: str | None = None
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        """The response as JSON; a body that is no UTF-8 text in hexadecimal."""
        try:
            body: dict[str, object] = {"body": self.body.decode()}
        except UnicodeDecodeError:
            body = {"hex": self.body.hex()}
        return {
            "status": self.status,
            "headers": [list(pair) for pair in self.headers],
            **body,
            "failure": self.failure,
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Response:
        """What `as_json` made."""
        body = bytes.fromhex(str(data["hex"])) if "hex" in data else str(data.get("body", "")).encode()
        given = data.get("headers")
        headers = tuple((str(name), str(value)) for name, value in given) if isinstance(given, list) else ()
        status, seconds = data.get("status", 200), data.get("seconds", 0.0)
        if not isinstance(status, int) or not isinstance(seconds, (int, float)):
            raise ValueError(f"no response: {data!r}")
        failure = data.get("failure")
        return cls(status, body, headers, None if failure is None else str(failure), float(seconds))


@dataclass(frozen=True, slots=True)
class Example:
    """One call to try: the arguments, the calls before it in the same context, what the network answers."""

    tool: str
    arguments: dict[str, object]
    before: tuple[dict[str, object], ...] = ()
    responses: tuple[Response, ...] = ()

    def size(self) -> tuple[int, str]:
        """What makes one example smaller than another."""
        data = [list(self.before), self.arguments, [item.as_json() for item in self.responses]]
        text = json.dumps(data, sort_keys=True, default=repr)
        return len(text), text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an oracle says about one call. `signature` is the same for the same fault."""

    oracle: str
    message: str
    signature: str
    location: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: the oracle's words, and the smallest call (or the values of a property) that shows it."""

    file: str
    oracle: str
    message: str
    signature: str
    tool: str = ""
    arguments: dict[str, object] = field(default_factory=dict)
    before: tuple[dict[str, object], ...] = ()
    responses: tuple[Response, ...] = ()
    location: str | None = None
    name: str | None = None
    values: dict[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """A short name that is the same for the same fault."""
        text = f"{Path(self.file).name}|{self.tool}|{self.oracle}|{self.signature}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def as_json(self) -> dict[str, object]:
        """The finding as a JSON object."""
        made = {key: value for key, value in asdict(self).items() if key != "responses"}
        return {**made, "id": self.identity, "responses": [item.as_json() for item in self.responses]}


@dataclass(frozen=True, slots=True)
class Plan:
    """A tool file under test: its text, what it is granted, what to compare it with, what to look for.

    `reference` is (file, text) of another tool file with tools of the same names, or
    a callable of the arguments' dict whose answer is what the tool's JSON value is
    to be. `properties` are (file, text) of *-props.scm files. `transport` answers HTTP in
    place of the simulator.
    """

    file: str
    source: str
    vfs_path: str
    config: Config | None = None
    http_allow: tuple[object, ...] | None = None
    env: Mapping[str, str] | None = None
    limits: Limits = FUZZ_LIMITS
    reference: tuple[str, str] | Callable[[dict[str, object]], object] | None = None
    properties: tuple[tuple[str, str], ...] = ()
    ignore: frozenset[str] = frozenset()
    transport: Callable[..., object] | None = None

    @classmethod
    def of(
        cls,
        file: str | Path,
        *,
        vfs_path: str | None = None,
        config: Config | None = None,
        http_allow: tuple[object, ...] | None = None,
        env: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        against: str | Path | Callable[[dict[str, object]], object] | None = None,
        properties: tuple[str | Path, ...] | None = None,
        ignore: frozenset[str] = frozenset(),
        transport: Callable[..., object] | None = None,
    ) -> Plan:
        """The plan for a file on the disk; `NAME-props.scm` beside it is read where `properties` is None.

        Raises OSError for what cannot be read, ConfigError for an unknown name in `ignore`.
        """
        path = Path(file)
        for name in sorted(ignore - set(ORACLES)):
            raise ConfigError(f"no oracle {name}; there are: {', '.join(ORACLES)}")
        if properties is None:
            beside = path.with_name(f"{path.stem}-props.scm")
            properties = (beside,) if beside.is_file() else ()
        reference = against if against is None or callable(against) else (str(against), text_of(Path(against)))
        return cls(
            file=str(path),
            source=text_of(path),
            vfs_path=vfs_path or f"/tools/shared/{path.name}",
            config=config,
            http_allow=http_allow,
            env=env,
            limits=limits or FUZZ_LIMITS,
            reference=reference,
            properties=tuple((str(item), text_of(Path(item))) for item in properties),
            ignore=ignore,
            transport=transport,
        )


def text_of(path: Path) -> str:
    """A file's text; UnicodeDecodeError where it is none."""
    return path.read_bytes().decode("utf-8")
