;; What an extension's hooks are written with. An entry defines on-event, a thunk
;; that answers a hook: (define (on-event) (on-tool-call (lambda (call) ...))).
;; The procedure gets the event's document as an alist with string keys, optional
;; fields #f.
(define-library (ext hook)
  (export
   ;; one for each event
   on-session-start on-before-agent-start on-context on-tool-call
   on-tool-result on-agent-end on-agent-settled on-before-compact on-usage
   ;; verdicts of on-tool-call
   allow block
   ;; hooks as such
   event answer rendered refusal? refusal-message)
  (import (scheme base) (only (scheme cxr) cadar) (tein json)
          (except (chibi-bridge satellite) block?))
  (include "hook.scm"))
