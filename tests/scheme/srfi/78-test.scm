;;; SRFI 78.
(import (scheme base) (srfi 78)
        (chibi-bridge test))

(test-begin "srfi 78")

(define (printed thunk)
  (let ((port (open-output-string)))
    (parameterize ((current-output-port port)) (thunk))
    (get-output-string port)))

(test "\n(+ 1 1) => 2 ; correct\n" (printed (lambda () (check (+ 1 1) => 2))))
(test "\n(+ 1 1) => 2 ; *** failed ***\n ; expected result: 3\n"
      (printed (lambda () (check (+ 1 1) => 3))))
(test #f (check-passed? 1))
(test "\n; *** checks *** : 1 correct, 1 failed. First failed example:

(+ 1 1) => 2 ; *** failed ***\n ; expected result: 3\n"
      (printed check-report))
(check-reset!)
(test "\n; *** checks *** : 0 correct, 0 failed.\n" (printed check-report))

(check-set-mode! 'report-failed)
(test "" (printed (lambda () (check 1 (=> <) 2))))
(test #t (check-passed? 1))
(check-set-mode! 'summary)
(test "" (printed (lambda () (check 1 => 2))))
(test #f (check-passed? 1))
(check-reset!)
(test "" (printed (lambda ()
                    (check-ec (:range x 10) (* x x) => (square x) x))))
(test #t (check-passed? 1))
(check-set-mode! 'report)
(test "\n(+ x y) => 5 ; correct (4 cases checked)\n"
      (printed (lambda ()
                 (check-ec (: x 1 3) (:list y '(2 3)) (+ x y) => (+ y x) x y))))
(test "\n(let ((x 3)) (odd? x)) => #t ; *** failed ***\n ; expected result: #f\n"
      (printed (lambda ()
                 (check-ec (:vector x #(2 3 4 5)) (odd? x) (=> eq?) #f x))))
(check-reset!)
(check-set-mode! 'report-failed)
(test "" (printed
          (lambda ()
            (check-ec (:string c "ab") (if (char=? c #\a)) c => #\a c)
            (check-ec (:range x 5 0 -2) (not (= x 3)) (:let y (* 2 x))
                      (and (> y 0) (< y 99)) (or (= x 5) (= x 1))
                      (begin (set! y (+ y 1)))
                      (odd? y) => #t x)
            (check-ec (nested (:list x '(1) '(2)) (: y "z")) (list x y)
                      (=> equal?) (list x #\z) x y))))
(test #t (check-passed? 3))
(test "\n(let ((n 5)) (< n 5)) => #f ; *** failed ***\n ; expected result: #t\n"
      (printed (lambda () (check-ec (:integers n) (< n 5) => #t n))))
(check-reset!)
(check-set-mode! 'off)
(test "" (printed (lambda () (check (error "not evaluated") => 1))))
(test "" (printed check-report))
(test-error (check-set-mode! 'loud))

(test-end)
(test-exit)
