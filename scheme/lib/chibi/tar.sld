;; Archives of files, under chibi's names: not available.
(define-library (chibi tar)
  (export
   make-tar tar? read-tar write-tar tar-safe? tar-files tar-fold tar-extract
   tar-extract-file tar-create tar tar-path tar-mode tar-uid tar-gid tar-owner
   tar-group tar-size tar-time tar-type tar-link-name tar-path-set!
   tar-mode-set! tar-uid-set! tar-gid-set! tar-owner-set! tar-group-set!
   tar-size-set! tar-time-set! tar-type-set! tar-link-name-set!
   tar-device-major tar-device-major-set! tar-device-minor
   tar-device-minor-set! tar-ustar tar-ustar-set!)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable archive-files
      make-tar tar? read-tar write-tar tar-safe? tar-files tar-fold tar-extract
      tar-extract-file tar-create tar tar-path tar-mode tar-uid tar-gid
      tar-owner tar-group tar-size tar-time tar-type tar-link-name
      tar-path-set! tar-mode-set! tar-uid-set! tar-gid-set! tar-owner-set!
      tar-group-set! tar-size-set! tar-time-set! tar-type-set!
      tar-link-name-set! tar-device-major tar-device-major-set!
      tar-device-minor tar-device-minor-set! tar-ustar tar-ustar-set!)))
