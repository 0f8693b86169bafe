;; R7RS-small: the datum reader.
(define-library (scheme read)
  (export read)
  (import (%core)))

;;> (read [port])
;;> Read one datum; the eof object at the end. What cannot be read raises an object that read-error? answers true for.
