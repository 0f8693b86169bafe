;;; (chibi weak), the body. An element that is a heap object stands in an
;;; ephemeron of its own.

(define-record-type weak-vector
  (%make-weak-vector elements)
  weak-vector?
  (elements weak-vector-elements))

;;> (make-weak-vector size [fill])
;;> Return a vector that does not keep its elements: one that is not reachable
;;> otherwise becomes #f. (weak-vector-length (make-weak-vector 3)) => 3
(define (make-weak-vector size . fill)
  (let ((weak (%make-weak-vector (make-vector size #f))))
    (if (pair? fill)
        (do ((i 0 (+ i 1))) ((= i size)) (weak-vector-set! weak i (car fill))))
    weak))

;;> (weak-vector-length weak-vector)
;;> Return the number of elements.
(define (weak-vector-length weak) (vector-length (weak-vector-elements weak)))

;;> (weak-vector-ref weak-vector i)
;;> Return element I, or #f if it is gone.
(define (weak-vector-ref weak i)
  (let ((element (vector-ref (weak-vector-elements weak) i)))
    (if (ephemeron? element) (ephemeron-key element) element)))

;;> (weak-vector-set! weak-vector i obj)
;;> Store OBJ as element I.
(define (weak-vector-set! weak i obj)
  (vector-set! (weak-vector-elements weak) i
               (if (kept? obj) obj (make-ephemeron obj #t))))

;; What is no object with a life of its own.
(define (kept? obj)
  (or (boolean? obj) (number? obj) (char? obj) (symbol? obj) (null? obj)
      (eof-object? obj)))
