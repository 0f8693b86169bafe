;;; (srfi 146 hamt-map).
(import (scheme base) (srfi 146 hamt-map) (only (srfi 146 hamt) hash-array-mapped-trie?) (chibi-bridge test))

(define m (make-phm values = '((1 . a) (2 . b))))

(test-begin "srfi 146 hamt-map")

(test '(#t #f 2 #f #t #t) (list (phm? m) (phm? 1) (phm/count m) (phm/empty? m) (phm/empty? (make-phm values =))
                                (hash-array-mapped-trie? (phm/data m))))
(test '(a #f no #t #f) (list (phm/get m 1) (phm/get m 9) (phm/get m 9 'no) (phm/contains? m 1) (phm/contains? m 9)))
(test '(c 3 2) (let ((n (phm/put m 3 'c))) (list (phm/get n 3) (phm/count n) (phm/count m))))
(test '(1 (2)) (let ((n (phm/remove m 1))) (list (phm/count n) (phm/keys n))))
(test '(a x) (phm/get (phm/replace m 1 (lambda (old) (list old 'x))) 1))
(test 4 (phm/count (phm/add-alist m '((3 . c) (4 . d)))))
(test '((1 . a)) (phm->alist (make-phm values = '((1 . a)))))
(test '((a 1)) (let ((l '())) (phm/for-each (lambda (k v) (set! l (cons (list v k) l))) (make-phm values = '((1 . a)))) l))
(define w (phm/mutable m))
(phm/put! w 3 'c)
(phm/remove! w 1)
(phm/replace! w 2 (lambda (old) (list old)))
(phm/add-alist! w '((5 . e)))
(test '(#t #f 3 c #f (b) e) (list (phm/mutable? w) (phm/mutable? m) (phm/count w) (phm/get w 3) (phm/get w 1)
                                  (phm/get w 2) (phm/get w 5)))
(test '(#f e (e)) (let ((i (phm/immutable w)))
                (list (phm/mutable? i) (phm/get i 5) (phm/get (phm/immutable w list) 5))))

(test-end)
(test-exit)
