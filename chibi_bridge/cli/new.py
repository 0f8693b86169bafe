"""chibi-bridge new NAME"""

from __future__ import annotations

from pathlib import Path

import click

from chibi_bridge.cli.common import USAGE, finish
from chibi_bridge.tools.load import NAME

TOOL = """\
;;; {name}: greets somebody, as often as asked. Replace this by what your tool does.
;;;
;;;   chibi-bridge check {name}.scm
;;;   chibi-bridge run {name}.scm --arg name=Ada --arg times=2
;;;   chibi-bridge fuzz {name}.scm

(define (greeting name)
  (string-append "Hello, " name "!"))

(define-tool {name}
  (description "Greet somebody by name.")
  (category "memory")
  (summary-params '("name"))
  (parameters
   '((name . ((type . "string") (description . "Whom to greet") (default . "world")))
     (times . ((type . "integer") (description . "How often")
               (minimum . 1) (maximum . 10) (default . 1)))))
  (execute
   (lambda (args)
     (let ((name (cdr (assoc "name" args)))
           (times (cdr (assoc "times" args))))
       (string-join (make-list times (greeting name)) " ")))))
"""

CONVENTION = """\
;;; {name}: greets somebody, as often as asked. Replace this by what your tool does.
;;;
;;;   chibi-bridge check {name}.scm
;;;   chibi-bridge run {name}.scm --arg name=Ada --arg times=2
;;;   chibi-bridge fuzz {name}.scm

(define tool-name "{name}")
(define tool-description "Greet somebody by name.")
(define tool-category "memory")
(define tool-summary-params '("name"))
(define tool-parameters
  '((name . ((type . "string") (description . "Whom to greet") (default . "world")))
    (times . ((type . "integer") (description . "How often")
              (minimum . 1) (maximum . 10) (default . 1)))))

(define (greeting name)
  (string-append "Hello, " name "!"))

(define (tool-execute args)
  (let ((name (cdr (assoc "name" args)))
        (times (cdr (assoc "times" args))))
    (string-join (make-list times (greeting name)) " ")))
"""

PROPERTIES = """\
;;; What holds for {name} whatever its arguments: chibi-bridge fuzz {name}.scm tries.

(import (chibi-bridge property))

(define-property it-greets-as-often-as-asked
  (for-all (name string?) (times (integer-between 1 10)))
  (let ((text (run-tool "{name}" (list (cons "name" name) (cons "times" times)))))
    (= (string-length text)
       (+ (* times (string-length (string-append "Hello, " name "!"))) times -1))))
"""

HTTP_TOOL = """\
;;; {name}: fetches an item of an API. Replace the URL and the text by those of yours.
;;;
;;; It reaches what {name}.toml grants, and nothing else:
;;;
;;;   chibi-bridge check {name}.scm --config {name}.toml
;;;   chibi-bridge run {name}.scm --config {name}.toml --arg id=7
;;;   chibi-bridge fuzz {name}.scm --config {name}.toml     (answered by a simulator)

(import (tein http))

(define base "https://api.example.com/v1/items/")

;; What went wrong, for the model that called.
(define (explain status)
  (string-append "the API answered " (number->string status)))

(define-tool {name}
  (description "Fetch the title of an item.")
  (category "network")
  (summary-params '("id"))
  (parameters
   '((id . ((type . "integer") (description . "The number of the item")
            (minimum . 1) (maximum . 1000000) (default . 1)))))
  (execute
   (lambda (args)
     (let ((id (cdr (assoc "id" args))))
       (guard (e ((http-error? e)
                  (string-append "no answer: " (symbol->string (http-error-kind e)))))
         (let ((response (http-get (string-append base (number->string id))
                                   '(("accept" . "application/json")))))
           (if (= (http-status response) 200)
               (title-of (http-body response))
               (explain (http-status response)))))))))

;; The title in a JSON object, or what is wrong with the text.
(define (title-of text)
  (let ((item (guard (e (#t #f)) (json-parse text))))
    (cond ((and (pair? item) (every pair? item) (assoc "title" item))
           => (lambda (entry)
                (if (string? (cdr entry)) (cdr entry) "the title is no text")))
          (else "the API answered no object with a title"))))
"""

HTTP_PROPERTIES = """\
;;; What holds for {name} whatever its arguments: chibi-bridge fuzz {name}.scm tries.

(import (chibi-bridge property))

(define-property it-always-answers-a-text
  (for-all (id (integer-between 1 1000000)))
  (string? (run-tool "{name}" (list (cons "id" id)))))
"""

CONFIG = """\
# What {name}.scm gets; put the tables into your own configuration.
[tools.limits]
"/tools/shared/{name}.scm" = {{ timeout = 5.0, memory = 33554432 }}
"""

HTTP_CONFIG = """\
# What {name}.scm gets; put the tables into your own configuration.
[tools.http.allow]
"/tools/shared/{name}.scm" = ["https://api.example.com/v1/items/"]

[tools.limits]
"/tools/shared/{name}.scm" = {{ timeout = 10.0 }}
"""


@click.command("new", epilog="Example: chibi-bridge new greet")
@click.argument("name")
@click.option("--http", is_flag=True, help="A tool that fetches from an API.")
@click.option("--convention", is_flag=True, help="One tool a file, by the names tool-name, tool-execute ...")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Where to.")
def command(name: str, http: bool, convention: bool, folder: Path) -> None:
    """Start a tool: NAME.scm, a property test NAME-props.scm, and what grants it something, NAME.toml."""
    if not NAME.fullmatch(name):
        raise click.UsageError(f"a tool's name is [A-Za-z][A-Za-z0-9_-]{{0,63}}: {name}")
    if http and convention:
        raise click.UsageError("--http and --convention exclude each other")
    files = {
        folder / f"{name}.scm": HTTP_TOOL if http else CONVENTION if convention else TOOL,
        folder / f"{name}-props.scm": HTTP_PROPERTIES if http else PROPERTIES,
        folder / f"{name}.toml": HTTP_CONFIG if http else CONFIG,
    }
    try:
        write_all({path: text.format(name=name) for path, text in files.items()})
    except OSError as error:
        what = "is there already; nothing was written" if isinstance(error, FileExistsError) else error.strerror
        click.echo(f"error: {error.filename}: {what}", err=True)
        finish(USAGE)
    for path in files:
        click.echo(path)
    config = f" --config {folder / name}.toml" if http else ""
    click.echo(f"next: chibi-bridge check {folder / name}.scm{config}", err=True)


def write_all(files: dict[Path, str]) -> None:
    """Write all files, or none: what is there already is never touched."""
    for path in files:
        if path.exists():
            raise FileExistsError(17, "exists", str(path))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
