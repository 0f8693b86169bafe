"""Names of other Schemes, Lisps and languages, with what to write here.

One line a name: `name: what to write`, or `name = replacement: what to write` where
the other name with the same arguments does the same; `name ( replacement: ...` where
that holds at the head of a call. `[form]` marks syntax of the other language, whose
parts are no expressions here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["DIALECTS", "FORMS", "HEAD_RENAMES", "ORIGINS", "RENAMES"]

TABLE = {
    "Racket": """
foldl = fold: (fold kons knil list); its procedure takes (item accumulator)
foldr = fold-right: (fold-right kons knil list); its procedure takes (item accumulator)
filter-not = remove: (remove pred list)
range: (iota count start step); it takes a count, not an end: (iota (- end start) start)
in-range: (iota count start step), or a named let
build-list: (map f (iota n))
build-vector: (vector-map f (list->vector (iota n)))
build-string: (string-tabulate f n) of (srfi 13)
add-between: (string-join list ", ") for strings, a named let for other lists
flatten: (append-map flatten-one list), or a procedure of your own that walks pairs
remove-duplicates = delete-duplicates: (delete-duplicates list)
remove*: (remove (lambda (x) (member x unwanted)) list)
remq: (remove (lambda (x) (eq? x item)) list)
takef: (take-while pred list); the list comes second
dropf: (drop-while pred list); the list comes second
splitf-at: (span pred list)
andmap = every: (every pred list)
ormap = any: (any pred list)
argmin: (fold (lambda (x best) (if (< (f x) (f best)) x best)) (car list) (cdr list))
argmax: (fold (lambda (x best) (if (> (f x) (f best)) x best)) (car list) (cdr list))
index-of: (list-index (lambda (x) (equal? x item)) list)
indexes-of: (filter (lambda (i) (equal? (list-ref list i) item)) (iota (length list)))
list-set: (append (take list k) (list item) (drop list (+ k 1)))
empty = '(): '() for the empty list
empty? = null?: (null? list)
null = '(): '() for the empty list
cons? = pair?: (pair? x)
rest = cdr: (cdr list)
void ( if #f #f: (if #f #f), or leave the value out
void?: compare with what you return yourself; nothing needs the unspecified value
add1 ( + 1: (+ n 1)
sub1 ( + -1: (- n 1)
true = #t: #t
false = #f: #f
sqr: (* x x)
pi: (* 4 (atan 1))
exact-round: (exact (round x))
exact-floor: (exact (floor x))
exact-ceiling: (exact (ceiling x))
exact-truncate: (exact (truncate x))
real->decimal-string: build it from (round (* x 100)), or (format "~2f" x) of (srfi 48)
~a: (let ((out (open-output-string))) (display x out) (get-output-string out))
~s: the same with write in place of display
~r: (number->string n)
string-append*: (apply string-append list)
string-contains?: (string-contains text part), which is an index or #f
string-normalize-spaces: (string-join (string-split text) " ")
non-empty-string?: (and (string? x) (not (string=? x "")))
string-first: (string-ref text 0)
displayln: (display value) (newline)
println: (write value) (newline)
printf: (display (format #f control object ...))
eprintf: (display text (current-error-port)), the text by (format #f control object ...)
fprintf: (display (format #f control object ...) port)
pretty-print: (write value) (newline)
with-output-to-port: (parameterize ((current-output-port port)) ...)
port->string: (read-string count port) until it is an eof object
port->lines: (read-line port) until it is an eof object
file->string: (call-with-input-file path (lambda (port) (read-string count port))); reading must be granted
file->lines: (call-with-input-file path ...) with read-line; reading must be granted
display-to-file: (call-with-output-file path (lambda (port) (display x port))); writing must be granted
current-inexact-milliseconds: (* 1000 (current-second)) of (scheme time)
current-seconds: (exact (floor (current-second))) of (scheme time)
hash-ref = hash-table-ref/default: (hash-table-ref/default table key default)
hash-set! = hash-table-set!: (hash-table-set! table key value)
hash-set: (hash-table-set! table key value), which changes the table
hash-ref!: (hash-table-ref table key (lambda () default))
hash-update! = hash-table-update!/default: (hash-table-update!/default table key procedure default)
hash-update: (hash-table-update!/default table key procedure default), which changes the table
hash-remove! = hash-table-delete!: (hash-table-delete! table key)
hash-remove: (hash-table-delete! table key), which changes the table
hash-has-key? = hash-table-exists?: (hash-table-exists? table key)
hash-keys = hash-table-keys: (hash-table-keys table)
hash-values = hash-table-values: (hash-table-values table)
hash->list = hash-table->alist: (hash-table->alist table)
hash-count = hash-table-size: (hash-table-size table)
hash-for-each: (hash-table-walk table (lambda (key value) ...))
hash-map: (map (lambda (pair) ...) (hash-table->alist table))
hash-empty?: (= (hash-table-size table) 0)
hash? = hash-table?: (hash-table? x)
make-hash ( make-hash-table: (make-hash-table)
make-hasheq ( make-hash-table: (make-hash-table)
make-hasheqv ( make-hash-table: (make-hash-table)
make-immutable-hash: (alist->hash-table alist)
dict-ref: (cdr (assoc key alist)), or hash-table-ref/default
dict-set!: (hash-table-set! table key value)
dict-set: (cons (cons key value) alist)
vector-append*: (apply vector-append list)
vector-argmin: (fold ... (vector->list vector))
vector-member: (vector-index (lambda (x) (equal? x item)) vector)
exn-message = error-object-message: (error-object-message e) inside guard
exn? = error-object?: (error-object? e) inside guard
exn:fail? = error-object?: (error-object? e) inside guard
raise-argument-error: (error "message" irritant ...)
raise-user-error: (error "message" irritant ...)
raise-type-error: (error "message" irritant ...)
with-handlers: [form] (guard (e ((error-object? e) (error-object-message e))) body ...)
with-handlers*: [form] (guard (e (#t handler ...)) body ...)
call/ec = call/cc: (call/cc (lambda (return) ...))
let/ec: [form] (call/cc (lambda (return) ...))
let/cc: [form] (call/cc (lambda (k) ...))
for: [form] (for-each (lambda (x) ...) list), map or a named let
for*: [form] nested for-each, or nested named lets
for/list: [form] (map (lambda (x) ...) list)
for*/list: [form] (append-map (lambda (x) (map (lambda (y) ...) list2)) list1)
for/vector: [form] (vector-map (lambda (x) ...) vector)
for/fold: [form] (fold (lambda (x acc) ...) init list)
for/sum: [form] (apply + (map (lambda (x) ...) list))
for/product: [form] (apply * (map (lambda (x) ...) list))
for/and: [form] (every (lambda (x) ...) list)
for/or: [form] (any (lambda (x) ...) list)
for/first: [form] (find (lambda (x) ...) list)
for/hash: [form] a named let or for-each with hash-table-set!
for/string: [form] (string-join (map ...) "")
in-list: for-each or map takes the list itself
in-naturals: (iota n)
in-string: (string->list text)
in-hash: (hash-table-walk table (lambda (key value) ...))
struct: [form] (define-record-type point (make-point x y) point? (x point-x) (y point-y))
define-struct: [form] (define-record-type point (make-point x y) point? (x point-x) (y point-y))
struct-copy: [form] make a new record with the constructor
require: [form] (import (scheme base))
provide: [form] leave it out: a tool file exports nothing; a library has (export name ...)
module: [form] (define-library (name) (export ...) (import (scheme base)) (begin ...))
module+: [form] leave it out; tests live in a file of their own
define/contract: [form] (define (name argument ...) body ...)
define-syntax-rule: [form] (define-syntax name (syntax-rules () ((_ argument) template)))
match-define: [form] (match value (pattern body ...))
match*: [form] (match (list a b) ((pattern1 pattern2) body ...))
begin0: [form] (let ((value first)) rest ... value)
case-λ: [form] (case-lambda ((x) ...) ((x y) ...))
λ = lambda: (lambda (x) ...)
regexp-match: (regexp-search pattern text) of (chibi regexp), or (tein safe-regexp)
regexp-match*: (regexp-extract pattern text) of (chibi regexp)
regexp-replace*: (regexp-replace-all pattern text replacement) of (chibi regexp)
pregexp: (regexp "...") of (chibi regexp)
string->jsexpr: (json-parse text) of (tein json)
jsexpr->string: (json-stringify value) of (tein json)
read-json: (json-parse text) of (tein json)
write-json: (display (json-stringify value)) of (tein json)
identity: (lambda (x) x)
const: (lambda args value)
negate: (lambda (x) (not (pred x)))
compose: (lambda (x) (f (g x)))
compose1: (lambda (x) (f (g x)))
curry: (lambda (y) (f x y)), or (cut f x <>) of (srfi 26)
thunk: [form] (lambda () body ...)
symbol<?: compare (symbol->string a) and (symbol->string b) with string<?
keyword->string: R7RS has no keywords; use symbols
sequence->list: vector->list, string->list or hash-table->alist
current-command-line-arguments: (command-line) of (scheme process-context)
first-value: (call-with-values (lambda () ...) (lambda (x . rest) x))
""",
    "Guile": """
1+ ( + 1: (+ n 1)
1- ( + -1: (- n 1)
assoc-ref: (cdr (assoc key alist)) where the key is there; else (let ((p (assoc key alist))) (if p (cdr p) default))
assq-ref: (cdr (assq key alist)) where the key is there; else (let ((p (assq key alist))) (if p (cdr p) default))
assv-ref: (cdr (assv key alist)) where the key is there
assoc-set!: (cons (cons key value) alist)
assq-set!: (cons (cons key value) alist)
assv-set!: (cons (cons key value) alist)
assoc-remove!: (remove (lambda (pair) (equal? (car pair) key)) alist)
hashq-ref: (hash-table-ref/default table key default)
hashv-ref: (hash-table-ref/default table key default)
hashq-set! = hash-table-set!: (hash-table-set! table key value)
hashv-set! = hash-table-set!: (hash-table-set! table key value)
hash-get-handle: (hash-table-exists? table key)
hash-create-handle!: (hash-table-set! table key value)
hash-map->list: (map (lambda (pair) ...) (hash-table->alist table))
hash-for-each-handle: (hash-table-walk table (lambda (key value) ...))
hash-clear! = hash-table-clear!: (hash-table-clear! table)
simple-format: (format #f "..." x)
display*: several calls of display
string-any-char: (string-any pred text)
string-search: (string-contains text part)
string-match: (regexp-search pattern text) of (chibi regexp)
regexp-exec: (regexp-search pattern text) of (chibi regexp)
match:substring: (regexp-match-submatch match n) of (chibi regexp)
make-regexp: (regexp "...") of (chibi regexp)
regexp-substitute/global: (regexp-replace-all pattern text replacement) of (chibi regexp)
list-head = take: (take list k)
sort-list: (sort list <)
stable-sort: (list-sort < list)
use-modules: [form] (import (scheme base) (srfi 1))
define-module: [form] leave it out: a file begins with (import ...)
use-syntax: [form] (import ...)
export-syntax: [form] leave it out
re-export: [form] leave it out
define-public: [form] (define (name argument ...) body ...)
define*: [form] (define (name argument . rest) ...), or case-lambda for optional arguments
lambda*: [form] (lambda (argument . rest) ...), or case-lambda for optional arguments
define-inlinable: [form] (define (name argument ...) body ...)
define-class: [form] (define-record-type name (make-name field ...) name? (field name-field))
define-method: [form] (define (name argument ...) body ...)
define-generic: [form] (define (name argument ...) body ...)
catch: (guard (e (#t handler)) body ...)
throw: (error "message" irritant ...) or (raise object)
with-throw-handler: (guard (e (#t handler)) body ...)
call-with-escape-continuation = call/cc: (call/cc (lambda (return) ...))
call-with-prompt: (call/cc (lambda (k) ...))
with-fluids: [form] (parameterize ((parameter value)) body ...)
make-fluid = make-parameter: (make-parameter value)
fluid-ref: (parameter), a call of the parameter itself
fluid-set!: (parameterize ((parameter value)) body ...)
exception-message: (error-object-message e) inside guard
condition-message: (error-object-message e) inside guard
scm-error: (error "message" irritant ...)
misc-error: (error "message" irritant ...)
get-string-all: (read-string count port) until it is an eof object
read-all: (read-line port) until it is an eof object
read-string-all: (read-string count port) until it is an eof object
get-line = read-line: (read-line port)
put-string: (write-string text port)
gettimeofday: (current-second) of (scheme time)
getcwd: no program sees a working folder; give absolute paths
strftime: (date->string date format) of (srfi 19)
peek: (begin (write x) (newline) x)
pk: (begin (write x) (newline) x)
primitive-eval: (eval expression (environment '(scheme base))) of (scheme eval)
while: [loop] (let loop () (when test body ... (loop)))
""",
    "Chicken": """
alist-ref: (cdr (assoc key alist)) where the key is there
alist-update: (cons (cons key value) alist)
alist-update!: (cons (cons key value) alist)
conc: (string-append ...) with number->string for numbers
print: (display value) (newline)
print*: (display value)
pp: (write value) (newline)
sprintf: (format #f "..." x)
->string: number->string, symbol->string, or write to (open-output-string)
string-intersperse = string-join: (string-join list " ")
string-translate*: (string-replace text from to)
string-chop: (substring text start end) in a named let
substring-index: (string-contains text part); the text comes first
substring=?: (string=? (substring a 0 n) (substring b 0 n))
irregex: (regexp "...") of (chibi regexp)
irregex-search: (regexp-search pattern text) of (chibi regexp)
irregex-match: (regexp-matches pattern text) of (chibi regexp)
irregex-replace/all: (regexp-replace-all pattern text replacement) of (chibi regexp)
irregex-split: (regexp-split pattern text) of (chibi regexp)
use: [form] (import (scheme base))
require-extension: [form] (import (srfi 1))
require-library: [form] (import (scheme base))
declare: [form] leave it out
condition-case: [form] (guard (e ((error-object? e) handler)) body ...)
handle-exceptions: [form] (guard (e (#t handler)) body ...)
get-condition-property: (error-object-message e) inside guard
read-lines: (read-line port) until it is an eof object
read-file: (call-with-input-file path ...); reading must be granted
butlast: (drop-right list 1)
compress: (filter pred list)
intersperse: (string-join list ", ") for strings
chop: (take list n) and (drop list n) in a named let
flip: (lambda (x y) (f y x))
complement: (lambda (x) (not (pred x)))
o: (lambda (x) (f (g x)))
constantly: (lambda args value)
let-location: [form] let
foreign-lambda: [form] nothing outside is called: the host defines procedures
define-foreign-variable: [form] nothing outside is called
set-finalizer!: nothing needs to be freed
current-milliseconds: (* 1000 (current-second)) of (scheme time)
""",
    "Gauche": """
string-scan: (string-contains text part)
x->string: number->string, symbol->string, or write to (open-output-string)
x->integer: (exact (truncate x)), string->number
x->number: string->number
ref: list-ref, vector-ref, hash-table-ref/default or string-ref
~: list-ref, vector-ref or hash-table-ref/default
hash-table-get = hash-table-ref/default: (hash-table-ref/default table key default)
hash-table-put! = hash-table-set!: (hash-table-set! table key value)
hash-table-push!: (hash-table-update!/default table key (lambda (old) (cons x old)) '())
rxmatch: (regexp-search pattern text) of (chibi regexp)
rxmatch-substring: (regexp-match-submatch match n) of (chibi regexp)
rxmatch-case: [form] cond with regexp-search
if-let1: [form] (let ((x test)) (if x then else))
let1: [form] (let ((x value)) body ...)
rlet1: [form] (let ((x value)) body ... x)
dotimes: [form] (for-each (lambda (i) ...) (iota n)), or do
dolist: [form] (for-each (lambda (x) ...) list)
push!: [form] (set! list (cons x list))
pop!: [form] (let ((x (car list))) (set! list (cdr list)) x)
inc!: [form] (set! n (+ n 1))
dec!: [form] (set! n (- n 1))
update!: [form] (set! place (f place))
until: [loop] (let loop () (unless test body ... (loop)))
begin/: [form] (let ((value first)) rest ... value)
define-constant: [form] (define name value)
define-in-module: [form] (define name value)
use-version: [form] leave it out
string-incomplete->complete: strings are always complete
fold2: (fold kons knil list) with a pair as accumulator
map-with-index: (map f (iota (length list)) list); f takes (index item)
for-each-with-index: (for-each f (iota (length list)) list); f takes (index item)
filter-with-index: filter over (map list (iota (length list)) list)
group-sequence: a named let
slices: take and drop in a named let
sys-time: (current-second) of (scheme time)
sys-else-if: [form] a further clause of cond
getenv = get-environment-variable: (get-environment-variable "NAME"); the variable must be granted
write-to-string: (call-with-output-string (lambda (port) (write x port)))
read-from-string: (read (open-input-string text))
port->string-list: (read-line port) until it is an eof object
port->sexp-list: (read port) until it is an eof object
""",
    "MIT": """
-1+ ( + -1: (- n 1)
reduce-left: (reduce f default list)
string-search-forward: (string-contains text part); the text comes first
string-search-backward: (string-contains-right text part) of (srfi 130), or a named let
string-search-all: string-contains in a named let
string-head: (substring text 0 end)
string-tail: (substring text start (string-length text))
sublist: (take (drop list start) (- end start))
list*: (cons* a b list) of (srfi 1)
except-last-pair!: (drop-right list 1)
except-last-pair: (drop-right list 1)
hash-table/get = hash-table-ref/default: (hash-table-ref/default table key default)
hash-table/put! = hash-table-set!: (hash-table-set! table key value)
hash-table/remove! = hash-table-delete!: (hash-table-delete! table key)
hash-table/count = hash-table-size: (hash-table-size table)
hash-table/clear! = hash-table-clear!: (hash-table-clear! table)
hash-table-datum-list = hash-table-values: (hash-table-values table)
hash-table/datum-list = hash-table-values: (hash-table-values table)
hash-table/key-list = hash-table-keys: (hash-table-keys table)
hash-table-key-list = hash-table-keys: (hash-table-keys table)
make-equal-hash-table ( make-hash-table: (make-hash-table)
make-strong-eqv-hash-table ( make-hash-table: (make-hash-table)
make-string-hash-table ( make-hash-table: (make-hash-table)
del-assq: (remove (lambda (pair) (eq? (car pair) key)) alist)
del-assv: (remove (lambda (pair) (eqv? (car pair) key)) alist)
del-assoc: (remove (lambda (pair) (equal? (car pair) key)) alist)
condition/report-string: (error-object-message e) inside guard
within-continuation: (call/cc (lambda (k) ...))
access-condition: (error-object-irritants e) inside guard
error-message = error-object-message: (error-object-message e) inside guard
error-message-string: (error-object-message e) inside guard
error-irritants = error-object-irritants: (error-object-irritants e) inside guard
ignore-errors: [form] (guard (e (#t #f)) body ...)
write-line: (write value) (newline)
fresh-line: (newline)
define-structure: [form] (define-record-type point (make-point x y) point? (x point-x) (y point-y))
define-integrable: [form] (define (name argument ...) body ...)
named-lambda: [form] (letrec ((name (lambda (argument ...) body ...))) name)
guarantee: (if (not (pred x)) (error "message" x))
default-object?: case-lambda, or a rest list
runtime: (current-second) of (scheme time)
real-time: (current-second) of (scheme time)
exact-nonnegative-integer?: (and (exact-integer? n) (>= n 0))
exact-rational?: (and (exact? x) (rational? x))
char-ascii?: (< (char->integer c) 128)
vector-head: (vector-copy vector 0 end)
vector-tail: (vector-copy vector start)
subvector = vector-copy: (vector-copy vector start end)
string-reverse-string: (string-reverse text)
1d-table: (make-hash-table)
assert-true: (if (not test) (error "message"))
pp-to-string: (call-with-output-string (lambda (port) (write x port)))
""",
    "R6RS": """
fold-left: (fold (lambda (x acc) ...) init list); the accumulator comes last here, first in R6RS
for-all = every: (every pred list)
exists = any: (any pred list)
remp = remove: (remove pred list)
remv: (remove (lambda (x) (eqv? x item)) list)
memp = find-tail: (find-tail pred list)
assp: (find (lambda (pair) (pred (car pair))) alist)
hashtable-ref = hash-table-ref/default: (hash-table-ref/default table key default)
hashtable-set! = hash-table-set!: (hash-table-set! table key value)
hashtable-delete! = hash-table-delete!: (hash-table-delete! table key)
hashtable-contains? = hash-table-exists?: (hash-table-exists? table key)
hashtable-update! = hash-table-update!/default: (hash-table-update!/default table key procedure default)
hashtable-keys: (hash-table-keys table), which is a list
hashtable-entries: (hash-table->alist table)
hashtable-size = hash-table-size: (hash-table-size table)
hashtable-clear! = hash-table-clear!: (hash-table-clear! table)
hashtable-copy = hash-table-copy: (hash-table-copy table)
hashtable? = hash-table?: (hash-table? x)
make-equal-hashtable ( make-hash-table: (make-hash-table)
make-eqv-hashtable ( make-hash-table: (make-hash-table)
make-eq-hashtable ( make-hash-table: (make-hash-table)
make-hashtable: (make-hash-table)
assertion-violation: (error "message" irritant ...); the message comes first, no who
condition?: (error-object? e) inside guard
message-condition?: (error-object? e) inside guard
irritants-condition?: (error-object? e) inside guard
condition-irritants = error-object-irritants: (error-object-irritants e) inside guard
who-condition?: (error-object? e) inside guard
make-message-condition: (error "message" irritant ...)
library: [form] (define-library (name) (export ...) (import (scheme base)) (begin ...))
mod: (modulo a b), floor-remainder
div: (quotient a b), floor-quotient
div0: (quotient a b)
mod0: (remainder a b)
div-and-mod: (floor/ a b)
bitwise-arithmetic-shift: (arithmetic-shift n count) of (srfi 151)
bitwise-arithmetic-shift-left: (arithmetic-shift n count) of (srfi 151)
bitwise-arithmetic-shift-right: (arithmetic-shift n (- count)) of (srfi 151)
bitwise-bit-set?: (bit-set? index n) of (srfi 151)
string-for-each-with-index: (for-each f (iota (string-length text)) (string->list text))
get-string-n: (read-string count port)
get-char = read-char: (read-char port)
lookahead-char = peek-char: (peek-char port)
put-char: (write-char char port)
put-u8: (write-u8 byte port)
open-string-input-port = open-input-string: (open-input-string text)
open-bytevector-input-port = open-input-bytevector: (open-input-bytevector bytes)
bytevector->u8-list: (map (lambda (i) (bytevector-u8-ref b i)) (iota (bytevector-length b)))
u8-list->bytevector: (apply bytevector list)
enum-set-member?: (memq symbol list)
call-with-string-output-port = call-with-output-string: (call-with-output-string (lambda (port) ...))
syntax-case: [form] (syntax-rules () ((_ argument) template))
with-syntax: [form] syntax-rules
identifier-syntax: [form] syntax-rules
""",
    "Common Lisp": """
nil = '(): '() for the empty list, #f for false
t = #t: #t
defun: [form] (define (name argument ...) body ...)
defmacro: [form] (define-syntax name (syntax-rules () ((_ argument) template)))
define-macro: [form] (define-syntax name (syntax-rules () ((_ argument) template)))
defvar: [form] (define name value)
defparameter: [form] (define name value)
defconstant: [form] (define name value)
defstruct: [form] (define-record-type point (make-point x y) point? (x point-x) (y point-y))
defclass: [form] (define-record-type name (make-name field ...) name? (field name-field))
defmethod: [form] (define (name argument ...) body ...)
defgeneric: [form] (define (name argument ...) body ...)
defpackage: [form] leave it out: a file begins with (import ...)
in-package: [form] leave it out
setq = set!: (set! name value), or define for a new name
setf: (set! name value), (vector-set! v i x), (hash-table-set! table key value) and the like
incf: [form] (set! n (+ n 1))
decf: [form] (set! n (- n 1))
push: [form] (set! list (cons x list))
pop: [form] (let ((x (car list))) (set! list (cdr list)) x)
progn = begin: (begin form ...)
prog1: [form] (let ((value first)) rest ... value)
flet: [form] (let ((name (lambda (argument ...) body ...))) ...)
labels: [form] (letrec ((name (lambda (argument ...) body ...))) ...)
funcall: (f argument ...)
mapcar = map: (map f list)
mapc = for-each: (for-each f list)
mapcan = append-map: (append-map f list)
maplist: (pair-fold-right ...) of (srfi 1), or a named let
remove-if = remove: (remove pred list)
remove-if-not = filter: (filter pred list)
find-if = find: (find pred list)
position: (list-index (lambda (x) (equal? x item)) list)
position-if = list-index: (list-index pred list)
count-if = count: (count pred list)
some = any: (any pred list)
notany: (not (any pred list))
notevery: (not (every pred list))
nth: (list-ref list n); the list comes first
nthcdr: (list-tail list n); the list comes first
elt: list-ref, vector-ref or string-ref
subseq: (substring text start end) for strings, take and drop for lists
concat: string-append or append
reduce-from: (fold f init list)
gethash: (hash-table-ref/default table key default); the table comes first
puthash: (hash-table-set! table key value)
remhash: (hash-table-delete! table key); the table comes first
maphash: (hash-table-walk table (lambda (key value) ...)); the table comes first
princ = display: (display value)
prin1 = write: (write value)
prin1-to-string: (call-with-output-string (lambda (port) (write x port)))
princ-to-string: (call-with-output-string (lambda (port) (display x port)))
terpri = newline: (newline)
parse-integer = string->number: (string->number text)
string-equal: (string-ci=? a b)
eql = eqv?: (eqv? a b)
eq = eq?: (eq? a b)
equal = equal?: (equal? a b)
equalp = equal?: (equal? a b)
atom: (not (pair? x))
consp = pair?: (pair? x)
listp = list?: (list? x)
numberp = number?: (number? x)
stringp = string?: (string? x)
symbolp = symbol?: (symbol? x)
integerp = integer?: (integer? x)
functionp = procedure?: (procedure? x)
zerop = zero?: (zero? n)
plusp = positive?: (positive? n)
minusp = negative?: (negative? n)
evenp = even?: (even? n)
oddp = odd?: (odd? n)
rem = remainder: (remainder a b)
make-array = make-vector: (make-vector size fill)
aref = vector-ref: (vector-ref vector k)
svref = vector-ref: (vector-ref vector k)
multiple-value-bind: [form] (call-with-values (lambda () expression) (lambda (a b) ...)), or receive
multiple-value-list: (call-with-values (lambda () expression) list)
destructuring-bind: [form] (match value (pattern body ...))
handler-case: [form] (guard (e (#t handler)) body ...)
handler-bind: [form] (with-exception-handler handler thunk)
unwind-protect: [form] (dynamic-wind (lambda () #f) (lambda () body ...) (lambda () cleanup ...))
with-open-file: [form] (call-with-input-file path (lambda (port) ...))
ecase: [form] (case key ((datum ...) body ...) (else (error "no such key" key)))
typecase: [form] cond with type predicates
return-from: (call/cc (lambda (return) ...)); the value of the last form is the result
block: [form] (call/cc (lambda (return) ...))
copy-list = list-copy: (list-copy list)
append1: (append list (list item))
getf: (cadr (memq key plist))
assoc-default: (cdr (assoc key alist))
when-let: [form] (let ((x test)) (when x body ...))
if-let: [form] (let ((x test)) (if x then else))
""",
    "Clojure": """
fn: [form] (lambda (argument ...) body ...)
defn: [form] (define (name argument ...) body ...)
defn-: [form] (define (name argument ...) body ...)
ns: [form] (import (scheme base))
str: string-append, number->string
assoc-in: nested conses, or a hash table
get-in: nested assoc
conj: (cons item list)
mapv: (map f list)
into: append, or list->vector
atom?: (not (pair? x))
swap!: (set! name (f name))
reset!: (set! name value)
deref: the name itself
doseq: [form] (for-each (lambda (x) ...) list)
recur: call the named let: (let loop ((x init)) ... (loop next))
->: [form] nested calls: (f (g x))
->>: [form] nested calls: (f (g x))
cond->: [form] cond
not=: (not (equal? a b))
nil?: (null? x)
some?: (not (eq? x #f))
inc ( + 1: (+ n 1)
dec ( + -1: (- n 1)
""",
    "Python": """
None: '() or #f
True = #t: #t
False = #f: #f
def: [form] (define (name argument ...) body ...)
class: [form] (define-record-type name (make-name field ...) name? (field name-field))
return: the value of the last form is the result; there is no return
yield: call a procedure with each value, or collect a list
elif: [form] a further clause of cond
try: [form] (guard (e (#t handler)) body ...)
except: [form] a clause of guard: (guard (e (#t handler)) body ...)
finally: [form] (dynamic-wind before thunk after)
pass: (if #f #f), or leave it out
len: length, string-length or vector-length
int: (exact (truncate x)), or string->number for text
float: (inexact x), or string->number for text
dict: (list (cons "key" value)), or make-hash-table
tuple: list or vector
enumerate: (map list (iota (length list)) list)
sum: (apply + list)
sorted: (sort list <)
reversed = reverse: (reverse list)
upper = string-upcase: (string-upcase text)
lower = string-downcase: (string-downcase text)
strip = string-trim-both: (string-trim-both text)
split = string-split: (string-split text ",")
join: (string-join list ","); the list comes first
startswith: (string-prefix? prefix text); the prefix comes first
endswith: (string-suffix? suffix text); the suffix comes first
isinstance: a predicate such as string?
undefined = #f: #f
var: [form] (define name value)
function: [form] (lambda (argument ...) body ...)
console.log: (display value) (newline)
parseInt = string->number: (string->number text)
JSON.parse: (json-parse text) of (tein json)
JSON.stringify: (json-stringify value) of (tein json)
json-read: (json-parse text) of (tein json)
json->string: (json-stringify value) of (tein json)
string->json: (json-parse text) of (tein json)
parse-json = json-parse: (json-parse text) of (tein json)
json-decode = json-parse: (json-parse text) of (tein json)
json-encode = json-stringify: (json-stringify value) of (tein json)
switch: [form] (case key ((datum ...) body ...) (else ...))
continue: call the named let again
&&: (and a b)
!=: (not (= a b))
==: (= a b) for numbers, (equal? a b) for the rest
!: (not x)
%: (modulo a b)
**: (expt base exponent)
//: a comment begins with ;
string-format: (format #f "..." x)
length=: (= (length list) n)
string-replace-all = string-replace: (string-replace text part new) of the tool prelude
let-optionals: [form] (define (f a . rest) ...), or case-lambda
char->digit = digit-value: (digit-value char)
else-if: [form] a further clause of cond
getenv = get-environment-variable: (get-environment-variable "NAME"); the variable must be granted
sleep: nothing waits here; the host has the clock
random: (random-integer n) of (srfi 27)
current-time: (current-second) of (scheme time)
system: no program runs commands; a tool calls the host's tools with (call-tool name args)
set: [form] (set! name value)
""",
}


class Word(NamedTuple):
    """A name's entry."""

    origin: str
    hint: str
    rename: str | None
    at_head: str | None
    form: bool


LINE = re.compile(r"(?P<name>\S+?)(?: (?P<how>[=(]) (?P<new>.+?))?: (?P<form>\[\w+\] )?(?P<hint>.+)")


def words() -> dict[str, Word]:
    """The table by name; of two entries the first one counts."""
    found: dict[str, Word] = {}
    for origin, text in TABLE.items():
        for line in text.strip().splitlines():
            match = LINE.fullmatch(line)
            assert match is not None, line
            how, new, hint = match["how"], match["new"], match["hint"]
            if hint[0] in "('#":
                hint = f"write {hint}"
            word = Word(
                origin, hint, new if how == "=" else None, new if how == "(" else None, match["form"] == "[form] "
            )
            found.setdefault(match["name"], word)
    return found


WORDS = words()
DIALECTS = {name: word.hint for name, word in WORDS.items()}
"""What to write in place of a name."""
ORIGINS = {name: word.origin for name, word in WORDS.items()}
"""Where it comes from."""
RENAMES = {name: word.rename for name, word in WORDS.items() if word.rename}
"""Names with another name here: same arguments, same result."""
HEAD_RENAMES = {name: word.at_head for name, word in WORDS.items() if word.at_head}
"""What replaces the name at the head of a call."""
FORMS = frozenset(name for name, word in WORDS.items() if word.form)
"""Syntax: its parts mean nothing here."""
