;; R7RS 4.2.5: force may simply return a value that is no promise.
;; We do, as most systems; Guile raises.
;; ours: 5
;; guile: raised
(force 5)
