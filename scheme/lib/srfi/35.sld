;; SRFI 35: conditions. Conditions are objects of their own; what the engine
;; raises is no condition in this sense, but error? and message-condition? with
;; condition-message take error objects too.
(define-library (srfi 35)
  (export
   ;; types
   make-condition-type condition-type?
   ;; conditions
   make-condition condition? condition-has-type? condition-ref
   make-compound-condition extract-condition
   ;; syntax
   define-condition-type condition
   ;; standard types
   &condition &message message-condition? condition-message
   &serious serious-condition? &error error?)
  (import (scheme base))
  (include "35.scm"))
