;;; (cap net), the body.

(define (header? object)
  (and (pair? object) (string? (car object)) (string? (cdr object))))

;; An alist of strings as a map: a name that is there twice has both values.
(define (header-map headers)
  (let loop ((rest headers) (names '()) (args '()))
    (if (null? rest)
        (apply json-object args)
        (let ((name (caar rest)))
          (if (member name names)
              (loop (cdr rest) names args)
              (loop (cdr rest) (cons name names)
                    (cons name (cons (joined name rest) args))))))))

(define (joined name headers)
  (let loop ((rest (cdr headers)) (text (cdar headers)))
    (cond ((null? rest) text)
          ((string=? name (caar rest))
           (loop (cdr rest) (string-append text ", " (cdar rest))))
          (else (loop (cdr rest) text)))))

(define (headers? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest) (and (header? (car rest)) (loop (cdr rest)))))))

(define (body-bytes body)
  (cond ((string? body) (string->utf8 body))
        ((bytevector? body) body)
        (else (bytevector))))

(define (body? object)
  (or (not object) (string? object) (bytevector? object)))

;;> (net-request method url [headers [body]])
;;> Send a request and return its response, an alist: status, an integer; headers,
;;> an alist with names in lower case; body, a bytevector. HEADERS is an alist of
;;> strings, BODY a string, a bytevector or #f.
(define (net-request method url . options)
  (let ((headers (if (pair? options) (car options) '()))
        (body (and (pair? options) (pair? (cdr options)) (cadr options))))
    (check-argument 'net-request 0 string? "string" method)
    (check-argument 'net-request 1 string? "string" url)
    (check-argument 'net-request 2 headers? "alist of strings" headers)
    (check-argument 'net-request 3 body? "string or bytevector" body)
    (let ((answer (cap-call "net.request" "method" method "url" url
                            "headers" (header-map headers)
                            "body" (body-bytes body))))
      (list (cons "status"
                  (cap-field "net.request" answer "status" exact-integer?))
            (cons "headers"
                  (cap-field "net.request" answer "headers" headers?))
            (cons "body"
                  (cap-field "net.request" answer "body" bytevector?))))))
