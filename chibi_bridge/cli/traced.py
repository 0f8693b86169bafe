"""A tool call with its trace: recorded by `run --trace`, had again by `replay`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from chibi_bridge.context import Context
from chibi_bridge.errors import ReplayError
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools.load import Session
from chibi_bridge.tools.tool import Tool, ToolResult
from chibi_bridge.trace import Replayer, Step, Trace

__all__ = ["Again", "again", "remember"]


class Stopped(BaseException):
    """The step to stop at is reached: no program, and no `except Exception`, catches this."""


@dataclass
class Again:
    """A replayed call: its result and the text of the recorded one, or where it was stopped."""

    text: str = ""
    result: ToolResult | None = None
    number: int | None = None
    stopped: Step | None = None
    frames: list[str] = field(default_factory=list)


def remember(trace: Trace, tool: Tool, args: Mapping[str, object], result: ToolResult) -> None:
    """Put into the trace all that a replay needs besides the answers."""
    session = tool.session
    assert isinstance(session, Session)
    policy = session.policy
    modules = policy.modules if isinstance(policy.modules, str) else list(policy.modules)
    trace.about = {
        "source": session.source,
        "file": session.file,
        "path": session.vfs_path,
        "isolation": session.isolation,
        "modules": modules,
        "allow": list(policy.allow),
        "http": policy.http_allow is not None,
        "seed": policy.seed,
        "limits": asdict(policy.limits),
        "tool": tool.name,
        "args": dict(args),
        "text": result.text,
    }


def again(trace: Trace, stop: int | None = None) -> Again:
    """Load the recorded file and call the recorded tool, answered by the trace."""
    about, done = trace.about, Again(number=stop)
    try:
        session = session_of(about)
        name, args, done.text = str(about["tool"]), about["args"], str(about["text"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError("the recording is not one of `run --trace`, or damaged") from error

    def at_stop(context: Context, step: Step) -> None:
        done.stopped = step
        done.frames = [str(frame) for frame in context.where()]
        raise Stopped

    session.tap = replayer = Replayer(trace, stop, at_stop)
    try:
        tools = session.load()
        tool = next((tool for tool in tools if tool.name == name), None)
        if tool is None:
            raise ReplayError(f"the recording's file has no tool {name}")
        done.result = tool.call(args)  # type: ignore[arg-type]
    except Stopped:
        return done
    finally:
        session.close()
    if isinstance(done.result.error, ReplayError):
        raise done.result.error
    replayer.finish()
    return done


def session_of(about: Mapping[str, object]) -> Session:
    """The recorded file under a policy like the recorded one; effects come from the trace."""
    modules = about["modules"]
    policy = Policy(
        modules=modules if isinstance(modules, str) else tuple(modules),  # type: ignore[arg-type]
        allow=tuple(about["allow"]),  # type: ignore[arg-type]
        limits=Limits(**about["limits"]),  # type: ignore[arg-type]
        http_allow=() if about["http"] else None,
        seed=about["seed"],  # type: ignore[arg-type]
    )
    return Session(
        str(about["source"]), str(about["path"]), str(about["file"]), policy, None, None,
        str(about["isolation"]),
    )  # fmt: skip
