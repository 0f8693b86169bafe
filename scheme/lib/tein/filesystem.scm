;;; (tein filesystem), the body.

(define (check-path who path)
  (if (not (string? path))
      (error (string-append who ": not a string") path)))

;; Regular, directory, link or other; #f where there is nothing.
(define (kind-of who path follow?)
  (check-path who path)
  (let ((info (%host-call 'file-info path follow?)))
    (and info (car info))))

;;> (file-directory? path)
;;> Is PATH a folder, or a link to one?
(define (file-directory? path)
  (equal? (kind-of "file-directory?" path #t) "directory"))

;;> (file-regular? path)
;;> Is PATH a regular file, or a link to one?
(define (file-regular? path)
  (equal? (kind-of "file-regular?" path #t) "regular"))

;;> (file-link? path)
;;> Is PATH a symbolic link?
(define (file-link? path)
  (equal? (kind-of "file-link?" path #f) "link"))

;;> (file-size path)
;;> Return how many bytes the file has.
(define (file-size path)
  (check-path "file-size" path)
  (let ((info (%host-call 'file-info path #t)))
    (if (not info) (error "file-size: no such file" path))
    (cadr info)))

;;> (directory-files path)
;;> Return the names in a folder, sorted, without . and ..
(define (directory-files path)
  (check-path "directory-files" path)
  (%host-call 'directory-files path))

;;> (current-directory)
;;> Return the path of the current folder, where the policy grants all files.
(define (current-directory) (%host-call 'current-directory))

;;> (create-directory path [mode])
;;> Make a folder in one that is there.
(define (create-directory path . mode)
  (check-path "create-directory" path)
  (%host-call 'create-directory path))

(define (parent path)
  (let loop ((i (- (string-length path) 1)))
    (cond ((<= i 0) #f)
          ((char=? (string-ref path i) #\/) (substring path 0 i))
          (else (loop (- i 1))))))

;;> (create-directory* path [mode])
;;> Make a folder and those around it that are missing.
(define (create-directory* path . mode)
  (check-path "create-directory*" path)
  (if (not (file-directory? path))
      (let ((around (parent path)))
        (if around (create-directory* around))
        (create-directory path))))

;;> (delete-directory path)
;;> Delete an empty folder.
(define (delete-directory path)
  (check-path "delete-directory" path)
  (%host-call 'delete-directory path))

;;> (rename-file old new)
;;> Give the file OLD the name NEW; a file that has it already is replaced.
(define (rename-file old new)
  (check-path "rename-file" old)
  (check-path "rename-file" new)
  (%host-call 'rename-file old new))

;;> open/read open/write open/read-write open/create open/exclusive
;;> open/truncate open/append open/non-block
;;> Flags, as on Linux.
(define open/read 0)
(define open/write 1)
(define open/read-write 2)
(define open/create 64)
(define open/exclusive 128)
(define open/truncate 512)
(define open/append 1024)
(define open/non-block 2048)

;;> lock/shared lock/exclusive lock/non-blocking lock/unlock
;;> Flags, as on Linux.
(define lock/shared 1)
(define lock/exclusive 2)
(define lock/non-blocking 4)
(define lock/unlock 8)

;;> duplicate-file-descriptor duplicate-file-descriptor-to
;;> close-file-descriptor renumber-file-descriptor
;;> open-input-file-descriptor open-output-file-descriptor
;;> link-file symbolic-link-file read-link
;;> directory-fold directory-fold-tree delete-file-hierarchy
;;> change-directory with-directory open open-pipe make-fifo
;;> open-output-file/append file-status file-link-status
;;> file-device file-inode file-mode file-num-links file-owner file-group
;;> file-represented-device file-block-size file-num-blocks
;;> file-access-time file-change-time file-modification-time
;;> file-modification-time/safe
;;> file-character? file-block? file-fifo? file-socket?
;;> get-file-descriptor-flags set-file-descriptor-flags!
;;> get-file-descriptor-status set-file-descriptor-status!
;;> file-lock file-truncate file-is-readable? file-is-writable?
;;> file-is-executable? file-permissions set-file-permissions! chmod chown
;;> is-a-tty?
;;> Not implemented: a call raises an error that says so.
(define-not-implemented
  duplicate-file-descriptor duplicate-file-descriptor-to
  close-file-descriptor renumber-file-descriptor
  open-input-file-descriptor open-output-file-descriptor
  link-file symbolic-link-file read-link
  directory-fold directory-fold-tree delete-file-hierarchy
  change-directory with-directory open open-pipe make-fifo
  open-output-file/append file-status file-link-status
  file-device file-inode file-mode file-num-links file-owner file-group
  file-represented-device file-block-size file-num-blocks
  file-access-time file-change-time file-modification-time
  file-modification-time/safe
  file-character? file-block? file-fifo? file-socket?
  get-file-descriptor-flags set-file-descriptor-flags!
  get-file-descriptor-status set-file-descriptor-status!
  file-lock file-truncate file-is-readable? file-is-writable?
  file-is-executable? file-permissions set-file-permissions! chmod chown
  is-a-tty?)
