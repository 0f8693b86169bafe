;;; (tein filesystem), in a sandbox; with files in tests/unit/host.
(import (scheme base) (tein filesystem) (chibi-bridge test))

(define (refused? thunk) (guard (e (#t (error-object? e))) (thunk) #f))

(test-begin "filesystem")

(for-each
 (lambda (use)
   (test #t (refused? (lambda () (use "/etc/passwd"))))
   (test #t (refused? (lambda () (use 42)))))
 (list file-exists? file-directory? file-regular? file-link? file-size
       directory-files delete-file create-directory create-directory*
       delete-directory))
(test #t (refused? (lambda () (rename-file "/tmp/a" "/tmp/b"))))
(test #t (refused? current-directory))
(test '(0 1 2 64 128 512 1024 2048)
      (list open/read open/write open/read-write open/create open/exclusive
            open/truncate open/append open/non-block))
(test '(1 2 4 8)
      (list lock/shared lock/exclusive lock/non-blocking lock/unlock))
(for-each
 (lambda (use)
   (test "not implemented"
         (guard (e (#t (error-object-message e))) (use "x"))))
 (list
  duplicate-file-descriptor duplicate-file-descriptor-to
  close-file-descriptor renumber-file-descriptor open-input-file-descriptor
  open-output-file-descriptor link-file symbolic-link-file read-link
  directory-fold directory-fold-tree delete-file-hierarchy change-directory
  with-directory open open-pipe make-fifo open-output-file/append
  file-status file-link-status file-device file-inode file-mode
  file-num-links file-owner file-group file-represented-device
  file-block-size file-num-blocks file-access-time file-change-time
  file-modification-time file-modification-time/safe file-character?
  file-block? file-fifo? file-socket? get-file-descriptor-flags
  set-file-descriptor-flags! get-file-descriptor-status
  set-file-descriptor-status! file-lock file-truncate file-is-readable?
  file-is-writable? file-is-executable? file-permissions
  set-file-permissions! chmod chown is-a-tty?))

(test-end)
(test-exit)
