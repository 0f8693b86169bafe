;; R7RS 6.13.3: write must use datum labels for cycles.
;; Guile's write prints a count of its own that no reader takes.
;; ours: "#0=(1 2 . #0#)"
;; guile: "(1 2 . #-1#)"
(let ((x (list 1 2))) (set-cdr! (cdr x) x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
