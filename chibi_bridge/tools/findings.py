"""What `check` can find: codes that stay, and what each means."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["CODES", "Edit", "Finding"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A mechanical change of a text: what stands from `start` to `end` becomes `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: a code of CODES, where it is (offset; None: the file as a whole), what to write, how to mend it."""

    code: str
    at: int | None
    message: str
    hint: str | None = None
    edits: tuple[Edit, ...] = field(default=())

    @property
    def stage(self) -> str:
        """What part of the work the code belongs to."""
        return STAGES[self.code[0]]


STAGES = {"R": "read", "N": "name", "C": "compile", "K": "key", "T": "tool", "G": "grant"}
"""First letters of codes."""

CODES: dict[str, str] = {
    "R001": "A parenthesis is never closed. By the indentation the finding says behind which line the ) is missing.",
    "R002": "A closing parenthesis too many. By the indentation the finding points at the one that closes too early.",
    "R003": "Square brackets. R7RS has round parentheses only: (let ((x 1)) x), (cond (else 1)).",
    "R004": "Braces. R7RS has none: lists are (list 1 2), vectors #(1 2), tables (make-hash-table).",
    "R005": "A line or directive of another Scheme (#lang, #!optional). A file may begin with (import (scheme base)).",
    "R006": "A keyword argument (#:key, :key). R7RS passes arguments by position; options are often an alist.",
    "R007": 'A string is not closed. Write " at its end; inside a string \\" is a double quote.',
    "R008": 'An escape that strings do not have. There are \\a \\b \\t \\n \\r \\" \\\\ \\| and \\x41; (a code point).',
    "R009": 'Typographic quotes. Strings stand between straight double quotes: "text".',
    "R010": "A Markdown code fence. The file holds Scheme alone; leave the ``` lines out.",
    "R011": "A comment of another language. A comment begins with ; and block comments stand between #| and |#.",
    "R012": "A text in single quotes. ' quotes a datum; strings stand between double quotes.",
    "R099": "The reader refuses the text for another reason; the message says which.",
    "N001": "A name that nothing binds. The hint names those that look like it.",
    "N002": "A name of another dialect or language. The hint says what to write here.",
    "N003": "A name of a library that the file does not import. Add the import that the hint shows.",
    "N004": "There is no such library. The hint names those that look like it.",
    "N005": "The library, or the one that has the name, is excluded by what the configuration grants the file.",
    "C001": "A form is malformed: the wrong number of parts, or parts in the wrong place. The hint shows the shape.",
    "C002": "A call gives a procedure more or fewer arguments than it takes.",
    "C003": "A list whose first item is a literal stands where a call is expected. Quote it: '(1 2 3).",
    "K001": "A tool's arguments have strings as keys: (assoc \"key\" args), not (assoc 'key args).",
    "K002": 'assq and assv compare with eq? and eqv?, which no string key equals: use (assoc "key" args).',
    "K003": "The key is no parameter of the tool: nothing ever has it. Declare it, or mend the name.",
    "T001": "A tool's name is missing or not one that models accept: [A-Za-z][A-Za-z0-9_-]{0,63}.",
    "T002": "A tool's description is missing or no string.",
    "T003": "A category that does not exist; the tool would count as synthesised.",
    "T004": 'The parameters cannot be read. Write \'((name (type . "string") (description . "..."))).',
    "T005": "The handler takes the wrong number of arguments: it gets one, the alist of arguments.",
    "T006": "The file defines no tool and registers no hook.",
    "T007": "Two tools of the file have one name; the later one would replace the first.",
    "T008": "A clause or an attribute that a tool does not have.",
    "T009": "summary-params names what is no parameter.",
    "T010": "The file fails while it is loaded; the message is the error's.",
    "G001": "The file asks for a URL or a library that the configuration does not grant it.",
    "G002": "The configuration grants the file something that it does not use.",
}
"""Every code with its explanation; codes are never given another meaning."""
