;;; (tein load), in a sandbox.
(import (scheme base) (tein load) (chibi-bridge test))

(test-begin "load")

(test-error (load "/etc/passwd"))
(test-error (load 42))
(test "load: VFS path not found (import the library instead)"
      (guard (e (#t (error-object-message e))) (load "/vfs/lib/nope")))

(test-end)
(test-exit)
