;; R7RS 2.4 leaves the numbers of datum labels open.
;; We count from 0, Guile from 1 in write-shared.
;; ours: "(#0=(1 2) #0#)"
;; guile: "(#1=(1 2) #1#)"
(let ((x (list 1 2))) (let ((p (open-output-string))) (write-shared (list x x) p) (get-output-string p)))
