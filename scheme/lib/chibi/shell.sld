;; Pipelines of other programs, under chibi's names: not available.
(define-library (chibi shell)
  (export
   shell-pipe call-with-shell-io shell shell& shell->string shell->string-list
   shell->sexp shell->sexp-list shell-if shell-and shell-or shell-do)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable processes
      shell-pipe call-with-shell-io)
    (define-unavailable-syntax processes
      shell shell& shell->string shell->string-list shell->sexp
      shell->sexp-list shell-if shell-and shell-or shell-do)))
