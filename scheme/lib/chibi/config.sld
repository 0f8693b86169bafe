;; Configuration from files, under chibi's names: not available.
(define-library (chibi config)
  (export
   make-conf conf? conf-load conf-load-in-path conf-load-cascaded conf-verify
   conf-extend conf-append conf-set conf-unfold-key conf-get conf-get-list
   conf-get-multi conf-get-cdr conf-specialize read-from-file conf-source
   conf-head conf-parent assoc-get assoc-get-list)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable configuration-files
      make-conf conf? conf-load conf-load-in-path conf-load-cascaded
      conf-verify conf-extend conf-append conf-set conf-unfold-key conf-get
      conf-get-list conf-get-multi conf-get-cdr conf-specialize read-from-file
      conf-source conf-head conf-parent assoc-get assoc-get-list)))
