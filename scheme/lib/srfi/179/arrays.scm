;;; (srfi 179), the body: what it has in another way than SRFI 231.

(define (argument rest i default)
  (cond ((null? rest) default)
        ((= i 0) (car rest))
        (else (argument (cdr rest) (- i 1) default))))

;;> (make-specialized-array interval [class [safe?]])
;;> Return a new array with storage of CLASS, at first of any objects.
;;> (array-dimension (make-specialized-array (make-interval #(2 2)))) => 2
(define (make-specialized-array interval . rest)
  (let ((class (argument rest 0 generic-storage-class)))
    (new:make-specialized-array interval class (storage-class-default class)
                                (argument rest 1 (specialized-array-default-safe?)))))

;;> (array-elements-in-order? array)
;;> Do the elements stand in the body in their order?
;;> (array-elements-in-order? (make-specialized-array (make-interval #(2)))) => #t
(define (array-elements-in-order? array) (array-packed? array))

;;> (interval-rotate interval k)
;;> Return it with the first K indexes at the end.
(define (interval-rotate interval k)
  (interval-permute interval (index-rotate (interval-dimension interval) k)))
