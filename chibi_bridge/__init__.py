"""chibi_bridge: an embeddable, sandboxed R7RS Scheme engine for tools written by language models.

>>> from chibi_bridge import Context
>>> with Context() as ctx:
...     ctx.eval("(let loop ((i 0) (s 0)) (if (= i 10) s (loop (+ i 1) (+ s i))))")
45
"""

from typing import TYPE_CHECKING

from chibi_bridge import _snapshot as _snapshot  # gives Run its snapshots
from chibi_bridge._run import Done, Failed, HostCall, Outcome, Paused, Run
from chibi_bridge._sealing import register_reducer
from chibi_bridge._version import __version__
from chibi_bridge.context import Context, Image
from chibi_bridge.errors import (
    CompileError,
    ConfigError,
    ContextBusy,
    ContextClosed,
    ConversionError,
    Frame,
    FuelExhausted,
    HttpBlocked,
    ImageError,
    Interrupted,
    InvalidArguments,
    Location,
    MemoryExhausted,
    OutputExhausted,
    PermissionDenied,
    ReadError,
    ReplayError,
    RunTimeout,
    SandboxViolation,
    SchemeError,
    SchemeExit,
    ToolLoadError,
    UnboundVariable,
    UnknownTool,
    WrongArity,
    WrongType,
)
from chibi_bridge.host.http import HttpRequest, HttpResponse, HttpRule
from chibi_bridge.host.url import UrlAllowlist
from chibi_bridge.policy import Limits, Policy
from chibi_bridge.tools.config import Config, UrlPolicy
from chibi_bridge.tools.hooks import HookOutcome
from chibi_bridge.tools.load import ToolList, load_tools
from chibi_bridge.tools.registry import ToolRegistry
from chibi_bridge.tools.tool import Allow, Deny, PermissionRequest, Tool, ToolCategory, ToolResult
from chibi_bridge.tools.vfs import DirectoryVfs, MemoryVfs, VfsError
from chibi_bridge.values import EOF, Char, Opaque, Pair, Procedure, Record, Symbol, Values, Vector, to_dict

if TYPE_CHECKING:
    from chibi_bridge.host.http_network import HttpNetwork
    from chibi_bridge.host.http_record import HttpRecorder, HttpReplay
    from chibi_bridge.scheduler import Scheduler, Task
    from chibi_bridge.trace import Trace

__all__ = [
    "EOF",
    "Allow",
    "Char",
    "CompileError",
    "Config",
    "ConfigError",
    "Context",
    "ContextBusy",
    "ContextClosed",
    "ConversionError",
    "Deny",
    "DirectoryVfs",
    "Done",
    "Failed",
    "Frame",
    "FuelExhausted",
    "HookOutcome",
    "HostCall",
    "HttpBlocked",
    "HttpNetwork",
    "HttpRecorder",
    "HttpReplay",
    "HttpRequest",
    "HttpResponse",
    "HttpRule",
    "Image",
    "ImageError",
    "Interrupted",
    "InvalidArguments",
    "Limits",
    "Location",
    "MemoryExhausted",
    "MemoryVfs",
    "Opaque",
    "Outcome",
    "OutputExhausted",
    "Pair",
    "Paused",
    "PermissionDenied",
    "PermissionRequest",
    "Policy",
    "Procedure",
    "ReadError",
    "Record",
    "ReplayError",
    "Run",
    "RunTimeout",
    "SandboxViolation",
    "Scheduler",
    "SchemeError",
    "SchemeExit",
    "Symbol",
    "Task",
    "Tool",
    "ToolCategory",
    "ToolList",
    "ToolLoadError",
    "ToolRegistry",
    "ToolResult",
    "Trace",
    "UnboundVariable",
    "UnknownTool",
    "UrlAllowlist",
    "UrlPolicy",
    "Values",
    "Vector",
    "VfsError",
    "WrongArity",
    "WrongType",
    "__version__",
    "load_tools",
    "register_reducer",
    "to_dict",
]

LAZY = {
    "HttpNetwork": "chibi_bridge.host.http_network",
    "HttpRecorder": "chibi_bridge.host.http_record",
    "HttpReplay": "chibi_bridge.host.http_record",
    "Scheduler": "chibi_bridge.scheduler",
    "Task": "chibi_bridge.scheduler",
    "Trace": "chibi_bridge.trace",
}
"""Imported when they are first asked for: sockets and TLS take longer than all the rest, few programs schedule."""


def __getattr__(name: str) -> object:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(LAZY[name]), name)
    return value
