"""Environment variables and the command line, as the policy gives them."""

from __future__ import annotations

from collections.abc import Callable

from chibi_bridge.host.base import Host, argument


def get_variable(host: Host, args: list[object]) -> object:
    """The value of one variable, or #f."""
    return host.policy.environment().get(argument(args, 0, str, "a string"), False)


def get_variables(host: Host, args: list[object]) -> object:
    """All variables, an alist."""
    return host.policy.environment()


def command_line(host: Host, args: list[object]) -> object:
    """The words of the command line."""
    return list(host.policy.command_line)


OPERATIONS: dict[str, Callable[[Host, list[object]], object]] = {
    "get-environment-variable": get_variable,
    "get-environment-variables": get_variables,
    "command-line": command_line,
}
