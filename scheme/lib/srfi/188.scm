;;; SRFI 188, the body.

;;> (splicing-let-syntax ((keyword transformer) ...) form ...)
;;> The FORMs, definitions too, as if they stood here; in them the KEYWORDs are those
;;> macros, whose transformers do not see them.
;;> (let () (splicing-let-syntax ((one (syntax-rules () ((_) 1)))) (define x (one)))
;;>   x) => 1
(define-syntax splicing-let-syntax
  (syntax-rules ()
    ((_ ((keyword transformer) ...) . forms)
     (add-temporaries ((keyword transformer) ...) () . forms))))

(define-syntax add-temporaries
  (syntax-rules ()
    ((_ ((keyword transformer) . more) (done ...) . forms)
     (add-temporaries more (done ... (keyword transformer temporary)) . forms))
    ((_ () ((keyword transformer temporary) ...) . forms)
     (%with-fresh-names ()
       (define-syntax temporary transformer) ...
       (%with-fresh-names (keyword ...)
         (define-syntax keyword temporary) ...
         . forms)))))

;;> (splicing-letrec-syntax ((keyword transformer) ...) form ...)
;;> The same, and the transformers see the KEYWORDs.
;;> (let () (splicing-letrec-syntax ((one (syntax-rules () ((_) (two))))
;;>                                  (two (syntax-rules () ((_) 2))))
;;>           (define x (one)))
;;>   x) => 2
(define-syntax splicing-letrec-syntax
  (syntax-rules ()
    ((_ ((keyword transformer) ...) . forms)
     (%with-fresh-names (keyword ...)
       (define-syntax keyword transformer) ...
       . forms))))
