;;; SRFI 166, the formatters.

;; -- sequences --------------------------------------------------------------

;;> nothing
;;> The formatter that does nothing.
(define (nothing state) #t)

;;> (each format ...)
;;> The formatter that runs the formats. (show #f (each "a" 1)) => "a1"
(define (each . formats) (each-in-list formats))

;;> (each-in-list formats)
;;> The formatter that runs the formats of a list.
(define (each-in-list formats)
  (lambda (state)
    (for-each (lambda (format) (run format state)) formats)))

;;> nl
;;> The formatter that ends the line.
(define (nl state) (emit "\n" state))

;;> fl
;;> The formatter that ends the line unless it is empty.
(define (fl state)
  (if (not (= 0 (get state col))) (emit "\n" state)))

(define (pad-text state n)
  (make-string (max 0 n) (get state pad-char)))

;;> (space-to column)
;;> The formatter that pads up to COLUMN. (show #f "a" (space-to 3) "b") => "a  b"
(define (space-to column)
  (lambda (state) (emit (pad-text state (- column (get state col))) state)))

;;> (tab-to [width])
;;> The formatter that pads up to the next multiple of WIDTH (8).
(define (tab-to . tab-width)
  (let ((tab (if (pair? tab-width) (car tab-width) 8)))
    (lambda (state)
      (if (> tab 0)
          (emit (pad-text state (modulo (- (get state col)) tab)) state)))))

(define (separator-of rest) (if (pair? rest) (car rest) ""))

;;> (joined mapper list [separator])
;;> The formatter of (mapper item) for the items, with SEPARATOR between them.
;;> (show #f (joined displayed '(1 2) ", ")) => "1, 2"
(define (joined mapper list . rest)
  (joined/last mapper mapper list (separator-of rest)))

;;> (joined/prefix mapper list [separator])
;;> Like joined, with SEPARATOR in front of each.
(define (joined/prefix mapper list . rest)
  (let ((separator (separator-of rest)))
    (each-in-list (map (lambda (item) (each separator (mapper item))) list))))

;;> (joined/suffix mapper list [separator])
;;> Like joined, with SEPARATOR behind each.
(define (joined/suffix mapper list . rest)
  (let ((separator (separator-of rest)))
    (each-in-list (map (lambda (item) (each (mapper item) separator)) list))))

;;> (joined/last mapper last-mapper list [separator])
;;> Like joined, with LAST-MAPPER for the last item.
(define (joined/last mapper last-mapper list . rest)
  (let ((separator (separator-of rest)))
    (lambda (state)
      (let loop ((rest list))
        (cond ((null? rest) #t)
              ((null? (cdr rest)) (run (last-mapper (car rest)) state))
              (else
               (run (mapper (car rest)) state)
               (run separator state)
               (loop (cdr rest))))))))

;;> (joined/dot mapper dot-mapper list [separator])
;;> Like joined, with DOT-MAPPER for the end of a list that is no proper one.
(define (joined/dot mapper dot-mapper list . rest)
  (let ((separator (separator-of rest)))
    (lambda (state)
      (let loop ((rest list) (first? #t))
        (cond ((null? rest) #t)
              (else
               (if (not first?) (run separator state))
               (if (pair? rest)
                   (begin
                     (run (mapper (car rest)) state)
                     (loop (cdr rest) #f))
                   (run (dot-mapper rest) state))))))))

;;> (joined/range mapper start [end [separator]])
;;> Like joined, over the integers from START up to END, without an end if that is
;;> #f. (show #f (joined/range displayed 0 3 " ")) => "0 1 2"
(define (joined/range mapper start . rest)
  (let ((end (and (pair? rest) (car rest)))
        (separator (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) "")))
    (lambda (state)
      (let loop ((i start))
        (if (or (not end) (< i end))
            (begin
              (if (> i start) (run separator state))
              (run (mapper i) state)
              (loop (+ i 1))))))))

;; -- objects ----------------------------------------------------------------

;;> (displayed obj)
;;> The formatter of OBJ as display writes it; of a formatter, itself.
(define (displayed obj)
  (cond ((procedure? obj) obj)
        ((string? obj) (lambda (state) (emit obj state)))
        ((char? obj) (lambda (state) (emit (string obj) state)))
        (else (lambda (state) (run ((get state writer) obj) state)))))

(define (text-by write obj)
  (let ((out (open-output-string)))
    (write obj out)
    (get-output-string out)))

;; Are numbers written as always?
(define (plain-numbers? state)
  (and (eqv? 10 (get state radix)) (not (get state precision))))

(define (writing write)
  (lambda (obj)
    (lambda (state)
      (if (plain-numbers? state)
          (emit (text-by write obj) state)
          (write-simply obj state)))))

;;> (written obj)
;;> The formatter of OBJ as write writes it, numbers in the radix and precision of
;;> the state. (show #f (written "a")) => "\"a\""
(define written (writing write))

;;> (written-shared obj)
;;> The formatter of OBJ as write-shared writes it.
(define written-shared (writing write-shared))

;;> (written-simply obj)
;;> The formatter of OBJ as write-simple writes it, piece by piece.
(define (written-simply obj) (lambda (state) (write-simply obj state)))

(define (write-simply obj state)
  (cond ((pair? obj) (write-list obj state))
        ((and (vector? obj) (> (vector-length obj) 0))
         (emit "#" state)
         (write-list (vector->list obj) state))
        ((and (number? obj) (not (plain-numbers? state)))
         (emit (prefixed-number obj state) state))
        (else (emit (text-by write obj) state))))

(define (abbreviation obj)
  (and (pair? (cdr obj))
       (null? (cddr obj))
       (case (car obj)
         ((quote) "'") ((quasiquote) "`") ((unquote) ",")
         ((unquote-splicing) ",@")
         (else #f))))

(define (write-list obj state)
  (let ((short (abbreviation obj)))
    (if short
        (begin
          (emit short state)
          (write-simply (cadr obj) state))
        (let loop ((rest obj) (before "("))
          (cond ((null? rest) (emit ")" state))
                ((pair? rest)
                 (emit before state)
                 (write-simply (car rest) state)
                 (loop (cdr rest) " "))
                (else
                 (emit " . " state)
                 (write-simply rest state)
                 (emit ")" state)))))))

(define (optional rest n default)
  (cond ((null? rest) default)
        ((= n 0) (car rest))
        (else (optional (cdr rest) (- n 1) default))))

;;> (escaped string [quote [escape [renamer]]])
;;> The formatter of STRING with ESCAPE (#\\) in front of each QUOTE (#\") and escape
;;> character, and of what (renamer char) is a character or string for.
;;> (show #f (escaped "a\"b")) => "a\\\"b"
(define (escaped text . rest)
  (let ((mark (optional rest 0 #\"))
        (escape (optional rest 1 #\\))
        (renamer (optional rest 2 (lambda (char) #f)))
        (out (open-output-string)))
    (string-for-each
     (lambda (char)
       (let ((name (renamer char)))
         (cond (name
                (write-string (if escape (string escape) (string mark)) out)
                (display name out))
               ((or (eqv? char mark) (eqv? char escape))
                (write-char (or escape mark) out)
                (write-char char out))
               (else (write-char char out)))))
     text)
    (displayed (get-output-string out))))

;;> (maybe-escaped string special? [quote [escape [renamer]]])
;;> The formatter of STRING, between quotes and escaped if it has a character that is
;;> special, a quote or an escape.
(define (maybe-escaped text special? . rest)
  (let ((mark (optional rest 0 #\"))
        (escape (optional rest 1 #\\)))
    (let loop ((i 0))
      (cond ((= i (string-length text)) (displayed text))
            ((let ((char (string-ref text i)))
               (or (eqv? char mark) (eqv? char escape) (special? char)))
             (each mark (apply escaped text rest) mark))
            (else (loop (+ i 1)))))))

;; -- padding, trimming ------------------------------------------------------

;; Padding of N columns in front and of M behind the text.
(define (padding n format split)
  (call-with-output
   (each-in-list format)
   (lambda (text)
     (lambda (state)
       (let* ((missing (max 0 (- n ((get state string-width) text))))
              (left (split missing)))
         (emit (pad-text state left) state)
         (emit text state)
         (emit (pad-text state (- missing left)) state))))))

;;> (padded width format ...)
;;> The formatter that pads on the left. (show #f (padded 5 "abc")) => "  abc"
(define (padded n . formats) (padding n formats (lambda (missing) missing)))

;;> (padded/right width format ...)
;;> The formatter that pads on the right.
(define (padded/right n . formats) (padding n formats (lambda (missing) 0)))

;;> (padded/both width format ...)
;;> The formatter that pads on both sides.
(define (padded/both n . formats)
  (padding n formats (lambda (missing) (quotient missing 2))))

;; The longest part of TEXT, from its beginning or up to its end, of at most N
;; columns.
(define (take-width text n measure)
  (let loop ((end (string-length text)))
    (if (or (= end 0) (<= (measure (substring text 0 end)) n))
        (substring text 0 end)
        (loop (- end 1)))))

(define (take-width-right text n measure)
  (let loop ((start 0))
    (if (or (= start (string-length text))
            (<= (measure (substring text start (string-length text))) n))
        (substring text start (string-length text))
        (loop (+ start 1)))))

;; Where the text is too wide, (cut text ellipsis measure) in its place.
(define (trimming n formats cut)
  (call-with-output
   (each-in-list formats)
   (lambda (text)
     (lambda (state)
       (let ((measure (get state string-width)))
         (emit (if (<= (measure text) n)
                   text
                   (cut text (get state ellipsis) measure))
               state))))))

;;> (trimmed width format ...)
;;> The formatter that trims on the left. (show #f (trimmed 3 "abcde")) => "cde"
(define (trimmed n . formats)
  (trimming n formats
            (lambda (text dots measure)
              (string-append
               dots
               (take-width-right text (max 0 (- n (measure dots))) measure)))))

;;> (trimmed/right width format ...)
;;> The formatter that trims on the right.
(define (trimmed/right n . formats)
  (trimming n formats
            (lambda (text dots measure)
              (string-append
               (take-width text (max 0 (- n (measure dots))) measure)
               dots))))

;;> (trimmed/both width format ...)
;;> The formatter that trims on both sides.
(define (trimmed/both n . formats)
  (trimming n formats
            (lambda (text dots measure)
              (let* ((keep (max 0 (- n (* 2 (measure dots)))))
                     (excess (- (measure text) keep))
                     (right (take-width-right
                             text (- (measure text) (quotient excess 2))
                             measure)))
                (string-append dots (take-width right keep measure) dots)))))

;;> (trimmed/lazy width format ...)
;;> The formatter that stops the formats after WIDTH columns, even endless ones.
(define (trimmed/lazy n . formats)
  (lambda (state)
    (let ((outer (get state output)))
      (call/cc
       (lambda (stop)
         (let ((left n))
           (run (bind-all
                 (list
                  (cons output
                        (lambda (text)
                          (lambda (state)
                            (let* ((measure (get state string-width))
                                   (piece (take-width text left measure)))
                              (set! left (- left (measure piece)))
                              (run (outer piece) state)
                              (if (< (string-length piece)
                                     (string-length text))
                                  (stop #t)))))))
                 (each-in-list formats))
                state))))
      (put! state output outer))))

;;> (fitted width format ...)
;;> padded or trimmed, as need be. (show #f (fitted 3 "abcde")) => "cde"
(define (fitted n . formats) (padded n (apply trimmed n formats)))

;;> (fitted/right width format ...)
;;> padded/right or trimmed/right, as need be.
(define (fitted/right n . formats)
  (padded/right n (apply trimmed/right n formats)))

;;> (fitted/both width format ...)
;;> padded/both or trimmed/both, as need be.
(define (fitted/both n . formats)
  (padded/both n (apply trimmed/both n formats)))

;; Run the formats with each text changed by F.
(define (output-mapped f formats)
  (lambda (state)
    (let ((outer (get state output)))
      (run (bind-all (list (cons output (lambda (text) (outer (f text)))))
                     (each-in-list formats))
           state))))

;;> (upcased format ...)
;;> The formatter in upper case. (show #f (upcased "ab")) => "AB"
(define (upcased . formats) (output-mapped string-upcase formats))

;;> (downcased format ...)
;;> The formatter in lower case.
(define (downcased . formats) (output-mapped string-downcase formats))
