;;; (srfi 159 columnar), the body: what SRFI 166 has not.

;; A generator of the text, unless that is empty.
(define (text-generator text)
  (lambda ()
    (let ((now text))
      (set! text "")
      (if (string=? now "") (eof-object) now))))

;;> (call-with-output-generator producer consumer)
;;> The formatter that CONSUMER answers for a generator of the strings that the
;;> formatter PRODUCER puts out.
;;> (show #f (call-with-output-generator "ab" (lambda (next) (next)))) => "ab"
(define (call-with-output-generator producer consumer)
  (call-with-output producer
    (lambda (text) (consumer (text-generator text)))))

;;> (call-with-output-generators producers consumer)
;;> The same for several: CONSUMER gets the list of their generators.
(define (call-with-output-generators producers consumer)
  (let loop ((rest producers) (generators '()))
    (if (null? rest)
        (consumer (reverse generators))
        (call-with-output-generator
         (car rest)
         (lambda (generator)
           (loop (cdr rest) (cons generator generators)))))))

(define (newline-index text)
  (let ((end (string-length text)))
    (let loop ((i 0))
      (cond ((= i end) #f)
            ((char=? #\newline (string-ref text i)) i)
            (else (loop (+ i 1)))))))

;;> (string->line-generator source)
;;> Return a generator of the lines of the strings that the generator SOURCE gives.
;;> ((string->line-generator (let ((l '("a\nb" "c\n")))
;;>    (lambda () (if (null? l) (eof-object)
;;>                   (let ((s (car l))) (set! l (cdr l)) s)))))) => "a"
(define (string->line-generator source)
  (let ((kept ""))
    (define (next)
      (let ((i (newline-index kept)))
        (if i
            (let ((line (substring kept 0 i)))
              (set! kept (substring kept (+ i 1) (string-length kept)))
              line)
            (let ((more (source)))
              (cond ((string? more)
                     (set! kept (string-append kept more))
                     (next))
                    ((string=? kept "") more)
                    (else
                     (let ((line kept))
                       (set! kept "")
                       line)))))))
    next))
