;;; (tein foreign), the body.

(define (check who object)
  (if (not (%foreign? object))
      (error (string-append who ": expected foreign object") object)))

;;> (foreign? obj)
;;> Is OBJ an object of the host?
(define (foreign? object) (%foreign? object))

;;> (foreign-type foreign)
;;> Return the name of the type that the host's object has, a string.
(define (foreign-type foreign)
  (check "foreign-type" foreign)
  (%host-call 'foreign-type foreign))

;;> (foreign-handle-id foreign)
;;> Return a positive integer that tells this object from the others of the
;;> context. It gives no access to the object.
(define (foreign-handle-id foreign)
  (check "foreign-handle-id" foreign)
  (%foreign-id foreign))
