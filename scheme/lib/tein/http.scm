;;; (tein http), the body.

(define (check-string who what obj)
  (if (not (string? obj))
      (error (string-append who ": " what " must be a string") obj)))

;; The entries of an alist that are pairs of strings, as the host takes them.
(define (string-pairs headers)
  (let loop ((rest headers) (found '()))
    (cond ((not (pair? rest)) (reverse found))
          ((and (pair? (car rest)) (string? (caar rest)) (string? (cdar rest)))
           (loop (cdr rest) (cons (list (caar rest) (cdar rest)) found)))
          (else (loop (cdr rest) found)))))

(define (find-first keep? items default)
  (cond ((null? items) default)
        ((keep? (car items)) (car items))
        (else (find-first keep? (cdr items) default))))

;; Asks the host; OPTIONS holds a timeout, or the symbol bytevector, or both.
(define (ask who method url headers body options)
  (check-string who "method" method)
  (check-string who "url" url)
  (let ((answer (%host-call 'http-request method url (string-pairs headers)
                            (if (or (string? body) (bytevector? body)) body #f)
                            (find-first real? options #f)
                            (and (memq 'bytevector options) #t))))
    (list (cons 'status (car answer))
          (cons 'headers
                (map (lambda (pair) (cons (car pair) (cadr pair)))
                     (cadr answer)))
          (cons 'body (list-ref answer 2)))))

;;> (http-request method url headers body [timeout] ['bytevector])
;;> Send a request and return its response, an alist of status, headers and body.
;;> METHOD is a string in upper case, HEADERS an alist of strings, BODY a string or
;;> a bytevector, anything else for none. TIMEOUT is in seconds, 30 where it is no
;;> number. With the symbol bytevector the response's body is one, else a string.
;;> Any status is a normal result; see http-error-kind for what is not.
(define (http-request method url headers body . options)
  (ask "http-request" method url headers body options))

;;> (http-get url headers [timeout] ['bytevector])
;;> Send a GET request; see http-request.
(define (http-get url headers . options)
  (ask "http-get" "GET" url headers #f options))

;;> (http-delete url headers [timeout] ['bytevector])
;;> Send a DELETE request; see http-request.
(define (http-delete url headers . options)
  (ask "http-delete" "DELETE" url headers #f options))

;;> (http-post url headers body [timeout] ['bytevector])
;;> Send a POST request; see http-request.
(define (http-post url headers body . options)
  (ask "http-post" "POST" url headers body options))

;;> (http-put url headers body [timeout] ['bytevector])
;;> Send a PUT request; see http-request.
(define (http-put url headers body . options)
  (ask "http-put" "PUT" url headers body options))

;;> (http-error-kind obj)
;;> Return why a request failed: blocked, dns, connect, tls, timeout, too-large or
;;> protocol; #f where OBJ is not what a failed request raises.
(define (http-error-kind obj)
  (cond ((%condition-kind? obj 'http-blocked) 'blocked)
        ((%condition-kind? obj 'http) (%condition-extra obj))
        (else #f)))

;;> (http-error? obj)
;;> Return #t if OBJ is what a failed request raises.
(define (http-error? obj) (and (http-error-kind obj) #t))

;;> (http-status response)
;;> Return the status of a response, an integer.
;;> (http-status '((status . 200) (headers) (body . "hi"))) => 200
(define (http-status response) (cdr (assq 'status response)))

;;> (http-headers response)
;;> Return the headers of a response, an alist with names in lower case.
;;> (http-headers '((status . 200) (headers) (body . "hi"))) => ()
(define (http-headers response) (cdr (assq 'headers response)))

;;> (http-header response name)
;;> Return the first header called NAME, in any case; #f without one.
;;> (http-header '((headers ("etag" . "x"))) "ETag") => "x"
(define (http-header response name)
  (let ((found (assoc (string-downcase name) (http-headers response))))
    (and found (cdr found))))

;;> (http-body response)
;;> Return the body of a response.
;;> (http-body '((status . 200) (headers) (body . "hi"))) => "hi"
(define (http-body response) (cdr (assq 'body response)))

;;> (http-json response)
;;> Return the body of a response, which is JSON, as data.
;;> (http-json '((status . 200) (headers) (body . "[1]"))) => (1)
(define (http-json response)
  (let ((body (http-body response)))
    (json-parse (if (bytevector? body) (utf8->string body) body))))

;;> (http-post-json url headers data [timeout] ['bytevector])
;;> Send DATA as JSON in a POST request; see http-request and json-stringify.
(define (http-post-json url headers data . options)
  (ask "http-post-json" "POST" url
       (cons '("Content-Type" . "application/json") headers)
       (json-stringify data)
       options))
