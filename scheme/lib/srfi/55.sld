;; SRFI 55: require-extension, an import of SRFIs or libraries.
(define-library (srfi 55)
  (export require-extension)
  (import (scheme base) (only (%core) import))
  (begin
    ;;> (require-extension (srfi number ...) ...)
    ;;> Import these SRFIs; another first name is that of libraries.
    (define-syntax require-extension
      (syntax-rules ()
        ((_) (begin))
        ((_ (name part ...) . more)
         (begin
           (import (name part) ...)
           (require-extension . more)))))))
