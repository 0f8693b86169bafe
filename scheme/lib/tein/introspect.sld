;; What there is: libraries, their exports, the program's bindings, texts about
;; them. Only libraries that the policy lets the program import are told of.
;; Deviations from tein: module-exports also knows libraries that the program
;; itself made, number parts of names are numbers, importing costs nothing.
(define-library (tein introspect)
  (export available-modules imported-modules module-exports env-bindings
          procedure-arity binding-info describe-environment
          describe-environment/text introspect-docs)
  (import (scheme base) (scheme write) (chibi-bridge sort)
          (tein introspect docs)
          (only (%core) %binding-kind %environment-bound-names
                %environment-parent %environment-ref %host-call
                %libraries-in-scope %library-allowed? %library-exports
                %library-homes %library-names %primitive-doc %procedure-arity
                %top-environment %write-to-string))
  (include "introspect.scm"))
