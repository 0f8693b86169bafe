"""Names and calls of a program, judged without running it.

Certain faults only: inside a macro whose meaning is not known here nothing is
judged, and what it might define counts as defined.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from chibi_bridge.host.dialects import DIALECTS, FORMS, HEAD_RENAMES, RENAMES
from chibi_bridge.host.hints import exporters
from chibi_bridge.tools.findings import Edit, Finding
from chibi_bridge.tools.reading import Node, is_number

__all__ = ["Program", "World", "names_in"]

Arity = tuple[int, "int | None"]
Env = dict[str, object]  # name to Arity, ARGUMENTS or None

ARGUMENTS = object()
"""What a tool's handler gets."""

GUESSED = object()
"""What a macro may define."""

PASSES = 4
"""Times that a program is looked at to follow a tool's arguments into its procedures."""

DEPTH = 120
"""Nested forms that are looked into."""

PLAIN = frozenset(
    "begin if and or when unless delay delay-force make-promise cons-stream assert assume while until time dotimes-of"
    " let-syntax-body parameterize-body list-ec test test-assert test-equal test-error".split()
)
"""Syntax whose parts are expressions."""
OPAQUE_DEFINERS = frozenset(("include", "include-ci", "load", "eval", "cond-expand", "define-library"))
BINDERS = frozenset(("let", "let*", "letrec", "letrec*", "fluid-let"))


class World(Protocol):
    """What is bound before the program begins."""

    def kind(self, name: str) -> str | None:
        """ "procedure", "syntax", "variable", or None where nothing binds the name."""

    def arity(self, name: str) -> Arity | None:
        """How many arguments a procedure takes, where that is known."""

    def unknown(self, name: str) -> tuple[str, str | None, tuple[str, ...]]:
        """Code, hint, and the imports that would bring an unknown name."""


def names_in(node: Node) -> set[str]:
    """Every symbol below a node."""
    return {name for item in node.walk() if (name := item.symbol)}


def formals(node: Node) -> tuple[list[str], Arity]:
    """The names of a lambda list, and the arity."""
    if node.items is None:
        return ([node.symbol] if node.symbol else []), (0, None)
    names = [item.symbol or (item.items and item.items[0].symbol) or "" for item in node.items]
    if "." in names:
        at = names.index(".")
        return [*names[:at], *names[at + 1 :]], (at, None)
    if any(name.startswith(("#!", "&")) for name in names):
        return names, (0, None)
    return names, (len(names), len(names))


class Program:
    """The analysis of one program's forms; `findings` are what came out."""

    def __init__(self, forms: list[Node], world: World) -> None:
        self.forms = forms
        self.world = world
        self.findings: list[Finding] = []
        self.imports: dict[str, list[str]] = {}
        self.defined: Env = {}
        self.macros: set[str] = set()
        self.open = False
        self.keys: set[str] | None = None
        self._marked: dict[str, set[int]] = {}  # parameters of procedures that get a tool's arguments
        self._keyed: dict[str, set[int]] = {}  # and those that are looked up in them
        self._current: tuple[str, list[str]] = ("", [])
        self._loose = 0
        self._assigned = {item.items[1].symbol for form in forms for item in form.walk()
                          if item.head == "set!" and item.items and len(item.items) > 1}  # fmt: skip

    def judge(self) -> list[Finding]:
        """All findings."""
        for form in self.forms:
            if form.head == "import":
                self._overrides(form)
        for form in self.forms:
            self._collect(form, self.defined)
        for form in self.forms:
            if form.head in ("include", "include-ci", "load", "define-library"):
                self.open = True
        shared = self._declared(self._convention_parameters()) if "tool-parameters" in self.defined else None
        for _ in range(PASSES):  # a procedure may be handed the arguments further down
            before = sum(map(len, (*self._marked.values(), *self._keyed.values())))
            self.findings.clear()
            self.imports.clear()
            for form in self.forms:
                self.keys = shared
                self.keys_of_form(form)
                self.expression(form, {}, 0)
            if before == sum(map(len, (*self._marked.values(), *self._keyed.values()))):
                break
        return self.findings

    def _overrides(self, form: Node) -> None:
        """Libraries that give other meanings to forms with a rule here: their uses say nothing."""
        for item in form.walk():
            name = "/".join(part.text for part in item.items or ())
            if name not in USUAL and not name.startswith("scheme/"):
                self.macros.update(head for head in CORE if name in exporters().get(head, ()))

    @property
    def certain(self) -> list[str]:
        """The names that the program surely defines, macros aside."""
        return [name for name, what in self.defined.items() if what is not GUESSED and name not in self.macros]

    # -- definitions -------------------------------------------------------------------

    def _collect(self, form: Node, into: Env) -> None:
        """Add what a form at the head of a body or at top level defines."""
        items, head = form.items or [], form.head
        if head in self.macros:
            self._guess(form, head, into)
        elif (
            head in ("define", "define*", "defun", "define-inline", "define/contract", "defvar", "def")
            and len(items) > 1
        ):
            self._defines(items, into)
        elif head == "define-values" and len(items) > 1:
            into.update(dict.fromkeys(formals(items[1])[0]))
        elif head == "define-record-type":
            into.update(record_names(items))
        elif head in ("define-syntax", "define-syntax-rule", "defmacro", "define-macro") and len(items) > 1:
            name = items[1].symbol or items[1].head
            if name:
                into[name] = None
                self.macros.add(name)
        elif head == "begin":
            for item in items[1:]:
                self._collect(item, into)
        elif head in ("struct", "define-struct") and len(items) > 2:
            into.update(dict.fromkeys(names_in(form) - {head}))
            self._loose += 1
        elif head == "cond-expand" or (head and self._is_opaque(head, into) and head != "define-tool"):
            self._guess(form, head, into)

    def _guess(self, form: Node, head: str, into: Env) -> None:
        """What a macro might define: every name in it, and names made of names."""
        self._loose += head.startswith("define")
        into.update({name: GUESSED for name in names_in(form) if self.world.kind(name) != "syntax"})

    def _defines(self, items: list[Node], into: Env) -> None:
        target = items[1]
        if target.items is None:
            if target.symbol:
                value = items[2] if len(items) > 2 else None
                arity = None
                if value is not None and value.head in ("lambda", "\u03bb") and len(value.items or ()) > 2:
                    arity = formals((value.items or [])[1])[1]
                into[target.symbol] = self._fixed(target.symbol, arity, into)
            return
        inner = target
        curried = False
        while inner.items and inner.items[0].items is not None:
            inner, curried = inner.items[0], True
        if inner.items and inner.items[0].symbol:
            arity = formals(Node(inner.start, inner.end, items=inner.items[1:], opener="("))[1]
            name = inner.items[0].symbol
            into[name] = self._fixed(name, None if curried else arity, into)

    def _fixed(self, name: str, arity: Arity | None, into: Env) -> Arity | None:
        """The arity, unless the name may come to mean something else."""
        return None if name in self._assigned or name in into else arity

    def _is_opaque(self, head: str, env: Env) -> bool:
        """Is it a macro whose meaning is not known here?"""
        if head in self.macros:
            return True
        if head in env or head in self.defined:
            return False
        return self.world.kind(head) == "syntax" and head not in PLAIN and handler_of(head) is None

    # -- expressions -------------------------------------------------------------------

    def body(self, nodes: Iterable[Node], env: Env, depth: int) -> None:
        """Forms with definitions among them."""
        listed = list(nodes)
        inner: Env = {}
        for node in listed:
            self._collect(node, inner)
        env = {**env, **inner}
        for node in listed:
            self.expression(node, env, depth)

    def each(self, nodes: Iterable[Node], env: Env, depth: int) -> None:
        """Several expressions."""
        for node in nodes:
            self.expression(node, env, depth)

    def expression(self, node: Node, env: Env, depth: int) -> None:
        """Judge one expression."""
        if depth > DEPTH:
            return
        if node.items is None:
            name = node.symbol
            if name and name not in (".", "...", "_"):
                self.reference(node, name, env)
            return
        if node.opener != "(":
            return
        if not node.items:
            change = (Edit(node.start, node.start, "'"),)
            self.findings.append(Finding("C003", node.start, "() is not an expression", "quote it: '()", change))
            return
        head = node.head
        if head and head not in env and head not in self.defined:
            handler = handler_of(head)
            kind = self.world.kind(head)
            if handler is not None and (kind == "syntax" or head in CORE or (kind is None and head in PLAIN)):
                if kind is None and head not in CORE:
                    self.reference(node.items[0], head, env, len(node.items) - 1)
                getattr(self, handler)(node, node.items, env, depth + 1)
                return
        self.call(node, head, env, depth + 1)

    def call(self, node: Node, head: str, env: Env, depth: int) -> None:
        """A combination: a call, or the use of syntax without a rule of its own here."""
        items = node.items or []
        first = items[0]
        symbol = first.symbol if first.items is None else None
        if symbol is None and first.items is None:
            self.literal_head(node, first)
            self.each(items[1:], env, depth)
            return
        if symbol is not None and symbol not in env:
            if symbol in self.macros or self.defined.get(symbol) is GUESSED:
                return
            if symbol not in self.defined and self.world.kind(symbol) == "syntax":
                if symbol in PLAIN:
                    self.each(items[1:], env, depth)
                return
        if symbol is not None:
            known = self.reference(first, symbol, env, len(items) - 1)
            if not known and symbol in FORMS:
                return
            self.arity(node, symbol, len(items) - 1, env)
            self.keys_of_call(items, symbol, env)
            self._hand_on(items, symbol, env)
        else:
            self.expression(first, env, depth)
        self.each(items[1:], env, depth)

    def literal_head(self, node: Node, first: Node) -> None:
        """A list of literals that nothing quotes."""
        change: tuple[Edit, ...] = ()
        if all(literal(item) for item in node.items or ()):
            change = (Edit(node.start, node.start, "'"),)
        message = f"{first.text[:40]} is called as a procedure"
        self.findings.append(Finding("C003", node.start, message, "quote a list of data: '(1 2 3)", change))

    def reference(self, node: Node, name: str, env: Env, count: int | None = None) -> bool:
        """Is the name bound? A finding where not; `count` arguments where it heads a call."""
        if name in env or name in self.defined or self.world.kind(name) is not None:
            return True
        if (self.open or self._loose) and name not in DIALECTS:
            return False
        code, hint, imports = self.world.unknown(name)
        new = HEAD_RENAMES.get(name) if count is not None else None
        new = new or RENAMES.get(name)
        if new is not None and count is not None and not self._takes(new, count):
            new = None
        edits: tuple[Edit, ...] = ()
        if code == "N002" and new is not None:
            edits = (Edit(node.start, node.end, new),)
        if code == "N003" and imports:
            self.imports.setdefault(imports[0], []).append(name)
        self.findings.append(Finding(code, node.start, f"unbound variable {name}", hint, edits))
        return False

    def _takes(self, name: str, count: int) -> bool:
        """May a procedure be called with so many arguments, as far as is known?"""
        known = self.world.arity(name)
        return known is None or (known[0] <= count and (known[1] is None or count <= known[1]))

    def arity(self, node: Node, name: str, count: int, env: Env) -> None:
        """Does the procedure take so many arguments?"""
        if any(item.symbol == "." for item in node.items or ()):
            return
        if name in env:
            found = env[name]
        elif name in self.defined:
            found = self.defined[name]
        else:
            found = self.world.arity(name)
        if not isinstance(found, tuple):
            return
        least, most = found
        if count < least or (most is not None and count > most):
            message = f"{name} takes {spoken(least, most)}, got {count}"
            hint = "a parenthesis may stand in the wrong place" if most is not None and count > most else None
            self.findings.append(Finding("C002", node.start, message, hint or f"give it {spoken(least, most)}"))

    # -- keys --------------------------------------------------------------------------

    def _hand_on(self, items: list[Node], name: str, env: Env) -> None:
        """A call of a procedure of the program: what it gets of a tool's arguments, and as keys."""
        if name in env or name not in self.defined:
            return
        given = {i for i, item in enumerate(items[1:]) if env.get(item.symbol or "") is ARGUMENTS}
        self._marked.setdefault(name, set()).update(given)
        for index in self._keyed.get(name, ()) if given else ():
            key = items[index + 1] if index + 1 < len(items) else None
            quoted = quoted_symbol(key)
            if key is not None and quoted is not None:
                change = (Edit(key.start, key.end, f'"{quoted}"'),)
                message = f"tool arguments have strings as keys, {name} looks this symbol up in them"
                self.findings.append(Finding("K001", key.start, message, f'write "{quoted}"', change))

    def keys_of_call(self, items: list[Node], name: str, env: Env) -> None:
        """String and symbol keys of association lists."""
        if name not in ("assoc", "assq", "assv") or name in env or name in self.defined or len(items) < 3:
            return
        key, where = items[1], items[2]
        text = key.string
        quoted = quoted_symbol(key)
        of_arguments = env.get(where.symbol or "") is ARGUMENTS
        procedure, parameters = self._current
        if of_arguments and key.symbol in parameters:
            self._keyed.setdefault(procedure, set()).add(parameters.index(key.symbol or ""))
        if of_arguments and quoted is not None:
            edits = (
                Edit(items[0].start, items[0].end, "assoc"),
                Edit(key.start, key.end, f'"{quoted}"'),
            )
            hint = f'write (assoc "{quoted}" {where.text})'
            self.findings.append(Finding("K001", key.start, "tool arguments have strings as keys", hint, edits))
            text = quoted
        elif name != "assoc" and text is not None:
            change = (Edit(items[0].start, items[0].end, "assoc"),)
            hint = f'write (assoc "{text}" ...)'
            message = f"{name} never finds a string key"
            self.findings.append(Finding("K002", items[0].start, message, hint, change))
        if of_arguments and text is not None and self.keys is not None and text not in self.keys:
            listed = ", ".join(sorted(self.keys)) or "none"
            message = f"{text} is no parameter of the tool"
            self.findings.append(Finding("K003", key.start, message, f"its parameters: {listed}"))

    def _convention_parameters(self) -> Node | None:
        for form in self.forms:
            items = form.items or []
            if form.head == "define" and len(items) > 2 and items[1].symbol == "tool-parameters":
                return items[2]
        return None

    def _declared(self, parameters: Node | None) -> set[str] | None:
        """The names of literal parameters; None where they are computed, or a JSON Schema."""
        if parameters is None:
            return None
        if parameters.head != "quote" or len(parameters.items or ()) != 2:
            return None
        entries = (parameters.items or [])[1].items
        if entries is None:
            return None
        names: set[str] = set()
        for item in entries:
            first = item.items[0] if item.items else None
            name = None if first is None else (first.string or first.symbol)
            if name is None:
                return None
            names.add(name)
        return None if "properties" in names else names

    def keys_of_form(self, form: Node) -> None:
        """The parameters that the form's handler may ask for."""
        if form.head == "define-tool":
            clauses = [item for item in form.items or () if item.head == "parameters"]
            body = clauses[0].items or [] if clauses else []
            self.keys = self._declared(body[1]) if len(body) > 1 else None

    # -- syntax ------------------------------------------------------------------------

    def skip(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        """Nothing in it is an expression of this program."""

    def plain(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.body(items[1:], env, depth)  # a definition that stands wrong defines all the same here

    def quasi(self, node: Node, items: list[Node], env: Env, depth: int, level: int = 1) -> None:
        if depth > DEPTH:
            return
        for item in items[1:]:
            if item.items is None:
                continue
            if item.head in ("unquote", "unquote-splicing"):
                if level == 1:
                    self.each(item.items[1:], env, depth)
                else:
                    self.quasi(item, item.items, env, depth + 1, level - 1)
            else:
                inside = level + 1 if item.head == "quasiquote" else level
                start = Node(item.start, item.start)
                listed = item.items if item.head == "quasiquote" else [start, *item.items]
                self.quasi(item, listed, env, depth + 1, inside)

    def lambda_(self, node: Node, items: list[Node], env: Env, depth: int, mark: object = None) -> None:
        if len(items) < 3:
            return
        names = formals(items[1])[0]
        self.defaults(items[1], env, depth)
        self.body(items[2:], {**env, **dict.fromkeys(names, mark)}, depth)

    def defaults(self, node: Node, env: Env, depth: int) -> None:
        """Default values in a lambda list, which R7RS does not have: the engine tells."""

    def define(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) < 3:
            return
        target = items[1]
        if target.items is None:
            is_handler = target.symbol == "tool-execute" and items[2].head == "lambda" and items[2].items
            if is_handler:
                self.lambda_(items[2], items[2].items or [], env, depth, ARGUMENTS)
            else:
                self.each(items[2:3], env, depth)
            return
        names: list[str] = []
        inner = target
        while inner.items and inner.items[0].items is not None:
            names += formals(Node(inner.start, inner.end, items=inner.items[1:], opener="("))[0]
            inner = inner.items[0]
        names += formals(Node(inner.start, inner.end, items=(inner.items or [])[1:], opener="("))[0]
        scope: Env = {**env, **dict.fromkeys(names)}
        top = inner is target and self.defined.get(inner.head) is not GUESSED and not env
        for index in {0} if inner.head == "tool-execute" else self._marked.get(inner.head, ()) if top else ():
            if index < len(names):
                scope[names[index]] = ARGUMENTS
        outer = self._current
        if top:
            self._current = (inner.head, names)
        self.body(items[2:], scope, depth)
        self._current = outer

    def set_(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.each(items[1:], env, depth)

    def let(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        kind = items[0].text
        rest = items[1:]
        loop = None
        if rest and rest[0].symbol and kind == "let":
            loop, rest = rest[0].symbol, rest[1:]
        if len(rest) < 2 or rest[0].items is None:
            return
        bindings = rest[0].items
        names: Env = {}
        inner = dict(env)
        if kind.startswith("letrec"):
            inner.update(dict.fromkeys(b.items[0].symbol or "" for b in bindings if b.items))
        for binding in bindings:
            if not binding.items or not binding.items[0].symbol:
                names.update(dict.fromkeys(names_in(binding)))  # malformed: the engine tells
                continue
            value = binding.items[1:]
            known = len(self.findings)
            self.each(value, inner if kind != "let" else env, depth)
            self._siblings(known, names if kind == "let" else {})
            names[binding.items[0].symbol] = env.get(value[0].symbol or "") if value else None
            if kind == "let*":
                inner.update({binding.items[0].symbol: None})
        if kind == "fluid-let":
            names = {}
        scope = {**env, **{n: (ARGUMENTS if v is ARGUMENTS else None) for n, v in names.items()}}
        if loop:
            scope[loop] = (len(bindings), len(bindings)) if loop not in self._assigned else None
            scope.update(dict.fromkeys(n for n in names if n != loop and scope.get(n) is not ARGUMENTS))
            if loop in names:
                scope[loop] = None
        self.body(rest[1:], scope, depth)

    def _siblings(self, known: int, names: Env) -> None:
        """Names of a let that its own bindings want."""
        for index in range(known, len(self.findings)):
            found = self.findings[index]
            name = found.message.removeprefix("unbound variable ")
            if found.code[0] == "N" and name in names:
                hint = f"let binds all its names at once: write let*, which binds {name} before what follows"
                self.findings[index] = replace(found, code="N001", hint=hint, edits=())

    def let_values(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) < 3 or items[1].items is None:
            return
        scope = dict(env)
        for binding in items[1].items:
            if binding.items:
                self.each(binding.items[1:], scope if "*" in items[0].text else env, depth)
                scope.update(dict.fromkeys(formals(binding.items[0])[0]))
        self.body(items[2:], scope, depth)

    def receive(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) > 3:
            self.expression(items[2], env, depth)
            self.body(items[3:], {**env, **dict.fromkeys(formals(items[1])[0])}, depth)

    def define_values(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.each(items[2:], env, depth)

    def do(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) < 3 or items[1].items is None or items[2].items is None:
            return
        scope = dict(env)
        for binding in items[1].items:
            if binding.items and binding.items[0].symbol:
                self.each(binding.items[1:2], env, depth)
                scope[binding.items[0].symbol] = None
        for binding in items[1].items:
            self.each((binding.items or [])[2:], scope, depth)
        self.each(items[2].items, scope, depth)
        self.each(items[3:], scope, depth)

    def cond(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        for clause in items[1:]:
            self.body([part for part in clause.items or () if part.text not in ("else", "=>")], env, depth)

    def case(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.each(items[1:2], env, depth)
        for clause in items[2:]:
            self.body([part for part in (clause.items or [])[1:] if part.text != "=>"], env, depth)

    def guard(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) < 3 or not items[1].items:
            return
        clauses = items[1].items
        name = clauses[0].symbol or ""
        self.cond(items[1], [clauses[0], *clauses[1:]], {**env, name: None}, depth)
        self.body(items[2:], env, depth)

    def parameterize(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        if len(items) < 3:
            return
        for binding in items[1].items or ():
            self.each(binding.items or (), env, depth)
        self.body(items[2:], env, depth)

    def case_lambda(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        for clause in items[1:]:
            if clause.items and len(clause.items) > 1:
                self.body(clause.items[1:], {**env, **dict.fromkeys(formals(clause.items[0])[0])}, depth)

    def cut(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.each([item for item in items[1:] if item.text not in ("<>", "<...>")], env, depth)

    def and_let(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        scope = dict(env)
        for binding in items[1].items or () if len(items) > 1 else ():
            if binding.items and len(binding.items) == 2 and binding.items[0].symbol:
                self.expression(binding.items[1], scope, depth)
                scope[binding.items[0].symbol] = None
            elif binding.items:
                self.each(binding.items, scope, depth)
            else:
                self.expression(binding, scope, depth)
        self.body(items[2:], scope, depth)

    def match(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        self.each(items[1:2], env, depth)
        for clause in items[2:]:
            parts = clause.items or []
            if len(parts) > 1:
                scope = {**env, **dict.fromkeys(names_in(parts[0]) - {"quote", "quasiquote", "unquote"})}
                rest = parts[1:]
                if rest[0].head == "=>":
                    scope.update(dict.fromkeys(names_in(rest[0])))
                    rest = rest[1:]
                self.body(rest, scope, depth)

    def record(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        """Only names stand in it."""

    def tool(self, node: Node, items: list[Node], env: Env, depth: int) -> None:
        for clause in items[2:]:
            parts = clause.items or []
            if clause.head == "execute" and len(parts) > 1 and parts[1].head == "lambda":
                self.lambda_(parts[1], parts[1].items or [], env, depth, ARGUMENTS)
            elif clause.head == "execute" and len(parts) > 1 and parts[1].symbol:
                self._marked.setdefault(parts[1].symbol, set()).add(0)
                self.each(parts[1:], env, depth)
            elif clause.head in ("description", "category", "parameters", "summary-params", "execute", "summary"):
                self.each(parts[1:], env, depth)


RULES: dict[str, tuple[str, ...]] = {
    "skip": (
        "quote", "import", "define-syntax", "let-syntax", "letrec-syntax", "syntax-rules", "define-library",
        "cond-expand", "include", "include-ci", "syntax-error", "define-property", "export", "provide",
    ),
    "plain": tuple(PLAIN),
    "quasi": ("quasiquote",),
    "lambda_": ("lambda", "\u03bb"),
    "define": ("define",),
    "set_": ("set!",),
    "let": tuple(BINDERS),
    "let_values": ("let-values", "let*-values"),
    "receive": ("receive",),
    "define_values": ("define-values",),
    "do": ("do",),
    "cond": ("cond",),
    "case": ("case",),
    "guard": ("guard",),
    "parameterize": ("parameterize",),
    "case_lambda": ("case-lambda",),
    "cut": ("cut", "cute"),
    "and_let": ("and-let*",),
    "match": ("match",),
    "record": ("define-record-type",),
    "tool": ("define-tool",),
}  # fmt: skip
HANDLERS = {head: rule for rule, heads in RULES.items() for head in heads}
USUAL = frozenset(f"srfi/{n}" for n in (0, 1, 2, 8, 9, 11, 16, 23, 26, 34, 39, 62, 87))
"""SRFIs whose forms are those of R7RS."""
CORE = frozenset(
    "quote quasiquote lambda define set! let let* letrec letrec* if begin cond case and or when unless do guard"
    " import define-tool define-library cond-expand include define-syntax define-record-type parameterize"
    " case-lambda delay define-values let-values let*-values".split()
)


def handler_of(head: str) -> str | None:
    """The rule for a syntax."""
    return HANDLERS.get(head)


def record_names(items: list[Node]) -> Env:
    """What a record definition binds."""
    made: Env = {}
    if len(items) < 3:
        return made
    made[items[1].symbol or items[1].head] = None
    constructor = items[2]
    if constructor.items and constructor.items[0].symbol:
        count = len(constructor.items) - 1
        made[constructor.items[0].symbol] = (count, count)
    elif constructor.symbol:
        made[constructor.symbol] = None
    if len(items) > 3 and items[3].symbol:
        made[items[3].symbol] = (1, 1)
    for spec in items[4:]:
        for index, part in enumerate((spec.items or [])[1:3]):
            if part.symbol:
                made[part.symbol] = (index + 1, index + 1)
    return made


def quoted_symbol(node: Node | None) -> str | None:
    """The symbol of 'symbol."""
    items = (node.items if node is not None and node.head == "quote" else None) or []
    return items[1].symbol if len(items) == 2 else None


def literal(node: Node) -> bool:
    """Does it stand for itself?"""
    if node.items is not None:
        return node.head == "quote"
    return node.text[:1] in '"#' or is_number(node.text)


def spoken(least: int, most: int | None) -> str:
    """An arity in words."""
    if most is None:
        return f"at least {least} argument{'s' * (least != 1)}"
    if least == most:
        return f"{least} argument{'s' * (least != 1)}"
    return f"{least} to {most} arguments"
