;; What (srfi 35) is made of, with constructors and the parts of compounds.
(define-library (srfi 35 internal)
  (export
   ;; types
   make-condition-type condition-type? condition-subtype?
   condition-type-ancestors
   ;; conditions
   make-condition condition? condition-has-type? condition-ref
   make-compound-condition extract-condition simple-condition?
   compound-condition? simple-conditions compound-condition-components
   condition-predicate condition-accessor
   ;; syntax
   define-condition-type define-condition-type/constructor condition
   ;; standard types
   &condition &message make-message-condition message-condition?
   condition-message &serious make-serious-condition serious-condition?
   &error make-error error?)
  (import (scheme base))
  (include "../35.scm" "internal.scm"))
