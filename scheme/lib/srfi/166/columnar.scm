;;; SRFI 166, columns. The columns of a line are written as text first; a column
;;; without an end gives as many lines as the others have.

;; -- lines ------------------------------------------------------------------

;; The lines of TEXT; a line end at the end begins no further line.
(define (text->lines text)
  (let ((end (string-length text)))
    (let loop ((start 0) (i 0) (out '()))
      (cond ((= i end)
             (reverse (if (= start end)
                          out
                          (cons (substring text start end) out))))
            ((char=? (string-ref text i) #\newline)
             (loop (+ i 1) (+ i 1) (cons (substring text start i) out)))
            (else (loop start (+ i 1) out))))))

;; Run the formatter (k lines) for the lines of FORMAT in COLUMNS columns; if LIMIT
;; is a number, FORMAT is stopped when it has given so many.
(define (with-lines format columns limit k)
  (call-with-output
   (with ((width columns) (col 0) (row 0))
     (if limit (stopped-after limit format) (displayed format)))
   (lambda (text) (k (text->lines text)))))

(define (stopped-after limit format)
  (fn ((outer output))
    (call/cc
     (lambda (stop)
       (let ((left limit))
         (with ((output
                 (lambda (text)
                   (each (outer text)
                         (fn ()
                           (set! left (- left (newlines text)))
                           (if (<= left 0) (stop nothing))
                           nothing)))))
           format))))))

(define (newlines text)
  (let loop ((i 0) (n 0))
    (cond ((= i (string-length text)) n)
          ((char=? (string-ref text i) #\newline) (loop (+ i 1) (+ n 1)))
          (else (loop (+ i 1) n)))))

;; -- columns ----------------------------------------------------------------

(define-record-type column
  (make-column format align width infinite? literal?)
  column?
  (format column-format)
  (align column-align)
  (width column-width)
  (infinite? column-infinite?)
  (literal? column-literal?))

;; What columnar is called with: formats, each behind its alignment, width and
;; infinite; strings are the same in each line.
(define (parse-columns specs)
  (let loop ((rest specs) (align 'left) (size #f) (infinite? #f) (out '()))
    (cond ((null? rest) (reverse out))
          ((memq (car rest) '(left right center))
           (loop (cdr rest) (car rest) size infinite? out))
          ((eq? (car rest) 'infinite) (loop (cdr rest) align size #t out))
          ((number? (car rest)) (loop (cdr rest) align (car rest) infinite? out))
          (else
           (loop (cdr rest) 'left #f #f
                 (cons (make-column (car rest) align size infinite?
                                    (string? (car rest)))
                       out))))))

;; The widths of the columns, of TOTAL together: literals and whole numbers as they
;; are, fractions of what these leave, the others the rest in equal parts.
(define (column-widths columns total measure)
  (let* ((fixed (map (lambda (c)
                       (cond ((column-literal? c) (measure (column-format c)))
                             ((and (column-width c) (>= (column-width c) 1))
                              (column-width c))
                             (else #f)))
                     columns))
         (left (max 0 (- total (sum fixed))))
         (sized (map (lambda (c n)
                       (or n
                           (and (column-width c)
                                (exact (floor (* left (column-width c)))))))
                     columns fixed))
         (open (count-false sized))
         (rest (max 0 (- total (sum sized)))))
    (map (lambda (n) (or n (max 1 (quotient rest (max 1 open))))) sized)))

(define (sum numbers)
  (apply + (map (lambda (n) (or n 0)) numbers)))

(define (count-false list)
  (apply + (map (lambda (n) (if n 0 1)) list)))

(define (aligned align n text)
  (case align
    ((right) (padded n text))
    ((center) (padded/both n text))
    (else (padded/right n text))))

;; Run (k line-lists) for the lines of all columns, those without an end last; a
;; literal has #f.
(define (all-lines columns widths k)
  (let loop ((rest columns) (sizes widths) (out '()))
    (cond ((null? rest)
           (endless-lines columns widths (reverse out) k))
          ((or (column-literal? (car rest)) (column-infinite? (car rest)))
           (loop (cdr rest) (cdr sizes) (cons #f out)))
          (else
           (with-lines (column-format (car rest)) (car sizes) #f
             (lambda (lines)
               (loop (cdr rest) (cdr sizes) (cons lines out))))))))

(define (endless-lines columns widths lines k)
  (let ((most (apply max 0 (map (lambda (l) (if l (length l) 0)) lines))))
    (let loop ((rest columns) (sizes widths) (lines lines) (out '()))
      (cond ((null? rest) (k (reverse out) most))
            ((and (column-infinite? (car rest)) (> most 0))
             (with-lines (column-format (car rest)) (car sizes) most
               (lambda (found)
                 (loop (cdr rest) (cdr sizes) (cdr lines) (cons found out)))))
            (else
             (loop (cdr rest) (cdr sizes) (cdr lines)
                   (cons (car lines) out)))))))

;; One line of all columns; the last one gets no padding behind it.
(define (row-format columns widths lines)
  (let loop ((cs columns) (ws widths) (ls lines) (out '()))
    (if (null? cs)
        (each (each-in-list (reverse out)) nl)
        (let* ((c (car cs))
               (text (cond ((column-literal? c) (column-format c))
                           ((pair? (car ls)) (car (car ls)))
                           (else "")))
               (last? (null? (cdr cs))))
          (loop (cdr cs) (cdr ws) (cdr ls)
                (cons (if (or (column-literal? c)
                              (and last? (eq? 'left (column-align c))))
                          text
                          (aligned (column-align c) (car ws) text))
                      out))))))

(define (rows-format columns widths lines most)
  (let loop ((i 0) (lines lines) (out '()))
    (if (= i most)
        (each-in-list (reverse out))
        (loop (+ i 1)
              (map (lambda (l) (if (pair? l) (cdr l) l)) lines)
              (cons (row-format columns widths lines) out)))))

;;> (columnar column ...)
;;> The formatter of formats side by side. A column is a format behind any of left,
;;> right, center, a width (below 1 a part of what is free) and infinite; a string
;;> stands in each line.
;;> (show #f (columnar 3 "a\nb\n" "|" "c\nd\n")) => "a  |c\nb  |d\n"
(define (columnar . specs)
  (let ((columns (parse-columns (mark-texts specs))))
    (fn (width string-width)
      (let ((widths (column-widths columns width string-width)))
        (all-lines columns widths
                   (lambda (lines most)
                     (rows-format columns widths lines most)))))))

;; A string with a line end in it is a format, not a literal.
(define (mark-texts specs)
  (map (lambda (spec)
         (if (and (string? spec) (> (newlines spec) 0))
             (displayed-text spec)
             spec))
       specs))

(define (displayed-text text) (each text))

;;> (tabular column ...)
;;> Like columnar, with columns as wide as what is in them.
;;> (show #f (tabular "a\nbb\n" "|" "c\nd\n")) => "a |c\nbb|d\n"
(define (tabular . specs)
  (let ((columns (parse-columns (mark-texts specs))))
    (fn (width string-width)
      (all-lines columns (map (lambda (c) width) columns)
                 (lambda (lines most)
                   (let ((widths (map (lambda (c l)
                                        (content-width c l string-width))
                                      columns lines)))
                     (rows-format columns widths lines most)))))))

(define (content-width c lines measure)
  (cond ((column-literal? c) (measure (column-format c)))
        ((and (column-width c) (>= (column-width c) 1)) (column-width c))
        (else (apply max 0 (map measure (or lines '()))))))

;;> (show-columns (line-mapper format) ...)
;;> The formatter that runs the formats side by side; each line of a column is what
;;> its mapper makes a format of.
(define (show-columns . specs)
  (let ((columns (map (lambda (spec) (make-column (cadr spec) 'left #f #f #f))
                      specs)))
    (fn (width)
      (all-lines columns (map (lambda (c) width) columns)
                 (lambda (lines most)
                   (let loop ((i 0) (lines lines) (out '()))
                     (if (= i most)
                         (each-in-list (reverse out))
                         (loop (+ i 1)
                               (map (lambda (l) (if (pair? l) (cdr l) l)) lines)
                               (cons (each (each-in-list
                                            (map (lambda (spec l)
                                                   ((car spec)
                                                    (if (pair? l) (car l) "")))
                                                 specs lines))
                                           nl)
                                     out)))))))))

;; -- wrapping ---------------------------------------------------------------

(define (split-words text separator?)
  (let ((end (string-length text)))
    (let loop ((start 0) (i 0) (out '()))
      (define (with-word)
        (if (= start i) out (cons (substring text start i) out)))
      (cond ((= i end) (reverse (with-word)))
            ((separator? (string-ref text i)) (loop (+ i 1) (+ i 1) (with-word)))
            (else (loop start (+ i 1) out))))))

;; The lists of the words of each line, such that the squares of what the lines,
;; but for the last, leave free add up to the least. COSTS and BREAKS are for the
;; words from I on; a word that is too long has a line of its own.
(define (break-lines words columns measure)
  (let* ((all (list->vector words))
         (sizes (vector-map measure all))
         (n (vector-length all))
         (costs (make-vector (+ n 1) 0))
         (breaks (make-vector (+ n 1) n)))
    (define (best-from! i)
      (let loop ((j i) (used -1) (best #f))
        (let ((used (if (< j n) (+ used 1 (vector-ref sizes j)) columns)))
          (if (and (< j n) (or (= j i) (<= used columns)))
              (let* ((free (max 0 (- columns used)))
                     (cost (if (= (+ j 1) n)
                               0
                               (+ (* free free) (vector-ref costs (+ j 1))))))
                (if (or (not best) (<= cost best))
                    (begin
                      (vector-set! costs i cost)
                      (vector-set! breaks i (+ j 1))))
                (loop (+ j 1) used (if best (min best cost) cost)))))))
    (do ((i (- n 1) (- i 1))) ((< i 0)) (best-from! i))
    (let loop ((i 0) (out '()))
      (if (= i n)
          (reverse out)
          (let ((end (vector-ref breaks i)))
            (loop end (cons (vector->list all i end) out)))))))

(define (line-of words) (joined displayed words " "))

(define (format-lines line-format last-format lines)
  (cond ((null? lines) nothing)
        (else (each (joined/last line-format last-format lines "\n") nl))))

;;> (wrapped/list words)
;;> The formatter of the words in lines of at most width columns, as even as can be.
(define (wrapped/list words)
  (fn (width string-width)
    (format-lines line-of line-of (break-lines words width string-width))))

;;> (wrapped format ...)
;;> The formatter that wraps the text between words.
;;> (show #f (with ((width 5)) (wrapped "a bc def"))) => "a bc\ndef\n"
(define (wrapped . formats)
  (call-with-output
   (each-in-list formats)
   (lambda (text)
     (fn (word-separator?)
       (wrapped/list (split-words text word-separator?))))))

;;> (wrapped/char format ...)
;;> The formatter that wraps the text at any character.
(define (wrapped/char . formats)
  (call-with-output
   (each-in-list formats)
   (lambda (text)
     (fn (width string-width)
       (each-in-list
        (map (lambda (line) (each line nl))
             (apply append
                    (map (lambda (line) (cut-line line width string-width))
                         (text->lines text)))))))))

(define (cut-line line columns measure)
  (let loop ((start 0) (i 0) (out '()))
    (cond ((= i (string-length line))
           (reverse (cons (substring line start i) out)))
          ((and (> i start)
                (> (measure (substring line start (+ i 1))) columns))
           (loop i i (cons (substring line start i) out)))
          (else (loop start (+ i 1) out)))))

;; The words spread over all columns.
(define (spread words columns measure)
  (let* ((gaps (- (length words) 1))
         (free (- columns (apply + (map measure words)))))
    (if (or (= gaps 0) (< free gaps))
        (line-of words)
        (let loop ((rest words) (free free) (gaps gaps) (out '()))
          (if (= gaps 0)
              (each-in-list (reverse (cons (car rest) out)))
              (let ((size (quotient free gaps)))
                (loop (cdr rest) (- free size) (- gaps 1)
                      (cons (make-string size #\space)
                            (cons (car rest) out)))))))))

;;> (justified format ...)
;;> Like wrapped, with all lines but the last spread over the whole width.
;;> (show #f (with ((width 5)) (justified "a bc def"))) => "a  bc\ndef\n"
(define (justified . formats)
  (call-with-output
   (each-in-list formats)
   (lambda (text)
     (fn (width string-width word-separator?)
       (format-lines (lambda (words) (spread words width string-width))
                     line-of
                     (break-lines (split-words text word-separator?)
                                  width string-width))))))

;; -- sources ----------------------------------------------------------------

;;> (from-file path)
;;> The formatter of the text of a file.
(define (from-file path)
  (fn ()
    (call-with-input-file path
      (lambda (in)
        (let loop ((out '()))
          (let ((line (read-line in)))
            (if (eof-object? line)
                (each-in-list (reverse out))
                (loop (cons nl (cons line out))))))))))

;;> (line-numbers [start])
;;> The formatter of the numbers from START (1) on, one a line, without an end.
(define (line-numbers . start)
  (joined/range displayed (if (pair? start) (car start) 1) #f "\n"))
