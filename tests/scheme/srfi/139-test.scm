;;; SRFI 139.
(import (scheme base) (scheme eval) (scheme write) (srfi 139)
        (chibi-bridge test))

(define-syntax-parameter abort
  (syntax-rules ()
    ((_ . _) (syntax-error "abort used outside of a loop"))))

(define-syntax forever
  (syntax-rules ()
    ((_ body ...)
     (call/cc
      (lambda (escape)
        (syntax-parameterize
            ((abort (syntax-rules () ((_ value (... ...)) (escape value (... ...))))))
          (let loop () body ... (loop))))))))

(define-syntax abort-when
  (syntax-rules ()
    ((_ test value) (if test (abort value)))))

(define-syntax-parameter it (syntax-rules () ((_) 'none)))
(define-syntax outer (syntax-rules () ((_) (it))))
(define (far) (outer))

(test-begin "srfi 139")

(test 11 (let ((i 1)) (forever (set! i (+ i 1)) (if (> i 10) (abort i)))))
;; A macro that uses the parameter needs not know of the region.
(test 5 (let ((i 0)) (forever (set! i (+ i 1)) (abort-when (= i 5) i))))
;; Regions nest.
(test '(inner 2)
      (let ((i 0))
        (forever
         (set! i (+ i 1))
         (let ((x (forever (abort 'inner))))
           (if (= i 2) (abort (list x i)))))))
(test 'none (it))
(test '(one two one none)
      (list (syntax-parameterize ((it (syntax-rules () ((_) 'one)))) (it))
            (syntax-parameterize ((it (syntax-rules () ((_) 'one))))
              (syntax-parameterize ((it (syntax-rules () ((_) 'two))))
                (outer)))
            (syntax-parameterize ((it (syntax-rules () ((_) 'one))))
              (define x (it))
              (let ((f (lambda () x))) (f)))
            ;; lexical: not in procedures that are called
            (syntax-parameterize ((it (syntax-rules () ((_) 'one)))) (far))))
;; Another keyword as transformer.
(define-syntax list-of (syntax-rules () ((_ . x) (list . x))))
(test '(1 2) (syntax-parameterize ((it list-of)) (it 1 2)))
;; Hygiene: the transformer sees the place of its region.
(test 'here (let ((x 'here))
              (syntax-parameterize ((it (syntax-rules () ((_) x))))
                (let ((x 'inner)) (outer)))))
(define (fails? form)
  (guard (e (#t #t))
    (eval form (environment '(scheme base) '(srfi 139)))
    #f))
(test #t (fails? '(syntax-parameterize ((car (syntax-rules () ((_) 1)))) 1)))
(test #t (fails? '(syntax-parameterize ((nobody (syntax-rules () ((_) 1)))) 1)))
(test #t (fails? '(syntax-parameterize)))

(test-end)
(test-exit)
