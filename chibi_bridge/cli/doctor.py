"""chibi-bridge doctor"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

import click

from chibi_bridge._native.lib import BOOT_IMAGE, version
from chibi_bridge.cli.common import FAILED, finish
from chibi_bridge.context import Context
from chibi_bridge.host.libraries import scheme_root, shipped_names


@click.command("doctor", epilog="Example: chibi-bridge doctor")
def command() -> None:
    """Check that the engine, its image and its libraries are in order."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("python", platform.python_version),
        ("engine", version),
        ("boot image", lambda: f"{BOOT_IMAGE.stat().st_size} bytes"),
        ("libraries", lambda: f"{len(shipped_names())} in {scheme_root()}"),
        ("context", make_context),
        ("arithmetic", arithmetic),
    ]
    code = 0
    for name, run in checks:
        try:
            click.echo(f"ok    {name}: {run()}")
        except Exception as error:
            click.echo(f"wrong {name}: {type(error).__name__}: {error}")
            code = FAILED
    finish(code)


def make_context() -> str:
    """The time a context takes, its prelude's image made already."""
    with Context():
        pass
    start = time.perf_counter()
    with Context():
        pass
    return f"{(time.perf_counter() - start) * 1e6:.0f} us"


def arithmetic() -> str:
    """One exact and one inexact result."""
    with Context() as context:
        value = context.eval_written("(list (expt 2 100) (/ 1 3) (inexact 1/3))")
    if value != "(1267650600228229401496703205376 1/3 0.3333333333333333)":
        raise ValueError(value)
    return value
