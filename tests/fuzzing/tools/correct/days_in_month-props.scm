(import (chibi-bridge property))

(define (days year month)
  (run-tool "days_in_month" (list (cons "year" year) (cons "month" month))))

;; 400 years have 146097 days, whichever year they begin with.
(define (days-of-year year)
  (apply + (map (lambda (month) (days year month)) (iota 12 1))))

(define-property four-centuries
  (for-all (century (integer-between 0 5)))
  (= (+ (* 100 365) (if (= 0 (modulo (+ 16 century) 4)) 25 24))
     (apply + (map (lambda (year) (days-of-year (+ (* 100 (+ 16 century)) year)))
                   (iota 100)))))
