;; R7RS 6.10: string-for-each ends with the shortest string.
;; Guile's own procedure takes one string and bounds there, and raises.
;; ours: ((#\b #\y) (#\a #\x))
;; guile: raised
(let ((l '())) (string-for-each (lambda (a b) (set! l (cons (list a b) l))) "abc" "xy") l)
