;;; SRFI 160, what the basic procedures of all kinds are made with: each kind is a
;;; record type over a vector.

;; -- what the elements are --------------------------------------------------

(define (signed? bits)
  (let ((limit (expt 2 (- bits 1))))
    (lambda (obj)
      (and (exact-integer? obj) (<= (- limit) obj) (< obj limit)))))

(define (unsigned? bits)
  (let ((limit (expt 2 bits)))
    (lambda (obj)
      (and (exact-integer? obj) (<= 0 obj) (< obj limit)))))

(define (single x) (single-bits->flonum (flonum->single-bits (inexact x))))

(define (complex-single z)
  (if (real? z)
      (single z)
      (make-rectangular (single (real-part z)) (single (imag-part z)))))

(define (same obj) obj)

(define (check-element who satisfied? convert)
  (lambda (obj)
    (if (satisfied? obj)
        (convert obj)
        (error (string-append who ": not an element of its kind") obj))))

;; -- a kind -----------------------------------------------------------------

;; Define the basic procedures of a kind; CONVERT makes an element what is stored.
(define-syntax define-kind
  (syntax-rules ()
    ((_ text element? convert type wrap unwrap
        make construct vector? vector-size ref set ->list list->)
     (begin
       (define-record-type type
         (wrap elements)
         vector?
         (elements unwrap))
       (define element (check-element text element? convert))
       (define make
         (case-lambda
           ((n) (wrap (make-vector n (element 0))))
           ((n fill) (wrap (make-vector n (element fill))))))
       (define (construct . elements) (list-> elements))
       (define (vector-size v) (vector-length (unwrap v)))
       (define (ref v i) (vector-ref (unwrap v) i))
       (define (set v i obj) (vector-set! (unwrap v) i (element obj)))
       (define ->list
         (case-lambda
           ((v) (vector->list (unwrap v)))
           ((v start) (vector->list (unwrap v) start))
           ((v start end) (vector->list (unwrap v) start end))))
       (define (list-> list)
         (wrap (list->vector (map element list))))))))
