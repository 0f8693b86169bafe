;; SRFI 38: external representation of data with shared structure.
(define-library (srfi 38)
  (export write-with-shared-structure write/ss
          read-with-shared-structure read/ss)
  (import (scheme base) (scheme read) (scheme write))
  (begin
    ;;> (write-with-shared-structure object [port [ignored]])
    ;;> Write OBJECT with a label for every pair, vector or string that is in it
    ;;> more than once.
    (define (write-with-shared-structure object . rest)
      (if (pair? rest)
          (write-shared object (car rest))
          (write-shared object)))

    ;;> (write/ss object [port [ignored]])
    ;;> The short name of write-with-shared-structure.
    (define write/ss write-with-shared-structure)

    ;;> (read-with-shared-structure [port])
    ;;> Read a datum that may have labels.
    (define (read-with-shared-structure . rest) (apply read rest))

    ;;> (read/ss [port])
    ;;> The short name of read-with-shared-structure.
    (define read/ss read-with-shared-structure)))
