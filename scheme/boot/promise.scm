;;; Promises (R7RS 4.2.5). A promise points to a cell, a pair (done? . x): x is
;;; the value, or a thunk that answers a promise. When a chain of delay-force is
;;; forced, the promises on it come to share one cell, so the chain can be
;;; collected as it is walked.

(define (%delay-force thunk) (%make-promise #f thunk))

(define (%delay thunk)
  (%make-promise #f (lambda () (%make-promise #t (thunk)))))

(define (make-promise object)
  (if (promise? object) object (%make-promise #t object)))

(define (force promise)
  (if (promise? promise) (%force promise) promise))

(define (%force promise)
  (let ((cell (%promise-ref promise)))
    (if (car cell)
        (cdr cell)
        (let ((next ((cdr cell))))
          (%advance promise next)
          (%force promise)))))

;; The thunk of PROMISE answered NEXT. PROMISE may have been forced meanwhile,
;; by its own thunk: the first value stays.
(define (%advance promise next)
  (cond ((car (%promise-ref promise)))
        ((promise? next)
         (let ((from (%promise-ref next)))
           (%promise-settle! promise (car from) (cdr from))
           (%promise-set! next (%promise-ref promise))))
        (else (%raise-type 'delay-force 0 "promise" next))))
