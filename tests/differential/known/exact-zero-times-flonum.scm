;; R7RS 6.2.2: (* 0 x) may be an exact 0 for any x, which we answer.
;; Guile answers 0.0.
;; ours: (0 0 1.5)
;; guile: (0.0 0.0 1.5)
(list (* 1.0 0) (* 0 1.5) (+ 0 1.5))
