;; SRFI 71: let, let* and letrec of several values.
(define-library (srfi 71)
  (export
   ;; binding
   (rename let-71 let) (rename let*-71 let*) (rename letrec-71 letrec)
   ;; taking apart
   uncons uncons-2 uncons-3 uncons-4 uncons-cons unlist unvector
   ;; collecting
   values->list values->vector)
  (import (scheme base) (scheme cxr))
  (include "71.scm"))
