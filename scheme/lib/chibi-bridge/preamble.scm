;;; Evaluated in the program of every tool file's context, before the file.
;;; These are variables of the program, so that the file sees and may change
;;; them; the loader reads them afterwards.

(import (only (chibi-bridge tools)
              %tool-clause %build-tool %keep-hooks! register-hook))

;; Entries (name description parameters handler category-or-#f
;; summary-params-or-#f [extras]), newest first.
(define %tool-registry% '())

;; Definitions that are wrong: (name clause message condition-or-#f), newest
;; first. The other tools of the file still load.
(define %tool-problems% '())

;; Entries (name handler), newest first.
(define %hook-registry% '())

;;> %context-name%
;;> The name of the context that calls, a string; set before each call.
(define %context-name% "")

(define (%register-tool! name clauses)
  (%build-tool name clauses
               (lambda (entry)
                 (set! %tool-registry% (cons entry %tool-registry%)))
               (lambda (problem)
                 (set! %tool-problems% (cons problem %tool-problems%)))))

;;> (define-tool name (description text) [(category text)] (parameters alist) (execute procedure) clause ...)
;;> Define a tool. PARAMETERS maps names to (type . "string"), (description . "...") and so on; PROCEDURE takes the
;;> arguments as an alist with string keys: (cdr (assoc "name" args)). More clauses: summary-params, summary, examples,
;;> returns, timeout, http-allow.
(define-syntax define-tool
  (syntax-rules ()
    ((_ name clause ...)
     (%register-tool! 'name (list (%tool-clause clause) ...)))))

(%keep-hooks!
 (lambda (entry)
   (set! %hook-registry% (cons entry %hook-registry%))))

;; What a call with a context of its own begins with: ASK for permission, which
;; may take days, then EXECUTE.
(define (%permitted% ask prompt execute args)
  (if (ask prompt)
      (execute args)
      (error "permission denied:" prompt)))
