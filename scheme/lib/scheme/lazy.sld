;; R7RS-small: promises.
(define-library (scheme lazy)
  (export delay delay-force force make-promise promise?)
  (import (%core)))

;;> (delay expression) (delay-force expression)
;;> Return a promise of EXPRESSION, worked out when it is forced first; delay-force is for one that gives a promise, in
;;> loops that are to run in constant space.

;;> (force promise)
;;> Return the value of PROMISE, working it out the first time.

;;> (make-promise object)
;;> Return a promise that has the value OBJECT already; a promise itself.
