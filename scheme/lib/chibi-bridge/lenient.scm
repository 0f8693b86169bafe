;;; (chibi-bridge lenient), the body.

(define (text-of who object)
  (cond ((string? object) object)
        ((char? object) (string object))
        (else (error (string-append who ": not a string") object))))

(define (replace-all text part new)
  (if (string=? part "")
      (error "string-replace: nothing to look for" part))
  (let ((out (open-output-string)) (n (string-length part)))
    (let loop ((start 0))
      (let ((at (string-contains text part start)))
        (write-string text out start (or at (string-length text)))
        (if at
            (begin (write-string new out) (loop (+ at n)))
            (get-output-string out))))))

;;> (string-replace string part new)
;;> (string-replace string new start end [start-new [end-new]])
;;> With two strings (or characters) behind STRING: return it with every PART
;;> replaced by NEW. With places: return it with the span replaced by NEW, as SRFI
;;> 13 and 152 have it. (string-replace "a-b-c" "-" "+") => "a+b+c"
(define (string-replace string part new . rest)
  (cond ((not (or (string? new) (char? new)))
         (if (null? rest)
             (error (string-append
                     "string-replace: write (string-replace string part new) or "
                     "(string-replace string new start end)")
                    part new))
         (apply replace-span string part new rest))
        ((pair? rest)
         (error "string-replace: too many arguments behind the two strings" rest))
        (else (replace-all (text-of "string-replace" string)
                           (text-of "string-replace" part)
                           (text-of "string-replace" new)))))

;;> (string-split string [delimiter [grammar [limit [start [end]]]]])
;;> Return the list of the pieces of STRING between the delimiters: a string, a
;;> character or a predicate. Without one, the words between blanks.
;;> (string-split "a,b" #\,) => ("a" "b")
(define (string-split string . rest)
  (if (pair? rest)
      (apply split-at string rest)
      (let loop ((pieces (split-at string char-whitespace?)) (out '()))
        (cond ((null? pieces) (reverse out))
              ((string=? (car pieces) "") (loop (cdr pieces) out))
              (else (loop (cdr pieces) (cons (car pieces) out)))))))

;;> (call-with-output-string procedure)
;;> Call PROCEDURE with a port and return the text that it wrote there.
;;> (call-with-output-string (lambda (port) (write 'x port))) => "x"

;;> (with-output-to-string thunk)
;;> Call THUNK and return the text that it wrote to the current output.
;;> (with-output-to-string (lambda () (write-string "x"))) => "x"
(define (with-output-to-string thunk)
  (let ((out (open-output-string)))
    (parameterize ((current-output-port out)) (thunk))
    (get-output-string out)))
