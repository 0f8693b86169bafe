;;; SRFI 43, the body: what differs from SRFI 133.

;; The length of the shortest vector.
(define (shortest vector vectors)
  (apply min (vector-length vector) (map vector-length vectors)))

(define (elements-at i vectors)
  (map (lambda (vector) (vector-ref vector i)) vectors))

;; The procedure of an index that calls (f index element ...).
(define (at-index f vector vectors)
  (if (null? vectors)
      (lambda (i) (f i (vector-ref vector i)))
      (let ((vectors (cons vector vectors)))
        (lambda (i) (apply f i (elements-at i vectors))))))

;;> (vector-copy vector [start [end [fill]]])
;;> Return a new vector of the elements from START to END, which may be behind
;;> the last one: FILL stands for what is not there.
;;> (vector-copy #(a b) 1 3 'x) => #(b x)
(define (vector-copy-43 vector . rest)
  (let* ((n (vector-length vector))
         (start (if (pair? rest) (car rest) 0))
         (rest (if (pair? rest) (cdr rest) '()))
         (end (if (pair? rest) (car rest) n))
         (new (if (and (pair? rest) (pair? (cdr rest)))
                  (make-vector (- end start) (cadr rest))
                  (make-vector (- end start)))))
    (vector-copy! new 0 vector start (min end n))
    new))

;;> (vector-fold kons knil vector vector ...)
;;> Combine from the left: (kons index accumulated element ...).
;;> (vector-fold (lambda (i sum x) (+ sum (* i x))) 0 #(5 6 7)) => 20
(define (vector-fold kons knil vector . vectors)
  (let ((n (shortest vector vectors))
        (all (cons vector vectors)))
    (let loop ((i 0) (out knil))
      (cond ((= i n) out)
            ((null? vectors)
             (loop (+ i 1) (kons i out (vector-ref vector i))))
            (else
             (loop (+ i 1) (apply kons i out (elements-at i all))))))))

;;> (vector-fold-right kons knil vector vector ...)
;;> Combine from the right: (kons index accumulated element ...).
;;> (vector-fold-right (lambda (i out x) (cons x out)) '() #(1 2)) => (1 2)
(define (vector-fold-right kons knil vector . vectors)
  (let ((all (cons vector vectors)))
    (let loop ((i (- (shortest vector vectors) 1)) (out knil))
      (cond ((< i 0) out)
            ((null? vectors)
             (loop (- i 1) (kons i out (vector-ref vector i))))
            (else
             (loop (- i 1) (apply kons i out (elements-at i all))))))))

;;> (vector-map f vector vector ...)
;;> Return the vector of (f index element ...).
;;> (vector-map + #(10 10 10)) => #(10 11 12)
(define (vector-map-43 f vector . vectors)
  (let ((n (shortest vector vectors))
        (g (at-index f vector vectors)))
    (let loop ((i 0) (out '()))
      (if (= i n)
          (reverse-list->vector out)
          (loop (+ i 1) (cons (g i) out))))))

;;> (vector-map! f vector vector ...)
;;> Replace each element of the first vector by (f index element ...).
(define (vector-map! f vector . vectors)
  (let ((n (shortest vector vectors))
        (g (at-index f vector vectors)))
    (let loop ((i 0))
      (if (< i n)
          (begin (vector-set! vector i (g i))
                 (loop (+ i 1)))))))

;;> (vector-for-each f vector vector ...)
;;> Call (f index element ...) in order.
(define (vector-for-each-43 f vector . vectors)
  (let ((n (shortest vector vectors))
        (g (at-index f vector vectors)))
    (let loop ((i 0))
      (if (< i n)
          (begin (g i)
                 (loop (+ i 1)))))))

;;> (vector-count satisfied? vector vector ...)
;;> Count the indices where (satisfied? index element ...).
;;> (vector-count (lambda (i x) (= i x)) #(0 2 2)) => 2
(define (vector-count satisfied? vector . vectors)
  (let ((n (shortest vector vectors))
        (g (at-index satisfied? vector vectors)))
    (let loop ((i 0) (count 0))
      (if (= i n)
          count
          (loop (+ i 1) (if (g i) (+ count 1) count))))))
