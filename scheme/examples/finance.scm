;;; Tools for money. Amounts are exact ratios until they are printed, so
;;; nothing is lost or made up by rounding.

(define (argument args name default)
  (let ((found (assoc name args)))
    (if found (cdr found) default)))

;; The exact ratio meant by a decimal number: 0.1 is 1/10.
(define (decimal x)
  (if (exact? x) x (string->number (string-append "#e" (number->string x)))))

;; Half away from zero, as banks round.
(define (round-cents x)
  (let ((doubled (floor (+ (* 2 (abs x)) 1))))
    (* (if (negative? x) -1 1) (floor (/ doubled 2)))))

;; An amount in cents as text: 12345 -> "123.45".
(define (cents->text cents)
  (let* ((n (abs cents))
         (rest (number->string (modulo n 100))))
    (string-append (if (negative? cents) "-" "")
                   (number->string (quotient n 100))
                   (if (< (string-length rest) 2) ".0" ".")
                   rest)))

(define (money x) (cents->text (round-cents (* 100 x))))

(define (pad-left text width)
  (if (< (string-length text) width)
      (string-append (make-string (- width (string-length text)) #\space) text)
      text))

;; The constant payment that clears an amount over so many periods.
(define (payment amount rate periods)
  (if (zero? rate)
      (/ amount periods)
      (/ (* amount rate) (- 1 (expt (+ 1 rate) (- periods))))))

(define (table-row month interest principal balance)
  (string-append (pad-left (number->string month) 5) " "
                 (pad-left (cents->text interest) 12) " "
                 (pad-left (cents->text principal) 12) " "
                 (pad-left (cents->text balance) 12) "\n"))

;; Rows of a loan in whole cents; the last payment takes what is left.
(define (loan-rows cents rate months monthly)
  (let loop ((month 1) (balance cents) (total 0) (rows '()))
    (if (> month months)
        (values (reverse rows) total)
        (let* ((interest (round-cents (* balance rate)))
               (principal (if (= month months)
                              balance
                              (min balance (- monthly interest))))
               (left (- balance principal)))
          (loop (+ month 1)
                left
                (+ total interest)
                (cons (table-row month interest principal left) rows))))))

(define-tool loan_table
  (description "The repayment table of a loan with constant monthly payments.")
  (category "memory")
  (summary "loan of {amount} at {rate} % over {months} months")
  (parameters
   '((amount . ((type . "number") (description . "The amount lent")
                (exclusiveMinimum . 0)))
     (rate . ((type . "number") (description . "Interest, percent a year")
              (minimum . 0) (maximum . 100)))
     (months . ((type . "integer") (description . "How many payments")
                (minimum . 1) (maximum . 600)))))
  (execute
   (lambda (args)
     (let* ((months (argument args "months" 12))
            (rate (/ (decimal (argument args "rate" 0)) 1200))
            (cents (round-cents (* 100 (decimal (argument args "amount" 0)))))
            (monthly (round-cents (payment cents rate months))))
       (call-with-values
        (lambda () (loan-rows cents rate months monthly))
        (lambda (rows interest)
          (string-append
           "payment " (cents->text monthly)
           ", interest in all " (cents->text interest) "\n"
           "month     interest    principal      balance\n"
           (apply string-append rows))))))))

(define-tool compound_interest
  (description "What an amount grows to with compound interest.")
  (category "memory")
  (summary-params '("principal" "rate" "years"))
  (parameters
   '((principal . ((type . "number") (description . "The amount at the start")
                   (minimum . 0)))
     (rate . ((type . "number") (description . "Interest, percent a year")))
     (years . ((type . "integer") (description . "For how many years")
               (minimum . 0) (maximum . 200)))
     (per_year . ((type . "integer")
                  (description . "How often interest is added in a year")
                  (enum . (1 2 4 12 365))
                  (default . 1)))))
  (execute
   (lambda (args)
     (let* ((often (argument args "per_year" 1))
            (rate (/ (decimal (argument args "rate" 0)) (* 100 often)))
            (periods (* often (argument args "years" 0))))
       (money (* (decimal (argument args "principal" 0))
                 (expt (+ 1 rate) periods)))))))

;; Cents for each share: whole cents first, then the largest remainders.
(define (split-cents cents shares)
  (let* ((whole (apply + shares))
         (exact-parts (map (lambda (share) (/ (* cents share) whole)) shares))
         (parts (map floor exact-parts))
         (missing (- cents (apply + parts))))
    (let loop ((missing missing) (parts parts))
      (if (zero? missing)
          parts
          (loop (- missing 1) (give-one exact-parts parts))))))

;; PARTS with one cent more where the most is missing (the first such).
(define (give-one exact-parts parts)
  (let* ((gaps (map - exact-parts parts))
         (most (apply max gaps)))
    (let loop ((gaps gaps) (parts parts) (done '()))
      (if (= (car gaps) most)
          (append (reverse done) (cons (+ 1 (car parts)) (cdr parts)))
          (loop (cdr gaps) (cdr parts) (cons (car parts) done))))))

(define-tool split_money
  (description
   "Split an amount by shares so that the parts add up to it, cent by cent.")
  (category "memory")
  (summary-params '("amount"))
  (parameters
   '((amount . ((type . "number") (description . "The amount") (minimum . 0)))
     (shares . ((type . "array")
                (description . "The shares, such as [1, 1, 2]")
                (items . ((type . "number") (exclusiveMinimum . 0)))
                (minItems . 1)
                (maxItems . 1000)))))
  (execute
   (lambda (args)
     (let ((cents (round-cents (* 100 (decimal (argument args "amount" 0)))))
           (shares (map decimal (argument args "shares" '(1)))))
       (map cents->text (split-cents cents shares))))))
