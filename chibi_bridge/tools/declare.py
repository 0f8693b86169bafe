"""What a tool file declares, seen in its text before (or without) running it.

Used for positions: where a tool, a clause or a parameter was written.
"""

from __future__ import annotations

from chibi_bridge.errors import Location
from chibi_bridge.host.sexp import Form, position, read_forms


class Declarations:
    """The top-level definitions of a tool file, with positions."""

    __slots__ = ("file", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    @property
    def _forms(self) -> list[Form]:
        """The forms, read when a position is asked for: thousands of files load, few are asked about."""
        return read_forms(self.text)

    def _tool(self, name: str) -> Form | None:
        found = None
        for form in self._forms:
            items = form.items or ()
            if form.head == "define-tool" and len(items) > 1 and items[1].text.strip('"|') == name:
                found = form
        return found

    def _definition(self, name: str) -> Form | None:
        found = None
        for form in self._forms:
            items = form.items or ()
            if form.head == "define" and len(items) > 1 and name in (items[1].text, items[1].head):
                found = form
        return found

    def location_of(self, tool: str | None, clause: str | None = None) -> Location | None:
        """Where a tool's clause was written, else the tool, else nothing is known."""
        form = self._tool(tool) if tool is not None else None
        if form is None:
            form = self._definition(f"tool-{clause}" if clause else "tool-name")
            return None if form is None else self._at(form.at)
        clauses = [item for item in form.items or () if clause is not None and item.head == clause]
        return self._at(clauses[-1].at if clauses else form.at)

    def parameter(self, tool: str, name: str) -> Location | None:
        """Where a parameter of a tool was declared."""
        form = self._tool(tool)
        where = None
        if form is not None:
            where = next((item for item in form.items or () if item.head == "parameters"), None)
        else:
            where = self._definition("tool-parameters")
        if where is None:
            return None
        pending = list(where.items or ())
        while pending:
            item = pending.pop(0)
            if item.items is None:
                continue
            if item.items and item.items[0].text.strip('"|') == name and item.items[0].items is None:
                return self._at(item.at)
            if item.head == "cons" and len(item.items) > 1 and item.items[1].text.strip('"') == name:
                return self._at(item.at)
            pending.extend(item.items)
        return self._at(where.at)

    def top_level(self, index: int) -> Location | None:
        """Where the top-level form of this number starts."""
        return self._at(self._forms[index].at) if index < len(self._forms) else None

    def imported(self, name: str) -> Location | None:
        """Where a top-level import names a library."""
        pending = [item for form in self._forms if form.head == "import" for item in (form.items or ())[1:]]
        while pending:
            item = pending.pop(0)
            parts = item.items or ()
            if " ".join(part.text for part in parts) == name:
                return self._at(item.at)
            pending.extend(parts)
        return None

    def hook(self, name: str) -> Location | None:
        """Where a hook of this name was registered."""
        pending = list(self._forms)
        while pending:
            item = pending.pop(0)
            parts = item.items or ()
            if item.head == "register-hook" and len(parts) > 1 and name in (parts[1].text, last_text(parts[1])):
                return self._at(item.at)
            pending.extend(parts)
        return None

    def line(self, location: Location | None) -> str | None:
        """The line a location points into."""
        if location is None:
            return None
        lines = self.text.splitlines()
        return lines[location.line - 1] if 0 < location.line <= len(lines) else None

    def _at(self, offset: int) -> Location:
        line, column = position(self.text, offset)
        return Location(self.file, line, column)


def last_text(form: Form) -> str:
    """The text of a quoted symbol."""
    return form.items[-1].text if form.items else ""
