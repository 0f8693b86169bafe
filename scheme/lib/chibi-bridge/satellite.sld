;; What the vocabulary of extensions, (ext ...) and (cap ...), and the node that
;; serves them share: the records, JSON that keeps its form, calls of
;; capabilities, and the doors %... that the host calls. Not for authors.
;;
;; A call of a capability tells the host which invocation it belongs to. That
;; number is a parameter, so a continuation that an earlier invocation left
;; behind still carries the earlier one's: the host refuses it.
(define-library (chibi-bridge satellite)
  (export
   ;; what a tool answers
   make-outcome outcome? outcome-blocks outcome-terminate
   make-block block? block-type block-content
   make-refusal refusal? refusal-message refusal-code
   ;; what a tool gets
   make-ctx ctx? ctx-strand ctx-deadline-ms ctx-report
   ;; hooks
   make-hook hook? hook-event hook-procedure
   make-verdict verdict? verdict-reason
   ;; JSON
   document rendered with-form stringify unencodable?
   ;; capabilities
   cap-call cap-field cap-error? cap-error-code cap-error-message
   check-argument
   ;; the host's doors
   %satellite-load %satellite-tool %satellite-hook)
  (import (scheme base) (scheme case-lambda)
          (tein json) (only (chibi json) string->json)
          (chibi-bridge hash-table)
          (only (%core) %host-call %make-condition %raise-new %raise-type
                %condition-kind? %condition-extra %condition-message
                %make-environment %environment-import! %environment-ref
                %run-unit %unit-open environment))
  (include "satellite.scm"))
