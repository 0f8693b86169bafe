;;; (harness io), the body.

(define (check-path who path)
  (if (not (string? path))
      (error (string-append who ": the path is a string") path)))

(define (check-text who text)
  (if (not (string? text))
      (error (string-append who ": the text is a string") text)))

;;> (io-read path)
;;> Return the text of a file, or #f where there is none.
(define (io-read path)
  (check-path "io-read" path)
  (%host-call 'io-read path))

;;> (io-write path text)
;;> Replace a file's content at once, making folders on the way. Return #t.
(define (io-write path text)
  (check-path "io-write" path)
  (check-text "io-write" text)
  (%host-call 'io-write path text))

;;> (io-append path text)
;;> Put TEXT behind a file's content, making the file where there is none.
(define (io-append path text)
  (check-path "io-append" path)
  (check-text "io-append" text)
  (%host-call 'io-append path text))

;;> (io-list path)
;;> Return the sorted names in a folder, '() where there is none.
(define (io-list path)
  (check-path "io-list" path)
  (%host-call 'io-list path))

;;> (io-exists? path)
;;> Is there a file or folder?
(define (io-exists? path)
  (check-path "io-exists?" path)
  (%host-call 'io-exists? path))

;;> (io-delete path)
;;> Delete a file; a folder of the VFS with all that it holds. Return #t.
(define (io-delete path)
  (check-path "io-delete" path)
  (%host-call 'io-delete path))
