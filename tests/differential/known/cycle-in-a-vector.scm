;; R7RS 6.13.3: write must use datum labels for cycles.
;; Guile's write gives no label to refer to.
;; ours: "#0=#(#0# 2)"
;; guile: "#(#0# 2)"
(let ((v (vector 1 2))) (vector-set! v 0 v) (let ((p (open-output-string))) (write v p) (get-output-string p)))
