;;; (srfi 135 kernel8), the body.

;;> (text? object), (text-tabulate procedure n), (text-length text), (text-ref text i),
;;> (subtext text start end), (textual-concatenate textuals)
;;> As in (srfi 135).

;;> (complain procedure argument ...)
;;> Raise an error about the arguments of the procedure with this name.
(define (complain procedure . arguments)
  (apply error
         (string-append (if (symbol? procedure)
                            (symbol->string procedure)
                            procedure)
                        ": illegal arguments")
         arguments))

;;> (%text-length text), (%text-ref text i), (%string->text string)
;;> The same as those of (srfi 135) without %. (%text-length (%string->text "ab")) => 2
(define (%text-length text) (text-length text))
(define (%text-ref text i) (text-ref text i))
(define (%string->text string) (string->text string))

;;> N
;;> How many characters pieces of long texts have in implementations that have such. N => 128
(define N 128)

;;> the-empty-text
;;> A text without characters. (text-length the-empty-text) => 0
(define the-empty-text (string->text ""))

;;> text-rtd
;;> The record type of texts.
(define text-rtd (%record-type the-empty-text))

;;> (%new-text k chunks), (text.k text), (text.chunks text)
;;> Return the text of the vector of strings CHUNKS without the first K characters. Such
;;> parts of a text, which has one chunk. (text-ref (%new-text 1 #("ab" "c")) 1) => #\c
(define (%new-text k chunks)
  (subtext (string->text (apply string-append (vector->list chunks))) k
           (apply + (map string-length (vector->list chunks)))))
(define (text.k text) 0)
(define (text.chunks text) (vector (textual->string text)))
