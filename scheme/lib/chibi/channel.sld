;; Channels between threads of (srfi 18), with chibi's names.
(define-library (chibi channel)
  (export Channel make-channel channel? channel-empty? channel-send!
          channel-receive!)
  (import (scheme base) (srfi 18))
  (include "channel.scm"))
