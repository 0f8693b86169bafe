;;; SRFI 130, the cursors.

;;> (string-cursor? object)
;;> May OBJECT be a cursor (an index)?
(define (string-cursor? object)
  (and (exact-integer? object) (>= object 0)))

;;> (string-cursor-start string), (string-cursor-end string)
;;> Return the cursor in front of the first, behind the last character.
(define (string-cursor-start string) 0)
(define (string-cursor-end string) (string-length string))

;;> (string-cursor-next string cursor), (string-cursor-forward string cursor n)
;;> Return the cursor one or N characters further; -prev and -back: before.
(define (string-cursor-next string cursor) (+ cursor 1))
(define (string-cursor-prev string cursor) (- cursor 1))
(define (string-cursor-forward string cursor n) (+ cursor n))
(define (string-cursor-back string cursor n) (- cursor n))

(define string-cursor=? =)
(define string-cursor<? <)
(define string-cursor>? >)
(define string-cursor<=? <=)
(define string-cursor>=? >=)

;;> (string-cursor-diff string start end)
;;> Return the number of characters between two cursors.
(define (string-cursor-diff string start end) (- end start))
(define (string-cursor->index string cursor) cursor)
(define (string-index->cursor string index) index)

(define string-ref/cursor string-ref)
(define substring/cursors substring)
(define string-copy/cursors string-copy)
(define string->list/cursors string->list)
(define string->vector/cursors string->vector)

(define (end-of string rest)
  (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) (string-length string)))
(define (start-of rest) (if (pair? rest) (car rest) 0))

;;> (string-index string criterion [start [end]]), string-skip
;;> Return the cursor of the first character that satisfies (does not), or the
;;> end's.
(define (string-index string criterion . rest)
  (or (apply find-index string criterion rest) (end-of string rest)))
(define (string-skip string criterion . rest)
  (or (apply find-skip string criterion rest) (end-of string rest)))

(define (behind index rest) (if index (+ index 1) (start-of rest)))

;;> (string-index-right string criterion [start [end]]), string-skip-right
;;> Return the cursor behind the last character that satisfies (does not), or
;;> the start's.
(define (string-index-right string criterion . rest)
  (behind (apply find-right string criterion rest) rest))
(define (string-skip-right string criterion . rest)
  (behind (apply find-skip-right string criterion rest) rest))
