;; R7RS-small: external representations.
(define-library (scheme write)
  (export display write write-shared write-simple)
  (import (%core)))
