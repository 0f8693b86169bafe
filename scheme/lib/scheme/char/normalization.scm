;;; (scheme char normalization), the body.

;; The first place in the sorted entries of COUNT whose code, that CODE-AT gives, is
;; greater than CODE.
(define (upper-bound count code-at code)
  (let loop ((low 0) (high count))
    (if (= low high)
        low
        (let ((middle (quotient (+ low high) 2)))
          (if (<= (code-at middle) code)
              (loop (+ middle 1) high)
              (loop low middle))))))

(define (combining-class code)
  (let ((i (- (upper-bound (quotient (vector-length combining-classes) 3)
                           (lambda (i) (vector-ref combining-classes (* 3 i)))
                           code)
              1)))
    (if (and (>= i 0) (< code (vector-ref combining-classes (+ 1 (* 3 i)))))
        (vector-ref combining-classes (+ 2 (* 3 i)))
        0)))

;; The place of the entry of CODE, or #f.
(define (decomposition code)
  (let loop ((low 0) (high (vector-length index)))
    (if (>= low high)
        #f
        (let* ((middle (quotient (+ low high) 2))
               (at (vector-ref index middle))
               (found (vector-ref decompositions at)))
          (cond ((= code found) at)
                ((< code found) (loop low middle))
                (else (loop (+ middle 1) high)))))))

(define (hangul code)
  (let* ((s (- code #xAC00)) (t (modulo s 28)))
    (append (list (+ #x1100 (quotient s 588)) (+ #x1161 (quotient (modulo s 588) 28)))
            (if (= t 0) '() (list (+ #x11A7 t))))))

(define (decomposed code)
  (cond ((< code #xC0) (list code))
        ((<= #xAC00 code #xD7A3) (hangul code))
        ((decomposition code)
         => (lambda (at)
              (vector->list decompositions (+ at 2)
                            (+ at 2 (vector-ref decompositions (+ at 1))))))
        (else (list code))))

;; Marks, as (class . code), in front of others of a greater class.
(define (mark-insert mark marks)
  (if (or (null? marks) (< (car mark) (caar marks)))
      (cons mark marks)
      (cons (car marks) (mark-insert mark (cdr marks)))))

;; The codes of the canonical decomposition of STRING.
(define (normalized string)
  (let loop ((codes (apply append
                           (map (lambda (char) (decomposed (char->integer char)))
                                (string->list string))))
             (marks '())
             (done '()))
    (define (flushed) (append (reverse (map cdr marks)) done))
    (if (null? codes)
        (list->string (map integer->char (reverse (flushed))))
        (let ((class (combining-class (car codes))))
          (if (= class 0)
              (loop (cdr codes) '() (cons (car codes) (flushed)))
              (loop (cdr codes) (mark-insert (cons class (car codes)) marks)
                    done))))))

(define (compare test strings)
  (apply test (map normalized strings)))

;;> (string-ni=? string string ...), string-ni<? string-ni>? string-ni<=? string-ni>=?
;;> Compare strings without regard to how their characters are composed.
;;> (string-ni=? "\xE4;" "a\x308;") => #t
(define (string-ni=? a b . more) (compare string=? (cons a (cons b more))))
(define (string-ni<? a b . more) (compare string<? (cons a (cons b more))))
(define (string-ni>? a b . more) (compare string>? (cons a (cons b more))))
(define (string-ni<=? a b . more) (compare string<=? (cons a (cons b more))))
(define (string-ni>=? a b . more) (compare string>=? (cons a (cons b more))))
