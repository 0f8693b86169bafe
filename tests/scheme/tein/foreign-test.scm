;;; (tein foreign), where no object of the host is at hand.
(import (scheme base) (tein foreign) (chibi-bridge test))

(test-begin "foreign")

(test #f (foreign? 42))
(test #f (foreign? '(__tein-foreign "type" 1)))
(test "foreign-type: expected foreign object"
      (guard (e (#t (error-object-message e))) (foreign-type 42)))
(test "foreign-handle-id: expected foreign object"
      (guard (e (#t (error-object-message e))) (foreign-handle-id "x")))

(test-end)
(test-exit)
