;;; SRFI 166: its parts together; each has a test of its own.
(import (scheme base)
        (only (srfi 166)
              show displayed written written-shared written-simply escaped
              maybe-escaped numeric numeric/comma numeric/si numeric/fitted nl
              fl space-to tab-to nothing each each-in-list joined
              joined/prefix joined/suffix joined/last joined/dot joined/range
              padded padded/right padded/both trimmed trimmed/right
              trimmed/both trimmed/lazy fitted fitted/right fitted/both
              output-default upcased downcased fn with with! forked
              call-with-output make-state-variable port row col width output
              writer string-width pad-char ellipsis radix precision
              decimal-sep decimal-align sign-rule comma-sep comma-rule
              word-separator? ambiguous-is-wide? pretty pretty-shared
              pretty-simply pretty-color columnar tabular wrapped wrapped/list
              wrapped/char justified from-file line-numbers show-columns
              as-unicode unicode-terminal-width unicode-terminal-width/wide
              as-red as-blue as-green as-cyan as-yellow as-magenta as-white
              as-black as-bold as-underline as-color as-true-color on-red
              on-blue on-green on-cyan on-yellow on-magenta on-white on-black
              on-color on-true-color)
        (prefix (scheme show) s:) (prefix (chibi show) c:)
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
