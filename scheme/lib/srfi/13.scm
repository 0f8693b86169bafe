;;; SRFI 13, what (chibi-bridge string) does not have under that name.

;;> (substring/shared string start [end])
;;> Return a new string of the characters from START to END.
(define (substring/shared string start . rest)
  (substring string start (if (pair? rest) (car rest) (string-length string))))

;;> (xsubstring string from [to [start [end]]])
;;> Return characters of STRING repeated without end both ways.
(define (xsubstring string from . rest)
  (apply string-replicate string from
         (if (pair? rest) (car rest) (+ from (string-length string)))
         (if (pair? rest) (cdr rest) '())))

;;> (string-delete criterion string [start [end]])
;;> Return the characters that do not satisfy.
(define string-delete string-remove)

;;> (string-tokenize string [criterion])
;;> Return the list of the longest substrings of characters that satisfy, or
;;> that are no whitespace.
(define (string-tokenize string . rest)
  (let ((satisfied? (if (pair? rest)
                        (car rest)
                        (lambda (char) (not (char-whitespace? char))))))
    (let loop ((i 0) (out '()))
      (let ((start (string-index string satisfied? i)))
        (if start
            (let ((end (or (string-skip string satisfied? start)
                           (string-length string))))
              (loop end (cons (substring string start end) out)))
            (reverse out))))))

(define (comparing compare)
  (lambda (a b . rest)
    (let* ((spans (list->vector rest))
           (n (vector-length spans))
           (at (lambda (i default) (if (< i n) (vector-ref spans i) default))))
      (compare (substring a (at 0 0) (at 1 (string-length a)))
               (substring b (at 2 0) (at 3 (string-length b)))))))

;;> (string= a b [start-a [end-a [start-b [end-b]]]]) and the like
;;> Compare two strings or spans of them.
(define string= (comparing string=?))
(define string< (comparing string<?))
(define string> (comparing string>?))
(define string<= (comparing string<=?))
(define string>= (comparing string>=?))
(define string<> (comparing (lambda (a b) (not (string=? a b)))))
(define string-ci= (comparing string-ci=?))
(define string-ci< (comparing string-ci<?))
(define string-ci> (comparing string-ci>?))
(define string-ci<= (comparing string-ci<=?))
(define string-ci>= (comparing string-ci>=?))
(define string-ci<> (comparing (lambda (a b) (not (string-ci=? a b)))))
