;; SRFI 117: queues based on lists. A queue shares structure with the lists that
;; it was made of and that list-queue-list answers.
(define-library (srfi 117)
  (export
   ;; constructors
   make-list-queue list-queue list-queue-copy list-queue-unfold
   list-queue-unfold-right
   ;; predicates
   list-queue? list-queue-empty?
   ;; accessors
   list-queue-front list-queue-back list-queue-list list-queue-first-last
   ;; mutators
   list-queue-add-front! list-queue-add-back! list-queue-remove-front!
   list-queue-remove-back! list-queue-remove-all! list-queue-set-list!
   ;; whole queues
   list-queue-append list-queue-append! list-queue-concatenate
   ;; mapping
   list-queue-map list-queue-map! list-queue-for-each)
  (import (scheme base) (scheme case-lambda))
  (include "117.scm"))
