;;; (chibi uri).
(import (scheme base) (chibi uri) (chibi-bridge test))

(define (parts u)
  (list (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u)
        (uri-query u) (uri-fragment u)))

(test-begin "uri")

(test #t (uri? (make-uri 'http)))
(test #f (uri? "http://a"))
(test '(http "r" "google.com" 80 "/search" "q=cats" "recent")
      (parts (make-uri 'http "r" "google.com" 80 "/search" "q=cats" "recent")))
(test '(http #f "google.com" #f #f #f #f)
      (parts (string->uri "http://google.com")))
(test '(http #f "google.com" #f "/" #f #f)
      (parts (string->uri "http://google.com/")))
(test '(https "me:pw" "google.com" 80 "/search" "q=cats" "recent")
      (parts (string->uri "HTTPS://me:pw@google.com:80/search?q=cats#recent")))
(test '(http #f "[::1]" 8080 "/" #f #f) (parts (string->uri "http://[::1]:8080/")))
(test '(mailto #f #f #f "a@b.org" #f #f) (parts (string->uri "mailto:a@b.org")))
(test '(http #f "a" #f #f "b" #f) (parts (string->uri "http://a?b")))
(test #f (string->uri "no scheme"))
(test "/%73" (uri-path (string->uri "http://google.com/%73")))
(test "/s" (uri-path (string->uri "http://google.com/%73" #t)))
(test "a=1&b=2;c=3" (uri-query (string->uri "http://g/%73?a=1&b=2;c=3" #t)))
(test '(("a" . "1") ("b" . "2+2") ("c" . "3"))
      (uri-query (string->uri "http://g/%73?a=1&b=2+2;c=%33" #f #t)))
(test '(("a" . "1") ("b" . "2 2") ("c" . "3"))
      (uri-query (string->uri "http://g/%73?a=1&b=2+2;c=%33" #t #t)))
(test '(http #f #f #f "/" #f #f) (parts (string->path-uri 'http "/")))
(test '(https #f "a" #f #f #f #f) (parts (string->path-uri 'http "https://a")))
(test '(#t #f) (list (uri-has-scheme? "http://a") (uri-has-scheme? "/a:b")))
(test "http://me@a.org:8080/b?c#d"
      (uri->string (string->uri "http://me@a.org:8080/b?c#d")))
(test "http://a/b%20c?x=1%202"
      (uri->string (make-uri 'http #f "a" #f "/b c" '(("x" . "1 2"))) #t))
(let ((u (string->uri "http://a.org/b")))
  (test "ftp://me@c.org:21/d?e#f"
        (uri->string
         (uri-with-fragment
          (uri-with-query
           (uri-with-path
            (uri-with-port
             (uri-with-host (uri-with-user (uri-with-scheme u 'ftp) "me")
                            "c.org")
             21)
            "/d")
           "e")
          "f")))
  (test "http://a.org/b" (uri->string u)))
(define base (string->uri "http://a.org/b/c?q"))
(define (resolved text) (uri->string (uri-resolve text base)))
(test '("http://a.org/b/d" "http://a.org/d" "http://a.org/e" "http://x/y"
        "http://a.org/b/c?z" "http://a.org/b/c?q#f")
      (map resolved '("d" "../d" "/e" "http://x/y" "?z" "#f")))
(test '("a%20b%2Fc%C3%A9" "a+b~") (list (uri-encode "a b/cé") (uri-encode "a b~" #t)))
(test '("a b/cé" "a+b" "a b" "%zz%2")
      (list (uri-decode "a%20b%2fc%C3%A9") (uri-decode "a+b")
            (uri-decode "a+b" #t) (uri-decode "%zz%2")))
(test '(("a" . "1") ("b" . #f) ("c" . "")) (uri-query->alist "a=1&b&&c="))
(test "a=1%202&b=3&c" (uri-alist->query '(("a" . "1 2") (b . 3) ("c" . #f))))
(test "a=1+2" (uri-alist->query '(("a" . "1 2")) #t))

(test-end)
(test-exit)
