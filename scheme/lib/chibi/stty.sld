;; Settings of the terminal, under chibi's names: not available.
(define-library (chibi stty)
  (export
   stty with-stty with-raw-io get-terminal-width get-terminal-dimensions
   TCSANOW TCSADRAIN TCSAFLUSH)
  (import (scheme base) (chibi-bridge unavailable))
  (begin
    (define-unavailable terminal
      stty with-stty with-raw-io get-terminal-width get-terminal-dimensions)
    (define TCSANOW 0)
    (define TCSADRAIN 1)
    (define TCSAFLUSH 2)))
