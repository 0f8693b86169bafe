;; SRFI 139: syntax parameters. A syntax parameter is a keyword; inside
;; syntax-parameterize its uses, those that other macros bring along too, expand by
;; the new transformer.
(define-library (srfi 139)
  (export (rename define-syntax define-syntax-parameter)
          (rename %syntax-parameterize syntax-parameterize))
  (import (only (scheme base) define-syntax)
          (only (%core) %syntax-parameterize)))

;;> (define-syntax-parameter keyword transformer)
;;> Define KEYWORD as a syntax parameter: syntax that syntax-parameterize can give
;;> another meaning in a region.

;;> (syntax-parameterize ((keyword transformer) ...) body ...)
;;> Expand BODY with the KEYWORDs expanding by these transformers.
