;;; (chibi sxml), the body.

(define (text-of object)
  (cond ((string? object) object)
        ((symbol? object) (symbol->string object))
        (else
         (let ((out (open-output-string)))
           (display object out)
           (get-output-string out)))))

(define (port-of rest) (if (pair? rest) (car rest) (current-output-port)))

(define (with-output f)
  (let ((out (open-output-string)))
    (f out)
    (get-output-string out)))

;; -- escapes ----------------------------------------------------------------

(define (write-escaped text entity out)
  (string-for-each
   (lambda (char)
     (let ((name (entity char)))
       (if name
           (write-string name out)
           (write-char char out))))
   text))

(define (string-entity char)
  (case char
    ((#\<) "&lt;") ((#\>) "&gt;") ((#\&) "&amp;")
    (else #f)))

(define (attribute-entity char)
  (case char
    ((#\") "&quot;") ((#\') "&#39;")
    (else (string-entity char))))

;;> (html-display-escaped-string obj [port])
;;> Display OBJ with <, > and & as entities.
(define (html-display-escaped-string obj . port)
  (write-escaped (text-of obj) string-entity (port-of port)))

;;> (html-display-escaped-attr obj [port])
;;> Display OBJ as the value of an attribute, quotes as entities too.
(define (html-display-escaped-attr obj . port)
  (write-escaped (text-of obj) attribute-entity (port-of port)))

;;> (html-escape obj)
;;> Return OBJ's text with <, >, & and quotes as entities.
;;> (html-escape "a<b") => "a&lt;b"
(define (html-escape obj)
  (with-output (lambda (out) (html-display-escaped-attr obj out))))

;; -- elements ---------------------------------------------------------------

(define void-elements
  '(area base br col embed hr img input link meta param source track wbr))

(define (attributes? obj) (and (pair? obj) (eq? (car obj) '@)))

;; The attributes of an element, and its content.
(define (attributes-of element)
  (if (and (pair? (cdr element)) (attributes? (cadr element)))
      (cdr (cadr element))
      '()))

(define (content-of element)
  (if (and (pair? (cdr element)) (attributes? (cadr element)))
      (cddr element)
      (cdr element)))

;; (name . value), (name value), (name) or #f for one that is left out.
(define (write-attribute attribute out)
  (if (and (pair? attribute) (not (eq? (cdr attribute) #f)))
      (let ((value (cond ((null? (cdr attribute)) #t)
                         ((pair? (cdr attribute)) (cadr attribute))
                         (else (cdr attribute)))))
        (if value
            (begin
              (write-char #\space out)
              (write-string (text-of (car attribute)) out)
              (if (not (eq? value #t))
                  (begin
                    (write-string "=\"" out)
                    (html-display-escaped-attr value out)
                    (write-char #\" out))))))))

(define (write-tag name attributes end out)
  (write-char #\< out)
  (write-string (text-of name) out)
  (for-each (lambda (attribute) (write-attribute attribute out)) attributes)
  (write-string end out))

;;> (html-tag->string tag attributes)
;;> Return the opening tag. (html-tag->string 'a '((href . "x"))) =>
;;> "<a href=\"x\">"
(define (html-tag->string tag attributes)
  (with-output (lambda (out) (write-tag tag attributes ">" out))))

(define (write-all items write-item out)
  (for-each (lambda (item) (write-item item out)) items))

;; Write what is no element but a node of its own; #f if it is an element.
(define (write-special? sxml write-node out)
  (case (car sxml)
    ((*TOP* *FRAGMENT*) (write-all (content-of sxml) write-node out) #t)
    ((*COMMENT*)
     (write-string "<!--" out)
     (for-each (lambda (text) (display text out)) (cdr sxml))
     (write-string "-->" out)
     #t)
    ((*PI*)
     (write-string "<?" out)
     (for-each (lambda (text) (display text out) (write-char #\space out))
               (cdr sxml))
     (write-string "?>" out)
     #t)
    ((!) (write-declaration (cdr sxml) out) #t)
    ((*ENTITY* &)
     (for-each (lambda (name)
                 (write-string (string-append "&" (text-of name) ";") out))
               (cdr sxml))
     #t)
    ((@) #t)
    (else #f)))

(define (write-declaration parts out)
  (write-string "<!" out)
  (let loop ((parts parts) (first? #t))
    (if (pair? parts)
        (begin
          (if (not first?) (write-char #\space out))
          (if (symbol? (car parts))
              (display (car parts) out)
              (write (car parts) out))
          (loop (cdr parts) #f))))
  (write-char #\> out))

;; A node: an element, a list of nodes, a procedure that writes to the port, or
;; text. VOID says how the tag of an element without content ends, or #f if it
;; has a closing tag.
(define (write-node sxml void out)
  (define (again sxml out) (write-node sxml void out))
  (cond ((null? sxml) #f)
        ((and (pair? sxml) (symbol? (car sxml)))
         (if (not (write-special? sxml again out))
             (write-element sxml void again out)))
        ((pair? sxml) (write-all sxml again out))
        ((procedure? sxml) (sxml out))
        (else (html-display-escaped-string sxml out))))

(define (write-element sxml void again out)
  (let* ((name (car sxml))
         (content (content-of sxml))
         (end (and (null? content) (void name))))
    (write-tag name (attributes-of sxml) (or end ">") out)
    (if (not end)
        (begin
          (if (memq name '(script style))
              (write-all content display out)
              (write-all content again out))
          (write-string (string-append "</" (text-of name) ">") out)))))

(define (html-void name) (and (memq name void-elements) ">"))

;;> (sxml-display-as-html sxml [port])
;;> Write SXML as HTML.
(define (sxml-display-as-html sxml . port)
  (write-node sxml html-void (port-of port)))

;;> (sxml->xml sxml)
;;> Return SXML as HTML text; elements that HTML knows to be empty have no closing
;;> tag. (sxml->xml '(p "a < b" (br))) => "<p>a &lt; b<br></p>"
(define (sxml->xml sxml)
  (with-output (lambda (out) (sxml-display-as-html sxml out))))

;; -- text -------------------------------------------------------------------

(define (write-text sxml separate out)
  (define (again sxml) (write-text sxml separate out))
  (cond ((null? sxml) #f)
        ((and (pair? sxml) (symbol? (car sxml)))
         (if (not (memq (car sxml) '(@ *COMMENT* *PI* ! script style)))
             (begin
               (for-each again (content-of sxml))
               (separate (car sxml) out))))
        ((pair? sxml) (for-each again sxml))
        ((procedure? sxml) (sxml out))
        (else (display sxml out))))

;;> (sxml-strip sxml)
;;> Return the text of SXML without tags, attributes, scripts and comments.
;;> (sxml-strip '(p "a" (b "c"))) => "ac"
(define (sxml-strip sxml)
  (with-output
   (lambda (out) (write-text sxml (lambda (name out) #f) out))))

(define block-elements
  '(p div br h1 h2 h3 h4 h5 h6 li ul ol tr table pre blockquote title))

;;> (sxml-display-as-text sxml [port])
;;> Write the text of SXML, with a line end behind each block.
(define (sxml-display-as-text sxml . port)
  (write-text sxml
              (lambda (name out)
                (if (memq name block-elements) (newline out)))
              (port-of port)))
