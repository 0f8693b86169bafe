;; Colours, those of (srfi 166 color).
(define-library (chibi show color)
  (export
   as-red as-blue as-green as-cyan as-yellow as-magenta as-white as-black
   as-bold as-underline as-color as-true-color on-red on-blue on-green
   on-cyan on-yellow on-magenta on-white on-black on-color on-true-color)
  (import (srfi 166 color)))
