;; Trading 212: account, positions, instruments, orders.
;;
;; Wants in the configuration:
;;   [tools.http.allow]
;;   "/tools/shared/trading212.scm" = ["https://demo.trading212.com/api/v0/"]
;;   [tools.env]
;;   "/tools/shared/trading212.scm" =
;;     ["T212_KEY", "T212_SECRET", "T212_ENV", "T212_ALLOW", "T212_DENY",
;;      "T212_DEFAULT"]
;;
;; T212_ENV is "demo" (the default), "live", or the address of another server.
;; T212_ALLOW and T212_DENY are lists of tickers with commas between; a final *
;; stands for anything. A ticker that neither names follows T212_DEFAULT,
;; "allow" or "deny" (the default where T212_ALLOW is set).
(import (scheme base) (scheme process-context)
        (tein http) (tein json) (chibi base64))

(define tool-http-allow
  '("https://demo.trading212.com/api/v0/" "https://live.trading212.com/api/v0/"))

;; -- settings ---------------------------------------------------------------

(define (setting name default)
  (let ((value (get-environment-variable name)))
    (if (and value (not (string=? value ""))) value default)))

(define (base-url)
  (let ((place (setting "T212_ENV" "demo")))
    (if (string-contains place "://")
        place
        (string-append "https://" place ".trading212.com/api/v0"))))

(define (authorization)
  (let ((key (setting "T212_KEY" #f))
        (secret (setting "T212_SECRET" #f)))
    (cond ((not key) (error "T212_KEY is not set"))
          (secret
           (string-append
            "Basic "
            (base64-encode-string (string-append key ":" secret))))
          (else key))))

;; -- rules ------------------------------------------------------------------

(define (rules name)
  (filter (lambda (rule) (not (string=? rule "")))
          (map string-trim-both (string-split (setting name "") ","))))

(define (rule-matches? rule ticker)
  (let ((last (- (string-length rule) 1)))
    (if (char=? (string-ref rule last) #\*)
        (string-prefix? (substring rule 0 last) ticker)
        (string=? rule ticker))))

(define (named? name ticker)
  (any (lambda (rule) (rule-matches? rule ticker)) (rules name)))

(define (allowed? ticker)
  (cond ((named? "T212_DENY" ticker) #f)
        ((named? "T212_ALLOW" ticker) #t)
        (else
         (string=? "allow"
                   (setting "T212_DEFAULT"
                            (if (null? (rules "T212_ALLOW")) "allow" "deny"))))))

(define (check-ticker ticker)
  (if (not (allowed? ticker))
      (error "the rules do not allow to trade this ticker" ticker)))

;; -- requests ---------------------------------------------------------------

(define (answer response)
  (let ((status (cdr (assq 'status response)))
        (body (cdr (assq 'body response))))
    (cond ((not (<= 200 status 299))
           (error (string-append "Trading 212 answered "
                                 (number->string status))
                  body))
          ((string=? body "") '())
          (else (json-parse body)))))

(define (headers more)
  (cons (cons "Authorization" (authorization)) more))

(define (get path)
  (answer (http-get (string-append (base-url) path) (headers '()))))

(define (post path document)
  (answer (http-post (string-append (base-url) path)
                     (headers '(("Content-Type" . "application/json")))
                     (json-stringify document))))

;; -- arguments --------------------------------------------------------------

(define (arg args name default)
  (let ((entry (assoc name args)))
    (if entry (cdr entry) default)))

;; The interface counts what is sold below zero.
(define (signed-quantity args)
  (let ((quantity (arg args "quantity" #f)))
    (if (string=? (arg args "side" #f) "sell") (- quantity) quantity)))

(define side '(side (type . "string") (enum "buy" "sell")))
(define ticker
  '(ticker (type . "string") (pattern . "^[A-Za-z0-9._]+$")
           (description . "Such as AAPL_US_EQ")))
(define quantity
  '(quantity (type . "number") (exclusiveMinimum . 0)
             (description . "How many shares")))

;; -- tools ------------------------------------------------------------------

(define-tool t212_account_cash
  (description "The money in the account: free, invested, total.")
  (category "network")
  (parameters '())
  (execute (lambda (args) (get "/equity/account/cash"))))

(define-tool t212_positions
  (description "The open positions, or that of one ticker.")
  (category "network")
  (summary-params '("ticker"))
  (parameters (list (append ticker '((required . #f)))))
  (execute
   (lambda (args)
     (let ((one (arg args "ticker" #f)))
       (get (if one
                (string-append "/equity/portfolio/" one)
                "/equity/portfolio"))))))

(define (mentions? instrument text)
  (any (lambda (key)
         (let ((value (arg instrument key "")))
           (and (string? value)
                (string-contains (string-downcase value) text))))
       '("ticker" "name" "shortName" "isin")))

(define-tool t212_search_instruments
  (description "The instruments whose ticker, name or ISIN contains a text.")
  (category "network")
  (summary-params '("text"))
  (parameters
   '((text (type . "string") (minLength . 2))
     (limit (type . "integer") (minimum . 1) (maximum . 100) (default . 20))))
  (execute
   (lambda (args)
     (let* ((text (string-downcase (arg args "text" #f)))
            (found (filter (lambda (instrument) (mentions? instrument text))
                           (get "/equity/metadata/instruments"))))
       (take found (min (length found) (arg args "limit" 20)))))))

(define-tool t212_place_market_order
  (description "Buy or sell at the market's price.")
  (category "network")
  (summary "market {side} {quantity}x {ticker}")
  (parameters (list side ticker quantity))
  (execute
   (lambda (args)
     (check-ticker (arg args "ticker" #f))
     (post "/equity/orders/market"
           (list (cons "ticker" (arg args "ticker" #f))
                 (cons "quantity" (signed-quantity args)))))))

(define-tool t212_place_limit_order
  (description "Buy or sell at a price or a better one.")
  (category "network")
  (summary "limit {side} {quantity}x {ticker} at {limit_price}")
  (parameters
   (list side ticker quantity
         '(limit_price (type . "number") (exclusiveMinimum . 0))
         '(validity (type . "string") (enum "DAY" "GOOD_TILL_CANCEL")
                    (default . "DAY"))))
  (execute
   (lambda (args)
     (check-ticker (arg args "ticker" #f))
     (post "/equity/orders/limit"
           (list (cons "ticker" (arg args "ticker" #f))
                 (cons "quantity" (signed-quantity args))
                 (cons "limitPrice" (arg args "limit_price" #f))
                 (cons "timeValidity" (arg args "validity" "DAY")))))))

(define-tool t212_cancel_order
  (description "Cancel an open order.")
  (category "network")
  (summary "cancel order {id}")
  (parameters '((id (type . "integer") (minimum . 1))))
  (execute
   (lambda (args)
     (let ((id (number->string (arg args "id" #f))))
       (answer (http-delete
                (string-append (base-url) "/equity/orders/" id)
                (headers '())))
       (string-append "cancelled order " id)))))

(define-tool t212_order_history
  (description "The orders of the past, newest first.")
  (category "network")
  (summary-params '("ticker" "limit"))
  (parameters
   (list (append ticker '((required . #f)))
         '(limit (type . "integer") (minimum . 1) (maximum . 50)
                 (default . 20))))
  (execute
   (lambda (args)
     (let ((one (arg args "ticker" #f)))
       (get (string-append
             "/equity/history/orders?limit="
             (number->string (arg args "limit" 20))
             (if one (string-append "&ticker=" one) "")))))))
