;;; SRFI 166, widths of characters. The ranges are pairs of first and last code.

(define wide
  '((#x1100 . #x115F) (#x231A . #x231B) (#x2329 . #x232A) (#x23E9 . #x23EC)
    (#x25FD . #x25FE) (#x2614 . #x2615) (#x2648 . #x2653) (#x26AA . #x26AB)
    (#x2705 . #x2705) (#x270A . #x270B) (#x2728 . #x2728) (#x274C . #x274C)
    (#x2753 . #x2755) (#x2795 . #x2797) (#x2B1B . #x2B1C) (#x2B50 . #x2B50)
    (#x2E80 . #x303E) (#x3041 . #x33FF) (#x3400 . #x4DBF) (#x4E00 . #x9FFF)
    (#xA000 . #xA4CF) (#xA960 . #xA97F) (#xAC00 . #xD7A3) (#xF900 . #xFAFF)
    (#xFE30 . #xFE6F) (#xFF00 . #xFF60) (#xFFE0 . #xFFE6) (#x1F18E . #x1F18E)
    (#x1F191 . #x1F19A) (#x1F200 . #x1F320) (#x1F32D . #x1F64F)
    (#x1F680 . #x1F6C5) (#x1F6D0 . #x1F6D2) (#x1F900 . #x1FAFF)
    (#x20000 . #x3FFFD)))

(define ambiguous
  '((#xA1 . #xA1) (#xA4 . #xA4) (#xA7 . #xA8) (#xAA . #xAA) (#xAD . #xAE)
    (#xB0 . #xB4) (#xB6 . #xBA) (#xBC . #xBF) (#xC6 . #xC6) (#xD0 . #xD0)
    (#xD7 . #xD8) (#xDE . #xE1) (#xE6 . #xE6) (#xE8 . #xEA) (#xEC . #xED)
    (#xF0 . #xF0) (#xF2 . #xF3) (#xF7 . #xFA) (#xFC . #xFC) (#xFE . #xFE)
    (#x391 . #x3A9) (#x3B1 . #x3C9) (#x401 . #x401) (#x410 . #x44F)
    (#x451 . #x451) (#x2010 . #x2010) (#x2013 . #x2016) (#x2018 . #x2019)
    (#x201C . #x201D) (#x2020 . #x2022) (#x2024 . #x2027) (#x2030 . #x2030)
    (#x2032 . #x2033) (#x2035 . #x2035) (#x203B . #x203B) (#x203E . #x203E)
    (#x2103 . #x2103) (#x2116 . #x2116) (#x2121 . #x2122) (#x2153 . #x2154)
    (#x215B . #x215E) (#x2160 . #x216B) (#x2170 . #x2179) (#x2190 . #x2199)
    (#x2200 . #x22FF) (#x2460 . #x24E9) (#x24EB . #x2595) (#x25A0 . #x25A1)
    (#x25B2 . #x25BD) (#x25C6 . #x25CB) (#x2605 . #x2606) (#x2660 . #x266F)
    (#xE000 . #xF8FF)))

(define (in? n ranges)
  (and (pair? ranges)
       (or (<= (caar ranges) n (cdar ranges))
           (in? n (cdr ranges)))))

;; Marks and other characters that take no column of their own.
(define (no-width? char)
  (or (char-control? char)
      (and (char>=? char #\x300)
           (not (char-set-contains? char-set:letter+digit char))
           (not (char-set-contains? char-set:punctuation char))
           (not (char-set-contains? char-set:symbol char))
           (not (char-whitespace? char)))
      (char<=? #\x200B char #\x200F)))

(define (char-control? char)
  (or (char<? char #\space) (char<=? #\x7F char #\x9F)))

(define (char-columns char ambiguous-columns)
  (let ((n (char->integer char)))
    (cond ((<= 32 n 126) 1)
          ((no-width? char) 0)
          ((in? n wide) 2)
          ((in? n ambiguous) ambiguous-columns)
          (else 1))))

;; Behind an escape sequence that begins at I, or I.
(define (behind-escape text i end)
  (if (and (< (+ i 1) end)
           (char=? (string-ref text i) #\escape)
           (char=? (string-ref text (+ i 1)) #\[))
      (let loop ((i (+ i 2)))
        (cond ((>= i end) end)
              ((char<=? #\@ (string-ref text i) #\~) (+ i 1))
              (else (loop (+ i 1)))))
      i))

(define (columns text range ambiguous-columns)
  (let ((end (if (and (pair? range) (pair? (cdr range)))
                 (cadr range)
                 (string-length text))))
    (let loop ((i (if (pair? range) (car range) 0)) (n 0))
      (if (>= i end)
          n
          (let ((behind (behind-escape text i end)))
            (if (> behind i)
                (loop behind n)
                (loop (+ i 1)
                      (+ n (char-columns (string-ref text i)
                                         ambiguous-columns)))))))))

;;> (unicode-terminal-width string [start [end]])
;;> Return how many columns a terminal takes: two for wide characters, none for marks
;;> and escape sequences. (unicode-terminal-width "日本") => 4
(define (unicode-terminal-width text . range) (columns text range 1))

;;> (unicode-terminal-width/wide string [start [end]])
;;> Like unicode-terminal-width, with two columns for characters of ambiguous width.
(define (unicode-terminal-width/wide text . range) (columns text range 2))

;;> (as-unicode format ...)
;;> The formatter with columns as on a terminal.
(define (as-unicode . formats)
  (fn (ambiguous-is-wide?)
    (with ((string-width (if ambiguous-is-wide?
                             unicode-terminal-width/wide
                             unicode-terminal-width)))
      (each-in-list formats))))
