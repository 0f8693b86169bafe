;;; SRFI 166: its parts together; each has a test of its own.
(import (scheme base) (srfi 166) (prefix (scheme show) s:) (prefix (chibi show) c:)
        (prefix (chibi show base) b:) (prefix (chibi show pretty) p:)
        (prefix (chibi show column) n:) (prefix (chibi show color) k:)
        (prefix (chibi show unicode) u:) (chibi-bridge test))

(test-begin "srfi 166")

(test "  a|b\n(x)\n日\x1b;[31mr\x1b;[39mA"
      (show #f (columnar 'right 3 (each "a") "|" (each "b")) (pretty '(x))
            (as-unicode "日") (as-red "r") (upcased "a")))
(test "1,234" (s:show #f (s:numeric/comma 1234)))
(test "  a|bc|  c|1" (c:show #f (c:padded/left 3 "a") "|" (c:trimmed/left 2 "abc") "|"
                             (c:fitted/left 3 "c") "|" (c:fn-fork c:nothing "1")))
(test "ab" (b:show #f "a" (b:fn-fork b:nothing "b")))
(test "(a)\n" (b:show #f (p:pretty '(a))))
(test "a|b\n" (b:show #f (n:tabular (b:each "a") "|" (b:each "b"))))
(test "\x1b;[34mx\x1b;[39m" (b:show #f (k:as-blue "x")))
(test 2 (u:unicode-terminal-width "日"))

(test-end)
(test-exit)
