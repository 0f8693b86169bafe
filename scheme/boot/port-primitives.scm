;;; Primitives that port.scm puts something of its own in front of.

(define %close-port close-port)
(define %close-input-port close-input-port)
(define %close-output-port close-output-port)
