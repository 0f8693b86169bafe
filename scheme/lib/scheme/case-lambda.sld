;; R7RS-small: procedures with several argument lists.
(define-library (scheme case-lambda)
  (export case-lambda)
  (import (%core)))

;;> (case-lambda ((argument ...) body ...) ...)
;;> A procedure that takes the first clause whose ARGUMENTs fit the number it is called with.
