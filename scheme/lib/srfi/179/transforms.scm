;;; (srfi 179), the body: what it has in another way than SRFI 231.

(define (argument rest i default)
  (cond ((null? rest) default)
        ((= i 0) (car rest))
        (else (argument (cdr rest) (- i 1) default))))

;;> (array-rotate array k)
;;> Return it with the first K indexes at the end.
(define (array-rotate array k)
  (array-permute array (index-rotate (array-dimension array) k)))

;;> (array-copy array [class [new-domain [mutable? [safe?]]]])
;;> Return a new array with storage and the same elements in order.
(define (array-copy array . rest)
  (let ((domain (or (argument rest 1 #f) (array-domain array)))
        (class (or (argument rest 0 #f)
                   (if (specialized-array? array)
                       (array-storage-class array)
                       generic-storage-class))))
    (new:list->array domain (array->list array) class
                     (argument rest 2 (specialized-array-default-mutable?))
                     (argument rest 3 (specialized-array-default-safe?)))))

;;> (list->array list domain [class [mutable? [safe?]]])
;;> Return the array of the elements of LIST in order.
;;> (array-ref (list->array '(1 2) (make-interval #(2))) 1) => 2
(define (list->array list domain . rest) (apply new:list->array domain list rest))

;;> (array-fold kons knil array), (array-fold-right kons knil array)
;;> Call (KONS element state) from the first, or from the last element on.
;;> (array-fold cons '() (list->array '(1 2) (make-interval #(2)))) => (2 1)
(define (array-fold kons knil array)
  (array-fold-left (lambda (state element) (kons element state)) knil array))
(define (array-fold-right kons knil array) (array-foldr kons knil array))
