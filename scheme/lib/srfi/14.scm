;;; SRFI 14, the body. The bounds of a set are #(from to from to ...), ascending:
;;; what is at an even index is in the set, up to before what follows.

(define (set-bounds set)
  (if (char-set? set)
      (bounds-of set)
      (error "not a character set" set)))

(define surrogates #xd800)
(define after-surrogates #xe000)
(define most #x110000)

;; -- bounds -----------------------------------------------------------------

;; How many bounds are not above code; odd: code is in the set.
(define (bounds-below bounds code)
  (let loop ((low 0) (high (vector-length bounds)))
    (if (= low high)
        low
        (let ((middle (quotient (+ low high) 2)))
          (if (<= (vector-ref bounds middle) code)
              (loop (+ middle 1) high)
              (loop low middle))))))

(define (in-bounds? bounds code)
  (odd? (bounds-below bounds code)))

;; The set of the codes for which (in? in-a in-b). Both lists of bounds are
;; walked together; a bound is kept where the answer changes.
(define (combine in? a b)
  (let ((m (vector-length a))
        (n (vector-length b)))
    (let loop ((i 0) (j 0) (inside #f) (out '()))
      (if (and (= i m) (= j n))
          (make-set (list->vector (reverse out)))
          (let* ((x (if (< i m) (vector-ref a i) most))
                 (y (if (< j n) (vector-ref b j) most))
                 (at (min x y))
                 (i (if (and (= x at) (< i m)) (+ i 1) i))
                 (j (if (and (= y at) (< j n)) (+ j 1) j))
                 (now (in? (odd? i) (odd? j))))
            (loop i j now (if (eq? now inside) out (cons at out))))))))

(define (both in-a in-b) (and in-a in-b))
(define (either in-a in-b) (or in-a in-b))
(define (first-only in-a in-b) (and in-a (not in-b)))
(define (one-only in-a in-b) (not (eq? in-a in-b)))

(define (fold-sets in? set sets)
  (let loop ((set set) (rest sets))
    (if (pair? rest)
        (loop (combine in? (set-bounds set) (set-bounds (car rest)))
              (cdr rest))
        (begin (set-bounds set) set))))

;; The set of a list of codes in any order.
(define (codes->set codes)
  (let loop ((rest (sort codes <)) (out '()))
    (cond ((null? rest) (make-set (list->vector (reverse out))))
          ((and (pair? out) (= (car out) (car rest)))
           (loop (cdr rest) (cons (+ (car rest) 1) (cdr out))))
          ((and (pair? out) (> (car out) (car rest))) (loop (cdr rest) out))
          (else
           (loop (cdr rest)
                 (cons (+ (car rest) 1) (cons (car rest) out)))))))

(define (range->set from to)
  (make-set (if (< from to) (vector from to) (vector))))

;; Call (f from to out) for each range, from the left.
(define (fold-ranges f out bounds)
  (let ((n (vector-length bounds)))
    (let loop ((i 0) (out out))
      (if (= i n)
          out
          (loop (+ i 2)
                (f (vector-ref bounds i) (vector-ref bounds (+ i 1)) out))))))

(define (fold-codes f out set)
  (fold-ranges
   (lambda (from to out)
     (let loop ((code from) (out out))
       (if (= code to) out (loop (+ code 1) (f code out)))))
   out
   (set-bounds set)))

;; -- comparison ---------------------------------------------------------------

(define (in-pairs? related? sets)
  (for-each set-bounds sets)
  (let loop ((rest sets))
    (or (null? rest)
        (null? (cdr rest))
        (and (related? (car rest) (cadr rest))
             (loop (cdr rest))))))

(define (subset? a b)
  (= 0 (vector-length
        (bounds-of (combine first-only (bounds-of a) (bounds-of b))))))

;;> (char-set= set ...)
;;> Have the sets the same characters?
(define (char-set= . sets)
  (in-pairs? (lambda (a b) (equal? (bounds-of a) (bounds-of b))) sets))

;;> (char-set<= set ...)
;;> Is each set a subset of the next one?
(define (char-set<= . sets) (in-pairs? subset? sets))

;;> (char-set-hash set [bound])
;;> Return a hash of SET, below BOUND; sets that are char-set= have the same.
(define (char-set-hash set . rest)
  (let* ((bound (if (and (pair? rest) (> (car rest) 0)) (car rest) 4194304))
         (bounds (set-bounds set))
         (n (vector-length bounds)))
    (let loop ((i 0) (hash 0))
      (if (= i n)
          (modulo hash bound)
          (loop (+ i 1)
                (modulo (+ (* 31 hash) (vector-ref bounds i)) 4194304))))))

;; -- iteration ----------------------------------------------------------------

;; A cursor is the code it is at, or #f at the end.
(define (cursor-from bounds code)
  (let ((i (bounds-below bounds code)))
    (cond ((odd? i) code)
          ((< i (vector-length bounds)) (vector-ref bounds i))
          (else #f))))

;;> (char-set-cursor set)
;;> Return the cursor of the first character.
(define (char-set-cursor set) (cursor-from (set-bounds set) 0))

;;> (char-set-ref set cursor)
;;> Return the character at CURSOR.
(define (char-set-ref set cursor) (integer->char cursor))

;;> (char-set-cursor-next set cursor)
;;> Return the cursor of the character after that at CURSOR.
(define (char-set-cursor-next set cursor)
  (cursor-from (set-bounds set) (+ cursor 1)))

;;> (end-of-char-set? cursor)
;;> Is CURSOR behind the last character?
(define (end-of-char-set? cursor) (not cursor))

;;> (char-set-fold kons knil set)
;;> Combine the characters in order: (kons char accumulated).
(define (char-set-fold kons knil set)
  (fold-codes (lambda (code out) (kons (integer->char code) out)) knil set))

(define (base-of rest) (if (pair? rest) (car rest) char-set:empty))

;;> (char-set-unfold stop? mapper successor seed [base])
;;> Return BASE and (mapper seed) of each seed until (stop? seed).
(define (char-set-unfold stop? mapper successor seed . rest)
  (let loop ((seed seed) (out '()))
    (if (stop? seed)
        (list->char-set out (base-of rest))
        (loop (successor seed) (cons (mapper seed) out)))))

;;> (char-set-unfold! stop? mapper successor seed base)
;;> The same.
(define char-set-unfold! char-set-unfold)

;;> (char-set-for-each f set)
;;> Call F with each character, in order.
(define (char-set-for-each f set)
  (char-set-fold (lambda (char out) (f char) out) #f set)
  (if #f #f))

;;> (char-set-map f set)
;;> Return the set of what F answers.
(define (char-set-map f set)
  (list->char-set (char-set-fold (lambda (char out) (cons (f char) out))
                                 '() set)))

;; -- constructors -------------------------------------------------------------

;;> (char-set-copy set)
;;> Return SET: no procedure alters it.
(define (char-set-copy set) (set-bounds set) set)

;;> (char-set char ...)
;;> Return the set of the characters.
;;> (char-set-contains? (char-set #\a #\b) #\b) => #t
(define (char-set . chars) (list->char-set chars))

;;> (list->char-set chars [base])
;;> Return the set of the characters, and those of BASE.
(define (list->char-set chars . rest)
  (let ((set (codes->set (map char->integer chars))))
    (if (pair? rest)
        (fold-sets either set rest)
        set)))

;;> (list->char-set! chars base)
;;> The same.
(define list->char-set! list->char-set)

;;> (string->char-set string [base])
;;> Return the set of the characters of STRING, and those of BASE.
(define (string->char-set string . rest)
  (apply list->char-set (string->list string) rest))

;;> (string->char-set! string base)
;;> The same.
(define string->char-set! string->char-set)

;;> (char-set-filter satisfied? set [base])
;;> Return the set of the characters that satisfy, and those of BASE.
(define (char-set-filter satisfied? set . rest)
  (list->char-set
   (char-set-fold (lambda (char out) (if (satisfied? char) (cons char out) out))
                  '() set)
   (base-of rest)))

;;> (char-set-filter! satisfied? set base)
;;> The same.
(define char-set-filter! char-set-filter)

;;> (ucs-range->char-set from to [error? [base]])
;;> Return the set of the characters of code FROM to before TO, and those of
;;> BASE. Codes that no character has are left out, or an error.
(define (ucs-range->char-set from to . rest)
  (if (and (pair? rest)
           (car rest)
           (or (> to most) (< from to surrogates)
               (and (< from after-surrogates) (> to surrogates))))
      (if (or (> to most) (and (< from after-surrogates) (> to surrogates)))
          (error "ucs-range->char-set: codes without character" from to)))
  (combine either
           (bounds-of (combine both
                               (bounds-of (range->set from (min to most)))
                               (bounds-of char-set:full)))
           (set-bounds (base-of (if (pair? rest) (cdr rest) '())))))

;;> (ucs-range->char-set! from to error? base)
;;> The same.
(define ucs-range->char-set! ucs-range->char-set)

;;> (->char-set object)
;;> Return the set of a string, of a character, or OBJECT that is one.
(define (->char-set object)
  (cond ((char-set? object) object)
        ((string? object) (string->char-set object))
        ((char? object) (char-set object))
        (else (error "->char-set: not a set, string or character" object))))

;; -- queries ------------------------------------------------------------------

;;> (char-set-size set)
;;> Return the number of characters.
(define (char-set-size set)
  (fold-ranges (lambda (from to n) (+ n (- to from))) 0 (set-bounds set)))

;;> (char-set-count satisfied? set)
;;> Count the characters that satisfy.
(define (char-set-count satisfied? set)
  (char-set-fold (lambda (char n) (if (satisfied? char) (+ n 1) n)) 0 set))

;;> (char-set->list set)
;;> Return the list of the characters, in order.
(define (char-set->list set) (reverse (char-set-fold cons '() set)))

;;> (char-set->string set)
;;> Return the string of the characters, in order.
(define (char-set->string set) (list->string (char-set->list set)))

;;> (char-set-contains? set char)
;;> Is CHAR in SET?
(define (char-set-contains? set char)
  (in-bounds? (set-bounds set) (char->integer char)))

;; The first answer of f that stops, or the last one.
(define (search f stop? answer set)
  (let ((bounds (set-bounds set)))
    (let loop ((cursor (cursor-from bounds 0)) (answer answer))
      (if (or (not cursor) (stop? answer))
          answer
          (loop (cursor-from bounds (+ cursor 1))
                (f (integer->char cursor)))))))

;;> (char-set-every satisfied? set)
;;> Return #f at the first false answer, else the last one.
(define (char-set-every satisfied? set) (search satisfied? not #t set))

;;> (char-set-any satisfied? set)
;;> Return the first true answer, or #f.
(define (char-set-any satisfied? set)
  (search satisfied? (lambda (answer) answer) #f set))

;; -- algebra --------------------------------------------------------------------

;;> (char-set-adjoin set char ...)
;;> Return SET with the characters.
(define (char-set-adjoin set . chars)
  (fold-sets either set (list (list->char-set chars))))

;;> (char-set-adjoin! set char ...)
;;> The same.
(define char-set-adjoin! char-set-adjoin)

;;> (char-set-delete set char ...)
;;> Return SET without the characters.
(define (char-set-delete set . chars)
  (fold-sets first-only set (list (list->char-set chars))))

;;> (char-set-delete! set char ...)
;;> The same.
(define char-set-delete! char-set-delete)

;;> (char-set-complement set)
;;> Return the set of all other characters.
(define (char-set-complement set)
  (combine first-only (bounds-of char-set:full) (set-bounds set)))

;;> (char-set-complement! set)
;;> The same.
(define char-set-complement! char-set-complement)

;;> (char-set-union set ...)
;;> Return the set of what is in any of the sets.
(define (char-set-union . sets) (fold-sets either char-set:empty sets))

;;> (char-set-union! set set ...)
;;> The same.
(define char-set-union! char-set-union)

;;> (char-set-intersection set ...)
;;> Return the set of what is in all of the sets.
(define (char-set-intersection . sets) (fold-sets both char-set:full sets))

;;> (char-set-intersection! set set ...)
;;> The same.
(define char-set-intersection! char-set-intersection)

;;> (char-set-difference set set ...)
;;> Return the set of what is in the first set alone.
(define (char-set-difference set . sets) (fold-sets first-only set sets))

;;> (char-set-difference! set set ...)
;;> The same.
(define char-set-difference! char-set-difference)

;;> (char-set-xor set ...)
;;> Return the set of what is in an odd number of the sets.
(define (char-set-xor . sets) (fold-sets one-only char-set:empty sets))

;;> (char-set-xor! set set ...)
;;> The same.
(define char-set-xor! char-set-xor)

;;> (char-set-diff+intersection set set ...)
;;> Return what is in the first set alone, and what is in another one too.
(define (char-set-diff+intersection set . sets)
  (let ((others (apply char-set-union sets)))
    (values (char-set-difference set others)
            (char-set-intersection set others))))

;;> (char-set-diff+intersection! set set set ...)
;;> The same.
(define char-set-diff+intersection! char-set-diff+intersection)

;; -- standard sets ------------------------------------------------------------

;;> char-set:empty, char-set:full
;;> No character; every one.
(define char-set:empty (make-set (vector)))
(define char-set:full
  (make-set (vector 0 surrogates after-surrogates most)))

;;> char-set:ascii, char-set:iso-control, char-set:hex-digit
;;> The sets of these names.
(define char-set:ascii (range->set 0 128))
(define char-set:iso-control (make-set (vector 0 32 127 160)))
(define char-set:hex-digit
  (string->char-set "0123456789abcdefABCDEF"))
