;; Paths as strings, with / between their parts.
(define-library (chibi pathname)
  (export path-strip-directory path-directory path-extension
          path-strip-extension path-replace-extension path-absolute?
          path-relative? path-strip-leading-parents path-relative-to
          path-resolve path-normalize make-path)
  (import (scheme base) (scheme char) (only (chibi string) string-find-right
                string-skip-right string-join string-split string-prefix?))
  (include "pathname.scm"))
