;;; (chibi text search), the body.

;;> (text-search! mark pattern)
;;> Move MARK behind the next place that PATTERN, a regular expression or a string that is
;;> looked for as it is, matches; return it, or #f where there is none.
;;> (mark-offset (text-search! (text-mark (string->text "xaby") 0) "ab")) => 3
(define (text-search! mark pattern)
  (let* ((text (mark-text mark))
         (rest (utf8->string (text-bytes text) (mark-offset mark) (text-end text)))
         (match (regexp-search (regexp pattern) rest)))
    (and match
         (let ((end (regexp-match-submatch-end match 0)))
           (mark-offset-set!
            mark
            (+ (mark-offset mark)
               (bytevector-length (string->utf8 rest 0 end))))
           mark))))
