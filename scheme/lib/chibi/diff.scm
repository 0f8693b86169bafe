;;; (chibi diff), the body.

;; How many of the first elements of two vectors, looked up by AT, are the same:
;; MOST at the most.
(define (common-length a b most at same?)
  (let loop ((n 0))
    (if (and (< n most) (same? (at a n) (at b n))) (loop (+ n 1)) n)))

(define (from-end vector i)
  (vector-ref vector (- (vector-length vector) i 1)))

;; A vector of rows: (row i) at j holds the length of the longest common
;; subsequence of A from START+i and B from START+j, each up to its end.
(define (lengths a b start a-end b-end same?)
  (let* ((n (- a-end start))
         (m (- b-end start))
         (rows (make-vector (+ n 1) #f)))
    (vector-set! rows n (make-vector (+ m 1) 0))
    (let next-row ((i (- n 1)))
      (if (>= i 0)
          (let ((row (make-vector (+ m 1) 0))
                (below (vector-ref rows (+ i 1)))
                (item (vector-ref a (+ start i))))
            (let next ((j (- m 1)))
              (if (>= j 0)
                  (begin
                    (vector-set!
                     row j
                     (if (same? item (vector-ref b (+ start j)))
                         (+ 1 (vector-ref below (+ j 1)))
                         (max (vector-ref below j) (vector-ref row (+ j 1)))))
                    (next (- j 1)))))
            (vector-set! rows i row)
            (next-row (- i 1)))))
    rows))

;; The entries (item a-position b-position) of the changed middle, reversed,
;; before OUT.
(define (middle a b start a-end b-end same? out)
  (let ((rows (lengths a b start a-end b-end same?)))
    (let loop ((i start) (j start) (out out))
      (cond ((or (= i a-end) (= j b-end)) out)
            ((same? (vector-ref a i) (vector-ref b j))
             (loop (+ i 1) (+ j 1) (cons (list (vector-ref a i) i j) out)))
            ((>= (vector-ref (vector-ref rows (+ 1 (- i start))) (- j start))
                 (vector-ref (vector-ref rows (- i start)) (+ 1 (- j start))))
             (loop (+ i 1) j out))
            (else (loop i (+ j 1) out))))))

(define (run-of a i j count out)
  (if (= count 0)
      out
      (run-of a (+ i 1) (+ j 1) (- count 1)
              (cons (list (vector-ref a i) i j) out))))

;;> (lcs-with-positions a-list b-list [same?])
;;> Return the longest common subsequence of two lists, as a list of (item
;;> a-position b-position).
(define lcs-with-positions
  (case-lambda
    ((a b) (lcs-with-positions a b equal?))
    ((a-list b-list same?)
     (let* ((a (list->vector a-list))
            (b (list->vector b-list))
            (n (vector-length a))
            (m (vector-length b))
            (head (common-length a b (min n m) vector-ref same?))
            (tail (common-length a b (- (min n m) head) from-end same?))
            (out (run-of a 0 0 head '()))
            (out (middle a b head (- n tail) (- m tail) same? out)))
       (reverse (run-of a (- n tail) (- m tail) tail out))))))

;;> (lcs a-list b-list [same?])
;;> Return the longest common subsequence of two lists.
(define (lcs a b . same?)
  (map car (apply lcs-with-positions a b same?)))

(define (read-all source reader)
  (let ((port (if (string? source) (open-input-string source) source)))
    (let loop ((out '()))
      (let ((item (reader port)))
        (if (eof-object? item) (reverse out) (loop (cons item out)))))))

;;> (diff a b [reader same?])
;;> Return (a-items b-items lcs) for two strings or input ports, read by READER
;;> (by default read-line).
(define diff
  (case-lambda
    ((a b) (diff a b read-line equal?))
    ((a b reader) (diff a b reader equal?))
    ((a b reader same?)
     (let ((a-items (read-all a reader))
           (b-items (read-all b reader)))
       (list a-items b-items (lcs-with-positions a-items b-items same?))))))

;;> (write-line-diffs items type port)
;;> Write lines with a sign before each: TYPE is add, remove or same.
(define (write-line-diffs items type port)
  (for-each
   (lambda (line)
     (write-char (case type ((add) #\+) ((remove) #\-) (else #\space)) port)
     (write-string line port)
     (newline port))
   items))

;; The first COUNT items, and the rest.
(define (split items count)
  (let loop ((rest items) (count count) (out '()))
    (if (= count 0)
        (values (reverse out) rest)
        (loop (cdr rest) (- count 1) (cons (car rest) out)))))

(define (write-part writer items type port)
  (if (pair? items) (writer items type port)))

(define (write-differences difference writer port)
  (let loop ((a (car difference))
             (b (cadr difference))
             (common (car (cddr difference)))
             (a-at 0)
             (b-at 0))
    (if (null? common)
        (begin
          (write-part writer a 'remove port)
          (write-part writer b 'add port))
        (let ((a-next (list-ref (car common) 1))
              (b-next (list-ref (car common) 2)))
          (let*-values (((removed a) (split a (- a-next a-at)))
                        ((added b) (split b (- b-next b-at))))
            (write-part writer removed 'remove port)
            (write-part writer added 'add port)
            (writer (list (car a)) 'same port)
            (loop (cdr a) (cdr b) (cdr common)
                  (+ a-next 1) (+ b-next 1)))))))

;;> (write-diff difference [writer port])
;;> Write what diff gave; WRITER takes items, a type and a port.
(define write-diff
  (case-lambda
    ((difference)
     (write-diff difference write-line-diffs (current-output-port)))
    ((difference writer)
     (write-diff difference writer (current-output-port)))
    ((difference writer port)
     (write-differences difference writer port))))

;;> (diff->string difference [writer])
;;> Return as a string what write-diff writes.
(define (diff->string difference . writer)
  (let ((port (open-output-string)))
    (write-diff difference
                (if (pair? writer) (car writer) write-line-diffs)
                port)
    (get-output-string port)))

;; -- other writers ----------------------------------------------------------

(define (colour type)
  (case type ((add) green) ((remove) red) (else (lambda (text) text))))

;;> (write-line-diffs/color items type port)
;;> Like write-line-diffs, with added lines in green and removed ones in red.
(define (write-line-diffs/color items type port)
  (for-each
   (lambda (line)
     (let ((sign (case type ((add) "+") ((remove) "-") (else " "))))
       (write-string ((colour type) (string-append sign line)) port)
       (newline port)))
   items))

;;> (write-char-diffs items type port)
;;> Write characters, added ones between «; and »;, removed ones between
;;> »; and «;.
(define (write-char-diffs items type port)
  (let ((text (list->string items)))
    (write-string
     (case type
       ((add) (string-append " \xAB;" text "\xBB; "))
       ((remove) (string-append " \xBB;" text "\xAB; "))
       (else text))
     port)))

;;> (write-char-diffs/color items type port)
;;> Write characters, added ones in green, removed ones in red.
(define (write-char-diffs/color items type port)
  (write-string ((colour type) (list->string items)) port))

;; -- one side ---------------------------------------------------------------

;;> (write-edits items lcs [index [writer [port]]])
;;> Write one of the sequences that LCS is of: INDEX 1, the first one, with what is
;;> not common as removed; 2, the second one, with that as added.
(define write-edits
  (case-lambda
    ((items common) (write-edits items common 1))
    ((items common index) (write-edits items common index write-line-diffs))
    ((items common index writer)
     (write-edits items common index writer (current-output-port)))
    ((items common index writer port)
     (let loop ((rest items) (common common) (at 0))
       (if (null? common)
           (write-part writer rest (edit-type index) port)
           (let ((next (list-ref (car common) index)))
             (let-values (((changed rest) (split rest (- next at))))
               (write-part writer changed (edit-type index) port)
               (writer (list (car rest)) 'same port)
               (loop (cdr rest) (cdr common) (+ next 1)))))))))

(define (edit-type index)
  (case index
    ((1) 'remove)
    ((2) 'add)
    (else (error "write-edits: the index is neither 1 nor 2" index))))

(define (edits-text items common index writer)
  (let ((port (open-output-string)))
    (write-edits items common index writer port)
    (get-output-string port)))

(define (chars? items) (and (pair? items) (char? (car items))))

;;> (edits->string items lcs [index [writer]])
;;> Return as a string what write-edits writes; for characters WRITER is at first
;;> write-char-diffs.
(define edits->string
  (case-lambda
    ((items common) (edits->string items common 1))
    ((items common index)
     (edits-text items common index
                 (if (chars? items) write-char-diffs write-line-diffs)))
    ((items common index writer) (edits-text items common index writer))))

;;> (edits->string/color items lcs [index [writer]])
;;> Like edits->string, in colours.
(define edits->string/color
  (case-lambda
    ((items common) (edits->string/color items common 1))
    ((items common index)
     (edits-text items common index
                 (if (chars? items)
                     write-char-diffs/color
                     write-line-diffs/color)))
    ((items common index writer) (edits-text items common index writer))))
