;;; (ext hook), the body.

;; -- the documents -------------------------------------------------------------------

;; The events; for each its required fields, in the order they are read, and the
;; optional ones. `any` has no kind to name.
(define documents
  '(("session_start" ())
    ("before_agent_start" (("op_id" string) ("strand" string)))
    ("context" (("op_id" string) ("messages" array)))
    ("tool_call" (("op_id" string) ("tool" string) ("arguments" any)
                  ("source_index" integer)))
    ("tool_result" (("message" any)))
    ("agent_end" (("op_id" string)))
    ("agent_settled" (("op_id" string)))
    ("before_compact" (("op_id" string) ("reason" string)
                       ("tokens_before" integer)
                       ("summarized_messages" integer)
                       ("retained_messages" integer)))
    ("usage" (("op_id" string) ("usage_id" string) ("seq" integer)
              ("adjustment" boolean) ("input_tokens" integer)
              ("output_tokens" integer) ("cache_read_tokens" integer)
              ("cache_write_tokens" integer) ("total_tokens" integer)
              ("cost" number))
             ("entry_id" string) ("cache_write_1h_tokens" integer)
             ("thinking_tokens" integer))))

(define (kind? kind value)
  (case kind
    ((string) (string? value))
    ((integer) (exact-integer? value))
    ((number) (real? value))
    ((boolean) (boolean? value))
    ((array) (list? value))
    (else #t)))

;; The entry of a field in what may be no object at all.
(define (entry name document)
  (and (list? document)
       (let loop ((rest document))
         (and (pair? rest)
              (if (and (pair? (car rest)) (equal? (caar rest) name))
                  (car rest)
                  (loop (cdr rest)))))))

(define (lacks field)
  (string-append "the hook arguments have no "
                 (if (eq? (cadr field) 'any)
                     ""
                     (string-append (symbol->string (cadr field)) " "))
                 (car field)))

;; The document with its fields and no others; (bad reason) for the first that is
;; missing or of the wrong type. An entry that is kept is the one that was read.
(define (typed row document good bad)
  (let loop ((fields (cadr row)) (made '()))
    (if (pair? fields)
        (let ((found (entry (caar fields) document)))
          (if (and found (kind? (cadar fields) (cdr found)))
              (loop (cdr fields) (cons found made))
              (bad (lacks (car fields)))))
        (good (append (reverse made)
                      (map (lambda (field) (optional field document))
                           (cddr row)))))))

(define (optional field document)
  (let ((found (entry (car field) document)))
    (if (and found (kind? (cadr field) (cdr found)))
        found
        (cons (car field) #f))))

;; -- the answers -----------------------------------------------------------------------

(define (wrong-answer who wanted value)
  (error (string-append who ": the procedure answers " wanted ", not") value))

(define (nothing value) "{}")

(define (text-or-null who key)
  (lambda (value)
    (cond ((string? value) (stringify (list (cons key value))))
          ((not value) (stringify (list (cons key 'null))))
          (else (wrong-answer who "a string or #f" value)))))

(define (messages-answer value)
  (let* ((whole (entry "messages" value))
         (messages (if whole (cdr whole) value)))
    (if (not (or (list? messages) (vector? messages)))
        (wrong-answer "on-context" "a list of messages" value))
    (stringify (list (cons "messages"
                           (if (null? messages) '#() messages))))))

(define (verdict-answer value)
  (cond ((or (eq? value 'allow)
             (and (verdict? value) (not (verdict-reason value))))
         "{\"verdict\":\"allow\"}")
        ((verdict? value)
         (stringify (list '("verdict" . "block")
                          (cons "reason" (verdict-reason value)))))
        (else (wrong-answer "on-tool-call" "allow or (block reason)" value))))

;; The message, or the document around it.
(define (message-answer value)
  (let ((whole (entry "message" value)))
    (stringify (if (and whole (not (entry "role" value)))
                   (list whole)
                   (list (cons "message" value))))))

(define answers
  (list (cons "before_agent_start"
              (text-or-null "on-before-agent-start" "inject"))
        (cons "context" messages-answer)
        (cons "tool_call" verdict-answer)
        (cons "tool_result" message-answer)
        (cons "before_compact" (text-or-null "on-before-compact" "note"))))

;; -- the hooks ---------------------------------------------------------------------------

(define (hook-of event)
  (lambda (procedure)
    (check-argument event 0 procedure? "procedure" procedure)
    (make-hook event procedure)))

;;> (on-session-start procedure)
;;> Return a hook that hears of a session's start. Its document is empty.
;;> (event (on-session-start (lambda (document) #f))) => "session_start"
(define on-session-start (hook-of "session_start"))

;;> (on-before-agent-start procedure)
;;> Return a hook asked when a run begins: op_id, strand. It answers a text for
;;> the model, or #f.
(define on-before-agent-start (hook-of "before_agent_start"))

;;> (on-context procedure)
;;> Return a hook that sees the messages of each request: op_id, messages. It
;;> answers the messages to send.
(define on-context (hook-of "context"))

;;> (on-tool-call procedure)
;;> Return a hook asked before each call of a tool: op_id, tool, arguments,
;;> source_index. It answers allow or (block reason).
(define on-tool-call (hook-of "tool_call"))

;;> (on-tool-result procedure)
;;> Return a hook that sees each result: message. It answers the message to keep.
(define on-tool-result (hook-of "tool_result"))

;;> (on-agent-end procedure)
;;> Return a hook that hears of the end of a run: op_id.
(define on-agent-end (hook-of "agent_end"))

;;> (on-agent-settled procedure)
;;> Return a hook that hears when all of a run is settled: op_id.
(define on-agent-settled (hook-of "agent_settled"))

;;> (on-before-compact procedure)
;;> Return a hook asked before messages are summarised: op_id, reason,
;;> tokens_before, summarized_messages, retained_messages. It answers a note for
;;> the summary, or #f.
(define on-before-compact (hook-of "before_compact"))

;;> (on-usage procedure)
;;> Return a hook that hears what a request took: op_id, usage_id, seq,
;;> adjustment, input_tokens, output_tokens, cache_read_tokens,
;;> cache_write_tokens, total_tokens, cost; entry_id, cache_write_1h_tokens,
;;> thinking_tokens, each #f where it is not reported. A cost may be an integer.
(define on-usage (hook-of "usage"))

;;> allow
;;> The verdict that a tool may be called.
(define allow (make-verdict #f))

;;> (block reason)
;;> Return the verdict that a tool may not be called, and why.
(define (block reason)
  (check-argument 'block 0 string? "string" reason)
  (make-verdict reason))

;;> (event hook)
;;> Return the name that a manifest has for the event of HOOK.
;;> (event (on-usage (lambda (document) #f))) => "usage"
(define (event hook)
  (check-argument 'event 0 hook? "hook" hook)
  (hook-event hook))

(define (reply hook document)
  (let ((value ((hook-procedure hook) document)))
    (cond ((assoc (hook-event hook) answers)
           => (lambda (row) ((cdr row) value)))
          (else (nothing value)))))

;;> (answer hook text)
;;> Return what HOOK answers to the document TEXT, both JSON; a refusal where
;;> TEXT is not what the event has. Needs no channel: for tests, too.
;;> (answer (on-tool-call (lambda (call) (block "no shells today")))
;;>         "{\"op_id\":\"o\",\"tool\":\"sh\",\"arguments\":{},\"source_index\":0}")
;;> => "{\"verdict\":\"block\",\"reason\":\"no shells today\"}"
(define (answer hook text)
  (check-argument 'answer 0 hook? "hook" hook)
  (check-argument 'answer 1 string? "string" text)
  (with-form
   (lambda ()
     (document
      text
      (lambda (value)
        (typed (assoc (hook-event hook) documents) value
               (lambda (typed) (reply hook typed))
               (lambda (reason) (make-refusal reason #f))))
      (lambda (reason)
        (make-refusal (string-append "the hook arguments are not JSON: "
                                     reason)
                      'bad-arguments))))))
