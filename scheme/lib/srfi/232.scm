;;; SRFI 232, the body.

;;> (curried formals body ...)
;;> A procedure that can be given its arguments in parts; further ones go to its result.
;;> (let ((f (curried (a b c) (list a b c)))) ((f 1) 2 3)) => (1 2 3)
(define-syntax curried
  (syntax-rules ()
    ((_ formals . body) (curry-formals formals 0 formals . body))))

(define-syntax curry-formals
  (syntax-rules ()
    ((_ () 0 formals . body) (let () . body))
    ((_ () n formals . body) (curry n #f (lambda formals . body)))
    ((_ (formal . more) n . rest) (curry-formals more (+ n 1) . rest))
    ((_ rest 0 formals . body) (lambda formals . body))
    ((_ rest n formals . body) (curry n #t (lambda formals . body)))))

;;> (define-curried (name . formals) body ...)
;;> Define NAME as such a procedure.
(define-syntax define-curried
  (syntax-rules ()
    ((_ (name . formals) . body) (define name (curried formals . body)))))

;; N arguments at least; where REST? takes more than those.
(define (curry n rest? procedure)
  (define (self . arguments)
    (let ((count (length arguments)))
      (cond ((= count 0) self)
            ((< count n)
             (curry (- n count) rest?
                    (lambda more (apply procedure (append arguments more)))))
            ((or rest? (= count n)) (apply procedure arguments))
            (else
             (let ((own (list-head arguments n)))
               (apply (apply procedure own) (list-tail arguments n)))))))
  self)

(define (list-head list n)
  (if (= n 0) '() (cons (car list) (list-head (cdr list) (- n 1)))))
