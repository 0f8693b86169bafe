;; R7RS 6.2.5: the nearest flonum of 1e400 is an infinity, and string->number
;; never raises. Guile 3.0.8 raises here.
;; ours: (+inf.0 -inf.0)
;; guile: raised
(list (string->number "1e400") (string->number "-1e400"))
