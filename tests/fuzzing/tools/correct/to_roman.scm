;; Roman numerals.
(define steps
  '((1000 . "M") (900 . "CM") (500 . "D") (400 . "CD") (100 . "C") (90 . "XC")
    (50 . "L") (40 . "XL") (10 . "X") (9 . "IX") (5 . "V") (4 . "IV")
    (1 . "I")))

(define (roman number)
  (let loop ((number number) (steps steps) (text ""))
    (cond ((= number 0) text)
          ((>= number (caar steps))
           (loop (- number (caar steps)) steps
                 (string-append text (cdar steps))))
          (else (loop number (cdr steps) text)))))

(define-tool to_roman
  (description "A number in Roman numerals.")
  (parameters
   '((number . ((type . "integer") (minimum . 1) (maximum . 3999)))))
  (examples
   '(((arguments . ((number . 12))) (result . "XII"))
     ((arguments . ((number . 1994))) (result . "MCMXCIV"))))
  (execute (lambda (args) (roman (cdr (assoc "number" args))))))
