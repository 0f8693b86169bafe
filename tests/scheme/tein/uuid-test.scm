;;; (tein uuid).
(import (scheme base) (tein uuid) (chibi-bridge test))

(test-begin "uuid")

(test "00000000-0000-0000-0000-000000000000" uuid-nil)
(let ((a (make-uuid)) (b (make-uuid)))
  (test 36 (string-length a))
  (test #\4 (string-ref a 14))
  (test #t (and (memv (string-ref a 19) '(#\8 #\9 #\a #\b)) #t))
  (test #f (string=? a b))
  (test #t (uuid? a)))
(test '(#t #t #t #t)
      (map uuid? '("F47AC10B-58CC-4372-A567-0E02B2C3D479"
                   "f47ac10b58cc4372a5670e02b2c3d479"
                   "{f47ac10b-58cc-4372-a567-0e02b2c3d479}"
                   "urn:uuid:f47ac10b-58cc-4372-a567-0e02b2c3d479")))
(test '(#f #f #f #f #f)
      (map uuid? '(42 "" "not-a-uuid" "f47ac10b-58cc-4372-a567-0e02b2c3d47"
                   "g47ac10b-58cc-4372-a567-0e02b2c3d479")))

(test-end)
(test-exit)
