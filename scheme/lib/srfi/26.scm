;;; SRFI 26, the body. A loop over the parts: the formals so far, what the call
;;; has so far, and the parts that are left.

;;> (cut operator-or-slot operand-or-slot ...)
;;> Return a procedure of the slots <> that makes the call; a last <...> takes
;;> any number of further arguments. What is no slot is evaluated at each call.
;;> (map (cut * 2 <>) '(1 2 3)) => (2 4 6)
(define-syntax cut
  (syntax-rules ()
    ((_ part . parts) (%cut () () part . parts))))

(define-syntax %cut
  (syntax-rules (<> <...>)
    ((_ formals (operator operand ...))
     (lambda formals (operator operand ...)))
    ((_ (formal ...) (operand ...) <...>)
     (lambda (formal ... . rest) (apply operand ... rest)))
    ((_ (formal ...) (operand ...) <> . parts)
     (%cut (formal ... slot) (operand ... slot) . parts))
    ((_ formals (operand ...) expression . parts)
     (%cut formals (operand ... expression) . parts))))

;;> (cute operator-or-slot operand-or-slot ...)
;;> Like cut, but what is no slot is evaluated once, when the procedure is made.
;;> ((cute list 1 <> 3 <...>) 2 4 5) => (1 2 3 4 5)
(define-syntax cute
  (syntax-rules ()
    ((_ part . parts) (%cute () () () part . parts))))

(define-syntax %cute
  (syntax-rules (<> <...>)
    ((_ formals bindings (operator operand ...))
     (let bindings (lambda formals (operator operand ...))))
    ((_ (formal ...) bindings (operand ...) <...>)
     (let bindings (lambda (formal ... . rest) (apply operand ... rest))))
    ((_ (formal ...) bindings (operand ...) <> . parts)
     (%cute (formal ... slot) bindings (operand ... slot) . parts))
    ((_ formals (binding ...) (operand ...) expression . parts)
     (%cute formals (binding ... (value expression)) (operand ... value)
            . parts))))
