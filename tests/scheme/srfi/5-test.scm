;;; SRFI 5.
(import (scheme base) (srfi 5)
        (chibi-bridge test))

(test-begin "srfi 5")

(test 3 (let ((x 1) (y 2)) (+ x y)))
(test 'empty (let () 'empty))
(test 10 (let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)))
(test 10 (let (loop (i 0)) (if (< i 10) (loop (+ i 1)) i)))
(test '(1 (2 3)) (let ((a 1) . (more 2 3)) (list a more)))
(test '(3 (2 1 0)) (let loop ((n 0) . (out))
                   (if (< n 3) (apply loop (+ n 1) n out)
                       (list n out))))
(test '(1 (2 3)) (let (loop (a 1) . (more 2 3)) (list a more)))
(test 'outer (let ((x 'outer)) (let ((x 'inner) (y x)) y)))

(test-end)
(test-exit)
