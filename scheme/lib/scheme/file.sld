;; R7RS-small: files, read and written as a whole through the host. What is
;; written to an output file port reaches the file when the port is flushed or
;; closed.
(define-library (scheme file)
  (export call-with-input-file call-with-output-file delete-file file-exists?
          open-binary-input-file open-binary-output-file open-input-file
          open-output-file with-input-from-file with-output-to-file)
  (import (scheme base) (only (%core) %host-call %open-file-port))
  (include "file.scm"))
