;;; (srfi 160 uvector), the body.

;; The procedures of a kind, in the order in which define-uvector-procedures names them.
(define (procedures kind-name u? uvector? make-uvector uvector-length uvector-ref
                    uvector-set!)
  (define (list->uvector list)
    (let ((v (make-uvector (length list))))
      (let loop ((i 0) (list list))
        (if (null? list)
            v
            (begin
              (uvector-set! v i (car list))
              (loop (+ i 1) (cdr list)))))))
  (define (uvector . elements) (list->uvector elements))
  (define (uvector->list v . range)
    (let ((start (if (pair? range) (car range) 0))
          (end (if (and (pair? range) (pair? (cdr range)))
                   (cadr range)
                   (uvector-length v))))
      (let loop ((i (- end 1)) (list '()))
        (if (< i start)
            list
            (loop (- i 1) (cons (uvector-ref v i) list))))))
  (define (uvector-binary-search v object compare)
    (let loop ((low 0) (high (uvector-length v)))
      (and (< low high)
           (let* ((middle (quotient (+ low high) 2))
                  (order (compare (uvector-ref v middle) object)))
             (cond ((= order 0) middle)
                   ((< order 0) (loop (+ middle 1) high))
                   (else (loop low middle)))))))
  (include "vector.scm")
  (list
   uvector uvector-unfold uvector-unfold-right uvector-copy
   uvector-reverse-copy uvector-append uvector-concatenate
   uvector-append-subvectors uvector-empty? uvector= uvector-take
   uvector-take-right uvector-drop uvector-drop-right uvector-segment
   uvector-fold uvector-fold-right uvector-map uvector-map! uvector-for-each
   uvector-count uvector-cumulate uvector-take-while uvector-take-while-right
   uvector-drop-while uvector-drop-while-right uvector-index
   uvector-index-right uvector-skip uvector-skip-right uvector-binary-search
   uvector-any uvector-every uvector-partition uvector-filter uvector-remove
   uvector-swap! uvector-fill! uvector-reverse! uvector-copy!
   uvector-reverse-copy! uvector->list reverse-uvector->list list->uvector
   uvector->vector vector->uvector make-uvector-generator write-uvector))

;;> (define-uvector-procedures u? uvector? make-uvector uvector-length uvector-ref
;;>   uvector-set! uvector uvector-unfold ... write-uvector)
;;> Define, of the six procedures of a kind of vectors, the others, under the names given:
;;> in the order of (srfi 160) those for uvector, -unfold, -unfold-right, -copy,
;;> -reverse-copy, -append, -concatenate, -append-subvectors, -empty?, =, -take, -take-right,
;;> -drop, -drop-right, -segment, -fold, -fold-right, -map, -map!, -for-each, -count,
;;> -cumulate, -take-while, -take-while-right, -drop-while, -drop-while-right, -index,
;;> -index-right, -skip, -skip-right, -binary-search, -any, -every, -partition, -filter,
;;> -remove, -swap!, -fill!, -reverse!, -copy!, -reverse-copy!, ->list, reverse- ->list,
;;> list->, ->vector, vector->, make- -generator, write-.
(define-syntax define-uvector-procedures
  (syntax-rules ()
    ((_ u? uvector? make uvector-length uvector-ref uvector-set! name ...)
     (define-values (name ...)
       (apply values
              (procedures "u" u? uvector? make uvector-length uvector-ref
                          uvector-set!))))))
