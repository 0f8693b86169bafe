;;; (srfi 166 unicode).
(import (scheme base) (except (srfi 166 base) upcased downcased) (srfi 166 unicode)
        (chibi-bridge test))

(test-begin "srfi 166 unicode")

(test '(3 4 1 0 2 1) (map unicode-terminal-width '("abc" "日本" "e\x301;" "" "\x1b;[31mab\x1b;[0m" "α")))
(test '(2 1) (list (unicode-terminal-width "a日b" 1 2) (unicode-terminal-width "ab" 1)))
(test '(2 4) (map unicode-terminal-width/wide '("α" "日本")))
(test '(2 1) (list (unicode-terminal-width/wide "aα" 1) (unicode-terminal-width/wide "aα" 0 1)))
(test " 日本" (show #f (as-unicode (padded 5 "日本"))))
(test "日" (show #f (as-unicode (trimmed/right 3 "日本"))))
(test "α2" (show #f (with ((ambiguous-is-wide? #t)) (as-unicode "α" (fn (col) col)))))
(test '("É" "é") (list (show #f (upcased "é")) (show #f (downcased "É"))))

(test-end)
(test-exit)
