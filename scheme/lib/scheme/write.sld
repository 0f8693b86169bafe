;; R7RS-small: external representations.
(define-library (scheme write)
  (export display write write-shared write-simple)
  (import (%core)))

;;> (write object [port])
;;> Write the external representation, which read takes back: strings in quotes, cycles labelled.

;;> (display object [port])
;;> Write for people: strings and characters as they are, also inside of lists.

;;> (write-shared object [port])
;;> Like write, with labels for everything that is there twice.

;;> (write-simple object [port])
;;> Like write without any label: endless for a cycle.
