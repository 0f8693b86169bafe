;; Comma-separated values (RFC 4180) and their relatives. A grammar says what
;; separates, quotes and escapes; a parser folds over the fields of one row; a
;; reader makes a row of them.
(define-library (chibi csv)
  (export
   ;; grammars and parsers
   csv-grammar csv-grammar? default-csv-grammar default-tsv-grammar csv-parser
   ;; readers of rows
   csv-read->list csv-read->vector csv-read->fixed-vector csv-read->sxml
   csv-skip-line
   ;; all rows
   csv-num-rows csv-fold csv-map csv-for-each csv->list csv->sxml
   ;; writing
   csv-writer csv-write)
  (import (scheme base) (scheme write))
  (include "csv.scm"))
