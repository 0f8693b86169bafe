;;; (chibi char-set ascii), the body.

(define (in-ascii set) (char-set-intersection set char-set:ascii))

;;> char-set:lower-case
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:lower-case (in-ascii all:char-set:lower-case))

;;> char-set:upper-case
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:upper-case (in-ascii all:char-set:upper-case))

;;> char-set:title-case
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:title-case (in-ascii all:char-set:title-case))

;;> char-set:letter
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:letter (in-ascii all:char-set:letter))

;;> char-set:digit
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:digit (in-ascii all:char-set:digit))

;;> char-set:letter+digit
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:letter+digit (in-ascii all:char-set:letter+digit))

;;> char-set:graphic
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:graphic (in-ascii all:char-set:graphic))

;;> char-set:printing
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:printing (in-ascii all:char-set:printing))

;;> char-set:whitespace
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:whitespace (in-ascii all:char-set:whitespace))

;;> char-set:iso-control
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:iso-control (in-ascii all:char-set:iso-control))

;;> char-set:punctuation
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:punctuation (in-ascii all:char-set:punctuation))

;;> char-set:symbol
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:symbol (in-ascii all:char-set:symbol))

;;> char-set:hex-digit
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:hex-digit (in-ascii all:char-set:hex-digit))

;;> char-set:blank
;;> The ASCII characters of SRFI 14's set of this name.
(define char-set:blank (in-ascii all:char-set:blank))

;;> char-set:full
;;> All ASCII characters.
(define char-set:full char-set:ascii)
