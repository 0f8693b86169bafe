;;; Regular expressions, the body.
;;;
;;; A program is a vector of instructions:
;;;   #(char c)  #(set predicate)   take a character
;;;   #(split a b)                  go on at A, and at B with less priority
;;;   #(jump a)  #(save n)  #(assert procedure)  #(match)
;;; A thread is an instruction and the vector of the positions saved so far.

(define-record-type <program>
  (%make-program code group-count group-names longest? first source)
  program?
  (code program-code)
  (group-count program-group-count)
  (group-names program-group-names)
  (longest? program-longest?)
  (first program-first)
  (source program-source))

;; -- sets -------------------------------------------------------------------

;;> (set-union predicate ...)
;;> Return the predicate of what satisfies any.
(define (set-union . sets)
  (cond ((null? sets) (lambda (char) #f))
        ((null? (cdr sets)) (car sets))
        (else
         (let ((first (car sets)) (rest (apply set-union (cdr sets))))
           (lambda (char) (or (first char) (rest char)))))))

;;> (set-intersection predicate ...)
;;> Return the predicate of what satisfies all.
(define (set-intersection . sets)
  (cond ((null? sets) (lambda (char) #t))
        ((null? (cdr sets)) (car sets))
        (else
         (let ((first (car sets)) (rest (apply set-intersection (cdr sets))))
           (lambda (char) (and (first char) (rest char)))))))

;;> (set-complement predicate)
;;> Return the predicate of what does not satisfy it.
(define (set-complement set) (lambda (char) (not (set char))))

;;> (set-range low high)
;;> Return the predicate of the characters from LOW to HIGH.
(define (set-range low high) (lambda (char) (char<=? low char high)))

;;> (set-fold-case predicate)
;;> Return the predicate of what satisfies it in any case.
(define (set-fold-case set)
  (lambda (char)
    (or (set char)
        (set (char-downcase char))
        (set (char-upcase char))
        (set (char-foldcase char)))))

;; -- assertions -------------------------------------------------------------

;;> (word-char? char)
;;> Is CHAR a letter, a digit or _?
(define (word-char? char)
  (or (char-alphabetic? char) (char-numeric? char) (char=? char #\_)))

;;> (at-start? string i start end)
;;> Is I the beginning?
(define (at-start? string i start end) (= i start))

;;> (at-end? string i start end)
;;> Is I the end?
(define (at-end? string i start end) (= i end))

;;> (at-line-start? string i start end)
;;> Does a line begin at I?
(define (at-line-start? string i start end)
  (or (= i start) (char=? (string-ref string (- i 1)) #\newline)))

;;> (at-line-end? string i start end)
;;> Does a line end at I?
(define (at-line-end? string i start end)
  (or (= i end) (char=? (string-ref string i) #\newline)))

(define (word-before? string i start)
  (and (> i start) (word-char? (string-ref string (- i 1)))))

(define (word-after? string i end)
  (and (< i end) (word-char? (string-ref string i))))

;;> (at-word-start? string i start end)
;;> Does a word begin at I?
(define (at-word-start? string i start end)
  (and (word-after? string i end) (not (word-before? string i start))))

;;> (at-word-end? string i start end)
;;> Does a word end at I?
(define (at-word-end? string i start end)
  (and (word-before? string i start) (not (word-after? string i end))))

;;> (at-word-boundary? string i start end)
;;> Does a word begin or end at I?
(define (at-word-boundary? string i start end)
  (not (not-at-word-boundary? string i start end)))

;;> (not-at-word-boundary? string i start end)
;;> Does no word begin or end at I?
(define (not-at-word-boundary? string i start end)
  (eq? (word-before? string i start) (word-after? string i end)))

;; -- compiling --------------------------------------------------------------

;; What is emitted so far, newest first, and how much of it there is.
(define-record-type <emitter>
  (make-emitter code size names)
  emitter?
  (code emitter-code set-code!)
  (size emitter-size set-size!)
  (names emitter-names set-names!))

(define program-limit 200000)

(define (emit! e . instruction)
  (let ((instruction (list->vector instruction)))
    (if (> (emitter-size e) program-limit)
        (error "regexp: the expression is too large"))
    (set-code! e (cons instruction (emitter-code e)))
    (set-size! e (+ 1 (emitter-size e)))
    instruction))

(define (emit-node! e node)
  (case (car node)
    ((empty) #t)
    ((fail) (emit! e 'set (lambda (char) #f)))
    ((char) (emit! e 'char (cadr node)))
    ((set) (emit! e 'set (cadr node)))
    ((assert) (emit! e 'assert (cadr node)))
    ((seq) (for-each (lambda (part) (emit-node! e part)) (cdr node)))
    ((or) (emit-or! e (cdr node)))
    ((group) (emit-group! e (cadr node) (list-ref node 2)))
    ((repeat) (apply emit-repeat! e (cdr node)))
    (else (error "regexp: not a node" node))))

(define (emit-group! e name node)
  (let ((index (+ 1 (length (emitter-names e)))))
    (set-names! e (cons name (emitter-names e)))
    (emit! e 'save (* 2 index))
    (emit-node! e node)
    (emit! e 'save (+ 1 (* 2 index)))))

(define (emit-or! e nodes)
  (cond ((null? nodes) (emit-node! e '(fail)))
        ((null? (cdr nodes)) (emit-node! e (car nodes)))
        (else
         (let ((split (emit! e 'split (+ 1 (emitter-size e)) #f)))
           (emit-node! e (car nodes))
           (let ((jump (emit! e 'jump #f)))
             (vector-set! split 2 (emitter-size e))
             (emit-or! e (cdr nodes))
             (vector-set! jump 1 (emitter-size e)))))))

;; Groups inside a repetition keep one number, however often they are emitted.
(define (emit-repeat! e least most greedy? node)
  (let ((names (emitter-names e)))
    (define (again!)
      (set-names! e names)
      (emit-node! e node))
    (if (eqv? most 0)
        (begin (skip-groups! e node) #t)
        (begin
          (let loop ((i 0)) (if (< i least) (begin (again!) (loop (+ i 1)))))
          (if most
              (emit-optional! e (- most least) greedy? again!)
              (emit-star! e greedy? again!))
          (set-names! e names)
          (skip-groups! e node)))))

;; Count the groups of NODE as emitted.
(define (skip-groups! e node)
  (if (pair? node)
      (begin
        (if (eq? (car node) 'group)
            (set-names! e (cons (cadr node) (emitter-names e))))
        (case (car node)
          ((seq or) (for-each (lambda (part) (skip-groups! e part)) (cdr node)))
          ((group) (skip-groups! e (list-ref node 2)))
          ((repeat) (skip-groups! e (list-ref node 4)))))))

;; A split that prefers going on to what END will be, or not.
(define (emit-split! e greedy?)
  (let ((next (+ 1 (emitter-size e))))
    (if greedy? (emit! e 'split next #f) (emit! e 'split #f next))))

(define (split-end! split greedy? end)
  (vector-set! split (if greedy? 2 1) end))

(define (emit-optional! e count greedy? again!)
  (if (> count 0)
      (let ((split (emit-split! e greedy?)))
        (again!)
        (emit-optional! e (- count 1) greedy? again!)
        (split-end! split greedy? (emitter-size e)))))

(define (emit-star! e greedy? again!)
  (let* ((start (emitter-size e))
         (split (emit-split! e greedy?)))
    (again!)
    (emit! e 'jump start)
    (split-end! split greedy? (emitter-size e))))

;; What a match must begin with: a predicate, or #f if that may be anything.
(define (first-of node)
  (case (car node)
    ((char) (let ((c (cadr node))) (lambda (char) (char=? char c))))
    ((set) (cadr node))
    ((group) (first-of (list-ref node 2)))
    ((seq) (and (pair? (cdr node)) (first-of (skip-asserts (cdr node)))))
    ((or)
     (let ((firsts (map first-of (cdr node))))
       (and (pair? firsts)
            (not (memv #f firsts))
            (apply set-union firsts))))
    ((repeat) (and (> (cadr node) 0) (first-of (list-ref node 4))))
    (else #f)))

(define (skip-asserts nodes)
  (if (and (pair? (cdr nodes)) (memq (caar nodes) '(assert empty)))
      (skip-asserts (cdr nodes))
      (car nodes)))

;;> (make-program node longest? source)
;;> Return the program of NODE. Of the matches that begin first it finds the
;;> longest, or the one that the expression prefers; SOURCE is kept with it.
(define (make-program node longest? source)
  (let ((e (make-emitter '() 0 '())))
    (emit! e 'save 0)
    (emit-node! e node)
    (emit! e 'save 1)
    (emit! e 'match)
    (%make-program (list->vector (reverse (emitter-code e)))
                   (+ 1 (length (emitter-names e)))
                   (reverse (emitter-names e))
                   longest? (first-of node) source)))

;; -- running ----------------------------------------------------------------

;; Threads in order of priority, and for each instruction the last position at
;; which it got one.
(define-record-type <threads>
  (make-threads count pcs saves marks)
  threads?
  (count threads-count set-count!)
  (pcs threads-pcs)
  (saves threads-saves)
  (marks threads-marks))

(define (new-threads size)
  (make-threads 0 (make-vector size 0) (make-vector size #f)
                (make-vector size -1)))

;; Add a thread at PC, following what takes no character.
(define (add! threads code pc saves string i start end)
  (if (not (= (vector-ref (threads-marks threads) pc) i))
      (let ((instruction (vector-ref code pc)))
        (vector-set! (threads-marks threads) pc i)
        (case (vector-ref instruction 0)
          ((jump)
           (add! threads code (vector-ref instruction 1) saves
                 string i start end))
          ((split)
           (add! threads code (vector-ref instruction 1) saves
                 string i start end)
           (add! threads code (vector-ref instruction 2) saves
                 string i start end))
          ((save)
           (let ((saves (vector-copy saves)))
             (vector-set! saves (vector-ref instruction 1) i)
             (add! threads code (+ pc 1) saves string i start end)))
          ((assert)
           (if ((vector-ref instruction 1) string i start end)
               (add! threads code (+ pc 1) saves string i start end)))
          (else
           (let ((n (threads-count threads)))
             (vector-set! (threads-pcs threads) n pc)
             (vector-set! (threads-saves threads) n saves)
             (set-count! threads (+ n 1))))))))

;; Is the match SAVES better than BEST, in a program that wants the longest?
(define (better? saves best)
  (or (not best)
      (< (vector-ref saves 0) (vector-ref best 0))
      (and (= (vector-ref saves 0) (vector-ref best 0))
           (> (vector-ref saves 1) (vector-ref best 1)))))

;; Step the threads NOW over the character at I into NEXT; answer the best match,
;; of those that end at I too.
(define (step! program now next string i start end whole? best)
  (let* ((code (program-code program))
         (longest? (program-longest? program))
         (char (if (< i end) (string-ref string i) #f))
         (count (threads-count now)))
    (set-count! next 0)
    (let loop ((k 0) (best best))
      (if (= k count)
          best
          (let* ((pc (vector-ref (threads-pcs now) k))
                 (saves (vector-ref (threads-saves now) k))
                 (instruction (vector-ref code pc)))
            (case (vector-ref instruction 0)
              ((match)
               (cond ((and whole? (< i end)) (loop (+ k 1) best))
                     ((not longest?) saves)
                     (else
                      (loop (+ k 1) (if (better? saves best) saves best)))))
              (else
               (if (and char
                        (not (and longest? best
                                  (> (vector-ref saves 0)
                                     (vector-ref best 0))))
                        (if (eq? (vector-ref instruction 0) 'char)
                            (char=? char (vector-ref instruction 1))
                            ((vector-ref instruction 1) char)))
                   (add! next code (+ pc 1) saves string (+ i 1) start end))
               (loop (+ k 1) best))))))))

;;> (run-program program string start end from whole?)
;;> Search STRING between START and END, from FROM on; with WHOLE?, the match must
;;> reach from FROM to END. The answer is #f or the vector of the positions where
;;> the match and its groups begin and end, #f for a group without a match.
(define (run-program program string start end from whole?)
  (let* ((code (program-code program))
         (size (vector-length code))
         (none (make-vector (* 2 (program-group-count program)) #f))
         (first (program-first program)))
    (define (skip i)
      (if (or whole? (not first))
          i
          (let loop ((i i))
            (if (or (= i end) (first (string-ref string i)))
                i
                (loop (+ i 1))))))
    (let loop ((i (skip from))
               (now (new-threads size)) (next (new-threads size))
               (best #f))
      (if (and (not best) (or (not whole?) (= i from)))
          (add! now code 0 none string i start end))
      (let ((best (step! program now next string i start end whole? best)))
        (cond ((= i end) best)
              ((> (threads-count next) 0) (loop (+ i 1) next now best))
              ((or best whole?) best)
              (else (loop (skip (+ i 1)) next now best)))))))
