;; What the prelude of tools has under names that other dialects use otherwise:
;; each takes the arguments of the SRFIs and, beside them, those that people and
;; models write out of habit.
(define-library (chibi-bridge lenient)
  (export string-replace string-split call-with-output-string
          with-output-to-string)
  (import (scheme base) (scheme char)
          (rename (only (chibi-bridge string) string-contains string-replace
                        string-split)
                  (string-replace replace-span)
                  (string-split split-at))
          (only (%core) call-with-output-string))
  (include "lenient.scm"))
