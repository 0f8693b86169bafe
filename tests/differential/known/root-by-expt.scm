;; R7RS 6.2.6 lets an exact power of exact arguments be exact.
;; We answer an exact root where there is one.
;; ours: (1.4142135623730951 1.4142135623730951 3)
;; guile: (1.4142135623730951 1.4142135623730951 3.0)
(list (expt 2 0.5) (expt 2.0 0.5) (expt 9 1/2))
