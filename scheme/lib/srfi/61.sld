;; SRFI 61: cond with clauses (generator guard => receiver).
(define-library (srfi 61)
  (export cond else =>)
  (import (rename (scheme base) (cond base:cond)))
  (begin
    ;;> (cond clause ...)
    ;;> R7RS's cond, and clauses (generator guard => receiver): where (guard
    ;;> value ...) of the generator's values is true, (receiver value ...).
    ;;> (cond ((values 1 2) < => list) (else 'no)) => (1 2)
    (define-syntax cond
      (syntax-rules (else =>)
        ((_) (if #f #f))
        ((_ (else . body)) (base:cond (else . body)))
        ((_ (generator accept? => receiver) . clauses)
         (call-with-values (lambda () generator)
           (lambda values
             (if (apply accept? values)
                 (apply receiver values)
                 (cond . clauses)))))
        ((_ (test => receiver) . clauses)
         (base:cond (test => receiver) (else (cond . clauses))))
        ((_ (test)) test)
        ((_ (test) . clauses) (or test (cond . clauses)))
        ((_ (test . body) . clauses)
         (base:cond (test . body) (else (cond . clauses))))))))
