"""All faults of a tool file at once, without calling anything of it.

The text is read with recovery, its names and calls are judged, every top-level form
is compiled on its own, and what then stands is loaded as a registry would load it
(no request leaves, no tool runs).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from urllib.parse import urlsplit

from chibi_bridge.context import Context
from chibi_bridge.errors import CompileError, ReadError, SandboxViolation, SchemeError, ToolLoadError, UnboundVariable
from chibi_bridge.host.hints import exporters, hint_for, is_foreign
from chibi_bridge.host.libraries import is_allowed, shipped_names
from chibi_bridge.policy import Policy
from chibi_bridge.tools.config import Config, best_key
from chibi_bridge.tools.findings import Edit, Finding
from chibi_bridge.tools.load import CLAUSES, IMPORT_HINTS, load_source, policy_for, tools_image
from chibi_bridge.tools.reading import Node, Reading, apply, column_of, line_of, read_text
from chibi_bridge.tools.scopes import Arity, Program, formals
from chibi_bridge.tools.tool import ToolCategory

__all__ = ["Checked", "check_source", "mended"]

TRIES = 25
"""Compile errors that are looked for in one form."""
ROUNDS = 6
"""How often a mended text is looked at again."""
ATTRIBUTES = frozenset(
    "type description required default enum items properties minimum maximum minLength maxLength pattern const"
    " additionalProperties minItems maxItems exclusiveMinimum exclusiveMaximum examples title format".split()
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a text, and the tools it defines."""

    text: str
    findings: tuple[Finding, ...]
    tools: tuple[str, ...]

    def place(self, finding: Finding) -> tuple[int, int] | None:
        """Line and column, from 1."""
        if finding.at is None:
            return None
        return line_of(self.text, finding.at), column_of(self.text, finding.at) + 1


def check_source(source: str, file: str, vfs_path: str, config: Config | None = None) -> Checked:
    """Check a text that stands for a file.

    >>> found = check_source("(define-tool t (description 5)", "t.scm", "/tools/shared/t.scm").findings
    >>> [finding.code for finding in found]
    ['R001', 'T002', 'T004', 'T005']
    """
    return Checker(source, file, vfs_path, config).check()


def mended(source: str, file: str, vfs_path: str, config: Config | None = None) -> str:
    """The text with all that is mechanical mended."""
    for _ in range(ROUNDS):
        edits = [edit for item in check_source(source, file, vfs_path, config).findings for edit in item.edits]
        new = apply(edits, source)
        if new == source:
            break
        source = new
    return source


class LiveWorld:
    """The names that a context has, asked before anything of the program ran."""

    def __init__(self, context: Context, policy: Policy) -> None:
        self.policy = policy
        self._context = context
        context.import_("(prefix (tein introspect) %check:)")
        found = context.eval("(%check:env-bindings)")
        assert isinstance(found, list)
        self._kinds = {str(pair.car): str(pair.cdr) for pair in found if not str(pair.car).startswith("%check:")}
        self._bound = set(context.names())
        self._arities: dict[str, Arity | None] = {}

    def kind(self, name: str) -> str | None:
        """What a name is bound to."""
        found = self._kinds.get(name)
        return found if found is not None or name not in self._bound else "variable"

    def arity(self, name: str) -> Arity | None:
        """A procedure's arity."""
        if self._kinds.get(name) != "procedure":
            return None
        if name not in self._arities:
            pair = self._context.eval(f"(%check:procedure-arity |{name}|)")
            least, most = getattr(pair, "car", None), getattr(pair, "cdr", None)
            self._arities[name] = None
            if isinstance(least, int) and (most is False or isinstance(most, int)):
                self._arities[name] = (least, None if most is False else most)
        return self._arities[name]

    def unknown(self, name: str) -> tuple[str, str | None, tuple[str, ...]]:
        """Code, hint and libraries for a name that nothing binds."""
        hint = hint_for(name, self._bound, self.policy)
        if is_foreign(name):
            return "N002", hint, ()
        homes = [home for home in exporters().get(name, ()) if not home.startswith("chibi-bridge/")]
        if not homes:
            return "N001", hint, ()
        allowed = tuple(home for home in homes if is_allowed(self.policy, home))
        return ("N003", hint, allowed) if allowed else ("N005", hint, ())


class Checker:
    """One check."""

    def __init__(self, source: str, file: str, vfs_path: str, config: Config | None) -> None:
        self.source = source
        self.file = file
        self.vfs_path = vfs_path
        self.config = config
        granted = () if config is None else config.http(vfs_path)
        self.policy = policy_for(config or Config(), vfs_path, granted, None, None)
        self.reading: Reading = read_text(source)
        self.findings = list(self.reading.findings)
        self.tools: tuple[str, ...] = ()
        self.declared: dict[str, int] = {}
        self.denied: set[str] = set()

    def check(self) -> Checked:
        """All findings, in the order of the text."""
        text = self.reading.mended
        with tools_image(self.policy).instantiate(self.policy, bindings=NO_BINDINGS) as context:
            imported = list(self._imports(context))
            self.findings += imported
            world = LiveWorld(context, self.policy)
            program = Program(self.reading.forms, world)
            self.findings += [found for found in with_imports(program, self.reading) if not self._refused(found)]
            self._compile(context, program)
        self._declarations()
        self.findings += self._grants()
        if self.policy.modules == "all":  # its top level may do anything: that waits for a run
            self.tools = tuple(self.declared)
        elif not Path(self.file).name.endswith("-props.scm"):
            self._load(text)
        return Checked(self.source, tuple(self._sorted()), self.tools)

    def _refused(self, found: Finding) -> bool:
        """Is the name one of a library whose import is a finding already?"""
        homes = exporters().get(found.message.removeprefix("unbound variable "), ())
        return found.code == "N005" and any(home in self.denied for home in homes)

    def _sorted(self) -> list[Finding]:
        """The findings in order, of several at one place and of one kind the first."""
        seen: dict[tuple[object, str], Finding] = {}
        for finding in self.findings:
            seen.setdefault((finding.at, finding.code if finding.at is not None else finding.message), finding)
        return sorted(seen.values(), key=lambda finding: (finding.at is None, finding.at or 0, finding.code))

    def _offset(self, line: int, column: int) -> int:
        """The offset of a line and column of the text."""
        starts = [0, *(match.end() for match in re.finditer("\n", self.source))]
        return min(starts[line - 1] + column - 1, len(self.source)) if 0 < line <= len(starts) else len(self.source)

    # -- imports -----------------------------------------------------------------------

    def _imports(self, context: Context) -> Iterator[Finding]:
        """Bring in what the file imports; a finding for each import set that cannot be."""
        known = {" ".join(name.split("/")) for name in shipped_names()}
        own = {self._text(form.items[1]) for form in self.reading.forms
               if form.head == "define-library" and form.items and len(form.items) > 1}  # fmt: skip
        for form in self.reading.forms:
            for item in (form.items or [])[1:] if form.head == "import" else ():
                if any(self._text(node) in own for node in item.walk() if node.items):
                    continue
                try:
                    context.import_(self._text(item))
                except SandboxViolation:
                    name = " ".join(self._library(item))
                    granting = IMPORT_HINTS.get(name, "the policy excludes it")
                    hint = granting.format(path=self.vfs_path)
                    code = "G001" if name in IMPORT_HINTS else "N005"
                    self.denied.add(name.replace(" ", "/"))
                    yield Finding(code, item.start, f"the library ({name}) is not granted", hint)
                except SchemeError as error:
                    yield self._bad_import(item, error, known)

    def _text(self, node: Node) -> str:
        return self.source[node.start : node.end].replace("[", "(").replace("]", ")")

    def _library(self, item: Node) -> list[str]:
        """The name's parts in an import set."""
        while item.head in ("only", "except", "prefix", "rename") and len(item.items or ()) > 1:
            inner = (item.items or [])[1]
            if inner.items is None:
                break
            item = inner
        return [part.text for part in item.items or ()]

    def _bad_import(self, item: Node, error: SchemeError, known: set[str]) -> Finding:
        name = " ".join(self._library(item))
        if name in known:
            words = re.search(r"does not export (\S+)", error.message)
            at = next((node.start for node in item.walk() if words and node.text == words[1]), item.start)
            return Finding("N001", at, error.message, error.hint)
        near = difflib.get_close_matches(name, sorted(known), n=2, cutoff=0.6)
        hint = error.hint or (f"did you mean {' or '.join(f'({other})' for other in near)}?" if near else None)
        return Finding("N004", item.start, f"no library ({name})", hint)

    # -- compiling ---------------------------------------------------------------------

    def _compile(self, context: Context, program: Program) -> None:
        """Compile every form; syntax definitions take effect, nothing runs."""
        try:
            for name in program.certain:
                context.define(name, None)
        except ValueError:
            return
        for form in self.reading.forms:
            if form.head in ("import", "include", "include-ci", "define-library", "cond-expand", "begin"):
                continue
            if form.head.startswith("define-syntax"):
                found = self._try(context, form, self._padded(form.start, self._text_of(form), ""))
                if found is not None:
                    self._add(found)
            elif form.items:
                self._compile_form(context, form)

    def _text_of(self, form: Node) -> str:
        """A form's text, with what is wrong to read mended in place."""
        edits = [
            e for finding in self.reading.findings for e in finding.edits if form.start <= e.start and e.end <= form.end
        ]
        moved = [Edit(e.start - form.start, e.end - form.start, e.text) for e in edits]
        return apply(moved, self.source[form.start : form.end])

    def _padded(self, start: int, text: str, before: str) -> str:
        """The text at the line and column it has in the file, as far as `before` leaves room."""
        line, column = line_of(self.source, start), column_of(self.source, start)
        return before + "\n" * (line - 1) + " " * column + text

    def _compile_form(self, context: Context, form: Node) -> None:
        """Find the errors of one form, each fault blanked out for the next try."""
        edits: list[Edit] = []
        blanked: list[Node] = []
        text = self._text_of(form)
        inner = read_text(text).forms
        if len(inner) != 1:
            return
        for _ in range(TRIES):
            wrapped = self._padded(form.start, apply(edits, text), WRAP) + "\n 0)"
            found = self._try(context, form, wrapped)
            if found is None:
                return
            node = smallest(inner[0], (found.at or 0) - form.start)
            secondary = False
            while node is not None and any(node.start >= old.start and node.end <= old.end for old in blanked):
                node, secondary = parent(inner[0], node), True
            if node is None:
                return
            secondary = secondary or any(old in (node.items or ()) for old in blanked)
            if not secondary:
                self._add(found)
            if node is inner[0] or found.code == "R099":
                return
            blanked.append(node)
            edits = [e for e in edits if not (node.start <= e.start and e.end <= node.end)]
            edits.append(Edit(node.start, node.end, "0" + re.sub(r"[^\n]", " ", text[node.start + 1 : node.end])))

    def _add(self, found: Finding) -> None:
        """Keep a compile error, unless it is another finding's consequence."""
        at = found.at or 0
        if not any(old.at is not None and at <= old.at <= at + 1 and old.code[0] in "NCR" for old in self.findings):
            self.findings.append(found)

    def _try(self, context: Context, form: Node, text: str) -> Finding | None:
        """Compile a text: the error as a finding, None where there is none."""
        try:
            context.eval(text, self.file)
        except (CompileError, ReadError) as error:
            if error.location is None or error.location.file != self.file:
                return None
            line, column = error.location.line, error.location.column
            at = self._offset(line, column - len(WRAP) * (line == 1 and text.startswith(WRAP)))
            if not form.start <= at < form.end:
                at = form.start
            code = "C001" if isinstance(error, CompileError) else "R099"
            if "is not a form of R7RS" in error.message:
                code = "N002"
            return Finding(code, at, error.summary, error.hint)
        except SchemeError:
            return None
        return None

    # -- declarations ------------------------------------------------------------------

    def _declarations(self) -> None:
        """What the definitions of tools say, as far as it is literal."""
        seen = self.declared
        defined = {}
        for form in self.reading.forms:
            items = form.items or []
            if form.head == "define-tool" and len(items) > 1:
                name = items[1].symbol or items[1].string or ""
                if name in seen:
                    message = f"a second tool named {name}"
                    hint = f"the first one is on line {line_of(self.source, seen[name])}: rename one of them"
                    self.findings.append(Finding("T007", form.start, message, hint))
                seen.setdefault(name, form.start)
                clauses = {c.head: c for c in items[2:] if c.head and len(c.items or ()) > 1}
                self._tool({key: (c.items or [])[1:] for key, c in clauses.items()})
            elif form.head == "define" and len(items) > 2:
                target = items[1]
                name = target.symbol or target.head
                if name.startswith("tool-"):
                    defined[name[5:]] = items[2:3] if target.symbol else [form]
        if defined:
            self._tool(defined)

    def _tool(self, clauses: dict[str, list[Node]]) -> None:
        """The clauses of one tool."""
        category = clauses.get("category", [None])[0]
        if category is not None and category.string is not None:
            self._category(category)
        execute = clauses.get("execute", [None])[0]
        if execute is not None:
            self._handler(execute)
        parameters = clauses.get("parameters", [None])[0]
        if parameters is not None:
            names = self._parameters(parameters)
            shown = clauses.get("summary-params", [])
            if names is not None:
                for item in quoted_list(shown):
                    if item.string is not None and item.string not in names:
                        hint = f"parameters are {', '.join(sorted(names)) or 'none'}"
                        self.findings.append(
                            Finding("T009", item.start, f"summary-params: {item.string} is no parameter", hint)
                        )

    def _category(self, node: Node) -> None:
        known = [item.value for item in ToolCategory]
        if node.string not in known:
            near = difflib.get_close_matches((node.string or "").lower().replace("-", "_"), known, n=1, cutoff=0.6)
            change = (Edit(node.start, node.end, f'"{near[0]}"'),) if near else ()
            hint = f'write "{near[0]}"' if near else f"categories are {', '.join(known)}"
            self.findings.append(Finding("T003", node.start, f'no category "{node.string}"', hint, change))

    def _handler(self, node: Node) -> None:
        items = node.items or []
        if node.head == "lambda" and len(items) > 2:
            count, arity = items[1], formals(items[1])[1]
        elif node.head == "define" and items[1].items:
            target = items[1]
            count = target
            arity = formals(Node(target.start, target.end, items=(target.items or [])[1:], opener="("))[1]
        else:
            return
        least, most = arity
        if least > 1 or (most is not None and most < 1):
            message = f"the handler takes {least} arguments, it gets one"
            self.findings.append(
                Finding("T005", count.start, message, "write (lambda (args) ...): args is the alist of all arguments")
            )

    def _parameters(self, node: Node) -> set[str] | None:
        """The names of literal parameters, their attributes looked at."""
        if node.head != "quote" or len(node.items or ()) != 2:
            return None
        entries = (node.items or [])[1].items
        if entries is None:
            return None
        names: set[str] = set()
        for entry in entries:
            first = entry.items[0] if entry.items else None
            name = None if first is None else (first.string or first.symbol)
            if name is None:
                return None
            if name == "properties":
                return None
            if name in names:
                self.findings.append(Finding("T004", entry.start, f"parameter {name} is declared twice", "keep one"))
            names.add(name)
            self._attributes(name, entry)
        return names

    def _attributes(self, name: str, entry: Node) -> None:
        listed = (entry.items or [])[1:]
        if listed and listed[0].text == ".":
            listed = listed[1:]
        if len(listed) == 1 and listed[0].items and all(item.items for item in listed[0].items):
            listed = listed[0].items
        for item in listed:
            key = (item.items[0].symbol or item.items[0].string) if item.items else None
            if key and key not in ATTRIBUTES:
                near = difflib.get_close_matches(key, ATTRIBUTES, n=1, cutoff=0.6)
                hint = f"did you mean {near[0]}?" if near else f"attributes are {', '.join(sorted(ATTRIBUTES))}"
                self.findings.append(Finding("T008", item.start, f"parameter {name}: no attribute {key}", hint))

    # -- grants ------------------------------------------------------------------------

    def _grants(self) -> Iterator[Finding]:
        """What the configuration grants and the file does not use, and the other way round."""
        if self.config is None or self.policy.modules == "all":
            return
        rules = [
            rule if isinstance(rule, str) else str(getattr(rule, "url", "")) for rule in self.policy.http_allow or ()
        ]
        strings = [node for form in self.reading.forms for node in form.walk() if node.string is not None]
        wanted = [node for node in strings if re.match(r"https?://[^/\s]+", node.string or "")]
        granted = {origin(rule) for rule in rules}
        declared = {node.start for form in self.reading.forms for node in form.walk()
                    if node.head == "http-allow" or "tool-http-allow" in [i.text for i in node.items or ()]
                    for node in node.walk()}  # fmt: skip
        if "(tein http)" in self.source:
            for node in wanted:
                if node.start not in declared and origin(node.string or "") not in granted:
                    shown = f'[tools.http.allow] "{self.vfs_path}" = ["{node.string}"]'
                    yield Finding(
                        "G001", node.start, f"the URL is not granted: {node.string}", f"in the configuration: {shown}"
                    )
        for rule in rules:
            if "(tein http)" not in self.source or urlsplit(rule).netloc not in self.source:
                yield Finding("G002", None, f"the URL rule {rule} is granted, the file does not use it", GRANTED)
        key = best_key(self.config.env, self.vfs_path)
        names = () if key is None else self.config.env[key]
        for name in names:
            if not re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", self.source):
                yield Finding("G002", None, f"the variable {name} is granted, the file does not use it", GRANTED)
        for form in self.reading.forms:
            for node in form.walk():
                items = node.items or []
                if node.head == "get-environment-variable" and len(items) == 2 and items[1].string is not None:
                    name = items[1].string
                    if name not in names and name != "TEIN_SANDBOX":
                        hint = f'in the configuration: [tools.env] "{self.vfs_path}" = ["{name}"]'
                        yield Finding("G001", items[1].start, f"the variable is not granted: {name}", hint)

    # -- loading -----------------------------------------------------------------------

    def _load(self, text: str) -> None:
        """Load what stands; what is found there and not known yet is a finding."""
        broken = any(old.code[0] in "NCG" or (old.code[0] == "R" and not old.edits) for old in self.findings)
        try:
            tools = load_source(
                text,
                self.vfs_path,
                self.file,
                config=self.config or Config(),
                http_allow=None if self.config is not None else (),
                transport=no_transport,
            )
        except (SchemeError, ValueError) as error:
            self._problem(error, broken)
            return
        self.tools = tuple(tool.name for tool in tools)
        for problem in tools.problems:
            self._problem(problem, broken)
        tools.close()

    def _problem(self, error: Exception, broken: bool) -> None:
        location = error.location if isinstance(error, SchemeError) else None
        at = None if location is None or location.file != self.file else self._offset(location.line, location.column)
        code = load_code(error)
        if (code == "T010" and broken) or (code == "T006" and self.findings):
            return
        if any(
            old.code == code and old.at is not None and at is not None and at <= old.at <= self._end(at)
            for old in self.findings
        ):
            return
        message = error.summary if isinstance(error, SchemeError) else str(error)
        hint = error.hint if isinstance(error, SchemeError) else None
        hint = hint or LOAD_HINTS.get(code)
        if code == "T010" and isinstance(error, UnboundVariable):
            code = "N001"
        self.findings.append(Finding(code, at, message, hint))

    def _end(self, at: int) -> int:
        """Where the form that starts at an offset ends."""
        return max((n.end for form in self.reading.forms for n in form.walk() if n.start == at), default=at)


WRAP = "(lambda ()"
GRANTED = "take it out of the configuration, or use it"
LOAD_HINTS = {
    "T002": 'write (description "text"): one or two sentences for the model',
    "T010": "what stands at top level is evaluated before any tool runs: leave it out, or mend it",
}
NO_BINDINGS = {"generate-id": lambda: "", "current-timestamp": lambda: ""}


def no_transport(request: object) -> object:
    """No request leaves while a file is checked."""
    raise OSError("check makes no requests")


def origin(url: str) -> str:
    """Scheme, host and port of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}"


def quoted_list(nodes: list[Node]) -> list[Node]:
    """The items of literal lists and literals."""
    found: list[Node] = []
    for node in nodes:
        items = node.items or []
        if node.head == "quote" and len(items) == 2:
            found += items[1].items or []
        elif node.head == "list":
            found += items[1:]
        else:
            found.append(node)
    return found


def smallest(node: Node, at: int) -> Node | None:
    """The innermost list around an offset, or that begins there."""
    found = None
    for item in node.walk():
        if item.start <= at < item.end and (item.items is not None or found is None):
            found = item if found is None or item.end - item.start <= found.end - found.start else found
    return found


def parent(root: Node, child: Node) -> Node | None:
    """The list that a node stands in."""
    return next((node for node in root.walk() if child in (node.items or ())), None)


def with_imports(program: Program, reading: Reading) -> list[Finding]:
    """The findings, the first missing name of each library with the import as its repair."""
    found = program.judge()
    place = max((form.end for form in reading.forms if form.head == "import"), default=None)
    for library, names in program.imports.items():
        text = f"(import ({library.replace('/', ' ')}))"
        edit = Edit(place, place, f"\n{text}") if place is not None else Edit(0, 0, f"{text}\n")
        for index, finding in enumerate(found):
            if finding.code == "N003" and finding.message == f"unbound variable {names[0]}":
                found[index] = replace(finding, edits=(edit,))
                break
    return sorted(found, key=attrgetter("at"))


BY_CLAUSE = {"name": "T001", "tool-name": "T001", "description": "T002", "tool-description": "T002", "category": "T003",
             "parameters": "T004", "tool-parameters": "T004", "returns": "T004", "execute": "T005",
             "tool-execute": "T005", "summary-params": "T009"}  # fmt: skip


def load_code(error: Exception) -> str:
    """The code of what a load ends with."""
    if not isinstance(error, ToolLoadError):
        return "T010"
    if "cannot be evaluated" in error.message:
        return "T010"
    if "unknown clause" in error.message:
        return "T008"
    if error.clause == "tool-name" and error.message.startswith("missing"):
        return "T006"
    if "invalid characters" in error.message:
        return "T001"
    return BY_CLAUSE.get(error.clause or "", "T008" if error.clause not in (None, *CLAUSES) else "T010")
