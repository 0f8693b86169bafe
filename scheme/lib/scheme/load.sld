;; R7RS-small: evaluation of a file's text, which the host reads.
(define-library (scheme load)
  (export load)
  (import (%core)))

;;> (load file [environment])
;;> Evaluate the forms of a file, where the policy lets the program read it.
