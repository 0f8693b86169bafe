;;; (chibi sxml).
(import (scheme base) (scheme write) (chibi sxml) (chibi-bridge test))

(define-syntax output
  (syntax-rules () ((_ f x) (let ((out (open-output-string))) (f x out) (get-output-string out)))))

(test-begin "sxml")

(test "<html><body><div><p>hello, world</p><br></div></body></html>"
      (sxml->xml '(*TOP* (html (body (div (p "hello, world") (br)))))))
(test "<a href=\"x?a=1&amp;b=&quot;2&quot;\" checked n=\"1\">1 &lt; 2 &amp; 3</a>"
      (sxml->xml '(a (@ (href "x?a=1&b=\"2\"") (checked) (n . 1) (gone #f)) "1 < 2 & 3")))
(test "<p>a</p><p>b5</p>" (sxml->xml '((p "a") (p b 5))))
(test "<p></p><img src=\"x\"><script>a < b</script>"
      (sxml->xml '((p) (img (@ (src "x"))) (script "a < b"))))
(test "<!--note--><?xml version ?><!DOCTYPE html \"x\">&nbsp;"
      (sxml->xml '((*COMMENT* "note") (*PI* "xml" "version") (! DOCTYPE html "x") (& nbsp))))
(test "<p>made</p>" (sxml->xml (list 'p (lambda (out) (write-string "made" out)))))
(test "<i>x</i>" (output sxml-display-as-html '(i "x")))
(test "ac" (sxml-strip '(p (@ (id "x")) "a" (b "c") (script "z") (*COMMENT* "n"))))
(test "T\na b\nc\n" (output sxml-display-as-text '(html (title "T") (p "a " (b "b")) (p "c"))))
(test "a&lt;b&gt;&amp;&quot;&#39;" (html-escape "a<b>&\"'"))
(test "&lt;'\"" (output html-display-escaped-string "<'\""))
(test "&quot;1" (output html-display-escaped-attr "\"1"))
(test "<a href=\"x\">" (html-tag->string 'a '((href . "x"))))

(test-end)
(test-exit)
