(import (chibi-bridge property))

(define-property nothing-is-lost
  (for-all (cents natural) (people (integer-between 1 100)))
  (= cents
     (apply + (run-tool "split_bill"
                        (list (cons "cents" cents)
                              (cons "people" people))))))
