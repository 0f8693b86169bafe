"""chibi-bridge prompt [FILE|DIR ...]"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

import click

from chibi_bridge.cli.common import FAILED, finish, report
from chibi_bridge.context import Context
from chibi_bridge.host.libraries import shipped_names
from chibi_bridge.tools.registry import ToolRegistry

MOST = 8_000
"""Characters of the sheet."""
WIDTH = 110

INTRODUCTION = """\
# Writing tools for chibi_bridge

A tool is a Scheme file (R7RS-small, `syntax-rules` macros only). It runs in a sandbox: it computes, and reaches only
what its operator grants. Running out of time, memory or output ends the call; nothing can catch that.
"""

FORMATS = """\
## A file, first format: any number of tools

```scheme
(define (words text)
  (filter (lambda (w) (not (string=? w ""))) (string-split text #\\space)))

(define-tool count_words
  (description "Count the words of a text.")            ; a model reads this: say what it does and returns
  (category "memory")          ; memory, fs_read, fs_write, shell, network, index, flow, vfs, plugin, mcp, eval
  (summary-params '("text"))   ; shown to the person who is asked for permission
  (parameters                  ; quoted, with dots: a JSON Schema of the arguments
   '((text . ((type . "string") (description . "The text")))
     (least . ((type . "integer") (description . "Letters of a word that counts") (default . 1)))))
  (execute
   (lambda (args)              ; an alist with STRING keys; defaults are filled in, types are checked before
     (let ((least (cdr (assoc "least" args))))
       (number->string
        (count (lambda (w) (>= (string-length w) least)) (words (cdr (assoc "text" args)))))))))
```

A string is the tool's answer as it is; any other value is shown in its written form. Names match
[A-Za-z][A-Za-z0-9_-]{0,63}. Types are string, integer, number, boolean, array, object; also enum, minimum, maximum,
items, and (required . #f) for a parameter that may be missing.

## Second format: one tool, by names

```scheme
(define tool-name "reverse_text")
(define tool-description "Reverse a text.")
(define tool-parameters '((text . ((type . "string") (description . "The text")))))
(define (tool-execute args)
  (list->string (reverse (string->list (cdr (assoc "text" args))))))
```
"""

IDIOMS = """\
## Three idioms

```scheme
;; JSON: objects are alists with string keys, arrays lists (vectors on the way out), null the symbol null.
(define data (json-parse "{\\"items\\": [{\\"name\\": \\"a\\", \\"price\\": 2.5}]}"))
(define prices (map (lambda (item) (cdr (assoc "price" item))) (cdr (assoc "items" data))))
(json-stringify (list (cons "total" (apply + prices)) (cons "list" (list->vector prices))))
```

```scheme
;; Loop with a named let; build lists backwards, texts in a port or with string-join.
(define (numbered lines)
  (let loop ((rest lines) (n 1) (out '()))
    (if (null? rest)
        (string-join (reverse out) "\\n")
        (loop (cdr rest) (+ n 1) (cons (string-append (number->string n) ". " (car rest)) out)))))
(numbered '("one" "two"))
```

```scheme
;; Errors: raise them with a text for the caller, catch what may fail.
(define (safe-number text)
  (or (string->number text) (error "not a number:" text)))
(guard (e ((error-object? e) (string-append "error: " (error-object-message e))))
  (safe-number "x"))
```
"""

NETWORK = """\
HTTP needs a grant, then `(import (tein http))`: `(http-get url headers)`, `(http-post url headers body)`, headers an
alist of strings; `http-status`, `http-body` of what comes; a refusal or failure raises (`http-error?`,
`http-error-kind`).
"""

SLIPS = """\
## Slips to avoid

| not | but |
|---|---|
| `(assoc 'key args)` | `(assoc "key" args)`: the keys are strings |
| `(parameters (list (name ...)))` | quote it: `'((name . ((type . "string") ...)))` |
| `#true`, `nil`, `None`, `null` | `#t`, `'()`, `#f` |
| `(define (f [x 1]) ...)`, `#:key` | `(define (f . rest) ...)` |
| `(hash-ref t k)`, `(make-hash)` | `(hash-table-ref/default t k #f)`, `(make-hash-table)` |
| `(string-trim s)` of a path, `(substring s i)` | `string-trim-both`; `(substring s start end)` |
| `(print x)`, `(printf ...)` | `(display x) (newline)`, `(format #f "~a" x)` |
| `(try ...)`, `(catch ...)`, `(handler-case ...)` | `(guard (e (#t ...)) ...)` |
| `(while ...)`, `(for x in ...)`, `(return x)` | named `let`, `for-each`, `do`; the last value is the result |
| `"it's {x}"`, `(++ i)` | `(string-append "it's " x)`, `(+ i 1)` |
| `[` `]` as list brackets | `(` `)` |
| changing a quoted list | `(list ...)` or `(list-copy ...)` first |
"""

VISIBLE = {
    "lists": "list cons car cdr cadr append reverse length list-ref map for-each filter remove partition fold "
    "fold-right reduce append-map filter-map delete delete-duplicates any every find count iota first last take drop "
    "list-index assoc assq member sort list-copy apply",
    "texts": "string-append string-length substring string-ref string-upcase string-downcase string-index "
    "string-contains string-prefix? string-suffix? string-split string-join string-replace string-trim-both "
    "string-pad-left string->list list->string string->number number->string string->symbol symbol->string format "
    "call-with-output-string char-alphabetic? char-numeric? char-whitespace?",
    "numbers": "+ - * / quotient remainder modulo abs min max gcd expt sqrt exact-integer-sqrt round floor ceiling "
    "truncate exact inexact exact->inexact number? integer? even? odd? zero?",
    "tables": "make-hash-table hash-table-set! hash-table-ref hash-table-ref/default hash-table-update!/default "
    "hash-table-delete! hash-table-contains? hash-table-keys hash-table->alist",
    "vectors": "vector make-vector vector-ref vector-set! vector-length vector-map vector-for-each vector->list "
    "list->vector",
    "other": "let* let-values receive case cond when unless do match guard error assert and-let* cut parameterize "
    "json-parse json-stringify regexp regexp-search regexp-matches? call-tool random-integer",
}
"""Names to show, by subject; those that the policy or the image has not are left out."""


@click.command("prompt", epilog="Example: chibi-bridge prompt tools/ > prompt.md")
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
def command(files: tuple[Path, ...]) -> None:
    """Print the sheet for a model that is to write tools; the tools of FILES are named in it."""
    code = 0
    tools: list[tuple[str, str]] = []
    if files:
        registry = ToolRegistry()
        try:
            tools = [(tool.name, tool.description) for tool in registry.scan(*files)]
            for problem in registry.problems:
                report(problem)
                code = FAILED
        finally:
            registry.close()
    click.echo(sheet(tools), nl=False)
    finish(code)


def sheet(tools: Iterable[tuple[str, str]] = ()) -> str:
    """The whole sheet, at most MOST characters; of many tools as many as fit are named."""
    parts = [INTRODUCTION, FORMATS, names_text(), libraries_text(), NETWORK, IDIOMS, SLIPS]
    text = "\n".join(parts)
    lines = [f"- {name}: {textwrap.shorten(description, 90)}\n" for name, description in tools]
    if not lines:
        return text
    head = '\n## Tools that are there already: `(call-tool "name" \'(("argument" . value)))`\n\n'
    room = MOST - len(text) - len(head) - 20
    shown = []
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        shown.append(line)
    left = len(lines) - len(shown)
    return text + head + "".join(shown) + (f"- and {left} more\n" if left else "")


def names_text() -> str:
    """What a tool file sees without an import, the commonest names by subject."""
    with Context(prelude="tools") as context:
        bound = set(context.names())
    lines = ["## Visible without an import (and the rest of R7RS-small)\n"]
    for subject, names in VISIBLE.items():
        there = [name for name in names.split() if name in bound]
        lines.append(
            textwrap.fill(f"- {subject}: {' '.join(there)}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        )
    return "\n".join(lines) + "\n"


def libraries_text() -> str:
    """What can be imported, numbers and names of a kind together."""
    numbers = sorted(int(name[5:]) for name in shipped_names() if name.startswith("srfi/") and name[5:].isdigit())
    chibi = ("match", "string", "csv", "base64", "uri", "diff", "edit-distance", "parse", "show")
    there = [f"(chibi {name})" for name in chibi if f"chibi/{name}" in shipped_names()]
    text = f"Also, by `(import ...)`: (srfi N) for N in {' '.join(map(str, numbers))}; {' '.join(there)}."
    return textwrap.fill(text, WIDTH, break_on_hyphens=False) + "\n"
