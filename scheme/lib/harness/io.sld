;; Files of the host and of the VFS ("vfs:///shared/x"), for unsandboxed tools.
;; The host answers while a tool or a hook runs; elsewhere it refuses.
(define-library (harness io)
  (export io-read io-write io-append io-list io-exists? io-delete)
  (import (scheme base) (only (%core) %host-call))
  (include "io.scm"))
