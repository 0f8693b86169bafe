;;; SRFI 160, the procedures of one kind over its basic ones. Each library of a
;;; kind includes this text; here a vector of the kind is a uvector.

(define (range-of v rest)
  (values (if (pair? rest) (car rest) 0)
          (if (and (pair? rest) (pair? (cdr rest)))
              (cadr rest)
              (uvector-length v))))

;; Calls (f start end), checked.
(define (with-range v rest f)
  (call-with-values (lambda () (range-of v rest))
    (lambda (start end)
      (if (not (<= 0 start end (uvector-length v)))
          (error "range out of the vector" start end v))
      (f start end))))

(define (shortest v more)
  (let loop ((n (uvector-length v)) (rest more))
    (if (pair? rest)
        (loop (min n (uvector-length (car rest))) (cdr rest))
        n)))

;; The elements at I of all vectors.
(define (elements vectors i)
  (map (lambda (v) (uvector-ref v i)) vectors))

;; -- constructors -----------------------------------------------------------

;;> (uvector-unfold f n seed ...)
;;> Return N elements, the first values of (f i seed ...), whose other values are
;;> the next seeds.
(define (uvector-unfold f n . seeds)
  (let ((out (make-uvector n)))
    (apply uvector-unfold! f out 0 n seeds)
    out))

;;> (uvector-unfold-right f n seed ...)
;;> Like uvector-unfold, from the last element on.
(define (uvector-unfold-right f n . seeds)
  (let ((out (make-uvector n)))
    (apply uvector-unfold-right! f out 0 n seeds)
    out))

;;> (uvector-copy vector [start [end]])
;;> Return a new vector of the elements.
(define (uvector-copy v . rest)
  (with-range v rest
    (lambda (start end)
      (let ((out (make-uvector (- end start))))
        (uvector-copy! out 0 v start end)
        out))))

;;> (uvector-reverse-copy vector [start [end]])
;;> Return a new vector of the elements in reverse.
(define (uvector-reverse-copy v . rest)
  (with-range v rest
    (lambda (start end)
      (let ((out (make-uvector (- end start))))
        (uvector-reverse-copy! out 0 v start end)
        out))))

;;> (uvector-append vector ...)
;;> Return a new vector of all elements.
(define (uvector-append . vectors) (uvector-concatenate vectors))

;;> (uvector-concatenate vectors)
;;> Return a new vector of all elements of the list VECTORS.
(define (uvector-concatenate vectors)
  (let ((out (make-uvector (apply + (map uvector-length vectors)))))
    (let loop ((at 0) (rest vectors))
      (if (null? rest)
          out
          (begin
            (uvector-copy! out at (car rest))
            (loop (+ at (uvector-length (car rest))) (cdr rest)))))))

;;> (uvector-append-subvectors vector start end ...)
;;> Return a new vector of the parts.
(define (uvector-append-subvectors . parts)
  (let loop ((rest parts) (out '()))
    (if (null? rest)
        (uvector-concatenate (reverse out))
        (loop (cdr (cddr rest))
              (cons (uvector-copy (car rest) (cadr rest) (car (cddr rest)))
                    out)))))

;; -- predicates -------------------------------------------------------------

;;> (uvector-empty? vector)
;;> Has it no elements?
(define (uvector-empty? v) (= 0 (uvector-length v)))

;;> (uvector= vector ...)
;;> Are all vectors the same?
(define (uvector= . vectors)
  (or (null? vectors)
      (let ((first (car vectors)))
        (let loop ((rest (cdr vectors)))
          (or (null? rest)
              (and (same? first (car rest)) (loop (cdr rest))))))))

(define (same? a b)
  (let ((n (uvector-length a)))
    (and (= n (uvector-length b))
         (let loop ((i 0))
           (or (= i n)
               (and (= (uvector-ref a i) (uvector-ref b i))
                    (loop (+ i 1))))))))

;; -- iteration --------------------------------------------------------------

;;> (uvector-take vector n)
;;> Return the first N elements.
(define (uvector-take v n) (uvector-copy v 0 n))

;;> (uvector-take-right vector n)
;;> Return the last N elements.
(define (uvector-take-right v n) (uvector-copy v (- (uvector-length v) n)))

;;> (uvector-drop vector n)
;;> Return the elements behind the first N.
(define (uvector-drop v n) (uvector-copy v n))

;;> (uvector-drop-right vector n)
;;> Return the elements in front of the last N.
(define (uvector-drop-right v n) (uvector-copy v 0 (- (uvector-length v) n)))

;;> (uvector-segment vector n)
;;> Return the list of parts of N elements; the last one may be shorter.
(define (uvector-segment v n)
  (if (not (and (exact-integer? n) (> n 0)))
      (error "not a positive size of segments" n))
  (let ((end (uvector-length v)))
    (let loop ((start 0) (out '()))
      (if (< start end)
          (let ((stop (min end (+ start n))))
            (loop stop (cons (uvector-copy v start stop) out)))
          (reverse out)))))

;;> (uvector-fold kons knil vector ...)
;;> Fold (kons out element ...) from the first elements on.
(define (uvector-fold kons knil v . more)
  (let ((n (shortest v more)))
    (let loop ((i 0) (out knil))
      (cond ((= i n) out)
            ((null? more) (loop (+ i 1) (kons out (uvector-ref v i))))
            (else
             (loop (+ i 1)
                   (apply kons out (uvector-ref v i) (elements more i))))))))

;;> (uvector-fold-right kons knil vector ...)
;;> Fold (kons out element ...) from the last elements on.
(define (uvector-fold-right kons knil v . more)
  (let loop ((i (- (shortest v more) 1)) (out knil))
    (cond ((< i 0) out)
          ((null? more) (loop (- i 1) (kons out (uvector-ref v i))))
          (else
           (loop (- i 1)
                 (apply kons out (uvector-ref v i) (elements more i)))))))

;;> (uvector-map f vector ...)
;;> Return a new vector of F's values.
(define (uvector-map f v . more)
  (let ((out (make-uvector (shortest v more))))
    (apply map-into! out f v more)
    out))

(define (map-into! out f v . more)
  (let ((n (shortest v more)))
    (do ((i 0 (+ i 1))) ((= i n))
      (uvector-set! out i
                    (if (null? more)
                        (f (uvector-ref v i))
                        (apply f (uvector-ref v i) (elements more i)))))))

;;> (uvector-map! f vector ...)
;;> Store F's values into the first vector.
(define (uvector-map! f v . more) (apply map-into! v f v more))

;;> (uvector-for-each f vector ...)
;;> Call F with the elements.
(define (uvector-for-each f v . more)
  (let ((n (shortest v more)))
    (do ((i 0 (+ i 1))) ((= i n))
      (if (null? more)
          (f (uvector-ref v i))
          (apply f (uvector-ref v i) (elements more i))))))

;;> (uvector-count f vector ...)
;;> Return how often F is true.
(define (uvector-count f . vectors)
  (apply uvector-fold (lambda (n . items) (if (apply f items) (+ n 1) n))
         0 vectors))

;;> (uvector-cumulate f seed vector)
;;> Return the vector of (f seed e0), (f that e1), and so on.
(define (uvector-cumulate f seed v)
  (let* ((n (uvector-length v)) (out (make-uvector n)))
    (let loop ((i 0) (state seed))
      (if (= i n)
          out
          (let ((state (f state (uvector-ref v i))))
            (uvector-set! out i state)
            (loop (+ i 1) state))))))

;; -- searching --------------------------------------------------------------

;; The first I, or the last one, at which F is true; or #f.
(define (find-index f v more)
  (let ((n (shortest v more)))
    (let loop ((i 0))
      (and (< i n)
           (if (apply f (uvector-ref v i) (elements more i))
               i
               (loop (+ i 1)))))))

(define (find-index-right f v more)
  (let loop ((i (- (shortest v more) 1)))
    (and (>= i 0)
         (if (apply f (uvector-ref v i) (elements more i))
             i
             (loop (- i 1))))))

(define (negated f) (lambda items (not (apply f items))))

;;> (uvector-index f vector ...)
;;> Return the first index at which F is true, or #f.
(define (uvector-index f v . more) (find-index f v more))

;;> (uvector-index-right f vector ...)
;;> Return the last index at which F is true, or #f.
(define (uvector-index-right f v . more) (find-index-right f v more))

;;> (uvector-skip f vector ...)
;;> Return the first index at which F is false, or #f.
(define (uvector-skip f v . more) (find-index (negated f) v more))

;;> (uvector-skip-right f vector ...)
;;> Return the last index at which F is false, or #f.
(define (uvector-skip-right f v . more) (find-index-right (negated f) v more))

;;> (uvector-take-while f vector)
;;> Return the longest beginning whose elements satisfy F.
(define (uvector-take-while f v)
  (uvector-copy v 0 (or (uvector-skip f v) (uvector-length v))))

;;> (uvector-take-while-right f vector)
;;> Return the longest end whose elements satisfy F.
(define (uvector-take-while-right f v)
  (let ((i (uvector-skip-right f v))) (uvector-copy v (if i (+ i 1) 0))))

;;> (uvector-drop-while f vector)
;;> Return what uvector-take-while leaves.
(define (uvector-drop-while f v)
  (uvector-copy v (or (uvector-skip f v) (uvector-length v))))

;;> (uvector-drop-while-right f vector)
;;> Return what uvector-take-while-right leaves.
(define (uvector-drop-while-right f v)
  (let ((i (uvector-skip-right f v))) (uvector-copy v 0 (if i (+ i 1) 0))))

;;> (uvector-any f vector ...)
;;> Return F's first true value, or #f.
(define (uvector-any f v . more)
  (let ((n (shortest v more)))
    (let loop ((i 0))
      (and (< i n)
           (or (apply f (uvector-ref v i) (elements more i))
               (loop (+ i 1)))))))

;;> (uvector-every f vector ...)
;;> Return F's last value if all are true, else #f.
(define (uvector-every f v . more)
  (let ((n (shortest v more)))
    (let loop ((i 0) (last #t))
      (if (= i n)
          last
          (let ((value (apply f (uvector-ref v i) (elements more i))))
            (and value (loop (+ i 1) value)))))))

;;> (uvector-partition f vector)
;;> Return a vector of the elements that satisfy F and then the others, and how
;;> many of the first there are.
(define (uvector-partition f v)
  (let* ((in (uvector-filter f v)) (out (uvector-remove f v)))
    (values (uvector-append in out) (uvector-length in))))

;;> (uvector-filter f vector)
;;> Return the elements that satisfy F.
(define (uvector-filter f v)
  (reverse-list->uvector
   (uvector-fold (lambda (out item) (if (f item) (cons item out) out)) '() v)))

;;> (uvector-remove f vector)
;;> Return the elements that do not satisfy F.
(define (uvector-remove f v) (uvector-filter (lambda (item) (not (f item))) v))

;; -- mutators ---------------------------------------------------------------

;;> (uvector-swap! vector i j)
;;> Exchange two elements.
(define (uvector-swap! v i j)
  (let ((item (uvector-ref v i)))
    (uvector-set! v i (uvector-ref v j))
    (uvector-set! v j item)))

;;> (uvector-fill! vector obj [start [end]])
;;> Make all elements OBJ.
(define (uvector-fill! v obj . rest)
  (with-range v rest
    (lambda (start end)
      (do ((i start (+ i 1))) ((= i end)) (uvector-set! v i obj)))))

;;> (uvector-reverse! vector [start [end]])
;;> Put the elements in reverse.
(define (uvector-reverse! v . rest)
  (with-range v rest
    (lambda (start end)
      (let loop ((i start) (j (- end 1)))
        (if (< i j)
            (begin
              (uvector-swap! v i j)
              (loop (+ i 1) (- j 1))))))))

;;> (uvector-copy! to at from [start [end]])
;;> Store elements of FROM into TO from AT on; they may be the same vector.
(define (uvector-copy! to at from . rest)
  (with-range from rest
    (lambda (start end)
      (if (not (<= 0 at (+ at (- end start)) (uvector-length to)))
          (error "the elements do not fit" to at))
      (if (< at start)
          (do ((i start (+ i 1)) (j at (+ j 1))) ((= i end))
            (uvector-set! to j (uvector-ref from i)))
          (do ((i (- end 1) (- i 1)) (j (+ at (- end start 1)) (- j 1)))
              ((< i start))
            (uvector-set! to j (uvector-ref from i)))))))

;;> (uvector-reverse-copy! to at from [start [end]])
;;> Store elements of FROM into TO from AT on, in reverse.
(define (uvector-reverse-copy! to at from . rest)
  (with-range from rest
    (lambda (start end)
      (uvector-copy! to at from start end)
      (uvector-reverse! to at (+ at (- end start))))))

;; Store the first values of (f i seed ...) at the I that (next i) leads through.
(define (unfold-into! f v start stop next seeds)
  (let loop ((i start) (seeds seeds))
    (if (not (= i stop))
        (call-with-values (lambda () (apply f i seeds))
          (lambda (item . seeds)
            (uvector-set! v i item)
            (loop (next i) seeds))))))

;;> (uvector-unfold! f vector start end seed ...)
;;> Store what uvector-unfold would give.
(define (uvector-unfold! f v start end . seeds)
  (unfold-into! f v start end (lambda (i) (+ i 1)) seeds))

;;> (uvector-unfold-right! f vector start end seed ...)
;;> Store what uvector-unfold-right would give.
(define (uvector-unfold-right! f v start end . seeds)
  (unfold-into! f v (- end 1) (- start 1) (lambda (i) (- i 1)) seeds))

;; -- conversion -------------------------------------------------------------

;;> (reverse-uvector->list vector [start [end]])
;;> Return the list of the elements in reverse.
(define (reverse-uvector->list v . rest)
  (reverse (apply uvector->list v rest)))

;;> (reverse-list->uvector list)
;;> Return a vector of LIST's elements in reverse.
(define (reverse-list->uvector list) (list->uvector (reverse list)))

;;> (uvector->vector vector [start [end]])
;;> Return an ordinary vector of the elements.
(define (uvector->vector v . rest)
  (list->vector (apply uvector->list v rest)))

;;> (vector->uvector vector [start [end]])
;;> Return a vector of the elements of an ordinary one.
(define (vector->uvector v . rest)
  (list->uvector (apply vector->list v rest)))

;; -- generators, comparators, output ----------------------------------------

;;> (make-uvector-generator vector)
;;> Return a generator of the elements.
(define (make-uvector-generator v)
  (let ((i 0))
    (lambda ()
      (if (= i (uvector-length v))
          (eof-object)
          (let ((item (uvector-ref v i)))
            (set! i (+ i 1))
            item)))))

;; Shorter vectors come first; the elements of complex kinds have no order.
(define (before? a b)
  (let ((n (uvector-length a)) (m (uvector-length b)))
    (or (< n m)
        (and (= n m)
             (let loop ((i 0))
               (and (< i n)
                    (let ((x (uvector-ref a i)) (y (uvector-ref b i)))
                      (or (< x y)
                          (and (= x y) (loop (+ i 1)))))))))))

;;> uvector-comparator
;;> A comparator: shorter vectors first, then by their elements.
(define uvector-comparator
  (make-comparator uvector? uvector= before?
                   (lambda (v) (default-hash (uvector->vector v)))))

;;> (write-uvector vector [port])
;;> Write the vector as #s16(1 2), with its kind.
(define (write-uvector v . rest)
  (let ((port (if (pair? rest) (car rest) (current-output-port))))
    (write-string (string-append "#" kind-name) port)
    (write (uvector->list v) port)))
