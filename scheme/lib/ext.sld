;; What an extension's tools are written with. A tool is
;; (lambda (args ctx) ...): ARGS is the parsed JSON of its arguments, an alist
;; with string keys; CTX says where and for how long. It answers (text ...),
;; (json ...), an outcome of several blocks, or (refuse ...).
(define-library (ext)
  (export
   ;; answers
   text json refuse outcome text-block json-block continue-run terminate-run
   outcome? outcome-blocks outcome-terminate block-type block-content
   refusal? refusal-message
   ;; where a call stands
   make-ctx ctx-strand ctx-deadline-ms ctx-report
   ;; arguments
   decode-args
   ;; denials
   cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite))
  (include "ext.scm"))
