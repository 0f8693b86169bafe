"""The gate: which calls need an answer, who is asked, what is remembered.

A category decides (TOOLS.md 2); a tool of an ungated category whose file was
granted a capability is asked for too, and the request names the capability.
Hooks can refuse, never grant. No handler, no terminal, end of input: refused.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chibi_bridge.errors import ConfigError, PermissionDenied
from chibi_bridge.host.url import UrlAllowlist
from chibi_bridge.tools.audit import note
from chibi_bridge.tools.config import Config, rule_text
from chibi_bridge.tools.hooks import HookOutcome
from chibi_bridge.tools.steps import AskStep, Call, Steps
from chibi_bridge.tools.tool import Allow, Ask, Deny, PermissionRequest, ToolCategory

if TYPE_CHECKING:
    from chibi_bridge.tools.tool import Tool

__all__ = ["Answers", "Gate", "is_vfs"]

ANSWERS = " [Y/n] "
SCOPES = ("call", "tool", "file", "category")
NOBODY = "nobody is there to be asked (fail-safe deny)"
Fire = Callable[[str, Mapping[str, object], Call], Steps[HookOutcome]]


def is_vfs(path: object) -> bool:
    """Is it a VFS URI, three slashes?"""
    return isinstance(path, str) and path.startswith("vfs:///")


def within(path: str, roots: tuple[str, ...]) -> bool:
    """Does a resolved path lie at or below one of these?"""
    for root in roots:
        base = os.path.realpath(root)
        if path == base or path.startswith(base.rstrip("/") + "/"):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Need:
    """What has to be asked: the hook point with its payload, what the request says, what the prompt adds."""

    point: str | None
    payload: Mapping[str, object]
    about: Mapping[str, Any] = field(default_factory=dict)
    more: str | None = None


class Decider:
    """Who decides about a call, as far as its judgement has come."""

    name = "policy"


class Gate:
    """Judges calls. `fire` runs the hooks of a point; without it there are none."""

    def __init__(
        self, config: Config, ask: Ask | None, *, fire: Fire | None = None, project_root: str | None = None
    ) -> None:
        self.config = config
        self.ask = ask
        self.fire = fire
        self.project_root = os.path.realpath(project_root or Path.cwd())
        self.answers = Answers(config.remember)

    def check(self, tool: Tool, args: Mapping[str, object], call: Call) -> Steps[None]:
        """Let a call through, or raise PermissionDenied; the audit log has a line of either."""
        decider = Decider()
        try:
            yield from self._judge(tool, args, call, decider)
        except PermissionDenied:
            self._note("deny", decider, tool, args, call)
            raise
        self._note("allow", decider, tool, args, call)

    def _judge(self, tool: Tool, args: Mapping[str, object], call: Call, decider: Decider) -> Steps[None]:
        need = self.need(tool, args) or nested_need(tool, args, call, self.config)
        if need is None:
            return
        if need.point is not None and self.fire is not None:
            decider.name = "hook"
            outcome = yield from self.fire(need.point, {"tool_name": tool.name, **need.payload}, call)
            if outcome.denied:
                raise PermissionDenied(f"Permission denied: {outcome.reason}")
        request = tool.request(args, call.context, call.chain or (tool.name,))
        request = replace(request, callers=call.callers, **need.about)
        if need.more is not None:
            request = replace(request, prompt=f"{request.prompt.removesuffix(ANSWERS)} {need.more}{ANSWERS}")
        decider.name = "remembered"
        if self.answers.allows(request):
            return
        if self.ask is None:
            decider.name = "nobody"
            raise PermissionDenied(f"Permission denied: {NOBODY}")
        decider.name = "person"
        answer = yield AskStep(self.ask, request)
        if answer is True:
            return
        if isinstance(answer, Allow):
            self.answers.keep(request, answer)
            return
        reason = answer.reason if isinstance(answer, Deny) else "permission denied"
        raise PermissionDenied(f"Permission denied: {reason}")

    def _note(self, decision: str, decider: Decider, tool: Tool, args: Mapping[str, object], call: Call) -> None:
        note(
            decision,
            decider.name,
            tool=tool.name,
            category=tool.category.value,
            context=call.context,
            chain=call.chain or (tool.name,),
            arguments=args,
            file=tool.path,
            file_hash=tool.session.file_hash,
            url=args.get("url"),
        )

    def need(self, tool: Tool, args: Mapping[str, object]) -> Need | None:
        """What has to be asked for this call; raises PermissionDenied where a policy refuses."""
        rule = RULES.get(tool.category)
        need = rule(self, tool, args) if rule is not None else None
        if need is None and tool.category not in COVERED:
            return capability_need(tool, args)
        if need is None and self.reaches_elsewhere(tool, args):
            found = capability_need(tool, args)
            text = tool.session.capability_text
            return None if found is None else replace(found, about={**found.about, "reason": text}, more=text)
        return need

    def reaches_elsewhere(self, tool: Tool, args: Mapping[str, object]) -> bool:
        """Can a network tool, whose argument names a place that needs no question, reach another?

        Its argument says nothing about what it fetches. Where the operator granted it
        certain URLs, one of these needs no question; where it granted them to itself,
        or may do anything, each call does.
        """
        session = tool.session
        if session.capability != "http":
            return session.capability is not None
        if session.self_granted:
            return True
        url = args.get("url")
        rules = UrlAllowlist([rule_text(rule) for rule in session.policy.http_allow or ()])
        return self.config.url_policy is None and not rules.allows(url if isinstance(url, str) else "")

    def read(self, tool: Tool, args: Mapping[str, object]) -> Need | None:
        """fs_read: a path outside the allowed ones."""
        path = args.get("path")
        if not isinstance(path, str) or not path or is_vfs(path):
            return None
        resolved = self.resolve(path)
        if within(resolved, (self.project_root, *self.config.file_tools_allowed_paths)):
            return None
        return Need("pre_file_read", {"path": resolved}, {"capability": "fs_read", "path": resolved})

    def resolve(self, path: str) -> str:
        """The real path of a file that is there; PermissionDenied where it is not."""
        try:
            return os.path.realpath(Path(self.project_root) / Path(path).expanduser(), strict=True)
        except (OSError, ValueError, RuntimeError) as error:
            text = getattr(error, "strerror", None) or str(error)
            raise PermissionDenied(f"Permission denied: {path}: {text}") from error

    def write(self, tool: Tool, args: Mapping[str, object]) -> Need | None:
        """fs_write: everything outside the VFS."""
        path = args.get("path")
        if is_vfs(path):
            return None
        shown = path if isinstance(path, str) else ""
        payload: dict[str, object] = {"path": shown, "content": args.get("content")}
        if tool.name == "file_edit":
            payload["operation"] = args.get("operation", "replace_string")
        return Need("pre_file_write", payload, {"capability": "fs_write"})

    def shell(self, tool: Tool, args: Mapping[str, object]) -> Need | None:
        """shell: always."""
        command = args.get("command")
        return Need("pre_shell_exec", {"command": command if isinstance(command, str) else ""}, {"capability": "shell"})

    def network(self, tool: Tool, args: Mapping[str, object]) -> Need | None:
        """network: the URL policy, else what kind of place the URL points to."""
        from chibi_bridge.tools.addresses import classify, judge_url  # here: with ipaddress, for network tools only

        url = args.get("url")
        about: dict[str, object] = {"capability": "network"}
        if not isinstance(url, str) or not url:
            summary = tool.summary(args)
            return Need("pre_fetch_url", {"summary": summary, "safety": "no_url"}, {**about, "safety": "no_url"})
        if self.config.url_policy is not None:
            refusal = judge_url(self.config.url_policy, url)
            if refusal is not None:
                raise PermissionDenied(f"Permission denied: {refusal}")
            return None
        reason = classify(url)
        if reason is None:
            return None
        more = {"url": url, "safety": "sensitive", "reason": reason}
        return Need("pre_fetch_url", more, {**about, **more})


RULES: Mapping[ToolCategory, Callable[[Gate, Tool, Mapping[str, object]], Need | None]] = {
    ToolCategory.FS_READ: Gate.read,
    ToolCategory.FS_WRITE: Gate.write,
    ToolCategory.SHELL: Gate.shell,
    ToolCategory.NETWORK: Gate.network,
}
COVERED = frozenset((ToolCategory.NETWORK, ToolCategory.SHELL))
"""Categories whose own rule is about what a file's grants reach."""


def capability_need(tool: Tool, args: Mapping[str, object]) -> Need | None:
    """The question for a tool whose category asks nothing, but whose file reaches out."""
    capability = tool.session.capability
    if capability is None:
        return None
    if capability == "http":
        payload = {"summary": tool.summary(args), "safety": "no_url"}
        return Need("pre_fetch_url", payload, {"capability": capability, "safety": "no_url"})
    return Need(None, {}, {"capability": capability})


def nested_need(tool: Tool, args: Mapping[str, object], call: Call, config: Config) -> Need | None:
    """The question for a public page that a tool fetches: its file was granted no such thing.

    A URL policy of the operator answers it instead.
    """
    url = args.get("url")
    fetches = tool.category is ToolCategory.NETWORK and tool.path.startswith("/tools/sys/")
    if not fetches or not isinstance(url, str) or len(call.chain) < 2 or config.url_policy is not None:
        return None
    about = {"url": url, "safety": "sensitive", "reason": f"asked for by the tool {call.chain[-2]}"}
    return Need("pre_fetch_url", about, {"capability": "network", **about})


def capability_of(policy: Any) -> str | None:
    """What a file's policy reaches of the host: "unsandboxed", "http", "files" or nothing."""
    if policy.all_files or policy.process:
        return "unsandboxed"
    if policy.http_allow:
        return "http"
    return "files" if policy.fs_read or policy.fs_write else None


def capability_text(policy: Any) -> str | None:
    """What a prompt says of a capability."""
    kind = capability_of(policy)
    if kind == "http":
        return f"(may reach {', '.join(rule_text(rule) for rule in policy.http_allow)})"
    return {"unsandboxed": "(unsandboxed: files, network, processes)", "files": "(files)"}.get(kind or "")


class Answers:
    """Answers that hold for more than one call, keyed to the content of the file."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = None if path is None else Path(path).expanduser()
        self._entries: list[dict[str, Any]] = [] if self.path is None else self._read()

    def allows(self, request: PermissionRequest) -> bool:
        """Was it allowed before, for this content, and not too long ago?"""
        now = time.time()
        self._entries = [entry for entry in self._entries if entry["expires"] is None or entry["expires"] > now]
        return any(entry["key"] == key_of(request, entry["scope"]) for entry in self._entries)

    def keep(self, request: PermissionRequest, answer: Allow) -> None:
        """Remember an answer, in the file too where there is one."""
        if answer.scope not in SCOPES:
            raise PermissionDenied(f"Permission denied: a scope is one of {', '.join(SCOPES)}: {answer.scope!r}")
        if answer.scope == "call":
            return
        expires = None if answer.seconds is None else time.time() + answer.seconds
        entry = {"scope": answer.scope, "key": key_of(request, answer.scope), "expires": expires}
        if self.path is not None:
            self._entries = self._read()
        self._entries = [old for old in self._entries if (old["scope"], old["key"]) != (entry["scope"], entry["key"])]
        self._entries.append(entry)
        if self.path is not None:
            self._write()

    def _read(self) -> list[dict[str, Any]]:
        assert self.path is not None
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.path}: permissions.remember cannot be read: {error}") from error
        entries = data.get("allowed") if isinstance(data, dict) else None
        if not isinstance(entries, list) or not all(is_entry(entry) for entry in entries):
            raise ConfigError(f"{self.path}: permissions.remember: not a file of remembered answers")
        return entries

    def _write(self) -> None:
        assert self.path is not None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"allowed": self._entries}, file, indent=1)
        draft.replace(self.path)


def is_entry(entry: object) -> bool:
    """Is it one remembered answer?"""
    return (
        isinstance(entry, dict)
        and entry.get("scope") in SCOPES
        and isinstance(entry.get("key"), list)
        and isinstance(entry.get("expires"), (int, float, type(None)))
    )


def key_of(request: PermissionRequest, scope: str) -> list[str]:
    """What an answer of a scope is kept under."""
    own = {"tool": request.tool, "category": request.category.value}.get(scope, "")
    return [request.file or "", request.file_hash or "", request.context, own, *request.callers]
